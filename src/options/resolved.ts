import type { SharedStore } from '../cache/store.ts'
import type { Entry, EntryDefaults } from '../entry/entry.ts'
import type { FeedSettings } from '../formats/feed-document.ts'
import type { HtmlStrings } from '../formats/html-strings.ts'
import type { FeedOptions, HtmlOptions, SitemapOptions, Sites } from '../options.ts'
import type { EntriesFunction, FormatName, Logger, ProviderContext, Site } from '../providers/provider.ts'

/** A site with every field decided. */
export interface ResolvedSite {
  /** What `ctx.site` is: a frozen copy of what the user gave, `data` as given. */
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

/** Several sites. */
export interface ResolvedSites {
  /** The list form by host, aliases included; empty for the function form. */
  readonly byHost: ReadonlyMap<string, Site>
  readonly byId: ReadonlyMap<string, Site>
  readonly lookUp: Extract<Sites, (...args: never[]) => unknown> | undefined
  /** Lower-case name of the header that names the host. */
  readonly hostHeader: string | undefined
  /** Id of a site as it is kept by: its own, else the host of its URL. */
  readonly idOf: (site: Site) => string
  /** All options with this site's own in place. @throws SitemapError as resolveOptions does */
  readonly optionsOf: (site: Site) => ResolvedOptions
}

/** The functions of a partitioned provider, bound to the user's object. */
export interface ResolvedPartitions {
  readonly partitions: (ctx: ProviderContext) => unknown
  readonly entries: (ctx: ProviderContext) => unknown
  readonly changedSince: ((ctx: ProviderContext & { readonly since: Date }) => unknown) | undefined
  readonly fullEveryMs: number
  readonly latest: EntriesFunction | undefined
}

/** A provider with every field decided. */
export interface ResolvedProvider {
  readonly section: string
  readonly title: string
  /** The user's own list; one of `list` and `entries` is set. */
  readonly list: readonly Entry[] | undefined
  /** Bound to the user's object, so that methods may use `this`. */
  readonly entries: EntriesFunction | undefined
  readonly version: ((ctx: ProviderContext) => unknown) | undefined
  readonly ttlMs: number
  readonly defaults: EntryDefaults
  readonly formats: ReadonlySet<FormatName>
  readonly lang: string | undefined
  /** True where the entries of a group come next to each other. */
  readonly adjacentGroups: boolean
  /** Set where the section is read slice by slice; then there are neither `list` nor `entries`. */
  readonly partitioned: ResolvedPartitions | undefined
  readonly optional: boolean
  readonly maxShrink: number
  readonly timeoutMs: number
  readonly retries: number
}

/** Options with every field decided and frozen; the rest of the engine receives only this. */
export interface ResolvedOptions {
  /** The site; of several a stand-in, whose own options `sites.optionsOf` gives. */
  readonly site: ResolvedSite
  readonly sites: ResolvedSites | undefined
  readonly providers: readonly ResolvedProvider[]
  readonly routes: {
    readonly sitemap: string | false
    readonly index: string | false
    readonly rss: string | false
    readonly html: string | false
    readonly txt: string | false
    readonly atom: string | false
    readonly json: string | false
    readonly news: string | false
    readonly robots: string | false
    readonly llms: string | false
    readonly css: string | false
    readonly profile: string | false
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
  /** Its patterns as text. */
  readonly excluded: readonly string[]
  readonly transform: SitemapOptions['transform']
  readonly cache: {
    readonly ttlMs: number
    readonly staleWhileRevalidateMs: number
    readonly waitMs: number
    readonly memory: number
    readonly dir: string | undefined
    readonly store: SharedStore | undefined
    /** Tells applications on one store apart. */
    readonly namespace: string
    /** Changed by the user when functions of his change what they give. */
    readonly version: string | undefined
  }
  readonly cacheControl: string
  readonly xRobotsTag: string | false
  readonly encodings: readonly ('br' | 'gzip' | 'zstd')[]
  /** True where bodies are coded by someone else: identity only, weak ETags. */
  readonly weakEtags: boolean
  readonly deadlineMs: number
  /** Of every call of the user's that no provider has its own for. */
  readonly timeoutMs: number
  readonly walkTimeoutMs: number
  readonly concurrency: number
  readonly warmUp: boolean | 'all'
  readonly feed: {
    readonly limit: number
    readonly sections: ReadonlySet<string> | undefined
    readonly mediaType: string
    readonly content: FeedOptions['content']
    readonly settings: FeedSettings
  }
  readonly html: {
    readonly pageSize: number
    readonly stylesheet: string | false | undefined
    readonly head: string | undefined
    readonly template: HtmlOptions['template']
    readonly strings: Readonly<Record<string, Partial<HtmlStrings>>>
    readonly profileUri: string | undefined
  }
  readonly news: { readonly name: string; readonly language: string }
  readonly i18n: {
    /** In normal form (`fr-CA`), without doubles; empty where sections are not cut by locale. */
    readonly locales: readonly string[]
    /** One of `locales`; undefined where there are none. */
    readonly defaultLocale: string | undefined
    readonly xDefault: string | undefined
    readonly maxGrouped: number
  }
  readonly robots: {
    /** At least one; every list may be empty but `userAgent`. */
    readonly groups: readonly {
      readonly userAgent: readonly string[]
      readonly allow: readonly string[]
      readonly disallow: readonly string[]
    }[]
    readonly sitemaps: readonly string[]
  }
  readonly llms: {
    readonly details: string | undefined
    readonly sections: readonly string[] | undefined
    readonly optional: ReadonlySet<string>
    readonly limit: number
  }
  /** Declared namespaces in the order given: prefix and URI. */
  readonly namespaces: readonly (readonly [prefix: string, uri: string])[]
  readonly log: Logger | undefined
  readonly name: string
  /** Path before all routes, without a slash at the end: empty or `/shop`. */
  readonly prefix: string
}
