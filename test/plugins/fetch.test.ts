import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import sitemapByDefault, {
  type FetchRequest,
  type FetchSitemap,
  path,
  SitemapError,
  type SitemapHandle,
  type SitemapOptions,
  sitemap,
} from '../../plugins/fetch.ts'
import { createBody } from '../../plugins/fetch-body.ts'
import { createFetchSitemap } from '../../plugins/fetch-sitemap.ts'
import { Hono, type HonoApp, serve } from '../support/hono.ts'
import { createManualClock, type ManualClock, turns, until } from '../support/manual-clock.ts'
import {
  createGate,
  createLines,
  createSource,
  decoded,
  entriesOf,
  fetchRaw,
  gated,
  hangs,
  pathsOf,
  SECRET,
  SITE,
  type TestOptions,
  throws,
  untilReady,
  watch,
} from '../support/site.ts'

const MINUTE = 60_000
const ORIGIN = 'https://host.example'
const PROVIDERS = { pages: ['/', '/about'], posts: () => entriesOf('posts', 30) }
const OPTIONS = { site: SITE, providers: PROVIDERS } satisfies SitemapOptions
/** More than a mebibyte, which is sent block by block. */
const LARGE: readonly string[] = Array.from(
  { length: 12_000 },
  (_, i) => `/an-article-with-a-rather-long-name-of-which-there-are-many/${(i * 7_919) % 100_003}-${i}`,
)

const handles = new Set<SitemapHandle>()
const servers = new Set<{ close(): unknown }>()

afterEach(async () => {
  await Promise.all([...handles].map((handle) => handle.close()))
  for (const server of servers) server.close()
  handles.clear()
  servers.clear()
  vi.restoreAllMocks()
})

function make(options: Partial<TestOptions> = {}, clock: ManualClock = createManualClock()): FetchSitemap {
  const sm = createFetchSitemap({ ...OPTIONS, ...options }, clock)
  handles.add(sm)
  return sm
}

/** The answer, which must be there. */
async function ask(sm: FetchSitemap, url: string, init?: RequestInit): Promise<Response> {
  const response = await sm.fetch(new Request(ORIGIN + url, init))
  if (response === undefined) throw new Error(`${url} is not ours`)
  return response
}

describe('sitemap()', () => {
  it('is a default and a named export, and gives the handle', () => {
    expect(sitemapByDefault).toBe(sitemap)
    const sm = sitemap(OPTIONS)
    handles.add(sm)
    expect(Object.keys(sm)).toEqual(
      expect.arrayContaining(['fetch', 'invalidate', 'report', 'ready', 'close']),
    )
    expect(sm.links()).toContain('href="https://www.example.com/sitemap.xml"')
    expect(path`/a/${'b c'}`).toBe('/a/b%20c')
  })

  it('checks the options at once, all faults in one error', () => {
    const wrong = { site: { url: 'example' }, providers: {}, limt: 5 }
    for (const name of ['site.url', 'providers', 'limt'])
      expect(() => sitemap(wrong as never)).toThrow(new RegExp(name))
    expect(() => sitemap(undefined as never)).toThrow(SitemapError)
  })
})

describe('types', () => {
  it('takes a Request, and what is made of one', () => {
    expectTypeOf<Request>().toExtend<FetchRequest>()
    expectTypeOf<FetchSitemap>().toExtend<SitemapHandle>()
    expectTypeOf<FetchSitemap['fetch']>().returns.resolves.toEqualTypeOf<Response | undefined>()
    expectTypeOf<FetchSitemap['fetch']>().toBeCallableWith(new Request(ORIGIN), { waitUntil: () => {} })
    const wrong = [
      // @ts-expect-error: without options
      () => sitemap(),
      // @ts-expect-error: without a site
      () => sitemap({ providers: PROVIDERS }),
      // @ts-expect-error: a misspelt option
      () => sitemap({ ...OPTIONS, exlude: '/a' }),
    ]
    for (const call of wrong) expect(call).toThrow(SitemapError)
    const sm = sitemap(OPTIONS)
    handles.add(sm)
    expectTypeOf(sm).toEqualTypeOf<FetchSitemap<'pages' | 'posts'>>()
    // @ts-expect-error: no section
    expect(() => sm.refresh('post')).toThrow(SitemapError)
    // @ts-expect-error: a URL is no request
    expectTypeOf<FetchSitemap['fetch']>().toBeCallableWith(new URL(ORIGIN))
  })
})

describe("Node's own Request and Response", () => {
  it.each(['/', '/elsewhere', '/sitemap.xml/', '/sitemap-po%20sts-1.xml', '/%zz', '/sitemap-posts-1.json'])(
    '%s is none of ours: undefined',
    async (url) => {
      const source = createSource(entriesOf('posts', 1))
      const sm = make({ providers: { posts: source.entries } })
      expect(await sm.fetch(new Request(ORIGIN + url))).toBeUndefined()
      expect(source.calls).toBe(0)
    },
  )

  it("OPTIONS is the app's", async () => {
    expect(await make().fetch(new Request(`${ORIGIN}/sitemap.xml`, { method: 'OPTIONS' }))).toBeUndefined()
  })

  // Adapters make the URL of whatever stands in Host, which with one site is never read.
  it.each(['http://xn--zz/sitemap.xml?a=b', 'http://a b/sitemap.xml', '//sitemap.xml', 'sitemap.xml', ''])(
    'a URL that is none, "%s": its path counts',
    async (url) => {
      const response = await make().fetch({ method: 'GET', url, headers: new Headers() })
      expect(response?.status).toBe(url.startsWith('http') ? 200 : undefined)
    },
  )

  it.each(['identity', 'gzip', 'br'])('%s: a Response with our headers, and the bytes', async (coding) => {
    const response = await ask(make(), '/sitemap.xml?a=b', { headers: { 'accept-encoding': coding } })
    expect(response).toBeInstanceOf(Response)
    expect(response.status).toBe(200)
    const headers = Object.fromEntries(response.headers)
    const body = Buffer.from(await response.arrayBuffer())
    expect(headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'content-length': String(body.length),
      vary: 'Accept-Encoding',
      'last-modified': 'Thu, 15 Jan 2026 12:00:00 GMT',
    })
    expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding)
    expect(pathsOf(decoded(body, headers['content-encoding']))).toHaveLength(32)
  })

  it.each([
    { name: 'HEAD', init: { method: 'HEAD' }, status: 200, length: true },
    {
      name: 'HEAD of a 404',
      url: '/sitemap-posts-9.xml',
      init: { method: 'HEAD' },
      status: 404,
      length: true,
    },
    { name: '304', init: { headers: { 'if-none-match': '*' } }, status: 304, length: false },
  ])('$name has no body', async ({ url = '/sitemap.xml', init, status, length }) => {
    const response = await ask(make(), url, init)
    expect(response.status).toBe(status)
    expect(response.body).toBeNull()
    expect(response.headers.has('content-length')).toBe(length)
    expect(response.headers.has('content-type')).toBe(length)
  })

  it('405 with Allow, and its request body is not read', async () => {
    const request = new Request(`${ORIGIN}/sitemap.xml`, { method: 'POST', body: 'x' })
    const response = await make().fetch(request)
    expect(response?.status).toBe(405)
    expect(response?.headers.get('allow')).toBe('GET, HEAD')
    expect(request.bodyUsed).toBe(false)
  })

  it('encodings false: identity, weak tags that match, no Vary', async () => {
    const sm = make({ encodings: false })
    const response = await ask(sm, '/sitemap.xml', { headers: { 'accept-encoding': 'br, gzip' } })
    const tag = response.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"/)
    expect(response.headers.has('content-encoding')).toBe(false)
    expect(response.headers.has('vary')).toBe(false)
    expect(await response.text()).toContain('<urlset')
    for (const given of [tag, tag.slice(2)])
      expect((await ask(sm, '/sitemap.xml', { headers: { 'if-none-match': given } })).status).toBe(304)
  })

  it('URLs come from site.url, whatever the request says', async () => {
    const sm = make()
    const plain = await (await ask(sm, '/sitemap_index.xml')).text()
    const response = await sm.fetch(
      new Request('http://evil.example:81/sitemap_index.xml', {
        headers: { 'x-forwarded-host': 'evil.example' },
      }),
    )
    expect(await response?.text()).toBe(plain)
  })

  it('a provider that throws: 503 with Retry-After and not a word of it', async () => {
    const { lines, logger } = createLines()
    const sm = make({ log: logger, retries: 0, providers: { posts: createSource(throws).entries } })
    const response = await ask(sm, '/sitemap.xml')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect((await response.text()) + JSON.stringify([...response.headers])).not.toContain(SECRET)
    expect(lines).toMatchObject([{ code: 'LSM_ERR_PROVIDER_FAILED' }])
  })
})

describe('a process that may be frozen after the answer', () => {
  it('reads nothing before it is asked, and has no timers', async () => {
    const clock = createManualClock()
    const source = createSource(entriesOf('posts', 1))
    const sm = make({ providers: { posts: source.entries } }, clock)
    await sm.fetch(new Request(`${ORIGIN}/elsewhere`))
    await turns(20)
    expect(source.calls).toBe(0)
    await ask(sm, '/sitemap.xml')
    await clock.advance(60 * MINUTE)
    expect(source.calls).toBe(1)
    expect(clock.waiting).toBe(0)
  })

  it('without waitUntil a stale state waits for its refresh, and is new', async () => {
    const clock = createManualClock()
    const source = createSource(entriesOf('posts', 1))
    const sm = make({ providers: { posts: source.entries } }, clock)
    await ask(sm, '/sitemap.xml')
    const gate = createGate<readonly string[]>()
    source.set(gated(gate))
    await clock.advance(10 * MINUTE)
    const asked = watch(ask(sm, '/sitemap.xml'))
    await until(() => source.calls === 2)
    await turns(20)
    expect(asked.settled).toBe(false)
    gate.open(['/new'])
    const response = await asked.value
    expect(pathsOf(await response.text())).toEqual(['/new'])
    expect(response.headers.get('cache-control')).toContain('max-age=300')
  })

  it('for cache.wait at most, and once', async () => {
    const clock = createManualClock()
    const source = createSource(entriesOf('posts', 1))
    const sm = make({ cache: { wait: '2s' }, providers: { posts: source.entries } }, clock)
    await ask(sm, '/sitemap.xml')
    source.set(hangs)
    await clock.advance(10 * MINUTE)
    const asked = watch(ask(sm, '/sitemap.xml'))
    await until(() => source.calls === 2)
    await turns(20)
    await clock.advance(1_999)
    expect(asked.settled).toBe(false)
    await clock.advance(1)
    const response = await asked.value
    expect(pathsOf(await response.text())).toEqual(['/posts-1'])
    expect(response.headers.get('cache-control')).toContain('max-age=60')
    // The next one finds the refresh old enough.
    expect((await ask(sm, '/sitemap.xml')).status).toBe(200)
  })

  it('with waitUntil a stale state is answered at once, and the host keeps its refresh', async () => {
    const clock = createManualClock()
    const source = createSource(entriesOf('posts', 1))
    const sm = make({ providers: { pages: ['/'], posts: source.entries } }, clock)
    await ask(sm, '/sitemap.xml')
    const gate = createGate<readonly string[]>()
    source.set(gated(gate))
    await clock.advance(10 * MINUTE)
    const kept: Promise<unknown>[] = []
    const waitUntil = (promise: Promise<unknown>): void => void kept.push(promise)
    const stale = await sm.fetch(new Request(`${ORIGIN}/sitemap.xml`), { waitUntil })
    expect(stale?.headers.get('cache-control')).toContain('max-age=60')
    // The refresh of the one section that is stale, and nothing else.
    expect(kept).toHaveLength(1)
    const refresh = watch(kept[0] as Promise<unknown>)
    // A second request keeps the same one running.
    await sm.fetch(new Request(`${ORIGIN}/sitemap-posts-1.xml`), { waitUntil })
    expect(kept).toHaveLength(2)
    await sm.fetch(new Request(`${ORIGIN}/sitemap-pages-1.xml`), { waitUntil })
    expect(kept).toHaveLength(2)
    await turns(20)
    expect(refresh.settled).toBe(false)
    gate.open(['/new'])
    await Promise.all(kept)
    expect(source.calls).toBe(2)
    const fresh = await sm.fetch(new Request(`${ORIGIN}/sitemap-posts-1.xml`), { waitUntil })
    expect(pathsOf((await fresh?.text()) ?? '')).toEqual(['/new'])
    expect(kept).toHaveLength(2)
  })

  it('with waitUntil the walks of a cold 503 go on, and one that fails is no rejection', async () => {
    const clock = createManualClock()
    const gate = createGate<readonly string[]>()
    const source = createSource(gated(gate))
    const sm = make({ retries: 0, providers: { posts: source.entries } }, clock)
    const kept: Promise<unknown>[] = []
    const waitUntil = (promise: Promise<unknown>): void => void kept.push(promise)
    const asked = sm.fetch(new Request(`${ORIGIN}/sitemap.xml`), { waitUntil })
    await until(() => source.calls === 1)
    await clock.advance(10_000)
    expect((await asked)?.status).toBe(503)
    expect(kept).toHaveLength(1)
    gate.open(['/late'])
    await Promise.all(kept)
    expect(sm.report().ready).toBe(true)
    source.set(throws)
    await clock.advance(10 * MINUTE)
    await sm.fetch(new Request(`${ORIGIN}/sitemap.xml`), { waitUntil })
    expect(kept).toHaveLength(2)
    await Promise.all(kept)
    expect(sm.report().sections.posts?.state).toBe('failing')
  })

  it('a waitUntil that throws costs a line in the log, not the answer', async () => {
    const { lines, logger } = createLines()
    const sm = make({ log: logger })
    const waitUntil = (): never => {
      throw new Error('outside of a request')
    }
    expect((await sm.fetch(new Request(`${ORIGIN}/sitemap.xml`), { waitUntil }))?.status).toBe(200)
    expect(lines).toMatchObject([{ level: 'error', code: 'LSM_ERR_INTERNAL' }])
  })

  it('with warmUp true it is said to live on: read by the first request, then by timers, stale answers at once', async () => {
    const clock = createManualClock()
    const source = createSource(entriesOf('posts', 1))
    const sm = make({ warmUp: true, providers: { posts: source.entries } }, clock)
    await sm.fetch(new Request(`${ORIGIN}/elsewhere`))
    await untilReady(sm)
    expect(source.calls).toBe(1)
    await ask(sm, '/sitemap.xml')
    source.set(hangs)
    await clock.advance(12 * MINUTE)
    await until(() => source.calls > 1)
    expect((await ask(sm, '/sitemap.xml')).headers.get('cache-control')).toContain('max-age=60')
  })
})

describe('a large body', () => {
  const kinds = [
    { what: 'streamed', coding: 'identity' },
    { what: 'of one piece', coding: 'gzip' },
  ] as const

  /** Bodies that hardly compress, so that the coded one is large too. */
  const noisy = Array.from({ length: 6_000 }, (_, i) => `/${i}-${noise(i)}`)

  async function start(coding: string) {
    const clock = createManualClock()
    // What is not being sent is not kept.
    const sm = make({ cache: { memory: '1b' }, providers: { posts: noisy } }, clock)
    await (await ask(sm, '/sitemap_index.xml')).text()
    const before = sm.report().memory.used
    return {
      sm,
      clock,
      open: (init: RequestInit = {}) =>
        ask(sm, '/sitemap.xml', { ...init, headers: { 'accept-encoding': coding } }),
      isHeld: () => sm.report().memory.used > before + 100_000,
    }
  }

  it.each(kinds)('$what, comes whole, in pieces, with its length', async ({ coding }) => {
    const { open, isHeld } = await start(coding)
    const response = await open()
    expect(isHeld()).toBe(true)
    const pieces: Buffer[] = []
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece))
    const body = Buffer.concat(pieces)
    expect(body).toHaveLength(Number(response.headers.get('content-length')))
    expect(pathsOf(decoded(body, coding))).toHaveLength(noisy.length)
    expect(pieces.length).toBeGreaterThan(1)
    await until(() => !isHeld())
  })

  it.each(kinds)('$what, is given back when its reader cancels', async ({ coding }) => {
    const { open, isHeld } = await start(coding)
    const response = await open()
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
    await turns(20)
    expect(isHeld()).toBe(true)
    await reader?.cancel()
    await until(() => !isHeld())
  })

  it.each(kinds)('$what, is given back when it is never read and cancelled', async ({ coding }) => {
    const { open, isHeld } = await start(coding)
    await (await open()).body?.cancel()
    await until(() => !isHeld())
  })

  it.each(kinds)('$what, is given back when the client leaves', async ({ coding }) => {
    const { open, isHeld } = await start(coding)
    const left = new AbortController()
    const response = await open({ signal: left.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    left.abort()
    await until(() => !isHeld())
    await expect(reader?.read()).rejects.toThrow('the client left')
  })

  it.each(kinds)('$what, is held by nobody when the client had left before', async ({ coding }) => {
    const { sm, isHeld } = await start(coding)
    const left = new AbortController()
    left.abort()
    const headers = new Headers({ 'accept-encoding': coding })
    const response = await sm.fetch({
      method: 'GET',
      url: `${ORIGIN}/sitemap.xml`,
      headers,
      signal: left.signal,
    })
    expect(response?.status).toBe(200)
    await until(() => !isHeld())
    await expect(response?.text()).rejects.toThrow('the client left')
  })

  it.each(kinds)('$what, is given up when nobody takes of it for 30 s', async ({ coding }) => {
    const { open, isHeld, clock } = await start(coding)
    const response = await open()
    const reader = response.body?.getReader()
    for (let n = 0; n < 3; n++) {
      await clock.advance(29_000)
      expect((await reader?.read())?.done).toBe(false)
    }
    await clock.advance(29_999)
    expect(isHeld()).toBe(true)
    await clock.advance(1)
    await until(() => !isHeld())
    await expect(reader?.read()).rejects.toThrow('the body was not read')
    expect(clock.waiting).toBe(0)
  })

  it.each(kinds)('$what, is read no faster than it is taken', async ({ coding }) => {
    const { open } = await start(coding)
    const response = await open()
    let pulled = 0
    const body = createBody(
      {
        status: 200,
        headers: {},
        bytes: undefined,
        done: undefined,
        body: (async function* () {
          for await (const piece of response.body ?? []) {
            pulled++
            yield Buffer.from(piece)
          }
        })(),
      },
      { signal: undefined, clock: createManualClock(), failed: () => {} },
    ) as ReadableStream<Uint8Array>
    const reader = body.getReader()
    await turns(20)
    expect(pulled).toBe(0)
    await reader.read()
    await turns(20)
    expect(pulled).toBe(1)
    await reader.cancel()
  })

  it.each(kinds)("$what, a reader's piece is its own: what is cached stays as it is", async ({ coding }) => {
    const { sm } = await start(coding)
    const small = make()
    for (const one of [sm, small]) {
      const init = { headers: { 'accept-encoding': coding } }
      const expected = Buffer.from(await (await ask(one, '/sitemap.xml', init)).arrayBuffer())
      for await (const piece of (await ask(one, '/sitemap.xml', init)).body ?? []) {
        const bytes = piece as Uint8Array<ArrayBuffer>
        bytes.fill(0)
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
      }
      const again = Buffer.from(await (await ask(one, '/sitemap.xml', init)).arrayBuffer())
      expect(again.equals(expected)).toBe(true)
    }
  })

  it('leaves no listener on a signal that outlives it', async () => {
    const { sm } = await start('gzip')
    const { signal } = new AbortController()
    const headers = new Headers({ 'accept-encoding': 'gzip' })
    for (let n = 0; n < 3; n++) {
      const response = await sm.fetch({ method: 'GET', url: `${ORIGIN}/sitemap.xml`, headers, signal })
      await response?.arrayBuffer()
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('that breaks off is an error for its reader, told once', async () => {
    const told: unknown[] = []
    const fault = new Error('the disk is gone')
    const done = vi.fn()
    const body = createBody(
      {
        status: 200,
        headers: {},
        bytes: 10,
        done,
        body: (async function* () {
          yield Buffer.from('half ')
          throw fault
        })(),
      },
      { signal: undefined, clock: createManualClock(), failed: (error) => told.push(error) },
    )
    await expect(new Response(body).text()).rejects.toThrow('the disk is gone')
    expect(told).toEqual([fault])
    expect(done).toHaveBeenCalledOnce()
  })
})

describe('Hono', () => {
  async function listen(app: HonoApp): Promise<string> {
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      )
      servers.add(server)
    })
  }

  it('as middleware, before the app', async () => {
    const sm = make()
    const app = new Hono()
    app.use(async (context, next) => (await sm.fetch(context.req.raw)) ?? (await next()))
    app.all('*', (context) => context.text('the app itself'))
    const base = await listen(app)
    expect((await fetchRaw(`${base}/sitemap.xml`, { headers: { 'accept-encoding': 'br' } })).text).toContain(
      '<urlset',
    )
    expect((await fetchRaw(`${base}/sitemap-posts-9.xml`)).status).toBe(404)
    expect((await fetchRaw(`${base}/sitemap.xml`, { method: 'POST', body: 'x' })).status).toBe(405)
    expect((await fetchRaw(`${base}/elsewhere`)).text).toBe('the app itself')
    // A test of the app's own needs no server.
    expect((await app.request('/sitemap.txt')).status).toBe(200)
  })

  it('below a path, with prefix', async () => {
    const sm = make({ prefix: '/shop' })
    const app = new Hono().basePath('/shop')
    app.use(async (context, next) => (await sm.fetch(context.req.raw)) ?? (await next()))
    const response = await app.request('/shop/sitemap_index.xml')
    expect(pathsOf(await response.text())).toEqual(['/shop/sitemap-pages-1.xml', '/shop/sitemap-posts-1.xml'])
    expect((await app.request('/sitemap.xml')).status).toBe(404)
  })

  it('whose other middleware throws our answer away: what it held is given back in the end', async () => {
    const clock = createManualClock()
    const sm = make({ providers: { posts: LARGE } }, clock)
    await sm.ready()
    const before = sm.report().memory.used
    const app = new Hono()
    app.use(async (context, next) => {
      await next()
      context.res = new Response('instead')
    })
    app.use(async (context, next) => (await sm.fetch(context.req.raw)) ?? (await next()))
    expect(await (await app.request('/sitemap.xml')).text()).toBe('instead')
    expect(sm.report().memory.used).toBeGreaterThan(before + 100_000)
    await clock.advance(30_000)
    await until(() => sm.report().memory.used < before + 10_000)
  })
})

describe('a route handler of Next.js', () => {
  it('is a function from Request to Response', async () => {
    const sm = make({ encodings: false })
    const GET = async (request: Request): Promise<Response> =>
      (await sm.fetch(request)) ?? new Response(null, { status: 404 })
    expect((await GET(new Request(`${ORIGIN}/sitemap.xml`))).headers.get('etag')).toMatch(/^W\//)
    expect((await GET(new Request(`${ORIGIN}/elsewhere`))).status).toBe(404)
  })
})

/** 300 characters that hardly compress, the same in each run. */
function noise(seed: number): string {
  const bytes = Buffer.allocUnsafe(225)
  let state = seed + 1
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes.toString('base64url')
}
