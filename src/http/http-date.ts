// RFC 9110 §5.6.7: case-sensitive, single spaces where the grammar has them, seconds up to the leap second 23:59:60.
const TIME = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|(?<=23:59:)60)'
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH = `(?<month>${MONTHS.join('|')})`
const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const LONG_DAY_NAME = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'

const IMF_FIXDATE = new RegExp(`^${DAY_NAME}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`)
const RFC_850 = new RegExp(`^${LONG_DAY_NAME}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`)
const ASCTIME = new RegExp(`^${DAY_NAME} ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`)

/**
 * The instant of an HTTP-date in milliseconds since 1970, or undefined where `text` is not one (RFC 9110 §5.6.7, SPEC N7).
 *
 * Reads IMF-fixdate, the RFC 850 form and asctime. `nowMs` places the two-digit year of the RFC 850 form.
 * The day must exist in the calendar; the day name must be one, but is not held against the date: the
 * section asks recipients to be robust, and the name adds nothing to a date that is complete without it.
 */
export function parseHttpDate(text: string, nowMs: number): number | undefined {
  const match = IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text)
  if (match === null) return undefined
  // Each of the three patterns names these six groups, none of them optional.
  const { day, month, year, hour, minute, second } = match.groups as Record<DateField, string>
  const monthIndex = MONTHS.indexOf(month)
  const timeOfDayMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000

  // `Date.UTC` would read the years 0 to 99 as 1900 to 1999.
  const midnightIn = (fullYear: number) => new Date(0).setUTCFullYear(fullYear, monthIndex, Number(day))
  const instantIn = (fullYear: number) => midnightIn(fullYear) + timeOfDayMs

  const fullYear = year.length === 2 ? placeYear(Number(year), instantIn, nowMs) : Number(year)
  // A day that the month does not have (00, 31 June, 29 February) rolls over into another month.
  const isRealDay = new Date(midnightIn(fullYear)).getUTCMonth() === monthIndex
  return isRealDay ? instantIn(fullYear) : undefined
}

/**
 * An instant in milliseconds since 1970 as IMF-fixdate, cut down to the second; the only form that is written
 * (RFC 9110 §5.6.7, SPEC N7, N8). For the years 0 to 9999, which are all that the form can say.
 */
export function formatHttpDate(ms: number): string {
  return new Date(ms).toUTCString()
}

type DateField = 'day' | 'month' | 'year' | 'hour' | 'minute' | 'second'

// RFC 9110 §5.6.7, the 50-year rule: what would lie more than 50 years ahead is the latest such year in the past.
function placeYear(twoDigits: number, instantIn: (year: number) => number, nowMs: number): number {
  const horizon = new Date(nowMs)
  horizon.setUTCFullYear(horizon.getUTCFullYear() + 50)
  const year = Math.floor(horizon.getUTCFullYear() / 100) * 100 + twoDigits
  return instantIn(year) > horizon.getTime() ? year - 100 : year
}
