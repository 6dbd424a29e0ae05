import { parseHttpDate } from './http-date.ts'

/** What tells one state of a representation from another (RFC 9110 §8.8). */
export interface Validators {
  /** Entity-tag as it is sent: `"…"` or `W/"…"`; ours, so always well-formed. */
  readonly etag: string
  /** When the bytes last changed, in milliseconds since 1970 (SPEC N15); compared in whole seconds (SPEC N8). */
  readonly lastModifiedMs: number
}

/** The conditional fields of a request as received; several lines of one field joined with `, ` (RFC 9110 §13.1). */
export interface ConditionalHeaders {
  readonly ifMatch?: string | undefined
  readonly ifUnmodifiedSince?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly ifModifiedSince?: string | undefined
}

/** What becomes of a request that would else be answered 200: as it is, 304, or 412 (RFC 9110 §13.2.2). */
export type ConditionResult = 'serve' | 'not-modified' | 'precondition-failed'

/**
 * Decides a conditional GET or HEAD in the order of RFC 9110 §13.2.2 (SPEC N1, N3–N8, N11).
 *
 * Call it only where the plain answer would be 200 (SPEC N2), with the validators of the content-coding
 * already chosen (SPEC N14). `nowMs` only places two-digit years of dates. Never throws.
 */
export function evaluateConditions(
  headers: ConditionalHeaders,
  validators: Validators,
  nowMs: number,
): ConditionResult {
  const { ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince } = headers
  // RFC 9110 §8.8.2: the client saw whole seconds only; SPEC N8.
  const lastModifiedMs = Math.floor(validators.lastModifiedMs / 1000) * 1000

  // RFC 9110 §13.1.4: If-Unmodified-Since counts only when If-Match is absent.
  if (ifMatch !== undefined) {
    if (!matchesEtag(ifMatch, validators.etag, true)) return 'precondition-failed'
  } else if (ifUnmodifiedSince !== undefined) {
    const date = parseHttpDate(ifUnmodifiedSince, nowMs)
    if (date !== undefined && lastModifiedMs > date) return 'precondition-failed'
  }

  // RFC 9110 §13.1.3: If-Modified-Since counts only when If-None-Match is absent, be that one ever so malformed (SPEC N6).
  if (ifNoneMatch !== undefined) {
    return matchesEtag(ifNoneMatch, validators.etag, false) ? 'not-modified' : 'serve'
  }
  if (ifModifiedSince !== undefined) {
    const date = parseHttpDate(ifModifiedSince, nowMs)
    if (date !== undefined && lastModifiedMs <= date) return 'not-modified'
  }
  return 'serve'
}

/**
 * Whether the value of an If-Match (`strong`) or If-None-Match field names `etag` (RFC 9110 §8.8.3, SPEC N3–N5, N11).
 *
 * `*` counts only alone. A malformed member never matches, and reading goes on behind the next comma
 * after the fault: a reading in doubt is no match, since a full answer does less harm than a wrong 304.
 * One pass, linear in the length of `list`; never throws.
 *
 * @example matchesEtag('"x", W/"a,b"', '"a,b"', false) // true
 */
export function matchesEtag(list: string, etag: string, strong: boolean): boolean {
  const isWeak = etag.startsWith('W/')
  // A client that revalidates what we sent repeats our tag and nothing else.
  if (list === etag) return !(strong && isWeak)
  if (isAsterisk(list)) return true
  // RFC 9110 §8.8.3.2: a weak tag on either side fails the strong comparison.
  if (strong && isWeak) return false

  const opaque = isWeak ? etag.slice(2) : etag
  let at = 0
  while (at < list.length) {
    // RFC 9110 §5.6.1.2: empty members are allowed and mean nothing.
    if (list[at] === ',' || isSpace(list[at])) {
      at++
      continue
    }
    const memberIsWeak = list.startsWith('W/', at)
    const open = memberIsWeak ? at + 2 : at
    let close = open
    if (list[open] === '"') {
      do close++
      while (isTagCharacter(list.charCodeAt(close)))
    }
    const isClosed = close > open && list[close] === '"'
    const end = skipSpaces(list, isClosed ? close + 1 : close)
    const isMember = isClosed && (end === list.length || list[end] === ',')
    // Our opaque part ends in the only other quote it has, so what begins with it here is no longer than it.
    if (isMember && !(strong && memberIsWeak) && list.startsWith(opaque, open)) return true
    const comma = isMember ? end : list.indexOf(',', end)
    if (comma === -1) return false
    at = comma + 1
  }
  return false
}

// RFC 9110 §13.1.1, §13.1.2: "*" stands in place of a list, never in one.
function isAsterisk(list: string): boolean {
  const start = skipSpaces(list, 0)
  return list[start] === '*' && skipSpaces(list, start + 1) === list.length
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (isSpace(text[at])) at++
  return at
}

// OWS of RFC 9110 §5.6.3; `trim` would take U+00A0 too, which is a tag character in a header.
function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

// etagc of RFC 9110 §8.8.3: no space, no DQUOTE, no DEL; NaN, behind the end, is none either.
function isTagCharacter(code: number): boolean {
  return code === 0x21 || (code >= 0x23 && code <= 0x7e) || (code >= 0x80 && code <= 0xff)
}
