import { cleanText, escapeText } from '../formats/xml.ts'
import { normaliseLanguage } from './alternates.ts'
import type { ChangeFreq, EntryDefaults, LinkDirectives, UpdatePeriod } from './entry.ts'
import { type Fingerprint, fingerprint, NOT_PLAIN, PLAIN_WITH_AMPERSAND, scanPath } from './fingerprint.ts'
import { parseDate, type W3cDate } from './lastmod.ts'
import { LONGEST_URL, NO_LOC, type ResolveLoc, resolveUrl, type UrlRules } from './loc.ts'
import { readRobots } from './robots.ts'

/** An image as it is written. */
export interface CheckedImage {
  readonly loc: string
  readonly caption: string | undefined
  readonly geoLocation: string | undefined
  readonly title: string | undefined
  readonly license: string | undefined
}

/** A language version as it is written. */
export interface CheckedAlternate {
  readonly hreflang: string
  readonly href: string
}

/** An entry with every value final. */
export interface CheckedEntry {
  readonly loc: string
  /** `loc` as XML writes it. */
  readonly locXml: string
  readonly lastmod: W3cDate | undefined
  readonly changefreq: ChangeFreq | undefined
  /** As written: a decimal from 0 to 1 (SPEC U7). */
  readonly priority: string | undefined
  readonly images: readonly CheckedImage[]
  readonly alternates: readonly CheckedAlternate[]
  readonly lang: string | undefined
  readonly title: string | undefined
  readonly description: string | undefined
  readonly robots: LinkDirectives | undefined
}

/** What only feed items carry. Read when an entry is new enough to be one. */
export interface CheckedFeedFields {
  readonly content: string | undefined
  readonly keywords: readonly string[]
  readonly author: readonly string[]
  readonly categories: readonly string[]
  readonly guid: string | undefined
  readonly enclosure: { readonly url: string; readonly length: number; readonly type: string } | undefined
  readonly type: string | undefined
  readonly sortOrder: number | undefined
  readonly resourceOf: string | undefined
  readonly updatePeriod: UpdatePeriod | undefined
}

/** Hears of every entry left out and every field dropped. */
export interface EntryListener {
  /** `quiet` where the entry itself asked for it (noindex): counted, no fault. */
  skipped(reason: string, loc: string | undefined, quiet?: boolean): void
  dropped(field: string, reason: string, loc: string): void
}

export interface EntryRules extends UrlRules {
  readonly resolveLoc: ResolveLoc
  readonly defaults: EntryDefaults
  /** Language of entries that name none. */
  readonly lang: string | undefined
  readonly exclude: ((pathAndQuery: string) => boolean) | undefined
}

/** An entry as it came: any object at all. */
type Raw = Readonly<Record<string, unknown>>

const MOST_IMAGES = 1_000 // SPEC E10
const NO_IMAGES: readonly CheckedImage[] = Object.freeze([])
const NO_ALTERNATES: readonly CheckedAlternate[] = Object.freeze([])
const CHANGEFREQS = new Set(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'])
const PERIODS = new Set(['hour', 'day', 'week', 'month', 'year'])

/**
 * Checks and normalises entries of one section, each in isolation: what is wrong with one never reaches the next.
 * Nothing is invented and nothing of the caller's is changed or kept: values are read once and copied.
 */
export interface EntryCheck {
  /** The entry with final values, or undefined where it was left out (the listener heard why). */
  check(input: unknown): CheckedEntry | undefined
  /** Of the URL of the entry checked last, from its path on where it is on the site's host: tells entries apart. */
  readonly print: Readonly<Fingerprint>
  /** `published ?? lastmod` decides the place in a feed. */
  published(input: unknown, entry: CheckedEntry): W3cDate | undefined
  feedFields(input: unknown, entry: CheckedEntry): CheckedFeedFields
}

export function createEntryCheck(rules: EntryRules, listener: EntryListener): EntryCheck {
  const { resolveLoc, defaults, exclude, origin } = rules
  const print: Fingerprint = { high: 0, low: 0 }
  const plainPathsAreFinal = rules.scope !== 'path' && rules.trailingSlash === 'preserve'
  const longestPath = LONGEST_URL - origin.length
  const defaultRobots = readRobots(defaults.robots)
  const defaultLang = languageOf(defaults.lang ?? rules.lang)

  function check(input: unknown): CheckedEntry | undefined {
    if (typeof input === 'string' || input instanceof URL) return checkFields(input, undefined)
    if (typeof input !== 'object' || input === null) {
      // The types allow null, for a provider that maps rows to entries or to nothing.
      if (input === null || input === undefined)
        listener.skipped('entry is null or undefined', undefined, true)
      else listener.skipped(`entry is a ${typeof input}`, undefined)
      return undefined
    }
    if (Array.isArray(input)) {
      listener.skipped('entry is a list: yield its members one by one (yield* rows)', undefined)
      return undefined
    }
    const raw = input as Raw
    let loc: unknown
    try {
      loc = raw.loc ?? raw.url
      if (loc === undefined && typeof raw.href === 'string' && 'searchParams' in raw) loc = raw.href // URL of another realm
      return checkFields(loc, raw)
    } catch {
      // A getter or a conversion of the user's threw: read field by field, so that only the bad one is lost.
      return checkFields(
        loc,
        guarded(raw, (field) => listener.dropped(field, `${field} cannot be read`, sample(loc) ?? '')),
      )
    }
  }

  function checkFields(locInput: unknown, raw: Raw | undefined): CheckedEntry | undefined {
    // Nearly every entry: a plain path needs no parsing, and its joined loc is never looked at, which would copy it.
    const found =
      plainPathsAreFinal && typeof locInput === 'string' && locInput.length <= longestPath
        ? scanPath(locInput, print)
        : NOT_PLAIN
    const loc = found === NOT_PLAIN ? resolveLoc(locInput) : origin + (locInput as string)
    if (typeof loc !== 'string') {
      listener.skipped(loc.reason, sample(locInput))
      return undefined
    }
    let locXml = loc
    if (found === NOT_PLAIN || exclude !== undefined) {
      const path = loc.startsWith(origin) ? loc.slice(origin.length) : loc
      if (exclude?.(path) === true) {
        listener.skipped('excluded', loc, true)
        return undefined
      }
      fingerprint(path, print)
    }
    if (found === NOT_PLAIN || found === PLAIN_WITH_AMPERSAND) locXml = escapeText(loc)
    if (raw === undefined && defaultRobots === undefined) return plain(loc, locXml)
    const robotsInput = raw?.robots
    const robots = robotsInput === undefined || robotsInput === null ? defaultRobots : readRobots(robotsInput)
    if (robots?.noindex === true || raw?.noindex === true) {
      listener.skipped('noindex', loc, true)
      return undefined
    }
    if (raw === undefined) return { ...plain(loc, locXml), robots: robots?.link }
    return {
      loc,
      locXml,
      lastmod: dateOf(raw.lastmod, 'lastmod', loc),
      changefreq: changefreqOf(raw.changefreq ?? defaults.changefreq, loc),
      priority: priorityOf(raw.priority ?? defaults.priority, loc),
      images: imagesOf(raw.images, loc),
      alternates: alternatesOf(raw.alternates, loc),
      lang: raw.lang === undefined || raw.lang === null ? defaultLang : langOf(raw.lang, loc),
      title: textOf(raw.title, 'title', loc),
      description: textOf(raw.description, 'description', loc),
      robots: robots?.link,
    }
  }

  function plain(loc: string, locXml: string): CheckedEntry {
    return {
      loc,
      locXml,
      lastmod: undefined,
      changefreq: defaults.changefreq ?? undefined,
      priority: defaults.priority === undefined ? undefined : priorityOf(defaults.priority, loc),
      images: NO_IMAGES,
      alternates: NO_ALTERNATES,
      lang: defaultLang,
      title: undefined,
      description: undefined,
      robots: undefined,
    }
  }

  function dateOf(value: unknown, field: string, loc: string): W3cDate | undefined {
    if (value === undefined || value === null) return undefined
    const date = parseDate(value)
    if (date === undefined || 'text' in date) return date
    listener.dropped(field, `${field} ${date.reason}`, loc)
    return undefined
  }

  function changefreqOf(value: unknown, loc: string): ChangeFreq | undefined {
    if (value === undefined || value === null || value === '') return undefined
    const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
    if (CHANGEFREQS.has(word)) return word as ChangeFreq
    listener.dropped(
      'changefreq',
      'changefreq is none of always hourly daily weekly monthly yearly never',
      loc,
    )
    return undefined
  }

  /** SPEC U7: a point, never an exponent; outside 0 to 1 it is brought back, what is no number is left out. */
  function priorityOf(value: unknown, loc: string): string | undefined {
    if (value === undefined || value === null || value === '') return undefined
    const number =
      typeof value === 'number' ? value : typeof value === 'string' ? Number(value.trim() || 'x') : Number.NaN
    if (!Number.isFinite(number)) {
      listener.dropped('priority', 'priority is not a number from 0.0 to 1.0', loc)
      return undefined
    }
    if (number < 0 || number > 1)
      listener.dropped('priority', 'priority lies outside 0.0 to 1.0 and was brought back', loc)
    const rounded = Math.round(Math.min(1, Math.max(0, number)) * 1000) / 1000
    return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded)
  }

  function langOf(value: unknown, loc: string): string | undefined {
    const lang = languageOf(value)
    if (lang === undefined && value !== '')
      listener.dropped('lang', 'lang is not a language tag such as fr or fr-CA', loc)
    return lang ?? defaultLang
  }

  /** One line of clean text, or undefined where nothing is left. */
  function textOf(value: unknown, field: string, loc: string): string | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string') return oneLine(value)
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
    listener.dropped(field, `${field} is not text`, loc)
    return undefined
  }

  function imagesOf(value: unknown, loc: string): readonly CheckedImage[] {
    if (value === undefined || value === null) return NO_IMAGES
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    const images: CheckedImage[] = []
    for (const image of list) {
      if (images.length === MOST_IMAGES) {
        listener.dropped('images', 'images beyond 1,000', loc)
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
        if (image !== NO_LOC) listener.dropped('images', image.reason.replace('loc', 'image loc'), loc)
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
      listener.dropped('images', 'image cannot be read', loc)
      return undefined
    }
  }

  function urlOf(value: unknown, field: string, loc: string): string | undefined {
    const url = resolveUrl(value, rules)
    if (typeof url === 'string') return url
    if (url !== NO_LOC) listener.dropped(field, url.reason.replace('loc', field), loc)
    return undefined
  }

  function alternatesOf(value: unknown, loc: string): readonly CheckedAlternate[] {
    if (value === undefined || value === null) return NO_ALTERNATES
    if (typeof value !== 'object') {
      listener.dropped('alternates', 'alternates is neither a list nor { language: URL }', loc)
      return NO_ALTERNATES
    }
    const pairs: Iterable<readonly [unknown, unknown]> = Array.isArray(value)
      ? pairsOf(value)
      : Object.entries(value)
    const alternates: CheckedAlternate[] = []
    const seen = new Set<string>()
    for (const [language, link] of pairs) {
      const hreflang = languageOf(language)
      if (hreflang === undefined) {
        listener.dropped('alternates', 'hreflang is no language tag such as fr, fr-CA or x-default', loc)
        continue
      }
      if (seen.has(hreflang)) {
        listener.dropped('alternates', 'hreflang stands twice', loc) // SPEC E78: the first stays.
        continue
      }
      const href = urlOf(link, 'alternate href', loc)
      if (href === undefined) continue
      seen.add(hreflang)
      alternates.push({ hreflang, href })
    }
    return alternates
  }

  function published(input: unknown, entry: CheckedEntry): W3cDate | undefined {
    const raw = rawOf(input)
    if (raw === undefined) return undefined
    try {
      return dateOf(raw.published, 'published', entry.loc)
    } catch {
      listener.dropped('published', 'published cannot be read', entry.loc)
      return undefined
    }
  }

  function feedFields(input: unknown, entry: CheckedEntry): CheckedFeedFields {
    const raw = guarded(rawOf(input) ?? {}, (field) =>
      listener.dropped(field, `${field} cannot be read`, entry.loc),
    )
    const { loc } = entry
    const content = raw.content
    const sortOrder = raw.sortOrder ?? defaults.sortOrder
    return {
      content: typeof content === 'string' && content !== '' ? cleanText(content) : undefined,
      keywords: textsOf(splitAtCommas(raw.keywords ?? defaults.keywords)),
      author: textsOf(raw.author ?? defaults.author),
      categories: textsOf(splitAtCommas(raw.categories ?? defaults.categories)),
      guid: textOf(raw.guid, 'guid', loc),
      enclosure: enclosureOf(raw.enclosure, loc),
      type: textOf(raw.type ?? defaults.type, 'type', loc),
      sortOrder:
        typeof sortOrder === 'number' && Number.isSafeInteger(sortOrder) && sortOrder >= 0
          ? sortOrder
          : undefined,
      resourceOf: textOf(raw.resourceOf ?? defaults.resourceOf, 'resourceOf', loc),
      updatePeriod: periodOf(raw.updatePeriod ?? defaults.updatePeriod, entry),
    }
  }

  function enclosureOf(value: unknown, loc: string): CheckedFeedFields['enclosure'] {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'object') {
      listener.dropped('enclosure', 'enclosure is not { url, length, type }', loc)
      return undefined
    }
    const fields = value as Raw
    const url = urlOf(fields.url, 'enclosure url', loc)
    const type = textOf(fields.type, 'enclosure type', loc)
    if (url === undefined || type === undefined) {
      listener.dropped('enclosure', 'enclosure lacks url or type', loc) // SPEC F26: all three are needed.
      return undefined
    }
    const length = Number(fields.length ?? 0)
    return { url, type, length: Number.isSafeInteger(length) && length >= 0 ? length : 0 }
  }

  /** SPEC 5, mapping: `changefreq` speaks where no period was given; `never` says nothing. */
  function periodOf(value: unknown, entry: CheckedEntry): UpdatePeriod | undefined {
    if (value !== undefined && value !== null) {
      if (typeof value === 'string' && PERIODS.has(value)) return value as UpdatePeriod
      listener.dropped('updatePeriod', 'updatePeriod is none of hour day week month year', entry.loc)
    }
    switch (entry.changefreq) {
      case 'always':
      case 'hourly':
        return 'hour'
      case 'daily':
        return 'day'
      case 'weekly':
        return 'week'
      case 'monthly':
        return 'month'
      case 'yearly':
        return 'year'
      default:
        return undefined
    }
  }

  return { check, print, published, feedFields }
}

function rawOf(input: unknown): Raw | undefined {
  return typeof input === 'object' && input !== null && !(input instanceof URL) ? (input as Raw) : undefined
}

/** `raw` with every read guarded: a getter that throws gives undefined and is heard of. */
function guarded(raw: Raw, failed: (field: string) => void): Raw {
  return new Proxy(raw, {
    get(target, field) {
      let value: unknown
      try {
        value = Reflect.get(target, field)
        // A conversion that throws (a date-like object) would be met again later: try it here.
        if (field === 'lastmod' || field === 'published') parseDate(value)
        return value
      } catch {
        if (typeof field === 'string') failed(field)
        return undefined
      }
    },
  })
}

function languageOf(value: unknown): string | undefined {
  return typeof value === 'string' ? normaliseLanguage(value) : undefined
}

const NOT_ONE_LINE = /^\s|\s$|[^\S ]| {2}/

/** Clean text without line ends and doubled spaces, or undefined where none is left. */
function oneLine(text: string): string | undefined {
  const clean = cleanText(text)
  const line = NOT_ONE_LINE.test(clean) ? clean.trim().replace(/\s+/g, ' ') : clean
  return line === '' ? undefined : line
}

/** A list of texts, or a single one. */
function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list
    .map((member) => (typeof member === 'string' ? oneLine(member) : undefined))
    .filter((text) => text !== undefined)
}

/** META keywords are one text with commas between (SPEC R11), categories often too; a name may hold one (`Smith, Ann`). */
function splitAtCommas(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',') : value
}

function* pairsOf(list: readonly unknown[]): Generator<readonly [unknown, unknown]> {
  for (const member of list) {
    if (typeof member !== 'object' || member === null) yield [undefined, undefined]
    else yield [(member as Raw).hreflang ?? (member as Raw).lang, (member as Raw).href ?? (member as Raw).url]
  }
}

/** What a report shows of a value that is no URL. */
function sample(value: unknown): string | undefined {
  if (value instanceof URL) return value.href.slice(0, 200)
  return typeof value === 'string' ? value.slice(0, 200) : undefined
}
