import { types } from 'node:util'
import zlib from 'node:zlib'
import { durationText, formatDuration, parseDuration, parseSize } from './durations.ts'
import type { Entry, EntryDefaults } from './entry/entry.ts'
import { describe, SitemapError } from './errors.ts'
import type {
  Duration,
  EntriesFunction,
  FormatName,
  Logger,
  ProviderContext,
  ProviderObject,
  Site,
} from './providers/provider.ts'

/** A size: text such as `'64mb'` (`b kb mb gb`, powers of 1,024), or bytes. */
export type Size = string | number

/** Paths of the documents; false switches one off. */
export interface RouteOptions {
  /** @defaultValue "/sitemap.xml" */
  readonly sitemap?: string | false
  /** @defaultValue "/sitemap_index.xml" */
  readonly index?: string | false
  /** @defaultValue "/feed.rss" */
  readonly rss?: string | false
  /** @defaultValue "/sitemap.html" */
  readonly html?: string | false
  /** @defaultValue "/sitemap.txt" */
  readonly txt?: string | false
  /** State of the sections as JSON, made per request. @defaultValue false */
  readonly report?: string | false
  /** Documents of a later release: only false is taken. */
  readonly atom?: false
  readonly json?: false
  readonly news?: false
  readonly robots?: false
  readonly llms?: false
  readonly css?: false
  readonly profile?: false
}

/** Caching of snapshots and rendered documents. */
export interface CacheOptions {
  /** How long a walk counts as fresh. @defaultValue "10m" */
  readonly ttl?: Duration
  /** How long after `ttl` a request is still answered without waiting for the refresh. @defaultValue "10m" */
  readonly staleWhileRevalidate?: Duration
  /** How long a request waits for a running refresh of what is older than that, or invalidated. @defaultValue "1s" */
  readonly wait?: Duration
  /** Bound of all that the process keeps in memory, last good included. @defaultValue "64mb" */
  readonly memory?: Size
  /** Folder for what does not fit in memory. @defaultValue the system's temporary folder */
  readonly dir?: string
  /** A later release shares state between instances. */
  readonly store?: never
  readonly namespace?: never
  readonly version?: never
}

/** The feed. */
export interface FeedOptions {
  /** Entries in the feed, 1 to 1,000. @defaultValue 50 */
  readonly limit?: number
  /** Sections that take part. @defaultValue all */
  readonly sections?: readonly string[]
  /** Type and subtype, without parameters. @defaultValue "application/rss+xml" */
  readonly mediaType?: string
  /** Of a later release; an entry's own `content` is taken today. */
  readonly content?: never
}

/** The HTML sitemap. */
export interface HtmlOptions {
  /** Entries on one page, 1 to 50,000. @defaultValue 1000 */
  readonly pageSize?: number
  /** URL or path of a stylesheet of yours in place of ours; false for none. */
  readonly stylesheet?: string | false
  /** Of a later release. */
  readonly head?: never
  readonly template?: never
  readonly strings?: never
  readonly profileUri?: never
}

/** A provider object as this release serves it: without `partitions`, without the format `news`. */
export interface ServedProviderObject extends Omit<ProviderObject, 'formats'> {
  /** Documents the section takes part in. @defaultValue all four */
  readonly formats?: readonly Exclude<FormatName, 'news'>[]
  /** Of a later release, which reads large tables slice by slice. */
  readonly partitions?: never
}

/** What may stand in `providers`: a list, a function called at each refresh, or an object with settings. */
export type ServedProvider = readonly Entry[] | EntriesFunction | ServedProviderObject

/** All options; checked together at registration, all faults in one error. */
export interface SitemapOptions {
  readonly site: Site
  /** One provider a section, by the section's key: a letter, then letters, digits and underscores. */
  readonly providers: Readonly<Record<string, ServedProvider>>
  readonly routes?: RouteOptions
  /** Entries of one part, 1 to 50,000. @defaultValue 50000 */
  readonly limit?: number
  /** Bytes of one part, uncompressed, 1,024 to 52,428,800. @defaultValue 52428800 */
  readonly maxBytes?: Size
  /** What happens to the slash at the end of paths. @defaultValue "preserve" */
  readonly trailingSlash?: 'preserve' | 'always' | 'never'
  /** Which URLs may be listed: those of the site's scheme, host and port; those below its path; any. @defaultValue "host" */
  readonly scope?: 'host' | 'path' | 'off'
  /** What an invalid entry does: it is left out, or the walk fails. @defaultValue "skip" */
  readonly onInvalid?: 'skip' | 'fail'
  /** How part 1 of a section without entries, and the index of a site without any, answer. @defaultValue "urlset" */
  readonly onEmpty?: 'urlset' | 404
  /**
   * Paths left out. Text is the whole path, `*` standing for any run of characters, and meets the query only where it
   * holds a `?`; a RegExp is held against path and query.
   * @example ['/drafts/*', '/*?preview=*', /\/page\/\d+$/]
   */
  readonly exclude?: string | RegExp | readonly (string | RegExp)[]
  /** Last word on an entry: return it, another, or null to leave it out. */
  readonly transform?: (
    entry: Entry,
    about: { readonly section: string; readonly site: Site },
  ) => Entry | null | undefined
  /** Share of entries that may vanish in one walk before it is held. @defaultValue 0.5 */
  readonly maxShrink?: number
  readonly cache?: CacheOptions
  /** @defaultValue "public, max-age=300, stale-while-revalidate=60, stale-if-error=604800" */
  readonly cacheControl?: string
  /** `X-Robots-Tag` of XML and TXT. @defaultValue "noindex" */
  readonly xRobotsTag?: string | false
  /** Content-codings offered, best first; false for identity and weak ETags. @defaultValue ["br", "gzip"], with "zstd" where Node has it */
  readonly encodings?: readonly ('br' | 'gzip' | 'zstd')[] | false
  /** How long a request waits for a site that has no snapshot yet. @defaultValue "10s" */
  readonly deadline?: Duration
  /** Longest silence of any call of yours. @defaultValue "30s" */
  readonly timeout?: Duration
  /** Longest walk. @defaultValue "30m" */
  readonly walkTimeout?: Duration
  /** Further attempts of a walk that failed before its first entry. @defaultValue 2 */
  readonly retries?: number
  /** Walks at once in this process. @defaultValue 2 */
  readonly concurrency?: number
  /** Read all sections when the server listens, and keep those in use fresh by timers. @defaultValue true */
  readonly warmUp?: boolean
  readonly feed?: FeedOptions
  readonly html?: HtmlOptions
  /** @defaultValue the host's logger, else `console` for warnings and errors */
  readonly log?: Logger
  /** Name of the handle on the app, for a second registration. @defaultValue "sitemap" */
  readonly name?: string
  /** Path before all routes. */
  readonly prefix?: string
  /** Path of our documents as the public sees it. @defaultValue `prefix`, else the path of `site.url` */
  readonly publicPath?: string
  /** Options of later releases; given today they are refused with LSM_ERR_OPTION_LATER. */
  readonly sites?: never
  readonly hostHeader?: never
  readonly webhooks?: never
  readonly news?: never
  readonly i18n?: never
}

/** A site with every field decided. */
export interface ResolvedSite {
  /** What `ctx.site` is: a frozen copy of what the user gave, `data` as given. */
  readonly given: Site
  readonly id: string
  /** Absolute, ASCII host, e.g. `https://www.example.com/shop`; as `new URL(url).href`. */
  readonly url: string
  /** Scheme, host and port: `https://www.example.com`. */
  readonly origin: string
  /** Where our documents live in public, without a slash at the end: `https://www.example.com/shop`. */
  readonly base: string
  readonly title: string
  readonly description: string
  readonly language: string
}

/** A provider with every field decided. */
export interface ResolvedProvider {
  readonly section: string
  readonly title: string
  /** The user's own list; one of `list` and `entries` is set. */
  readonly list: readonly Entry[] | undefined
  /** Bound to the user's object, so that methods may use `this`. */
  readonly entries: EntriesFunction | undefined
  readonly version: ((ctx: ProviderContext) => unknown) | undefined
  readonly ttlMs: number
  readonly defaults: EntryDefaults
  readonly formats: ReadonlySet<FormatName>
  readonly lang: string | undefined
  readonly optional: boolean
  readonly maxShrink: number
  readonly timeoutMs: number
  readonly retries: number
}

/** Options with every field decided and frozen; the rest of the engine receives only this. */
export interface ResolvedOptions {
  readonly site: ResolvedSite
  readonly providers: readonly ResolvedProvider[]
  readonly routes: {
    readonly sitemap: string | false
    readonly index: string | false
    readonly rss: string | false
    readonly html: string | false
    readonly txt: string | false
    readonly report: string | false
  }
  readonly limit: number
  readonly maxBytes: number
  readonly trailingSlash: 'preserve' | 'always' | 'never'
  readonly scope: 'host' | 'path' | 'off'
  readonly onInvalid: 'skip' | 'fail'
  readonly onEmpty: 'urlset' | 404
  /** One test over path and query, or undefined where nothing is excluded. */
  readonly exclude: ((pathAndQuery: string) => boolean) | undefined
  readonly transform: SitemapOptions['transform']
  readonly cache: {
    readonly ttlMs: number
    readonly staleWhileRevalidateMs: number
    readonly waitMs: number
    readonly memory: number
    readonly dir: string | undefined
  }
  readonly cacheControl: string
  readonly xRobotsTag: string | false
  readonly encodings: readonly ('br' | 'gzip' | 'zstd')[]
  /** True where bodies are coded by someone else: identity only, weak ETags. */
  readonly weakEtags: boolean
  readonly deadlineMs: number
  readonly walkTimeoutMs: number
  readonly concurrency: number
  readonly warmUp: boolean
  readonly feed: {
    readonly limit: number
    readonly sections: ReadonlySet<string> | undefined
    readonly mediaType: string
  }
  readonly html: { readonly pageSize: number; readonly stylesheet: string | false | undefined }
  readonly log: Logger | undefined
  readonly name: string
  /** Path before all routes, without a slash at the end: empty or `/shop`. */
  readonly prefix: string
}

/** Types its argument, nothing else. */
export function defineSitemap<T extends SitemapOptions>(options: T): T {
  return options
}

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
  const feed = check.record('feed', top.feed, FEED)
  const html = check.record('html', top.html, HTML)

  const prefix = check.basePath('prefix', top.prefix)
  // `prefix: ''` is a value: documents at the root, although site.url may have a path.
  const publicPath = check.basePath('publicPath', top.publicPath) ?? prefix
  const site = resolveSite(check, top, publicPath)
  const timeoutMs = check.duration('timeout', top.timeout, '30s', { above0: true, mostS: WAITING })
  const ttlMs = check.duration('cache.ttl', cache.ttl, '10m')
  const retries = check.whole('retries', top.retries, 2, 0)
  const maxShrink = check.share('maxShrink', top.maxShrink, 0.5)
  const stylesheet = resolveStylesheet(check, html.stylesheet)
  const providers = resolveProviders(check, top.providers, { timeoutMs, ttlMs, retries, maxShrink })
  const sections = providers.map((provider) => provider.section)

  const resolved: ResolvedOptions = {
    site,
    providers,
    routes: resolveRoutes(check, top.routes, sections, stylesheet),
    limit: check.whole('limit', top.limit, 50_000, 1, 50_000),
    maxBytes: check.size('maxBytes', top.maxBytes, 52_428_800, 1_024, 52_428_800),
    trailingSlash: check.oneOf('trailingSlash', top.trailingSlash, ['preserve', 'always', 'never']),
    scope: check.oneOf('scope', top.scope, ['host', 'path', 'off']),
    onInvalid: check.oneOf('onInvalid', top.onInvalid, ['skip', 'fail']),
    onEmpty: check.oneOf('onEmpty', top.onEmpty, ['urlset', 404]),
    exclude: resolveExclude(check, top.exclude),
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
    }),
    cacheControl: check.header('cacheControl', top.cacheControl, CACHE_CONTROL),
    xRobotsTag:
      top.xRobotsTag === false ? false : check.header('xRobotsTag', top.xRobotsTag, 'noindex', true),
    encodings: resolveEncodings(check, top.encodings),
    weakEtags: top.encodings === false,
    deadlineMs: check.duration('deadline', top.deadline, '10s', { mostS: WAITING }),
    walkTimeoutMs: check.duration('walkTimeout', top.walkTimeout, '30m', { above0: true }),
    concurrency: check.whole('concurrency', top.concurrency, 2, 1),
    warmUp: resolveWarmUp(check, top.warmUp),
    feed: Object.freeze({
      limit: check.whole('feed.limit', feed.limit, 50, 1, 1_000),
      sections: resolveFeedSections(check, feed.sections, providers),
      mediaType: resolveMediaType(check, feed.mediaType),
    }),
    html: Object.freeze({
      pageSize: check.whole('html.pageSize', html.pageSize, 1_000, 1, 50_000),
      stylesheet,
    }),
    log: resolveLog(check, top.log),
    name: resolveName(check, top.name),
    prefix: prefix ?? '',
  }
  const error = check.error()
  if (error !== undefined) throw error
  return Object.freeze(resolved)
}

const EXAMPLE = "Write { site: { url: 'https://www.example.com' }, providers: { pages: ['/'] } }."

const CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800'

/** The most seconds a bare number may stand for where a request or a call waits; beyond it milliseconds were meant. */
const WAITING = 3_600

/** The same for every other duration: a week. */
const KEEPING = 604_800

/** Our own stylesheet of the HTML sitemap, served while `html.stylesheet` is left out. */
const STYLESHEET_PATH = '/sitemap-html.css'

/** What a path of ours may hold. No escapes: frameworks decode before they match, caches and crawlers do not. */
const PATH = /^(?:\/[A-Za-z0-9._~!$&'()+,;=@-]+)+$/

const SECTION_KEY = /^[A-Za-z][A-Za-z0-9_]*$/

/** True: an option of this release. Text: its work comes later, and this is what to do today. */
type Known<T> = Readonly<Record<keyof T, true | string>>

const TOP: Known<SitemapOptions> = {
  site: true,
  providers: true,
  routes: true,
  limit: true,
  maxBytes: true,
  trailingSlash: true,
  scope: true,
  onInvalid: true,
  onEmpty: true,
  exclude: true,
  transform: true,
  maxShrink: true,
  cache: true,
  cacheControl: true,
  xRobotsTag: true,
  encodings: true,
  deadline: true,
  timeout: true,
  walkTimeout: true,
  retries: true,
  concurrency: true,
  warmUp: true,
  feed: true,
  html: true,
  log: true,
  name: true,
  prefix: true,
  publicPath: true,
  sites: 'Give one site as "site"; register the plugin again, with a "prefix" and a "name", for another.',
  hostHeader: 'Leave it out: with one site no header selects anything.',
  webhooks: 'Add a route of your own that checks the secret and calls invalidate(section) on the handle.',
  news: 'Leave it out, and keep a news sitemap of your own until then.',
  i18n: 'Give each entry its "alternates".',
}

const SITE: Known<Site> = {
  url: true,
  id: true,
  title: true,
  description: true,
  language: true,
  hosts: true,
  data: true,
}

const ROUTES: Known<RouteOptions> = {
  sitemap: true,
  index: true,
  rss: true,
  html: true,
  txt: true,
  report: true,
  atom: 'Leave it out: "routes.rss" serves the feed.',
  json: 'Leave it out: "routes.rss" serves the feed.',
  news: 'Leave it out, and keep a news sitemap of your own until then.',
  robots: 'Leave it out, and name the sitemap in a robots.txt of your own.',
  llms: 'Leave it out, and serve a file of your own until then.',
  css: 'Leave it out: the XML goes out without a stylesheet.',
  profile: 'Leave it out: the classes on links are written without a profile page.',
}

const CACHE: Known<CacheOptions> = {
  ttl: true,
  staleWhileRevalidate: true,
  wait: true,
  memory: true,
  dir: true,
  store: 'Leave it out: each process keeps its own last good in memory and in "cache.dir".',
  namespace: 'Leave it out: only a store reads it.',
  version: 'Leave it out: only a store reads it.',
}

const FEED: Known<FeedOptions> = {
  limit: true,
  sections: true,
  mediaType: true,
  content: 'Give the newest entries their "content" in the provider.',
}

const HTML: Known<HtmlOptions> = {
  pageSize: true,
  stylesheet: true,
  head: 'Leave it out: "html.stylesheet" gives the page your looks.',
  template: 'Leave it out: "html.stylesheet" gives the page your looks.',
  strings: 'Leave it out, and give sections a "title" of yours.',
  profileUri: 'Leave it out: the page names no profile.',
}

const PROVIDER: Known<ServedProviderObject> = {
  entries: true,
  version: true,
  ttl: true,
  title: true,
  defaults: true,
  formats: true,
  lang: true,
  optional: true,
  maxShrink: true,
  timeout: true,
  retries: true,
  partitions: 'Give "entries" as an async generator that reads the table page by page.',
}

const DEFAULTS: Known<EntryDefaults> = {
  changefreq: true,
  priority: true,
  lang: true,
  robots: true,
  type: true,
  sortOrder: true,
  resourceOf: true,
  updatePeriod: true,
  author: true,
  categories: true,
  keywords: true,
}

/** Every option's place, so that a right name in a wrong place is answered with the right one. */
const PLACES: readonly (readonly [prefix: string, known: Readonly<Record<string, true | string>>])[] = [
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

/** What Fastify reads from a plugin's options itself. */
const PASSED_BY_FASTIFY = ['logLevel', 'logSerializers']

type Fields = Readonly<Record<string, unknown>>

type Literal = string | number

type Check = ReturnType<typeof createCheck>

/** Collects faults: each method returns a value to go on with, so that one call finds them all. */
function createCheck() {
  const faults: { readonly kind: 'INVALID' | 'UNKNOWN' | 'LATER'; readonly line: string }[] = []

  /** `came` replaces the value in the message where showing it would leak or say nothing. */
  function invalid(path: string, value: unknown, expected: string, wayOut: string, came?: string): void {
    const is = came ?? (value === undefined ? 'missing' : describe(value))
    faults.push({ kind: 'INVALID', line: `${subject(path)} ${is}: expected ${expected}. ${wayOut}` })
  }

  /** `came` where only one value of the option is meant; others are not shown, a store's client may hold a password. */
  function later(path: string, wayOut: string, came?: string): void {
    const what = came === undefined ? '' : `${came}, `
    faults.push({ kind: 'LATER', line: `${subject(path)} ${what}the work of a later release. ${wayOut}` })
  }

  /** The fields of an object whose keys are all known; none where it is absent or no object. */
  function record(path: string, value: unknown, known: Readonly<Record<string, true | string>>): Fields {
    if (value === undefined) return {}
    if (!isRecord(value)) {
      invalid(path, value, 'an object', `Its keys are ${usable(known).join(', ')}.`)
      return {}
    }
    for (const key of Object.keys(value)) {
      const at = join(path, key)
      const state = Object.hasOwn(known, key) ? known[key] : undefined
      if (state === undefined) {
        if (path === '' && PASSED_BY_FASTIFY.includes(key)) continue
        faults.push({
          kind: 'UNKNOWN',
          line: `option ${quote(at)} is not known. ${suggest(path, key, known)}`,
        })
      } else if (typeof state === 'string' && value[key] !== undefined) {
        // A document that is off is what this release does anyway.
        if (!(path === 'routes' && value[key] === false)) later(at, state)
      }
    }
    return value
  }

  /** Milliseconds; `above0` where nothing could ever end in time, `mostS` is the most a bare number may stand for. */
  function duration(
    path: string,
    value: unknown,
    fallback: Duration,
    { above0 = false, mostS = KEEPING }: { above0?: boolean; mostS?: number } = {},
  ): number {
    const ms = parseDuration(value ?? fallback)
    if (ms === undefined || value === null || (above0 && ms === 0)) {
      const numeric =
        typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? value.trim() : undefined
      const example = numeric === undefined ? `'${fallback}'` : `'${numeric}s' or '${numeric}ms'`
      const least = above0 ? ' above 0' : ''
      invalid(
        path,
        value,
        `a duration${least}: text such as '10m' (ms s m h d), or a number of seconds`,
        `Write ${example}, or leave it out.`,
      )
      return 0
    }
    if (typeof value === 'number' && value > mostS) {
      const line = `option ${quote(path)} is ${describe(value)}, which is ${formatDuration(ms)}: numbers are seconds.`
      faults.push({ kind: 'INVALID', line: `${line} ${meant(value)}` })
    }
    return ms
  }

  /** Bytes from `least` to `most`. */
  function size(path: string, value: unknown, fallback: Size, least: number, most = Infinity): number {
    const bytes = parseSize(value === undefined ? fallback : value)
    if (bytes !== undefined && bytes >= least && bytes <= most) return bytes
    invalid(
      path,
      value,
      `a size in bytes ${bounds(least, most)}: text such as '64mb' (b kb mb gb), or a whole number`,
      `Write ${literal(fallback)}, or leave it out.`,
    )
    return 0
  }

  /** A whole number from `least` to `most`. */
  function whole(path: string, value: unknown, fallback: number, least: number, most = Infinity): number {
    if (value === undefined) return fallback
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
      return value
    invalid(path, value, `a whole number ${bounds(least, most)}`, `Write ${fallback}, or leave it out.`)
    return fallback
  }

  /** A number from 0 to 1. */
  function share(path: string, value: unknown, fallback: number): number {
    if (value === undefined) return fallback
    if (typeof value === 'number' && value >= 0 && value <= 1) return value
    invalid(path, value, 'a share from 0 to 1', `Write ${fallback}, or leave it out.`)
    return fallback
  }

  function bool(path: string, value: unknown, fallback: boolean): boolean {
    if (typeof value === 'boolean') return value
    if (value !== undefined) invalid(path, value, 'true or false', `Leave it out for ${fallback}.`)
    return fallback
  }

  /** One of `values`, the first when absent. */
  function oneOf<const T extends readonly [Literal, ...Literal[]]>(
    path: string,
    value: unknown,
    values: T,
  ): T[number] {
    const found = value === undefined ? values[0] : values.find((one) => one === value)
    if (found !== undefined) return found
    const near = isText(value) ? nearest(value, values.map(String)) : undefined
    const example = values.find((one) => String(one) === near) ?? values[0]
    invalid(path, value, alternatives(values), `Write ${literal(example)}, or leave it out.`)
    return values[0]
  }

  /** Text that is more than spaces, and one line. */
  function text<T extends string | undefined>(
    path: string,
    value: unknown,
    fallback: T,
    wayOut: string,
  ): string | T {
    if (value === undefined) return fallback
    if (typeof value === 'string' && value.trim() !== '' && !/\p{Cc}/u.test(value)) return value
    invalid(path, value, 'text of one line that is not empty', wayOut)
    return fallback
  }

  /** A header's value: visible ASCII and spaces, so that no value can break a response. */
  function header(path: string, value: unknown, fallback: string, orFalse = false): string {
    if (value === undefined) return fallback
    if (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) && value.trim() !== '') return value
    const expected = 'the value of a header: ASCII text on one line, not empty'
    invalid(
      path,
      value,
      orFalse ? `${expected}, or false` : expected,
      `Write '${fallback}', or leave it out.`,
    )
    return fallback
  }

  function fn<T>(path: string, value: unknown, wayOut: string): T | undefined {
    if (typeof value === 'function') return value as T
    if (value !== undefined) invalid(path, value, 'a function', wayOut)
    return undefined
  }

  function language<T extends string | undefined>(path: string, value: unknown, fallback: T): string | T {
    if (value === undefined) return fallback
    if (isLanguageTag(value)) return value
    const mended = typeof value === 'string' ? value.trim().replaceAll('_', '-') : ''
    const example = isLanguageTag(mended) ? mended : 'en'
    invalid(path, value, 'a language tag such as en or fr-CA', `Write '${example}'.`)
    return fallback
  }

  /** `''` or a path without a slash at the end; undefined when absent. */
  function basePath(path: string, value: unknown): string | undefined {
    if (value === undefined) return undefined
    const trimmed = typeof value === 'string' && value.endsWith('/') ? value.slice(0, -1) : value
    if (trimmed === '' || isPath(trimmed)) return trimmed
    const slash = typeof value === 'string' && isPath(`/${value}`) ? `/${value}` : '/shop'
    invalid(path, value, `'' or ${PATH_WORDS}`, `Write '${slash}', or leave it out.`)
    return undefined
  }

  /** All faults as one error, or undefined. */
  function error(): SitemapError | undefined {
    const [first, ...others] = faults
    if (first === undefined) return undefined
    const kind = others.every((fault) => fault.kind === first.kind) ? first.kind : 'INVALID'
    const lines = faults.map((fault) => fault.line)
    const message =
      others.length === 0 ? first.line : [`${lines.length} options are wrong:`, ...lines].join('\n')
    return new SitemapError(`LSM_ERR_OPTION_${kind}`, message)
  }

  return {
    invalid,
    later,
    record,
    duration,
    size,
    whole,
    share,
    bool,
    oneOf,
    text,
    header,
    fn,
    language,
    basePath,
    error,
  }
}

const PATH_WORDS =
  "a path: a slash, then letters, digits and -._~!$&'()+,;=@ between slashes, without .. and without a slash at the end"

function resolveSite(check: Check, top: Fields, publicPath: string | undefined): ResolvedSite {
  const wayOut = "Write site: { url: 'https://www.example.com' }."
  // With `sites` the fault to mend is that one; "site is missing" beside it would be noise.
  if (top.site === undefined && top.sites === undefined)
    check.invalid('site', undefined, 'an object with url', wayOut)
  if (top.site !== undefined && !isRecord(top.site)) {
    check.invalid('site', top.site, 'an object with url', wayOut, shown(top.site))
  }
  const given = isRecord(top.site) ? check.record('site', top.site, SITE) : undefined
  const url = given === undefined ? undefined : resolveSiteUrl(check, given.url)
  const host = url?.host ?? ''
  const path = publicPath ?? (url?.pathname ?? '').replace(/\/+$/, '')
  const { hosts } = given ?? {}
  if (hosts !== undefined && !isListOf(hosts, isFilled)) {
    check.invalid('site.hosts', hosts, 'a list of host names', "Write ['www.example.com'], or leave it out.")
  }
  const leave = 'Leave it out for the host of site.url.'
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(SITE)) if (given?.[key] !== undefined) copy[key] = given[key]
  if (Array.isArray(hosts)) copy.hosts = Object.freeze([...hosts])
  return Object.freeze({
    // Every field is checked in this function, or thrown for at its caller's end.
    given: Object.freeze(copy) as unknown as Site,
    id: check.text('site.id', given?.id, host, leave),
    url: url?.href ?? '',
    origin: url?.origin ?? '',
    base: `${url?.origin}${path}`,
    title: check.text('site.title', given?.title, host, leave),
    description: resolveDescription(check, given?.description),
    language: check.language('site.language', given?.language, 'en'),
  })
}

function resolveSiteUrl(check: Check, value: unknown): URL | undefined {
  const expected = 'an absolute http or https URL, without user, query and fragment'
  const wayOut = "Write 'https://www.example.com'."
  // `new URL` also takes "https:example.com", "https:\\\\example.com" and drops line breaks: none of them is what was meant.
  const strict = typeof value === 'string' && /^https?:\/\/[^/]/i.test(value) && !/[\s\\]|\p{Cc}/u.test(value)
  const url = strict && URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !isText(value)) {
    check.invalid('site.url', value, expected, wayOut, value === undefined ? undefined : shown(value))
    return undefined
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    check.invalid('site.url', value, expected, `Write '${url.origin}${url.pathname}'.`, shown(value))
    return undefined
  }
  return url
}

/** The message goes to logs: never with a password in it. */
function shown(url: unknown): string {
  return describe(isText(url) ? url.replace(/\/\/[^/]*@/, '//***@') : url)
}

function resolveDescription(check: Check, value: unknown): string {
  if (typeof value === 'string') return value
  if (value !== undefined) check.invalid('site.description', value, 'text', "Leave it out for ''.")
  return ''
}

interface ProviderFallbacks {
  readonly timeoutMs: number
  readonly ttlMs: number
  readonly retries: number
  readonly maxShrink: number
}

function resolveProviders(
  check: Check,
  value: unknown,
  fallbacks: ProviderFallbacks,
): readonly ResolvedProvider[] {
  const expected = 'an object with one provider or more, each under its section'
  const wayOut = "Write providers: { pages: ['/', '/about'] }."
  const walked = walkable(value)
  if (!isRecord(value) || walked !== undefined) {
    check.invalid('providers', value, expected, wayOut, walked?.what)
    return []
  }
  const keys = Object.keys(value)
  if (keys.length === 0) check.invalid('providers', value, expected, wayOut)
  const resolved = keys.map((key) => {
    if (!SECTION_KEY.test(key)) refuseSectionKey(check, key)
    return resolveProvider(check, key, value[key], fallbacks)
  })
  return Object.freeze(resolved)
}

function refuseSectionKey(check: Check, key: string): void {
  const mended = key.replace(/^[^A-Za-z]+/, '').replace(/[^A-Za-z0-9_]+/g, '_')
  const example = SECTION_KEY.test(mended) ? mended : 'posts'
  check.invalid(
    `providers.${key}`,
    key,
    'a letter, then letters, digits and underscores: the first hyphen of a part ends its section',
    `Write ${quote(example)}.`,
    'no section key',
  )
}

function resolveProvider(
  check: Check,
  section: string,
  value: unknown,
  fallbacks: ProviderFallbacks,
): ResolvedProvider {
  const path = `providers.${section}`
  const bare = Array.isArray(value) || typeof value === 'function'
  const fields = bare ? { entries: value } : providerFields(check, section, value)
  const entries = fields === undefined ? undefined : resolveEntries(check, `${path}.entries`, fields.entries)
  const { ttl, title, formats, lang, optional, version, defaults, ...rest } = fields ?? {}
  const resolvedDefaults = resolveDefaults(check, `${path}.defaults`, defaults)
  const resolvedLang = check.language(`${path}.lang`, lang, undefined)
  if (resolvedLang !== undefined && resolvedDefaults.lang != null && resolvedLang !== resolvedDefaults.lang) {
    const words = `the same language as ${path}.lang, ${quote(resolvedLang)}`
    check.invalid(`${path}.defaults.lang`, resolvedDefaults.lang, words, 'Give one of the two.')
  }
  const call = check.fn<(ctx: ProviderContext) => unknown>(
    `${path}.version`,
    version,
    'Write version: () => token, or leave it out.',
  )
  return Object.freeze({
    section,
    title: check.text(`${path}.title`, title, inWords(section), `Leave it out for '${inWords(section)}'.`),
    list: Array.isArray(entries) ? entries : undefined,
    // Called on the user's own object, so that a method may use `this`.
    entries: typeof entries === 'function' ? (bare ? entries : entries.bind(value)) : undefined,
    version: call?.bind(value),
    ttlMs: ttl === undefined ? fallbacks.ttlMs : check.duration(`${path}.ttl`, ttl, '10m'),
    defaults: resolvedDefaults,
    formats: resolveFormats(check, `${path}.formats`, formats),
    lang: resolvedLang,
    optional: check.bool(`${path}.optional`, optional, false),
    maxShrink: check.share(`${path}.maxShrink`, rest.maxShrink, fallbacks.maxShrink),
    timeoutMs:
      rest.timeout === undefined
        ? fallbacks.timeoutMs
        : check.duration(`${path}.timeout`, rest.timeout, '30s', { above0: true, mostS: WAITING }),
    retries: check.whole(`${path}.retries`, rest.retries, fallbacks.retries, 0),
  })
}

/** The fields of a provider object, or undefined where `value` is none or one of a later release. */
function providerFields(check: Check, section: string, value: unknown): Fields | undefined {
  const path = `providers.${section}`
  if (!isRecord(value) || walkable(value) !== undefined) {
    refuseEntries(check, path, value, 'a list, a function, or an object with entries', quote(section))
    return undefined
  }
  if (value.partitions !== undefined) {
    // keyset() and its like bring more keys of that release: naming each would bury the one fault.
    check.later(`${path}.partitions`, String(PROVIDER.partitions))
    return undefined
  }
  const fields = check.record(path, value, PROVIDER)
  // Named one by one: fields of a class may be getters of its prototype, which a spread would lose.
  return Object.fromEntries(Object.keys(PROVIDER).map((key) => [key, fields[key]]))
}

function resolveEntries(
  check: Check,
  path: string,
  value: unknown,
): readonly Entry[] | EntriesFunction | undefined {
  if (Array.isArray(value)) return value as readonly Entry[]
  if (typeof value === 'function') return value as EntriesFunction
  refuseEntries(check, path, value, 'a list or a function', 'entries')
  return undefined
}

/** `key` is the name that the way out writes the value under. */
function refuseEntries(check: Check, path: string, value: unknown, expected: string, key: string): void {
  const walked = walkable(value)
  if (walked === undefined) {
    check.invalid(path, value, expected, `Write ${key}: ['/about'], or ${key}: async function* () { … }.`)
  } else if (walked.once) {
    const wayOut = `Pass the function that makes it, called at each refresh: ${key}: () => …`
    check.invalid(path, value, expected, wayOut, `${walked.what}, which can be walked only once`)
  } else {
    const wayOut = `Pass a list, [...them], or a function that returns it, called at each refresh: ${key}: () => …`
    check.invalid(path, value, expected, wayOut, walked.what)
  }
}

interface Walkable {
  /** The value in words. */
  readonly what: string
  /** A second refresh would find it empty. */
  readonly once: boolean
}

/** What `value` is that can be walked but is no list, or undefined. */
function walkable(value: unknown): Walkable | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const has = (name: string | symbol) =>
    typeof (value as Record<string | symbol, unknown>)[name] === 'function'
  if (has('then')) return { what: 'a promise', once: true }
  if (has('pipe') || has('getReader')) return { what: 'a stream', once: true }
  if (has('next')) return { what: 'a started generator or iterator', once: true }
  if (has(Symbol.asyncIterator) || has(Symbol.iterator)) return { what: `a ${kindOf(value)}`, once: false }
  return undefined
}

/** `Set`, `Map`, or `walkable object` where it has no name of its own. */
function kindOf(value: object): string {
  const name: unknown = value.constructor?.name
  return isFilled(name) && name !== 'Object' ? name : 'walkable object'
}

const FORMATS = ['xml', 'txt', 'html', 'feed'] as const

function resolveFormats(check: Check, path: string, value: unknown): ReadonlySet<FormatName> {
  if (value === undefined) return frozenSet<FormatName>(FORMATS)
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  if (list.includes('news')) {
    check.later(path, `Leave it out: this release has ${FORMATS.join(', ')}.`, "a list with 'news'")
  }
  const isFormat = (format: unknown): format is FormatName => FORMATS.some((one) => one === format)
  const wrong = list.findIndex((format) => !isFormat(format) && format !== 'news')
  if (list.length === 0 || wrong !== -1) {
    check.invalid(
      path,
      value,
      `a list of ${alternatives(FORMATS)} that is not empty`,
      "Write ['xml', 'html'], or leave it out for all.",
      wrong === -1 ? undefined : `a list with ${describe(list[wrong])}`,
    )
  }
  return frozenSet(list.filter(isFormat))
}

const CHANGEFREQS = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'] as const
const UPDATE_PERIODS = ['hour', 'day', 'week', 'month', 'year'] as const

function resolveDefaults(check: Check, path: string, value: unknown): EntryDefaults {
  const given = check.record(path, value, DEFAULTS)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(DEFAULTS) as (keyof EntryDefaults)[]) {
    const field = given[key]
    if (field === undefined || field === null) continue
    const [fits, expected] = DEFAULT_RULES[key]
    if (!fits(field)) check.invalid(`${path}.${key}`, field, expected, 'Mend it, or leave it out.')
    copy[key] = Array.isArray(field) ? Object.freeze([...field]) : field
  }
  return Object.freeze(copy)
}

type Rule = readonly [fits: (value: unknown) => boolean, expected: string]

const A_TEXT: Rule = [isFilled, 'text that is not empty']
const TEXTS: Rule = [(value) => isFilled(value) || isListOf(value, isFilled), 'text, or a list of texts']

const DEFAULT_RULES: Readonly<Record<keyof EntryDefaults, Rule>> = {
  changefreq: [(value) => CHANGEFREQS.some((one) => one === value), alternatives(CHANGEFREQS)],
  priority: [isPriority, 'a number from 0 to 1'],
  lang: [isLanguageTag, 'a language tag such as en or fr-CA'],
  robots: TEXTS,
  type: A_TEXT,
  sortOrder: [(value) => Number.isSafeInteger(value) && (value as number) >= 0, 'a whole number from 0'],
  resourceOf: A_TEXT,
  updatePeriod: [(value) => UPDATE_PERIODS.some((one) => one === value), alternatives(UPDATE_PERIODS)],
  author: TEXTS,
  categories: TEXTS,
  keywords: TEXTS,
}

const ROUTE_DEFAULTS = {
  sitemap: '/sitemap.xml',
  index: '/sitemap_index.xml',
  rss: '/feed.rss',
  html: '/sitemap.html',
  txt: '/sitemap.txt',
  report: false,
} as const

function resolveRoutes(
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
    const [, section] = /^\/sitemap-([A-Za-z][A-Za-z0-9_]*)-[1-9]\d*\.(?:xml|txt|html)$/.exec(path) ?? []
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

function resolveExclude(check: Check, value: unknown): ResolvedOptions['exclude'] {
  if (value === undefined) return undefined
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const tests: ((pathAndQuery: string) => boolean)[] = []
  for (const [i, pattern] of list.entries()) {
    const path = Array.isArray(value) ? `exclude[${i}]` : 'exclude'
    if (types.isRegExp(pattern)) tests.push(regExpTest(pattern))
    else if (typeof pattern === 'string' && /^[/*]/.test(pattern)) tests.push(patternTest(pattern))
    else {
      const slash = isFilled(pattern) && !pattern.includes('://') ? `/${pattern}` : '/drafts/*'
      check.invalid(
        path,
        pattern,
        'a path that starts with / or *, or a RegExp',
        `Write '${slash}'.`,
        // An undefined among the patterns is a value that came, not an option left out.
        describe(pattern),
      )
    }
  }
  if (tests.length === 0) return undefined
  return (pathAndQuery) => tests.some((test) => test(pathAndQuery))
}

/** A copy is tested, from its start: the flags g and y keep a position between calls, in the user's own object too. */
function regExpTest(pattern: RegExp): (text: string) => boolean {
  const copy = new RegExp(pattern.source, pattern.flags)
  return (text) => {
    copy.lastIndex = 0
    return copy.test(text)
  }
}

/** `*` as any run of characters, over the whole path, with the query only where the pattern has one. */
function patternTest(pattern: string): (pathAndQuery: string) => boolean {
  // Final URLs are ASCII: a pattern is written as the address bar shows it.
  const matches = wildcard(pattern.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent))
  if (pattern.includes('?')) return matches
  return (pathAndQuery) => {
    const query = pathAndQuery.indexOf('?')
    return matches(query === -1 ? pathAndQuery : pathAndQuery.slice(0, query))
  }
}

/**
 * The earliest place of each piece between stars is always a right one, so nothing is tried twice: no text, however
 * hostile, takes the exponential time that the same pattern takes as a regular expression.
 */
function wildcard(pattern: string): (text: string) => boolean {
  const [head = '', ...pieces] = pattern.split('*')
  const tail = pieces.pop()
  if (tail === undefined) return (text) => text === head
  return (text) => {
    if (!text.startsWith(head)) return false
    let at = head.length
    for (const piece of pieces) {
      const found = text.indexOf(piece, at)
      if (found === -1) return false
      at = found + piece.length
    }
    return at + tail.length <= text.length && text.endsWith(tail)
  }
}

function resolveEncodings(check: Check, value: unknown): ResolvedOptions['encodings'] {
  // Read at each call: Node has it from 22.15 on, and its types do not say so.
  const hasZstd = typeof (zlib as { createZstdCompress?: unknown }).createZstdCompress === 'function'
  const offered = hasZstd ? (['br', 'gzip', 'zstd'] as const) : (['br', 'gzip'] as const)
  if (value === undefined) return Object.freeze([...offered])
  if (value === false) return Object.freeze([])
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  const isCoding = (coding: unknown): coding is (typeof offered)[number] =>
    offered.some((one) => one === coding)
  const wrong = list.findIndex((coding, i) => !isCoding(coding) || list.indexOf(coding) !== i)
  if (list.length === 0 || wrong !== -1) {
    const zstd = hasZstd ? '' : '; this Node has no zstd'
    check.invalid(
      'encodings',
      value,
      `a list of ${alternatives(offered)}, each once (or false for identity and weak ETags)${zstd}`,
      "Write ['br', 'gzip'], or leave it out.",
      wrong === -1
        ? undefined
        : `a list with ${describe(list[wrong])}${isCoding(list[wrong]) ? ' twice' : ''}`,
    )
  }
  return Object.freeze(list.filter(isCoding))
}

function resolveWarmUp(check: Check, value: unknown): boolean {
  if (value !== 'all') return check.bool('warmUp', value, true)
  check.later('warmUp', 'Write true: without partitions both read every section.', "'all'")
  return true
}

function resolveFeedSections(
  check: Check,
  value: unknown,
  providers: readonly ResolvedProvider[],
): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined
  const path = 'feed.sections'
  if (!isListOf(value, isFilled) || value.length === 0) {
    const wayOut = 'Leave it out for all; to switch the feed off write routes: { rss: false }.'
    check.invalid(path, value, 'a list of sections that is not empty', wayOut)
    return undefined
  }
  const known = providers.map((provider) => provider.section)
  for (const section of value) {
    const came = `a list with ${describe(section)}`
    const formats = providers.find((provider) => provider.section === section)?.formats
    if (formats === undefined) {
      // Without any provider that is the fault, and it is named already.
      if (known.length === 0) continue
      const near = nearest(section, known)
      const wayOut = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${quote(near)}?`
      check.invalid(path, value, 'sections of providers', wayOut, came)
    } else if (formats.size > 0 && !formats.has('feed')) {
      const wayOut = `Add 'feed' to providers.${section}.formats, or take the section out of the list.`
      check.invalid(path, value, 'sections with the format feed', wayOut, came)
    }
  }
  return frozenSet(value)
}

function resolveMediaType(check: Check, value: unknown): string {
  if (value === undefined) return 'application/rss+xml'
  if (typeof value === 'string' && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(value)) return value
  check.invalid(
    'feed.mediaType',
    value,
    'a media type without parameters (charset=utf-8 is added)',
    "Write 'application/xml', or leave it out.",
  )
  return ''
}

function resolveStylesheet(check: Check, value: unknown): string | false | undefined {
  if (value === undefined || value === false) return value
  const absolute =
    isFilled(value) && URL.canParse(value, 'https://example.com')
      ? new URL(value, 'https://example.com')
      : undefined
  if (absolute !== undefined && /^https?:$/.test(absolute.protocol) && !/[\s\p{Cc}]/u.test(String(value))) {
    return String(value)
  }
  check.invalid(
    'html.stylesheet',
    value,
    'the URL or path of a stylesheet, or false',
    "Write '/assets/sitemap.css', or leave it out for ours.",
  )
  return undefined
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

/** `blogPosts` → `Blog posts`; words in capitals stay: `FAQ`. */
function inWords(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z][A-Z0-9]+$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A set that cannot be added to: freezing alone does not reach what a Set holds. */
function frozenSet<T>(values: Iterable<T>): ReadonlySet<T> {
  const set = new Set(values)
  const refuse = () => {
    throw new TypeError('resolved options do not change')
  }
  for (const name of ['add', 'delete', 'clear']) Object.defineProperty(set, name, { value: refuse })
  return Object.freeze(set)
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isListOf<T>(value: unknown, fits: (one: unknown) => one is T): value is readonly T[] {
  // Spread, for `every` steps over holes.
  return Array.isArray(value) && [...value].every(fits)
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && PATH.test(value) && !value.includes('..') && !/\/\.(?:\/|$)/.test(value)
}

function isPriority(value: unknown): boolean {
  const number = isFilled(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= 1
}

function isLanguageTag(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}

/** What a number past the bound was meant to be: milliseconds, or seconds where these make whole hours. */
function meant(value: number): string {
  const asSeconds = durationText(Math.round(value * 1_000))
  const asMs = durationText(Math.round(value))
  if (value % 3_600 === 0) return `Write '${asMs}' if milliseconds were meant, '${asSeconds}' if seconds.`
  return value % 1_000 === 0
    ? `Write '${asMs}'.`
    : `Write '${asSeconds}', or '${asMs}' if milliseconds were meant.`
}

/** The way out of an unknown key: where it belongs, its nearest neighbour, or all names there are. */
function suggest(path: string, key: string, known: Readonly<Record<string, true | string>>): string {
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

function usable(known: Readonly<Record<string, true | string>>): string[] {
  return Object.keys(known).filter((key) => known[key] === true)
}

/** The name a slip or another spelling away from `word`: at most a third of it differs. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const from = folded(word)
  if (from.length > 40) return undefined
  const ranked = names
    .map((name) => ({ name, distance: editDistance(from, folded(name)) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.max(1, Math.floor(from.length / 3))
    ? best.name
    : undefined
}

/** Case and joints do not count: `cache-control` is `cacheControl`. */
function folded(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '')
}

/** Letters to insert, drop, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : Infinity
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1))
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], i: number): number {
  return row[i] ?? Infinity
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function subject(path: string): string {
  return path === '' ? 'the options are' : `option ${quote(path)} is`
}

/** In quotes and on one line, whatever a key holds. */
function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text)
}

function literal(value: Literal): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** `'host', 'path' or 'off'`. */
function alternatives(values: readonly Literal[]): string {
  const words = values.map(literal)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** `from 1 to 50,000`. */
function bounds(least: number, most: number): string {
  const from = `from ${least.toLocaleString('en-US')}`
  return most === Infinity ? from : `${from} to ${most.toLocaleString('en-US')}`
}
