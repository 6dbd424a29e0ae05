/** What the feed formats say alike: titles, ids, dates, people. */
import type { FeedItem } from '../entry/entry.ts'
import type { FeedDocument } from './feed-document.ts'
import type { SiteFacts } from './format.ts'
import { instantOf } from './w3c-date.ts'
import { cleanText } from './xml.ts'

/** Someone who writes; `name` is the e-mail where no other is known. */
export interface Person {
  readonly name: string
  readonly email?: string
}

/** Clean text that shows something, else undefined: feeds and the ROR vocabulary know no empty names. */
export function filled(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const clean = cleanText(text)
  return clean.trim() === '' ? undefined : clean
}

/** The members of a list that show something. */
export function filledList(texts: readonly string[] | undefined): readonly string[] {
  return (texts ?? []).map(filled).filter((text) => text !== undefined)
}

/** The site's title, or its URL where that is blank. */
export function siteTitle({ title, url }: SiteFacts): string {
  return filled(title) ?? url
}

/** Title of the feed: the site's, with the section on a feed of one. */
export function feedTitle({ site, section }: FeedDocument): string {
  const name = filled(section)
  return name === undefined ? siteTitle(site) : `${siteTitle(site)} – ${name}`
}

// What `language`, `xml:lang` and `hreflang` may hold (SPEC F6): a text that is no tag would make the whole feed invalid.
const LANGUAGE_TAG = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/

/** A language tag that documents may carry. `x-default` is none: it names no language. */
export function languageTag(language: string | undefined): string | undefined {
  if (language === undefined || !LANGUAGE_TAG.test(language)) return undefined
  return language.toLowerCase() === 'x-default' ? undefined : language
}

/** An item's language where it is another one than the feed's. */
export function ownLanguage(item: FeedItem, { site }: FeedDocument): string | undefined {
  const own = languageTag(item.lang)
  return own?.toLowerCase() === site.language.toLowerCase() ? undefined : own
}

/** The newest `dateMs` of the items; a clock here would make every body new (SPEC F9, DESIGN 3.11). */
export function newestMs(items: readonly FeedItem[]): number | undefined {
  let newest: number | undefined
  for (const { dateMs } of items) {
    if (dateMs !== undefined && (newest === undefined || dateMs > newest)) newest = dateMs
  }
  return newest
}

/** An instant in whole seconds: W3C form W5 in UTC, which RFC 3339 takes too. */
export function secondsText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** RFC 822 form of a W3C date, in UTC (SPEC F30). */
export function rfc822(date: string | undefined): string | undefined {
  const instant = date === undefined ? undefined : instantOf(date)
  return instant === undefined ? undefined : new Date(instant).toUTCString()
}

const W3C = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/

/** RFC 3339 form of a W3C date (SPEC A3): its own zone, UTC where it has none; a date alone is its midnight. */
export function rfc3339(date: string | undefined): string | undefined {
  const match = date === undefined ? null : W3C.exec(date)
  if (match === null || instantOf(match[0]) === undefined) return undefined
  const [, day, time = '00:00', seconds = ':00', zone = 'Z'] = match
  return `${day}T${time}${seconds}${zone}`
}

/**
 * An id for each item, unique in the feed (SPEC F22, A2, A11): its guid where `isId` takes it, else its loc. A guid that
 * two items claim, or that is the loc of another, would make them one to a reader, so it names none.
 */
export function itemIds(items: readonly FeedItem[], isId: (guid: string) => boolean): readonly string[] {
  const locs = new Set(items.map(({ loc }) => loc))
  const guids = items.map(({ guid }) => filled(guid))
  const claims = new Map<string, number>()
  for (const guid of guids) if (guid !== undefined) claims.set(guid, (claims.get(guid) ?? 0) + 1)
  return items.map(({ loc }, i) => {
    const guid = guids[i]
    if (guid === undefined || claims.get(guid) !== 1 || locs.has(guid)) return loc
    return isId(guid) ? guid : loc
  })
}

/**
 * Says of one written item after the other whether it still fits into a document of `maxBytes` (SPEC F44). One that does
 * not is left out, and those behind it, which may be smaller, are asked for too. `frame` is the document without items.
 */
export function createRoom(maxBytes: number, frame: string): (written: string) => boolean {
  let left = maxBytes - Buffer.byteLength(frame)
  return (written) => {
    const bytes = Buffer.byteLength(written)
    if (bytes > left) return false
    left -= bytes
    return true
  }
}

const LONGEST_PERSON = 500
// The e-mails that HTML forms take: narrower than RFC 5322, and what every checker of feeds agrees on.
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/
const EMAIL_NAME = /^(\S+) ?\(([^()<>@]+)\)$/
const NAME_EMAIL = /^([^()<>@]+)<(\S+)>$/

/** A person from `Name`, `a@e.com`, `a@e.com (Name)` or `Name <a@e.com>`. */
export function personOf(text: string): Person {
  const person = text.trim()
  if (person.length > LONGEST_PERSON) return { name: person }
  const [, before, after] = EMAIL_NAME.exec(person) ?? NAME_EMAIL.exec(person) ?? []
  const email = [person, before, after].find((part) => part !== undefined && EMAIL.test(part))
  if (email === undefined) return { name: person }
  const name = email === before ? after : before
  return { name: filled(name)?.trim() ?? email, email }
}
