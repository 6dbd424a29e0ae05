import type { Entry, EntryDefaults } from './entry/entry.ts'
import type { Duration, EntriesFunction, FormatName, Logger, Provider, Site } from './providers/provider.ts'

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
}

/** The feed. */
export interface FeedOptions {
  /** Entries in the feed. @defaultValue 50 */
  readonly limit?: number
  /** Sections that take part. @defaultValue all */
  readonly sections?: readonly string[]
  /** @defaultValue "application/rss+xml" */
  readonly mediaType?: string
}

/** The HTML sitemap. */
export interface HtmlOptions {
  /** Entries on one page. @defaultValue 1000 */
  readonly pageSize?: number
  /** URL or path of a stylesheet of yours in place of ours; false for none. */
  readonly stylesheet?: string | false
}

/** All options; checked together at registration, all faults in one error. */
export interface SitemapOptions {
  readonly site: Site
  readonly providers: Readonly<Record<string, Provider>>
  readonly routes?: RouteOptions
  /** Entries of one part. @defaultValue 50000 */
  readonly limit?: number
  /** Bytes of one part, uncompressed. @defaultValue 52428800 */
  readonly maxBytes?: Size
  /** What happens to the slash at the end of paths. @defaultValue "preserve" */
  readonly trailingSlash?: 'preserve' | 'always' | 'never'
  /** Which URLs may be listed: those of the site's scheme, host and port; those below its path; any. @defaultValue "host" */
  readonly scope?: 'host' | 'path' | 'off'
  /** What an invalid entry does: it is left out, or the walk fails. @defaultValue "skip" */
  readonly onInvalid?: 'skip' | 'fail'
  /** How part 1 of a section without entries, and the index of a site without any, answer. @defaultValue "urlset" */
  readonly onEmpty?: 'urlset' | 404
  /** Paths left out: text with `*`, or RegExp, held against path and query. */
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
}

/** A site with every field decided. */
export interface ResolvedSite {
  /** What `ctx.site` is: the user's object, frozen copy, `data` as given. */
  readonly given: Site
  readonly id: string
  /** Absolute, ASCII host, e.g. `https://www.example.com/shop`; as `new URL(url).href`. */
  readonly url: string
  /** Scheme, host and port: `https://www.example.com`. */
  readonly origin: string
  /** Where our documents live in public, without a slash at the end: `https://www.example.com/shop`. */
  readonly base: string
  readonly title: string
  readonly description: string
  readonly language: string
}

/** A provider with every field decided. */
export interface ResolvedProvider {
  readonly section: string
  readonly title: string
  readonly list: readonly Entry[] | undefined
  readonly entries: EntriesFunction | undefined
  readonly version: ((ctx: never) => unknown) | undefined
  readonly ttlMs: number
  readonly defaults: EntryDefaults
  readonly formats: ReadonlySet<FormatName>
  readonly lang: string | undefined
  readonly optional: boolean
  readonly maxShrink: number
  readonly timeoutMs: number
  readonly retries: number
}

/** Options with every field decided and frozen; the rest of the engine receives only this. */
export interface ResolvedOptions {
  readonly site: ResolvedSite
  readonly providers: readonly ResolvedProvider[]
  readonly routes: {
    readonly sitemap: string | false
    readonly index: string | false
    readonly rss: string | false
    readonly html: string | false
    readonly txt: string | false
    readonly report: string | false
  }
  readonly limit: number
  readonly maxBytes: number
  readonly trailingSlash: 'preserve' | 'always' | 'never'
  readonly scope: 'host' | 'path' | 'off'
  readonly onInvalid: 'skip' | 'fail'
  readonly onEmpty: 'urlset' | 404
  /** One test over path and query, or undefined where nothing is excluded. */
  readonly exclude: ((pathAndQuery: string) => boolean) | undefined
  readonly transform: SitemapOptions['transform']
  readonly cache: {
    readonly ttlMs: number
    readonly staleWhileRevalidateMs: number
    readonly waitMs: number
    readonly memory: number
    readonly dir: string | undefined
  }
  readonly cacheControl: string
  readonly xRobotsTag: string | false
  readonly encodings: readonly ('br' | 'gzip' | 'zstd')[]
  /** True where bodies are coded by someone else: identity only, weak ETags. */
  readonly weakEtags: boolean
  readonly deadlineMs: number
  readonly walkTimeoutMs: number
  readonly concurrency: number
  readonly warmUp: boolean
  readonly feed: {
    readonly limit: number
    readonly sections: ReadonlySet<string> | undefined
    readonly mediaType: string
  }
  readonly html: { readonly pageSize: number; readonly stylesheet: string | false | undefined }
  readonly log: Logger | undefined
  readonly name: string
  readonly prefix: string
}
