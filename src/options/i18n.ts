import { describe } from '../errors.ts'
import type { Check } from './check.ts'
import { I18N } from './keys.ts'
import { nearest } from './nearest.ts'
import type { ResolvedOptions } from './resolved.ts'
import { LOCALE_WORDS } from './values.ts'

/** Each has documents of its own, and is looked for in a list whenever a path is read. */
const MOST_LOCALES = 100

/** The languages of the site. */
export function resolveI18n(check: Check, value: unknown): ResolvedOptions['i18n'] {
  const i18n = check.record('i18n', value, I18N)
  const locales = resolveLocales(check, i18n.locales)
  return Object.freeze({
    locales,
    defaultLocale: resolveDefaultLocale(check, i18n.defaultLocale, locales, i18n.locales),
    xDefault: check.locale('i18n.xDefault', i18n.xDefault),
    maxGrouped: check.whole('i18n.maxGrouped', i18n.maxGrouped, 250_000, 1, 1_000_000),
  })
}

function resolveLocales(check: Check, value: unknown): readonly string[] {
  if (value === undefined) return Object.freeze([])
  const path = 'i18n.locales'
  if (!Array.isArray(value) || value.length > MOST_LOCALES) {
    const wayOut = "Write ['en', 'fr-CA'], or leave it out."
    check.invalid(path, value, `a list of at most ${MOST_LOCALES} language tags`, wayOut)
    return Object.freeze([])
  }
  const locales = new Set<string>()
  for (const [i, member] of value.entries()) {
    const tag = check.locale(`${path}[${i}]`, member)
    // An undefined member is a value that came, not an option left out.
    if (member === undefined)
      check.invalid(`${path}[${i}]`, member, LOCALE_WORDS, 'Take it out.', describe(member))
    if (tag === undefined) continue
    if (locales.has(tag)) {
      const expected = 'a locale of its own, and this one stands before (case does not count)'
      check.invalid(`${path}[${i}]`, member, expected, 'Take one of the two out.')
    }
    locales.add(tag)
  }
  return Object.freeze([...locales])
}

function resolveDefaultLocale(
  check: Check,
  value: unknown,
  locales: readonly string[],
  given: unknown,
): string | undefined {
  if (value === undefined) return locales[0]
  const tag = check.locale('i18n.defaultLocale', value)
  // Where the list holds a fault, that one is named.
  const whole = given === undefined || (Array.isArray(given) && given.length === locales.length)
  if (tag === undefined || locales.includes(tag) || !whole) return tag
  const example = nearest(tag, locales) ?? locales[0]
  check.invalid(
    'i18n.defaultLocale',
    value,
    'one of i18n.locales',
    example === undefined ? `Write locales: ['${tag}'], or leave it out.` : `Write '${example}'.`,
  )
  return undefined
}
