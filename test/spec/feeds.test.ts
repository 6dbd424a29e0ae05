/** SPEC sections 4 and 6, on feeds as they are served. */
import type { Document } from '@xmldom/xmldom'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { afterEach, describe, expect, it } from 'vitest'
import type { Entry, FeedOptions } from '../../src/index.ts'
import { closeEngines, type TestOptions } from '../support/site.ts'
import { rssErrors, select, texts } from '../support/xsd.ts'
import { type Served, serve, serveEntries, untyped } from './served.ts'

afterEach(closeEngines)

const routes = { atom: '/feed.atom', json: '/feed.json' } as const
const page = { loc: '/a', title: 'A' }
const ITEM = '/rss/channel/item[last()]'
const media = (name: string): string => `*[name() = "media:${name}"]`

function serveFeeds(entries: readonly Entry[], options: Partial<TestOptions> = {}): Served {
  return serveEntries(entries, { routes, ...options })
}

/** The RSS feed; valid, or it fails. */
async function rssOf(entries: readonly Entry[], options: Partial<TestOptions> = {}): Promise<Document> {
  const served = serveFeeds(entries, options)
  expect(rssErrors(await served.text('/feed.rss'))).toEqual([])
  return served.xml('/feed.rss')
}

describe('channel (SPEC 4.1)', () => {
  const feed = {
    image: { url: '/logo.png', width: 144, height: 400 },
    ttl: '90s',
    hubs: ['https://hub.example.com/?a&b', 'https://other.example.com/'],
    copyright: '© Example & Co',
    managingEditor: 'ann@example.com (Ann)',
    webMaster: 'bo@example.com',
    categories: ['News', 'Goods & more'],
  } as const
  const site = { url: 'https://www.example.com', title: 'Ex & ample', description: 'News', language: 'fr-FR' }

  it.each([
    { row: 'F1', xpath: '/rss/@version', found: ['2.0'] },
    { row: 'F2', xpath: '/rss/*[self::channel]/../*[position() > 1]', found: [] },
    { row: 'F3', xpath: '/rss/channel/title', found: ['Ex & ample'] },
    { row: 'F4', xpath: '/rss/channel/link', found: ['https://www.example.com/'] },
    { row: 'F5, D11', xpath: '/rss/channel/description', found: ['News'] },
    { row: 'F6', xpath: '/rss/channel/language', found: ['fr-FR'] },
    {
      row: 'F7',
      xpath: '/rss/channel/copyright | /rss/channel/generator | /rss/channel/docs',
      found: ['© Example & Co', 'live-sitemap', 'https://www.rssboard.org/rss-specification'],
    },
    {
      row: 'F8',
      xpath: '/rss/channel/managingEditor | /rss/channel/webMaster',
      found: ['ann@example.com (Ann)', 'bo@example.com'],
    },
    { row: 'F9', xpath: '/rss/channel/lastBuildDate', found: ['Sun, 10 May 2026 08:20:30 GMT'] },
    { row: 'F10', xpath: '/rss/channel/category', found: ['News', 'Goods & more'] },
    { row: 'F12', xpath: '/rss/channel/ttl', found: ['1'] },
    {
      row: 'F13',
      xpath: '/rss/channel/image/*',
      found: ['https://www.example.com/logo.png', 'Ex & ample', 'https://www.example.com/', '144', '400'],
    },
    {
      row: 'F15',
      xpath: '/rss/channel/atom:link[@rel="self"]/@*[name() != "rel"]',
      found: ['https://www.example.com/feed.rss', 'application/rss+xml'],
    },
    { row: 'F16', xpath: '/rss/channel/atom:link[@rel="hub"]/@href', found: feed.hubs },
    { row: 'F17', xpath: '/rss/channel/item/following-sibling::*[not(self::item)]', found: [] },
  ])('$row: $xpath', async ({ xpath, found }) => {
    const dates = { published: '2026-05-10T10:20:30.5+02:00', lastmod: '2026-05-11' }
    expect(texts(await rssOf([{ ...page, ...dates }], { site, feed }), xpath)).toEqual(found)
  })

  it('D11: without a description the title stands in', async () => {
    const document = await rssOf([page], { site: { url: 'https://www.example.com', title: 'Example' } })
    expect(texts(document, '/rss/channel/description')).toEqual(['Example'])
  })

  it('D12, F17: without pages the channel holds the items of the site, and is valid', async () => {
    expect(texts(await rssOf([]), '//item/link')).toEqual([
      'https://www.example.com/',
      'https://www.example.com/sitemap.html',
    ])
  })

  it.each([
    { row: 'F8', feed: { managingEditor: 'Ann' }, says: 'feed.managingEditor' },
    { row: 'F12', feed: { ttl: '59s' }, says: 'feed.ttl' },
    { row: 'F13', feed: { image: { url: '/i.png', width: 145 } }, says: 'feed.image.width' },
    { row: 'F13', feed: { image: { url: '/i.png', height: 401 } }, says: 'feed.image.height' },
  ])('$row: what RSS does not take is refused at registration: $feed', ({ feed, says }) => {
    expect(() => serveFeeds([], { feed: feed as FeedOptions })).toThrow(says)
  })
})

describe('items (SPEC 4.1)', () => {
  it.each([
    { row: 'F20, F21', fields: {}, xpath: 'title | link', found: ['A', 'https://www.example.com/a'] },
    { row: 'F20, F31', fields: { title: 'A <b> & &lt;' }, xpath: 'title', found: ['A <b> & &lt;'] },
    {
      row: 'F31',
      fields: { description: '5 < 8 & <b>' },
      xpath: 'description',
      found: ['5 &lt; 8 & &lt;b>'],
    },
    {
      row: 'F32',
      fields: { description: 'Of the META tag', keywords: ['of', 'the META tag'] },
      xpath: 'description | ror:keywords',
      found: ['Of the META tag', 'of, the META tag'],
    },
    {
      row: 'F22',
      fields: {},
      xpath: 'guid | guid/@isPermaLink',
      found: ['https://www.example.com/a', 'true'],
    },
    {
      row: 'F22',
      fields: { guid: 'urn:a:1' },
      xpath: 'guid | guid/@isPermaLink',
      found: ['urn:a:1', 'false'],
    },
    {
      row: 'F23, F30',
      fields: { published: '2009-03-06T13:03:30Z' },
      xpath: 'pubDate',
      found: ['Fri, 06 Mar 2009 13:03:30 GMT'],
    },
    { row: 'F23', fields: { lastmod: '2026-05-10' }, xpath: 'pubDate', found: [] },
    {
      row: 'F24',
      fields: { author: 'ann@example.com (Ann)' },
      xpath: 'author | dc:creator',
      found: ['ann@example.com (Ann)'],
    },
    { row: 'F24', fields: { author: 'Ann' }, xpath: 'author', found: [] },
    { row: 'F24', fields: { author: ['Ann', 'Bo'] }, xpath: 'dc:creator', found: ['Ann', 'Bo'] },
    { row: 'F25', fields: { categories: 'a, b & c' }, xpath: 'category', found: ['a', 'b & c'] },
    {
      row: 'F26',
      fields: { enclosure: { url: '/a.mp3?b&c', length: 7, type: 'audio/mpeg' } },
      xpath: 'enclosure/@*',
      found: ['https://www.example.com/a.mp3?b&c', '7', 'audio/mpeg'],
    },
    {
      row: 'F26',
      fields: { enclosure: { url: '/a.mp3', type: 'audio/mpeg' } },
      xpath: 'enclosure/@length',
      found: ['0'],
    },
    { row: 'F26', fields: { enclosure: { url: '/a.mp3' } }, xpath: 'enclosure', found: [] },
    {
      row: 'F27',
      fields: { content: '<p>a ]]> b &amp; c</p>' },
      xpath: 'content:encoded',
      found: ['<p>a ]]> b &amp; c</p>'],
    },
    {
      row: 'F28',
      fields: { images: ['/1.png', '/2.png'] },
      xpath: `${media('content')}/@url | ${media('content')}/@medium`,
      found: ['https://www.example.com/1.png', 'image', 'https://www.example.com/2.png', 'image'],
    },
  ])('$row: $fields → $found', async ({ fields, xpath, found }) => {
    const document = await rssOf([untyped({ ...page, ...fields })])
    const paths = xpath.split(' | ').map((path) => `${ITEM}/${path}`)
    expect(texts(document, paths.join(' | '))).toEqual(found)
  })

  it('F22: a guid that two entries claim is no id, so each has an id of its own in every format', async () => {
    const served = serveFeeds([
      { ...page, guid: 'same' },
      { loc: '/b', title: 'B', guid: 'same' },
      { loc: '/c', title: 'C', guid: 'https://www.example.com/a' },
    ])
    const locs = ['a', 'b', 'c'].map((path) => `https://www.example.com/${path}`)
    expect(texts(await served.xml('/feed.rss'), '//item[position() > 2]/guid')).toEqual(locs)
    expect(texts(await served.xml('/feed.atom'), '//atom:entry/atom:id')).toEqual(locs)
    expect(parseJsonFeed(await served.text('/feed.json')).items?.map(({ id }) => id)).toEqual(locs)
  })

  it('F30: the day of the week is the right one, whatever the zone of the server', async () => {
    const days = Array.from({ length: 60 }, (_, i) => new Date(Date.UTC(2024, 1, 1 + i, i % 24, i, i)))
    const document = await rssOf(
      days.map((published, i) => ({ loc: `/${i}`, title: 'T', published })),
      { feed: { limit: 60 } },
    )
    const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
    const written = texts(document, '//pubDate').reverse()
    expect(written).toHaveLength(60)
    for (const [i, text] of written.entries()) {
      expect(text.slice(0, 3)).toBe(names[days[i]?.getUTCDay() ?? -1])
      expect(Date.parse(text)).toBe(days[i]?.getTime())
    }
  })
})

describe('media (SPEC 4.2)', () => {
  const video = { thumbnailLoc: '/t.png', title: 'V', description: 'D', contentLoc: '/v.mp4' }

  it.each([
    {
      says: 'the file, its title, description and thumbnail',
      more: { duration: 90 },
      xpath: `${media('content')}/@* | ${media('content')}/${media('title')} | ${media('content')}/${media('description')} | ${media('content')}/${media('thumbnail')}/@url`,
      found: ['https://www.example.com/v.mp4', 'video', '90', 'V', 'D', 'https://www.example.com/t.png'],
    },
    {
      says: 'the player alone',
      more: { contentLoc: undefined, playerLoc: '/p' },
      xpath: `${media('content')}/@url | ${media('content')}/${media('player')}/@url`,
      found: ['https://www.example.com/p'],
    },
    {
      says: 'texts within the limits of Google',
      more: { title: 't'.repeat(101), description: 'd'.repeat(2_049) },
      xpath: `${media('content')}/${media('title')} | ${media('content')}/${media('description')}`,
      found: ['t'.repeat(100), 'd'.repeat(2_048)],
    },
    {
      says: 'where and until when',
      more: {
        restriction: { relationship: 'deny', countries: ['fr', 'US'] },
        expirationDate: '2030-01-01T00:00:00.5Z',
      },
      xpath: `${media('restriction')} | ${media('restriction')}/@* | *[name() = "dcterms:valid"]`,
      found: ['FR US', 'deny', 'country', 'end=2030-01-01T00:00:00Z; scheme=W3C-DTF'],
    },
  ])('4.2: $says', async ({ more, xpath, found }) => {
    const document = await rssOf([untyped({ ...page, videos: [{ ...video, ...more }] })])
    const paths = xpath.split(' | ').map((path) => `${ITEM}/${path}`)
    expect(texts(document, paths.join(' | ')).sort()).toEqual([...found].sort())
    const root = document.documentElement
    expect(root?.getAttribute('xmlns:media')).toBe('http://search.yahoo.com/mrss/')
  })
})

describe('feeds as sitemaps (SPEC 4.3)', () => {
  it('F40, F41: RSS 2.0 and Atom 1.0 tell link and date of what is new, newest first', async () => {
    const served = serveFeeds([
      { ...page, published: '2026-05-01' },
      { loc: '/b', title: 'B', published: '2026-05-03', lastmod: '2026-05-04' },
      { loc: '/c', title: 'C', lastmod: '2026-05-02' },
    ])
    const rss = parseRssFeed(await served.text('/feed.rss')).items?.slice(2)
    expect(rss?.map(({ link, pubDate }) => [link, pubDate])).toEqual([
      ['https://www.example.com/b', 'Sun, 03 May 2026 00:00:00 GMT'],
      ['https://www.example.com/c', undefined],
      ['https://www.example.com/a', 'Fri, 01 May 2026 00:00:00 GMT'],
    ])
    const atom = parseAtomFeed(await served.text('/feed.atom')).entries
    expect(atom?.map(({ links, updated }) => [links?.[0]?.href, updated])).toEqual([
      ['https://www.example.com/b', '2026-05-04T00:00:00Z'],
      ['https://www.example.com/c', '2026-05-02T00:00:00Z'],
      ['https://www.example.com/a', '2026-05-01T00:00:00Z'],
    ])
  })

  it('F41: a feed carries video, and no news', async () => {
    const served = serveFeeds([
      {
        ...page,
        news: true,
        published: '2026-05-31T20:00:00Z',
        videos: { thumbnailLoc: '/t', title: 'V', description: 'D', contentLoc: '/v' },
      },
    ])
    expect(await served.text('/sitemap.xml')).toContain('<news:news>')
    const document = await served.xml('/feed.rss')
    expect(select(document, `//${media('content')}[@medium="video"]`)).toHaveLength(1)
    expect(select(document, '//news:*')).toEqual([])
  })

  it('F43: the hub and the feed itself are named in header and body, byte for byte alike', async () => {
    const hubs = 'https://hub.example.com/?a=1&b=2'
    const served = serveFeeds([page], { feed: { hubs } })
    for (const path of ['/feed.rss', '/feed.atom']) {
      const links = texts(await served.xml(path), '//atom:link[@rel="hub" or @rel="self"]/@href').sort()
      expect(links).toEqual([hubs, `https://www.example.com${path}`])
      const { link } = (await served.get(path)).headers
      expect(link).toBe(`<${hubs}>; rel="hub", <https://www.example.com${path}>; rel="self"`)
    }
  })

  it.each([
    {
      path: '/feed.rss',
      locsOf: (text: string) =>
        parseRssFeed(text)
          .items?.slice(2)
          .map(({ link }) => link),
    },
    { path: '/feed.atom', locsOf: (text: string) => parseAtomFeed(text).entries?.map(({ id }) => id) },
    { path: '/feed.json', locsOf: (text: string) => parseJsonFeed(text).items?.map(({ url }) => url) },
  ])(
    'F44: $path keeps to maxBytes; what does not fit is left out, what is newer stands',
    async ({ path, locsOf }) => {
      const maxBytes = 20_000
      const content = '<p>é & "q"</p>\u2028'.repeat(50)
      const entries = Array.from({ length: 40 }, (_, i) => ({
        loc: `/${i}`,
        title: `T ${i}`,
        author: 'Ann',
        // One that fits nowhere, among the newest.
        content: i === 38 ? content.repeat(40) : content,
        published: new Date(Date.UTC(2026, 0, 1 + i)),
      }))
      const { body, text } = await serveFeeds(entries, { maxBytes }).get(path)
      expect(body.length).toBeLessThanOrEqual(maxBytes)
      const locs = locsOf(text) ?? []
      const newest = [39, ...Array.from({ length: 38 }, (_, i) => 37 - i)].map(
        (i) => `https://www.example.com/${i}`,
      )
      expect(locs).toEqual(newest.slice(0, locs.length))
      expect(locs.length).toBeGreaterThan(3)
      // One more would not have fitted.
      expect(body.length + (body.length / locs.length) * 1.5).toBeGreaterThan(maxBytes)
      const all = await serveFeeds(entries).text(path)
      expect(locsOf(all)).toHaveLength(40)
    },
  )
})

describe('Atom 1.0 (SPEC 6)', () => {
  async function atomOf(entries: readonly Entry[], options: Partial<TestOptions> = {}): Promise<Document> {
    return serveFeeds(entries, options).xml('/feed.atom')
  }
  const entry = {
    ...page,
    description: 'D & <d>',
    content: '<p>C &amp; c</p>',
    published: '2026-05-10',
    lastmod: '2026-05-11T10:00+02:00',
    lang: 'en',
    alternates: { en: '/a', fr: '/fr/a', de: '/de/a', 'x-default': '/a' },
  }

  it.each([
    { row: 'A1', xpath: '/atom:feed/atom:id', found: ['https://www.example.com/feed.atom'] },
    { row: 'A1', xpath: '/atom:feed/atom:title', found: ['Example'] },
    { row: 'A1', xpath: '/atom:feed/atom:updated', found: ['2026-05-10T00:00:00Z'] },
    { row: 'A1', xpath: '/atom:feed/atom:author/atom:name', found: ['Example'] },
    { row: 'A2, A6', xpath: '//atom:entry/atom:id', found: ['https://www.example.com/a'] },
    { row: 'A2', xpath: '//atom:entry/atom:title', found: ['A'] },
    { row: 'A2, A3', xpath: '//atom:entry/atom:updated', found: ['2026-05-11T10:00:00+02:00'] },
    { row: 'A3', xpath: '//atom:entry/atom:published', found: ['2026-05-10T00:00:00Z'] },
    {
      row: 'A2, A4',
      xpath: '//atom:entry/atom:link[@rel="alternate"]/@*[name() != "rel"]',
      found: [
        ...['en', 'https://www.example.com/a'],
        ...['fr', 'https://www.example.com/fr/a'],
        ...['de', 'https://www.example.com/de/a'],
      ],
    },
    {
      row: 'A4',
      xpath: '/atom:feed/atom:link[@rel="self"]/@href',
      found: ['https://www.example.com/feed.atom'],
    },
    { row: 'A5', xpath: '//atom:entry/atom:content[@type="html"]', found: ['<p>C &amp; c</p>'] },
    { row: 'A5', xpath: '//atom:entry/atom:summary[not(@type)]', found: ['D & <d>'] },
  ])('$row: $xpath', async ({ xpath, found }) => {
    expect(texts(await atomOf([entry]), xpath)).toEqual(found)
  })

  it('A1: an author in the feed unless every entry has one', async () => {
    const other = { loc: '/b', title: 'B', author: 'Bo' }
    const authors = '/atom:feed/atom:author/atom:name'
    expect(texts(await atomOf([{ ...page, author: 'Ann' }, other]), authors)).toEqual([])
    expect(texts(await atomOf([page, other]), authors)).toEqual(['Example'])
    expect(texts(await atomOf([]), authors)).toEqual(['Example'])
    expect(texts(await atomOf([page, other], { feed: { author: 'Us' } }), authors)).toEqual(['Us'])
  })

  it('A3: every date has its time and zone, that of an entry without any too', async () => {
    const document = await atomOf([
      page,
      { loc: '/b', title: 'B', lastmod: '2026-05-10' },
      { loc: '/c', title: 'C', published: '2026-05-10T10:20:30.45-03:30' },
    ])
    const dates = texts(document, '//atom:updated | //atom:published')
    expect(dates.length).toBe(5)
    for (const date of dates)
      expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
  })

  it('A5: is sent as application/atom+xml', async () => {
    const { headers } = await serveFeeds([page]).get('/feed.atom')
    expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  })
})

describe('JSON Feed 1.1 (SPEC 6)', () => {
  async function jsonOf(entries: readonly Entry[], options: Partial<TestOptions> = {}): Promise<unknown> {
    return JSON.parse(await serveFeeds(entries, options).text('/feed.json'))
  }

  it('A10, A12: the feed', async () => {
    expect(
      await jsonOf([], { feed: { hubs: 'https://hub.example.com/', author: 'Ann <ann@example.com>' } }),
    ).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Example',
      home_page_url: 'https://www.example.com/',
      feed_url: 'https://www.example.com/feed.json',
      description: 'News and goods',
      language: 'en',
      authors: [{ name: 'Ann', url: 'mailto:ann@example.com' }],
      hubs: [{ type: 'WebSub', url: 'https://hub.example.com/' }],
      items: [],
    })
  })

  it('A11, A12: items', async () => {
    const whole = {
      ...page,
      guid: 7,
      description: 'D',
      content: '<p>C</p>',
      published: '2026-05-10',
      lastmod: '2026-05-11T10:00+02:00',
      author: ['Ann'],
      categories: ['x'],
      enclosure: { url: '/a.mp3', type: 'audio/mpeg' },
      lang: 'fr',
    }
    expect(await jsonOf([untyped(whole), { loc: '/b', title: 'B' }])).toMatchObject({
      items: [
        {
          id: '7',
          url: 'https://www.example.com/a',
          title: 'A',
          summary: 'D',
          content_html: '<p>C</p>',
          date_published: '2026-05-10T00:00:00Z',
          date_modified: '2026-05-11T10:00:00+02:00',
          authors: [{ name: 'Ann' }],
          tags: ['x'],
          attachments: [{ url: 'https://www.example.com/a.mp3', mime_type: 'audio/mpeg' }],
          language: 'fr',
        },
        { id: 'https://www.example.com/b', url: 'https://www.example.com/b', content_text: 'B' },
      ],
    })
  })

  it('A13: is sent as application/feed+json', async () => {
    const { headers } = await serveFeeds([page]).get('/feed.json')
    expect(headers['content-type']).toBe('application/feed+json; charset=utf-8')
  })
})

describe('all feeds', () => {
  it('F9: no clock: read a year later, the same bytes under the same ETag', async () => {
    const served = serve({ routes, cache: { ttl: '1m' }, providers: { pages: () => [page] } })
    const paths = ['/feed.rss', '/feed.atom', '/feed.json']
    const first = await Promise.all(paths.map((path) => served.get(path)))
    await served.site.clock.advance(365 * 86_400_000)
    await served.site.handle.invalidate()
    for (const [i, path] of paths.entries()) {
      const { text, headers } = await served.get(path)
      expect(text).toBe(first[i]?.text)
      expect(headers.etag).toBe(first[i]?.headers.etag)
    }
  })
})
