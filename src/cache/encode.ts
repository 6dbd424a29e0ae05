import { once } from 'node:events'
import zlib from 'node:zlib'
import { SitemapError } from '../errors.ts'
import type { Coding } from '../http/negotiate.ts'
import { poolJobs } from '../pool-jobs.ts'
import { owned } from '../shelves/blob.ts'
import type { Row } from '../table/rows.ts'
import { type Checksum, checksum, DEFLATE_END, GZIP_HEADER, gzipTrailer, joinChecksums } from './gzip-join.ts'
import { isEdited, type OpenSource } from './source.ts'

/** Brotli 5 is where its size stops falling fast while its time does not yet rise (measured: ENGINE section 3). */
const BROTLI_QUALITY = 5
const poolJob = poolJobs.of('documents')

/**
 * The document in a content-coding. Gzip of what lies in blobs is joined from their compressed pieces; everything else
 * goes through an encoder block by block, off the event loop.
 */
export async function encode(
  row: Row,
  source: OpenSource,
  coding: Coding,
  isClosed: () => boolean = () => false,
): Promise<Buffer> {
  if (isClosed()) throw closedError()
  if (coding === 'gzip') {
    const joined = await joinGzip(row)
    if (joined !== undefined) return joined
  }
  if (coding === 'identity') {
    const chunks: Buffer[] = []
    for await (const chunk of source.chunks()) chunks.push(chunk)
    const [only] = chunks
    return owned(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
  }
  return poolJob.run(() => compress(source, coding, isClosed))
}

async function compress(
  source: OpenSource,
  coding: Exclude<Coding, 'identity'>,
  isClosed: () => boolean,
): Promise<Buffer> {
  const encoder = createEncoder(coding)
  const out: Buffer[] = []
  encoder.on('data', (chunk: Buffer) => out.push(chunk))
  const ended = once(encoder, 'end')
  ended.catch(ignore)
  try {
    for await (const chunk of source.chunks()) {
      if (isClosed()) throw closedError()
      if (!encoder.write(chunk)) await Promise.race([once(encoder, 'drain'), ended])
    }
    encoder.end()
    await ended
  } finally {
    encoder.destroy()
  }
  return owned(Buffer.concat(out))
}

function createEncoder(coding: Exclude<Coding, 'identity'>): zlib.Gzip | zlib.BrotliCompress {
  if (coding === 'br')
    return zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  // Not in the types of Node 20; the options offer it only where it is there.
  if (coding === 'zstd')
    return (zlib as unknown as { createZstdCompress: () => zlib.Gzip }).createZstdCompress()
  return zlib.createGzip({ level: 6 })
}

/** Undefined where lines were left out: then the pieces do not make the document. */
async function joinGzip({ source }: Row): Promise<Buffer | undefined> {
  if (source.type === 'text' || source.pieces.some(isEdited)) return undefined
  const head = Buffer.from(source.head)
  const tail = Buffer.from(source.tail)
  let sum: Checksum = checksum(head)
  const out: Buffer[] = [GZIP_HEADER]
  if (head.length > 0) out.push(deflatePiece(source.head))
  for (const { blob } of source.pieces) {
    sum = joinChecksums(sum, blob.checksum)
    for (const block of blob.blocks) if (block !== undefined) out.push(await block.coded())
  }
  if (tail.length > 0) out.push(deflatePiece(source.tail))
  sum = joinChecksums(sum, checksum(tail))
  out.push(DEFLATE_END, gzipTrailer(sum))
  return owned(Buffer.concat(out))
}

/** Heads and tails are few and small: each is deflated once. */
const deflated = new Map<string, Buffer>()

function deflatePiece(text: string): Buffer {
  let piece = deflated.get(text)
  if (piece === undefined) {
    piece = owned(zlib.deflateRawSync(text, { finishFlush: zlib.constants.Z_SYNC_FLUSH }))
    if (deflated.size > 100) deflated.clear()
    deflated.set(text, piece)
  }
  return piece
}

function closedError(): SitemapError {
  return new SitemapError('LSM_ERR_CLOSED', 'the sitemap is closed')
}

function ignore(): void {}
