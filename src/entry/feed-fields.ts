import { cleanText } from '../formats/xml.ts'
import type { CheckedEntry, CheckedFeedFields } from './checked.ts'
import type { EntryDefaults, UpdatePeriod } from './entry.ts'
import { type Dropped, type FieldReaders, type Raw, rawOf } from './fields.ts'

/** Characters of one item's content. */
export const LONGEST_CONTENT = 1_048_576
/** Keywords, authors and categories of one item. */
const MOST_NAMES = 100
const PERIODS = new Set(['hour', 'day', 'week', 'month', 'year'])
/** Type and subtype (RFC 9110 §8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/

/** Reads what only feed items carry: of the entries that may stand in a feed, once it is known that they may. */
export function createFeedFieldsReader(
  { textOf, textsOf, urlOf, attempt }: FieldReaders,
  defaults: EntryDefaults,
  dropped: Dropped,
): (input: unknown, entry: CheckedEntry) => CheckedFeedFields {
  function feedFields(input: unknown, entry: CheckedEntry): CheckedFeedFields {
    const raw = rawOf(input)
    const { loc } = entry
    const read = <T>(field: string, convert: (value: unknown) => T): T | undefined =>
      attempt(field, loc, () => convert(raw[field] ?? (defaults as Raw)[field]))
    return {
      content: read('content', (value) => contentOf(value, loc)),
      // META keywords are one text with commas between (SPEC R11), categories often too; a name may hold one (`Smith, Ann`).
      keywords: read('keywords', (value) => textsOf(value, 'keywords', loc, MOST_NAMES)) ?? [],
      author: read('author', (value) => textsOf(whole(value), 'author', loc, MOST_NAMES)) ?? [],
      categories: read('categories', (value) => textsOf(value, 'categories', loc, MOST_NAMES)) ?? [],
      guid: read('guid', (value) => textOf(typeof value === 'bigint' ? String(value) : value, 'guid', loc)),
      enclosure: read('enclosure', (value) => enclosureOf(value, loc)),
      type: read('type', (value) => typeOf(value, loc)),
      sortOrder: read('sortOrder', (value) => sortOrderOf(value, loc)),
      resourceOf: read('resourceOf', (value) => textOf(value, 'resourceOf', loc)),
      updatePeriod: read('updatePeriod', (value) => periodOf(value, entry)),
    }
  }

  /** HTML as it is, but for the characters that XML forbids; half of it would be no HTML, so it is not cut. */
  function contentOf(value: unknown, loc: string): string | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string') {
      dropped('content', 'content is not text', loc)
      return undefined
    }
    if (value.length > LONGEST_CONTENT) {
      dropped('content', `content is longer than ${LONGEST_CONTENT} characters`, loc)
      return undefined
    }
    const html = cleanText(value)
    return html.trim() === '' ? undefined : html
  }

  function enclosureOf(value: unknown, loc: string): CheckedFeedFields['enclosure'] {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'object') {
      dropped('enclosure', 'enclosure is not { url, length, type }', loc)
      return undefined
    }
    const fields = value as Raw
    const url = urlOf(fields.url, 'enclosure url', loc)
    // Feeds carry the type alone; parameters such as codecs are for the response that brings the file.
    const type = textOf(fields.type, 'enclosure type', loc)?.split(';', 1)[0]?.trim()
    if (url === undefined || type === undefined) {
      dropped('enclosure', 'enclosure lacks url or type', loc) // SPEC F26: all three are needed.
      return undefined
    }
    if (!MEDIA_TYPE.test(type)) {
      dropped('enclosure', 'enclosure type is no media type such as audio/mpeg', loc)
      return undefined
    }
    const length = wholeNumber(fields.length)
    if (length === undefined && !isNothing(fields.length))
      dropped('enclosure', 'enclosure length is no number of bytes and was left out', loc)
    return { url, type, length: length ?? 0 }
  }

  /** SPEC R10: free text, its first letter upper case; `Main` is the site and stands once in a feed (R5). */
  function typeOf(value: unknown, loc: string): string | undefined {
    const text = textOf(value, 'type', loc)
    if (text === undefined) return undefined
    const type = text.replace(/^[a-z]/, (letter) => letter.toUpperCase())
    if (type !== 'Main') return type
    dropped('type', 'type Main is the site itself', loc)
    return undefined
  }

  function sortOrderOf(value: unknown, loc: string): number | undefined {
    const order = wholeNumber(value)
    if (order === undefined && !isNothing(value))
      dropped('sortOrder', 'sortOrder is not a whole number from 0', loc)
    return order
  }

  /** SPEC 5, mapping: `changefreq` speaks where no period was given; `never` says nothing. */
  function periodOf(value: unknown, entry: CheckedEntry): UpdatePeriod | undefined {
    if (!isNothing(value)) {
      const period = typeof value === 'string' ? value.trim().toLowerCase() : ''
      if (PERIODS.has(period)) return period as UpdatePeriod
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

  return feedFields
}

/** One text as a list of one, which is not parted at commas. */
function whole(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value
}

/** What databases and forms give for a field without a value. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** A whole number from 0: databases give large ones as bigint or as digits. */
function wholeNumber(value: unknown): number | undefined {
  const number =
    typeof value === 'bigint' || (typeof value === 'string' && /^\s*\d{1,16}\s*$/.test(value))
      ? Number(value)
      : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
