import type { Entry } from './entry/entry.ts'
import type {
  Duration,
  EntriesFunction,
  FormatName,
  Logger,
  ProviderObject,
  Site,
} from './providers/provider.ts'

export { resolveOptions } from './options/resolve.ts'
export type { ResolvedOptions, ResolvedProvider, ResolvedSite } from './options/resolved.ts'

/** A size: text such as `'64mb'` (`b kb mb gb`, powers of 1,024), or bytes. */
export type Size = string | number

/** Paths of the documents; false switches one off. */
export interface RouteOptions {
  /** @defaultValue "/sitemap.xml" */
  readonly sitemap?: string | false
  /** @defaultValue "/sitemap_index.xml" */
  readonly index?: string | false
  /** @defaultValue "/feed.rss" */
  readonly rss?: string | false
  /** @defaultValue "/sitemap.html" */
  readonly html?: string | false
  /** @defaultValue "/sitemap.txt" */
  readonly txt?: string | false
  /** State of the sections as JSON, made per request. @defaultValue false */
  readonly report?: string | false
  /** Documents of a later release: only false is taken. */
  readonly atom?: false
  readonly json?: false
  readonly news?: false
  readonly robots?: false
  readonly llms?: false
  readonly css?: false
  readonly profile?: false
}

/** Caching of snapshots and rendered documents. */
export interface CacheOptions {
  /** How long a walk counts as fresh. @defaultValue "10m" */
  readonly ttl?: Duration
  /** How long after `ttl` a request is still answered without waiting for the refresh. @defaultValue "10m" */
  readonly staleWhileRevalidate?: Duration
  /** How long a request waits for a running refresh of what is older than that, or invalidated. @defaultValue "1s" */
  readonly wait?: Duration
  /** Bound of all that the process keeps in memory, last good included. @defaultValue "64mb" */
  readonly memory?: Size
  /** Folder for what does not fit in memory. @defaultValue the system's temporary folder */
  readonly dir?: string
  /** A later release shares state between instances. */
  readonly store?: never
  readonly namespace?: never
  readonly version?: never
}

/** The feed. */
export interface FeedOptions {
  /** Entries in the feed, 1 to 1,000. @defaultValue 50 */
  readonly limit?: number
  /** Sections that take part. @defaultValue all */
  readonly sections?: readonly string[]
  /** Type and subtype, without parameters. @defaultValue "application/rss+xml" */
  readonly mediaType?: string
  /** Of a later release; an entry's own `content` is taken today. */
  readonly content?: never
}

/** The HTML sitemap. */
export interface HtmlOptions {
  /** Entries on one page, 1 to 50,000. @defaultValue 1000 */
  readonly pageSize?: number
  /** URL or path of a stylesheet of yours in place of ours; false for none. */
  readonly stylesheet?: string | false
  /** Of a later release. */
  readonly head?: never
  readonly template?: never
  readonly strings?: never
  readonly profileUri?: never
}

/** A provider object as this release serves it: without `partitions`, without the format `news`. */
export interface ServedProviderObject extends Omit<ProviderObject, 'formats'> {
  /** Documents the section takes part in. @defaultValue all four */
  readonly formats?: readonly Exclude<FormatName, 'news'>[]
  /** Of a later release, which reads large tables slice by slice. */
  readonly partitions?: never
}

/** What may stand in `providers`: a list, a function called at each refresh, or an object with settings. */
export type ServedProvider = readonly Entry[] | EntriesFunction | ServedProviderObject

/** All options; checked together at registration, all faults in one error. */
export interface SitemapOptions {
  readonly site: Site
  /** One provider a section, by the section's key: a letter, then letters, digits and underscores. */
  readonly providers: Readonly<Record<string, ServedProvider>>
  readonly routes?: RouteOptions
  /** Entries of one part, 1 to 50,000. @defaultValue 50000 */
  readonly limit?: number
  /** Bytes of one part, uncompressed, 1,024 to 52,428,800. @defaultValue 52428800 */
  readonly maxBytes?: Size
  /** What happens to the slash at the end of paths. @defaultValue "preserve" */
  readonly trailingSlash?: 'preserve' | 'always' | 'never'
  /** Which URLs may be listed: those of the site's scheme, host and port; those below its path; any. @defaultValue "host" */
  readonly scope?: 'host' | 'path' | 'off'
  /** What an invalid entry does: it is left out, or the walk fails. @defaultValue "skip" */
  readonly onInvalid?: 'skip' | 'fail'
  /** How part 1 of a section without entries, and the index of a site without any, answer. @defaultValue "urlset" */
  readonly onEmpty?: 'urlset' | 404
  /**
   * Paths left out. Text is the whole path, `*` standing for any run of characters, and meets the query only where it
   * holds a `?`; a RegExp is held against path and query.
   * @example ['/drafts/*', '/*?preview=*', /\/page\/\d+$/]
   */
  readonly exclude?: string | RegExp | readonly (string | RegExp)[]
  /** Last word on an entry: return it, another, or null to leave it out. */
  readonly transform?: (
    entry: Entry,
    about: { readonly section: string; readonly site: Site },
  ) => Entry | null | undefined
  /** Share of entries that may vanish in one walk before it is held. @defaultValue 0.5 */
  readonly maxShrink?: number
  readonly cache?: CacheOptions
  /** @defaultValue "public, max-age=300, stale-while-revalidate=60, stale-if-error=604800" */
  readonly cacheControl?: string
  /** `X-Robots-Tag` of XML and TXT. @defaultValue "noindex" */
  readonly xRobotsTag?: string | false
  /** Content-codings offered, best first; false for identity and weak ETags. @defaultValue ["br", "gzip"], with "zstd" where Node has it */
  readonly encodings?: readonly ('br' | 'gzip' | 'zstd')[] | false
  /** How long a request waits for a site that has no snapshot yet. @defaultValue "10s" */
  readonly deadline?: Duration
  /** Longest silence of any call of yours. @defaultValue "30s" */
  readonly timeout?: Duration
  /** Longest walk. @defaultValue "30m" */
  readonly walkTimeout?: Duration
  /** Further attempts of a walk that failed before its first entry. @defaultValue 2 */
  readonly retries?: number
  /** Walks at once in this process. @defaultValue 2 */
  readonly concurrency?: number
  /** Read all sections when the server listens, and keep those in use fresh by timers. @defaultValue true */
  readonly warmUp?: boolean
  readonly feed?: FeedOptions
  readonly html?: HtmlOptions
  /** @defaultValue the host's logger, else `console` for warnings and errors */
  readonly log?: Logger
  /** Name of the handle on the app, for a second registration. @defaultValue "sitemap" */
  readonly name?: string
  /** Path before all routes. */
  readonly prefix?: string
  /** Path of our documents as the public sees it. @defaultValue `prefix`, else the path of `site.url` */
  readonly publicPath?: string
  /** Options of later releases; given today they are refused with LSM_ERR_OPTION_LATER. */
  readonly sites?: never
  readonly hostHeader?: never
  readonly webhooks?: never
  readonly news?: never
  readonly i18n?: never
}
