import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FeedItem, FeedVideo } from '../../src/entry/entry.ts'
import type { FeedDocument, FeedSettings } from '../../src/formats/feed-document.ts'
import { renderRss } from '../../src/formats/rss.ts'
import { runChild } from '../support/child.ts'
import { parseXml, rssErrors, select, texts } from '../support/xsd.ts'
import {
  anyFeed,
  feedOf,
  feedWith,
  hostileText,
  kept,
  keptList,
  loc,
  site,
  sitemapUrl,
  wholeFeed,
} from './feeds.ts'

/** Rendered, valid and parsed. */
async function parsed(feed: FeedDocument) {
  const xml = await renderRss(feed)
  expect(rssErrors(xml)).toEqual([])
  return parseXml(xml)
}

const ITEM = '/rss/channel/item[last()]'

afterEach(() => {
  vi.useRealTimers()
})

describe('rss document', () => {
  it('reads as one element a line', async () => {
    const xml = await renderRss(wholeFeed)
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:ror="http://rorweb.com/0.1/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/">
  <channel>
    <title>Example – Blog</title>
    <link>https://example.com/</link>
    <description>News and goods</description>
    <language>en</language>
    <copyright>© Example</copyright>
    <managingEditor>anne@example.com (Anne)</managingEditor>
    <webMaster>bo@example.com</webMaster>
    <lastBuildDate>Fri, 06 Mar 2009 13:03:30 GMT</lastBuildDate>
    <category>News</category>
    <category>Goods</category>
    <generator>live-sitemap</generator>
    <docs>https://www.rssboard.org/rss-specification</docs>
    <ttl>60</ttl>
    <image>
      <url>https://example.com/logo.png</url>
      <title>Example – Blog</title>
      <link>https://example.com/</link>
      <width>88</width>
      <height>31</height>
    </image>
    <atom:link href="https://example.com/feed" rel="self" type="application/rss+xml"/>
    <atom:link href="https://hub.example/?a=1&amp;b=2" rel="hub"/>
    <atom:link href="https://other.example/" rel="hub"/>
    <item>
      <title>Example</title>
      <link>https://example.com/</link>
      <description>News and goods</description>
      <guid isPermaLink="false">https://example.com/#main</guid>
      <ror:type>Main</ror:type>
      <ror:updated>2009-03-06T13:03:30Z</ror:updated>
      <ror:seeAlso>https://example.com/feed-blog.rss</ror:seeAlso>
      <ror:seeAlso>https://example.com/feed-shop.rss</ror:seeAlso>
    </item>
    <item>
      <title>Sitemap</title>
      <link>https://example.com/sitemap.html</link>
      <guid isPermaLink="false">https://example.com/sitemap.html#sitemap</guid>
      <ror:about>sitemap</ror:about>
      <ror:type>SiteMap</ror:type>
    </item>
    <item>
      <title>Beans &amp; &lt;grinders&gt;</title>
      <link>https://example.com/a</link>
      <description>All of &amp;lt;them&gt;, salt &amp; pepper</description>
      <guid isPermaLink="false">urn:isbn:9</guid>
      <pubDate>Fri, 06 Mar 2009 13:03:30 GMT</pubDate>
      <dc:creator>Anne</dc:creator>
      <dc:creator>Bo</dc:creator>
      <category>Goods</category>
      <category>Kitchen</category>
      <enclosure url="https://example.com/a.mp3?x&amp;y" length="1234" type="audio/mpeg"/>
      <content:encoded>&lt;p&gt;Hello &amp;amp; &lt;a href=&quot;/b&quot;&gt;b&lt;/a&gt;&lt;/p&gt;</content:encoded>
      <media:content url="https://example.com/1.png" medium="image"/>
      <media:content url="https://example.com/2.png" medium="image">
        <media:title>Two</media:title>
        <media:description>The second</media:description>
      </media:content>
      <ror:type>Product</ror:type>
      <ror:keywords>beans, grinders</ror:keywords>
      <ror:image>https://example.com/1.png</ror:image>
      <ror:updated>2026-05-10</ror:updated>
      <ror:updatePeriod>day</ror:updatePeriod>
      <ror:sortOrder>0</ror:sortOrder>
      <ror:resourceOf>sitemap</ror:resourceOf>
    </item>
    <item>
      <title>A film</title>
      <link>https://example.com/film</link>
      <guid isPermaLink="true">https://example.com/film</guid>
      <pubDate>Fri, 06 Mar 2009 04:00:00 GMT</pubDate>
      <author>cy@example.com (Cy)</author>
      <media:content url="https://example.com/film.mp4" medium="video" duration="90">
        <media:player url="https://example.com/player?v=1&amp;w=2"/>
        <media:title>Film</media:title>
        <media:description>A short film</media:description>
        <media:thumbnail url="https://example.com/t.png"/>
      </media:content>
      <media:restriction relationship="allow" type="country">FR US</media:restriction>
      <dcterms:valid>end=2030-01-01; scheme=W3C-DTF</dcterms:valid>
      <ror:resourceOf>sitemap</ror:resourceOf>
    </item>
    <item>
      <title>Plain</title>
      <link>https://example.com/c</link>
      <guid isPermaLink="true">https://example.com/c</guid>
      <ror:resourceOf>sitemap</ror:resourceOf>
    </item>
  </channel>
</rss>
`)
    expect(rssErrors(xml)).toEqual([])
  })

  it('without items, dates, description and HTML sitemap holds the Main item alone (SPEC D11, D12, R5)', async () => {
    const document = await parsed(feedWith({ site: { ...site, description: '' } }))
    expect(texts(document, '/rss/channel/description')).toEqual(['Example'])
    expect(select(document, '//lastBuildDate | //ror:updated | //pubDate')).toEqual([])
    expect(texts(document, '//item/ror:type')).toEqual(['Main'])
    expect(select(document, '//item/description')).toEqual([])
  })

  it('keeps references in the words of the site as they are', async () => {
    const document = await parsed(feedWith({ site: { ...site, title: 'Q&A; &#0; R&D;' } }))
    expect(texts(document, '/rss/channel/title')).toEqual(['Q&A; &#0; R&D;'])
  })

  it('has every item behind the elements of the channel (SPEC F17)', async () => {
    const document = await parsed(wholeFeed)
    expect(select(document, '/rss/channel/item/following-sibling::*[not(self::item)]')).toEqual([])
  })

  it('names itself in atom:link rel="self" (SPEC F15, P12)', async () => {
    const document = await parsed(feedWith({ selfUrl: 'https://example.com/feed.rss?a=1&b=2' }))
    expect(texts(document, '/rss/channel/atom:link/@*')).toEqual([
      'https://example.com/feed.rss?a=1&b=2',
      'self',
      'application/rss+xml',
    ])
  })

  it('names its hubs behind itself (SPEC F16, P10)', async () => {
    const hubs = ['https://hub.example/?a&b', 'https://other.example/']
    const document = await parsed(feedWith({ settings: { hubs } }))
    expect(texts(document, '/rss/channel/atom:link/@rel')).toEqual(['self', 'hub', 'hub'])
    expect(texts(document, '/rss/channel/atom:link[@rel="hub"]/@href')).toEqual(hubs)
  })

  it('names the SiteMap item in the language of the site', async () => {
    const document = await parsed(feedWith({ site: { ...site, language: 'fr-CA' }, sitemapUrl }))
    expect(texts(document, '//item[ror:about="sitemap"]/title')).toEqual(['Plan du site'])
    expect(texts(document, '//item[ror:about="sitemap"]/link')).toEqual([sitemapUrl])
  })

  it.each(['en US', '', 'x-default', 'en_US'])(
    'leaves out a language that is no tag (SPEC F6): "%s"',
    async (language) => {
      const document = await parsed(feedWith({ site: { ...site, language } }))
      expect(select(document, '//language')).toEqual([])
    },
  )

  it('calls the site by its URL where the title is blank', async () => {
    const document = await parsed(feedWith({ site: { ...site, title: ' ', description: '\u0001' } }))
    expect(texts(document, '/rss/channel/title | /rss/channel/description')).toEqual([site.url, site.url])
  })

  it('a section feed is named after both, its Main item after the site alone (SPEC R5)', async () => {
    const document = await parsed(feedWith({ section: 'Blog & more' }))
    expect(texts(document, '/rss/channel/title')).toEqual(['Example – Blog & more'])
    expect(texts(document, '//item/title')).toEqual(['Example'])
  })

  it('a section with a blank title adds nothing', async () => {
    expect(texts(await parsed(feedWith({ section: ' \u0000' })), '/rss/channel/title')).toEqual(['Example'])
  })

  it.each([
    { name: 'neither', item: {}, declared: [] },
    { name: 'an author', item: { author: ['Anne'] }, declared: ['xmlns:dc'] },
    { name: 'an author with an e-mail', item: { author: ['a@e.com'] }, declared: [] },
    { name: 'an author without a name', item: { author: [' '] }, declared: [] },
    { name: 'content', item: { content: '<p>' }, declared: ['xmlns:content'] },
    { name: 'empty content', item: { content: '' }, declared: [] },
    { name: 'an image', item: { images: [{ loc }] }, declared: ['xmlns:media'] },
    { name: 'the words of a namespace', item: { title: '<media:a xmlns:b="c">' }, declared: [] },
  ])('declares namespaces where used: $name', async ({ item, declared }) => {
    await parsed(feedOf(item))
    const xml = await renderRss(feedOf(item))
    expect(xml.match(/ xmlns:\w+(?==")/g)?.map((name) => name.trim())).toEqual([
      'xmlns:atom',
      'xmlns:ror',
      ...declared,
    ])
  })
})

describe('rss channel', () => {
  const inChannel = async (settings: Partial<FeedSettings>, path: string) =>
    texts(await parsed(feedWith({ settings })), `/rss/channel/${path}`)

  it.each<{ name: string; settings: Partial<FeedSettings>; path: string; written: string[] }>([
    { name: 'F7 copyright', settings: { copyright: '© A & B' }, path: 'copyright', written: ['© A & B'] },
    { name: 'F7 no copyright', settings: {}, path: 'copyright', written: [] },
    { name: 'F7 blank copyright', settings: { copyright: ' ' }, path: 'copyright', written: [] },
    {
      name: 'F7 docs',
      settings: {},
      path: 'docs',
      written: ['https://www.rssboard.org/rss-specification'],
    },
    {
      name: 'F8 editor',
      settings: { managingEditor: 'a@e.com (Ann)' },
      path: 'managingEditor',
      written: ['a@e.com (Ann)'],
    },
    { name: 'F8 web master', settings: { webMaster: 'a@e.com' }, path: 'webMaster', written: ['a@e.com'] },
    {
      name: 'F10 categories',
      settings: { categories: ['A', ' ', '<B>'] },
      path: 'category',
      written: ['A', '<B>'],
    },
    { name: 'F12 ttl', settings: { ttlMinutes: 60 }, path: 'ttl', written: ['60'] },
    { name: 'F12 no ttl', settings: {}, path: 'ttl', written: [] },
  ])('$name', async ({ settings, path, written }) => {
    expect(await inChannel(settings, path)).toEqual(written)
  })

  it.each([
    { name: 'no size known', size: {}, written: [] },
    { name: 'both in limits', size: { width: 144, height: 400 }, written: ['144', '400'] },
    { name: 'one known', size: { height: 40 }, written: ['40'] },
    { name: 'too wide', size: { width: 145, height: 20 }, written: [] },
    { name: 'too high', size: { width: 20, height: 401 }, written: [] },
    { name: 'no pixel', size: { width: 0 }, written: [] },
  ])('image (F13), as title and link the channel has: $name', async ({ size, written }) => {
    const image = { url: 'https://example.com/l.png?a&b', ...size }
    const document = await parsed(feedWith({ section: 'Blog', settings: { image } }))
    expect(texts(document, '/rss/channel/image/*')).toEqual([
      image.url,
      ...texts(document, '/rss/channel/title | /rss/channel/link'),
      ...written,
    ])
  })
})

describe('rss dates', () => {
  it('lastBuildDate and the Main item take the newest dateMs, wherever it stands (DESIGN 3.11)', async () => {
    const at = (day: number) => Date.UTC(2026, 4, day, 8, 0, 0, 500)
    const items = [undefined, at(3), at(9), at(1)].map((dateMs, i) => ({
      loc: `${loc}${i}`,
      title: 'A',
      ...(dateMs !== undefined && { dateMs }),
    }))
    const document = await parsed(feedWith({ items }))
    expect(texts(document, '/rss/channel/lastBuildDate')).toEqual(['Sat, 09 May 2026 08:00:00 GMT'])
    expect(texts(document, '//item[ror:type="Main"]/ror:updated')).toEqual(['2026-05-09T08:00:00Z'])
  })

  it('1970 is a date', async () => {
    const document = await parsed(feedOf({ dateMs: 0 }))
    expect(texts(document, '//lastBuildDate')).toEqual(['Thu, 01 Jan 1970 00:00:00 GMT'])
  })

  it.each([
    { name: 'F30 in UTC', published: '2009-03-06T13:03:30Z', pubDate: 'Fri, 06 Mar 2009 13:03:30 GMT' },
    { name: 'W3, midnight UTC', published: '2026-05-10', pubDate: 'Sun, 10 May 2026 00:00:00 GMT' },
    { name: 'W4', published: '2026-05-10T10:20+01:00', pubDate: 'Sun, 10 May 2026 09:20:00 GMT' },
    { name: 'W5', published: '2026-05-10T23:20:30-05:30', pubDate: 'Mon, 11 May 2026 04:50:30 GMT' },
    { name: 'W6', published: '2026-05-10T10:20:30.45Z', pubDate: 'Sun, 10 May 2026 10:20:30 GMT' },
    {
      name: 'a time without zone, UTC',
      published: '2026-05-10T10:20:30',
      pubDate: 'Sun, 10 May 2026 10:20:30 GMT',
    },
    { name: 'no date', published: 'soon', pubDate: undefined },
    { name: 'absent', published: undefined, pubDate: undefined },
  ])('pubDate (F23, F30): $name', async ({ published, pubDate }) => {
    const document = await parsed(feedOf({ lastmod: '2026-06-01', ...(published && { published }) }))
    expect(texts(document, `${ITEM}/pubDate`)).toEqual(pubDate ? [pubDate] : [])
    expect(texts(document, `${ITEM}/ror:updated`)).toEqual(['2026-06-01'])
  })

  it('no clock: another hour, the same bytes', async () => {
    const feed = { ...feedOf({ lastmod: '2026-06-01' }), sitemapUrl }
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] })
    const before = await renderRss(feed)
    vi.setSystemTime(Date.UTC(2031, 6, 7, 1, 2, 3))
    expect(await renderRss(feed)).toBe(before)
    expect(before).not.toMatch(/lastBuildDate|2031/)
  })
})

describe('rss guid (F22)', () => {
  it.each([
    { name: 'none: the loc', guid: undefined, text: loc, isPermaLink: 'true' },
    { name: 'equal to loc', guid: loc, text: loc, isPermaLink: 'true' },
    {
      name: 'another URL is an id, not a link',
      guid: 'https://example.com/?p=7',
      text: 'https://example.com/?p=7',
      isPermaLink: 'false',
    },
    { name: 'any id', guid: 'urn:uuid:1225c695', text: 'urn:uuid:1225c695', isPermaLink: 'false' },
    { name: 'number as text', guid: '7', text: '7', isPermaLink: 'false' },
    { name: 'blank: the loc', guid: ' \u0000', text: loc, isPermaLink: 'true' },
  ])('$name', async ({ guid, text, isPermaLink }) => {
    const document = await parsed(feedOf({ ...(guid !== undefined && { guid }) }))
    expect(texts(document, `${ITEM}/guid`)).toEqual([text])
    expect(texts(document, `${ITEM}/guid/@isPermaLink`)).toEqual([isPermaLink])
  })

  it('one that two items claim, or that is the loc of another, names none of them', async () => {
    const items = [
      { loc: `${loc}1`, title: 'A', guid: 'x' },
      { loc: `${loc}2`, title: 'B', guid: 'x' },
      { loc: `${loc}3`, title: 'C', guid: `${loc}2` },
      { loc: `${loc}4`, title: 'D', guid: 'y' },
    ]
    const document = await parsed(feedWith({ items }))
    expect(texts(document, '//item[position() > 1]/guid')).toEqual([`${loc}1`, `${loc}2`, `${loc}3`, 'y'])
  })

  it("the site's own items have ids that no page has", async () => {
    const items = [site.url, sitemapUrl].map((url) => ({ loc: url, title: 'A' }))
    const guids = texts(await parsed(feedWith({ sitemapUrl, items })), '//item/guid')
    expect(new Set(guids).size).toBe(4)
  })
})

describe('rss author (F24)', () => {
  it.each([
    { author: ['Anne'], written: ['dc:creator Anne'] },
    { author: ['Anne', 'Bo'], written: ['dc:creator Anne', 'dc:creator Bo'] },
    { author: ['a@e.com'], written: ['author a@e.com'] },
    { author: ['a@e.com (Anne B)'], written: ['author a@e.com (Anne B)'] },
    { author: ['Anne B <a@e.com>'], written: ['author a@e.com (Anne B)'] },
    { author: [' ', 'a@e.com'], written: ['author a@e.com'] },
    { author: ['a@e.com', 'Bo'], written: ['dc:creator a@e.com', 'dc:creator Bo'] },
    { author: ['@anne'], written: ['dc:creator @anne'] },
    { author: ['Anne (B)'], written: ['dc:creator Anne (B)'] },
    { author: ['Anne <b>'], written: ['dc:creator Anne <b>'] },
    { author: [], written: [] },
  ])('$author', async ({ author, written }) => {
    const document = await parsed(feedOf({ author }))
    const found = select(document, `${ITEM}/author | ${ITEM}/dc:creator`)
    expect(found.map((node) => `${node.nodeName} ${node.textContent}`)).toEqual(written)
  })
})

describe('rss description (F31)', () => {
  it.each([
    { name: 'plain text', description: 'Salt & pepper > all', html: 'Salt & pepper > all' },
    { name: 'a tag', description: 'Use <script> here', html: 'Use &lt;script> here' },
    { name: 'a reference', description: '&amp; &#38; AT&T', html: '&amp;amp; &amp;#38; AT&amp;T' },
    { name: 'a bare less-than', description: '5 < 8', html: '5 &lt; 8' },
  ])('is HTML that shows the text: $name', async ({ description, html }) => {
    const document = await parsed(feedOf({ description }))
    expect(texts(document, `${ITEM}/description`)).toEqual([html])
  })

  it('the channel has plain text', async () => {
    const document = await parsed(feedWith({ site: { ...site, description: 'Use <b>' } }))
    expect(texts(document, '//description')).toEqual(['Use <b>', 'Use &lt;b>'])
  })
})

describe('ror', () => {
  it.each([
    { name: 'with an HTML sitemap', sitemapUrl, resourceOf: undefined, written: ['sitemap'] },
    { name: 'without one', sitemapUrl: undefined, resourceOf: undefined, written: [] },
    { name: "the entry's own", sitemapUrl, resourceOf: 'shop', written: ['shop'] },
    {
      name: "the entry's own without an HTML sitemap",
      sitemapUrl: undefined,
      resourceOf: 'shop',
      written: ['shop'],
    },
  ])('resourceOf (R15, R16): $name', async ({ sitemapUrl, resourceOf, written }) => {
    const document = await parsed({ ...feedOf({ ...(resourceOf && { resourceOf }) }), sitemapUrl })
    expect(texts(document, `${ITEM}/ror:resourceOf`)).toEqual(written)
    expect(select(document, '//ror:about')).toHaveLength(sitemapUrl ? 1 : 0)
  })

  it('the Main item names the other feeds (R4)', async () => {
    const seeAlso = ['https://example.com/feed-a.rss?x&y', 'https://example.com/feed-b.rss']
    const document = await parsed({ ...feedOf({}), seeAlso })
    expect(texts(document, '//item[ror:type="Main"]/ror:seeAlso')).toEqual(seeAlso)
    expect(select(document, '//ror:seeAlso')).toHaveLength(2)
  })

  it('the image of an item is its first (R17)', async () => {
    const images = [{ loc: 'https://example.com/1.png' }, { loc: 'https://example.com/2.png' }]
    expect(texts(await parsed(feedOf({ images })), '//ror:image')).toEqual(['https://example.com/1.png'])
    expect(texts(await parsed(feedOf({ images: [] })), '//ror:image')).toEqual([])
  })
})

describe('media (SPEC 4.2)', () => {
  const video: FeedVideo = {
    thumbnailLoc: 'https://example.com/t.png?a&b',
    title: 'A <film>',
    description: 'Short & sweet',
    contentLoc: 'https://example.com/film.mp4',
  }
  const { contentLoc: _, ...withoutContent } = video
  const limits = {
    expirationDate: '2030-01-01T00:00:00+01:00',
    restriction: { relationship: 'deny', countries: 'FR US' },
  } as const
  const MEDIA = `${ITEM}/*[name()="media:content"]`

  it('a video with its file', async () => {
    const document = await parsed(feedOf({ videos: [{ ...video, duration: 90 }] }))
    expect(texts(document, `${MEDIA}/@*`)).toEqual([video.contentLoc, 'video', '90'])
    expect(texts(document, `${MEDIA}/*`)).toEqual([video.title, video.description, ''])
    expect(texts(document, `${MEDIA}/*[name()="media:thumbnail"]/@url`)).toEqual([video.thumbnailLoc])
  })

  it('a video with its player alone', async () => {
    const document = await parsed(
      feedOf({ videos: [{ ...withoutContent, playerLoc: 'https://example.com/p?v=1&w=2' }] }),
    )
    expect(texts(document, `${MEDIA}/@*`)).toEqual(['video'])
    expect(texts(document, `${MEDIA}/*[name()="media:player"]/@url`)).toEqual([
      'https://example.com/p?v=1&w=2',
    ])
  })

  it.each<{ name: string; item: Partial<FeedItem>; parent: string; times: number }>([
    {
      name: 'of a lone video beside it',
      item: { videos: [{ ...video, ...limits }] },
      parent: 'item',
      times: 1,
    },
    {
      name: 'of several videos inside each',
      item: { videos: [{ ...video, ...limits }, video, { ...video, ...limits }] },
      parent: 'media:content',
      times: 2,
    },
    {
      name: 'of a video among images inside it',
      item: { videos: [{ ...video, ...limits }], images: [{ loc }] },
      parent: 'media:content',
      times: 1,
    },
    { name: 'absent', item: { videos: [video, video] }, parent: 'media:content', times: 0 },
  ])('limits $name', async ({ item, parent, times }) => {
    const document = await parsed(feedOf(item))
    const found = (name: string) => texts(document, `//*[name()="${name}"][name(..)="${parent}"]`)
    expect(found('media:restriction')).toEqual(Array(times).fill('FR US'))
    expect(found('dcterms:valid')).toEqual(Array(times).fill('end=2030-01-01T00:00:00+01:00; scheme=W3C-DTF'))
    expect(texts(document, '//*[name()="media:restriction"]/@relationship')).toEqual(
      Array(times).fill('deny'),
    )
    expect(await renderRss(feedOf(item))).toMatch(times > 0 ? /xmlns:dcterms/ : /^(?![\s\S]*xmlns:dcterms)/)
  })

  it('images with what is said of them', async () => {
    const images = [{ loc: `${loc}.png?a&b` }, { loc, title: 'Two <b>' }, { loc, caption: ' ' }]
    const document = await parsed(feedOf({ images }))
    expect(texts(document, `${MEDIA}/@url`)).toEqual([`${loc}.png?a&b`, loc, loc])
    expect(texts(document, `${MEDIA}/@medium`)).toEqual(['image', 'image', 'image'])
    expect(texts(document, `${MEDIA}/*`)).toEqual(['Two <b>'])
  })
})

describe('rss of anything', () => {
  it('any feed is valid, and the same bytes each time', async () => {
    await fc.assert(
      fc.asyncProperty(anyFeed, async (feed) => {
        const xml = await renderRss(feed)
        expect(rssErrors(xml)).toEqual([])
        expect(await renderRss(structuredClone(feed))).toBe(xml)
        const document = parseXml(xml)
        const guids = texts(document, '//item/guid')
        expect(new Set(guids).size).toBe(guids.length)
        expect(select(document, '//*[not(node()) and not(@*)]')).toEqual([])
        expect(texts(document, '/rss/channel/item/link').slice(feed.sitemapUrl ? 2 : 1)).toEqual(
          feed.items.map((item) => item.loc),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('any text survives into the parsed document', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, hostileText, hostileText, async (one, two, three, four) => {
        const document = await parsed(
          feedWith({
            site: { ...site, title: one, description: two },
            settings: { copyright: three, categories: [four] },
            sitemapUrl,
            items: [
              {
                loc,
                title: three,
                content: one,
                keywords: [two, three],
                author: [four, `${one}.`],
                categories: [two],
                guid: three,
                type: four,
                resourceOf: two,
                images: [{ loc, title: one, caption: two }],
              },
            ],
          }),
        )
        const title = keptList([one])[0] ?? site.url
        expect(texts(document, '/rss/channel/title')).toEqual([title])
        expect(texts(document, '/rss/channel/description')).toEqual([keptList([two])[0] ?? title])
        expect(texts(document, '/rss/channel/copyright')).toEqual(keptList([three]))
        expect(texts(document, '/rss/channel/category')).toEqual(keptList([four]))
        expect(texts(document, '/rss/channel/item[1]/title')).toEqual([title])
        expect(texts(document, `${ITEM}/title`)).toEqual([keptList([three])[0] ?? loc])
        expect(texts(document, `${ITEM}/content:encoded`)).toEqual(keptList([one]))
        expect(texts(document, `${ITEM}/ror:keywords`)).toEqual(keptList([keptList([two, three]).join(', ')]))
        expect(texts(document, `${ITEM}/dc:creator`)).toEqual([...keptList([four]), kept(`${one}.`)])
        expect(texts(document, `${ITEM}/category`)).toEqual(keptList([two]))
        expect(texts(document, `${ITEM}/guid`)).toEqual([keptList([three])[0] ?? loc])
        expect(texts(document, `${ITEM}/ror:type`)).toEqual(keptList([four]))
        expect(texts(document, `${ITEM}/ror:resourceOf`)).toEqual([keptList([two])[0] ?? 'sitemap'])
        expect(texts(document, `${ITEM}/*[name()="media:content"]/*`)).toEqual(keptList([one, two]))
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    { name: 'ampersands', piece: '&' },
    { name: 'ends of CDATA', piece: ']]>' },
    { name: 'spaces', piece: ' ' },
    { name: 'lone surrogates', piece: '\ud800' },
    { name: 'brackets', piece: '(<' },
  ])('200,000 $name are valid', async ({ piece }) => {
    const long = piece.repeat(200_000)
    await parsed(feedOf({ title: long, description: long, content: long, author: [long], guid: long }))
  })
})

describe('rss of many items', () => {
  let items: FeedItem[]
  beforeAll(() => {
    items = Array.from({ length: 300 }, (_, i) => ({
      loc: `${loc}/${i}`,
      title: `Item ${i}`,
      published: '2026-05-10',
    }))
  })

  it('keeps their order and loses none', async () => {
    const document = await parsed(feedWith({ items }))
    expect(texts(document, '/rss/channel/item[position() > 1]/link')).toEqual(items.map((item) => item.loc))
  })
})

it('feeds are the same in every time zone and locale (DESIGN 3.7)', async () => {
  const script = new URL('print-feeds.ts', import.meta.url)
  const here = await runChild(script, { env: { TZ: 'UTC', LC_ALL: 'en_US.UTF-8' } })
  const there = await runChild(script, { env: { TZ: 'America/Los_Angeles', LC_ALL: 'de_DE.UTF-8' } })
  expect([here.err, there.err]).toEqual(['0 1,234.5', '480 1.234,5'])
  expect(here.out).toContain('<pubDate>')
  expect(there.out).toBe(here.out)
})
