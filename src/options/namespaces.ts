import type { Check } from './check.ts'
import type { ResolvedOptions } from './resolved.ts'
import { isRecord } from './values.ts'
import { walkable } from './walkable.ts'
import { quote } from './words.ts'

const MOST_NAMESPACES = 16

/** An NCName, in ASCII. */
const PREFIX = /^[A-Za-z_][A-Za-z0-9_.-]*$/

/** Characters of RFC 3986, behind a scheme. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+$/

/** Prefixes that our urlsets use themselves (SPEC E1 to E4). */
const OUR_PREFIXES: readonly string[] = ['image', 'video', 'news', 'xhtml']

const OUR_URIS: readonly string[] = [
  'http://www.sitemaps.org/schemas/sitemap/0.9',
  'http://www.google.com/schemas/sitemap-image/1.1',
  'http://www.google.com/schemas/sitemap-video/1.1',
  'http://www.google.com/schemas/sitemap-news/0.9',
  'http://www.w3.org/1999/xhtml',
  // Bound to the prefixes xml and xmlns for ever (Namespaces in XML §3).
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/xmlns/',
]

/** Declared namespaces in the order given, as pairs of prefix and URI. */
export function resolveNamespaces(check: Check, value: unknown): ResolvedOptions['namespaces'] {
  if (value === undefined) return Object.freeze([])
  const wayOut = "Write { shop: 'https://example.com/ns/shop' }, or leave it out."
  const walked = walkable(value)
  if (!isRecord(value) || walked !== undefined) {
    check.invalid('namespaces', value, 'an object with URIs by prefix', wayOut, walked?.what)
    return []
  }
  const prefixes = Object.keys(value)
  if (prefixes.length > MOST_NAMESPACES) {
    const came = `an object with ${prefixes.length} prefixes`
    check.invalid('namespaces', value, `${MOST_NAMESPACES} prefixes at most`, 'Take some out.', came)
  }
  const byUri = new Map<string, string>()
  for (const prefix of prefixes) {
    const uri = value[prefix]
    if (uri === undefined) continue
    checkPrefix(check, prefix)
    const at = `namespaces.${prefix}`
    const other = typeof uri === 'string' ? byUri.get(uri) : undefined
    if (typeof uri !== 'string' || !URI.test(uri)) {
      const expected = 'an absolute URI without white space'
      check.invalid(
        at,
        uri,
        expected,
        `Write 'https://example.com/ns/${PREFIX.test(prefix) ? prefix : 'shop'}'.`,
      )
    } else if (OUR_URIS.includes(uri)) {
      const way = 'Take it out, and give entries their images, videos, news and alternates.'
      check.invalid(at, uri, 'a namespace of yours, and this is one that sitemaps have already', way)
    } else if (other !== undefined) {
      const expected = `a URI of its own, and this is that of the prefix ${other}`
      check.invalid(at, uri, expected, `Write elements with the prefix ${other}.`)
    } else byUri.set(uri, prefix)
  }
  return Object.freeze([...byUri].map(([uri, prefix]) => Object.freeze([prefix, uri] as const)))
}

function checkPrefix(check: Check, prefix: string): void {
  const reserved = OUR_PREFIXES.includes(prefix) || /^xml/i.test(prefix)
  if (PREFIX.test(prefix) && !reserved) return
  const expected = reserved
    ? `a prefix of yours: ${OUR_PREFIXES.join(', ')} and all that begin with xml are taken`
    : 'a prefix: an ASCII letter or _, then letters, digits and ._-'
  const mended = prefix.replace(/^[^A-Za-z_]+/, '').replace(/[^A-Za-z0-9_.-]+/g, '_')
  const example = !reserved && PREFIX.test(mended) && !/^xml/i.test(mended) ? mended : 'shop'
  check.invalid(`namespaces.${prefix}`, prefix, expected, `Write ${quote(example)}.`)
}
