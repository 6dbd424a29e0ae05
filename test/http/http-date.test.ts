import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatHttpDate, parseHttpDate } from '../../src/http/http-date.ts'

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0)
const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37)

/** The RFC 850 form, written apart from the code under test; its day name is of no account there. */
function rfc850(date: Date): string {
  const [, day, month, year, time] =
    /^\w+, (\d\d) (\w{3}) \d*(\d\d) (\S+) GMT$/.exec(date.toUTCString()) ?? []
  return `Sunday, ${day}-${month}-${year} ${time} GMT`
}

/** The asctime form, written apart from the code under test. */
function asctime(date: Date): string {
  const [, name, day, month, year, time] =
    /^(\w+), (\d\d) (\w{3}) (\d{4}) (\S+) GMT$/.exec(date.toUTCString()) ?? []
  return `${name} ${month} ${day?.replace(/^0/, ' ')} ${time} ${year}`
}

describe('parseHttpDate reads the three forms (RFC 9110 §5.6.7, SPEC N7)', () => {
  it.each([
    { name: 'IMF-fixdate', text: 'Sun, 06 Nov 1994 08:49:37 GMT', instant: EXAMPLE },
    { name: 'RFC 850', text: 'Sunday, 06-Nov-94 08:49:37 GMT', instant: EXAMPLE },
    { name: 'asctime, day of one digit', text: 'Sun Nov  6 08:49:37 1994', instant: EXAMPLE },
    { name: 'asctime, day with a zero', text: 'Sun Nov 06 08:49:37 1994', instant: EXAMPLE },
    {
      name: 'asctime, day of two digits',
      text: 'Wed Nov 16 08:49:37 1994',
      instant: EXAMPLE + 10 * 86_400_000,
    },
    { name: 'the epoch', text: 'Thu, 01 Jan 1970 00:00:00 GMT', instant: 0 },
    { name: 'the last second of a day', text: 'Thu, 01 Jan 1970 23:59:59 GMT', instant: 86_399_000 },
    {
      name: 'a leap second, which is the next midnight',
      text: 'Sat, 31 Dec 2016 23:59:60 GMT',
      instant: Date.UTC(2017, 0, 1),
    },
    {
      name: '29 February of a leap year',
      text: 'Thu, 29 Feb 2024 00:00:00 GMT',
      instant: Date.UTC(2024, 1, 29),
    },
    {
      name: '29 February of a fourth century',
      text: 'Tue, 29 Feb 2000 00:00:00 GMT',
      instant: Date.UTC(2000, 1, 29),
    },
    {
      name: 'a year before 100',
      text: 'Sun, 06 Nov 0094 08:49:37 GMT',
      instant: Date.parse('0094-11-06T08:49:37Z'),
    },
    {
      name: 'the last year',
      text: 'Fri, 31 Dec 9999 23:59:59 GMT',
      instant: Date.parse('9999-12-31T23:59:59Z'),
    },
    {
      name: 'a day name that the date does not have',
      text: 'Mon, 06 Nov 1994 08:49:37 GMT',
      instant: EXAMPLE,
    },
  ])('$name: $text', ({ text, instant }) => {
    expect(parseHttpDate(text, NOW)).toBe(instant)
  })

  it('all twelve months', () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
    const read = months.map((month) => parseHttpDate(`Sun, 06 ${month} 1994 08:49:37 GMT`, NOW))
    expect(read).toEqual(months.map((_, index) => Date.UTC(1994, index, 6, 8, 49, 37)))
  })
})

describe('parseHttpDate refuses all else (SPEC N7)', () => {
  it.each([
    { name: 'empty', text: '' },
    { name: 'the number 0', text: '0' },
    { name: 'W3C date', text: '1994-11-06' },
    { name: 'W3C date-time', text: '1994-11-06T08:49:37Z' },
    { name: 'lower case', text: 'sun, 06 nov 1994 08:49:37 gmt' },
    { name: 'UTC for GMT', text: 'Sun, 06 Nov 1994 08:49:37 UTC' },
    { name: 'an offset for GMT', text: 'Sun, 06 Nov 1994 08:49:37 +0000' },
    { name: 'no zone', text: 'Sun, 06 Nov 1994 08:49:37' },
    { name: 'no day name', text: '06 Nov 1994 08:49:37 GMT' },
    { name: 'no comma', text: 'Sun 06 Nov 1994 08:49:37 GMT' },
    { name: 'no space behind the comma', text: 'Sun,06 Nov 1994 08:49:37 GMT' },
    { name: 'two spaces', text: 'Sun,  06 Nov 1994 08:49:37 GMT' },
    { name: 'space in front', text: ' Sun, 06 Nov 1994 08:49:37 GMT' },
    { name: 'space behind', text: 'Sun, 06 Nov 1994 08:49:37 GMT ' },
    { name: 'newline behind', text: 'Sun, 06 Nov 1994 08:49:37 GMT\n' },
    { name: 'fraction of a second', text: 'Sun, 06 Nov 1994 08:49:37.5 GMT' },
    { name: 'no seconds', text: 'Sun, 06 Nov 1994 08:49 GMT' },
    { name: 'day of one digit', text: 'Sun, 6 Nov 1994 08:49:37 GMT' },
    { name: 'unknown day name', text: 'Son, 06 Nov 1994 08:49:37 GMT' },
    { name: 'unknown month', text: 'Sun, 06 Nox 1994 08:49:37 GMT' },
    { name: 'digits that are not ASCII', text: 'Sun, 0６ Nov 1994 08:49:37 GMT' },
    { name: 'day 00', text: 'Sun, 00 Nov 1994 08:49:37 GMT' },
    { name: 'day 32', text: 'Sun, 32 Oct 1994 08:49:37 GMT' },
    { name: '31 June', text: 'Fri, 31 Jun 1994 08:49:37 GMT' },
    { name: '29 February of a common year', text: 'Wed, 29 Feb 2023 00:00:00 GMT' },
    { name: '29 February of a common century', text: 'Thu, 29 Feb 1900 00:00:00 GMT' },
    { name: 'hour 24', text: 'Sun, 06 Nov 1994 24:00:00 GMT' },
    { name: 'minute 60', text: 'Sun, 06 Nov 1994 08:60:00 GMT' },
    { name: 'second 61', text: 'Sat, 31 Dec 2016 23:59:61 GMT' },
    { name: 'second 60 within a day', text: 'Sun, 06 Nov 1994 08:49:60 GMT' },
    { name: 'RFC 850 with a short day name', text: 'Sun, 06-Nov-94 08:49:37 GMT' },
    { name: 'RFC 850 with four digits of year', text: 'Sunday, 06-Nov-1994 08:49:37 GMT' },
    { name: 'RFC 850, 31 June', text: 'Friday, 31-Jun-94 08:49:37 GMT' },
    { name: 'asctime with GMT', text: 'Sun Nov  6 08:49:37 1994 GMT' },
    { name: 'asctime with one space before one digit', text: 'Sun Nov 6 08:49:37 1994' },
    { name: 'asctime, day 0', text: 'Sun Nov  0 08:49:37 1994' },
    { name: 'two lines joined', text: 'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT' },
  ])('$name', ({ text }) => {
    expect(parseHttpDate(text, NOW)).toBeUndefined()
  })
})

describe('the 50-year rule of the RFC 850 form (SPEC N7)', () => {
  it.each([
    {
      name: '50 years ahead to the second',
      now: '2026-11-30T12:00:00Z',
      date: '30-Nov-76 12:00:00',
      year: 2076,
    },
    { name: 'one second more', now: '2026-11-30T12:00:00Z', date: '30-Nov-76 12:00:01', year: 1976 },
    {
      name: 'a fraction of a second less',
      now: '2026-11-30T12:00:00.999Z',
      date: '30-Nov-76 12:00:01',
      year: 1976,
    },
    { name: 'this year', now: '2026-11-30T12:00:00Z', date: '01-Jan-26 00:00:00', year: 2026 },
    { name: 'last century', now: '2026-11-30T12:00:00Z', date: '06-Nov-94 08:49:37', year: 1994 },
    {
      name: 'in 1999, 00 is the next year',
      now: '1999-12-31T00:00:00Z',
      date: '01-Jan-00 00:00:00',
      year: 2000,
    },
    {
      name: 'in 2044, 94 is 50 years ahead',
      now: '2044-12-31T00:00:00Z',
      date: '06-Nov-94 08:49:37',
      year: 2094,
    },
    { name: 'in 2043, 94 is past', now: '2043-12-31T00:00:00Z', date: '06-Nov-94 08:49:37', year: 1994 },
    { name: 'in 2090, 10 is ahead', now: '2090-06-01T00:00:00Z', date: '06-Nov-10 08:49:37', year: 2110 },
    { name: 'in 2090, 50 is past', now: '2090-06-01T00:00:00Z', date: '06-Nov-50 08:49:37', year: 2050 },
    {
      name: '29-Feb-00 when 00 is 2000',
      now: '2026-11-30T12:00:00Z',
      date: '29-Feb-00 00:00:00',
      year: 2000,
    },
  ])('$name', ({ now, date, year }) => {
    const parsed = parseHttpDate(`Sunday, ${date} GMT`, Date.parse(now))
    expect(parsed === undefined ? undefined : new Date(parsed).getUTCFullYear()).toBe(year)
  })

  it('takes 29-Feb-00 for no date when 00 is 2100', () => {
    expect(parseHttpDate('Monday, 29-Feb-00 00:00:00 GMT', Date.UTC(2090, 0, 1))).toBeUndefined()
  })

  it('needs a clock that runs', () => {
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', Number.NaN)).toBeUndefined()
  })
})

describe('formatHttpDate writes IMF-fixdate (SPEC N7, N8)', () => {
  it.each([
    { name: 'the example of the RFC', ms: EXAMPLE, text: 'Sun, 06 Nov 1994 08:49:37 GMT' },
    { name: 'half a second is cut', ms: EXAMPLE + 500, text: 'Sun, 06 Nov 1994 08:49:37 GMT' },
    { name: '999 ms are cut, not rounded', ms: EXAMPLE + 999, text: 'Sun, 06 Nov 1994 08:49:37 GMT' },
    { name: 'the epoch', ms: 0, text: 'Thu, 01 Jan 1970 00:00:00 GMT' },
    {
      name: 'a year before 1000',
      ms: Date.parse('0094-11-06T08:49:37Z'),
      text: 'Sat, 06 Nov 0094 08:49:37 GMT',
    },
  ])('$name', ({ ms, text }) => {
    expect(formatHttpDate(ms)).toBe(text)
  })
})

describe('properties', () => {
  const seconds = fc.integer({
    min: Date.parse('0000-01-01T00:00:00Z') / 1000,
    max: Date.parse('9999-12-31T23:59:59Z') / 1000,
  })

  it('parsing undoes formatting on whole seconds', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: 0, max: 999 }), (second, ms) => {
        expect(parseHttpDate(formatHttpDate(second * 1000 + ms), NOW)).toBe(second * 1000)
      }),
    )
  })

  it('asctime says the same instant', () => {
    fc.assert(
      fc.property(seconds, (second) => {
        expect(parseHttpDate(asctime(new Date(second * 1000)), NOW)).toBe(second * 1000)
      }),
    )
  })

  it('the RFC 850 form says the same instant for less than 50 years around any present', () => {
    const present = fc.integer({ min: Date.UTC(1990, 0, 1) / 1000, max: Date.UTC(2190, 0, 1) / 1000 })
    const reach = 49.9 * 365.2425 * 86_400
    fc.assert(
      fc.property(present, fc.integer({ min: Math.ceil(-reach), max: Math.floor(reach) }), (now, ahead) => {
        const instant = (now + ahead) * 1000
        expect(parseHttpDate(rfc850(new Date(instant)), now * 1000)).toBe(instant)
      }),
    )
  })

  it('no text and no clock makes it throw, and what it reads is a whole second', () => {
    const nearly = fc
      .tuple(
        fc.constantFrom('Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT'),
        fc.nat(40),
        fc.string(),
      )
      .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + other.length))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearly), fc.double(), (text, now) => {
        expect(parseHttpDate(text, now) ?? 0).toSatisfy((ms: number) => Number.isInteger(ms / 1000))
      }),
    )
  })
})
