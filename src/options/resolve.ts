import { DEFAULT_CACHE_CONTROL } from '../http/cache-control.ts'
import type { SitemapOptions } from '../options.ts'
import type { Logger, Site } from '../providers/provider.ts'
import { type Check, createCheck, WAITING } from './check.ts'
import { resolveEncodings } from './encodings.ts'
import { excludedText, resolveExclude } from './exclude.ts'
import { resolveFeed } from './feed.ts'
import { resolveHtml } from './html.ts'
import { resolveI18n } from './i18n.ts'
import { CACHE, TOP } from './keys.ts'
import { resolveLlms } from './llms.ts'
import { resolveNamespaces } from './namespaces.ts'
import { resolveNews } from './news.ts'
import { resolveProviders } from './providers.ts'
import type { ResolvedOptions } from './resolved.ts'
import { resolveRobots } from './robots.ts'
import { resolveRoutes } from './routes.ts'
import { resolveSite } from './site.ts'
import { resolveSites } from './sites.ts'
import { resolveStore } from './store.ts'
import { type Fields, isRecord } from './values.ts'

/**
 * Checks `options` at once and completes them. Synchronous, so that a wrong deployment fails at start and never at the
 * first crawl; nothing of the caller's is changed.
 *
 * @throws SitemapError with every fault on a line of its own: LSM_ERR_OPTION_UNKNOWN or LSM_ERR_OPTION_LATER where all
 * faults are of that kind, else LSM_ERR_OPTION_INVALID.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  const check = createCheck()
  if (!isRecord(options)) {
    check.invalid('', options, 'an object with site and providers', EXAMPLE)
    throw check.error()
  }
  const top = check.record('', options, TOP)
  const cache = check.record('cache', top.cache, CACHE)

  const prefix = check.basePath('prefix', top.prefix)
  // `prefix: ''` is a value: documents at the root, although site.url may have a path.
  const publicPath = check.basePath('publicPath', top.publicPath) ?? prefix
  const sites = resolveSites(check, top, publicPath, optionsOf)
  const timeoutMs = check.duration('timeout', top.timeout, '30s', { above0: true, mostS: WAITING })
  const ttlMs = check.duration('cache.ttl', cache.ttl, '10m')
  const retries = check.whole('retries', top.retries, 2, 0)
  const maxShrink = check.share('maxShrink', top.maxShrink, 0.5)
  const providers = resolveProviders(check, top.providers, { timeoutMs, ttlMs, retries, maxShrink })
  const html = resolveHtml(check, top.html)
  const i18n = resolveI18n(check, top.i18n)

  /** What hangs on the site. */
  function ofSite(against: Check, given: unknown) {
    const site = resolveSite(against, 'site', given, publicPath)
    const feed = resolveFeed(against, top.feed, providers, site.url)
    return {
      site,
      feed,
      routes: resolveRoutes(against, top.routes, { site, providers, feed, html, i18n }),
      news: resolveNews(against, top.news, site),
    }
  }

  /** One of several sites shares all that does not hang on it. */
  function optionsOf(given: Site): ResolvedOptions {
    const own = createCheck()
    const parts = ofSite(own, given)
    const error = own.error()
    if (error !== undefined) throw error
    return Object.freeze({ ...resolved, ...parts, sites: undefined })
  }

  const first = ofSite(check, sites === undefined ? top.site : STAND_IN)
  const resolved: ResolvedOptions = {
    ...first,
    sites,
    providers,
    limit: check.whole('limit', top.limit, 50_000, 1, 50_000),
    maxBytes: check.size('maxBytes', top.maxBytes, 52_428_800, 1_024, 52_428_800),
    trailingSlash: check.oneOf('trailingSlash', top.trailingSlash, ['preserve', 'always', 'never']),
    scope: check.oneOf('scope', top.scope, ['host', 'path', 'off']),
    onInvalid: check.oneOf('onInvalid', top.onInvalid, ['skip', 'fail']),
    onEmpty: check.oneOf('onEmpty', top.onEmpty, ['urlset', 404]),
    exclude: resolveExclude(check, top.exclude),
    excluded: excludedText(top.exclude),
    transform: check.fn<NonNullable<SitemapOptions['transform']>>(
      'transform',
      top.transform,
      'Write transform: (entry) => entry, or leave it out.',
    ),
    cache: Object.freeze({
      ttlMs,
      staleWhileRevalidateMs: check.duration('cache.staleWhileRevalidate', cache.staleWhileRevalidate, '10m'),
      waitMs: check.duration('cache.wait', cache.wait, '1s', { mostS: WAITING }),
      memory: check.size('cache.memory', cache.memory, '64mb', 1),
      dir: check.text('cache.dir', cache.dir, undefined, "Write '/var/cache/example', or leave it out."),
      store: resolveStore(check, cache.store),
      namespace:
        check.text('cache.namespace', cache.namespace, undefined, "Write 'shop', or leave it out.") ??
        (sites === undefined ? first.site.base : `sites${publicPath ?? ''}`),
      version: check.text('cache.version', cache.version, undefined, "Write '2', or leave it out."),
    }),
    cacheControl: check.header('cacheControl', top.cacheControl, DEFAULT_CACHE_CONTROL),
    xRobotsTag:
      top.xRobotsTag === false ? false : check.header('xRobotsTag', top.xRobotsTag, 'noindex', true),
    encodings: resolveEncodings(check, top.encodings),
    weakEtags: top.encodings === false,
    deadlineMs: check.duration('deadline', top.deadline, '10s', { mostS: WAITING }),
    timeoutMs,
    walkTimeoutMs: check.duration('walkTimeout', top.walkTimeout, '30m', { above0: true }),
    concurrency: check.whole('concurrency', top.concurrency, 2, 1),
    warmUp: resolveWarmUp(check, top.warmUp),
    html,
    i18n,
    robots: resolveRobots(check, top.robots),
    llms: resolveLlms(check, top.llms, providers),
    namespaces: resolveNamespaces(check, top.namespaces),
    log: resolveLog(check, top.log),
    name: resolveName(check, top.name),
    prefix: prefix ?? '',
  }
  const error = check.error()
  if (error !== undefined) throw error
  return Object.freeze(resolved)
}

/** Stands where one site would, so that the rest of the options can be checked once for all sites. */
const STAND_IN = { url: 'https://sites.invalid' }

const EXAMPLE = "Write { site: { url: 'https://www.example.com' }, providers: { pages: ['/'] } }."

function resolveWarmUp(check: Check, value: unknown): boolean | 'all' {
  return value === 'all' ? 'all' : check.bool('warmUp', value, true)
}

function resolveLog(check: Check, value: unknown): Logger | undefined {
  if (value === undefined) return undefined
  const log = (typeof value === 'object' || typeof value === 'function') && value !== null ? value : {}
  const methods = ['info', 'warn', 'error']
  const missing = methods.filter((name) => typeof (log as Fields)[name] !== 'function')
  if (missing.length === 0) return value as Logger
  check.invalid(
    'log',
    value,
    'an object with the functions info, warn and error',
    "Write log: console, or leave it out for the host's logger.",
    isRecord(value) ? `an object without ${missing.join(', ')}` : undefined,
  )
  return undefined
}

function resolveName(check: Check, value: unknown): string {
  if (value === undefined) return 'sitemap'
  if (typeof value === 'string' && /^[A-Za-z_$][\w$]*$/.test(value)) return value
  check.invalid(
    'name',
    value,
    'an identifier: a letter, then letters and digits',
    "Write 'sitemap2', or leave it out.",
  )
  return 'sitemap'
}
