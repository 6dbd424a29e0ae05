import { SitemapError } from '../errors.ts'
import { changedIds } from './changed-ids.ts'
import {
  type Awaitable,
  checkFunction,
  checkOptions,
  MOST_PARTITIONS,
  type PartitionSettings,
  settingsOf,
} from './partition-settings.ts'
import type { Entries, Partition, PartitionedProvider, ProviderContext } from './provider.ts'

/** One partition of {@link byHash}: what hashes to `bucket`, from 0 to `of − 1`. */
export interface HashBucket {
  readonly bucket: number
  readonly of: number
}

/** A fixed number of partitions by a hash of your own. */
export interface HashOptions extends PartitionSettings {
  /** How many, 1 to 100,000. Chosen once: another number puts everything elsewhere. */
  readonly count: number
  /** The entries of one bucket. */
  readonly entries: (bucket: HashBucket, ctx: ProviderContext) => Awaitable<Entries>
  /** Buckets of what changed since; deletions are not seen. */
  readonly changedSince?: (
    since: { readonly since: Date },
    ctx: ProviderContext,
  ) => Awaitable<Iterable<number> | AsyncIterable<number>>
}

const OWN: readonly (keyof HashOptions)[] = ['count', 'entries', 'changedSince']

const EXAMPLE = 'byHash({ count: 64, entries: ({ bucket, of }) => … })'

/**
 * A provider of things without a number or date to cut by: `count` partitions with the ids `0` to `count − 1`, the
 * remainder of a hash that the query computes.
 *
 * @example
 * byHash({
 *   count: 64,
 *   entries: ({ bucket, of }) => sql`select … from pages where crc32(path) % ${of} = ${bucket}`,
 * })
 */
export function byHash(options: HashOptions): PartitionedProvider {
  checkOptions('byHash', options, OWN, EXAMPLE, (check, { count, entries }) => {
    if (count === undefined) {
      const expected = 'a whole number from 1 to 100,000'
      check.invalid('byHash.count', count, expected, 'Write the number of entries divided by 25,000.')
    } else check.whole('byHash.count', count, 64, 1, MOST_PARTITIONS)
    checkFunction(check, 'byHash.entries', entries, 'Write entries: ({ bucket, of }) => ….', true)
  })
  const { count } = options
  const entries = options.entries.bind(options)
  const changedSince = options.changedSince?.bind(options)

  function idOf(bucket: unknown): string {
    if (Number.isInteger(bucket) && Number(bucket) >= 0 && Number(bucket) < count) return String(bucket)
    const came = typeof bucket === 'number' ? bucket : `of the type ${typeof bucket}`
    throw new SitemapError(
      'LSM_ERR_PROVIDER_INVALID',
      `byHash: a bucket of changedSince() is ${came}: expected a whole number from 0 to ${count - 1}`,
    )
  }

  return {
    ...settingsOf(options),
    partitions: () => buckets(count),
    entries: (ctx) => entries({ bucket: Number(ctx.partition.id), of: count }, ctx),
    ...(changedSince && {
      changedSince: async (ctx) => changedIds(await changedSince({ since: ctx.since }, ctx), idOf),
    }),
  }
}

function* buckets(count: number): Generator<Partition> {
  for (let bucket = 0; bucket < count; bucket++) yield { id: String(bucket) }
}
