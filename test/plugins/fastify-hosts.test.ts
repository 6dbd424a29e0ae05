import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import caching from '@fastify/caching'
import compress from '@fastify/compress'
import etag from '@fastify/etag'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import sitemapPlugin, { type SitemapOptions } from '../../plugins/fastify.ts'
import {
  type Answer,
  closeApps,
  closeEngines,
  createSource,
  createTestEngine,
  decoded,
  entriesOf,
  fetchRaw,
  listen,
  SITE,
  throws,
} from '../support/site.ts'

type Host = (app: FastifyInstance) => unknown

let root = ''

const HOSTS: Readonly<Record<string, Host>> = {
  nothing: () => {},
  // Everything is coded, however small: what is coded twice cannot hide.
  '@fastify/compress': (app) => app.register(compress, { global: true, threshold: 0 }),
  '@fastify/etag': (app) => app.register(etag),
  '@fastify/etag, weak': (app) => app.register(etag, { weak: true }),
  '@fastify/helmet': (app) => app.register(helmet, { global: true }),
  '@fastify/caching': (app) => app.register(caching, { privacy: 'private', expiresIn: 31_536_000 }),
  '@fastify/caching no-cache': (app) => app.register(caching, { privacy: 'no-cache' }),
  'a catch-all route': (app) => app.all('/*', (_, reply) => reply.code(200).send('the app itself')),
  'a wildcard static folder': (app) => app.register(fastifyStatic, { root, prefix: '/', wildcard: true }),
  'all of them': async (app) => {
    await app.register(compress, { global: true, threshold: 0 })
    await app.register(etag)
    await app.register(helmet, { global: true })
    await app.register(caching, { privacy: 'private', expiresIn: 31_536_000 })
    app.all('/*', (_, reply) => reply.code(200).send('the app itself'))
  },
  'all of them, the other way round': async (app) => {
    app.all('/*', (_, reply) => reply.code(200).send('the app itself'))
    await app.register(caching, { privacy: 'private', expiresIn: 31_536_000 })
    await app.register(helmet, { global: true })
    await app.register(etag)
    await app.register(compress, { global: true, threshold: 0 })
  },
}

const OPTIONS: SitemapOptions = {
  site: SITE,
  providers: {
    pages: ['/', '/about', { loc: '/both', title: 'Both' }],
    // Duplicates over sections: such a body is not joined from compressed blocks.
    posts: () => [...entriesOf('posts', 1_200), { loc: '/both', title: 'Again' }],
  },
}
const PATHS = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/feed.rss',
  '/sitemap.html',
  '/sitemap.txt',
  '/sitemap-pages-1.xml',
  '/sitemap-posts-1.xml',
  '/sitemap-posts-1.txt',
  '/sitemap-posts-2.html',
  '/sitemap-html.css',
]
const CODINGS = ['identity', 'gzip', 'br'] as const
const OURS_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800'

const reference = new Map<string, Answer>()

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lsm-static-'))
  // What a static folder would rather serve.
  for (const name of ['sitemap.xml', 'feed.rss', 'sitemap-posts-1.xml', 'sitemap-gone-1.xml'])
    await writeFile(join(root, name), 'a file of the app')
  const { ask } = createTestEngine(OPTIONS)
  for (const path of PATHS)
    for (const coding of CODINGS)
      reference.set(`${path} ${coding}`, await ask(path, { 'accept-encoding': coding }))
})

afterAll(async () => {
  await closeApps()
  await closeEngines()
  await rm(root, { recursive: true, force: true })
})

/** Headers that belong to a document, whatever else a host adds. */
const OURS = [
  'etag',
  'cache-control',
  'content-type',
  'content-encoding',
  'vary',
  'x-content-type-options',
  'x-robots-tag',
  'accept-ranges',
]

const ours = (answer: Answer): object =>
  Object.fromEntries(
    OURS.map((name) => [name, answer.headers[name]]).filter(([, value]) => value !== undefined),
  )

// A second registration of ours meets the hosts that hook into every route.
const twice = /^nothing|compress|^all of them$/
const cases = Object.keys(HOSTS).flatMap((host) =>
  (host === 'nothing' ? ['after'] : ['before', 'after']).flatMap((place) =>
    (twice.test(host) ? [1, 2] : [1]).map((registrations) => ({ host, place, registrations })),
  ),
)

describe.each(cases)('$host, registered $place us, $registrations registrations of ours', (row) => {
  let base = ''
  let cold: ReturnType<typeof createSource>

  beforeAll(async () => {
    cold = createSource(throws)
    const app = Fastify()
    const addOurs = async (): Promise<void> => {
      await app.register(sitemapPlugin, OPTIONS)
      if (row.registrations === 2)
        await app.register(sitemapPlugin, {
          ...OPTIONS,
          name: 'shop',
          prefix: '/shop',
          // Below the prefix the documents name other URLs of ours.
          publicPath: '',
        })
      // One that has nothing to serve, for answers that are errors.
      await app.register(sitemapPlugin, {
        site: SITE,
        name: 'broken',
        prefix: '/broken',
        retries: 0,
        log: { info() {}, warn() {}, error() {} },
        providers: { posts: cold.entries },
      })
    }
    const host = HOSTS[row.host] ?? (() => {})
    if (row.place === 'before') await host(app)
    await addOurs()
    if (row.place === 'after') await host(app)
    base = await listen(app)
  })

  const prefixes = row.registrations === 2 ? ['', '/shop'] : ['']

  it.each(CODINGS)('%s: bodies intact, coded once, under our validators and our headers', async (coding) => {
    for (const prefix of prefixes) {
      for (const path of PATHS) {
        const expected = reference.get(`${path} ${coding}`) as Answer
        const answer = await fetchRaw(base + prefix + path, { headers: { 'accept-encoding': coding } })
        const where = prefix + path
        expect(answer.status, where).toBe(200)
        expect(ours(answer), where).toEqual(ours(expected))
        expect(answer.body.equals(expected.body), where).toBe(true)
        expect(answer.text, where).toBe(reference.get(`${path} identity`)?.text)
        expect(Number(answer.headers['content-length']), where).toBe(answer.body.length)
        expect(answer.headers['transfer-encoding'], where).toBeUndefined()
      }
    }
  })

  // What the host could still code: we send identity, under a strong ETag.
  it.each(['deflate', 'br;q=0.1, gzip;q=0.1, identity;q=0.5', 'zstd;q=0.1, deflate, identity'])(
    'Accept-Encoding "%s": our identity bytes are left alone',
    async (header) => {
      for (const path of PATHS) {
        const expected = reference.get(`${path} identity`) as Answer
        const answer = await fetchRaw(base + path, { headers: { 'accept-encoding': header } })
        expect(answer.headers['content-encoding'], path).toBeUndefined()
        expect(ours(answer), path).toEqual(ours(expected))
        expect(answer.body.equals(expected.body), path).toBe(true)
      }
    },
  )

  it.each(CODINGS)('%s: 304 to our ETag, also weakened, without body and its headers', async (coding) => {
    for (const path of PATHS) {
      const { headers } = reference.get(`${path} ${coding}`) as Answer
      const tags = path === '/sitemap.xml' ? [`W/${headers.etag}`, `"x", ${headers.etag}`, '*'] : []
      for (const tag of [headers.etag, ...tags]) {
        const answer = await fetchRaw(base + path, {
          headers: { 'accept-encoding': coding, 'if-none-match': tag },
        })
        expect(answer.status).toBe(304)
        expect(answer.body).toHaveLength(0)
        expect(answer.headers).toMatchObject({
          etag: headers.etag,
          'cache-control': OURS_CACHE_CONTROL,
          vary: 'Accept-Encoding',
        })
        // STYLE 8: a length of 0 here would be taken for that of the stored body.
        expect(answer.headers['content-length'], path).toBeUndefined()
        expect(answer.headers['content-encoding']).toBeUndefined()
      }
    }
    const other = await fetchRaw(`${base}/sitemap.xml`, {
      headers: { 'accept-encoding': coding, 'if-none-match': '"other"' },
    })
    expect(other.status).toBe(200)
  })

  it.each(CODINGS)('%s: HEAD has the headers of GET', async (coding) => {
    for (const path of PATHS) {
      const expected = reference.get(`${path} ${coding}`) as Answer
      const answer = await fetchRaw(base + path, { method: 'HEAD', headers: { 'accept-encoding': coding } })
      expect(answer.status).toBe(200)
      expect(ours(answer)).toEqual(ours(expected))
      expect(answer.headers['content-length']).toBe(String(expected.body.length))
      expect(answer.body).toHaveLength(0)
    }
  })

  it.each([
    { name: 'a part that is not there', path: '/sitemap-posts-99.xml', status: 404 },
    { name: 'a section that is not there, which a folder has', path: '/sitemap-gone-1.xml', status: 404 },
    { name: 'POST', path: '/sitemap.xml', method: 'POST', status: 405 },
    { name: 'DELETE of a part', path: '/sitemap-posts-1.xml', method: 'DELETE', status: 405 },
    {
      name: 'nothing acceptable',
      path: '/sitemap.xml',
      headers: { 'accept-encoding': 'identity;q=0' },
      status: 406,
    },
    { name: 'a precondition', path: '/sitemap.xml', headers: { 'if-match': '"x"' }, status: 412 },
    { name: 'nothing to serve', path: '/broken/sitemap.xml', status: 503 },
    { name: 'nothing to serve, HEAD', path: '/broken/sitemap.xml', method: 'HEAD', status: 503 },
  ])(
    '$name: $status with no-store, without validators',
    async ({ path, status, method = 'GET', headers = {} }) => {
      const answer = await fetchRaw(base + path, {
        method,
        headers: { 'accept-encoding': 'gzip', ...headers },
      })
      expect(answer.status).toBe(status)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.headers['last-modified']).toBeUndefined()
      expect(answer.headers.etag).toBeUndefined()
      expect(decoded(answer.body, answer.headers['content-encoding'])).not.toContain('the app itself')
      if (status === 405) expect(answer.headers.allow).toBe('GET, HEAD')
      if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  it('an error stays itself under the tag that @fastify/etag would give it (SPEC N2)', async () => {
    for (const path of ['/sitemap-posts-99.xml', '/broken/sitemap.xml']) {
      const plain = await fetchRaw(base + path)
      const tag = `"${createHash('sha1').update(plain.body).digest('base64')}"`
      const answer = await fetchRaw(base + path, { headers: { 'if-none-match': tag } })
      expect(answer.status, path).toBe(plain.status)
      expect(answer.body).toEqual(plain.body)
    }
  })

  if (/catch-all|all of them/.test(row.host)) {
    it("every other path is the app's", async () => {
      for (const path of ['/', '/sitemap', '/robots.txt', '/sitemap.xml/', '/x/sitemap.xml'])
        expect((await fetchRaw(base + path)).text).toBe('the app itself')
    })
  }
})
