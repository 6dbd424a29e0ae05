import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../src/clock.ts'

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /** Moves on by `ms`, running what falls due on the way at its own instant. */
  advance(ms: number): Promise<void>
  /** Timers that wait. */
  readonly waiting: number
}

interface Timer {
  readonly dueMs: number
  readonly run: () => void
}

/** Starts on 15 January 2026 at noon, half a second past, so that a whole second is never met by luck. */
export function createManualClock(startMs: number = Date.UTC(2026, 0, 15, 12, 0, 0, 500)): ManualClock {
  let nowMs = startMs
  const timers = new Set<Timer>()

  async function advance(ms: number): Promise<void> {
    const endMs = nowMs + ms
    for (;;) {
      await turns()
      const next = [...timers].sort((a, b) => a.dueMs - b.dueMs).find(({ dueMs }) => dueMs <= endMs)
      if (next === undefined) break
      timers.delete(next)
      nowMs = Math.max(nowMs, next.dueMs)
      next.run()
    }
    nowMs = endMs
    await turns()
  }

  return {
    now: () => nowMs,
    after(ms, run) {
      // As setTimeout does: a fraction of a millisecond is cut off, so a timer may fire before the instant it was set for.
      const timer = { dueMs: nowMs + Math.max(0, Math.trunc(ms)), run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance,
    get waiting() {
      return timers.size
    },
  }
}

/** Lets everything run that waits for nothing but the event loop. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await setImmediate()
}

/** Waits for what files, the network or the thread pool bring about; fails where it does not come. */
export async function until(holds: () => unknown, what = 'a condition of the test'): Promise<void> {
  const endMs = performance.now() + 10_000
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`waited in vain for ${what}`)
    await setImmediate()
  }
}
