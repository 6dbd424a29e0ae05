import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexEntry } from '../../src/formats/format.ts'
import { renderSitemapIndex } from '../../src/formats/sitemapindex.ts'
import { arrange, expectedParts } from '../../src/shelves/arrangement.ts'
import type { ListedPartition } from '../../src/shelves/partition-list.ts'
import { cutIndex, type IndexPiece, partitionPiece, plainPiece } from '../../src/table/index-pieces.ts'

const FRAME = { head: '<sitemapindex>\n', tail: '</sitemapindex>\n' }
const frameBytes = FRAME.head.length + FRAME.tail.length

const publicUrl = (path: string): string => `https://www.example.com/a&b${path}`

function listed(id: string, count: number | undefined, date: string | undefined): ListedPartition {
  const lastmod = date === undefined ? undefined : { text: date, ms: Date.parse(date) }
  return { id, place: 0, version: undefined, lastmod, count, title: undefined, given: { id }, state: '' }
}

async function piecesOf(partitions: readonly ListedPartition[], limit = 10): Promise<IndexPiece[]> {
  const { pieces } = await arrange('goods', partitions, (one) => expectedParts(one, limit))
  return pieces.map((piece) => partitionPiece('goods', piece, publicUrl))
}

const entriesIn = (pieces: readonly IndexPiece[]): IndexEntry[] =>
  pieces.flatMap(({ entries }) => [...entries()])

describe('indexes are cut at 50,000 parts and at maxBytes (SPEC I10, I16)', () => {
  it('each is within the limits and full, none is empty, and together they name every part once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            count: fc.option(fc.nat(200), { nil: undefined }),
            date: fc.constantFrom(undefined, '2026-05-10', '2026-05-10T10:20:30Z'),
          }),
          { maxLength: 600 },
        ),
        fc.array(fc.webPath(), { maxLength: 5 }),
        fc.integer({ min: 300, max: 40_000 }),
        async (given, paths, maxBytes) => {
          const partitions = given.map(({ count, date }, i) => listed(`p${i}`, count, date))
          const plain = plainPiece(paths.map((path) => ({ loc: publicUrl(path) })))
          const pieces = [plain, ...(await piecesOf(partitions))]
          const files = cutIndex(pieces, { maxBytes, frameBytes })
          expect(files.flatMap(entriesIn)).toEqual(entriesIn(pieces))
          const texts = await Promise.all(files.map((file) => renderSitemapIndex(entriesIn(file), FRAME)))
          for (const [i, text] of texts.entries()) {
            const bytes = Buffer.byteLength(text)
            const lines = text.split('\n').slice(1, -2)
            expect(bytes <= maxBytes || lines.length === 1).toBe(true)
            expect(lines.length).toBeGreaterThan(0)
            const [next] = (texts[i + 1] ?? '').split('\n').slice(1)
            if (next !== undefined) expect(bytes + Buffer.byteLength(next) + 1).toBeGreaterThan(maxBytes)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('a piece says how many bytes its lines take', async () => {
    const [piece] = await piecesOf([listed('a', 95, '2026-05-10'), listed('b', undefined, undefined)])
    const text = await renderSitemapIndex(piece?.entries() ?? [], { head: '', tail: '' })
    expect(piece?.bytes).toBe(Buffer.byteLength(text))
    expect(piece?.count).toBe(11)
  })

  it('the bytes of an index have one name, wherever a piece was cut', async () => {
    const partitions = Array.from({ length: 300 }, (_, i) => listed(`p${i}`, undefined, undefined))
    const [first, second] = await piecesOf(partitions)
    const again = await piecesOf(partitions)
    expect([first?.digest, second?.digest]).toEqual(again.map(({ digest }) => digest))
    // Of a partition that is empty no byte stands in the index.
    const [withEmpty] = await piecesOf([...partitions.slice(0, 249), listed('x', 0, '2026-05-10')])
    const [without] = await piecesOf(partitions.slice(0, 249))
    expect(withEmpty?.digest).toBe(without?.digest)
  })
})
