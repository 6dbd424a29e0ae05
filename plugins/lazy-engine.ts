import type { Clock } from '../src/clock.ts'
import type { Engine } from '../src/engine.ts'
import { unavailable } from '../src/http/answers.ts'
import type { ResolvedOptions } from '../src/options.ts'
import type { SitemapReport } from '../src/report.ts'
import { refuseUnknownSection } from '../src/unknown-section.ts'

/**
 * An engine whose code is loaded behind the host's start: options are checked at once, and a file that only needs a
 * helper of the subpath loads no engine (measured: 9 MB instead of 14). What is asked of it before waits for it.
 */
export function createLazyEngine(options: ResolvedOptions, clock?: Clock): Engine {
  let engine: Engine | undefined
  const loading = import('../src/engine.ts').then(({ createEngine }) => {
    engine = createEngine(options, clock === undefined ? {} : { clock })
    return engine
  })
  loading.catch(ignore)

  function later<T>(run: (loaded: Engine) => Promise<T>): Promise<T> {
    const outcome = loading.then(run)
    // As with the engine itself: not awaiting is no reason to crash.
    outcome.catch(ignore)
    return outcome
  }

  return {
    options,
    respond(request) {
      if (engine !== undefined) return engine.respond(request)
      return loading.then(
        (loaded) => loaded.respond(request),
        () => unavailable(1_000),
      )
    },
    invalidate(section, delayMs, site) {
      if (engine !== undefined) return engine.invalidate(section, delayMs, site)
      refuseUnknownSection(section, options)
      return later((loaded) => loaded.invalidate(section, delayMs, site))
    },
    refresh(section, force, site) {
      if (engine !== undefined) return engine.refresh(section, force, site)
      refuseUnknownSection(section, options)
      return later((loaded) => loaded.refresh(section, force, site))
    },
    report: (site) => engine?.report(site) ?? unreadReport(options),
    sitemaps: (site) => later((loaded) => loaded.sitemaps(site)),
    optionsOf: (site) => engine?.optionsOf(site) ?? unreadOptions(options, site),
    forget(site) {
      // Nothing is known of any site before the engine is there.
      engine?.forget(site)
    },
    ready: (timeoutMs) => later((loaded) => loaded.ready(timeoutMs)),
    listening: () => void later(async (loaded) => loaded.listening()),
    close: () => later((loaded) => loaded.close()),
  }
}

/** Options of a listed site; no other is known before it was looked up. */
function unreadOptions(options: ResolvedOptions, id: string | undefined): ResolvedOptions {
  const { sites } = options
  const site = id === undefined ? undefined : sites?.byId.get(id)
  return sites === undefined || site === undefined ? options : sites.optionsOf(site)
}

/** What an engine reports that has done nothing yet. */
function unreadReport({ providers, cache, sites }: ResolvedOptions): SitemapReport {
  const never = {
    state: 'never',
    entries: 0,
    parts: 0,
    skipped: { total: 0, reasons: {}, samples: [] },
  } as const
  return {
    ready: sites !== undefined || providers.every(({ optional }) => optional),
    sections: sites === undefined ? Object.fromEntries(providers.map(({ section }) => [section, never])) : {},
    memory: { used: 0, limit: cache.memory },
    store: { name: 'none', state: 'none' },
    served: { hits: 0, notModified: 0, stale: 0, cold503: 0 },
  }
}

function ignore(): void {}
