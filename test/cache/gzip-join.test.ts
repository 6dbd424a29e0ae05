import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { checksum, DEFLATE_END, GZIP_HEADER, gzipTrailer, joinChecksums } from '../../src/cache/gzip-join.ts'
import { cleanUp, createFolder } from '../support/engine.ts'

afterEach(cleanUp)

const anyBytes = fc.uint8Array({ maxLength: 2_000 })
/** Text that compresses, like ours. */
const lines = fc
  .array(fc.constantFrom('<url><loc>https://www.example.com/', '</loc></url>\n', 'é', '1', '&amp;'), {
    maxLength: 300,
  })
  .map((parts) => Buffer.from(parts.join('')))
const blocks = fc.array(fc.oneof(lines, anyBytes), { maxLength: 6 })

/** One gzip stream of blocks that were compressed one by one. */
function joined(parts: readonly Uint8Array[]): Buffer {
  const sum = parts.map(checksum).reduce(joinChecksums, checksum(Buffer.alloc(0)))
  const pieces = parts.map((part) => deflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH }))
  return Buffer.concat([GZIP_HEADER, ...pieces, DEFLATE_END, gzipTrailer(sum)])
}

describe('checksums (RFC 1952, CRC-32)', () => {
  it('of two runs give that of both', () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (a, b) => {
        expect(joinChecksums(checksum(a), checksum(b))).toEqual({
          crc: crc32(Buffer.concat([a, b])),
          bytes: a.length + b.length,
        })
      }),
    )
  })

  it.each([0, 1, 2, 3, 255, 256, 65_535, 65_536, 1_000_003])('with a second run of %i bytes', (length) => {
    const [a, b] = [Buffer.from('<urlset>\n'), Buffer.alloc(length, 'abc')]
    expect(joinChecksums(checksum(a), checksum(b))).toEqual(checksum(Buffer.concat([a, b])))
  })

  it('with nothing before or after is what it was', () => {
    const nothing = checksum(Buffer.alloc(0))
    expect(nothing).toEqual({ crc: 0, bytes: 0 })
    const some = checksum(Buffer.from('abc'))
    expect(joinChecksums(some, nothing)).toEqual(some)
    expect(joinChecksums(nothing, some)).toEqual(some)
  })

  it('are the same however many runs are joined, also beyond 4 GiB', () => {
    const part = checksum(Buffer.from('<url/>\n'.repeat(1_000)))
    let doubled = part
    for (let n = 0; n < 22; n++) doubled = joinChecksums(doubled, doubled)
    expect(doubled.bytes).toBeGreaterThan(2 ** 34)
    const left = joinChecksums(joinChecksums(part, doubled), doubled)
    const right = joinChecksums(part, joinChecksums(doubled, doubled))
    expect(left).toEqual(right)
    // ISIZE is the length modulo 2^32.
    expect(gzipTrailer(left).readUInt32LE(4)).toBe(left.bytes % 2 ** 32)
    expect(gzipTrailer(left).readUInt32LE(0)).toBe(left.crc)
  })
})

describe('a joined stream', () => {
  it('of any blocks is read by zlib as one member', () => {
    fc.assert(
      fc.property(blocks, (parts) => {
        const stream = joined(parts)
        expect(gunzipSync(stream).equals(Buffer.concat(parts))).toBe(true)
        // The last eight bytes are the ones that zlib itself would write.
        expect(stream.subarray(-8)).toEqual(gzipSync(Buffer.concat(parts)).subarray(-8))
      }),
    )
  })

  it('of nothing is the empty document', () => {
    expect(joined([])).toEqual(Buffer.concat([GZIP_HEADER, DEFLATE_END, Buffer.alloc(8)]))
    expect(gunzipSync(joined([]))).toHaveLength(0)
    expect(gunzipSync(joined([Buffer.alloc(0), Buffer.alloc(0)]))).toHaveLength(0)
  })

  it('holds no time and no name, so that equal content is equal', () => {
    expect([...GZIP_HEADER]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
  })

  it('with one wrong byte is refused', () => {
    const stream = joined([Buffer.from('abc'), Buffer.from('def')])
    stream.writeUInt8((stream.at(-8) ?? 0) ^ 1, stream.length - 8)
    expect(() => gunzipSync(stream)).toThrow()
  })

  const cases = [
    [],
    [Buffer.alloc(0)],
    [Buffer.alloc(300_000, 'x')],
    ...fc.sample(blocks, { numRuns: 40, seed: 1 }),
  ]

  /** The streams as files, and what they should hold. */
  async function written(): Promise<{ readonly files: string[]; readonly plain: Buffer[] }> {
    const folder = await createFolder()
    const files = cases.map((parts, n) => {
      const file = join(folder, `${String(n).padStart(2, '0')}.gz`)
      writeFileSync(file, joined(parts))
      return file
    })
    return { files, plain: cases.map((parts) => Buffer.concat(parts)) }
  }

  function has(command: string): boolean {
    return spawnSync(command, ['--version']).status === 0
  }

  it.skipIf(!has('gzip'))('is taken by gzip -t (skipped where gzip is not on the PATH)', async () => {
    const { files } = await written()
    expect(spawnSync('gzip', ['-t', ...files], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  it.skipIf(!has('zcat'))('is read by zcat (skipped where zcat is not on the PATH)', async () => {
    const { files, plain } = await written()
    expect(execFileSync('zcat', files, { maxBuffer: 2 ** 26 }).equals(Buffer.concat(plain))).toBe(true)
  })

  it.skipIf(!has('python3'))('is read by Python (skipped where python3 is not on the PATH)', async () => {
    const { files, plain } = await written()
    const script =
      'import gzip, sys\nfor f in sys.argv[1:]: sys.stdout.buffer.write(gzip.decompress(open(f, "rb").read()))'
    const out = execFileSync('python3', ['-c', script, ...files], { maxBuffer: 2 ** 26 })
    expect(out.equals(Buffer.concat(plain))).toBe(true)
  })
})
