/** Lists of partitions that change while something is read, and what they say against what reading has taught. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Entry, Partition, PartitionedProvider, Site } from '../../src/index.ts'
import { createEngine, createHandle, defineProvider, resolveOptions } from '../../src/index.ts'
import { createManualClock, turns, until } from '../support/manual-clock.ts'
import { createTable, startPartitioned as start } from '../support/partitioned.ts'
import { closeEngines, codeOf, createGate, createTestEngine, pathsOf, SECRET } from '../support/site.ts'

const folders: string[] = []
afterEach(async () => {
  await closeEngines()
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

const IDENTITY = { 'accept-encoding': 'identity' }
const MINUTE = 60_000
const A = '/sitemap-goods-a-1.xml'
const B = '/sitemap-goods-b-1.xml'

const fails = (): never => {
  throw new Error(SECRET)
}

describe('what a list says of a partition that was read', () => {
  it.each([
    { name: 'bounds of its own', before: { to: 1 }, after: { to: 2 }, reads: 1 },
    { name: 'a lastmod', before: { lastmod: '2026-01-01' }, after: { lastmod: '2026-01-02' }, reads: 1 },
    { name: 'a count', before: { count: 1 }, after: { count: 2 }, reads: 1 },
    { name: 'a version that goes', before: { version: 1 }, after: {}, reads: 1 },
    { name: 'a version that comes', before: {}, after: { version: 1 }, reads: 1 },
    { name: 'a title', before: { title: 'A' }, after: { title: 'B' }, reads: 0 },
    { name: 'nothing', before: { to: 1 }, after: { to: 1 }, reads: 0 },
    // The version says that nothing changed; the next reading has the new bounds.
    {
      name: 'bounds under one version',
      before: { version: 1, to: 1 },
      after: { version: 1, to: 2 },
      reads: 0,
    },
  ])(
    '$name: read again $reads times, by changedSince that names nothing',
    async ({ before, after, reads }) => {
      const table = createTable([{ id: 'a', ...before }])
      const { ask, handle } = start(table, { changedSince: () => [], ttl: '1h' })
      await ask(A)
      table.list = [{ id: 'a', ...after }]
      await handle.invalidate('goods')
      await ask(A)
      expect(table.reads.length).toBe(1 + reads)
    },
  )

  it('a partition whose version went is read again when it is older than ttl', async () => {
    const table = createTable([{ id: 'a', version: 1 }])
    const { ask, handle, clock } = start(table, { ttl: '1h' })
    await ask(A)
    table.list = [{ id: 'a' }]
    await handle.invalidate('goods')
    await ask(A)
    await clock.advance(90 * MINUTE)
    await ask(A)
    await turns()
    expect(table.reads.length).toBe(3)
  })

  it('invalidate makes stale what has no version, and leaves what has one; a refresh by age alone does neither', async () => {
    const table = createTable([{ id: 'a', version: 1 }, { id: 'b' }])
    const { ask, handle, clock } = start(table, { ttl: '1h' })
    await ask(A)
    await ask(B)
    table.reads.length = 0
    await handle.invalidate('goods')
    await ask(A)
    await ask(B)
    expect(table.reads).toEqual(['b'])
    // The list is older than ttl; b was read after it.
    await clock.advance(59 * MINUTE)
    await ask(B)
    await clock.advance(2 * MINUTE)
    const lists = table.lists
    await ask('/sitemap_index.xml')
    await until(() => table.lists > lists, 'the list to be read')
    await turns()
    expect(table.reads).toEqual(['b'])
  })

  it('one that was found empty is named again when it may have changed: else nobody would ask for it', async () => {
    const table = createTable([{ id: 'a', version: 1 }, { id: 'b' }], () => [])
    const { ask, paths, handle, clock } = start(table, { ttl: '1h' })
    await ask(A)
    await ask(B)
    expect(await paths('/sitemap_index.xml')).toEqual([])
    await clock.advance(30 * MINUTE)
    table.list = [{ id: 'a', version: 1 }, { id: 'b' }]
    await handle.refresh('goods')
    expect(await paths('/sitemap_index.xml')).toEqual([B])
    table.list = [{ id: 'a', version: 2 }, { id: 'b' }]
    await handle.invalidate('goods')
    expect(await paths('/sitemap_index.xml')).toEqual([A, B])
    table.entriesOf = () => ['/now']
    expect(await paths(A)).toEqual(['/now'])
    expect(await paths('/sitemap_index.xml')).toEqual([A, B])
  })

  it('count: 0 leaves it out; a count that is absent later names it again; a larger one lists its parts', async () => {
    const table = createTable([{ id: 'a', count: 0 }], () => [])
    const { ask, paths, handle } = start(table, {}, { limit: 2 })
    expect(await paths('/sitemap_index.xml')).toEqual([])
    expect((await ask(A)).status).toBe(200)
    table.list = [{ id: 'a' }]
    await handle.invalidate('goods')
    expect(await paths('/sitemap_index.xml')).toEqual([A])
    table.entriesOf = () => ['/1', '/2', '/3']
    expect(await paths(A)).toEqual(['/1', '/2'])
    expect((await paths('/sitemap_index.xml')).length).toBe(2)
    table.list = [{ id: 'a', count: 7 }]
    await handle.invalidate('goods')
    expect((await paths('/sitemap_index.xml')).length).toBe(4)
  })

  it('what was cut at maxBytes is cut so by a later count', async () => {
    const long = (n: number): Entry[] => Array.from({ length: n }, (_, i) => `/${'x'.repeat(400)}${i}`)
    const table = createTable([{ id: 'a', count: 10 }], () => long(10))
    const { paths, handle } = start(table, {}, { maxBytes: 1_500 })
    expect(await paths('/sitemap_index.xml')).toEqual([A])
    await paths(A)
    const parts = (await paths('/sitemap_index.xml')).length
    expect(parts).toBeGreaterThan(3)
    table.list = [{ id: 'a', count: 20 }]
    await handle.invalidate('goods')
    expect((await paths('/sitemap_index.xml')).length).toBe(parts * 2)
  })

  it.each([
    {
      name: 'more parts than an index names',
      list: [{ id: 'a', count: 2 ** 52 }],
      message: 'make it smaller',
    },
    {
      name: 'more parts than a million together',
      list: Array.from({ length: 101 }, (_, i) => ({ id: `${i}`, count: 50_000 * 10_000 })),
      message: 'make them larger',
    },
  ])('a list of $name is no list', async ({ list, message }) => {
    const table = createTable(list)
    const { ask, lines } = start(table)
    expect((await ask('/sitemap_index.xml')).status).toBe(503)
    expect(lines.map((line) => line.message).join()).toContain(message)
  })
})

describe('very many partitions', { timeout: 30_000 }, () => {
  const COUNT = 100_000
  function* many(): Generator<Partition> {
    for (let i = 0; i < COUNT; i++)
      yield { id: `p${i}`, version: i, lastmod: '2026-01-02', title: `Part ${i}` }
  }

  it.each([
    { name: 'an array', partitions: () => [...many()] },
    { name: 'a generator that never waits', partitions: many },
  ])(
    '$name of 100,000: requests are served while the list is read and documents are made of it',
    async ({ partitions }) => {
      const site = createTestEngine({
        providers: { pages: ['/'], goods: { partitions, entries: () => ['/a'], formats: ['xml', 'html'] } },
      })
      await site.ask('/sitemap-pages-1.xml')
      let turnsTaken = 0
      let going = true
      const count = (): void => {
        turnsTaken++
        if (going) setImmediate(count)
      }
      setImmediate(count)
      const index = await site.ask('/sitemap_index.xml', IDENTITY)
      going = false
      expect(pathsOf(index.text)).toHaveLength(50_000)
      // In one go there would be a handful of turns, whatever the machine.
      expect(turnsTaken).toBeGreaterThan(20)
      expect((await site.ask('/sitemap-goods-100.html', IDENTITY)).text).toContain('Part 99999')
    },
  )

  it('reading one makes anew what names it, and nothing else', async () => {
    const table = createTable([...many()].slice(0, 1_000), (id) => (id === 'p500' ? [] : ['/a']))
    const { ask, paths } = start(table, { formats: ['xml', 'txt'] })
    const etag = async (path: string) => (await ask(path, IDENTITY)).headers.etag
    const before = await etag('/sitemap_index.xml')
    await ask('/sitemap-goods-p3-1.xml')
    expect(await etag('/sitemap_index.xml')).toBe(before)
    await ask('/sitemap-goods-p500-1.xml')
    expect(await etag('/sitemap_index.xml')).not.toBe(before)
    expect(await paths('/sitemap_index.xml')).not.toContain('/sitemap-goods-p500-1.xml')
    expect(await paths('/sitemap_index.xml')).toHaveLength(999)
  })

  it('a name that a router would not take is refused', async () => {
    const section = 's'.repeat(40)
    const list = (length: number) => ({
      partitions: () => [{ id: 'p'.repeat(length) }],
      entries: () => ['/a'],
    })
    const good = createTestEngine({ providers: { [section]: list(50) } })
    expect((await good.ask('/sitemap_index.xml')).status).toBe(200)
    const bad = createTestEngine({ retries: 0, providers: { [section]: list(51) } })
    expect((await bad.ask('/sitemap_index.xml')).status).toBe(503)
    expect(bad.lines.map(({ message }) => message).join()).toContain('at most 90')
  })
})

describe('a list that changes while something is read', () => {
  it('one that vanished while it was read for the first time is 404, and nothing of it stays', async () => {
    const table = createTable([{ id: 'a' }, { id: 'b' }])
    const { ask, handle, paths } = start(table)
    await ask('/sitemap_index.xml')
    const gate = createGate<Entry[]>()
    table.entriesOf = () => gate.passed
    const answer = ask(A)
    await until(() => table.reads.length === 1, 'the reading to begin')
    table.list = [{ id: 'b' }]
    await handle.invalidate('goods')
    expect((await answer).status).toBe(404)
    gate.open(['/late'])
    await turns()
    expect((await ask(A)).status).toBe(404)
    // And back again.
    table.list = [{ id: 'a' }, { id: 'b' }]
    table.entriesOf = () => ['/again']
    await handle.invalidate('goods')
    expect(await paths(A)).toEqual(['/again'])
  })

  it('one that vanished while it came from its file is 404; memory is counted as before', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'live-sitemap-lists-'))
    folders.push(dir)
    const ids = Array.from({ length: 30 }, (_, i) => ({ id: `p${i}`, version: 1 }))
    const table = createTable(ids, (id) =>
      Array.from({ length: 3_000 }, (_, i) => `/${id}/${'x'.repeat(30)}${i}`),
    )
    const { ask, handle } = start(table, {}, { cache: { memory: '1mb', dir } })
    for (const { id } of ids) await ask(`/sitemap-goods-${id}-1.xml`)
    const { used } = handle.report().memory
    // Round and round: what is put away and comes back takes what it took.
    for (let round = 0; round < 3; round++)
      for (const { id } of ids) expect((await ask(`/sitemap-goods-${id}-1.xml`)).status).toBe(200)
    expect(table.reads.length).toBe(30)
    const { used: later, limit } = handle.report().memory
    expect(later).toBeGreaterThan(used / 4)
    expect(later).toBeLessThanOrEqual(limit * 1.2)
    const waking = ask('/sitemap-goods-p0-1.xml')
    table.list = ids.slice(1)
    await handle.refresh('goods', { force: true })
    expect([200, 404]).toContain((await waking).status)
    expect((await ask('/sitemap-goods-p0-1.xml')).status).toBe(404)
  })

  it('one that changed while it was read is read again', async () => {
    const table = createTable([{ id: 'a', version: 1 }])
    const { ask, handle, paths } = start(table)
    await ask('/sitemap_index.xml')
    const gate = createGate<Entry[]>()
    table.entriesOf = () => gate.passed
    const answer = ask(A)
    await until(() => table.reads.length === 1, 'the reading to begin')
    table.list = [{ id: 'a', version: 2 }]
    await handle.invalidate('goods')
    table.entriesOf = () => ['/new']
    gate.open(['/old'])
    expect((await answer).status).toBe(200)
    expect(await paths(A)).toEqual(['/new'])
  })
})

describe('lists and readings that fail', () => {
  it('a list that fails at first: 503, later the last good one; a partition likewise', async () => {
    const table = createTable([{ id: 'a' }])
    const provider: PartitionedProvider = {
      ...table.provider,
      partitions: () => (table.list.length === 0 ? fails() : table.list),
    }
    const good = table.list
    table.list = []
    const clock = createManualClock()
    const { ask, handle } = createTestEngine({ retries: 0, providers: { goods: provider } }, clock)
    for (const path of ['/sitemap_index.xml', A, '/sitemap.xml']) {
      const { status, headers } = await ask(path)
      expect([status, headers['cache-control']]).toEqual([503, 'no-store'])
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    table.list = good
    await clock.advance(2_000)
    expect(pathsOf((await ask('/sitemap_index.xml', IDENTITY)).text)).toEqual([A])
    table.list = []
    expect(await codeOf(handle.invalidate('goods'))).toBe('LSM_ERR_PROVIDER_FAILED')
    expect(pathsOf((await ask('/sitemap_index.xml', IDENTITY)).text)).toEqual([A])
    // The partitions of the last good list are read none the less.
    expect((await ask(A)).status).toBe(200)
    table.entriesOf = fails
    expect(await codeOf(handle.invalidate('goods', { partition: 'a' }))).toBe('LSM_ERR_PROVIDER_FAILED')
    expect((await ask(A)).status).toBe(200)
  })

  it('changedSince that fails leaves the list as it is, and what changed is asked for again', async () => {
    const table = createTable([{ id: 'a' }, { id: 'b' }])
    const since: number[] = []
    let changed: () => string[] = () => []
    const { ask, handle, clock } = start(table, {
      ttl: '1h',
      changedSince: (ctx) => {
        since.push(ctx.since.getTime())
        return changed()
      },
    })
    await ask(A)
    const beganMs = clock.now()
    changed = fails
    await clock.advance(5 * MINUTE)
    expect(await codeOf(handle.invalidate('goods'))).toBe('LSM_ERR_PROVIDER_FAILED')
    changed = () => ['a']
    await clock.advance(5 * MINUTE)
    await handle.invalidate('goods')
    expect(since).toEqual([beganMs - MINUTE, beganMs - MINUTE])
    await ask(A)
    expect(table.reads).toEqual(['a', 'a'])
  })

  it('a held list keeps what changed for the one that is accepted', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => ({ id: `p${i}` }))
    const table = createTable(ids)
    const { ask, handle } = start(table, { ttl: '1h', changedSince: () => ['p1'] })
    await ask('/sitemap-goods-p1-1.xml')
    table.list = ids.slice(0, 10)
    expect(await codeOf(handle.invalidate('goods'))).toBe('LSM_ERR_WALK_HELD')
    await ask('/sitemap-goods-p1-1.xml')
    await ask('/sitemap-goods-p50-1.xml')
    expect(table.reads).toEqual(['p1', 'p50'])
    await handle.refresh('goods', { force: true })
    await ask('/sitemap-goods-p1-1.xml')
    expect((await ask('/sitemap-goods-p50-1.xml')).status).toBe(404)
    expect(table.reads).toEqual(['p1', 'p50', 'p1'])
  })
})

describe('a crawl of all parts', () => {
  it('keeps nothing of a partition that only joined documents need', async () => {
    const table = createTable([{ id: 'a' }], () => Array.from({ length: 20_000 }, (_, i) => `/${i}`))
    const { ask, handle } = createTestEngine({
      cache: { dir: tmpdir() },
      providers: { pages: ['/'], goods: { ...table.provider, formats: ['xml'] } },
    })
    await ask('/sitemap_index.xml')
    await ask('/sitemap-goods-a-1.xml', { 'if-none-match': '*' })
    // Fingerprints alone would be 160,000 bytes.
    await until(() => handle.report().memory.used < 155_000, 'the blocks to be compressed')
  })

  it('does not hold up the refresh of another section, nor of the list', async () => {
    const goods = createTable(Array.from({ length: 40 }, (_, i) => ({ id: `p${i}` })))
    const gates: (() => void)[] = []
    goods.entriesOf = () => new Promise((resolve) => gates.push(() => resolve(['/a'])))
    const { ask, handle } = createTestEngine({
      concurrency: 1,
      providers: { goods: goods.provider, posts: () => ['/post'] },
    })
    await ask('/sitemap_index.xml')
    const answers = goods.list.map(({ id }) => ask(`/sitemap-goods-${id}-1.xml`))
    await until(() => gates.length === 1, 'the first partition to be read')
    let done = 0
    const note = (): void => {
      done++
    }
    const refreshed = Promise.all([
      handle.invalidate('posts').then(note),
      handle.invalidate('goods').then(note),
    ])
    for (let i = 0; i < 6; i++) {
      await until(() => gates.length > i, 'the next partition to be read')
      gates[i]?.()
      await turns(20)
    }
    await until(() => done === 2, 'both refreshes to end')
    expect(goods.reads.length).toBeLessThan(10)
    await refreshed
    goods.entriesOf = () => ['/a']
    while (gates.length > 0) gates.pop()?.()
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('invalidate with a partition', () => {
  it('reads one that was never read, the list first where that was never read either', async () => {
    const table = createTable([{ id: 'a' }, { id: 'b' }])
    const { handle, paths } = start(table)
    await handle.invalidate('goods', { partition: 'b' })
    expect([table.lists, table.reads]).toEqual([1, ['b']])
    expect(await paths(B)).toEqual(['/b/a', '/b/b'])
    expect(table.reads).toEqual(['b'])
  })

  it('lists again for one that is not listed: a row that was added may be the first of its range', async () => {
    const table = createTable([{ id: '1' }])
    const { handle, paths } = start(table)
    await paths('/sitemap_index.xml')
    table.list = [{ id: '1' }, { id: '2' }]
    await handle.invalidate('goods', { partition: '2' })
    expect(await paths('/sitemap_index.xml')).toEqual(['/sitemap-goods-1-1.xml', '/sitemap-goods-2-1.xml'])
    expect(table.reads).toEqual(['2'])
    expect(await codeOf(handle.invalidate('goods', { partition: '3' }))).toBe('LSM_ERR_SECTION_UNKNOWN')
  })

  it('that fails ends no process: not awaiting it is enough', async () => {
    const table = createTable([{ id: '1' }])
    const { handle, lines } = start(table)
    const unhandled: unknown[] = []
    const note = (error: unknown): void => {
      unhandled.push(error)
    }
    process.on('unhandledRejection', note)
    void handle.invalidate('goods', { partition: 'zzz' })
    await until(() => table.lists === 1, 'the list to be read')
    await turns(20)
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
    expect(lines.map(({ code }) => code)).toContain('LSM_ERR_SECTION_UNKNOWN')
    // A section that does not exist is a slip in the code, with a partition as without.
    expect(() => handle.invalidate('nothing', { partition: 'zzz' })).toThrow('nothing')
  })
})

describe('partitions beside everything else', () => {
  it('two partitioned sections with the same ids stay apart', async () => {
    const goods = createTable([{ id: 'a' }])
    const people = createTable([{ id: 'a' }], () => ['/person'])
    const { ask, handle } = createTestEngine({
      providers: { goods: goods.provider, people: people.provider },
    })
    const paths = async (path: string) => pathsOf((await ask(path, IDENTITY)).text)
    expect(await paths('/sitemap_index.xml')).toEqual([A, '/sitemap-people-a-1.xml'])
    expect(await paths(A)).toEqual(['/a/a', '/a/b'])
    expect(await paths('/sitemap-people-a-1.xml')).toEqual(['/person'])
    goods.list = [{ id: 'b' }]
    await handle.refresh('goods', { force: true })
    expect((await ask(A)).status).toBe(404)
    expect((await ask('/sitemap-people-a-1.xml')).status).toBe(200)
    expect(people.reads).toEqual(['a'])
  })

  it('locales: the index names the document of a locale and every part of partitions', async () => {
    const table = createTable([{ id: 'a' }], () => [
      { loc: '/en', lang: 'en' },
      { loc: '/fr', lang: 'fr' },
    ])
    const { ask } = createTestEngine({
      i18n: { locales: ['en', 'fr'] },
      providers: { pages: ['/', { loc: '/f', lang: 'fr' }], goods: table.provider },
    })
    const paths = async (path: string) => pathsOf((await ask(path, IDENTITY)).text)
    expect(await paths('/sitemap_index.xml')).toEqual(['/sitemap_en.xml', '/sitemap_fr.xml', A])
    expect(await paths(A)).toEqual(['/en'])
    // Read, it turns out to be two parts, one of each locale; every URL stands in exactly one.
    expect(await paths('/sitemap_index.xml')).toEqual([
      '/sitemap_en.xml',
      '/sitemap_fr.xml',
      A,
      '/sitemap-goods-a-2.xml',
    ])
    expect(await paths('/sitemap-goods-a-2.xml')).toEqual(['/fr'])
    expect(await paths('/sitemap_fr.xml')).toEqual(['/f'])
    expect((await ask('/sitemap-goods-a-3.xml')).status).toBe(404)
  })

  it('onEmpty 404: an index without partitions is 404, a listed partition that is empty is not', async () => {
    const table = createTable([], () => [])
    const { ask, handle } = start(table, {}, { onEmpty: 404 })
    expect((await ask('/sitemap_index.xml')).status).toBe(404)
    expect((await ask('/sitemap.xml')).status).toBe(404)
    table.list = [{ id: 'a' }]
    await handle.invalidate('goods')
    expect((await ask('/sitemap_index.xml')).status).toBe(200)
    expect((await ask(A)).status).toBe(200)
  })

  it('HEAD, 304 and codings of a part are those of any document', async () => {
    const table = createTable([{ id: 'a', version: 1 }])
    const { ask } = start(table)
    const got = await ask(A, { 'accept-encoding': 'gzip' })
    expect([got.status, got.headers['content-encoding'], got.headers.vary]).toEqual([
      200,
      'gzip',
      'Accept-Encoding',
    ])
    const head = await ask(A, { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([head.status, head.headers.etag, head.body.length]).toEqual([200, got.headers.etag, 0])
    const again = await ask(A, { 'accept-encoding': 'gzip', 'if-none-match': got.headers.etag ?? '' })
    expect([again.status, again.body.length]).toEqual([304, 0])
    const plain = await ask(A, IDENTITY)
    expect(plain.headers.etag).not.toBe(got.headers.etag)
    expect(table.reads).toEqual(['a'])
  })

  it('publicPath: documents name parts as the public sees them', async () => {
    const table = createTable([{ id: 'a' }])
    const { ask } = start(table, { formats: ['xml', 'txt', 'html'] }, { publicPath: '/shop' })
    const { text } = await ask('/sitemap_index.xml', IDENTITY)
    expect(text).toContain('<loc>https://www.example.com/shop/sitemap-goods-a-1.xml</loc>')
    expect((await ask('/sitemap-goods-1.html', IDENTITY)).text).toContain('/shop/sitemap-goods-a-1.xml')
  })

  it('HTML: the list of partitions is there at once, also cold, and leaves out what is said to be empty', async () => {
    const table = createTable([{ id: 'a' }, { id: 'b', count: 0 }])
    const { ask } = start(table, {
      formats: ['xml', 'html', 'feed'],
      latest: () => [{ loc: '/new', title: 'New', published: '2026-01-01' }],
    })
    const page = await ask('/sitemap-goods-1.html', IDENTITY)
    expect(page.status).toBe(200)
    expect(page.text).toContain(A)
    expect(page.text).not.toContain(B)
    expect((await ask('/sitemap-goods-2.html')).status).toBe(404)
    // What `latest` gives is for feeds: the section stands once on the start page.
    const { text } = await ask('/sitemap.html', IDENTITY)
    expect(text.match(/href="\/sitemap-goods-1\.html"/g)).toHaveLength(1)
    expect(text).not.toContain('/new')
    expect(table.reads).toEqual([])
  })

  it('HTML of a list that cannot be read is 503, and a further page of it no other', async () => {
    const { ask } = createTestEngine({
      retries: 0,
      providers: { goods: { formats: ['xml', 'html'], partitions: fails, entries: () => [] } },
    })
    expect((await ask('/sitemap-goods-1.html')).status).toBe(503)
    expect((await ask('/sitemap-goods-2.html')).status).toBe(503)
  })

  it('llms.txt has no entries of `latest`', async () => {
    const table = createTable([{ id: 'a' }])
    const { ask } = start(
      table,
      { formats: ['xml', 'html', 'feed'], latest: () => [{ loc: '/new', title: 'New' }] },
      { routes: { llms: '/llms.txt' } },
    )
    const { status, text } = await ask('/llms.txt', IDENTITY)
    expect(status).toBe(200)
    expect(text).not.toContain('[]')
    expect(text).not.toContain('/new')
  })

  it('many sites: each has its own list and partitions, called with its own ctx.site', async () => {
    const reads: string[] = []
    const sites: Site[] = ['a', 'b'].map((name) => ({
      url: `https://${name}.example.com`,
      data: { shop: name },
    }))
    const engine = createEngine(
      resolveOptions({
        warmUp: false,
        sites,
        providers: {
          goods: {
            partitions: ({ site }: { site: Site }): Partition[] => [
              { id: (site.data as { shop: string }).shop },
            ],
            entries: ({ site, partition }: { site: Site; partition: Partition }) => {
              reads.push(`${site.url} ${partition.id}`)
              return [`/${partition.id}`]
            },
          } as PartitionedProvider,
        },
      }),
      { clock: createManualClock(), log: { info() {}, warn() {}, error() {} } },
    )
    const ask = async (host: string, path: string) => {
      const answer = await engine.respond({
        method: 'GET',
        path,
        host,
        header: (name) => IDENTITY[name as keyof typeof IDENTITY],
      })
      answer.done?.()
      return { status: answer.status, text: String(answer.body ?? '') }
    }
    expect((await ask('a.example.com', '/sitemap_index.xml')).text).toContain(
      'https://a.example.com/sitemap-goods-a-1.xml',
    )
    expect((await ask('b.example.com', '/sitemap-goods-b-1.xml')).text).toContain('https://b.example.com/b')
    expect((await ask('b.example.com', '/sitemap-goods-a-1.xml')).status).toBe(404)
    const handle = createHandle(engine)
    await handle.invalidate('goods', { site: 'a.example.com', partition: 'a' })
    await handle.invalidate('goods', { site: 'b.example.com', partition: 'b' })
    expect(reads).toEqual(['https://b.example.com b', 'https://a.example.com a', 'https://b.example.com b'])
    await engine.close()
  })

  it('a site that is looked up anew with another title goes on with its list, and lets its partitions go', async () => {
    let lists = 0
    let title = 'One'
    const clock = createManualClock()
    const engine = createEngine(
      resolveOptions({
        warmUp: false,
        cache: { ttl: '7d' },
        sites: async () => ({ url: 'https://a.example.com', title }),
        providers: {
          goods: defineProvider({
            partitions: () => {
              lists++
              return [{ id: 'a', version: 1 }]
            },
            entries: () => Array.from({ length: 9_000 }, (_, i) => `/${i * i * 7919}`),
          }),
        },
      }),
      { clock, log: { info() {}, warn() {}, error() {} } },
    )
    const ask = async (path: string) => {
      const answer = await engine.respond({
        method: 'GET',
        path,
        host: 'a.example.com',
        // Nothing is rendered: only what the site keeps is in memory.
        header: (name) => (name === 'if-none-match' ? '*' : undefined),
      })
      answer.done?.()
      return answer.status
    }
    const handle = createHandle(engine)
    const used = (): number => handle.report().memory.used
    await ask('/sitemap_index.xml')
    const base = used()
    expect(await ask(A)).toBe(304)
    await until(() => used() - base < 300_000, 'the blocks to be compressed')
    const own = used() - base
    for (const name of ['Two', 'Three', 'Four', 'Five']) {
      title = name
      await clock.advance(6 * MINUTE)
      await ask('/sitemap_index.xml')
      await turns()
      expect(await ask(A)).toBe(304)
    }
    expect(lists).toBe(1)
    expect(own).toBeGreaterThan(1_000)
    await until(() => used() < base + own * 1.5, 'the partitions of before to be let go')
    await engine.close()
  })
})

describe('/sitemap.txt of a site that has partitions alone', () => {
  it('is the first part of the first partition that has one, and is read when it is asked for', async () => {
    const table = createTable([{ id: 'none', count: 0 }, { id: 'a' }, { id: 'b' }])
    const site = start(table)
    expect(await site.paths('/sitemap.txt')).toEqual(['/a/a', '/a/b'])
    expect(table.reads).toEqual(['a'])
    const own = await site.ask('/sitemap-goods-a-1.txt')
    const { headers } = await site.ask('/sitemap.txt')
    expect(headers.etag).toBe(own.headers.etag)
    table.list = [{ id: 'b' }]
    await site.handle.invalidate('goods')
    expect(await site.paths('/sitemap.txt')).toEqual(['/b/a', '/b/b'])
  })

  it('is 404 while nothing is listed', async () => {
    const site = start(createTable([]))
    expect((await site.ask('/sitemap.txt')).status).toBe(404)
  })
})

it('report() counts what is listed, was read and fails', async () => {
  const table = createTable([{ id: 'a' }, { id: 'b' }, { id: 'c' }], (id) => {
    if (id === 'b') throw new Error('no')
    return ['/x']
  })
  const site = start(table)
  for (const id of ['a', 'b']) await site.ask(`/sitemap-goods-${id}-1.xml`)
  expect(site.handle.report().sections.goods).toMatchObject({
    state: 'fresh',
    entries: 3,
    partitions: { listed: 3, read: 1, failing: 1 },
  })
})
