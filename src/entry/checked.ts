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
  readonly alternates: readonly CheckedAlternate[]
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
