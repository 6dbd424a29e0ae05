import { withoutNews } from '../formats/urlset.ts'
import { createSlices } from '../slices.ts'
import type { Row, Source, SourcePiece } from '../table/rows.ts'

/** A document's bytes being read: its blobs are held from now on, whatever is published meanwhile, until `close`. */
export interface OpenSource {
  /** The bytes in order, never more than a block at once. */
  chunks(): AsyncGenerator<Buffer>
  close(): void
}

/** Opens a row's source. Every opened source must be closed, read or not. */
export function openSource(source: Source): OpenSource {
  const blocks = blobsOf(source).flatMap((blob) => blob.blocks.filter((block) => block !== undefined))
  for (const block of blocks) block.retain()
  let open = true
  return {
    chunks: () => (source.type === 'blobs' ? blobChunks(source) : textChunk(source)),
    close() {
      if (!open) return
      open = false
      for (const block of blocks) block.release()
    },
  }
}

function blobsOf(source: Source): SourcePiece['blob'][] {
  return source.type === 'text' ? [...source.blobs()] : source.pieces.map(({ blob }) => blob)
}

/** What the plain document weighs at most: lines that are left out count. 0 where it is rendered from cards or records. */
export function plainWeight({ source }: Row): number {
  if (source.type === 'text') return 0
  return source.pieces.reduce(
    (sum, { blob }) => sum + blob.checksum.bytes,
    source.head.length + source.tail.length,
  )
}

/** Size of the plain document where it is known without rendering: from the walk's own count. */
export function plainBytes({ source }: Row): number | undefined {
  if (source.type === 'text' || source.pieces.some(isEdited)) return undefined
  const frame = Buffer.byteLength(source.head) + Buffer.byteLength(source.tail)
  return source.pieces.reduce((sum, { blob }) => sum + blob.checksum.bytes, frame)
}

/** Whether the document differs from the blob's own bytes. */
export function isEdited({ skip, bare }: SourcePiece): boolean {
  return skip !== undefined || bare !== undefined
}

async function* textChunk(source: Extract<Source, { type: 'text' }>): AsyncGenerator<Buffer> {
  yield Buffer.from(await source.render())
}

async function* blobChunks({
  head,
  tail,
  pieces,
}: Extract<Source, { type: 'blobs' }>): AsyncGenerator<Buffer> {
  if (head !== '') yield Buffer.from(head)
  const slices = createSlices()
  for (const piece of pieces) {
    let first = 0
    for (const [i, block] of piece.blob.blocks.entries()) {
      const count = piece.blockCounts[i] ?? 0
      const raw = await block?.raw()
      if (raw !== undefined) yield isEdited(piece) ? edited(raw, piece, first, count) : raw
      first += count
      // Nothing that is awaited here need leave the loop: blocks are inflated on it, and a socket may take them at once.
      await slices()
    }
  }
  if (tail !== '') yield Buffer.from(tail)
}

/** A block without the lines and the news articles that the piece leaves out; its first line is entry number `first`. */
function edited(raw: Buffer, { skip, bare }: SourcePiece, first: number, count: number): Buffer {
  const inBlock = (numbers: readonly number[] | undefined): Set<number> =>
    new Set(numbers?.filter((n) => n >= first && n < first + count).map((n) => n - first))
  const dropped = inBlock(skip)
  const bared = inBlock(bare)
  if (dropped.size === 0 && bared.size === 0) return raw
  // One line an entry: no text holds a line end (entry/check.ts), no URL either (SPEC T6).
  const lines = raw.toString('utf8').split('\n')
  for (const n of bared) lines[n] = withoutNews(lines[n] ?? '')
  return Buffer.from(lines.filter((_, n) => !dropped.has(n)).join('\n'))
}
