import type { Check } from './check.ts'
import { isFilled } from './values.ts'

/** URL or path of the user's stylesheet, false for none, undefined for ours. */
export function resolveStylesheet(check: Check, value: unknown): string | false | undefined {
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
