import Fastify from 'fastify'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as express from '../../plugins/express.ts'
import sitemapPlugin, {
  type Duration,
  defineSitemap,
  type Entry,
  SitemapError,
  type SitemapHandle,
  type SitemapOptions,
  type Size,
} from '../../plugins/fastify.ts'
import * as fetched from '../../plugins/fetch.ts'
import { parseDuration, parseSize } from '../../src/durations.ts'

const site = { url: 'https://www.example.com' } as const
const sites = [{ url: 'https://a.example' }, { url: 'https://b.example' }] as const
const providers = { pages: ['/'] }
const open = (async function* () {
  yield '/'
})()
const text: string = '10m'

// The three ways in, side by side: each infers in its own way what it is given.
const web = express.sitemap
const edge = fetched.sitemap
const app = () => Fastify()

interface Row {
  readonly name: string
  readonly make: () => unknown
}

describe('a wrong configuration neither compiles nor starts', () => {
  // Each row holds one fault: `npm run typecheck` fails where the compiler takes it.
  const rows: readonly Row[] = [
    // @ts-expect-error
    { name: 'no options, Express', make: () => web() },
    // @ts-expect-error
    { name: 'no options, fetch', make: () => edge() },
    // @ts-expect-error
    { name: 'no options, Fastify', make: () => app().register(sitemapPlugin) },
    // @ts-expect-error
    { name: 'no site, Express', make: () => web({ providers }) },
    // @ts-expect-error
    { name: 'no site, fetch', make: () => edge({ providers }) },
    // @ts-expect-error
    { name: 'no site, Fastify', make: () => app().register(sitemapPlugin, { providers }) },
    // @ts-expect-error
    { name: 'site and sites, Express', make: () => web({ site, sites, providers }) },
    // @ts-expect-error
    { name: 'site and sites, fetch', make: () => edge({ site, sites, providers }) },
    {
      name: 'site and sites, Fastify',
      // @ts-expect-error
      make: () => app().register(sitemapPlugin, { site, sites, providers }),
    },
    // @ts-expect-error
    { name: 'hostHeader with one site, Express', make: () => web({ site, providers, hostHeader: 'x-host' }) },
    // @ts-expect-error
    { name: 'hostHeader with one site, fetch', make: () => edge({ site, providers, hostHeader: 'x-host' }) },
    {
      name: 'hostHeader with one site, Fastify',
      // @ts-expect-error
      make: () => app().register(sitemapPlugin, { site, providers, hostHeader: 'x-host' }),
    },
    // @ts-expect-error
    { name: 'a misspelt option, Express', make: () => web({ site, providers, exlude: '/a' }) },
    // @ts-expect-error
    { name: 'a misspelt option, fetch', make: () => edge({ site, providers, exlude: '/a' }) },
    {
      name: 'a misspelt option, Fastify',
      // @ts-expect-error
      make: () => app().register(sitemapPlugin, { site, providers, exlude: '/a' }),
    },
    {
      name: 'a misspelt nested option, Express',
      // @ts-expect-error
      make: () => web({ site, providers, cache: { tll: '10m' } }),
    },
    // @ts-expect-error
    { name: 'a misspelt nested option, fetch', make: () => edge({ site, providers, feed: { limits: 5 } }) },
    {
      name: 'a misspelt nested option, Fastify',
      // @ts-expect-error
      make: () => app().register(sitemapPlugin, { site, providers, html: { pagesize: 5 } }),
    },
    {
      name: 'minutes as a word, Express',
      // @ts-expect-error
      make: () => web({ site, providers, cache: { ttl: '10 minutes' } }),
    },
    // @ts-expect-error
    { name: 'minutes as a word, fetch', make: () => edge({ site, providers, timeout: '10 minutes' }) },
    {
      name: 'minutes as a word, Fastify',
      // @ts-expect-error
      make: () => app().register(sitemapPlugin, { site, providers, deadline: '10 minutes' }),
    },
    // @ts-expect-error
    { name: 'a started generator, Express', make: () => web({ site, providers: { open } }) },
    // @ts-expect-error
    { name: 'a started generator, fetch', make: () => edge({ site, providers: { open } }) },
    {
      name: 'a started generator, Fastify',
      // @ts-expect-error
      make: () => app().register(sitemapPlugin, { site, providers: { open } }),
    },
    {
      name: 'a started generator as entries',
      // @ts-expect-error
      make: () => web({ site, providers: { a: { entries: open } } }),
    },
    // @ts-expect-error
    { name: 'a duration without unit', make: () => web({ site, providers, walkTimeout: '30' }) },
    // @ts-expect-error
    { name: 'a unit that is none', make: () => edge({ site, providers: { a: { entries: [], ttl: '1w' } } }) },
    // @ts-expect-error
    { name: 'a duration in words', make: () => web({ site, providers, feed: { ttl: 'an hour' } }) },
    // @ts-expect-error
    { name: 'megabytes as m', make: () => web({ site, providers, cache: { memory: '64m' } }) },
    // @ts-expect-error
    { name: 'megabytes as a word', make: () => edge({ site, providers, maxBytes: '10 megabytes' }) },
    // @ts-expect-error
    { name: 'a size without unit', make: () => web({ site, providers, maxBytes: '10485760' }) },
    // @ts-expect-error
    { name: 'an unknown route', make: () => web({ site, providers, routes: { feed: '/feed.xml' } }) },
    // @ts-expect-error
    { name: 'a route that is true', make: () => edge({ site, providers, routes: { report: true } }) },
    {
      name: 'an unknown format',
      // @ts-expect-error
      make: () => web({ site, providers: { a: { entries: [], formats: ['json'] } } }),
    },
    {
      name: 'one format as text',
      // @ts-expect-error
      make: () => edge({ site, providers: { a: { entries: [], formats: 'xml' } } }),
    },
    {
      name: 'an unknown changefreq among the defaults',
      // @ts-expect-error
      make: () => web({ site, providers: { a: { entries: [], defaults: { changefreq: 'dayly' } } } }),
    },
    // @ts-expect-error
    { name: 'a warm-up in words', make: () => web({ site, providers, warmUp: 'yes' }) },
    // @ts-expect-error
    { name: 'a number of retries as text', make: () => edge({ site, providers, retries: '2' }) },
    // @ts-expect-error
    { name: 'a trailing slash that is true', make: () => web({ site, providers, trailingSlash: true }) },
    // @ts-expect-error
    { name: 'a status as text', make: () => edge({ site, providers, onEmpty: '404' }) },
    // @ts-expect-error
    { name: 'one content-coding as text', make: () => web({ site, providers, encodings: 'gzip' }) },
    // @ts-expect-error
    { name: 'hosts as sites', make: () => edge({ sites: ['a.example', 'b.example'], providers }) },
    // @ts-expect-error
    { name: 'a site of several without url', make: () => web({ sites: [{ id: 'a' }], providers }) },
    // @ts-expect-error
    { name: 'one text as locales', make: () => edge({ site, providers, i18n: { locales: 'en' } }) },
    {
      name: 'an option of express-sitemap-xml under our name',
      // @ts-expect-error
      make: () => express.fromExpressSitemapXml(() => ['/'], 'https://www.example.com', { ttl: '1d' }),
    },
    {
      name: 'maxAge of express-sitemap-xml as text',
      // @ts-expect-error
      make: () => express.fromExpressSitemapXml(() => ['/'], 'https://www.example.com', { maxAge: '1d' }),
    },
  ]

  it.each(rows)('$name', async ({ make }) => {
    await expect(async () => await make()).rejects.toThrow(SitemapError)
  })
})

describe('what a provider yields wrong does not compile', () => {
  // A walk leaves these out and reports them, so that nothing is thrown at the start.
  it('in a generator, on each host', () => {
    const uncalled = [
      // @ts-expect-error
      () => web({ site, providers: { posts: foreign } }),
      // @ts-expect-error
      () => edge({ site, providers: { posts: foreign } }),
      // @ts-expect-error
      () => app().register(sitemapPlugin, { site, providers: { posts: foreign } }),
      // @ts-expect-error
      () => web({ site, providers: { posts: { entries: foreign, ttl: '1h' } } }),
      () =>
        web({
          site,
          providers: {
            // @ts-expect-error
            posts: async function* ({ signal }) {
              if (!signal.aborted) yield { loc: '/', lastMod: '2024-05-01' }
            },
          },
        }),
      () =>
        edge({
          site,
          providers: {
            // @ts-expect-error
            *posts() {
              yield { loc: '/', changeFreq: 'daily' }
            },
          },
        }),
      () =>
        web({
          site,
          providers: {
            // @ts-expect-error
            *posts() {
              yield { loc: '/', images: [{ url: '/cover.jpg' }] }
            },
          },
        }),
    ]
    expectTypeOf(uncalled).items.toBeFunction()

    function* foreign() {
      yield { loc: '/', lastModified: new Date() }
    }
  })

  it('in a list', () => {
    const uncalled = [
      // @ts-expect-error
      () => web({ site, providers: { pages: [{ loc: '/', changefreq: 'dayly' }] } }),
      // @ts-expect-error
      () => edge({ site, providers: { pages: [{ loc: '/', images: [{ url: '/cover.jpg' }] }] } }),
      // @ts-expect-error
      () => web({ site, providers: { pages: [{ loc: '/', lastMod: '2024-05-01' }] } }),
      // @ts-expect-error
      () => edge({ site, providers: { pages: [{ title: 'About' }] } }),
      // @ts-expect-error
      () => web({ site, providers: { pages: [404] } }),
      // @ts-expect-error
      () => edge({ site, providers: { pages: [{ loc: '/', priority: true }] } }),
      // @ts-expect-error
      () => web({ site, providers: { pages: [{ loc: '/', lastmd: '2024-05-01' }] } }),
    ]
    expectTypeOf(uncalled).items.toBeFunction()
  })

  it('while text as priority does: databases give decimals as text', () => {
    expectTypeOf({ loc: '/', priority: '0.8' }).toExtend<Entry>()
    expectTypeOf({ loc: '/', priority: 'high' }).toExtend<Entry>()
  })
})

describe('a look-up of sites', () => {
  it('gives a site or null', () => {
    const uncalled = [
      // @ts-expect-error
      () => web({ sites: async (host) => `https://${host}`, providers }),
      // @ts-expect-error
      () => edge({ sites: () => undefined, providers }),
      // @ts-expect-error
      () => app().register(sitemapPlugin, { sites: async () => ({ id: 'a' }), providers }),
      () => web({ sites: async (host, { signal }) => (signal.aborted ? null : { url: host }), providers }),
      () => edge({ sites, hostHeader: 'x-forwarded-host', providers }),
    ]
    expectTypeOf(uncalled).items.toBeFunction()
  })
})

describe('the handle', () => {
  it('is the same on every host', () => {
    expectTypeOf<ReturnType<typeof web>>().toExtend<SitemapHandle>()
    expectTypeOf<ReturnType<typeof edge>>().toExtend<SitemapHandle>()
    expectTypeOf<ReturnType<typeof express.fromExpressSitemapXml>>().toExtend<SitemapHandle>()
    expectTypeOf<ReturnType<typeof app>['sitemap']>().toEqualTypeOf<SitemapHandle>()
    expectTypeOf(express.default).toEqualTypeOf(web)
    expectTypeOf(fetched.default).toEqualTypeOf(edge)
  })

  it('refuses what its calls do not take', () => {
    const uncalled = (handle: SitemapHandle) => [
      // @ts-expect-error
      () => handle.invalidate(5),
      // @ts-expect-error
      () => handle.invalidate(['posts']),
      // @ts-expect-error
      () => handle.invalidate('posts', { delay: '5 seconds' }),
      // @ts-expect-error
      () => handle.invalidate('posts', { force: true }),
      // @ts-expect-error
      () => handle.refresh('posts', { delay: '5s' }),
      // @ts-expect-error
      () => handle.ready({ timeout: 'soon' }),
      // @ts-expect-error
      () => handle.report('posts'),
      // @ts-expect-error
      () => handle.forget(),
    ]
    expectTypeOf(uncalled).returns.items.toBeFunction()
  })

  it('of Express and fetch knows its sections by the keys of the providers', () => {
    type Section = 'pages' | 'posts'
    const two = { pages: ['/'], posts: () => ['/a'] }
    const make = {
      web: () => web({ site, providers: two }),
      edge: () => edge({ site, providers: two }),
      several: () => edge({ sites, providers: two }),
      defined: () => web(defineSitemap({ site, providers: two })),
      frozen: () => edge(Object.freeze({ site, providers: Object.freeze(two) } as const)),
      inPlace: () =>
        web({
          site,
          providers: {
            pages: ['/'],
            async *posts({ signal }) {
              expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
              yield '/a'
            },
          },
        }),
      typedBefore: (options: SitemapOptions) => web(options),
    }
    expectTypeOf(make.web).returns.toEqualTypeOf<express.SitemapMiddleware<Section>>()
    expectTypeOf(make.edge).returns.toEqualTypeOf<fetched.FetchSitemap<Section>>()
    expectTypeOf(make.several).returns.toEqualTypeOf<fetched.FetchSitemap<Section>>()
    expectTypeOf(make.defined).returns.toEqualTypeOf<express.SitemapMiddleware<Section>>()
    expectTypeOf(make.frozen).returns.toEqualTypeOf<fetched.FetchSitemap<Section>>()
    expectTypeOf(make.inPlace).returns.toEqualTypeOf<express.SitemapMiddleware<Section>>()
    expectTypeOf(make.typedBefore).returns.toEqualTypeOf<express.SitemapMiddleware>()
    expectTypeOf(make.web).returns.toExtend<SitemapHandle>()

    const uncalled = [
      // @ts-expect-error
      () => make.web().invalidate('pots'),
      // @ts-expect-error
      () => make.edge().refresh('page', { force: true }),
      // @ts-expect-error
      () => make.several().invalidate('pots', { site: 'a' }),
      () => make.web().invalidate('posts', { delay: '5s' }),
      () => make.edge().refresh(undefined, { force: true }),
      () => make.several().invalidate(),
      (options: SitemapOptions) => make.typedBefore(options).invalidate('anything'),
    ]
    expectTypeOf(uncalled).items.toBeFunction()
  })

  it('of fetch takes a request, not its URL', () => {
    type Fetched = ReturnType<typeof edge>
    expectTypeOf<Fetched['fetch']>().toBeCallableWith(new Request('https://www.example.com/sitemap.xml'))
    expectTypeOf<Fetched['fetch']>().returns.resolves.toEqualTypeOf<Response | undefined>()
    const uncalled = (sm: Fetched, request: Request) => [
      // @ts-expect-error
      () => sm.fetch('https://www.example.com/sitemap.xml'),
      // @ts-expect-error
      () => sm.fetch(request, { waitUntil: true }),
    ]
    expectTypeOf(uncalled).returns.items.toBeFunction()
  })
})

describe('durations and sizes', () => {
  it('are text with a unit, or a number', () => {
    const durations: readonly Duration[] = ['10m', '1.5h', '250ms', '0s', '7d', '10 m', 600, 0.05]
    for (const one of durations) expect(parseDuration(one), String(one)).toBeDefined()
    const sizes: readonly Size[] = ['64mb', '64MB', '1.5gb', '512 kb', '100b', 67_108_864]
    for (const one of sizes) expect(parseSize(one), String(one)).toBeDefined()
  })

  it('are refused by the compiler where the options refuse them', () => {
    const durations: readonly Duration[] = [
      // @ts-expect-error
      '10 minutes',
      // @ts-expect-error
      '10min',
      // @ts-expect-error
      '10',
      // @ts-expect-error
      'm',
      // @ts-expect-error
      '1h30m',
      // @ts-expect-error
      '10M',
      // @ts-expect-error
      '',
    ]
    for (const one of durations) expect(parseDuration(one), String(one)).toBeUndefined()
    const sizes: readonly Size[] = [
      // @ts-expect-error
      '64',
      // @ts-expect-error
      '64m',
      // @ts-expect-error
      '64 megabytes',
      // @ts-expect-error
      '64mib',
      // @ts-expect-error
      'mb',
    ]
    for (const one of sizes) expect(parseSize(one), String(one)).toBeUndefined()
  })

  it('need a cast where only the running program knows them', () => {
    const uncalled = [
      // @ts-expect-error
      () => web({ site, providers, cache: { ttl: text } }),
      // @ts-expect-error
      () => edge({ site, providers, cache: { memory: text } }),
      () => web({ site, providers, cache: { ttl: text as Duration, memory: text as Size } }),
      (minutes: number) => edge({ site, providers, cache: { ttl: `${minutes}m` } }),
    ]
    expectTypeOf(uncalled).items.toBeFunction()
  })
})

describe('options that are right', () => {
  it('are taken by every host, written in place or typed before', async () => {
    const typed: SitemapOptions = { site, providers: { pages: ['/'], posts: () => ['/a'] }, warmUp: false }
    for (const make of [web, edge]) await make(typed).close()
    const server = app()
    await server.register(sitemapPlugin, typed)
    await server.close()

    const middleware = web({
      site,
      providers: {
        pages: ['/', { loc: '/about', priority: '0.5' }],
        async *posts({ signal, site: { url } }) {
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
          if (url !== '') yield { loc: '/a', lastmod: null, images: [undefined, { loc: '/a.jpg' }] }
        },
        goods: { entries: async () => new Set(['/g']), ttl: '1h', formats: ['xml'], version: () => 5 },
      },
      transform: (entry, { section }) => (section === 'pages' ? entry : null),
      cache: { ttl: '10m', memory: '64mb' },
    })
    await middleware.close()
  })
})
