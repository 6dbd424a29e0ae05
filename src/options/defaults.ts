import type { EntryDefaults } from '../entry/entry.ts'
import type { Check } from './check.ts'
import { DEFAULTS } from './keys.ts'
import { isFilled, isListOf, LOCALE_WORDS, localeOf } from './values.ts'
import { alternatives } from './words.ts'

/** A frozen copy of what was given. */
export function resolveDefaults(check: Check, path: string, value: unknown): EntryDefaults {
  const given = check.record(path, value, DEFAULTS)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(DEFAULTS) as (keyof EntryDefaults)[]) {
    const field = given[key]
    if (field === undefined || field === null) continue
    const [fits, expected] = DEFAULT_RULES[key]
    if (!fits(field)) check.invalid(`${path}.${key}`, field, expected, 'Mend it, or leave it out.')
    copy[key] = Array.isArray(field) ? Object.freeze([...field]) : field
  }
  return Object.freeze(copy)
}

type Rule = readonly [fits: (value: unknown) => boolean, expected: string]

const A_TEXT: Rule = [isFilled, 'text that is not empty']
const TEXTS: Rule = [(value) => isFilled(value) || isListOf(value, isFilled), 'text, or a list of texts']

const CHANGEFREQS = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'] as const
const UPDATE_PERIODS = ['hour', 'day', 'week', 'month', 'year'] as const

const DEFAULT_RULES: Readonly<Record<keyof EntryDefaults, Rule>> = {
  changefreq: [(value) => CHANGEFREQS.some((one) => one === value), alternatives(CHANGEFREQS)],
  priority: [isPriority, 'a number from 0 to 1'],
  lang: [(value) => localeOf(value) !== undefined, LOCALE_WORDS],
  robots: TEXTS,
  type: A_TEXT,
  sortOrder: [(value) => Number.isSafeInteger(value) && (value as number) >= 0, 'a whole number from 0'],
  resourceOf: A_TEXT,
  updatePeriod: [(value) => UPDATE_PERIODS.some((one) => one === value), alternatives(UPDATE_PERIODS)],
  author: TEXTS,
  categories: TEXTS,
  keywords: TEXTS,
}

function isPriority(value: unknown): boolean {
  const number = isFilled(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= 1
}
