import { cleanText } from '../formats/xml.ts'
import type { CheckedEntry, CheckedFeedFields } from './checked.ts'
import type { EntryDefaults, UpdatePeriod } from './entry.ts'
import { type Dropped, type FieldReaders, oneLine, type Raw, rawOf } from './fields.ts'

const PERIODS = new Set(['hour', 'day', 'week', 'month', 'year'])

/** Reads what only feed items carry: of the entries that may stand in a feed, once it is known that they may. */
export function createFeedFieldsReader(
  { textOf, urlOf, attempt }: FieldReaders,
  defaults: EntryDefaults,
  dropped: Dropped,
): (input: unknown, entry: CheckedEntry) => CheckedFeedFields {
  function feedFields(input: unknown, entry: CheckedEntry): CheckedFeedFields {
    const raw = rawOf(input)
    const { loc } = entry
    const read = <T>(field: string, convert: (value: unknown) => T): T | undefined =>
      attempt(field, loc, () => convert(raw[field] ?? (defaults as Raw)[field]))
    const text = (field: string): string | undefined => read(field, (value) => textOf(value, field, loc))
    return {
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

  return feedFields
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
