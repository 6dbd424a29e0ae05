import type { ResolvedOptions, ResolvedProvider } from '../options.ts'

/** The documents that a section takes part in, as formats and routes together decide. */
export interface TakesPart {
  /** In the urlset, the index and the parts. */
  readonly xml: boolean
  /** It is in XML by its news articles alone: other entries, and articles that have aged, are left out. */
  readonly newsOnly: boolean
  /** Its articles stand in the news file, and nowhere else. */
  readonly newsFile: boolean
  /** Its `<url>` lines hold news articles. */
  readonly newsInXml: boolean
  readonly txt: boolean
  readonly html: boolean
  /** Titles and descriptions are kept: for HTML, and for llms.txt. */
  readonly cards: boolean
  readonly feed: boolean
}

export function takesPart(
  { routes, feed }: Pick<ResolvedOptions, 'routes' | 'feed'>,
  { formats, section }: Pick<ResolvedProvider, 'formats' | 'section'>,
): TakesPart {
  const servesXml = routes.sitemap !== false || routes.index !== false
  const newsFile = formats.has('news') && routes.news !== false
  const newsInXml = formats.has('news') && !newsFile && servesXml
  return {
    xml: (formats.has('xml') && servesXml) || newsInXml,
    newsOnly: newsInXml && !formats.has('xml'),
    newsFile,
    newsInXml,
    txt: formats.has('txt') && routes.txt !== false,
    html: formats.has('html') && routes.html !== false,
    cards: formats.has('html') && (routes.html !== false || routes.llms !== false),
    feed:
      formats.has('feed') &&
      (routes.rss !== false || routes.atom !== false || routes.json !== false) &&
      (feed.sections?.has(section) ?? true),
  }
}
