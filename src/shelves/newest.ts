/** What is kept of a stream that has a date. */
export interface Dated<T> {
  readonly value: T
  readonly dateMs: number
  /** Place in the stream: equal dates stay in its order. */
  readonly order: number
}

/** The best `limit` of a stream, cutting now and then, so that memory is bounded whatever the stream's length. */
export interface Best<T> {
  /** Whether one of this date could still be among them. */
  wants(dateMs: number): boolean
  add(candidate: Dated<T>): void
  /** Best first. */
  all(): readonly Dated<T>[]
}

/** `compare` is below 0 where the first date is the better one. */
export function createBest<T>(limit: number, compare: (a: number, b: number) => number): Best<T> {
  const kept: Dated<T>[] = []
  let worst: number | undefined

  function cut(): void {
    kept.sort((a, b) => compare(a.dateMs, b.dateMs) || a.order - b.order)
    kept.length = Math.min(kept.length, limit)
    if (kept.length === limit) worst = kept.at(-1)?.dateMs
  }

  return {
    // Of equal dates the earlier in order is the better one, and this one comes later.
    wants: (dateMs) => worst === undefined || compare(dateMs, worst) < 0,
    add(candidate) {
      kept.push(candidate)
      if (kept.length >= limit * 2) cut()
    },
    all() {
      cut()
      return kept
    },
  }
}

export const newestFirst = (a: number, b: number): number => b - a
export const soonestFirst = (a: number, b: number): number => a - b
