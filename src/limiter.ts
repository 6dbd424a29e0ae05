/** Runs at most a number of tasks at once; the rest wait. */
export interface Limiter {
  run<T>(task: () => Promise<T>): Promise<T>
}

/** A limiter whose slots are shared out among several users in turn, so that none has to wait behind all of another's. */
export interface FairLimiter {
  of(user: string): Limiter
}

/** Those who wait get their turn in order. */
export function createLimiter(most: number): Limiter {
  return createFairLimiter(most).of('')
}

export function createFairLimiter(most: number): FairLimiter {
  let running = 0
  /** Users with tasks that wait; the first has the next turn. */
  const waiting = new Map<string, (() => void)[]>()

  function enqueue(user: string, start: () => void): void {
    const own = waiting.get(user)
    if (own === undefined) waiting.set(user, [start])
    else own.push(start)
  }

  function next(): (() => void) | undefined {
    const [first] = waiting
    if (first === undefined) return undefined
    const [user, starts] = first
    const start = starts.shift()
    // To the end of the row, or out of it.
    waiting.delete(user)
    if (starts.length > 0) waiting.set(user, starts)
    return start
  }

  return {
    of: (user) => ({
      async run(task) {
        if (running >= most) await new Promise<void>((resolve) => enqueue(user, resolve))
        else running++
        try {
          return await task()
        } finally {
          const start = next()
          // The slot is handed over, so that nobody slips in between.
          if (start === undefined) running--
          else start()
        }
      },
    }),
  }
}
