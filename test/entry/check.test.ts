import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckedEntry } from '../../src/entry/checked.ts'
import { FIRST_OWN_NAMESPACE } from '../../src/formats/urlset.ts'
import { createCheck, ORIGIN, type Rules, taken as takenBy } from './create-check.ts'

/** The entry, which must be taken, and the fields that were dropped. */
function taken(input: unknown, more: Rules = {}) {
  const { entry, dropped } = takenBy(input, more)
  return { entry, dropped }
}

/** Why the entry is left out. */
function reasonOf(input: unknown, more: Rules = {}): string | undefined {
  const { check, skipped } = createCheck(more)
  expect(check(input)).toBeUndefined()
  expect(skipped).toHaveLength(1)
  return skipped[0]?.reason
}

/** Freezes an object and all in it: whoever writes to it throws. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !(value instanceof URL)) {
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) deepFreeze((value as Record<PropertyKey, unknown>)[key])
  }
  return value
}

const everything = {
  loc: '/a',
  lastmod: '2026-05-10',
  changefreq: 'daily',
  priority: 0.8,
  images: [{ loc: '/a.png', caption: 'A', geoLocation: 'Paris', title: 'T', license: '/l' }],
  alternates: [
    { hreflang: 'en', href: '/a' },
    { hreflang: 'fr', href: '/fr/a' },
  ],
  videos: [{ thumbnailLoc: '/v.png', title: 'V', description: 'Video', contentLoc: '/v.mp4' }],
  news: { publicationDate: '2026-05-08', genres: ['Blog'] },
  extensions: [{ name: 'shop:price', attributes: { currency: 'EUR' }, text: '5' }],
  group: 7,
  lang: 'en',
  title: 'Title',
  description: 'Text',
  robots: 'nofollow',
  content: '<p>Text</p>',
  keywords: ['k'],
  author: ['A'],
  categories: ['c'],
  published: '2026-05-09',
  guid: 'g',
  enclosure: { url: '/a.mp3', length: 1, type: 'audio/mpeg' },
  type: 'Product',
  sortOrder: 1,
  resourceOf: 'r',
  updatePeriod: 'day',
}

const everythingChecked: CheckedEntry = {
  loc: `${ORIGIN}/a`,
  locXml: `${ORIGIN}/a`,
  lastmod: { text: '2026-05-10', ms: Date.UTC(2026, 4, 10) },
  changefreq: 'daily',
  priority: '0.8',
  images: [
    { loc: `${ORIGIN}/a.png`, caption: 'A', geoLocation: 'Paris', title: 'T', license: `${ORIGIN}/l` },
  ],
  alternates: [
    { hreflang: 'en', href: `${ORIGIN}/a` },
    { hreflang: 'fr', href: `${ORIGIN}/fr/a` },
  ],
  videos: [
    {
      thumbnailLoc: `${ORIGIN}/v.png`,
      title: 'V',
      description: 'Video',
      contentLoc: `${ORIGIN}/v.mp4`,
      playerLoc: undefined,
      duration: undefined,
      expirationDate: undefined,
      rating: undefined,
      contentSegmentLoc: [],
      viewCount: undefined,
      publicationDate: undefined,
      tags: [],
      category: undefined,
      familyFriendly: undefined,
      restriction: undefined,
      galleryLoc: undefined,
      prices: [],
      requiresSubscription: undefined,
      uploader: undefined,
      tvshow: undefined,
      platform: undefined,
      live: undefined,
      ids: [],
    },
  ],
  news: {
    name: 'The Example Times',
    language: 'en',
    access: undefined,
    genres: 'Blog',
    publicationDate: { text: '2026-05-08', ms: Date.UTC(2026, 4, 8) },
    title: 'Title',
    keywords: undefined,
    stockTickers: undefined,
  },
  extensions: [{ name: 'shop:price', attributes: [['currency', 'EUR']], text: '5', children: [] }],
  extensionNamespaces: FIRST_OWN_NAMESPACE,
  group: '7',
  lang: 'en',
  title: 'Title',
  description: 'Text',
  robots: { nofollow: true, noarchive: false, noanchortext: false },
}

describe('kinds of entries', () => {
  class ForeignUrl {
    readonly #href: string
    readonly searchParams = {}
    constructor(href: string) {
      this.#href = href
    }
    get href() {
      return this.#href
    }
  }

  class Row {
    readonly #slug: string
    constructor(slug: string) {
      this.#slug = slug
    }
    get loc() {
      return `/${this.#slug}`
    }
    get title() {
      return this.#slug.toUpperCase()
    }
  }

  it.each([
    { name: 'text', input: '/a', loc: '/a' },
    { name: 'URL', input: new URL(`${ORIGIN}/a#b`), loc: '/a' },
    { name: 'URL of another realm or library', input: new ForeignUrl(`${ORIGIN}/a`), loc: '/a' },
    { name: 'object with loc', input: { loc: '/a' }, loc: '/a' },
    { name: 'object with a URL as loc', input: { loc: new URL(`${ORIGIN}/a`) }, loc: '/a' },
    { name: 'a foreign URL as loc', input: { loc: new ForeignUrl(`${ORIGIN}/a`) }, loc: '/a' },
    { name: 'url as an alias', input: { url: '/a' }, loc: '/a' },
    { name: 'url where loc is null', input: { loc: null, url: '/a' }, loc: '/a' },
    { name: 'loc before url', input: { loc: '/a', url: '/b' }, loc: '/a' },
    { name: 'object without prototype', input: Object.assign(Object.create(null), { loc: '/a' }), loc: '/a' },
    { name: 'inherited loc', input: Object.create({ loc: '/a' }), loc: '/a' },
    { name: 'instance with private fields', input: new Row('a'), loc: '/a' },
    {
      name: 'Proxy row',
      input: new Proxy({}, { get: (_, name) => (name === 'loc' ? '/a' : undefined) }),
      loc: '/a',
    },
  ])('$name', ({ input, loc }) => {
    expect(taken(input).entry.loc).toBe(ORIGIN + loc)
  })

  it('a getter of a class reads its private fields', () => {
    expect(taken(new Row('a')).entry.title).toBe('A')
  })

  it.each([
    { name: 'null', input: null, reason: 'entry is null or undefined' },
    { name: 'undefined', input: undefined, reason: 'entry is null or undefined' },
    { name: 'number', input: 1, reason: 'entry is a number' },
    { name: 'boolean', input: true, reason: 'entry is a boolean' },
    { name: 'bigint', input: 1n, reason: 'entry is a bigint' },
    { name: 'symbol', input: Symbol('/a'), reason: 'entry is a symbol' },
    { name: 'function', input: () => '/a', reason: 'entry is a function' },
    { name: 'list', input: ['/a'], reason: 'entry is a list: yield its members one by one (yield* rows)' },
    { name: 'empty object', input: {}, reason: 'no loc' },
    { name: 'empty text', input: '', reason: 'no loc' },
    { name: 'promise', input: Promise.resolve('/a'), reason: 'entry is a promise: await it' },
    { name: 'loc that is a symbol', input: { loc: Symbol('/a') }, reason: 'loc is neither text nor a URL' },
    {
      name: 'loc out of scope (U17)',
      input: { loc: 'https://example.com/' },
      reason: "loc is not on the site's scheme, host and port (option scope)",
    },
    {
      name: 'loc that cannot be read',
      input: {
        get loc() {
          throw new Error('lazy')
        },
      },
      reason: 'loc cannot be read',
    },
    {
      name: 'loc whose href cannot be read',
      input: {
        loc: {
          get href() {
            throw new Error('lazy')
          },
        },
      },
      reason: 'loc cannot be read',
    },
  ])('left out: $name', ({ input, reason }) => {
    expect(reasonOf(input)).toBe(reason)
  })

  it.each([
    { name: 'null', input: null, quiet: true },
    { name: 'undefined', input: undefined, quiet: true },
    { name: 'number', input: 1, quiet: false },
    { name: 'list', input: ['/a'], quiet: false },
    { name: 'no loc', input: {}, quiet: false },
  ])('nothing, which the types allow, is quiet: $name → $quiet', ({ input, quiet }) => {
    const { check, skipped } = createCheck()
    check(input)
    expect(skipped.map((skip) => skip.quiet)).toEqual([quiet])
  })

  it('the report shows what the loc was, cut short', () => {
    const { check, skipped } = createCheck()
    check({ loc: `ftp://${'x'.repeat(500)}` })
    check({ loc: new URL('https://example.com/x') })
    check({ loc: { secret: 1 } })
    expect(skipped.map(({ loc }) => loc)).toEqual([
      `ftp://${'x'.repeat(194)}`,
      'https://example.com/x',
      undefined,
    ])
  })

  it('every field', () => {
    expect(taken(everything)).toEqual({ entry: everythingChecked, dropped: [] })
  })

  it('every field null, undefined or missing: nothing is invented (D9)', () => {
    const bare = {
      loc: `${ORIGIN}/a`,
      locXml: `${ORIGIN}/a`,
      lastmod: undefined,
      changefreq: undefined,
      priority: undefined,
      images: [],
      videos: [],
      news: undefined,
      alternates: [],
      extensions: [],
      extensionNamespaces: 0,
      group: undefined,
      lang: undefined,
      title: undefined,
      description: undefined,
      robots: undefined,
    }
    for (const value of [null, undefined]) {
      const fields = Object.fromEntries(Object.keys(everything).map((name) => [name, value]))
      expect(taken({ ...fields, loc: '/a' })).toEqual({ entry: bare, dropped: [] })
    }
    expect(taken('/a')).toEqual({ entry: bare, dropped: [] })
    expect(taken({ loc: '/a' })).toEqual({ entry: bare, dropped: [] })
  })

  it.each([
    { name: 'without ampersand', plain: '/a?b', xml: '/a?b' },
    { name: 'with ampersands', plain: '/a?b&c&', xml: '/a?b&amp;c&amp;' },
  ])('the same URL, whichever way it came: one loc, one XML, one fingerprint: $name', ({ plain, xml }) => {
    const inputs = [plain, ORIGIN + plain, `${plain.slice(1)}#c`, ` ${plain}`, new URL(ORIGIN + plain)]
    for (const exclude of [undefined, () => false]) {
      const { check, print } = createCheck({ exclude })
      const prints = inputs.map((loc) => {
        expect(check({ loc })).toMatchObject({ loc: ORIGIN + plain, locXml: ORIGIN + xml })
        return { ...print }
      })
      expect(prints).toEqual(inputs.map(() => prints[0]))
    }
  })

  it.each([
    { name: 'hosts of one length', a: 'https://cdn1.example.net/x', b: 'https://cdn2.example.net/x' },
    { name: 'the site and another host', a: '/x', b: 'https://cdn.example.net/x' },
    { name: 'the site and its other scheme', a: '/x', b: 'http://www.example.com/x' },
    { name: 'the site and a longer host', a: '/x', b: `${ORIGIN}.au/x` },
    { name: 'apostrophe, which takes the long way', a: "/it's", b: '/its' },
  ])('another URL has another fingerprint (scope off): $name', ({ a, b }) => {
    const { check, print } = createCheck({ scope: 'off' })
    const prints = [a, b].map((loc) => {
      expect(check(loc)).toBeDefined()
      return { ...print }
    })
    expect(prints[0]).not.toEqual(prints[1])
  })

  it('2,047 characters of loc pass, 2,048 do not, by the short way too (D1)', () => {
    const path = `/${'a'.repeat(2_046 - ORIGIN.length)}`
    expect(taken(path).entry.loc).toHaveLength(2_047)
    expect(reasonOf(`${path}a`)).toBe('loc is longer than 2,047 characters')
    expect(reasonOf({ loc: `${path}a` })).toBe('loc is longer than 2,047 characters')
  })

  it('slash policy and path scope reach plain paths too', () => {
    expect(taken('/a', { trailingSlash: 'always' }).entry.loc).toBe(`${ORIGIN}/a/`)
    expect(taken('/shop/a', { scope: 'path', directory: '/shop/' }).entry.loc).toBe(`${ORIGIN}/shop/a`)
    expect(reasonOf('/a', { scope: 'path', directory: '/shop/' })).toMatch(/below the site's path/)
  })
})

describe('changefreq (SPEC U6)', () => {
  it.each(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'])('%s', (changefreq) => {
    expect(taken({ loc: '/a', changefreq })).toMatchObject({ entry: { changefreq }, dropped: [] })
  })

  it.each([
    { name: 'other case', changefreq: 'Daily', written: 'daily' },
    { name: 'spaces around', changefreq: ' DAILY ', written: 'daily' },
    { name: 'empty text', changefreq: '', written: undefined },
    { name: 'null', changefreq: null, written: undefined },
  ])('$name → $written', ({ changefreq, written }) => {
    expect(taken({ loc: '/a', changefreq })).toMatchObject({ entry: { changefreq: written }, dropped: [] })
  })

  it.each([
    { name: 'another word', changefreq: 'often' },
    { name: 'two words', changefreq: 'daily weekly' },
    { name: 'name of a property of every object', changefreq: 'constructor' },
    { name: 'number', changefreq: 1 },
    { name: 'symbol', changefreq: Symbol('daily') },
    { name: 'text object', changefreq: Object('daily') },
    { name: 'list', changefreq: ['daily'] },
  ])('dropped: $name', ({ changefreq }) => {
    expect(taken({ loc: '/a', changefreq })).toMatchObject({
      entry: { changefreq: undefined },
      dropped: ['changefreq'],
    })
  })
})

describe('priority (SPEC U7)', () => {
  it.each([
    { name: 'one decimal', priority: 0.5, written: '0.5' },
    { name: 'zero', priority: 0, written: '0.0' },
    { name: 'zero below', priority: -0, written: '0.0' },
    { name: 'one', priority: 1, written: '1.0' },
    { name: 'three decimals', priority: 0.125, written: '0.125' },
    { name: 'four decimals are rounded', priority: 0.1256, written: '0.126' },
    { name: 'error of floating point', priority: 0.3999999999999999, written: '0.4' },
    { name: 'sum of floats', priority: 0.1 + 0.2, written: '0.3' },
    { name: 'never an exponent', priority: 1e-7, written: '0.0' },
    { name: 'just below one', priority: 0.9999, written: '1.0' },
    { name: 'text', priority: '0.7', written: '0.7' },
    { name: 'text with spaces', priority: ' 0.7 ', written: '0.7' },
    { name: 'text without a zero', priority: '.5', written: '0.5' },
    { name: 'text with an exponent', priority: '1e-1', written: '0.1' },
    { name: 'empty text', priority: '', written: undefined },
    { name: 'null', priority: null, written: undefined },
  ])('$name: $priority → $written', ({ priority, written }) => {
    expect(taken({ loc: '/a', priority })).toMatchObject({ entry: { priority: written }, dropped: [] })
  })

  it.each([
    { name: 'above one', priority: 1.1, written: '1.0' },
    { name: 'ten', priority: '10', written: '1.0' },
    { name: 'below zero', priority: -0.5, written: '0.0' },
  ])('brought back and reported: $name → $written', ({ priority, written }) => {
    expect(taken({ loc: '/a', priority })).toMatchObject({
      entry: { priority: written },
      dropped: ['priority'],
    })
  })

  it.each([
    { name: 'NaN', priority: Number.NaN },
    { name: 'infinity', priority: Number.POSITIVE_INFINITY },
    { name: 'infinity as text', priority: '-Infinity' },
    { name: 'comma', priority: '0,5' },
    { name: 'per cent', priority: '50%' },
    { name: 'word', priority: 'high' },
    { name: 'spaces', priority: '  ' },
    { name: 'boolean', priority: true },
    { name: 'bigint', priority: 1n },
    { name: 'symbol', priority: Symbol('1') },
    { name: 'object', priority: { valueOf: () => 0.5 } },
  ])('dropped: $name', ({ priority }) => {
    expect(taken({ loc: '/a', priority })).toMatchObject({
      entry: { priority: undefined },
      dropped: ['priority'],
    })
  })

  it('any number or text gives a decimal from 0 to 1, near to what was said, or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }), fc.string()), (priority) => {
        const { priority: written } = taken({ loc: '/a', priority }).entry
        if (written === undefined) return
        expect(written).toMatch(/^(0\.\d{1,3}|1\.0)$/)
        const meant = Math.min(1, Math.max(0, Number(priority)))
        expect(Math.abs(Number(written) - meant)).toBeLessThanOrEqual(0.0005000001)
      }),
    )
  })
})

describe('images (SPEC 2.1)', () => {
  const none = { caption: undefined, geoLocation: undefined, title: undefined, license: undefined }

  it.each([
    { name: 'relative to the site', image: '/a.png', loc: `${ORIGIN}/a.png` },
    {
      name: 'on a CDN, whatever the scope (E11)',
      image: 'https://cdn.example.net/a b.png',
      loc: 'https://cdn.example.net/a%20b.png',
    },
    { name: 'protocol-relative', image: '//cdn.example.net/a.png', loc: 'https://cdn.example.net/a.png' },
    { name: 'URL', image: new URL('https://cdn.example.net/a.png'), loc: 'https://cdn.example.net/a.png' },
    { name: 'object', image: { loc: '/a.png' }, loc: `${ORIGIN}/a.png` },
    { name: 'object with url', image: { url: '/a.png' }, loc: `${ORIGIN}/a.png` },
    { name: 'the slash policy leaves it alone', image: '/image', loc: `${ORIGIN}/image` },
  ])('$name', ({ image, loc }) => {
    const rules = { trailingSlash: 'always' } as const
    expect(taken({ loc: '/a', images: image }, rules).entry.images).toEqual([{ loc, ...none }])
    expect(taken({ loc: '/a', images: [image] }, rules).entry.images).toEqual([{ loc, ...none }])
  })

  it('texts are one clean line, the licence a URL (E12 to E15)', () => {
    const image = {
      loc: '/a.png',
      caption: ' a\n\tb ',
      geoLocation: 'Paris,\u00A0 France',
      title: 'x\u0001y\uD800',
      license: '/licence#top',
    }
    expect(taken({ loc: '/a', images: [image] })).toMatchObject({
      entry: {
        images: [
          {
            loc: `${ORIGIN}/a.png`,
            caption: 'a b',
            geoLocation: 'Paris, France',
            title: 'xy\uFFFD',
            license: `${ORIGIN}/licence`,
          },
        ],
      },
      dropped: [],
    })
  })

  it.each([
    { name: 'null', images: null },
    { name: 'empty list', images: [] },
    { name: 'list of nothing', images: [null, undefined, ''] },
    { name: 'object without loc', images: [{ loc: null }] },
  ])('nothing, without a word: $name', ({ images }) => {
    expect(taken({ loc: '/a', images })).toMatchObject({ entry: { images: [] }, dropped: [] })
  })

  it.each([
    { name: 'another scheme', image: 'data:image/png;base64,AAAA' },
    { name: 'no URL', image: 'https://' },
    { name: 'user info', image: 'https://u:p@cdn.example.net/a.png' },
    { name: 'too long', image: `/${'a'.repeat(2_047)}` },
    { name: 'number', image: 1 },
    { name: 'symbol', image: Symbol('/a.png') },
    { name: 'object whose loc is a symbol', image: { loc: Symbol('/a.png') } },
    {
      name: 'object that cannot be read',
      image: {
        get loc() {
          throw new Error('lazy')
        },
      },
    },
  ])('a bad one is dropped, its neighbours stay: $name', ({ image }) => {
    const { entry, dropped } = taken({ loc: '/a', images: ['/1.png', image, '/2.png'] })
    expect(entry.images.map(({ loc }) => loc)).toEqual([`${ORIGIN}/1.png`, `${ORIGIN}/2.png`])
    expect(dropped).toEqual(['images'])
  })

  it('a bad text or licence is dropped, the image stays', () => {
    const { entry, dropped } = taken({
      loc: '/a',
      images: [{ loc: '/a.png', caption: {}, title: Symbol('x'), license: 'mailto:a@b.c' }],
    })
    expect(entry.images).toEqual([{ loc: `${ORIGIN}/a.png`, ...none }])
    expect(dropped).toEqual(['image caption', 'image title', 'image license'])
  })

  it('1,000 at most; the rest is dropped once (E10)', () => {
    const images = Array.from({ length: 1_002 }, (_, i) => `/${i}.png`)
    expect(taken({ loc: '/a', images: images.slice(0, 1_000) })).toMatchObject({ dropped: [] })
    const { entry, dropped } = taken({ loc: '/a', images })
    expect(entry.images).toHaveLength(1_000)
    expect(entry.images.at(-1)?.loc).toBe(`${ORIGIN}/999.png`)
    expect(dropped).toEqual(['images'])
  })
})

describe('names inside an image', () => {
  it.each([
    {
      name: 'the tag',
      image: { loc: '/a.png', geo_location: 'Paris' },
      geoLocation: undefined,
      dropped: ['images'],
    },
    {
      name: 'the tag beside ours',
      image: { loc: '/a.png', geo_location: 'Rome', geoLocation: 'Paris' },
      geoLocation: 'Paris',
      dropped: [],
    },
  ])('geo_location is not read, and told where geoLocation is missing (E13): $name', (row) => {
    const { entry, dropped } = taken({ loc: '/a', images: [row.image] })
    expect(entry.images[0]?.geoLocation).toBe(row.geoLocation)
    expect(dropped).toEqual(row.dropped)
  })
})

describe('alternates (SPEC 2.4)', () => {
  it.each([
    {
      name: 'list',
      alternates: [
        { hreflang: 'en', href: '/a' },
        { hreflang: 'fr-ca', href: '/fr' },
      ],
    },
    { name: 'record', alternates: { en: '/a', 'fr-CA': '/fr' } },
    { name: 'underscores and case (E75)', alternates: { EN: '/a', fr_ca: '/fr' } },
    {
      name: 'lang and url for hreflang and href',
      alternates: [
        { lang: 'en', url: '/a' },
        { lang: 'fr-CA', url: '/fr' },
      ],
    },
    { name: 'URLs', alternates: { en: new URL(`${ORIGIN}/a`), 'fr-CA': new URL(`${ORIGIN}/fr#x`) } },
  ])('$name', ({ alternates }) => {
    expect(taken({ loc: '/a', alternates })).toMatchObject({
      entry: {
        alternates: [
          { hreflang: 'en', href: `${ORIGIN}/a` },
          { hreflang: 'fr-CA', href: `${ORIGIN}/fr` },
        ],
      },
      dropped: [],
    })
  })

  it('another host, whatever the scope (E73), and x-default (E74)', () => {
    const { entry } = taken({ loc: '/a', alternates: { de: 'https://example.de/ü', 'x-default': '/' } })
    expect(entry.alternates).toEqual([
      { hreflang: 'de', href: 'https://example.de/%C3%BC' },
      { hreflang: 'x-default', href: `${ORIGIN}/` },
    ])
  })

  it('a language twice: the first stays (E78)', () => {
    const { entry, dropped } = taken({
      loc: '/a',
      alternates: [
        { hreflang: 'en-US', href: '/1' },
        { hreflang: 'en_us', href: '/2' },
      ],
    })
    expect(entry.alternates).toEqual([{ hreflang: 'en-US', href: `${ORIGIN}/1` }])
    expect(dropped).toEqual(['alternates'])
  })

  it('of a language twice the first that can be used stays', () => {
    const { entry } = taken({
      loc: '/a',
      alternates: [
        { hreflang: 'en', href: 'mailto:a@b.c' },
        { hreflang: 'en', href: '/2' },
      ],
    })
    expect(entry.alternates).toEqual([{ hreflang: 'en', href: `${ORIGIN}/2` }])
  })

  it.each([
    { name: 'no language tag (E75)', member: { hreflang: 'english', href: '/x' } },
    { name: 'no language', member: { href: '/x' } },
    { name: 'language that is a symbol', member: { hreflang: Symbol('de'), href: '/x' } },
    { name: 'href of another scheme', member: { hreflang: 'de', href: 'javascript:x' } },
    { name: 'href that is a number', member: { hreflang: 'de', href: 1 } },
    { name: 'null', member: null },
    { name: 'text', member: 'de' },
    {
      name: 'one that cannot be read',
      member: {
        hreflang: 'de',
        get href() {
          throw new Error('lazy')
        },
      },
    },
    {
      name: 'one whose language cannot be read',
      member: {
        get hreflang() {
          throw new Error('lazy')
        },
        href: '/x',
      },
    },
  ])('a bad one is dropped, its neighbours stay: $name', ({ member }) => {
    const { entry, dropped } = taken({
      loc: '/a',
      title: 'Title',
      alternates: [{ hreflang: 'en', href: '/a' }, member, { hreflang: 'fr', href: '/fr' }],
    })
    expect(entry.alternates.map(({ hreflang }) => hreflang)).toEqual(['en', 'fr'])
    expect(entry.title).toBe('Title')
    expect(dropped).toHaveLength(1)
  })

  it.each([
    { name: 'text', alternates: 'en' },
    { name: 'number', alternates: 1 },
    { name: 'symbol', alternates: Symbol('en') },
    { name: 'function', alternates: () => ({ en: '/a' }) },
  ])('junk is dropped: $name', ({ alternates }) => {
    expect(taken({ loc: '/a', alternates })).toMatchObject({
      entry: { alternates: [] },
      dropped: ['alternates'],
    })
  })

  it.each([
    { name: 'null', alternates: null },
    { name: 'empty list', alternates: [] },
    { name: 'empty record', alternates: {} },
    { name: 'no version in a language', alternates: { de: null } },
  ])('nothing, without a word: $name', ({ alternates }) => {
    expect(taken({ loc: '/a', alternates })).toMatchObject({ entry: { alternates: [] }, dropped: [] })
  })
})

describe('language versions that look wrong (SPEC E71, E72, E74, E75)', () => {
  it.each([
    { name: 'country of Japan', code: 'jp' },
    { name: 'country of Czechia', code: 'cz-CZ' },
    { name: 'country of Greece', code: 'gr' },
    { name: 'country of Denmark', code: 'dk_DK' },
    { name: 'country of China', code: 'cn' },
    { name: 'country of Ukraine', code: 'ua' },
    { name: 'country of Vietnam', code: 'vn-VN' },
    { name: 'region alone (E74)', code: 'US' },
  ])('a country in place of a language is dropped: $name', ({ code }) => {
    const { entry, reasons, noted } = takenBy({ loc: '/a', alternates: { en: '/a', [code]: '/x' } })
    expect(entry.alternates.map(({ hreflang }) => hreflang)).toEqual(['en'])
    expect(reasons).toEqual([expect.stringMatching(/^hreflang begins with a code .* ISO 639-1/)])
    expect(noted).toEqual([])
  })

  it.each(['en-EU', 'es-XX', 'ar-AN'])('a region that ISO 3166-1 has not is dropped (E75): %s', (code) => {
    const { entry, reasons } = takenBy({ loc: '/a', alternates: { en: '/a', [code]: '/x' } })
    expect(entry.alternates).toHaveLength(1)
    expect(reasons).toEqual(['hreflang has a region that is none of ISO 3166-1'])
  })

  it('en-UK is written as en-GB, and noted (E75)', () => {
    const { entry, dropped, noted } = takenBy({ loc: '/a', alternates: { 'en-uk': '/a' }, lang: 'en-UK' })
    expect(entry.alternates).toEqual([{ hreflang: 'en-GB', href: `${ORIGIN}/a` }])
    expect(entry.lang).toBe('en-GB')
    expect(dropped).toEqual([])
    expect(noted.toSorted()).toEqual([
      'hreflang region UK was written as GB',
      'lang region UK was written as GB',
    ])
  })

  it('en-UK beside en-GB stands twice (E78)', () => {
    const { entry, reasons } = takenBy({ loc: '/a', alternates: { 'en-GB': '/a', 'en-UK': '/x' } })
    expect(entry.alternates).toEqual([{ hreflang: 'en-GB', href: `${ORIGIN}/a` }])
    expect(reasons).toEqual(['hreflang stands twice'])
  })

  it.each([
    { code: 'se', reason: 'hreflang se is Northern Sami; Swedish is sv' },
    { code: 'kr', reason: 'hreflang kr is Kanuri; Korean is ko' },
  ])('$code is a language, though hardly the one that was meant: written and noted', ({ code, reason }) => {
    const { entry, dropped, noted } = takenBy({ loc: '/a', alternates: { [code]: '/a' } })
    expect(entry.alternates).toEqual([{ hreflang: code, href: `${ORIGIN}/a` }])
    expect(dropped).toEqual([])
    expect(noted).toEqual([reason])
  })

  it.each([
    { name: 'itself is there', alternates: { en: '/a', fr: '/fr' }, isNoted: false },
    { name: 'itself as an absolute URL', alternates: { en: `${ORIGIN}/a#top`, fr: '/fr' }, isNoted: false },
    { name: 'only the other', alternates: { fr: '/fr' }, isNoted: true },
    { name: 'the same path on another host', alternates: { en: 'https://example.net/a' }, isNoted: true },
    { name: 'none', alternates: {}, isNoted: false },
    { name: 'none that can be used', alternates: { jp: '/jp' }, isNoted: false },
  ])('an entry that does not list itself is noted (E71): $name → $isNoted', ({ alternates, isNoted }) => {
    expect(takenBy({ loc: '/a', alternates }).noted).toEqual(
      isNoted ? ['alternates do not list the entry itself (SPEC E71)'] : [],
    )
  })

  it.each([
    { trailingSlash: 'always', own: '/a/', other: '/fr/' },
    { trailingSlash: 'never', own: '/a', other: '/fr' },
  ] as const)(
    'pages of the site are written as their own entries are (E72): $trailingSlash',
    ({ trailingSlash, own, other }) => {
      for (const loc of ['/a', '/a/']) {
        const alternates = { en: loc, fr: '/fr', de: 'https://example.de/a', nl: 'https://example.nl/a/' }
        const { entry, noted } = takenBy({ loc, alternates }, { trailingSlash })
        expect(entry.alternates.map(({ href }) => href)).toEqual([
          `${ORIGIN}${own}`,
          `${ORIGIN}${other}`,
          'https://example.de/a',
          'https://example.nl/a/',
        ])
        expect(noted).toEqual([])
      }
    },
  )

  it('what is noted of an entry is told once, though another field of it throws', () => {
    const { noted, dropped } = takenBy({
      loc: '/a',
      alternates: { 'en-UK': '/a' },
      get title(): string {
        throw new Error('lazy')
      },
    })
    expect(noted).toEqual(['hreflang region UK was written as GB'])
    expect(dropped).toEqual(['title'])
  })
})

describe('group', () => {
  it.each([
    { name: 'text', group: 'about', written: 'about' },
    { name: 'text with spaces around', group: ' a  b ', written: 'a b' },
    { name: 'number', group: 42, written: '42' },
    { name: 'zero', group: 0, written: '0' },
    { name: 'bigint', group: 42n, written: '42' },
    { name: 'empty', group: '', written: undefined },
    { name: 'null', group: null, written: undefined },
  ])('$name → $written', ({ group, written }) => {
    expect(taken({ loc: '/a', group })).toMatchObject({ entry: { group: written }, dropped: [] })
  })

  it.each([{ group: Number.NaN }, { group: {} }, { group: true }, { group: Symbol('g') }])(
    'dropped: $group',
    ({ group }) => {
      expect(taken({ loc: '/a', group })).toMatchObject({ entry: { group: undefined }, dropped: ['group'] })
    },
  )
})

describe('robots, noindex, exclude', () => {
  it.each([
    { name: 'robots noindex', input: { loc: '/a', robots: 'NOINDEX' } },
    { name: 'robots none', input: { loc: '/a', robots: ['none'] } },
    { name: 'noindex true', input: { loc: '/a', noindex: true } },
    { name: 'noindex beside robots', input: { loc: '/a', robots: 'nofollow', noindex: true } },
  ])('$name: asked for, so it is quiet', ({ input }) => {
    const { check, skipped } = createCheck()
    expect(check(input)).toBeUndefined()
    expect(skipped).toEqual([{ reason: 'noindex', loc: `${ORIGIN}/a`, quiet: true }])
  })

  it.each([
    { name: 'false', noindex: false },
    { name: 'null', noindex: null },
    { name: 'undefined', noindex: undefined },
  ])('noindex $name says nothing', ({ noindex }) => {
    expect(taken({ loc: '/a', noindex }).entry.robots).toBeUndefined()
  })

  it('excluded by path and query, quietly', () => {
    const seen: string[] = []
    const exclude = (pathAndQuery: string) => {
      seen.push(pathAndQuery)
      return pathAndQuery.startsWith('/drafts/')
    }
    const { check, skipped } = createCheck({ exclude })
    expect(check('/drafts/1?a=b')).toBeUndefined()
    expect(check({ loc: new URL(`${ORIGIN}/drafts/2`) })).toBeUndefined()
    expect(check('/posts/drafts/')?.loc).toBe(`${ORIGIN}/posts/drafts/`)
    expect(seen).toEqual(['/drafts/1?a=b', '/drafts/2', '/posts/drafts/'])
    expect(skipped.map(({ reason, quiet }) => [reason, quiet])).toEqual([
      ['excluded', true],
      ['excluded', true],
    ])
  })

  it.each([
    { name: 'another host', loc: 'https://other.example/drafts/1' },
    { name: 'a longer host', loc: `${ORIGIN}.au/drafts/1` },
    { name: 'another port', loc: `${ORIGIN}:8443/drafts/1` },
  ])('excluded by its path where it lies elsewhere (scope off): $name', ({ loc }) => {
    const exclude = (pathAndQuery: string) => pathAndQuery === '/drafts/1'
    expect(reasonOf(loc, { scope: 'off', exclude })).toBe('excluded')
  })
})

describe('defaults and language', () => {
  const defaults = { changefreq: 'weekly', priority: 0.3, lang: 'fr', robots: 'nofollow' } as const
  const robots = { nofollow: true, noarchive: false, noanchortext: false }

  it.each([
    { name: 'text', input: '/a' },
    { name: 'URL', input: new URL(`${ORIGIN}/a`) },
    { name: 'object', input: { loc: '/a' } },
    {
      name: 'object of nulls',
      input: { loc: '/a', changefreq: null, priority: null, lang: null, robots: null },
    },
  ])('stand where the entry says nothing: $name', ({ input }) => {
    expect(taken(input, { defaults }).entry).toMatchObject({
      changefreq: 'weekly',
      priority: '0.3',
      lang: 'fr',
      robots,
    })
  })

  it('the entry wins', () => {
    const input = { loc: '/a', changefreq: 'daily', priority: 0, lang: 'en', robots: 'index' }
    expect(taken(input, { defaults }).entry).toMatchObject({
      changefreq: 'daily',
      priority: '0.0',
      lang: 'en',
      robots: undefined,
    })
  })

  it('noindex as a default keeps all out that do not say otherwise', () => {
    const rules = { defaults: { robots: 'noindex' } }
    expect(reasonOf('/a', rules)).toBe('noindex')
    expect(reasonOf({ loc: '/a' }, rules)).toBe('noindex')
    expect(taken({ loc: '/a', robots: 'index' }, rules).entry.loc).toBe(`${ORIGIN}/a`)
  })

  it.each([
    { name: 'mended', lang: 'pt_br', written: 'pt-BR', dropped: [] },
    { name: 'empty: the section speaks', lang: '', written: 'de', dropped: [] },
    { name: 'no tag: the section speaks', lang: 'german', written: 'de', dropped: ['lang'] },
    { name: 'symbol', lang: Symbol('en'), written: 'de', dropped: ['lang'] },
    { name: 'number', lang: 7, written: 'de', dropped: ['lang'] },
  ])('lang $name', ({ lang, written, dropped }) => {
    expect(taken({ loc: '/a', lang }, { lang: 'de' })).toMatchObject({ entry: { lang: written }, dropped })
  })
})

describe('texts', () => {
  it.each([
    { name: 'as it is', title: 'Café “x” <b> & ]]>', written: 'Café “x” <b> & ]]>' },
    { name: 'line ends and tabs are spaces', title: 'a\r\nb\tc\u2028d', written: 'a b c d' },
    { name: 'spaces around and doubled', title: '  a   b ', written: 'a b' },
    { name: 'no-break space', title: 'a\u00A0b', written: 'a b' },
    { name: 'characters XML forbids (U20)', title: 'a\0\u000B\uFFFEb', written: 'ab' },
    { name: 'lone surrogates (U21)', title: '\uDC00a\uD83D', written: '\uFFFDa\uFFFD' },
    { name: 'emoji', title: '😀', written: '😀' },
    { name: 'number', title: 42, written: '42' },
    { name: 'empty', title: '', written: undefined },
    { name: 'only spaces', title: ' \n ', written: undefined },
    { name: 'only what is removed', title: '\0\u0001', written: undefined },
  ])('$name', ({ title, written }) => {
    expect(taken({ loc: '/a', title, description: title })).toMatchObject({
      entry: { title: written, description: written },
      dropped: [],
    })
  })

  it.each([
    { name: '5,000 characters', title: 'a'.repeat(5_000), length: 5_000, dropped: [] },
    { name: 'one more', title: 'a'.repeat(5_001), length: 5_000, dropped: ['title'] },
    { name: 'a pair at the cut', title: `${'a'.repeat(4_999)}😀`, length: 4_999, dropped: ['title'] },
    {
      name: 'megabytes, a space at the cut',
      title: 'a b'.repeat(1_000_000),
      length: 4_999,
      dropped: ['title'],
    },
  ])('are cut between characters: $name → $length', ({ title, length, dropped }) => {
    const { entry, dropped: told } = taken({ loc: '/a', title })
    expect(entry.title).toHaveLength(length)
    expect(entry.title?.isWellFormed()).toBe(true)
    expect(told).toEqual(dropped)
  })

  it.each([
    { name: 'NaN', title: Number.NaN },
    { name: 'boolean', title: true },
    { name: 'object of a CMS', title: { rendered: 'Title' } },
    { name: 'list', title: ['Title'] },
    { name: 'symbol', title: Symbol('Title') },
    { name: 'bigint', title: 1n },
  ])('dropped: $name', ({ title }) => {
    expect(taken({ loc: '/a', title })).toMatchObject({ entry: { title: undefined }, dropped: ['title'] })
  })
})

describe('what one entry does never reaches the next, nor its other fields', () => {
  const fields = [
    'lastmod',
    'changefreq',
    'priority',
    'images',
    'videos',
    'news',
    'alternates',
    'extensions',
    'group',
    'lang',
    'description',
  ] as const

  it.each(fields)('a getter that throws loses only its field: %s', (field) => {
    const input = Object.defineProperty({ ...everything }, field, {
      enumerable: true,
      get() {
        throw new Error('lazy')
      },
    })
    const { entry, dropped } = taken(input)
    const nothing: Record<string, Partial<CheckedEntry>> = {
      images: { images: [] },
      videos: { videos: [] },
      alternates: { alternates: [] },
      extensions: { extensions: [], extensionNamespaces: 0 },
    }
    expect(entry).toEqual({ ...everythingChecked, ...(nothing[field] ?? { [field]: undefined }) })
    expect(dropped).toEqual([field])
  })

  it('a title that throws loses itself, and the news that needs it', () => {
    const input = Object.defineProperty({ ...everything }, 'title', {
      get() {
        throw new Error('lazy')
      },
    })
    const { entry, dropped } = taken(input)
    expect(entry).toEqual({ ...everythingChecked, title: undefined, news: undefined })
    expect(dropped).toEqual(['news', 'title'])
  })

  it('a getter that throws leaves the news its date of publication', () => {
    const input = Object.defineProperty({ ...everything, news: true }, 'description', {
      get() {
        throw new Error('lazy')
      },
    })
    expect(taken(input).entry.news?.publicationDate.text).toBe('2026-05-09')
  })

  it('a getter that throws, beside a bad field: each is reported once', () => {
    const { dropped } = taken({
      loc: '/a',
      changefreq: 'often',
      get title(): string {
        throw new Error('lazy')
      },
    })
    expect(dropped.toSorted()).toEqual(['changefreq', 'title'])
  })

  const invalidDay = {
    toISOString() {
      throw new RangeError('Invalid time value')
    },
  }

  describe('noindex as a default', () => {
    const rules = { defaults: { robots: 'noindex' } }
    const lazy = {
      get title(): string {
        throw new Error('lazy')
      },
    }

    it.each([
      {
        name: 'a getter that throws',
        field: 'title',
        input: Object.assign(Object.create(lazy), { loc: '/a' }),
      },
      { name: 'a date that throws', field: 'lastmod', input: { loc: '/a', lastmod: invalidDay } },
    ])('beside $name: what the entry says of itself still counts', ({ field, input }) => {
      expect(reasonOf(input, rules)).toBe('noindex')
      input.robots = 'index'
      const { entry, dropped } = taken(input, rules)
      expect([entry.loc, dropped]).toEqual([`${ORIGIN}/a`, [field]])
    })
  })

  it.each([
    { name: 'invalid Day.js', input: { loc: '/a', title: 'T', lastmod: invalidDay } },
    {
      name: 'invalid Day.js in a frozen row',
      input: Object.freeze({ loc: '/a', title: 'T', lastmod: invalidDay }),
    },
    { name: 'a Date behind a Proxy', input: { loc: '/a', title: 'T', lastmod: new Proxy(new Date(), {}) } },
    {
      name: 'getter of a frozen row',
      input: Object.freeze({
        loc: '/a',
        title: 'T',
        get lastmod(): string {
          throw new Error('lazy')
        },
      }),
    },
    {
      name: 'Proxy row of a closed session',
      input: new Proxy({ loc: '/a', title: 'T' } as Record<string, unknown>, {
        get: (row, name) => {
          if (name === 'lastmod') throw new Error('session is closed')
          return Reflect.get(row, name)
        },
      }),
    },
  ])('a date that throws: $name', ({ input }) => {
    const { entry, dropped } = taken(input)
    expect(entry).toMatchObject({ loc: `${ORIGIN}/a`, title: 'T', lastmod: undefined })
    expect(dropped).toEqual(['lastmod'])
  })

  it('one that throws now and then is left out: nothing of it can be relied on', () => {
    let calls = 0
    const lastmod = {
      toISOString() {
        calls++
        if (calls === 2) return '2026-05-10'
        throw new RangeError('now and then')
      },
    }
    const { check, skipped, dropped } = createCheck()
    expect(check({ loc: '/a', changefreq: 'often', lastmod })).toBeUndefined()
    expect(skipped.map(({ reason, loc }) => [reason, loc])).toEqual([['entry cannot be read', '/a']])
    expect(dropped).toEqual([])
  })

  it('a frozen row, and all in it', () => {
    const input = deepFreeze(structuredClone(everything))
    expect(taken(input)).toEqual({ entry: everythingChecked, dropped: [] })
  })

  it('nothing of the caller is changed', () => {
    const input = structuredClone({ ...everything, robots: ['nofollow'] })
    const { check, published, feedFields } = createCheck()
    const entry = check(input)
    if (entry === undefined) throw new Error('left out')
    published(input, entry)
    feedFields(input, entry)
    expect(input).toEqual({ ...everything, robots: ['nofollow'] })
  })

  it('the same object again and again: what was read before stays as it was', () => {
    const row = {
      loc: '',
      title: '',
      images: [{ loc: '', title: '' }],
      alternates: { en: '' },
      keywords: [''],
    }
    const { check, feedFields } = createCheck()
    const read = ['a', 'b'].map((name) => {
      row.loc = `/${name}`
      row.title = name
      Object.assign(row.images[0] ?? {}, { loc: `/${name}.png`, title: name })
      row.alternates.en = `/en/${name}`
      row.keywords[0] = name
      const entry = check(row)
      if (entry === undefined) throw new Error('left out')
      return { entry, fields: feedFields(row, entry) }
    })
    expect(
      read.map(({ entry }) => [entry.loc, entry.title, entry.images[0]?.title, entry.alternates[0]?.href]),
    ).toEqual([
      [`${ORIGIN}/a`, 'a', 'a', `${ORIGIN}/en/a`],
      [`${ORIGIN}/b`, 'b', 'b', `${ORIGIN}/en/b`],
    ])
    expect(read.map(({ fields: { keywords } }) => keywords)).toEqual([['a'], ['b']])
  })

  /** Values of every kind, and some that throw when they are looked at. */
  const anyValue = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withTypedArray: true,
      withSparseArray: true,
      withBoxedValues: true,
      maxDepth: 2,
    }),
    fc.constantFrom<unknown>(
      Symbol('x'),
      () => 'x',
      invalidDay,
      Object.freeze([invalidDay]),
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('get')
          },
        },
      ),
      new Proxy([], {
        get: () => {
          throw new Error('get')
        },
      }),
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('ownKeys')
          },
        },
      ),
      [
        {
          get loc() {
            throw new Error('lazy')
          },
        },
      ],
      {
        get url() {
          throw new Error('lazy')
        },
      },
      { url: '/a.mp3', type: 'audio/mpeg', length: Symbol('1') },
      { url: '/a.mp3', type: 'audio/mpeg', length: Object.create(null) },
    ),
  )

  it('no value of any field throws, and what comes out is final', () => {
    const anyEntry = fc.record(Object.fromEntries(Object.keys(everything).map((name) => [name, anyValue])), {
      requiredKeys: [],
    })
    fc.assert(
      fc.property(anyEntry, fc.boolean(), (fields, frozen) => {
        const input = { ...fields, loc: '/a' }
        if (frozen) Object.freeze(input)
        const { check, published, feedFields } = createCheck()
        const entry = check(input)
        if (entry === undefined) return
        published(input, entry)
        feedFields(input, entry)
        expect(JSON.parse(JSON.stringify(entry))).toMatchObject({ loc: `${ORIGIN}/a` })
      }),
      { numRuns: 1_000 },
    )
  })

  it('no loc throws', () => {
    fc.assert(
      fc.property(anyValue, (loc) => {
        createCheck().check({ loc })
      }),
    )
  })

  it('no entry throws', () => {
    fc.assert(
      fc.property(anyValue, (input) => {
        createCheck().check(input)
      }),
    )
  })

  it('a row that can no longer be looked at is left out', () => {
    const { proxy, revoke } = Proxy.revocable({ loc: '/a' }, {})
    revoke()
    expect(reasonOf(proxy)).toBe('loc cannot be read')
  })
})

describe('fields of feed items', () => {
  function feedOf(input: unknown, more: Rules = {}) {
    const { check, published, feedFields, dropped } = createCheck(more)
    const entry = check(input)
    if (entry === undefined) throw new Error('left out')
    dropped.length = 0
    return {
      ...feedFields(input, entry),
      published: published(input, entry)?.text,
      dropped: dropped.map(({ field }) => field),
    }
  }

  const nothing = {
    content: undefined,
    keywords: [],
    author: [],
    categories: [],
    guid: undefined,
    enclosure: undefined,
    type: undefined,
    sortOrder: undefined,
    resourceOf: undefined,
    updatePeriod: undefined,
    published: undefined,
    dropped: [],
  }

  it('every field', () => {
    expect(feedOf(everything)).toEqual({
      content: '<p>Text</p>',
      keywords: ['k'],
      author: ['A'],
      categories: ['c'],
      guid: 'g',
      enclosure: { url: `${ORIGIN}/a.mp3`, length: 1, type: 'audio/mpeg' },
      type: 'Product',
      sortOrder: 1,
      resourceOf: 'r',
      updatePeriod: 'day',
      published: '2026-05-09',
      dropped: [],
    })
  })

  it.each([
    { name: 'text', input: '/a' },
    { name: 'URL', input: new URL(`${ORIGIN}/a`) },
    { name: 'bare object', input: { loc: '/a' } },
  ])('nothing is invented: $name', ({ input }) => {
    expect(feedOf(input)).toEqual(nothing)
  })

  it('defaults', () => {
    const defaults = {
      author: 'A',
      categories: ['c', 'd'],
      keywords: 'k, l',
      type: 'T',
      sortOrder: 0,
      resourceOf: 'r',
      updatePeriod: 'year',
    } as const
    expect(feedOf('/a', { defaults })).toMatchObject({
      author: ['A'],
      categories: ['c', 'd'],
      keywords: ['k', 'l'],
      type: 'T',
      sortOrder: 0,
      resourceOf: 'r',
      updatePeriod: 'year',
    })
  })

  it.each([
    { name: 'text with commas', keywords: 'a, b,,c ', list: ['a', 'b', 'c'] },
    { name: 'list', keywords: ['a,b', ' c ', '', null, 1, Symbol('d')], list: ['a,b', 'c', '1'] },
    { name: 'number', keywords: 1, list: ['1'] },
    { name: 'object', keywords: {}, list: [] },
  ])('keywords as $name', ({ keywords, list }) => {
    expect(feedOf({ loc: '/a', keywords }).keywords).toEqual(list)
  })

  it.each([
    { changefreq: 'always', period: 'hour' },
    { changefreq: 'hourly', period: 'hour' },
    { changefreq: 'daily', period: 'day' },
    { changefreq: 'weekly', period: 'week' },
    { changefreq: 'monthly', period: 'month' },
    { changefreq: 'yearly', period: 'year' },
    { changefreq: 'never', period: undefined },
  ])('changefreq $changefreq stands for period $period (SPEC R13)', ({ changefreq, period }) => {
    expect(feedOf({ loc: '/a', changefreq }).updatePeriod).toBe(period)
    expect(feedOf({ loc: '/a', changefreq, updatePeriod: 'month' }).updatePeriod).toBe('month')
    expect(feedOf({ loc: '/a', changefreq, updatePeriod: 'decade' })).toMatchObject({
      updatePeriod: period,
      dropped: ['updatePeriod'],
    })
  })

  it.each([
    { name: 'length as text', enclosure: { url: '/a.mp3', type: 'audio/mpeg', length: '12' }, length: 12 },
    { name: 'no length', enclosure: { url: '/a.mp3', type: 'audio/mpeg' }, length: 0 },
    { name: 'bigint', enclosure: { url: '/a.mp3', type: 'audio/mpeg', length: 12n }, length: 12 },
    { name: 'negative', enclosure: { url: '/a.mp3', type: 'audio/mpeg', length: -1 }, length: 0 },
    { name: 'NaN', enclosure: { url: '/a.mp3', type: 'audio/mpeg', length: 'long' }, length: 0 },
    { name: 'symbol', enclosure: { url: '/a.mp3', type: 'audio/mpeg', length: Symbol('1') }, length: 0 },
  ])('enclosure (SPEC F26): $name', ({ enclosure, length }) => {
    expect(feedOf({ loc: '/a', enclosure }).enclosure).toEqual({
      url: `${ORIGIN}/a.mp3`,
      type: 'audio/mpeg',
      length,
    })
  })

  it.each([
    { name: 'no type', enclosure: { url: '/a.mp3' } },
    { name: 'no url', enclosure: { type: 'audio/mpeg' } },
    { name: 'bad url', enclosure: { url: 'rtsp://a/b', type: 'audio/mpeg' } },
    { name: 'text', enclosure: '/a.mp3' },
    {
      name: 'one that cannot be read',
      enclosure: {
        get url() {
          throw new Error('lazy')
        },
        type: 'audio/mpeg',
      },
    },
  ])('enclosure dropped: $name', ({ enclosure }) => {
    const { enclosure: written, dropped } = feedOf({ loc: '/a', enclosure })
    expect(written).toBeUndefined()
    expect(dropped).toContain('enclosure')
  })

  it.each([
    { name: 'fraction', sortOrder: 1.5, written: undefined },
    { name: 'negative', sortOrder: -1, written: undefined },
    { name: 'text', sortOrder: '1', written: 1 },
    { name: 'zero', sortOrder: 0, written: 0 },
  ])('sortOrder $name → $written (SPEC R14)', ({ sortOrder, written }) => {
    expect(feedOf({ loc: '/a', sortOrder }).sortOrder).toBe(written)
  })

  it('content keeps its line ends and loses what XML forbids', () => {
    expect(feedOf({ loc: '/a', content: '<p>a</p>\n<p>\0b\uD800</p>' }).content).toBe(
      '<p>a</p>\n<p>b\uFFFD</p>',
    )
    expect(feedOf({ loc: '/a', content: { html: '' } }).content).toBeUndefined()
  })

  it.each([
    'content',
    'keywords',
    'author',
    'categories',
    'guid',
    'enclosure',
    'type',
    'sortOrder',
    'resourceOf',
    'updatePeriod',
    'published',
  ] as const)('a getter that throws loses only its field: %s', (field) => {
    const input = Object.defineProperty({ ...everything, changefreq: undefined }, field, {
      get() {
        throw new Error('lazy')
      },
    })
    const whole = feedOf({ ...everything, changefreq: undefined })
    const { dropped, ...fields } = feedOf(input)
    const { dropped: _, ...expected } = { ...whole, [field]: nothing[field] }
    expect(fields).toEqual(expected)
    expect(dropped).toEqual([field])
  })

  it.each([
    { name: 'a bare year', published: '2026', dropped: ['published'] },
    { name: 'junk', published: {}, dropped: ['published'] },
    { name: 'null', published: null, dropped: [] },
  ])('published that is none: $name', ({ published, dropped }) => {
    expect(feedOf({ loc: '/a', published })).toMatchObject({ published: undefined, dropped })
  })
})
