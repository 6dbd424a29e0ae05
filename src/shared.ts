import { createRepresentations, type Representations } from './cache/representation.ts'
import type { Clock } from './clock.ts'
import { createNegotiator, type Negotiate } from './http/negotiate.ts'
import { createFairLimiter, type FairLimiter } from './limiter.ts'
import { consoleLogger, createLog, type Log } from './log.ts'
import { createMemory, type Memory } from './memory.ts'
import type { ResolvedOptions } from './options.ts'
import type { Logger } from './providers/provider.ts'
import type { Abandoned } from './providers/read.ts'
import { remembered } from './remembered.ts'
import type { SitemapReport } from './report.ts'
import { type Breaker, createBreaker } from './shelves/breaker.ts'
import { createSpool, type Spool } from './shelves/spool.ts'
import { createSharing, type Sharing } from './store/sharing.ts'

/** How often each kind of answer was given. */
export interface Served {
  hits: number
  notModified: number
  stale: number
  cold503: number
}

/** What all sites of a process share: its memory, its folder, its slots for walks, its log. */
export interface Shared {
  readonly clock: Clock
  readonly logger: Logger
  readonly log: Log
  readonly memory: Memory
  readonly spool: Spool
  /** Undefined where every process works alone. */
  readonly sharing: Sharing | undefined
  readonly representations: Representations
  readonly negotiate: Negotiate
  /** Walks at once, fair between sites. */
  readonly walks: FairLimiter
  readonly served: Served
  /** Calls of a section's provider that were given up, whatever site they were for. */
  readonly abandonedOf: (section: string) => Abandoned
  readonly breakerOf: (section: string) => Breaker
  /** Providers are shared by several sites. */
  readonly hasManySites: boolean
  /** The server listens, and timers are wanted. */
  hasTimers: boolean
  /** Every partition is read as soon as it is listed. */
  readsPartitions: boolean
}

export function createShared(options: ResolvedOptions, clock: Clock, given: Logger | undefined): Shared {
  const logger = options.log ?? given ?? consoleLogger
  const memory = createMemory(options.cache.memory)
  const log = createLog(logger, clock)
  const spool = createSpool(options.cache.dir)
  return {
    clock,
    logger,
    log,
    memory,
    spool,
    sharing: createSharing(options, { clock, log, memory, spool }),
    representations: createRepresentations(memory),
    negotiate: createNegotiator(options.encodings),
    walks: createFairLimiter(options.concurrency),
    served: { hits: 0, notModified: 0, stale: 0, cold503: 0 },
    abandonedOf: remembered((_section: string): Abandoned => ({ count: 0 })),
    breakerOf: remembered((section: string) => createBreaker(section, clock)),
    hasManySites: options.sites !== undefined,
    hasTimers: false,
    readsPartitions: false,
  }
}

/** The store and whether it answers, for reports. */
export function storeState({ sharing }: Shared): SitemapReport['store'] {
  return sharing === undefined
    ? { name: 'none', state: 'none' }
    : { name: sharing.link.store.name, state: sharing.link.state }
}

/** Bytes that the process keeps for its sitemaps. */
export function usedMemory({ memory, representations }: Shared): number {
  return memory.blobs + memory.records + memory.loose + memory.underWay + representations.bytes
}
