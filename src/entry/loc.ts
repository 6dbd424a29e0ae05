import { type Fingerprint, NOT_PLAIN, scanPath } from './fingerprint.ts'

/** What is wrong with a URL; one object a reason, so that refusing costs nothing. */
export interface UrlFault {
  readonly reason: string
}

const fault = (reason: string): UrlFault => Object.freeze({ reason })

export const NO_LOC: UrlFault = fault('no loc')
const NOT_TEXT = fault('loc is neither text nor a URL')
const NOT_A_URL = fault('loc is not a URL')
const SCHEME = fault('loc is not http or https')
const USER_INFO = fault('loc holds a user name or password')
const TOO_LONG = fault('loc is longer than 2,047 characters')
const FOREIGN_HOST = fault("loc is not on the site's scheme, host and port (option scope)")
const OUTSIDE_PATH = fault("loc is not below the site's path (option scope)")

/** SPEC D1: the protocol says less than 2,048 characters, counted on the encoded URL (L8). */
export const LONGEST_URL = 2_047

/** An absolute URL whose host `URL` would leave alone. */
const PLAIN_HOST = /https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?=\/)/y

export interface UrlRules {
  /** Absolute, as `new URL()` writes it. */
  readonly siteUrl: string
  /** Scheme, host and port of `siteUrl`. */
  readonly origin: string
  readonly scope: 'host' | 'path' | 'off'
  /** For scope `path`: the path everything lies under, with a slash at both ends. */
  readonly directory: string
  readonly trailingSlash: 'preserve' | 'always' | 'never'
}

/** Makes the final absolute URL of an entry, or says what is wrong with it (SPEC 1.4). */
export type ResolveLoc = (input: unknown) => string | UrlFault

/**
 * The URL rules of one site: absolute, http(s), percent-encoded as RFC 3986 asks (L2, L4, L5), never encoded twice (L6),
 * without fragment and user info, at most 2,047 characters, inside `scope`, with its slash as `trailingSlash` says.
 */
export function createLocResolver(rules: UrlRules): ResolveLoc {
  const { origin, scope, directory, trailingSlash } = rules
  return (input) => {
    const url = resolveUrl(input, rules)
    if (typeof url !== 'string') return url
    const written = trailingSlash === 'preserve' ? url : withTrailingSlash(url, trailingSlash)
    if (written.length > LONGEST_URL) return TOO_LONG
    if (scope === 'off') return written
    if (!(written.startsWith(origin) && written.charCodeAt(origin.length) === 47)) return FOREIGN_HOST
    // SPEC U15: asked of the URL as it is written.
    return scope === 'path' && !written.startsWith(directory, origin.length) ? OUTSIDE_PATH : written
  }
}

/** As {@link createLocResolver} without scope and slash policy: for images, alternates and enclosures, which may lie elsewhere (E11, E73). */
export function resolveUrl(input: unknown, { siteUrl, origin }: UrlRules): string | UrlFault {
  if (typeof input === 'string') {
    if (isPlain(input, 0)) return bounded(origin + input)
    if (input.startsWith(origin)) {
      if (isPlain(input, origin.length)) return bounded(input)
    } else {
      PLAIN_HOST.lastIndex = 0
      // Not every text that looks like punycode is: that is for the parser.
      if (PLAIN_HOST.test(input) && !input.includes('xn--') && isPlain(input, PLAIN_HOST.lastIndex))
        return bounded(input)
    }
    return parse(input, siteUrl)
  }
  if (input === undefined || input === null) return NO_LOC
  // A URL of any realm, or of a polyfill, has its text in href.
  if (typeof input === 'object' && 'href' in input && typeof input.href === 'string')
    return parse(input.href, siteUrl)
  return NOT_TEXT
}

function bounded(url: string): string | UrlFault {
  return url.length > LONGEST_URL ? TOO_LONG : url
}

/** Whether `text` from `start` on is a path and query that needs no parsing. */
function isPlain(text: string, start: number): boolean {
  return scanPath(start === 0 ? text : text.slice(start), ignored) !== NOT_PLAIN
}

const ignored: Fingerprint = { high: 0, low: 0 }

function parse(text: string, siteUrl: string): string | UrlFault {
  if (NOTHING.test(text) || text.trim() === '') return NO_LOC
  const url = URL.parse === undefined ? parseOld(text, siteUrl) : URL.parse(text, siteUrl)
  if (url === null) return NOT_A_URL
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return SCHEME
  if (url.username !== '' || url.password !== '') return USER_INFO
  return bounded(url.origin + encodeRest(withoutDotSegments(url.pathname)) + encodeRest(url.search))
}

/** `URL` takes these off both ends, and an empty text for the site itself. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const NOTHING = /^[\u0000-\u0020]*$/

/** Node 20 has no `URL.parse`. */
function parseOld(text: string, base: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null
}

/** A dot segment behind a segment that begins with a dot is left by the `URL` of Node 20 (`/.a/../b`, measured). */
function withoutDotSegments(pathname: string): string {
  if (!pathname.includes('/.') && !/%2e/i.test(pathname)) return pathname
  const segments = pathname.split('/')
  const kept: string[] = []
  for (const [i, segment] of segments.entries()) {
    const dots = segment.replace(/%2e/gi, '.')
    const isLast = i === segments.length - 1
    if (dots === '..') {
      if (kept.length > 1) kept.pop()
      if (isLast) kept.push('')
    } else if (dots === '.') {
      if (isLast) kept.push('')
    } else kept.push(segment)
  }
  return kept.join('/')
}

/** SPEC L4, L5: what `URL` leaves raw although RFC 3986 forbids it, and a `%` that begins no escape. */
const REST = /[[\]^|{}\\`]|%(?![0-9A-Fa-f]{2})/g

function encodeRest(part: string): string {
  return part.replace(REST, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** The policy acts on the path, before the query; `always` leaves a last segment with a dot (a file) alone. */
function withTrailingSlash(url: string, policy: 'always' | 'never'): string {
  const query = url.indexOf('?')
  const pathEnd = query === -1 ? url.length : query
  const pathStart = url.indexOf('/', 8)
  let end = pathEnd
  while (end > pathStart + 1 && url.charCodeAt(end - 1) === 47) end--
  if (policy === 'never') return url.slice(0, Math.max(end, pathStart + 1)) + url.slice(pathEnd)
  const isFile = url.slice(url.lastIndexOf('/', end - 1) + 1, end).includes('.')
  return isFile || url.charCodeAt(pathEnd - 1) === 47 ? url : `${url.slice(0, pathEnd)}/${url.slice(pathEnd)}`
}

/**
 * Template tag for URLs: `` path`/blog/${slug}` ``. Every value becomes one encoded path segment. A missing or empty
 * value, or a `.` or `..` that would climb, gives the empty text: an entry without loc, which is skipped and reported.
 */
export function path(literals: TemplateStringsArray, ...values: readonly unknown[]): string {
  let url = literals[0] ?? ''
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    const usable =
      typeof value === 'string' ||
      typeof value === 'bigint' ||
      (typeof value === 'number' && Number.isFinite(value))
    if (!usable || value === '' || value === '.' || value === '..') return ''
    url += encodeURIComponent(String(value).toWellFormed()) + (literals[i + 1] ?? '')
  }
  return url
}
