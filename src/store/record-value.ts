import { pipeline } from 'node:stream/promises'
import { createDeflateRaw, createInflateRaw } from 'node:zlib'
import type { SnapshotRecord } from '../shelves/record.ts'
import type { SavedShelf } from '../shelves/shelf.ts'
import { createSlices } from '../slices.ts'
import type { RowHistory } from '../table/rows.ts'
import { digestOfPieces, slicesOf } from './blob-value.ts'

/** What a shelf shares: its snapshot without the blocks, and what an instance must know to go on from there. */
export interface ShelfRecord
  extends Omit<SavedShelf, 'snapshot' | 'staleAtMs' | 'mark' | 'source' | 'isForeign'> {
  readonly epoch: string | null
  readonly revision: number
  /** The version of a partition that was read. */
  readonly source: string | null
  /** When the instance that walked published it. */
  readonly atMs: number
  readonly snapshot: SnapshotRecord
  /** When its paths last changed. */
  readonly rows: RowHistory
}

const MAGIC = 'LSR1'
/** Characters of a digest. */
const DIGEST = 22
const HEAD = MAGIC.length + DIGEST
/** No record is larger; a value that claims to be is not read to its end. */
const MOST_BYTES = 268_435_456
/** Parts, and partitions of a list, that are written and read in one step: about a millisecond. */
const STEP_PARTS = 20
const STEP_PARTITIONS = 500

/**
 * A record as lines of JSON: what is short, then its long lists piece by piece, for one of a large section holds
 * thousands of parts or partitions, and the event loop belongs to the app.
 */
export async function packRecord(record: ShelfRecord): Promise<Buffer> {
  const pieces: Buffer[] = []
  await pipeline(linesOf(record), createDeflateRaw(), async (coded: AsyncIterable<Buffer>) => {
    for await (const piece of coded) pieces.push(piece)
  })
  return Buffer.concat([Buffer.from(MAGIC + (await digestOfPieces(pieces)), 'latin1'), ...pieces])
}

async function* linesOf(record: ShelfRecord): AsyncGenerator<string> {
  const { cuts, list } = record.snapshot
  yield JSON.stringify({
    ...record,
    snapshot: {
      ...record.snapshot,
      cuts: cuts.map((cut) => ({ ...cut, parts: [] })),
      list: list && { ...list, partitions: [] },
    },
  })
  const slices = createSlices()
  for (const [cut, { parts }] of cuts.entries())
    for (let at = 0; at < parts.length; at += STEP_PARTS) {
      yield `\n${JSON.stringify({ cut, parts: parts.slice(at, at + STEP_PARTS) })}`
      await slices()
    }
  for (let at = 0; at < (list?.partitions.length ?? 0); at += STEP_PARTITIONS) {
    yield `\n${JSON.stringify({ partitions: list?.partitions.slice(at, at + STEP_PARTITIONS) })}`
    await slices()
  }
}

/** Undefined for what is no record: a miss, never an error. */
export async function unpackRecord(value: unknown): Promise<ShelfRecord | undefined> {
  if (!(value instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const payload = bytes.subarray(HEAD)
  const head = bytes.toString('latin1', 0, HEAD)
  // What another wrote may be anything, and large: its digest is not asked for.
  if (!head.startsWith(MAGIC) || head !== MAGIC + (await digestOfPieces(slicesOf(payload)))) return undefined
  try {
    let record: ShelfRecord | undefined
    await pipeline([payload], createInflateRaw(), async (text: AsyncIterable<Buffer>) => {
      record = await readLines(text)
    })
    return record
  } catch {
    return undefined
  }
}

interface LongList {
  readonly cut?: number
  readonly parts?: readonly never[]
  readonly partitions?: readonly never[]
}

async function readLines(text: AsyncIterable<Buffer>): Promise<ShelfRecord | undefined> {
  let record: ShelfRecord | undefined
  // Ours until it is given out.
  let parts: unknown[][] = []
  let partitions: unknown[] | undefined
  const slices = createSlices()
  for await (const line of splitLines(text)) {
    if (record === undefined) {
      record = JSON.parse(line) as ShelfRecord
      parts = record.snapshot.cuts.map((cut) => cut.parts as unknown[])
      partitions = record.snapshot.list?.partitions as unknown[] | undefined
    } else {
      const more = JSON.parse(line) as LongList
      parts[more.cut ?? -1]?.push(...(more.parts ?? []))
      partitions?.push(...(more.partitions ?? []))
    }
    await slices()
  }
  return record
}

async function* splitLines(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  let bytes = 0
  for await (const chunk of text) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error('a record is too large')
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, to)]).toString('utf8')
      begun = []
      from = to + 1
    }
    begun.push(chunk.subarray(from))
  }
  yield Buffer.concat(begun).toString('utf8')
}

const NEWLINE = 0x0a
