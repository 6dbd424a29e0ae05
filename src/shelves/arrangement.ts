import { digestOf, digestOfAll } from '../digest.ts'
import { createSlices } from '../slices.ts'
import { partitionPath } from '../table/paths.ts'
import type { ListedPartition } from './partition-list.ts'

/**
 * Partitions that stand next to each other in a list. Documents are made of pieces, so that reading a partition makes
 * only its own piece anew, and the documents of 100,000 partitions cost some hundred digests.
 */
export interface Piece {
  readonly partitions: readonly ListedPartition[]
  /** How many parts each of them has, as far as is known; 0 for one that is empty. */
  readonly parts: Uint32Array
  /** Parts of them all. */
  readonly total: number
  /** Bytes that their paths and dates take in an index. */
  readonly bytes: number
  /** What names all that was listed. */
  readonly content: string
  /** What names paths and dates of the parts. */
  readonly dated: string
  /** What names the paths of the parts alone. */
  readonly named: string
}

/** What is known beside the list of the partitions that were read. */
export interface Learned {
  /** Parts it was cut into; 0 where it is empty. */
  readonly parts: number
  readonly entries: number
  readonly readAtMs: number
  /** As it was listed when it was read. */
  readonly listed: ListedPartition
}

/** A list as documents take it, and what was known when it was made. */
export interface Arrangement {
  readonly pieces: readonly Piece[]
  readonly learned: Map<string, Learned>
}

/** An index names as many. */
export const MOST_PARTS = 50_000

/** Partitions of a piece: half a millisecond's work. */
export const PIECE_SIZE = 250

/** Parts that the list makes expect. */
export function expectedParts({ count }: ListedPartition, limit: number): number {
  return count === undefined ? 1 : Math.ceil(count / limit)
}

/** Parts of a partition by its list and by what reading it has taught. */
export function knownParts(listed: ListedPartition, known: Learned | undefined, limit: number): number {
  const expected = expectedParts(listed, limit)
  const { count } = listed
  if (known === undefined) return expected
  if (count === undefined || count === known.listed.count) return known.parts
  // The list was made later than the reading. What was cut at maxBytes then, or by locales, is now.
  const isCutFiner = known.parts > Math.ceil(known.entries / limit)
  return isCutFiner ? Math.max(expected, Math.round((known.parts * count) / known.entries)) : expected
}

/** Arranges a list, giving way to the app's own work. */
export async function arrange(
  section: string,
  partitions: readonly ListedPartition[],
  partsOf: (listed: ListedPartition) => number,
  learned: Map<string, Learned> = new Map(),
): Promise<Arrangement> {
  const slices = createSlices()
  const pieces: Piece[] = []
  for (let from = 0; from < partitions.length; from += PIECE_SIZE) {
    pieces.push(pieceOf(section, partitions.slice(from, from + PIECE_SIZE), partsOf))
    await slices()
  }
  return { pieces, learned }
}

export function pieceOf(
  section: string,
  partitions: readonly ListedPartition[],
  partsOf: (listed: ListedPartition) => number,
): Piece {
  const parts = Uint32Array.from(partitions, partsOf)
  const named: (string | number)[] = [section]
  const dated: (string | number | undefined)[] = [section]
  const content: (string | number | undefined)[] = [section]
  let bytes = 0
  for (const [i, { id, state, lastmod, count, title }] of partitions.entries()) {
    const own = parts[i] ?? 0
    content.push(id, state, lastmod?.text, count, title)
    if (own === 0) continue
    // Paths are ASCII, and so are dates: a character is a byte.
    const dateBytes = lastmod === undefined ? 0 : '<lastmod></lastmod>'.length + lastmod.text.length
    const pathBytes = partitionPath(section, id, 1, 'xml').length - 1
    for (let n = 1; n <= own; n++) bytes += pathBytes + String(n).length + dateBytes
    named.push(id, own)
    dated.push(id, own, lastmod?.text)
  }
  return {
    partitions,
    parts,
    total: parts.reduce((sum, own) => sum + own, 0),
    bytes,
    content: digestOfAll(...content),
    dated: digestOfAll(...dated),
    named: digestOfAll(...named),
  }
}

/** The parts of a piece in order, each with its path. */
export function* partsOfPiece(
  section: string,
  { partitions, parts }: Piece,
  extension: 'xml' | 'txt',
): Generator<{ readonly path: string; readonly lastmod: string | undefined }> {
  for (const [i, { id, lastmod }] of partitions.entries())
    for (let n = 1; n <= (parts[i] ?? 0); n++)
      yield { path: partitionPath(section, id, n, extension), lastmod: lastmod?.text }
}

/** What names each page of `size` partitions: all that is shown of them. */
export async function pageDigests(
  partitions: readonly ListedPartition[],
  size: number,
): Promise<readonly string[]> {
  const slices = createSlices()
  const pages: string[] = []
  for (let from = 0; from === 0 || from < partitions.length; from += size) {
    const shown = partitions.slice(from, from + size)
    pages.push(digestOf(JSON.stringify(shown.map(({ id, title, lastmod }) => [id, title, lastmod?.text]))))
    await slices()
  }
  return pages
}
