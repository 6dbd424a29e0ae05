import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate } from '../../src/entry/lastmod.ts'
import { urlsetErrors } from '../support/xsd.ts'

const NOT_A_DATE = 'is not a date'
const OUT_OF_RANGE = 'lies outside 1970 to 2099'
const BARE = 'is a bare year or month'

/** The date as it is written, or what is wrong with it. */
function written(input: unknown): string | undefined {
  const date = parseDate(input)
  if (date === undefined) return undefined
  return 'text' in date ? date.text : date.reason
}

describe('W3C forms (SPEC 1.3)', () => {
  it.each([
    { name: 'year (W1)', input: '2026', text: BARE },
    { name: 'year and month (W2)', input: '2026-05', text: BARE },
    { name: 'date (W3)', input: '2026-05-10', text: '2026-05-10' },
    { name: 'minutes and zone (W4)', input: '2026-05-10T10:20+01:00', text: '2026-05-10T10:20:00+01:00' },
    { name: 'minutes and Z (W4)', input: '2026-05-10T10:20Z', text: '2026-05-10T10:20:00Z' },
    { name: 'seconds and Z (W5)', input: '2026-05-10T10:20:30Z', text: '2026-05-10T10:20:30Z' },
    { name: 'seconds and zone (W5)', input: '2026-05-10T10:20:30-11:00', text: '2026-05-10T10:20:30-11:00' },
    { name: 'fraction (W6)', input: '2026-05-10T10:20:30.45Z', text: '2026-05-10T10:20:30.45Z' },
    { name: 'milliseconds (W6)', input: '2026-05-10T10:20:30.450Z', text: '2026-05-10T10:20:30.450Z' },
    {
      name: 'nanoseconds and zone (W6)',
      input: '2026-05-10T10:20:30.123456789+05:30',
      text: '2026-05-10T10:20:30.123456789+05:30',
    },
    { name: 'time without zone is UTC (D5)', input: '2026-05-10T10:20:30', text: '2026-05-10T10:20:30Z' },
    { name: 'minutes without zone', input: '2026-05-10T10:20', text: '2026-05-10T10:20:00Z' },
    { name: 'date with Z (D5)', input: '2026-05-10Z', text: NOT_A_DATE },
    { name: 'hour 24 (D5)', input: '2026-05-10T24:00:00Z', text: NOT_A_DATE },
    { name: 'lower-case t and z', input: '2026-05-10t10:20:30z', text: '2026-05-10T10:20:30Z' },
    { name: 'comma before the fraction', input: '2026-05-10T10:20:30,5Z', text: '2026-05-10T10:20:30.5Z' },
    { name: 'spaces around', input: ' 2026-05-10 ', text: '2026-05-10' },
    { name: 'line end', input: '2026-05-10T10:20:30Z\n', text: '2026-05-10T10:20:30Z' },
  ])('$name: $input → $text', ({ input, text }) => {
    expect(written(input)).toBe(text)
  })
})

describe('SQL text (SPEC D10)', () => {
  it.each([
    { name: 'SQLite, MySQL', input: '2009-03-06 13:03:30', text: '2009-03-06T13:03:30Z' },
    { name: 'without seconds', input: '2009-03-06 13:03', text: '2009-03-06T13:03:00Z' },
    {
      name: 'PostgreSQL timestamp',
      input: '2026-05-10 10:20:30.123456',
      text: '2026-05-10T10:20:30.123456Z',
    },
    {
      name: 'PostgreSQL timestamptz',
      input: '2026-05-10 10:20:30.12+00',
      text: '2026-05-10T10:20:30.12+00:00',
    },
    {
      name: 'PostgreSQL, half an hour',
      input: '2026-05-10 10:20:30-03:30',
      text: '2026-05-10T10:20:30-03:30',
    },
    {
      name: 'SQL Server',
      input: '2026-05-10 10:20:30.1234567 +02:00',
      text: '2026-05-10T10:20:30.1234567+02:00',
    },
    { name: 'Rails', input: '2026-05-10 10:20:30 UTC', text: '2026-05-10T10:20:30Z' },
    { name: 'Ruby', input: '2026-05-10 10:20:30 +0200', text: '2026-05-10T10:20:30+02:00' },
    { name: 'GMT', input: '2026-05-10 10:20:30 GMT', text: '2026-05-10T10:20:30Z' },
    { name: 'a zone by name', input: '2026-05-10 10:20:30 CEST', text: NOT_A_DATE },
    { name: 'MySQL zero date', input: '0000-00-00 00:00:00', text: OUT_OF_RANGE },
    { name: 'infinity', input: 'infinity', text: NOT_A_DATE },
  ])('$name: $input → $text', ({ input, text }) => {
    expect(written(input)).toBe(text)
  })
})

describe('days and times that are none', () => {
  it.each([
    { name: '30 February', input: '2026-02-30' },
    { name: '29 February of a common year', input: '2026-02-29' },
    { name: '31 April', input: '2026-04-31' },
    { name: 'day 0', input: '2026-05-00' },
    { name: 'day 32', input: '2026-05-32' },
    { name: 'month 0', input: '2026-00-10' },
    { name: 'month 13', input: '2026-13-10' },
    { name: '30 February with a time', input: '2026-02-30T10:20:30Z' },
    { name: '30 February with milliseconds', input: '2026-02-30T10:20:30.000Z' },
    { name: '30 February in SQL', input: '2026-02-30 10:20:30' },
    { name: 'hour 25', input: '2026-05-10T25:00:00Z' },
    { name: 'minute 60', input: '2026-05-10T10:60:00Z' },
    { name: 'second 60', input: '2026-05-10T10:20:60Z' },
    { name: 'second 60 with milliseconds', input: '2026-05-10T10:20:60.000Z' },
    { name: 'zone of 15 hours', input: '2026-05-10T10:20:30+15:00' },
    { name: 'zone of 14 hours and a minute', input: '2026-05-10T10:20:30+14:01' },
    { name: 'zone of 60 minutes', input: '2026-05-10T10:20:30+01:60' },
    { name: 'an empty fraction', input: '2026-05-10T10:20:30.Z' },
    { name: 'three letters for digits', input: '2026-05-10T10:20:30.abcZ' },
    { name: 'hour alone', input: '2026-05-10T10Z' },
    { name: 'month and day of one digit', input: '2026-5-1' },
    { name: 'slashes', input: '2026/05/10' },
    { name: 'day first', input: '10-05-2026' },
    { name: 'RFC 822', input: 'Sun, 10 May 2026 10:20:30 GMT' },
    { name: 'five digits of year', input: '12026-05-10' },
    { name: 'sign', input: '+002026-05-10T10:20:30Z' },
    { name: 'Arabic digits', input: '٢٠٢٦-٠٥-١٠' },
    { name: 'full-width digits', input: '２０２６-05-10' },
    { name: 'words', input: 'yesterday' },
    { name: 'epoch as text', input: '1778408430' },
    { name: 'colons at other places', input: '2026-05-10T10-20-30Z' },
  ])('$name: $input', ({ input }) => {
    expect(written(input)).toBe(NOT_A_DATE)
  })

  it.each([
    { name: '29 February of a leap year', input: '2028-02-29' },
    { name: '29 February 2000', input: '2000-02-29' },
    { name: '31 December', input: '2026-12-31' },
    { name: 'zone of 14 hours', input: '2026-05-10T10:20:30+14:00' },
    { name: 'zone of no hours, west', input: '2026-05-10T10:20:30-00:00' },
  ])('real: $name', ({ input }) => {
    expect(written(input)).toBe(input)
  })
})

describe('range: fixed years, so that no clock decides (DESIGN 2)', () => {
  it.each([
    { name: 'first day', input: '1970-01-01', text: '1970-01-01' },
    { name: 'last day', input: '2099-12-31', text: '2099-12-31' },
    { name: 'last second', input: '2099-12-31T23:59:59Z', text: '2099-12-31T23:59:59Z' },
    { name: 'last millisecond', input: '2099-12-31T23:59:59.999Z', text: '2099-12-31T23:59:59.999Z' },
    { name: 'the day before', input: '1969-12-31', text: OUT_OF_RANGE },
    { name: 'the day after', input: '2100-01-01', text: OUT_OF_RANGE },
    { name: 'the second after', input: '2100-01-01T00:00:00Z', text: OUT_OF_RANGE },
    { name: 'before the first instant by its zone', input: '1970-01-01T00:30:00+01:00', text: OUT_OF_RANGE },
    { name: 'after the last instant by its zone', input: '2099-12-31T23:30:00-01:00', text: OUT_OF_RANGE },
    { name: 'within by its zone', input: '2100-01-01T00:30:00+01:00', text: '2100-01-01T00:30:00+01:00' },
    { name: 'year 1', input: '0001-01-01T00:00:00Z', text: OUT_OF_RANGE },
    { name: 'year 9999', input: '9999-12-31 23:59:59', text: OUT_OF_RANGE },
    { name: 'epoch 0', input: 0, text: '1970-01-01T00:00:00Z' },
    { name: 'epoch -1', input: -1, text: OUT_OF_RANGE },
    { name: 'last second as seconds', input: 4_102_444_799, text: '2099-12-31T23:59:59Z' },
    { name: 'the next', input: 4_102_444_800, text: OUT_OF_RANGE },
    { name: 'last millisecond as milliseconds', input: 4_102_444_799_999, text: '2099-12-31T23:59:59Z' },
    { name: 'the next', input: 4_102_444_800_000, text: OUT_OF_RANGE },
    { name: 'a Date of 1969', input: new Date(-1), text: OUT_OF_RANGE },
    { name: 'a Date of 2100', input: new Date(Date.UTC(2100, 0, 1)), text: OUT_OF_RANGE },
  ])('$name: $input → $text', ({ input, text }) => {
    expect(written(input)).toBe(text)
  })
})

describe('numbers, Dates and the like', () => {
  class Odd {
    get [Symbol.toStringTag]() {
      return 'Date'
    }
  }

  it.each([
    { name: 'seconds', input: 1_778_408_430, text: '2026-05-10T10:20:30Z' },
    { name: 'milliseconds', input: 1_778_408_430_999, text: '2026-05-10T10:20:30Z' },
    { name: 'fractions of a second', input: 1_778_408_430.9, text: '2026-05-10T10:20:30Z' },
    { name: 'the largest seconds', input: 99_999_999_999, text: OUT_OF_RANGE },
    { name: 'the smallest milliseconds', input: 100_000_000_000, text: '1973-03-03T09:46:40Z' },
    { name: 'NaN', input: Number.NaN, text: NOT_A_DATE },
    { name: 'infinity', input: Number.POSITIVE_INFINITY, text: NOT_A_DATE },
    {
      name: 'Date, without its milliseconds',
      input: new Date('2026-05-10T10:20:30.999Z'),
      text: '2026-05-10T10:20:30Z',
    },
    { name: 'invalid Date', input: new Date('x'), text: NOT_A_DATE },
    {
      name: 'Date of another realm',
      input: runInNewContext('new Date(Date.UTC(2026, 4, 10, 10, 20, 30))'),
      text: '2026-05-10T10:20:30Z',
    },
    { name: 'invalid Date of another realm', input: runInNewContext('new Date(NaN)'), text: NOT_A_DATE },
    { name: 'what only claims to be a Date', input: new Odd(), text: NOT_A_DATE },
    {
      name: 'Day.js, Moment',
      input: { toISOString: () => '2026-05-10T10:20:30.000Z' },
      text: '2026-05-10T10:20:30.000Z',
    },
    { name: 'invalid Moment', input: { toISOString: () => null }, text: NOT_A_DATE },
    // Luxon's DateTime has toISO, toJSON and toJSDate, and no toISOString.
    {
      name: 'Luxon',
      input: { toISO: () => '2026-05-10T10:20:30.000+02:00', toJSON: () => '2026-05-10T10:20:30.000+02:00' },
      text: '2026-05-10T10:20:30.000+02:00',
    },
    { name: 'invalid Luxon', input: { toISO: () => null, toJSON: () => null }, text: NOT_A_DATE },
    { name: 'undefined', input: undefined, text: undefined },
    { name: 'null', input: null, text: undefined },
    { name: 'empty text', input: '', text: undefined },
    { name: 'spaces', input: '  ', text: undefined },
    { name: 'true', input: true, text: NOT_A_DATE },
    { name: 'bigint', input: 1_778_408_430n, text: NOT_A_DATE },
    { name: 'symbol', input: Symbol('2026-05-10'), text: NOT_A_DATE },
    { name: 'object', input: { date: '2026-05-10' }, text: NOT_A_DATE },
    { name: 'list', input: ['2026-05-10'], text: NOT_A_DATE },
    { name: 'function', input: () => '2026-05-10', text: NOT_A_DATE },
  ])('$name → $text', ({ input, text }) => {
    expect(written(input)).toBe(text)
  })

  it('days in turn: what is kept of one never reaches the next', () => {
    const noon = (day: number) => new Date(Date.UTC(2026, 4, day, 12))
    expect([10, 10, 11, 10].map((day) => written(noon(day)))).toEqual([
      '2026-05-10T12:00:00Z',
      '2026-05-10T12:00:00Z',
      '2026-05-11T12:00:00Z',
      '2026-05-10T12:00:00Z',
    ])
  })
})

/** Days since 1970 by counting, not by `Date`. */
function daysBefore(year: number, month: number, day: number): number {
  let days = day - 1
  for (let y = 1970; y < year; y++) days += isLeap(y) ? 366 : 365
  for (let m = 1; m < month; m++) days += daysOf(year, m)
  return days
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function daysOf(year: number, month: number): number {
  return [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

const two = (value: number) => String(value).padStart(2, '0')

interface Fields {
  readonly text: string
  /** The instant, or undefined where the fields are no date and time. */
  readonly ms: number | undefined
}

/** A date text and its instant, figured out from its numbers; now and then of a day or time that is none. */
const dates: fc.Arbitrary<Fields> = fc
  .record({
    year: fc.integer({ min: 1970, max: 2099 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
    time: fc.option(
      fc.record({
        hour: fc.integer({ min: 0, max: 24 }),
        minute: fc.integer({ min: 0, max: 60 }),
        second: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
        fraction: fc.option(fc.stringMatching(/^\d{1,9}$/), { nil: undefined }),
        zone: fc.oneof(
          fc.constantFrom('', 'Z', 'z', ' UTC'),
          fc.record({
            sign: fc.constantFrom(1, -1),
            hours: fc.integer({ min: 0, max: 15 }),
            minutes: fc.constantFrom(0, 30, 45, 60),
            colon: fc.constantFrom(':', ''),
          }),
        ),
        between: fc.constantFrom('T', ' ', 't'),
      }),
      { nil: undefined },
    ),
  })
  .map(({ year, month, day, time }) => {
    const date = `${year}-${two(month)}-${two(day)}`
    const dayMs = daysBefore(year, month, day) * 86_400_000
    const isReal = day <= daysOf(year, month)
    if (time === undefined) return { text: date, ms: isReal ? dayMs : undefined }
    const { hour, minute, zone, between } = time
    const second = time.fraction === undefined ? time.second : (time.second ?? 0)
    let text = `${date}${between}${two(hour)}:${two(minute)}`
    if (second !== undefined) text += `:${two(second)}`
    if (time.fraction !== undefined) text += `.${time.fraction}`
    let offset = 0
    let zoneIsReal = true
    if (typeof zone === 'string') text += zone
    else {
      text += `${zone.sign > 0 ? '+' : '-'}${two(zone.hours)}${zone.colon}${two(zone.minutes)}`
      offset = zone.sign * (zone.hours * 60 + zone.minutes)
      zoneIsReal = zone.minutes < 60 && zone.hours * 60 + zone.minutes <= 14 * 60
    }
    const timeIsReal = hour < 24 && minute < 60 && (second ?? 0) < 60
    // Whole milliseconds, the rest cut off.
    const fractionMs = Number((time.fraction ?? '').padEnd(3, '0').slice(0, 3))
    const ms = dayMs + ((hour * 60 + minute - offset) * 60 + (second ?? 0)) * 1000 + fractionMs
    return { text, ms: isReal && timeIsReal && zoneIsReal ? ms : undefined }
  })

const XSD_DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/
const END_MS = daysBefore(2100, 1, 1) * 86_400_000

describe('any date', () => {
  it('is written as schema and protocol take it, and denotes the same instant (D4)', () => {
    fc.assert(
      fc.property(dates, ({ text, ms }) => {
        const date = parseDate(text)
        if (ms === undefined || ms < 0 || ms >= END_MS) {
          expect(date).toEqual({ reason: ms === undefined ? NOT_A_DATE : OUT_OF_RANGE })
          return
        }
        if (date === undefined || !('text' in date)) throw new Error(`${text} was refused`)
        expect(date.text).toMatch(XSD_DATE)
        expect(date.ms).toBe(ms)
        // The output has all it needs: no zone of a machine takes part in reading it.
        expect(Date.parse(date.text)).toBe(ms)
      }),
      { numRuns: 3_000 },
    )
  })

  it('as a Date, as seconds and as milliseconds: the same instant to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000_000_000, max: END_MS - 1 }), (ms) => {
        const seconds = Math.floor(ms / 1000)
        const date = { text: new Date(seconds * 1000).toISOString().replace('.000', ''), ms: seconds * 1000 }
        expect(parseDate(new Date(ms))).toEqual(date)
        expect(parseDate(ms)).toEqual(date)
        expect(parseDate(seconds)).toEqual(date)
      }),
    )
  })

  it('what was written is read again unchanged', () => {
    fc.assert(
      fc.property(dates, ({ text }) => {
        const once = written(text)
        fc.pre(once !== undefined && XSD_DATE.test(once))
        expect(written(once)).toBe(once)
      }),
    )
  })

  it('all of them are valid in the public schema', () => {
    const texts = fc.sample(dates, 500).flatMap(({ text }) => {
      const date = parseDate(text)
      return date !== undefined && 'text' in date ? [date.text] : []
    })
    expect(texts.length).toBeGreaterThan(50)
    const urls = texts.map((text) => `<url><loc>https://example.com/</loc><lastmod>${text}</lastmod></url>`)
    expect(
      urlsetErrors(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`),
    ).toEqual([])
  })

  it('any text is a date of that form, a fault, or nothing', () => {
    const dateish = fc.array(fc.constantFrom('2', '0', '9', '-', ':', 'T', 'Z', ' ', '.', '+', '٢', '\n'), {
      maxLength: 26,
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          dateish.map((parts) => parts.join('')),
        ),
        (input) => {
          const date = parseDate(input)
          if (date === undefined) expect(input.trim()).toBe('')
          else if ('text' in date) expect(date.text).toMatch(XSD_DATE)
          else expect([NOT_A_DATE, OUT_OF_RANGE, BARE]).toContain(date.reason)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('zone of the machine', () => {
  const script = fileURLToPath(new URL('print-dates.ts', import.meta.url))

  async function printed(zone: string) {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], {
      env: { ...process.env, TZ: zone },
    })
    return { dates: stdout, offset: stderr }
  }

  it('decides nothing', async () => {
    const [west, east] = await Promise.all([printed('Pacific/Honolulu'), printed('Asia/Kolkata')])
    expect([west.offset, east.offset]).toEqual(['600', '-330'])
    expect(west.dates).toBe(east.dates)
    expect(JSON.parse(west.dates)[1]).toEqual({
      text: '2026-05-10T10:20:30Z',
      ms: Date.UTC(2026, 4, 10, 10, 20, 30),
    })
  })
})
