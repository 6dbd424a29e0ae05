import { systemClock } from '../clock.ts'
import type { DateInput } from '../entry/entry.ts'
import { parseDate } from '../entry/lastmod.ts'
import { SitemapError } from '../errors.ts'
import type { Check } from '../options/check.ts'
import { changedIds } from './changed-ids.ts'
import {
  type Awaitable,
  checkFunction,
  checkOptions,
  type PartitionSettings,
  settingsOf,
} from './partition-settings.ts'
import type { Entries, Partition, PartitionedProvider, ProviderContext } from './provider.ts'

/** One partition of {@link byMonth}: the instants with `from <= instant < to`. */
export interface Month {
  readonly from: Date
  readonly to: Date
}

/** One partition a calendar month in UTC. */
export interface MonthOptions extends PartitionSettings {
  /** An instant in the first month, such as the oldest date there is, or what finds it; null for an empty table. */
  readonly from: DateInput | ((ctx: ProviderContext) => Awaitable<DateInput | null>)
  /** An instant in the last month; its month is included. @defaultValue now, whenever the partitions are listed */
  readonly to?: DateInput | ((ctx: ProviderContext) => Awaitable<DateInput | null>)
  /** The entries of one month: `from` is in it, `to` is the start of the next. */
  readonly entries: (month: Month, ctx: ProviderContext) => Awaitable<Entries>
  /** The dates that say in which month each thing lies that changed since; deletions are not seen. */
  readonly changedSince?: (
    since: { readonly since: Date },
    ctx: ProviderContext,
  ) => Awaitable<Iterable<DateInput> | AsyncIterable<DateInput>>
}

const OWN: readonly (keyof MonthOptions)[] = ['from', 'to', 'entries', 'changedSince']

const EXAMPLE = "byMonth({ from: '2020-01-01', entries: ({ from, to }) => … })"

const DATE_WORDS = 'a date from 1970 to 2099, as entries take it'

/**
 * A provider of things with a date that never changes, such as articles: one partition a month in UTC, with ids such as
 * `2026-05`. A month that begins after the partitions were listed is there with the next listing.
 *
 * @example
 * byMonth({
 *   from: '2019-04-01',
 *   entries: ({ from, to }, { signal }) => cms.posts({ publishedFrom: from, publishedBefore: to, signal }),
 * })
 */
export function byMonth(options: MonthOptions): PartitionedProvider {
  checkOptions('byMonth', options, OWN, EXAMPLE, (check, { from, to, entries }) => {
    checkEnd(check, 'byMonth.from', from, "Write from: '2020-01-01'.")
    if (to !== undefined) checkEnd(check, 'byMonth.to', to, 'Leave it out.')
    checkFunction(check, 'byMonth.entries', entries, 'Write entries: ({ from, to }) => ….', true)
    const [first, last] = [monthOf(from), monthOf(to)]
    if (first === undefined || last === undefined || first <= last) return
    check.invalid('byMonth.to', to, `a date from ${monthId(first)} on, where "from" is`, 'Swap them.')
  })
  const { from, to } = options
  const entries = options.entries.bind(options)
  const changedSince = options.changedSince?.bind(options)

  return {
    ...settingsOf(options),
    async partitions(ctx) {
      const oldest = typeof from === 'function' ? await from.call(options, ctx) : from
      if (oldest === null) return []
      const newest = typeof to === 'function' ? await to.call(options, ctx) : (to ?? systemClock.now())
      return newest === null ? [] : monthsBetween(monthGiven(oldest, '"from"'), monthGiven(newest, '"to"'))
    },
    entries(ctx) {
      const [year, month] = ctx.partition.id.split('-').map(Number)
      const index = monthIndex(year, month)
      return entries({ from: startOf(index), to: startOf(index + 1) }, ctx)
    },
    ...(changedSince && {
      async changedSince(ctx) {
        const dates = await changedSince({ since: ctx.since }, ctx)
        return changedIds(dates, (date) => monthId(monthGiven(date, 'a date of changedSince()')))
      },
    }),
  }
}

/** Months since January of year 0. */
function monthIndex(year = 0, month = 1): number {
  return year * 12 + month - 1
}

function startOf(index: number): Date {
  return new Date(Date.UTC(Math.floor(index / 12), index % 12))
}

function monthId(index: number): string {
  return startOf(index).toISOString().slice(0, 7)
}

/** The month of a date, or undefined for what is none. */
function monthOf(value: unknown): number | undefined {
  const date = parseDate(value)
  if (date === undefined || !('ms' in date)) return undefined
  const day = new Date(date.ms)
  return monthIndex(day.getUTCFullYear(), day.getUTCMonth() + 1)
}

function monthGiven(value: unknown, what: string): number {
  const month = monthOf(value)
  if (month !== undefined) return month
  const came = value === undefined ? 'missing' : value === null ? 'null' : 'none'
  throw new SitemapError('LSM_ERR_PROVIDER_INVALID', `byMonth: ${what} is ${came}: expected ${DATE_WORDS}`)
}

function* monthsBetween(first: number, last: number): Generator<Partition> {
  for (let index = first; index <= last; index++) yield { id: monthId(index) }
}

function checkEnd(check: Check, path: string, value: unknown, wayOut: string): void {
  if (typeof value === 'function' || monthOf(value) !== undefined) return
  check.invalid(path, value, `${DATE_WORDS}, or a function that gives one`, wayOut)
}
