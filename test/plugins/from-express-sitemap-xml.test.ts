import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import {
  type ExpressSitemapXmlOptions,
  type ExpressSitemapXmlUrl,
  fromExpressSitemapXml,
  SitemapError,
  type SitemapMiddleware,
} from '../../plugins/express.ts'
import { optionsFromExpressSitemapXml } from '../../plugins/from-express-sitemap-xml.ts'
import { createNodeSitemap } from '../../plugins/node-sitemap.ts'
import { resolveOptions } from '../../src/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { type Answer, createLines, fetchRaw, locsOf, pathsOf } from '../support/site.ts'

const BASE = 'https://www.example.com'
const HOUR = 3_600_000

const closing = new Set<() => unknown>()

afterEach(async () => {
  for (const close of closing) await close()
  closing.clear()
})

type Given = Parameters<typeof fromExpressSitemapXml>

/** The middleware on a clock of the test, in an Express app; asks it for a path. */
async function start(getUrls: Given[0], base = BASE, options: ExpressSitemapXmlOptions = {}) {
  const clock = createManualClock()
  const { lines, logger } = createLines()
  const sm = createNodeSitemap(
    optionsFromExpressSitemapXml(getUrls, base, { log: logger, warmUp: false, retries: 0, ...options }),
    clock,
  )
  const app = express()
  app.use(sm)
  app.use((_, response) => void response.send('the app itself'))
  const server = http.createServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.add(() => server.close())
  closing.add(() => sm.close())
  const { port } = server.address() as AddressInfo
  const get = (path: string): Promise<Answer> => fetchRaw(`http://127.0.0.1:${port}${path}`)
  return { sm, clock, lines, get }
}

async function xmlOf(urls: readonly (string | ExpressSitemapXmlUrl)[], base?: string): Promise<string> {
  const { get } = await start(async () => urls, base)
  return (await get('/sitemap.xml')).text
}

describe('the call', () => {
  it('as it stood there gives middleware and handle', async () => {
    const sm = fromExpressSitemapXml(async () => ['/1', '/2', '/3'], BASE)
    closing.add(() => sm.close())
    expectTypeOf(sm).toEqualTypeOf<SitemapMiddleware<'urls'>>()
    expect(await sm.ready()).toBe(true)
    expect(sm.report().sections.urls).toMatchObject({ entries: 3, parts: 1 })
  })

  it('takes lists of its own shapes', () => {
    fromExpressSitemapXml satisfies (getUrls: () => Promise<string[]>, base: string) => unknown
    const urls: ExpressSitemapXmlUrl[] = [
      { url: '/1', lastMod: new Date('2000-02-02'), changeFreq: 'weekly' },
      { url: '/2', lastMod: true, image: '/a.jpg' },
    ]
    const wrong = [
      // @ts-expect-error: no function
      () => fromExpressSitemapXml(urls, BASE),
      // @ts-expect-error: without a base
      () => fromExpressSitemapXml(() => urls),
      // @ts-expect-error: an option that neither package has
      () => fromExpressSitemapXml(() => urls, BASE, { sise: 5 }),
    ]
    for (const call of wrong) expect(call).toThrow(SitemapError)
  })

  it('with wrong arguments throws at once, all of them in one error', () => {
    const call = () => fromExpressSitemapXml(5 as never, undefined as never, { size: 0, maxAge: -1 })
    expect(call).toThrow(SitemapError)
    for (const name of ['getUrls', 'base', 'size', 'maxAge']) expect(call).toThrow(new RegExp(`"${name}"`))
    expect(() => fromExpressSitemapXml(() => [], 'www.example.com')).toThrow(/site\.url/)
    expect(() => fromExpressSitemapXml(() => [], BASE, { size: 1.5 })).toThrow(/"size" .* whole number/)
    expect(() => fromExpressSitemapXml(() => [], BASE, { maxAge: '1d' as never })).toThrow(/"maxAge"/)
  })
})

describe('URLs', () => {
  it.each([
    { url: '/1', base: BASE, loc: `${BASE}/1` },
    { url: '/1', base: `${BASE}/`, loc: `${BASE}/1` },
    // There, what begins with a slash lay below the path of the base.
    { url: '/1', base: `${BASE}/app`, loc: `${BASE}/app/1` },
    { url: '/1', base: `${BASE}/app/`, loc: `${BASE}/app/1` },
    { url: `${BASE}/x?a=1&b=2`, base: `${BASE}/app`, loc: `${BASE}/x?a=1&amp;b=2` },
    { url: '/a b/ü', base: BASE, loc: `${BASE}/a%20b/%C3%BC` },
  ])('$url of $base → $loc', async ({ url, base, loc }) => {
    expect(locsOf(await xmlOf([url], base))).toEqual([loc])
    expect(locsOf(await xmlOf([{ url }], base))).toEqual([loc])
  })

  it('of another host are left out and reported (SPEC U14)', async () => {
    const { get, sm } = await start(() => ['/1', 'https://other.example/2'])
    expect(pathsOf((await get('/sitemap.xml')).text)).toEqual(['/1'])
    expect(sm.report().sections.urls?.skipped.total).toBe(1)
  })

  it('one that is none takes only itself out', async () => {
    const { get, sm } = await start((() => [
      null,
      5,
      {},
      { url: 7 },
      '/1',
      undefined,
      { loc: '/2' },
    ]) as never)
    expect(pathsOf((await get('/sitemap.xml')).text)).toEqual(['/1'])
    expect(sm.report().sections.urls?.skipped.total).toBeGreaterThan(0)
  })
})

describe('fields', () => {
  it('keep their meaning under our names', async () => {
    const xml = await xmlOf([
      { url: '/1', lastMod: new Date('2000-02-02T00:00:00Z'), changeFreq: 'weekly', priority: 0.8 },
      { url: '/2', lastMod: '2001-03-04', image: '/a.jpg' },
      { url: '/3', image: ['/b.jpg', 'https://cdn.example/c.jpg'], lastMod: null, changeFreq: null },
    ])
    expect(xml).toContain(
      `<url><loc>${BASE}/1</loc><lastmod>2000-02-02T00:00:00Z</lastmod><changefreq>weekly</changefreq><priority>0.8</priority></url>`,
    )
    expect(xml).toContain('<lastmod>2001-03-04</lastmod>')
    expect([...xml.matchAll(/<image:loc>([^<]*)</g)].map(([, loc]) => loc)).toEqual([
      `${BASE}/a.jpg`,
      `${BASE}/b.jpg`,
      'https://cdn.example/c.jpg',
    ])
    expect(xml).not.toContain('null')
  })

  it('images lie below the path of the base as well', async () => {
    expect(await xmlOf([{ url: '/1', image: '/a.jpg' }], `${BASE}/app`)).toContain(
      `<image:loc>${BASE}/app/a.jpg</image:loc>`,
    )
  })

  it('lastMod true is not turned into today: it is left out, and that is said once', async () => {
    const { clock, get, lines, sm } = await start(() => [
      { url: '/1', lastMod: true },
      { url: '/2', lastMod: true },
      { url: '/3', lastMod: false },
    ])
    const first = await get('/sitemap.xml')
    expect(first.text).not.toContain('<lastmod>')
    await clock.advance(24 * HOUR)
    await sm.invalidate()
    const second = await get('/sitemap.xml')
    // Another day, the same document.
    expect(second.headers.etag).toBe(first.headers.etag)
    expect(second.headers['last-modified']).toBe(first.headers['last-modified'])
    expect(lines).toEqual([
      {
        level: 'warn',
        code: 'LSM_WARN_ENTRY_SKIPPED',
        message: expect.stringMatching(/^lastMod: true is left out/),
      },
    ])
  })

  it('nothing is said where nobody gave it', async () => {
    const { get, lines } = await start(() => ['/1', { url: '/2', lastMod: '2001-03-04' }])
    await get('/sitemap.xml')
    expect(lines).toEqual([])
  })
})

describe('options', () => {
  it('size cuts the parts, which the document at /sitemap.xml names', async () => {
    const { get } = await start(() => ['/1', '/2', '/3'], BASE, { size: 2 })
    const index = await get('/sitemap.xml')
    expect(pathsOf(index.text)).toEqual(['/sitemap-urls-1.xml', '/sitemap-urls-2.xml'])
    expect(pathsOf((await get('/sitemap-urls-2.xml')).text)).toEqual(['/3'])
  })

  it.each<{ given: ExpressSitemapXmlOptions; limit: number; ttlMs: number }>([
    { given: {}, limit: 50_000, ttlMs: 24 * HOUR },
    { given: { size: 1_000, maxAge: 60_000 }, limit: 1_000, ttlMs: 60_000 },
    { given: { size: 100_000, maxAge: 0 }, limit: 50_000, ttlMs: 0 },
    { given: { size: Infinity, maxAge: 0.4 }, limit: 50_000, ttlMs: 0 },
    { given: { limit: 7, cache: { ttl: '1h' } }, limit: 7, ttlMs: HOUR },
    { given: { size: 9, maxAge: 1, limit: 7, cache: { ttl: '1h' } }, limit: 7, ttlMs: HOUR },
  ])('$given → limit $limit, ttl $ttlMs ms', ({ given, limit, ttlMs }) => {
    const resolved = resolveOptions(optionsFromExpressSitemapXml(() => [], BASE, given))
    expect([resolved.limit, resolved.cache.ttlMs]).toEqual([limit, ttlMs])
  })

  it('maxAge Infinity: once in a process', async () => {
    let calls = 0
    const { clock, get } = await start(
      () => {
        calls++
        return ['/1']
      },
      BASE,
      { maxAge: Infinity },
    )
    await get('/sitemap.xml')
    await clock.advance(365 * 24 * HOUR)
    await get('/sitemap.xml')
    expect(calls).toBe(1)
  })

  it('maxAge is how long the list is not asked for again', async () => {
    let calls = 0
    const { clock, get } = await start(async () => [`/${++calls}`], BASE, { maxAge: 60_000 })
    expect(pathsOf((await get('/sitemap.xml')).text)).toEqual(['/1'])
    await clock.advance(59_999)
    await get('/sitemap.xml')
    expect(calls).toBe(1)
    // Much later, so that the answer waits for the refresh.
    await clock.advance(24 * HOUR)
    expect(pathsOf((await get('/sitemap.xml')).text)).toEqual(['/2'])
  })

  it('ours may stand beside: site, routes, exclude', async () => {
    const { get } = await start(() => ['/1', '/drafts/2'], BASE, {
      site: { title: 'Example', language: 'de' },
      routes: { html: '/sitemap.html' },
      exclude: '/drafts/*',
    })
    expect(pathsOf((await get('/sitemap.xml')).text)).toEqual(['/1'])
    const html = await get('/sitemap.html')
    expect(html.text).toContain('<html lang="de"')
    expect(html.text).toContain('Example')
  })

  it("only what that package served is taken from the app's paths", async () => {
    const { get } = await start(() => ['/1'])
    expect((await get('/sitemap.xml')).status).toBe(200)
    expect((await get('/sitemap-urls-9.xml')).status).toBe(404)
    for (const path of [
      '/sitemap_index.xml',
      '/feed.rss',
      '/sitemap.html',
      '/sitemap.txt',
      '/sitemap-html.css',
    ])
      expect((await get(path)).text, path).toBe('the app itself')
  })
})

describe('outages', () => {
  it.each([
    {
      name: 'throws',
      fails: (): never => {
        throw new Error('down')
      },
    },
    { name: 'rejects', fails: async (): Promise<never> => Promise.reject(new Error('down')) },
    { name: 'gives no list', fails: (async () => ({ '/1': true })) as never },
  ])('getUrls $name: 503 at first, the last good one later', async ({ fails }) => {
    let getUrls: Given[0] = fails
    const { clock, get, lines, sm } = await start(() => getUrls())
    expect((await get('/sitemap.xml')).status).toBe(503)
    expect(lines).toMatchObject([{ level: 'error', code: 'LSM_ERR_PROVIDER_FAILED' }])
    getUrls = () => ['/1']
    await clock.advance(1_000)
    await sm.invalidate()
    getUrls = fails
    await clock.advance(48 * HOUR)
    const answer = await get('/sitemap.xml')
    expect(answer.status).toBe(200)
    expect(pathsOf(answer.text)).toEqual(['/1'])
  })
})
