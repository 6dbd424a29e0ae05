import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/digest.ts'
import type { Block, BlockWriter } from '../../src/shelves/blob.ts'
import { type Blob, type Cut, type CutRules, createCutter, type Piece } from '../../src/shelves/cut.ts'
import { textOf } from '../support/engine.ts'

/** Keeps blocks as they are. */
function createPlainWriter(): BlockWriter {
  const done = async () => {}
  return {
    write: (raw): Block => ({
      digest: digestOf(raw),
      bytes: raw.length,
      coded: () => Promise.reject(new Error('not coded')),
      raw: async () => raw,
      retain() {},
      isWasteful: () => false,
      release() {},
    }),
    begin() {},
    room: done,
    settled: done,
  }
}

const frameBytes = (namespaces: number) => 100 + 37 * namespaces
const wide: CutRules = { limit: 50_000, maxBytes: 50_000_000, frameBytes, pageSize: 1_000 }

function cut(pieces: readonly Piece[], rules: Partial<CutRules> = {}): Cut & { readonly refused: Piece[] } {
  const cutter = createCutter({ ...wide, ...rules }, createPlainWriter())
  const refused = pieces.filter((piece) => !cutter.add(piece))
  return { ...cutter.finish(), refused }
}

interface Looks {
  /** Bytes of the `<url>` line. */
  readonly size?: number
  readonly card?: string
  readonly namespaces?: number
  readonly day?: number
  readonly newsAtMs?: number
}

function piece(n: number, { size = 60, card = '\n', namespaces = 0, day, newsAtMs }: Looks = {}): Piece {
  const xml = `${`<url>${n} é`.padEnd(Math.max(size - 2, 10), 'x')}\n`
  return {
    xml,
    bytes: Buffer.byteLength(xml),
    txt: `https://www.example.com/${n}\n`,
    card,
    namespaces,
    lastmod: day === undefined ? undefined : { text: `day ${day}`, ms: day * 86_400_000 },
    newsAtMs,
  }
}

function pieces(count: number, looks: (n: number) => Looks = () => ({})): Piece[] {
  return Array.from({ length: count }, (_, n) => piece(n, looks(n)))
}

const digests = ({ parts }: Cut, kind: 'xml' | 'txt' | 'cards') => parts.map((part) => part[kind]?.digest)

describe('cutting by news articles (SPEC E50)', () => {
  it.each([
    { news: 1_000, plain: 500, counts: [1_500] },
    { news: 1_001, plain: 0, counts: [1_000, 1] },
    { news: 2_500, plain: 1, counts: [1_000, 1_000, 501] },
  ])('$news articles, then $plain other entries → parts of $counts', ({ news, plain, counts }) => {
    const { parts } = cut(
      pieces(news + plain, (n) => (n < news ? { newsAtMs: n } : {})),
      { limit: 50_000 },
    )
    expect(parts.map(({ count }) => count)).toEqual(counts)
    expect(parts.flatMap((part) => part.news.map(({ atMs }) => atMs))).toEqual(
      Array.from({ length: news }, (_, n) => n),
    )
    // Counted anew in each part.
    expect(parts.map((part) => part.news[0]?.entry)).toEqual(parts.map(() => 0))
  })
})

describe('cutting by number (SPEC U12)', () => {
  it.each([
    { entries: 0, limit: 10, counts: [] },
    { entries: 1, limit: 10, counts: [1] },
    { entries: 10, limit: 10, counts: [10] },
    { entries: 11, limit: 10, counts: [10, 1] },
    { entries: 20, limit: 10, counts: [10, 10] },
    { entries: 3, limit: 1, counts: [1, 1, 1] },
    { entries: 2_500, limit: 1_000, counts: [1_000, 1_000, 500] },
    { entries: 2_500, limit: 1_001, counts: [1_001, 1_001, 498] },
  ])('$entries entries, $limit a part → $counts', ({ entries, limit, counts }) => {
    const { parts, count } = cut(pieces(entries), { limit })
    expect(parts.map((part) => part.count)).toEqual(counts)
    expect(count).toBe(entries)
  })
})

describe('cutting by bytes, head and tail counted (SPEC U12)', () => {
  const ten = pieces(10, () => ({ size: 100 }))

  it.each([
    { name: 'all fit to the byte', maxBytes: 100 + 10 * 100, counts: [10] },
    { name: 'one byte less', maxBytes: 100 + 10 * 100 - 1, counts: [9, 1] },
    { name: 'two a part', maxBytes: 100 + 2 * 100, counts: [2, 2, 2, 2, 2] },
    { name: 'one a part', maxBytes: 100 + 100, counts: new Array(10).fill(1) },
  ])('$name', ({ maxBytes, counts }) => {
    const { parts, refused } = cut(ten, { maxBytes })
    expect(parts.map(({ count }) => count)).toEqual(counts)
    expect(refused).toEqual([])
  })

  it('an entry that alone is too large is not taken, its neighbours stay together', () => {
    const [a, b, c] = [piece(1), piece(2, { size: 901 }), piece(3)]
    const { parts, refused, count } = cut([a, b, c], { maxBytes: 1_000 })
    expect(refused).toEqual([b])
    expect([parts.length, count]).toEqual([1, 2])
    expect(cut([a, piece(2, { size: 900 }), c], { maxBytes: 1_000 }).parts.map((p) => p.count)).toEqual([
      1, 1, 1,
    ])
  })

  it('too large for a full part too, and the part is not closed for it', () => {
    const { parts, refused } = cut([piece(1), piece(2), piece(3, { size: 2_000 }), piece(4)], {
      maxBytes: 1_000,
      limit: 2,
    })
    expect(refused).toHaveLength(1)
    expect(parts.map(({ count }) => count)).toEqual([2, 1])
  })

  it('a namespace that an entry brings weighs from that entry on', () => {
    const rules = { maxBytes: 100 + 200 }
    expect(cut([piece(1, { size: 100 }), piece(2, { size: 100 })], rules).parts).toHaveLength(1)
    const { parts } = cut([piece(1, { size: 100 }), piece(2, { size: 100, namespaces: 1 })], rules)
    expect(parts.map(({ namespaces }) => namespaces)).toEqual([0, 1])
    expect(cut([piece(1, { size: 201, namespaces: 1 })], rules).refused).toHaveLength(1)
    expect(cut([piece(1, { size: 200, namespaces: 0 })], rules).refused).toHaveLength(0)
  })
})

describe('any list, any limits', () => {
  const looks = fc.record({
    size: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 12, max: 200 }) },
      { weight: 2, arbitrary: fc.integer({ min: 2_000, max: 20_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(262_143, 262_144, 400_000) },
    ),
    card: fc.constantFrom('\n', '\n', 'Title\n', `Title\t${'d'.repeat(300)}\n`),
    namespaces: fc.constantFrom(0, 0, 0, 1, 2, 3),
    day: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  })
  // A few looks, repeated in turn: lists longer than blocks without a generator's work for each entry.
  const cases = fc
    .record({
      pattern: fc.array(looks, { minLength: 1, maxLength: 7 }),
      length: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 2_600 })),
      limit: fc.constantFrom(1, 2, 7, 999, 1_000, 1_001, 50_000),
      maxBytes: fc.constantFrom(1_024, 5_000, 70_000, 300_000, 50_000_000),
      pageSize: fc.constantFrom(0, 1, 10, 999, 1_000, 1_024),
    })
    .map(({ pattern, length, ...rules }) => {
      // Many parts of few entries take long and show nothing more.
      const isSlow = rules.limit < 999 || rules.maxBytes < 70_000 || pattern.some(({ size }) => size > 200)
      const list = pieces(isSlow ? length % 61 : length, (n) => pattern[n % pattern.length] ?? {})
      return { list, rules }
    })

  it('loses, repeats and reorders nothing, and no part passes its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ list, rules }) => {
        const { limit, maxBytes, pageSize } = rules
        const { parts, count, pages, refused } = cut(list, rules)
        const takenPieces = list.filter((p) => !refused.includes(p))
        expect(refused).toEqual(list.filter((p) => p.bytes + frameBytes(p.namespaces) > maxBytes))
        expect(count).toBe(takenPieces.length)
        expect(pages).toHaveLength(pageSize === 0 ? 0 : Math.ceil(count / pageSize))
        let from = 0
        for (const [i, part] of parts.entries()) {
          const own = takenPieces.slice(from, from + part.count)
          from += part.count
          const text = (kind: 'xml' | 'txt' | 'card') => own.map((p) => p[kind]).join('')
          expect((await textOf(part.xml)) === text('xml')).toBe(true)
          expect((await textOf(part.txt)) === text('txt')).toBe(true)
          expect(own.length).toBe(part.count)
          expect(part.count).toBeLessThanOrEqual(limit)
          const bytes = Buffer.byteLength(text('xml'))
          expect(bytes + frameBytes(part.namespaces)).toBeLessThanOrEqual(maxBytes)
          expect(part.xml?.checksum).toEqual({ bytes, crc: crc32(text('xml')) })
          expect(part.cards?.checksum).toEqual({
            bytes: Buffer.byteLength(text('card')),
            crc: crc32(text('card')),
          })
          expect(part.namespaces).toBe(own.reduce((all, p) => all | p.namespaces, 0))
          const newest = own.flatMap(({ lastmod }) => lastmod?.ms ?? [])
          expect(part.newest?.ms).toBe(newest.length === 0 ? undefined : Math.max(...newest))
          await expectBlocks(
            part.xml,
            part.blockCounts,
            own.map((p) => p.xml),
          )
          await expectBlocks(
            part.txt,
            part.blockCounts,
            own.map((p) => p.txt),
          )
          await expectBlocks(
            part.cards,
            part.blockCounts,
            own.map((p) => p.card),
          )
          // No part was closed too early.
          const next = takenPieces[from]
          if (i < parts.length - 1 && part.count < limit && next !== undefined)
            expect(bytes + next.bytes + frameBytes(part.namespaces | next.namespaces)).toBeGreaterThan(
              maxBytes,
            )
        }
        expect(from).toBe(count)
      }),
      { numRuns: 60 },
    )
  })

  /** Each block holds the lines of its entries, and is not larger than a reader can bear. */
  async function expectBlocks(
    blob: Blob | undefined,
    blockCounts: readonly number[],
    lines: readonly string[],
  ): Promise<void> {
    expect(blob?.blocks.length).toBe(blockCounts.length)
    let from = 0
    for (const [i, entries] of blockCounts.entries()) {
      const own = lines.slice(from, from + entries)
      from += entries
      const raw = (await blob?.blocks[i]?.raw())?.toString('utf8')
      // A block of empty card lines is not stored.
      expect((raw ?? '\n'.repeat(entries)) === own.join('')).toBe(true)
      expect(entries).toBeLessThanOrEqual(1_000)
      expect(Buffer.byteLength(own.slice(0, -1).join(''))).toBeLessThan(262_144)
    }
    expect(from).toBe(lines.length)
  }

  it('digests name the bytes, not the blocks they lie in', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 60 }), ({ list, rules }, at) => {
        const before = cut(list, rules)
        // Longer titles close blocks early; XML and TXT know nothing of titles.
        const after = cut(
          list.map((p) => ({ ...p, card: `${p.card.trim()}${'t'.repeat(700)}\n` })),
          rules,
        )
        expect(digests(after, 'xml')).toEqual(digests(before, 'xml'))
        expect(digests(after, 'txt')).toEqual(digests(before, 'txt'))
        // One changed byte of one entry moves the part it lies in, and no other.
        const known = new Set(digests(before, 'xml'))
        const changed = list.map((p, n) => (n === at ? { ...p, xml: p.xml.replace('é', 'è') } : p))
        const moved = digests(cut(changed, rules), 'xml').filter((digest) => !known.has(digest))
        const hit = list[at] !== undefined && !before.refused.includes(list[at])
        expect(moved).toHaveLength(hit ? 1 : 0)
      }),
      { numRuns: 50 },
    )
  })
})

describe('blocks and digests', () => {
  it('a changed title does not touch a urlset, however it shifts the blocks', () => {
    const large = () => ({ size: 300, card: 'T\n' })
    const before = cut(pieces(3_000, large))
    const after = cut(pieces(3_000, (n) => ({ ...large(), card: `${'T'.repeat(n % 2_000)}\n` })))
    expect(after.parts[0]?.blockCounts).not.toEqual(before.parts[0]?.blockCounts)
    expect(digests(after, 'xml')).toEqual(digests(before, 'xml'))
    expect(digests(after, 'txt')).toEqual(digests(before, 'txt'))
    expect(digests(after, 'cards')).not.toEqual(digests(before, 'cards'))
  })

  it('a changed lastmod in the XML does not touch TXT and cards', () => {
    const before = cut(pieces(1_500))
    const after = cut(pieces(1_500, (n) => ({ size: 60 + (n % 500) })))
    expect(digests(after, 'txt')).toEqual(digests(before, 'txt'))
    expect(digests(after, 'cards')).toEqual(digests(before, 'cards'))
    expect(after.pages).toEqual(before.pages)
  })

  it('two entries that change places are another part', () => {
    const [a, b] = [piece(1), piece(2)]
    for (const kind of ['xml', 'txt'] as const)
      expect(digests(cut([b, a]), kind)).not.toEqual(digests(cut([a, b]), kind))
  })

  it('a line that moves over a border of runs is another part', () => {
    const list = pieces(1_500)
    const shifted = [...list.slice(1), ...list.slice(0, 1)]
    expect(digests(cut(shifted), 'xml')).not.toEqual(digests(cut(list), 'xml'))
  })

  it('cards that say nothing take no block and have the digest of their number', () => {
    const [part] = cut(pieces(1_200)).parts
    expect(part?.cards?.blocks).toEqual([undefined, undefined])
    expect(part?.cards?.checksum).toEqual({ bytes: 1_200, crc: crc32('\n'.repeat(1_200)) })
    const other = cut(pieces(1_200, () => ({ size: 400 }))).parts[0]
    expect(other?.blockCounts).not.toEqual(part?.blockCounts)
    expect(other?.cards?.digest).toBe(part?.cards?.digest)
    expect(cut(pieces(1_201)).parts[0]?.cards?.digest).not.toBe(part?.cards?.digest)
  })

  it('what a section takes no part in is not there', () => {
    const [part] = cut(
      pieces(3).map((p) => ({ ...p, xml: '', card: '' })),
      { pageSize: 0 },
    ).parts
    expect([part?.xml, part?.cards]).toEqual([undefined, undefined])
    expect(part?.txt?.checksum.bytes).toBe(3 * 'https://www.example.com/0\n'.length)
  })

  it('tells when a block was closed, once', () => {
    const cutter = createCutter(wide, createPlainWriter())
    const closedAt = pieces(2_100).flatMap((p, n) => {
      cutter.add(p)
      return cutter.takeBlockClosed() ? [n + 1] : []
    })
    expect(closedAt).toEqual([1_000, 2_000])
    expect(cutter.takeBlockClosed()).toBe(false)
    expect(cutter.finish().parts[0]?.blockCounts).toEqual([1_000, 1_000, 100])
  })

  it('newest lastmod: the first of equal instants, in any order', () => {
    const [part] = cut([piece(1, { day: 2 }), piece(2, { day: 9 }), piece(3), piece(4, { day: 5 })]).parts
    expect(part?.newest?.text).toBe('day 9')
    expect(cut([piece(1)]).parts[0]?.newest).toBeUndefined()
  })
})

describe('HTML pages', () => {
  const titled = (n: number) => ({ card: `Title ${n}\n` })

  it.each([
    { entries: 0, pageSize: 10, pages: 0 },
    { entries: 10, pageSize: 10, pages: 1 },
    { entries: 11, pageSize: 10, pages: 2 },
    { entries: 2_000, pageSize: 1_000, pages: 2 },
    { entries: 25, pageSize: 0, pages: 0 },
  ])('$entries entries, $pageSize a page → $pages pages', ({ entries, pageSize, pages }) => {
    expect(cut(pieces(entries, titled), { pageSize }).pages).toHaveLength(pages)
  })

  it.each([10, 999, 1_000, 1_500])('a page of %i depends on its own lines only', (pageSize) => {
    const count = pageSize * 3 + 5
    const before = cut(pieces(count, titled), { pageSize }).pages
    // Everything but page 2 is rewritten, which also shifts blocks and parts.
    const inPage2 = (n: number) => n >= pageSize && n < pageSize * 2
    const rewritten = (n: number) =>
      inPage2(n) ? titled(n) : { size: 500 + (n % 300), card: `${'Other '.repeat(n % 60)}${n}\n` }
    const after = cut(pieces(count, rewritten), { pageSize, limit: 700 }).pages
    expect(after.map((digest, i) => digest === before[i])).toEqual([false, true, false, false])
  })

  it('the same lines have the same page digests, whatever the blocks and parts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 3, 999, 1_000, 1_001),
        fc.constantFrom(2, 700, 1_000, 50_000),
        fc.integer({ min: 60, max: 900 }),
        fc.integer({ min: 1, max: 2_100 }),
        (pageSize, limit, size, count) => {
          const plain = cut(pieces(count, titled), { pageSize }).pages
          expect(
            cut(
              pieces(count, (n) => ({ ...titled(n), size })),
              { pageSize, limit },
            ).pages,
          ).toEqual(plain)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('a line that moves from loc to card, or from page to page, is another page', () => {
    const one = cut([{ ...piece(1), txt: 'a\n', card: 'b\n' }]).pages
    expect(cut([{ ...piece(1), txt: 'a\nb\n', card: '\n' }]).pages).not.toEqual(one)
    const list = pieces(4, titled)
    expect(cut(list, { pageSize: 2 }).pages[0]).not.toBe(cut(list, { pageSize: 3 }).pages[0])
  })

  it('two titles that change places are another page', () => {
    const swapped = pieces(2, (n) => titled(1 - n))
    expect(cut(swapped).pages).not.toEqual(cut(pieces(2, titled)).pages)
  })
})
