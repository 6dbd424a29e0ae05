import type { Clock } from './clock.ts'

/**
 * Whether `promise` settles within `ms`: true when it resolved, false when time was up or `signal` fired first; rejects
 * as it does. What comes later is ignored, never unhandled.
 */
export function within(
  clock: Clock,
  ms: number,
  promise: Promise<unknown>,
  signal?: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      end()
      resolve(false)
    }
    const cancel = clock.after(ms, giveUp)
    promise.then(
      () => {
        end()
        resolve(true)
      },
      (error) => {
        end()
        reject(error)
      },
    )
    if (signal?.aborted === true) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
}

/** Resolves after `ms`, or when `signal` fires. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
