/** Feeds for the tests of the feed formats: plain ones, and arbitrary ones full of hostile text. */
import fc from 'fast-check'
import type { FeedImage, FeedItem, FeedVideo } from '../../src/entry/entry.ts'
import type { FeedDocument, FeedSettings } from '../../src/formats/feed-document.ts'

export const site = {
  url: 'https://example.com/',
  title: 'Example',
  description: 'News and goods',
  language: 'en',
}
export const loc = 'https://example.com/a'
export const selfUrl = 'https://example.com/feed'
export const sitemapUrl = 'https://example.com/sitemap.html'

export const NO_SETTINGS: FeedSettings = {
  image: undefined,
  ttlMinutes: undefined,
  hubs: [],
  copyright: undefined,
  author: undefined,
  managingEditor: undefined,
  webMaster: undefined,
  categories: [],
}

/** A feed that says nothing but what is given. */
export function feedWith({
  settings,
  ...given
}: Partial<Omit<FeedDocument, 'settings'>> & { readonly settings?: Partial<FeedSettings> }): FeedDocument {
  return {
    site,
    section: undefined,
    selfUrl,
    sitemapUrl: undefined,
    seeAlso: [],
    items: [],
    ...given,
    settings: { ...NO_SETTINGS, ...settings },
  }
}

/** A feed of one item. */
export function feedOf(item: Partial<FeedItem>): FeedDocument {
  return feedWith({ items: [{ loc, title: 'A', ...item }] })
}

/** What XML 1.0 keeps of a text (SPEC U20), said another way than in the code. */
export function kept(text: string): string {
  return Array.from(text.toWellFormed())
    .filter((character) => {
      const point = character.codePointAt(0) ?? 0
      return [9, 10, 13].includes(point) || (point >= 0x20 && point !== 0xfffe && point !== 0xffff)
    })
    .join('')
}

/** Those of the texts that show something, as they are kept. */
export function keptList(texts: readonly string[] = []): string[] {
  return texts.map(kept).filter((text) => text.trim() !== '')
}

const PIECES = [
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
  '\udc00',
  'é',
  ' ',
  '\u0085',
  '\u2028',
  '\ufffe',
  '<![CDATA[',
  '<!--',
  '-->',
  '</script>',
  '<b>',
  '&lt;',
  '{n}',
  '__proto__',
]

/** Any text; half of what is tried looks like markup or a reference. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
)

/** Final URLs, with every character that XML would take for its own. */
const url: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.constantFrom('a', '&', "'", '%20', '~', '(', ')', '/', ';', ',', '%C3%A9'), { maxLength: 6 }),
    fc.constantFrom('', '?a=1&b=2', '?q=%27&lt;'),
  )
  .map(([path, query]) => `https://example.com/${path.join('')}${query}`)

const date = fc
  .tuple(
    fc.integer({ min: 0, max: Date.UTC(2099, 11, 31) }).map((ms) => new Date(ms).toISOString()),
    fc.constantFrom('day', 'second', 'fraction', 'zone'),
  )
  .map(([text, form]) => {
    if (form === 'day') return text.slice(0, 10)
    if (form === 'zone') return `${text.slice(0, 19)}+05:30`
    return form === 'second' ? `${text.slice(0, 19)}Z` : text
  })

const email = fc.constantFrom('a@e.com', 'a@e.com (Anne B)', 'Bo <b@e.com>', 'x@y', '@a', 'a@e.com (<b>)')
const language = fc.constantFrom('en', 'fr-CA', 'x-default', 'zh-Hant-TW')
const texts = fc.array(hostileText, { maxLength: 3 })
const limitedText = (most: number) =>
  fc
    .string({ unit: 'grapheme', maxLength: most })
    .map((text) => `v${kept(text)}`.slice(0, most).toWellFormed())

/** As `fc.record`, with the optional fields sometimes absent. */
function partly<T extends object>(
  needed: (keyof T & string)[],
  fields: { readonly [K in keyof T]-?: fc.Arbitrary<Exclude<T[K], undefined>> },
): fc.Arbitrary<T> {
  return fc.record(fields as unknown as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: needed,
  }) as unknown as fc.Arbitrary<T>
}

const videoFields = {
  thumbnailLoc: url,
  title: limitedText(100),
  description: limitedText(300),
  contentLoc: url,
  playerLoc: url,
  duration: fc.integer({ min: 1, max: 28_800 }),
  expirationDate: date,
  restriction: fc.record({
    relationship: fc.constantFrom('allow', 'deny'),
    countries: fc.constantFrom('FR', 'US CA'),
  }),
}
const video: fc.Arbitrary<FeedVideo> = fc.oneof(
  partly<FeedVideo>(['thumbnailLoc', 'title', 'description', 'playerLoc'], videoFields),
  partly<FeedVideo>(['thumbnailLoc', 'title', 'description', 'contentLoc'], videoFields),
)

const image: fc.Arbitrary<FeedImage> = partly<FeedImage>(['loc'], {
  loc: url,
  title: hostileText,
  caption: hostileText,
})

const item: fc.Arbitrary<FeedItem> = partly<FeedItem>(['loc', 'title'], {
  loc: url,
  title: hostileText,
  description: hostileText,
  content: hostileText,
  keywords: texts,
  author: fc.array(fc.oneof(hostileText, email), { maxLength: 2 }),
  categories: texts,
  published: date,
  dateMs: fc.integer({ min: 0, max: Date.UTC(2099, 11, 31) }),
  lastmod: date,
  guid: fc.oneof(
    hostileText,
    url,
    fc.constantFrom('7', 'urn:isbn:7', 'urn:a', 'tag:e.com,2026:a', 'urn:uuid:7'),
  ),
  enclosure: fc.record({
    url,
    length: fc.nat(),
    type: fc.constantFrom('audio/mpeg', 'image/svg+xml'),
  }),
  type: hostileText,
  sortOrder: fc.nat(),
  resourceOf: hostileText,
  updatePeriod: fc.constantFrom('hour', 'day', 'week', 'month', 'year'),
  lang: language,
  images: fc.array(image, { maxLength: 3 }),
  videos: fc.array(video, { maxLength: 2 }),
  alternates: fc.array(fc.record({ hreflang: language, href: url }), { maxLength: 3 }),
})

const settings: fc.Arbitrary<FeedSettings> = fc.record({
  image: fc.option(
    partly<NonNullable<FeedSettings['image']>>(['url'], {
      url,
      width: fc.integer({ min: 1, max: 200 }),
      height: fc.integer({ min: 1, max: 500 }),
    }),
    { nil: undefined },
  ),
  ttlMinutes: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
  hubs: fc.array(url, { maxLength: 2 }),
  copyright: fc.option(hostileText, { nil: undefined }),
  author: fc.option(fc.oneof(hostileText, email), { nil: undefined }),
  managingEditor: fc.constantFrom(undefined, 'a@e.com', "o'b@e.com (A & B)"),
  webMaster: fc.constantFrom(undefined, 'w@e.com'),
  categories: texts,
})

/** Any feed that the engine could hand to a format; each loc stands once. */
export const anyFeed: fc.Arbitrary<FeedDocument> = fc.record({
  site: fc.record({
    url: fc.constant(site.url),
    title: hostileText,
    description: hostileText,
    language: fc.constantFrom('en', 'fr-CA', 'no tag', ''),
  }),
  settings,
  section: fc.option(hostileText, { nil: undefined }),
  selfUrl: fc.constantFrom(selfUrl, `${selfUrl}?a=1&b=2`),
  sitemapUrl: fc.constantFrom(undefined, sitemapUrl),
  seeAlso: fc.array(url, { maxLength: 2 }),
  items: fc.uniqueArray(item, { maxLength: 5, selector: (one) => one.loc }),
})

/** A feed with everything said, in plain words. */
export const wholeFeed: FeedDocument = {
  site,
  settings: {
    image: { url: 'https://example.com/logo.png', width: 88, height: 31 },
    ttlMinutes: 60,
    hubs: ['https://hub.example/?a=1&b=2', 'https://other.example/'],
    copyright: '© Example',
    author: 'Anne',
    managingEditor: 'anne@example.com (Anne)',
    webMaster: 'bo@example.com',
    categories: ['News', 'Goods'],
  },
  section: 'Blog',
  selfUrl,
  sitemapUrl,
  seeAlso: ['https://example.com/feed-blog.rss', 'https://example.com/feed-shop.rss'],
  items: [
    {
      loc,
      title: 'Beans & <grinders>',
      description: 'All of <them>, salt & pepper',
      content: '<p>Hello &amp; <a href="/b">b</a></p>',
      keywords: ['beans', 'grinders'],
      author: ['Anne', 'Bo'],
      categories: ['Goods', 'Kitchen'],
      published: '2009-03-06T13:03:30Z',
      dateMs: Date.UTC(2009, 2, 6, 13, 3, 30),
      lastmod: '2026-05-10',
      guid: 'urn:isbn:9',
      enclosure: { url: 'https://example.com/a.mp3?x&y', length: 1234, type: 'audio/mpeg' },
      type: 'Product',
      sortOrder: 0,
      updatePeriod: 'day',
      lang: 'fr',
      images: [
        { loc: 'https://example.com/1.png' },
        { loc: 'https://example.com/2.png', title: 'Two', caption: 'The second' },
      ],
      alternates: [
        { hreflang: 'fr', href: loc },
        { hreflang: 'en', href: 'https://example.com/en/a' },
        { hreflang: 'x-default', href: 'https://example.com/en/a' },
      ],
    },
    {
      loc: 'https://example.com/film',
      title: 'A film',
      published: '2009-03-05T23:00:00-05:00',
      dateMs: Date.UTC(2009, 2, 6, 4),
      author: ['cy@example.com (Cy)'],
      videos: [
        {
          thumbnailLoc: 'https://example.com/t.png',
          title: 'Film',
          description: 'A short film',
          contentLoc: 'https://example.com/film.mp4',
          playerLoc: 'https://example.com/player?v=1&w=2',
          duration: 90,
          expirationDate: '2030-01-01',
          restriction: { relationship: 'allow', countries: 'FR US' },
        },
      ],
    },
    { loc: 'https://example.com/c', title: 'Plain' },
  ],
}
