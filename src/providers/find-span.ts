import { type KeySpan, rangeOf } from './key-ranges.ts'
import { type KeyKind, LARGEST } from './keys.ts'
import { MOST_PARTITIONS } from './partition-settings.ts'

/** The first key of `after < key <= through`, asked for in keys of `kind`; undefined where there is none. */
export type FirstKey = (
  after: bigint,
  through: bigint,
  kind: KeyKind,
) => Promise<{ readonly key: bigint; readonly kind: KeyKind } | undefined>

/**
 * The smallest key above 0 and the upper bound of the last range that holds one, found by asking for the first key behind
 * a bound: of n ranges in about 2 × log2(n) calls. Undefined for a table without keys above 0.
 */
export async function findSpan(firstKey: FirstKey, size: bigint): Promise<KeySpan | undefined> {
  const first =
    (await firstKey(0n, LARGEST.number, 'number')) ??
    // All keys may lie where numbers are not exact: snowflakes do.
    (await firstKey(LARGEST.number, LARGEST.bigint, 'bigint'))
  if (first === undefined) return undefined
  const { key: min, kind } = first

  /** The range of the first key behind range `index`. */
  async function behind(index: bigint): Promise<bigint | undefined> {
    const after = index * size
    const next = after < LARGEST[kind] ? await firstKey(after, LARGEST[kind], kind) : undefined
    return next && rangeOf(next.key, size)
  }

  const least = rangeOf(min, size)
  let last = least // Holds a key.
  let none = last // No key lies behind it.
  for (let step = 0n; ; step = step === 0n ? 1n : step * 2n) {
    none = last + step
    const next = await behind(none)
    if (next === undefined) break
    last = next
    if (last - least >= MOST_PARTITIONS) break
  }
  while (last < none) {
    const middle = (last + none) / 2n
    const next = await behind(middle)
    if (next === undefined) none = middle
    else last = next
  }
  let max = last * size
  if (max > LARGEST[kind]) max = LARGEST[kind]
  return { min, max, kind }
}
