import { readPartPath, STYLESHEET_PATH } from '../table/paths.ts'
import type { Check } from './check.ts'
import { ROUTES } from './keys.ts'
import { isPath, PATH_WORDS } from './paths.ts'
import type { ResolvedOptions } from './resolved.ts'
import { isFilled } from './values.ts'

const ROUTE_DEFAULTS = {
  sitemap: '/sitemap.xml',
  index: '/sitemap_index.xml',
  rss: '/feed.rss',
  html: '/sitemap.html',
  txt: '/sitemap.txt',
  report: false,
} as const

/** Paths of the documents, each its own; `stylesheet` undefined means that ours is served too. */
export function resolveRoutes(
  check: Check,
  value: unknown,
  sections: readonly string[],
  stylesheet: string | false | undefined,
): ResolvedOptions['routes'] {
  const given = check.record('routes', value, ROUTES)
  const names = Object.keys(ROUTE_DEFAULTS) as (keyof typeof ROUTE_DEFAULTS)[]
  const route = (name: keyof typeof ROUTE_DEFAULTS) => resolveRoute(check, name, given[name])
  const routes = {
    sitemap: route('sitemap'),
    index: route('index'),
    rss: route('rss'),
    html: route('html'),
    txt: route('txt'),
    report: route('report'),
  }
  if (names.every((name) => (given[name] ?? ROUTE_DEFAULTS[name]) === false)) {
    check.invalid('routes', value, 'one document at least', 'Leave one out of it for its default path.')
  }

  // What the user gave comes last, so that it is named as the fault and not the default that it meets.
  const taken = new Map<string, string>()
  if (routes.html !== false && stylesheet === undefined) taken.set(STYLESHEET_PATH, 'our stylesheet')
  for (const name of [...names].sort((a, b) => Number(isFilled(given[a])) - Number(isFilled(given[b])))) {
    const path = routes[name]
    if (path === false) continue
    const section = readPartPath(path)?.section
    const owner =
      section !== undefined && sections.includes(section)
        ? `a part of the section ${section}`
        : taken.get(path)
    if (owner !== undefined) {
      check.invalid(
        `routes.${name}`,
        path,
        `a path of its own, and this is that of ${owner}`,
        'Write another path, or false.',
      )
    }
    taken.set(path, `routes.${name}`)
  }
  return Object.freeze(routes)
}

function resolveRoute(check: Check, name: keyof typeof ROUTE_DEFAULTS, value: unknown): string | false {
  const fallback = ROUTE_DEFAULTS[name]
  if (value === undefined) return fallback
  if (value === false || isPath(value)) return value
  const bare = typeof value === 'string' ? value.replace(/^\/*|\/+$/g, '') : ''
  const example = isPath(`/${bare}`) ? `/${bare}` : fallback || '/sitemap-report.json'
  check.invalid(`routes.${name}`, value, `${PATH_WORDS}; or false`, `Write '${example}', or false.`)
  return false
}
