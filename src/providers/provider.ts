import type { Entry, EntryDefaults } from '../entry/entry.ts'

/**
 * How long: text such as `'10m'` (`ms s m h d`), or a number of seconds, fractions allowed. Text that only the running
 * program knows needs a cast; it is checked all the same.
 *
 * @example { ttl: process.env.SITEMAP_TTL as Duration }
 */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** A document kind that a section can take part in. */
export type FormatName = 'xml' | 'txt' | 'html' | 'feed' | 'news'

/** A site as providers and documents see it. */
export interface Site {
  /** Absolute URL of the site's root, e.g. `https://www.example.com`. */
  readonly url: string
  /** Stable id, part of every cache key. @defaultValue the host of `url` */
  readonly id?: string
  readonly title?: string
  readonly description?: string
  /** Language tag such as `en` or `fr-CA`. @defaultValue "en" */
  readonly language?: string
  /** Hosts that select this site when several are served. */
  readonly hosts?: readonly string[]
  /** Yours: passed on as `ctx.site.data`. */
  readonly data?: unknown
}

/** Where lines go: Fastify's logger, pino, or `console` fit. */
export interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** What a provider is called with. */
export interface ProviderContext {
  /** Aborted when the walk ends early: pass it to `fetch` and the database. */
  readonly signal: AbortSignal
  readonly site: Site
  readonly log: Logger
}

/** A list of entries as it is walked. */
export type Entries = Iterable<Entry | null | undefined> | AsyncIterable<Entry | null | undefined>

/** Called anew at each refresh. */
export type EntriesFunction = (ctx: ProviderContext) => Entries | Promise<Entries>

/** A provider with settings of its own. */
export interface ProviderObject {
  readonly entries: readonly Entry[] | EntriesFunction
  /** A cheap token: equal to the last one, nothing is read. Asked before a walk, kept only with the snapshot it led to. */
  readonly version?: (ctx: ProviderContext) => unknown
  /** How long a walk counts as fresh. @defaultValue `cache.ttl` */
  readonly ttl?: Duration
  /** Heading of the section in HTML. @defaultValue the section's key in words */
  readonly title?: string
  /** Used where an entry says nothing. */
  readonly defaults?: EntryDefaults
  /** Documents the section takes part in. @defaultValue all */
  readonly formats?: readonly FormatName[]
  /** Language of the entries that name none. */
  readonly lang?: string
  /** The entries of a `group` come next to each other: then they need not be read again after the walk, and their number has no bound. */
  readonly groups?: 'adjacent'
  /** Its first snapshot may be missing without holding the others up. @defaultValue false */
  readonly optional?: boolean
  /** Share of entries that may vanish in one walk before it is held. @defaultValue the option `maxShrink` */
  readonly maxShrink?: number
  /** Longest silence of any call. @defaultValue the option `timeout` */
  readonly timeout?: Duration
  /** Further attempts of a walk that failed before its first entry. @defaultValue the option `retries` */
  readonly retries?: number
}

/** A slice of a large table as you list it; own JSON fields are kept and handed back in `ctx.partition`. */
export interface Partition {
  readonly id: string
  readonly version?: string | number | null
  readonly lastmod?: Date | number | string | null
  readonly count?: number | null
  readonly title?: string | null
}

/** What the entries of a partition are asked for with. */
export type PartitionContext<P extends Partition = Partition> = ProviderContext & { readonly partition: P }

/** A provider that is read partition by partition, each when it is asked for. */
export interface PartitionedProvider<P extends Partition = Partition>
  extends Omit<ProviderObject, 'entries' | 'version' | 'groups'> {
  /** All partitions there are; called anew at each refresh. The index is made from this list alone. */
  readonly partitions: (
    ctx: ProviderContext,
  ) => Iterable<P> | AsyncIterable<P> | Promise<Iterable<P> | AsyncIterable<P>>
  /** The entries of `ctx.partition`, one that was listed. */
  readonly entries: (ctx: PartitionContext<P>) => Entries | Promise<Entries>
  /**
   * Ids of the partitions that changed since an instant, a minute before the last reading began; deletions are not seen,
   * so that all are read again `fullEvery`.
   */
  readonly changedSince?: (
    ctx: ProviderContext & { readonly since: Date },
  ) => Iterable<string> | AsyncIterable<string> | Promise<Iterable<string> | AsyncIterable<string>>
  /** How often everything is read again with `changedSince`. @defaultValue "1d" */
  readonly fullEvery?: Duration
  /** The newest entries, for feeds and the news file: a partitioned section is in them only through this. */
  readonly latest?: (ctx: ProviderContext) => Entries | Promise<Entries>
}

/** A section's data: a list, a function called at each refresh, or an object with settings. */
export type Provider = EntryList | EntriesFunction | WholeProvider | DefinedPartitions

/**
 * A list of entries, without the methods of arrays: these have an `entries` too, which would take part in typing the
 * function of that name of a provider object, so that `changefreq: 'monthly'` in it were any text.
 */
export type EntryList = object &
  Iterable<Entry> & { readonly length: number; readonly [index: number]: Entry }

/** A provider that is read as a whole. */
export type WholeProvider = ProviderObject & {
  readonly [K in Exclude<keyof PartitionedProvider, keyof ProviderObject>]?: never
}

/**
 * A {@link PartitionedProvider} that {@link defineProvider}, or a helper such as `keyset`, has typed. Its `entries` is a
 * function that TypeScript does not look into: of two kinds of argument to choose from it would give neither to the
 * `entries` of any provider, and partitions with fields of their own would be no partitions.
 */
export interface DefinedPartitions extends Omit<PartitionedProvider, 'entries'> {
  readonly entries: Pick<CallableFunction, 'bind'>
}

/** Types its argument, nothing else. */
export function defineProvider(provider: EntriesFunction): EntriesFunction
export function defineProvider(provider: readonly Entry[]): readonly Entry[]
export function defineProvider<P extends Partition>(provider: PartitionedProvider<P>): PartitionedProvider<P>
export function defineProvider(provider: ProviderObject): ProviderObject
export function defineProvider(provider: Provider): Provider {
  return provider
}
