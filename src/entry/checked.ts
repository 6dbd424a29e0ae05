import type { ChangeFreq, LinkDirectives, UpdatePeriod } from './entry.ts'
import type { W3cDate } from './lastmod.ts'

/** An image as it is written. */
export interface CheckedImage {
  readonly loc: string
  readonly caption: string | undefined
  readonly geoLocation: string | undefined
  readonly title: string | undefined
  readonly license: string | undefined
}

/** A language version as it is written. */
export interface CheckedAlternate {
  readonly hreflang: string
  readonly href: string
}

/** A video as it is written (SPEC 2.2): every text within its limit, URLs final, numbers and yes/no in the words of the schema. */
export interface CheckedVideo {
  readonly thumbnailLoc: string
  readonly title: string
  readonly description: string
  readonly contentLoc: string | undefined
  readonly playerLoc:
    | {
        readonly loc: string
        readonly allowEmbed: 'yes' | 'no' | undefined
        readonly autoplay: string | undefined
      }
    | undefined
  /** Whole seconds, 1 to 28,800. */
  readonly duration: number | undefined
  readonly expirationDate: W3cDate | undefined
  readonly rating: string | undefined
  /** Only with `playerLoc`. */
  readonly contentSegmentLoc: readonly { readonly loc: string; readonly duration: number | undefined }[]
  readonly viewCount: string | undefined
  readonly publicationDate: W3cDate | undefined
  readonly tags: readonly string[]
  readonly category: string | undefined
  readonly familyFriendly: 'yes' | 'no' | undefined
  readonly restriction: Relation | undefined
  readonly galleryLoc: { readonly loc: string; readonly title: string | undefined } | undefined
  readonly prices: readonly {
    readonly value: string | undefined
    readonly currency: string | undefined
    readonly type: 'purchase' | 'rent' | undefined
    readonly resolution: 'SD' | 'HD' | undefined
  }[]
  readonly requiresSubscription: 'yes' | 'no' | undefined
  readonly uploader: { readonly name: string; readonly info: string | undefined } | undefined
  readonly tvshow:
    | {
        readonly showTitle: string
        readonly videoType: 'full' | 'preview' | 'clip' | 'interview' | 'news' | 'other'
        readonly episodeTitle: string | undefined
        readonly seasonNumber: number | undefined
        readonly episodeNumber: number | undefined
        readonly premierDate: W3cDate | undefined
      }
    | undefined
  readonly platform: Relation | undefined
  readonly live: 'yes' | 'no' | undefined
  readonly ids: readonly { readonly type: string; readonly value: string }[]
}

/** Countries or platforms for which, or but for which, a video is shown; `list` with spaces between. */
export interface Relation {
  readonly relationship: 'allow' | 'deny'
  readonly list: string
}

/** A news article as it is written (SPEC 2.3). */
export interface CheckedNews {
  readonly name: string
  /** ISO 639 in two or three letters, `zh-cn` or `zh-tw` (SPEC E53). */
  readonly language: string
  readonly access: 'Subscription' | 'Registration' | undefined
  /** With commas between. */
  readonly genres: string | undefined
  readonly publicationDate: W3cDate
  readonly title: string
  readonly keywords: string | undefined
  readonly stockTickers: string | undefined
}

/** An element of a declared namespace as it is written: names valid, texts clean. */
export interface CheckedElement {
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly text: string | undefined
  readonly children: readonly CheckedElement[]
}

/** An entry with every value final. */
export interface CheckedEntry {
  readonly loc: string
  /** `loc` as XML writes it. */
  readonly locXml: string
  readonly lastmod: W3cDate | undefined
  readonly changefreq: ChangeFreq | undefined
  /** As written: a decimal from 0 to 1 (SPEC U7). */
  readonly priority: string | undefined
  readonly images: readonly CheckedImage[]
  readonly videos: readonly CheckedVideo[]
  readonly news: CheckedNews | undefined
  readonly alternates: readonly CheckedAlternate[]
  readonly extensions: readonly CheckedElement[]
  /** Declared namespaces that `extensions` uses, as bits (formats/urlset.ts). */
  readonly extensionNamespaces: number
  /** Makes entries of a section each other's alternates. */
  readonly group: string | undefined
  readonly lang: string | undefined
  readonly title: string | undefined
  readonly description: string | undefined
  readonly robots: LinkDirectives | undefined
}

/** What only feed items carry. Read when an entry is new enough to be one. */
export interface CheckedFeedFields {
  readonly content: string | undefined
  readonly keywords: readonly string[]
  readonly author: readonly string[]
  readonly categories: readonly string[]
  readonly guid: string | undefined
  readonly enclosure: { readonly url: string; readonly length: number; readonly type: string } | undefined
  readonly type: string | undefined
  readonly sortOrder: number | undefined
  readonly resourceOf: string | undefined
  readonly updatePeriod: UpdatePeriod | undefined
}
