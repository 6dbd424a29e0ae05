import { Readable } from 'node:stream'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import { defineSitemap } from '../src/define.ts'
import type { Entry } from '../src/entry/entry.ts'
import { SitemapError } from '../src/errors.ts'
import {
  type ResolvedOptions,
  type ResolvedProvider,
  resolveOptions,
  type SitemapOptions,
} from '../src/options.ts'
import type { PartitionedProvider, ProviderContext } from '../src/providers/provider.ts'

const site = { url: 'https://www.example.com' }
const least = { site, providers: { pages: ['/'] } }

/** The least options with `more` laid over them. */
function resolve(more: Record<string, unknown> = {}): ResolvedOptions {
  return resolveOptions({ ...least, ...more })
}

function provider(value: unknown, more: Record<string, unknown> = {}): ResolvedProvider {
  const [only] = resolve({ ...more, providers: { posts: value } }).providers
  if (only === undefined) throw new Error('no provider came back')
  return only
}

/** The error that `options` are refused with. */
function refusal(options: unknown): SitemapError {
  try {
    resolveOptions(options)
  } catch (error) {
    if (error instanceof SitemapError) return error
    throw error
  }
  throw new Error('the options were taken')
}

/** The one line that `more` is refused with. */
function faultOf(more: Record<string, unknown>): string {
  const { message } = refusal({ ...least, ...more })
  expect(message.split('\n')).toHaveLength(1)
  return message
}

/** Frozen to the last plain object, list, RegExp and function: a change of any would throw. */
function deepFreeze<T>(value: T): T {
  if (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    !Object.isFrozen(value)
  ) {
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key))
  }
  return value
}

const zstdHere = typeof (zlib as { createZstdCompress?: unknown }).createZstdCompress === 'function'

describe('defaults', () => {
  it('are those of the design, all of them', () => {
    const entries = async function* () {}
    expect(resolveOptions({ site, providers: { pages: ['/'], blogPosts: entries } })).toEqual({
      site: {
        given: { url: 'https://www.example.com' },
        id: 'www.example.com',
        url: 'https://www.example.com/',
        origin: 'https://www.example.com',
        base: 'https://www.example.com',
        title: 'www.example.com',
        description: '',
        language: 'en',
      },
      providers: [
        {
          section: 'pages',
          title: 'Pages',
          list: ['/'],
          entries: undefined,
          version: undefined,
          ttlMs: 600_000,
          defaults: {},
          formats: new Set(['xml', 'txt', 'html', 'feed']),
          lang: undefined,
          optional: false,
          maxShrink: 0.5,
          timeoutMs: 30_000,
          retries: 2,
        },
        {
          section: 'blogPosts',
          title: 'Blog posts',
          list: undefined,
          entries,
          version: undefined,
          ttlMs: 600_000,
          defaults: {},
          formats: new Set(['xml', 'txt', 'html', 'feed']),
          lang: undefined,
          optional: false,
          maxShrink: 0.5,
          timeoutMs: 30_000,
          retries: 2,
        },
      ],
      routes: {
        sitemap: '/sitemap.xml',
        index: '/sitemap_index.xml',
        rss: '/feed.rss',
        html: '/sitemap.html',
        txt: '/sitemap.txt',
        report: false,
      },
      limit: 50_000,
      maxBytes: 52_428_800,
      trailingSlash: 'preserve',
      scope: 'host',
      onInvalid: 'skip',
      onEmpty: 'urlset',
      exclude: undefined,
      transform: undefined,
      cache: {
        ttlMs: 600_000,
        staleWhileRevalidateMs: 600_000,
        waitMs: 1_000,
        memory: 67_108_864,
        dir: undefined,
      },
      cacheControl: 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800',
      xRobotsTag: 'noindex',
      encodings: zstdHere ? ['br', 'gzip', 'zstd'] : ['br', 'gzip'],
      weakEtags: false,
      deadlineMs: 10_000,
      walkTimeoutMs: 1_800_000,
      concurrency: 2,
      warmUp: true,
      feed: { limit: 50, sections: undefined, mediaType: 'application/rss+xml' },
      html: { pageSize: 1_000, stylesheet: undefined },
      log: undefined,
      name: 'sitemap',
      prefix: '',
    })
  })

  it('stand for every option that is undefined', () => {
    const names = [
      'routes',
      'limit',
      'maxBytes',
      'exclude',
      'cache',
      'encodings',
      'deadline',
      'feed',
      'log',
      'prefix',
      'sites',
    ]
    expect(resolve(Object.fromEntries(names.map((name) => [name, undefined])))).toEqual(resolve())
  })

  it('never stand in for 0, false and empty text', () => {
    const resolved = resolve({
      site: { ...site, description: '' },
      retries: 0,
      maxShrink: 0,
      deadline: 0,
      warmUp: false,
      xRobotsTag: false,
      cache: { ttl: 0, staleWhileRevalidate: 0, wait: '0s' },
      html: { stylesheet: false },
      prefix: '',
    })
    expect(resolved).toMatchObject({
      deadlineMs: 0,
      warmUp: false,
      xRobotsTag: false,
      cache: { ttlMs: 0, staleWhileRevalidateMs: 0, waitMs: 0 },
      html: { stylesheet: false },
      providers: [{ retries: 0, maxShrink: 0, ttlMs: 0 }],
    })
  })
})

describe('values', () => {
  it('reach the result, durations in ms and sizes in bytes', () => {
    const transform = (entry: Entry) => entry
    const log = { info() {}, warn() {}, error() {} }
    const resolved = resolve({
      limit: 1,
      maxBytes: 10_485_760,
      trailingSlash: 'always',
      scope: 'off',
      onInvalid: 'fail',
      onEmpty: 404,
      transform,
      cache: {
        ttl: 0.05,
        staleWhileRevalidate: '1d',
        wait: '250ms',
        memory: 2000,
        dir: '/var/cache/example',
      },
      cacheControl: 'no-cache',
      xRobotsTag: 'noindex, nofollow',
      encodings: ['gzip'],
      deadline: 3_600,
      timeout: '1.5h',
      walkTimeout: 604_800,
      retries: 5,
      concurrency: 1,
      feed: { limit: 1_000, sections: ['pages'], mediaType: 'application/xml' },
      html: { pageSize: 50_000, stylesheet: '/a.css' },
      log,
      name: 'news2',
      routes: { sitemap: '/map/sitemap.xml', rss: false, report: '/sitemap-report.json', atom: false },
      logLevel: 'warn',
      logSerializers: {},
    })
    expect(resolved).toMatchObject({
      limit: 1,
      maxBytes: 10_485_760,
      trailingSlash: 'always',
      scope: 'off',
      onInvalid: 'fail',
      onEmpty: 404,
      cache: {
        ttlMs: 50,
        staleWhileRevalidateMs: 86_400_000,
        waitMs: 250,
        memory: 2_000,
        dir: '/var/cache/example',
      },
      cacheControl: 'no-cache',
      xRobotsTag: 'noindex, nofollow',
      encodings: ['gzip'],
      weakEtags: false,
      deadlineMs: 3_600_000,
      walkTimeoutMs: 604_800_000,
      concurrency: 1,
      providers: [{ ttlMs: 50, timeoutMs: 5_400_000, retries: 5 }],
      feed: { limit: 1_000, sections: new Set(['pages']), mediaType: 'application/xml' },
      html: { pageSize: 50_000, stylesheet: '/a.css' },
      name: 'news2',
      routes: { sitemap: '/map/sitemap.xml', rss: false, report: '/sitemap-report.json' },
    })
    expect(resolved.transform).toBe(transform)
    expect(resolved.log).toBe(log)
  })

  it.each([
    { value: '50mb', bytes: 52_428_800 },
    { value: '10mb', bytes: 10_485_760 },
    { value: 1_024, bytes: 1_024 },
  ])('maxBytes $value → $bytes', ({ value, bytes }) => {
    expect(resolve({ maxBytes: value }).maxBytes).toBe(bytes)
  })

  it('a console is a log, and so is a function with methods', () => {
    expect(resolve({ log: console }).log).toBe(console)
    const log = Object.assign(() => {}, { info() {}, warn() {}, error() {} })
    expect(resolve({ log }).log).toBe(log)
  })
})

describe('encodings', () => {
  const own = Object.getOwnPropertyDescriptor(zlib, 'createZstdCompress')
  const set = (value: unknown) =>
    Object.defineProperty(zlib, 'createZstdCompress', {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  afterEach(() => {
    if (own === undefined) Reflect.deleteProperty(zlib, 'createZstdCompress')
    else Object.defineProperty(zlib, 'createZstdCompress', own)
  })

  it('have zstd last where Node has it', () => {
    set(() => {})
    expect(resolve().encodings).toEqual(['br', 'gzip', 'zstd'])
    expect(resolve({ encodings: ['zstd', 'br'] }).encodings).toEqual(['zstd', 'br'])
  })

  it('have no zstd where Node has none, and say so', () => {
    set(undefined)
    expect(resolve().encodings).toEqual(['br', 'gzip'])
    expect(faultOf({ encodings: ['zstd', 'br'] })).toBe(
      `option "encodings" is a list with "zstd" (string): expected a list of 'br' or 'gzip', each once (or false for identity and weak ETags); this Node has no zstd. Write ['br', 'gzip'], or leave it out.`,
    )
  })

  it('false leaves identity and weak ETags', () => {
    expect(resolve({ encodings: false })).toMatchObject({ encodings: [], weakEtags: true })
  })
})

describe('site', () => {
  it.each([
    { name: 'no path', url: 'https://www.example.com', base: 'https://www.example.com' },
    { name: 'a slash', url: 'https://www.example.com/', base: 'https://www.example.com' },
    { name: 'a path', url: 'https://www.example.com/shop', base: 'https://www.example.com/shop' },
    {
      name: 'a path and a slash',
      url: 'https://www.example.com/shop/',
      base: 'https://www.example.com/shop',
    },
    { name: 'a port', url: 'http://127.0.0.1:3000', base: 'http://127.0.0.1:3000' },
    { name: 'the port of the scheme', url: 'https://www.example.com:443', base: 'https://www.example.com' },
    { name: 'an IDN host', url: 'https://bücher.example', base: 'https://xn--bcher-kva.example' },
    { name: 'capitals', url: 'HTTPS://WWW.Example.com', base: 'https://www.example.com' },
    {
      name: 'a prefix',
      url: 'https://www.example.com/a',
      more: { prefix: '/shop/' },
      base: 'https://www.example.com/shop',
    },
    {
      name: 'an empty prefix',
      url: 'https://www.example.com/a',
      more: { prefix: '' },
      base: 'https://www.example.com',
    },
    {
      name: 'prefix /',
      url: 'https://www.example.com/a',
      more: { prefix: '/' },
      base: 'https://www.example.com',
    },
    {
      name: 'a public path beside the prefix',
      url: 'https://www.example.com/a',
      more: { prefix: '/internal', publicPath: '/b/c' },
      base: 'https://www.example.com/b/c',
    },
    {
      name: 'an empty public path beside the prefix',
      url: 'https://www.example.com/a',
      more: { prefix: '/internal', publicPath: '' },
      base: 'https://www.example.com',
    },
  ])('$name: documents live at $base', ({ url, more, base }) => {
    const resolved = resolve({ site: { url }, ...more })
    expect(resolved.site.base).toBe(base)
    expect(resolved.site.url).toBe(new URL(url).href)
    expect(resolved.site.origin).toBe(new URL(url).origin)
  })

  it('takes id and title from the host, the port included', () => {
    expect(resolve({ site: { url: 'http://bücher.example:8080/x' } }).site).toMatchObject({
      id: 'xn--bcher-kva.example:8080',
      title: 'xn--bcher-kva.example:8080',
    })
  })

  it('keeps what is given, and hands it on as it came', () => {
    const data = { tenant: 7, nested: {} }
    const given = {
      ...site,
      id: 'shop',
      title: 'Shop',
      description: 'Goods',
      language: 'fr-CA',
      hosts: ['a.example'],
      data,
    }
    const resolved = resolve({ site: given }).site
    expect(resolved).toMatchObject({
      id: 'shop',
      title: 'Shop',
      description: 'Goods',
      language: 'fr-CA',
      given,
    })
    expect(resolved.given.data).toBe(data)
    expect(Object.isFrozen(data)).toBe(false)
    expect(Object.isFrozen(given.hosts)).toBe(false)
  })

  it.each([
    { prefix: '/shop', resolved: '/shop' },
    { prefix: '/shop/', resolved: '/shop' },
    { prefix: '/a/b-c_d.e~f', resolved: '/a/b-c_d.e~f' },
    { prefix: '/', resolved: '' },
    { prefix: '', resolved: '' },
  ])('prefix "$prefix" → "$resolved"', ({ prefix, resolved }) => {
    expect(resolve({ prefix }).prefix).toBe(resolved)
  })
})

describe('providers', () => {
  it.each([
    { key: 'posts', title: 'Posts' },
    { key: 'blogPosts', title: 'Blog posts' },
    { key: 'news_items', title: 'News items' },
    { key: 'FAQ', title: 'FAQ' },
    { key: 'HTMLPages', title: 'HTML pages' },
    { key: 'a__b_', title: 'A b' },
    { key: 'Year2024', title: 'Year2024' },
  ])('$key is headed "$title"', ({ key, title }) => {
    expect(resolve({ providers: { [key]: [] } }).providers).toMatchObject([{ section: key, title }])
  })

  it('keep the order in which they are written', () => {
    const { providers } = resolve({ providers: { zebra: [], ape: [], Mole: [] } })
    expect(providers.map((one) => one.section)).toEqual(['zebra', 'ape', 'Mole'])
  })

  it('a list is the list itself, alone and as entries', () => {
    const list = ['/a', { loc: '/b' }]
    expect(provider(list)).toMatchObject({ list, entries: undefined })
    expect(provider(list).list).toBe(list)
    expect(provider({ entries: list }).list).toBe(list)
    expect(Object.isFrozen(list)).toBe(false)
  })

  it('a function is the function itself', () => {
    const entries = () => ['/a']
    expect(provider(entries).entries).toBe(entries)
    expect(provider(entries).list).toBeUndefined()
  })

  it('an object keeps its settings', () => {
    const resolved = provider({
      entries: () => [],
      ttl: '1h',
      title: 'Journal',
      defaults: { changefreq: 'daily', priority: 0.3, robots: ['nofollow'], author: null },
      formats: ['xml', 'feed'],
      lang: 'de',
      optional: true,
      maxShrink: 1,
      timeout: 5,
      retries: 0,
    })
    expect(resolved).toMatchObject({
      ttlMs: 3_600_000,
      title: 'Journal',
      defaults: { changefreq: 'daily', priority: 0.3, robots: ['nofollow'] },
      formats: new Set(['xml', 'feed']),
      lang: 'de',
      optional: true,
      maxShrink: 1,
      timeoutMs: 5_000,
      retries: 0,
    })
    expect(resolved.defaults).not.toHaveProperty('author')
  })

  it('methods of a class are called on their object', () => {
    class Cms {
      readonly #slugs = ['/a', '/b']
      get ttl() {
        return '5m'
      }
      entries() {
        return this.#slugs
      }
      version() {
        return this.#slugs.length
      }
    }
    const { entries, version, ttlMs } = provider(new Cms())
    const ctx = {} as ProviderContext
    expect(entries?.(ctx)).toEqual(['/a', '/b'])
    expect(version?.(ctx)).toBe(2)
    expect(ttlMs).toBe(300_000)
  })

  const started = (async function* () {})()
  it.each([
    {
      name: 'a started async generator',
      value: started,
      came: 'a started generator or iterator, which can be walked only once',
    },
    {
      name: 'an iterator of a list',
      value: ['/'].values(),
      came: 'a started generator or iterator, which can be walked only once',
    },
    { name: 'a Readable', value: Readable.from(['/']), came: 'a stream, which can be walked only once' },
    { name: 'a web stream', value: new ReadableStream(), came: 'a stream, which can be walked only once' },
    { name: 'a promise', value: Promise.resolve(['/']), came: 'a promise, which can be walked only once' },
  ])('$name is refused for the function that makes it', ({ value, came }) => {
    expect(faultOf({ providers: { posts: value } })).toBe(
      `option "providers.posts" is ${came}: expected a list, a function, or an object with entries. Pass the function that makes it, called at each refresh: "posts": () => …`,
    )
    expect(faultOf({ providers: { posts: { entries: value } } })).toBe(
      `option "providers.posts.entries" is ${came}: expected a list or a function. Pass the function that makes it, called at each refresh: entries: () => …`,
    )
  })

  it.each([
    { name: 'a Set', value: new Set(['/']), came: 'a Set' },
    { name: 'a Map, although it has a method entries', value: new Map([['/', 1]]), came: 'a Map' },
    { name: 'an iterable of the user', value: { *[Symbol.iterator]() {} }, came: 'a walkable object' },
    {
      name: 'an async iterable of the user',
      value: { async *[Symbol.asyncIterator]() {} },
      came: 'a walkable object',
    },
  ])('$name is refused for a list or a function', ({ value, came }) => {
    for (const [path, posts] of [
      ['providers.posts', value],
      ['providers.posts.entries', { entries: value }],
    ] as const) {
      const line = faultOf({ providers: { posts } })
      expect(line).toContain(`option "${path}" is ${came}: expected`)
      expect(line).toContain('Pass a list, [...them], or a function that returns it')
    }
  })

  it('a section may be called entries', () => {
    expect(faultOf({ providers: { entries: 7 } })).toContain(
      'expected a list, a function, or an object with entries.',
    )
  })

  it.each([
    { key: 'my-posts', hint: 'Write "my_posts".' },
    { key: '2024posts', hint: 'Write "posts".' },
    { key: '_x', hint: 'Write "x".' },
    { key: 'été', hint: 'Write "t_".' },
    { key: '', hint: 'Write "posts".' },
    { key: '__proto__', hint: 'Write "proto__".' },
    { key: 'a\nb', hint: 'Write "a_b".' },
  ])('"$key" is no section key', ({ key, hint }) => {
    const line = faultOf({ providers: Object.fromEntries([[key, []]]) })
    expect(line).toContain(
      `option ${JSON.stringify(`providers.${key}`)} is no section key: expected a letter`,
    )
    expect(line).toContain(hint)
  })
})

describe('faults', () => {
  const duration = "text such as '10m' (ms s m h d), or a number of seconds"

  it.each<{ name: string; more: Record<string, unknown>; line: string }>([
    // durations
    {
      name: 'milliseconds as timeout',
      more: { timeout: 30_000 },
      line: `option "timeout" is 30000 (number), which is 8 h 20 min: numbers are seconds. Write '30s'.`,
    },
    {
      name: 'just above an hour',
      more: { deadline: 3_601 },
      line: `option "deadline" is 3601 (number), which is 1 h 1 s: numbers are seconds. Write '3601s', or '3601ms' if milliseconds were meant.`,
    },
    {
      name: 'whole hours',
      more: { cache: { wait: 7_200 } },
      line: `option "cache.wait" is 7200 (number), which is 2 h: numbers are seconds. Write '7200ms' if milliseconds were meant, '2h' if seconds.`,
    },
    {
      name: 'milliseconds as ttl',
      more: { cache: { ttl: 900_000 } },
      line: `option "cache.ttl" is 900000 (number), which is 10 d 10 h: numbers are seconds. Write '15m' if milliseconds were meant, '250h' if seconds.`,
    },
    {
      name: 'just above a week',
      more: { cache: { staleWhileRevalidate: 604_801 } },
      line: `option "cache.staleWhileRevalidate" is 604801 (number), which is 7 d 1 s: numbers are seconds. Write '604801s', or '604801ms' if milliseconds were meant.`,
    },
    {
      name: 'milliseconds as walkTimeout',
      more: { walkTimeout: 605_000 },
      line: `option "walkTimeout" is 605000 (number), which is 7 d 3 min: numbers are seconds. Write '605s'.`,
    },
    {
      name: "milliseconds as a provider's timeout",
      more: { providers: { a: { entries: [], timeout: 5_000 } } },
      line: `option "providers.a.timeout" is 5000 (number), which is 1 h 23 min: numbers are seconds. Write '5s'.`,
    },
    {
      name: "milliseconds as a provider's ttl",
      more: { providers: { a: { entries: [], ttl: 3_000_000 } } },
      line: `option "providers.a.ttl" is 3000000 (number), which is 34 d 17 h: numbers are seconds. Write '50m'.`,
    },
    {
      name: 'text that is no duration',
      more: { cache: { staleWhileRevalidate: '10 minutes' } },
      line: `option "cache.staleWhileRevalidate" is "10 minutes" (string): expected a duration: ${duration}. Write '10m', or leave it out.`,
    },
    {
      name: 'digits out of an environment variable',
      more: { deadline: '10' },
      line: `option "deadline" is "10" (string): expected a duration: ${duration}. Write '10s' or '10ms', or leave it out.`,
    },
    {
      name: 'a timeout of 0',
      more: { timeout: 0 },
      line: `option "timeout" is 0 (number): expected a duration above 0: ${duration}. Write '30s', or leave it out.`,
    },
    {
      name: 'a walkTimeout of 0',
      more: { walkTimeout: '0s' },
      line: `option "walkTimeout" is "0s" (string): expected a duration above 0: ${duration}. Write '30m', or leave it out.`,
    },
    {
      name: 'null as a duration',
      more: { deadline: null },
      line: `option "deadline" is null (null): expected a duration: ${duration}. Write '10s', or leave it out.`,
    },
    // numbers and sizes
    {
      name: 'limit 0',
      more: { limit: 0 },
      line: 'option "limit" is 0 (number): expected a whole number from 1 to 50,000. Write 50000, or leave it out.',
    },
    {
      name: 'limit above the protocol',
      more: { limit: 50_001 },
      line: 'option "limit" is 50001 (number): expected a whole number from 1 to 50,000. Write 50000, or leave it out.',
    },
    {
      name: 'limit as text',
      more: { limit: '500' },
      line: 'option "limit" is "500" (string): expected a whole number from 1 to 50,000. Write 50000, or leave it out.',
    },
    {
      name: 'limit with a fraction',
      more: { limit: 1.5 },
      line: 'option "limit" is 1.5 (number): expected a whole number from 1 to 50,000. Write 50000, or leave it out.',
    },
    {
      name: 'maxBytes too small',
      more: { maxBytes: 1_023 },
      line: `option "maxBytes" is 1023 (number): expected a size in bytes from 1,024 to 52,428,800: text such as '64mb' (b kb mb gb), or a whole number. Write 52428800, or leave it out.`,
    },
    {
      name: 'maxBytes too large',
      more: { maxBytes: '51mb' },
      line: `option "maxBytes" is "51mb" (string): expected a size in bytes from 1,024 to 52,428,800: text such as '64mb' (b kb mb gb), or a whole number. Write 52428800, or leave it out.`,
    },
    {
      name: 'memory 0',
      more: { cache: { memory: 0 } },
      line: `option "cache.memory" is 0 (number): expected a size in bytes from 1: text such as '64mb' (b kb mb gb), or a whole number. Write '64mb', or leave it out.`,
    },
    {
      name: 'retries below 0',
      more: { retries: -1 },
      line: 'option "retries" is -1 (number): expected a whole number from 0. Write 2, or leave it out.',
    },
    {
      name: 'no walk at once',
      more: { concurrency: 0 },
      line: 'option "concurrency" is 0 (number): expected a whole number from 1. Write 2, or leave it out.',
    },
    {
      name: 'endless concurrency',
      more: { concurrency: Number.POSITIVE_INFINITY },
      line: 'option "concurrency" is Infinity (number): expected a whole number from 1. Write 2, or leave it out.',
    },
    {
      name: 'maxShrink in percent',
      more: { maxShrink: 50 },
      line: 'option "maxShrink" is 50 (number): expected a share from 0 to 1. Write 0.5, or leave it out.',
    },
    {
      name: 'maxShrink NaN',
      more: { maxShrink: Number.NaN },
      line: 'option "maxShrink" is NaN (number): expected a share from 0 to 1. Write 0.5, or leave it out.',
    },
    {
      name: 'feed.limit above 1,000',
      more: { feed: { limit: 1_001 } },
      line: 'option "feed.limit" is 1001 (number): expected a whole number from 1 to 1,000. Write 50, or leave it out.',
    },
    {
      name: 'html.pageSize 0',
      more: { html: { pageSize: 0 } },
      line: 'option "html.pageSize" is 0 (number): expected a whole number from 1 to 50,000. Write 1000, or leave it out.',
    },
    // choices
    {
      name: 'a slip in a choice',
      more: { trailingSlash: 'allways' },
      line: `option "trailingSlash" is "allways" (string): expected 'preserve', 'always' or 'never'. Write 'always', or leave it out.`,
    },
    {
      name: 'a boolean for a choice',
      more: { trailingSlash: true },
      line: `option "trailingSlash" is true (boolean): expected 'preserve', 'always' or 'never'. Write 'preserve', or leave it out.`,
    },
    {
      name: 'another word for a choice',
      more: { scope: 'domain' },
      line: `option "scope" is "domain" (string): expected 'host', 'path' or 'off'. Write 'host', or leave it out.`,
    },
    {
      name: 'onInvalid throw',
      more: { onInvalid: 'throw' },
      line: `option "onInvalid" is "throw" (string): expected 'skip' or 'fail'. Write 'skip', or leave it out.`,
    },
    {
      name: '404 as text',
      more: { onEmpty: '404' },
      line: `option "onEmpty" is "404" (string): expected 'urlset' or 404. Write 404, or leave it out.`,
    },
    {
      name: 'warmUp as text',
      more: { warmUp: 'yes' },
      line: 'option "warmUp" is "yes" (string): expected true or false. Leave it out for true.',
    },
    // functions and objects
    {
      name: 'transform that is no function',
      more: { transform: {} },
      line: 'option "transform" is {} (object): expected a function. Write transform: (entry) => entry, or leave it out.',
    },
    {
      name: 'a log without warn and error',
      more: { log: { info() {} } },
      line: 'option "log" is an object without warn, error: expected an object with the functions info, warn and error. Write log: console, or leave it out for the host\'s logger.',
    },
    {
      name: 'log false',
      more: { log: false },
      line: 'option "log" is false (boolean): expected an object with the functions info, warn and error. Write log: console, or leave it out for the host\'s logger.',
    },
    {
      name: 'cache false',
      more: { cache: false },
      line: 'option "cache" is false (boolean): expected an object. Its keys are ttl, staleWhileRevalidate, wait, memory, dir.',
    },
    {
      name: 'a list for html',
      more: { html: [] },
      line: 'option "html" is a list of 0 (object): expected an object. Its keys are pageSize, stylesheet.',
    },
    {
      name: 'a name with a hyphen',
      more: { name: 'site-map' },
      line: `option "name" is "site-map" (string): expected an identifier: a letter, then letters and digits. Write 'sitemap2', or leave it out.`,
    },
    {
      name: 'an empty dir',
      more: { cache: { dir: '' } },
      line: `option "cache.dir" is "" (string): expected text of one line that is not empty. Write '/var/cache/example', or leave it out.`,
    },
    // headers
    {
      name: 'an empty cacheControl',
      more: { cacheControl: ' ' },
      line: `option "cacheControl" is " " (string): expected the value of a header: ASCII text on one line, not empty. Write 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800', or leave it out.`,
    },
    {
      name: 'cacheControl false',
      more: { cacheControl: false },
      line: `option "cacheControl" is false (boolean): expected the value of a header: ASCII text on one line, not empty. Write 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800', or leave it out.`,
    },
    {
      name: 'a header smuggled in',
      more: { xRobotsTag: 'noindex\r\nset-cookie: a=b' },
      line: `option "xRobotsTag" is "noindex\\r\\nset-cookie: a=b" (string): expected the value of a header: ASCII text on one line, not empty, or false. Write 'noindex', or leave it out.`,
    },
    {
      name: 'encodings empty',
      more: { encodings: [] },
      line: `option "encodings" is a list of 0 (object): expected a list of`,
    },
    {
      name: 'encodings true',
      more: { encodings: true },
      line: `option "encodings" is true (boolean): expected a list of`,
    },
    {
      name: 'an unknown encoding',
      more: { encodings: ['gzip', 'deflate'] },
      line: `option "encodings" is a list with "deflate" (string): expected a list of`,
    },
    {
      name: 'an encoding twice',
      more: { encodings: ['gzip', 'br', 'gzip'] },
      line: `option "encodings" is a list with "gzip" (string) twice: expected a list of`,
    },
    // site
    {
      name: 'site as text',
      more: { site: 'https://www.example.com' },
      line: `option "site" is "https://www.example.com" (string): expected an object with url. Write site: { url: 'https://www.example.com' }.`,
    },
    {
      name: 'no url',
      more: { site: { title: 'Example' } },
      line: `option "site.url" is missing: expected an absolute http or https URL, without user, query and fragment. Write 'https://www.example.com'.`,
    },
    ...[
      'example.com',
      '/shop',
      'ftp://example.com',
      'https:example.com',
      'https:\\\\example.com',
      'https:///example.com',
      ' https://example.com',
      'https://exa\nmple.com',
      'https://',
      'https://a b.example',
    ].map((url) => ({
      name: `the URL ${JSON.stringify(url)}`,
      more: { site: { url } },
      line: `option "site.url" is ${JSON.stringify(url)} (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://www.example.com'.`,
    })),
    {
      name: 'a URL with a query',
      more: { site: { url: 'https://example.com/shop?a=b' } },
      line: `option "site.url" is "https://example.com/shop?a=b" (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://example.com/shop'.`,
    },
    {
      name: 'a URL with an empty query',
      more: { site: { url: 'https://example.com/?' } },
      line: `option "site.url" is "https://example.com/?" (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://example.com/'.`,
    },
    {
      name: 'a URL with a fragment',
      more: { site: { url: 'https://example.com/#' } },
      line: `option "site.url" is "https://example.com/#" (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://example.com/'.`,
    },
    {
      name: 'a URL with a password, which is not shown',
      more: { site: { url: 'https://ada:secret@example.com/shop' } },
      line: `option "site.url" is "https://***@example.com/shop" (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://example.com/shop'.`,
    },
    {
      name: 'an empty title',
      more: { site: { ...site, title: '' } },
      line: 'option "site.title" is "" (string): expected text of one line that is not empty. Leave it out for the host of site.url.',
    },
    {
      name: 'a title over two lines',
      more: { site: { ...site, title: 'a\nb' } },
      line: 'option "site.title" is "a\\nb" (string): expected text of one line that is not empty. Leave it out for the host of site.url.',
    },
    {
      name: 'an empty id',
      more: { site: { ...site, id: '' } },
      line: 'option "site.id" is "" (string): expected text of one line that is not empty. Leave it out for the host of site.url.',
    },
    {
      name: 'a description that is no text',
      more: { site: { ...site, description: null } },
      line: `option "site.description" is null (null): expected text. Leave it out for ''.`,
    },
    {
      name: 'a locale for a language tag',
      more: { site: { ...site, language: 'fr_CA' } },
      line: `option "site.language" is "fr_CA" (string): expected a language tag such as en or fr-CA. Write 'fr-CA'.`,
    },
    {
      name: 'a language in words',
      more: { site: { ...site, language: 'French (Canada)' } },
      line: `option "site.language" is "French (Canada)" (string): expected a language tag such as en or fr-CA. Write 'en'.`,
    },
    {
      name: 'hosts as text',
      more: { site: { ...site, hosts: 'www.example.com' } },
      line: `option "site.hosts" is "www.example.com" (string): expected a list of host names. Write ['www.example.com'], or leave it out.`,
    },
    {
      name: 'hosts with a hole',
      more: { site: { ...site, hosts: new Array(1) } },
      line: `option "site.hosts" is a list of 1 (object): expected a list of host names.`,
    },
    // paths
    ...[
      'shop',
      '/a*',
      '/:tenant',
      '/a?b',
      '/a#b',
      '/../b',
      '/a..b',
      '/./b',
      '/a//b',
      '//',
      '/a b',
      '/é',
      '/%41',
      '/a\\b',
      '/a\n',
      7,
      null,
    ].flatMap((path) =>
      ['prefix', 'publicPath'].map((option) => ({
        name: `${option} ${JSON.stringify(path)}`,
        more: { [option]: path },
        line: `option "${option}" is ${JSON.stringify(path)} (${path === null ? 'null' : typeof path}): expected '' or a path: a slash, then letters`,
      })),
    ),
    { name: 'a prefix without its slash', more: { prefix: 'shop' }, line: `Write '/shop', or leave it out.` },
    ...['sitemap.xml', '/', '', '/a/', '/a*', '/:a', '/a?b', '/a#b', '/../a', '/a b', true, null].map(
      (path) => ({
        name: `the route ${JSON.stringify(path)}`,
        more: { routes: { rss: path } },
        line: `option "routes.rss" is ${JSON.stringify(path)} (${path === null ? 'null' : typeof path}): expected a path: a slash, then letters`,
      }),
    ),
    {
      name: 'a route without its slash',
      more: { routes: { rss: 'rss.xml' } },
      line: `Write '/rss.xml', or false.`,
    },
    {
      name: 'a route with a slash too many',
      more: { routes: { rss: '/rss/' } },
      line: `Write '/rss', or false.`,
    },
    {
      name: 'no route at all',
      more: { routes: { sitemap: false, index: false, rss: false, html: false, txt: false } },
      line: 'option "routes" is {"sitemap":false,"index":false,"rss":false,"html":false,"txt":false} (object): expected one document at least. Leave one out of it for its default path.',
    },
    {
      name: 'a faulty route beside others that are off, which is one fault',
      more: { routes: { sitemap: 'x', index: false, rss: false, html: false, txt: false } },
      line: 'option "routes.sitemap" is "x" (string): expected a path',
    },
    {
      name: 'two routes with one path',
      more: { routes: { rss: '/a', txt: '/a' } },
      line: 'option "routes.txt" is "/a" (string): expected a path of its own, and this is that of routes.rss. Write another path, or false.',
    },
    {
      name: 'the path of a default that comes after it',
      more: { routes: { sitemap: '/sitemap.txt' } },
      line: 'option "routes.sitemap" is "/sitemap.txt" (string): expected a path of its own, and this is that of routes.txt. Write another path, or false.',
    },
    ...['xml', 'txt', 'html'].map((ending) => ({
      name: `the path of a part in .${ending}`,
      more: { routes: { report: `/sitemap-pages-12.${ending}` } },
      line: `option "routes.report" is "/sitemap-pages-12.${ending}" (string): expected a path of its own, and this is that of a part of the section pages. Write another path, or false.`,
    })),
    {
      name: 'the path of our stylesheet',
      more: { routes: { report: '/sitemap-html.css' } },
      line: 'option "routes.report" is "/sitemap-html.css" (string): expected a path of its own, and this is that of our stylesheet. Write another path, or false.',
    },
    // exclude
    {
      name: 'a pattern that no path can match',
      more: { exclude: 'drafts/*' },
      line: `option "exclude" is "drafts/*" (string): expected a path that starts with / or *, or a RegExp. Write '/drafts/*'.`,
    },
    {
      name: 'a URL as pattern',
      more: { exclude: ['/a', 'https://www.example.com/a'] },
      line: `option "exclude[1]" is "https://www.example.com/a" (string): expected a path that starts with / or *, or a RegExp. Write '/drafts/*'.`,
    },
    {
      name: 'an undefined pattern',
      more: { exclude: [undefined] },
      line: `option "exclude[0]" is undefined (undefined): expected a path that starts with / or *, or a RegExp. Write '/drafts/*'.`,
    },
    {
      name: 'a function as pattern',
      more: { exclude: () => true },
      line: `option "exclude" is function exclude (function): expected a path that starts with / or *, or a RegExp. Write '/drafts/*'.`,
    },
    // feed and html
    {
      name: 'a slip in a section of the feed',
      more: { feed: { sections: ['page'] } },
      line: 'option "feed.sections" is a list with "page" (string): expected sections of providers. Did you mean "pages"?',
    },
    {
      name: 'an unknown section of the feed',
      more: { feed: { sections: ['blog'] } },
      line: 'option "feed.sections" is a list with "blog" (string): expected sections of providers. Known are pages.',
    },
    {
      name: 'no section in the feed',
      more: { feed: { sections: [] } },
      line: 'option "feed.sections" is a list of 0 (object): expected a list of sections that is not empty. Leave it out for all; to switch the feed off write routes: { rss: false }.',
    },
    {
      name: 'a section of the feed whose formats leave it out',
      more: { feed: { sections: ['a'] }, providers: { a: { entries: [], formats: ['xml'] } } },
      line: `option "feed.sections" is a list with "a" (string): expected sections with the format feed. Add 'feed' to providers.a.formats, or take the section out of the list.`,
    },
    {
      name: 'a section of the feed whose formats are faulty, which is one fault',
      more: { feed: { sections: ['a'] }, providers: { a: { entries: [], formats: ['rss'] } } },
      line: 'option "providers.a.formats" is a list with "rss" (string)',
    },
    ...['xml', 'application/xml; charset=utf-8', 'application/xml\r\na: b', ''].map((mediaType) => ({
      name: `the media type ${JSON.stringify(mediaType)}`,
      more: { feed: { mediaType } },
      line: `option "feed.mediaType" is ${JSON.stringify(mediaType)} (string): expected a media type without parameters (charset=utf-8 is added). Write 'application/xml', or leave it out.`,
    })),
    ...['', 'javascript:alert(1)', 'https://', '/a b.css', true].map((stylesheet) => ({
      name: `the stylesheet ${JSON.stringify(stylesheet)}`,
      more: { html: { stylesheet } },
      line: `option "html.stylesheet" is ${JSON.stringify(stylesheet)} (${typeof stylesheet}): expected the URL or path of a stylesheet, or false. Write '/assets/sitemap.css', or leave it out for ours.`,
    })),
    // providers
    {
      name: 'no section',
      more: { providers: {} },
      line: `option "providers" is {} (object): expected an object with one provider or more, each under its section. Write providers: { pages: ['/', '/about'] }.`,
    },
    {
      name: 'providers as a list',
      more: { providers: [['/']] },
      line: 'option "providers" is a list of 1 (object): expected an object with one provider or more',
    },
    {
      name: 'providers as a Map',
      more: { providers: new Map([['pages', ['/']]]) },
      line: 'option "providers" is a Map: expected an object with one provider or more',
    },
    {
      name: 'text as a provider',
      more: { providers: { posts: '/about' } },
      line: `option "providers.posts" is "/about" (string): expected a list, a function, or an object with entries. Write "posts": ['/about'], or "posts": async function* () { … }.`,
    },
    {
      name: 'an undefined provider',
      more: { providers: { posts: undefined } },
      line: 'option "providers.posts" is missing: expected a list, a function, or an object with entries.',
    },
    {
      name: 'a provider object without entries',
      more: { providers: { posts: { ttl: '1h' } } },
      line: `option "providers.posts.entries" is missing: expected a list or a function. Write entries: ['/about'], or entries: async function* () { … }.`,
    },
    ...[
      {
        field: 'version',
        value: 'v1',
        line: 'is "v1" (string): expected a function. Write version: () => token',
      },
      {
        field: 'title',
        value: ' ',
        line: `is " " (string): expected text of one line that is not empty. Leave it out for 'A'.`,
      },
      { field: 'ttl', value: 'soon', line: 'is "soon" (string): expected a duration' },
      { field: 'timeout', value: 0, line: 'is 0 (number): expected a duration above 0' },
      { field: 'retries', value: 0.5, line: 'is 0.5 (number): expected a whole number from 0' },
      { field: 'maxShrink', value: -0.1, line: 'is -0.1 (number): expected a share from 0 to 1' },
      { field: 'optional', value: 1, line: 'is 1 (number): expected true or false. Leave it out for false.' },
      {
        field: 'lang',
        value: 'en_US',
        line: `is "en_US" (string): expected a language tag such as en or fr-CA. Write 'en-US'.`,
      },
      {
        field: 'formats',
        value: [],
        line: `is a list of 0 (object): expected a list of 'xml', 'txt', 'html' or 'feed' that is not empty.`,
      },
      {
        field: 'formats',
        value: 'xml',
        line: `is "xml" (string): expected a list of 'xml', 'txt', 'html' or 'feed' that is not empty.`,
      },
      {
        field: 'formats',
        value: ['xml', 'rss'],
        line: `is a list with "rss" (string): expected a list of 'xml', 'txt', 'html' or 'feed'`,
      },
      {
        field: 'defaults',
        value: 'daily',
        line: 'is "daily" (string): expected an object. Its keys are changefreq,',
      },
    ].map(({ field, value, line }) => ({
      name: `a provider's ${field} ${JSON.stringify(value)}`,
      more: { providers: { a: { entries: [], [field]: value } } },
      line: `option "providers.a.${field}" ${line}`,
    })),
    ...[
      { field: 'changefreq', value: 'often', line: `is "often" (string): expected 'always', 'hourly',` },
      { field: 'priority', value: 5, line: 'is 5 (number): expected a number from 0 to 1.' },
      { field: 'priority', value: 'high', line: 'is "high" (string): expected a number from 0 to 1.' },
      { field: 'lang', value: 'en_US', line: 'is "en_US" (string): expected a language tag' },
      { field: 'robots', value: true, line: 'is true (boolean): expected text, or a list of texts.' },
      { field: 'type', value: '', line: 'is "" (string): expected text that is not empty.' },
      { field: 'sortOrder', value: -1, line: 'is -1 (number): expected a whole number from 0.' },
      { field: 'resourceOf', value: 1, line: 'is 1 (number): expected text that is not empty.' },
      { field: 'updatePeriod', value: 'daily', line: `is "daily" (string): expected 'hour', 'day',` },
      { field: 'author', value: [1], line: 'is a list of 1 (object): expected text, or a list of texts.' },
      { field: 'categories', value: {}, line: 'is {} (object): expected text, or a list of texts.' },
      { field: 'keywords', value: 1, line: 'is 1 (number): expected text, or a list of texts.' },
    ].map(({ field, value, line }) => ({
      name: `defaults.${field} ${JSON.stringify(value)}`,
      more: { providers: { a: { entries: [], defaults: { [field]: value } } } },
      line: `option "providers.a.defaults.${field}" ${line}`,
    })),
    {
      name: 'two languages for one section',
      more: { providers: { a: { entries: [], lang: 'de', defaults: { lang: 'fr' } } } },
      line: 'option "providers.a.defaults.lang" is "fr" (string): expected the same language as providers.a.lang, "de". Give one of the two.',
    },
  ])('$name', ({ more, line }) => {
    expect(faultOf(more)).toContain(line)
    expect(refusal({ ...least, ...more }).code).toBe('LSM_ERR_OPTION_INVALID')
  })

  it.each([
    {
      name: 'nothing',
      options: undefined,
      line: 'the options are missing: expected an object with site and providers. Write { site:',
    },
    { name: 'null', options: null, line: 'the options are null (null): expected' },
    { name: 'a list', options: [], line: 'the options are a list of 0 (object): expected' },
    {
      name: 'text',
      options: 'https://www.example.com',
      line: 'the options are "https://www.example.com" (string): expected',
    },
  ])('$name as options', ({ options, line }) => {
    expect(refusal(options).message).toContain(line)
  })

  it('an empty object misses site and providers', () => {
    const { message } = refusal({})
    expect(message.split('\n')).toEqual([
      '2 options are wrong:',
      `option "site" is missing: expected an object with url. Write site: { url: 'https://www.example.com' }.`,
      `option "providers" is missing: expected an object with one provider or more, each under its section. Write providers: { pages: ['/', '/about'] }.`,
    ])
  })

  it('all faults of one call come in one error, a line each', () => {
    const { message, code } = refusal({
      site: { url: 'example.com', langauge: 'en' },
      providers: { 'my-posts': new Set(), b: { entries: [], ttl: 'soon' } },
      routes: { rss: 'feed' },
      timeout: 30_000,
      cache: { memory: 'much', store: {} },
      exlude: '/a',
      news: {},
    })
    const lines = message.split('\n')
    expect(lines[0]).toBe('11 options are wrong:')
    const paths = lines.slice(1).map((line) => /^option "([^"]+)" is /.exec(line)?.[1])
    expect(paths.toSorted()).toEqual(
      [
        'site.url',
        'site.langauge',
        'providers.my-posts',
        'providers.my-posts',
        'providers.b.ttl',
        'routes.rss',
        'timeout',
        'cache.memory',
        'cache.store',
        'exlude',
        'news',
      ].toSorted(),
    )
    expect(code).toBe('LSM_ERR_OPTION_INVALID')
  })

  it('stay on their line, whatever a key or value holds', () => {
    const { message } = refusal({ ...least, 'a\nb': 1, name: 'c\nd', ['x'.repeat(5_000)]: 1 })
    expect(message.split('\n')).toHaveLength(4)
    expect(message.length).toBeLessThan(2_000)
  })

  it('never end in another error, whatever comes', () => {
    const anything = fc.anything({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withDate: true,
      withNullPrototype: true,
    })
    const names = Object.keys(resolve()).concat(
      'timeout',
      'retries',
      'maxShrink',
      'publicPath',
      'sites',
      'i18n',
      'zzz',
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), anything), anything, (more, value) => {
        for (const options of [
          { ...least, ...more },
          { ...least, providers: { a: value, b: { entries: value } } },
          value,
        ]) {
          try {
            resolveOptions(options)
          } catch (error) {
            expect(error).toBeInstanceOf(SitemapError)
          }
        }
      }),
    )
  })
})

describe('unknown keys', () => {
  it.each<{ name: string; options: Record<string, unknown>; line: string }>([
    {
      name: 'a letter too few',
      options: { exlude: 1 },
      line: 'option "exlude" is not known. Did you mean "exclude"?',
    },
    {
      name: 'two letters swapped',
      options: { tiemout: 1 },
      line: 'option "tiemout" is not known. Did you mean "timeout"?',
    },
    {
      name: 'case',
      options: { maxbytes: 1 },
      line: 'option "maxbytes" is not known. Did you mean "maxBytes"?',
    },
    {
      name: 'joints',
      options: { 'x-robots-tag': 1 },
      line: 'option "x-robots-tag" is not known. Did you mean "xRobotsTag"?',
    },
    {
      name: 'a right name in a wrong place',
      options: { ttl: 1 },
      line: 'option "ttl" is not known. Did you mean "cache.ttl"?',
    },
    {
      name: 'the other way round',
      options: { cache: { deadline: 1 } },
      line: 'option "cache.deadline" is not known. Did you mean "deadline"?',
    },
    {
      name: 'what others call the URL',
      options: { hostname: 1 },
      line: 'option "hostname" is not known. Did you mean "site.url"?',
    },
    {
      name: 'inside site',
      options: { site: { ...site, descripton: 1 } },
      line: 'option "site.descripton" is not known. Did you mean "site.description"?',
    },
    {
      name: 'inside routes',
      options: { routes: { sitmap: '/a' } },
      line: 'option "routes.sitmap" is not known. Did you mean "routes.sitemap"?',
    },
    {
      name: 'inside cache',
      options: { cache: { memroy: 1 } },
      line: 'option "cache.memroy" is not known. Did you mean "cache.memory"?',
    },
    {
      name: 'inside feed',
      options: { feed: { section: [] } },
      line: 'option "feed.section" is not known. Did you mean "feed.sections"?',
    },
    {
      name: 'inside html',
      options: { html: { pagesize: 1 } },
      line: 'option "html.pagesize" is not known. Did you mean "html.pageSize"?',
    },
    {
      name: 'inside a provider',
      options: { providers: { a: { entries: [], maxShrnk: 1 } } },
      line: 'option "providers.a.maxShrnk" is not known. Did you mean "providers.a.maxShrink"?',
    },
    {
      name: "inside a provider's defaults",
      options: { providers: { a: { entries: [], defaults: { changeFreq: 'daily' } } } },
      line: 'option "providers.a.defaults.changeFreq" is not known. Did you mean "providers.a.defaults.changefreq"?',
    },
    {
      name: 'two letters of a short name swapped',
      options: { stie: 1 },
      line: 'option "stie" is not known. Did you mean "site"?',
    },
    {
      name: 'a host inside a provider',
      options: { providers: { a: { entries: [], hostname: 'x' } } },
      line: 'option "providers.a.hostname" is not known. Known here are entries,',
    },
    {
      name: 'an entry in place of a provider is not sent to site.url',
      options: { providers: { a: { entries: [], url: '/' } } },
      line: 'option "providers.a.url" is not known. Known here are entries, version, ttl, title, defaults, formats, lang, optional, maxShrink, timeout, retries.',
    },
    {
      name: 'nothing near',
      options: { feed: { colour: 1 } },
      line: 'option "feed.colour" is not known. Known here are limit, sections, mediaType.',
    },
    {
      name: 'undefined too: the slip is in the name',
      options: { exlude: undefined },
      line: 'option "exlude" is not known. Did you mean "exclude"?',
    },
    {
      name: 'a key of every object',
      options: { constructor: 1 },
      line: 'option "constructor" is not known. Known here are site,',
    },
    {
      name: "Fastify's own keys, but at the top only",
      options: { cache: { logLevel: 1 } },
      line: 'option "cache.logLevel" is not known.',
    },
  ])('$name', ({ options, line }) => {
    const error = refusal({ ...least, ...options })
    expect(error.message).toContain(line)
    expect(error.message.split('\n')).toHaveLength(1)
    expect(error.code).toBe('LSM_ERR_OPTION_UNKNOWN')
  })
})

describe('options of a later release', () => {
  const later = 'the work of a later release.'
  it.each<{ name: string; options: Record<string, unknown>; start: string }>([
    {
      name: 'sites',
      options: { site: undefined, sites: [] },
      start: `option "sites" is ${later} Give one site`,
    },
    {
      name: 'hostHeader',
      options: { hostHeader: 'x-forwarded-host' },
      start: `option "hostHeader" is ${later} Leave`,
    },
    { name: 'webhooks', options: { webhooks: [] }, start: `option "webhooks" is ${later} Add a route` },
    { name: 'news', options: { news: { name: 'N' } }, start: `option "news" is ${later} Leave` },
    { name: 'news false', options: { news: false }, start: `option "news" is ${later} Leave` },
    { name: 'i18n', options: { i18n: { locales: ['en'] } }, start: `option "i18n" is ${later} Give each` },
    ...['store', 'namespace', 'version'].map((key) => ({
      name: `cache.${key}`,
      options: { cache: { [key]: { password: 'hidden' } } },
      start: `option "cache.${key}" is ${later} Leave`,
    })),
    ...['atom', 'json', 'news', 'robots', 'llms', 'css', 'profile'].map((key) => ({
      name: `routes.${key}`,
      options: { routes: { [key]: '/a' } },
      start: `option "routes.${key}" is ${later} Leave`,
    })),
    {
      name: 'feed.content',
      options: { feed: { content() {} } },
      start: `option "feed.content" is ${later} Give`,
    },
    ...['head', 'template', 'strings', 'profileUri'].map((key) => ({
      name: `html.${key}`,
      options: { html: { [key]: 'x' } },
      start: `option "html.${key}" is ${later} Leave`,
    })),
    {
      name: "warmUp 'all'",
      options: { warmUp: 'all' },
      start: `option "warmUp" is 'all', ${later} Write true`,
    },
    {
      name: 'partitions, with the other keys that keyset() brings',
      options: { providers: { a: { partitions() {}, entries() {}, changedSince() {}, fullEvery: '1d' } } },
      start: `option "providers.a.partitions" is ${later} Give "entries" as an async generator`,
    },
    {
      name: 'the format news',
      options: { providers: { a: { entries: [], formats: ['xml', 'news'] } } },
      start: `option "providers.a.formats" is a list with 'news', ${later} Leave it out: this release has xml, txt, html, feed.`,
    },
  ])('$name is refused, with what to do today', ({ options, start }) => {
    const error = refusal({ ...least, ...options })
    expect(error.code).toBe('LSM_ERR_OPTION_LATER')
    expect(error.message.startsWith(start), error.message).toBe(true)
    expect(error.message.split('\n')).toHaveLength(1)
    expect(error.message).not.toContain('hidden')
  })

  it('routes that are off anyway may say so', () => {
    const off = {
      atom: false,
      json: false,
      news: false,
      robots: false,
      llms: false,
      css: false,
      profile: false,
    }
    expect(resolve({ routes: off }).routes).toEqual(resolve().routes)
  })

  it.each([
    { name: 'unknown alone', options: { zzz: 1, yyy: 1 }, code: 'LSM_ERR_OPTION_UNKNOWN' },
    { name: 'later alone', options: { i18n: {}, news: {} }, code: 'LSM_ERR_OPTION_LATER' },
    { name: 'unknown and later', options: { zzz: 1, news: {} }, code: 'LSM_ERR_OPTION_INVALID' },
    { name: 'unknown and invalid', options: { zzz: 1, limit: 0 }, code: 'LSM_ERR_OPTION_INVALID' },
  ])('$name → $code', ({ options, code }) => {
    expect(refusal({ ...least, ...options }).code).toBe(code)
  })
})

describe('paths that only look alike are taken', () => {
  it.each([
    { name: 'a part of no section of ours', routes: { report: '/sitemap-posts-1.xml' } },
    { name: 'a part that starts at 0', routes: { report: '/sitemap-pages-0.xml' } },
    { name: 'another ending', routes: { report: '/sitemap-pages-1.json' } },
    { name: 'below a folder', routes: { report: '/x/sitemap-pages-1.xml' } },
    { name: 'two paths exchanged', routes: { sitemap: '/sitemap.txt', txt: '/sitemap.xml' } },
    { name: 'the path of a default that is off', routes: { sitemap: '/sitemap.txt', txt: false } },
    { name: 'our stylesheet while HTML is off', routes: { html: false, report: '/sitemap-html.css' } },
  ])('$name', ({ routes }) => {
    expect(resolve({ routes }).routes).toMatchObject(routes)
  })

  it.each([{ stylesheet: false }, { stylesheet: 'https://cdn.example/a.css' }])(
    "our stylesheet's path beside html.stylesheet $stylesheet",
    (html) => {
      expect(resolve({ html, routes: { report: '/sitemap-html.css' } }).html.stylesheet).toBe(html.stylesheet)
    },
  )
})

describe('exclude', () => {
  it.each<{ pattern: string | RegExp; text: string; out: boolean }>([
    { pattern: '/a', text: '/a', out: true },
    { pattern: '/a', text: '/ab', out: false },
    { pattern: '/a', text: '/x/a', out: false },
    { pattern: '/a', text: '/a?b=c', out: true },
    { pattern: '/a', text: '/A', out: false },
    { pattern: '/a*', text: '/a', out: true },
    { pattern: '/a*', text: '/a/b/c?d', out: true },
    { pattern: '/a/*', text: '/a', out: false },
    { pattern: '*', text: '/', out: true },
    { pattern: '/*/print', text: '/a/b/print', out: true },
    { pattern: '/*/print', text: '/print', out: false },
    { pattern: '/*/print', text: '/a/print?x', out: true },
    { pattern: '*.pdf', text: '/a.pdf', out: true },
    { pattern: '*.pdf', text: '/a.pdf.html', out: false },
    { pattern: '*.pdf', text: '/a?b=.pdf', out: false },
    { pattern: '/ab*ba', text: '/aba', out: false },
    { pattern: '/ab*ba', text: '/abba', out: true },
    { pattern: '/a**b', text: '/ab', out: true },
    { pattern: '/*a*b*', text: '/xxbxa', out: false },
    { pattern: '/*a*b*', text: '/xxaxb', out: true },
    { pattern: '/a?b=c', text: '/a?b=c', out: true },
    { pattern: '/a?b=c', text: '/a', out: false },
    { pattern: '/a?b=c', text: '/axb=c', out: false },
    { pattern: '/a?b=c', text: '/a?b=c&d', out: false },
    { pattern: '*?preview=*', text: '/x/y?preview=1', out: true },
    { pattern: '*?preview=*', text: '/x/y?a&preview=1', out: false },
    { pattern: '*?*preview=*', text: '/x/y?a&preview=1', out: true },
    { pattern: '/a.b', text: '/axb', out: false },
    { pattern: '/(a|b)+$', text: '/(a|b)+$', out: true },
    { pattern: '/café/*', text: '/caf%C3%A9/menu', out: true },
    { pattern: '/a b', text: '/a%20b', out: true },
    { pattern: /\/page\/\d+$/, text: '/blog/page/12', out: true },
    { pattern: /\/page\/\d+$/, text: '/blog/page/12?x', out: false },
    { pattern: /preview=/i, text: '/a?PREVIEW=1', out: true },
  ])('$pattern and $text → $out', ({ pattern, text, out }) => {
    expect(resolve({ exclude: pattern }).exclude?.(text)).toBe(out)
    expect(resolve({ exclude: ['/never', pattern] }).exclude?.(text)).toBe(out)
  })

  it('is absent for an empty list', () => {
    expect(resolve({ exclude: [] }).exclude).toBeUndefined()
  })

  it.each([/draft/g, /draft/gi, /.*draft/y])(
    '%s tests alike each time, and its own position stays',
    (pattern) => {
      pattern.lastIndex = 3
      const exclude = resolve({ exclude: pattern }).exclude
      expect([1, 2, 3].map(() => exclude?.('/draft'))).toEqual([true, true, true])
      expect(pattern.lastIndex).toBe(3)
    },
  )

  it('y is held against the start', () => {
    expect(resolve({ exclude: /draft/y }).exclude?.('/draft')).toBe(false)
  })

  it('matches as the regular expression of its pattern does', () => {
    const piece = fc.stringMatching(/^[ab*]{0,8}$/)
    fc.assert(
      fc.property(piece, fc.stringMatching(/^[ab]{0,10}$/), (pattern, text) => {
        const reference = new RegExp(`^/${pattern.replaceAll('*', '.*')}$`)
        expect(resolve({ exclude: `/${pattern}` }).exclude?.(`/${text}`)).toBe(reference.test(`/${text}`))
      }),
    )
  })

  it('takes no exponential time', () => {
    // As ^/(.*a){40}.*b$ this would outlast the test's time limit by far.
    const exclude = resolve({ exclude: `/${'*a'.repeat(40)}*b` }).exclude
    expect(exclude?.(`/${'a'.repeat(100_000)}`)).toBe(false)
  })
})

describe('what the caller holds', () => {
  const everything = () => ({
    site: { ...site, title: 'A', hosts: ['www.example.com'], data: { a: { b: 1 } } },
    providers: {
      pages: ['/', { loc: '/a', images: ['/b.png'] }],
      posts: { entries: () => [], formats: ['xml', 'feed'], defaults: { keywords: ['a'] }, version: () => 1 },
    },
    routes: { rss: '/rss.xml' },
    exclude: ['/x/*', /y/g],
    cache: { ttl: '1m' },
    encodings: ['gzip'],
    feed: { sections: ['posts'] },
    html: { pageSize: 10 },
    log: { info() {}, warn() {}, error() {} },
    transform: (entry: unknown) => entry,
    logSerializers: { req: () => 1 },
  })

  it('is not changed: frozen options are taken', () => {
    const options = deepFreeze(everything())
    const { exclude } = resolveOptions(options)
    expect(exclude?.('/xyz')).toBe(true)
    expect(exclude?.('/xyz')).toBe(true)
  })

  it('is not frozen either', () => {
    const options = everything()
    resolveOptions(options)
    const seen = new Set<unknown>()
    const walk = (value: unknown): void => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
        return
      seen.add(value)
      expect(Object.isFrozen(value)).toBe(false)
      for (const key of Object.keys(value)) walk(Reflect.get(value, key))
    }
    walk(options)
    expect(seen.size).toBeGreaterThan(20)
  })

  it('does not change the result afterwards', () => {
    const options = everything()
    const resolved = resolveOptions(options)
    options.site.hosts.push('evil.example')
    options.encodings.push('br')
    options.feed.sections.push('pages')
    options.providers.posts.formats.push('html')
    options.providers.posts.defaults.keywords.push('b')
    options.site.title = 'B'
    expect(resolved.site.given).toMatchObject({ hosts: ['www.example.com'], title: 'A' })
    expect(resolved.encodings).toEqual(['gzip'])
    expect(resolved.feed.sections).toEqual(new Set(['posts']))
    expect(resolved.providers[1]).toMatchObject({
      formats: new Set(['xml', 'feed']),
      defaults: { keywords: ['a'] },
    })
  })

  it('gets back a result frozen to its depth, down to what is his', () => {
    const options = everything()
    const resolved = resolveOptions(options)
    const his = new Set<unknown>([options.log, options.transform, options.providers.pages, options.site.data])
    let frozen = 0
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || his.has(value)) return
      expect(Object.isFrozen(value)).toBe(true)
      frozen += 1
      for (const key of Object.keys(value)) walk(Reflect.get(value, key))
    }
    walk(resolved)
    expect(frozen).toBeGreaterThan(12)
    for (const set of [resolved.feed.sections, resolved.providers[0]?.formats] as unknown as Set<string>[]) {
      expect(() => set.add('x')).toThrow(TypeError)
      expect(() => set.delete('xml')).toThrow(TypeError)
      expect(() => set.clear()).toThrow(TypeError)
    }
  })
})

describe('types', () => {
  it('take what is served and refuse what is not', () => {
    const options = defineSitemap({
      site,
      providers: {
        pages: ['/', { loc: '/contact', title: 'Contact' }],
        async *posts({ signal }) {
          if (!signal.aborted) yield '/a'
        },
        goods: { entries: () => [], ttl: '1h', formats: ['xml'] },
      },
      cache: { ttl: 60 },
    })
    expectTypeOf(options).toExtend<SitemapOptions>()
    expect(resolveOptions(options).providers).toHaveLength(3)

    const partitioned: PartitionedProvider = { partitions: () => [], entries: () => [] }
    const refused: SitemapOptions[] = [
      // @ts-expect-error partitions are read by a later release
      { site, providers: { a: partitioned } },
      // @ts-expect-error a later release knows the format
      { site, providers: { a: { entries: [], formats: ['news'] } } },
      // @ts-expect-error a later release serves several
      { site, providers: {}, sites: [] },
      // @ts-expect-error a later release has stores
      { site, providers: {}, cache: { store: {} } },
      // @ts-expect-error a later release serves it
      { site, providers: {}, routes: { atom: '/feed.atom' } },
      // @ts-expect-error a later release reads partitions ahead
      { site, providers: {}, warmUp: 'all' },
      // @ts-expect-error a slip
      { site, providers: {}, exlude: '/a' },
      { site, providers: {}, routes: { atom: false } },
    ]
    expect(refused).toHaveLength(8)
  })
})
