import type { Card } from '../entry/entry.ts'
import type { SiteFacts } from './format.ts'
import type { HtmlStrings } from './html-strings.ts'

/** A section on an HTML page: its entries, or a link to pages of its own. */
export interface HtmlSection {
  readonly key: string
  readonly title: string
  /** Entries of the whole section. */
  readonly total: number
  /** Empty where the page only links to the section. */
  readonly cards: readonly Card[]
  /** Public path of the section's first page, where it has pages of its own. */
  readonly href?: string | undefined
}

/** A document beside the HTML page. */
export interface BesideDocument {
  readonly kind: 'rss' | 'atom' | 'json' | 'xml'
  readonly url: string
}

/** The same page for another locale (option `i18n.locales`). */
export interface PageLanguage {
  readonly language: string
  /** Public path. */
  readonly href: string
  /** False where that locale has no such page and `href` is its start page. */
  readonly isCounterpart: boolean
}

/** One page of the HTML sitemap. */
export interface HtmlPage {
  readonly site: SiteFacts
  /** Language of the page's own words: the site's, or the locale's. */
  readonly language: string
  readonly sections: readonly HtmlSection[]
  /** Set on a page of one section: where it stands among them and how the others are reached. */
  readonly paging?:
    | {
        readonly page: number
        readonly pages: number
        readonly href: (page: number) => string
        /** Public path of the start page. */
        readonly startHref: string | undefined
      }
    | undefined
  /** This page in each locale, itself included, in the order of `i18n.locales`; empty without locales. */
  readonly languages: readonly PageLanguage[]
  /** Stylesheet's public path or URL. */
  readonly stylesheet: string | undefined
  /** Feeds and XML sitemap, for `<link rel="alternate">` and the foot of the page. */
  readonly documents: readonly BesideDocument[]
  /** URL of the document that defines the robots-* classes (SPEC H31); written only where given. */
  readonly profileUri: string | undefined
  /** HTML of the user's for the end of `<head>`, as it is (option `html.head`). */
  readonly head: string | undefined
  /** Words of the user's by language tag, over ours (option `html.strings`). */
  readonly strings: Readonly<Record<string, Partial<HtmlStrings>>>
}
