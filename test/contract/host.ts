/** What every host must do alike: the same status, headers and bytes as Fastify, for every row of the tables. */
import { once } from 'node:events'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { CommonOptions, Site, SitemapHandle, SitemapOptions, Sites } from '../../src/index.ts'
import { type ManualClock, turns, until } from '../support/manual-clock.ts'
import {
  type Answer,
  type Behaviour,
  createSource,
  entriesOf,
  fetchRaw,
  hangs,
  hangsForEver,
  locsOf,
  pathsOf,
  type RawRequest,
  SECRET,
  SITE,
  type Source,
  throws,
  throwsAfter,
} from '../support/site.ts'

/** A host that listens. */
export interface RunningHost {
  readonly origin: string
  readonly handle: SitemapHandle
  readonly clock: ManualClock
  /** The host framework's request objects, as the app sees them. */
  readonly requests: WeakSet<object>
  /** Ends the sitemap and the server. */
  close(): Promise<void>
}

/** What is on the host beside the sitemap. */
export interface HostExtra {
  /** The app answers every other path with this text. */
  readonly catchAll?: string
  /** The app sets these headers on every response before us. On fetch there is no response yet. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Whether the host has request and response of `node:http` in hand, or speaks fetch. */
export type HostKind = 'node' | 'fetch'

/** Starts a host on a free port, on a manual clock. */
export type StartHost = (options: SitemapOptions, extra?: HostExtra) => Promise<RunningHost>

interface Scene extends RunningHost {
  readonly source: Source
  ask(path: string, request?: RawRequest): Promise<Answer>
}

/** What happens on a host; the answers are those to compare. */
type Script = (scene: Scene) => Promise<readonly Answer[]>

interface Setting {
  /** What the section `posts` does first. */
  readonly posts?: Parameters<typeof createSource>[0]
  readonly options?: Partial<CommonOptions>
  /** In place of the one site. */
  readonly several?: { readonly sites: Sites; readonly hostHeader?: string }
  readonly extra?: HostExtra
}

const MINUTE = 60_000
const CODINGS = ['identity', 'gzip', 'br'] as const
const CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800'
const STALE_CONTROL = 'public, max-age=60, stale-while-revalidate=60, stale-if-error=604800'
const LAST_MODIFIED = 'Thu, 15 Jan 2026 12:00:00 GMT'
const OLDER = 'Thu, 15 Jan 2026 11:59:59 GMT'
const NEWER = 'Thu, 15 Jan 2026 12:00:01 GMT'

/** All documents there are, each with its media type (SPEC N50 to N55). */
const ROUTES = {
  atom: '/feed.atom',
  json: '/feed.json',
  news: '/sitemap-news.xml',
  robots: '/robots.txt',
  llms: '/llms.txt',
  css: '/sitemap.css',
} as const
const DOCUMENTS = [
  { path: '/sitemap.xml', type: 'application/xml; charset=utf-8' },
  { path: '/sitemap_index.xml', type: 'application/xml; charset=utf-8' },
  { path: '/sitemap-posts-1.xml', type: 'application/xml; charset=utf-8' },
  { path: '/feed.rss', type: 'application/rss+xml; charset=utf-8' },
  { path: '/feed.atom', type: 'application/atom+xml; charset=utf-8' },
  { path: '/feed.json', type: 'application/feed+json; charset=utf-8' },
  { path: '/sitemap.html', type: 'text/html; charset=utf-8' },
  { path: '/sitemap-posts-1.html', type: 'text/html; charset=utf-8' },
  { path: '/sitemap-html.css', type: 'text/css; charset=utf-8' },
  { path: '/sitemap.css', type: 'text/css; charset=utf-8' },
  { path: '/sitemap.txt', type: 'text/plain; charset=utf-8' },
  { path: '/sitemap-posts-1.txt', type: 'text/plain; charset=utf-8' },
  { path: '/robots.txt', type: 'text/plain; charset=utf-8' },
  { path: '/llms.txt', type: 'text/markdown; charset=utf-8' },
]

/** Headers of the connection and of the moment: theirs, not ours. */
const NOT_COMPARED = new Set(['date', 'connection', 'keep-alive'])

/** What the app says of other paths. */
const APP = 'the app itself'

function comparable({ status, headers, body, text }: Answer): object {
  if (text === APP) return { byTheApp: status }
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_COMPARED.has(name))),
    body: body.toString('latin1'),
  }
}

/** Twelve thousand URLs: more than a mebibyte, which is sent block by block. */
const LARGE = Array.from({ length: 12_000 }, (_, i) => ({
  loc: `/an-article-with-a-rather-long-name-of-which-there-are-many-${i}/${(i * 7_919) % 100_003}`,
}))

/**
 * The contract. `reference` is Fastify: for each script the answers of both hosts must be equal, Date and what speaks of
 * the connection apart.
 */
export function describeHost(name: string, start: StartHost, reference: StartHost, kind: HostKind): void {
  const running = new Set<RunningHost>()

  afterEach(async () => {
    const made = [...running]
    running.clear()
    await Promise.all(made.map((host) => host.close()))
  })

  async function open(
    on: StartHost,
    { posts = entriesOf('posts', 30), options, several, extra }: Setting,
  ): Promise<Scene> {
    const source = createSource(posts)
    const host = await on(
      {
        ...(several ?? { site: SITE }),
        warmUp: false,
        retries: 0,
        log: { info() {}, warn() {}, error() {} },
        providers: { pages: ['/', '/about'], posts: source.entries },
        ...options,
      },
      extra,
    )
    running.add(host)
    return { ...host, source, ask: (path, request) => fetchRaw(host.origin + path, request) }
  }

  /** The host's answers, which are Fastify's. */
  async function play(setting: Setting, script: Script): Promise<readonly Answer[]> {
    const answers = await script(await open(start, setting))
    const expected = await script(await open(reference, setting))
    expect(answers.map(comparable)).toEqual(expected.map(comparable))
    return answers
  }

  describe(name, () => {
    describe.each(DOCUMENTS)('$path', ({ path, type }) => {
      it('is the same in each coding, with HEAD as GET (SPEC N12, N14, N24, N50 to N56)', async () => {
        const answers = await play({ options: { routes: ROUTES } }, async ({ ask }) => {
          await ask('/sitemap_index.xml')
          const all: Answer[] = []
          for (const coding of CODINGS) {
            const headers = { 'accept-encoding': coding }
            // HEAD first: it must not need a GET before it.
            all.push(await ask(path, { method: 'HEAD', headers }), await ask(path, { headers }))
          }
          return all
        })
        for (const [i, coding] of CODINGS.entries()) {
          const [head, get] = answers.slice(2 * i) as [Answer, Answer]
          expect(get.status).toBe(200)
          expect(get.headers).toMatchObject({
            'content-type': type,
            'content-length': String(get.body.length),
            vary: 'Accept-Encoding',
            'cache-control': CACHE_CONTROL,
            'last-modified': LAST_MODIFIED,
            'x-content-type-options': 'nosniff',
            'accept-ranges': 'none',
          })
          expect(get.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding)
          expect(get.headers.etag).toMatch(/^"[^"]+"$/)
          expect(get.text).toBe(answers[1]?.text)
          expect(head.body).toHaveLength(0)
          expect({ ...comparable(head), body: '' }).toEqual({ ...comparable(get), body: '' })
        }
        expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3)
      })

      it('is 304 to its tag, and 405 to what writes (SPEC N4, N10, N13)', async () => {
        const [unchanged, ...refused] = (await play({ options: { routes: ROUTES } }, async ({ ask }) => {
          await ask('/sitemap_index.xml')
          const { headers } = await ask(path)
          const all = [await ask(path, { headers: { 'if-none-match': headers.etag } })]
          for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
            all.push(
              await ask(path, { method, body: 'x'.repeat(100_000), headers: { 'if-none-match': '*' } }),
            )
          return all
        })) as [Answer, ...Answer[]]
        expect(unchanged.status).toBe(304)
        expect(unchanged.body).toHaveLength(0)
        for (const absent of ['content-type', 'content-length', 'content-encoding', 'transfer-encoding'])
          expect(unchanged.headers[absent], absent).toBeUndefined()
        expect(unchanged.headers).toMatchObject({ 'cache-control': CACHE_CONTROL, vary: 'Accept-Encoding' })
        for (const answer of refused) {
          expect(answer.status).toBe(405)
          expect(answer.headers).toMatchObject({ allow: 'GET, HEAD', 'cache-control': 'no-store' })
          expect(answer.headers.etag).toBeUndefined()
        }
      })
    })

    describe('conditional requests (SPEC 9.1)', () => {
      // ETAG stands for the tag of the coding asked for, OTHER for that of another coding.
      it.each([
        { name: 'our tag', headers: { 'if-none-match': 'ETAG' }, status: 304 },
        { name: 'our tag, weakened', headers: { 'if-none-match': 'W/ETAG' }, status: 304 },
        { name: 'our tag, weakened in lower case', headers: { 'if-none-match': 'w/ETAG' }, status: 200 },
        { name: 'any tag', headers: { 'if-none-match': '*' }, status: 304 },
        { name: 'our tag in a list', headers: { 'if-none-match': '"x,y", W/ETAG' }, status: 304 },
        { name: 'our tag on a second line', headers: { 'if-none-match': ['"x"', 'ETAG'] }, status: 304 },
        { name: 'another tag', headers: { 'if-none-match': '"a"' }, status: 200 },
        { name: 'the tag of another coding', headers: { 'if-none-match': 'OTHER' }, status: 200 },
        { name: 'our tag without quotes', headers: { 'if-none-match': 'BARE' }, status: 200 },
        { name: 'a tag that does not end', headers: { 'if-none-match': '"BARE' }, status: 200 },
        { name: 'an empty field', headers: { 'if-none-match': '' }, status: 200 },
        {
          name: 'another tag and the date',
          headers: { 'if-none-match': '"x"', 'if-modified-since': LAST_MODIFIED },
          status: 200,
        },
        {
          name: 'our tag and an older date',
          headers: { 'if-none-match': 'ETAG', 'if-modified-since': OLDER },
          status: 304,
        },
        { name: 'the date', headers: { 'if-modified-since': LAST_MODIFIED }, status: 304 },
        {
          name: 'the date of RFC 850',
          headers: { 'if-modified-since': 'Thursday, 15-Jan-26 12:00:00 GMT' },
          status: 304,
        },
        {
          name: 'the date of asctime',
          headers: { 'if-modified-since': 'Thu Jan 15 12:00:00 2026' },
          status: 304,
        },
        { name: 'a later date', headers: { 'if-modified-since': NEWER }, status: 304 },
        { name: 'an earlier date', headers: { 'if-modified-since': OLDER }, status: 200 },
        { name: 'a date of another kind', headers: { 'if-modified-since': '2026-01-15' }, status: 200 },
        { name: 'no date', headers: { 'if-modified-since': '0' }, status: 200 },
        { name: 'If-Match, our tag', headers: { 'if-match': 'ETAG' }, status: 200 },
        { name: 'If-Match, our tag weakened', headers: { 'if-match': 'W/ETAG' }, status: 412 },
        { name: 'If-Match, another tag', headers: { 'if-match': '"x"' }, status: 412 },
        {
          name: 'If-Unmodified-Since, the date',
          headers: { 'if-unmodified-since': LAST_MODIFIED },
          status: 200,
        },
        {
          name: 'If-Unmodified-Since, an earlier one',
          headers: { 'if-unmodified-since': OLDER },
          status: 412,
        },
        { name: 'a range (SPEC N17)', headers: { range: 'bytes=0-9', 'if-range': 'ETAG' }, status: 200 },
      ])('$name → $status', async ({ headers, status }) => {
        const answers = await play({}, async ({ ask }) => {
          const tags: string[] = []
          for (const coding of CODINGS)
            tags.push(
              (await ask('/sitemap.xml', { headers: { 'accept-encoding': coding } })).headers.etag ?? '',
            )
          const all: Answer[] = []
          for (const [i, coding] of CODINGS.entries()) {
            const filled = (text: string): string =>
              text
                .replace('ETAG', tags[i] ?? '')
                .replace('OTHER', tags[(i + 1) % 3] ?? '')
                .replace('BARE', tags[i]?.replaceAll('"', '') ?? '')
            const sent: [string, string | string[]][] = Object.entries(headers).map(([field, value]) => [
              field,
              Array.isArray(value) ? value.map(filled) : filled(String(value)),
            ])
            const given = { 'accept-encoding': coding, ...Object.fromEntries(sent) }
            for (const method of ['GET', 'HEAD'])
              all.push(await ask('/sitemap.xml', { method, headers: given }))
          }
          return all
        })
        expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(status))
      })

      it('do not count where the answer is an error (SPEC N2)', async () => {
        const headers = { 'if-none-match': '*', 'if-modified-since': NEWER }
        const answers = await play({ posts: throws }, async ({ ask }) => [
          await ask('/sitemap-pages-9.xml', { headers }),
          await ask('/sitemap.xml', { headers }),
          await ask('/sitemap.xml', { method: 'POST', headers }),
        ])
        expect(answers.map(({ status }) => status)).toEqual([404, 503, 405])
      })
    })

    // SPEC 9.2, and what a host could still code: we send identity, under a strong ETag.
    it.each([
      { header: undefined, coding: undefined },
      { header: '', coding: undefined },
      { header: 'deflate', coding: undefined },
      { header: 'gzip;q=0', coding: undefined },
      { header: 'gzip', coding: 'gzip' },
      { header: 'GZIP', coding: 'gzip' },
      { header: 'x-gzip', coding: 'gzip' },
      { header: '*;q=0, gzip', coding: 'gzip' },
      { header: 'identity;q=0, gzip', coding: 'gzip' },
      { header: 'br, gzip;q=0.5', coding: 'br' },
      { header: '*', coding: 'br' },
      { header: 'gzip;q=0, *', coding: 'br' },
      { header: 'br;q=0.1, identity;q=0.5', coding: undefined },
      { header: '*;q=0', coding: 406 },
      { header: 'identity;q=0', coding: 406 },
    ] as const)('Accept-Encoding $header → $coding (SPEC 9.2)', async ({ header, coding }) => {
      const options = { encodings: ['br', 'gzip'] } as const
      const [answer] = await play({ options }, async ({ ask }) => [
        await ask('/sitemap.xml', { headers: { 'accept-encoding': header } }),
      ])
      if (coding === 406) {
        expect(answer?.status).toBe(406)
        expect(answer?.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Accept-Encoding' })
      } else {
        expect(answer?.status).toBe(200)
        expect(answer?.headers['content-encoding']).toBe(coding)
      }
    })

    it('encodings false: identity, weak tags, no Vary; the tags match', async () => {
      const [plain, weak, strong] = await play({ options: { encodings: false } }, async ({ ask }) => {
        const first = await ask('/sitemap.xml', { headers: { 'accept-encoding': 'br, gzip' } })
        const tag = first.headers.etag ?? ''
        return [
          first,
          await ask('/sitemap.xml', { headers: { 'if-none-match': tag } }),
          await ask('/sitemap.xml', { headers: { 'if-none-match': tag.slice(2) } }),
        ]
      })
      expect(plain?.headers['content-encoding']).toBeUndefined()
      expect(plain?.headers.vary).toBeUndefined()
      expect(plain?.headers.etag).toMatch(/^W\/"/)
      expect([weak?.status, strong?.status]).toEqual([304, 304])
    })

    it('the query is ignored, Host and forwarded headers too', async () => {
      const answers = await play({}, async ({ ask }) => [
        await ask('/sitemap.xml'),
        await ask('/sitemap.xml?'),
        await ask('/sitemap.xml?x=%zz&path=/etc/passwd'),
        await ask(`/sitemap.xml?${'a'.repeat(2_000)}`),
        await ask('/sitemap.xml', {
          headers: {
            host: 'evil.example',
            forwarded: 'host=evil.example;proto=gopher',
            'x-forwarded-host': 'evil.example',
            'x-forwarded-proto': 'gopher',
            'x-forwarded-prefix': '/evil',
            'x-original-url': '/evil',
          },
        }),
      ])
      for (const answer of answers) expect(comparable(answer)).toEqual(comparable(answers[0] as Answer))
    })

    it.each([
      '/sitemap-posts-2.xml',
      '/sitemap-posts-0.xml',
      '/sitemap-posts-99999999999999999999.xml',
      '/sitemap-posts-1.5.xml',
      '/sitemap-.xml.xml',
      '/sitemap-posts.xml',
      '/sitemap-nope-1.xml',
      '/sitemap-nope-1.txt',
      '/sitemap-POSTS-1.html',
      '/sitemap-__proto__-1.xml',
      '/sitemap-constructor-1.xml',
      '/sitemap-posts-2.xml?a=/sitemap-posts-1.xml',
    ])('%s is our 404 without a provider call, warm and stale (SPEC N42)', async (path) => {
      const extra = { catchAll: APP }
      const answers = await play({ extra }, async ({ ask, clock, source }) => {
        await ask('/sitemap.xml')
        const all = [await ask(path), await ask(path, { method: 'HEAD' })]
        await clock.advance(60 * MINUTE)
        all.push(await ask(path))
        await turns()
        expect(source.calls).toBe(1)
        return all
      })
      for (const answer of answers) {
        expect(answer.status).toBe(404)
        expect(answer.headers['cache-control']).toBe('no-store')
        expect(answer.text).not.toContain(APP)
      }
    })

    describe("what is the app's", () => {
      it.each([
        '/',
        '/sitemap',
        '/Sitemap.xml',
        '/sitemap.xml/',
        '/sitemap.xml.gz',
        '/x/sitemap.xml',
        '/sitemap-posts-1.json',
        '/sitemap-posts-1.xml/',
        '/sitemap-.xml',
        '/sitemap-po%20sts-1.xml',
        '/sitemap-%C3%A9-1.xml',
        '/sitemap-posts%2f-1.xml',
        '/feed',
      ])('%s', async (path) => {
        const extra = { catchAll: APP }
        const [answer] = await play({ extra }, async ({ ask }) => [await ask(path)])
        expect(answer?.text).toBe(APP)
      })

      it.each(['OPTIONS', 'PROPFIND', 'LOCK', 'MKCOL'])('%s, of whatever path', async (method) => {
        const extra = { catchAll: APP }
        const options = { routes: { report: '/report' } }
        const answers = await play({ extra, options }, async ({ ask }) => [
          await ask('/sitemap.xml', { method }),
          await ask('/sitemap-posts-1.xml', { method }),
          await ask('/report', { method }),
          await ask('/elsewhere', { method }),
        ])
        for (const { text } of answers) expect(text).toBe(APP)
      })

      it('what routes switch off', async () => {
        const extra = { catchAll: APP }
        const options = { routes: { rss: false, html: false } } as const
        const answers = await play({ extra, options }, async ({ ask }) => [
          await ask('/feed.rss'),
          await ask('/sitemap.html'),
          await ask('/sitemap-posts-1.html'),
          await ask('/sitemap-html.css'),
        ])
        for (const { text } of answers) expect(text).toBe(APP)
      })

      it('without an app, 404', async () => {
        const host = await open(start, {})
        for (const path of ['/', '/sitemap', '/sitemap.xml/'])
          expect((await host.ask(path)).status, path).toBe(404)
      })
    })

    it('prefix stands before all paths, and in the URLs of the documents', async () => {
      const extra = { catchAll: APP }
      const [index, root] = await play({ extra, options: { prefix: '/shop' } }, async ({ ask }) => [
        await ask('/shop/sitemap_index.xml'),
        await ask('/sitemap_index.xml'),
        await ask('/shop/sitemap.html'),
        await ask('/shop/sitemap-posts-1.xml'),
        await ask('/shop/sitemap.xml', { method: 'POST' }),
        await ask('/shopsitemap.xml'),
      ])
      expect(pathsOf(index?.text ?? '')).toEqual(['/shop/sitemap-pages-1.xml', '/shop/sitemap-posts-1.xml'])
      expect(root?.text).toBe(APP)
    })

    it('the report is made per request and never kept, HEAD as GET; 405 to what writes', async () => {
      const bodies: string[] = []
      const options = { routes: { report: '/report' } }
      const [report, head, post] = await play({ options }, async ({ ask }) => {
        await ask('/sitemap.xml')
        const get = await ask('/report')
        const only = await ask('/report', { method: 'HEAD' })
        bodies.push(get.text)
        expect(get.headers['content-length']).toBe(String(get.body.length))
        expect([only.headers['content-length'], only.body.length]).toEqual([String(get.body.length), 0])
        return [withoutLength(get), withoutLength(only), await ask('/report', { method: 'POST' })]
      })
      expect(comparable(head as Answer)).toEqual(comparable(report as Answer))
      const [own, reference] = bodies.map((text) => JSON.parse(text))
      expect({ ...own, memory: {} }).toEqual({ ...reference, memory: {} })
      expect(report?.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      })
      expect(own.sections.posts).toMatchObject({ state: 'fresh', entries: 30 })
      expect(post?.status).toBe(405)
    })

    if (kind === 'node')
      describe('headers that the app set before us', () => {
        const theirs = {
          vary: 'Origin',
          etag: '"theirs"',
          'last-modified': OLDER,
          'content-type': 'text/x-theirs',
          'cache-control': 'no-cache',
          'access-control-allow-origin': '*',
        }

        it('stay where they are true: Vary of CORS, not a tag or a type', async () => {
          const setting = { posts: throws, extra: { headers: theirs } }
          const [page, unchanged, gone, cold, refused, unacceptable] = await play(
            setting,
            async ({ ask }) => {
              const first = await ask('/sitemap-pages-1.xml')
              return [
                first,
                await ask('/sitemap-pages-1.xml', { headers: { 'if-none-match': first.headers.etag } }),
                await ask('/sitemap-pages-9.xml'),
                await ask('/sitemap.xml'),
                await ask('/sitemap.xml', { method: 'PUT' }),
                await ask('/sitemap-pages-1.xml', { headers: { 'accept-encoding': '*;q=0' } }),
              ]
            },
          )
          expect(page?.headers).toMatchObject({
            vary: 'Origin, Accept-Encoding',
            'last-modified': LAST_MODIFIED,
            'content-type': 'application/xml; charset=utf-8',
            'cache-control': CACHE_CONTROL,
            'access-control-allow-origin': '*',
          })
          expect(page?.headers.etag).not.toBe(theirs.etag)
          expect([unchanged?.status, unchanged?.headers['content-type'], unchanged?.headers.vary]).toEqual([
            304,
            undefined,
            'Origin, Accept-Encoding',
          ])
          expect([gone, cold, refused, unacceptable].map((answer) => answer?.status)).toEqual([
            404, 503, 405, 406,
          ])
          for (const answer of [gone, cold, refused, unacceptable]) {
            expect(answer?.headers.etag).toBeUndefined()
            expect(answer?.headers['last-modified']).toBeUndefined()
            expect(answer?.headers).toMatchObject({
              'cache-control': 'no-store',
              'access-control-allow-origin': '*',
            })
          }
          expect(gone?.headers.vary).toBe('Origin')
          expect(unacceptable?.headers.vary).toBe('Origin, Accept-Encoding')
        })

        it.each([
          { before: 'accept-encoding, Origin', after: 'accept-encoding, Origin' },
          { before: 'Origin, *', after: '*' },
          { before: '', after: 'Accept-Encoding' },
        ])('Vary "$before" before us → $after', async ({ before, after }) => {
          const [answer] = await play({ extra: { headers: { vary: before } } }, async ({ ask }) => [
            await ask('/sitemap.xml'),
          ])
          expect(answer?.headers.vary).toBe(after)
        })
      })

    describe('several sites', () => {
      const one: Site = { url: 'https://one.example.com', title: 'One', hosts: ['www.one.example.com'] }
      const two: Site = {
        id: 'second',
        url: 'https://two.example.com/shop/',
        title: 'Two',
        hosts: ['2.example'],
      }
      const list = { sites: [one, two] }
      const asHost = (host: string): RawRequest => ({ headers: { host } })
      /** Two entries of the site's own. */
      const posts: Behaviour = ({ site }) => [
        { loc: 'first', title: `First of ${site.title}` },
        { loc: 'second', title: `Second of ${site.title}` },
      ]
      const perSite: Setting = { posts, several: list, extra: { catchAll: APP } }

      it('each host gets its own documents, made from site.url alone', async () => {
        const answers = await play(perSite, async ({ ask }) => {
          const all: Answer[] = []
          for (const host of [
            'one.example.com',
            'ONE.example.com:8443',
            'one.example.com.',
            'two.example.com',
          ])
            for (const path of ['/sitemap.xml', '/sitemap_index.xml', '/feed.rss', '/sitemap.html'])
              all.push(await ask(path, asHost(host)))
          return all
        })
        const ofOne = answers.slice(0, 4)
        for (const other of [answers.slice(4, 8), answers.slice(8, 12)])
          expect(other.map(comparable)).toEqual(ofOne.map(comparable))
        expect(locsOf(ofOne[0]?.text ?? '')).toContain('https://one.example.com/first')
        expect(locsOf(answers[12]?.text ?? '')).toContain('https://two.example.com/shop/first')
        expect(locsOf(answers[13]?.text ?? '')).toContain('https://two.example.com/shop/sitemap-posts-1.xml')
        for (const answer of answers) expect(answer.status).toBe(200)
        for (const { text } of answers) expect(text).not.toMatch(/8443|ONE\.example/)
      })

      it("an alias is answered 301 to the site's own URL, at no cost, with no word of the host that was asked", async () => {
        const answers = await play(perSite, async ({ ask, source }) => {
          const all = [
            await ask('/sitemap.xml', asHost('www.one.example.com:99')),
            await ask('/sitemap.xml', { method: 'HEAD', headers: { host: 'WWW.one.example.com' } }),
            await ask('/sitemap-posts-1.xml?a=//evil.example', asHost('www.one.example.com')),
            await ask('/feed.rss', asHost('2.example')),
          ]
          expect(source.calls).toBe(0)
          return all
        })
        expect(answers.map(({ headers }) => headers.location)).toEqual([
          'https://one.example.com/sitemap.xml',
          'https://one.example.com/sitemap.xml',
          'https://one.example.com/sitemap-posts-1.xml',
          'https://two.example.com/shop/feed.rss',
        ])
        for (const { status, headers, text } of answers) {
          expect(status).toBe(301)
          expect(headers['cache-control']).toBe('public, max-age=300')
          expect(JSON.stringify(headers) + text).not.toMatch(/www\.one|2\.example|evil|:99/i)
        }
      })

      it.each(['nobody.example.com', 'one.example.com.evil.example', '127.0.0.1', '[::1]:80', 'xn--zz'])(
        "the unknown host %s: 404 on our paths at no cost, and what is the app's stays the app's",
        async (host) => {
          const [own, part, post, app, report] = await play(perSite, async ({ ask, source }) => {
            const all = [
              await ask('/sitemap.xml', asHost(host)),
              await ask('/sitemap-posts-1.xml', asHost(host)),
              await ask('/sitemap.xml', { method: 'POST', ...asHost(host) }),
              await ask('/elsewhere', asHost(host)),
              await ask('/sitemap.xml', { method: 'OPTIONS', ...asHost(host) }),
            ]
            expect(source.calls).toBe(0)
            return all
          })
          expect([own?.status, part?.status, post?.status]).toEqual([404, 404, 405])
          for (const answer of [own, part]) {
            expect(answer?.headers['cache-control']).toBe('no-store')
            expect(answer?.text).toBe('Not found\n')
          }
          expect([app?.text, report?.text]).toEqual([APP, APP])
        },
      )

      it('hostHeader takes the place of Host; of several values the first', async () => {
        const several = { ...list, hostHeader: 'x-forwarded-host' }
        const [forwarded, bare] = await play({ ...perSite, several }, async ({ ask }) => [
          await ask('/sitemap.xml', {
            headers: { host: 'one.example.com', 'x-forwarded-host': 'Two.example.com, proxy.internal' },
          }),
          await ask('/sitemap.xml', asHost('one.example.com')),
        ])
        expect(locsOf(forwarded?.text ?? '')).toContain('https://two.example.com/shop/first')
        expect(bare?.status).toBe(404)
      })

      it('the whole URL as a target names the host (RFC 9112 §3.2.2)', async () => {
        for (const on of [start, reference]) {
          const { origin } = await open(on, perSite)
          // Fetch knows no target: there a client that says one thing twice is believed.
          const host = kind === 'node' ? 'one.example.com' : 'two.example.com'
          const request = `GET http://two.example.com/sitemap.xml HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
          const text = await exchange(origin, request)
          expect(text).toContain('<loc>https://two.example.com/shop/first</loc>')
        }
      })

      describe('by a look-up', () => {
        const lookUp =
          (asked: string[]): Sites =>
          async (host) => {
            asked.push(host)
            if (host === 'broken.example.com') throw new Error(SECRET)
            return host.endsWith('.example.com') ? { url: `https://${host}` } : null
          }

        it('a host is asked for once at a time; found and unknown ones are remembered', async () => {
          const asked: string[] = []
          const several = { sites: lookUp(asked) }
          const { ask, clock } = await open(start, { ...perSite, several })
          const hosts = ['a.example.com', 'A.example.com:1', 'nobody.example']
          const burst = Array.from({ length: 30 }, (_, i) => ask('/sitemap.xml', asHost(hosts[i % 3] ?? '')))
          const statuses = (await Promise.all(burst)).map(({ status }) => status)
          expect(statuses).toEqual(Array.from({ length: 10 }, () => [200, 200, 404]).flat())
          await clock.advance(59_000)
          for (const host of hosts) await ask('/sitemap.xml', asHost(host))
          expect(asked.toSorted()).toEqual(['a.example.com', 'nobody.example'])
        })

        it('that throws is 503, never 404; a site that is known is served on', async () => {
          let fails = false
          const sites: Sites = async (host) => {
            if (fails) throw new Error(SECRET)
            return { url: `https://${host}` }
          }
          const [known, cold, still] = await play(
            { ...perSite, several: { sites } },
            async ({ ask, clock }) => {
              fails = false
              const first = await ask('/sitemap.xml', asHost('a.example.com'))
              fails = true
              const second = await ask('/sitemap.xml', asHost('b.example.com'))
              await clock.advance(6 * MINUTE)
              await ask('/sitemap.xml', asHost('a.example.com'))
              await turns()
              return [first, second, await ask('/sitemap.xml', asHost('a.example.com'))]
            },
          )
          expect([known?.status, cold?.status, still?.status]).toEqual([200, 503, 200])
          expect(cold?.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '10' })
          expect(JSON.stringify(cold?.headers) + cold?.text).not.toMatch(new RegExp(`${SECRET}|b\\.example`))
          expect(still?.body).toEqual(known?.body)
        })

        it('that hangs is 503 after the deadline', async () => {
          let calls = 0
          const sites: Sites = () => {
            calls++
            return new Promise<Site | null>(() => {})
          }
          const [answer] = await play({ ...perSite, several: { sites } }, async ({ ask, clock }) => {
            calls = 0
            const asked = ask('/sitemap.xml', asHost('a.example.com'))
            await until(() => calls === 1, 'the look-up')
            await clock.advance(10_000)
            return [await asked]
          })
          expect(answer?.status).toBe(503)
          expect(answer?.headers['cache-control']).toBe('no-store')
        })

        it("gets the host framework's own request", async () => {
          const seen: unknown[] = []
          const sites: Sites = (host, { request }) => {
            seen.push(request)
            return { url: `https://${host}` }
          }
          const { ask, requests } = await open(start, { ...perSite, several: { sites } })
          await ask('/sitemap.xml', asHost('a.example.com'))
          expect(seen).toHaveLength(1)
          expect(requests.has(seen[0] as object)).toBe(true)
        })
      })

      it('the handle names a site by its id', async () => {
        const { ask, handle, source } = await open(start, perSite)
        for (const host of ['one.example.com', 'two.example.com']) await ask('/sitemap.xml', asHost(host))
        source.set([{ loc: 'third' }])
        await handle.invalidate('posts', { site: 'second' })
        const [ofOne, ofTwo] = [
          await ask('/sitemap-posts-1.txt', asHost('one.example.com')),
          await ask('/sitemap-posts-1.txt', asHost('two.example.com')),
        ]
        expect(locsOf(ofOne.text)).toHaveLength(2)
        expect(locsOf(ofTwo.text)).toEqual(['https://two.example.com/shop/third'])
        expect(handle.links({ site: 'second' })).toContain('https://two.example.com/shop/feed.rss')
        expect(handle.report().sites).toEqual({ awake: 2, asked: 2 })
        await expect(handle.invalidate('posts', { site: 'nobody' })).rejects.toMatchObject({
          code: 'LSM_ERR_SITE_UNKNOWN',
        })
      })
    })

    describe('faults', () => {
      const half = throwsAfter(entriesOf('posts', 3))

      it.each([
        { fault: 'throws', posts: throws },
        { fault: 'throws half way', posts: half },
        { fault: 'gives what is no list', posts: (() => 5) as unknown as Behaviour },
      ])('cold, the provider $fault → 503, Retry-After, no-store (SPEC N34, N40)', async ({ posts }) => {
        const answers = await play({ posts, extra: { catchAll: APP } }, async ({ ask }) => [
          await ask('/sitemap.xml'),
          await ask('/sitemap.xml', { method: 'HEAD' }),
          await ask('/sitemap-posts-1.xml'),
          await ask('/feed.rss', { headers: { 'accept-encoding': 'br', 'if-none-match': '*' } }),
        ])
        for (const answer of answers) {
          expect(answer.status).toBe(503)
          expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '1' })
          expect(answer.headers.etag).toBeUndefined()
          expect(answer.text + JSON.stringify(answer.headers)).not.toContain(SECRET)
          expect(answer.text).not.toMatch(/Error|stack|at /)
        }
      })

      it.each([
        { fault: 'hangs', posts: hangs },
        { fault: 'hangs whatever it is told', posts: hangsForEver },
      ])(
        'cold, the provider $fault → 503 after the deadline; parts of others are served',
        async ({ posts }) => {
          const [late, part] = await play({ posts }, async ({ ask, clock, source }) => {
            const asked = ask('/sitemap.xml')
            await until(() => source.calls === 1)
            await clock.advance(10_000)
            return [await asked, await ask('/sitemap-pages-1.xml')]
          })
          expect(late?.status).toBe(503)
          expect(late?.headers['cache-control']).toBe('no-store')
          expect(Number(late?.headers['retry-after'])).toBeGreaterThan(0)
          expect(part?.status).toBe(200)
        },
      )

      it.each([
        { fault: 'throws', behaviour: throws, within: 10 * MINUTE },
        { fault: 'throws, long after', behaviour: throws, within: 24 * 60 * MINUTE },
        { fault: 'throws half way', behaviour: half, within: 10 * MINUTE },
        { fault: 'hangs', behaviour: hangs, within: 10 * MINUTE },
        { fault: 'hangs, long after', behaviour: hangsForEver, within: 24 * 60 * MINUTE },
        { fault: 'lost most of its entries', behaviour: entriesOf('posts', 3), within: 10 * MINUTE },
      ])('warm, the provider $fault → last good, max-age=60 (SPEC N41)', async ({ behaviour, within }) => {
        const posts = entriesOf('posts', 200)
        const [good, stale, head, unchanged] = await play({ posts }, async ({ ask, clock, source }) => {
          const first = await ask('/sitemap.xml')
          source.set(behaviour)
          await clock.advance(within)
          const all = [first]
          for (const request of [
            {},
            { method: 'HEAD' },
            { headers: { 'if-none-match': first.headers.etag } },
          ] satisfies RawRequest[]) {
            const asked = ask('/sitemap.xml', request)
            await until(() => source.calls > 1)
            // What waits for a refresh waits for it this long at most.
            await turns(20)
            await clock.advance(1_000)
            all.push(await asked)
          }
          return all
        })
        expect([stale?.status, head?.status, unchanged?.status]).toEqual([200, 200, 304])
        expect(stale?.body).toEqual(good?.body)
        for (const answer of [stale, head, unchanged]) {
          expect(answer?.headers['cache-control']).toBe(STALE_CONTROL)
          expect(answer?.headers.etag).toBe(good?.headers.etag)
          expect(answer?.headers['last-modified']).toBe(good?.headers['last-modified'])
        }
      })

      it('and what is published after it is served', async () => {
        const [down, up] = await play({ posts: throws }, async ({ ask, clock, handle, source }) => {
          const first = await ask('/sitemap.xml')
          source.set(entriesOf('posts', 2))
          await clock.advance(1_000)
          await handle.invalidate('posts')
          return [first, await ask('/sitemap.xml')]
        })
        expect(down?.status).toBe(503)
        expect(pathsOf(up?.text ?? '')).toEqual(['/', '/about', '/posts-1', '/posts-2'])
      })

      it('after close, 503', async () => {
        const [answer] = await play({}, async ({ ask, handle }) => {
          await handle.close()
          return [await ask('/sitemap.xml')]
        })
        expect(answer?.status).toBe(503)
        expect(answer?.headers['cache-control']).toBe('no-store')
      })
    })

    describe('large documents', () => {
      it('identity above a mebibyte is streamed with its exact length; HEAD says the same', async () => {
        const [plain, head, coded] = await play({ posts: LARGE }, async ({ ask }) => [
          await ask('/sitemap-posts-1.xml'),
          await ask('/sitemap-posts-1.xml', { method: 'HEAD' }),
          await ask('/sitemap-posts-1.xml', { headers: { 'accept-encoding': 'gzip' } }),
        ])
        expect(plain?.body.length).toBeGreaterThan(1_048_576)
        expect(plain?.headers['content-length']).toBe(String(plain?.body.length))
        expect(plain?.headers['transfer-encoding']).toBeUndefined()
        expect(plain?.text.endsWith('</urlset>\n')).toBe(true)
        expect(head?.headers['content-length']).toBe(plain?.headers['content-length'])
        expect(coded?.text).toBe(plain?.text)
      })

      it.each([
        { what: 'a streamed body', coding: 'identity' },
        { what: 'a body of one piece', coding: 'gzip' },
      ])('$what gives its memory back when its clients leave half way', async ({ coding }) => {
        const { ask, handle, origin } = await open(start, {
          posts: weighty(),
          options: { cache: { memory: '1b' } },
        })
        await ask('/sitemap_index.xml')
        const used = (): number => handle.report().memory.used
        const before = used()
        const clients: net.Socket[] = []
        // One after another, so that each is the only one and is let through.
        for (let n = 0; n < 3; n++) {
          const client = await connect(origin)
          clients.push(client)
          client.write(`GET /sitemap-posts-1.xml HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${coding}\r\n\r\n`)
          await until(() => used() > before + 100_000, 'the answer to be under way')
          client.resetAndDestroy()
          await until(() => used() < before + 10_000, 'what it held to be given back')
        }
        expect((await ask('/sitemap-posts-1.xml', { headers: { 'accept-encoding': coding } })).status).toBe(
          200,
        )
        await until(() => used() < before + 10_000)
      })

      it('HEAD, 304 and 405 of it hold nothing', async () => {
        const { ask, handle } = await open(start, { posts: LARGE, options: { cache: { memory: '1b' } } })
        await ask('/sitemap_index.xml')
        const before = handle.report().memory.used
        const { headers } = await ask('/sitemap-posts-1.xml', { method: 'HEAD' })
        await ask('/sitemap-posts-1.xml', { headers: { 'if-none-match': headers.etag } })
        await ask('/sitemap-posts-1.xml', { method: 'POST', body: 'x' })
        await until(() => handle.report().memory.used <= before + 1_000)
      })
    })

    describe('odd requests on a raw connection', () => {
      it.each([
        { target: '/sitemap.xml', ours: true },
        { target: '/sitemap.xml?a=b', ours: true },
        { target: '/sitemap.xml#a', ours: true },
        { target: '/%73itemap.xml', ours: true },
        { target: '/sitemap%2exml', ours: true },
        { target: '/sitemap%2Dposts-1.xml', ours: true },
        { target: '//sitemap.xml', ours: false },
        { target: '/sitemap.xml/', ours: false },
        { target: '/sitemap.xml%00', ours: false },
        { target: '/sitemap.xml%20', ours: false },
        { target: '/sitemap.xml;a=b', ours: false },
        { target: '/sitemap%2fxml', ours: false },
        { target: '/x/%2e%2e%2fsitemap.xml', ours: false },
        { target: '/sitemap.xml%3Fa', ours: false },
        { target: '/sitemap-posts%00-1.xml', ours: false },
        { target: '/sitemap-posts-%31%0d%0aX-Evil:1.xml', ours: false },
        { target: '/%2Fsitemap.xml', ours: false },
      ])('$target is ours: $ours', async ({ target, ours }) => {
        for (const on of [start, reference]) {
          const { origin } = await open(on, { extra: { catchAll: APP } })
          const text = await exchange(
            origin,
            `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
          )
          expect(text).toMatch(/^HTTP\/1\.1 200 /)
          expect(text.includes('<urlset')).toBe(ours)
          expect(text.includes(APP)).toBe(!ours)
          expect(text).not.toMatch(/x-evil/i)
        }
      })

      it('the whole URL as a proxy names it is ours, whatever host it says (RFC 9112 §3.2.2)', async () => {
        for (const on of [start, reference]) {
          const { origin } = await open(on, {})
          const request =
            'GET http://evil.example/sitemap.xml HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
          const text = await exchange(origin, request)
          expect(text).toMatch(/^HTTP\/1\.1 200 /)
          expect(text).toContain('<loc>https://www.example.com/</loc>')
          expect(text).not.toContain('evil')
        }
      })

      it('escapes that cannot be decoded are not ours and no fault of the server', async () => {
        const { origin, source } = await open(start, {})
        for (const target of [
          '/sitemap-%zz-1.xml',
          '/sitemap-%c3-1.xml',
          '/sitemap-posts-1.xml%',
          '/%73itemap-%',
        ]) {
          const text = await exchange(
            origin,
            `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
          )
          expect(text).toMatch(/^HTTP\/1\.1 40[04] /)
        }
        expect(source.calls).toBe(0)
      })

      it('pipelined requests are answered in their order', async () => {
        for (const on of [start, reference]) {
          const { origin } = await open(on, {})
          const text = await exchange(
            origin,
            'GET /sitemap.xml HTTP/1.1\r\nHost: a\r\n\r\n' +
              'HEAD /sitemap.xml HTTP/1.1\r\nHost: a\r\n\r\n' +
              'POST /sitemap.xml HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc' +
              'GET /sitemap-posts-9.xml HTTP/1.1\r\nHost: a\r\n\r\n' +
              'GET /sitemap.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
          )
          expect([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)).toEqual([
            '200',
            '200',
            '405',
            '404',
            '200',
          ])
        }
      })

      it('HTTP/1.0 without Host is answered and closed', async () => {
        for (const on of [start, reference]) {
          const { origin } = await open(on, {})
          const text = await exchange(origin, 'GET /sitemap.xml HTTP/1.0\r\n\r\n')
          expect(text).toMatch(/^HTTP\/1\.1 200 /)
          expect(text).toContain('</urlset>')
        }
      })
    })

    it('200 connections at once lead to one walk', async () => {
      const { ask, source } = await open(start, {})
      const asked = Array.from({ length: 200 }, (_, i) =>
        ask(DOCUMENTS[i % 4]?.path ?? '', { headers: { 'accept-encoding': CODINGS[i % 3] } }),
      )
      for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200)
      expect(source.calls).toBe(1)
    })
  })
}

/** Bytes in memory are each host's own. */
function withoutLength(answer: Answer): Answer {
  const { 'content-length': _length, ...headers } = answer.headers
  return { ...answer, headers, text: '', body: Buffer.alloc(0) }
}

let heavy: { loc: string }[] | undefined

/** More than the buffers of a connection hold, in each coding; made once. */
function weighty(): { loc: string }[] {
  heavy ??= Array.from({ length: 30_000 }, (_, i) => ({ loc: `/${i}-${noise(i)}` }))
  return heavy
}

/** 400 characters that hardly compress, the same in each run. */
function noise(seed: number): string {
  const bytes = Buffer.allocUnsafe(300)
  let state = seed + 1
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes.toString('base64url')
}

async function connect(origin: string): Promise<net.Socket> {
  const socket = net.connect({ port: Number(new URL(origin).port), host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.pause()
  await once(socket, 'connect')
  return socket
}

/** What comes back until the server closes. */
async function exchange(origin: string, request: string): Promise<string> {
  const socket = await connect(origin)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.resume()
  socket.write(request)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('utf8')
}
