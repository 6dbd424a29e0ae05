/** One machine without Redis: processes and restarts share a folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import {
  type Instance,
  type InstanceOrder,
  killInstances,
  pathsOf,
  type Source,
  startInstance,
  startSource,
} from './instance.ts'

const path = '/sitemap.xml'

describe('instances over one folder', { timeout: 90_000 }, () => {
  let source: Source
  let dir: string
  beforeEach(async () => {
    source = await startSource()
    dir = await mkdtemp(join(tmpdir(), 'live-sitemap-instances-'))
  })
  afterEach(async () => {
    await killInstances()
    await source.close()
    await rm(dir, { recursive: true, force: true })
  })

  function start(more: Partial<InstanceOrder> = {}): Promise<Instance> {
    return startInstance({ source: source.origin, store: { dir }, ...more })
  }

  it.each([
    { name: 'killed', end: (one: Instance) => one.kill() },
    { name: 'stopped', end: (one: Instance) => one.stop() },
  ])(
    '$name and started again while the provider is down: the same answer, without a call',
    async ({ end }) => {
      const one = await start()
      await one.ask('/ready')
      const first = await one.ask(path)
      // A second instance is the proof that all of it is stored, without a look into the folder.
      const other = await start()
      expect(await other.ask(path)).toEqual(first)
      await other.stop()
      await end(one)
      source.set('down')
      const next = await start()
      expect(await next.ask(path)).toEqual(first)
      expect(first.status).toBe(200)
      expect((await next.ask('/ready')).status).toBe(200)
      expect(source.walks).toBe(1)
    },
  )

  it('stale as well: what was read is served when its time is over and the provider is down', async () => {
    const cache = { ttl: '1s' } as const
    const one = await start({ cache })
    await one.ask('/ready')
    const first = await one.ask(path)
    const other = await start({ cache })
    await other.ask('/ready')
    await other.stop()
    await one.kill()
    source.set('down')
    const next = await start({ cache })
    // Timers refresh only what somebody asks for.
    await eventually(async () => {
      await next.ask(path)
      return (await next.report()).sections.posts?.state === 'failing'
    }, 'the provider to fail')
    const { status, etag, lastModified, cacheControl, text } = await next.ask(path)
    expect({ status, etag, lastModified, text }).toEqual({
      status: 200,
      etag: first.etag,
      lastModified: first.lastModified,
      text: first.text,
    })
    expect(cacheControl).toContain('max-age=60')
  })

  it('two that start cold walk once, and one hears what is invalidated at the other', async () => {
    source.set('held')
    const [a, b] = await Promise.all([start({ more: { warmUp: false } }), start({ more: { warmUp: false } })])
    const asked = [a, b].flatMap((one) => Array.from({ length: 50 }, () => one.ask(path)))
    await eventually(() => source.walks > 0)
    source.set({ name: 'a', count: 100 })
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status, etag }) => `${status} ${etag}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(source.walks).toBe(1)
    source.set({ name: 'b', count: 100 })
    await a.tell('invalidate', 'posts')
    await eventually(async () => pathsOf((await b.ask(path)).text)[0] === '/b-1', 'the edit at the other')
    expect(source.walks).toBe(2)
  })
})
