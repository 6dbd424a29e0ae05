import type { ResolvedOptions } from '../options.ts'
import type { Row } from '../table/rows.ts'
import { withMaxAge } from './cache-control.ts'
import { formatHttpDate } from './http-date.ts'
import { MEDIA_TYPES } from './media-types.ts'
import type { SitemapResponse } from './message.ts'
import type { Coding } from './negotiate.ts'

/** Headers of a row in one coding, made once: a hit copies nothing and computes nothing. */
export interface PreparedHeaders {
  readonly etag: string
  readonly full: Readonly<Record<string, string>>
  readonly notModified: Readonly<Record<string, string>>
}

const NOT_TO_BE_FOUND: ReadonlySet<Row['kind']> = new Set(['urlset', 'index', 'news', 'txt', 'llms'])

/** What an answer from a stale snapshot may count on. */
const STALE_MAX_AGE = 60

/** Makes and keeps the headers of rows. */
export interface HeaderMaker {
  /** `freshForMs` bounds max-age: an answer from a stale or incomplete state, or one that time will change. */
  headers(row: Row, coding: Coding, isStale: boolean, nowMs: number): PreparedHeaders
}

export function createHeaderMaker(options: ResolvedOptions): HeaderMaker {
  const keptFresh = new WeakMap<Row, Map<Coding, PreparedHeaders>>()
  const keptStale = new WeakMap<Row, Map<Coding, PreparedHeaders>>()
  const staleControl = withMaxAge(options.cacheControl, STALE_MAX_AGE)

  function prepare(row: Row, coding: Coding, cacheControl: string): PreparedHeaders {
    const etag = etagOf(row, coding, options.weakEtags)
    // SPEC N10: a 304 repeats what the 200 would have said of caching.
    const notModified: Record<string, string> = {
      etag,
      'last-modified': formatHttpDate(row.changedAtMs),
      'cache-control': cacheControl,
    }
    if (options.encodings.length > 0) notModified.vary = 'Accept-Encoding'
    const full: Record<string, string> = {
      ...notModified,
      'content-type': row.mediaType,
      'x-content-type-options': 'nosniff', // SPEC N56
      'accept-ranges': 'none', // SPEC N17
    }
    if (coding !== 'identity') full['content-encoding'] = coding
    // SPEC H56: sitemaps themselves need not be found.
    if (options.xRobotsTag !== false && NOT_TO_BE_FOUND.has(row.kind))
      full['x-robots-tag'] = options.xRobotsTag
    if (row.link) full.link = row.link
    return { etag, full: Object.freeze(full), notModified: Object.freeze(notModified) }
  }

  return {
    headers(row, coding, isStale, nowMs) {
      // An answer that time will change is prepared for its second alone; there are few such rows.
      if (row.expiresAtMs !== undefined) {
        const seconds = Math.max(0, Math.floor((row.expiresAtMs - nowMs) / 1000))
        return prepare(row, coding, withMaxAge(isStale ? staleControl : options.cacheControl, seconds))
      }
      const kept = isStale ? keptStale : keptFresh
      let ofRow = kept.get(row)
      if (ofRow === undefined) {
        ofRow = new Map()
        kept.set(row, ofRow)
      }
      let prepared = ofRow.get(coding)
      if (prepared === undefined) {
        prepared = prepare(row, coding, isStale ? staleControl : options.cacheControl)
        ofRow.set(coding, prepared)
      }
      return prepared
    },
  }
}

/** Strong and different per coding (SPEC N14); known before anything is rendered. */
function etagOf(row: Row, coding: Coding, weak: boolean): string {
  const tag = `"${row.digest}${coding === 'identity' ? '' : `-${coding}`}"`
  return weak ? `W/${tag}` : tag
}

/** An answer that is no document: a short text, never kept (SPEC N34), with nothing of an error's own words in it. */
export function plainAnswer(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): SitemapResponse {
  const body = Buffer.from(`${text}\n`)
  return {
    status,
    headers: {
      'content-type': MEDIA_TYPES.txt,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body,
    bytes: body.length,
    done: undefined,
  }
}

export function notFound(): SitemapResponse {
  return plainAnswer(404, 'Not found')
}

/** The document is at another URL of ours, for good. */
export function movedPermanently(location: string): SitemapResponse {
  return plainAnswer(301, 'Moved permanently', { location, 'cache-control': 'public, max-age=300' })
}

/** SPEC N40: an answer for later, told when. */
export function unavailable(retryAfterMs: number): SitemapResponse {
  return plainAnswer(503, 'Not available yet, please try again later', {
    'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))),
  })
}

/** SPEC N13. */
export function methodNotAllowed(): SitemapResponse {
  return plainAnswer(405, 'Method not allowed', { allow: 'GET, HEAD' })
}

/** SPEC N23. */
export function notAcceptable(): SitemapResponse {
  return plainAnswer(406, 'None of the content-codings asked for can be sent', { vary: 'Accept-Encoding' })
}

/** SPEC N11. */
export function preconditionFailed(): SitemapResponse {
  return plainAnswer(412, 'Precondition failed')
}
