/** A walk that lost more than it may: kept back until it proves true. */
export interface Held {
  /** Entries of the walk that was held. */
  readonly count: number
  /** Since when walks have come back alike. */
  readonly sinceMs: number
}

/** How long walks have to come back alike before the loss is believed. */
const BELIEVED_AFTER_MS = 24 * 60 * 60 * 1000
/** Alike: within this share of the count first held. */
const ALIKE = 0.1

/**
 * Whether a walk of `count` entries is held against the `published` count: a section of 100 entries or more lost more
 * than `maxShrink` of them, or one of 10 or more lost all. A permission taken away answers 200 with fewer rows: that
 * must not empty the sitemap. Undefined where the walk may be published, because it lost little or has come back alike
 * for 24 hours.
 */
export function holdWalk(
  published: number | undefined,
  count: number,
  maxShrink: number,
  held: Held | undefined,
  nowMs: number,
): Held | undefined {
  if (published === undefined || !isShrunk(published, count, maxShrink)) return undefined
  const alike = held !== undefined && Math.abs(count - held.count) <= held.count * ALIKE
  if (!alike) return { count, sinceMs: nowMs }
  return nowMs - held.sinceMs >= BELIEVED_AFTER_MS ? undefined : held
}

function isShrunk(before: number, after: number, maxShrink: number): boolean {
  return (before >= 100 && (before - after) / before > maxShrink) || (before >= 10 && after === 0)
}
