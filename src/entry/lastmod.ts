/** A date as documents write it: `text` is W3C (SPEC W3, W5 or W6), `ms` the instant (midnight UTC for a date without time). */
export interface W3cDate {
  readonly text: string
  readonly ms: number
}

/** What is wrong with a date. */
export interface DateFault {
  readonly reason: string
}

const fault = (reason: string): DateFault => Object.freeze({ reason })

const NOT_A_DATE = fault('is not a date')
const OUT_OF_RANGE = fault('lies outside 1970 to 2099')
const BARE = fault('is a bare year or month')

/** Numbers below this are seconds, from it on milliseconds. */
const FIRST_MS = 100_000_000_000
const END_MS = Date.UTC(2100, 0, 1)
const DAY_MS = 86_400_000

/**
 * Reads a date of an entry: `Date` of any realm, epoch, W3C or SQL text; no zone means UTC (SPEC 1.3, D4, D5, D10).
 * Text is read by pattern, never by `new Date(text)`, which rolls 30 February over and uses the server's zone.
 * Undefined for null, undefined and the empty text; a fault for what is no date, has only a year or month, or lies
 * outside 1970 to 2099 (fixed years, so that no clock decides).
 */
export function parseDate(input: unknown): W3cDate | DateFault | undefined {
  if (typeof input === 'string') return parseText(input)
  if (input === undefined || input === null) return undefined
  if (typeof input === 'number') return fromMs(Math.abs(input) < FIRST_MS ? input * 1000 : input)
  if (typeof input !== 'object') return NOT_A_DATE
  if (input instanceof Date) return fromMs(input.getTime())
  if (Object.prototype.toString.call(input) === '[object Date]') return fromMs(foreignTime(input))
  return fromLibrary(input)
}

/** `date` in whole seconds, for tags that know the forms W3 and W5 alone. */
export function inSeconds(date: W3cDate): W3cDate {
  if (!date.text.includes('.')) return date
  return { text: date.text.replace(FRACTION, ''), ms: Math.floor(date.ms / 1000) * 1000 }
}

const FRACTION = /\.\d+/

/** Date objects of libraries: Day.js and Moment have toISOString, Luxon and Temporal toJSON. */
function fromLibrary(input: {
  readonly toISOString?: unknown
  readonly toJSON?: unknown
}): W3cDate | DateFault | undefined {
  const write = input.toISOString ?? input.toJSON
  const text: unknown = typeof write === 'function' ? write.call(input) : undefined
  return typeof text === 'string' ? parseText(text) : NOT_A_DATE
}

function foreignTime(input: object): number {
  try {
    return Date.prototype.getTime.call(input)
  } catch {
    return Number.NaN // An object that only claims to be a Date.
  }
}

function fromMs(ms: number): W3cDate | DateFault {
  if (!Number.isFinite(ms)) return NOT_A_DATE
  if (ms < 0 || ms >= END_MS) return OUT_OF_RANGE
  const seconds = Math.floor(ms / 1000)
  const day = Math.floor(seconds / 86_400)
  const rest = seconds - day * 86_400
  const hour = Math.floor(rest / 3600)
  const minute = Math.floor((rest - hour * 3600) / 60)
  // SPEC 1.3: W5 in UTC without milliseconds.
  return {
    text: `${dayText(day)}T${two(hour)}:${two(minute)}:${two(rest - hour * 3600 - minute * 60)}Z`,
    ms: seconds * 1000,
  }
}

let lastDay = -1
let lastDayText = ''

/** `YYYY-MM-DD` of a day since 1970; the last one is kept, as entries of one day often stand together. */
function dayText(day: number): string {
  if (day !== lastDay) {
    lastDay = day
    lastDayText = new Date(day * DAY_MS).toISOString().slice(0, 10)
  }
  return lastDayText
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

const TEXT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)([.,]\d{1,9})?)? ?(?:([Zz]|UTC|GMT)|([+-])(\d\d)(?::?(\d\d))?)?)?$/
const BARE_TEXT = /^\d{4}(-\d\d)?$/

function parseText(text: string): W3cDate | DateFault | undefined {
  if (text.length === 10) {
    const day = dayAt(text)
    if (day >= 0) return { text, ms: day * DAY_MS }
  } else if (text.length === 20 || text.length === 24) {
    const timeMs = utcTimeAt(text)
    const day = timeMs >= 0 ? dayAt(text) : -1
    if (day >= 0) return { text, ms: day * DAY_MS + timeMs }
  }
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (BARE_TEXT.test(trimmed)) return BARE
  const match = TEXT.exec(trimmed)
  if (match === null) return NOT_A_DATE
  return fromFields(match)
}

function fromFields(match: RegExpExecArray): W3cDate | DateFault {
  const [
    ,
    year = '',
    month = '',
    dayOfMonth = '',
    hour,
    minute = '',
    second = '00',
    fraction = '',
    utc,
    sign,
    zoneHour = '00',
    zoneMinute = '00',
  ] = match
  const date = `${year}-${month}-${dayOfMonth}`
  const dayMs = Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth))
  // Date.UTC rolls a day that does not exist over, and reads years below 100 as 19xx.
  const real = new Date(dayMs).toISOString().slice(0, 10) === date
  if (!real) return Number(year) < 100 && year !== '' ? OUT_OF_RANGE : NOT_A_DATE
  if (hour === undefined) return inRange(date, dayMs)
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return NOT_A_DATE
  if (Number(zoneHour) > 14 || Number(zoneMinute) > 59 || (zoneHour === '14' && zoneMinute !== '00'))
    return NOT_A_DATE
  const zone = utc !== undefined || sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`
  const offsetMs =
    zone === 'Z' ? 0 : (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -60_000 : 60_000)
  const timeMs = Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000
  const fractionMs = fraction === '' ? 0 : Math.floor(Number(`0.${fraction.slice(1)}`) * 1000)
  const seconds = fraction === '' ? second : `${second}.${fraction.slice(1)}`
  return inRange(`${date}T${hour}:${minute}:${seconds}${zone}`, dayMs + timeMs + fractionMs - offsetMs)
}

function inRange(text: string, ms: number): W3cDate | DateFault {
  return ms < 0 || ms >= END_MS ? OUT_OF_RANGE : { text, ms }
}

/** Days since 1970 of the `YYYY-MM-DD` that `text` begins with, or -1 where it is none between 1970 and 2099. */
function dayAt(text: string): number {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return -1
  const year = pairAt(text, 0) * 100 + pairAt(text, 2)
  const month = pairAt(text, 5)
  const day = pairAt(text, 8)
  if (!(year >= 1970 && year <= 2099 && month >= 1 && month <= 12 && day >= 1)) return -1
  const leap = year % 4 === 0 // 2000 is one too; 2100 is out of range.
  const longest =
    month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  if (day > longest) return -1
  const years = year - 1970
  return (
    years * 365 +
    Math.floor((years + 1) / 4) +
    (MONTH_START[month] ?? 0) +
    (leap && month > 2 ? 1 : 0) +
    day -
    1
  )
}

/**
 * Milliseconds of the day in `Thh:mm:ssZ` or `Thh:mm:ss.sssZ` from place 10 on, the two forms that nearly every entry
 * has; -1 for any other text, which the pattern then reads.
 */
function utcTimeAt(text: string): number {
  const last = text.length - 1
  if (text.charCodeAt(10) !== 84 || text.charCodeAt(last) !== 90) return -1
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return -1
  const hour = pairAt(text, 11)
  const minute = pairAt(text, 14)
  const second = pairAt(text, 17)
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return -1
  const ms =
    last === 19 ? 0 : text.charCodeAt(19) === 46 ? pairAt(text, 20) * 10 + digitAt(text, 22) : Number.NaN
  return ms >= 0 ? hour * 3_600_000 + minute * 60_000 + second * 1000 + ms : -1
}

/** Days before each month of a common year, from 1. */
const MONTH_START = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

function digitAt(text: string, index: number): number {
  const digit = text.charCodeAt(index) - 48
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

/** The two digits at `index` as a number, or NaN. */
function pairAt(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48
  const ones = text.charCodeAt(index + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}
