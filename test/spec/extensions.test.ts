/** SPEC section 2, on documents as they are served. */
import type { Document } from '@xmldom/xmldom'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Entry, EntryObject } from '../../src/index.ts'
import { anyFields } from '../entry/any-entry.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { closeEngines, locsOf, pathsOf, SITE, type TestOptions } from '../support/site.ts'
import { select, texts, urlsetErrors } from '../support/xsd.ts'
import { type Served, START_MS, serve, serveEntries, untyped } from './served.ts'

afterEach(closeEngines)

const HOUR = 3_600_000
const video = { thumbnailLoc: '/t.png', title: 'V', description: 'D', contentLoc: '/v.mp4' }
const news = { title: 'N', publicationDate: new Date(START_MS - HOUR) }

/** The urlset; valid in the public schemas, or it fails. */
async function urlsetOf(entries: readonly Entry[], options: Partial<TestOptions> = {}): Promise<Document> {
  const served = serveEntries(entries, options)
  expect(urlsetErrors(await served.text('/sitemap.xml'))).toEqual([])
  return served.xml('/sitemap.xml')
}

describe('namespaces (SPEC 2)', () => {
  const uses = {
    image: { loc: '/i', images: '/i.png' },
    video: { loc: '/v', videos: video },
    news: { loc: '/n', news },
    xhtml: { loc: '/x', alternates: { en: '/x' } },
  } satisfies Record<string, EntryObject>

  it.each([
    { row: 'E1', prefix: 'image', uri: 'http://www.google.com/schemas/sitemap-image/1.1' },
    { row: 'E2', prefix: 'video', uri: 'http://www.google.com/schemas/sitemap-video/1.1' },
    { row: 'E3', prefix: 'news', uri: 'http://www.google.com/schemas/sitemap-news/0.9' },
    { row: 'E4', prefix: 'xhtml', uri: 'http://www.w3.org/1999/xhtml' },
  ] as const)(
    '$row: $prefix is declared in the part that uses it, and in no other',
    async ({ prefix, uri }) => {
      const served = serveEntries(['/plain', uses[prefix]], { limit: 1 })
      const declared = async (path: string) => {
        const attributes = (await served.xml(path)).documentElement?.attributes
        return [...(attributes ?? [])]
          .filter(({ name }) => name.startsWith('xmlns:'))
          .map(({ name, value }) => [name, value])
      }
      expect(await declared('/sitemap-pages-1.xml')).toEqual([])
      expect(await declared('/sitemap-pages-2.xml')).toEqual([[`xmlns:${prefix}`, uri]])
      expect(await declared('/sitemap_index.xml')).toEqual([])
    },
  )

  it('E5, E6, 2.5: PageMap and mobile are written as elements of a declared namespace', async () => {
    const namespaces = {
      map: 'http://www.google.com/schemas/sitemap-pagemap/1.0',
      mobile: 'http://www.google.com/schemas/sitemap-mobile/1.0',
    }
    const served = serveEntries(
      [
        {
          loc: '/kettle',
          extensions: [
            { name: 'mobile:mobile' },
            {
              name: 'map:PageMap',
              children: [
                {
                  name: 'map:DataObject',
                  attributes: { type: 'product', id: 'k' },
                  children: [
                    { name: 'map:Attribute', attributes: { name: 'colour' }, text: 'green' },
                    { name: 'map:Attribute', attributes: { name: 'litres', value: 1.7 } },
                  ],
                },
              ],
            },
          ],
        },
      ],
      { namespaces },
    )
    const document = await served.xml('/sitemap.xml')
    const elements = select(document, '//sm:url//*[not(self::sm:loc)]')
    expect(elements.map((element) => [element.nodeName, texts(element, '@*').join(' ')])).toEqual([
      ['mobile:mobile', ''],
      ['map:PageMap', ''],
      ['map:DataObject', 'product k'],
      ['map:Attribute', 'colour'],
      ['map:Attribute', 'litres 1.7'],
    ])
    expect(document.documentElement?.getAttribute('xmlns:map')).toBe(namespaces.map)
  })
})

describe('image (SPEC 2.1)', () => {
  it('E10 to E15, D13: all five tags, in the order of the schema, a URL on another host among them', async () => {
    const document = await urlsetOf([
      {
        loc: '/a',
        images: [
          {
            license: '/licence',
            title: 'T',
            geoLocation: 'Limerick, Ireland',
            caption: 'C',
            loc: 'https://cdn.example.net/i.png',
          },
        ],
      },
    ])
    expect(
      select(document, '//image:image/*').map(({ nodeName, textContent }) => [nodeName, textContent]),
    ).toEqual([
      ['image:loc', 'https://cdn.example.net/i.png'],
      ['image:caption', 'C'],
      ['image:geo_location', 'Limerick, Ireland'],
      ['image:title', 'T'],
      ['image:license', 'https://www.example.com/licence'],
    ])
  })

  it('E10: 1,000 of a page and no more, which is reported', async () => {
    const served = serveEntries([{ loc: '/a', images: Array.from({ length: 1_001 }, (_, i) => `/${i}.png`) }])
    expect(select(await served.xml('/sitemap.xml'), '//image:image')).toHaveLength(1_000)
    expect(served.reasons()).toEqual({ 'images beyond 1,000': 1 })
  })

  it('E11: an image without a usable loc is left out, its page stays', async () => {
    const document = await urlsetOf([
      untyped({ loc: '/a', images: [{ title: 'T' }, 'javascript:x', '/i.png'] }),
    ])
    expect(texts(document, '//sm:url/*')).toEqual([
      'https://www.example.com/a',
      'https://www.example.com/i.png',
    ])
  })
})

describe('video (SPEC 2.2)', () => {
  it.each([
    { row: 'E21', fields: {}, tag: 'thumbnail_loc', found: ['https://www.example.com/t.png'] },
    { row: 'E22', fields: { title: 't'.repeat(101) }, tag: 'title', found: ['t'.repeat(100)] },
    {
      row: 'E23',
      fields: { description: 'd'.repeat(2_049) },
      tag: 'description',
      found: ['d'.repeat(2_048)],
    },
    { row: 'E24', fields: {}, tag: 'content_loc', found: ['https://www.example.com/v.mp4'] },
    {
      row: 'E25',
      fields: { playerLoc: { loc: '/p', allowEmbed: true, autoplay: 'ap=1' } },
      tag: 'player_loc',
      found: ['https://www.example.com/p', 'yes', 'ap=1'],
    },
    { row: 'E26', fields: { duration: 28_800 }, tag: 'duration', found: ['28800'] },
    { row: 'E26', fields: { duration: 28_801 }, tag: 'duration', found: [] },
    { row: 'E26', fields: { duration: 0 }, tag: 'duration', found: [] },
    {
      row: 'E27',
      fields: { expirationDate: '2030-01-01T00:00:00.5+01:00' },
      tag: 'expiration_date',
      found: ['2030-01-01T00:00:00+01:00'],
    },
    { row: 'E28', fields: { rating: 4.5 }, tag: 'rating', found: ['4.5'] },
    { row: 'E28', fields: { rating: 5.1 }, tag: 'rating', found: [] },
    {
      row: 'E29',
      fields: { playerLoc: '/p', contentSegmentLoc: [{ loc: '/1', duration: 0 }, { loc: '/2' }] },
      tag: 'content_segment_loc',
      found: ['https://www.example.com/1', '0', 'https://www.example.com/2'],
    },
    { row: 'E29', fields: { contentSegmentLoc: [{ loc: '/1' }] }, tag: 'content_segment_loc', found: [] },
    { row: 'E30', fields: { viewCount: 12_345 }, tag: 'view_count', found: ['12345'] },
    {
      row: 'E31',
      fields: { publicationDate: new Date(Date.UTC(2026, 4, 1, 2, 3, 4, 5)).toISOString() },
      tag: 'publication_date',
      found: ['2026-05-01T02:03:04Z'],
    },
    {
      row: 'E32',
      fields: { tag: Array.from({ length: 33 }, (_, i) => `t${i}`) },
      tag: 'tag',
      found: Array.from({ length: 32 }, (_, i) => `t${i}`),
    },
    { row: 'E33', fields: { category: 'c'.repeat(257) }, tag: 'category', found: ['c'.repeat(256)] },
    { row: 'E34', fields: { familyFriendly: 'No' }, tag: 'family_friendly', found: ['no'] },
    {
      row: 'E35',
      fields: { restriction: { relationship: 'allow', countries: 'ie gb' } },
      tag: 'restriction',
      found: ['IE GB', 'allow'],
    },
    { row: 'E35', fields: { restriction: { countries: 'IE' } }, tag: 'restriction', found: [] },
    {
      row: 'E36',
      fields: { galleryLoc: { loc: '/g', title: 'G' } },
      tag: 'gallery_loc',
      found: ['https://www.example.com/g', 'G'],
    },
    {
      row: 'E37',
      fields: {
        price: [{ value: '1.99', currency: 'eur', type: 'rent', resolution: 'hd' }, { type: 'purchase' }],
      },
      tag: 'price',
      found: ['1.99', 'EUR', 'rent', 'HD', '', 'purchase'],
    },
    { row: 'E37', fields: { price: [{ value: 1 }, { currency: 'EUR' }] }, tag: 'price', found: [] },
    { row: 'E38', fields: { requiresSubscription: true }, tag: 'requires_subscription', found: ['yes'] },
    {
      row: 'E39',
      fields: { uploader: { name: 'u'.repeat(256), info: '/u' } },
      tag: 'uploader',
      found: ['u'.repeat(255), 'https://www.example.com/u'],
    },
    {
      row: 'E39',
      fields: { uploader: { name: 'U', info: 'https://example.net/u' } },
      tag: 'uploader',
      found: ['U'],
    },
    {
      row: 'E40',
      fields: {
        tvshow: {
          premierDate: '2026-05-01T10:00:00.9Z',
          episodeNumber: 2,
          seasonNumber: 1,
          episodeTitle: 'E',
          videoType: 'full',
          showTitle: 'S',
        },
      },
      tag: 'tvshow/*',
      found: ['S', 'full', 'E', '1', '2', '2026-05-01T10:00:00Z'],
    },
    { row: 'E40', fields: { tvshow: { showTitle: 'S' } }, tag: 'tvshow', found: [] },
    {
      row: 'E41',
      fields: { platform: { relationship: 'deny', platforms: ['TV', 'web'] } },
      tag: 'platform',
      found: ['tv web', 'deny'],
    },
    { row: 'E42', fields: { live: true }, tag: 'live', found: ['yes'] },
    {
      row: 'E43',
      fields: { id: [{ type: 'freebase', value: 'x' }, { value: 'y' }] },
      tag: 'id',
      found: ['x', 'freebase'],
    },
  ])('$row: $fields → $found', async ({ fields, tag, found }) => {
    const document = await urlsetOf([untyped({ loc: '/a', videos: { ...video, ...fields } })])
    const path = tag
      .split('/')
      .map((name) => (name === '*' ? '*' : `video:${name}`))
      .join('/')
    const read = select(document, `//video:video/${path}`).flatMap((element) => [
      element.textContent ?? '',
      ...texts(element, '@*'),
    ])
    expect(read).toEqual(found)
  })

  it('E20, D8: several of a page, each in the order of the schema', async () => {
    const whole = {
      live: true,
      tag: ['a'],
      requiresSubscription: true,
      platform: { relationship: 'allow', platforms: 'web' },
      ...video,
    }
    const document = await urlsetOf([untyped({ loc: '/a', videos: [whole, whole] })])
    const order = [
      'thumbnail_loc',
      'title',
      'description',
      'content_loc',
      'tag',
      'requires_subscription',
      'platform',
      'live',
    ]
    expect(
      select(document, '//video:video/*').map(({ nodeName }) => nodeName.slice('video:'.length)),
    ).toEqual([...order, ...order])
  })

  it.each([
    { row: 'E21', without: 'thumbnailLoc' },
    { row: 'E22', without: 'title' },
    { row: 'E23', without: 'description' },
    { row: 'E24, E25', without: 'contentLoc' },
  ])('$row: without $without a video is left out and reported, its page stays', async ({ without }) => {
    const served = serveEntries([untyped({ loc: '/a', videos: { ...video, [without]: undefined } })])
    expect(texts(await served.xml('/sitemap.xml'), '//sm:url/*')).toEqual(['https://www.example.com/a'])
    expect(Object.keys(served.reasons())).toEqual([expect.stringMatching(/^video lacks /)])
  })

  it.each(['contentLoc', 'playerLoc'])('E24, E25: %s is not the page itself', async (field) => {
    const served = serveEntries([
      untyped({ loc: '/a', videos: { ...video, contentLoc: undefined, [field]: '/a' } }),
    ])
    expect(select(await served.xml('/sitemap.xml'), '//video:*')).toEqual([])
  })
})

describe('news (SPEC 2.3)', () => {
  const whole = {
    ...news,
    name: 'The Example Times (subscription)',
    language: 'en-GB',
    access: 'subscription',
    genres: 'blog, OpEd, gossip',
    keywords: ['a', 'b'],
    stockTickers: ['A:1', 'B:2', 'C:3', 'D:4', 'E:5', 'F:6'],
  }

  it('E51 to E59: every tag, in the order of the schema', async () => {
    const document = await urlsetOf([untyped({ loc: '/a', news: whole })])
    expect(
      select(document, '//news:news/*[not(self::news:publication)] | //news:publication/*').map(
        ({ nodeName, textContent }) => `${nodeName.slice('news:'.length)} ${textContent}`,
      ),
    ).toEqual([
      'name The Example Times',
      'language en',
      'access Subscription',
      'genres Blog, OpEd',
      'publication_date 2026-05-31T23:00:00Z',
      'title N',
      'keywords a, b',
      'stock_tickers A:1, B:2, C:3, D:4, E:5',
    ])
    expect(select(document, '//news:news/*[1]')[0]?.nodeName).toBe('news:publication')
  })

  it.each([
    { given: 'zh-Hant', written: 'zh-tw' },
    { given: 'zh', written: 'zh-cn' },
    { given: 'en-US', written: 'en' },
    { given: 'fil', written: 'fil' },
  ])('E53: $given is written $written', async ({ given, written }) => {
    const document = await urlsetOf([{ loc: '/a', news: { ...news, language: given } }])
    expect(texts(document, '//news:language')).toEqual([written])
  })

  it.each([
    { given: '2026-05-31', written: '2026-05-31' },
    { given: '2026-05-31T10:20Z', written: '2026-05-31T10:20:00Z' },
    { given: '2026-05-31T10:20:30+01:00', written: '2026-05-31T10:20:30+01:00' },
    { given: '2026-05-31T10:20:30.45Z', written: '2026-05-31T10:20:30.45Z' },
    { given: '2026-05', written: undefined },
  ])('E56: $given is written $written', async ({ given, written }) => {
    const document = await urlsetOf([{ loc: '/a', news: { ...news, publicationDate: given } }])
    expect(texts(document, '//news:publication_date')).toEqual(written === undefined ? [] : [written])
  })

  it('E57: an article without any title is none', async () => {
    const document = await urlsetOf([untyped({ loc: '/a', news: { publicationDate: news.publicationDate } })])
    expect(select(document, '//news:*')).toEqual([])
  })

  it.each([
    { name: 'in the urlset', options: {}, path: '/sitemap.xml', locs: 1 },
    { name: 'in a file of its own', options: { routes: { news: '/news.xml' } }, path: '/news.xml', locs: 0 },
  ])(
    'E60, E61: after two days the article leaves, without a walk: $name',
    async ({ options, path, locs }) => {
      const served = serveEntries(
        [{ loc: '/a', news: { ...news, publicationDate: new Date(START_MS - 47 * HOUR) } }],
        {
          ...options,
          cache: { ttl: '7d' },
        },
      )
      expect(select(await served.xml(path), '//news:news')).toHaveLength(1)
      expect((await served.get(path)).headers['cache-control']).toContain('max-age=300')
      await served.site.clock.advance(HOUR - 60_000)
      expect(select(await served.xml(path), '//news:news')).toHaveLength(1)
      expect((await served.get(path)).headers['cache-control']).toMatch(/max-age=60\b/)
      await served.site.clock.advance(60_000)
      const document = await served.xml(path)
      expect(select(document, '//news:news')).toEqual([])
      expect(select(document, '//sm:loc')).toHaveLength(locs)
    },
  )

  it('E50, E62: 1,000 a file, in the urlset too; the first file keeps its name', async () => {
    const articles = Array.from({ length: 1_001 }, (_, i) => ({
      loc: `/${i}`,
      news: { title: 'N', publicationDate: new Date(START_MS - i * 1_000) },
    }))
    const inUrlset = serveEntries(articles)
    expect(locsOf(await inUrlset.text('/sitemap.xml'))).toEqual([
      `${SITE.url}/sitemap-pages-1.xml`,
      `${SITE.url}/sitemap-pages-2.xml`,
    ])
    expect(pathsOf(await inUrlset.text('/sitemap-pages-2.xml'))).toEqual(['/1000'])
    const own = serveEntries(articles, { routes: { news: '/news.xml' } })
    for (const [path, count] of [
      ['/news.xml', 1_000],
      ['/news_2.xml', 1],
    ] as const) {
      const text = await own.text(path)
      expect(urlsetErrors(text)).toEqual([])
      expect(locsOf(text)).toHaveLength(count)
    }
    expect(select(await own.xml('/sitemap.xml'), '//news:*')).toEqual([])
  })

  it('E50, U12: no news file is larger than maxBytes; an article that alone is stands in none', async () => {
    const articles = [5_000, 1, 400, 400, 400].map((length, i) => ({
      loc: `/${i}`,
      news: { title: 'é'.repeat(length), publicationDate: new Date(START_MS - i * 1_000) },
    }))
    const served = serveEntries(articles, { maxBytes: 2_048, routes: { news: '/news.xml' } })
    const found: string[] = []
    for (const path of ['/news.xml', '/news_2.xml', '/news_3.xml']) {
      const { status, body, text } = await served.site.ask(path, { 'accept-encoding': 'identity' })
      if (status === 404) break
      expect(body.length).toBeLessThanOrEqual(2_048)
      found.push(...pathsOf(text))
    }
    expect(found).toEqual(['/1', '/2', '/3', '/4'])
    expect(pathsOf(await served.text('/sitemap.xml'))).toEqual(['/0', '/1', '/2', '/3', '/4'])
  })
})

describe('hreflang (SPEC 2.4)', () => {
  async function linksOf(served: Served): Promise<Record<string, string[]>> {
    const document = await served.xml('/sitemap.xml')
    expect(urlsetErrors(await served.text('/sitemap.xml'))).toEqual([])
    return Object.fromEntries(
      select(document, '//sm:url').map((url) => [
        texts(url, 'sm:loc')[0]?.slice(SITE.url.length) ?? '',
        select(url, 'xhtml:link').map((link) => texts(link, '@hreflang | @href').join(' ')),
      ]),
    )
  }

  it('E70, E73, E79: an empty element with rel, hreflang and an absolute href, on other hosts too', async () => {
    const text = await serveEntries([
      { loc: '/a', alternates: { en: '/a', fr: 'https://example.fr/à?b&c' } },
    ]).text('/sitemap.xml')
    expect(text).toContain(
      '<xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/a"/>' +
        '<xhtml:link rel="alternate" hreflang="fr" href="https://example.fr/%C3%A0?b&amp;c"/></url>',
    )
    expect(urlsetErrors(text)).toEqual([])
  })

  it('E71: each version of a group has a url of its own and lists every version, itself included', async () => {
    const langs = ['en', 'fr', 'zh-Hant'] as const
    const served = serveEntries(langs.map((lang) => ({ loc: `/${lang}`, lang, group: 1 })))
    const all = langs.map((lang) => `${lang} ${SITE.url}/${lang}`)
    expect(await linksOf(served)).toEqual({ '/en': all, '/fr': all, '/zh-Hant': all })
  })

  it('E72: a version that does not name the other back is reported', async () => {
    const served = serveEntries([
      { loc: '/en', alternates: { en: '/en', fr: '/fr' } },
      { loc: '/fr', alternates: { fr: '/fr' } },
    ])
    await linksOf(served)
    expect(Object.keys(served.reasons())).toEqual([expect.stringContaining('(SPEC E72)')])
  })

  it.each([
    { row: 'E74', given: 'en', written: 'en', reported: false },
    { row: 'E74', given: 'FR-ca', written: 'fr-CA', reported: false },
    { row: 'E74', given: 'zh-hant-tw', written: 'zh-Hant-TW', reported: false },
    { row: 'E74', given: 'X-Default', written: 'x-default', reported: false },
    { row: 'E74', given: 'us', written: undefined, reported: true },
    { row: 'E75', given: 'en_US', written: 'en-US', reported: false },
    { row: 'E75', given: 'en-UK', written: 'en-GB', reported: true },
    { row: 'E75', given: 'en-EU', written: undefined, reported: true },
  ])('$row: $given is written $written', async ({ given, written, reported }) => {
    const served = serveEntries([{ loc: '/a', alternates: [{ hreflang: given, href: '/a' }] }])
    expect(await linksOf(served)).toEqual({ '/a': written === undefined ? [] : [`${written} ${SITE.url}/a`] })
    expect(Object.keys(served.reasons()).length > 0).toBe(reported)
  })

  it('E76: the sitemap alone says it; no Link header repeats it', async () => {
    const served = serveEntries([{ loc: '/a', alternates: { en: '/a', fr: '/fr' } }])
    for (const path of ['/sitemap.xml', '/sitemap-pages-1.xml'])
      expect((await served.get(path)).headers.link).toBeUndefined()
  })

  it('E77: what is given is written: a version for the language beside its regions, none where none was', async () => {
    const regions = { 'en-GB': '/gb', 'en-US': '/us' }
    const served = serveEntries([
      { loc: '/gb', alternates: { en: '/us', ...regions } },
      { loc: '/us', alternates: regions },
    ])
    expect(await linksOf(served)).toMatchObject({
      '/gb': [`en ${SITE.url}/us`, `en-GB ${SITE.url}/gb`, `en-US ${SITE.url}/us`],
      '/us': [`en-GB ${SITE.url}/gb`, `en-US ${SITE.url}/us`],
    })
  })

  it('E78: of two with one code the first stays, and it is reported', async () => {
    const served = serveEntries([
      {
        loc: '/a',
        alternates: [
          { hreflang: 'en', href: '/a' },
          { hreflang: 'EN', href: '/b' },
        ],
      },
    ])
    expect(await linksOf(served)).toEqual({ '/a': [`en ${SITE.url}/a`] })
    expect(served.reasons()).toEqual({ 'hreflang stands twice': 1 })
  })
})

describe('all of it', () => {
  it('thousands of entries, whatever they hold, cut into parts: each document is valid, and no page is lost', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const fields = fc.sample(anyFields, { numRuns: 2_000, seed })
    const entries = fields.map((one, i) => untyped({ ...one, loc: `/${i}`, url: undefined }))
    // A day after most of the dates, so that they are news.
    const clock = createManualClock(Date.UTC(2026, 4, 11))
    const served = serve(
      {
        limit: 700,
        namespaces: { shop: 'https://example.com/ns/shop' },
        providers: { pages: () => entries },
      },
      clock,
    )
    const parts = locsOf(await served.text('/sitemap.xml'))
    expect(parts).toHaveLength(3)
    const found: string[] = []
    const used = new Set<string>()
    for (const part of parts) {
      const text = await served.text(part.slice(SITE.url.length))
      expect(urlsetErrors(text), `seed ${seed}`).toEqual([])
      for (const [, prefix = ''] of text.matchAll(
        /<(image:image|video:video|news:news|xhtml:link|shop:[a-z]+)/g,
      ))
        used.add(prefix)
      found.push(...pathsOf(text))
    }
    expect(found, `seed ${seed}`).toEqual(entries.map((_, i) => `/${i}`))
    expect([...used]).toEqual(
      expect.arrayContaining(['image:image', 'video:video', 'news:news', 'xhtml:link', 'shop:price']),
    )
  }, 60_000)
})
