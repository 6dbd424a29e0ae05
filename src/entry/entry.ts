/**
 * The entry model: what a provider yields. Every field but `loc` may be null or undefined.
 * Tag names inside images, videos and news are those of the protocols in camelCase (SPEC 2.1 to 2.3).
 */

/** An instant: a Date of any realm, epoch (numbers below 100,000,000,000 are seconds, else ms), W3C or SQL text; no zone means UTC. */
export type DateInput = Date | number | string

type Maybe<T> = T | null | undefined

/** `changefreq` of the protocol (SPEC U6). */
export type ChangeFreq = 'always' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'never'

/** `ror:updatePeriod` (SPEC R13). */
export type UpdatePeriod = 'hour' | 'day' | 'week' | 'month' | 'year'

/** Yes or no of the video protocol, as a boolean or in words. */
export type YesNo = boolean | 'yes' | 'no'

/** An image of a page (SPEC 2.1). A text stands for `{ loc }`. */
export interface ImageEntry {
  readonly loc: string | URL
  readonly caption?: Maybe<string>
  readonly geoLocation?: Maybe<string>
  readonly title?: Maybe<string>
  readonly license?: Maybe<string | URL>
  /** The names are `loc`, `geoLocation`. */
  readonly url?: never
  readonly geo_location?: never
}

/** A video of a page (SPEC 2.2). */
export interface VideoEntry {
  readonly thumbnailLoc: string | URL
  readonly title: string
  readonly description: string
  readonly contentLoc?: Maybe<string | URL>
  readonly playerLoc?: Maybe<
    | string
    | URL
    | { readonly loc: string | URL; readonly allowEmbed?: Maybe<YesNo>; readonly autoplay?: Maybe<string> }
  >
  readonly duration?: Maybe<number | string>
  readonly expirationDate?: Maybe<DateInput>
  readonly rating?: Maybe<number | string>
  readonly contentSegmentLoc?: Maybe<
    readonly { readonly loc: string | URL; readonly duration?: Maybe<number> }[]
  >
  readonly viewCount?: Maybe<number | string>
  readonly publicationDate?: Maybe<DateInput>
  readonly tag?: Maybe<string | readonly string[]>
  readonly category?: Maybe<string>
  readonly familyFriendly?: Maybe<YesNo>
  readonly restriction?: Maybe<{
    readonly relationship: 'allow' | 'deny'
    readonly countries: string | readonly string[]
  }>
  readonly galleryLoc?: Maybe<string | URL | { readonly loc: string | URL; readonly title?: Maybe<string> }>
  readonly price?: Maybe<
    readonly {
      readonly value?: Maybe<number | string>
      readonly currency?: Maybe<string>
      readonly type?: Maybe<'purchase' | 'rent'>
      readonly resolution?: Maybe<'SD' | 'HD'>
    }[]
  >
  readonly requiresSubscription?: Maybe<YesNo>
  readonly uploader?: Maybe<string | { readonly name: string; readonly info?: Maybe<string | URL> }>
  readonly tvshow?: Maybe<{
    readonly showTitle: string
    readonly videoType: 'full' | 'preview' | 'clip' | 'interview' | 'news' | 'other'
    readonly episodeTitle?: Maybe<string>
    readonly seasonNumber?: Maybe<number>
    readonly episodeNumber?: Maybe<number>
    readonly premierDate?: Maybe<DateInput>
  }>
  readonly platform?: Maybe<{
    readonly relationship: 'allow' | 'deny'
    readonly platforms: string | readonly ('web' | 'mobile' | 'tv')[]
  }>
  readonly live?: Maybe<YesNo>
  readonly id?: Maybe<readonly { readonly type: string; readonly value: string }[]>
}

/** A news article (SPEC 2.3); `true` takes title and date from the entry's own `title` and `published`. */
export interface NewsEntry {
  readonly title: string
  readonly publicationDate: DateInput
  readonly name?: Maybe<string>
  readonly language?: Maybe<string>
  readonly access?: Maybe<'Subscription' | 'Registration'>
  readonly genres?: Maybe<string | readonly string[]>
  readonly keywords?: Maybe<string | readonly string[]>
  readonly stockTickers?: Maybe<string | readonly string[]>
}

/** A language version of an entry (SPEC 2.4). */
export interface Alternate {
  /** Language, optionally script and region, or `x-default`. Underscores and any case are mended. */
  readonly hreflang: string
  readonly href: string | URL
}

/** A file that belongs to a feed item (SPEC F26). */
export interface Enclosure {
  readonly url: string | URL
  /** Bytes; 0 when not known. */
  readonly length?: Maybe<number>
  /** Media type, e.g. `audio/mpeg`. */
  readonly type: string
}

/** An element of a namespace of yours inside `<url>`. */
export interface ExtensionElement {
  /** Prefixed name, e.g. `shop:price`. */
  readonly name: string
  readonly attributes?: Maybe<Readonly<Record<string, Maybe<string | number | boolean>>>>
  readonly text?: Maybe<string | number | boolean>
  readonly children?: Maybe<readonly ExtensionElement[]>
}

/** Names other sitemap packages use; typed `never` so that the compiler names the slip, and warned of once at run time. */
interface ForeignNames {
  readonly lastMod?: never
  readonly lastModified?: never
  readonly lastmodISO?: never
  readonly changeFreq?: never
  readonly changeFrequency?: never
  readonly links?: never
  readonly alternateRefs?: never
  readonly image?: never
  readonly img?: never
  readonly video?: never
}

interface EntryFields extends ForeignNames {
  /** When the page changed. Dates outside 1970 to 2099, and a bare year or month, are left out and reported. */
  readonly lastmod?: Maybe<DateInput>
  readonly changefreq?: Maybe<ChangeFreq>
  /** 0.0 to 1.0; values outside are clamped, rounded to one decimal where that keeps the value, three at most. */
  readonly priority?: Maybe<number | string>
  /** At most 1,000 (SPEC E10); a text stands for `{ loc }`. */
  readonly images?: Maybe<
    string | URL | ImageEntry | readonly (string | URL | ImageEntry | null | undefined)[]
  >
  readonly videos?: Maybe<VideoEntry | readonly VideoEntry[]>
  readonly news?: Maybe<boolean | NewsEntry>
  /** Every language version, this one included (SPEC E71): a list, or `{ en: href }`. */
  readonly alternates?: Maybe<readonly Alternate[] | Readonly<Record<string, string | URL>>>
  /** Language of this page, e.g. `fr-CA`. */
  readonly lang?: Maybe<string>
  /** One id in several `lang`s makes the entries of a section each other's alternates. */
  readonly group?: Maybe<string | number>
  /** Page directives in the words of meta robots: a string or a list, any case. `noindex` and `none` keep the entry out of every document. */
  readonly robots?: Maybe<string | readonly string[]>
  /** Short for `robots: 'noindex'`. */
  readonly noindex?: Maybe<boolean>
  readonly title?: Maybe<string>
  readonly description?: Maybe<string>
  /** HTML of the page, for feeds; kept for the newest entries only. */
  readonly content?: Maybe<string>
  readonly keywords?: Maybe<string | readonly string[]>
  readonly author?: Maybe<string | readonly string[]>
  readonly categories?: Maybe<string | readonly string[]>
  /** First publication, for feeds. */
  readonly published?: Maybe<DateInput>
  /** Stable id of the feed item; default the final `loc`. */
  readonly guid?: Maybe<string>
  readonly enclosure?: Maybe<Enclosure>
  /** ROR type of the page, e.g. `Product` (SPEC R10). */
  readonly type?: Maybe<string>
  /** ROR order, a whole number from 0 (SPEC R14). */
  readonly sortOrder?: Maybe<number>
  /** ROR owner (SPEC R15). */
  readonly resourceOf?: Maybe<string>
  /** ROR period; without it `changefreq` decides (SPEC R13). */
  readonly updatePeriod?: Maybe<UpdatePeriod>
  /** Typed elements of declared namespaces. */
  readonly extensions?: Maybe<readonly ExtensionElement[]>
}

/** One URL with its facts. `url` is accepted as an alias of `loc`. */
export type EntryObject =
  | (EntryFields & { readonly loc: string | URL; readonly url?: Maybe<string | URL> })
  | (EntryFields & { readonly url: string | URL; readonly loc?: Maybe<string | URL> })

/** What a provider yields: a text, a URL, or an object. */
export type Entry = string | URL | EntryObject

/** What may stand as `defaults` of a provider: used where the entry says nothing. */
export type EntryDefaults = Pick<
  EntryFields,
  | 'changefreq'
  | 'priority'
  | 'lang'
  | 'robots'
  | 'type'
  | 'sortOrder'
  | 'resourceOf'
  | 'updatePeriod'
  | 'author'
  | 'categories'
  | 'keywords'
>

/** Directives that an entry's link carries in HTML (SPEC 7.2). */
export interface LinkDirectives {
  readonly nofollow: boolean
  readonly noarchive: boolean
  readonly noanchortext: boolean
}

/** What HTML, TXT and llms.txt need of an entry; kept for every entry, one small line each. */
export interface Card {
  readonly loc: string
  readonly title?: string
  readonly description?: string
  readonly lang?: string
  readonly lastmod?: string
  readonly robots?: LinkDirectives
}

/** A video as feeds tell of it (SPEC 4.2): all values final, texts within the limits of SPEC 2.2. */
export interface FeedVideo {
  readonly thumbnailLoc: string
  readonly title: string
  readonly description: string
  /** One of `contentLoc` and `playerLoc` is there. */
  readonly contentLoc?: string
  readonly playerLoc?: string
  /** Whole seconds, 1 to 28,800. */
  readonly duration?: number
  /** W3C date from which on it is not to be shown. */
  readonly expirationDate?: string
  readonly restriction?: { readonly relationship: 'allow' | 'deny'; readonly countries: string }
}

/** An image as feeds tell of it. */
export interface FeedImage {
  readonly loc: string
  readonly title?: string
  readonly caption?: string
}

/** A feed item, kept whole for the newest entries only. All values are final: absolute URLs, clean text, W3C dates. */
export interface FeedItem {
  readonly loc: string
  readonly title: string
  readonly description?: string
  readonly content?: string
  readonly keywords?: readonly string[]
  readonly author?: readonly string[]
  readonly categories?: readonly string[]
  /** W3C date or date-time of first publication. */
  readonly published?: string
  /** `published ?? lastmod` in ms since 1970; what feeds are ordered by. */
  readonly dateMs?: number
  readonly lastmod?: string
  readonly guid?: string
  readonly enclosure?: { readonly url: string; readonly length: number; readonly type: string }
  readonly type?: string
  readonly sortOrder?: number
  readonly resourceOf?: string
  readonly updatePeriod?: UpdatePeriod
  readonly lang?: string
  /** The first few of the entry's. */
  readonly images?: readonly FeedImage[]
  readonly videos?: readonly FeedVideo[]
  /** Language versions, itself included where the entry lists it. */
  readonly alternates?: readonly { readonly hreflang: string; readonly href: string }[]
}
