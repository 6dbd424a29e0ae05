import { escapeText } from '../formats/xml.ts'
import type { CheckedEntry, CheckedFeedFields, CheckedNews } from './checked.ts'
import type { EntryDefaults } from './entry.ts'
import { createExtensionsReader, NO_EXTENSIONS } from './extensions.ts'
import { createFeedFieldsReader } from './feed-fields.ts'
import { createFieldReaders, languageOf, NO_ALTERNATES, NO_IMAGES, type Raw, rawOf } from './fields.ts'
import { type Fingerprint, fingerprint, NOT_PLAIN, PLAIN_WITH_AMPERSAND, scanPath } from './fingerprint.ts'
import type { W3cDate } from './lastmod.ts'
import { LONGEST_URL, type ResolveLoc, type UrlRules } from './loc.ts'
import { createNewsReader, type NewsRules } from './news.ts'
import { readRobots } from './robots.ts'
import { createVideosReader, NO_VIDEOS } from './videos.ts'

/** Hears of every entry left out and every field dropped. */
export interface EntryListener {
  /** `quiet` where the entry itself asked for it (noindex): counted, no fault. */
  skipped(reason: string, loc: string | undefined, quiet?: boolean): void
  dropped(field: string, reason: string, loc: string): void
  /** Something worth a look that left nothing out: never a fault. */
  noted(reason: string, loc: string): void
}

export interface EntryRules extends UrlRules {
  readonly resolveLoc: ResolveLoc
  readonly defaults: EntryDefaults
  /** Language of entries that name none. */
  readonly lang: string | undefined
  readonly exclude: ((pathAndQuery: string) => boolean) | undefined
  /** Undefined where the section writes no news: then `news` of an entry is not read. */
  readonly news: NewsRules | undefined
  /** Namespaces that `extensions` may use, in the order that decides their bits (formats/urlset.ts). */
  readonly namespaces: readonly (readonly [prefix: string, uri: string])[]
}

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
  const readers = createFieldReaders(rules, defaultLang, dropped, noted)
  const { isYes, dateOf, changefreqOf, priorityOf, langOf, textOf, groupOf, attempt } = readers
  const { imagesOf, alternatesOf } = readers
  const videosOf = createVideosReader(readers, dropped, noted)
  const newsOf = rules.news === undefined ? undefined : createNewsReader(readers, rules.news, dropped)
  const extensionsOf = createExtensionsReader(rules.namespaces, dropped)
  const readFeedFields = createFeedFieldsReader(readers, defaults, dropped)

  // What is found wrong waits here until the entry is done, so that an entry looked at twice is reported once.
  let skip: { readonly reason: string; readonly loc: string | undefined; readonly quiet: boolean } | undefined
  const drops: { readonly field: string; readonly reason: string; readonly loc: string }[] = []
  const notes: { readonly reason: string; readonly loc: string }[] = []

  function skipped(reason: string, loc: string | undefined, quiet = false): undefined {
    skip = { reason, loc, quiet }
  }

  function dropped(field: string, reason: string, loc: string): void {
    drops.push({ field, reason, loc })
  }

  function noted(reason: string, loc: string): void {
    notes.push({ reason, loc })
  }

  function forget(): void {
    drops.length = 0
    notes.length = 0
  }

  /** Tells the listener, which may throw (onInvalid). */
  function tell(): void {
    const said = skip
    skip = undefined
    if (said !== undefined) listener.skipped(said.reason, said.loc, said.quiet)
    for (const { field, reason, loc } of drops.splice(0)) listener.dropped(field, reason, loc)
    for (const { reason, loc } of notes.splice(0)) listener.noted(reason, loc)
  }

  function check(input: unknown): CheckedEntry | undefined {
    let entry: CheckedEntry | undefined
    try {
      entry = checkValue(input)
    } catch {
      // A getter or a conversion of the user's threw: looked at field by field, so that only the bad one is lost.
      forget()
      entry = checkApart(input as Raw)
    }
    if (skip !== undefined || drops.length > 0 || notes.length > 0) tell()
    return entry
  }

  function checkValue(input: unknown): CheckedEntry | undefined {
    if (typeof input === 'string' || input instanceof URL) return checkFields(input, undefined)
    // The types allow null, for a provider that maps rows to entries or to nothing.
    if (input === null || input === undefined) return skipped('entry is null or undefined', undefined, true)
    if (typeof input !== 'object') return skipped(`entry is a ${typeof input}`, undefined)
    if (Array.isArray(input))
      return skipped('entry is a list: yield its members one by one (yield* rows)', undefined)
    const raw = input as Raw
    if (typeof raw.then === 'function') return skipped('entry is a promise: await it', undefined)
    return checkFields(locOf(raw), raw)
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
    // The news of an entry may ask for its date of publication, which nothing else here does.
    const readable: Record<string, unknown> = {
      get published() {
        return raw.published
      },
    }
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
    forget()
    skip = undefined
    try {
      const entry = checkFields(loc, readable)
      for (const field of failed) dropped(field, `${field} cannot be read`, entry?.loc ?? sample(loc) ?? '')
      return entry
    } catch {
      // Now it throws, now it does not: nothing of it can be relied on.
      forget()
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
    if (robots?.noindex === true || (raw !== undefined && isYes(raw.noindex, 'noindex', loc)))
      return skipped('noindex', loc, true)
    if (raw === undefined) return { ...plain(loc, locXml), robots: robots?.link }
    const lang = raw.lang === undefined || raw.lang === null ? defaultLang : langOf(raw.lang, loc)
    const title = textOf(raw.title, 'title', loc)
    const extensions = raw.extensions === undefined ? NO_EXTENSIONS : extensionsOf(raw.extensions, loc)
    return {
      loc,
      locXml,
      lastmod: dateOf(raw.lastmod, 'lastmod', loc),
      changefreq: changefreqOf(raw.changefreq ?? defaults.changefreq, loc),
      priority: priorityOf(raw.priority ?? defaults.priority, loc),
      images: imagesOf(raw.images, loc),
      videos: raw.videos === undefined ? NO_VIDEOS : videosOf(raw.videos, loc),
      news: newsOf === undefined || raw.news === undefined ? undefined : newsFor(raw, title, lang, loc),
      alternates: alternatesOf(raw.alternates, loc),
      extensions: extensions.elements,
      extensionNamespaces: extensions.namespaces,
      group: raw.group === undefined ? undefined : groupOf(raw.group, loc),
      lang,
      title,
      description: textOf(raw.description, 'description', loc),
      robots: robots?.link,
    }
  }

  function newsFor(
    raw: Raw,
    title: string | undefined,
    lang: string | undefined,
    loc: string,
  ): CheckedNews | undefined {
    return newsOf?.(raw.news, { title, lang, published: () => raw.published }, loc)
  }

  function plain(loc: string, locXml: string): CheckedEntry {
    return {
      loc,
      locXml,
      lastmod: undefined,
      changefreq: defaults.changefreq ?? undefined,
      priority: defaults.priority === undefined ? undefined : priorityOf(defaults.priority, loc),
      images: NO_IMAGES,
      videos: NO_VIDEOS,
      news: undefined,
      alternates: NO_ALTERNATES,
      extensions: NO_EXTENSIONS.elements,
      extensionNamespaces: 0,
      group: undefined,
      lang: defaultLang,
      title: undefined,
      description: undefined,
      robots: undefined,
    }
  }

  function published(input: unknown, entry: CheckedEntry): W3cDate | undefined {
    const date = attempt('published', entry.loc, () => dateOf(rawOf(input).published, 'published', entry.loc))
    tell()
    return date
  }

  function feedFields(input: unknown, entry: CheckedEntry): CheckedFeedFields {
    const fields = readFeedFields(input, entry)
    tell()
    return fields
  }

  return { check, print, published, feedFields }
}

/** What `check` reads beside loc. */
const FIELDS = [
  'lastmod',
  'changefreq',
  'priority',
  'images',
  'videos',
  'news',
  'alternates',
  'extensions',
  'group',
  'lang',
  'title',
  'description',
  'robots',
  'noindex',
] as const

/** An entry that a default of noindex leaves in. */
const SAYS_NOTHING: Raw = Object.freeze({ robots: 'all' })
const SLASH = 47

function locOf(raw: Raw): unknown {
  const loc = raw.loc ?? raw.url
  // A URL of another realm.
  return loc === undefined && typeof raw.href === 'string' && 'searchParams' in raw ? raw.href : loc
}

/** What a report shows of a value that is no URL. */
function sample(value: unknown): string | undefined {
  if (value instanceof URL) return value.href.slice(0, 200)
  return typeof value === 'string' ? value.slice(0, 200) : undefined
}
