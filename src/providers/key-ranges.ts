import { SitemapError } from '../errors.ts'
import { type Key, type KeyKind, writeKey } from './keys.ts'
import { MOST_PARTITIONS } from './partition-settings.ts'
import type { Partition } from './provider.ts'

/** A range of keys, `after < key <= through`. All JSON, so that it comes back from a store as it was. */
export interface RangePartition extends Partition {
  /** Decimal text. */
  readonly after: string
  readonly through: string
  /** How the table gives its keys. */
  readonly keys: KeyKind
}

/** What a table holds, and how it gives its keys. */
export interface KeySpan {
  readonly min: bigint
  readonly max: bigint
  readonly kind: KeyKind
}

/** The number of the range that holds `key`: range n is `(n − 1) × size < key <= n × size`, whatever other keys there are. */
export function rangeOf(key: bigint, size: bigint): bigint {
  const whole = key / size // Cut towards 0, which is up for keys below 0.
  return key > 0n && key % size !== 0n ? whole + 1n : whole
}

/** The id of range `index`: its number, `m1` for −1, as ids of partitions begin with a letter or digit. */
export function rangeId(index: bigint): string {
  return index < 0n ? `m${-index}` : String(index)
}

/** The ranges from the one of `min` to the one of `max`, in order. `helper` names who asks. */
export function listRanges(span: KeySpan, size: bigint, helper: string): Iterable<RangePartition> {
  const { min, max } = span
  const count = rangeOf(max, size) - rangeOf(min, size) + 1n
  if (count <= MOST_PARTITIONS) return rangesOf(span, size)
  const least = leastSize(max - min)
  const larger = least <= Number.MAX_SAFE_INTEGER ? `Give a size of ${least} or more, or cut` : 'Cut'
  throw new SitemapError(
    'LSM_ERR_PROVIDER_INVALID',
    `${helper}: keys from ${min} to ${max} are ${count} ranges of ${size}, and there may be ${MOST_PARTITIONS}. ${larger} the table with byMonth or byHash`,
  )
}

function* rangesOf({ min, max, kind }: KeySpan, size: bigint): Generator<RangePartition> {
  const last = rangeOf(max, size)
  for (let index = rangeOf(min, size); index <= last; index++) {
    const through = index * size
    yield {
      id: rangeId(index),
      after: String(noLower(through - size, min)),
      through: String(noHigher(through, max)),
      keys: kind,
    }
  }
}

/** Where types of columns and exact numbers end: Postgres and drivers refuse a bound beyond. */
const TYPE_ENDS = [2n ** 31n, 2n ** 53n, 2n ** 63n] as const
const HIGHEST = TYPE_ENDS.map((end) => end - 1n)
const LOWEST = TYPE_ENDS.map((end) => -end)

/** Only the range of the largest key can reach beyond an end that `max` keeps to. */
function noHigher(through: bigint, max: bigint): bigint {
  return HIGHEST.find((end) => max <= end && through > end) ?? through
}

/** A lower bound is not in its range: it may be the end only where the smallest key is not. */
function noLower(after: bigint, min: bigint): bigint {
  return LOWEST.find((end) => min > end && after < end) ?? after
}

/** The bounds of a partition that {@link listRanges} gave, in the table's kind of keys. */
export function boundsOf(partition: RangePartition): { readonly after: Key; readonly through: Key } {
  const { after, through, keys } = partition
  return { after: writeKey(BigInt(after), keys), through: writeKey(BigInt(through), keys) }
}

/** A size of one digit and zeros that makes at most as many ranges as there may be of keys that lie `width` apart. */
function leastSize(width: bigint): bigint {
  const least = width / BigInt(MOST_PARTITIONS - 2) + 1n
  const unit = 10n ** BigInt(String(least).length - 1)
  return ((least + unit - 1n) / unit) * unit
}
