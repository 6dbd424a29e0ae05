import type { Check } from '../options/check.ts'
import type { Fields } from '../options/values.ts'
import { changedIds } from './changed-ids.ts'
import { boundsOf, listRanges, type RangePartition, rangeId, rangeOf } from './key-ranges.ts'
import { commonKind, exactKey, KEY_WORDS, type Key, kindOf, readKey } from './keys.ts'
import {
  type Awaitable,
  checkFunction,
  checkOptions,
  type PartitionSettings,
  settingsOf,
} from './partition-settings.ts'
import type { Entries, PartitionedProvider, ProviderContext } from './provider.ts'

/** One partition of {@link byIdRange}: the ids with `from < id <= to`. */
export interface IdRange {
  readonly from: Key
  readonly to: Key
}

/** Ranges of whole-number ids, each read by a query of your own. */
export interface IdRangeOptions extends PartitionSettings {
  /** Smallest id, or what finds it; null for an empty table. Only whole ranges below it are left out. @defaultValue 1 */
  readonly min?: Key | ((ctx: ProviderContext) => Awaitable<Key | null>)
  /** Largest id, or what finds it at each refresh; null for an empty table. Ids are given to `entries` in its kind. */
  readonly max: Key | ((ctx: ProviderContext) => Awaitable<Key | null>)
  /** Ids of one range, 1 to 2^53 − 1. Another size gives the partitions other contents. */
  readonly size: number
  /** The entries of one range. */
  readonly entries: (range: IdRange, ctx: ProviderContext) => Awaitable<Entries>
  /** Ids of what changed since; deletions are not seen. */
  readonly changedSince?: (
    since: { readonly since: Date },
    ctx: ProviderContext,
  ) => Awaitable<Iterable<Key> | AsyncIterable<Key>>
}

const OWN: readonly (keyof IdRangeOptions)[] = ['min', 'max', 'size', 'entries', 'changedSince']

const EXAMPLE = 'byIdRange({ max: () => …, size: 50_000, entries: ({ from, to }) => … })'

/**
 * A provider of things with whole-number ids, cut into ranges of `size` ids that never move: partition `1` holds the ids
 * from 1 to `size`, `2` the next `size`, `0` and `m1`, `m2`, … those from 0 down.
 *
 * @example
 * byIdRange({
 *   max: async () => (await shop.newest()).id,
 *   size: 50_000,
 *   entries: ({ from, to }) => shop.products({ idAbove: from, idUpTo: to }),
 * })
 */
export function byIdRange(options: IdRangeOptions): PartitionedProvider {
  checkOptions('byIdRange', options, OWN, EXAMPLE, (check, fields) => {
    const { size, entries } = fields
    checkEnds(check, fields)
    if (size === undefined) {
      check.invalid('byIdRange.size', size, 'a whole number from 1', 'Write size: 50_000.')
    } else check.whole('byIdRange.size', size, 50_000, 1)
    checkFunction(check, 'byIdRange.entries', entries, 'Write entries: ({ from, to }) => ….', true)
  })
  const size = BigInt(options.size)
  const { min = 1, max } = options
  const entries = options.entries.bind(options)
  const changedSince = options.changedSince?.bind(options)

  return {
    ...settingsOf(options),
    async partitions(ctx) {
      const least = typeof min === 'function' ? await min.call(options, ctx) : min
      const most = typeof max === 'function' ? await max.call(options, ctx) : max
      if (least === null || most === null) return []
      const span = {
        min: exactKey(least, 'byIdRange: "min"'),
        max: exactKey(most, 'byIdRange: "max"'),
        // Without "min" its kind says nothing.
        kind: options.min === undefined ? kindOf(most) : commonKind(least, most),
      }
      return span.min > span.max ? [] : listRanges(span, size, 'byIdRange')
    },
    entries(ctx) {
      // Its own list comes back to it.
      const { after, through } = boundsOf(ctx.partition as RangePartition)
      return entries({ from: after, to: through }, ctx)
    },
    ...(changedSince && {
      async changedSince(ctx) {
        const ids = await changedSince({ since: ctx.since }, ctx)
        return changedIds(ids, (id) =>
          rangeId(rangeOf(exactKey(id, 'byIdRange: an id of changedSince()'), size)),
        )
      },
    }),
  }
}

/** `min` and `max` may be known beforehand. */
function checkEnds(check: Check, { min, max }: Fields): void {
  const expected = `${KEY_WORDS}, or a function that gives one`
  if (max === undefined || !isEnd(max)) check.invalid('byIdRange.max', max, expected, 'Write max: () => ….')
  if (min !== undefined && !isEnd(min))
    check.invalid('byIdRange.min', min, expected, 'Write 1, or leave it out.')
  const least = readKey(min)
  const most = readKey(max)
  if (least === undefined || most === undefined || least <= most) return
  check.invalid('byIdRange.min', min, `an id up to "max", which is ${most}`, 'Swap them.')
}

function isEnd(value: unknown): boolean {
  return typeof value === 'function' || readKey(value) !== undefined
}
