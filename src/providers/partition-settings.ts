import { type Check, createCheck } from '../options/check.ts'
import type { Known } from '../options/keys.ts'
import { nearest } from '../options/nearest.ts'
import { type Fields, isRecord } from '../options/values.ts'
import { quote } from '../options/words.ts'
import type { PartitionedProvider } from './provider.ts'

/** Settings of a provider that is read by partitions; they are checked where it is registered, under its section. */
export type PartitionSettings = Omit<PartitionedProvider, 'partitions' | 'entries' | 'changedSince'>

export type Awaitable<T> = T | Promise<T>

/** The list of partitions is held in memory; 100,000 of 50,000 entries are 5,000,000,000. */
export const MOST_PARTITIONS = 100_000

const SETTINGS: Known<PartitionSettings> = {
  ttl: true,
  title: true,
  defaults: true,
  formats: true,
  lang: true,
  optional: true,
  maxShrink: true,
  timeout: true,
  retries: true,
  fullEvery: true,
  latest: true,
}

/** The settings among a helper's options; a method may use `this`. */
export function settingsOf(options: PartitionSettings): PartitionSettings {
  const names = Object.keys(SETTINGS) as (keyof PartitionSettings)[]
  // Named one by one: fields of a class may be getters of its prototype, which a spread would lose.
  const given = names.map((name) => [name, options[name]] as const).filter(([, value]) => value !== undefined)
  const { latest, ...settings }: PartitionSettings = Object.fromEntries(given)
  return latest === undefined ? settings : { ...settings, latest: latest.bind(options) }
}

/**
 * Runs `check` over the options of `helper`, whose own names are `own`, and throws all faults as one error. What every
 * helper takes is checked here.
 */
export function checkOptions(
  helper: string,
  options: unknown,
  own: readonly string[],
  example: string,
  check: (check: Check, fields: Fields) => void,
): void {
  const all = createCheck()
  if (isRecord(options)) {
    refuseUnknown(all, helper, options, [...own, ...Object.keys(SETTINGS)])
    check(all, options)
    checkChanges(all, helper, options)
  } else {
    all.invalid(helper, options, 'an object', `Write ${example}.`)
  }
  const error = all.error()
  if (error !== undefined) throw error
}

/** A function that must be there, or may be left out. */
export function checkFunction(
  check: Check,
  path: string,
  value: unknown,
  wayOut: string,
  needed: boolean,
): void {
  if (value === undefined && needed) check.invalid(path, value, 'a function', wayOut)
  else check.fn(path, value, needed ? wayOut : `${wayOut.slice(0, -1)}, or leave it out.`)
}

function refuseUnknown(check: Check, helper: string, options: Fields, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue
    const near = nearest(key, known)
    const wayOut = near === undefined ? 'Leave it out.' : `Did you mean ${quote(`${helper}.${near}`)}?`
    check.invalid(`${helper}.${key}`, undefined, `one of ${known.join(', ')}`, wayOut, 'not known')
  }
}

function checkChanges(check: Check, helper: string, { changedSince, fullEvery, latest }: Fields): void {
  checkFunction(
    check,
    `${helper}.changedSince`,
    changedSince,
    'Write changedSince: ({ since }) => […].',
    false,
  )
  checkFunction(check, `${helper}.latest`, latest, 'Write latest: () => […].', false)
  check.duration(`${helper}.fullEvery`, fullEvery, '1d', { above0: true })
  if (fullEvery !== undefined && changedSince === undefined) {
    const expected = 'a setting of "changedSince", which is missing'
    check.invalid(`${helper}.fullEvery`, fullEvery, expected, 'Give "changedSince", or "ttl" in place of it.')
  }
}
