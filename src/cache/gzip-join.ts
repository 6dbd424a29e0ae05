import { crc32 } from 'node:zlib'

/**
 * A gzip stream put together from deflate pieces that were made one by one: blocks end on a byte by a sync flush, so
 * that their concatenation is one valid single-member stream (RFC 1951 §3.2.4, RFC 1952), and the checksum of the whole
 * follows from those of the pieces. So a part's gzip representation costs no compression.
 */

/** Fixed header: deflate, no name, no time, unknown system. A time would make equal content differ. */
export const GZIP_HEADER: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** An empty last block: ends a deflate stream whose pieces all ended by a sync flush. */
export const DEFLATE_END: Buffer = Buffer.from([0x03, 0x00])

/** CRC-32 and length of some bytes. */
export interface Checksum {
  readonly crc: number
  readonly bytes: number
}

/** The eight bytes that end a gzip member. */
export function gzipTrailer({ crc, bytes }: Checksum): Buffer {
  const trailer = Buffer.allocUnsafeSlow(8)
  trailer.writeUInt32LE(crc >>> 0, 0)
  trailer.writeUInt32LE(bytes % 2 ** 32, 4)
  return trailer
}

/** Checksum of `bytes`. */
export function checksum(bytes: Uint8Array): Checksum {
  return { crc: crc32(bytes), bytes: bytes.length }
}

/** Checksum of one run of bytes followed by another: appending n bytes is a linear map over GF(2), applied by squaring. */
export function joinChecksums(first: Checksum, second: Checksum): Checksum {
  return { crc: (appendZeros(first.crc, second.bytes) ^ second.crc) >>> 0, bytes: first.bytes + second.bytes }
}

/** Bit matrices of "append 2^k zero bytes", made as far as they are needed: column i is where bit i goes. */
const powers: Uint32Array[] = []

function appendZeros(crc: number, zeroBytes: number): number {
  let result = crc >>> 0
  let rest = zeroBytes
  for (let k = 0; rest > 0; k++, rest = Math.floor(rest / 2))
    if (rest % 2 === 1) result = multiply(power(k), result)
  return result
}

function power(k: number): Uint32Array {
  let matrix = powers[k]
  if (matrix === undefined) {
    matrix = k === 0 ? oneByte() : squared(power(k - 1))
    powers[k] = matrix
  }
  return matrix
}

function oneByte(): Uint32Array {
  // One zero bit: shift right, folding bit 0 into the polynomial.
  const bit = new Uint32Array(32)
  bit[0] = 0xedb88320
  for (let i = 1; i < 32; i++) bit[i] = 2 ** (i - 1)
  return squared(squared(squared(bit)))
}

function squared(matrix: Uint32Array): Uint32Array {
  return matrix.map((column) => multiply(matrix, column))
}

function multiply(matrix: Uint32Array, vector: number): number {
  let sum = 0
  for (let i = 0, bits = vector; bits !== 0; i++, bits >>>= 1) if (bits & 1) sum ^= matrix[i] ?? 0
  return sum >>> 0
}
