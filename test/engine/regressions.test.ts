import { expect, it } from 'vitest'
import { createEngine, type Entry, resolveOptions, type SitemapOptions } from '../../src/index.ts'
import { createManualClock, turns, until } from '../support/manual-clock.ts'
import { createGate, createLines, createSource, gated, throws } from '../support/site.ts'

type Providers = SitemapOptions['providers']

function begin(providers: Providers, options: Partial<SitemapOptions> = {}) {
  const clock = createManualClock()
  const { lines, logger } = createLines()
  const engine = createEngine(
    resolveOptions({
      site: { url: 'https://www.example.com' },
      providers,
      retries: 0,
      warmUp: false,
      ...options,
    }),
    { clock, log: logger },
  )
  const ask = async (path: string) =>
    engine.respond({
      method: 'GET',
      path,
      header: (name) => (name === 'accept-encoding' ? 'identity' : undefined),
    })
  return { engine, ask, clock, lines }
}

// The row that a cold request found was used after a further walk had been published, and its blobs let go.
it('a cold request during whose walk an invalidation comes is answered from the newest state', async () => {
  const [one, two] = [createGate<readonly Entry[]>(), createGate<readonly Entry[]>()]
  const source = createSource((ctx, call) => gated(call === 1 ? one : two)(ctx, call))
  const { engine, ask } = begin({ posts: source.entries })
  const cold = ask('/sitemap.xml')
  await until(() => source.calls === 1)
  engine.invalidate('posts', 0).catch(() => {})
  one.open(['/old'])
  await until(() => source.calls === 2)
  two.open(['/new'])
  const answer = await cold
  expect(answer.status).toBe(200)
  expect(String(answer.body)).toContain('/new</loc>')
  await engine.close()
})

// SQLite and MySQL give 1 for true: the page was listed.
it.each([true, 1, '1', 'true', 'yes'])(
  'noindex %j keeps the entry out of every document',
  async (noindex) => {
    const entries = [
      { loc: '/hidden', title: 'Hidden', noindex },
      { loc: '/shown', title: 'Shown' },
    ]
    const { engine, ask } = begin({ posts: () => entries as readonly Entry[] })
    for (const path of [
      '/sitemap.xml',
      '/sitemap.txt',
      '/feed.rss',
      '/sitemap.html',
      '/sitemap-posts-1.xml',
    ]) {
      const body = String((await ask(path)).body)
      expect(body).toContain('/shown')
      expect(body).not.toContain('/hidden')
    }
    await engine.close()
  },
)

it.each([false, 0, '0', '', 'false', null])('noindex %j lists it', async (noindex) => {
  const { engine, ask } = begin({ posts: () => [{ loc: '/a', noindex }] as unknown as readonly Entry[] })
  expect(String((await ask('/sitemap.xml')).body)).toContain('/a</loc>')
  await engine.close()
})

// The delay held back even the first read: 503 for as long as it lasted.
it('an invalidation with a delay does not hold back the first read', async () => {
  const { engine, ask } = begin({ posts: () => ['/a'] })
  engine.invalidate('posts', 300_000).catch(() => {})
  expect((await ask('/sitemap.xml')).status).toBe(200)
  await engine.close()
})

// A site of optional sections only had a complete document before anything was read.
it('a cold site of optional sections is read before it is answered', async () => {
  const { engine, ask } = begin({ posts: { entries: () => ['/a'], optional: true } })
  const answer = await ask('/sitemap.xml')
  expect([answer.status, String(answer.body).includes('/a</loc>')]).toEqual([200, true])
  await engine.close()
})

it('a cold site of optional sections that cannot be read is 503, never an empty 200', async () => {
  const { engine, ask } = begin({ posts: { entries: createSource(throws).entries, optional: true } })
  expect((await ask('/sitemap.xml')).status).toBe(503)
  await engine.close()
})

// An invalidation that came during a walk that failed waited for the whole back-off.
it('an invalidation during a walk that fails is tried a second after it', async () => {
  const gate = createGate<readonly Entry[]>()
  const source = createSource(['/a'])
  const { engine, ask, clock } = begin({ posts: source.entries })
  await ask('/sitemap.xml')
  // Failures in a row, so that the back-off is long.
  source.set(throws)
  for (let n = 0; n < 5; n++) {
    await engine.refresh('posts', true).catch(() => {})
  }
  source.set(gated(gate))
  const forced = engine.refresh('posts', true).catch(() => {})
  await turns()
  engine.invalidate('posts', 0).catch(() => {})
  const before = source.calls
  gate.fail(new Error('down'))
  await forced
  source.set(['/b'])
  await clock.advance(1_100)
  await until(() => source.calls > before)
  await engine.close()
})

// One URL in two sections made the document's size unknown, and so it was neither streamed nor counted.
it('a merged document with a duplicate is streamed when it is large', async () => {
  const many = Array.from(
    { length: 12_000 },
    (_, i) => `/a-page-with-a-rather-long-name-that-weighs-something/${i}`,
  )
  const { engine, ask } = begin({ one: () => many, two: () => [many[5] as string, '/own'] })
  const answer = await ask('/sitemap.xml')
  expect([Buffer.isBuffer(answer.body), answer.bytes]).toEqual([false, undefined])
  const chunks: Buffer[] = []
  for await (const chunk of answer.body as AsyncIterable<Buffer>) chunks.push(chunk)
  expect(Buffer.concat(chunks).toString().match(/<loc>/g)).toHaveLength(12_001)
  await engine.close()
})
