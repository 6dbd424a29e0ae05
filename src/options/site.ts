import type { Site } from '../providers/provider.ts'
import type { Check } from './check.ts'
import { SITE } from './keys.ts'
import type { ResolvedSite } from './resolved.ts'
import { shownUrl } from './urls.ts'
import { isFilled, isListOf, isRecord, isText } from './values.ts'

/** The site at the option `at`; its documents live below `publicPath`, or below the path of its URL. */
export function resolveSite(
  check: Check,
  at: string,
  value: unknown,
  publicPath: string | undefined,
): ResolvedSite {
  if (!isRecord(value)) {
    const wayOut = `Write ${at === 'site' ? 'site: ' : ''}{ url: 'https://www.example.com' }.`
    check.invalid(at, value, 'an object with url', wayOut, value === undefined ? undefined : shownUrl(value))
  }
  const given = isRecord(value) ? check.record(at, value, SITE) : undefined
  const url = given === undefined ? undefined : resolveSiteUrl(check, `${at}.url`, given.url)
  const host = url?.host ?? ''
  const path = publicPath ?? (url?.pathname ?? '').replace(/\/+$/, '')
  const { hosts } = given ?? {}
  if (hosts !== undefined && !isListOf(hosts, isFilled)) {
    check.invalid(`${at}.hosts`, hosts, 'a list of host names', "Write ['www.example.com'], or leave it out.")
  }
  const leave = `Leave it out for the host of ${at}.url.`
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(SITE)) if (given?.[key] !== undefined) copy[key] = given[key]
  if (Array.isArray(hosts)) copy.hosts = Object.freeze([...hosts])
  return Object.freeze({
    // Every field is checked in this function, or thrown for at its caller's end.
    given: Object.freeze(copy) as unknown as Site,
    id: check.text(`${at}.id`, given?.id, host, leave),
    url: url?.href ?? '',
    origin: url?.origin ?? '',
    base: `${url?.origin}${path}`,
    title: check.text(`${at}.title`, given?.title, host, leave),
    description: resolveDescription(check, `${at}.description`, given?.description),
    language: check.language(`${at}.language`, given?.language, 'en'),
  })
}

function resolveSiteUrl(check: Check, at: string, value: unknown): URL | undefined {
  const expected = 'an absolute http or https URL, without user, query and fragment'
  const wayOut = "Write 'https://www.example.com'."
  // `new URL` also takes "https:example.com", "https:\\\\example.com" and drops line breaks: none of them is what was meant.
  const strict = typeof value === 'string' && /^https?:\/\/[^/]/i.test(value) && !/[\s\\]|\p{Cc}/u.test(value)
  const url = strict && URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !isText(value)) {
    check.invalid(at, value, expected, wayOut, value === undefined ? undefined : shownUrl(value))
    return undefined
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    check.invalid(at, value, expected, `Write '${url.origin}${url.pathname}'.`, shownUrl(value))
    return undefined
  }
  return url
}

function resolveDescription(check: Check, at: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (value !== undefined) check.invalid(at, value, 'text', "Leave it out for ''.")
  return ''
}
