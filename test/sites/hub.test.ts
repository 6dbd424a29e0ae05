/** What happens while a site is on its way out of memory or back: files are held by the test. */
import { afterEach, describe, expect, it } from 'vitest'
import { type CommonOptions, resolveOptions, type Site, type Sites } from '../../src/index.ts'
import { createShared, type Shared } from '../../src/shared.ts'
import type { SpoolArchive } from '../../src/shelves/spool.ts'
import { createSiteHub } from '../../src/sites/hub.ts'
import { createManualClock, turns, until } from '../support/manual-clock.ts'
import { createGate, createLines, decoded, type Gate, locsOf } from '../support/site.ts'

const hubs = new Set<{ close(): Promise<void> }>()

afterEach(async () => {
  await Promise.all([...hubs].map((hub) => hub.close()))
  hubs.clear()
})

/** Archives in memory; each operation waits for a gate of its own where the test holds them. */
function createHeldSpool(spool: Shared['spool']) {
  const there = new Set<SpoolArchive>()
  const writing: Gate[] = []
  const reading: Gate[] = []
  const holds = { writing: false, reading: false }
  const held: Shared['spool'] = {
    ...spool,
    async archive(pieces) {
      const bytes = Buffer.concat(pieces)
      if (holds.writing) {
        const gate = createGate()
        writing.push(gate)
        await gate.passed
      }
      const archive: SpoolArchive = {
        async read(offset, length) {
          if (holds.reading) {
            const gate = createGate()
            reading.push(gate)
            await gate.passed
          }
          return bytes.subarray(offset, offset + length)
        },
        remove: () => void there.delete(archive),
      }
      there.add(archive)
      return archive
    },
  }
  return { held, there, writing, reading, holds }
}

interface Given extends Partial<CommonOptions> {
  readonly sites: Sites
}

/** In a memory of one byte a site leaves as soon as another one is asked. */
function start(given: Given) {
  const clock = createManualClock()
  const { lines, logger } = createLines()
  const options = resolveOptions({
    warmUp: false,
    retries: 0,
    log: logger,
    cache: { memory: '1b', ttl: '1d' },
    providers: { pages: () => ['/'] },
    ...given,
  })
  if (options.sites === undefined) throw new Error('no sites')
  const shared = createShared(options, clock, undefined)
  const spool = createHeldSpool(shared.spool)
  const hub = createSiteHub(options, options.sites, { ...shared, spool: spool.held }, async () => {})
  hubs.add(hub)
  async function ask(host: string, path = '/sitemap.txt') {
    const answer = await hub.respond({ method: 'GET', path, host, header: () => undefined })
    answer.done?.()
    const body = answer.body as Buffer | undefined
    const text = body === undefined ? '' : decoded(body, answer.headers['content-encoding'])
    return { status: answer.status, locs: locsOf(text) }
  }
  return { hub, ask, clock, lines, memory: shared.memory, ...spool }
}

const siteOf = (host: string): Site => ({ id: host, url: `https://${host}` })

describe('a site that leaves memory', () => {
  it('stays where an invalidation brought a newer state meanwhile', async () => {
    let pages = ['/old']
    const { hub, ask, holds, writing } = start({ sites: siteOf, providers: { pages: () => pages } })
    await ask('a.example')
    holds.writing = true
    await ask('b.example')
    await until(() => writing.length === 1, 'a.example to be written')
    pages = ['/new']
    await hub.invalidate('pages', 0, 'a.example')
    holds.writing = false
    writing[0]?.open()
    await turns()
    expect((await ask('a.example')).locs).toEqual(['https://a.example/new'])
  })

  // It was answered 503: its engine was closed under it.
  it('stays while an answer of it is being made', async () => {
    const { hub, ask, holds, reading, there } = start({ sites: siteOf })
    await ask('a.example')
    await ask('b.example')
    await until(() => there.size === 1, 'a.example to leave')
    expect((await ask('a.example', '/feed.rss')).status).toBe(200)
    holds.reading = true
    const asked = ask('a.example', '/sitemap.xml')
    await until(() => reading.length === 1, 'its blocks to be read')
    await ask('b.example')
    for (const gate of reading.slice(1)) gate.open()
    await turns()
    holds.reading = false
    for (const gate of reading) gate.open()
    expect((await asked).status).toBe(200)
    await until(() => hub.report().sites?.awake === 1, 'one of them to leave')
  })

  it('of which nothing was ever read writes no file', async () => {
    let written = 0
    const { hub, ask, there } = start({
      sites: siteOf,
      providers: {
        pages: () => {
          written += there.size
          throw new Error('down')
        },
      },
    })
    for (const host of ['a.example', 'b.example', 'c.example']) expect((await ask(host)).status).toBe(503)
    await until(() => hub.report().sites?.awake === 1, 'the others to leave')
    expect([written, there.size]).toEqual([0, 0])
  })

  // What a site holds beside its blocks was taken off the account each time it left, and never put on it again.
  it('and comes back again and again weighs what it weighed', async () => {
    const { hub, ask, memory } = start({
      sites: siteOf,
      providers: {
        pages: () => Array.from({ length: 40 }, (_, i) => ({ loc: `/${i}`, title: `Page ${i}` })),
      },
    })
    const hosts = ['a.example', 'b.example', 'c.example']
    const weights = new Set<number>()
    for (let round = 0; round < 5; round++)
      for (const host of hosts) {
        expect((await ask(host, '/feed.rss')).status).toBe(200)
        await until(() => hub.report().sites?.awake === 1, 'the others to leave')
        weights.add(memory.records)
      }
    expect(weights.size).toBe(1)
    expect([...weights][0]).toBeGreaterThan(0)
  })
})

describe('a site that comes back', () => {
  it('and is forgotten meanwhile is read anew; nothing of it is left behind', async () => {
    const walked: string[] = []
    const { hub, ask, holds, reading, there, memory } = start({
      sites: siteOf,
      providers: {
        pages: ({ site }) => {
          walked.push(site.url)
          return ['/']
        },
      },
    })
    await ask('a.example')
    await ask('b.example')
    await until(() => there.size === 1, 'a.example to leave')
    const weight = memory.records
    holds.reading = true
    const asked = ask('a.example')
    await until(() => reading.length === 1, 'its file to be read')
    hub.forget('a.example')
    holds.reading = false
    reading[0]?.open()
    expect((await asked).status).toBe(503)
    await until(() => there.size === 0, 'its file to go')
    expect(memory.records).toBe(weight)
    expect((await ask('a.example')).status).toBe(200)
    expect(walked.filter((url) => url.includes('//a.'))).toHaveLength(2)
  })

  it('under another URL serves nothing of the old one', async () => {
    let url = 'https://a.example'
    const { ask, clock, holds, reading, there } = start({
      sites: (host) => (host === 'a.example' ? { id: 'a', url } : siteOf(host)),
      providers: { pages: ['./page'] },
    })
    await ask('a.example')
    await ask('b.example')
    await until(() => there.size === 1, 'a.example to leave')
    holds.reading = true
    const asked = ask('a.example')
    await until(() => reading.length === 1, 'its file to be read')
    url = 'https://a.example/shop/'
    await clock.advance(6 * 60_000)
    // The first of these starts the look-up that finds it.
    const others = [ask('a.example'), ask('a.example')]
    await turns()
    others.push(ask('a.example'))
    holds.reading = false
    for (const gate of reading) gate.open()
    for (const answer of await Promise.all([asked, ...others]))
      for (const loc of answer.locs) expect(loc).toBe('https://a.example/shop/page')
  })

  it('from a file that cannot be read is read anew', async () => {
    const { ask, holds, reading, there } = start({ sites: siteOf })
    await ask('a.example')
    await ask('b.example')
    await until(() => there.size === 1, 'a.example to leave')
    holds.reading = true
    const asked = ask('a.example')
    await until(() => reading.length === 1, 'its file to be read')
    holds.reading = false
    reading[0]?.fail(new Error('EIO'))
    expect((await asked).status).toBe(200)
  })
})

describe('sites that come faster than others leave', () => {
  it('wait, and come in one for each that left', async () => {
    const hosts = Array.from({ length: 90 }, (_, i) => `t${i}.example`)
    const { hub, ask, holds, writing, memory } = start({
      sites: hosts.map(siteOf),
      cache: { memory: '4mb', ttl: '1d' },
    })
    const isFull = (): boolean => memory.records + memory.blobs > memory.limit * (7 / 16)
    holds.writing = true
    let next = 0
    while (!isFull()) expect((await ask(hosts[next++] ?? '')).status).toBe(200)
    const most = hub.report().sites?.awake ?? 0
    const waiting = hosts.slice(next, next + 10).map((host) => ask(host))
    for (let left = 0; left < 10; left++) {
      await until(() => writing.length > left, 'another site to be written')
      writing[left]?.open()
      await turns()
      expect(hub.report().sites?.awake).toBeLessThanOrEqual(most)
    }
    holds.writing = false
    for (const gate of writing) gate.open()
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('sites that cannot leave', () => {
  it('a provider that hangs: memory is bounded, further sites get 503, and all is well when it answers again', async () => {
    const gate = createGate<string[]>()
    const hosts = Array.from({ length: 300 }, (_, i) => `t${i}.example`)
    const { hub, ask, lines, memory, clock } = start({
      sites: hosts.map(siteOf),
      cache: { memory: '4mb' },
      timeout: '10m',
      deadline: '1s',
      providers: { pages: () => gate.passed },
    })
    const asked = hosts.map((host) => ask(host))
    await turns(20)
    const { awake = 0, asked: known } = hub.report().sites ?? {}
    expect(known).toBe(300)
    // 4 MiB hold a hundred.
    expect(awake).toBeLessThan(110)
    expect(memory.records).toBeLessThan(memory.limit + 100_000)
    await clock.advance(1_000)
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([503]))
    expect(lines.filter(({ code }) => code === 'LSM_ERR_BUSY')).toHaveLength(1)
    gate.open(['/'])
    await until(() => hub.report().ready, 'all that are there to be read')
    // One that is there already is enough to let the others go.
    expect((await ask('t0.example')).status).toBe(200)
    await until(() => memory.records + memory.blobs <= memory.limit / 2, 'the others to leave')
    expect((await ask('t299.example')).status).toBe(200)
  })
})
