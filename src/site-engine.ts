import { setMaxListeners } from 'node:events'
import { SitemapError } from './errors.ts'
import { type Frames, loadFrames } from './formats/frames.ts'
import { createResponder, type Respond } from './http/respond.ts'
import type { ResolvedOptions, ResolvedProvider } from './options.ts'
import type { Site } from './providers/provider.ts'
import { messageOf } from './providers/read.ts'
import type { SitemapReport } from './report.ts'
import { reportSection } from './report-section.ts'
import { type Shared, storeState, usedMemory } from './shared.ts'
import type { SavedShelves } from './shelves/archive.ts'
import type { PartitionList } from './shelves/partition-list.ts'
import { createPartitions, type Partitions } from './shelves/partitions.ts'
import type { SharedShelf, SharedShelfOwner } from './shelves/shared-shelf.ts'
import { Shelf, type ShelfEnvironment } from './shelves/shelf.ts'
import { releaseSnapshot } from './shelves/snapshot.ts'
import { tagOf } from './store/keys.ts'
import { createSharedLearned } from './store/learned.ts'
import { EVERYTHING } from './store/revisions.ts'
import { createSharedShelf } from './store/shared-shelf.ts'
import type { TableContext } from './table/context.ts'
import { whatIsThere } from './table/producers.ts'
import { sitemapUrls } from './table/small-rows.ts'
import { createSiteTable, type SiteTable } from './table/table.ts'
import { unknownSection } from './unknown-section.ts'
import { sleep, within } from './within.ts'

/** What outlives the engine of a site: last good and validators. */
export type SavedSite = SavedShelves

/** The engine of one site: its sections and its table. */
export interface SiteEngine {
  readonly options: ResolvedOptions
  /** Answers one of our paths; at once where nothing must be made or waited for. Never rejects. */
  readonly respond: Respond
  /** What providers get as `ctx.site` from now on. */
  given: Site
  /** A walk runs or waits. */
  readonly isBusy: boolean
  invalidate(section: string | undefined, delayMs: number, partition?: string): Promise<void>
  refresh(section: string | undefined, force: boolean): Promise<void>
  report(): SitemapReport
  /** Public URLs of all sitemaps as robots.txt names them. */
  sitemaps(): Promise<readonly string[]>
  ready(timeoutMs: number): Promise<boolean>
  /** Reads what was never read, and starts the timers. */
  warmUp(): void
  /** What is there to be kept; whoever takes it owns the snapshots. */
  save(): SavedSite
  /** Ends all work; waiting requests get 503. */
  close(): void
  /** Lets the snapshots go; after `close`, unless someone took them by `save`. */
  release(): void
  /** Lets those of partitions go, which nobody takes. */
  releasePartitions(): void
}

/** What the engine of one of several sites is made with beside its options. */
export interface SiteSettings {
  /** What an earlier engine of the site left. */
  readonly saved?: SavedSite | undefined
  /** Frames of its documents, where sites share them. */
  readonly frames?: typeof loadFrames
}

export function createSiteEngine(
  options: ResolvedOptions,
  shared: Shared,
  { saved, frames: load = loadFrames }: SiteSettings = {},
): SiteEngine {
  const { clock, log, logger, memory, spool, representations } = shared
  const { id } = options.site
  const closing = new AbortController()
  // Every waiting request listens.
  setMaxListeners(0, closing.signal)
  let given = options.site.given
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
    arrange(section, list) {
      const shelf = bySection.get(section)
      return shelf && partitions.get(shelf)?.arrange(list)
    },
    walks: shared.walks.of(id),
    prepare,
    published(shelf, from) {
      const { list } = shelf.snapshot ?? {}
      if (list !== undefined) {
        const own = partitions.get(shelf)
        own?.listed(list)
        if (from === undefined) announceChanged(shelf.section, list)
        if (shared.readsPartitions) own?.warmUp()
      }
      table?.publish(shelf, from)
      scheduleExpiry()
    },
    history: (shelf) => table?.history(shelf) ?? [],
    share: (provider, owner) => share(provider, owner),
    timers: () => shared.hasTimers && !closing.signal.aborted,
    ...(shared.hasManySites ? { abandonedOf: shared.abandonedOf, breakerOf: shared.breakerOf } : {}),
  }
  const shelves = options.providers.map(
    (provider) => new Shelf(provider, environment, (signal) => ({ signal, site: given, log: logger })),
  )
  const bySection = new Map(shelves.map((shelf) => [shelf.section, shelf]))
  const partitions = new Map(
    shelves
      .filter((shelf) => shelf.provider.partitioned !== undefined)
      .map((shelf) => [shelf, partitionsOf(shelf)] as const),
  )
  for (const [section, state] of saved?.sections ?? []) {
    const shelf = bySection.get(section)
    shelf?.restore(state)
    if (shelf !== undefined && state.snapshot.list !== undefined)
      partitions.get(shelf)?.listed(state.snapshot.list)
  }

  function partitionsOf(section: Shelf): Partitions {
    return createPartitions({
      section,
      // A crawl of all parts queues up: sections that are refreshed meanwhile take turns with it.
      environment: { ...environment, walks: shared.walks.of(`${id} ${section.section}`) },
      context: (signal) => ({ signal, site: given, log: logger }),
      published(id, partition, history, from) {
        table?.publishPartition(section, id, partition, history, from)
        scheduleExpiry()
      },
      share,
      sharedLearned: shared.sharing && createSharedLearned(shared.sharing, options, section.section),
      history: (partition) => table?.history(partition) ?? [],
      withdrawn: (partition) => table?.withdrawPartition(partition),
      taught: () => table?.publishLists(section),
    })
  }

  function share(
    provider: ResolvedProvider,
    owner: SharedShelfOwner,
    partition?: string,
  ): SharedShelf | undefined {
    const { sharing } = shared
    return sharing === undefined ? undefined : createSharedShelf(sharing, options, provider, owner, partition)
  }

  /** Whoever read the list knows which partitions changed; the others do not ask again. */
  function announceChanged(section: string, { changed }: PartitionList): void {
    if (changed === undefined) return
    const ids = changed === 'all' ? [EVERYTHING] : [...changed]
    shared.sharing?.announce(
      ids.map((partition) => tagOf(options.cache.namespace, id, section, partition)),
      0,
    )
  }

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
      frames = await load({
        namespaces: options.namespaces,
        stylesheet: css === false ? undefined : publicPath(css),
      })
      table = createSiteTable(tableContext(), shelves, clock, saved?.rows)
      scheduleExpiry()
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
      partitionsOf: (shelf) => partitions.get(shelf),
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
    throw unknownSection(section, options)
  }

  async function invalidatePartition(
    section: string | undefined,
    id: string,
    delayMs: number,
  ): Promise<void> {
    const [shelf] = section === undefined ? [] : chosen(section)
    const own = shelf === undefined ? undefined : partitions.get(shelf)
    if (shelf === undefined || own === undefined)
      throw new SitemapError(
        'LSM_ERR_SECTION_UNKNOWN',
        `invalidate with a partition needs a section that is read by partitions${section === undefined ? '' : `; "${section}" is not`}`,
      )
    // A row that was just added may be the first of its range: the list is read first, which the range is not in yet.
    if (own.find(id) === undefined) await shelf.invalidate(delayMs)
    const done = own.invalidate(id, delayMs)
    if (done !== undefined) return done
    const message = `section "${section}" lists no partition "${id}"`
    // Who does not await the call learns of it here.
    log.error('LSM_ERR_SECTION_UNKNOWN', shelf.section, { section, partition: id }, message)
    throw new SitemapError('LSM_ERR_SECTION_UNKNOWN', message)
  }

  const respond = createResponder({
    options,
    clock,
    log,
    memory,
    representations,
    negotiate: shared.negotiate,
    table: () => table,
    prepare,
    closing: closing.signal,
    served: shared.served,
  })

  return {
    options,
    respond,
    get given() {
      return given
    },
    set given(site) {
      given = site
    },
    get isBusy() {
      // A site with partitions is never put away as a whole: they leave memory one by one.
      return partitions.size > 0 || shelves.some((shelf) => shelf.isBusy)
    },
    invalidate(section, delayMs, partition) {
      // A slip in the name of a section throws at once.
      const named = chosen(section)
      return partition === undefined
        ? all(named.map((shelf) => shelf.invalidate(delayMs)))
        : all([invalidatePartition(section, partition, delayMs)])
    },
    refresh: (section, force) => all(chosen(section).map((shelf) => shelf.reread(force))),
    report: () => ({
      ready: shelves.every((shelf) => shelf.snapshot !== undefined || shelf.provider.optional),
      sections: Object.fromEntries(
        shelves.map((shelf) => [
          shelf.section,
          reportSection(shelf, partitions.get(shelf)?.counts, clock.now()),
        ]),
      ),
      memory: { used: usedMemory(shared), limit: memory.limit },
      store: storeState(shared),
      served: { ...shared.served },
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
          if (run !== undefined) await run.ready.catch(ignore)
          else await sleep(clock, Math.max(50, (shelf.failure?.nextAtMs ?? 0) - clock.now()), closing.signal)
        }
      }
      // Our timers let the process end; a script that waits here wants to wait.
      const awake = setInterval(ignore, 60_000)
      await within(clock, timeoutMs, Promise.all(missing.map(waitForOne)), closing.signal)
      clearInterval(awake)
      return missing.every((shelf) => shelf.snapshot !== undefined)
    },
    warmUp() {
      for (const shelf of shelves) shelf.warmUp()
      scheduleExpiry()
    },
    save: () => ({
      sections: new Map(
        shelves.flatMap((shelf) => {
          const state = shelf.save()
          return state === undefined ? [] : [[shelf.section, state] as const]
        }),
      ),
      rows: table?.history() ?? [],
    }),
    close() {
      if (closing.signal.aborted) return
      closing.abort()
      cancelExpiry()
      for (const shelf of shelves) shelf.close()
      for (const own of partitions.values()) own.close()
    },
    release() {
      for (const { snapshot } of shelves) if (snapshot !== undefined) releaseSnapshot(snapshot, memory)
      releasePartitions()
    },
    releasePartitions,
  }

  function releasePartitions(): void {
    for (const own of partitions.values())
      for (const { snapshot } of own.awake) if (snapshot !== undefined) releaseSnapshot(snapshot, memory)
  }
}

/** Settles when all have; rejects with the first failure. Never unhandled: not awaiting is no reason to crash. */
export function all(promises: readonly Promise<void>[]): Promise<void> {
  const settled = Promise.allSettled(promises).then((results) => {
    for (const result of results) if (result.status === 'rejected') throw result.reason
  })
  settled.catch(ignore)
  return settled
}

function ignore(): void {}
