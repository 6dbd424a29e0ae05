import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SitemapError } from '../../src/errors.ts'
import { type KeySpan, listRanges, rangeId, rangeOf } from '../../src/providers/key-ranges.ts'

const PARTITION_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

const key = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
const size = fc.bigInt({ min: 1n, max: 10n ** 12n })

/** The ranges as numbers. */
function list(span: KeySpan, width: bigint) {
  return [...listRanges(span, width, 'keyset')].map(({ id, after, through, keys }) => ({
    id,
    after: BigInt(after),
    through: BigInt(through),
    keys,
  }))
}

/** A span of at most a thousand ranges. */
const spans = fc
  .tuple(key, size, fc.bigInt({ min: 0n, max: 1_000n }), fc.bigInt({ min: 0n, max: 10n ** 12n }))
  .map(([min, width, ranges, rest]) => ({ min, max: min + ranges * width + (rest % width), width }))

describe('ranges of keys', () => {
  it.each([
    { at: 1n, index: 1n },
    { at: 50_000n, index: 1n },
    { at: 50_001n, index: 2n },
    { at: 0n, index: 0n },
    { at: -49_999n, index: 0n },
    { at: -50_000n, index: -1n },
    { at: -100_000n, index: -2n },
  ])('key $at lies in range $index of 50,000', ({ at, index }) => {
    expect(rangeOf(at, 50_000n)).toBe(index)
  })

  it('hold every key once', () => {
    fc.assert(
      fc.property(key, size, (one, width) => {
        const index = rangeOf(one, width)
        expect(one > (index - 1n) * width && one <= index * width).toBe(true)
      }),
    )
  })

  it('of a table lie side by side, from the smallest key to the largest', () => {
    fc.assert(
      fc.property(spans, ({ min, max, width }) => {
        const ranges = list({ min, max, kind: 'bigint' }, width)
        const [first, last] = [ranges[0], ranges.at(-1)]
        expect(first !== undefined && first.after < min && min <= first.through).toBe(true)
        expect(last !== undefined && last.after < max && max <= last.through).toBe(true)
        for (const [i, { after, id }] of ranges.entries()) {
          expect(id).toMatch(PARTITION_ID)
          if (i > 0) expect(after).toBe(ranges[i - 1]?.through)
        }
        expect(new Set(ranges.map(({ id }) => id)).size).toBe(ranges.length)
      }),
    )
  })

  it('keep their names and bounds when keys come or go on either side', () => {
    const sides = fc.bigInt({ min: 0n, max: 1_000n })
    fc.assert(
      fc.property(spans, sides, sides, ({ min, max, width }, below, above) => {
        const before = new Map(list({ min, max, kind: 'bigint' }, width).map((one) => [one.id, one]))
        const wider = { min: min - below * width, max: max + above * width, kind: 'bigint' } as const
        const after = list(wider, width)
        const both = after.filter(({ id }) => before.has(id))
        expect(both).toHaveLength(before.size)
        // The outermost may have been cut where a type of column ends.
        for (const range of both.slice(1, -1)) expect(range).toEqual(before.get(range.id))
      }),
    )
  })

  it('are named by their number, m before one below 0', () => {
    expect([0n, 1n, -1n, 12n, -12n].map(rangeId)).toEqual(['0', '1', 'm1', '12', 'm12'])
    fc.assert(fc.property(key, key, (a, b) => (rangeId(a) === rangeId(b)) === (a === b)))
    // Keys have at most 60 digits.
    expect(rangeId(-(10n ** 60n) + 1n)).toMatch(PARTITION_ID)
  })

  it.each([
    { name: '32 bits', end: 2n ** 31n },
    { name: 'exact numbers', end: 2n ** 53n },
    { name: '64 bits', end: 2n ** 63n },
  ])('do not reach beyond $name while the keys do not: Postgres refuses such a bound', ({ end }) => {
    const width = 10n ** BigInt(String(end).length - 2) * 7n
    const inside = list({ min: -end + 1n, max: end - 1n, kind: 'bigint' }, width)
    expect([inside[0]?.after, inside.at(-1)?.through]).toEqual([-end, end - 1n])
    const outside = list({ min: -end, max: end, kind: 'bigint' }, width)
    expect((outside[0]?.after ?? 0n) < -end).toBe(true)
    expect((outside.at(-1)?.through ?? 0n) >= end).toBe(true)
    expect(outside.map(({ id }) => id)).toEqual(inside.map(({ id }) => id))
  })
})

describe('a table with more ranges than there may be', () => {
  it.each([
    { name: 'snowflakes', min: 100_000_000_000_000_000n, max: 1_900_000_000_000_000_000n, width: 50_000n },
    { name: 'one range too many', min: 1n, max: 100_001n, width: 1n },
    { name: 'random keys of 63 bits', min: 1n, max: 2n ** 63n - 1n, width: 50_000n },
  ])('is refused before it is listed, and the size that is named is large enough: $name', (row) => {
    const refused = () => listRanges({ ...row, kind: 'bigint' }, row.width, 'byIdRange')
    expect(refused).toThrow(SitemapError)
    const message = messageOf(refused)
    const named = BigInt(/a size of (\d+) or more/.exec(message)?.[1] ?? '0')
    const ranges = list({ ...row, kind: 'bigint' }, named)
    expect(ranges.length).toBeLessThanOrEqual(100_000)
    // No ten times coarser than it must be.
    expect(ranges.length).toBeGreaterThan(9_000)
    expect(message).toMatch(
      /^byIdRange: keys from \d+ to \d+ are \d+ ranges of \d+, and there may be 100000\./,
    )
  })

  it('names no size that numbers cannot hold', () => {
    const message = messageOf(() => listRanges({ min: 0n, max: 10n ** 38n, kind: 'text' }, 1n, 'keyset'))
    expect(message).toMatch(/100000\. Cut the table with byMonth or byHash$/)
  })

  it('begins at 100,001 ranges', () => {
    expect(list({ min: 1n, max: 100_000n, kind: 'number' }, 1n)).toHaveLength(100_000)
  })
})

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return error instanceof SitemapError && error.code === 'LSM_ERR_PROVIDER_INVALID' ? error.message : ''
  }
  return ''
}
