import { cleanText } from '../formats/xml.ts'
import { normaliseLanguage } from './alternates.ts'
import type { CheckedAlternate, CheckedImage } from './checked.ts'
import type { ChangeFreq } from './entry.ts'
import { parseDate, type W3cDate } from './lastmod.ts'
import { NO_LOC, resolveUrl, type UrlRules } from './loc.ts'

/** An entry, or a part of one, as it came: any object at all. */
export type Raw = Readonly<Record<string, unknown>>

/** Hears of a field that was left out, wholly or in part. */
export type Dropped = (field: string, reason: string, loc: string) => void

/** Make final values of what an entry holds, or leave them out and say so. `loc` names the entry. */
export interface FieldReaders {
  /** Databases give 1 or '1' for true. */
  isYes(value: unknown, field: string, loc: string): boolean
  dateOf(value: unknown, field: string, loc: string): W3cDate | undefined
  changefreqOf(value: unknown, loc: string): ChangeFreq | undefined
  priorityOf(value: unknown, loc: string): string | undefined
  langOf(value: unknown, loc: string): string | undefined
  textOf(value: unknown, field: string, loc: string): string | undefined
  urlOf(value: unknown, field: string, loc: string): string | undefined
  imagesOf(value: unknown, loc: string): readonly CheckedImage[]
  alternatesOf(value: unknown, loc: string): readonly CheckedAlternate[]
  /** What `convert` gives; where it throws, the field is left out. */
  attempt<T>(field: string, loc: string, convert: () => T): T | undefined
}

const MOST_IMAGES = 1_000 // SPEC E10
/** Characters of a title, a description or a caption. */
const LONGEST_TEXT = 5_000
export const NO_IMAGES: readonly CheckedImage[] = Object.freeze([])
export const NO_ALTERNATES: readonly CheckedAlternate[] = Object.freeze([])
const CHANGEFREQS = new Set(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'])

export function createFieldReaders(
  rules: UrlRules,
  defaultLang: string | undefined,
  dropped: Dropped,
): FieldReaders {
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
    const lang = languageOf(value)
    if (lang === undefined && value !== '')
      dropped('lang', 'lang is not a language tag such as fr or fr-CA', loc)
    return lang ?? defaultLang
  }

  /** One line of clean text, or undefined where nothing is left. */
  function textOf(value: unknown, field: string, loc: string): string | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string') return oneLine(bounded(value, field, loc))
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
    dropped(field, `${field} is not text`, loc)
    return undefined
  }

  /** A whole article in a title would weigh on every page that lists it. */
  function bounded(text: string, field: string, loc: string): string {
    if (text.length <= LONGEST_TEXT) return text
    dropped(field, `${field} is longer than ${LONGEST_TEXT} characters and was cut`, loc)
    return text.slice(0, LONGEST_TEXT)
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
      const license = fields.license
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
    const url = resolveUrl(value, rules)
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
      const hreflang = languageOf(language)
      if (hreflang === undefined) {
        dropped('alternates', 'hreflang is no language tag such as fr, fr-CA or x-default', loc)
      } else if (seen.has(hreflang)) {
        dropped('alternates', 'hreflang stands twice', loc) // SPEC E78: the first stays.
      } else {
        const href = urlOf(link, 'alternate href', loc)
        if (href === undefined) return
        seen.add(hreflang)
        alternates.push({ hreflang, href })
      }
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
    return alternates
  }

  function attempt<T>(field: string, loc: string, convert: () => T): T | undefined {
    try {
      return convert()
    } catch {
      dropped(field, `${field} cannot be read`, loc)
      return undefined
    }
  }

  return { isYes, dateOf, changefreqOf, priorityOf, langOf, textOf, urlOf, imagesOf, alternatesOf, attempt }
}

const NOTHING: Raw = Object.freeze({})

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
