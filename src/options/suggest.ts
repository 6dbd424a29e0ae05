import { CACHE, FEED, HTML, type Names, PROVIDER, ROUTES, SITE, TOP } from './keys.ts'
import { folded, nearest } from './nearest.ts'
import { join, quote } from './words.ts'

/** The way out of an unknown key: where it belongs, its nearest neighbour, or all names there are. */
export function suggest(path: string, key: string, known: Names): string {
  // A stray field of a provider is never meant for the site.
  const inProvider = path.startsWith('providers.')
  const places = PLACES.filter(([at, names]) => names[key] === true && !(inProvider && at === 'site.'))
  const moved =
    (inProvider ? undefined : OTHER_NAMES.get(folded(join(path, key)))) ??
    places.map(([at]) => `${at}${key}`)[0]
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

/** What other packages, or a guess, call an option; folded. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    hostname: 'site.url',
    host: 'site.url',
    baseurl: 'site.url',
    siteurl: 'site.url',
    domain: 'site.url',
    origin: 'site.url',
    'site.hostname': 'site.url',
    'site.host': 'site.url',
    'site.baseurl': 'site.url',
    'site.siteurl': 'site.url',
    'site.domain': 'site.url',
    'site.origin': 'site.url',
    'site.name': 'site.title',
    'routes.feed': 'routes.rss',
    'routes.xml': 'routes.sitemap',
    logger: 'log',
    compress: 'encodings',
    gzip: 'encodings',
    cachettl: 'cache.ttl',
    cachetime: 'cache.ttl',
    ttl: 'cache.ttl',
    maxage: 'cacheControl',
    sitemapsize: 'limit',
  }),
)
