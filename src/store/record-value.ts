import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { digestOf } from '../digest.ts'
import { poolJobs } from '../pool-jobs.ts'
import type { SnapshotRecord } from '../shelves/record.ts'
import type { SavedShelf } from '../shelves/shelf.ts'
import { createSlices } from '../slices.ts'
import type { RowHistory } from '../table/rows.ts'

const deflate = promisify<Buffer, Buffer>(deflateRaw)
const inflate = promisify<Buffer, object, Buffer>(inflateRaw)
const poolJob = poolJobs.of('records')

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
/** No record is larger; a value that claims to be is not inflated. */
const MOST_BYTES = 268_435_456
/** Parts, and partitions of a list, that are written and read in one step: about a millisecond. */
const STEP_PARTS = 20
const STEP_PARTITIONS = 500

/**
 * A record as lines of JSON: what is short, then its long lists piece by piece, for one of a large section holds
 * thousands of parts or partitions, and the event loop belongs to the app.
 */
export async function packRecord(record: ShelfRecord): Promise<Buffer> {
  const { cuts, list } = record.snapshot
  const lines = [
    JSON.stringify({
      ...record,
      snapshot: {
        ...record.snapshot,
        cuts: cuts.map((cut) => ({ ...cut, parts: [] })),
        list: list && { ...list, partitions: [] },
      },
    }),
  ]
  const slices = createSlices()
  for (const [cut, { parts }] of cuts.entries())
    for (let at = 0; at < parts.length; at += STEP_PARTS) {
      lines.push(JSON.stringify({ cut, parts: parts.slice(at, at + STEP_PARTS) }))
      await slices()
    }
  for (let at = 0; at < (list?.partitions.length ?? 0); at += STEP_PARTITIONS) {
    lines.push(JSON.stringify({ partitions: list?.partitions.slice(at, at + STEP_PARTITIONS) }))
    await slices()
  }
  const payload = await poolJob.run(() => deflate(Buffer.from(lines.join('\n'))))
  return Buffer.concat([Buffer.from(MAGIC + digestOf(payload), 'latin1'), payload])
}

/** Undefined for what is no record: a miss, never an error. */
export async function unpackRecord(value: unknown): Promise<ShelfRecord | undefined> {
  if (!(value instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const payload = bytes.subarray(HEAD)
  if (bytes.toString('latin1', 0, HEAD) !== MAGIC + digestOf(payload)) return undefined
  try {
    return await readLines(await poolJob.run(() => inflate(payload, { maxOutputLength: MOST_BYTES })))
  } catch {
    return undefined
  }
}

interface LongList {
  readonly cut?: number
  readonly parts?: readonly never[]
  readonly partitions?: readonly never[]
}

async function readLines(text: Buffer): Promise<ShelfRecord> {
  const slices = createSlices()
  const end = lineEnd(text, 0)
  const record = JSON.parse(text.toString('utf8', 0, end)) as ShelfRecord
  const { cuts, list } = record.snapshot
  // Ours until it is given out.
  const parts = cuts.map((cut) => cut.parts as unknown[])
  const partitions = list?.partitions as unknown[] | undefined
  for (let from = end + 1; from < text.length; ) {
    const to = lineEnd(text, from)
    const line = JSON.parse(text.toString('utf8', from, to)) as LongList
    parts[line.cut ?? -1]?.push(...(line.parts ?? []))
    partitions?.push(...(line.partitions ?? []))
    from = to + 1
    await slices()
  }
  return record
}

function lineEnd(text: Buffer, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}
