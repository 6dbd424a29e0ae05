import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import { createRequire } from 'node:module'
import net, { type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import compression from 'compression'
import type { HandleFunction } from 'connect'
import express, { type RequestHandler } from 'express'
import helmet from 'helmet'
import morgan from 'morgan'
import request from 'supertest'
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import sitemapByDefault, {
  defineSitemap,
  path,
  SitemapError,
  type SitemapHandle,
  type SitemapMiddleware,
  type SitemapOptions,
  sitemap,
} from '../../plugins/express.ts'
import { sendAnswer } from '../../plugins/node-response.ts'
import { createNodeSitemap } from '../../plugins/node-sitemap.ts'
import { runChild } from '../support/child.ts'
import { unhandledDuring } from '../support/engine.ts'
import { createManualClock, turns, until } from '../support/manual-clock.ts'
import {
  type Answer,
  type Behaviour,
  createGate,
  createLines,
  createSource,
  decoded,
  entriesOf,
  fetchRaw,
  hangs,
  hangsForEver,
  pathsOf,
  SECRET,
  SITE,
  type TestOptions,
  throws,
  untilReady,
} from '../support/site.ts'

// Its types are those of Express 5.
const express4 = createRequire(import.meta.url)('express4') as typeof express
const FRAMEWORKS = [
  { name: 'Express 4', framework: express4 },
  { name: 'Express 5', framework: express },
] as const

const MINUTE = 60_000
const silent = { info() {}, warn() {}, error() {} }
const PROVIDERS = { pages: ['/', '/about'], posts: () => entriesOf('posts', 30) }
const OPTIONS = { site: SITE, warmUp: false, providers: PROVIDERS } satisfies SitemapOptions
const CODINGS = ['identity', 'gzip', 'br'] as const

/** More than a mebibyte, which is sent block by block. */
const LARGE: readonly string[] = Array.from(
  { length: 12_000 },
  (_, i) => `/an-article-with-a-rather-long-name-of-which-there-are-many/${i}`,
)

const servers = new Set<http.Server>()
const handles = new Set<SitemapHandle>()

afterEach(async () => {
  await Promise.all([...handles].map((handle) => handle.close()))
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  handles.clear()
  servers.clear()
  vi.restoreAllMocks()
})

function make(options: Partial<TestOptions> = {}, clock = createManualClock()): SitemapMiddleware {
  const sm = createNodeSitemap({ ...OPTIONS, ...options }, clock)
  handles.add(sm)
  return sm
}

async function listen(listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener)
  servers.add(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('sitemap()', () => {
  it('is a default and a named export; what it gives is middleware and handle', () => {
    expect(sitemapByDefault).toBe(sitemap)
    const sm = sitemap(OPTIONS)
    handles.add(sm)
    // Express takes a function of four parameters for an error handler.
    expect(sm).toHaveLength(3)
    expect(Object.keys(sm).toSorted()).toEqual([
      'close',
      'forget',
      'invalidate',
      'links',
      'ready',
      'refresh',
      'report',
      'robotsTxt',
    ])
  })

  it('checks the options at once, all faults in one error', () => {
    const wrong = { site: { url: 'example' }, providers: {}, limt: 5 }
    expect(() => sitemap(wrong as never)).toThrow(SitemapError)
    for (const name of ['site.url', 'providers', 'limt'])
      expect(() => sitemap(wrong as never)).toThrow(new RegExp(name))
    expect(() => sitemap(undefined as never)).toThrow(SitemapError)
  })

  it('the handle can be used in the same tick', async () => {
    const sm = make()
    expect(sm.links()).toContain('href="https://www.example.com/sitemap.xml"')
    expect(sm.report()).toMatchObject({
      ready: false,
      sections: { pages: { state: 'never', entries: 0 }, posts: { state: 'never', parts: 0 } },
      memory: { used: 0, limit: 67_108_864 },
    })
    expect(() => sm.invalidate('nope')).toThrow(/"nope".*pages, posts/)
    expect(() => sm.refresh('nope')).toThrow(SitemapError)
    const invalidated = sm.invalidate('posts')
    expect(await sm.ready()).toBe(true)
    await invalidated
    await sm.refresh('pages')
    expect(sm.report()).toMatchObject({ ready: true, sections: { posts: { state: 'fresh', entries: 30 } } })
    expect(() => sm.invalidate('nope')).toThrow(/"nope".*pages, posts/)
    expect(await sm.robotsTxt()).toContain('Sitemap: https://www.example.com/sitemap_index.xml')
  })

  it('a failed invalidation that nobody awaits is no crash', async () => {
    const reasons = await unhandledDuring(async () => {
      const sm = make({ log: silent, retries: 0, providers: { posts: createSource(throws).entries } })
      void sm.invalidate('posts')
      await until(() => sm.report().sections.posts?.state === 'failing')
    })
    expect(reasons).toEqual([])
  })

  it('closed before it was ever used', async () => {
    const sm = make()
    await sm.close()
    await expect(sm.invalidate()).rejects.toMatchObject({ code: 'LSM_ERR_CLOSED' })
    expect(await sm.ready()).toBe(false)
  })
})

describe('types', () => {
  it('fits where Express, Connect, node:http and node:http2 take a handler', () => {
    expectTypeOf<SitemapMiddleware>().toExtend<RequestHandler>()
    expectTypeOf<SitemapMiddleware>().toExtend<HandleFunction>()
    expectTypeOf<SitemapMiddleware>().toExtend<http.RequestListener>()
    expectTypeOf<SitemapMiddleware>().toExtend<
      (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void
    >()
    expectTypeOf<SitemapMiddleware>().toExtend<SitemapHandle>()
    const sm = make()
    express().use(sm).use('/shop', sm).get('/sitemap.xml', sm)
    express.Router().use(sm)
  })

  it('takes what defineSitemap typed, and refuses what is wrong', () => {
    const options = defineSitemap({
      ...OPTIONS,
      providers: {
        posts: async function* () {
          yield path`/a/${'b c'}`
        },
      },
    })
    handles.add(sitemap(options))
    const started = (function* () {
      yield '/'
    })()
    const wrong = [
      // @ts-expect-error: without options
      () => sitemap(),
      // @ts-expect-error: without a site
      () => sitemap({ providers: PROVIDERS }),
      // @ts-expect-error: a misspelt option
      () => sitemap({ ...OPTIONS, exlude: '/a' }),
      // @ts-expect-error: both
      () => sitemap({ ...OPTIONS, sites: [] }),
      // @ts-expect-error: a generator that was started
      () => sitemap({ site: SITE, providers: { started } }),
    ]
    for (const call of wrong) expect(call).toThrow(SitemapError)
  })

  it('knows the sections of its handle', () => {
    const sm = sitemap({
      site: SITE,
      providers: {
        pages: ['/'],
        posts: async function* ({ signal }) {
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
          yield '/a'
        },
      },
    })
    handles.add(sm)
    expectTypeOf(sm).toEqualTypeOf<SitemapMiddleware<'pages' | 'posts'>>()
    expectTypeOf(sm.invalidate).toBeCallableWith('posts', { delay: '5s' })
    expectTypeOf(sm).toExtend<SitemapMiddleware>()
    // @ts-expect-error
    expect(() => sm.invalidate('post')).toThrow(SitemapError)
    // Options that are typed already name no sections.
    const options: SitemapOptions = OPTIONS
    const any = sitemap(options)
    handles.add(any)
    expectTypeOf(any).toEqualTypeOf<SitemapMiddleware>()
  })
})

describe.each(FRAMEWORKS)('$name', ({ framework }) => {
  it.each([
    { at: undefined, given: {}, below: '', named: '' },
    { at: '/shop', given: {}, below: '/shop', named: '' },
    { at: '/shop', given: { publicPath: '/shop' }, below: '/shop', named: '/shop' },
    { at: undefined, given: { prefix: '/shop' }, below: '/shop', named: '/shop' },
    { at: '/en', given: { prefix: '/shop' }, below: '/en/shop', named: '/shop' },
    { at: '/en', given: { prefix: '/shop', publicPath: '/en/shop' }, below: '/en/shop', named: '/en/shop' },
    { at: '/:lang', given: {}, below: '/de', named: '' },
  ])(
    'mounted at $at with $given: answers below "$below", names "$named"',
    async ({ at, given, below, named }) => {
      const sm = make(given)
      const app = framework()
      if (at === undefined) app.use(sm)
      else app.use(at, sm)
      app.use((_, response) => void response.status(404).send('the app itself'))
      const base = await listen(app)
      const index = await fetchRaw(`${base}${below}/sitemap_index.xml`)
      expect(pathsOf(index.text)).toEqual([`${named}/sitemap-pages-1.xml`, `${named}/sitemap-posts-1.xml`])
      for (const document of ['/sitemap-posts-1.xml', '/sitemap.xml?a=b', '/sitemap-html.css'])
        expect((await fetchRaw(base + below + document)).status, document).toBe(200)
      expect((await fetchRaw(`${base}${below}/sitemap.xml`, { method: 'DELETE' })).status).toBe(405)
      expect((await fetchRaw(`${base}${below}/elsewhere`)).text).toBe('the app itself')
      if (below !== '') expect((await fetchRaw(`${base}/sitemap.xml`)).text).toBe('the app itself')
    },
  )

  it('a proxy that names the whole URL reaches a mount too, and its host selects a site', async () => {
    const several = createNodeSitemap({
      warmUp: false,
      sites: [{ url: 'https://one.example.com' }, { url: 'https://two.example.com' }],
      providers: { pages: ['/page'] },
    })
    handles.add(several)
    const app = framework()
    app.use('/shop', make())
    app.use('/sites', several)
    const { port } = new URL(await listen(app))
    async function ask(target: string, host: string): Promise<string> {
      const socket = net.connect(Number(port), '127.0.0.1')
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      const chunks: Buffer[] = []
      for await (const chunk of socket) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    }
    const text = await ask('http://evil.example/shop/sitemap.xml', 'a')
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    expect(text).not.toContain('evil')
    expect(await ask('http://two.example.com/sites/sitemap.xml', 'one.example.com')).toContain(
      '<loc>https://two.example.com/page</loc>',
    )
  })

  it('one of two on one app hands on to the other', async () => {
    const app = framework()
    const shop = make({ prefix: '/shop', providers: { goods: ['/kettle'] } })
    app.use(make(), shop)
    const base = await listen(app)
    expect(pathsOf((await fetchRaw(`${base}/shop/sitemap.xml`)).text)).toEqual(['/kettle'])
    expect((await fetchRaw(`${base}/shop/sitemap-posts-1.xml`)).status).toBe(404)
    expect(pathsOf((await fetchRaw(`${base}/sitemap.xml`)).text)).toContain('/posts-1')
  })

  it('a single-page app, a static folder and an error handler may come after it', async () => {
    const app = framework()
    app.use(make())
    app.use(framework.static(fileURLToPath(new URL('../..', import.meta.url))))
    app.get(/.*/, (_, response) => void response.send('<!doctype html><title>the app</title>'))
    const base = await listen(app)
    await request(base).get('/sitemap.xml').expect(200).expect('content-type', /xml/)
    await request(base).get('/sitemap-posts-9.xml').expect(404).expect('cache-control', 'no-store')
    await request(base)
      .get('/sitemap.xml.html')
      .expect(200, /the app/)
    await request(base)
      .get('/package.json')
      .expect(200, /"live-sitemap"/)
  })

  it("OPTIONS is the app's", async () => {
    const app = framework()
    app.use(make())
    app.options(
      /.*/,
      (_, response) => void response.status(204).set('access-control-allow-origin', '*').send(),
    )
    await request(await listen(app))
      .options('/sitemap.xml')
      .expect(204)
      .expect('access-control-allow-origin', '*')
  })

  it.each(['weak', 'strong', false] as const)('its own setting etag %s has no say', async (etag) => {
    const app = framework()
    app.set('etag', etag)
    app.use(make())
    const base = await listen(app)
    const { headers } = await fetchRaw(`${base}/sitemap.xml`)
    expect(headers.etag).toMatch(/^"[^"]+"$/)
    for (const path of ['/sitemap-posts-9.xml'])
      expect((await fetchRaw(base + path)).headers.etag).toBeUndefined()
    expect(
      (await fetchRaw(`${base}/sitemap.xml`, { headers: { 'if-none-match': headers.etag } })).status,
    ).toBe(304)
  })

  it('trust proxy changes no URL', async () => {
    const app = framework()
    app.set('trust proxy', true)
    app.use(make())
    const base = await listen(app)
    const plain = await fetchRaw(`${base}/sitemap_index.xml`)
    const answer = await fetchRaw(`${base}/sitemap_index.xml`, {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' },
    })
    expect(answer.body).toEqual(plain.body)
  })

  describe('compression', () => {
    const makers = [
      { name: 'as it comes', compress: () => compression() },
      { name: 'whatever the size', compress: () => compression({ threshold: 0 }) },
      {
        name: 'also where nobody asked',
        compress: () =>
          compression({ threshold: 0, enforceEncoding: 'gzip' } as compression.CompressionOptions),
      },
    ]
    const cases = makers.flatMap(({ name, compress }) =>
      (['before', 'after'] as const).map((place) => ({ name, compress, place })),
    )

    it.each(cases)('$name, $place us: our bytes under our tags', async ({ compress, place }) => {
      const sm = make()
      const seen: unknown[] = []
      const app = framework()
      app.use((request, response, next) => {
        response.once('finish', () => seen.push(request.headers['accept-encoding']))
        next()
      })
      if (place === 'before') app.use(compress())
      app.use(sm)
      if (place === 'after') app.use(compress())
      app.use((_, response) => void response.send('the app itself '.repeat(200)))
      const base = await listen(app)
      const bare = await listen(sm)
      const asked = [
        undefined,
        'deflate',
        'br;q=0.1, gzip;q=0.1, identity;q=0.5',
        'zstd;q=0.1, deflate, identity',
        ...CODINGS,
      ]
      for (const path of [
        '/sitemap.xml',
        '/feed.rss',
        '/sitemap.html',
        '/sitemap.txt',
        '/sitemap-html.css',
      ]) {
        for (const coding of asked) {
          seen.length = 0
          const headers = { 'accept-encoding': coding }
          const expected = await fetchRaw(bare + path, { headers })
          const answer = await fetchRaw(base + path, { headers })
          const where = `${path} ${coding}`
          expect(answer.body, where).toEqual(expected.body)
          for (const name of [
            'etag',
            'content-encoding',
            'content-length',
            'cache-control',
            'transfer-encoding',
            'vary',
          ])
            expect(answer.headers[name], `${where} ${name}`).toBe(expected.headers[name])
          await until(() => seen.length > 0)
          expect(seen).toEqual([coding])
          const given = { ...headers, 'if-none-match': answer.headers.etag }
          const unchanged = await fetchRaw(base + path, { headers: given })
          expect(unchanged.status, where).toBe(304)
          expect(unchanged.headers['content-encoding']).toBeUndefined()
        }
      }
      // The app's own answers are coded as the app says.
      const own = await fetchRaw(`${base}/own`, { headers: { 'accept-encoding': 'gzip' } })
      expect(own.headers['content-encoding']).toBe('gzip')
    })

    it('with encodings false does its work, on weak tags', async () => {
      const app = framework()
      app.use(compression({ threshold: 0 }), make({ encodings: false }))
      const base = await listen(app)
      const plain = await fetchRaw(`${base}/sitemap.xml`)
      const coded = await fetchRaw(`${base}/sitemap.xml`, { headers: { 'accept-encoding': 'gzip' } })
      expect(coded.headers['content-encoding']).toBe('gzip')
      expect(coded.text).toBe(plain.text)
      expect(coded.headers.etag).toBe(plain.headers.etag)
      expect(coded.headers.etag).toMatch(/^W\//)
      const tag = { 'if-none-match': coded.headers.etag, 'accept-encoding': 'gzip' }
      expect((await fetchRaw(`${base}/sitemap.xml`, { headers: tag })).status).toBe(304)
    })

    it('a streamed document passes it whole, coded by it or not', async () => {
      for (const encodings of [false, undefined] as const) {
        const app = framework()
        app.use(
          compression(),
          make({ ...(encodings === false ? { encodings } : {}), providers: { posts: LARGE } }),
        )
        const base = await listen(app)
        const plain = await fetchRaw(`${base}/sitemap.xml`)
        expect(plain.body.length).toBeGreaterThan(1_048_576)
        const other = await fetchRaw(`${base}/sitemap.xml`, {
          headers: { 'accept-encoding': 'gzip, deflate;q=0.5' },
        })
        expect(other.headers['content-encoding']).toBe('gzip')
        expect(other.text).toBe(plain.text)
        const deflate = await fetchRaw(`${base}/sitemap.xml`, { headers: { 'accept-encoding': 'deflate' } })
        expect(deflate.headers['content-encoding']).toBe(encodings === false ? 'deflate' : undefined)
      }
    })

    it('codes the report, which has no tag', async () => {
      const providers = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`section${i}`, [`/${i}`]]))
      const app = framework()
      app.use(compression(), make({ providers, routes: { report: '/report' } }))
      const base = await listen(app)
      const answer = await fetchRaw(`${base}/report`, { headers: { 'accept-encoding': 'gzip' } })
      expect(answer.headers['content-encoding']).toBe('gzip')
      expect(Object.keys(JSON.parse(answer.text).sections)).toHaveLength(12)
    })
  })

  it('helmet and morgan before it: its headers are on our answers, its line is right', async () => {
    const lines: string[] = []
    const app = framework()
    app.use(
      morgan(':method :url :status :res[content-length]', {
        stream: { write: (line) => void lines.push(line) },
      }),
      helmet(),
      make(),
    )
    const base = await listen(app)
    const answer = await fetchRaw(`${base}/sitemap.html`)
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'x-content-type-options': 'nosniff',
    })
    const head = await fetchRaw(`${base}/sitemap.html`, { method: 'HEAD' })
    expect(head.headers['content-length']).toBe(String(answer.body.length))
    await fetchRaw(`${base}/sitemap.html`, { headers: { 'if-none-match': answer.headers.etag } })
    await until(() => lines.length === 3)
    expect(lines.map((line) => line.trim())).toEqual([
      `GET /sitemap.html 200 ${answer.body.length}`,
      `HEAD /sitemap.html 200 ${answer.body.length}`,
      'GET /sitemap.html 304 -',
    ])
  })

  it('what others set before us stays true: Vary of CORS is kept, a tag or a type of theirs is not', async () => {
    const app = framework()
    app.use((_, response, next) => {
      response.set({
        vary: 'Origin',
        etag: '"theirs"',
        'content-type': 'text/html',
        'cache-control': 'no-cache',
      })
      next()
    })
    app.use(make())
    const base = await listen(app)
    const answer = await fetchRaw(`${base}/sitemap.xml`)
    expect(answer.headers).toMatchObject({
      vary: 'Origin, Accept-Encoding',
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800',
    })
    const unchanged = await fetchRaw(`${base}/sitemap.xml`, {
      headers: { 'if-none-match': answer.headers.etag },
    })
    expect([unchanged.status, unchanged.headers['content-type'], unchanged.headers.vary]).toEqual([
      304,
      undefined,
      'Origin, Accept-Encoding',
    ])
    const gone = await fetchRaw(`${base}/sitemap-posts-9.xml`)
    expect([gone.status, gone.headers.etag, gone.headers['cache-control']]).toEqual([
      404,
      undefined,
      'no-store',
    ])
  })

  it.each([
    { before: 'accept-encoding, Origin', after: 'accept-encoding, Origin' },
    { before: '*', after: '*' },
    { before: '', after: 'Accept-Encoding' },
    { before: ['Origin', 'Cookie'], after: 'Origin, Cookie, Accept-Encoding' },
  ])('Vary $before before us → $after', async ({ before, after }) => {
    const app = framework()
    app.use((_, response, next) => {
      response.setHeader('vary', before)
      next()
    })
    app.use(make())
    expect((await fetchRaw(`${await listen(app)}/sitemap.xml`)).headers.vary).toBe(after)
  })

  describe('errors', () => {
    it('a provider that throws: 503 and not a word of it, in development too', async () => {
      const { lines, logger } = createLines()
      const app = framework()
      app.set('env', 'development')
      app.use(make({ log: logger, retries: 0, providers: { posts: createSource(throws).entries } }))
      const base = await listen(app)
      const answer = await fetchRaw(`${base}/sitemap.xml`)
      expect(answer.status).toBe(503)
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain(SECRET)
      expect(answer.text).not.toMatch(/Error|stack|at /)
      expect(lines).toMatchObject([{ level: 'error', code: 'LSM_ERR_PROVIDER_FAILED' }])
    })

    it('headers sent by another before us: nothing is added, nothing hangs, nothing is held', async () => {
      const sm = make({ providers: { posts: LARGE } })
      await sm.ready()
      const before = sm.report().memory.used
      const passedOn: string[] = []
      const app = framework()
      app.use((_, response, next) => {
        response.write('theirs')
        next()
        response.end()
      })
      app.use(sm)
      app.use((request, response, next) => {
        passedOn.push(request.url)
        if (!response.headersSent) next()
      })
      const base = await listen(app)
      const reasons = await unhandledDuring(async () => {
        for (const method of ['GET', 'POST'])
          expect((await fetchRaw(`${base}/sitemap.xml`, { method })).text).toBe('theirs')
        expect((await fetchRaw(`${base}/own`)).text).toBe('theirs')
        await until(() => sm.report().memory.used <= before)
      })
      expect(reasons).toEqual([])
      // Ours is nobody else's, what is not ours is passed on.
      expect(passedOn).toEqual(['/own'])
    })

    it('answered by a time limit of the app while we wait: ours is given up', async () => {
      const gate = createGate<readonly string[]>()
      const source = createSource((() => gate.passed) as Behaviour)
      const sm = make({ providers: { posts: source.entries } })
      const app = framework()
      app.use((_, response, next) => {
        next()
        void until(() => source.calls === 1).then(() => response.status(504).send('too late'))
      })
      app.use(sm)
      const base = await listen(app)
      const reasons = await unhandledDuring(async () => {
        const answer = await fetchRaw(`${base}/sitemap.xml`)
        expect([answer.status, answer.text]).toEqual([504, 'too late'])
        gate.open(LARGE)
        await until(() => sm.report().ready)
        await turns(20)
        // The snapshot alone: an answer under way would be half a mebibyte more.
        await until(() => sm.report().memory.used < 600_000)
      })
      expect(reasons).toEqual([])
    })

    it.each(['setHeader', 'writeHead'] as const)(
      'a hook of the app that throws in %s: a plain 503, said in the log, no second time',
      async (name) => {
        const { lines, logger } = createLines()
        const app = framework()
        let thrown = 0
        app.use((_, response, next) => {
          const original = response[name] as (...given: unknown[]) => unknown
          Object.assign(response, {
            [name](...given: unknown[]) {
              if (given[0] === 'etag' || name === 'writeHead') {
                if (thrown++ % 2 === 0) throw new Error(`hook ${SECRET}`)
              }
              return original.apply(response, given)
            },
          })
          next()
        })
        app.use(make({ log: logger }))
        const base = await listen(app)
        for (let n = 0; n < 2; n++) {
          thrown = 0
          const answer = await fetchRaw(`${base}/sitemap.xml`, { headers: { 'accept-encoding': 'gzip' } })
          expect(answer.status).toBe(503)
          expect(answer.text).toBe('Not available yet, please try again later\n')
          expect(JSON.stringify(answer.headers)).not.toContain(SECRET)
          for (const ours of ['etag', 'last-modified', 'content-encoding', 'vary', 'x-robots-tag'])
            expect(answer.headers[ours], ours).toBeUndefined()
        }
        expect(lines).toMatchObject([{ level: 'error', code: 'LSM_ERR_INTERNAL' }])
        expect(lines[0]?.message).toContain('hook')
      },
    )

    it('a response that takes no header at all is cut off', async () => {
      const { lines, logger } = createLines()
      const app = framework()
      app.use((_, response, next) => {
        response.writeHead = () => {
          throw new Error('never')
        }
        next()
      })
      app.use(make({ log: logger }))
      await expect(fetchRaw(`${await listen(app)}/sitemap.xml`)).rejects.toThrow()
      expect(lines).toHaveLength(1)
    })

    it('an error of a handler after us is the business of Express', async () => {
      const app = framework()
      app.use(make())
      app.use(() => {
        throw new Error('of the app')
      })
      app.use(
        ((_error, _request, response, _next) =>
          void response.status(418).send('handled')) as express.ErrorRequestHandler,
      )
      expect((await fetchRaw(`${await listen(app)}/own`)).status).toBe(418)
    })
  })

  describe('warm-up', () => {
    it('nothing is read by making it or by listening; the first request of any path starts it', async () => {
      const source = createSource(entriesOf('posts', 1))
      const sm = make({ warmUp: true, providers: { posts: source.entries } })
      const app = framework()
      app.use(sm)
      app.use((_, response) => void response.send('home'))
      const base = await listen(app)
      await turns(20)
      expect(source.calls).toBe(0)
      expect((await fetchRaw(base)).text).toBe('home')
      await untilReady(sm)
      expect((await fetchRaw(`${base}/sitemap.xml`)).status).toBe(200)
      expect(source.calls).toBe(1)
    })

    it('then timers keep it fresh', async () => {
      const clock = createManualClock()
      const source = createSource(entriesOf('posts', 1))
      const sm = make({ warmUp: true, providers: { posts: source.entries } }, clock)
      const app = framework()
      app.use(sm)
      const base = await listen(app)
      await fetchRaw(`${base}/sitemap.xml`)
      await clock.advance(12 * MINUTE)
      await until(() => source.calls === 2)
    })

    it('with warmUp false only a request for a document reads', async () => {
      const source = createSource(entriesOf('posts', 1))
      const app = framework()
      app.use(make({ providers: { posts: source.entries } }))
      const base = await listen(app)
      await fetchRaw(base)
      await turns(20)
      expect(source.calls).toBe(0)
      await fetchRaw(`${base}/sitemap.xml`)
      expect(source.calls).toBe(1)
    })

    it('ready() reads without any request', async () => {
      const source = createSource(entriesOf('posts', 1))
      const sm = make({ providers: { posts: source.entries } })
      expect(await sm.ready()).toBe(true)
      expect(source.calls).toBe(1)
    })
  })
})

describe('node:http', () => {
  it('without next, what is not ours is a plain 404 that is not kept', async () => {
    const base = await listen(make())
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const answer = await fetchRaw(`${base}/elsewhere`, { method })
      expect(answer.status).toBe(404)
      expect(answer.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
      })
      expect(answer.text).toBe(method === 'HEAD' ? '' : 'Not found\n')
    }
  })

  it('with next, it is whose turn comes', async () => {
    const sm = make()
    const base = await listen((request, response) => sm(request, response, () => response.end('next')))
    expect((await fetchRaw(`${base}/elsewhere`)).text).toBe('next')
    expect((await fetchRaw(`${base}/sitemap.xml`)).text).toContain('<urlset')
  })

  it('one message with keep-alive after another, errors among them', async () => {
    const base = await listen(make())
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const statuses: (number | undefined)[] = []
    for (const [method, path] of [
      ['GET', '/sitemap.xml'],
      ['POST', '/sitemap.xml'],
      ['HEAD', '/sitemap.xml'],
      ['GET', '/sitemap-posts-9.xml'],
      ['GET', '/sitemap.txt'],
    ]) {
      const asked = http.request(base + path, { agent, method: method ?? 'GET' })
      asked.end(method === 'POST' ? 'x'.repeat(1_000) : undefined)
      const [response] = (await once(asked, 'response')) as [http.IncomingMessage]
      response.resume()
      await once(response, 'end')
      statuses.push(response.statusCode)
    }
    expect(statuses).toEqual([200, 405, 200, 404, 200])
    agent.destroy()
  })
})

describe('node:http2', () => {
  it('is served alike', async () => {
    const sm = make({ providers: { posts: LARGE } })
    const server = http2.createServer(sm)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const ask = async (headers: http2.OutgoingHttpHeaders) => {
      const stream = session.request({ ':path': '/sitemap.xml', ...headers })
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      const [[given]] = await Promise.all([
        once(stream, 'response') as Promise<[http2.IncomingHttpHeaders]>,
        once(stream, 'end'),
      ])
      return { given, body: Buffer.concat(chunks) }
    }
    const plain = await ask({ 'accept-encoding': 'identity' })
    expect(plain.given).toMatchObject({ ':status': 200, 'content-length': String(plain.body.length) })
    expect(plain.body.length).toBeGreaterThan(1_048_576)
    const coded = await ask({ 'accept-encoding': 'gzip' })
    expect(decoded(coded.body, 'gzip')).toBe(plain.body.toString('utf8'))
    const tag = { 'accept-encoding': 'identity', 'if-none-match': plain.given.etag }
    expect((await ask(tag)).given[':status']).toBe(304)
    expect((await ask({ ':method': 'HEAD' })).given['content-length']).toBe(plain.given['content-length'])
    expect((await ask({ ':method': 'POST' })).given[':status']).toBe(405)
    expect((await ask({ ':path': '/elsewhere' })).given[':status']).toBe(404)

    const used = (): number => sm.report().memory.used
    const before = used()
    for (let n = 0; n < 5; n++) {
      const stream = session.request({
        ':path': '/sitemap.xml',
        'accept-encoding': n % 2 ? 'br' : 'identity',
      })
      stream.on('error', () => {})
      await new Promise((resolve) => setImmediate(resolve))
      stream.close(http2.constants.NGHTTP2_CANCEL)
    }
    await until(() => used() <= before + 200_000)
    session.close()
    await once(session, 'close')
    server.close()
  })
})

describe('clients', () => {
  // Of pipelined answers only the first has a socket: the others hear of no close.
  it('a connection that goes gives back what all its pipelined answers hold', async () => {
    const sm = make({ providers: { posts: LARGE } })
    await sm.ready()
    const used = (): number => sm.report().memory.used
    const base = await listen(sm)
    const socket = net.connect(Number(new URL(base).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.pause()
    socket.write('GET /sitemap-posts-1.xml HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20))
    await until(() => used() > 2_000_000)
    socket.resetAndDestroy()
    await until(() => used() < 600_000)
  })

  it('that took nothing for 30 s are cut off', async () => {
    const many = Array.from({ length: 150_000 }, (_, i) => `/${i}-${'x'.repeat(60)}`)
    const sm = make({ providers: { posts: many } })
    const sockets: net.Socket[] = []
    const server = http.createServer(sm)
    servers.add(server)
    server.on('connection', (socket) => sockets.push(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await sm.ready()
    const before = sm.report().memory.used
    const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.on('error', () => {})
    client.pause()
    await once(client, 'connect')
    client.write('GET /sitemap-posts-1.xml HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3))
    await until(() => sockets.some((socket) => socket.writableLength > 0), 'the answer to stall')
    const stalled = sockets.find((socket) => socket.writableLength > 0) as net.Socket
    expect(stalled.timeout).toBe(30_000)
    // The timer of the machine is not waited for: this is what it does.
    stalled.emit('timeout')
    await until(() => stalled.destroyed, 'the socket to be destroyed')
    await until(() => sm.report().memory.used <= before, 'what it held to be let go')
    client.destroy()
  })

  it.each(['identity', 'gzip'])('that left before their answer was made hold nothing: %s', async (coding) => {
    const gate = createGate<readonly string[]>()
    const source = createSource((() => gate.passed) as Behaviour)
    const sm = make({ cache: { memory: '1b' }, providers: { posts: source.entries } })
    let closed = 0
    const base = await listen((request, response) => {
      response.once('close', () => closed++)
      sm(request, response)
    })
    const gone = new AbortController()
    const left = [1, 2, 3].map(() =>
      fetchRaw(`${base}/sitemap.xml`, { headers: { 'accept-encoding': coding }, signal: gone.signal }).catch(
        () => 'left',
      ),
    )
    await until(() => source.calls === 1)
    await turns(20)
    gone.abort()
    expect(await Promise.all(left)).toEqual(['left', 'left', 'left'])
    await until(() => closed === 3)
    gate.open(LARGE)
    await until(() => sm.report().ready)
    await until(() => sm.report().memory.used < 400_000, 'what they held to be let go')
  })

  it.each(['identity', 'gzip'])(
    'made up by an adapter, without a socket, hold nothing: %s',
    async (coding) => {
      const posts = Array.from({ length: 12_000 }, () => `/${randomBytes(90).toString('base64url')}`)
      const sm = make({ cache: { memory: '1b' }, providers: { posts } })
      await sm.ready()
      const before = sm.report().memory.used
      const sent: Record<string, unknown> = {}
      const chunks: Buffer[] = []
      const response = Object.assign(new EventEmitter(), {
        headersSent: false,
        writable: true,
        getHeader: (name: string) => sent[name] as string | undefined,
        setHeader(name: string, value: string) {
          sent[name] = value
        },
        removeHeader(name: string) {
          delete sent[name]
        },
        writeHead(status: number) {
          sent.status = status
        },
        write: (chunk: Buffer) => chunks.push(chunk) > 0,
        end(chunk?: Uint8Array) {
          if (chunk !== undefined) chunks.push(Buffer.from(chunk))
          response.emit('finish')
        },
        destroy() {},
      })
      const finished = once(response, 'finish')
      sm({ method: 'GET', url: '/sitemap.xml', headers: { 'accept-encoding': coding } }, response)
      await finished
      expect(sent.status).toBe(200)
      expect(Buffer.concat(chunks)).toHaveLength(Number(sent['content-length']))
      await until(() => sm.report().memory.used <= before)
    },
  )
})

describe('a body that breaks off half way', () => {
  it('cuts the connection, so that nobody takes the half for the whole; and it is told', async () => {
    const told: unknown[] = []
    const fault = new Error('the disk is gone')
    async function* body(): AsyncGenerator<Buffer> {
      yield Buffer.from('half ')
      throw fault
    }
    const answer = { status: 200, headers: { 'content-type': 'text/plain' }, bytes: 10, done: undefined }
    const base = await listen((request, response) =>
      sendAnswer(request, response, { ...answer, body: body() }, (error) => told.push(error)),
    )
    await expect(fetchRaw(base)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(told).toEqual([fault])
  })
})

describe('the log', () => {
  it('is the console, for warnings and errors only', async () => {
    const said = { log: 0, info: 0, warn: 0, error: [] as unknown[] }
    vi.spyOn(console, 'log').mockImplementation(() => void said.log++)
    vi.spyOn(console, 'info').mockImplementation(() => void said.info++)
    vi.spyOn(console, 'warn').mockImplementation(() => void said.warn++)
    vi.spyOn(console, 'error').mockImplementation((...given) => void said.error.push(given.join(' ')))
    const source = createSource(throws)
    const clock = createManualClock()
    const sm = make({ retries: 0, providers: { posts: source.entries } }, clock)
    const base = await listen(sm)
    for (let n = 0; n < 3; n++) expect((await fetchRaw(`${base}/sitemap.xml`)).status).toBe(503)
    expect(said.error).toHaveLength(1)
    expect(said.error[0]).toMatch(/^\[live-sitemap\] provider "posts" failed/)
    source.set(entriesOf('posts', 1))
    await clock.advance(1_000)
    await sm.invalidate('posts')
    expect(said).toMatchObject({ log: 0, info: 0, warn: 0 })
  })
})

describe('close', () => {
  it.each([
    { name: 'heeds its signal', behaviour: hangs },
    { name: 'ignores it', behaviour: hangsForEver },
  ])('while a provider that $name hangs: waiting requests get 503', async ({ behaviour }) => {
    const source = createSource(behaviour)
    const sm = make({ log: silent, providers: { posts: source.entries } })
    const base = await listen(sm)
    const waiting = ['/sitemap.xml', '/feed.rss'].map((path) => fetchRaw(base + path))
    await until(() => source.calls === 1)
    await turns(20)
    await sm.close()
    for (const answer of await Promise.all(waiting)) expect((answer as Answer).status).toBe(503)
    expect(source.signals[0]?.aborted).toBe(true)
    expect((await fetchRaw(`${base}/sitemap.xml`)).status).toBe(503)
  })

  it.each(['made', 'served', 'served-hangs', 'invalidated'])(
    'the process ends by itself: %s',
    async (name) => {
      const file = new URL('./children/express-exits.ts', import.meta.url)
      const { code, err } = await runChild(file, { args: [name] })
      expect({ code, err }).toEqual({ code: 0, err: '' })
    },
  )
})

describe('what is loaded', () => {
  it('by importing the subpath: no engine and no dependency', () => {
    const { files, packages } = importsOf('plugins/express.ts')
    expect(files).toContain('src/options/resolve.ts')
    expect(files).not.toContain('src/engine.ts')
    expect(files).not.toContain('src/index.ts')
    expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual([])
  })
})

/** What a module imports at once, itself and by what it imports. */
function importsOf(first: string): {
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
} {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const files = new Set<string>()
  const packages = new Set<string>()
  const form = /^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?'([^']+)'/gm
  const read = (name: string): void => {
    if (files.has(name) || !existsSync(join(root, name))) return
    files.add(name)
    for (const [, specifier = ''] of readFileSync(join(root, name), 'utf8').matchAll(form)) {
      if (specifier.startsWith('.')) read(join(dirname(name), specifier))
      else packages.add(specifier)
    }
  }
  read(first)
  return { files, packages }
}
