/**
 * Public types of what later releases serve, so that they do not bend what is there. The options that would take them
 * are refused until then (LSM_ERR_OPTION_LATER).
 */
import type { Entry } from './entry/entry.ts'
import type { Duration, Entries, Partition, ProviderContext, ProviderObject } from './providers/provider.ts'

type Awaitable<T> = T | Promise<T>
type Settings = Omit<ProviderObject, 'entries' | 'version'>

/** A key of a table: numbers, bigints, or decimal text. */
export type Key = number | bigint | string

/** A table cut by ranges of its key, each read when asked for. */
export interface KeysetOptions<Row> extends Settings {
  /** Field of the row that orders it. */
  readonly key: keyof Row & string
  /** Rows with `after < key <= through`, ordered by key, at most `limit`. */
  readonly page: (
    range: { readonly after: Key; readonly through: Key; readonly limit: number },
    ctx: ProviderContext,
  ) => Awaitable<readonly Row[]>
  readonly entry: (row: Row) => Entry | null | undefined
  /** Smallest and largest key; null for an empty table. */
  readonly range?: (ctx: ProviderContext) => Awaitable<{ readonly min: Key | null; readonly max: Key | null }>
  /** Keys of one range. @defaultValue 50000 */
  readonly size?: number
  /** Rows of one page. @defaultValue 5000 */
  readonly pageSize?: number
  /** Keys of the rows changed since; deletions are not seen. */
  readonly changedSince?: (since: { readonly since: Date }, ctx: ProviderContext) => Awaitable<readonly Key[]>
  /** How often everything is read again with `changedSince`. @defaultValue "1d" */
  readonly fullEvery?: Duration
}

/** Ranges of whole-number ids: `from < id <= to`. */
export interface IdRangeOptions extends Settings {
  readonly min?: Key | ((ctx: ProviderContext) => Awaitable<Key | null>)
  readonly max: Key | ((ctx: ProviderContext) => Awaitable<Key | null>)
  readonly size: number
  readonly entries: (
    range: { readonly from: Key; readonly to: Key },
    ctx: ProviderContext,
  ) => Awaitable<Entries>
}

/** One partition a calendar month (UTC), `from` included, `to` not. */
export interface MonthOptions extends Settings {
  readonly from: Date | (() => Awaitable<Date | null>)
  readonly to?: Date | (() => Awaitable<Date | null>)
  readonly entries: (
    month: { readonly from: Date; readonly to: Date },
    ctx: ProviderContext,
  ) => Awaitable<Entries>
}

/** A fixed number of partitions by a hash of the user's own. */
export interface HashOptions extends Settings {
  readonly count: number
  readonly entries: (
    bucket: { readonly bucket: number; readonly of: number },
    ctx: ProviderContext,
  ) => Awaitable<Entries>
}

/** What a provider of partitions is called with. */
export type PartitionContext<P extends Partition = Partition> = ProviderContext & { readonly partition: P }

/** Shares blobs, records and invalidations between instances and restarts. */
export interface SharedStore {
  readonly name: string
  get(key: string): Promise<Uint8Array | null | undefined>
  set(key: string, value: Uint8Array, ttlMs: number): Promise<unknown>
  delete(key: string): Promise<unknown>
  /** Sets only where the record's revision is the expected one; a store without it has no order among instances. */
  compareAndSet?(
    key: string,
    expected: number | undefined,
    revision: number,
    value: Uint8Array,
    ttlMs: number,
  ): Promise<boolean>
  lock?(key: string, token: string, ttlMs: number): Promise<boolean>
  renew?(key: string, token: string, ttlMs: number): Promise<unknown>
  unlock?(key: string, token: string): Promise<unknown>
  invalidate?(tags: readonly string[]): Promise<number>
  state?(): Promise<{
    readonly epoch: string
    readonly rev: number
    readonly tags: ReadonlyMap<string, number>
  }>
  subscribe?(onChange: () => void): Promise<() => void>
  ready?(): boolean
}

/** A route that a CMS calls after a publish. */
export interface WebhookOptions {
  readonly path: string
  readonly preset?: string
  readonly verify?: (request: {
    readonly raw: Uint8Array
    readonly headers: Readonly<Record<string, string>>
  }) => Awaitable<boolean>
  readonly secret?: string | readonly string[]
  readonly sections?: readonly string[]
  readonly map?: (body: unknown) => readonly string[]
}
