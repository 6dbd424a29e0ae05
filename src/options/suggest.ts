import {
  CACHE,
  DEFAULTS,
  FEED,
  HTML,
  I18N,
  LLMS,
  type Names,
  NEWS,
  PROVIDER,
  ROBOTS,
  ROBOTS_GROUP,
  ROUTES,
  SITE,
  TOP,
} from './keys.ts'
import { folded, nearest } from './nearest.ts'
import { join, quote } from './words.ts'

/** The way out of an unknown key: where it belongs, its nearest neighbour, or all names there are. */
export function suggest(path: string, key: string, known: Names): string {
  const other = path.startsWith('providers.') ? undefined : OTHER_NAMES.get(folded(join(path, key)))
  if (other !== undefined) {
    const [name, note] = typeof other === 'string' ? [other, ''] : other
    return `Did you mean ${quote(name)}?${note}`
  }
  const moved = movedTo(path, key)
  if (moved !== undefined) return `Did you mean ${quote(moved)}?`
  const near = nearest(key, usable(known))
  return near === undefined
    ? `Known here are ${usable(known).join(', ')}.`
    : `Did you mean ${quote(join(path, near))}?`
}

/** The place of an option of this name, where it stands in another's. */
function movedTo(path: string, key: string): string | undefined {
  // The words of a page are no options, whatever they are called.
  if (path.startsWith('html.strings.')) return undefined
  const inProvider = path.startsWith('providers.')
  if (inProvider && !path.endsWith('.defaults') && DEFAULTS[key as keyof typeof DEFAULTS] === true)
    return join(path, `defaults.${key}`)
  // A stray field of a provider is never meant for the site or its news.
  const places = PLACES.filter(
    ([at, names]) => names[key] === true && !(inProvider && ['site.', 'news.'].includes(at)),
  )
  return places.map(([at]) => `${at}${key}`)[0]
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
  ['news.', NEWS],
  ['i18n.', I18N],
  ['robots.', ROBOTS],
  ['robots.groups[0].', ROBOTS_GROUP],
  ['llms.', LLMS],
  ['providers.<section>.', PROVIDER],
]

const XSLT = ' A CSS file: XSLT is leaving browsers, and people have "routes.html".'

/** What other packages, or a guess, call an option; folded. With a note where that is not the same thing. */
const OTHER_NAMES: ReadonlyMap<string, string | readonly [name: string, note: string]> = new Map(
  Object.entries<string | readonly [string, string]>({
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
    feedurl: 'routes.rss',
    atomfeed: 'routes.atom',
    jsonfeed: 'routes.json',
    'routes.jsonfeed': 'routes.json',
    newssitemap: 'routes.news',
    robotstxt: 'routes.robots',
    generaterobotstxt: 'routes.robots',
    'routes.robotstxt': 'routes.robots',
    robotstxtoptions: 'robots',
    policies: 'robots.groups',
    rules: 'robots.groups',
    'robots.policies': 'robots.groups',
    'robots.rules': 'robots.groups',
    'robots.sitemap': 'robots.sitemaps',
    'robots.additionalsitemaps': 'robots.sitemaps',
    additionalsitemaps: 'robots.sitemaps',
    llmstxt: 'routes.llms',
    'routes.llmstxt': 'routes.llms',
    'llms.description': 'site.description',
    'llms.title': 'site.title',
    xsl: ['routes.css', XSLT],
    xslurl: ['routes.css', XSLT],
    xslt: ['routes.css', XSLT],
    xslturl: ['routes.css', XSLT],
    'routes.xsl': ['routes.css', XSLT],
    'routes.xslt': ['routes.css', XSLT],
    stylesheet: ['routes.css', `${XSLT} The page has "html.stylesheet".`],
    'routes.stylesheet': ['routes.css', `${XSLT} The page has "html.stylesheet".`],
    'html.css': 'html.stylesheet',
    'html.profile': 'html.profileUri',
    xmlns: 'namespaces',
    customnamespaces: 'namespaces',
    namespace: 'namespaces',
    hub: 'feed.hubs',
    websub: 'feed.hubs',
    pubsubhubbub: 'feed.hubs',
    imageurl: 'feed.image',
    'feed.imageurl': 'feed.image',
    'feed.logo': 'feed.image',
    'feed.title': 'site.title',
    'feed.description': 'site.description',
    'feed.language': 'site.language',
    languages: 'i18n.locales',
    'i18n.languages': 'i18n.locales',
    defaultlanguage: 'i18n.defaultLocale',
    'i18n.defaultlanguage': 'i18n.defaultLocale',
    'i18n.default': 'i18n.defaultLocale',
    xdefault: 'i18n.xDefault',
    'site.lang': 'site.language',
    'site.locale': 'site.language',
    'news.lang': 'news.language',
    'news.title': 'news.name',
    'news.publication': 'news.name',
    'news.publicationname': 'news.name',
  }),
)
