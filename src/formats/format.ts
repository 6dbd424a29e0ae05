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
