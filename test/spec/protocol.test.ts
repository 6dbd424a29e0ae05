/** SPEC section 1, the rows of 0 that it decides, and 1.6, on documents as they are served. */
import { afterEach, describe, expect, it } from 'vitest'
import { type CommonOptions, resolveOptions, type Site } from '../../src/index.ts'
import { closeEngines, createSource, locsOf, SITE, throws } from '../support/site.ts'
import { indexErrors, select, texts, urlsetErrors } from '../support/xsd.ts'
import { IDENTITY, serve, serveEntries, untyped } from './served.ts'

afterEach(closeEngines)

const URLSET = 'http://www.sitemaps.org/schemas/sitemap/0.9'

describe('urlset (SPEC 1.1)', () => {
  it.each([
    {
      row: 'U1',
      says: 'the root declares the namespace of the protocol, and no other without need',
      entry: '/a',
      xpath: '/sm:urlset/@*',
      found: [URLSET],
    },
    {
      row: 'U3',
      says: 'each entry is a url, and nothing else stands in the root',
      entry: '/a',
      xpath: '/sm:urlset/*[count(/sm:urlset/sm:url) = count(/sm:urlset/*)]',
      found: ['https://www.example.com/a'],
    },
    {
      row: 'U4',
      says: 'exactly one loc, first and absolute',
      entry: { lastmod: '2026-05-10', loc: '/a' },
      xpath: '//sm:url/*[1][self::sm:loc]',
      found: ['https://www.example.com/a'],
    },
    {
      row: 'U5',
      says: 'lastmod of the entry',
      entry: { loc: '/a', lastmod: '2026-05-10' },
      xpath: '//sm:lastmod',
      found: ['2026-05-10'],
    },
    {
      row: 'U5, U19',
      says: 'no lastmod where none was given',
      entry: '/a',
      xpath: '//sm:lastmod',
      found: [],
    },
    {
      row: 'U6',
      says: 'one of the seven words, lower case, bare',
      entry: untyped({ loc: '/a', changefreq: ' Daily ' }),
      xpath: '//sm:changefreq',
      found: ['daily'],
    },
    {
      row: 'U6',
      says: 'no other word',
      entry: untyped({ loc: '/a', changefreq: 'often' }),
      xpath: '//sm:changefreq',
      found: [],
    },
    {
      row: 'U7',
      says: 'a point, whatever the language',
      entry: { loc: '/a', priority: 0.5 },
      xpath: '//sm:priority',
      found: ['0.5'],
    },
    {
      row: 'U7',
      says: 'never an exponent',
      entry: { loc: '/a', priority: 1e-7 },
      xpath: '//sm:priority',
      found: ['0.0'],
    },
    {
      row: 'U7',
      says: 'never a comma',
      entry: { loc: '/a', priority: '0,5' },
      xpath: '//sm:priority',
      found: [],
    },
    {
      row: 'U7, D9',
      says: 'no changefreq and no priority that nobody gave',
      entry: '/a',
      xpath: '//sm:changefreq | //sm:priority',
      found: [],
    },
    {
      row: 'D7, U8',
      says: 'the order of the schema, whatever the order of the fields',
      entry: {
        images: '/i.png',
        priority: 1,
        changefreq: 'never',
        lastmod: '2026-05-10',
        loc: '/a',
      } as const,
      xpath: '//sm:url/*',
      found: ['https://www.example.com/a', '2026-05-10', 'never', '1.0', 'https://www.example.com/i.png'],
    },
  ])('$row: $says', async ({ entry, xpath, found }) => {
    const served = serveEntries([entry])
    expect(urlsetErrors(await served.text('/sitemap.xml'))).toEqual([])
    expect(texts(await served.xml('/sitemap.xml'), xpath)).toEqual(found)
  })
})

describe('files (SPEC 1.2)', () => {
  it('U10: UTF-8, said so in declaration and header, without a BOM', async () => {
    const served = serveEntries([{ loc: '/a', images: { loc: '/i', title: 'Käse 🧀' } }])
    for (const path of ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-pages-1.xml', '/feed.rss']) {
      const { body, headers } = await served.get(path)
      expect(body.subarray(0, 39).toString('latin1')).toBe('<?xml version="1.0" encoding="UTF-8"?>\n')
      expect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)).not.toContain('\uFEFF')
      expect(headers['content-type']).toMatch(/^application\/(rss\+)?xml; charset=utf-8$/)
    }
    expect(texts(await served.xml('/sitemap.xml'), '//image:title')).toEqual(['Käse 🧀'])
  })

  it('U11: the five characters are written as entities, in loc too', async () => {
    const text = await serveEntries([
      { loc: "/a?b=1&c=it's", images: { loc: "/it's", title: `<"&'>` } },
    ]).text('/sitemap.xml')
    expect(text).toContain('<loc>https://www.example.com/a?b=1&amp;c=it%27s</loc>')
    expect(text).toContain('<image:loc>https://www.example.com/it&apos;s</image:loc>')
    expect(text).toContain('<image:title>&lt;&quot;&amp;&apos;&gt;</image:title>')
  })

  it('U12, D3: 50,000 urls at most, and 52,428,800 bytes unless said otherwise', async () => {
    const site = { url: 'https://www.example.com' }
    const { limit, maxBytes } = resolveOptions({ site, providers: { pages: ['/'] } })
    expect({ limit, maxBytes }).toEqual({ limit: 50_000, maxBytes: 52_428_800 })
    for (const more of [{ limit: 50_001 }, { maxBytes: 52_428_801 }])
      expect(() => resolveOptions({ site, providers: { pages: ['/'] }, ...more })).toThrow(
        /50,000|52,428,800/,
      )
    const served = serve({
      providers: {
        pages: {
          formats: ['xml'],
          *entries() {
            for (let i = 0; i < 50_001; i++) yield `/${i}`
          },
        },
      },
    })
    expect(texts(await served.xml('/sitemap.xml'), '//sm:loc')).toEqual([
      'https://www.example.com/sitemap-pages-1.xml',
      'https://www.example.com/sitemap-pages-2.xml',
    ])
    expect(locsOf(await served.text('/sitemap-pages-1.xml'))).toHaveLength(50_000)
    expect(locsOf(await served.text('/sitemap-pages-2.xml'))).toEqual(['https://www.example.com/50000'])
  })

  it("D3, U13: the seed's 10 megabytes, in UTF-8 with head and tail, before compression", async () => {
    const maxBytes = 10_485_760
    const title = 'é'.repeat(1_000)
    const served = serve({
      maxBytes,
      providers: {
        pages: {
          formats: ['xml'],
          entries: () =>
            Array.from({ length: 5_500 }, (_, i) => ({ loc: `/${i}`, images: { loc: '/i', title } })),
        },
      },
    })
    const parts = locsOf(await served.text('/sitemap.xml')).map((loc) => loc.slice(SITE.url.length))
    expect(parts.length).toBe(2)
    const bodies = await Promise.all(parts.map(async (path) => (await served.get(path)).body))
    for (const body of bodies) expect(body.length).toBeLessThanOrEqual(maxBytes)
    const next = /<url>.*<\/url>\n/.exec(bodies[1]?.toString('utf8') ?? '')?.[0] ?? ''
    expect((bodies[0]?.length ?? 0) + Buffer.byteLength(next)).toBeGreaterThan(maxBytes)
    // Coded it is far below, and cut nevertheless.
    const coded = await served.site.ask(parts[0] ?? '', { 'accept-encoding': 'gzip' })
    expect(coded.headers['content-encoding']).toBe('gzip')
    expect(coded.body.length).toBeLessThan(maxBytes / 10)
    expect(coded.text).toBe(bodies[0]?.toString('utf8'))
  })

  it.each([
    { row: 'U14', says: 'another scheme', loc: 'http://www.example.com/a' },
    { row: 'U14', says: 'without www', loc: 'https://example.com/a' },
    { row: 'U14', says: 'another port', loc: 'https://www.example.com:8443/a' },
    { row: 'U14', says: 'a host that begins alike', loc: 'https://www.example.com.evil.test/a' },
    { row: 'U15', says: 'outside of the folder', loc: '/a', scope: 'path' },
    { row: 'U15', says: 'a folder that begins alike', loc: '/catalogue/a', scope: 'path' },
    { row: 'U15', says: 'climbing out of the folder', loc: '/catalog/../a', scope: 'path' },
  ] as const)('$row, U17: $says is dropped and reported, never written', async (given) => {
    const inFolder = 'scope' in given
    const served = serveEntries([given.loc, '/catalog/b'], {
      ...(inFolder && { scope: given.scope, prefix: '/catalog' }),
    })
    for (const path of ['/sitemap.xml', '/sitemap.txt'])
      expect(locsOf(await served.text(path))).toEqual(['https://www.example.com/catalog/b'])
    expect(Object.entries(served.reasons())).toEqual([[expect.stringContaining('(option scope)'), 1]])
  })

  it('U16, U17: scope off lists what a robots.txt elsewhere vouches for', async () => {
    const locs = ['http://other.example/a', 'https://www.example.com/b']
    const served = serveEntries(locs, { scope: 'off' })
    expect(locsOf(await served.text('/sitemap.xml'))).toEqual(locs)
    expect(served.reasons()).toEqual({})
  })

  it('U19: lastmod stays what it was, whatever the clock says and however often it is read', async () => {
    const served = serveEntries(['/a', { loc: '/b', lastmod: '2020-01-02' }], { cache: { ttl: '1m' } })
    const first = await served.text('/sitemap.xml')
    expect(texts(await served.xml('/sitemap.xml'), '//sm:lastmod')).toEqual(['2020-01-02'])
    await served.site.clock.advance(86_400_000)
    await served.site.handle.invalidate()
    expect(await served.text('/sitemap.xml')).toBe(first)
  })

  it('U20, U21, U23: forbidden characters, lone surrogates and ]]> never reach a document', async () => {
    const hostile = 'a\u0000\u0001\u000B\u001F\uFFFE\uFFFF\uD800]]>\uDC00<![CDATA[b]]>&#1;&nope;'
    const clean = 'a\uFFFD]]>\uFFFD<![CDATA[b]]>&#1;&nope;'
    const served = serveEntries(
      [
        {
          loc: '/a',
          title: hostile,
          description: hostile,
          images: { loc: '/i', title: hostile },
          videos: { thumbnailLoc: '/t', title: hostile, description: hostile, contentLoc: '/v' },
          extensions: [{ name: 'shop:price', attributes: { a: hostile }, text: hostile }],
        },
      ],
      { namespaces: { shop: 'https://example.com/ns/shop' } },
    )
    const document = await served.xml('/sitemap.xml')
    expect(
      texts(document, '//image:title | //video:title | //video:description | //shop:price | //shop:price/@a'),
    ).toEqual(Array.from({ length: 5 }, () => clean))
    expect(texts(await served.xml('/feed.rss'), '//item[last()]/title')).toEqual([clean])
  })

  it('U22: line ends and tabs of attributes come out as they went in', async () => {
    const value = ' a\tb\nc\rd\r\ne '
    const served = serveEntries(
      [{ loc: '/a', extensions: [{ name: 'shop:price', attributes: { a: value } }] }],
      {
        namespaces: { shop: 'https://example.com/ns/shop' },
      },
    )
    expect(texts(await served.xml('/sitemap.xml'), '//shop:price/@a')).toEqual([value])
  })
})

describe('dates (SPEC 1.3)', () => {
  it.each([
    { row: 'W1', given: '2026', written: undefined },
    { row: 'W2', given: '2026-05', written: undefined },
    { row: 'W3', given: '2026-05-10', written: '2026-05-10' },
    { row: 'W4, D4', given: '2026-05-10T10:20+01:00', written: '2026-05-10T10:20:00+01:00' },
    { row: 'W5', given: '2026-05-10T10:20:30Z', written: '2026-05-10T10:20:30Z' },
    { row: 'W6', given: '2026-05-10T10:20:30.45Z', written: '2026-05-10T10:20:30.45Z' },
    { row: 'D5', given: '2026-05-10T10:20:30', written: '2026-05-10T10:20:30Z' },
    { row: 'D5', given: '2026-05-10Z', written: undefined },
    { row: 'D5', given: '2026-05-10T24:00:00Z', written: undefined },
    { row: 'D10', given: '2009-03-06 13:03:30', written: '2009-03-06T13:03:30Z' },
    { row: '1.3', given: '2026-02-30', written: undefined },
    { row: '1.3', given: new Date(Date.UTC(2026, 4, 10, 1, 2, 3, 456)), written: '2026-05-10T01:02:03Z' },
    { row: '1.3', given: new Date(Number.NaN), written: undefined },
    { row: '1.3', given: 1_778_371_200, written: '2026-05-10T00:00:00Z' },
  ])(
    '$row: $given → $written; what is no date is reported, and its entry stays',
    async ({ given, written }) => {
      const served = serveEntries([{ loc: '/a', lastmod: given }])
      const text = await served.text('/sitemap.xml')
      expect(urlsetErrors(text)).toEqual([])
      expect(texts(await served.xml('/sitemap.xml'), '//sm:lastmod')).toEqual(
        written === undefined ? [] : [written],
      )
      expect(locsOf(text)).toEqual(['https://www.example.com/a'])
      expect(Object.keys(served.reasons())).toHaveLength(written === undefined ? 1 : 0)
    },
  )
})

describe('URLs (SPEC 1.4)', () => {
  const long = (length: number, end = '') =>
    `https://www.example.com/${'x'.repeat(length - 'https://www.example.com/'.length - end.length)}${end}`

  it.each([
    { row: 'L1', says: 'trailing slash kept', given: '/a/', loc: 'https://www.example.com/a/' },
    { row: 'L1', says: 'none added', given: 'https://www.example.com/a', loc: 'https://www.example.com/a' },
    { row: 'L1', says: 'other schemes', given: 'ftp://www.example.com/a', loc: undefined },
    { row: 'L1', says: 'script', given: 'javascript:alert(1)', loc: undefined },
    { row: 'L2, L7', says: 'spaces', given: '/a b', loc: 'https://www.example.com/a%20b' },
    {
      row: 'L2, L7',
      says: 'other alphabets',
      given: '/猫?q=é',
      loc: 'https://www.example.com/%E7%8C%AB?q=%C3%A9',
    },
    {
      row: 'L3',
      says: 'percent-encoded, then escaped',
      given: '/ü&',
      loc: 'https://www.example.com/%C3%BC&',
    },
    {
      row: 'L4, L5',
      says: 'what URL leaves raw',
      given: '/[a]|^?{b}[`]',
      loc: 'https://www.example.com/%5Ba%5D%7C%5E?%7Bb%7D%5B%60%5D',
    },
    {
      row: 'L4',
      says: 'dot segments and host',
      given: 'HTTPS://WWW.Example.COM:443/a/../b',
      loc: 'https://www.example.com/b',
    },
    {
      row: 'L5',
      says: 'a % that escapes nothing',
      given: '/100%zz',
      loc: 'https://www.example.com/100%25zz',
    },
    { row: 'L5', says: 'user information', given: 'https://u:p@www.example.com/a', loc: undefined },
    { row: 'L5', says: 'fragment', given: '/a#b', loc: 'https://www.example.com/a' },
    { row: 'L6', says: 'encoded already', given: '/a%20b', loc: 'https://www.example.com/a%20b' },
    { row: 'D1', says: '2,047 characters', given: long(2_047), loc: long(2_047) },
    { row: 'D1', says: '2,048 characters', given: long(2_048), loc: undefined },
    {
      row: 'L8',
      says: 'counted before entities',
      given: long(2_047, '&'),
      loc: long(2_047, '&'),
    },
    { row: 'L8', says: 'counted encoded', given: long(2_047, 'é'), loc: undefined },
  ])('$row: $says, the same in every document', async ({ given, loc }) => {
    const served = serveEntries([{ loc: given, title: 'A' }, '/other'], { routes: { json: '/feed.json' } })
    const pages = loc === undefined ? [] : [loc]
    const other = 'https://www.example.com/other'
    const xml = await served.text('/sitemap.xml')
    expect(urlsetErrors(xml)).toEqual([])
    expect(texts(await served.xml('/sitemap.xml'), '//sm:loc')).toEqual([...pages, other])
    expect(await served.text('/sitemap.txt')).toBe([...pages, other, ''].join('\n'))
    expect(texts(await served.xml('/feed.rss'), '//item/link').slice(2)).toEqual(pages)
    const { items } = JSON.parse(await served.text('/feed.json')) as { items: { url: string }[] }
    expect(items.map(({ url }) => url)).toEqual(pages)
    expect(Object.keys(served.reasons())).toHaveLength(loc === undefined ? 1 : 0)
  })

  it('D2: a short URL is no error', async () => {
    const served = serveEntries(['/', '/a'], { site: { url: 'http://a.b' } })
    expect(locsOf(await served.text('/sitemap.xml'))).toEqual(['http://a.b/', 'http://a.b/a'])
    expect(served.reasons()).toEqual({})
  })

  it('L2: a site with a name in another alphabet is written in ASCII everywhere', async () => {
    const served = serveEntries(['/ä'], {
      site: { url: 'https://bücher.example', title: 'Bücher' },
      limit: 1,
    })
    const host = 'https://xn--bcher-kva.example'
    expect(locsOf(await served.text('/sitemap.xml'))).toEqual([`${host}/%C3%A4`])
    expect(locsOf(await served.text('/sitemap_index.xml'))).toEqual([`${host}/sitemap-pages-1.xml`])
    expect(await served.text('/sitemap.txt')).toBe(`${host}/%C3%A4\n`)
    expect(texts(await served.xml('/feed.rss'), '//atom:link/@href')).toEqual([`${host}/feed.rss`])
  })

  it('L9: of two entries with one final URL the first stays', async () => {
    const served = serveEntries([
      { loc: '/é', lastmod: '2026-05-10' },
      { loc: '/%C3%A9#b', lastmod: '2026-05-11' },
    ])
    expect(texts(await served.xml('/sitemap.xml'), '//sm:url/*')).toEqual([
      'https://www.example.com/%C3%A9',
      '2026-05-10',
    ])
    expect(served.reasons()).toEqual({ 'duplicate loc': 1 })
  })
})

describe('sitemapindex (SPEC 1.5)', () => {
  const posts = [
    { loc: '/1', lastmod: '2026-05-10' },
    { loc: '/2', lastmod: '2026-05-12T08:00:00+02:00' },
    { loc: '/3' },
  ]

  it('I1, I3 to I5: a sitemap for each part, with the newest lastmod of its entries, or none', async () => {
    const served = serve({ limit: 2, providers: { pages: () => posts, more: ['/4'] } })
    const text = await served.text('/sitemap_index.xml')
    expect(indexErrors(text)).toEqual([])
    const document = await served.xml('/sitemap_index.xml')
    expect(document.documentElement?.namespaceURI).toBe(URLSET)
    expect(document.documentElement?.localName).toBe('sitemapindex')
    const listed = select(document, '/sm:sitemapindex/*').map((element) => texts(element, '*'))
    expect(listed).toEqual([
      ['https://www.example.com/sitemap-pages-1.xml', '2026-05-12T08:00:00+02:00'],
      ['https://www.example.com/sitemap-pages-2.xml'],
      ['https://www.example.com/sitemap-more-1.xml'],
    ])
  })

  it.each([
    { name: 'sections that are split', options: { limit: 2 } },
    { name: 'locales, one of them split', options: { limit: 2, i18n: { locales: ['en', 'fr'] } } },
    { name: 'documents below a path', options: { limit: 2, prefix: '/maps' } },
    { name: 'a news file beside', options: { limit: 2, routes: { news: '/news.xml' } } },
  ])('I11, I14, D14: all that is listed is a urlset of the same site: $name', async ({ options }) => {
    const entries = [
      ...posts,
      { loc: '/fr', lang: 'fr', news: { title: 'N', publicationDate: '2026-01-15' } },
    ]
    const served = serve({ ...options, providers: { pages: () => entries } })
    // Hosts take the prefix off before they ask.
    const base = SITE.url + ('prefix' in options ? options.prefix : '')
    const text = await served.text('/sitemap_index.xml')
    expect(indexErrors(text)).toEqual([])
    const listed = locsOf(text)
    expect(listed.length).toBeGreaterThan(1)
    const found: string[] = []
    for (const loc of listed) {
      // I12: in the folder of the index or below.
      expect(loc.startsWith(`${base}/`)).toBe(true)
      const part = await served.text(loc.slice(base.length))
      expect(urlsetErrors(part)).toEqual([])
      found.push(...locsOf(part))
    }
    expect(found.sort()).toEqual(entries.map(({ loc }) => SITE.url + loc).sort())
  })

  it('I15: an index for more than limit, for more than maxBytes, and for languages', async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({
      loc: `/${'x'.repeat(60)}${i}`,
      lang: i % 2 ? 'fr' : 'en',
    }))
    const rootOf = async (options: Partial<CommonOptions>, path: string) =>
      (await serve({ ...options, providers: { pages: () => many } }).xml(path)).documentElement?.localName
    expect(await rootOf({}, '/sitemap.xml')).toBe('urlset')
    expect(await rootOf({ limit: 29 }, '/sitemap.xml')).toBe('sitemapindex')
    expect(await rootOf({ maxBytes: 2_048 }, '/sitemap.xml')).toBe('sitemapindex')
    const i18n = { locales: ['en', 'fr', 'de'] }
    expect(await rootOf({ i18n }, '/sitemap_fr.xml')).toBe('urlset')
    const served = serve({ i18n, providers: { pages: () => [...many, { loc: '/de', lang: 'de' }] } })
    expect(locsOf(await served.text('/sitemap_index.xml'))).toEqual(
      ['en', 'fr', 'de'].map((locale) => `https://www.example.com/sitemap_${locale}.xml`),
    )
  })

  it('I10, I16: 50,000 of an index and no more: a section that has more goes on in a further one', async () => {
    const served = serve({
      limit: 1,
      retries: 0,
      routes: { html: false, txt: false, rss: false },
      providers: {
        pages: {
          *entries() {
            for (let i = 0; i < 50_001; i++) yield `/${i}`
          },
        },
      },
    })
    await served.site.handle.refresh('pages')
    expect(locsOf(await served.text('/sitemap_index.xml'))).toHaveLength(50_000)
    expect(locsOf(await served.text('/sitemap_index-2.xml'))).toEqual([
      'https://www.example.com/sitemap-pages-50001.xml',
    ])
    expect(await served.site.handle.robotsTxt()).toContain('/sitemap_index-2.xml')
  })

  it('I13: index files are few: one, and one a locale that is split', async () => {
    const served = serve({
      limit: 1,
      routes: { robots: '/robots.txt', txt: false },
      i18n: { locales: ['en', 'fr'] },
      providers: { pages: () => [...posts, { loc: '/fr', lang: 'fr' }] },
    })
    await served.text('/sitemap.xml')
    const named = (await served.text('/robots.txt')).match(/^Sitemap: .*$/gm)
    expect(named).toEqual([
      'Sitemap: https://www.example.com/sitemap_index.xml',
      'Sitemap: https://www.example.com/sitemap_en.xml',
    ])
    const locales = Array.from({ length: 101 }, (_, i) => `en-${String.fromCharCode(65 + (i % 26))}${i}`)
    expect(() =>
      resolveOptions({ site: SITE as Site, i18n: { locales }, providers: { pages: ['/'] } }),
    ).toThrow(/at most 100/)
  })

  it('I17: /sitemap.xml is the index once the set is split, byte for byte', async () => {
    const served = serve({ limit: 2, providers: { pages: () => posts } })
    expect(await served.text('/sitemap.xml')).toBe(await served.text('/sitemap_index.xml'))
  })
})

describe('empty result (SPEC 1.6, D6)', () => {
  it('really none: 200 and an empty urlset, or 404', async () => {
    const served = serveEntries([])
    const document = await served.xml('/sitemap.xml')
    expect(document.documentElement?.localName).toBe('urlset')
    expect(select(document, '/*/*')).toEqual([])
    const none = serveEntries([], { onEmpty: 404 })
    expect((await none.site.ask('/sitemap.xml', IDENTITY)).status).toBe(404)
  })

  it('the provider failed: the last good one, never an empty file', async () => {
    const pages = createSource(['/a'])
    const served = serve({ retries: 0, providers: { pages: pages.entries } })
    const first = await served.text('/sitemap.xml')
    pages.set(throws)
    await expect(served.site.handle.invalidate()).rejects.toThrow()
    expect(await served.text('/sitemap.xml')).toBe(first)
  })

  it('the list shrank to nothing without reason: the last good one', async () => {
    const pages = createSource(Array.from({ length: 10 }, (_, i) => `/${i}`))
    const served = serve({ providers: { pages: pages.entries } })
    const first = await served.text('/sitemap.xml')
    pages.set([])
    await served.site.handle.invalidate().catch(() => {})
    expect(await served.text('/sitemap.xml')).toBe(first)
    expect(served.site.handle.report().sections.pages?.state).toBe('held')
  })
})
