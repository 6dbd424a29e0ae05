import { languageTag } from './html-language.ts'
import { type HtmlStrings, mergeWords, type OwnStrings, wordsFor } from './html-strings.ts'

/** Words, numbers, dates and counts as a language writes them. */
export interface Wording {
  readonly strings: HtmlStrings
  readonly number: (value: number) => string
  /** `12 entries`. */
  readonly entries: (count: number) => string
  /** `Page 2 of 13`. */
  readonly pageOf: (page: number, pages: number) => string
  /** Day of a W3C date as that date itself names it, whatever its zone; undefined where it is none. */
  readonly day: (date: string) => string | undefined
}

/** The words and forms of a language tag. A tag that Intl does not take counts as English. */
export function wordingFor(language: string, own: OwnStrings = {}): Wording {
  const words = wordsFor(language, own)
  const strings = mergeWords(words)
  const tag = supportedTag(language)
  const numbers = new Intl.NumberFormat(tag)
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  // The rules belong to the words, which may be the English ones of a page in another language.
  const counted = words.find((source) => source.strings.entries !== undefined)
  const plurals = new Intl.PluralRules(supportedTag(counted?.language ?? 'en'))
  const number = (value: number): string => numbers.format(value)
  return {
    strings,
    number,
    entries: (count) =>
      fill(strings.entries[plurals.select(count)] ?? strings.entries.other, { n: number(count) }),
    pageOf: (page, pages) => fill(strings.page, { page: number(page), pages: number(pages) }),
    day: (date) => {
      const midnight = new Date(date.slice(0, 10))
      return Number.isNaN(midnight.getTime()) ? undefined : days.format(midnight)
    },
  }
}

/** `template` with `{name}` replaced by the value of that name. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}

/** A tag that this Node has data for. Without data Intl would take the language of the machine. */
function supportedTag(language: string): string {
  const tag = languageTag(language)
  return tag !== undefined && Intl.NumberFormat.supportedLocalesOf(tag).length > 0 ? tag : 'en'
}
