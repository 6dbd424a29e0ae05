import { setMaxListeners } from 'node:events'
import { createRepresentations } from './cache/representation.ts'
import { type Clock, systemClock } from './clock.ts'
import { SitemapError } from './errors.ts'
import { type Frames, loadFrames } from './formats/frames.ts'
import { createResponder, type Respond } from './http/respond.ts'
import { createLimiter } from './limiter.ts'
import { consoleLogger, createLog } from './log.ts'
import { createMemory } from './memory.ts'
import type { ResolvedOptions } from './options.ts'
import type { Logger } from './providers/provider.ts'
import { messageOf } from './providers/read.ts'
import { reportSection, type SitemapReport } from './report.ts'
import { Shelf, type ShelfEnvironment } from './shelves/shelf.ts'
import { releaseSnapshot } from './shelves/snapshot.ts'
import { createSpool } from './shelves/spool.ts'
import type { TableContext } from './table/context.ts'
import { whatIsThere } from './table/producers.ts'
import { sitemapUrls } from './table/small-rows.ts'
import { createSiteTable, type SiteTable } from './table/table.ts'
import { sleep, within } from './within.ts'

/** The engine of one site: no framework, no socket. */
export interface Engine {
  readonly options: ResolvedOptions
  /** Answers one of our paths; at once where nothing must be made or waited for. Never rejects. */
  readonly respond: Respond
  invalidate(section: string | undefined, delayMs: number): Promise<void>
  refresh(section: string | undefined, force: boolean): Promise<void>
  report(): SitemapReport
  /** Public URLs of all sitemaps as robots.txt names them. */
  sitemaps(): Promise<readonly string[]>
  ready(timeoutMs: number): Promise<boolean>
  /** The server listens: reads what was never read, and starts the timers. Nothing where `warmUp` is false. */
  listening(): void
  /** Ends all work; waiting requests get 503. Resolves when the spool folder is gone. */
  close(): Promise<void>
}

export function createEngine(
  options: ResolvedOptions,
  { clock = systemClock, log: logger }: { readonly clock?: Clock; readonly log?: Logger | undefined } = {},
): Engine {
  const memory = createMemory(options.cache.memory)
  const spool = createSpool(options.cache.dir)
  const log = createLog(options.log ?? logger ?? consoleLogger, clock)
  const representations = createRepresentations(memory)
  const served = { hits: 0, notModified: 0, stale: 0, cold503: 0 }
  const closing = new AbortController()
  // Every waiting request listens.
  setMaxListeners(0, closing.signal)
  let isListening = false
  let table: SiteTable | undefined
  let frames: Frames | undefined
  let preparing: Promise<void> | undefined
  let cancelExpiry: () => void = () => {}

  const environment: ShelfEnvironment = {
    options,
    clock,
    memory,
    spool,
    log,
    frameBytes: (namespaces) => frameBytes(namespaces),
    walks: createLimiter(options.concurrency),
    prepare,
    published(shelf) {
      table?.publish(shelf)
      scheduleExpiry()
    },
    timers: () => isListening && options.warmUp,
  }
  const shelves = options.providers.map(
    (provider) =>
      new Shelf(provider, environment, (signal) => ({
        signal,
        site: options.site.given,
        log: options.log ?? logger ?? consoleLogger,
      })),
  )
  const bySection = new Map(shelves.map((shelf) => [shelf.section, shelf]))

  function framesLoaded(): Frames {
    if (frames === undefined) throw new Error('frames are used before they are loaded')
    return frames
  }

  function frameBytes(namespaces: number): number {
    const { head, tail } = framesLoaded().urlset(namespaces)
    return Buffer.byteLength(head) + Buffer.byteLength(tail)
  }

  /** Loads what documents are framed with and makes the table; once, when the first walk or request needs it. */
  function prepare(): Promise<void> {
    preparing ??= (async () => {
      const { css } = options.routes
      frames = await loadFrames({
        namespaces: options.namespaces,
        stylesheet: css === false ? undefined : publicPath(css),
      })
      table = createSiteTable(tableContext(), shelves, clock)
    })()
    preparing.catch(() => {
      preparing = undefined
    })
    return preparing
  }

  function publicPath(path: string): string {
    const { base, origin } = options.site
    return base.slice(origin.length) + path
  }

  function tableContext(): TableContext {
    const { url, title, description, language } = options.site
    return {
      options,
      site: { url, title, description, language },
      publicUrl: (path) => options.site.base + path,
      publicPath,
      frame: (namespaces) => framesLoaded().urlset(namespaces),
      frameBytes,
      indexFrame: () => framesLoaded().index(),
      templateFailed: (error) =>
        log.warn(
          'LSM_WARN_TEMPLATE_FAILED',
          'html.template',
          { err: error },
          `html.template failed: our own page is served in its place: ${messageOf(error)}`,
        ),
    }
  }

  function scheduleExpiry(): void {
    cancelExpiry()
    if (!environment.timers()) return
    const nextMs = table?.nextExpiryMs()
    if (nextMs === undefined) return
    cancelExpiry = clock.after(nextMs - clock.now(), () => {
      table?.expireDue()
      scheduleExpiry()
    })
  }

  function chosen(section: string | undefined): readonly Shelf[] {
    if (section === undefined) return shelves
    const shelf = bySection.get(section)
    if (shelf !== undefined) return [shelf]
    throw new SitemapError(
      'LSM_ERR_SECTION_UNKNOWN',
      `there is no section "${section}"; the sections are ${[...bySection.keys()].join(', ')}`,
    )
  }

  const respond = createResponder({
    options,
    clock,
    log,
    memory,
    representations,
    table: () => table,
    prepare,
    closing: closing.signal,
    served,
  })

  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    closing.abort()
    cancelExpiry()
    for (const shelf of shelves) shelf.close()
    representations.close()
    // A folder on a disk that does not answer must not hold the app's own close.
    await within(systemClock, CLOSE_MS, spool.close())
    for (const { snapshot } of shelves) if (snapshot !== undefined) releaseSnapshot(snapshot, memory)
  }

  return {
    options,
    respond,
    invalidate: (section, delayMs) => all(chosen(section).map((shelf) => shelf.invalidate(delayMs))),
    refresh: (section, force) => all(chosen(section).map((shelf) => shelf.reread(force))),
    report: () => ({
      ready: shelves.every((shelf) => shelf.snapshot !== undefined || shelf.provider.optional),
      sections: Object.fromEntries(
        shelves.map((shelf) => [shelf.section, reportSection(shelf, clock.now())]),
      ),
      memory: {
        used: memory.blobs + memory.records + memory.loose + memory.underWay + representations.bytes,
        limit: memory.limit,
      },
      store: { name: 'none', state: 'none' },
      served: { ...served },
    }),
    async sitemaps() {
      await prepare()
      return sitemapUrls(whatIsThere(shelves), tableContext(), clock.now())
    },
    async ready(timeoutMs) {
      const missing = shelves.filter((shelf) => shelf.snapshot === undefined && !shelf.provider.optional)
      if (missing.length === 0) return true
      if (closing.signal.aborted) return false
      const endMs = clock.now() + timeoutMs
      const waitForOne = async (shelf: Shelf): Promise<void> => {
        // A failure is tried again for as long as there is time.
        while (shelf.snapshot === undefined && clock.now() < endMs && !closing.signal.aborted) {
          const run = shelf.refresh()
          if (run !== undefined) await run.done.catch(ignore)
          else await sleep(clock, Math.max(50, (shelf.failure?.nextAtMs ?? 0) - clock.now()), closing.signal)
        }
      }
      // Our timers let the process end; a script that waits here wants to wait.
      const awake = setInterval(ignore, 60_000)
      await within(clock, timeoutMs, Promise.all(missing.map(waitForOne)), closing.signal)
      clearInterval(awake)
      return missing.every((shelf) => shelf.snapshot !== undefined)
    },
    listening() {
      if (!options.warmUp || closing.signal.aborted) return
      isListening = true
      for (const shelf of shelves) shelf.warmUp()
      scheduleExpiry()
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** What closing may take at most. */
const CLOSE_MS = 900
/** Settles when all have; rejects with the first failure. Never unhandled: not awaiting is no reason to crash. */
function all(promises: readonly Promise<void>[]): Promise<void> {
  const settled = Promise.allSettled(promises).then((results) => {
    for (const result of results) if (result.status === 'rejected') throw result.reason
  })
  settled.catch(ignore)
  return settled
}

function ignore(): void {}
