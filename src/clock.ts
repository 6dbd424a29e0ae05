/** The only source of time: tests replace it, nothing else calls `Date.now` or `setTimeout`. */
export interface Clock {
  /** The present instant in milliseconds since 1970. */
  now(): number
  /** Calls `run` once after `ms` milliseconds; the returned function cancels it. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void
}

/** The longest delay `setTimeout` takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647

/** The clock of the machine, with timers that let the process end. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS))
    timer.unref()
    return () => {
      // Node keeps the list that a cleared timer stood in until its time is up, unless the timer is a ref'd one.
      timer.ref()
      clearTimeout(timer)
    }
  },
}
