import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../src/cache/source.ts'
import type { FeedItem } from '../../src/entry/entry.ts'
import { fingerprint } from '../../src/entry/fingerprint.ts'
import { type CommonOptions, resolveOptions } from '../../src/index.ts'
import { createMemory } from '../../src/memory.ts'
import { createBlockWriter } from '../../src/shelves/blob.ts'
import { createCutter } from '../../src/shelves/cut.ts'
import type { Shelf } from '../../src/shelves/shelf.ts'
import type { Snapshot } from '../../src/shelves/snapshot.ts'
import { createSpool } from '../../src/shelves/spool.ts'
import type { Ingredients, TableContext } from '../../src/table/context.ts'
import { findDuplicates } from '../../src/table/duplicates.ts'
import { feedRow } from '../../src/table/feed-rows.ts'
import type { RowDraft } from '../../src/table/rows.ts'
import { indexRows, sitemapRows, txtRow } from '../../src/table/xml-rows.ts'
import { SITE } from '../support/site.ts'

const FRAME = { head: '<urlset>\n', tail: '</urlset>\n' }
const frameBytes = () => FRAME.head.length + FRAME.tail.length

function contextOf(given: Omit<CommonOptions, 'providers'> = {}): TableContext {
  const options = resolveOptions({ site: SITE, providers: { a: [], b: [], c: [] }, ...given })
  return {
    options,
    site: { url: SITE.url, title: '', description: '', language: 'en' },
    publicUrl: (path) => SITE.url + path,
    publicPath: (path) => path,
    frame: () => FRAME,
    frameBytes,
    indexFrame: () => ({ head: '<sitemapindex>\n', tail: '</sitemapindex>\n' }),
    partitionsOf: () => undefined,
    templateFailed: () => {},
  }
}

const sitemapRow = (...args: Parameters<typeof sitemapRows>) => sitemapRows(...args)[0]

const urlLine = (path: string) => `<url>${path}</url>\n`
const locLine = (path: string) => `${SITE.url}${path}\n`

/** A snapshot of these paths, cut into parts of `limit`. */
function snapshotOf(paths: readonly string[], limit: number, feed: readonly FeedItem[] = []): Snapshot {
  const writer = createBlockWriter(createMemory(2 ** 26), createSpool(undefined), new Map())
  const cutter = createCutter({ limit, maxBytes: 2 ** 26, frameBytes, pageSize: 10 }, writer)
  const prints = new Int32Array(paths.length * 2)
  for (const [n, path] of paths.entries()) {
    const xml = urlLine(path)
    cutter.add({
      xml,
      bytes: xml.length,
      txt: locLine(path),
      card: '\n',
      namespaces: 0,
      lastmod: undefined,
      newsAtMs: undefined,
    })
    const out = { high: 0, low: 0 }
    fingerprint(path, out)
    prints.set([out.high, out.low], n * 2)
  }
  const cut = { locale: undefined, ...cutter.finish(), fingerprints: prints }
  return {
    section: '',
    cuts: [cut],
    parts: cut.parts,
    count: cut.count,
    feed,
    news: [],
    profiled: false,
    weight: 0,
    skipped: { total: 0, reasons: {}, samples: [] },
    faults: '',
    digest: '',
    setSum: '',
    startRevision: 0,
  }
}

function ingredientsOf(snapshots: readonly Snapshot[]): Ingredients {
  const read = snapshots.map((snapshot, n) => ({
    shelf: {
      section: 'abc'[n],
      snapshot,
      provider: { section: 'abc'[n], formats: new Set(['xml', 'txt', 'feed']) },
    } as unknown as Shelf,
    snapshot,
  }))
  return { shelves: read.map(({ shelf }) => shelf), read, incomplete: false }
}

async function textOf(row: RowDraft | undefined): Promise<string> {
  if (row === undefined) throw new Error('no row')
  const source = openSource(row.source)
  const chunks: Buffer[] = []
  for await (const chunk of source.chunks()) chunks.push(chunk)
  source.close()
  return Buffer.concat(chunks).toString()
}

const somePaths = fc.uniqueArray(
  fc.integer({ min: 0, max: 14 }).map((n) => `/${n}`),
  { maxLength: 9 },
)

describe('documents that join sections (SPEC L9; DESIGN 3, duplicates)', () => {
  it('any sections and parts: each URL once, the first in the order of providers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(somePaths, { maxLength: 3 }),
        fc.integer({ min: 1, max: 4 }),
        async (sections, limit) => {
          const ingredients = ingredientsOf(sections.map((paths) => snapshotOf(paths, limit)))
          const context = contextOf()
          const once = [...new Set(sections.flat())]
          expect(await textOf(sitemapRow('/sitemap.xml', ingredients, context, 0))).toBe(
            FRAME.head + once.map(urlLine).join('') + FRAME.tail,
          )
          expect(await textOf(txtRow('/sitemap.txt', ingredients, context))).toBe(once.map(locLine).join(''))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('are told apart by their digest whenever their bytes differ', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(somePaths, { maxLength: 2 }),
        fc.array(somePaths, { maxLength: 2 }),
        async (one, two) => {
          const rows = [one, two].map((sections) =>
            sitemapRow(
              '/sitemap.xml',
              ingredientsOf(sections.map((paths) => snapshotOf(paths, 50))),
              contextOf(),
              0,
            ),
          )
          const [a, b] = await Promise.all(rows.map(textOf))
          if (a !== b) expect(rows[0]?.digest).not.toBe(rows[1]?.digest)
          if (JSON.stringify(one) === JSON.stringify(two)) expect(rows[0]?.digest).toBe(rows[1]?.digest)
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each([
    { name: 'just limit', limit: 6, maxBytes: 52_428_800, kind: 'urlset' },
    { name: 'one more than limit, duplicates counted', limit: 5, maxBytes: 52_428_800, kind: 'index' },
  ])('/sitemap.xml of 6 entries: $name → $kind', ({ limit, maxBytes, kind }) => {
    const ingredients = ingredientsOf([
      snapshotOf(['/1', '/2', '/3'], 50),
      snapshotOf(['/1', '/4', '/5'], 50),
    ])
    expect(sitemapRow('/sitemap.xml', ingredients, contextOf({ limit, maxBytes }), 0)?.kind).toBe(kind)
  })

  it('/sitemap.xml switches at maxBytes to the byte', () => {
    const paths = Array.from({ length: 100 }, (_, n) => `/${100 + n}`)
    const ingredients = ingredientsOf([snapshotOf(paths, 1_000)])
    const bytes = 100 * urlLine('/100').length + frameBytes()
    expect(sitemapRow('/sitemap.xml', ingredients, contextOf({ maxBytes: bytes }), 0)?.kind).toBe('urlset')
    expect(sitemapRow('/sitemap.xml', ingredients, contextOf({ maxBytes: bytes - 1 }), 0)?.kind).toBe('index')
  })

  it('/sitemap.txt beyond limit is the first part of the first section', async () => {
    const ingredients = ingredientsOf([snapshotOf(['/1', '/2', '/3'], 2), snapshotOf(['/4'], 2)])
    expect(await textOf(txtRow('/sitemap.txt', ingredients, contextOf({ limit: 3 })))).toBe(
      locLine('/1') + locLine('/2'),
    )
  })

  it('the index names every part of every section in order', async () => {
    const ingredients = ingredientsOf([
      snapshotOf(['/1', '/2', '/3'], 2),
      snapshotOf([], 2),
      snapshotOf(['/4'], 2),
    ])
    const locs = [
      ...(await textOf(indexRows('/sitemap_index.xml', ingredients, contextOf(), 0)[0])).matchAll(
        /<loc>(.*?)<\/loc>/g,
      ),
    ]
    expect(locs.map(([, loc]) => loc)).toEqual(
      ['a-1', 'a-2', 'c-1'].map((part) => `${SITE.url}/sitemap-${part}.xml`),
    )
  })
})

function joinable(section: string, paths: readonly string[]) {
  const [cut] = snapshotOf(paths, 50).cuts
  if (cut === undefined) throw new Error('no cut')
  return { section, cut, hidden: undefined }
}

describe('duplicates across sections', () => {
  it('any lists: those that stand in an earlier list, by their number', () => {
    fc.assert(
      fc.property(fc.array(somePaths, { maxLength: 4 }), (lists) => {
        const seen = new Set<string>()
        const expected = lists.map((paths) =>
          paths.flatMap((path, n) => {
            const is = seen.has(path)
            seen.add(path)
            return is ? [n] : []
          }),
        )
        expect(findDuplicates(lists.map((paths, n) => joinable(`${n}`, paths)))).toEqual(expected)
      }),
    )
  })

  it('one section is joined with nothing', () => {
    const cut = { fingerprints: undefined, count: 1 }
    expect(findDuplicates([{ section: 'a', cut, hidden: undefined }])).toEqual([[]])
    expect(
      findDuplicates([
        { section: 'a', cut, hidden: undefined },
        { section: 'a', cut, hidden: undefined },
      ]),
    ).toEqual([[], []])
    expect(findDuplicates([])).toEqual([])
  })

  it('a section too large to be joined: no answer', () => {
    const large = { section: 'b', cut: { fingerprints: undefined, count: 60_000 }, hidden: undefined }
    expect(findDuplicates([joinable('a', ['/1']), large])).toBeUndefined()
  })

  it("what is hidden takes nobody's place", () => {
    const first = { ...joinable('a', ['/1', '/2']), hidden: new Set([0]) }
    expect(findDuplicates([first, joinable('b', ['/1', '/2'])])).toEqual([[], [1]])
  })
})

describe('the feed of all sections (DESIGN 2, feeds; 3.11)', () => {
  const NOW = 1_000_000

  const anItem = fc.record({
    loc: fc.integer({ min: 0, max: 9 }).map((n) => `${SITE.url}/${n}`),
    dateMs: fc.option(fc.integer({ min: NOW - 5, max: NOW + 5 }), { nil: undefined }),
  })

  it('any items: the newest that are due, the first of a loc, undated last; and when the next one enters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anItem, { maxLength: 6 }), { maxLength: 3 }),
        fc.integer({ min: 1, max: 6 }),
        (feeds, limit) => {
          const context = contextOf({ feed: { limit } })
          const at = (nowMs: number) =>
            feedRow(
              'rss',
              '/feed.rss',
              undefined,
              ingredientsOf(
                feeds.map((feed) =>
                  snapshotOf(
                    [],
                    50,
                    feed.map((item, n) => ({ ...item, title: `${n}` }) as FeedItem),
                  ),
                ),
              ),
              context,
              nowMs,
            )
          const first = feeds
            .flat()
            .filter(({ loc }, n, all) => all.findIndex((item) => item.loc === loc) === n)
          const toCome = first.flatMap(({ dateMs }) => (dateMs !== undefined && dateMs > NOW ? [dateMs] : []))
          const row = at(NOW)
          expect(row.expiresAtMs).toBe(toCome.length === 0 ? undefined : Math.min(...toCome))
          // Nothing changes until then, and all stays as it is without anything to come.
          expect(at((row.expiresAtMs ?? NOW + 1_000) - 1).digest).toBe(row.digest)
          const due = (nowMs: number) =>
            first
              .filter(({ dateMs }) => dateMs === undefined || dateMs <= nowMs)
              .sort((a, b) => (b.dateMs ?? -1) - (a.dateMs ?? -1))
              .slice(0, limit)
              .map(({ loc }) => loc)
          const later = at(NOW + 10)
          expect(later.digest === row.digest).toBe(JSON.stringify(due(NOW)) === JSON.stringify(due(NOW + 10)))
          expect(later.expiresAtMs).toBeUndefined()
        },
      ),
    )
  })

  it('shows them in that order', async () => {
    const item = (n: number, dateMs?: number): FeedItem => ({
      loc: `${SITE.url}/${n}`,
      title: `T${n}`,
      ...(dateMs === undefined ? {} : { dateMs }),
    })
    const ingredients = ingredientsOf([
      snapshotOf([], 50, [item(1, NOW + 1), item(2, NOW - 5), item(3)]),
      snapshotOf([], 50, [item(2, NOW), item(4, NOW - 5), item(5, NOW - 1), item(1, NOW - 3)]),
    ])
    const rss = await textOf(feedRow('rss', '/feed.rss', undefined, ingredients, contextOf(), NOW))
    expect([...rss.matchAll(/<title>(T\d)<\/title>/g)].map(([, title]) => title)).toEqual([
      'T5',
      'T2',
      'T4',
      'T3',
    ])
  })
})
