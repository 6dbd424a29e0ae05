import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { digestOf } from '../digest.ts'
import type { SnapshotRecord } from '../shelves/record.ts'
import type { SavedShelf } from '../shelves/shelf.ts'
import type { RowHistory } from '../table/rows.ts'

const deflate = promisify<Buffer, Buffer>(deflateRaw)
const inflate = promisify<Buffer, object, Buffer>(inflateRaw)

/** What a shelf shares: its snapshot without the blocks, and what an instance must know to go on from there. */
export interface ShelfRecord extends Omit<SavedShelf, 'snapshot' | 'staleAtMs' | 'mark' | 'source'> {
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

export async function packRecord(record: ShelfRecord): Promise<Buffer> {
  const payload = await deflate(Buffer.from(JSON.stringify(record)))
  return Buffer.concat([Buffer.from(MAGIC + digestOf(payload), 'latin1'), payload])
}

/** Undefined for what is no record: a miss, never an error. */
export async function unpackRecord(value: unknown): Promise<ShelfRecord | undefined> {
  if (!(value instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const payload = bytes.subarray(HEAD)
  if (bytes.toString('latin1', 0, HEAD) !== MAGIC + digestOf(payload)) return undefined
  try {
    const text = await inflate(payload, { maxOutputLength: MOST_BYTES })
    return JSON.parse(text.toString('utf8')) as ShelfRecord
  } catch {
    return undefined
  }
}
