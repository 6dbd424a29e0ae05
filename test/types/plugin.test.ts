import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import sitemapPlugin, {
  defineProvider,
  defineSitemap,
  type ProviderContext,
  path,
  SitemapError,
  type SitemapHandle,
  type SitemapOptions,
  type SitemapReport,
} from '../../plugins/fastify.ts'
import { resolveOptions } from '../../src/index.ts'

const site = {
  url: 'https://www.example.com',
  title: 'Example',
  description: 'News and goods',
  language: 'en',
}

interface Post {
  readonly slug: string
  readonly updatedAt: Date
  readonly title: string
  readonly publishedAt: string | null
  readonly cover?: string
}

const cms = {
  async *posts({ signal }: { signal: AbortSignal }): AsyncGenerator<Post> {
    signal.throwIfAborted()
    yield {
      slug: 'a b',
      updatedAt: new Date('2024-05-01T00:00:00Z'),
      title: 'One',
      publishedAt: '2024-04-30',
    }
  },
}

let app: FastifyInstance = Fastify()
afterEach(async () => {
  await app.close()
  app = Fastify()
})

async function locs(): Promise<string[]> {
  const { statusCode, body } = await app.inject({
    url: '/sitemap.xml',
    headers: { 'accept-encoding': 'identity' },
  })
  expect(statusCode).toBe(200)
  return [...body.matchAll(/<loc>https:\/\/www\.example\.com(.*?)<\/loc>/g)].map(([, loc]) => loc ?? '')
}

describe('app.register', () => {
  it('takes the example of the design', async () => {
    await app.register(sitemapPlugin, {
      site,
      providers: {
        pages: ['/', '/about', { loc: '/contact', title: 'Contact' }],
        posts: async function* ({ signal }) {
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
          for await (const p of cms.posts({ signal }))
            yield {
              loc: path`/blog/${p.slug}`,
              lastmod: p.updatedAt,
              title: p.title,
              published: p.publishedAt,
              images: [p.cover],
            }
        },
      },
    })
    expect(await locs()).toEqual(['/', '/about', '/contact', '/blog/a%20b'])
    await app.sitemap.invalidate('posts')
  })

  it('takes a generator that yields rows of different shapes', async () => {
    await app.register(sitemapPlugin, {
      site,
      providers: {
        mixed: async function* () {
          yield '/text'
          yield new URL('https://www.example.com/url')
          yield { loc: '/plain' }
          yield { url: '/alias', lastmod: null, title: undefined }
          yield {
            loc: new URL('https://www.example.com/rich'),
            changefreq: 'daily',
            images: [{ loc: '/a.jpg' }],
          }
          yield { loc: '/languages', alternates: { en: '/languages', fr: '/fr' } }
          yield null
          yield undefined
        },
      },
    })
    expect(await locs()).toEqual(['/text', '/url', '/plain', '/alias', '/rich', '/languages'])
  })

  it('takes frozen lists written as const', async () => {
    const pages = Object.freeze(['/', { loc: '/about', changefreq: 'weekly', priority: 0.5 }] as const)
    const options = Object.freeze({ site, providers: { pages, more: { entries: pages } } } as const)
    await app.register(sitemapPlugin, options)
    expect(await locs()).toEqual(['/', '/about'])
  })

  it('takes functions that return a list, a promise, a Set, a map or a Readable', async () => {
    await app.register(sitemapPlugin, {
      site,
      providers: {
        list: () => ['/list'],
        promise: async ({ site: { url } }) => [{ loc: `${url}/promise` }],
        set: () => new Set(['/set']),
        values: () => new Map([[1, { loc: '/values' }]]).values(),
        stream: () => Readable.from(['/stream']),
        later: async () => Readable.from([{ loc: '/later' }]),
        object: {
          entries: async function* () {
            yield '/object'
          },
          ttl: '1h',
        },
      },
    })
    expect(await locs()).toEqual(['/list', '/promise', '/set', '/values', '/stream', '/later', '/object'])
  })

  it('takes what Fastify passes beside', async () => {
    await app.register(sitemapPlugin, {
      site,
      providers: { pages: ['/'] },
      logLevel: 'warn',
      prefix: '/shop',
    })
    expect((await app.inject('/shop/sitemap.xml')).statusCode).toBe(200)
  })

  it('neither compiles nor registers with any of these', async () => {
    const open = Readable.from(['/'])
    const wrong = [
      // @ts-expect-error: without options
      () => app.register(sitemapPlugin),
      // @ts-expect-error: without providers
      () => app.register(sitemapPlugin, { site }),
      // @ts-expect-error: a misspelt option
      () => app.register(sitemapPlugin, { site, providers: { pages: ['/'] }, exlude: '/a' }),
      // @ts-expect-error: a stream that is open already
      () => app.register(sitemapPlugin, { site, providers: { open } }),
    ]
    for (const register of wrong) {
      await expect(async () => await register()).rejects.toThrow(SitemapError)
      app = Fastify()
    }
  })

  it('does not compile with rows that have no loc', () => {
    const posts = (ctx: ProviderContext) => cms.posts(ctx)
    // @ts-expect-error
    const register = () => app.register(sitemapPlugin, { site, providers: { posts } })
    expectTypeOf(register).toBeFunction()
  })
})

describe('the handle', () => {
  it('is typed on the app', () => {
    expectTypeOf(app.sitemap).toEqualTypeOf<SitemapHandle>()
    expectTypeOf<SitemapHandle['report']>().returns.toEqualTypeOf<SitemapReport>()
    expectTypeOf<SitemapHandle['invalidate']>().toBeCallableWith('posts', { delay: '5s' })
    expectTypeOf<SitemapHandle['refresh']>().toBeCallableWith(undefined, { force: true })
    expectTypeOf<SitemapHandle['ready']>().returns.resolves.toBeBoolean()
    expectTypeOf<SitemapHandle['links']>().returns.toBeString()
  })

  it('refuses a section that is no text', () => {
    // @ts-expect-error
    expectTypeOf<SitemapHandle['invalidate']>().toBeCallableWith(5)
    // @ts-expect-error
    expectTypeOf<SitemapHandle['invalidate']>().toBeCallableWith('posts', { force: true })
  })
})

describe('the helpers', () => {
  it('defineSitemap keeps what it is given', () => {
    const options = defineSitemap({
      site,
      providers: {
        pages: ['/'],
        posts: async function* ({ signal }) {
          for await (const { slug } of cms.posts({ signal })) yield path`/blog/${slug}`
        },
      },
    })
    expectTypeOf(options).toExtend<SitemapOptions>()
    expectTypeOf(options.providers).toHaveProperty('posts')
  })

  it('defineSitemap refuses a misspelt option', () => {
    // @ts-expect-error
    const options = defineSitemap({ site, providers: { pages: ['/'] }, exlude: '/a' })
    expectTypeOf(options).toExtend<SitemapOptions>()
  })

  it('defineSitemap takes options that are typed already', () => {
    const options: SitemapOptions = { site, providers: { pages: ['/'] } }
    expectTypeOf(defineSitemap(options)).toExtend<SitemapOptions>()
  })

  it('defineProvider takes every kind, and what it gives is a provider', () => {
    const kinds: SitemapOptions['providers'] = {
      list: defineProvider(['/']),
      shapes: defineProvider(['/', { loc: '/about', changefreq: 'daily' }]),
      call: defineProvider(() => ['/']),
      promise: defineProvider(async () => [{ loc: '/' }]),
      object: defineProvider({ entries: ['/'], ttl: '1h', formats: ['xml', 'txt'] }),
    }
    expect(() => resolveOptions({ site, providers: kinds })).not.toThrow()
  })

  it('defineProvider types the context of its entries', () => {
    const provider = defineProvider({
      entries: async function* ({ signal, site: { url } }) {
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        expectTypeOf(url).toBeString()
        yield '/'
      },
      version: ({ log }) => log.info({}, 'asked'),
    })
    expectTypeOf(provider.entries).parameter(0).toEqualTypeOf<ProviderContext>()
    defineProvider(async function* ({ signal }) {
      for await (const { slug } of cms.posts({ signal })) yield path`/blog/${slug}`
    })
  })

  it('defineProvider refuses what is no provider', () => {
    // @ts-expect-error
    defineProvider(5)
    // @ts-expect-error
    defineProvider({ ttl: '1h' })
    // @ts-expect-error
    defineProvider({ entries: ['/'], tll: '1h' })
    // @ts-expect-error
    defineProvider(cms.posts({ signal: new AbortController().signal }))
    // @ts-expect-error
    defineProvider({ entries: () => [{ loc: '/', lastMod: '2024-05-01' }] })
  })

  it('path gives text', () => {
    expectTypeOf(path`/blog/${'a b'}`).toBeString()
    expectTypeOf<ProviderContext['signal']>().toEqualTypeOf<AbortSignal>()
  })
})
