import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packRecord, type ShelfRecord, unpackRecord } from '../../src/store/record-value.ts'

/** A record with lists of any length; what stands in them does not matter here. */
function recordWith(parts: readonly number[], partitions: number | undefined, word: string): ShelfRecord {
  const part = (n: number) => ({ count: n, newest: null, note: `${word}\n${n}` })
  return {
    epoch: word,
    revision: 7,
    source: null,
    atMs: 1,
    readAtMs: 2,
    rows: [[`/${word}`, 'digest', 3, false]],
    snapshot: {
      layout: 2,
      cuts: parts.map((count) => ({ locale: null, parts: Array.from({ length: count }, (_, n) => part(n)) })),
      list:
        partitions === undefined
          ? null
          : { partitions: Array.from({ length: partitions }, (_, n) => ({ id: `${word}${n}`, place: n })) },
    },
  } as unknown as ShelfRecord
}

describe('a record as a value', () => {
  it('comes back as it was, however long its lists are', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 70 }), { maxLength: 3 }),
        fc.option(fc.nat({ max: 3_000 }), { nil: undefined }),
        fc.string({ unit: 'binary' }),
        async (parts, partitions, word) => {
          const record = recordWith(parts, partitions, word)
          expect(await unpackRecord(await packRecord(record))).toEqual(record)
        },
      ),
      { seed, numRuns: 60 },
    )
  })

  it('from whatever memory the store gives it', async () => {
    const record = recordWith([3], 5, 'a')
    const value = await packRecord(record)
    const slab = Buffer.alloc(value.length + 100, 'x')
    value.copy(slab, 33)
    expect(await unpackRecord(slab.subarray(33, 33 + value.length))).toEqual(record)
    expect(await unpackRecord(new Uint8Array(value))).toEqual(record)
  })

  it('is none where it was cut off, changed, or is something else', async () => {
    const value = await packRecord(recordWith([40], 2_000, 'word'))
    for (const length of [0, 3, 26, 27, value.length >> 1, value.length - 1])
      expect(await unpackRecord(value.subarray(0, length)), `the first ${length} bytes`).toBeUndefined()
    for (const at of [0, 5, 30, value.length - 1]) {
      const other = Buffer.from(value)
      other.writeUInt8(other.readUInt8(at) ^ 1, at)
      expect(await unpackRecord(other), `byte ${at}`).toBeUndefined()
    }
    for (const other of [undefined, null, 'text', [1], Buffer.concat([value, value])])
      expect(await unpackRecord(other)).toBeUndefined()
  })
})
