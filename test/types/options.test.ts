import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { SitemapError, type SitemapOptions } from '../../plugins/fastify.ts'
import { resolveOptions } from '../../src/index.ts'

const site = { url: 'https://www.example.com' } as const
const providers = { pages: ['/'] }
const started = (async function* () {
  yield '/'
})()

describe('wrong options neither compile nor register', () => {
  // Each row holds one fault: `npm run typecheck` fails where the compiler takes it.
  const rows: { name: string; options: SitemapOptions }[] = [
    // @ts-expect-error
    { name: 'a misspelt option', options: { site, providers, trailingslash: 'never' } },
    // @ts-expect-error
    { name: 'an option of another package', options: { hostname: 'https://www.example.com', providers } },
    // @ts-expect-error
    { name: 'no site', options: { providers } },
    // @ts-expect-error
    { name: 'a site that is text', options: { site: 'https://www.example.com', providers } },
    // @ts-expect-error
    { name: 'a site without url', options: { site: { title: 'Example' }, providers } },
    // @ts-expect-error
    { name: 'a misspelt field of the site', options: { site: { ...site, lang: 'en' }, providers } },
    // @ts-expect-error
    { name: 'several sites', options: { sites: [site], providers } },
    // @ts-expect-error
    { name: 'no providers', options: { site } },
    // @ts-expect-error
    { name: 'a list as providers', options: { site, providers: ['/', '/about'] } },
    // @ts-expect-error
    { name: 'a URL as provider', options: { site, providers: { pages: '/' } } },
    // @ts-expect-error
    { name: 'a started generator as provider', options: { site, providers: { pages: started } } },
    // @ts-expect-error
    { name: 'a started generator as entries', options: { site, providers: { a: { entries: started } } } },
    // @ts-expect-error
    { name: 'a stream as provider', options: { site, providers: { pages: Readable.from(['/']) } } },
    // @ts-expect-error
    { name: 'a promise as provider', options: { site, providers: { pages: Promise.resolve(['/']) } } },
    // @ts-expect-error
    { name: 'a Set as provider', options: { site, providers: { pages: new Set(['/']) } } },
    // @ts-expect-error
    { name: 'a provider without entries', options: { site, providers: { pages: { ttl: '1h' } } } },
    // @ts-expect-error
    { name: 'a misspelt setting of one', options: { site, providers: { a: { entries: [], tll: 5 } } } },
    // @ts-expect-error
    { name: 'an unknown format', options: { site, providers: { a: { entries: [], formats: ['rss'] } } } },
    // @ts-expect-error
    { name: 'a wrong default', options: { site, providers: { a: { entries: [], defaults: { loc: '/' } } } } },
    // @ts-expect-error
    { name: 'a route that is true', options: { site, providers, routes: { sitemap: true } } },
    // @ts-expect-error
    { name: 'a route of a later release', options: { site, providers, routes: { robots: '/robots.txt' } } },
    // @ts-expect-error
    { name: 'a misspelt setting of the cache', options: { site, providers, cache: { maxAge: '10m' } } },
    // @ts-expect-error
    { name: 'a store', options: { site, providers, cache: { store: {} } } },
    // @ts-expect-error
    { name: 'an unknown content-coding', options: { site, providers, encodings: ['deflate'] } },
    // @ts-expect-error
    { name: 'a number among the patterns', options: { site, providers, exclude: [404] } },
    // @ts-expect-error
    { name: 'an unknown answer of an empty site', options: { site, providers, onEmpty: 410 } },
    // @ts-expect-error
    { name: 'a logger without all levels', options: { site, providers, log: { info() {} } } },
    // @ts-expect-error
    { name: 'text as limit', options: { site, providers, limit: '50000' } },
    // @ts-expect-error
    { name: 'null as limit', options: { site, providers, limit: null } },
  ]

  it.each(rows)('$name', ({ options }) => {
    expect(() => resolveOptions(options)).toThrow(SitemapError)
  })
})

describe('right options compile and register', () => {
  const rows: { name: string; options: SitemapOptions }[] = [
    { name: 'the least there is', options: { site, providers } },
    {
      name: 'every option',
      options: {
        site: {
          url: 'https://www.example.com/shop',
          id: 'shop',
          title: 'Example',
          description: 'News and goods',
          language: 'en',
          hosts: ['www.example.com'],
          data: { tenant: 5 },
        },
        providers: {
          pages: {
            entries: ['/shop/'],
            version: () => 5,
            ttl: 0.5,
            title: 'Pages',
            defaults: { changefreq: 'daily', priority: 0.5, robots: ['nofollow'], keywords: 'a, b' },
            formats: ['xml', 'txt', 'html', 'feed'],
            lang: 'fr-CA',
            optional: true,
            maxShrink: 1,
            timeout: '5s',
            retries: 0,
          },
        },
        routes: {
          sitemap: '/map.xml',
          index: false,
          rss: false,
          html: false,
          report: '/report.json',
          atom: false,
        },
        limit: 1_000,
        maxBytes: '10mb',
        trailingSlash: 'always',
        scope: 'path',
        onInvalid: 'fail',
        onEmpty: 404,
        exclude: ['/shop/drafts/*', /\/page\/\d+$/],
        transform: (entry, { section, site }) =>
          section === 'pages' && site.id === 'shop' ? entry : Math.random() > 1 ? undefined : null,
        maxShrink: 0.1,
        cache: { ttl: '1h', staleWhileRevalidate: '5m', wait: 0, memory: 1_000_000, dir: '/tmp/sitemap' },
        cacheControl: 'public, max-age=60',
        xRobotsTag: false,
        encodings: ['gzip'],
        deadline: 5,
        timeout: '20s',
        walkTimeout: '1h',
        retries: 1,
        concurrency: 1,
        warmUp: false,
        feed: { limit: 20, sections: ['pages'], mediaType: 'application/xml' },
        html: { pageSize: 500, stylesheet: '/site.css' },
        log: console,
        name: 'shopSitemap',
        prefix: '/shop',
        publicPath: '/shop',
      },
    },
    { name: 'codings left to the host', options: { site, providers, encodings: false } },
    { name: 'one pattern', options: { site, providers, exclude: '/drafts/*' } },
    {
      name: 'a frozen record',
      options: Object.freeze({ site, providers: Object.freeze(providers) } as const),
    },
  ]

  it.each(rows)('$name', ({ options }) => {
    expect(() => resolveOptions(options)).not.toThrow()
  })
})
