import type { Site } from '../providers/provider.ts'
import type { Check } from './check.ts'
import { SITE } from './keys.ts'
import type { ResolvedSite } from './resolved.ts'
import { shownUrl } from './urls.ts'
import { type Fields, isFilled, isListOf, isRecord, isText } from './values.ts'

/** The site; its documents live below `publicPath`, or below the path of its URL. */
export function resolveSite(check: Check, top: Fields, publicPath: string | undefined): ResolvedSite {
  const wayOut = "Write site: { url: 'https://www.example.com' }."
  // With `sites` the fault to mend is that one; "site is missing" beside it would be noise.
  if (top.site === undefined && top.sites === undefined)
    check.invalid('site', undefined, 'an object with url', wayOut)
  if (top.site !== undefined && !isRecord(top.site)) {
    check.invalid('site', top.site, 'an object with url', wayOut, shownUrl(top.site))
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
    check.invalid('site.url', value, expected, wayOut, value === undefined ? undefined : shownUrl(value))
    return undefined
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    check.invalid('site.url', value, expected, `Write '${url.origin}${url.pathname}'.`, shownUrl(value))
    return undefined
  }
  return url
}

function resolveDescription(check: Check, value: unknown): string {
  if (typeof value === 'string') return value
  if (value !== undefined) check.invalid('site.description', value, 'text', "Leave it out for ''.")
  return ''
}
