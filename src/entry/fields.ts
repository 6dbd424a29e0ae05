import { cleanText } from '../formats/xml.ts'
import { normaliseLanguage, readLanguage } from './alternates.ts'
import type { CheckedAlternate, CheckedImage } from './checked.ts'
import type { ChangeFreq } from './entry.ts'
import { parseDate, type W3cDate } from './lastmod.ts'
import { createLocResolver, NO_LOC, resolveUrl, type UrlFault, type UrlRules } from './loc.ts'

/** An entry, or a part of one, as it came: any object at all. */
export type Raw = Readonly<Record<string, unknown>>

/** Hears of a field that was left out, wholly or in part. */
export type Dropped = (field: string, reason: string, loc: string) => void

/** Hears of what is worth a look and left nothing out. */
export type Noted = (reason: string, loc: string) => void

/** Make final values of what an entry holds, or leave them out and say so. `loc` names the entry. */
export interface FieldReaders {
  /** Databases give 1 or '1' for true. */
  isYes(value: unknown, field: string, loc: string): boolean
  dateOf(value: unknown, field: string, loc: string): W3cDate | undefined
  changefreqOf(value: unknown, loc: string): ChangeFreq | undefined
  priorityOf(value: unknown, loc: string): string | undefined
  langOf(value: unknown, loc: string): string | undefined
  /** One line of clean text; cut where it has more than `longest` characters, 5,000 if not given. */
  textOf(value: unknown, field: string, loc: string, longest?: number): string | undefined
  /** The different members of a list, or of a text with commas between, each as {@link textOf} makes it; the first `most`. */
  textsOf(value: unknown, field: string, loc: string, most: number): string[]
  urlOf(value: unknown, field: string, loc: string): string | undefined
  groupOf(value: unknown, loc: string): string | undefined
  imagesOf(value: unknown, loc: string): readonly CheckedImage[]
  alternatesOf(value: unknown, loc: string): readonly CheckedAlternate[]
  /** What `convert` gives; where it throws, the field is left out. */
  attempt<T>(field: string, loc: string, convert: () => T): T | undefined
  /** Reads the fields of an object within an entry, called `what` in reports: a getter that throws loses its own field only. */
  readerOf(raw: Raw, what: string, loc: string): ReadField
}

/** One field, by its name. */
type ReadField = <T>(
  name: string,
  convert: (value: unknown, field: string, loc: string) => T,
) => T | undefined

const MOST_IMAGES = 1_000 // SPEC E10
/** Characters of a title, a description or a caption: a whole article there would weigh on every page that lists it. */
export const LONGEST_TEXT = 5_000
export const NO_IMAGES: readonly CheckedImage[] = Object.freeze([])
export const NO_ALTERNATES: readonly CheckedAlternate[] = Object.freeze([])
const CHANGEFREQS = new Set(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'])

export function createFieldReaders(
  rules: UrlRules,
  defaultLang: string | undefined,
  dropped: Dropped,
  noted: Noted,
): FieldReaders {
  const { origin, trailingSlash } = rules
  const resolvePage = createLocResolver({ ...rules, scope: 'off' })

  function isYes(value: unknown, field: string, loc: string): boolean {
    if (value === undefined || value === null || value === false || value === 0 || value === '') return false
    const word = String(value).trim().toLowerCase()
    if (['true', '1', 'yes'].includes(word)) return true
    // Said in an odd way, but hardly for a page to be shown: the report tells.
    if (!['false', '0', 'no'].includes(word)) dropped(field, `${field} is neither true nor false`, loc)
    return false
  }

  function dateOf(value: unknown, field: string, loc: string): W3cDate | undefined {
    if (value === undefined || value === null) return undefined
    const date = parseDate(value)
    if (date === undefined || 'text' in date) return date
    dropped(field, `${field} ${date.reason}`, loc)
    return undefined
  }

  function changefreqOf(value: unknown, loc: string): ChangeFreq | undefined {
    if (value === undefined || value === null || value === '') return undefined
    const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
    if (CHANGEFREQS.has(word)) return word as ChangeFreq
    dropped('changefreq', 'changefreq is none of always hourly daily weekly monthly yearly never', loc)
    return undefined
  }

  /** SPEC U7: a point, never an exponent; outside 0 to 1 it is brought back, what is no number is left out. */
  function priorityOf(value: unknown, loc: string): string | undefined {
    if (value === undefined || value === null || value === '') return undefined
    const number =
      typeof value === 'number' ? value : typeof value === 'string' ? Number(value.trim() || 'x') : Number.NaN
    if (!Number.isFinite(number)) {
      dropped('priority', 'priority is not a number from 0.0 to 1.0', loc)
      return undefined
    }
    if (number < 0 || number > 1)
      dropped('priority', 'priority lies outside 0.0 to 1.0 and was brought back', loc)
    const rounded = Math.round(Math.min(1, Math.max(0, number)) * 1000) / 1000
    return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded)
  }

  function langOf(value: unknown, loc: string): string | undefined {
    const { tag, remark } = typeof value === 'string' ? readLanguage(value) : NO_LANGUAGE
    if (tag === undefined && value !== '') dropped('lang', `lang ${remark}`, loc)
    if (tag !== undefined && remark !== undefined) noted(`lang ${remark}`, loc)
    return tag ?? defaultLang
  }

  function textOf(
    value: unknown,
    field: string,
    loc: string,
    longest: number = LONGEST_TEXT,
  ): string | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string') {
      const text = value.length > LONGEST_TEXT ? cutAt(value, LONGEST_TEXT) : value
      const line = oneLine(text)
      if (line === undefined || value.length <= longest) return line
      const short = firstCharacters(line, longest)
      if (short !== line || text !== value)
        dropped(field, `${field} is longer than ${longest} characters and was cut`, loc)
      return short
    }
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
    dropped(field, `${field} is not text`, loc)
    return undefined
  }

  function textsOf(value: unknown, field: string, loc: string, most: number): string[] {
    if (value === undefined || value === null) return []
    const texts = new Set<string>()
    for (const member of membersOf(value, field, loc)) {
      const text = textOf(member, field, loc)
      if (text === undefined || texts.has(text)) continue
      if (texts.size === most) {
        dropped(field, `${field} beyond ${most}`, loc)
        break
      }
      texts.add(text)
    }
    return [...texts]
  }

  function membersOf(value: unknown, field: string, loc: string): readonly unknown[] {
    if (typeof value !== 'string') return Array.isArray(value) ? value : [value]
    if (value.length <= LONGEST_TEXT) return value.split(',')
    dropped(field, `${field} is longer than ${LONGEST_TEXT} characters and was cut`, loc)
    return cutAt(value, LONGEST_TEXT).split(',')
  }

  function groupOf(value: unknown, loc: string): string | undefined {
    return typeof value === 'bigint' ? String(value) : textOf(value, 'group', loc)
  }

  function imagesOf(value: unknown, loc: string): readonly CheckedImage[] {
    if (value === undefined || value === null) return NO_IMAGES
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    const images: CheckedImage[] = []
    for (const image of list) {
      if (images.length === MOST_IMAGES) {
        dropped('images', 'images beyond 1,000', loc)
        break
      }
      const checked = imageOf(image, loc)
      if (checked !== undefined) images.push(checked)
    }
    return images
  }

  function imageOf(value: unknown, loc: string): CheckedImage | undefined {
    if (value === undefined || value === null || value === '') return undefined
    try {
      const fields = typeof value === 'object' && !(value instanceof URL) ? (value as Raw) : undefined
      const location = fields === undefined ? value : (fields.loc ?? fields.url ?? fields.href)
      const image = resolveUrl(location, rules)
      if (typeof image !== 'string') {
        if (image !== NO_LOC) dropped('images', image.reason.replace('loc', 'image loc'), loc)
        return undefined
      }
      if (fields === undefined)
        return {
          loc: image,
          caption: undefined,
          geoLocation: undefined,
          title: undefined,
          license: undefined,
        }
      const { license } = fields
      if (fields.geoLocation === undefined && fields.geo_location !== undefined)
        dropped('images', 'image geo_location is not read: write geoLocation', loc)
      return {
        loc: image,
        caption: textOf(fields.caption, 'image caption', loc),
        geoLocation: textOf(fields.geoLocation, 'image geoLocation', loc),
        title: textOf(fields.title, 'image title', loc),
        license: license === undefined || license === null ? undefined : urlOf(license, 'image license', loc),
      }
    } catch {
      dropped('images', 'image cannot be read', loc)
      return undefined
    }
  }

  function urlOf(value: unknown, field: string, loc: string): string | undefined {
    return usable(resolveUrl(value, rules), field, loc)
  }

  function usable(url: string | UrlFault, field: string, loc: string): string | undefined {
    if (typeof url === 'string') return url
    if (url !== NO_LOC) dropped(field, url.reason.replace('loc', field), loc)
    return undefined
  }

  function alternatesOf(value: unknown, loc: string): readonly CheckedAlternate[] {
    if (value === undefined || value === null) return NO_ALTERNATES
    if (typeof value !== 'object') {
      dropped('alternates', 'alternates is neither a list nor { language: URL }', loc)
      return NO_ALTERNATES
    }
    const alternates: CheckedAlternate[] = []
    const seen = new Set<string>()
    const add = (language: unknown, link: unknown): void => {
      const alternate = alternateOf(language, link, seen, loc)
      if (alternate !== undefined) alternates.push(alternate)
    }
    if (Array.isArray(value)) {
      for (const member of value as readonly unknown[])
        attempt('alternates', loc, () => {
          const fields = rawOf(member)
          add(fields.hreflang ?? fields.lang, fields.href ?? fields.url)
        })
    } else {
      for (const language of Object.keys(value))
        attempt('alternates', loc, () => add(language, (value as Raw)[language]))
    }
    if (alternates.length > 0 && !alternates.some(({ href }) => href === loc))
      noted('alternates do not list the entry itself (SPEC E71)', loc)
    return alternates
  }

  function alternateOf(
    language: unknown,
    link: unknown,
    seen: Set<string>,
    loc: string,
  ): CheckedAlternate | undefined {
    const { tag, remark } = typeof language === 'string' ? readLanguage(language) : NO_LANGUAGE
    if (tag === undefined) {
      dropped('alternates', `hreflang ${remark}`, loc)
      return undefined
    }
    if (remark !== undefined) noted(`hreflang ${remark}`, loc)
    if (seen.has(tag)) {
      dropped('alternates', 'hreflang stands twice', loc) // SPEC E78: the first stays.
      return undefined
    }
    const href = pageUrlOf(link, 'alternate href', loc)
    if (href === undefined) return undefined
    seen.add(tag)
    return { hreflang: tag, href }
  }

  /** A page of the site is written as its own entry is: with the slash that `trailingSlash` says (SPEC E72). */
  function pageUrlOf(value: unknown, field: string, loc: string): string | undefined {
    const url = urlOf(value, field, loc)
    if (url === undefined || trailingSlash === 'preserve' || !url.startsWith(`${origin}/`)) return url
    return usable(resolvePage(url), field, loc)
  }

  function attempt<T>(field: string, loc: string, convert: () => T): T | undefined {
    try {
      return convert()
    } catch {
      dropped(field, `${field} cannot be read`, loc)
      return undefined
    }
  }

  function readerOf(raw: Raw, what: string, loc: string): ReadField {
    return (name, convert) => {
      const field = `${what} ${name}`
      return attempt(field, loc, () => convert(raw[name], field, loc))
    }
  }

  return {
    isYes,
    dateOf,
    changefreqOf,
    priorityOf,
    langOf,
    textOf,
    textsOf,
    urlOf,
    groupOf,
    imagesOf,
    alternatesOf,
    attempt,
    readerOf,
  }
}

const NOTHING: Raw = Object.freeze({})
const NO_LANGUAGE = readLanguage('')

/** `input` as something that has fields. */
export function rawOf(input: unknown): Raw {
  return typeof input === 'object' && input !== null ? (input as Raw) : NOTHING
}

export function languageOf(value: unknown): string | undefined {
  return typeof value === 'string' ? normaliseLanguage(value) : undefined
}

const NOT_ONE_LINE = /^\s|\s$|[^\S ]| {2}/

/** Clean text without line ends and doubled spaces, or undefined where none is left. */
export function oneLine(text: string): string | undefined {
  const clean = cleanText(text)
  const line = NOT_ONE_LINE.test(clean) ? clean.trim().replace(/\s+/g, ' ') : clean
  return line === '' ? undefined : line
}

/** `value` where it is an object that says more of a URL than the URL; undefined where it is the URL. */
export function partsOf(value: unknown): Raw | undefined {
  if (typeof value !== 'object' || value === null || value instanceof URL) return undefined
  return value as Raw
}

/** The first `length` code units, without half of a character at the end. */
export function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** The first `count` characters, counted as schemas count them: code points. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let left = count; left > 0 && end < text.length; left--)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return end >= text.length ? text : text.slice(0, end).trimEnd()
}
