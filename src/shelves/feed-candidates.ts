import type { FeedItem } from '../entry/entry.ts'

/** Entries of a section that may stand in a feed: the newest N that are due, the next N to come, the first N undated. */
export interface FeedCandidates {
  /** Whether an entry of this date could still be among them; asked before its feed fields are read. */
  wants(dateMs: number | undefined): boolean
  add(item: FeedItem): void
  /** Newest first, equal dates in the provider's order, undated last. */
  finish(): readonly FeedItem[]
}

interface Candidate {
  readonly item: FeedItem
  readonly dateMs: number
  readonly order: number
}

/** Keeps the best `limit` seen so far, cutting now and then, so that memory is bounded whatever the section's size. */
class Best {
  #kept: Candidate[] = []
  #worst: number | undefined
  readonly #limit: number
  /** Below 0 where the first is the better one. */
  readonly #compare: (a: Candidate, b: Candidate) => number

  constructor(limit: number, compare: (a: Candidate, b: Candidate) => number) {
    this.#limit = limit
    this.#compare = compare
  }

  wants(dateMs: number): boolean {
    if (this.#worst === undefined) return true
    // Of equal dates the earlier in order is the better one, and this one comes later.
    return (
      this.#compare({ dateMs, order: 0 } as Candidate, { dateMs: this.#worst, order: 0 } as Candidate) < 0
    )
  }

  add(candidate: Candidate): void {
    this.#kept.push(candidate)
    if (this.#kept.length >= this.#limit * 2) this.#cut()
  }

  #cut(): void {
    this.#kept.sort((a, b) => this.#compare(a, b) || a.order - b.order)
    this.#kept.length = Math.min(this.#kept.length, this.#limit)
    if (this.#kept.length === this.#limit) this.#worst = this.#kept.at(-1)?.dateMs
  }

  all(): readonly Candidate[] {
    this.#cut()
    return this.#kept
  }
}

export function createFeedCandidates(limit: number, nowMs: number): FeedCandidates {
  const due = new Best(limit, (a, b) => b.dateMs - a.dateMs)
  const coming = new Best(limit, (a, b) => a.dateMs - b.dateMs)
  const undated: FeedItem[] = []
  let order = 0
  return {
    wants(dateMs) {
      if (dateMs === undefined) return undated.length < limit
      return (dateMs <= nowMs ? due : coming).wants(dateMs)
    },
    add(item) {
      if (item.dateMs === undefined) undated.push(item)
      else (item.dateMs <= nowMs ? due : coming).add({ item, dateMs: item.dateMs, order: order++ })
    },
    finish() {
      const dated = [...coming.all(), ...due.all()].sort((a, b) => b.dateMs - a.dateMs || a.order - b.order)
      return [...dated.map(({ item }) => item), ...undated]
    },
  }
}
