/** SPEC section 3, on documents as they are served. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { closeEngines, entriesOf, SITE } from '../support/site.ts'
import { IDENTITY, serve, serveEntries } from './served.ts'

afterEach(closeEngines)

describe('text sitemap (SPEC 3)', () => {
  it('T1, T8: one URL a line and nothing else, no blank line', async () => {
    const served = serve({ providers: { pages: () => ['/', '/a'], empty: () => [], more: ['/b'] } })
    expect(await served.text('/sitemap.txt')).toBe(
      'https://www.example.com/\nhttps://www.example.com/a\nhttps://www.example.com/b\n',
    )
    const none = serveEntries([])
    expect((await none.get('/sitemap.txt')).body.length).toBe(0)
  })

  it.each([
    { given: '/a?b=1&c=2', line: 'https://www.example.com/a?b=1&c=2' },
    { given: "/it's", line: "https://www.example.com/it's" },
    { given: '/<a> "b"', line: 'https://www.example.com/%3Ca%3E%20%22b%22' },
    { given: '/ü', line: 'https://www.example.com/%C3%BC' },
    { given: 'https://www.example.com/a%20b', line: 'https://www.example.com/a%20b' },
  ])('T2: $given is percent-encoded and not escaped: $line', async ({ given, line }) => {
    expect(await serveEntries([given]).text('/sitemap.txt')).toBe(`${line}\n`)
  })

  it('T3: UTF-8 without a BOM, LF, as text/plain', async () => {
    const served = serveEntries(['/ü', '/\uFEFFb'])
    const { body, headers } = await served.get('/sitemap.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body.toString('latin1')).toBe(
      'https://www.example.com/%C3%BC\nhttps://www.example.com/%EF%BB%BFb\n',
    )
  })

  it('T4, T5: cut by limit and bytes into files that end in .txt, which robots.txt names', async () => {
    const entries = entriesOf('a', 90)
    for (const bound of [{ limit: 40 }, { maxBytes: 1_024 }]) {
      const served = serve({
        ...bound,
        routes: { robots: '/robots.txt' },
        providers: { pages: { entries: () => entries, formats: ['txt'] } },
      })
      await served.text('/sitemap.txt')
      const named = [...(await served.text('/robots.txt')).matchAll(/^Sitemap: (.*\.txt)$/gm)].map(
        ([, url]) => url,
      )
      expect(named.length).toBeGreaterThan(1)
      const files = await Promise.all(named.map(async (url = '') => served.text(url.slice(SITE.url.length))))
      for (const file of files) {
        expect(file.split('\n').length - 1).toBeLessThanOrEqual('limit' in bound ? bound.limit : 50_000)
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual('maxBytes' in bound ? bound.maxBytes : 52_428_800)
      }
      expect(files.join('')).toBe(entries.map(({ loc }) => `${SITE.url}${loc}\n`).join(''))
      await closeEngines()
    }
  })

  it('T4: beyond 50,000 URLs, too', async () => {
    const served = serve({
      providers: {
        pages: {
          formats: ['txt'],
          *entries() {
            for (let i = 0; i < 50_001; i++) yield `/${i}`
          },
        },
      },
    })
    expect((await served.text('/sitemap.txt')).match(/\n/g)).toHaveLength(50_000)
    expect(await served.text('/sitemap-pages-2.txt')).toBe('https://www.example.com/50000\n')
  })

  it('T6: whatever an entry holds, a URL is one line', async () => {
    const piece = fc.constantFrom('\n', '\r', '\u0085', '\u2028', '\t', ' ', '#', '%0A', '/', 'a', 'é')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(piece, { maxLength: 6 }), { maxLength: 20 }), async (rows) => {
        const served = serveEntries(['/', ...rows.map((pieces, i) => `/${i}${pieces.join('')}`)])
        const text = await served.text('/sitemap.txt')
        const locs = [...(await served.text('/sitemap.xml')).matchAll(/<loc>(.*)<\/loc>/g)].map(
          ([, loc]) => loc,
        )
        await closeEngines()
        expect(text).toMatch(/^[\n!-~]*$/)
        expect(text.split('\n')).toEqual([...locs, ''])
      }),
      { numRuns: 30 },
    )
  })

  it('T7: gzip on its way, the same text', async () => {
    const served = serveEntries(entriesOf('a', 500))
    const plain = await served.text('/sitemap.txt')
    const coded = await served.site.ask('/sitemap.txt', { 'accept-encoding': 'gzip' })
    expect(coded.headers['content-encoding']).toBe('gzip')
    expect(coded.text).toBe(plain)
    expect((await served.site.ask('/sitemap.txt.gz', IDENTITY)).status).toBe(404)
  })
})
