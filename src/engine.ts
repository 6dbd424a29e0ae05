import { type Clock, systemClock } from './clock.ts'
import { SitemapError } from './errors.ts'
import type { Respond } from './http/respond.ts'
import type { ResolvedOptions } from './options.ts'
import type { Logger } from './providers/provider.ts'
import type { SitemapReport } from './report.ts'
import { createShared, type Shared } from './shared.ts'
import { createSiteEngine, type SiteEngine } from './site-engine.ts'
import { createSiteHub } from './sites/hub.ts'
import { tagOf } from './store/keys.ts'
import { refuseUnknownSection } from './unknown-section.ts'
import { within } from './within.ts'

/**
 * The engine of one site, or of many: no framework, no socket. `site` names one of many by its id; with a single site it
 * may be left out. LSM_ERR_SITE_UNKNOWN where there is no such site.
 */
export interface Engine {
  readonly options: ResolvedOptions
  /** Answers one of our paths; at once where nothing must be made or waited for. Never rejects. */
  readonly respond: Respond
  invalidate(section: string | undefined, delayMs: number, site?: string, partition?: string): Promise<void>
  refresh(section: string | undefined, force: boolean, site?: string): Promise<void>
  report(site?: string): SitemapReport
  /** Public URLs of all sitemaps as robots.txt names them. */
  sitemaps(site?: string): Promise<readonly string[]>
  /** Options with every field decided for a site. */
  optionsOf(site?: string): ResolvedOptions
  ready(timeoutMs: number): Promise<boolean>
  /** Forgets all about a site: it is looked up and read anew when it is asked for. */
  forget(site: string): void
  /** The server listens: reads what was never read, and starts the timers. Nothing where `warmUp` is false. */
  listening(): void
  /** Ends all work; waiting requests get 503. Resolves when the spool folder is gone. */
  close(): Promise<void>
}

export function createEngine(
  options: ResolvedOptions,
  { clock = systemClock, log }: { readonly clock?: Clock; readonly log?: Logger | undefined } = {},
): Engine {
  const shared = createShared(options, clock, log)
  return options.sites === undefined
    ? createSingle(options, shared)
    : createSiteHub(options, options.sites, shared, () => endShared(shared))
}

function createSingle(options: ResolvedOptions, shared: Shared): Engine {
  const site: SiteEngine = createSiteEngine(options, shared)
  const { id } = options.site
  let closed: Promise<void> | undefined

  function of(asked: string | undefined): SiteEngine {
    if (asked === undefined || asked === id) return site
    throw new SitemapError('LSM_ERR_SITE_UNKNOWN', `there is no site "${asked}"; the only one is "${id}"`)
  }

  return {
    options,
    respond: site.respond,
    invalidate(section, delayMs, asked, partition) {
      const own = of(asked)
      // With a partition an unknown section rejects, as an unknown partition does.
      if (partition === undefined) refuseUnknownSection(section, options)
      // First: whoever walks for this must not take a state of before from the store.
      shared.sharing?.announce([tagOf(options.cache.namespace, id, section, partition)], delayMs)
      return own.invalidate(section, delayMs, partition)
    },
    refresh: (section, force, asked) => of(asked).refresh(section, force),
    report: (asked) => of(asked).report(),
    sitemaps: (asked) => of(asked).sitemaps(),
    optionsOf: (asked) => of(asked).options,
    ready: (timeoutMs) => site.ready(timeoutMs),
    forget(asked) {
      // What a single site is is written in the options: there is nothing to look up anew.
      of(asked)
    },
    listening() {
      if (!options.warmUp || closed !== undefined) return
      shared.hasTimers = true
      shared.readsPartitions = options.warmUp === 'all'
      site.warmUp()
    },
    close() {
      closed ??= (async () => {
        site.close()
        await endShared(shared)
        site.release()
      })()
      return closed
    },
  }
}

/** What closing may take at most. */
const CLOSE_MS = 900

async function endShared({ representations, spool, sharing }: Shared): Promise<void> {
  representations.close()
  // A store or a disk that does not answer must not hold the app's own close.
  await within(systemClock, CLOSE_MS, Promise.all([sharing?.close(), spool.close()]))
}
