import type { Element } from '@xmldom/xmldom'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FeedItem } from '../../src/entry/entry.ts'
import { renderAtom } from '../../src/formats/atom.ts'
import type { FeedDocument } from '../../src/formats/feed-document.ts'
import { parseXml, select, texts } from '../support/xsd.ts'
import { anyFeed, feedOf, feedWith, hostileText, keptList, loc, selfUrl, site, wholeFeed } from './feeds.ts'

const parsed = (feed: FeedDocument) => parseXml(renderAtom(feed))
const ENTRY = '/atom:feed/atom:entry'
const EPOCH = '1970-01-01T00:00:00Z'
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const LANGUAGE = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/

/** What RFC 4287 asks of a feed or an entry: children once, once at most, any number of times; no others. */
const CHILDREN = {
  feed: {
    once: ['id', 'title', 'updated'],
    atMostOnce: ['subtitle', 'icon', 'logo', 'rights', 'generator'],
    any: ['link', 'author', 'category', 'entry'],
  },
  entry: {
    once: ['id', 'title', 'updated'],
    atMostOnce: ['published', 'summary', 'content'],
    any: ['link', 'author', 'category'],
  },
} as const

const attribute = (node: object, name: string): string | undefined =>
  (node as Element).getAttribute(name) ?? undefined

/** Every fault of a document against SPEC A1 to A5; empty where there is none. */
function faultsOf(xml: string): string[] {
  const document = parseXml(xml)
  const faults: string[] = []
  for (const [name, { once, atMostOnce, any }] of Object.entries(CHILDREN)) {
    for (const node of select(document, `//atom:${name}`)) {
      const children = select(node, 'atom:*').map((child) => child.nodeName)
      const count = (child: string) => children.filter((other) => other === child).length
      for (const child of once) if (count(child) !== 1) faults.push(`${name} has ${count(child)} ${child}`)
      for (const child of atMostOnce)
        if (count(child) > 1) faults.push(`${name} has ${count(child)} ${child}`)
      const known: string[] = [...once, ...atMostOnce, ...any]
      faults.push(...children.filter((child) => !known.includes(child)).map((child) => `${child} in ${name}`))
      const alternates = select(node, 'atom:link[@rel="alternate"]').map(
        (link) => `${attribute(link, 'type')} ${attribute(link, 'hreflang')?.toLowerCase()}`,
      )
      if (new Set(alternates).size !== alternates.length) faults.push('alternates of one type and hreflang')
      if (alternates.length === 0) faults.push(`${name} without an alternate`)
    }
  }
  if (select(document, '/atom:feed/atom:link[@rel="self"]').length !== 1) faults.push('not one self')
  if (select(document, '/atom:feed[not(atom:author)]/atom:entry[not(atom:author)]').length > 0)
    faults.push('no author')
  if (select(document, '/atom:feed[not(atom:author) and not(atom:entry)]').length > 0)
    faults.push('no author')
  const ids = texts(document, '//atom:id')
  if (new Set(ids).size !== ids.length) faults.push('an id twice')
  faults.push(...ids.filter((id) => !/^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(id)))
  faults.push(
    ...texts(document, '//atom:updated | //atom:published').filter(
      (date) => !RFC_3339.test(date) || Number.isNaN(Date.parse(date)),
    ),
  )
  const languages = [
    ...select(document, '//atom:*').map((node) => attribute(node, 'xml:lang')),
    ...texts(document, '//@hreflang'),
  ]
  faults.push(
    ...languages.filter((language) => language !== undefined && !LANGUAGE.test(language)).map(String),
  )
  faults.push(
    ...select(document, '//atom:*[not(node()) and not(@*)]').map((node) => `${node.nodeName} is empty`),
  )
  faults.push(...texts(document, '//atom:name | //@term').filter((text) => text.trim() === ''))
  faults.push(...texts(document, '//atom:email').filter((text) => !/^[^@\s]+@[^@\s]+$/.test(text)))
  return faults
}

afterEach(() => {
  vi.useRealTimers()
})

describe('atom document', () => {
  it('reads as one element a line', () => {
    expect(renderAtom(wholeFeed)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>https://example.com/feed</id>
  <title>Example – Blog</title>
  <subtitle>News and goods</subtitle>
  <updated>2009-03-06T13:03:30Z</updated>
  <link rel="self" type="application/atom+xml" href="https://example.com/feed"/>
  <link rel="alternate" type="text/html" href="https://example.com/"/>
  <link rel="hub" href="https://hub.example/?a=1&amp;b=2"/>
  <link rel="hub" href="https://other.example/"/>
  <author>
    <name>Anne</name>
  </author>
  <category term="News"/>
  <category term="Goods"/>
  <logo>https://example.com/logo.png</logo>
  <rights>© Example</rights>
  <generator>live-sitemap</generator>
  <entry xml:lang="fr">
    <id>urn:isbn:9</id>
    <title>Beans &amp; &lt;grinders&gt;</title>
    <updated>2026-05-10T00:00:00Z</updated>
    <published>2009-03-06T13:03:30Z</published>
    <link rel="alternate" hreflang="fr" href="https://example.com/a"/>
    <link rel="alternate" hreflang="en" href="https://example.com/en/a"/>
    <link rel="enclosure" type="audio/mpeg" length="1234" href="https://example.com/a.mp3?x&amp;y"/>
    <author>
      <name>Anne</name>
    </author>
    <author>
      <name>Bo</name>
    </author>
    <category term="Goods"/>
    <category term="Kitchen"/>
    <summary>All of &lt;them&gt;, salt &amp; pepper</summary>
    <content type="html" xml:base="https://example.com/a">&lt;p&gt;Hello &amp;amp; &lt;a href=&quot;/b&quot;&gt;b&lt;/a&gt;&lt;/p&gt;</content>
  </entry>
  <entry>
    <id>https://example.com/film</id>
    <title>A film</title>
    <updated>2009-03-05T23:00:00-05:00</updated>
    <published>2009-03-05T23:00:00-05:00</published>
    <link rel="alternate" href="https://example.com/film"/>
    <author>
      <name>Cy</name>
      <email>cy@example.com</email>
    </author>
  </entry>
  <entry>
    <id>https://example.com/c</id>
    <title>Plain</title>
    <updated>1970-01-01T00:00:00Z</updated>
    <link rel="alternate" href="https://example.com/c"/>
  </entry>
</feed>
`)
    expect(faultsOf(renderAtom(wholeFeed))).toEqual([])
  })

  it('without items, dates and words has what must be there (A1, DESIGN 3.11)', () => {
    const xml = renderAtom(feedWith({ site: { url: site.url, title: '', description: '', language: '' } }))
    expect(faultsOf(xml)).toEqual([])
    const document = parseXml(xml)
    expect(texts(document, '/atom:feed/atom:*').map((text) => text.trim())).toEqual([
      selfUrl,
      site.url,
      EPOCH,
      '',
      '',
      site.url,
      'live-sitemap',
    ])
    expect(attribute(select(document, '/atom:feed')[0] ?? {}, 'xml:lang')).toBeUndefined()
  })

  it('links itself, the site and the hubs (A4, P10, P12)', () => {
    const hubs = ['https://hub.example/?a&b']
    const document = parsed(feedWith({ selfUrl: `${selfUrl}?a&b`, settings: { hubs } }))
    const links = select(document, '/atom:feed/atom:link').map((link) =>
      ['rel', 'type', 'href'].map((name) => attribute(link, name)),
    )
    expect(links).toEqual([
      ['self', 'application/atom+xml', `${selfUrl}?a&b`],
      ['alternate', 'text/html', site.url],
      ['hub', undefined, 'https://hub.example/?a&b'],
    ])
    expect(texts(document, '/atom:feed/atom:id')).toEqual([`${selfUrl}?a&b`])
  })

  it.each([
    { name: 'no size known', size: {}, element: 'logo' },
    { name: 'square', size: { width: 64, height: 64 }, element: 'icon' },
    { name: 'not square', size: { width: 88, height: 31 }, element: 'logo' },
    { name: 'half known', size: { height: 31 }, element: 'logo' },
  ])('an image is icon or logo: $name', ({ size, element }) => {
    const document = parsed(feedWith({ settings: { image: { url: loc, ...size } } }))
    const found = select(document, '//atom:icon | //atom:logo')
    expect(found.map((node) => `${node.nodeName} ${node.textContent}`)).toEqual([`${element} ${loc}`])
  })

  it('a section feed is named after both', () => {
    expect(texts(parsed(feedWith({ section: 'Blog' })), '/atom:feed/atom:title')).toEqual(['Example – Blog'])
  })

  it('no clock: another hour, the same bytes', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] })
    const before = renderAtom(feedOf({}))
    vi.setSystemTime(Date.UTC(2031, 6, 7, 1, 2, 3))
    expect(renderAtom(feedOf({}))).toBe(before)
    expect(before).not.toMatch(/20[0-9]{2}-/)
  })
})

describe('atom author (A1)', () => {
  it.each<{ name: string; author?: string; items: (readonly string[])[]; written: string[] }>([
    { name: 'given', author: 'Ann', items: [['Bo']], written: ['Ann', 'Bo'] },
    { name: 'none given, every entry has one', items: [['Bo'], ['Cy']], written: ['Bo', 'Cy'] },
    { name: 'none given, one entry has none', items: [['Bo'], []], written: ['Example', 'Bo'] },
    { name: 'none given, a blank one', items: [['Bo'], [' ']], written: ['Example', 'Bo'] },
    { name: 'none given, no entries', items: [], written: ['Example'] },
    { name: 'blank', author: ' ', items: [], written: ['Example'] },
    { name: 'with e-mail', author: 'a@e.com (Ann)', items: [], written: ['Anna@e.com'] },
    { name: 'an e-mail alone', author: 'a@e.com', items: [], written: ['a@e.coma@e.com'] },
  ])('$name', ({ author, items, written }) => {
    const feed = feedWith({
      settings: { author },
      items: items.map((names, i) => ({ loc: `${loc}${i}`, title: 'A', author: names })),
    })
    expect(faultsOf(renderAtom(feed))).toEqual([])
    const found = texts(parsed(feed), '//atom:author').map((text) => text.replaceAll(/\s/g, ''))
    expect(found).toEqual(written)
  })
})

describe('atom entry', () => {
  it.each<{ name: string; dates: Partial<FeedItem>; updated: string; published: string[] }>([
    {
      name: 'lastmod before published',
      dates: { lastmod: '2026-05-10', published: '2026-05-01' },
      updated: '2026-05-10T00:00:00Z',
      published: ['2026-05-01T00:00:00Z'],
    },
    {
      name: 'published alone',
      dates: { published: '2026-05-01T10:20:30.45+01:00' },
      updated: '2026-05-01T10:20:30.45+01:00',
      published: ['2026-05-01T10:20:30.45+01:00'],
    },
    {
      name: 'without seconds',
      dates: { lastmod: '2026-05-10T10:20+01:00' },
      updated: '2026-05-10T10:20:00+01:00',
      published: [],
    },
    {
      name: 'without zone',
      dates: { lastmod: '2026-05-10T10:20:30' },
      updated: '2026-05-10T10:20:30Z',
      published: [],
    },
    { name: 'no dates', dates: {}, updated: EPOCH, published: [] },
    { name: 'no date at all', dates: { lastmod: 'soon', published: '2026' }, updated: EPOCH, published: [] },
  ])('dates (A3): $name', ({ dates, updated, published }) => {
    const document = parsed(feedOf(dates))
    expect(texts(document, `${ENTRY}/atom:updated`)).toEqual([updated])
    expect(texts(document, `${ENTRY}/atom:published`)).toEqual(published)
  })

  it.each([
    'urn:isbn:0451450523',
    'urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a',
    'tag:example.com,2026-05:a/b',
    'https://example.com/?p=7',
    'http://example.com',
    'post:12',
    'https://example.com/%20é',
  ])('a guid that is an IRI is the id (A2): %s', (guid) => {
    expect(texts(parsed(feedOf({ guid })), `${ENTRY}/atom:id`)).toEqual([guid])
  })

  it.each([
    '7',
    'urn:a',
    'urn:uuid:7',
    'tag:example.com:a',
    'https:/example.com',
    'https://',
    'a b:c',
    'x:a b',
    'x:<a>',
    'x:%zz',
    'x:',
    '/a',
    'é:a',
    ' ',
  ])('a guid that is none leaves the id to the loc (A2): "%s"', (guid) => {
    expect(texts(parsed(feedOf({ guid })), `${ENTRY}/atom:id`)).toEqual([loc])
  })

  it('a guid that two entries claim is the id of neither', () => {
    const items = [1, 2].map((i) => ({ loc: `${loc}${i}`, title: 'A', guid: 'urn:isbn:7' }))
    expect(texts(parsed(feedWith({ items })), `${ENTRY}/atom:id`)).toEqual([`${loc}1`, `${loc}2`])
  })

  it.each<{ name: string; item: Partial<FeedItem>; links: (string | undefined)[][] }>([
    { name: 'none', item: {}, links: [[undefined, loc]] },
    { name: 'its language known', item: { lang: 'fr' }, links: [['fr', loc]] },
    {
      name: 'itself among them',
      item: {
        alternates: [
          { hreflang: 'en', href: `${loc}/en` },
          { hreflang: 'fr', href: loc },
          { hreflang: 'x-default', href: `${loc}/en` },
        ],
      },
      links: [
        ['fr', loc],
        ['en', `${loc}/en`],
      ],
    },
    {
      name: 'one language twice',
      item: {
        lang: 'fr',
        alternates: [
          { hreflang: 'FR', href: `${loc}/fr` },
          { hreflang: 'en', href: `${loc}/1` },
          { hreflang: 'EN', href: `${loc}/2` },
        ],
      },
      links: [
        ['fr', loc],
        ['en', `${loc}/1`],
      ],
    },
    {
      name: 'no language tag',
      item: { lang: 'x-default', alternates: [{ hreflang: 'en_US', href: `${loc}/1` }] },
      links: [[undefined, loc]],
    },
  ])('alternates, the page itself first (A4): $name', ({ item, links }) => {
    const found = select(parsed(feedOf(item)), `${ENTRY}/atom:link[@rel="alternate"]`)
    expect(found.map((link) => [attribute(link, 'hreflang'), attribute(link, 'href')])).toEqual(links)
    expect(faultsOf(renderAtom(feedOf(item)))).toEqual([])
  })

  it.each([
    { length: 12, written: '12' },
    { length: 0, written: undefined },
  ])('enclosure of $length bytes', ({ length, written }) => {
    const enclosure = { url: 'https://example.com/a.mp3?x&y', length, type: 'audio/mpeg' }
    const [link] = select(parsed(feedOf({ enclosure })), `${ENTRY}/atom:link[@rel="enclosure"]`)
    expect(['href', 'type', 'length'].map((name) => attribute(link ?? {}, name))).toEqual([
      enclosure.url,
      'audio/mpeg',
      written,
    ])
  })

  it('title and summary are text, content is HTML of the page (A5)', () => {
    const html = '<p>a &amp; <a href="/b">b</a></p>'
    const document = parsed(feedOf({ title: 'A <b>', description: 'c &amp; <d>', content: html }))
    expect(texts(document, `${ENTRY}/atom:title[not(@type)]`)).toEqual(['A <b>'])
    expect(texts(document, `${ENTRY}/atom:summary[not(@type)]`)).toEqual(['c &amp; <d>'])
    expect(texts(document, `${ENTRY}/atom:content[@type="html"]`)).toEqual([html])
    expect(attribute(select(document, `${ENTRY}/atom:content`)[0] ?? {}, 'xml:base')).toBe(loc)
  })

  it('says its language where it is another than the feed has', () => {
    const languages = (lang: string) =>
      select(parsed(feedOf({ lang })), ENTRY).map((entry) => attribute(entry, 'xml:lang'))
    expect(languages('fr')).toEqual(['fr'])
    expect(languages('EN')).toEqual([undefined])
  })
})

describe('atom of anything', () => {
  it('the checker of this file can say no', () => {
    const xml = renderAtom(feedOf({}))
    expect(faultsOf(xml.replace(/<id>.*<\/id>/, ''))).toEqual(['feed has 0 id'])
    expect(faultsOf(xml.replace(EPOCH, '2026-11-30'))).toEqual(['2026-11-30'])
    expect(faultsOf(xml.replace(/<author>[\s\S]*<\/author>/, ''))).toEqual(['no author'])
    expect(faultsOf(xml.replace(/<link rel="alternate".*/g, '$&$&'))).toHaveLength(2)
  })

  it('any feed obeys A1 to A5, and is the same bytes each time', () => {
    fc.assert(
      fc.property(anyFeed, (feed) => {
        const xml = renderAtom(feed)
        expect(faultsOf(xml)).toEqual([])
        expect(renderAtom(structuredClone(feed))).toBe(xml)
        expect(texts(parseXml(xml), `${ENTRY}/atom:link[@rel="alternate"][1]/@href`)).toEqual(
          feed.items.map((item) => item.loc),
        )
      }),
      { numRuns: 150 },
    )
  })

  it('any text survives into the parsed document', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, hostileText, (one, two, three, four) => {
        const document = parsed(
          feedWith({
            site: { ...site, title: one, description: two },
            settings: { copyright: three, categories: [four] },
            items: [
              {
                loc,
                title: three,
                description: two,
                content: one,
                author: [`${four}.`],
                categories: [two],
              },
            ],
          }),
        )
        expect(texts(document, '/atom:feed/atom:title')).toEqual([keptList([one])[0] ?? site.url])
        expect(texts(document, '/atom:feed/atom:subtitle')).toEqual(keptList([two]))
        expect(texts(document, '/atom:feed/atom:rights')).toEqual(keptList([three]))
        expect(texts(document, '/atom:feed/atom:category/@term')).toEqual(keptList([four]))
        expect(texts(document, `${ENTRY}/atom:title`)).toEqual([keptList([three])[0] ?? loc])
        expect(texts(document, `${ENTRY}/atom:summary`)).toEqual(keptList([two]))
        expect(texts(document, `${ENTRY}/atom:content`)).toEqual(keptList([one]))
        expect(texts(document, `${ENTRY}/atom:author/atom:name`)).toEqual(
          keptList([`${four}.`]).map((name) => name.trim()),
        )
        expect(texts(document, `${ENTRY}/atom:category/@term`)).toEqual(keptList([two]))
      }),
      { numRuns: 100 },
    )
  })
})
