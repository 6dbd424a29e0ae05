import { Readable } from 'node:stream'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  defineSitemap,
  type PartitionedProvider,
  SitemapError,
  type SitemapOptions,
} from '../../plugins/fastify.ts'
import { resolveOptions } from '../../src/index.ts'

const site = { url: 'https://www.example.com' } as const
const providers = { pages: ['/'] }
const started = (async function* () {
  yield '/'
})()

const ONE = { one: '{n} entry' }
const FEW = { other: 7 }

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
    { name: 'both site and sites', options: { site, sites: [site], providers } },
    // @ts-expect-error
    { name: 'hostHeader with one site', options: { site, hostHeader: 'x-forwarded-host', providers } },
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
    { name: 'a misspelt route', options: { site, providers, routes: { robotsTxt: '/robots.txt' } } },
    // @ts-expect-error
    { name: 'text as width', options: { site, providers, feed: { image: { url: '/a', width: '8' } } } },
    // @ts-expect-error
    { name: 'an image without url', options: { site, providers, feed: { image: { width: 88 } } } },
    // @ts-expect-error
    { name: 'HTML as content', options: { site, providers, feed: { content: '<p>' } } },
    // @ts-expect-error
    { name: 'an unknown word', options: { site, providers, html: { strings: { fr: { title: 'Plan' } } } } },
    // @ts-expect-error
    { name: 'no other count', options: { site, providers, html: { strings: { fr: { entries: ONE } } } } },
    // @ts-expect-error
    { name: 'a count as number', options: { site, providers, html: { strings: { fr: { entries: FEW } } } } },
    // @ts-expect-error
    { name: 'HTML as template', options: { site, providers, html: { template: '<html>' } } },
    // @ts-expect-error
    { name: 'a misspelt setting of the news', options: { site, providers, news: { title: 'Example' } } },
    // @ts-expect-error
    { name: 'one text as locales', options: { site, providers, i18n: { locales: 'en' } } },
    // @ts-expect-error
    { name: 'text as maxGrouped', options: { site, providers, i18n: { maxGrouped: '5' } } },
    // @ts-expect-error
    { name: 'a group alone', options: { site, providers, robots: { groups: { disallow: '/' } } } },
    // @ts-expect-error
    { name: 'a misspelt rule', options: { site, providers, robots: { groups: [{ disalow: '/' }] } } },
    // @ts-expect-error
    { name: 'a RegExp as rule', options: { site, providers, robots: { groups: [{ disallow: /a/ }] } } },
    // @ts-expect-error
    { name: 'one text as sections', options: { site, providers, llms: { sections: 'pages' } } },
    // @ts-expect-error
    { name: 'a URL object as namespace', options: { site, providers, namespaces: { a: new URL('urn:a') } } },
    // @ts-expect-error
    { name: 'scattered groups', options: { site, providers: { a: { entries: [], groups: false } } } },
    // @ts-expect-error
    { name: 'partitions', options: { site, providers: { a: { entries: [], partitions: () => [] } } } },
    // @ts-expect-error
    { name: 'webhooks', options: { site, providers, webhooks: [] } },
    // @ts-expect-error
    { name: 'a header for the host', options: { site, providers, hostHeader: 'x-forwarded-host' } },
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
            formats: ['xml', 'txt', 'html', 'feed', 'news'],
            lang: 'fr-CA',
            groups: 'adjacent',
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
          atom: '/feed.atom',
          json: '/feed.json',
          news: '/sitemap-news.xml',
          robots: false,
          llms: '/llms.txt',
          css: '/sitemap.css',
          profile: '/robots-profile',
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
        feed: {
          limit: 20,
          sections: ['pages'],
          mediaType: 'application/xml',
          content: async (entry, { section, signal }) =>
            signal.aborted || section === '' ? null : `<p>${String(entry)}</p>`,
          image: { url: new URL('https://www.example.com/logo.png'), width: 88, height: 31 },
          ttl: '1h',
          hubs: ['https://hub.example/'],
          copyright: '© Example',
          author: 'Ada',
          managingEditor: 'a@example.com (Ada)',
          webMaster: 'b@example.com',
          categories: ['News'],
        },
        html: {
          pageSize: 500,
          stylesheet: '/site.css',
          head: '<meta name="theme-color" content="#fff">',
          template: ({ title, sections }) => `<!doctype html><title>${title}</title>${sections.length}`,
          strings: { en: { sitemap: 'Site map', entries: '{n}' }, pl: { entries: { one: 'a', other: 'b' } } },
          profileUri: 'https://www.example.com/xmdp/robots-profile#',
        },
        news: { name: 'The Example', language: 'en' },
        i18n: { locales: ['en', 'fr-CA'], defaultLocale: 'en', xDefault: 'en', maxGrouped: 1_000 },
        robots: {
          groups: [{ userAgent: ['a', 'b'], allow: '/', disallow: ['/admin/'] }],
          sitemaps: ['https://other.example/sitemap.xml'],
        },
        llms: { details: 'Goods.', sections: ['pages'], optional: ['pages'], limit: 100 },
        namespaces: { shop: 'https://example.com/ns/shop' },
        log: console,
        name: 'shopSitemap',
        prefix: '/shop',
        publicPath: '/shop',
      },
    },
    { name: 'robots.txt at the root', options: { site, providers, routes: { robots: '/robots.txt' } } },
    {
      name: 'texts in place of lists',
      options: {
        site,
        providers,
        feed: { image: '/logo.png', hubs: 'https://hub.example/', categories: 'News', ttl: 60 },
      },
    },
    { name: 'content without a promise', options: { site, providers, feed: { content: () => undefined } } },
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

describe('defineSitemap', () => {
  it('takes what is served, and the type refuses what is not', () => {
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
      { site, providers: { a: partitioned } },
      // @ts-expect-error no such format
      { site, providers: { a: { entries: [], formats: ['atom'] } } },
      // @ts-expect-error a later release serves several
      { site, providers: {}, sites: [] },
      // @ts-expect-error a later release has stores
      { site, providers: {}, cache: { store: {} } },
      // @ts-expect-error a route is a path
      { site, providers: {}, routes: { atom: true } },
      { site, providers: {}, warmUp: 'all' },
      // @ts-expect-error a slip
      { site, providers: {}, exlude: '/a' },
      { site, providers: {}, routes: { atom: false } },
    ]
    expect(refused).toHaveLength(8)
  })
})
