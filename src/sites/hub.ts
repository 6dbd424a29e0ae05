import type { Engine } from '../engine.ts'
import { SitemapError } from '../errors.ts'
import { movedPermanently, notFound, unavailable } from '../http/answers.ts'
import type { SitemapRequest, SitemapResponse } from '../http/message.ts'
import type { ResolvedOptions, ResolvedSites } from '../options.ts'
import type { Site } from '../providers/provider.ts'
import { messageOf } from '../providers/read.ts'
import type { SitemapReport } from '../report.ts'
import { type Shared, usedMemory } from '../shared.ts'
import { releaseSnapshot } from '../shelves/snapshot.ts'
import { all, createSiteEngine, type SavedSite, type SiteEngine } from '../site-engine.ts'
import { refuseUnknownSection } from '../unknown-section.ts'
import { within } from '../within.ts'
import { type ArchivedSite, archiveSite } from './archive.ts'
import { createListFinder, createLookUpFinder, type Found, LOOKUP_FAILED, type SiteFinder } from './finder.ts'
import { createFrameLoader } from './frames.ts'
import { hostNameOf } from './host-name.ts'

/** A site that was asked for: awake, or in an archive, or on its way from one to the other. */
interface Slot {
  readonly id: string
  /** The site as it was found last. */
  site: Site
  options: ResolvedOptions
  host: string | undefined
  engine: SiteEngine | undefined
  archive: ArchivedSite | undefined
  waking: Promise<SiteEngine> | undefined
  /** Raised by every request: an archive that was written meanwhile is out of date. */
  asked: number
  /** Requests and calls under way, which must not lose their engine. */
  users: number
  /** Sections that were invalidated while it slept; undefined stands for all of them. */
  stale: Set<string | undefined>
}

/** What a site weighs in memory beside its snapshots: options, shelves, table (measured). */
export const SITE_BYTES = 69_632
/** So many sites may be awake at once, however small the memory. */
const FEWEST_AWAKE = 32
/** Sites whose archives are kept. */
const MOST_SITES = 10_000

/**
 * Many sites on one engine: memory, folder and slots for walks are shared; the sites asked least recently leave memory
 * as a whole and come back from their archives without a provider call (DESIGN 3, sites).
 */
export function createSiteHub(
  options: ResolvedOptions,
  sites: ResolvedSites,
  shared: Shared,
  endShared: () => Promise<void>,
): Engine {
  const { clock, log, memory, spool } = shared
  /** The least recently asked first. */
  const slots = new Map<string, Slot>()
  /** Those of them that have an engine, in the same order. */
  const awake = new Set<Slot>()
  const frames = createFrameLoader()
  /** A look-up's answer is checked before it is used: its options are made by then. */
  const checked = new WeakMap<Site, ResolvedOptions>()
  const finder = createFinder()
  let closed: Promise<void> | undefined
  /** Sites that are awake or waking. */
  let admitted = 0
  let making = false
  /** Somebody came while room was being made: what could not leave then may do so now. */
  let isWanted = false
  let leaving: Promise<boolean> | undefined

  function createFinder(): SiteFinder {
    const { byHost, lookUp } = sites
    if (lookUp === undefined) return createListFinder(byHost)
    const { deadlineMs, timeoutMs } = options
    return createLookUpFinder(lookUp, {
      clock,
      log,
      deadlineMs,
      timeoutMs,
      idOf: sites.idOf,
      check: (site) => checked.set(site, sites.optionsOf(site)),
    })
  }

  function optionsOf(site: Site): ResolvedOptions {
    return checked.get(site) ?? sites.optionsOf(site)
  }

  function respond(request: SitemapRequest): SitemapResponse | Promise<SitemapResponse> {
    if (closed !== undefined) return unavailable(1_000)
    const host = sites.hostHeader === undefined ? request.host : firstOf(request.header(sites.hostHeader))
    const found = finder.find(host, request.original)
    return found instanceof Promise
      ? found.then((site) => answer(site, host, request))
      : answer(found, host, request)
  }

  function answer(
    found: Found,
    host: string | undefined,
    request: SitemapRequest,
  ): SitemapResponse | Promise<SitemapResponse> {
    if (found === null) return notFound()
    const slot = found === LOOKUP_FAILED ? undefined : slotOf(found)
    if (slot === undefined) {
      shared.served.cold503++
      return unavailable(10_000)
    }
    // An alias host: the site's documents are at its own (DESIGN 3, sites). Only of ours: no host is ever echoed.
    if (slot.host !== undefined && hostNameOf(host) !== slot.host)
      return movedPermanently(slot.options.site.base + request.path)
    touch(slot)
    const answer = slot.engine?.respond(request)
    if (answer !== undefined && !(answer instanceof Promise)) return answer
    return use(slot, (engine) => answer ?? engine.respond(request)).catch(() => {
      shared.served.cold503++
      return unavailable(1_000)
    })
  }

  /** The site stays awake until `run` has ended. */
  async function use<T>(slot: Slot, run: (engine: SiteEngine) => T | Promise<T>): Promise<T> {
    slot.users++
    try {
      return await run(await wake(slot))
    } finally {
      slot.users--
      // It has grown by what was read for it, and may leave itself.
      if (isFull()) void makeRoom()
    }
  }

  /** The slot of a site that was found; undefined where its options cannot be used, which the log says. */
  function slotOf(site: Site): Slot | undefined {
    const known = slots.get(sites.idOf(site))
    if (known !== undefined && known.site === site) return known
    try {
      return known === undefined ? newSlot(site) : renewed(known, site)
    } catch (error) {
      log.error('LSM_ERR_SITE_LOOKUP', 'site', { err: error }, `a site cannot be used: ${messageOf(error)}`)
      return known
    }
  }

  function newSlot(site: Site): Slot {
    const own = optionsOf(site)
    const slot: Slot = {
      id: own.site.id,
      site,
      options: own,
      host: hostNameOf(new URL(own.site.url).host),
      engine: undefined,
      archive: undefined,
      waking: undefined,
      asked: 0,
      users: 0,
      stale: new Set(),
    }
    slots.set(slot.id, slot)
    if (slots.size > MOST_SITES) forgetOldest()
    return slot
  }

  /** A look-up gave the site anew. Its data goes to the providers; what its documents say makes a new engine, on the last good. */
  function renewed(slot: Slot, site: Site): Slot {
    slot.site = site
    const own = optionsOf(site)
    if (slot.engine !== undefined) slot.engine.given = own.site.given
    if (sameDocuments(slot.options, own)) return slot
    const isSameUrl = slot.options.site.url === own.site.url
    slot.options = own
    slot.host = hostNameOf(new URL(own.site.url).host)
    const before = slot.engine
    if (before === undefined) {
      if (!isSameUrl) dropArchive(slot)
      return slot
    }
    before.close()
    sleep(slot)
    // Of another URL every loc is wrong: nothing of it may be served (DESIGN 4, identity).
    if (isSameUrl) {
      admit()
      begin(slot, before.save())
    } else before.release()
    return slot
  }

  function touch(slot: Slot): void {
    slot.asked++
    slots.delete(slot.id)
    slots.set(slot.id, slot)
    if (awake.delete(slot)) awake.add(slot)
  }

  /** The slot has no engine any more. */
  function sleep(slot: Slot): void {
    slot.engine = undefined
    if (awake.delete(slot)) dismiss()
  }

  function admit(): void {
    admitted++
    memory.records += SITE_BYTES
  }

  function dismiss(): void {
    admitted--
    memory.records -= SITE_BYTES
  }

  function begin(slot: Slot, saved: SavedSite | undefined): SiteEngine {
    const engine = createSiteEngine(slot.options, shared, { saved, frames })
    slot.engine = engine
    awake.add(slot)
    for (const section of slot.stale) engine.invalidate(section, 0).catch(ignore)
    slot.stale.clear()
    void makeRoom()
    return engine
  }

  function wake(slot: Slot): Promise<SiteEngine> {
    if (slot.engine !== undefined) return Promise.resolve(slot.engine)
    slot.waking ??= wakeUp(slot).finally(() => {
      slot.waking = undefined
    })
    return slot.waking
  }

  async function wakeUp(slot: Slot): Promise<SiteEngine> {
    // Asked again after each wait: of all that wait one comes in.
    while (isOverfull()) if (!(await hasRoom())) throw busyError()
    admit()
    try {
      return await opened(slot)
    } catch (error) {
      dismiss()
      throw error
    }
  }

  async function opened(slot: Slot): Promise<SiteEngine> {
    const { archive } = slot
    const { url } = slot.options.site
    slot.archive = undefined
    const saved = await archive?.open()
    // What it holds beside its blocks is in memory again; whoever lets it go takes it off.
    for (const { snapshot } of saved?.sections.values() ?? []) memory.records += snapshot.weight
    if (closed !== undefined) throw closedError()
    // Meanwhile the site may have been forgotten, or have come back with another URL, under which every loc is wrong.
    const isForgotten = slots.get(slot.id) !== slot
    const isUsable = !isForgotten && slot.options.site.url === url
    if (saved !== undefined && !isUsable) letGo(saved)
    if (isForgotten) throw unknownSite(slot.id)
    return begin(slot, isUsable ? saved : undefined)
  }

  function letGo({ sections }: SavedSite): void {
    for (const { snapshot } of sections.values()) releaseSnapshot(snapshot, memory)
  }

  /** Whether sites and their snapshots take more than their half of the memory. */
  function isFull(): boolean {
    return memory.blobs + memory.records > memory.limit / 2
  }

  /** Sites leave memory, the least recently asked first, until what is left fits. In the background. */
  async function makeRoom(): Promise<void> {
    isWanted = true
    if (making) return
    making = true
    try {
      while (isWanted && closed === undefined) {
        isWanted = false
        while (isFull() && closed === undefined) if (!(await putOneAway())) break
      }
    } finally {
      making = false
    }
  }

  /** More than all memory: sites come faster than others can leave. */
  function isOverfull(): boolean {
    return admitted >= FEWEST_AWAKE && memory.blobs + memory.records > memory.limit
  }

  /** Waits until another site may come in; false where it must not: all that are there wait for a provider that hangs. */
  async function hasRoom(): Promise<boolean> {
    const freed = (async () => {
      while (isOverfull() && closed === undefined) if (!(await putOneAway())) break
    })()
    await within(clock, options.deadlineMs, freed)
    if (!isOverfull()) return true
    log.warn(
      'LSM_ERR_BUSY',
      'sites',
      { memory: { ...memory }, sites: awake.size },
      'a site was put off: cache.memory is full of sites that are being read',
    )
    return false
  }

  /** One at a time, whoever asks; false where none can leave. */
  function putOneAway(): Promise<boolean> {
    leaving ??= (async () => {
      const slot = leastAsked()
      return slot !== undefined && (await putAway(slot))
    })().finally(() => {
      leaving = undefined
    })
    return leaving
  }

  /** The one asked last stays, whatever it weighs. */
  function leastAsked(): Slot | undefined {
    let left = awake.size - 1
    for (const slot of awake) {
      if (left-- <= 0) return undefined
      if (slot.users === 0 && slot.engine?.isBusy === false) return slot
    }
    return undefined
  }

  /** False where nothing was gained. */
  async function putAway(slot: Slot): Promise<boolean> {
    const { engine, asked } = slot
    if (engine === undefined) return false
    const saved = engine.save()
    let archive: ArchivedSite | undefined
    try {
      // Of a site that was never read there is nothing to keep.
      if (saved.sections.size > 0) archive = await archiveSite(saved, spool)
    } catch (error) {
      // Without a folder the bound of memory comes first: the site is read anew when it is asked for.
      log.error(
        'LSM_ERR_SPOOL_FAILED',
        'sites',
        { err: error },
        `a site could not be put away: ${messageOf(error)}`,
      )
    }
    const isInUse = slot.engine !== engine || slot.asked !== asked || slot.users > 0 || engine.isBusy
    // A timer or an invalidation may have brought a newer state meanwhile.
    if (closed !== undefined || isInUse || !isSameState(saved, engine.save())) {
      archive?.remove()
      return closed === undefined
    }
    engine.close()
    engine.release()
    sleep(slot)
    slot.archive = archive
    return true
  }

  function forgetOldest(): void {
    const [oldest] = slots.values()
    if (oldest !== undefined) drop(oldest)
  }

  function drop(slot: Slot): void {
    slots.delete(slot.id)
    dropArchive(slot)
    if (slot.engine === undefined) return
    slot.engine.close()
    slot.engine.release()
    sleep(slot)
  }

  function dropArchive(slot: Slot): void {
    slot.archive?.remove()
    slot.archive = undefined
  }

  /** The slot of a site named by a call of the user's. */
  async function called(id: string): Promise<Slot> {
    const slot = slots.get(id) ?? slotOfListed(id)
    if (slot === undefined) throw unknownSite(id)
    return slot
  }

  function slotOfListed(id: string): Slot | undefined {
    const site = sites.byId.get(id)
    return site === undefined ? undefined : slotOf(site)
  }

  /** Calls `run` on one site's engine, or on all that are awake; `asleep` on the others. */
  function each(
    id: string | undefined,
    run: (engine: SiteEngine) => Promise<void>,
    asleep: (slot: Slot) => void,
  ): Promise<void> {
    if (id !== undefined) return all([called(id).then((slot) => use(slot, run))])
    const runs: Promise<void>[] = []
    for (const slot of slots.values())
      if (slot.engine === undefined) asleep(slot)
      else runs.push(run(slot.engine))
    return all(runs)
  }

  function engines(): SiteEngine[] {
    return [...awake].flatMap(({ engine }) => engine ?? [])
  }

  function overview(): SitemapReport {
    return {
      ready: engines().every((engine) => engine.report().ready),
      sections: {},
      sites: { awake: awake.size, asked: slots.size },
      memory: { used: usedMemory(shared), limit: memory.limit },
      store: { name: 'none', state: 'none' },
      served: { ...shared.served },
    }
  }

  return {
    options,
    respond,
    invalidate(section, delayMs, id) {
      refuseUnknownSection(section, options)
      return each(
        id,
        (engine) => engine.invalidate(section, delayMs),
        (slot) => slot.stale.add(section),
      )
    },
    refresh(section, force, id) {
      refuseUnknownSection(section, options)
      return each(
        id,
        (engine) => engine.refresh(section, force),
        (slot) => slot.stale.add(section),
      )
    },
    report(id) {
      if (id === undefined) return overview()
      const slot = slots.get(id) ?? slotOfListed(id)
      if (slot === undefined) throw unknownSite(id)
      return slot.engine?.report() ?? { ...overview(), ready: false }
    },
    sitemaps: async (id) => use(await called(idOf(id)), (engine) => engine.sitemaps()),
    optionsOf(id) {
      const slot = slots.get(idOf(id)) ?? slotOfListed(idOf(id))
      if (slot === undefined) throw unknownSite(idOf(id))
      return slot.options
    },
    async ready(timeoutMs) {
      return (await Promise.all(engines().map((engine) => engine.ready(timeoutMs)))).every(Boolean)
    },
    forget(id) {
      finder.forget(id)
      const slot = slots.get(id)
      if (slot !== undefined) drop(slot)
      else if (!sites.byId.has(id) && sites.lookUp === undefined) throw unknownSite(id)
    },
    listening() {
      // Nobody asked for any site yet: timers run for those that are asked for, and nothing is read before.
      shared.hasTimers = options.warmUp
    },
    close() {
      closed ??= (async () => {
        const ending = engines()
        for (const engine of ending) engine.close()
        await endShared()
        for (const engine of ending) engine.release()
      })()
      return closed
    },
  }
}

/** Of several values of the header the first is the client's own. */
function firstOf(header: string | undefined): string | undefined {
  return header?.split(',', 1)[0]?.trim()
}

/** Whether the documents of a site stay what they are. */
function sameDocuments({ site: a }: ResolvedOptions, { site: b }: ResolvedOptions): boolean {
  return (
    a.url === b.url &&
    a.base === b.base &&
    a.title === b.title &&
    a.description === b.description &&
    a.language === b.language
  )
}

/** Whether nothing was read between two looks at a site. */
function isSameState({ sections: a }: SavedSite, { sections: b }: SavedSite): boolean {
  return (
    a.size === b.size &&
    [...a].every(([section, { snapshot, readAtMs, staleAtMs }]) => {
      const other = b.get(section)
      return (
        other?.snapshot === snapshot && other.readAtMs === readAtMs && Object.is(other.staleAtMs, staleAtMs)
      )
    })
  )
}

function idOf(id: string | undefined): string {
  if (id !== undefined) return id
  throw new SitemapError('LSM_ERR_SITE_UNKNOWN', 'with several sites this call needs { site: id }')
}

function unknownSite(id: string): SitemapError {
  return new SitemapError('LSM_ERR_SITE_UNKNOWN', `there is no site "${id}" that was asked for`)
}

function busyError(): SitemapError {
  return new SitemapError('LSM_ERR_BUSY', 'there is no room in cache.memory for another site')
}

function closedError(): SitemapError {
  return new SitemapError('LSM_ERR_CLOSED', 'the sitemap is closed')
}

function ignore(): void {}
