import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../src/clock.ts'

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /**
   * Moves time on by `ms`, running the timers that come due on the way, each at its own instant, and letting what they
   * started settle before the next.
   */
  advance(ms: number): Promise<void>
  /** Moves time without running anything: a machine that slept, or a clock that was set (`ms` may be negative). */
  jump(ms: number): void
  /** Timers that have not fired and were not cancelled. */
  readonly timers: number
}

interface Timer {
  readonly atMs: number
  readonly run: () => void
}

/** Begins above 0, so that "never" and "at the beginning of time" are not one. */
export const BEGIN_MS: number = Date.UTC(2026, 10, 30, 12)

export function manualClock(beginMs: number = BEGIN_MS): ManualClock {
  let nowMs = beginMs
  // In the order of their instants; equal instants in the order they were set.
  let timers: Timer[] = []

  return {
    now: () => nowMs,
    after(ms, run) {
      const timer: Timer = { atMs: nowMs + Math.max(ms, 0), run }
      const later = timers.findIndex(({ atMs }) => atMs > timer.atMs)
      timers.splice(later === -1 ? timers.length : later, 0, timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const endMs = nowMs + ms
      await settle()
      for (;;) {
        const [next] = timers
        if (next === undefined || next.atMs > endMs) break
        timers = timers.slice(1)
        nowMs = Math.max(nowMs, next.atMs)
        next.run()
        await settle()
      }
      nowMs = endMs
      await settle()
    },
    jump(ms) {
      nowMs += ms
    },
    get timers() {
      return timers.length
    },
  }
}

/** Lets everything that is ready run: promises, and what was put off by `setImmediate`. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

/** Waits until `condition` holds, for work that other threads do (files, compression). */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 10_000
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`never came true: ${condition}`)
    await setImmediate()
  }
}
