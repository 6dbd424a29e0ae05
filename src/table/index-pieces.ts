import { digestOf } from '../digest.ts'
import type { IndexEntry } from '../formats/format.ts'
import { sitemapLine } from '../formats/sitemapindex.ts'
import { type Piece, partsOfPiece } from '../shelves/arrangement.ts'

/** Some lines of an index that stand next to each other. */
export interface IndexPiece {
  readonly count: number
  /** Bytes of its lines. */
  readonly bytes: number
  /** What names them. */
  readonly digest: string
  readonly entries: () => Iterable<IndexEntry>
}

/** Limits of one index (SPEC I10). */
export interface IndexLimits {
  readonly maxBytes: number
  /** Bytes of head and tail. */
  readonly frameBytes: number
}

/** SPEC I10. */
const MOST_LISTED = 50_000

/** A piece of lines that are known one by one. */
export function plainPiece(entries: readonly IndexEntry[]): IndexPiece {
  return {
    count: entries.length,
    bytes: entries.reduce((sum, entry) => sum + lineBytes(entry), 0),
    digest: digestOf(JSON.stringify(entries)),
    entries: () => entries,
  }
}

/** The parts of partitions, whose paths `publicUrl` completes. */
export function partitionPiece(
  section: string,
  piece: Piece,
  publicUrl: (path: string) => string,
): IndexPiece {
  return {
    count: piece.total,
    bytes: piece.total * lineBytes({ loc: publicUrl('') }) + piece.bytes,
    digest: piece.dated,
    *entries() {
      for (const { path, lastmod } of partsOfPiece(section, piece, 'xml'))
        yield { loc: publicUrl(path), lastmod }
    },
  }
}

/** Cuts the lines of all pieces into as many indexes as they need; none of them is empty. */
export function cutIndex(
  pieces: readonly IndexPiece[],
  { maxBytes, frameBytes }: IndexLimits,
): readonly (readonly IndexPiece[])[] {
  const files: IndexPiece[][] = []
  let file: IndexPiece[] = []
  let count = 0
  let bytes = frameBytes

  function close(): void {
    if (file.length > 0) files.push(file)
    file = []
    count = 0
    bytes = frameBytes
  }

  function add(piece: IndexPiece): void {
    if (piece.count === 0) return
    file.push(piece)
    count += piece.count
    bytes += piece.bytes
  }

  for (const piece of pieces) {
    if (count + piece.count <= MOST_LISTED && bytes + piece.bytes <= maxBytes) {
      add(piece)
      continue
    }
    let some: IndexEntry[] = []
    let someBytes = 0
    for (const entry of piece.entries()) {
      const own = lineBytes(entry)
      const isFull =
        count + some.length + 1 > MOST_LISTED ||
        (count + some.length > 0 && bytes + someBytes + own > maxBytes)
      if (isFull) {
        add(plainPiece(some))
        close()
        some = []
        someBytes = 0
      }
      some.push(entry)
      someBytes += own
    }
    add(plainPiece(some))
  }
  close()
  return files
}

function lineBytes(entry: IndexEntry): number {
  return Buffer.byteLength(sitemapLine(entry))
}
