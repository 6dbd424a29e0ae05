import {
  isNewsPath,
  localePath,
  newsPath,
  readPartPath,
  STYLESHEET_PATH,
  sectionFeedPath,
} from '../table/paths.ts'
import { takesPart } from '../table/takes-part.ts'
import type { Check } from './check.ts'
import type { ResolvedOptions } from './resolved.ts'
import { type Fields, isFilled } from './values.ts'

type Routes = ResolvedOptions['routes']
type RouteName = keyof Routes

/** Routes whose sections have a feed of their own. */
const FEEDS: readonly RouteName[] = ['rss', 'atom', 'json']

/**
 * Refuses a document whose path is another's, the ones derived from routes, sections and locales included. A route is
 * named once, with the first path that it shares.
 */
export function refuseSharedPaths(
  check: Check,
  routes: Routes,
  given: Fields,
  { providers, feed, html, i18n: { locales } }: Pick<ResolvedOptions, 'providers' | 'feed' | 'html' | 'i18n'>,
): void {
  const servesXml = routes.sitemap !== false || routes.index !== false
  const served = { xml: servesXml, html: routes.html !== false }
  const taken = new Map<string, string>()
  /** The news at its path, once it was looked at. */
  let news: string | undefined

  function ownerOf(path: string): string | undefined {
    const part = readPartPath(path, locales)
    const provider = part && providers.find(({ section }) => section === part.section)
    if (part && provider && takesPart({ routes, feed }, provider)[part.format])
      return `a part of the section ${part.section}`
    if (news !== undefined && isNewsPath(path, news)) return 'routes.news'
    return taken.get(path)
  }

  /** Paths of a route, its own first. The second file of the news stands for all further ones: only their number differs. */
  function pathsOf(name: RouteName, path: string): readonly string[] {
    if (name === 'news')
      return [path, newsPath(path, 2), ...[...taken.keys()].filter((other) => isNewsPath(other, path))]
    if (!FEEDS.includes(name)) return [path]
    // Of every section: hosts route them all, whether they are in feeds or not.
    return [path, ...providers.map(({ section }) => sectionFeedPath(path, section))]
  }

  if (served.html && html.stylesheet === undefined) taken.set(STYLESHEET_PATH, 'our stylesheet')
  for (const locale of locales) {
    for (const extension of ['xml', 'html'] as const) {
      if (!served[extension]) continue
      const path = localePath(locale, extension)
      const owner = ownerOf(path)
      if (owner !== undefined) {
        const expected = `locales with paths of their own, and ${path} is that of ${owner}`
        check.invalid(
          'i18n.locales',
          locales,
          expected,
          'Give the section another key.',
          `a list with '${locale}'`,
        )
      }
      taken.set(path, `the locale ${locale}`)
    }
  }

  // What the user gave comes last, so that it is named as the fault and not the default that it meets.
  const names = Object.keys(routes) as RouteName[]
  for (const name of names.sort((a, b) => Number(isFilled(given[a])) - Number(isFilled(given[b])))) {
    const path = routes[name]
    // Without a page there are no classes to define.
    if (path === false || (name === 'profile' && !served.html)) continue
    const paths = pathsOf(name, path)
    const shared = paths.find((one) => ownerOf(one) !== undefined)
    if (shared !== undefined) {
      const what = shared === path ? 'this' : `${shared}, which goes with it,`
      check.invalid(
        `routes.${name}`,
        path,
        `a path of its own, and ${what} is that of ${ownerOf(shared)}`,
        `Write another path${name === 'news' ? " such as '/news.xml'" : ''}, or false.`,
      )
    }
    for (const one of paths)
      taken.set(one, one === path ? `routes.${name}` : `a section's feed (routes.${name})`)
    if (name === 'news') news = path
  }
}
