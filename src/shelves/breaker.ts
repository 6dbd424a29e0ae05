import type { Clock } from '../clock.ts'
import { SitemapError, type SitemapErrorCode } from '../errors.ts'

/** Keeps the walks of many sites away from a provider that they share while it is down. */
export interface Breaker {
  /** Runs a walk, or rejects at once with LSM_ERR_PROVIDER_FAILED while the breaker is open. */
  run<T>(walk: () => Promise<T>): Promise<T>
}

/** Walks that must fail one after the other, of whatever site, before the breaker opens. */
const FAILURES_TO_OPEN = 5
const FIRST_OPEN_MS = 1_000
const LONGEST_OPEN_MS = 60_000

/** Failures that speak of the provider; a held walk or a bad entry speaks of one site. */
const OF_THE_PROVIDER: ReadonlySet<SitemapErrorCode> = new Set([
  'LSM_ERR_PROVIDER_FAILED',
  'LSM_ERR_PROVIDER_TIMEOUT',
  'LSM_ERR_PROVIDER_BUSY',
  'LSM_ERR_WALK_TIMEOUT',
])

export function createBreaker(section: string, clock: Clock): Breaker {
  let failures = 0
  let openForMs = FIRST_OPEN_MS
  let openUntilMs = 0
  let isTrying = false

  function refuseWhileOpen(): void {
    if (failures < FAILURES_TO_OPEN) return
    if (clock.now() >= openUntilMs && !isTrying) {
      // One walk tries for all.
      isTrying = true
      return
    }
    throw new SitemapError(
      'LSM_ERR_PROVIDER_FAILED',
      `provider "${section}" failed for one site after the other: no walk starts until one of them tries again`,
    )
  }

  return {
    async run(walk) {
      refuseWhileOpen()
      try {
        const result = await walk()
        failures = 0
        openForMs = FIRST_OPEN_MS
        return result
      } catch (error) {
        if (error instanceof SitemapError && OF_THE_PROVIDER.has(error.code)) {
          failures++
          if (failures >= FAILURES_TO_OPEN) {
            openUntilMs = clock.now() + openForMs
            openForMs = Math.min(LONGEST_OPEN_MS, openForMs * 2)
          }
        }
        throw error
      } finally {
        isTrying = false
      }
    },
  }
}
