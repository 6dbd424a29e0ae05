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

  // What is found wrong waits here until the entry is done, so that an entry looked at twice is reported once.
  let skip: { readonly reason: string; readonly loc: string | undefined; readonly quiet: boolean } | undefined
  const drops: { readonly field: string; readonly reason: string; readonly loc: string }[] = []

  function skipped(reason: string, loc: string | undefined, quiet = false): undefined {
    skip = { reason, loc, quiet }
  }

  function dropped(field: string, reason: string, loc: string): void {
    drops.push({ field, reason, loc })
  }

  /** Tells the listener, which may throw (onInvalid). */
  function tell(): void {
    const said = skip
    skip = undefined
    if (said !== undefined) listener.skipped(said.reason, said.loc, said.quiet)
    for (const { field, reason, loc } of drops.splice(0)) listener.dropped(field, reason, loc)
  }

  function check(input: unknown): CheckedEntry | undefined {
    let entry: CheckedEntry | undefined
    try {
      entry = checkValue(input)
    } catch {
      // A getter or a conversion of the user's threw: looked at field by field, so that only the bad one is lost.
      drops.length = 0
      entry = checkApart(input as Raw)
    }
    if (skip !== undefined || drops.length > 0) tell()
    return entry
  }

  function checkValue(input: unknown): CheckedEntry | undefined {
    if (typeof input === 'string' || input instanceof URL) return checkFields(input, undefined)
    // The types allow null, for a provider that maps rows to entries or to nothing.
    if (input === null || input === undefined) return skipped('entry is null or undefined', undefined, true)
    if (typeof input !== 'object') return skipped(`entry is a ${typeof input}`, undefined)
    if (Array.isArray(input))
      return skipped('entry is a list: yield its members one by one (yield* rows)', undefined)
    return checkFields(locOf(input as Raw), input as Raw)
  }

  /** An entry whose reading threw. Every field is tried by itself; what throws is left out and reported. */
  function checkApart(raw: Raw): CheckedEntry | undefined {
    let loc: unknown
    try {
      loc = locOf(raw)
      checkFields(loc, SAYS_NOTHING)
    } catch {
      return skipped('loc cannot be read', undefined)
    }
    if (skip !== undefined) return undefined
    const readable: Record<string, unknown> = {}
    const failed: string[] = []
    for (const field of FIELDS) {
      try {
        const value = raw[field]
        checkFields(loc, { ...SAYS_NOTHING, [field]: value })
        readable[field] = value
      } catch {
        failed.push(field)
      }
    }
    drops.length = 0
    skip = undefined
    try {
      const entry = checkFields(loc, readable)
      for (const field of failed) dropped(field, `${field} cannot be read`, entry?.loc ?? sample(loc) ?? '')
      return entry
    } catch {
      // Now it throws, now it does not: nothing of it can be relied on.
      drops.length = 0
      return skipped('entry cannot be read', sample(loc))
    }
  }

  function checkFields(locInput: unknown, raw: Raw | undefined): CheckedEntry | undefined {
    // Nearly every entry: a plain path needs no parsing, and its joined loc is never looked at, which would copy it.
    const found =
      plainPathsAreFinal && typeof locInput === 'string' && locInput.length <= longestPath
        ? scanPath(locInput, print)
        : NOT_PLAIN
    const loc = found === NOT_PLAIN ? resolveLoc(locInput) : origin + (locInput as string)
    if (typeof loc !== 'string') return skipped(loc.reason, sample(locInput))
    let locXml = loc
    if (found === NOT_PLAIN || exclude !== undefined) {
      const isOwn = loc.startsWith(origin) && loc.charCodeAt(origin.length) === SLASH
      const path = loc.slice(isOwn ? origin.length : loc.indexOf('/', 'https://'.length))
      if (exclude?.(path) === true) return skipped('excluded', loc, true)
      fingerprint(isOwn ? path : loc, print)
    }
    if (found === NOT_PLAIN || found === PLAIN_WITH_AMPERSAND) locXml = escapeText(loc)
    if (raw === undefined && defaultRobots === undefined) return plain(loc, locXml)
    const robotsInput = raw?.robots
    const robots = robotsInput === undefined || robotsInput === null ? defaultRobots : readRobots(robotsInput)
    if (robots?.noindex === true || raw?.noindex === true) return skipped('noindex', loc, true)
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
    if (typeof value === 'string') return oneLine(value)
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
    dropped(field, `${field} is not text`, loc)
    return undefined
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

  function published(input: unknown, entry: CheckedEntry): W3cDate | undefined {
    const date = attempt('published', entry.loc, () => dateOf(rawOf(input).published, 'published', entry.loc))
    tell()
    return date
  }

  function feedFields(input: unknown, entry: CheckedEntry): CheckedFeedFields {
    const raw = rawOf(input)
    const { loc } = entry
    const read = <T>(field: string, convert: (value: unknown) => T): T | undefined =>
      attempt(field, loc, () => convert(raw[field] ?? (defaults as Raw)[field]))
    const text = (field: string): string | undefined => read(field, (value) => textOf(value, field, loc))
    const fields = {
      content: read('content', (value) =>
        typeof value === 'string' && value !== '' ? cleanText(value) : undefined,
      ),
      keywords: read('keywords', (value) => textsOf(splitAtCommas(value))) ?? [],
      author: read('author', textsOf) ?? [],
      categories: read('categories', (value) => textsOf(splitAtCommas(value))) ?? [],
      guid: text('guid'),
      enclosure: read('enclosure', (value) => enclosureOf(value, loc)),
      type: text('type'),
      sortOrder: read('sortOrder', (value) =>
        typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined,
      ),
      resourceOf: text('resourceOf'),
      updatePeriod: read('updatePeriod', (value) => periodOf(value, entry)),
    }
    tell()
    return fields
  }

  function attempt<T>(field: string, loc: string, convert: () => T): T | undefined {
    try {
      return convert()
    } catch {
      dropped(field, `${field} cannot be read`, loc)
      return undefined
    }
  }

  function enclosureOf(value: unknown, loc: string): CheckedFeedFields['enclosure'] {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'object') {
      dropped('enclosure', 'enclosure is not { url, length, type }', loc)
      return undefined
    }
    const fields = value as Raw
    const url = urlOf(fields.url, 'enclosure url', loc)
    const type = textOf(fields.type, 'enclosure type', loc)
    if (url === undefined || type === undefined) {
      dropped('enclosure', 'enclosure lacks url or type', loc) // SPEC F26: all three are needed.
      return undefined
    }
    const length = ['number', 'string', 'bigint'].includes(typeof fields.length) ? Number(fields.length) : 0
    return { url, type, length: Number.isSafeInteger(length) && length >= 0 ? length : 0 }
  }

  /** SPEC 5, mapping: `changefreq` speaks where no period was given; `never` says nothing. */
  function periodOf(value: unknown, entry: CheckedEntry): UpdatePeriod | undefined {
    if (value !== undefined && value !== null) {
      if (typeof value === 'string' && PERIODS.has(value)) return value as UpdatePeriod
      dropped('updatePeriod', 'updatePeriod is none of hour day week month year', entry.loc)
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

/** What `check` reads beside loc. */
const FIELDS = [
  'lastmod',
  'changefreq',
  'priority',
  'images',
  'alternates',
  'lang',
  'title',
  'description',
  'robots',
  'noindex',
] as const

const NOTHING: Raw = Object.freeze({})
/** An entry that a default of noindex leaves in. */
const SAYS_NOTHING: Raw = Object.freeze({ robots: 'all' })
const SLASH = 47

function rawOf(input: unknown): Raw {
  return typeof input === 'object' && input !== null ? (input as Raw) : NOTHING
}

function locOf(raw: Raw): unknown {
  const loc = raw.loc ?? raw.url
  // A URL of another realm.
  return loc === undefined && typeof raw.href === 'string' && 'searchParams' in raw ? raw.href : loc
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

/** What a report shows of a value that is no URL. */
function sample(value: unknown): string | undefined {
  if (value instanceof URL) return value.href.slice(0, 200)
  return typeof value === 'string' ? value.slice(0, 200) : undefined
}
