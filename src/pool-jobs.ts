import { availableParallelism } from 'node:os'
import { createFairLimiter, type FairLimiter } from './limiter.ts'

/**
 * Jobs at once: one processor stays for the event loop, which would else wait in line behind our threads, and one of the
 * four threads of Node's pool for the app's own files and look-ups.
 */
export const MOST_POOL_JOBS: number = Math.max(1, Math.min(3, availableParallelism() - 1))

/**
 * Compression of this process on Node's thread pool, whatever it is for and whoever registered. Walks and documents take
 * turns, so that neither waits for all of the other's.
 */
export const poolJobs: FairLimiter = createFairLimiter(MOST_POOL_JOBS)
