import { CACHE, FEED, HTML, type Names, PROVIDER, ROUTES, SITE, TOP } from './keys.ts'
import { folded, nearest } from './nearest.ts'
import { join, quote } from './words.ts'

/** The way out of an unknown key: where it belongs, its nearest neighbour, or all names there are. */
export function suggest(path: string, key: string, known: Names): string {
  // A stray field of a provider is never meant for the site.
  const inProvider = path.startsWith('providers.')
  const places = PLACES.filter(([at, names]) => names[key] === true && !(inProvider && at === 'site.'))
  const isSiteUrl = !inProvider && NAMES_OF_SITE_URL.includes(folded(key))
  const moved = isSiteUrl ? 'site.url' : places.map(([at]) => `${at}${key}`)[0]
  if (moved !== undefined) return `Did you mean ${quote(moved)}?`
  const near = nearest(key, usable(known))
  return near === undefined
    ? `Known here are ${usable(known).join(', ')}.`
    : `Did you mean ${quote(join(path, near))}?`
}

/** Names that may be used today. */
export function usable(known: Names): string[] {
  return Object.keys(known).filter((key) => known[key] === true)
}

/** Every option's place, so that a right name in a wrong place is answered with the right one. */
const PLACES: readonly (readonly [prefix: string, known: Names])[] = [
  ['', TOP],
  ['site.', SITE],
  ['routes.', ROUTES],
  ['cache.', CACHE],
  ['feed.', FEED],
  ['html.', HTML],
  ['providers.<section>.', PROVIDER],
]

/** What other sitemap packages call the site's URL. */
const NAMES_OF_SITE_URL = ['hostname', 'host', 'baseurl', 'siteurl', 'domain', 'origin']
