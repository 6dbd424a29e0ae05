import type { Card, FeedItem } from '../entry/entry.ts'

/** What every document may say of its site. */
export interface SiteFacts {
  /** The site's root as an absolute URL. */
  readonly url: string
  readonly title: string
  /** May be empty. */
  readonly description: string
  /** Language tag such as `en` or `fr-CA`. */
  readonly language: string
}

/** One `<sitemap>` of an index (SPEC 1.5). */
export interface IndexEntry {
  readonly loc: string
  readonly lastmod?: string | undefined
}

/** All that a feed is made of; the same for every feed format. */
export interface FeedDocument {
  readonly site: SiteFacts
  /** The feed's own public URL. */
  readonly selfUrl: string
  /** Public URL of the HTML sitemap, for the ROR SiteMap item; absent where that route is off. */
  readonly sitemapUrl?: string | undefined
  /** Newest first, already chosen and cut. */
  readonly items: readonly FeedItem[]
}

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

/** One page of the HTML sitemap. */
export interface HtmlPage {
  readonly site: SiteFacts
  readonly sections: readonly HtmlSection[]
  /** Set on a page of one section: where it stands among them and how the others are reached. */
  readonly paging?: {
    readonly page: number
    readonly pages: number
    readonly href: (page: number) => string
    /** Public path of `/sitemap.html`. */
    readonly startHref: string | undefined
  }
  /** Stylesheet's public path or URL. */
  readonly stylesheet?: string | undefined
  /** Public URL of the feed and of the XML sitemap, for `<link rel="alternate">`. */
  readonly rssUrl?: string | undefined
  readonly xmlUrl?: string | undefined
  /** URL of the document that defines the robots-* classes (SPEC H31); written only where given. */
  readonly profileUri?: string | undefined
}
