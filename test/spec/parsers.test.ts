/** Sitemaps as two parsers of other people read them: both agree with what went in. */
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { parseSitemapIndex, type SitemapItem, XMLToSitemapItemStream } from 'sitemap'
import { afterEach, describe, expect, it } from 'vitest'
import type { EntryObject } from '../../src/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { closeEngines, createTestEngine, SITE, type TestEngine, type TestOptions } from '../support/site.ts'
import { serve, serveEntries } from './served.ts'

interface SitemapperOptions {
  readonly url: string
  readonly timeout: number
  readonly fields?: Readonly<Record<string, boolean>>
  /** Earliest lastmod, in ms. */
  readonly lastmod?: number
}

// Its own types lean on a package that it does not bring.
const { default: Sitemapper } = createRequire(import.meta.url)('sitemapper') as {
  default: new (
    options: SitemapperOptions,
  ) => { fetch(): Promise<{ readonly sites: readonly unknown[]; readonly errors: readonly unknown[] }> }
}

const servers = new Set<http.Server>()

afterEach(async () => {
  for (const server of servers) server.closeAllConnections()
  await Promise.all([...servers].map((server) => new Promise((closed) => server.close(closed))))
  servers.clear()
  await closeEngines()
})

/** What `sitemap` reads of a urlset; it has to find nothing wrong with it. */
async function itemsOf(xml: string): Promise<SitemapItem[]> {
  const stream = new XMLToSitemapItemStream({ logger: false })
  const items: SitemapItem[] = []
  for await (const item of Readable.from([xml]).pipe(stream)) items.push(item as SitemapItem)
  expect(stream.errors).toEqual([])
  return items
}

/** A site that listens, and lists itself under the address it listens at. */
async function listen(options: TestOptions): Promise<{ readonly base: string; readonly site: TestEngine }> {
  let site: TestEngine | undefined
  const server = http.createServer((request, response) => {
    const { host: _, ...headers } = request.headers
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    site?.ask(request.url ?? '', given, request.method).then(
      (answer) => {
        response.writeHead(answer.status, { ...answer.headers })
        response.end(answer.body)
      },
      () => response.destroy(),
    )
  })
  servers.add(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site = createTestEngine({ ...options, site: { url: base } })
  return { base, site }
}

/** A page of each kind of loc and every value of the protocol. */
function pageAt(i: number): EntryObject {
  const frequencies = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'] as const
  const slugs = ['plain', 'a b', 'ü&ö', "it's", 'q?a=1&b=<2>', '猫', '100%', '[x]']
  return {
    loc: `/${i}/${slugs[i % slugs.length]}`,
    ...(i % 2 === 0 && { lastmod: `2026-05-${String((i % 28) + 1).padStart(2, '0')}` }),
    ...(i % 3 === 0 && { changefreq: frequencies[i % 7] }),
    ...(i % 5 === 0 && { priority: (i % 11) / 10 }),
  }
}

/** The page as both parsers should read it. */
function readPage(page: EntryObject, base: string) {
  const { lastmod, changefreq, priority } = page
  return {
    loc: new URL(String(page.loc), base).href
      .replace(/%(?![0-9A-F]{2})/g, '%25')
      .replace('[', '%5B')
      .replace(']', '%5D'),
    ...(lastmod != null && { lastmod }),
    ...(changefreq != null && { changefreq }),
    ...(priority != null && { priority }),
  }
}

const pages = Array.from({ length: 120 }, (_, i) => pageAt(i))

describe("sitemap's own parser", () => {
  it('reads the protocol of every page (SPEC U4 to U7, U11, L2, L3)', async () => {
    const items = await itemsOf(await serveEntries(pages).text('/sitemap.xml'))
    const read = items.map(({ url, lastmod, changefreq, priority }) => ({
      loc: url,
      ...(lastmod != null && { lastmod }),
      ...(changefreq != null && { changefreq }),
      ...(priority != null && { priority }),
    }))
    expect(read).toEqual(pages.map((page) => readPage(page, SITE.url)))
  })

  it('reads images, language versions, news and videos (SPEC E10 to E15, E21 to E42, E51 to E59, E70)', async () => {
    const served = serveEntries(
      [
        {
          loc: '/a',
          images: [
            '/1.png',
            { loc: '/2.png?a&b', caption: 'C & <c>', geoLocation: 'Lyon, "FR"', title: "T's", license: '/l' },
          ],
          alternates: { en: '/a', fr_CA: 'https://example.ca/a?b&c', 'x-default': '/' },
          news: {
            title: 'News & <more>',
            publicationDate: '2026-01-15T08:00:00+01:00',
            name: 'The Example',
            language: 'en-GB',
            access: 'Registration',
            genres: ['Blog', 'OpEd'],
            keywords: 'a, b',
            stockTickers: ['NASDAQ:A', 'XETRA:B'],
          },
          videos: [
            {
              thumbnailLoc: '/t.png',
              title: 'V & <v>',
              description: 'D "d"',
              contentLoc: '/v.mp4',
              playerLoc: { loc: '/p?v=1&w', allowEmbed: true, autoplay: 'ap=1' },
              duration: '1:05',
              expirationDate: new Date(Date.UTC(2030, 0, 1, 0, 0, 0, 999)).toISOString(),
              rating: 4.5,
              viewCount: 7,
              publicationDate: '2026-01-15T08:00:00.45+01:00',
              tag: ['x', 'y & z'],
              category: 'Tea',
              familyFriendly: false,
              restriction: { relationship: 'allow', countries: ['gb', 'IE'] },
              galleryLoc: { loc: '/g', title: 'G' },
              price: [{ value: '1.99', currency: 'EUR', type: 'rent', resolution: 'HD' }],
              requiresSubscription: true,
              uploader: { name: 'Ann', info: '/ann' },
              platform: { relationship: 'deny', platforms: ['tv', 'mobile'] },
              live: true,
            },
          ],
        },
      ],
      {},
      createManualClock(Date.UTC(2026, 0, 15, 12)),
    )
    const [item] = await itemsOf(await served.text('/sitemap.xml'))
    expect(item).toMatchObject({
      img: [
        { url: `${SITE.url}/1.png` },
        {
          url: `${SITE.url}/2.png?a&b`,
          caption: 'C & <c>',
          geoLocation: 'Lyon, "FR"',
          title: "T's",
          license: `${SITE.url}/l`,
        },
      ],
      links: [
        { lang: 'en', url: `${SITE.url}/a` },
        { lang: 'fr-CA', url: 'https://example.ca/a?b&c' },
        { lang: 'x-default', url: `${SITE.url}/` },
      ],
      news: {
        publication: { name: 'The Example', language: 'en' },
        access: 'Registration',
        genres: 'Blog, OpEd',
        publication_date: '2026-01-15T08:00:00+01:00',
        title: 'News & <more>',
        keywords: 'a, b',
        stock_tickers: 'NASDAQ:A, XETRA:B',
      },
      video: [
        {
          thumbnail_loc: `${SITE.url}/t.png`,
          title: 'V & <v>',
          description: 'D "d"',
          content_loc: `${SITE.url}/v.mp4`,
          player_loc: `${SITE.url}/p?v=1&w`,
          'player_loc:allow_embed': 'yes',
          'player_loc:autoplay': 'ap=1',
          duration: 65,
          expiration_date: '2030-01-01T00:00:00Z',
          rating: 4.5,
          view_count: 7,
          publication_date: '2026-01-15T08:00:00+01:00',
          tag: ['x', 'y & z'],
          category: 'Tea',
          family_friendly: 'no',
          restriction: 'GB IE',
          'restriction:relationship': 'allow',
          gallery_loc: `${SITE.url}/g`,
          'gallery_loc:title': 'G',
          price: '1.99',
          'price:currency': 'EUR',
          'price:type': 'rent',
          'price:resolution': 'HD',
          requires_subscription: 'yes',
          uploader: 'Ann',
          'uploader:info': `${SITE.url}/ann`,
          platform: 'tv mobile',
          'platform:relationship': 'deny',
          live: 'yes',
        },
      ],
    })
  })

  it('reads the index, and every page once through it (SPEC I3 to I5)', async () => {
    const served = serve({ limit: 50, providers: { pages: () => pages, more: ['/more'] } })
    const listed = await parseSitemapIndex(Readable.from([await served.text('/sitemap_index.xml')]))
    const newest = (from: number, to: number) =>
      pages
        .slice(from, to)
        .map(({ lastmod }) => String(lastmod ?? ''))
        .sort()
        .at(-1)
    expect(listed).toEqual([
      { url: `${SITE.url}/sitemap-pages-1.xml`, lastmod: newest(0, 50) },
      { url: `${SITE.url}/sitemap-pages-2.xml`, lastmod: newest(50, 100) },
      { url: `${SITE.url}/sitemap-pages-3.xml`, lastmod: newest(100, 120) },
      { url: `${SITE.url}/sitemap-more-1.xml` },
    ])
    const items: SitemapItem[] = []
    for (const { url } of listed)
      items.push(...(await itemsOf(await served.text(url.slice(SITE.url.length)))))
    expect(items.map(({ url }) => url)).toEqual(
      [...pages, { loc: '/more' }].map((page) => readPage(page, SITE.url).loc),
    )
  })
})

describe('sitemapper', () => {
  it.each([
    { name: 'urlset', limit: 50_000, root: '<urlset' },
    { name: 'index and its parts', limit: 50, root: '<sitemapindex' },
  ])('fetches and reads the $name (SPEC U4 to U7, I4, I17)', async ({ limit, root }) => {
    const { base, site } = await listen({ limit, providers: { pages: () => pages } })
    expect((await site.ask('/sitemap.xml')).text).toContain(root)
    const { sites, errors } = await new Sitemapper({
      url: `${base}/sitemap.xml`,
      fields: { loc: true, lastmod: true, changefreq: true, priority: true },
      timeout: 10_000,
    }).fetch()
    expect(errors).toEqual([])
    // It drops what it takes for false, 0 among it.
    const given = pages
      .map((page) => readPage(page, base))
      .map(({ priority, ...rest }) => ({ ...rest, ...(Number(priority) > 0 && { priority }) }))
    const byLoc = (a: { loc?: string }, b: { loc?: string }) => ((a.loc ?? '') < (b.loc ?? '') ? -1 : 1)
    expect([...(sites as { loc?: string }[])].sort(byLoc)).toEqual(given.sort(byLoc))
  })

  it('takes what changed since a date (SPEC U5)', async () => {
    const { base } = await listen({ limit: 50, providers: { pages: () => pages } })
    const since = '2026-05-15'
    const { sites } = await new Sitemapper({
      url: `${base}/sitemap_index.xml`,
      lastmod: Date.parse(since),
      timeout: 10_000,
    }).fetch()
    expect([...(sites as string[])].sort()).toEqual(
      pages
        .filter(({ lastmod }) => lastmod != null && String(lastmod) >= since)
        .map((page) => readPage(page, base).loc)
        .sort(),
    )
  })
})
