import { createHash } from 'node:crypto'
import { digestOf, shortDigest } from '../digest.ts'
import type { Block } from '../shelves/blob.ts'
import type { BlobRecord, BlockRecord } from '../shelves/record.ts'
import { giveWay } from '../slices.ts'

/**
 * A blob as a value of the store: the compressed pieces of its blocks, one after the other, behind a head that says
 * whose they are and that they are whole. What is not, was another's or was cut off is no blob: a miss, never an error.
 */

const MAGIC = 'LSB1'
/** Characters of a digest. */
const DIGEST = 22
const HEAD = MAGIC.length + 2 * DIGEST

/** Names the pieces of a blob. Equal bytes may be cut into other blocks, so their digests name it, not that of the whole. */
export function blobName({
  blocks,
}: {
  readonly blocks: readonly ({ readonly digest: string } | null | undefined)[]
}): string {
  return digestOf(blocks.map((block) => block?.digest ?? '').join())
}

/** The value of a blob. */
export async function packBlob(name: string, blocks: readonly (Block | undefined)[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  const lengths = Buffer.alloc(4 * blocks.length)
  for (const [i, block] of blocks.entries()) {
    const coded = await block?.coded()
    if (coded === undefined) continue
    lengths.writeUInt32LE(coded.length, 4 * i)
    pieces.push(coded)
  }
  const head = Buffer.from(MAGIC + name + (await digestOfPieces([lengths, ...pieces])), 'latin1')
  return Buffer.concat([head, lengths, ...pieces])
}

/** Calls `take` with the compressed piece of each block; false where `value` is not the value of this blob. */
export async function unpackBlob(
  value: Uint8Array,
  { blocks }: BlobRecord,
  name: string,
  take: (block: BlockRecord, coded: Buffer) => Promise<void>,
): Promise<boolean> {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const payload = bytes.subarray(HEAD)
  if (bytes.toString('latin1', 0, HEAD) !== MAGIC + name + (await digestOfPieces(slicesOf(payload))))
    return false
  let offset = 4 * blocks.length
  for (const [i, block] of blocks.entries()) {
    const length = payload.readUInt32LE(4 * i)
    if (block !== null) await take(block, payload.subarray(offset, offset + length))
    offset += length
  }
  return true
}

/** Bytes hashed at once: about a millisecond. */
const SLICE = 262_144

/** Views of a value, as small as may be hashed at once. */
export function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE)
}

/** A value may be tens of megabytes: the event loop belongs to the app. */
export async function digestOfPieces(pieces: Iterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  let since = 0
  for (const piece of pieces) {
    hash.update(piece)
    since += piece.length
    if (since < SLICE) continue
    since = 0
    await giveWay()
  }
  return shortDigest(hash)
}
