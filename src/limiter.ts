/** Runs at most a number of tasks at once; the rest wait in order. */
export interface Limiter {
  run<T>(task: () => Promise<T>): Promise<T>
}

export function createLimiter(most: number): Limiter {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(task) {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
      else running++
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        // The slot is handed over, so that nobody slips in between.
        if (next === undefined) running--
        else next()
      }
    },
  }
}
