/** Entries of every kind for property tests, good and bad. */
import fc from 'fast-check'
import { ORIGIN } from './create-check.ts'

/** Any text, lone surrogates, control characters and mark-up included. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '&',
        '<',
        '>',
        '"',
        "'",
        ']]>',
        '<![CDATA[',
        '</script>',
        '</news:news>',
        '&amp;',
        '&#1;',
        '\r',
        '\n',
        '\t',
        ' ',
        '\0',
        '\u001F',
        '\uFFFE',
        '\uD800',
        '\uDFFF',
        '😀',
        'é',
        '\u0085',
        '\u2028',
        'a',
      ),
    )
    .map((pieces) => pieces.join('')),
)

export const anyUrl: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('/', `${ORIGIN}/`, 'https://cdn.example.net/', 'http://Bücher.example/'), anyText)
  .map(([start, rest]) => start + rest)

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
/** A value, or now and then one that cannot be used. */
const mostly = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constantFrom('?', -1, {}, [], null) })

const anyDate = fc.constantFrom('2026-05-10', '2026-05-10T10:20Z', '2026-05-10 10:20:30.5+02', 1_778_371_200)
const yesNo = fc.constantFrom(true, false, 'Yes', 'NO')
const relationship = fc.constantFrom('allow', 'deny')

const anyImage = fc.record({
  loc: anyUrl,
  caption: maybe(anyText),
  geoLocation: maybe(anyText),
  title: maybe(anyText),
  license: maybe(anyUrl),
})

const anyVideo = fc.record(
  {
    thumbnailLoc: anyUrl,
    title: anyText.map((text) => `T${text}`),
    description: anyText.map((text) => `D${text}`),
    contentLoc: anyUrl,
    playerLoc: mostly(fc.record({ loc: anyUrl, allowEmbed: maybe(yesNo), autoplay: maybe(anyText) })),
    duration: mostly(fc.oneof(fc.double({ min: 0, max: 30_000 }), fc.constantFrom('PT1H', '1:30', '77'))),
    expirationDate: mostly(anyDate),
    rating: mostly(fc.double({ min: 0, max: 5, noNaN: true })),
    contentSegmentLoc: fc.array(fc.record({ loc: anyUrl, duration: maybe(fc.nat(28_800)) }), {
      maxLength: 3,
    }),
    viewCount: mostly(fc.nat()),
    publicationDate: mostly(anyDate),
    tag: mostly(fc.oneof(anyText, fc.array(anyText, { maxLength: 40 }))),
    category: anyText,
    familyFriendly: mostly(yesNo),
    restriction: mostly(
      fc.record({
        relationship,
        countries: fc.oneof(fc.array(fc.constantFrom('us', 'FR', 'UK', 'xx')), fc.constant('DE, AT')),
      }),
    ),
    galleryLoc: mostly(fc.record({ loc: anyUrl, title: maybe(anyText) })),
    price: fc.array(
      fc.record(
        {
          value: mostly(fc.oneof(fc.double(), fc.double({ min: 0, max: 100 }), fc.constant('9.90'))),
          currency: fc.constantFrom('EUR', 'usd', 'euro'),
          type: fc.constantFrom('rent', 'PURCHASE', 'gift'),
          resolution: fc.constantFrom('hd', 'SD', '4K'),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
    requiresSubscription: mostly(yesNo),
    uploader: mostly(fc.record({ name: anyText, info: maybe(anyUrl) })),
    tvshow: mostly(
      fc.record(
        {
          showTitle: anyText,
          videoType: fc.constantFrom('full', 'preview', 'clip', 'interview', 'news', 'other'),
          episodeTitle: anyText,
          seasonNumber: mostly(fc.nat(9)),
          episodeNumber: mostly(fc.nat(99)),
          premierDate: mostly(anyDate),
        },
        { requiredKeys: ['showTitle', 'videoType'] },
      ),
    ),
    platform: mostly(
      fc.record({ relationship, platforms: fc.array(fc.constantFrom('web', 'mobile', 'TV', 'x')) }),
    ),
    live: mostly(yesNo),
    id: fc.array(fc.record({ type: fc.constantFrom('tms:series', 'url', 'imdb'), value: anyText }), {
      maxLength: 3,
    }),
  },
  { requiredKeys: ['thumbnailLoc', 'title', 'description', 'contentLoc'] },
)

const anyNews = fc.oneof(
  fc.constant(true),
  fc.record(
    {
      title: anyText.map((text) => `N${text}`),
      publicationDate: mostly(anyDate),
      name: anyText,
      language: fc.oneof(anyText, fc.constantFrom('en-US', 'zh-TW', 'zh', 'fil')),
      access: fc.constantFrom('Subscription', 'registration', 'paid'),
      genres: fc.oneof(anyText, fc.array(fc.constantFrom('Blog', 'OpEd', 'satire', 'x'))),
      keywords: fc.oneof(anyText, fc.array(anyText)),
      stockTickers: fc.array(fc.constantFrom('A:1', 'B:2', 'c:3', 'D:4', 'E:5', 'F:6', 'É:1')),
    },
    { requiredKeys: ['title', 'publicationDate'] },
  ),
)

const anyScalar = fc.oneof(anyText, fc.double(), fc.boolean(), fc.constant(null))

const anyElement: fc.Arbitrary<unknown> = fc.letrec<{ element: unknown }>((tie) => ({
  element: fc.record(
    {
      name: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom('shop:price', 'shop:stock', 'shop:a-b_c.1') },
        { weight: 1, arbitrary: anyText },
      ),
      attributes: fc.dictionary(
        fc.oneof(fc.constantFrom('a', 'b-c', 'shop:d', 'xml:lang', 'xml:space', 'xmlns', 'x:y'), anyText),
        anyScalar,
        { maxKeys: 4 },
      ),
      text: anyScalar,
      children: fc.array(tie('element'), { maxLength: 3 }),
    },
    { requiredKeys: ['name'] },
  ),
})).element

/** The fields of an entry with everything that a urlset writes; some of its values cannot be used, its loc nearly always can. */
export const anyFields: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    loc: anyUrl,
    lastmod: mostly(anyDate),
    changefreq: mostly(fc.constantFrom('always', 'never')),
    priority: mostly(fc.double({ min: 0, max: 1, noNaN: true })),
    title: maybe(anyText),
    published: anyDate,
    images: fc.array(anyImage, { maxLength: 3 }),
    videos: fc.array(anyVideo, { maxLength: 2 }),
    news: anyNews,
    alternates: fc.array(
      fc.record({
        hreflang: fc.constantFrom('en', 'fr_CA', 'zh-hant-tw', 'es-419', 'x-default', 'en-UK', 'jp'),
        href: anyUrl,
      }),
      { maxLength: 4 },
    ),
    extensions: fc.array(anyElement, { maxLength: 2 }),
  },
  { requiredKeys: ['loc'] },
)
