/** What the app has set on a response before us: what stays true of our answer, and what does not. */
import type { SitemapResponse } from '../src/http/message.ts'

/** A value as `node:http` keeps it. */
export type HeaderValue = number | string | readonly string[] | undefined

/** Headers that speak of a body: a 304 has none of them (STYLE section 8). */
const OF_A_BODY = ['content-type', 'content-encoding', 'content-length']
/** Headers that speak of a document: an error has none of them. */
const OF_A_DOCUMENT = ['etag', 'last-modified']

/** Headers that an answer of this status must not have. */
export function unfitHeaders(status: number): readonly string[] {
  if (status === 304) return OF_A_BODY
  return status >= 400 ? OF_A_DOCUMENT : []
}

/**
 * Vary of an answer of ours where others vary their own headers (CORS: by Origin). Undefined where nothing is to be
 * joined: what they set stays, or what we have.
 */
export function joinedVary(before: HeaderValue, { vary }: SitemapResponse['headers']): string | undefined {
  if (vary === undefined || before === undefined) return undefined
  const named = String(before)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (named.includes('*')) return '*'
  return named.some((name) => name.toLowerCase() === vary.toLowerCase())
    ? named.join(', ')
    : [...named, vary].join(', ')
}
