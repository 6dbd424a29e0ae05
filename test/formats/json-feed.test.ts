import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FeedItem } from '../../src/entry/entry.ts'
import type { FeedDocument } from '../../src/formats/feed-document.ts'
import { renderJsonFeed } from '../../src/formats/json-feed.ts'
import { anyFeed, feedOf, feedWith, hostileText, keptList, loc, selfUrl, site, wholeFeed } from './feeds.ts'

interface JsonObject {
  readonly [key: string]: unknown
}

const parsed = (feed: FeedDocument) =>
  JSON.parse(renderJsonFeed(feed)) as JsonObject & { items: JsonObject[] }
const itemOf = (item: Partial<FeedItem>): JsonObject => parsed(feedOf(item)).items[0] ?? {}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const FEED_KEYS = [
  'version',
  'title',
  'home_page_url',
  'feed_url',
  'description',
  'icon',
  'authors',
  'language',
  'hubs',
  'items',
]
const ITEM_KEYS = [
  'id',
  'url',
  'title',
  'content_html',
  'content_text',
  'summary',
  'image',
  'date_published',
  'date_modified',
  'authors',
  'tags',
  'language',
  'attachments',
]

afterEach(() => {
  vi.useRealTimers()
})

describe('json feed', () => {
  it('holds all that is known (A10, A12)', () => {
    expect(parsed(wholeFeed)).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Example – Blog',
      home_page_url: site.url,
      feed_url: selfUrl,
      description: 'News and goods',
      icon: 'https://example.com/logo.png',
      authors: [{ name: 'Anne' }],
      language: 'en',
      hubs: [
        { type: 'WebSub', url: 'https://hub.example/?a=1&b=2' },
        { type: 'WebSub', url: 'https://other.example/' },
      ],
      items: [
        {
          id: 'urn:isbn:9',
          url: loc,
          title: 'Beans & <grinders>',
          content_html: '<p>Hello &amp; <a href="/b">b</a></p>',
          summary: 'All of <them>, salt & pepper',
          image: 'https://example.com/1.png',
          date_published: '2009-03-06T13:03:30Z',
          date_modified: '2026-05-10T00:00:00Z',
          authors: [{ name: 'Anne' }, { name: 'Bo' }],
          tags: ['Goods', 'Kitchen'],
          language: 'fr',
          attachments: [
            { url: 'https://example.com/a.mp3?x&y', mime_type: 'audio/mpeg', size_in_bytes: 1234 },
          ],
        },
        {
          id: 'https://example.com/film',
          url: 'https://example.com/film',
          title: 'A film',
          content_text: 'A film',
          date_published: '2009-03-05T23:00:00-05:00',
          authors: [{ name: 'Cy', url: 'mailto:cy@example.com' }],
        },
        { id: 'https://example.com/c', url: 'https://example.com/c', title: 'Plain', content_text: 'Plain' },
      ],
    })
  })

  it('without items and words has what must be there (A10)', () => {
    expect(
      renderJsonFeed(feedWith({ site: { url: site.url, title: '', description: ' ', language: '' } })),
    ).toBe(
      `${JSON.stringify(
        {
          version: 'https://jsonfeed.org/version/1.1',
          title: site.url,
          home_page_url: site.url,
          feed_url: selfUrl,
          items: [],
        },
        null,
        2,
      )}\n`,
    )
  })

  it.each<{ name: string; item: Partial<FeedItem>; content: JsonObject }>([
    {
      name: 'content',
      item: { content: '<p>', description: 'd' },
      content: { content_html: '<p>', summary: 'd' },
    },
    {
      name: 'a description',
      item: { description: 'd < e' },
      content: { content_text: 'd < e', summary: 'd < e' },
    },
    { name: 'neither', item: {}, content: { content_text: 'A' } },
    { name: 'blank content', item: { content: ' \n' }, content: { content_text: 'A' } },
    { name: 'no words at all', item: { title: ' ' }, content: { title: loc, content_text: loc } },
  ])('content of an item with $name (A11)', ({ item, content }) => {
    expect(itemOf(item)).toEqual({ id: loc, url: loc, title: 'A', ...content })
  })

  it.each<{ name: string; item: Partial<FeedItem>; key: string; value: unknown }>([
    { name: 'a guid of any form', item: { guid: '7' }, key: 'id', value: '7' },
    { name: 'a blank guid', item: { guid: ' ' }, key: 'id', value: loc },
    {
      name: 'a day',
      item: { published: '2026-05-10' },
      key: 'date_published',
      value: '2026-05-10T00:00:00Z',
    },
    { name: 'no date', item: { lastmod: 'soon' }, key: 'date_modified', value: undefined },
    { name: 'the language of the feed', item: { lang: 'en' }, key: 'language', value: undefined },
    { name: 'another language', item: { lang: 'fr-CA' }, key: 'language', value: 'fr-CA' },
    { name: 'no categories', item: { categories: [' '] }, key: 'tags', value: undefined },
    { name: 'no authors', item: { author: [] }, key: 'authors', value: undefined },
    {
      name: 'an e-mail',
      item: { author: ['a@e.com'] },
      key: 'authors',
      value: [{ name: 'a@e.com', url: 'mailto:a@e.com' }],
    },
    {
      name: 'a length not known',
      item: { enclosure: { url: loc, length: 0, type: 'audio/mpeg' } },
      key: 'attachments',
      value: [{ url: loc, mime_type: 'audio/mpeg' }],
    },
  ])('$name', ({ item, key, value }) => {
    expect(itemOf(item)[key]).toEqual(value)
  })

  it('ids differ, whatever the guids are (A11)', () => {
    const items = [1, 2].map((i) => ({ loc: `${loc}${i}`, title: 'A', guid: '7' }))
    expect(parsed(feedWith({ items })).items.map(({ id }) => id)).toEqual([`${loc}1`, `${loc}2`])
  })

  it('no clock: another hour, the same bytes', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] })
    const before = renderJsonFeed(feedOf({}))
    vi.setSystemTime(Date.UTC(2031, 6, 7, 1, 2, 3))
    expect(renderJsonFeed(feedOf({}))).toBe(before)
    expect(before).not.toContain('20')
  })

  it('can be pasted into a script: no line separators, no lone surrogates', () => {
    const json = renderJsonFeed(feedOf({ title: 'a\u2028b\u2029c\ud800d', content: '\udc00\u2028' }))
    expect(json).not.toMatch(/[\u2028\u2029]/)
    expect(json.isWellFormed()).toBe(true)
    expect(json).not.toMatch(/\\ud[89a-f]/i)
    expect((JSON.parse(json) as { items: JsonObject[] }).items[0]?.title).toBe('a\u2028b\u2029c\ufffdd')
  })
})

describe('json feed of anything', () => {
  const filled = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.isWellFormed()

  it('any feed obeys A10 to A12, and is the same bytes each time', () => {
    fc.assert(
      fc.property(anyFeed, (feed) => {
        const json = renderJsonFeed(feed)
        expect(renderJsonFeed(structuredClone(feed))).toBe(json)
        expect(json.isWellFormed()).toBe(true)
        expect(json).not.toMatch(/[\u2028\u2029]/)
        const { items, ...head } = parsed(feed)
        expect(FEED_KEYS).toEqual(expect.arrayContaining(Object.keys(head)))
        expect([head.version, head.title, head.home_page_url, head.feed_url].every(filled)).toBe(true)
        expect(items.map(({ url }) => url)).toEqual(feed.items.map((item) => item.loc))
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
        for (const item of items) {
          expect(ITEM_KEYS).toEqual(expect.arrayContaining(Object.keys(item)))
          expect(filled(item.id)).toBe(true)
          expect([item.content_html, item.content_text].filter(filled)).toHaveLength(1)
          for (const date of [item.date_published, item.date_modified])
            if (date !== undefined) expect(date).toMatch(RFC_3339)
          for (const key of ['authors', 'tags', 'attachments'])
            if (item[key] !== undefined) expect(item[key]).not.toEqual([])
        }
      }),
      { numRuns: 200 },
    )
  })

  it('any text survives', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (one, two, three) => {
        const feed = feedWith({
          site: { ...site, title: one, description: two },
          items: [{ loc, title: three, description: two, content: one, categories: [three] }],
        })
        const { title, description, items } = parsed(feed)
        expect(title).toBe(keptList([one])[0] ?? site.url)
        expect(description).toBe(keptList([two])[0])
        expect(items[0]?.title).toBe(keptList([three])[0] ?? loc)
        expect(items[0]?.summary).toBe(keptList([two])[0])
        expect(items[0]?.content_html).toBe(keptList([one])[0])
        expect(items[0]?.tags ?? []).toEqual(keptList([three]))
      }),
      { numRuns: 150 },
    )
  })
})
