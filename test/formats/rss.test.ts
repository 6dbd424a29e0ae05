import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FeedItem } from '../../src/entry/entry.ts'
import type { FeedDocument } from '../../src/formats/format.ts'
import { renderRss } from '../../src/formats/rss.ts'
import { parseXml, rssErrors, select, texts } from '../support/xsd.ts'

const site = { url: 'https://example.com/', title: 'Example', description: 'News and goods', language: 'en' }
const loc = 'https://example.com/a'
const selfUrl = 'https://example.com/feed.rss'
const sitemapUrl = 'https://example.com/sitemap.html'

/** A feed of one item. */
const feedOf = (item: Partial<FeedItem>): FeedDocument => ({
  site,
  selfUrl,
  items: [{ loc, title: 'A', ...item }],
})

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
    const xml = await renderRss({
      site: { ...site, title: 'Q&A; &#0; R&D;' },
      selfUrl,
      sitemapUrl,
      items: [
        {
          loc,
          title: 'Beans & <grinders>',
          description: 'All of them',
          content: '<p>Hello</p>',
          keywords: ['beans', 'grinders'],
          author: ['Anne', 'Bo'],
          categories: ['Goods'],
          published: '2009-03-06T13:03:30Z',
          dateMs: Date.UTC(2009, 2, 6, 13, 3, 30),
          lastmod: '2026-05-10',
          guid: 'urn:a',
          enclosure: { url: 'https://example.com/a.mp3?x&y', length: 0, type: 'audio/mpeg' },
          type: 'Product',
          sortOrder: 0,
          updatePeriod: 'day',
        },
      ],
    })
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:ror="http://rorweb.com/0.1/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
  <channel>
    <title>Q&amp;A; &amp;#0; R&amp;D;</title>
    <link>https://example.com/</link>
    <description>News and goods</description>
    <language>en</language>
    <lastBuildDate>Fri, 06 Mar 2009 13:03:30 GMT</lastBuildDate>
    <generator>live-sitemap</generator>
    <atom:link href="https://example.com/feed.rss" rel="self" type="application/rss+xml"/>
    <item>
      <title>Q&amp;A; &amp;#0; R&amp;D;</title>
      <link>https://example.com/</link>
      <description>News and goods</description>
      <ror:type>Main</ror:type>
      <ror:updated>2009-03-06T13:03:30Z</ror:updated>
    </item>
    <item>
      <title>Sitemap</title>
      <link>https://example.com/sitemap.html</link>
      <ror:about>sitemap</ror:about>
      <ror:type>SiteMap</ror:type>
    </item>
    <item>
      <title>Beans &amp; &lt;grinders&gt;</title>
      <link>https://example.com/a</link>
      <description>All of them</description>
      <guid isPermaLink="false">urn:a</guid>
      <pubDate>Fri, 06 Mar 2009 13:03:30 GMT</pubDate>
      <dc:creator>Anne</dc:creator>
      <dc:creator>Bo</dc:creator>
      <category>Goods</category>
      <enclosure url="https://example.com/a.mp3?x&amp;y" length="0" type="audio/mpeg"/>
      <content:encoded>&lt;p&gt;Hello&lt;/p&gt;</content:encoded>
      <ror:type>Product</ror:type>
      <ror:keywords>beans, grinders</ror:keywords>
      <ror:updated>2026-05-10</ror:updated>
      <ror:updatePeriod>day</ror:updatePeriod>
      <ror:sortOrder>0</ror:sortOrder>
      <ror:resourceOf>sitemap</ror:resourceOf>
    </item>
  </channel>
</rss>
`)
    expect(rssErrors(xml)).toEqual([])
    expect(texts(parseXml(xml), '/rss/channel/title')).toEqual(['Q&A; &#0; R&D;'])
  })

  it('without items, dates, description and HTML sitemap holds the Main item alone (SPEC D11, D12, R5)', async () => {
    const document = await parsed({ site: { ...site, description: '' }, selfUrl, items: [] })
    expect(texts(document, '/rss/channel/description')).toEqual(['Example'])
    expect(select(document, '//lastBuildDate | //ror:updated | //pubDate')).toEqual([])
    expect(texts(document, '//item/ror:type')).toEqual(['Main'])
    expect(select(document, '//item/description | //item/guid')).toEqual([])
  })

  it('names itself in atom:link rel="self" (SPEC F15)', async () => {
    const document = await parsed({ ...feedOf({}), selfUrl: 'https://example.com/feed.rss?a=1&b=2' })
    expect(texts(document, '/rss/channel/atom:link/@*')).toEqual([
      'https://example.com/feed.rss?a=1&b=2',
      'self',
      'application/rss+xml',
    ])
  })

  it('names the SiteMap item in the language of the site', async () => {
    const document = await parsed({ site: { ...site, language: 'fr-CA' }, selfUrl, sitemapUrl, items: [] })
    expect(texts(document, '//item[ror:about="sitemap"]/title')).toEqual(['Plan du site'])
    expect(texts(document, '//item[ror:about="sitemap"]/link')).toEqual([sitemapUrl])
  })

  it('leaves out a language that is no tag (SPEC F6)', async () => {
    const document = await parsed({ ...feedOf({}), site: { ...site, language: 'en US' } })
    expect(select(document, '//language')).toEqual([])
  })

  it('calls the site by its URL where the title is blank', async () => {
    const document = await parsed({ ...feedOf({}), site: { ...site, title: ' ', description: '\u0001' } })
    expect(texts(document, '/rss/channel/title | /rss/channel/description')).toEqual([site.url, site.url])
  })

  it.each([
    { name: 'neither', item: {}, declared: [] },
    { name: 'an author', item: { author: ['Anne'] }, declared: ['xmlns:dc'] },
    { name: 'an author without a name', item: { author: [' '] }, declared: [] },
    { name: 'content', item: { content: '<p>' }, declared: ['xmlns:content'] },
    { name: 'empty content', item: { content: '' }, declared: [] },
  ])('declares namespaces where used: $name', async ({ item, declared }) => {
    await parsed(feedOf(item))
    const xml = await renderRss(feedOf(item))
    expect(xml.match(/xmlns:\w+/g)).toEqual(['xmlns:atom', 'xmlns:ror', ...declared])
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
    const document = await parsed({ site, selfUrl, items })
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
})

describe('ror:resourceOf (R15)', () => {
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
  ])('$name', async ({ sitemapUrl, resourceOf, written }) => {
    const document = await parsed({ ...feedOf({ ...(resourceOf && { resourceOf }) }), sitemapUrl })
    expect(texts(document, `${ITEM}/ror:resourceOf`)).toEqual(written)
    expect(select(document, '//ror:about')).toHaveLength(sitemapUrl ? 1 : 0)
  })
})

describe('rss text', () => {
  /** What XML 1.0 keeps of a text (SPEC U20), said another way than in the code. */
  const kept = (text: string) =>
    Array.from(text.toWellFormed())
      .filter((character) => {
        const point = character.codePointAt(0) ?? 0
        return [9, 10, 13].includes(point) || (point >= 0x20 && point !== 0xfffe && point !== 0xffff)
      })
      .join('')
  const orNothing = (...values: string[]) => values.map(kept).filter((text) => text.trim() !== '')

  // Half of what is tried looks like markup or a reference.
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc
      .array(
        fc.constantFrom(
          '&',
          ';',
          '#',
          'amp',
          'lt',
          '0',
          'x1F',
          '<',
          '>',
          ']]>',
          '"',
          "'",
          '\r',
          '\n',
          '\t',
          '\u0000',
          '\ud800',
          'é',
          ' ',
          '\u0085',
          '\ufffe',
          '<![CDATA[',
          '<!--',
          '{n}',
        ),
        { maxLength: 12 },
      )
      .map((pieces) => pieces.join('')),
  )

  it('any text survives into the parsed document, which stays valid', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (one, two, three, four) => {
        const document = await parsed({
          site: { ...site, title: one, description: two },
          selfUrl,
          sitemapUrl,
          items: [
            {
              loc,
              title: three,
              description: four,
              content: one,
              keywords: [two, three],
              author: [four, one],
              categories: [two],
              guid: three,
              type: four,
              resourceOf: two,
            },
          ],
        })
        const title = orNothing(one)[0] ?? site.url
        expect(texts(document, '/rss/channel/title')).toEqual([title])
        expect(texts(document, '/rss/channel/description')).toEqual([orNothing(two)[0] ?? title])
        expect(texts(document, '/rss/channel/item[1]/title')).toEqual([title])
        expect(texts(document, `${ITEM}/title`)).toEqual([orNothing(three)[0] ?? loc])
        expect(texts(document, `${ITEM}/description`)).toEqual(orNothing(four))
        expect(texts(document, `${ITEM}/content:encoded`)).toEqual(orNothing(one))
        expect(texts(document, `${ITEM}/ror:keywords`)).toEqual(orNothing(orNothing(two, three).join(', ')))
        expect(texts(document, `${ITEM}/dc:creator`)).toEqual(orNothing(four, one))
        expect(texts(document, `${ITEM}/category`)).toEqual(orNothing(two))
        expect(texts(document, `${ITEM}/guid`)).toEqual([orNothing(three)[0] ?? loc])
        expect(texts(document, `${ITEM}/ror:type`)).toEqual(orNothing(four))
        expect(texts(document, `${ITEM}/ror:resourceOf`)).toEqual([orNothing(two)[0] ?? 'sitemap'])
      }),
      { numRuns: 300 },
    )
  })
})

describe('rss of many items', () => {
  let items: FeedItem[]
  beforeAll(() => {
    items = Array.from({ length: 1_000 }, (_, i) => ({
      loc: `${loc}/${i}`,
      title: `Item ${i}`,
      published: '2026-05-10',
    }))
  })

  it('keeps their order and loses none', async () => {
    const document = await parsed({ site, selfUrl, items })
    expect(texts(document, '/rss/channel/item[position() > 1]/link')).toEqual(items.map((item) => item.loc))
  })
})
