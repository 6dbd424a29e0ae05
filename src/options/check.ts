import { durationText, formatDuration, parseDuration, parseSize } from '../durations.ts'
import { normaliseLanguage } from '../entry/alternates.ts'
import { describe, SitemapError } from '../errors.ts'
import type { Size } from '../options.ts'
import type { Duration } from '../providers/provider.ts'
import { type Names, PASSED_BY_FASTIFY } from './keys.ts'
import { nearest } from './nearest.ts'
import { isPath, PATH_WORDS } from './paths.ts'
import { suggest, usable } from './suggest.ts'
import { type Fields, isLanguageTag, isLine, isRecord, isText, LOCALE_WORDS, localeOf } from './values.ts'
import { alternatives, bounds, join, type Literal, literal, quote, subject } from './words.ts'

/** The most seconds a bare number may stand for where a request or a call waits; beyond it milliseconds were meant. */
export const WAITING = 3_600

/** The same for every other duration: a week. */
const KEEPING = 604_800

/** Collects faults: each method returns a value to go on with, so that one call finds them all. */
export interface Check {
  /** A fault of a value. `came` replaces the value in the message where showing it would leak or say nothing. */
  invalid(path: string, value: unknown, expected: string, wayOut: string, came?: string): void
  /** `came` where only one value of the option is meant; others are not shown, a store's client may hold a password. */
  later(path: string, wayOut: string, came?: string): void
  /** The fields of an object whose keys are all known; none where it is absent or no object. */
  record(path: string, value: unknown, known: Names): Fields
  /** Milliseconds; `above0` where nothing could ever end in time, `mostS` is the most a bare number may stand for. */
  duration(
    path: string,
    value: unknown,
    fallback: Duration,
    limits?: { readonly above0?: boolean; readonly mostS?: number },
  ): number
  /** Bytes from `least` to `most`. */
  size(path: string, value: unknown, fallback: Size, least: number, most?: number): number
  /** A whole number from `least` to `most`. */
  whole(path: string, value: unknown, fallback: number, least: number, most?: number): number
  /** A number from 0 to 1. */
  share(path: string, value: unknown, fallback: number): number
  /** True or false. */
  bool(path: string, value: unknown, fallback: boolean): boolean
  /** One of `values`, the first when absent. */
  oneOf<const T extends readonly [Literal, ...Literal[]]>(path: string, value: unknown, values: T): T[number]
  /** Text that is more than spaces, and one line. */
  text<T extends string | undefined>(path: string, value: unknown, fallback: T, wayOut: string): string | T
  /** A header's value: visible ASCII and spaces, so that no value can break a response. */
  header(path: string, value: unknown, fallback: string, orFalse?: boolean): string
  /** A function, whatever it takes and returns. */
  fn<T>(path: string, value: unknown, wayOut: string): T | undefined
  /** A language tag. */
  language<T extends string | undefined>(path: string, value: unknown, fallback: T): string | T
  /** A language tag as entries have it, in its usual case. */
  locale(path: string, value: unknown): string | undefined
  /** `''` or a path without a slash at the end; undefined when absent. */
  basePath(path: string, value: unknown): string | undefined
  /** All faults as one error, or undefined. */
  error(): SitemapError | undefined
}

/** An empty collection. */
export function createCheck(): Check {
  const faults: { readonly kind: 'INVALID' | 'UNKNOWN' | 'LATER'; readonly line: string }[] = []

  function invalid(path: string, value: unknown, expected: string, wayOut: string, came?: string): void {
    const is = came ?? (value === undefined ? 'missing' : describe(value))
    faults.push({ kind: 'INVALID', line: `${subject(path)} ${is}: expected ${expected}. ${wayOut}` })
  }

  function later(path: string, wayOut: string, came?: string): void {
    const what = came === undefined ? '' : `${came}, `
    faults.push({ kind: 'LATER', line: `${subject(path)} ${what}the work of a later release. ${wayOut}` })
  }

  function record(path: string, value: unknown, known: Names): Fields {
    if (value === undefined) return {}
    if (!isRecord(value)) {
      invalid(path, value, 'an object', `Its keys are ${usable(known).join(', ')}.`)
      return {}
    }
    for (const key of Object.keys(value)) {
      const at = join(path, key)
      const state = Object.hasOwn(known, key) ? known[key] : undefined
      if (state === undefined) {
        if (path === '' && PASSED_BY_FASTIFY.includes(key)) continue
        faults.push({
          kind: 'UNKNOWN',
          line: `option ${quote(at)} is not known. ${suggest(path, key, known)}`,
        })
      } else if (typeof state === 'string' && value[key] !== undefined) {
        later(at, state)
      }
    }
    return value
  }

  function duration(
    path: string,
    value: unknown,
    fallback: Duration,
    { above0 = false, mostS = KEEPING }: { above0?: boolean; mostS?: number } = {},
  ): number {
    const ms = parseDuration(value ?? fallback)
    if (ms === undefined || value === null || (above0 && ms === 0)) {
      const numeric =
        typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? value.trim() : undefined
      const example = numeric === undefined ? `'${fallback}'` : `'${numeric}s' or '${numeric}ms'`
      const least = above0 ? ' above 0' : ''
      invalid(
        path,
        value,
        `a duration${least}: text such as '10m' (ms s m h d), or a number of seconds`,
        `Write ${example}, or leave it out.`,
      )
      return 0
    }
    if (typeof value === 'number' && value > mostS) {
      const line = `option ${quote(path)} is ${describe(value)}, which is ${formatDuration(ms)}: numbers are seconds.`
      faults.push({ kind: 'INVALID', line: `${line} ${meant(value)}` })
    }
    return ms
  }

  function size(path: string, value: unknown, fallback: Size, least: number, most = Infinity): number {
    const bytes = parseSize(value === undefined ? fallback : value)
    if (bytes !== undefined && bytes >= least && bytes <= most) return bytes
    invalid(
      path,
      value,
      `a size in bytes ${bounds(least, most)}: text such as '64mb' (b kb mb gb), or a whole number`,
      `Write ${literal(fallback)}, or leave it out.`,
    )
    return 0
  }

  function whole(path: string, value: unknown, fallback: number, least: number, most = Infinity): number {
    if (value === undefined) return fallback
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
      return value
    invalid(path, value, `a whole number ${bounds(least, most)}`, `Write ${fallback}, or leave it out.`)
    return fallback
  }

  function share(path: string, value: unknown, fallback: number): number {
    if (value === undefined) return fallback
    if (typeof value === 'number' && value >= 0 && value <= 1) return value
    invalid(path, value, 'a share from 0 to 1', `Write ${fallback}, or leave it out.`)
    return fallback
  }

  function bool(path: string, value: unknown, fallback: boolean): boolean {
    if (typeof value === 'boolean') return value
    if (value !== undefined) invalid(path, value, 'true or false', `Leave it out for ${fallback}.`)
    return fallback
  }

  function oneOf<const T extends readonly [Literal, ...Literal[]]>(
    path: string,
    value: unknown,
    values: T,
  ): T[number] {
    const found = value === undefined ? values[0] : values.find((one) => one === value)
    if (found !== undefined) return found
    const near = isText(value) ? nearest(value, values.map(String)) : undefined
    const example = values.find((one) => String(one) === near) ?? values[0]
    invalid(path, value, alternatives(values), `Write ${literal(example)}, or leave it out.`)
    return values[0]
  }

  function text<T extends string | undefined>(
    path: string,
    value: unknown,
    fallback: T,
    wayOut: string,
  ): string | T {
    if (value === undefined) return fallback
    if (isLine(value)) return value
    invalid(path, value, 'text of one line that is not empty', wayOut)
    return fallback
  }

  function header(path: string, value: unknown, fallback: string, orFalse = false): string {
    if (value === undefined) return fallback
    if (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) && value.trim() !== '') return value
    const expected = 'the value of a header: ASCII text on one line, not empty'
    invalid(
      path,
      value,
      orFalse ? `${expected}, or false` : expected,
      `Write '${fallback}', or leave it out.`,
    )
    return fallback
  }

  function fn<T>(path: string, value: unknown, wayOut: string): T | undefined {
    if (typeof value === 'function') return value as T
    if (value !== undefined) invalid(path, value, 'a function', wayOut)
    return undefined
  }

  function language<T extends string | undefined>(path: string, value: unknown, fallback: T): string | T {
    if (value === undefined) return fallback
    if (isLanguageTag(value)) return value
    const mended = typeof value === 'string' ? value.trim().replaceAll('_', '-') : ''
    const example = isLanguageTag(mended) ? mended : 'en'
    invalid(path, value, 'a language tag such as en or fr-CA', `Write '${example}'.`)
    return fallback
  }

  function locale(path: string, value: unknown): string | undefined {
    const tag = localeOf(value)
    if (value === undefined || tag !== undefined) return tag
    const mended = typeof value === 'string' ? normaliseLanguage(value) : undefined
    invalid(path, value, LOCALE_WORDS, `Write '${localeOf(mended) ?? 'en'}'.`)
    return undefined
  }

  function basePath(path: string, value: unknown): string | undefined {
    if (value === undefined) return undefined
    const trimmed = typeof value === 'string' && value.endsWith('/') ? value.slice(0, -1) : value
    if (trimmed === '' || isPath(trimmed)) return trimmed
    const slash = typeof value === 'string' && isPath(`/${value}`) ? `/${value}` : '/shop'
    invalid(path, value, `'' or ${PATH_WORDS}`, `Write '${slash}', or leave it out.`)
    return undefined
  }

  function error(): SitemapError | undefined {
    const [first, ...others] = faults
    if (first === undefined) return undefined
    const kind = others.every((fault) => fault.kind === first.kind) ? first.kind : 'INVALID'
    const lines = faults.map((fault) => fault.line)
    const message =
      others.length === 0 ? first.line : [`${lines.length} options are wrong:`, ...lines].join('\n')
    return new SitemapError(`LSM_ERR_OPTION_${kind}`, message)
  }

  return {
    invalid,
    later,
    record,
    duration,
    size,
    whole,
    share,
    bool,
    oneOf,
    text,
    header,
    fn,
    language,
    locale,
    basePath,
    error,
  }
}

/** What a number past the bound was meant to be: milliseconds, or seconds where these make whole hours. */
function meant(value: number): string {
  const asSeconds = durationText(Math.round(value * 1_000))
  const asMs = durationText(Math.round(value))
  if (value % 3_600 === 0) return `Write '${asMs}' if milliseconds were meant, '${asSeconds}' if seconds.`
  return value % 1_000 === 0
    ? `Write '${asMs}'.`
    : `Write '${asSeconds}', or '${asMs}' if milliseconds were meant.`
}
