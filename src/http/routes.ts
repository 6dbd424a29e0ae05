import type { ResolvedOptions } from '../options.ts'
import { localePath, localeStartPath, parted, STYLESHEET_PATH, sectionFeedPath } from '../table/paths.ts'

/** Paths of one shape: `before`, a name, `after`. */
export interface PathPattern {
  readonly before: string
  readonly after: string
  /** What the name may be, as a regular expression. */
  readonly name: string
}

/** Letters, digits and `_ . -`: any part. */
const ANY_NAME = '[\\w.-]+'
/** A further file of a document. */
const NUMBER = '[1-9]\\d*'

/** Every path of ours, for hosts to route to the engine; which of them are documents is the table's to say. */
export interface DocumentPaths {
  readonly fixed: readonly string[]
  readonly patterns: readonly PathPattern[]
}

/** The paths that options of a site give, without its prefix. */
export function documentPaths(options: ResolvedOptions): DocumentPaths {
  const { routes, html, i18n, providers } = options
  const { locales } = i18n
  const servesXml = routes.sitemap !== false || routes.index !== false
  const fixed: (string | false)[] = [
    routes.sitemap,
    routes.index,
    routes.txt,
    routes.html,
    routes.news,
    routes.robots,
    routes.llms,
    routes.css,
    routes.html !== false && routes.profile,
    routes.html !== false && html.stylesheet === undefined && STYLESHEET_PATH,
  ]
  for (const feed of [routes.rss, routes.atom, routes.json])
    if (feed !== false) fixed.push(feed, ...providers.map(({ section }) => sectionFeedPath(feed, section)))
  if (servesXml) fixed.push(...locales.map((locale) => localePath(locale, 'xml')))
  if (routes.html !== false) fixed.push(...locales.map((locale) => localeStartPath(locale, options)))
  // Parts: any name of the grammar, so that a part that is gone is our 404 and not the app's catch-all.
  const extensions = [servesXml && '.xml', routes.txt !== false && '.txt', routes.html !== false && '.html']
  const patterns: PathPattern[] = extensions.flatMap((after) =>
    after === false
      ? []
      : ['/sitemap-', ...(locales.length > 0 ? ['/sitemap_'] : [])].map((before) => ({
          before,
          after,
          name: ANY_NAME,
        })),
  )
  const addFurther = (path: string | false, mark: string, name: string): void => {
    if (path === false) return
    const { stem, extension } = parted(path)
    const isThere = patterns.some(
      ({ before, after }) => (stem + mark).startsWith(before) && after === extension,
    )
    if (!isThere) patterns.push({ before: stem + mark, after: extension, name })
  }
  addFurther(routes.news, '_', ANY_NAME)
  // SPEC I10: past 50,000 parts, or `maxBytes`, an index goes on in further ones.
  addFurther(routes.index === false ? routes.sitemap : routes.index, '-', NUMBER)
  return { fixed: [...new Set(fixed.filter((path) => path !== false))], patterns }
}
