import { createFairLimiter, type FairLimiter } from './limiter.ts'

/**
 * Compression of this process on Node's thread pool, whatever it is for and whoever registered: the pool has four threads,
 * and one stays for the app's own files and look-ups. Walks and documents take turns, so that neither waits for all of
 * the other's.
 */
export const poolJobs: FairLimiter = createFairLimiter(3)
