import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DOMParser } from '@xmldom/xmldom'
import { afterEach, describe, expect, it } from 'vitest'
import type { Entry, Size } from '../../src/index.ts'
import { runChild } from '../support/child.ts'
import { createManualClock, turns, until } from '../support/manual-clock.ts'
import {
  type Answer,
  closeEngines,
  codeOf,
  createSource,
  createTestEngine,
  entriesOf,
  locsOf,
  pathsOf,
  SITE,
  type TestEngine,
  type TestOptions,
  throws,
} from '../support/site.ts'

const folders: string[] = []

afterEach(async () => {
  await closeEngines()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const IDENTITY = { 'accept-encoding': 'identity' }

const lastModified = (answer: Answer): string => answer.headers['last-modified'] ?? ''
const etag = (answer: Answer): string => answer.headers.etag ?? ''

/** Links of the feed's items in order, the site's and the sitemap's own items left out. */
function feedPaths(xml: string): string[] {
  const document = new DOMParser().parseFromString(xml, 'application/xml')
  return [...document.getElementsByTagName('item')]
    .filter((item) => !/Main|SiteMap/.test(item.getElementsByTagName('ror:type')[0]?.textContent ?? ''))
    .map((item) => item.getElementsByTagName('link')[0]?.textContent?.replace(SITE.url, '') ?? '')
}

/** The entries' links of an HTML page. */
function htmlPaths(html: string): string[] {
  const [, map = ''] = /<nav class="contents"[^>]*>([\s\S]*?)<\/nav>/.exec(html) ?? []
  return [...map.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href.replace(SITE.url, ''))
}

async function askAll(site: TestEngine, paths: readonly string[]): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const path of paths) answers.set(path, await site.ask(path, IDENTITY))
  return answers
}

/** Which of the paths have another ETag now; bytes and ETag move together. */
async function changedPaths(site: TestEngine, before: ReadonlyMap<string, Answer>): Promise<string[]> {
  const changed: string[] = []
  for (const [path, earlier] of before) {
    const now = await site.ask(path, IDENTITY)
    expect(now.status).toBe(200)
    expect(now.body.equals(earlier.body)).toBe(etag(now) === etag(earlier))
    if (etag(now) !== etag(earlier)) changed.push(path)
  }
  return changed
}

describe('Last-Modified', () => {
  it('is when the bytes at this path last changed: kept over refreshes that change nothing there', async () => {
    const pages = createSource(entriesOf('pages', 2))
    const posts = createSource(entriesOf('posts', 2))
    const site = createTestEngine({ providers: { pages: pages.entries, posts: posts.entries } })
    const paths = [
      '/sitemap.xml',
      '/sitemap-pages-1.xml',
      '/sitemap-posts-1.xml',
      '/sitemap.html',
      '/feed.rss',
    ]
    const first = await askAll(site, paths)
    expect(lastModified(first.get('/sitemap.xml') as Answer)).toBe('Thu, 15 Jan 2026 12:00:00 GMT')
    await site.clock.advance(HOUR)
    await site.handle.refresh()
    expect(await askAll(site, paths)).toEqual(first)
    await site.clock.advance(HOUR)
    posts.set(entriesOf('posts', 3))
    await site.handle.refresh()
    const third = await askAll(site, paths)
    for (const [path, answer] of third) {
      expect(lastModified(answer)).toBe(
        path === '/sitemap-pages-1.xml' ? 'Thu, 15 Jan 2026 12:00:00 GMT' : 'Thu, 15 Jan 2026 14:00:00 GMT',
      )
    }
  })

  it('belongs to the path and never moves with content: what was part 2 yesterday is new as part 1', async () => {
    const entries = entriesOf('posts', 4)
    const source = createSource(entries)
    const { ask, clock, handle } = createTestEngine({ limit: 2, providers: { posts: source.entries } })
    const second = await ask('/sitemap-posts-2.xml')
    await clock.advance(HOUR)
    source.set(entries.slice(2))
    await handle.refresh()
    const first = await ask('/sitemap-posts-1.xml')
    expect(first.body).toEqual(second.body)
    expect(lastModified(first)).toBe('Thu, 15 Jan 2026 13:00:00 GMT')
    expect((await ask('/sitemap-posts-1.xml', { 'if-modified-since': lastModified(second) })).status).toBe(
      200,
    )
  })

  it('moves on when the former bytes come back', async () => {
    const source = createSource(entriesOf('posts', 1))
    const { ask, clock, handle } = createTestEngine({ providers: { posts: source.entries } })
    const first = await ask('/sitemap.xml')
    for (const count of [2, 1]) {
      await clock.advance(HOUR)
      source.set(entriesOf('posts', count))
      await handle.refresh()
    }
    const third = await ask('/sitemap.xml')
    expect(etag(third)).toBe(etag(first))
    expect(lastModified(third)).toBe('Thu, 15 Jan 2026 14:00:00 GMT')
  })

  it('never goes back, also where the machine clock does', async () => {
    const source = createSource(entriesOf('posts', 1))
    const { ask, clock, handle } = createTestEngine({ providers: { posts: source.entries } })
    await ask('/sitemap.xml')
    await clock.advance(-HOUR)
    source.set(entriesOf('posts', 2))
    await handle.refresh()
    expect(lastModified(await ask('/sitemap.xml'))).toBe('Thu, 15 Jan 2026 12:00:00 GMT')
  })

  it('of two versions within one second proves nothing: If-Modified-Since gives no wrong 304 (SPEC N9)', async () => {
    const source = createSource(entriesOf('posts', 1))
    const { ask, clock, handle } = createTestEngine({ providers: { posts: source.entries } })
    const first = await ask('/sitemap.xml')
    await clock.advance(300)
    source.set(entriesOf('posts', 2))
    await handle.refresh()
    const second = await ask('/sitemap.xml')
    expect(lastModified(second)).toBe(lastModified(first))
    expect(etag(second)).not.toBe(etag(first))
    expect((await ask('/sitemap.xml', { 'if-modified-since': lastModified(first) })).status).toBe(200)
    expect((await ask('/sitemap.xml', { 'if-none-match': etag(first) })).status).toBe(200)
    // A client that came a second later, and says so, has the second version.
    const later = new Date(Date.parse(lastModified(first)) + 1_000).toUTCString()
    expect((await ask('/sitemap.xml', { 'if-modified-since': later })).status).toBe(304)
    // One that sends the tag is told so at once.
    expect((await ask('/sitemap.xml', { 'if-none-match': etag(second) })).status).toBe(304)
  })

  it('of a part that went and came back within one second gives no wrong 304 either', async () => {
    const source = createSource(entriesOf('posts', 3))
    const { ask, clock, handle } = createTestEngine({ limit: 2, providers: { posts: source.entries } })
    const first = await ask('/sitemap-posts-2.xml')
    await clock.advance(100)
    source.set(entriesOf('posts', 2))
    await handle.refresh()
    expect((await ask('/sitemap-posts-2.xml')).status).toBe(404)
    await clock.advance(100)
    source.set(entriesOf('posts', 4))
    await handle.refresh()
    const again = await ask('/sitemap-posts-2.xml', { 'if-modified-since': lastModified(first) })
    expect(again.status).toBe(200)
  })
})

describe('what a change touches', () => {
  const PAGES = entriesOf('pages', 2)
  const POST = {
    loc: '/post',
    title: 'Post',
    description: 'Words',
    lastmod: '2026-01-01',
    published: '2026-01-01',
    images: ['/a.jpg'],
    content: '<p>text</p>',
    keywords: ['a'],
  }
  const PATHS = [
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/feed.rss',
    '/sitemap.html',
    '/sitemap.txt',
    '/sitemap-posts-1.xml',
    '/sitemap-posts-1.txt',
    '/sitemap-posts-1.html',
    '/sitemap-pages-1.xml',
    '/sitemap-pages-1.txt',
    '/sitemap-pages-1.html',
    '/sitemap-html.css',
  ]
  const URLSETS = ['/sitemap.xml', '/sitemap-posts-1.xml']
  const HTML = ['/sitemap.html', '/sitemap-posts-1.html']

  it.each([
    { what: 'title', change: { title: 'Other' }, touches: ['/feed.rss', ...HTML] },
    { what: 'content', change: { content: '<p>more</p>' }, touches: ['/feed.rss'] },
    { what: 'keywords', change: { keywords: ['b'] }, touches: ['/feed.rss'] },
    { what: 'published', change: { published: '2026-01-02' }, touches: ['/feed.rss'] },
    { what: 'images', change: { images: ['/b.jpg'] }, touches: [...URLSETS, '/feed.rss'] },
    { what: 'priority', change: { priority: 0.3 }, touches: URLSETS },
    {
      what: 'lastmod',
      change: { lastmod: '2026-01-03' },
      touches: [...URLSETS, ...HTML, '/sitemap_index.xml', '/feed.rss'],
    },
    { what: 'sortOrder', change: { sortOrder: 7 }, touches: ['/feed.rss'] },
    { what: 'nothing', change: {}, touches: [] },
    {
      what: 'loc',
      change: { loc: '/post-2' },
      touches: [...URLSETS, ...HTML, '/feed.rss', '/sitemap.txt', '/sitemap-posts-1.txt'],
    },
  ])('$what', async ({ change, touches }) => {
    const source = createSource([POST])
    const site = createTestEngine({ providers: { pages: PAGES, posts: source.entries } })
    const before = await askAll(site, PATHS)
    await site.clock.advance(MINUTE)
    source.set([{ ...POST, ...change }])
    await site.handle.refresh('posts')
    expect((await changedPaths(site, before)).toSorted()).toEqual(touches.toSorted())
  })

  it.each([
    { what: 'the title of the site', change: { site: { ...SITE, title: 'New' } }, xml: false },
    { what: 'the size of HTML pages', change: { html: { pageSize: 500 } }, xml: false },
    {
      what: 'the title of a section',
      change: { providers: { posts: { entries: [POST], title: 'X' } } },
      xml: false,
    },
    { what: 'cacheControl', change: { cacheControl: 'public, max-age=1' }, xml: false },
  ])('$what is none of a urlset', async ({ change, xml }) => {
    const options: TestOptions = { providers: { posts: [POST] } }
    const before = await createTestEngine(options).ask('/sitemap.xml')
    const after = await createTestEngine({ ...options, ...(change as Partial<TestOptions>) }).ask(
      '/sitemap.xml',
    )
    expect(etag(after) !== etag(before)).toBe(xml)
  })
})

describe('an entry dated in the future', () => {
  // The clock of the tests stands at 12:00:00.500.
  const DUE = { loc: '/due', title: 'Due', published: '2026-01-15T11:00:00Z' }
  const COMING = { loc: '/coming', title: 'Coming', published: '2026-01-15T13:00:00Z' }
  const LATER = { loc: '/later', title: 'Later', lastmod: '2026-01-15T14:00:00Z' }

  it('enters the feed at its instant, without a walk, also while the provider is down', async () => {
    const source = createSource([COMING, DUE, LATER])
    const { ask, clock } = createTestEngine({ cache: { ttl: '7d' }, providers: { posts: source.entries } })
    const before = await ask('/feed.rss')
    source.set(throws)
    expect(feedPaths(before.text)).toEqual(['/due'])
    expect(before.headers['cache-control']).toContain('max-age=300')
    // Everywhere else it stands from the start.
    expect(pathsOf((await ask('/sitemap.xml')).text)).toContain('/coming')
    expect(before.text).toContain('<lastBuildDate>Thu, 15 Jan 2026 11:00:00 GMT</lastBuildDate>')

    await clock.advance(HOUR - 500 - 100_000)
    expect((await ask('/feed.rss')).headers['cache-control']).toContain('max-age=100')
    await clock.advance(99_999)
    const last = await ask('/feed.rss')
    expect(last.headers['cache-control']).toContain('max-age=0')
    expect(etag(last)).toBe(etag(before))
    expect(lastModified(last)).toBe(lastModified(before))
    await clock.advance(1)
    const after = await ask('/feed.rss', { 'if-none-match': etag(before) })
    expect(after.status).toBe(200)
    expect(feedPaths(after.text)).toEqual(['/coming', '/due'])
    expect(lastModified(after)).toBe('Thu, 15 Jan 2026 13:00:00 GMT')
    expect(after.text).toContain('<lastBuildDate>Thu, 15 Jan 2026 13:00:00 GMT</lastBuildDate>')
    await clock.advance(HOUR)
    const end = await ask('/feed.rss')
    expect(feedPaths(end.text)).toEqual(['/later', '/coming', '/due'])
    expect(end.headers['cache-control']).toContain('max-age=300')
    expect(source.calls).toBe(1)
  })

  it('bounds max-age of a stale answer too', async () => {
    const source = createSource([DUE, COMING])
    const { ask, clock } = createTestEngine({
      cache: { ttl: '10s', staleWhileRevalidate: '7d' },
      providers: { posts: source.entries },
    })
    await ask('/feed.rss')
    source.set(throws)
    await clock.advance(HOUR - 500 - 100_000)
    expect((await ask('/feed.rss')).headers['cache-control']).toContain('max-age=60,')
    await clock.advance(70_000)
    expect((await ask('/feed.rss')).headers['cache-control']).toContain('max-age=30,')
  })

  it('is entered by a timer while the server listens', async () => {
    const source = createSource([DUE, COMING])
    const site = createTestEngine({
      warmUp: true,
      cache: { ttl: '7d' },
      providers: { posts: source.entries },
    })
    site.engine.listening()
    await until(() => site.handle.report().ready)
    const before = await site.ask('/feed.rss')
    await site.clock.advance(2 * HOUR)
    const after = await site.ask('/feed.rss')
    expect(etag(after)).not.toBe(etag(before))
    // When it entered, not when somebody looked.
    expect(lastModified(after)).toBe('Thu, 15 Jan 2026 13:00:00 GMT')
    expect(source.calls).toBe(1)
  })

  it('pushes the oldest out where the feed is full, and the next N to come are kept', async () => {
    const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}`
    const entries = Array.from({ length: 30 }, (_, i) => ({
      loc: `/${i + 1}`,
      title: `${i + 1}`,
      published: day(i + 1),
    }))
    const source = createSource(entries)
    const { ask, clock } = createTestEngine({
      feed: { limit: 3 },
      cache: { ttl: '90d' },
      providers: { posts: source.entries },
    })
    expect(feedPaths((await ask('/feed.rss')).text)).toEqual(['/15', '/14', '/13'])
    for (const expected of [
      ['/16', '/15', '/14'],
      ['/17', '/16', '/15'],
      ['/18', '/17', '/16'],
    ]) {
      await clock.advance(24 * HOUR)
      expect(feedPaths((await ask('/feed.rss')).text)).toEqual(expected)
    }
    expect(source.calls).toBe(1)
  })
})

describe('the feed', () => {
  it('has titled entries, newest first, undated last in the order of the provider, at most feed.limit', async () => {
    const { ask } = createTestEngine({
      feed: { limit: 5 },
      providers: {
        a: [
          { loc: '/undated-1', title: 'x' },
          { loc: '/untitled', published: '2026-01-14' },
          { loc: '/old', title: 'x', published: '2025-01-01' },
          '/text',
          { loc: '/by-lastmod', title: 'x', lastmod: '2026-01-03' },
          { loc: '/both', title: 'x', published: '2026-01-02', lastmod: '2026-01-14' },
        ],
        b: [
          { loc: '/undated-2', title: 'x' },
          { loc: '/new', title: 'x', published: '2026-01-10' },
          { loc: '/undated-3', title: 'x' },
        ],
      },
    })
    expect(feedPaths((await ask('/feed.rss')).text)).toEqual([
      '/new',
      '/by-lastmod',
      '/both',
      '/old',
      '/undated-1',
    ])
  })

  it('takes only the sections named', async () => {
    const { ask } = createTestEngine({
      feed: { sections: ['b'] },
      providers: { a: entriesOf('a', 2), b: entriesOf('b', 2) },
    })
    expect(feedPaths((await ask('/feed.rss')).text)).toEqual(['/b-1', '/b-2'])
  })
})

describe('/sitemap.xml', () => {
  const sections = { pages: entriesOf('pages', 2), posts: entriesOf('posts', 3) }

  it('is the merged urlset while all parts together fit limit, sections in the order of providers', async () => {
    const { ask } = createTestEngine({ limit: 5, providers: sections })
    expect(pathsOf((await ask('/sitemap.xml')).text)).toEqual([
      '/pages-1',
      '/pages-2',
      '/posts-1',
      '/posts-2',
      '/posts-3',
    ])
    const index = await ask('/sitemap_index.xml')
    expect(pathsOf(index.text)).toEqual(['/sitemap-pages-1.xml', '/sitemap-posts-1.xml'])
  })

  it('is the index from one entry more on, with the same bytes and validators', async () => {
    const { ask } = createTestEngine({ limit: 4, providers: sections })
    const answer = await ask('/sitemap.xml')
    expect(answer.text).toContain('<sitemapindex')
    const index = await ask('/sitemap_index.xml')
    expect(index.body).toEqual(answer.body)
    expect(etag(index)).toBe(etag(answer))
  })

  it('switches exactly at maxBytes', async () => {
    const many = { pages: entriesOf('pages', 20), posts: entriesOf('posts', 20) }
    const { body } = await createTestEngine({ providers: many }).ask('/sitemap.xml', IDENTITY)
    const fits = createTestEngine({ maxBytes: body.length, providers: many })
    expect((await fits.ask('/sitemap.xml', IDENTITY)).body).toEqual(body)
    const larger = createTestEngine({ maxBytes: body.length - 1, providers: many })
    expect((await larger.ask('/sitemap.xml')).text).toContain('<sitemapindex')
  })

  it('goes from urlset to index and back as the site grows and shrinks', async () => {
    const source = createSource(entriesOf('posts', 5))
    const { ask, clock, handle } = createTestEngine({ limit: 5, providers: { posts: source.entries } })
    const kinds: string[] = []
    for (const count of [5, 6, 5]) {
      source.set(entriesOf('posts', count))
      await handle.refresh()
      kinds.push(/<(urlset|sitemapindex)/.exec((await ask('/sitemap.xml')).text)?.[1] ?? '')
      await clock.advance(HOUR)
    }
    expect(kinds).toEqual(['urlset', 'sitemapindex', 'urlset'])
  })
})

describe('parts', () => {
  it.each([
    { count: 1, limit: 2, sizes: [1] },
    { count: 2, limit: 2, sizes: [2] },
    { count: 3, limit: 2, sizes: [2, 1] },
    { count: 7, limit: 3, sizes: [3, 3, 1] },
    { count: 2_500, limit: 1_200, sizes: [1_200, 1_200, 100] },
  ])('$count entries at limit $limit: $sizes; the next part is 404', async ({ count, limit, sizes }) => {
    const source = createSource(entriesOf('posts', count))
    const { ask } = createTestEngine({ limit, providers: { posts: source.entries } })
    const found: string[] = []
    for (const [i, size] of sizes.entries()) {
      const xml = pathsOf((await ask(`/sitemap-posts-${i + 1}.xml`)).text)
      expect(xml).toHaveLength(size)
      expect(pathsOf((await ask(`/sitemap-posts-${i + 1}.txt`)).text)).toEqual(xml)
      found.push(...xml)
    }
    expect(found).toEqual(entriesOf('posts', count).map(({ loc }) => loc))
    for (const ending of ['xml', 'txt']) {
      expect((await ask(`/sitemap-posts-${sizes.length + 1}.${ending}`)).status).toBe(404)
    }
    expect(pathsOf((await ask('/sitemap_index.xml')).text)).toHaveLength(sizes.length)
    expect(source.calls).toBe(1)
  })

  it('are never larger than maxBytes, counted in UTF-8 with head and tail, and lose nothing', async () => {
    const entries = Array.from({ length: 60 }, (_, i) => ({
      loc: `/é-${i}`,
      images: [{ loc: `/${i}.jpg`, title: 'Ж'.repeat(i) }],
    }))
    const { ask } = createTestEngine({ maxBytes: 1_500, providers: { posts: entries } })
    const parts = pathsOf((await ask('/sitemap_index.xml')).text)
    expect(parts.length).toBeGreaterThan(5)
    let count = 0
    for (const part of parts) {
      const { body, text } = await ask(part, IDENTITY)
      expect(body.length).toBeLessThanOrEqual(1_500)
      count += (text.match(/<url>/g) ?? []).length
    }
    expect(count).toBe(60)
  })

  it('disappear with their entries', async () => {
    const source = createSource(entriesOf('posts', 5))
    const { ask, handle } = createTestEngine({ limit: 2, providers: { posts: source.entries } })
    expect((await ask('/sitemap-posts-3.xml')).status).toBe(200)
    source.set(entriesOf('posts', 3))
    await handle.refresh()
    expect((await ask('/sitemap-posts-3.xml')).status).toBe(404)
    expect(pathsOf((await ask('/sitemap_index.xml')).text)).toHaveLength(2)
  })
})

describe('the same URL in two sections', () => {
  const providers = {
    first: [
      { loc: '/a', title: 'A', lastmod: '2026-01-01' },
      { loc: '/both', title: 'of first', lastmod: '2026-01-02' },
    ],
    second: [
      { loc: '/both', title: 'of second', lastmod: '2026-01-09' },
      { loc: '/b', title: 'B', lastmod: '2026-01-03' },
      // The same URL in another spelling.
      { loc: 'https://WWW.example.com:443/x/../a', title: 'A again', lastmod: '2026-01-10' },
    ],
  }

  it.each(['identity', 'gzip', 'br'])(
    'the first in the order of providers wins in one body: %s',
    async (coding) => {
      const { ask } = createTestEngine({ providers })
      const xml = (await ask('/sitemap.xml', { 'accept-encoding': coding })).text
      expect(pathsOf(xml)).toEqual(['/a', '/both', '/b'])
      expect(xml).toContain('2026-01-02')
      expect(xml).not.toContain('2026-01-09')
      expect(pathsOf((await ask('/sitemap.txt', { 'accept-encoding': coding })).text)).toEqual([
        '/a',
        '/both',
        '/b',
      ])
      const feed = (await ask('/feed.rss', { 'accept-encoding': coding })).text
      expect(feedPaths(feed)).toEqual(['/b', '/both', '/a'])
      expect(feed).not.toContain('of second')
    },
  )

  it('is left in the split sections', async () => {
    const { ask } = createTestEngine({ providers })
    expect(pathsOf((await ask('/sitemap-first-1.xml')).text)).toEqual(['/a', '/both'])
    expect(pathsOf((await ask('/sitemap-second-1.xml')).text)).toEqual(['/both', '/b', '/a'])
  })

  it('the order of providers decides, not the alphabet', async () => {
    const { ask } = createTestEngine({ providers: { second: providers.second, first: providers.first } })
    expect((await ask('/sitemap.xml')).text).toContain('2026-01-09')
  })

  it('within one section is written once, the first, and counted', async () => {
    const { ask, handle } = createTestEngine({
      providers: { posts: [{ loc: '/a', title: 'one' }, '/b', { loc: '/a', title: 'two' }] },
    })
    expect(pathsOf((await ask('/sitemap.xml')).text)).toEqual(['/a', '/b'])
    expect(handle.report().sections.posts?.skipped).toMatchObject({
      total: 1,
      reasons: { 'duplicate loc': 1 },
    })
    expect((await ask('/sitemap.html')).text).not.toContain('two')
  })

  it('over parts and blocks: nothing is lost, nothing is there twice', async () => {
    const a = entriesOf('x', 1_500)
    const b = entriesOf('x', 2_200).slice(700)
    const { ask } = createTestEngine({ providers: { a, b } })
    for (const coding of ['identity', 'gzip']) {
      const paths = pathsOf((await ask('/sitemap.xml', { 'accept-encoding': coding })).text)
      expect(paths).toEqual(entriesOf('x', 2_200).map(({ loc }) => loc))
    }
  })
})

describe('a section without entries', () => {
  it('onEmpty urlset: part 1 and the index of an empty site are 200 and empty', async () => {
    const { ask } = createTestEngine({ providers: { posts: [] } })
    const part = await ask('/sitemap-posts-1.xml')
    expect(part.status).toBe(200)
    expect(part.text).toMatch(/<urlset[^>]*>\s*<\/urlset>/)
    const index = await ask('/sitemap_index.xml')
    expect(index.status).toBe(200)
    expect(index.text).toMatch(/<sitemapindex[^>]*>\s*<\/sitemapindex>/)
    expect((await ask('/sitemap.xml')).text).toMatch(/<urlset[^>]*>\s*<\/urlset>/)
    expect((await ask('/sitemap-posts-2.xml')).status).toBe(404)
    expect((await ask('/sitemap.html')).status).toBe(200)
    expect((await ask('/feed.rss')).status).toBe(200)
  })

  it('onEmpty 404: they are 404, and come to life with the first entry', async () => {
    const source = createSource([])
    const { ask, handle } = createTestEngine({ onEmpty: 404, providers: { posts: source.entries } })
    for (const path of ['/sitemap-posts-1.xml', '/sitemap_index.xml', '/sitemap.xml']) {
      const answer = await ask(path)
      expect(answer.status).toBe(404)
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    source.set(entriesOf('posts', 1))
    await handle.refresh()
    for (const path of ['/sitemap-posts-1.xml', '/sitemap_index.xml', '/sitemap.xml']) {
      expect((await ask(path)).status).toBe(200)
    }
  })

  it.each(['urlset', 404] as const)('onEmpty %s: the index never names an empty part', async (onEmpty) => {
    const { ask } = createTestEngine({ onEmpty, providers: { empty: [], posts: entriesOf('posts', 1) } })
    expect(pathsOf((await ask('/sitemap_index.xml')).text)).toEqual(['/sitemap-posts-1.xml'])
  })

  it.each(['identity', 'gzip', 'br'])('a text of no bytes is a valid body in %s', async (coding) => {
    const { ask } = createTestEngine({ providers: { posts: [] } })
    const answer = await ask('/sitemap.txt', { 'accept-encoding': coding })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    expect(etag(answer)).toMatch(/^"/)
  })
})

describe('lastmod in the index', () => {
  it('is the newest of the entries of the part, and absent where none has one', async () => {
    const { ask } = createTestEngine({
      limit: 2,
      providers: {
        posts: [
          { loc: '/1', lastmod: '2026-01-01' },
          { loc: '/2', lastmod: '2025-12-31T23:59:59Z' },
          { loc: '/3', lastmod: '2024-02-29' },
          { loc: '/4' },
          { loc: '/5' },
        ],
      },
    })
    const xml = (await ask('/sitemap_index.xml')).text
    const found = [...xml.matchAll(/<loc>[^<]*-(\d)\.xml<\/loc>(?:\s*<lastmod>([^<]*)<\/lastmod>)?/g)]
    expect(found.map(([, part, lastmod]) => [part, lastmod])).toEqual([
      ['1', '2026-01-01'],
      ['2', '2024-02-29'],
      ['3', undefined],
    ])
  })

  it('is never the clock and never changedAt', async () => {
    const source = createSource(['/a'])
    const { ask, clock, handle } = createTestEngine({ providers: { posts: source.entries } })
    const before = await ask('/sitemap_index.xml')
    await clock.advance(HOUR)
    source.set(['/b'])
    await handle.refresh()
    expect((await ask('/sitemap_index.xml')).body).toEqual(before.body)
  })
})

describe('/sitemap.txt', () => {
  it('is everything while it fits one part', async () => {
    const { ask } = createTestEngine({ limit: 5, providers: { a: entriesOf('a', 2), b: entriesOf('b', 3) } })
    expect(pathsOf((await ask('/sitemap.txt')).text)).toEqual(['/a-1', '/a-2', '/b-1', '/b-2', '/b-3'])
  })

  it('is the first part of the first section otherwise; the other parts have names of their own', async () => {
    const { ask } = createTestEngine({ limit: 2, providers: { a: entriesOf('a', 3), b: entriesOf('b', 2) } })
    const first = await ask('/sitemap.txt')
    expect(pathsOf(first.text)).toEqual(['/a-1', '/a-2'])
    expect((await ask('/sitemap-a-1.txt')).body).toEqual(first.body)
    expect(pathsOf((await ask('/sitemap-a-2.txt')).text)).toEqual(['/a-3'])
    expect(pathsOf((await ask('/sitemap-b-1.txt')).text)).toEqual(['/b-1', '/b-2'])
  })
})

describe('the HTML sitemap', () => {
  const providers = { pages: entriesOf('pages', 3), posts: entriesOf('posts', 5) }

  it('is the whole site while it fits one page', async () => {
    const { ask } = createTestEngine({ html: { pageSize: 8 }, providers })
    expect(htmlPaths((await ask('/sitemap.html')).text)).toEqual(
      [...providers.pages, ...providers.posts].map(({ loc }) => loc),
    )
  })

  it('is the list of sections otherwise, each on pages of its own, counted apart from the parts', async () => {
    const { ask } = createTestEngine({ limit: 4, html: { pageSize: 2 }, providers })
    const start = await ask('/sitemap.html')
    const links = htmlPaths(start.text)
    expect(links).toContain('/sitemap-pages-1.html')
    expect(links).toContain('/sitemap-posts-1.html')
    expect(start.text).not.toContain('/posts-1"')
    const found: string[] = []
    for (let page = 1; page <= 3; page++) {
      const answer = await ask(`/sitemap-posts-${page}.html`)
      expect(answer.status).toBe(200)
      found.push(...htmlPaths(answer.text).filter((path) => path.startsWith('/posts-')))
    }
    expect(found).toEqual(providers.posts.map(({ loc }) => loc))
    expect((await ask('/sitemap-posts-4.html')).status).toBe(404)
    expect((await ask('/sitemap-posts-2.xml')).status).toBe(200)
    const second = (await ask('/sitemap-posts-2.html')).text
    for (const path of ['/sitemap-posts-1.html', '/sitemap-posts-3.html', '/sitemap.html']) {
      expect(second).toContain(`href="${path}"`)
    }
  })

  it('has pages that cross blocks and parts', async () => {
    const entries = entriesOf('posts', 3_300)
    const { ask } = createTestEngine({ limit: 1_500, html: { pageSize: 700 }, providers: { posts: entries } })
    const found: string[] = []
    for (let page = 1; page <= 5; page++)
      found.push(
        ...htmlPaths((await ask(`/sitemap-posts-${page}.html`)).text).filter((path) =>
          path.startsWith('/posts-'),
        ),
      )
    expect(found).toEqual(entries.map(({ loc }) => loc))
    expect((await ask('/sitemap-posts-6.html')).status).toBe(404)
  })

  // Documents are cached by what they are made of: equal entries once made one section's pages out of another's.
  it.each([
    '/sitemap-first-1.html',
    '/sitemap-first-2.html',
    '/feed-first.rss',
    '/feed-first.atom',
    '/feed-first.json',
  ])('%s of a section whose twin has the same title and entries names its own', async (path) => {
    const section = { title: 'The same', entries: () => entriesOf('posts', 3) }
    const { ask } = createTestEngine({
      html: { pageSize: 2 },
      routes: { atom: '/feed.atom', json: '/feed.json' },
      providers: { first: section, twin: section },
    })
    const first = await ask(path)
    expect(first.status).toBe(200)
    expect(first.text).toContain('first')
    const twin = await ask(path.replace('first', 'twin'))
    expect(twin.text).toBe(first.text.replaceAll('first', 'twin'))
    expect(twin.headers.etag).not.toBe(first.headers.etag)
  })

  it('has any number of pages', async () => {
    const entries = Array.from({ length: 150_000 }, (_, i) => `/posts-${i + 1}`)
    const { ask } = createTestEngine({ html: { pageSize: 1 }, providers: { posts: entries } })
    const last = await ask('/sitemap-posts-150000.html')
    expect(last.status).toBe(200)
    expect(htmlPaths(last.text)).toContain('/posts-150000')
  })

  it('takes a stylesheet of the user, or none, in place of ours', async () => {
    const own = createTestEngine({ html: { stylesheet: '/own.css' }, providers })
    expect((await own.ask('/sitemap.html')).text).toContain('href="/own.css"')
    expect((await own.ask('/sitemap-html.css')).status).toBe(404)
    const none = createTestEngine({ html: { stylesheet: false }, providers })
    expect((await none.ask('/sitemap.html')).text).not.toContain('rel="stylesheet"')
  })
})

describe('what is left out is left out everywhere', () => {
  const DOCUMENTS = ['/sitemap.xml', '/feed.rss', '/sitemap.html', '/sitemap.txt', '/sitemap-posts-1.xml']

  async function expectListed(
    options: Partial<TestOptions>,
    entries: readonly Entry[],
    kept: readonly string[],
  ) {
    const site = createTestEngine({ ...options, providers: { posts: entries } })
    for (const path of DOCUMENTS) {
      const { text } = await site.ask(path)
      const found =
        path === '/feed.rss' ? feedPaths(text) : path.endsWith('html') ? htmlPaths(text) : pathsOf(text)
      expect(found.map((loc) => loc.replace(/^#.*/, '')).filter(Boolean), path).toEqual(kept)
    }
    return site
  }

  const titled = (loc: string, fields: object = {}): Entry => ({ loc, title: loc, ...fields })

  it.each([
    { noindex: true },
    { robots: 'noindex' },
    { robots: 'NoIndex, follow' },
    { robots: 'none' },
    { robots: ['nofollow', 'NOINDEX'] },
  ])('%o', async (fields) => {
    await expectListed({}, [titled('/a'), titled('/hidden', fields), titled('/b')], ['/a', '/b'])
  })

  it('nofollow and noarchive leave XML alone', async () => {
    await expectListed({}, [titled('/a', { robots: 'nofollow, noarchive' })], ['/a'])
  })

  it('by exclude, as text with *, and as RegExp over path and query', async () => {
    const site = await expectListed(
      { exclude: ['/drafts/*', '/exact', /\?preview=/] },
      ['/a', '/drafts/1', '/exact', '/exact/not', '/b?preview=1', '/b?x=1'].map((loc) => titled(loc)),
      ['/a', '/exact/not', '/b?x=1'],
    )
    expect(site.handle.report().sections.posts?.skipped.total).toBe(3)
  })

  it('by transform, which gets section and site, and may change an entry', async () => {
    const seen: unknown[] = []
    await expectListed(
      {
        transform: (entry, { section, site }) => {
          seen.push([section, site.url])
          const { loc } = entry as { loc: string }
          if (loc === '/out') return null
          return loc === '/old' ? { loc: '/new', title: 'new' } : entry
        },
      },
      [titled('/a'), titled('/out'), titled('/old')],
      ['/a', '/new'],
    )
    expect(seen).toEqual(Array.from({ length: 3 }, () => ['posts', SITE.url]))
  })

  it('what transform throws for, and what has no valid loc, with onInvalid skip', async () => {
    await expectListed(
      {
        transform: (entry) => {
          if ((entry as { loc: string }).loc === '/bad') throw new Error('no')
          return entry
        },
      },
      [
        titled('/a'),
        titled('/bad'),
        titled('https://other.example/x'),
        titled('ftp://www.example.com/'),
        titled('/b'),
      ],
      ['/a', '/b'],
    )
  })

  it('onInvalid fail: the walk fails, and last good stays', async () => {
    const source = createSource([titled('/a')])
    const { ask, handle } = createTestEngine({ onInvalid: 'fail', providers: { posts: source.entries } })
    const good = await ask('/sitemap.xml')
    source.set([titled('/b'), titled('https://other.example/x')])
    expect(await codeOf(handle.refresh())).toBe('LSM_ERR_ENTRY_INVALID')
    expect((await ask('/sitemap.xml')).body).toEqual(good.body)
  })

  it.each([
    { trailingSlash: 'preserve', kept: ['/', '/a', '/b/', '/c?q=/', '/d.pdf'] },
    { trailingSlash: 'always', kept: ['/', '/a/', '/b/', '/c/?q=/', '/d.pdf'] },
    { trailingSlash: 'never', kept: ['/', '/a', '/b', '/c?q=/', '/d.pdf'] },
  ] as const)('trailingSlash $trailingSlash', async ({ trailingSlash, kept }) => {
    const entries = ['/', '/a', '/b/', '/c?q=/', '/d.pdf'].map((loc) => titled(loc))
    const site = createTestEngine({ trailingSlash, providers: { posts: entries } })
    for (const path of ['/sitemap.xml', '/sitemap.txt'])
      expect(pathsOf((await site.ask(path)).text)).toEqual(kept)
    expect(feedPaths((await site.ask('/feed.rss')).text)).toEqual(kept)
  })

  it('two spellings that trailingSlash makes one are one entry', async () => {
    const { ask } = createTestEngine({ trailingSlash: 'never', providers: { posts: ['/a', '/a/'] } })
    expect(pathsOf((await ask('/sitemap.xml')).text)).toEqual(['/a'])
  })
})

describe('formats of a section', () => {
  it('decide in which documents it stands', async () => {
    const { ask } = createTestEngine({
      providers: {
        all: entriesOf('all', 1),
        xml: { entries: entriesOf('xml', 1), formats: ['xml'] },
        txt: { entries: entriesOf('txt', 1), formats: ['txt'] },
        html: { entries: entriesOf('html', 1), formats: ['html'] },
        feed: { entries: entriesOf('feed', 1), formats: ['feed'] },
      },
    })
    expect(pathsOf((await ask('/sitemap.xml')).text)).toEqual(['/all-1', '/xml-1'])
    expect(pathsOf((await ask('/sitemap_index.xml')).text)).toEqual([
      '/sitemap-all-1.xml',
      '/sitemap-xml-1.xml',
    ])
    expect(pathsOf((await ask('/sitemap.txt')).text)).toEqual(['/all-1', '/txt-1'])
    expect(htmlPaths((await ask('/sitemap.html')).text)).toEqual(['/all-1', '/html-1'])
    expect(feedPaths((await ask('/feed.rss')).text)).toEqual(['/all-1', '/feed-1'])
    const served = await Promise.all(
      ['xml', 'txt', 'html', 'feed'].flatMap((section) =>
        ['xml', 'txt', 'html'].map(async (ending) => {
          const { status } = await ask(`/sitemap-${section}-1.${ending}`)
          return status === 200 ? `${section}.${ending}` : undefined
        }),
      ),
    )
    expect(served.filter(Boolean)).toEqual(['xml.xml', 'txt.txt', 'html.html'])
  })

  it('a section that is in no document of the request is not read for it', async () => {
    const feedOnly = createSource(entriesOf('feed', 1))
    const { ask } = createTestEngine({
      providers: { pages: ['/'], extra: { entries: feedOnly.entries, formats: ['feed'] } },
    })
    await ask('/sitemap.xml')
    expect(feedOnly.calls).toBe(0)
    await ask('/feed.rss')
    expect(feedOnly.calls).toBe(1)
  })

  it('all entries count for the HTML pages of a section without text and XML', async () => {
    const { ask } = createTestEngine({
      html: { pageSize: 2 },
      providers: { posts: { entries: entriesOf('posts', 5), formats: ['html'] } },
    })
    expect(htmlPaths((await ask('/sitemap-posts-3.html')).text)).toContain('/posts-5')
  })
})

/** Entries whose URLs do not compress well; the same at every call. */
function noisy(count: number): { loc: string }[] {
  let state = 1
  const letter = (): string => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 36).toString(36)
  }
  return Array.from({ length: count }, (_, i) => ({
    loc: `/${i}-${Array.from({ length: 60 }, letter).join('')}`,
  }))
}

describe('a large document', () => {
  const BIG = noisy(12_000)

  it('is sent block by block in identity, its length known before', async () => {
    const { engine, ask } = createTestEngine({ providers: { posts: BIG } })
    await ask('/sitemap.xml', { 'accept-encoding': 'gzip' })
    const response = await engine.respond({ method: 'GET', path: '/sitemap.xml', header: () => undefined })
    expect(Buffer.isBuffer(response.body)).toBe(false)
    expect(response.bytes).toBeGreaterThan(1_048_576)
    let largest = 0
    let total = 0
    const chunks: Buffer[] = []
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      largest = Math.max(largest, chunk.length)
      total += chunk.length
      chunks.push(chunk)
    }
    expect(total).toBe(response.bytes)
    expect(largest).toBeLessThan(400_000)
    const text = Buffer.concat(chunks).toString('utf8')
    expect(pathsOf(text)).toEqual(BIG.map(({ loc }) => loc))
    for (const coding of ['gzip', 'br'])
      expect((await ask('/sitemap.xml', { 'accept-encoding': coding })).text).toBe(text)
  })

  it('is told of by HEAD with the same headers and length, without a body', async () => {
    const { engine } = createTestEngine({ providers: { posts: BIG } })
    const head = await engine.respond({ method: 'HEAD', path: '/sitemap.xml', header: () => undefined })
    const get = await engine.respond({ method: 'GET', path: '/sitemap.xml', header: () => undefined })
    expect(head.body).toBeUndefined()
    expect(head.headers).toEqual(get.headers)
    expect(head.bytes).toBe(get.bytes)
    await (get.body as AsyncIterableIterator<Buffer>).return?.()
  })

  it('goes on to its end although a newer state is published and the old one let go meanwhile', async () => {
    const source = createSource(BIG)
    const { engine, ask, handle } = createTestEngine({ providers: { posts: source.entries } })
    const whole = (await ask('/sitemap.txt', IDENTITY)).text
    const response = await engine.respond({ method: 'GET', path: '/sitemap.xml', header: () => undefined })
    const body = response.body as AsyncIterableIterator<Buffer>
    const chunks = [(await body.next()).value as Buffer]
    source.set(noisy(12_000).map(({ loc }) => ({ loc: `${loc}-new` })))
    await handle.refresh()
    for await (const chunk of body) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    expect(Buffer.byteLength(text)).toBe(response.bytes)
    expect(locsOf(text)).toEqual(locsOf(whole))
    expect((await ask('/sitemap.xml', IDENTITY)).text).toContain('-new</loc>')
  })

  it('that a client gives up lets go of what it held', async () => {
    const { engine, ask, handle } = createTestEngine({ providers: { posts: BIG } })
    await ask('/sitemap-posts-1.txt', { 'accept-encoding': 'gzip' })
    const before = handle.report().memory.used
    for (let i = 0; i < 30; i++) {
      const response = await engine.respond({ method: 'GET', path: '/sitemap.xml', header: () => undefined })
      const body = response.body as AsyncIterableIterator<Buffer>
      if (i % 2) await body.next()
      await body.return?.()
    }
    expect(handle.report().memory.used).toBe(before)
  })
})

describe('memory', () => {
  const PATHS = [
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/feed.rss',
    '/sitemap.html',
    '/sitemap.txt',
    '/sitemap-posts-1.xml',
    '/sitemap-posts-2.xml',
    '/sitemap-posts-1.txt',
    '/sitemap-posts-3.html',
  ]

  async function folder(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), 'lsm-test-'))
    folders.push(made)
    return made
  }

  it.each<Size>(['1b', '10kb', '64mb'])(
    'cache.memory %s: every document can be made again while the provider is down',
    async (memory) => {
      const source = createSource(entriesOf('posts', 3_000))
      const site = createTestEngine({
        limit: 2_000,
        retries: 0,
        cache: { memory, dir: await folder() },
        providers: { posts: source.entries },
      })
      const codings = ['identity', 'gzip', 'br']
      const ask = (path: string, coding: string) => site.ask(path, { 'accept-encoding': coding })
      const first = new Map<string, Answer>()
      for (const path of PATHS)
        for (const coding of codings) first.set(path + coding, await ask(path, coding))
      source.set(throws)
      await site.clock.advance(24 * HOUR)
      for (let round = 0; round < 2; round++) {
        for (const path of PATHS) {
          for (const coding of codings) {
            const answer = await ask(path, coding)
            expect(answer.status).toBe(200)
            expect(answer.body.equals(first.get(path + coding)?.body ?? Buffer.of())).toBe(true)
            expect(etag(answer)).toBe(etag(first.get(path + coding) as Answer))
          }
        }
      }
      const { used, limit } = site.handle.report().memory
      expect(used).toBeLessThanOrEqual(Math.max(limit, 64_000))
    },
  )

  it('that is tiny: blobs lie in a spool folder, which goes with close()', async () => {
    const dir = await folder()
    const source = createSource(entriesOf('posts', 3_000))
    const { ask, engine, handle } = createTestEngine({
      cache: { memory: '1kb', dir },
      providers: { posts: source.entries },
    })
    const files = async (): Promise<string[]> => {
      const [made] = await readdir(dir)
      return made === undefined
        ? []
        : (await readdir(join(dir, made))).filter((name) => name !== 'owner.json')
    }
    await ask('/sitemap.xml')
    expect(await readdir(dir)).toHaveLength(1)
    const first = await files()
    expect(first.length).toBeGreaterThan(0)
    // A newer snapshot takes the place of the old one, on disk too.
    source.set(entriesOf('other', 3_000))
    await handle.refresh()
    expect(pathsOf((await ask('/sitemap.xml')).text)[0]).toBe('/other-1')
    let now: string[] = []
    for (let i = 0; i < 1_000 && (now.length === 0 || now.some((name) => first.includes(name))); i++) {
      await turns(1)
      now = await files()
    }
    expect(now.filter((name) => first.includes(name))).toEqual([])
    await engine.close()
    expect(await readdir(dir)).toEqual([])
  })

  it('that is enough: no folder is made', async () => {
    const dir = await folder()
    const { ask } = createTestEngine({ cache: { dir }, providers: { posts: entriesOf('posts', 3_000) } })
    for (const path of PATHS) await ask(path)
    expect(await readdir(dir)).toEqual([])
  })

  it('that is tiny where no folder can be written: the walk publishes nothing and says why', async () => {
    const file = join(await folder(), 'file')
    await writeFile(file, '')
    const { ask, handle, lines } = createTestEngine({
      cache: { memory: '1kb', dir: join(file, 'below') },
      providers: { posts: entriesOf('posts', 3_000), small: ['/'] },
    })
    expect((await ask('/sitemap.xml')).status).toBe(503)
    expect(handle.report().sections.posts).toMatchObject({
      state: 'failing',
      entries: 0,
      lastError: { code: 'LSM_ERR_SPOOL_FAILED' },
    })
    expect(lines.find(({ code }) => code === 'LSM_ERR_SPOOL_FAILED')?.message).toMatch(
      /cache\.memory.*cache\.dir/,
    )
    expect(handle.report().memory.used).toBeLessThan(2_000)
  })

  it('counts every walk that failed as nothing', async () => {
    const source = createSource(noisy(5_000))
    const { ask, handle, clock } = createTestEngine({ providers: { posts: source.entries } })
    // Joined from compressed blocks: once these are there, nothing of the walk waits for its compression.
    for (const path of ['/sitemap.xml', '/sitemap.txt']) await ask(path, { 'accept-encoding': 'gzip' })
    await turns(20)
    const before = handle.report().memory.used
    for (let i = 0; i < 5; i++) {
      source.set(async function* () {
        yield* noisy(4_000).map(({ loc }) => ({ loc: `${loc}-${i}` }))
        throw new Error('lost')
      } as never)
      await codeOf(handle.refresh('posts', { force: true }))
      await clock.advance(1_000)
    }
    await until(() => handle.report().memory.used === before, 'the memory of failed walks to be let go')
  })
})

describe('slow clients', () => {
  const BIG = noisy(20_000)

  function holdingEngine(memory: Size) {
    const site = createTestEngine({ cache: { memory }, providers: { posts: BIG } })
    const get = (coding: string) =>
      site.engine.respond({
        method: 'GET',
        path: '/sitemap.xml',
        header: (name) => (name === 'accept-encoding' ? coding : undefined),
      })
    return { ...site, get }
  }

  it.each([
    { coding: 'identity', memory: '8mb' },
    { coding: 'gzip', memory: '3mb' },
  ])('60 of them, $coding, with cache.memory $memory: bounded, 503 with Retry-After beyond', async (row) => {
    const { get, handle } = holdingEngine(row.memory as Size)
    const held: (() => unknown)[] = []
    const statuses: number[] = []
    for (let i = 0; i < 60; i++) {
      const response = await get(row.coding)
      statuses.push(response.status)
      if (response.status === 503) {
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
        expect(response.headers['cache-control']).toBe('no-store')
      } else {
        const { body, done } = response
        held.push(() => (Buffer.isBuffer(body) ? done?.() : body?.return?.()))
      }
      const { used, limit } = handle.report().memory
      expect(used).toBeLessThanOrEqual(limit)
    }
    expect(statuses[0]).toBe(200)
    if (row.coding === 'identity') expect(statuses).toContain(503)
    for (const release of held) await release()
    expect((await get(row.coding)).status).toBe(200)
  })

  it('one is always let through, however small cache.memory is, and a second one not beside it', async () => {
    const { get } = holdingEngine('1b')
    for (const coding of ['identity', 'gzip', 'br', 'identity']) {
      const first = await get(coding)
      expect(first.status).toBe(200)
      expect((await get(coding)).status).toBe(503)
      if (Buffer.isBuffer(first.body)) first.done?.()
      else await first.body?.return?.()
    }
    expect((await get('gzip')).status).toBe(200)
  })

  it('do not keep small answers and 304 from others', async () => {
    const { get, ask } = holdingEngine('1b')
    const first = await get('gzip')
    expect(first.status).toBe(200)
    expect((await ask('/sitemap.xml', { 'accept-encoding': 'gzip', 'if-none-match': '*' })).status).toBe(304)
    expect((await ask('/sitemap.xml', {}, 'HEAD')).status).toBe(200)
  })
})

describe('the same input', () => {
  it('gives the same bytes and ETags in every process, whatever its time zone and locale', async () => {
    const child = new URL('./children/print-site.ts', import.meta.url)
    const runs = await Promise.all([
      runChild(child, { env: { TZ: 'America/Los_Angeles', LANG: 'en_US.UTF-8' } }),
      runChild(child, { env: { TZ: 'Asia/Kolkata', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } }),
    ])
    for (const { code, err } of runs) expect([code, err]).toEqual([0, ''])
    expect(runs[0]?.out.split('\n').length).toBeGreaterThan(30)
    expect(runs[1]?.out).toBe(runs[0]?.out)
    // Each coding has a tag of its own.
    const tags = (runs[0]?.out ?? '').split('\n').filter((line) => line.startsWith('/sitemap.html '))
    expect(new Set(tags.map((line) => line.split(' ')[3])).size).toBe(3)
  })

  it('gives the same ETags on two engines that read it at different times', async () => {
    const options: TestOptions = {
      providers: {
        pages: ['/', '/about'],
        posts: [
          { loc: '/a', title: 'A', lastmod: '2026-01-02', images: ['/a.jpg'] },
          { loc: '/b', title: 'B', published: '2026-01-03' },
        ],
      },
    }
    const paths = ['/sitemap.xml', '/sitemap_index.xml', '/feed.rss', '/sitemap.html', '/sitemap.txt']
    const one = await askAll(createTestEngine(options), paths)
    const other = createTestEngine(options, createManualClock(Date.UTC(2027, 6, 1)))
    for (const [path, answer] of await askAll(other, paths)) {
      expect(etag(answer)).toBe(etag(one.get(path) as Answer))
      expect(answer.body).toEqual(one.get(path)?.body)
    }
  })

  it('gives the same ETags whatever way the entries came: list, generator, slow generator', async () => {
    const entries = entriesOf('posts', 2_500)
    const ways = [
      () => entries,
      async function* () {
        yield* entries
      },
      async function* () {
        for (const [i, entry] of entries.entries()) {
          if (i % 100 === 0) await turns(1)
          yield entry
        }
      },
      async () => new Set(entries),
    ]
    const tags = new Set<string>()
    for (const way of ways) {
      const { ask } = createTestEngine({ providers: { posts: way } })
      tags.add(
        [
          etag(await ask('/sitemap.xml')),
          etag(await ask('/sitemap.html')),
          etag(await ask('/feed.rss')),
        ].join(),
      )
    }
    expect(tags.size).toBe(1)
  })
})
