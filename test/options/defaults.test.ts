import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../src/options.ts'
import { resolve, site } from './resolving.ts'

const zstdHere = typeof (zlib as { createZstdCompress?: unknown }).createZstdCompress === 'function'

describe('defaults', () => {
  it('are those of the design, all of them', () => {
    const entries = async function* () {}
    expect(resolveOptions({ site, providers: { pages: ['/'], blogPosts: entries } })).toEqual({
      sites: undefined,
      timeoutMs: 30_000,
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
          formats: new Set(['xml', 'txt', 'html', 'feed', 'news']),
          lang: undefined,
          adjacentGroups: false,
          partitioned: undefined,
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
          formats: new Set(['xml', 'txt', 'html', 'feed', 'news']),
          lang: undefined,
          adjacentGroups: false,
          partitioned: undefined,
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
        atom: false,
        json: false,
        news: false,
        robots: false,
        llms: false,
        css: false,
        profile: '/robots-profile',
        report: false,
      },
      limit: 50_000,
      maxBytes: 52_428_800,
      trailingSlash: 'preserve',
      scope: 'host',
      onInvalid: 'skip',
      onEmpty: 'urlset',
      exclude: undefined,
      excluded: [],
      transform: undefined,
      cache: {
        ttlMs: 600_000,
        staleWhileRevalidateMs: 600_000,
        waitMs: 1_000,
        memory: 67_108_864,
        dir: undefined,
        store: undefined,
        namespace: 'https://www.example.com',
        version: undefined,
      },
      cacheControl: 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800',
      xRobotsTag: 'noindex',
      encodings: zstdHere ? ['br', 'gzip', 'zstd'] : ['br', 'gzip'],
      weakEtags: false,
      deadlineMs: 10_000,
      walkTimeoutMs: 1_800_000,
      concurrency: 2,
      warmUp: true,
      feed: {
        limit: 50,
        sections: undefined,
        mediaType: 'application/rss+xml',
        content: undefined,
        settings: {
          image: undefined,
          ttlMinutes: undefined,
          hubs: [],
          copyright: undefined,
          author: undefined,
          managingEditor: undefined,
          webMaster: undefined,
          categories: [],
        },
      },
      html: {
        pageSize: 1_000,
        stylesheet: undefined,
        head: undefined,
        template: undefined,
        strings: {},
        profileUri: undefined,
      },
      news: { name: 'www.example.com', language: 'en' },
      i18n: { locales: [], defaultLocale: undefined, xDefault: undefined, maxGrouped: 250_000 },
      robots: { groups: [{ userAgent: ['*'], allow: [], disallow: [] }], sitemaps: [] },
      llms: { details: undefined, sections: undefined, optional: new Set(), limit: 1_000 },
      namespaces: [],
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
      'html',
      'news',
      'i18n',
      'robots',
      'llms',
      'namespaces',
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
      html: { stylesheet: false, head: '' },
      prefix: '',
    })
    expect(resolved).toMatchObject({
      deadlineMs: 0,
      warmUp: false,
      xRobotsTag: false,
      cache: { ttlMs: 0, staleWhileRevalidateMs: 0, waitMs: 0 },
      html: { stylesheet: false, head: '' },
      providers: [{ retries: 0, maxShrink: 0, ttlMs: 0 }],
    })
  })
})
