import type { FeedItem } from '../entry/entry.ts'
import { createBest, newestFirst, soonestFirst } from './newest.ts'

/** An item and the entry it was made from, as the provider gave it. */
export interface FeedCandidate {
  readonly item: FeedItem
  readonly input: unknown
}

/** Entries of a section that may stand in a feed: the newest N that are due, the next N to come, the first N undated. */
export interface FeedCandidates {
  /** Whether an entry of this date could still be among them; asked before its feed fields are read. */
  wants(dateMs: number | undefined): boolean
  add(item: FeedItem, input: unknown): void
  /** Newest first, equal dates in the provider's order, undated last. */
  finish(): readonly FeedCandidate[]
}

export function createFeedCandidates(limit: number, nowMs: number): FeedCandidates {
  const due = createBest<FeedCandidate>(limit, newestFirst)
  const coming = createBest<FeedCandidate>(limit, soonestFirst)
  const undated: FeedCandidate[] = []
  let order = 0
  return {
    wants(dateMs) {
      if (dateMs === undefined) return undated.length < limit
      return (dateMs <= nowMs ? due : coming).wants(dateMs)
    },
    add(item, input) {
      const value = { item, input }
      if (item.dateMs === undefined) undated.push(value)
      else (item.dateMs <= nowMs ? due : coming).add({ value, dateMs: item.dateMs, order: order++ })
    },
    finish() {
      const dated = [...coming.all(), ...due.all()].sort((a, b) => b.dateMs - a.dateMs || a.order - b.order)
      return [...dated.map(({ value }) => value), ...undated]
    },
  }
}
