/** A link of an HTML page: an address that may be linked, and its words. */
export interface TemplateLink {
  readonly href: string
  readonly text: string
}

/**
 * An entry as a template gets it. All texts are clean and plain: escape them for the place you write them in. They are
 * cut at a word, with … at the end, as on our own page: titles at 200 characters, descriptions at 500.
 */
export interface TemplateEntry {
  readonly href: string
  /** Never empty: the title, else the path as people read it, below another entry only what that one's path lacks. */
  readonly text: string
  readonly description: string | undefined
  /** Language of the entry where it is not that of the page, and its direction; `mul`, `und` and `zxx` are none. */
  readonly lang: string | undefined
  readonly dir: 'ltr' | 'rtl' | undefined
  readonly lastmod: string | undefined
  /** `nofollow` where the entry says so. */
  readonly rel: string | undefined
  /** The robots-* classes, with spaces between. */
  readonly class: string | undefined
  /** Entries below this one by path. */
  readonly children: readonly TemplateEntry[]
}

export interface TemplateSection {
  readonly key: string
  readonly title: string
  /** Entries of the whole section. */
  readonly total: number
  /** The section's own first page, where it is not shown here. */
  readonly href: string | undefined
  /** Empty where the page only links to the section. */
  readonly entries: readonly TemplateEntry[]
}

/** What `html.template` is given: everything that our own page shows, as clean data. */
export interface HtmlTemplatePage {
  readonly language: string
  readonly dir: 'ltr' | 'rtl'
  /** Title of the document. */
  readonly title: string
  readonly site: { readonly url: string; readonly title: string; readonly description: string }
  readonly sections: readonly TemplateSection[]
  readonly paging:
    | {
        readonly page: number
        readonly pages: number
        readonly start: TemplateLink | undefined
        readonly previous: TemplateLink | undefined
        readonly next: TemplateLink | undefined
        /** Every page, or of very many the ends, the neighbours and stops between. */
        readonly stops: readonly (TemplateLink & { readonly page: number })[]
      }
    | undefined
  /** This page in other languages, itself included. */
  readonly languages: readonly (TemplateLink & {
    readonly language: string
    readonly current: boolean
    /** False where that language has no such page and the link leads to its start page: no `hreflang` of this one. */
    readonly counterpart: boolean
  })[]
  readonly documents: readonly (TemplateLink & { readonly type: string })[]
  readonly stylesheet: string | undefined
  readonly profileUri: string | undefined
  /** HTML of the option `html.head`. */
  readonly head: string | undefined
}
