import { createRequire } from 'node:module'
import { parseFeed as parseAnyFeed } from '@rowanmanning/feed-parser'
import fc from 'fast-check'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { describe, expect, it } from 'vitest'
import type { FeedItem } from '../../src/entry/entry.ts'
import { renderAtom } from '../../src/formats/atom.ts'
import type { FeedDocument } from '../../src/formats/feed-document.ts'
import { renderJsonFeed } from '../../src/formats/json-feed.ts'
import { renderRss } from '../../src/formats/rss.ts'
import { feedWith, hostileText, keptList, loc, selfUrl, site, sitemapUrl, wholeFeed } from './feeds.ts'

/** What readers of feeds make of a document, in one shape; undefined where a reader does not look. */
interface Read {
  readonly title: unknown
  readonly link: unknown
  readonly self: unknown
  /** The description of the feed. */
  readonly about: unknown
  readonly language: unknown
  readonly items: readonly ReadItem[]
}

interface ReadItem {
  readonly title: unknown
  readonly link: unknown
  readonly id: unknown
  readonly date: unknown
  readonly content: unknown
  readonly description: unknown
  readonly authors: readonly unknown[]
  readonly categories: readonly unknown[]
  readonly enclosure: unknown
}

interface Reader {
  readonly name: string
  /** What goes in: every document is made of the same feed. */
  readonly render: (feed: FeedDocument) => string | Promise<string>
  readonly read: (text: string) => Read | Promise<Read>
  /** Facts that this reader does not look for. */
  readonly blind: readonly (keyof Read | keyof ReadItem)[]
  /** Authors of an item that it looks at. */
  readonly authors: number
  /** Decodes references once more than XML says (measured), so that text with any in it comes out changed. */
  readonly decodesTwice: boolean
}

/** The feed's own Main and SiteMap items stand first in RSS. */
const OWN_ITEMS = 2

/** Text that HTML without tags shows; the other readers of RSS do this themselves. */
const shown = (html: string | undefined): string | undefined =>
  html?.replace(/&(lt|amp);/g, (_, name) => (name === 'lt' ? '<' : '&'))
const iso = (date: unknown): string | undefined =>
  typeof date === 'string' || date instanceof Date ? new Date(date).toISOString() : undefined
/** The name in `a@e.com (Name)`. */
const nameIn = (author: unknown): unknown =>
  typeof author === 'string' ? (/^\S+@\S+ \((.*)\)$/.exec(author)?.[1] ?? author) : author

interface RssParserFeed {
  readonly title?: string
  readonly link?: string
  readonly feedUrl?: string
  readonly description?: string
  readonly language?: string
  readonly items: readonly {
    readonly title?: string
    readonly link?: string
    readonly guid?: string
    readonly id?: string
    readonly isoDate?: string
    readonly content?: string
    readonly contentSnippet?: string
    readonly 'content:encoded'?: string
    readonly summary?: string
    readonly creator?: string
    readonly author?: string
    readonly categories?: readonly string[]
    readonly enclosure?: { readonly url: string; readonly length: string; readonly type: string }
  }[]
}

// Its own types lean on those of xml2js, which it does not bring.
const RssParser = createRequire(import.meta.url)('rss-parser') as new () => {
  parseString(xml: string): Promise<RssParserFeed>
}

async function rssParser(text: string): Promise<Read> {
  const feed = await new RssParser().parseString(text)
  const isRss = text.includes('<rss')
  return {
    title: feed.title,
    link: feed.link,
    self: feed.feedUrl,
    about: feed.description,
    language: feed.language,
    items: feed.items.slice(isRss ? OWN_ITEMS : 0).map((item) => ({
      title: item.title,
      link: item.link,
      id: item.guid ?? item.id,
      date: item.isoDate,
      content: isRss ? item['content:encoded'] : item.content,
      description: isRss ? item.contentSnippet : item.summary,
      authors: [nameIn(item.creator ?? item.author)].filter((author) => author !== undefined),
      categories: item.categories ?? [],
      enclosure: item.enclosure && {
        url: item.enclosure.url,
        length: Number(item.enclosure.length),
        type: item.enclosure.type,
      },
    })),
  }
}

function feedParser(text: string): Read {
  const feed = parseAnyFeed(text)
  const none = (value: unknown) => value ?? undefined
  return {
    title: feed.title,
    link: feed.url,
    self: feed.self,
    about: feed.description,
    language: feed.language,
    items: feed.items.slice(text.includes('<rss') ? OWN_ITEMS : 0).map((item) => {
      const file = item.media.find(({ mimeType }) => mimeType !== null)
      return {
        title: item.title,
        link: item.url,
        id: item.id,
        date: iso(item.published),
        content: none(item.content),
        description: none(item.description),
        authors: item.authors.map(({ name }) => name),
        categories: item.categories.map(({ term }) => term),
        enclosure: file && { url: file.url, length: file.length, type: file.mimeType },
      }
    }),
  }
}

function feedsmithRss(text: string): Read {
  const feed = parseRssFeed(text)
  return {
    title: feed.title,
    link: feed.link,
    self: feed.atom?.links?.find(({ rel }) => rel === 'self')?.href,
    about: feed.description,
    language: feed.language,
    items: (feed.items ?? []).slice(OWN_ITEMS).map((item) => ({
      title: item.title,
      link: item.link,
      id: item.guid?.value,
      date: iso(item.pubDate),
      content: item.content?.encoded,
      description: shown(item.description),
      authors: item.authors?.map(({ name }) => name) ?? item.dc?.creators ?? [],
      categories: item.categories?.map(({ name }) => name) ?? [],
      enclosure: item.enclosures?.[0],
    })),
  }
}

function feedsmithAtom(text: string): Read {
  const feed = parseAtomFeed(text)
  const linkOf = (rel: string, links = feed.links) => links?.find((link) => link.rel === rel)
  return {
    title: feed.title?.value,
    link: linkOf('alternate')?.href,
    self: linkOf('self')?.href,
    about: feed.subtitle?.value,
    language: feed.xml?.lang,
    items: (feed.entries ?? []).map((entry) => {
      const file = linkOf('enclosure', entry.links)
      return {
        title: entry.title?.value,
        link: linkOf('alternate', entry.links)?.href,
        id: entry.id,
        date: iso(entry.published),
        content: entry.content?.value,
        description: entry.summary?.value,
        authors: entry.authors?.map(({ name }) => name) ?? [],
        categories: entry.categories?.map(({ term }) => term) ?? [],
        enclosure: file && { url: file.href, length: file.length, type: file.type },
      }
    }),
  }
}

function feedsmithJson(text: string): Read {
  const feed = parseJsonFeed(text)
  return {
    title: feed.title,
    link: feed.home_page_url,
    self: feed.feed_url,
    about: feed.description,
    language: feed.language,
    items: (feed.items ?? []).map((item) => {
      const file = item.attachments?.[0]
      return {
        title: item.title,
        link: item.url,
        id: item.id,
        date: iso(item.date_published),
        content: item.content_html,
        description: item.summary,
        authors: item.authors?.map(({ name }) => name) ?? [],
        categories: item.tags ?? [],
        enclosure: file && { url: file.url, length: file.size_in_bytes, type: file.mime_type },
      }
    }),
  }
}

const all = { blind: [], authors: Number.POSITIVE_INFINITY, decodesTwice: false }
const readers: readonly Reader[] = [
  { ...all, name: 'rss-parser of RSS', render: renderRss, read: rssParser, authors: 1 },
  {
    ...all,
    name: 'rss-parser of Atom',
    render: renderAtom,
    read: rssParser,
    authors: 1,
    blind: ['about', 'language', 'categories', 'enclosure'],
  },
  {
    ...all,
    name: '@rowanmanning/feed-parser of RSS',
    render: renderRss,
    read: feedParser,
    decodesTwice: true,
  },
  {
    ...all,
    name: '@rowanmanning/feed-parser of Atom',
    render: renderAtom,
    read: feedParser,
    decodesTwice: true,
  },
  { ...all, name: 'feedsmith of RSS', render: renderRss, read: feedsmithRss },
  { ...all, name: 'feedsmith of Atom', render: renderAtom, read: feedsmithAtom },
  { ...all, name: 'feedsmith of JSON Feed', render: renderJsonFeed, read: feedsmithJson },
]

/** The feed with nothing in it that this reader decodes twice. */
function legible(feed: FeedDocument, { decodesTwice }: Reader): FeedDocument {
  if (!decodesTwice) return feed
  const text = JSON.stringify(feed, (key, value: unknown) =>
    typeof value === 'string' && !/url|loc/i.test(key) ? value.replaceAll('&', '+') : value,
  )
  return { ...feed, ...(JSON.parse(text) as FeedDocument) }
}

/** What the reader should make of the feed. */
function expected({ site, selfUrl, items }: FeedDocument, { blind, authors }: Reader): Read {
  const [title = '', description = ''] = keptList([site.title, site.description])
  const seen = <K extends keyof Read | keyof ReadItem>(key: K, value: unknown) =>
    blind.includes(key) ? undefined : value
  const list = (key: keyof ReadItem, texts: readonly string[] = []) =>
    blind.includes(key) ? [] : keptList(texts)
  return {
    title,
    link: site.url,
    self: selfUrl,
    about: seen('about', description),
    language: seen('language', site.language),
    items: items.map((item) => ({
      title: keptList([item.title])[0],
      link: item.loc,
      id: item.guid ?? item.loc,
      date: iso(item.published),
      content: keptList([item.content ?? ''])[0],
      description: seen('description', keptList([item.description ?? ''])[0]),
      authors: list('authors', item.author).slice(0, authors),
      categories: list('categories', item.categories),
      enclosure: seen('enclosure', item.enclosure),
    })),
  }
}

async function expectLegible(said: FeedDocument, reader: Reader): Promise<void> {
  const feed = legible(said, reader)
  expect(await reader.read(await reader.render(feed))).toEqual(expected(feed, reader))
}

describe.each(readers)('$name', (reader) => {
  const enclosure = { url: 'https://example.com/a.mp3?x&y', length: 1234, type: 'audio/mpeg' }

  it('reads what was said', async () => {
    const items: FeedItem[] = [
      {
        loc,
        title: 'Beans & <grinders>',
        description: 'AT&T &amp; <them>: salt & pepper &#38; 5 < 8',
        content: '<p>Hello &amp; <a href="/b">b</a></p>',
        author: ['Anne B', 'Bo'],
        categories: ['Goods & more', '<Kitchen>'],
        published: '2009-03-06T13:03:30+01:00',
        lastmod: '2026-05-10',
        guid: 'urn:isbn:9',
        enclosure,
        images: [{ loc: 'https://example.com/1.png', title: 'One' }],
        alternates: [{ hreflang: 'de', href: 'https://example.com/de/a' }],
      },
      {
        loc: 'https://example.com/film?a=1&b=2',
        title: 'A film',
        published: '2026-05-10',
        author: ['Cy'],
        categories: ['Films'],
        enclosure,
        videos: [
          {
            thumbnailLoc: 'https://example.com/t.png',
            title: 'Film',
            description: 'A short film',
            contentLoc: 'https://example.com/film.mp4',
          },
        ],
      },
    ]
    const { settings } = wholeFeed
    await expectLegible(feedWith({ settings, sitemapUrl, items }), reader)
  })

  it('names those who gave an e-mail', async () => {
    const items = [{ loc, title: 'A', author: ['Cy D <cy@example.com>'] }]
    const { items: read } = await reader.read(await reader.render(feedWith({ sitemapUrl, items })))
    expect(read[0]?.authors).toEqual(['Cy D'])
  })

  it('reads any text, whatever it looks like', async () => {
    const text = hostileText.map((hostile) => `x${hostile}y`)
    // Names are of one line in every entry, and some readers take no references to line ends in attributes.
    const nameOf = (any: string) => any.replace(/\s+/g, ' ')
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (one, two, three, four) => {
        const feed = feedWith({
          site: { ...site, title: one, description: two },
          sitemapUrl,
          items: [
            {
              loc,
              title: three,
              description: four,
              content: one,
              author: ['Anne'],
              categories: [nameOf(two), nameOf(three)],
              published: '2026-05-10T10:20:30Z',
            },
            {
              loc: `${loc}2`,
              title: four,
              description: one,
              content: `<p>${two}</p>`,
              author: ['Bo'],
              categories: [nameOf(four)],
              published: '2026-05-11',
            },
          ],
        })
        await expectLegible(feed, reader)
      }),
      { numRuns: 100 },
    )
  })

  it('reads a long article', async () => {
    const content = '<p>Beans, "grinders" & \'more\' <b>of them</b>.</p>\n'.repeat(4_000)
    const items = [{ loc, title: 'A', content, author: ['Anne'], categories: ['B'], published: '2026-05-10' }]
    const { items: read } = await reader.read(await reader.render(feedWith({ sitemapUrl, items })))
    expect(String(read[0]?.content).trim()).toBe(content.trim())
  })
})

it('names the feed that it was read from', async () => {
  for (const reader of readers) {
    const feed = feedWith({ selfUrl: `${selfUrl}?a=1&b=2`, sitemapUrl, settings: wholeFeed.settings })
    expect((await reader.read(await reader.render(feed))).self).toBe(`${selfUrl}?a=1&b=2`)
  }
})
