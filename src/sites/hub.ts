import type { Engine } from '../engine.ts'
import { SitemapError } from '../errors.ts'
import { movedPermanently, notFound, unavailable } from '../http/answers.ts'
import type { SitemapRequest, SitemapResponse } from '../http/message.ts'
import type { ResolvedOptions, ResolvedSites } from '../options.ts'
import type { Site } from '../providers/provider.ts'
import { messageOf } from '../providers/read.ts'
import type { SitemapReport } from '../report.ts'
import { type Shared, storeState, usedMemory } from '../shared.ts'
import { all, type SiteEngine } from '../site-engine.ts'
import { tagOf } from '../store/keys.ts'
import { refuseUnknownSection } from '../unknown-section.ts'
import { createListFinder, createLookUpFinder, type Found, LOOKUP_FAILED, type SiteFinder } from './finder.ts'
import { hostNameOf } from './host-name.ts'
import { createSlots, type Slot } from './slots.ts'

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
  const { clock, log, memory } = shared
  const slots = createSlots(options, sites, shared)
  const finder = createFinder()
  let closed: Promise<void> | undefined

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
      check: slots.of,
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
    if (slot === undefined) return putOff(10_000)
    // An alias host: the site's documents are at its own (DESIGN 3, sites). Only of ours: no host is ever echoed.
    if (slot.host !== undefined && hostNameOf(host) !== slot.host)
      return movedPermanently(slot.resolved.base + request.path)
    slots.touch(slot)
    const made = slot.engine?.respond(request)
    if (made !== undefined && !(made instanceof Promise)) return made
    return slots.use(slot, (engine) => made ?? engine.respond(request)).catch(() => putOff(1_000))
  }

  function putOff(retryAfterMs: number): SitemapResponse {
    shared.served.cold503++
    return unavailable(retryAfterMs)
  }

  /** Undefined where the site's options cannot be used, which the log says, and nothing is known of it from before. */
  function slotOf(site: Site): Slot | undefined {
    try {
      return slots.of(site)
    } catch (error) {
      log.error('LSM_ERR_SITE_LOOKUP', 'site', { err: error }, `a site cannot be used: ${messageOf(error)}`)
      return slots.get(sites.idOf(site))
    }
  }

  /** The slot of a site named by a call of the user's. */
  function called(id: string | undefined): Slot {
    if (id === undefined)
      throw new SitemapError('LSM_ERR_SITE_UNKNOWN', 'with several sites this call needs { site: id }')
    const listed = sites.byId.get(id)
    const slot = slots.get(id) ?? (listed === undefined ? undefined : slotOf(listed))
    if (slot !== undefined) return slot
    throw unknownSite(id)
  }

  /** Calls `run` on one site's engine, or on all that are awake; the others hear of it when they come back. */
  function each(
    section: string | undefined,
    id: string | undefined,
    run: (engine: SiteEngine) => Promise<void>,
  ): Promise<void> {
    refuseUnknownSection(section, options)
    if (id !== undefined) return all([(async () => slots.use(called(id), run))()])
    slots.invalidateSleeping(section)
    return all(slots.awake.map(run))
  }

  /** Tells the other instances, before anything is read here. */
  function announce(
    id: string | undefined,
    section: string | undefined,
    delayMs: number,
    partition?: string,
  ): void {
    shared.sharing?.announce([tagOf(options.cache.namespace, id, section, partition)], delayMs)
  }

  function overview(): SitemapReport {
    const { awake, size } = slots
    return {
      ready: awake.every((engine) => engine.report().ready),
      sections: {},
      sites: { awake: awake.length, asked: size },
      memory: { used: usedMemory(shared), limit: memory.limit },
      store: storeState(shared),
      served: { ...shared.served },
    }
  }

  return {
    options,
    respond,
    invalidate(section, delayMs, id, partition) {
      refuseUnknownSection(section, options)
      announce(id, section, delayMs, partition)
      return each(section, id, (engine) => engine.invalidate(section, delayMs, partition))
    },
    refresh: (section, force, id) => each(section, id, (engine) => engine.refresh(section, force)),
    report(id) {
      if (id === undefined) return overview()
      return called(id).engine?.report() ?? { ...overview(), ready: false }
    },
    sitemaps: async (id) => slots.use(called(id), (engine) => engine.sitemaps()),
    optionsOf: (id) => slots.optionsOf(called(id)),
    async ready(timeoutMs) {
      return (await Promise.all(slots.awake.map((engine) => engine.ready(timeoutMs)))).every(Boolean)
    },
    forget(id) {
      finder.forget(id)
      announce(id, undefined, 0)
      const slot = slots.get(id)
      if (slot !== undefined) slots.drop(slot)
      else if (!sites.byId.has(id) && sites.lookUp === undefined) throw unknownSite(id)
    },
    listening() {
      // Nobody asked for any site yet: timers run for those that are asked for, and nothing is read before.
      shared.hasTimers = options.warmUp !== false
    },
    close() {
      closed ??= (async () => {
        slots.close()
        const { awake } = slots
        for (const engine of awake) engine.close()
        await endShared()
        for (const engine of awake) engine.release()
      })()
      return closed
    },
  }
}

/** Of several values of the header the first is the client's own. */
function firstOf(header: string | undefined): string | undefined {
  return header?.split(',', 1)[0]?.trim()
}

function unknownSite(id: string): SitemapError {
  return new SitemapError('LSM_ERR_SITE_UNKNOWN', `there is no site "${id}" that was asked for`)
}
