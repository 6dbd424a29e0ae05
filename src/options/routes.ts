import type { Check } from './check.ts'
import { refuseSharedPaths } from './collisions.ts'
import { ROUTES } from './keys.ts'
import { isPath, PATH_WORDS } from './paths.ts'
import type { ResolvedOptions, ResolvedSite } from './resolved.ts'

type Routes = ResolvedOptions['routes']
type RouteName = keyof Routes

const ROUTE_DEFAULTS: Routes = {
  sitemap: '/sitemap.xml',
  index: '/sitemap_index.xml',
  rss: '/feed.rss',
  html: '/sitemap.html',
  txt: '/sitemap.txt',
  atom: false,
  json: false,
  news: false,
  robots: false,
  llms: false,
  css: false,
  profile: '/robots-profile',
  report: false,
}

/** What a message proposes for a route that is off by default. */
const EXAMPLES: Readonly<Record<RouteName, string>> = {
  ...(ROUTE_DEFAULTS as Readonly<Record<RouteName, string>>),
  atom: '/feed.atom',
  json: '/feed.json',
  news: '/sitemap-news.xml',
  robots: '/robots.txt',
  llms: '/llms.txt',
  css: '/sitemap.css',
  report: '/sitemap-report.json',
}

/** Routes that only go with documents. */
const BESIDE: readonly RouteName[] = ['css', 'profile']

/** Paths of the documents, each its own. */
export function resolveRoutes(
  check: Check,
  value: unknown,
  about: Pick<ResolvedOptions, 'site' | 'providers' | 'feed' | 'html' | 'i18n'>,
): Routes {
  const given = check.record('routes', value, ROUTES)
  // Who defines the classes elsewhere needs no definition of ours.
  const defaults =
    about.html.profileUri === undefined ? ROUTE_DEFAULTS : { ...ROUTE_DEFAULTS, profile: false as const }
  const names = Object.keys(ROUTE_DEFAULTS) as RouteName[]
  const routes = Object.freeze(
    Object.fromEntries(names.map((name) => [name, resolveRoute(check, name, given[name], defaults[name])])),
  ) as Routes
  const documents = names.filter((name) => !BESIDE.includes(name))
  if (documents.every((name) => (given[name] ?? defaults[name]) === false)) {
    check.invalid('routes', value, 'one document at least', 'Leave one out of it for its default path.')
  }
  checkRobotsPlace(check, routes.robots, about.site)
  refuseSharedPaths(check, routes, given, about)
  return routes
}

function resolveRoute(
  check: Check,
  name: RouteName,
  value: unknown,
  fallback: string | false,
): string | false {
  if (value === undefined) return fallback
  if (value === false || isPath(value)) return value
  const bare = typeof value === 'string' ? value.replace(/^\/*|\/+$/g, '') : ''
  const example = isPath(`/${bare}`) ? `/${bare}` : EXAMPLES[name]
  check.invalid(`routes.${name}`, value, `${PATH_WORDS}; or false`, `Write '${example}', or false.`)
  return false
}

/** RFC 9309 §2.3: crawlers read /robots.txt at the root of a host, and no other. */
function checkRobotsPlace(check: Check, path: string | false, site: ResolvedSite): void {
  // Without a site that is the fault, and it is named already.
  if (path === false || site.url === '') return
  const folder = site.base.slice(site.origin.length)
  if (folder === '' && path === '/robots.txt') return
  check.invalid(
    'routes.robots',
    path,
    folder === ''
      ? "'/robots.txt', the one that crawlers read, or false"
      : `false where documents live below a path, as here below ${folder}: crawlers read /robots.txt at the root of a host only`,
    folder === ''
      ? "Write '/robots.txt', or false."
      : 'Leave it out, and answer /robots.txt by a route of your own with app.sitemap.robotsTxt().',
  )
}
