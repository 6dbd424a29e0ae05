import { resolveUrl, type UrlRules } from '../entry/loc.ts'
import { describe } from '../errors.ts'
import type { MemberRule } from './lists.ts'
import { isText } from './values.ts'

/** Any site's, for URLs that stand for themselves. */
const NO_SITE: UrlRules = {
  siteUrl: 'https://example.com/',
  origin: 'https://example.com',
  scope: 'off',
  directory: '/',
  trailingSlash: 'preserve',
}

/** An absolute http or https URL without user, as text or as a `URL` of any realm; undefined for anything else. */
export function absoluteUrl(value: unknown): URL | undefined {
  const text = urlText(value)
  // `new URL` also takes "https:example.com", "https:\\example.com" and drops line breaks: none of them is what was meant.
  if (text === undefined || !/^https?:\/\/[^/]/i.test(text) || /[\s\\]|\p{Cc}/u.test(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.username === '' && url.password === '' ? url : undefined
}

/** A URL, or a path below that of `siteUrl`, as documents write it (SPEC 1.4); undefined for anything else. */
export function finalUrl(value: unknown, siteUrl: string = NO_SITE.siteUrl): string | undefined {
  const text = urlText(value)
  if (text === undefined || /[\s\\]|\p{Cc}/u.test(text)) return undefined
  const url = resolveUrl(text, { ...NO_SITE, siteUrl, origin: new URL(siteUrl).origin })
  return isText(url) ? url : undefined
}

/** For lists of absolute URLs. */
export function urlRule(example: string): MemberRule {
  return {
    take: (member) => finalUrl(absoluteUrl(member)),
    expected: 'an absolute http or https URL without user',
    wayOut: `Write '${example}'.`,
    shown: shownUrl,
  }
}

/** A value in a message, which goes to logs: never with a password in it. */
export function shownUrl(value: unknown): string {
  const text = urlText(value)
  return describe(text === undefined ? value : text.replace(/\/\/[^/]*@/, '//***@'))
}

function urlText(value: unknown): string | undefined {
  if (isText(value)) return value
  if (typeof value !== 'object' || value === null || !('href' in value)) return undefined
  return isText(value.href) ? value.href : undefined
}
