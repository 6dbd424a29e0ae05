/** An entry check on the site of the tests, for the tests of what it reads. */
import { createEntryCheck, type EntryCheck, type EntryRules } from '../../src/entry/check.ts'
import type { CheckedEntry } from '../../src/entry/checked.ts'
import { createLocResolver } from '../../src/entry/loc.ts'

export const ORIGIN = 'https://www.example.com'

const site = {
  siteUrl: `${ORIGIN}/`,
  origin: ORIGIN,
  scope: 'host',
  directory: '/',
  trailingSlash: 'preserve',
  defaults: {},
  lang: undefined,
  exclude: undefined,
  news: { name: 'The Example Times', language: 'en' },
  namespaces: [
    ['shop', 'https://example.com/ns/shop'],
    ['geo', 'https://example.com/ns/geo'],
  ],
} as const

/** What may differ from the site of the tests. */
export type Rules = Partial<Omit<EntryRules, 'resolveLoc'>>

export interface Heard {
  readonly skipped: { reason: string; loc: string | undefined; quiet: boolean }[]
  readonly dropped: { field: string; reason: string }[]
  readonly noted: string[]
}

/** A check, and what its listener hears. */
export function createCheck(more: Rules = {}): EntryCheck & Heard {
  const rules = { ...site, ...more }
  const heard: Heard = { skipped: [], dropped: [], noted: [] }
  const entries = createEntryCheck(
    { ...rules, resolveLoc: createLocResolver(rules) },
    {
      skipped: (reason, loc, quiet = false) => heard.skipped.push({ reason, loc, quiet }),
      dropped: (field, reason) => heard.dropped.push({ field, reason }),
      noted: (reason) => heard.noted.push(reason),
    },
  )
  return { ...entries, ...heard }
}

/** The entry, which must be taken, the fields that were dropped, why, and what was noted. */
export function taken(
  input: unknown,
  more: Rules = {},
): { entry: CheckedEntry; dropped: string[]; reasons: string[]; noted: string[] } {
  const { check, dropped, skipped, noted } = createCheck(more)
  const entry = check(input)
  if (entry === undefined) throw new Error(`left out: ${skipped.map(({ reason }) => reason)}`)
  return {
    entry,
    dropped: dropped.map(({ field }) => field),
    reasons: dropped.map(({ reason }) => reason),
    noted,
  }
}
