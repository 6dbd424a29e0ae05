import type { Clock } from '../clock.ts'
import { createLimiter, type Limiter } from '../limiter.ts'
import type { Log } from '../log.ts'
import type { Memory } from '../memory.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Spool } from '../shelves/spool.ts'
import { createStoreLink, type StoreLink } from './link.ts'
import { createRevisions, type Revisions } from './revisions.ts'

/** What a process shares with others through the store. */
export interface Sharing {
  readonly link: StoreLink
  readonly revisions: Revisions
  readonly clock: Clock
  readonly log: Log
  readonly memory: Memory
  readonly spool: Spool
  /** Tells the other instances what is stale, at the moment it is to count: a delay waits for something (a replica). */
  announce(tags: readonly string[], delayMs: number): void
  /** Shelves that store at once: what a store has lost may be thousands of them. */
  readonly storing: Limiter
  close(): Promise<void>
}

const SHELVES_STORING = 4

/** Undefined where the options name no store. */
export function createSharing(
  { cache: { store } }: ResolvedOptions,
  parts: Pick<Sharing, 'clock' | 'log' | 'memory' | 'spool'>,
): Sharing | undefined {
  if (store === undefined) return undefined
  const link = createStoreLink(store, parts.clock, parts.log)
  const revisions = createRevisions(link, parts.clock)
  return {
    ...parts,
    link,
    revisions,
    storing: createLimiter(SHELVES_STORING),
    announce(tags, delayMs) {
      if (delayMs <= 0) revisions.raise(tags)
      else parts.clock.after(delayMs, () => revisions.raise(tags))
    },
    async close() {
      revisions.close()
      await link.close()
    },
  }
}
