import type { SharedStore } from './cache/store.ts'
import type { Entry } from './entry/entry.ts'
import type { HtmlStrings } from './formats/html-strings.ts'
import type { HtmlTemplatePage } from './formats/html-template.ts'
import type { Duration, Logger, Provider, Site } from './providers/provider.ts'

export { resolveOptions } from './options/resolve.ts'
export type { ResolvedOptions, ResolvedProvider, ResolvedSite, ResolvedSites } from './options/resolved.ts'

/**
 * A size: text such as `'64mb'` (`b kb mb gb`, powers of 1,024), or bytes. Text that only the running program knows needs
 * a cast; it is checked all the same.
 *
 * @example { memory: process.env.SITEMAP_MEMORY as Size }
 */
export type Size = number | `${number}${SizeUnit | Uppercase<SizeUnit>}`

type SizeUnit = 'b' | 'kb' | 'mb' | 'gb'

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
  /** The feed as Atom 1.0, e.g. `/feed.atom`. @defaultValue false */
  readonly atom?: string | false
  /** The feed as JSON Feed 1.1, e.g. `/feed.json`. @defaultValue false */
  readonly json?: string | false
  /** News articles of the last two days in a file of their own, e.g. `/sitemap-news.xml`. @defaultValue false */
  readonly news?: string | false
  /** `/robots.txt`, which names all sitemaps (option `robots`). @defaultValue false */
  readonly robots?: string | false
  /** `/llms.txt`, the site as Markdown (option `llms`). @defaultValue false */
  readonly llms?: string | false
  /** A stylesheet for people who open the XML in a browser, e.g. `/sitemap.css`. @defaultValue false */
  readonly css?: string | false
  /** What the robots-* classes on links of the HTML page mean; served as soon as an entry carries one. @defaultValue "/robots-profile" */
  readonly profile?: string | false
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
  /**
   * What instances and restarts share: `redisStore(client)` or `fsStore(dir)` of `live-sitemap/stores`, or any object with
   * their methods. While it is down each instance works alone. @defaultValue none
   */
  readonly store?: SharedStore
  /** Tells applications on one store apart. @defaultValue `site.url` and the prefix */
  readonly namespace?: string
  /** Change it when a function of yours (a provider, `transform`) gives other entries from the same data. */
  readonly version?: string
}

/** A picture that stands for the feed (SPEC F13). */
export interface FeedImageOptions {
  readonly url: string | URL
  /** Pixels, at most 144. */
  readonly width?: number
  /** Pixels, at most 400. */
  readonly height?: number
}

/** The feeds. */
export interface FeedOptions<Section extends string = string> {
  /** Entries in a feed, 1 to 1,000. @defaultValue 50 */
  readonly limit?: number
  /** Sections that take part. @defaultValue all */
  readonly sections?: readonly Section[]
  /** Type and subtype of the RSS feed, without parameters. @defaultValue "application/rss+xml" */
  readonly mediaType?: string
  /**
   * HTML of an entry, asked for the newest `limit` entries of a section only, in place of their own `content`. What
   * throws or is silent for `timeout` is logged, and the content known before stays.
   */
  readonly content?: (
    entry: Entry,
    about: { readonly section: string; readonly site: Site; readonly signal: AbortSignal },
  ) => string | null | undefined | Promise<string | null | undefined>
  readonly image?: string | URL | FeedImageOptions
  /** How long readers may keep the feed, in whole minutes: `'1h'`. */
  readonly ttl?: Duration
  /** WebSub hubs: absolute URLs. */
  readonly hubs?: string | readonly string[]
  readonly copyright?: string
  /** Name of who writes the feed. */
  readonly author?: string
  /** E-mail of who answers for the content, for the technology. */
  readonly managingEditor?: string
  readonly webMaster?: string
  /** Subjects of the whole feed. */
  readonly categories?: string | readonly string[]
}

/** Words of the HTML sitemap in one language, over ours; `entries` as one text, or by plural category. */
export interface HtmlWords extends Partial<Omit<HtmlStrings, 'entries'>> {
  readonly entries?: string | HtmlStrings['entries']
}

/** The HTML sitemap. */
export interface HtmlOptions {
  /** Entries on one page, 1 to 50,000. @defaultValue 1000 */
  readonly pageSize?: number
  /** URL or path of a stylesheet of yours in place of ours; false for none. */
  readonly stylesheet?: string | false
  /** HTML of yours at the end of `<head>`, as it is. */
  readonly head?: string
  /** The whole page by a function of yours, given clean data; it must depend on that data alone. */
  readonly template?: (page: HtmlTemplatePage) => string
  /** Words of yours by language tag, over ours: `{ en: { sitemap: 'Site map' } }`. */
  readonly strings?: Readonly<Record<string, HtmlWords>>
  /** URL of a document of yours that defines the robots-* classes, in place of `routes.profile`. */
  readonly profileUri?: string | URL
}

/** News articles (SPEC 2.3). */
export interface NewsOptions {
  /** Name of the publication. @defaultValue `site.title` */
  readonly name?: string
  /** Language of articles that name none. @defaultValue `site.language` */
  readonly language?: string
}

/** Languages. */
export interface I18nOptions {
  /** Locales with a sitemap of their own: `/sitemap_en.xml`, `/sitemap_fr.xml` … */
  readonly locales?: readonly string[]
  /** Where entries of no known language go. @defaultValue the first locale */
  readonly defaultLocale?: string
  /** The language whose version is also the `x-default` of entries that name none. */
  readonly xDefault?: string
  /** Entries with a `group` that one section may have. @defaultValue 250000 */
  readonly maxGrouped?: number
}

/** Rules for one or more robots (SPEC X5). */
export interface RobotsGroup {
  /** @defaultValue "*" */
  readonly userAgent?: string | readonly string[]
  readonly allow?: string | readonly string[]
  readonly disallow?: string | readonly string[]
}

/** `/robots.txt`. */
export interface RobotsOptions {
  /** @defaultValue everything is allowed to all */
  readonly groups?: readonly RobotsGroup[]
  /** Absolute URLs of further sitemaps. */
  readonly sitemaps?: readonly string[]
}

/** `/llms.txt` (SPEC X10 to X17). */
export interface LlmsOptions<Section extends string = string> {
  /** Markdown without headings, after the site's description. */
  readonly details?: string
  /** Sections that take part, in this order. @defaultValue all that are in HTML */
  readonly sections?: readonly Section[]
  /** Sections that a reader short of space may skip. */
  readonly optional?: readonly Section[]
  /** Entries of one section, 1 to 10,000. @defaultValue 1000 */
  readonly limit?: number
}

/**
 * Several sites: a list, or a look-up by host that gives null for a host that is none of theirs. What it finds is kept
 * for 5 minutes, an unknown host for one, 10,000 hosts at most; one look-up a host runs at a time. Where it throws or is
 * silent for `timeout`, a site that was known stays, and another host gets 503.
 */
export type Sites =
  | readonly Site[]
  | ((
      host: string,
      about: { readonly signal: AbortSignal; readonly request: unknown },
    ) => Promise<Site | null> | Site | null)

/** All options; checked together at registration, all faults in one error. `Section` stands for the keys of `providers`. */
export type SitemapOptions<Section extends string = string> = CommonOptions<Section> &
  (
    | { readonly site: Site; readonly sites?: undefined; readonly hostHeader?: undefined }
    | {
        readonly site?: undefined
        readonly sites: Sites
        /**
         * Header that names the host in place of Host, where a proxy in front sets it; it only selects among the sites.
         * @example 'x-forwarded-host'
         */
        readonly hostHeader?: string
      }
  )

/** What one site and many have in common. */
export interface CommonOptions<Section extends string = string> {
  /** One provider a section, by the section's key: a letter, then letters, digits and underscores. */
  readonly providers: Readonly<Record<Section, Provider>>
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
  /** `X-Robots-Tag` of XML, TXT and llms.txt; not of feeds and HTML. @defaultValue "noindex" */
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
  /** Read all sections when the server listens, and keep those in use fresh by timers; `'all'`: every partition, too. @defaultValue true */
  readonly warmUp?: boolean | 'all'
  readonly feed?: FeedOptions<NoInfer<Section>>
  readonly html?: HtmlOptions
  readonly news?: NewsOptions
  readonly i18n?: I18nOptions
  readonly robots?: RobotsOptions
  readonly llms?: LlmsOptions<NoInfer<Section>>
  /**
   * Namespaces of yours by prefix, for `extensions` of entries; at most 16.
   * @example { shop: 'https://example.com/ns/shop' }
   */
  readonly namespaces?: Readonly<Record<string, string>>
  /** @defaultValue the host's logger, else `console` for warnings and errors */
  readonly log?: Logger
  /** Name of the handle on the app, for a second registration. @defaultValue "sitemap" */
  readonly name?: string
  /** Path before all routes. */
  readonly prefix?: string
  /** Path of our documents as the public sees it. @defaultValue `prefix`, else the path of `site.url` */
  readonly publicPath?: string
  /** Options of later releases; given today they are refused with LSM_ERR_OPTION_LATER. */
  readonly webhooks?: never
}
