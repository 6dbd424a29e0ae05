import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Partition, PartitionedProvider } from '../../src/index.ts'
import { createManualClock, turns, until } from '../support/manual-clock.ts'
import { createTable, startPartitioned as start } from '../support/partitioned.ts'
import { closeEngines, codeOf, createTestEngine, pathsOf, SECRET } from '../support/site.ts'

const folders: string[] = []
afterEach(async () => {
  await closeEngines()
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

const IDENTITY = { 'accept-encoding': 'identity' }
const MINUTE = 60_000

describe('the index of a partitioned section (DESIGN 3, partitions)', () => {
  it('is made from the list alone: no partition is read for it', async () => {
    const table = createTable([
      { id: '1', lastmod: '2026-01-02' },
      { id: '2', count: 0 },
      { id: '3', count: 5 },
    ])
    const { ask, paths } = start(table, {}, { limit: 2 })
    const expected = [
      '/sitemap-goods-1-1.xml',
      '/sitemap-goods-3-1.xml',
      '/sitemap-goods-3-2.xml',
      '/sitemap-goods-3-3.xml',
    ]
    expect(await paths('/sitemap_index.xml')).toEqual(expected)
    // A site with partitions has no merged urlset.
    expect(await paths('/sitemap.xml')).toEqual(expected)
    expect((await ask('/sitemap_index.xml', IDENTITY)).text).toContain('<lastmod>2026-01-02</lastmod>')
    expect([table.lists, table.reads]).toEqual([1, []])
  })

  it('stands beside sections that are read whole, in the order of providers', async () => {
    const table = createTable([{ id: 'a' }])
    const site = createTestEngine({ providers: { pages: ['/'], goods: table.provider, posts: ['/p'] } })
    const { text } = await site.warm('/sitemap_index.xml')
    expect(pathsOf(text)).toEqual(['/sitemap-pages-1.xml', '/sitemap-goods-a-1.xml', '/sitemap-posts-1.xml'])
    expect(pathsOf((await site.ask('/sitemap-pages-1.xml', IDENTITY)).text)).toEqual(['/'])
    // The text of the whole site does not fit one document: its first part, the others under their own names.
    expect((await site.ask('/sitemap.txt', IDENTITY)).text).toBe('https://www.example.com/\n')
    expect(await site.handle.robotsTxt()).toContain('/sitemap-goods-a-1.txt')
  })

  it('past 50,000 parts there are several, each in robots.txt (SPEC I10)', async () => {
    const table = createTable(Array.from({ length: 120_001 }, (_, i) => ({ id: `${i}` })))
    const { paths, ask, handle } = start(table)
    expect((await paths('/sitemap_index.xml')).length).toBe(50_000)
    expect((await paths('/sitemap_index-3.xml')).length).toBe(20_001)
    expect((await ask('/sitemap_index-4.xml')).status).toBe(404)
    expect(await handle.robotsTxt()).toMatch(
      /sitemap_index\.xml\n.*sitemap_index-2\.xml\n.*sitemap_index-3\.xml\n/,
    )
  })
})

describe('a part of a partition', () => {
  it('is read when it is asked for, once, with what was listed as ctx.partition', async () => {
    const table = createTable([{ id: 'a', from: 1, nested: { to: 2 } } as Partition, { id: 'b' }])
    const { ask, paths } = start(table)
    expect(await paths('/sitemap-goods-a-1.xml')).toEqual(['/a/a', '/a/b'])
    expect((await ask('/sitemap-goods-a-1.txt', IDENTITY)).text).toBe(
      'https://www.example.com/a/a\nhttps://www.example.com/a/b\n',
    )
    await ask('/sitemap-goods-a-1.xml')
    expect(table.reads).toEqual(['a'])
    expect(table.given).toEqual([{ id: 'a', from: 1, nested: { to: 2 } }])
  })

  it.each([
    '/sitemap-goods-zzz-1.xml',
    '/sitemap-goods-a-2.xml',
    '/sitemap-goods-a-0.xml',
    '/sitemap-goods-a-99999.xml',
    '/sitemap-goods-1.xml',
    '/sitemap-other-a-1.xml',
    '/sitemap-goods-a-1.html',
  ])('%s is 404 and costs no read', async (path) => {
    const table = createTable([{ id: 'a' }])
    const { ask, warm } = start(table)
    await warm('/sitemap_index.xml')
    expect((await ask(path)).status).toBe(404)
    expect(table.reads).toEqual([])
  })

  it('is split where reading finds more than one part, and the index learns of it', async () => {
    const table = createTable([{ id: 'a' }, { id: 'b' }], (id) => [1, 2, 3, 4, 5].map((n) => `/${id}/${n}`))
    const { paths } = start(table, {}, { limit: 2 })
    expect(await paths('/sitemap_index.xml')).toEqual(['/sitemap-goods-a-1.xml', '/sitemap-goods-b-1.xml'])
    expect(await paths('/sitemap-goods-a-1.xml')).toEqual(['/a/1', '/a/2'])
    expect(await paths('/sitemap_index.xml')).toEqual([
      '/sitemap-goods-a-1.xml',
      '/sitemap-goods-a-2.xml',
      '/sitemap-goods-a-3.xml',
      '/sitemap-goods-b-1.xml',
    ])
    expect(await paths('/sitemap-goods-a-3.xml')).toEqual(['/a/5'])
  })

  it('that turns out empty answers 200 until it leaves the list, and the index does not name it; one that vanished is 404', async () => {
    const table = createTable([{ id: 'a' }, { id: 'b' }], (id) => (id === 'a' ? [] : ['/b']))
    const { ask, paths, handle } = start(table)
    expect((await ask('/sitemap-goods-a-1.xml')).status).toBe(200)
    expect(await paths('/sitemap_index.xml')).toEqual(['/sitemap-goods-b-1.xml'])
    expect((await ask('/sitemap-goods-b-1.xml')).status).toBe(200)
    table.list = [{ id: 'c' }]
    await handle.refresh('goods', { force: true })
    expect((await ask('/sitemap-goods-a-1.xml')).status).toBe(404)
    expect((await ask('/sitemap-goods-b-1.xml')).status).toBe(404)
    expect(await paths('/sitemap-goods-c-1.xml')).toEqual(['/b'])
  })

  it('keeps its last good through an outage, each partition for itself', async () => {
    const table = createTable([{ id: 'a' }, { id: 'b' }])
    const { ask, paths, clock, lines } = start(table, { ttl: '10m' })
    await ask('/sitemap-goods-a-1.xml')
    const good = table.entriesOf
    table.entriesOf = () => {
      throw new Error(SECRET)
    }
    await clock.advance(30 * MINUTE)
    const answer = await ask('/sitemap-goods-a-1.xml', IDENTITY)
    expect(answer.status).toBe(200)
    expect(pathsOf(answer.text)).toEqual(['/a/a', '/a/b'])
    const cold = await ask('/sitemap-goods-b-1.xml')
    expect(cold.status).toBe(503)
    expect(cold.text).not.toContain(SECRET)
    expect(lines.some(({ code }) => code === 'LSM_ERR_PROVIDER_FAILED')).toBe(true)
    table.entriesOf = good
    await clock.advance(2 * MINUTE)
    expect(await paths('/sitemap-goods-b-1.xml')).toEqual(['/b/a', '/b/b'])
  })

  it('a crawl of all parts at once reads each once, and 503 tells those to wait who cannot be served in time', async () => {
    const table = createTable(Array.from({ length: 300 }, (_, i) => ({ id: `p${i}` })))
    const { ask } = start(table)
    const answers = await Promise.all(
      Array.from({ length: 900 }, (_, i) => ask(`/sitemap-goods-p${i % 300}-1.xml`)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(table.reads.toSorted()).toEqual(table.list.map(({ id }) => id).toSorted())
  })
})

describe('what a refresh of a partitioned section reads', () => {
  const ids = (table: { reads: string[] }): string[] => table.reads.splice(0)

  it('versions: only those that changed, when they are asked for', async () => {
    const listOf = (versions: Record<string, number>): Partition[] =>
      Object.entries(versions).map(([id, version]) => ({ id, version }))
    const table = createTable(listOf({ a: 1, b: 1, c: 1 }))
    const { ask, handle, clock } = start(table)
    for (const id of ['a', 'b', 'c']) await ask(`/sitemap-goods-${id}-1.xml`)
    const before = await ask('/sitemap-goods-a-1.xml')
    ids(table)
    table.list = listOf({ a: 1, b: 2, c: 1 })
    await clock.advance(10 * MINUTE)
    await handle.invalidate('goods')
    expect(ids(table)).toEqual([])
    for (const id of ['a', 'b', 'c']) await ask(`/sitemap-goods-${id}-1.xml`)
    expect(ids(table)).toEqual(['b'])
    expect((await ask('/sitemap-goods-a-1.xml')).headers.etag).toBe(before.headers.etag)
    // A day later nothing is read either: the version says so.
    await clock.advance(48 * 60 * MINUTE)
    await ask('/sitemap-goods-a-1.xml')
    expect(ids(table)).toEqual([])
  })

  it('changedSince: those it names, and all of them every fullEvery', async () => {
    const table = createTable(['a', 'b', 'c', 'd'].map((id) => ({ id })))
    const since: Date[] = []
    let changed: string[] = []
    const { ask, handle, clock } = start(table, {
      ttl: '1h',
      fullEvery: '1d',
      changedSince: (ctx) => {
        since.push(ctx.since)
        return changed
      },
    })
    const all = async () => {
      for (const { id } of table.list) await ask(`/sitemap-goods-${id}-1.xml`)
      return ids(table)
    }
    expect(await all()).toEqual(['a', 'b', 'c', 'd'])
    const readAt = clock.now()
    changed = ['b', 'd']
    await clock.advance(30 * MINUTE)
    await handle.invalidate('goods')
    // A minute before that reading: a row may have been committed late, and clocks differ.
    expect(since).toEqual([new Date(readAt - MINUTE)])
    expect(await all()).toEqual(['b', 'd'])
    changed = []
    await clock.advance(24 * 60 * MINUTE)
    await handle.invalidate('goods')
    expect(await all()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('with neither: a partition older than ttl, when it is asked for, not sooner than twenty times what its last read took', async () => {
    const table = createTable([{ id: 'a' }, { id: 'b' }])
    const clock = createManualClock()
    let takesMs = 0
    const slow = {
      ...table.provider,
      ttl: '1m',
      entries: async (ctx: never) => {
        if (takesMs > 0) await new Promise<void>((resolve) => clock.after(takesMs, resolve))
        return table.provider.entries(ctx)
      },
    } as unknown as PartitionedProvider
    const site = createTestEngine({ retries: 0, providers: { goods: slow } }, clock)
    takesMs = 20_000
    const cold = site.ask('/sitemap-goods-a-1.xml')
    for (let i = 0; i < 30; i++) await clock.advance(1_000)
    expect([200, 503]).toContain((await cold).status)
    await turns()
    await site.ask('/sitemap-goods-a-1.xml')
    expect(ids(table)).toEqual(['a'])
    await clock.advance(5 * MINUTE)
    await site.ask('/sitemap-goods-a-1.xml')
    await clock.advance(MINUTE)
    expect(ids(table)).toEqual([])
    await clock.advance(10 * MINUTE)
    await Promise.all([site.ask('/sitemap-goods-a-1.xml'), clock.advance(2_000)])
    await clock.advance(MINUTE)
    expect(ids(table)).toEqual(['a'])
  })

  it('invalidate with a partition reads that one at once; an unknown one is refused by name', async () => {
    const table = createTable([
      { id: 'a', version: 1 },
      { id: 'b', version: 1 },
    ])
    const { ask, handle } = start(table)
    await ask('/sitemap-goods-a-1.xml')
    ids(table)
    await handle.invalidate('goods', { partition: 'a' })
    expect(ids(table)).toEqual(['a'])
    expect(await codeOf(handle.invalidate('goods', { partition: 'zzz' }))).toBe('LSM_ERR_SECTION_UNKNOWN')
  })

  it('a list that lost more than maxShrink is held; force accepts it', async () => {
    const table = createTable(Array.from({ length: 100 }, (_, i) => ({ id: `${i}` })))
    const { paths, handle } = start(table)
    await paths('/sitemap_index.xml')
    table.list = table.list.slice(0, 10)
    expect(await codeOf(handle.invalidate('goods'))).toBe('LSM_ERR_WALK_HELD')
    expect((await paths('/sitemap_index.xml')).length).toBe(100)
    await handle.refresh('goods', { force: true })
    expect((await paths('/sitemap_index.xml')).length).toBe(10)
  })

  it.each([
    { name: 'an id twice', list: [{ id: 'a' }, { id: 'a' }], message: 'listed twice' },
    { name: 'an id with a slash', list: [{ id: 'a/b' }], message: 'a letter or a digit' },
    { name: 'no object', list: ['a'], message: 'expected { id' },
    { name: 'a negative count', list: [{ id: 'a', count: -1 }], message: 'a whole number from 0' },
    { name: 'a bigint', list: [{ id: 'a', from: 1n }], message: 'written as text' },
  ])('a list with $name is no list: the last good one stays', async ({ list, message }) => {
    const table = createTable([{ id: 'good' }])
    const { paths, handle, lines } = start(table)
    await paths('/sitemap_index.xml')
    table.list = list as unknown as Partition[]
    expect(await codeOf(handle.invalidate('goods'))).toBe('LSM_ERR_PROVIDER_INVALID')
    expect(lines.map((line) => line.message).join()).toContain(message)
    expect(await paths('/sitemap_index.xml')).toEqual(['/sitemap-goods-good-1.xml'])
  })
})

describe('other documents of a partitioned section', () => {
  it('feeds take it through `latest` alone', async () => {
    const table = createTable([{ id: 'a' }])
    const without = start(table)
    expect((await without.ask('/feed-goods.rss')).status).toBe(404)
    const { ask } = start(table, { latest: () => [{ loc: '/new', title: 'New', published: '2026-01-01' }] })
    const { text } = await ask('/feed.rss', IDENTITY)
    expect(text).toContain('<link>https://www.example.com/new</link>')
    expect(table.reads).toEqual([])
  })

  it('HTML has the paged list of its partitions', async () => {
    const table = createTable([{ id: 'a', title: 'Part A' }, { id: 'b' }, { id: 'c' }])
    const { ask } = start(table, { formats: ['xml', 'html'] }, { html: { pageSize: 2 } })
    const start1 = await ask('/sitemap.html', IDENTITY)
    expect(start1.text).toContain('href="/sitemap-goods-1.html"')
    const page = await ask('/sitemap-goods-1.html', IDENTITY)
    expect(page.text).toContain('Part A')
    expect(page.text).toContain('/sitemap-goods-b-1.xml')
    expect((await ask('/sitemap-goods-2.html', IDENTITY)).text).toContain('/sitemap-goods-c-1.xml')
    expect(table.reads).toEqual([])
  })

  it("warmUp: 'all' reads every partition, in the background", async () => {
    const table = createTable([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    const { engine } = start(table, {}, { warmUp: 'all' })
    engine.listening()
    await until(() => table.reads.length === 3, 'all partitions to be read')
    expect(table.reads).toEqual(['a', 'b', 'c'])
  })
})

describe('many partitions in little memory', () => {
  it('leave memory one by one, and come back from their files: same bytes, same validators, no read', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'live-sitemap-partitions-'))
    folders.push(dir)
    const count = 60
    const table = createTable(
      Array.from({ length: count }, (_, i) => ({ id: `p${i}`, version: 1 })),
      (id) => Array.from({ length: 3_000 }, (_, i) => `/${id}/${'x'.repeat(30)}${i}`),
    )
    const { ask, handle, clock } = start(table, {}, { cache: { memory: '1mb', dir } })
    const first = new Map<
      string,
      { etag: string | undefined; lastModified: string | undefined; text: string }
    >()
    const askOne = async (i: number) => {
      const { status, headers, text } = await ask(`/sitemap-goods-p${i}-1.xml`, { 'accept-encoding': 'gzip' })
      expect(status).toBe(200)
      return { etag: headers.etag, lastModified: headers['last-modified'], text }
    }
    for (let i = 0; i < count; i++) first.set(`${i}`, await askOne(i))
    const { used, limit } = handle.report().memory
    expect(used).toBeLessThanOrEqual(limit * 1.2)
    await clock.advance(5_000)
    for (let i = 0; i < count; i++) expect(await askOne(i)).toEqual(first.get(`${i}`))
    expect(table.reads).toHaveLength(count)
    await handle.close()
    expect(await readdir(dir)).toEqual([])
  })
})
