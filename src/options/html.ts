import type { HtmlOptions } from '../options.ts'
import type { Check } from './check.ts'
import { resolveStrings } from './html-strings.ts'
import { HTML } from './keys.ts'
import type { ResolvedOptions } from './resolved.ts'
import { absoluteUrl, shownUrl } from './urls.ts'
import { isFilled, isText } from './values.ts'

/** The HTML sitemap. */
export function resolveHtml(check: Check, value: unknown): ResolvedOptions['html'] {
  const html = check.record('html', value, HTML)
  return Object.freeze({
    pageSize: check.whole('html.pageSize', html.pageSize, 1_000, 1, 50_000),
    stylesheet: resolveStylesheet(check, html.stylesheet),
    head: resolveHead(check, html.head),
    template: check.fn<NonNullable<HtmlOptions['template']>>(
      'html.template',
      html.template,
      "Write template: (page) => '<!doctype html>…', or leave it out for our page.",
    ),
    strings: resolveStrings(check, html.strings),
    profileUri: resolveProfileUri(check, html.profileUri),
  })
}

/** URL or path of the user's stylesheet, false for none, undefined for ours. */
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

/** The user's own HTML: as it is, over as many lines as it has. */
function resolveHead(check: Check, value: unknown): string | undefined {
  if (value === undefined || isText(value)) return value
  check.invalid('html.head', value, 'HTML as text', `Write '<link rel="icon" href="/icon.svg">'.`)
  return undefined
}

/** Its fragment stays: the profile of the draft ends in # (SPEC H34). */
function resolveProfileUri(check: Check, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const url = absoluteUrl(value)
  if (url === undefined) {
    check.invalid(
      'html.profileUri',
      value,
      'an absolute http or https URL without user',
      "Write 'https://www.example.com/robots-profile', or leave it out for routes.profile.",
      shownUrl(value),
    )
  }
  return url?.href
}
