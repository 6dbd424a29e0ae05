import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import { Writable } from 'node:stream'
import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, type FastifyServerOptions, type RouteOptions } from 'fastify'
import request from 'supertest'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import sitemapPlugin, {
  type CommonOptions,
  sitemapPlugin as named,
  type Site,
  type SitemapHandle,
  type SitemapOptions,
  type Size,
} from '../../plugins/fastify.ts'
import { resolveOptions } from '../../src/index.ts'
import { runChild } from '../support/child.ts'
import { createManualClock, turns, until } from '../support/manual-clock.ts'
import { createSitemapPlugin } from '../support/plugin.ts'
import {
  type Answer,
  type Behaviour,
  closeApps,
  codeOf,
  createGate,
  createSource,
  decoded,
  entriesOf,
  fetchRaw,
  hangs,
  hangsForEver,
  listen,
  pathsOf,
  SECRET,
  SITE,
  type Source,
  throws,
  untilReady,
  watch,
} from '../support/site.ts'

declare module 'fastify' {
  interface FastifyInstance {
    shopSitemap: SitemapHandle
  }
}

afterEach(closeApps)

const MINUTE = 60_000
const silent = { info() {}, warn() {}, error() {} }

type Options = CommonOptions & { readonly site?: Site }

interface Started {
  readonly app: FastifyInstance
  readonly base: string
  readonly clock: ReturnType<typeof createManualClock>
  get(path: string, headers?: Readonly<Record<string, string | string[] | undefined>>): Promise<Answer>
}

/** A real server on a free port with the plugin on a manual clock. */
async function start(
  options: Options,
  { server = {}, host }: { server?: FastifyServerOptions; host?: (app: FastifyInstance) => unknown } = {},
): Promise<Started> {
  const clock = createManualClock()
  const app: FastifyInstance = Fastify(server)
  await host?.(app)
  await app.register(createSitemapPlugin(clock), { site: SITE, warmUp: false, ...options })
  const base = await listen(app)
  return { app, base, clock, get: (path, headers = {}) => fetchRaw(base + path, { headers }) }
}

const DOCUMENTS = [
  { path: '/sitemap.xml', type: 'application/xml; charset=utf-8', robots: 'noindex', holds: '<urlset' },
  {
    path: '/sitemap_index.xml',
    type: 'application/xml; charset=utf-8',
    robots: 'noindex',
    holds: '<sitemapindex',
  },
  { path: '/feed.rss', type: 'application/rss+xml; charset=utf-8', robots: undefined, holds: '<rss' },
  { path: '/sitemap.html', type: 'text/html; charset=utf-8', robots: undefined, holds: '<html' },
  {
    path: '/sitemap.txt',
    type: 'text/plain; charset=utf-8',
    robots: 'noindex',
    holds: 'https://www.example.com/',
  },
  {
    path: '/sitemap-posts-1.xml',
    type: 'application/xml; charset=utf-8',
    robots: 'noindex',
    holds: '<urlset',
  },
  { path: '/sitemap-posts-1.txt', type: 'text/plain; charset=utf-8', robots: 'noindex', holds: 'https://' },
  { path: '/sitemap-posts-1.html', type: 'text/html; charset=utf-8', robots: undefined, holds: '<html' },
  { path: '/sitemap-html.css', type: 'text/css; charset=utf-8', robots: undefined, holds: '{' },
] as const

const PROVIDERS = { pages: ['/', '/about'], posts: () => entriesOf('posts', 30) }
const CODINGS = ['identity', 'gzip', 'br'] as const

describe.each(DOCUMENTS)('$path', ({ path, type, robots, holds }) => {
  it('answers 200 with its media type and our headers (SPEC N50 to N56)', async () => {
    const { base } = await start({ providers: PROVIDERS })
    const answer = await request(base).get(path).set('accept-encoding', 'identity').buffer(true)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'none',
      'cache-control': 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800',
      vary: 'Accept-Encoding',
      'last-modified': 'Thu, 15 Jan 2026 12:00:00 GMT',
    })
    expect(answer.headers.etag).toMatch(/^"[^"]+"$/)
    expect(answer.headers['x-robots-tag']).toBe(robots)
    expect(answer.text ?? answer.body.toString()).toContain(holds)
  })

  it('is the same document in each coding, under a strong tag of its own', async () => {
    const { get } = await start({ providers: PROVIDERS })
    const answers = await Promise.all(CODINGS.map((coding) => get(path, { 'accept-encoding': coding })))
    for (const [i, answer] of answers.entries()) {
      expect(answer.status).toBe(200)
      expect(answer.headers['content-encoding']).toBe(i === 0 ? undefined : CODINGS[i])
      expect(answer.headers['content-length']).toBe(String(answer.body.length))
      expect(answer.headers['transfer-encoding']).toBeUndefined()
      expect(answer.headers.vary).toBe('Accept-Encoding')
      expect(answer.text).toBe(answers[0]?.text)
    }
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3)
    expect(new Set(answers.map(({ headers }) => headers['last-modified'])).size).toBe(1)
  })

  it.each([true, false])(
    'HEAD with exposeHeadRoutes %s has the headers of GET and no body',
    async (exposeHeadRoutes) => {
      const { base, get } = await start({ providers: PROVIDERS }, { server: { exposeHeadRoutes } })
      for (const coding of CODINGS) {
        const headers = { 'accept-encoding': coding }
        // HEAD first: it must not need a GET before it.
        const head = await fetchRaw(base + path, { method: 'HEAD', headers })
        const answer = await get(path, headers)
        expect(head.status).toBe(200)
        expect(head.body).toHaveLength(0)
        const { date: _one, ...ofHead } = head.headers
        const { date: _other, ...ofGet } = answer.headers
        expect(ofHead).toEqual(ofGet)
        expect(ofHead['content-length']).toBe(String(answer.body.length))
      }
    },
  )

  it('answers other methods 405 with Allow, whatever their body and its type', async () => {
    const { base } = await start({ providers: PROVIDERS })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const { type: given, body } of [
        { type: undefined, body: undefined },
        { type: 'application/json', body: '{"a":1}' },
        { type: 'application/json', body: '{ not json' },
        { type: 'application/json', body: undefined },
        { type: 'application/x-unknown', body: 'x' },
        { type: 'no media type', body: 'x' },
        { type: 'text/plain', body: 'x'.repeat(100_000) },
      ]) {
        const answer = await fetchRaw(base + path, {
          method,
          headers: given === undefined ? {} : { 'content-type': given },
          ...(body === undefined ? {} : { body }),
        })
        expect(answer.status, `${method} ${given} ${body?.slice(0, 10)}`).toBe(405)
        expect(answer.headers.allow).toBe('GET, HEAD')
        expect(answer.headers['cache-control']).toBe('no-store')
        expect(answer.headers.etag).toBeUndefined()
        expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      }
    }
  })

  it('ignores the query', async () => {
    const { get } = await start({ providers: PROVIDERS })
    const plain = await get(path)
    for (const query of [
      '?',
      '?a=1',
      '?x=%zz&y=%00',
      '?path=/etc/passwd',
      '?limit=1&format=json#x',
      `?${'a'.repeat(2_000)}`,
    ]) {
      const answer = await get(path + query)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(plain.body)
      expect(answer.headers.etag).toBe(plain.headers.etag)
    }
  })
})

describe('methods', () => {
  it("OPTIONS is the app's: its answer with a route of its own, 404 without", async () => {
    const without = await start({ providers: PROVIDERS })
    const none = await fetchRaw(`${without.base}/sitemap.xml`, { method: 'OPTIONS' })
    expect(none.status).toBe(404)
    expect(none.headers.allow).toBeUndefined()
    const { base } = await start(
      { providers: PROVIDERS },
      {
        host: (app) =>
          app.options('/*', (_, reply) => reply.code(204).header('access-control-allow-origin', '*').send()),
      },
    )
    for (const { path } of DOCUMENTS) {
      const answer = await fetchRaw(base + path, { method: 'OPTIONS' })
      expect(answer.status).toBe(204)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
  })

  it('405 costs no provider call and reads no body', async () => {
    const source = createSource(entriesOf('posts', 1))
    const { base } = await start({ providers: { posts: source.entries } })
    for (const path of ['/sitemap.xml', '/sitemap-posts-1.xml', '/sitemap-nope-1.xml'])
      expect((await fetchRaw(base + path, { method: 'POST', body: 'x' })).status).toBe(405)
    expect(source.calls).toBe(0)
  })
})

describe('unknown paths', () => {
  const INVENTED = [
    '/sitemap-posts-2.xml',
    '/sitemap-posts-99999999999999999999.xml',
    '/sitemap-posts-0.xml',
    '/sitemap-posts--1.xml',
    '/sitemap-posts-1.5.xml',
    '/sitemap-posts-1e0.xml',
    '/sitemap-posts-.xml',
    '/sitemap-posts.xml',
    '/sitemap--1.xml',
    '/sitemap-.xml',
    '/sitemap-nope-1.xml',
    '/sitemap-POSTS-1.xml',
    '/sitemap-posts-1.XML',
    '/sitemap-posts-1.xml.xml',
    '/sitemap-posts-1.xml.gz',
    '/sitemap-posts-1.json',
    '/sitemap-posts-1.xml/',
    '/sitemap-posts-1/.xml',
    '/sitemap-__proto__-1.xml',
    '/sitemap-constructor-1.xml',
    '/sitemap-posts%00-1.xml',
    '/sitemap-posts%2f-1.xml',
    '/sitemap-%2e%2e%2fetc-1.xml',
    '/sitemap-po%20sts-1.xml',
    '/sitemap-%C3%A9-1.xml',
    '/sitemap-posts-%31%0d%0aX-Evil:1.xml',
    `/sitemap-${'a'.repeat(3_000)}-1.xml`,
    `/sitemap-posts-${'1'.repeat(3_000)}.xml`,
    '/sitemap',
    '/Sitemap.xml',
    '/sitemap.xml.gz',
    '/feed',
  ].map((path) => ({ path, shown: path.length > 60 ? `${path.slice(0, 57)}…` : path }))

  it.each(INVENTED)('$shown: 404 without a provider call, warm and stale', async ({ path }) => {
    const source = createSource(entriesOf('posts', 1))
    const { base, clock, get } = await start({ providers: { posts: source.entries } })
    await get('/sitemap.xml')
    for (const advanceMs of [0, 60 * MINUTE]) {
      await clock.advance(advanceMs)
      const answer = await fetchRaw(base + path)
      // Fastify itself answers 414 to a parameter that is longer than it takes.
      expect(path.length > 100 ? [404, 414] : [404]).toContain(answer.status)
      expect(answer.headers.etag).toBeUndefined()
      expect(answer.headers['x-evil']).toBeUndefined()
    }
    await turns()
    expect(source.calls).toBe(1)
  })

  it('escapes that cannot be decoded are not ours either', async () => {
    const source = createSource(entriesOf('posts', 1))
    const { base } = await start({ providers: { posts: source.entries } })
    const { port } = new URL(base)
    for (const path of [
      '/sitemap-%zz-1.xml',
      '/sitemap-%c3-1.xml',
      '/sitemap-posts-1.xml%',
      '/%73itemap-%',
    ]) {
      const asked = http.get({ port, host: '127.0.0.1', path, agent: false })
      const [response] = (await once(asked, 'response')) as [http.IncomingMessage]
      response.resume()
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      expect(response.statusCode).toBeLessThan(500)
    }
    expect(source.calls).toBe(0)
  })

  it("a part of ours that is gone is our 404, not the app's catch-all", async () => {
    const { get } = await start(
      { providers: PROVIDERS },
      { host: (app) => app.all('/*', (_, reply) => reply.send('the app')) },
    )
    const answer = await get('/sitemap-posts-9.xml')
    expect(answer.status).toBe(404)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect((await get('/elsewhere')).text).toBe('the app')
  })

  it("routes that are off are the app's", async () => {
    const { get } = await start({
      providers: PROVIDERS,
      routes: { sitemap: false, index: false, rss: false, html: false, txt: '/urls.txt' },
    })
    expect((await get('/urls.txt')).status).toBe(200)
    expect((await get('/sitemap-posts-1.txt')).status).toBe(200)
    for (const path of [
      '/sitemap.xml',
      '/sitemap_index.xml',
      '/feed.rss',
      '/sitemap.html',
      '/sitemap.txt',
      '/sitemap-html.css',
      '/sitemap-posts-1.xml',
      '/sitemap-posts-1.html',
    ])
      expect((await get(path)).status, path).toBe(404)
  })

  it.each([20, 64, 90, 120, 300])(
    'a section of a name of %d characters is refused, or has its parts',
    async (length) => {
      const section = 's'.repeat(length)
      const options = { providers: { [section]: ['/a'] } }
      if (!isTaken(options)) return
      const { get } = await start(options)
      expect(pathsOf((await get('/sitemap_index.xml')).text)).toEqual([`/sitemap-${section}-1.xml`])
      for (const ending of ['xml', 'txt', 'html'])
        expect((await get(`/sitemap-${section}-1.${ending}`)).status).toBe(200)
    },
  )

  function isTaken(options: Options): boolean {
    try {
      resolveOptions({ site: SITE, ...options })
      return true
    } catch {
      return false
    }
  }

  it.each([
    {
      name: 'ignoreTrailingSlash',
      server: { routerOptions: { ignoreTrailingSlash: true } },
      path: '/sitemap.xml/',
    },
    {
      name: 'ignoreDuplicateSlashes',
      server: { routerOptions: { ignoreDuplicateSlashes: true } },
      path: '//sitemap.xml',
    },
    {
      name: 'caseSensitive false',
      server: { routerOptions: { caseSensitive: false } },
      path: '/SITEMAP.xml',
    },
  ])("the router option $name is the app's choice", async ({ server, path }) => {
    const { get } = await start({ providers: PROVIDERS }, { server })
    const plain = await get('/sitemap.xml')
    const answer = await get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).toBe(plain.headers.etag)
    expect((await get('/sitemap-posts-1.xml')).status).toBe(200)
  })
})

describe('content-coding', () => {
  // SPEC 9.2, end to end.
  it.each([
    { header: undefined, coding: undefined },
    { header: '', coding: undefined },
    { header: 'deflate', coding: undefined },
    { header: 'gzip', coding: 'gzip' },
    { header: 'X-GZIP', coding: 'gzip' },
    { header: 'gzip, deflate, br', coding: 'br' },
    { header: 'br, gzip;q=0.5', coding: 'br' },
    { header: '*', coding: 'br' },
    { header: 'br;q=0.1, identity;q=0.5', coding: undefined },
    { header: 'identity;q=0, gzip', coding: 'gzip' },
  ])('$header → $coding', async ({ header, coding }) => {
    const { get } = await start({ providers: PROVIDERS })
    const answer = await get('/sitemap.xml', { 'accept-encoding': header })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.text).toContain('<urlset')
  })

  it.each(['*;q=0', 'identity;q=0', 'deflate, identity;q=0'])('%s → 406', async (header) => {
    const { get } = await start({ providers: PROVIDERS })
    const answer = await get('/sitemap.xml', { 'accept-encoding': header })
    expect(answer.status).toBe(406)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Accept-Encoding' })
    expect(answer.headers.etag).toBeUndefined()
  })

  it('encodings names what is offered', async () => {
    const { get } = await start({ providers: PROVIDERS, encodings: ['gzip'] })
    const answer = await get('/sitemap.xml', { 'accept-encoding': 'br, gzip;q=0.1' })
    expect(answer.headers['content-encoding']).toBe('gzip')
  })

  it('encodings false: identity and weak ETags, and If-None-Match still works', async () => {
    const { get } = await start({ providers: PROVIDERS, encodings: false })
    for (const { path } of DOCUMENTS) {
      for (const coding of ['br, gzip', 'identity', '*']) {
        const answer = await get(path, { 'accept-encoding': coding })
        expect(answer.status).toBe(200)
        expect(answer.headers['content-encoding']).toBeUndefined()
        expect(answer.headers.etag).toMatch(/^W\/"[^"]+"$/)
        const tag = answer.headers.etag ?? ''
        expect((await get(path, { 'if-none-match': tag })).status).toBe(304)
        expect((await get(path, { 'if-none-match': tag.slice(2) })).status).toBe(304)
        // SPEC N11: a weak tag fails the strong comparison.
        expect((await get(path, { 'if-match': tag })).status).toBe(412)
      }
    }
  })

  it("encodings false: a host's own compression does its work on the weak tag", async () => {
    const { get } = await start({ providers: PROVIDERS, encodings: false, routes: { report: false } })
    const plain = await get('/sitemap.xml')
    expect(plain.headers['content-length']).toBe(String(plain.body.length))
  })

  it.each(CODINGS)('a document of no bytes is answered in %s, with HEAD and 304', async (coding) => {
    const { base, get } = await start({ providers: { posts: [] } })
    const headers = { 'accept-encoding': coding }
    const answer = await get('/sitemap.txt', headers)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
    expect(decoded(answer.body, answer.headers['content-encoding'])).toBe('')
    const head = await fetchRaw(`${base}/sitemap.txt`, { method: 'HEAD', headers })
    expect(head.headers['content-length']).toBe(answer.headers['content-length'])
    expect(head.headers.etag).toBe(answer.headers.etag)
    expect((await get('/sitemap.txt', { ...headers, 'if-none-match': answer.headers.etag })).status).toBe(304)
  })
})

describe('conditional requests', () => {
  const LAST_MODIFIED = 'Thu, 15 Jan 2026 12:00:00 GMT'
  const OLDER = 'Thu, 15 Jan 2026 11:59:59 GMT'
  const NEWER = 'Thu, 15 Jan 2026 12:00:01 GMT'

  // ETAG stands for the tag of the coding asked for, OTHER for that of another coding.
  it.each([
    { name: 'our tag', headers: { 'if-none-match': 'ETAG' }, status: 304 },
    { name: 'our tag, weakened', headers: { 'if-none-match': 'W/ETAG' }, status: 304 },
    { name: 'our tag in a list', headers: { 'if-none-match': '"x,y", ETAG' }, status: 304 },
    { name: 'our tag on a second line', headers: { 'if-none-match': ['"x"', 'ETAG'] }, status: 304 },
    { name: 'any tag', headers: { 'if-none-match': '*' }, status: 304 },
    { name: 'the tag of another coding', headers: { 'if-none-match': 'OTHER' }, status: 200 },
    { name: 'another tag', headers: { 'if-none-match': '"x"' }, status: 200 },
    { name: 'our tag without quotes', headers: { 'if-none-match': 'BARE' }, status: 200 },
    { name: 'an empty field', headers: { 'if-none-match': '' }, status: 200 },
    {
      name: 'another tag and the date',
      headers: { 'if-none-match': '"x"', 'if-modified-since': NEWER },
      status: 200,
    },
    {
      name: 'our tag and an old date',
      headers: { 'if-none-match': 'ETAG', 'if-modified-since': OLDER },
      status: 304,
    },
    { name: 'the date', headers: { 'if-modified-since': LAST_MODIFIED }, status: 304 },
    { name: 'a later date', headers: { 'if-modified-since': NEWER }, status: 304 },
    { name: 'an earlier date', headers: { 'if-modified-since': OLDER }, status: 200 },
    { name: 'no date', headers: { 'if-modified-since': 'yesterday' }, status: 200 },
    { name: 'If-Match, our tag', headers: { 'if-match': 'ETAG' }, status: 200 },
    { name: 'If-Match, our tag weakened', headers: { 'if-match': 'W/ETAG' }, status: 412 },
    { name: 'If-Match, the tag of another coding', headers: { 'if-match': 'OTHER' }, status: 412 },
    { name: 'If-Match, any', headers: { 'if-match': '*' }, status: 200 },
    { name: 'If-Unmodified-Since, the date', headers: { 'if-unmodified-since': LAST_MODIFIED }, status: 200 },
    { name: 'If-Unmodified-Since, an earlier one', headers: { 'if-unmodified-since': OLDER }, status: 412 },
    {
      name: 'If-Match and If-None-Match',
      headers: { 'if-match': 'ETAG', 'if-none-match': 'ETAG' },
      status: 304,
    },
    { name: 'a range', headers: { range: 'bytes=0-9' }, status: 200 },
    { name: 'a range of the tag', headers: { range: 'bytes=0-9', 'if-range': 'ETAG' }, status: 200 },
  ])('$name → $status, in each coding, GET and HEAD', async ({ headers, status }) => {
    const { base } = await start({ providers: PROVIDERS })
    const tags = new Map<string, string>()
    for (const coding of CODINGS) {
      const { headers: given } = await fetchRaw(`${base}/sitemap.xml`, {
        headers: { 'accept-encoding': coding },
      })
      tags.set(coding, given.etag ?? '')
    }
    for (const [i, coding] of CODINGS.entries()) {
      const tag = tags.get(coding) ?? ''
      const other = tags.get(CODINGS[(i + 1) % 3] ?? '') ?? ''
      const filled = (text: string): string =>
        text.replace('ETAG', tag).replace('OTHER', other).replace('BARE', tag.replaceAll('"', ''))
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.map(filled) : filled(value as string),
        ]),
      )
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetchRaw(`${base}/sitemap.xml`, {
          method,
          headers: { 'accept-encoding': coding, ...sent },
        })
        expect(answer.status, `${method} ${coding}`).toBe(status)
        expect(answer.headers['content-range']).toBeUndefined()
        if (status === 412) {
          expect(answer.headers['cache-control']).toBe('no-store')
          continue
        }
        expect(answer.headers).toMatchObject({
          etag: tag,
          vary: 'Accept-Encoding',
          'cache-control': 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800',
          'last-modified': LAST_MODIFIED,
        })
        expect(answer.headers.date).toBeDefined()
        if (status === 304) {
          expect(answer.body).toHaveLength(0)
          for (const name of ['content-type', 'content-length', 'content-encoding', 'transfer-encoding'])
            expect(answer.headers[name], name).toBeUndefined()
        }
      }
    }
  })

  it('do not count where the answer is an error (SPEC N2)', async () => {
    const { base } = await start({
      log: silent,
      retries: 0,
      providers: { posts: createSource(throws).entries, pages: ['/'] },
    })
    const headers = { 'if-none-match': '*', 'if-modified-since': NEWER }
    expect((await fetchRaw(`${base}/sitemap-pages-9.xml`, { headers })).status).toBe(404)
    expect((await fetchRaw(`${base}/sitemap.xml`, { headers })).status).toBe(503)
    expect((await fetchRaw(`${base}/sitemap.xml`, { method: 'POST', headers })).status).toBe(405)
  })

  it('are answered without a body being made and without a provider call', async () => {
    const source = createSource(entriesOf('posts', 10))
    const { app, get } = await start({ providers: { posts: source.entries } })
    const { headers } = await get('/sitemap.xml', { 'accept-encoding': 'br' })
    source.set(hangs)
    for (let i = 0; i < 20; i++)
      await get('/sitemap.xml', { 'accept-encoding': 'br', 'if-none-match': headers.etag })
    expect(source.calls).toBe(1)
    expect(app.sitemap.report().served).toMatchObject({ notModified: 20, hits: 0 })
  })
})

describe('Cache-Control', () => {
  it('fresh, stale, and of errors', async () => {
    const source = createSource(entriesOf('posts', 3))
    const { clock, get } = await start({ log: silent, providers: { posts: source.entries } })
    const fresh = await get('/sitemap.xml')
    expect(fresh.headers['cache-control']).toBe(
      'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800',
    )
    source.set(hangs)
    await clock.advance(10 * MINUTE)
    for (const headers of [{}, { 'if-none-match': fresh.headers.etag }]) {
      const stale = await get('/sitemap.xml', headers)
      expect(stale.status).toBe('if-none-match' in headers ? 304 : 200)
      expect(stale.headers.etag).toBe(fresh.headers.etag)
      expect(stale.headers['cache-control']).toBe(
        'public, max-age=60, stale-while-revalidate=60, stale-if-error=604800',
      )
    }
    expect((await get('/sitemap-posts-9.xml')).headers['cache-control']).toBe('no-store')
  })

  it('is what the option says; max-age of a stale answer is never raised', async () => {
    const source = createSource(entriesOf('posts', 3))
    const { clock, get } = await start({
      cacheControl: 'private, max-age=5',
      providers: { posts: source.entries },
    })
    expect((await get('/sitemap.xml')).headers['cache-control']).toBe('private, max-age=5')
    source.set(hangs)
    await clock.advance(10 * MINUTE)
    expect((await get('/sitemap.xml')).headers['cache-control']).toBe('private, max-age=5')
  })

  it('of a cold 503 is no-store, with Retry-After and without a word of the fault', async () => {
    const { get } = await start({
      log: silent,
      retries: 0,
      providers: { posts: createSource(throws).entries },
    })
    for (const { path } of DOCUMENTS.slice(0, 8)) {
      const answer = await get(path)
      expect(answer.status).toBe(503)
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '1' })
      expect(answer.headers.etag).toBeUndefined()
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain(SECRET)
      expect(answer.text).not.toMatch(/Error|stack|at /)
    }
    // What needs no section is served.
    expect((await get('/sitemap-html.css')).status).toBe(200)
  })
})

describe('X-Robots-Tag', () => {
  it.each([
    { xRobotsTag: false, expected: undefined },
    { xRobotsTag: 'noindex, nofollow', expected: 'noindex, nofollow' },
  ] as const)('$xRobotsTag', async ({ xRobotsTag, expected }) => {
    const { get } = await start({ xRobotsTag, providers: PROVIDERS })
    expect((await get('/sitemap.xml')).headers['x-robots-tag']).toBe(expected)
    expect((await get('/sitemap-posts-1.txt')).headers['x-robots-tag']).toBe(expected)
    expect((await get('/sitemap.html')).headers['x-robots-tag']).toBeUndefined()
  })
})

describe('trust', () => {
  it('Host and forwarded headers change nothing', async () => {
    const { get } = await start({ providers: PROVIDERS })
    for (const { path } of DOCUMENTS) {
      const plain = await get(path)
      const answer = await get(path, {
        host: 'evil.example',
        forwarded: 'host=evil.example;proto=gopher',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'gopher',
        'x-forwarded-prefix': '/evil',
        'x-original-url': '/evil',
      })
      expect(answer.body).toEqual(plain.body)
      expect(answer.headers.etag).toBe(plain.headers.etag)
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain('evil')
    }
  })
})

describe('registration', () => {
  it('is a default and a named export, and decorates the app with the handle', async () => {
    expect(sitemapPlugin).toBe(named)
    const app = Fastify()
    await app.register(sitemapPlugin, { site: SITE, providers: PROVIDERS })
    expectTypeOf(app.sitemap).toEqualTypeOf<SitemapHandle>()
    expect(Object.keys(app.sitemap).toSorted()).toEqual([
      'close',
      'forget',
      'invalidate',
      'links',
      'ready',
      'refresh',
      'report',
      'robotsTxt',
    ])
    expect(app.sitemap.links()).toContain('href="https://www.example.com/sitemap.xml"')
    await app.close()
  })

  it('throws all faults of the options at once, at registration', async () => {
    const app = Fastify({ pluginTimeout: 500 })
    const error = await app
      .register(sitemapPlugin, { site: { url: 'example' }, providers: {}, limt: 5 } as never)
      .then(undefined, (reason: Error) => reason)
    expect(error).toMatchObject({ code: 'LSM_ERR_OPTION_INVALID' })
    for (const name of ['site.url', 'providers', 'limt']) expect((error as Error).message).toContain(name)
  })

  it('takes the options that Fastify reads itself', async () => {
    const { get } = await start({ providers: PROVIDERS, logLevel: 'warn', logSerializers: {} } as never)
    expect((await get('/sitemap.xml')).status).toBe(200)
  })

  it('a second one under the same name is a clear error', async () => {
    const app = Fastify({ pluginTimeout: 500 })
    await app.register(sitemapPlugin, { site: SITE, providers: PROVIDERS })
    const again = app.register(sitemapPlugin, { site: SITE, prefix: '/shop', providers: PROVIDERS })
    const error = await again.then(undefined, (reason: Error) => reason)
    expect(error).toMatchObject({ code: 'LSM_ERR_OPTION_INVALID' })
    expect((error as Error).message).toMatch(/"name".*"sitemap".*name of its own/)
  })

  it('with a name that the app uses for something else is a clear error too', async () => {
    const app = Fastify({ pluginTimeout: 500 })
    app.decorate('pages', 1)
    expect(
      await codeOf(
        Promise.resolve(app.register(sitemapPlugin, { site: SITE, name: 'pages', providers: PROVIDERS })),
      ),
    ).toBe('LSM_ERR_OPTION_INVALID')
  })

  it('two on two prefixes do not meet', async () => {
    const app = Fastify()
    const shop = createSource(entriesOf('shop', 1))
    await app.register(sitemapPlugin, { site: SITE, providers: PROVIDERS, warmUp: false })
    await app.register(sitemapPlugin, {
      site: SITE,
      name: 'shopSitemap',
      prefix: '/shop',
      providers: { goods: shop.entries },
      warmUp: false,
    })
    const base = await listen(app)
    const get = (path: string) => fetchRaw(base + path)
    expect(pathsOf((await get('/sitemap.xml')).text)).toContain('/posts-1')
    expect(pathsOf((await get('/shop/sitemap.xml')).text)).toEqual(['/shop-1'])
    expect(pathsOf((await get('/shop/sitemap_index.xml')).text)).toEqual(['/shop/sitemap-goods-1.xml'])
    expect((await get('/shop/sitemap-goods-1.xml')).status).toBe(200)
    expect((await get('/sitemap-goods-1.xml')).status).toBe(404)
    expect((await get('/shop/sitemap-posts-1.xml')).status).toBe(404)
    expect((await get('/shop/sitemap.html')).text).toContain('href="/shop/sitemap-html.css"')
    expect((await get('/shop/sitemap-html.css')).status).toBe(200)
    await app.shopSitemap.invalidate('goods')
    expect(shop.calls).toBe(2)
    expect(() => app.shopSitemap.invalidate('posts')).toThrow(/goods/)
    await app.sitemap.invalidate('posts')
  })

  it('two on two hosts, each in a context whose onRoute hook sets the host', async () => {
    const app = Fastify()
    for (const name of ['one', 'two']) {
      await app.register((child: FastifyInstance, _options: object, done: () => void) => {
        child.addHook('onRoute', (route) => {
          route.constraints = { ...route.constraints, host: `${name}.example` }
        })
        void child.register(sitemapPlugin, {
          site: { url: `https://${name}.example` },
          routes: { report: '/report' },
          providers: { pages: [`/of-${name}`] },
        })
        done()
      })
    }
    const base = await listen(app)
    for (const name of ['one', 'two']) {
      const headers = { host: `${name}.example` }
      const answer = await fetchRaw(`${base}/sitemap.xml`, { headers })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(`<loc>https://${name}.example/of-${name}</loc>`)
      expect((await fetchRaw(`${base}/sitemap-pages-1.xml`, { headers })).status).toBe(200)
      expect((await fetchRaw(`${base}/sitemap.xml`, { method: 'HEAD', headers })).status).toBe(200)
      expect((await fetchRaw(`${base}/sitemap.xml`, { method: 'POST', headers })).status).toBe(405)
      expect((await fetchRaw(`${base}/report`, { headers })).status).toBe(200)
    }
    expect((await fetchRaw(`${base}/sitemap.xml`, { headers: { host: 'three.example' } })).status).toBe(404)
  })

  describe('prefix', () => {
    it.each([
      { name: 'the option', given: { prefix: '/shop' }, outer: undefined, at: '/shop', publicBase: '/shop' },
      {
        name: 'the option with a slash at the end',
        given: { prefix: '/shop/' },
        outer: undefined,
        at: '/shop',
        publicBase: '/shop',
      },
      { name: 'a prefixed context', given: {}, outer: '/outer', at: '/outer', publicBase: '/outer' },
      {
        name: 'both',
        given: { prefix: '/shop' },
        outer: '/outer',
        at: '/outer/shop',
        publicBase: '/outer/shop',
      },
      {
        name: 'with another public path',
        given: { prefix: '/shop', publicPath: '/en/shop' },
        outer: undefined,
        at: '/shop',
        publicBase: '/en/shop',
      },
      {
        name: 'with an empty public path',
        given: { prefix: '/shop', publicPath: '' },
        outer: '/outer',
        at: '/outer/shop',
        publicBase: '',
      },
      { name: 'none', given: {}, outer: undefined, at: '', publicBase: '' },
    ])('$name: routes at "$at", documents name "$publicBase"', async ({ given, outer, at, publicBase }) => {
      const app = Fastify()
      const options = { site: SITE, providers: PROVIDERS, routes: { report: '/report' }, ...given }
      if (outer === undefined) await app.register(sitemapPlugin, options)
      else
        await app.register(
          (child: FastifyInstance, _options: object, done: () => void) => {
            void child.register(sitemapPlugin, options)
            done()
          },
          { prefix: outer },
        )
      const base = await listen(app)
      const index = await fetchRaw(`${base}${at}/sitemap_index.xml`)
      expect(pathsOf(index.text)).toEqual([
        `${publicBase}/sitemap-pages-1.xml`,
        `${publicBase}/sitemap-posts-1.xml`,
      ])
      const html = await fetchRaw(`${base}${at}/sitemap.html`)
      expect(html.text).toContain(`href="${publicBase}/sitemap-html.css"`)
      expect((await fetchRaw(`${base}${at}/feed.rss`)).text).toContain(
        `href="${SITE.url}${publicBase}/feed.rss"`,
      )
      // An entry's own URL has nothing to do with where the documents lie.
      expect(pathsOf((await fetchRaw(`${base}${at}/sitemap.xml`)).text)).toContain('/about')
      for (const path of ['/sitemap-posts-1.xml', '/sitemap-html.css', '/report'])
        expect((await fetchRaw(base + at + path)).status, path).toBe(200)
      expect((await fetchRaw(`${base}${at}/sitemap.xml`, { method: 'POST' })).status).toBe(405)
      if (at !== '') expect((await fetchRaw(`${base}/sitemap.xml`)).status).toBe(404)
    })

    it('without one the path of site.url is the public base', async () => {
      const { get } = await start({
        site: { url: 'https://www.example.com/shop/' },
        providers: { pages: ['.', 'about', '/root'] },
      })
      expect(pathsOf((await get('/sitemap.xml')).text)).toEqual(['/shop/', '/shop/about', '/root'])
      expect(pathsOf((await get('/sitemap_index.xml')).text)).toEqual(['/shop/sitemap-pages-1.xml'])
    })
  })

  it('shows its routes in printRoutes, and hides them from documentation', async () => {
    const app = Fastify()
    const routes: RouteOptions[] = []
    app.addHook('onRoute', (route) => {
      routes.push(route)
    })
    await app.register(sitemapPlugin, { site: SITE, providers: PROVIDERS, routes: { report: '/report' } })
    await app.ready()
    const printed = app.printRoutes({ commonPrefix: false })
    for (const path of [
      '/sitemap.xml (GET, HEAD',
      '/sitemap_index.xml',
      '/feed.rss',
      '/sitemap.html',
      '/sitemap.txt',
      '/report',
    ])
      expect(printed).toContain(path)
    expect(printed).toContain('.xml')
    expect(routes.length).toBeGreaterThan(10)
    for (const { url, schema } of routes)
      expect((schema as { hide?: boolean } | undefined)?.hide, url).toBe(true)
    await app.close()
  })
})

describe('when providers are called', () => {
  it('not by ready() and not by inject() of another route', async () => {
    const source = createSource(entriesOf('posts', 1))
    const app = Fastify()
    app.get('/', () => 'home')
    await app.register(sitemapPlugin, { site: SITE, providers: { posts: source.entries } })
    await app.ready()
    expect((await app.inject('/')).body).toBe('home')
    await turns(20)
    expect(source.calls).toBe(0)
    // A request for a document does.
    expect((await app.inject('/sitemap.xml')).statusCode).toBe(200)
    expect(source.calls).toBe(1)
    await app.close()
  })

  it('in the background as soon as the server listens: listen() does not wait for it', async () => {
    const gate = createGate<readonly { loc: string }[]>()
    const source = createSource((() => gate.passed) as Behaviour)
    const { app } = await start({ warmUp: true, providers: { posts: source.entries } })
    await until(() => source.calls === 1)
    expect(app.sitemap.report().ready).toBe(false)
    gate.open(entriesOf('posts', 1))
    await untilReady(app.sitemap)
    expect(source.calls).toBe(1)
  })

  it('not on listen with warmUp false', async () => {
    const source = createSource(entriesOf('posts', 1))
    await start({ warmUp: false, providers: { posts: source.entries } })
    await turns(20)
    expect(source.calls).toBe(0)
  })

  it('once for 200 connections at the same time', async () => {
    const gate = createGate<readonly { loc: string }[]>()
    const source = createSource((() => gate.passed) as Behaviour)
    const { base } = await start({ providers: { posts: source.entries } })
    const asked = Array.from({ length: 200 }, (_, i) =>
      fetchRaw(base + (DOCUMENTS[i % 8]?.path ?? ''), { headers: { 'accept-encoding': CODINGS[i % 3] } }),
    )
    await until(() => source.calls === 1)
    gate.open(entriesOf('posts', 5))
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200)
    expect(source.calls).toBe(1)
  })

  it('and many waiting requests are no leak that Node warns of', async () => {
    const warnings: string[] = []
    const keep = ({ name }: Error): number => warnings.push(name)
    process.on('warning', keep)
    try {
      const gate = createGate<readonly { loc: string }[]>()
      const source = createSource((() => gate.passed) as Behaviour)
      const { base } = await start({ providers: { posts: source.entries } })
      const asked = Array.from({ length: 50 }, () => fetchRaw(`${base}/sitemap.xml`))
      await until(() => source.calls === 1)
      await turns(50)
      gate.open(entriesOf('posts', 5))
      for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200)
      await turns()
      expect(warnings.filter((name) => name === 'MaxListenersExceededWarning')).toEqual([])
    } finally {
      process.off('warning', keep)
    }
  })
})

describe('the log', () => {
  it("is the app's, with the code of what failed", async () => {
    const lines: Record<string, unknown>[] = []
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line))
        done()
      },
    })
    const { get } = await start(
      { retries: 0, providers: { posts: createSource(throws).entries } },
      { server: { logger: { stream, level: 'warn' } } },
    )
    expect((await get('/sitemap.xml')).status).toBe(503)
    expect((await get('/sitemap.xml')).status).toBe(503)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ level: 50, code: 'LSM_ERR_PROVIDER_FAILED', section: 'posts' })
  })
})

describe('close', () => {
  /** A second, in real time: what DESIGN 5 promises for close(). */
  async function withinASecond(promise: Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, 1_000, false)
    })
    const inTime = await Promise.race([promise.then(() => true), late])
    clearTimeout(timer)
    return inTime
  }

  it.each([
    { name: 'a provider that heeds its signal', behaviour: hangs },
    { name: 'a provider that ignores it', behaviour: hangsForEver },
  ])('while $name hangs: within a second, and waiting requests get 503', async ({ behaviour }) => {
    const source = createSource(behaviour)
    const { app, base } = await start({ warmUp: true, log: silent, providers: { posts: source.entries } })
    const waiting = ['/sitemap.xml', '/sitemap-posts-1.xml', '/feed.rss'].map((path) => fetchRaw(base + path))
    await until(() => source.calls === 1)
    // All three are under way before the server closes.
    await until(() => app.sitemap.report().sections.posts?.state === 'never' && app.server.listening)
    await new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
    await turns(20)
    expect(await withinASecond(app.close())).toBe(true)
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(503)
    expect(source.signals[0]?.aborted).toBe(true)
  })

  it('with a stale section being refreshed: within a second', async () => {
    const source = createSource(entriesOf('posts', 1))
    const { app, clock, get } = await start({ log: silent, providers: { posts: source.entries } })
    await get('/sitemap.xml')
    source.set(hangsForEver)
    await clock.advance(60 * MINUTE)
    const waiting = watch(get('/sitemap.xml'))
    await until(() => source.calls === 2)
    expect(await withinASecond(app.close())).toBe(true)
    // Last good, or an answer for later: never nothing.
    expect([200, 503]).toContain((await waiting.value).status)
  })

  it('before the server listens, and twice', async () => {
    const app = Fastify()
    await app.register(sitemapPlugin, { site: SITE, providers: PROVIDERS })
    await app.ready()
    await app.close()
    await app.sitemap.close()
    expect(await codeOf(app.sitemap.invalidate())).toBe('LSM_ERR_CLOSED')
  })

  it.each(['inject', 'inject-hangs', 'listen', 'listen-hangs'])(
    'the process ends by itself: %s',
    async (name) => {
      const { code, err } = await runChild(new URL('./children/exits.ts', import.meta.url), { args: [name] })
      expect(err).toBe('')
      expect(code).toBe(0)
    },
  )
})

describe('what is loaded', () => {
  it.each([
    { report: 'off', compress: false },
    { report: 'on', compress: true },
  ])('report route $report: @fastify/compress $compress', async ({ report, compress: expected }) => {
    const { code, out, err } = await runChild(new URL('./children/loads.ts', import.meta.url), {
      args: [report],
    })
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toEqual({
      before: { compress: false, builder: false },
      after: { compress: expected, builder: true },
      statuses: [200, 200, 200, 200],
    })
  })
})

describe('the report route', () => {
  // Large enough for @fastify/compress to code it.
  const providers = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`section${i}`, [`/${i}`]]))

  it.each([
    { name: "without a host's @fastify/compress", before: undefined, after: undefined },
    {
      name: 'with a global one before us',
      before: (app: FastifyInstance) => app.register(compress, { global: true }),
      after: undefined,
    },
    {
      name: 'with one that is not global before us',
      before: (app: FastifyInstance) => app.register(compress, { global: false }),
      after: undefined,
    },
    {
      name: 'with one after us',
      before: undefined,
      after: (app: FastifyInstance) => app.register(compress, { global: true }),
    },
  ])('is coded per request $name', async ({ before, after }) => {
    const app = Fastify()
    await before?.(app)
    await app.register(sitemapPlugin, { site: SITE, providers, routes: { report: '/sitemap-report' } })
    // A second registration of ours, with a report of its own.
    await app.register(sitemapPlugin, {
      site: SITE,
      name: 'shopSitemap',
      prefix: '/shop',
      providers,
      routes: { report: '/sitemap-report' },
    })
    await after?.(app)
    app.get('/own', () => ({ text: 'x'.repeat(5_000) }))
    const base = await listen(app)
    await untilReady(app.sitemap)
    await untilReady(app.shopSitemap)
    for (const path of ['/sitemap-report', '/shop/sitemap-report']) {
      for (const [header, coding] of [
        ['identity', undefined],
        ['gzip', 'gzip'],
        ['br', 'br'],
      ] as const) {
        const answer = await fetchRaw(base + path, { headers: { 'accept-encoding': header } })
        expect(answer.status).toBe(200)
        expect(answer.headers['content-encoding']).toBe(coding)
        expect(answer.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
        })
        const report = JSON.parse(answer.text)
        expect(report.ready).toBe(true)
        expect(Object.keys(report.sections)).toHaveLength(12)
        expect(report.sections.section3).toMatchObject({ state: 'fresh', entries: 1, parts: 1 })
      }
    }
    // The app's own routes are coded as the app says, and no other way.
    const own = await fetchRaw(`${base}/own`, { headers: { 'accept-encoding': 'gzip' } })
    const isGlobal = before === undefined ? after !== undefined : before.toString().includes('true')
    expect(own.headers['content-encoding']).toBe(isGlobal ? 'gzip' : undefined)
    expect(
      (await fetchRaw(`${base}/sitemap.xml`, { headers: { 'accept-encoding': 'gzip' } })).text,
    ).toContain('<urlset')
  })

  it('is off unless it has a path', async () => {
    const { get } = await start({ providers })
    for (const path of ['/sitemap-report', '/report', '/sitemap/report'])
      expect((await get(path)).status).toBe(404)
  })

  it('tells of a failing section without words of the provider', async () => {
    const { get } = await start({
      log: silent,
      retries: 0,
      routes: { report: '/report' },
      providers: { posts: createSource(throws).entries },
    })
    await get('/sitemap.xml')
    const answer = await get('/report')
    expect(JSON.parse(answer.text).sections.posts).toMatchObject({
      state: 'failing',
      lastError: { code: 'LSM_ERR_PROVIDER_FAILED', failures: 1 },
    })
    expect(answer.text).not.toContain(SECRET)
  })
})

/** Entries whose URLs do not compress: documents of about `count` times `bytes`, plain and coded. */
function heavy(count: number, bytes = 80): { loc: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    loc: `/${i}-${randomBytes((bytes * 3) / 4).toString('base64url')}`,
  }))
}

describe('large documents', () => {
  it('identity is streamed with its exact length; gzip and br decode to the same', async () => {
    const { base, get } = await start({ providers: { posts: heavy(12_000) } })
    const plain = await get('/sitemap.xml')
    expect(plain.body.length).toBeGreaterThan(1_048_576)
    expect(plain.headers['content-length']).toBe(String(plain.body.length))
    expect(plain.headers['transfer-encoding']).toBeUndefined()
    expect(plain.text.endsWith('</urlset>\n')).toBe(true)
    for (const coding of ['gzip', 'br'])
      expect((await get('/sitemap.xml', { 'accept-encoding': coding })).text).toBe(plain.text)
    const head = await fetchRaw(`${base}/sitemap.xml`, { method: 'HEAD' })
    expect(head.headers['content-length']).toBe(plain.headers['content-length'])
  })

  it('over HTTP/2 as well', async () => {
    const clock = createManualClock()
    const app = Fastify({ http2: true })
    await app.register(
      createSitemapPlugin(clock) as never,
      {
        site: SITE,
        warmUp: false,
        providers: { posts: heavy(12_000) },
      } as never,
    )
    const base = await listen(app as unknown as FastifyInstance)
    const session = http2.connect(base)
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
    const coded = await ask({ 'accept-encoding': 'gzip' })
    expect(decoded(coded.body, 'gzip')).toBe(plain.body.toString('utf8'))
    expect(
      (await ask({ 'accept-encoding': 'identity', 'if-none-match': plain.given.etag })).given[':status'],
    ).toBe(304)
    expect((await ask({ ':method': 'HEAD' })).given['content-length']).toBe(plain.given['content-length'])
    expect((await ask({ ':method': 'POST' })).given[':status']).toBe(405)
    session.close()
    await once(session, 'close')
  })
})

describe('clients', () => {
  let made: { loc: string }[] | undefined

  /** Twelve megabytes: more than the system buffers of a connection. Made once. */
  function huge(): { loc: string }[] {
    made ??= heavy(30_000, 400)
    return made
  }

  /** Connects, asks, and takes nothing of the answer but what the system buffers. */
  async function stall(base: string, coding: string): Promise<net.Socket> {
    const socket = net.connect({ port: Number(new URL(base).port), host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.pause()
    await once(socket, 'connect')
    socket.write(`GET /sitemap.xml HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\n\r\n`)
    return socket
  }

  async function statusOf(client: net.Socket): Promise<string> {
    const head = await new Promise<string>((resolve) => {
      client.once('readable', () => resolve(String(client.read(12))))
    })
    return head.slice(9)
  }

  /** A site whose documents are larger than the buffers of a socket, and the server's side of its connections. */
  async function startHeavy(memory: Size, source: Source) {
    const sockets: net.Socket[] = []
    const seen = { begun: 0, closed: 0, sent: 0 }
    const started = await start(
      { log: silent, cache: { memory }, providers: { posts: source.entries } },
      {
        host: (app) =>
          app
            .addHook('onRequest', (_, reply, done) => {
              seen.begun++
              reply.raw.once('close', () => seen.closed++)
              done()
            })
            .addHook('onSend', (_request, _reply, _payload, done) => {
              seen.sent++
              done()
            }),
      },
    )
    started.app.server.on('connection', (socket) => sockets.push(socket))
    return { ...started, sockets, seen }
  }

  /** Asks until it is answered 200: what others held may take a moment to be let go. */
  async function untilServed({ get }: Started, coding: string): Promise<void> {
    const endMs = performance.now() + 5_000
    while (performance.now() < endMs) {
      const { status } = await get('/sitemap.xml', { 'accept-encoding': coding })
      if (status === 200) return
      expect(status).toBe(503)
    }
    throw new Error('not served any more')
  }

  it.each(['identity', 'gzip'])(
    'that take nothing are bounded by cache.memory, and 503 beyond: %s',
    async (coding) => {
      const started = await startHeavy('8mb', createSource(huge()))
      await started.get('/sitemap_index.xml')
      const clients: net.Socket[] = []
      for (let i = 0; i < 40; i++) clients.push(await stall(started.base, coding))
      const statuses = await Promise.all(clients.map(statusOf))
      expect(statuses).toContain('200')
      expect(statuses.filter((status) => status !== '200' && status !== '503')).toEqual([])
      const { used, limit } = started.app.sitemap.report().memory
      if (coding === 'identity') {
        expect(statuses.filter((status) => status === '503').length).toBeGreaterThan(20)
        expect(used).toBeLessThanOrEqual(limit)
      } else {
        // One body, which is larger than memory itself and is let through because it is the only one.
        expect(used).toBeLessThan(2 * limit)
      }
      for (const client of clients) client.destroy()
      await untilServed(started, coding)
    },
  )

  it.each(['identity', 'gzip'])('that took nothing for 30 s are cut off: %s', async (coding) => {
    const started = await startHeavy('8mb', createSource(huge()))
    const { app, base, sockets } = started
    await started.get('/sitemap_index.xml')
    const client = await stall(base, coding)
    await until(() => sockets.some((socket) => socket.writableLength > 0), 'the answer to stall')
    const stalled = sockets.find((socket) => socket.writableLength > 0) as net.Socket
    expect(stalled.timeout).toBe(30_000)
    const before = app.sitemap.report().memory.used
    // The timer of the machine is not waited for: this is what it does.
    stalled.emit('timeout')
    await until(() => stalled.destroyed, 'the socket to be destroyed')
    await until(() => app.sitemap.report().memory.used < before, 'what it held to be let go')
    client.destroy()
    await untilServed(started, coding)
  })

  it('that come later on the same connection find its timeout as it was', async () => {
    const { base, sockets } = await startHeavy('64mb', createSource(heavy(5_000, 400)))
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const get = async (path: string): Promise<void> => {
      const [response] = (await once(http.get(base + path, { agent }), 'response')) as [http.IncomingMessage]
      response.resume()
      await once(response, 'end')
    }
    await get('/sitemap.xml')
    await get('/sitemap-html.css')
    expect(sockets).toHaveLength(1)
    await until(() => sockets[0]?.timeout !== 30_000, 'the timeout of the body to end')
    agent.destroy()
  })

  it.each([
    { coding: 'identity', entries: 5_000, what: 'a plain body below the size that is streamed' },
    { coding: 'identity', entries: 30_000, what: 'a streamed body' },
    { coding: 'gzip', entries: 5_000, what: 'a body joined from blocks' },
    { coding: 'br', entries: 5_000, what: 'a body made by an encoder' },
  ])('that left before their answer was made hold nothing: $what, $coding', async ({ coding, entries }) => {
    const gate = createGate<readonly { loc: string }[]>()
    const source = createSource((() => gate.passed) as Behaviour)
    const started = await startHeavy('1b', source)
    const { app, base, seen } = started
    const gone = new AbortController()
    const left = [1, 2, 3].map(() =>
      fetchRaw(`${base}/sitemap.xml`, {
        headers: { 'accept-encoding': coding },
        signal: gone.signal,
      }).catch(() => 'left'),
    )
    await until(() => seen.begun === 3 && source.calls === 1)
    gone.abort()
    expect(await Promise.all(left)).toEqual(['left', 'left', 'left'])
    await until(() => seen.closed === 3)
    gate.open(heavy(entries))
    await until(() => seen.sent === 3, 'the answers that nobody takes')
    await turns(20)
    await until(() => app.sitemap.report().memory.used < 10_000, 'what they held to be let go')
    await untilServed(started, coding)
  })
})

describe('what Fastify passes on', () => {
  it('logLevel silences the requests of our routes, not those of the app', async () => {
    const lines: string[] = []
    const app = Fastify({
      logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
    })
    await app.register(sitemapPlugin, {
      site: { url: 'https://www.example.com' },
      providers: { pages: ['/'] },
      warmUp: false,
      logLevel: 'silent',
    } as SitemapOptions)
    app.get('/own', async () => 'ok')
    await app.inject('/sitemap.xml')
    expect(lines.filter((line) => line.includes('/sitemap.xml'))).toEqual([])
    await app.inject('/own')
    expect(lines.filter((line) => line.includes('/own'))).not.toEqual([])
    await app.close()
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'the report answers %s with 405 (SPEC N13)',
    async (method) => {
      const app = Fastify()
      await app.register(sitemapPlugin, {
        site: { url: 'https://www.example.com' },
        providers: { pages: ['/'] },
        routes: { report: '/report.json' },
        warmUp: false,
      })
      const answer = await app.inject({ method, url: '/report.json' })
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
      await app.close()
    },
  )
})
