import type { Entry } from '../entry/entry.ts'
import { SitemapError } from '../errors.ts'
import { type Fields, isLine, isRecord } from '../options/values.ts'
import { quote } from '../options/words.ts'
import { giveWay } from '../slices.ts'
import { changedIds } from './changed-ids.ts'
import { type FirstKey, findSpan } from './find-span.ts'
import { boundsOf, type KeySpan, listRanges, type RangePartition, rangeId, rangeOf } from './key-ranges.ts'
import { commonKind, exactKey, type Key, kindOf, writeKey } from './keys.ts'
import {
  type Awaitable,
  checkFunction,
  checkOptions,
  type PartitionSettings,
  settingsOf,
} from './partition-settings.ts'
import type { PartitionedProvider, ProviderContext } from './provider.ts'

/** The rows that a page holds: those with `after < key <= through`, in ascending order of the key, the first `limit` of them. */
export interface PageRange {
  readonly after: Key
  readonly through: Key
  readonly limit: number
}

/** The fields of `Row` that can be a key: whole numbers in any kind, never null. */
export type KeyField<Row> = string &
  {
    [K in keyof Row]-?: unknown extends Row[K] ? K : Row[K] extends Key ? K : never
  }[keyof Row]

/** A table cut by ranges of its key, each read page by page when it is asked for. */
export interface KeysetOptions<Row> extends PartitionSettings {
  /** Field of the row that orders the table: a whole number, unique, that never changes. */
  readonly key: KeyField<Row>
  /** One page. A range is read to its end, or to an empty page: leave rows out in the query or by `entry`, not behind the limit. */
  readonly page: (range: PageRange, ctx: ProviderContext) => Awaitable<readonly Row[]>
  /** The entry of a row; null leaves the row out. */
  readonly entry: (row: Row) => Entry | null | undefined
  /**
   * Smallest and largest key, both null for an empty table. Keys are asked for in the kind that is given here: numbers,
   * bigints or text. Without it they are searched with `page`: see docs/large-tables.md for what that costs and cannot find.
   */
  readonly range?: (ctx: ProviderContext) => Awaitable<{ readonly min: Key | null; readonly max: Key | null }>
  /** Keys of one range, 1 to 2^53 − 1. Another size gives the partitions other contents. @defaultValue 50000 */
  readonly size?: number
  /** Rows of one page. @defaultValue 5000 */
  readonly pageSize?: number
  /** Keys of the rows that changed since; deletions are not seen. */
  readonly changedSince?: (
    since: { readonly since: Date },
    ctx: ProviderContext,
  ) => Awaitable<Iterable<Key> | AsyncIterable<Key>>
}

const OWN: readonly (keyof KeysetOptions<unknown>)[] = [
  'key',
  'page',
  'entry',
  'range',
  'size',
  'pageSize',
  'changedSince',
]

const EXAMPLE = "keyset({ key: 'id', page: ({ after, through, limit }) => …, entry: (row) => … })"

/**
 * A provider of a table with a whole-number key, cut into ranges of `size` keys that never move: partition `1` holds the
 * keys 1 to 50,000, `2` the next 50,000, `0` and `m1`, `m2`, … those from 0 down. A range is read page by page; rows that
 * come or go meanwhile move no other.
 *
 * @example
 * keyset({
 *   key: 'id',
 *   range: async () => (await sql`select min(id) as min, max(id) as max from products`)[0],
 *   page: ({ after, through, limit }) =>
 *     sql`select id, slug from products where id > ${after} and id <= ${through} order by id limit ${limit}`,
 *   entry: (row) => path`/products/${row.slug}`,
 * })
 */
export function keyset<Row>(options: KeysetOptions<Row>): PartitionedProvider {
  checkOptions('keyset', options, OWN, EXAMPLE, (check, fields) => {
    const { key, page, entry, range, size, pageSize } = fields
    if (!isLine(key)) check.invalid('keyset.key', key, 'the name of a field of your rows', "Write key: 'id'.")
    checkFunction(check, 'keyset.page', page, 'Write page: ({ after, through, limit }) => ….', true)
    checkFunction(check, 'keyset.entry', entry, 'Write entry: (row) => ….', true)
    checkFunction(check, 'keyset.range', range, 'Write range: () => ({ min, max }).', false)
    check.whole('keyset.size', size, 50_000, 1)
    check.whole('keyset.pageSize', pageSize, 5_000, 1)
  })
  const { key, pageSize = 5_000 } = options
  const size = BigInt(options.size ?? 50_000)
  const page = options.page.bind(options)
  const entry = options.entry.bind(options)
  const range = options.range?.bind(options)
  const changedSince = options.changedSince?.bind(options)

  async function readPage(asked: PageRange, ctx: ProviderContext): Promise<readonly Row[]> {
    const rows: unknown = await page(asked, ctx)
    if (Array.isArray(rows)) return rows
    throw invalid(
      `page() gave ${isRecord(rows) ? 'an object' : `a value of the type ${typeof rows}`}: expected a list of rows`,
    )
  }

  const firstKeyWith =
    (ctx: ProviderContext): FirstKey =>
    async (after, through, kind) => {
      const asked = { after: writeKey(after, kind), through: writeKey(through, kind), limit: 1 }
      const [first] = await readPage(asked, ctx).catch((error: unknown) => {
        throw ctx.signal.aborted || error instanceof SitemapError ? error : notFound(through, error)
      })
      if (first === undefined) return undefined
      return { key: keyOf(first, key, after, through), kind: kindOf(fieldOf(first, key)) }
    }

  return {
    ...settingsOf(options),
    async partitions(ctx) {
      const span = range ? readSpan(await range(ctx)) : await findSpan(firstKeyWith(ctx), size)
      return span === undefined ? [] : listRanges(span, size, 'keyset')
    },
    async *entries(ctx) {
      // Its own list comes back to it.
      const partition = ctx.partition as RangePartition
      const through = BigInt(partition.through)
      let last = BigInt(partition.after)
      const bounds = boundsOf(partition)
      let after = bounds.after
      while (last < through) {
        ctx.signal.throwIfAborted()
        const rows = await readPage({ after, through: bounds.through, limit: pageSize }, ctx)
        // An empty page, not a short one: an API may have a limit of its own.
        if (rows.length === 0) return
        for (const row of rows) {
          last = keyOf(row, key, last, through)
          const made = entry(row)
          if (made !== null && made !== undefined) yield made
        }
        after = writeKey(last, partition.keys)
        // A client that answers synchronously would read the whole range in one go.
        await giveWay()
      }
    },
    ...(changedSince && {
      async changedSince(ctx) {
        const keys = await changedSince({ since: ctx.since }, ctx)
        return changedIds(keys, (changed) =>
          rangeId(rangeOf(exactKey(changed, 'keyset: a key of changedSince()'), size)),
        )
      },
    }),
  }
}

/** What range() gave, exactly; undefined for an empty table. */
function readSpan(given: unknown): KeySpan | undefined {
  const { min, max }: Fields = isRecord(given) ? given : {}
  if (min === null && max === null) return undefined
  const span = {
    min: exactKey(min, 'keyset: "min" of range()'),
    max: exactKey(max, 'keyset: "max" of range()'),
    kind: commonKind(min, max),
  }
  if (span.min > span.max)
    throw invalid(`"min" of range() is ${span.min}, above "max", ${span.max}. Swap them`)
  return span
}

/** The key of a row that must lie behind `last` and not past `through`: or else a page could come again and again. */
function keyOf(row: unknown, name: string, last: bigint, through: bigint): bigint {
  const key = exactKey(fieldOf(row, name), `keyset: the field ${quote(name)} of a row`)
  if (key > last && key <= through) return key
  const came = `page() gave the key ${key}, where one above ${last}, up to ${through}, was due`
  const wayOut =
    key > last
      ? 'Ask for keys <= through'
      : `Sort by ${quote(name)} as a number, ask for keys > after, and join no other table that repeats rows`
  throw invalid(
    `${came}: expected the rows with after < key <= through in ascending order, each once. ${wayOut}`,
  )
}

function fieldOf(row: unknown, name: string): unknown {
  return typeof row === 'object' && row !== null ? (row as Fields)[name] : undefined
}

function invalid(message: string): SitemapError {
  return new SitemapError('LSM_ERR_PROVIDER_INVALID', `keyset: ${message}`)
}

/** A search without range() asks beyond all keys, which a narrower column refuses. */
function notFound(through: bigint, cause: unknown): SitemapError {
  const message = `keyset: page() failed when asked for a key up to ${through}, to find the largest: a column of 32 bits takes no such number. Give range: () => ({ min, max })`
  return new SitemapError('LSM_ERR_PROVIDER_FAILED', message, { cause })
}
