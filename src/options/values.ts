import { normaliseLanguage } from '../entry/alternates.ts'

/** An object before its fields are checked. */
export type Fields = Readonly<Record<string, unknown>>

/** An object that is no list. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text of any kind, empty included. */
export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Text that is more than spaces. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Text of one line that is more than spaces. */
export function isLine(value: unknown): value is string {
  return isFilled(value) && !/\p{Cc}/u.test(value)
}

/** A list whose members all fit. */
export function isListOf<T>(value: unknown, fits: (one: unknown) => one is T): value is readonly T[] {
  // Spread, for `every` steps over holes.
  return Array.isArray(value) && [...value].every(fits)
}

/** A tag that the Intl of this Node takes, such as `en` or `fr-CA`. */
export function isLanguageTag(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}

/**
 * The tag that entries and documents have it in (SPEC E74), where `value` differs from it in case only: language,
 * optionally script and region.
 */
export function localeOf(value: unknown): string | undefined {
  const tag = isText(value) ? normaliseLanguage(value) : undefined
  return isText(value) && tag?.toLowerCase() === value.toLowerCase() && tag !== 'x-default' ? tag : undefined
}

/** What {@link localeOf} takes, in words. */
export const LOCALE_WORDS =
  'a language tag: language (ISO 639), optionally script and region (ISO 3166), such as en, fr-CA or zh-Hant-TW'

/** A set that cannot be added to: freezing alone does not reach what a Set holds. */
export function frozenSet<T>(values: Iterable<T>): ReadonlySet<T> {
  const set = new Set(values)
  const refuse = () => {
    throw new TypeError('resolved options do not change')
  }
  for (const name of ['add', 'delete', 'clear']) Object.defineProperty(set, name, { value: refuse })
  return Object.freeze(set)
}
