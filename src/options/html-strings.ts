import { type HtmlStrings, stringsFor } from '../formats/html-strings.ts'
import type { Check } from './check.ts'
import type { Known, Names } from './keys.ts'
import type { ResolvedOptions } from './resolved.ts'
import { isRecord, isText } from './values.ts'
import { walkable } from './walkable.ts'

/** Every word of the page, by the name it has in English. */
const WORDS: Names = Object.fromEntries(Object.keys(stringsFor('en')).map((name) => [name, true]))

const PLURALS: Known<Record<Intl.LDMLPluralRule, unknown>> = {
  zero: true,
  one: true,
  two: true,
  few: true,
  many: true,
  other: true,
}

const OURS = 'Leave it out for ours.'

/** Words of the user's by language tag. */
export function resolveStrings(check: Check, value: unknown): ResolvedOptions['html']['strings'] {
  if (value === undefined) return Object.freeze({})
  const path = 'html.strings'
  const walked = walkable(value)
  if (!isRecord(value) || walked !== undefined) {
    const wayOut = "Write { en: { sitemap: 'Site map' } }, or leave it out for ours."
    check.invalid(path, value, 'an object with words by language tag', wayOut, walked?.what)
    return {}
  }
  const seen = new Set<string>()
  const strings = new Map<string, Partial<HtmlStrings>>()
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue
    check.language(`${path}.${key}`, key, undefined)
    if (seen.has(key.toLowerCase())) {
      const expected = 'a language of its own, and this one stands before (case does not count)'
      check.invalid(`${path}.${key}`, key, expected, 'Put the words of both into one.')
    }
    seen.add(key.toLowerCase())
    strings.set(key, resolveWords(check, `${path}.${key}`, value[key]))
  }
  return Object.freeze(Object.fromEntries(strings))
}

function resolveWords(check: Check, path: string, value: unknown): Partial<HtmlStrings> {
  const given = check.record(path, value, WORDS)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(WORDS)) {
    const words = given[name]
    if (words === undefined) continue
    const at = `${path}.${name}`
    copy[name] = name === 'entries' ? resolveEntries(check, at, words) : check.text(at, words, '', OURS)
  }
  return Object.freeze(copy)
}

/** By plural category of the language; one text stands for all. */
function resolveEntries(check: Check, path: string, value: unknown): HtmlStrings['entries'] {
  if (isText(value)) return Object.freeze({ other: check.text(path, value, '', OURS) })
  const given = check.record(path, value, PLURALS)
  const copy: { [category in Intl.LDMLPluralRule]?: string } = {}
  for (const category of Object.keys(PLURALS) as Intl.LDMLPluralRule[]) {
    const text = check.text(`${path}.${category}`, given[category], undefined, "Write '{n} entries'.")
    if (text !== undefined) copy[category] = text
  }
  const { other = '' } = copy
  if (isRecord(value) && given.other === undefined)
    check.invalid(`${path}.other`, undefined, 'the text of all other counts', "Write '{n} entries'.")
  return Object.freeze({ ...copy, other })
}
