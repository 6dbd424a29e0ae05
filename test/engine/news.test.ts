import { afterEach, describe, expect, it } from 'vitest'
import { NEWS_MS } from '../../src/shelves/news.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { closeEngines, createSource, createTestEngine, pathsOf, throws } from '../support/site.ts'
import { urlsetErrors } from '../support/xsd.ts'

afterEach(closeEngines)

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 15, 12)
const IDENTITY = { 'accept-encoding': 'identity' }

/** An article first published so many hours before the tests' clock begins. */
function article(path: string, hoursAgo: number) {
  return {
    loc: path,
    title: path,
    news: { title: `About ${path}`, publicationDate: new Date(START - hoursAgo * HOUR) },
  }
}

/** Paths of the entries that carry a news block. */
function newsPaths(xml: string): string[] {
  return pathsOf(
    xml
      .split('\n')
      .filter((line) => line.includes('<news:news>'))
      .join('\n'),
  )
}

describe('news articles in the urlset (SPEC E60)', () => {
  it('loses the block at 48 hours by instant, without a walk, and in an outage', async () => {
    const posts = createSource([
      article('/new', 1),
      article('/middle', 40),
      article('/old', 47.5),
      article('/aged', 49),
    ])
    const clock = createManualClock(START)
    const site = createTestEngine(
      { retries: 0, providers: { posts: posts.entries }, news: { name: 'Example News' } },
      clock,
    )
    const first = await site.warm()
    expect(newsPaths(first.text)).toEqual(['/new', '/middle', '/old'])
    expect(pathsOf(first.text)).toEqual(['/new', '/middle', '/old', '/aged'])
    expect(first.text).toContain('xmlns:news')
    expect(urlsetErrors(first.text)).toEqual([])
    posts.set(throws)
    await clock.advance(HOUR / 2)
    const second = await site.ask('/sitemap.xml', IDENTITY)
    expect(newsPaths(second.text)).toEqual(['/new', '/middle'])
    expect(second.headers.etag).not.toBe(first.headers.etag)
    await clock.advance(NEWS_MS)
    const last = await site.ask('/sitemap.xml', IDENTITY)
    expect(newsPaths(last.text)).toEqual([])
    expect(pathsOf(last.text)).toEqual(['/new', '/middle', '/old', '/aged'])
    // Declared only where it is used.
    expect(last.text).not.toContain('xmlns:news')
  })

  it('max-age never outlives the next instant, on 304 too', async () => {
    const clock = createManualClock(START)
    const site = createTestEngine({ providers: { posts: [article('/a', 48 - 100 / 3600)] } }, clock)
    const answer = await site.warm()
    expect(answer.headers['cache-control']).toContain('max-age=100')
    await clock.advance(40_000)
    const again = await site.ask('/sitemap.xml', { 'if-none-match': answer.headers.etag ?? '', ...IDENTITY })
    expect(again.status).toBe(304)
    expect(again.headers['cache-control']).toContain('max-age=60')
    await clock.advance(60_000)
    const after = await site.ask('/sitemap.xml', { 'if-none-match': answer.headers.etag ?? '', ...IDENTITY })
    expect(after.status).toBe(200)
    expect(after.headers['cache-control']).toContain('max-age=300')
    expect(Date.parse(after.headers['last-modified'] ?? '')).toBe(START + 100_000)
  })

  it('an article dated in the future is news from its instant on', async () => {
    const clock = createManualClock(START)
    const site = createTestEngine({ providers: { posts: [article('/soon', -1)] } }, clock)
    expect(newsPaths((await site.warm()).text)).toEqual([])
    await clock.advance(HOUR)
    expect(newsPaths((await site.ask('/sitemap.xml', IDENTITY)).text)).toEqual(['/soon'])
  })

  it('a part has at most 1,000 articles, aged ones counted, so that no clock has a say in the cut (SPEC E50)', async () => {
    const posts = Array.from({ length: 2_500 }, (_, i) => article(`/n${i}`, i / 20))
    const clock = createManualClock(START)
    const site = createTestEngine({ providers: { posts: () => posts } }, clock)
    const index = await site.warm()
    expect(pathsOf(index.text)).toEqual([
      '/sitemap-posts-1.xml',
      '/sitemap-posts-2.xml',
      '/sitemap-posts-3.xml',
    ])
    const part = await site.ask('/sitemap-posts-1.xml', IDENTITY)
    expect(newsPaths(part.text)).toHaveLength(960)
    expect(pathsOf(part.text)).toHaveLength(1_000)
    expect(part.text).not.toContain('n1000')
  })

  it('gzip, br and plain say the same of edited blobs', async () => {
    const clock = createManualClock(START)
    const site = createTestEngine(
      { providers: { posts: [article('/a', 1), article('/b', 50), '/c'] } },
      clock,
    )
    const plain = await site.warm()
    for (const coding of ['gzip', 'br']) {
      const coded = await site.ask('/sitemap.xml', { 'accept-encoding': coding })
      expect(coded.headers['content-encoding']).toBe(coding)
      expect(coded.text).toBe((await site.ask('/sitemap.xml', IDENTITY)).text)
      expect(coded.text).toBe(plain.text)
    }
  })

  it("formats ['news'] alone: the whole entry leaves with its article, and the index names no empty part", async () => {
    const clock = createManualClock(START)
    const site = createTestEngine(
      {
        providers: {
          pages: ['/p'],
          wire: { entries: [article('/a', 1), article('/b', 47), '/never'], formats: ['news'] },
        },
      },
      clock,
    )
    expect(pathsOf((await site.warm()).text)).toEqual(['/p', '/a', '/b'])
    await clock.advance(HOUR)
    expect(pathsOf((await site.ask('/sitemap.xml', IDENTITY)).text)).toEqual(['/p', '/a'])
    expect(pathsOf((await site.ask('/sitemap_index.xml', IDENTITY)).text)).toEqual([
      '/sitemap-pages-1.xml',
      '/sitemap-wire-1.xml',
    ])
    await clock.advance(NEWS_MS)
    expect(pathsOf((await site.ask('/sitemap-wire-1.xml', IDENTITY)).text)).toEqual([])
    expect(pathsOf((await site.ask('/sitemap_index.xml', IDENTITY)).text)).toEqual(['/sitemap-pages-1.xml'])
    expect((await site.ask('/sitemap.txt', IDENTITY)).text).not.toContain('/a')
  })

  it('a section without the format news writes none', async () => {
    const site = createTestEngine(
      { providers: { posts: { entries: [article('/a', 1)], formats: ['xml'] } } },
      createManualClock(START),
    )
    expect((await site.warm()).text).not.toContain('news:')
  })

  it("an entry whose article has aged away takes nobody's place in the merged urlset", async () => {
    const clock = createManualClock(START)
    const site = createTestEngine(
      {
        providers: {
          wire: { entries: [article('/a', 47)], formats: ['news'] },
          pages: { entries: ['/a', '/b'] },
        },
      },
      clock,
    )
    expect(pathsOf((await site.warm()).text)).toEqual(['/a', '/b'])
    await clock.advance(2 * HOUR)
    expect(pathsOf((await site.ask('/sitemap.xml', IDENTITY)).text)).toEqual(['/a', '/b'])
  })
})

describe('the news file (routes.news)', () => {
  const routes = { news: '/sitemap-news.xml' } as const

  it('holds the articles of two days of all sections, newest first, and the block stands only there', async () => {
    const clock = createManualClock(START)
    const site = createTestEngine(
      {
        routes,
        news: { name: 'The Example', language: 'en-GB' },
        providers: {
          posts: [article('/p1', 30), article('/p2', 60)],
          wire: { entries: [article('/w1', 2), article('/w2', 47)], formats: ['news'] },
        },
      },
      clock,
    )
    const main = await site.warm()
    expect(main.text).not.toContain('news:')
    expect(pathsOf(main.text)).toEqual(['/p1', '/p2'])
    const news = await site.ask('/sitemap-news.xml', IDENTITY)
    expect(pathsOf(news.text)).toEqual(['/w1', '/p1', '/w2'])
    expect(urlsetErrors(news.text)).toEqual([])
    expect(news.text).toContain('<news:language>en</news:language>')
    await clock.advance(HOUR)
    expect(pathsOf((await site.ask('/sitemap-news.xml', IDENTITY)).text)).toEqual(['/w1', '/p1'])
  })

  it('is split at 1,000 articles; the first file keeps its name (SPEC E50, E62); all are named in robots.txt', async () => {
    const posts = Array.from({ length: 2_300 }, (_, i) => article(`/n${i}`, i / 50))
    const clock = createManualClock(START)
    const site = createTestEngine(
      { routes: { ...routes, robots: '/robots.txt' }, providers: { posts: () => posts } },
      clock,
    )
    await site.warm('/sitemap-news.xml')
    const files = await Promise.all(
      ['/sitemap-news.xml', '/sitemap-news_2.xml', '/sitemap-news_3.xml'].map((path) =>
        site.ask(path, IDENTITY),
      ),
    )
    expect(files.map(({ text }) => pathsOf(text).length)).toEqual([1_000, 1_000, 300])
    expect(files.flatMap(({ text }) => pathsOf(text))).toEqual(posts.map(({ loc }) => loc))
    expect((await site.ask('/sitemap-news_4.xml')).status).toBe(404)
    expect((await site.ask('/robots.txt', IDENTITY)).text).toContain('/sitemap-news_3.xml')
    await clock.advance(NEWS_MS)
    // An empty file does no harm (SPEC E61).
    expect(pathsOf((await site.ask('/sitemap-news.xml', IDENTITY)).text)).toEqual([])
    expect((await site.ask('/sitemap-news_2.xml')).status).toBe(404)
  })

  it('two instances that read at different times serve the same file under the same ETag', async () => {
    const posts = [article('/a', 1), article('/b', 46.5), article('/c', 47.8)]
    const clock = createManualClock(START)
    const early = createTestEngine({ routes, providers: { posts: () => posts } }, clock)
    await early.warm('/sitemap-news.xml')
    await clock.advance(HOUR)
    const late = createTestEngine({ routes, providers: { posts: () => posts } }, clock)
    const [one, two] = await Promise.all([early, late].map((site) => site.ask('/sitemap-news.xml', IDENTITY)))
    expect(two?.text).toBe(one?.text)
    expect(two?.headers.etag).toBe(one?.headers.etag)
    expect(pathsOf(one?.text ?? '')).toEqual(['/a', '/b'])
  })
})
