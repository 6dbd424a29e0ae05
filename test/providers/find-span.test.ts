import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSpan } from '../../src/providers/find-span.ts'
import { rangeOf } from '../../src/providers/key-ranges.ts'
import type { KeyKind } from '../../src/providers/keys.ts'

/** Searches a table of `keys`; counts the calls, and lets the table change at each. */
async function search(
  keys: readonly bigint[],
  size: bigint,
  kind: KeyKind,
  onCall: (call: number, table: Set<bigint>) => void = () => {},
) {
  const table = new Set(keys)
  let calls = 0
  const span = await findSpan(async (after, through) => {
    onCall(++calls, table)
    const found = [...table].filter((key) => key > after && key <= through)
    const [first] = found.sort((a, b) => (a < b ? -1 : 1))
    return first === undefined ? undefined : { key: first, kind }
  }, size)
  return { span, calls }
}

const size = fc.bigInt({ min: 1n, max: 1_000n })
const keys = fc.array(fc.bigInt({ min: 1n, max: 50_000n }), { minLength: 1, maxLength: 30 })

function ends(list: readonly bigint[]): readonly [min: bigint, max: bigint] {
  const sorted = list.toSorted((a, b) => (a < b ? -1 : 1))
  return [sorted[0] ?? 0n, sorted.at(-1) ?? 0n]
}

describe('a table without range()', () => {
  it('is found from its first range to its last', async () => {
    await fc.assert(
      fc.asyncProperty(keys, size, async (list, width) => {
        const [min, max] = ends(list)
        const { span } = await search(list, width, 'number')
        expect(span?.min).toBe(min)
        expect(span && rangeOf(span.max, width)).toBe(rangeOf(max, width))
        expect(span && span.max >= max).toBe(true)
      }),
    )
  })

  it('is found in 2 × log2(ranges) calls, however large its keys', async () => {
    await fc.assert(
      fc.asyncProperty(keys, size, fc.bigInt({ min: 0n, max: 2n ** 52n }), async (list, width, shift) => {
        const moved = list.map((key) => key + shift)
        const [min, max] = ends(moved)
        const { calls } = await search(moved, width, 'number')
        const ranges = Number(rangeOf(max, width) - rangeOf(min, width)) + 1
        expect(calls).toBeLessThanOrEqual(3 + 2 * Math.ceil(Math.log2(ranges)))
      }),
    )
  })

  it.each([
    { ranges: 1n, calls: 2 },
    { ranges: 2n, calls: 4 },
    { ranges: 200n, calls: 17 },
    { ranges: 2_000n, calls: 23 },
  ])('of $ranges full ranges takes at most $calls calls', async ({ ranges, calls }) => {
    const list = Array.from({ length: Number(ranges) }, (_, i) => BigInt(i) * 100n + 50n)
    const found = await search(list, 100n, 'number')
    expect(found.span && rangeOf(found.span.max, 100n)).toBe(ranges)
    expect(found.calls).toBeLessThanOrEqual(calls)
  })

  it('that is empty has no span', async () => {
    expect(await search([], 100n, 'number')).toMatchObject({ span: undefined, calls: 2 })
  })

  it.each(['bigint', 'text'] as const)('whose keys all lie past 2^53 is found as %s', async (kind) => {
    const snowflakes = [2n ** 60n, 2n ** 60n + 5n, 2n ** 60n + 950n]
    const { span } = await search(snowflakes, 100n, kind)
    expect(span).toMatchObject({ min: 2n ** 60n, kind })
    expect(span && rangeOf(span.max, 100n)).toBe(rangeOf(2n ** 60n + 950n, 100n))
  })

  it('with keys on both sides of 2^53 is found whole', async () => {
    const { span } = await search([1n, 2n ** 60n], 2n ** 45n, 'bigint')
    expect(span).toMatchObject({ min: 1n, max: 2n ** 60n })
  })

  it('up to the last key that its kind can hold', async () => {
    const most = 2n ** 53n - 1n
    expect((await search([most], 50_000n, 'number')).span).toEqual({ min: most, max: most, kind: 'number' })
    const last = 2n ** 63n - 1n
    expect((await search([last], 50_000n, 'text')).span).toEqual({ min: last, max: last, kind: 'text' })
  })

  it('that is far too sparse is told so soon', async () => {
    const { span, calls } = await search([1n, 10n ** 15n], 100n, 'number')
    expect(span && span.max - span.min > 100_000n * 100n).toBe(true)
    expect(calls).toBeLessThan(6)
  })

  it('that changes meanwhile ends all the same, with all that was there from the start to the end', async () => {
    const change = fc.record({
      call: fc.integer({ min: 1, max: 40 }),
      key: fc.bigInt({ min: 1n, max: 100_000n }),
      isInserted: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(keys, size, fc.array(change), async (list, width, changes) => {
        const deleted = new Set<bigint>()
        const { span, calls } = await search(list, width, 'number', (call, table) => {
          for (const { key, isInserted } of changes.filter((one) => one.call === call)) {
            if (isInserted) table.add(key)
            else if (table.delete(key)) deleted.add(key)
          }
        })
        const stayed = list.filter((key) => !deleted.has(key))
        for (const key of stayed) expect(span && span.min <= key && key <= span.max).toBe(true)
        expect(calls).toBeLessThan(100)
      }),
    )
  })
})
