import type { Engine } from '../engine.ts'
import { SitemapError } from '../errors.ts'
import { movedPermanently, notFound, unavailable } from '../http/answers.ts'
import type { SitemapRequest, SitemapResponse } from '../http/message.ts'
import type { ResolvedOptions, ResolvedSites } from '../options.ts'
import type { Site } from '../providers/provider.ts'
import { messageOf } from '../providers/read.ts'
import type { SitemapReport } from '../report.ts'
import { type Shared, usedMemory } from '../shared.ts'
import { all, createSiteEngine, type SavedSite, type SiteEngine, unknownSection } from '../site-engine.ts'
import { type ArchivedSite, archiveSite } from './archive.ts'
import { createListFinder, createLookUpFinder, type Found, LOOKUP_FAILED, type SiteFinder } from './finder.ts'
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
  /** Sections that were invalidated while it slept; undefined stands for all of them. */
  stale: Set<string | undefined>
}

/** What a site weighs in memory beside its snapshots: options, shelves, table (measured). */
export const SITE_BYTES = 69_632
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
  const finder = createFinder()
  let closed: Promise<void> | undefined
  let making = false

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
      check: sites.optionsOf,
    })
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
    if (slot.engine !== undefined) return slot.engine.respond(request)
    return wake(slot).then(
      (engine) => engine.respond(request),
      () => unavailable(1_000),
    )
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
    const own = sites.optionsOf(site)
    const slot: Slot = {
      id: own.site.id,
      site,
      options: own,
      host: hostNameOf(new URL(own.site.url).host),
      engine: undefined,
      archive: undefined,
      waking: undefined,
      asked: 0,
      stale: new Set(),
    }
    slots.set(slot.id, slot)
    if (slots.size > MOST_SITES) forgetOldest()
    return slot
  }

  /** A look-up gave the site anew. Its data goes to the providers; what its documents say makes a new engine, on the last good. */
  function renewed(slot: Slot, site: Site): Slot {
    slot.site = site
    const own = sites.optionsOf(site)
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
    memory.records -= SITE_BYTES
    slot.engine = undefined
    // Of another URL every loc is wrong: nothing of it may be served (DESIGN 4, identity).
    if (isSameUrl) begin(slot, before.save())
    else before.release()
    return slot
  }

  function touch(slot: Slot): void {
    slot.asked++
    slots.delete(slot.id)
    slots.set(slot.id, slot)
  }

  function begin(slot: Slot, saved: SavedSite | undefined): SiteEngine {
    const engine = createSiteEngine(slot.options, shared, saved)
    slot.engine = engine
    memory.records += SITE_BYTES
    for (const section of slot.stale) engine.invalidate(section, 0).catch(ignore)
    slot.stale.clear()
    void makeRoom()
    return engine
  }

  function wake(slot: Slot): Promise<SiteEngine> {
    if (slot.engine !== undefined) return Promise.resolve(slot.engine)
    slot.waking ??= (async () => {
      const { archive } = slot
      slot.archive = undefined
      const saved = await archive?.open()
      slot.waking = undefined
      if (closed !== undefined) throw closedError()
      return slot.engine ?? begin(slot, saved)
    })()
    return slot.waking
  }

  /** Whether sites and their snapshots take more than their half of the memory. */
  function isFull(): boolean {
    return memory.blobs + memory.records > memory.limit / 2
  }

  /** Sites leave memory, the least recently asked first, until what is left fits. One at a time, in the background. */
  async function makeRoom(): Promise<void> {
    if (making) return
    making = true
    try {
      while (isFull() && closed === undefined) {
        const awake = [...slots.values()].filter(({ engine }) => engine !== undefined)
        // The one asked last stays, whatever it weighs.
        const slot = awake.slice(0, -1).find(({ engine }) => engine?.isBusy === false)
        if (slot === undefined || !(await putAway(slot))) break
      }
    } finally {
      making = false
    }
  }

  /** False where nothing was gained. */
  async function putAway(slot: Slot): Promise<boolean> {
    const { engine, asked } = slot
    if (engine === undefined) return false
    let archive: ArchivedSite | undefined
    try {
      archive = await archiveSite(engine.save(), spool)
    } catch (error) {
      // Without a folder the bound of memory comes first: the site is read anew when it is asked for.
      log.error(
        'LSM_ERR_SPOOL_FAILED',
        'sites',
        { err: error },
        `a site could not be put away: ${messageOf(error)}`,
      )
    }
    if (closed !== undefined || slot.engine !== engine || slot.asked !== asked || engine.isBusy) {
      archive?.remove()
      return closed === undefined
    }
    engine.close()
    engine.release()
    slot.engine = undefined
    slot.archive = archive
    memory.records -= SITE_BYTES
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
    memory.records -= SITE_BYTES
    slot.engine = undefined
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

  function refuseUnknown(section: string | undefined): void {
    if (section !== undefined && !options.providers.some((provider) => provider.section === section))
      throw unknownSection(section, options)
  }

  /** Calls `run` on one site's engine, or on all that are awake; `asleep` on the others. */
  function each(
    id: string | undefined,
    run: (engine: SiteEngine) => Promise<void>,
    asleep: (slot: Slot) => void,
  ): Promise<void> {
    if (id !== undefined) return all([called(id).then(wake).then(run)])
    const awake: Promise<void>[] = []
    for (const slot of slots.values())
      if (slot.engine === undefined) asleep(slot)
      else awake.push(run(slot.engine))
    return all(awake)
  }

  function overview(): SitemapReport {
    const awake = [...slots.values()].flatMap(({ engine }) => engine ?? [])
    return {
      ready: awake.every((engine) => engine.report().ready),
      sections: {},
      sites: { awake: awake.length, asked: slots.size },
      memory: { used: usedMemory(shared), limit: memory.limit },
      store: { name: 'none', state: 'none' },
      served: { ...shared.served },
    }
  }

  return {
    options,
    respond,
    invalidate(section, delayMs, id) {
      refuseUnknown(section)
      return each(
        id,
        (engine) => engine.invalidate(section, delayMs),
        (slot) => slot.stale.add(section),
      )
    },
    refresh(section, force, id) {
      refuseUnknown(section)
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
    sitemaps: async (id) => (await wake(await called(idOf(id)))).sitemaps(),
    optionsOf(id) {
      const slot = slots.get(idOf(id)) ?? slotOfListed(idOf(id))
      if (slot === undefined) throw unknownSite(idOf(id))
      return slot.options
    },
    async ready(timeoutMs) {
      const awake = [...slots.values()].flatMap(({ engine }) => engine ?? [])
      return (await Promise.all(awake.map((engine) => engine.ready(timeoutMs)))).every(Boolean)
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
        const engines = [...slots.values()].flatMap(({ engine }) => engine ?? [])
        for (const engine of engines) engine.close()
        await endShared()
        for (const engine of engines) engine.release()
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

function idOf(id: string | undefined): string {
  if (id !== undefined) return id
  throw new SitemapError('LSM_ERR_SITE_UNKNOWN', 'with several sites this call needs { site: id }')
}

function unknownSite(id: string): SitemapError {
  return new SitemapError('LSM_ERR_SITE_UNKNOWN', `there is no site "${id}" that was asked for`)
}

function closedError(): SitemapError {
  return new SitemapError('LSM_ERR_CLOSED', 'the sitemap is closed')
}

function ignore(): void {}
