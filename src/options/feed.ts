import { describe } from '../errors.ts'
import type { Check } from './check.ts'
import { nearest } from './nearest.ts'
import type { ResolvedOptions, ResolvedProvider } from './resolved.ts'
import { type Fields, frozenSet, isFilled, isListOf } from './values.ts'
import { quote } from './words.ts'

/** The feed from the fields of the option `feed`. */
export function resolveFeed(
  check: Check,
  feed: Fields,
  providers: readonly ResolvedProvider[],
): ResolvedOptions['feed'] {
  return Object.freeze({
    limit: check.whole('feed.limit', feed.limit, 50, 1, 1_000),
    sections: resolveFeedSections(check, feed.sections, providers),
    mediaType: resolveMediaType(check, feed.mediaType),
  })
}

function resolveFeedSections(
  check: Check,
  value: unknown,
  providers: readonly ResolvedProvider[],
): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined
  const path = 'feed.sections'
  if (!isListOf(value, isFilled) || value.length === 0) {
    const wayOut = 'Leave it out for all; to switch the feed off write routes: { rss: false }.'
    check.invalid(path, value, 'a list of sections that is not empty', wayOut)
    return undefined
  }
  const known = providers.map((provider) => provider.section)
  for (const section of value) {
    const came = `a list with ${describe(section)}`
    const formats = providers.find((provider) => provider.section === section)?.formats
    if (formats === undefined) {
      // Without any provider that is the fault, and it is named already.
      if (known.length === 0) continue
      const near = nearest(section, known)
      const wayOut = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${quote(near)}?`
      check.invalid(path, value, 'sections of providers', wayOut, came)
    } else if (formats.size > 0 && !formats.has('feed')) {
      const wayOut = `Add 'feed' to providers.${section}.formats, or take the section out of the list.`
      check.invalid(path, value, 'sections with the format feed', wayOut, came)
    }
  }
  return frozenSet(value)
}

function resolveMediaType(check: Check, value: unknown): string {
  if (value === undefined) return 'application/rss+xml'
  if (typeof value === 'string' && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(value)) return value
  check.invalid(
    'feed.mediaType',
    value,
    'a media type without parameters (charset=utf-8 is added)',
    "Write 'application/xml', or leave it out.",
  )
  return ''
}
