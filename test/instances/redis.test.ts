/** What instances promise each other, shown on real servers and real processes (ENGINE section 5). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'
import {
  CLIENTS,
  type Instance,
  type InstanceOrder,
  killInstances,
  pathsOf,
  type Source,
  startInstance,
  startLoad,
  startSource,
} from './instance.ts'

const path = '/sitemap.xml'

describe.runIf(hasRedis())('instances on one Redis', { timeout: 90_000 }, () => {
  let server: RedisServer
  let source: Source
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())
  beforeEach(async () => {
    await server.restart()
    source = await startSource()
  })
  afterEach(async () => {
    await killInstances()
    await source.close()
  })

  /** One for each client. */
  function start(count: number, more: Partial<InstanceOrder> = {}): Promise<Instance[]> {
    const clients = CLIENTS.slice(0, count)
    return Promise.all(
      clients.map((client) =>
        startInstance({ source: source.origin, store: { client, url: server.url }, ...more }),
      ),
    )
  }

  it('4 instances × 250 parallel cold requests → 1 walk, and the same answer everywhere', async () => {
    source.set('held')
    const instances = await start(4, { more: { warmUp: false } })
    const asked = instances.flatMap((one) => Array.from({ length: 250 }, () => one.ask(path)))
    await eventually(() => source.walks > 0)
    source.set({ name: 'a', count: 100 })
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(
      new Set(answers.map(({ etag, lastModified, text }) => `${etag} ${lastModified} ${text}`)).size,
    ).toBe(1)
    expect(source.walks).toBe(1)
  })

  it('a rolling restart under constant load fails no request, and walks no more', async () => {
    const instances = await start(3)
    await Promise.all(instances.map((one) => one.ask('/ready')))
    expect(source.walks).toBe(1)
    const first = await instances[0]?.ask(path)
    const balanced = [...instances]
    const load = startLoad(balanced)
    await load.more(20)
    for (const old of instances) {
      // As a rollout does: out of the balancer, then ended, and the next one when the new one is ready.
      balanced.splice(balanced.indexOf(old), 1)
      await load.more(10)
      await old.stop()
      const [next] = await start(1)
      if (next === undefined) throw new Error('there is no instance')
      expect((await next.ask('/ready')).status).toBe(200)
      balanced.push(next)
      await load.more(20)
    }
    await load.stop()
    expect(load.failures).toEqual([])
    expect(source.walks).toBe(1)
    for (const one of balanced) expect(await one.ask(path)).toEqual(first)
  })

  it('an invalidation is seen by all within a second', async () => {
    const instances = await start(4)
    await Promise.all(instances.map((one) => one.ask('/ready')))
    for (const [i, by] of instances.entries()) {
      const walks = source.walks
      source.set({ name: `edit${i}`, count: 100 })
      const told = by.tell('invalidate', 'posts')
      await eventually(
        async () => {
          const seen = await Promise.all(instances.map((one) => one.ask(path)))
          return seen.every(({ text }) => pathsOf(text)[0] === `/edit${i}-1`)
        },
        'the edit everywhere',
        // The second of the promise, and what asking takes on a busy machine.
        3_000,
      )
      await told
      expect(source.walks - walks).toBe(1)
    }
  })
})
