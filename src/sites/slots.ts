import { SitemapError } from '../errors.ts'
import type { ResolvedOptions, ResolvedSite, ResolvedSites } from '../options.ts'
import type { Site } from '../providers/provider.ts'
import { messageOf } from '../providers/read.ts'
import type { Shared } from '../shared.ts'
import { type Archived, archiveShelves } from '../shelves/archive.ts'
import { releaseSnapshot } from '../shelves/snapshot.ts'
import { createSiteEngine, type SavedSite, type SiteEngine } from '../site-engine.ts'
import { within } from '../within.ts'
import { createFrameLoader } from './frames.ts'
import { hostNameOf } from './host-name.ts'

/** A site that was asked for: awake, or in an archive, or on its way from one to the other. */
export interface Slot {
  readonly id: string
  /** What was decided of the site as it was found last. */
  readonly resolved: ResolvedSite
  /** Its host, as hosts are compared. */
  readonly host: string | undefined
  /** There while it is awake. */
  readonly engine: SiteEngine | undefined
}

/** The sites that were asked for, the least recently asked first; those asked least recently leave memory. */
export interface Slots {
  readonly size: number
  readonly awake: readonly SiteEngine[]
  get(id: string): Slot | undefined
  /** The slot of a site that was found: new, or with what is new of it. Throws where its options cannot be used. */
  of(site: Site): Slot
  /** A request came for the site. */
  touch(slot: Slot): void
  /** Runs something on the site's engine, which stays awake until that has ended. */
  use<T>(slot: Slot, run: (engine: SiteEngine) => T | Promise<T>): Promise<T>
  /** Options of the site, every field decided. */
  optionsOf(slot: Slot): ResolvedOptions
  /** Sections are stale; of a site that sleeps it is noted until it comes back. Undefined stands for all sections. */
  invalidateSleeping(section: string | undefined): void
  drop(slot: Slot): void
  close(): void
}

/** A slot from inside. */
interface OwnSlot extends Slot {
  resolved: ResolvedSite
  host: string | undefined
  engine: SiteEngine | undefined
  /** The user's own object. */
  site: Site
  /** Kept while it is awake only: there may be thousands of sites that sleep. */
  options: ResolvedOptions | undefined
  archive: Archived | undefined
  waking: Promise<SiteEngine> | undefined
  /** Raised by every request: an archive that was written meanwhile is out of date. */
  asked: number
  /** Requests and calls under way, which must not lose their engine. */
  users: number
  /** Sections that were invalidated while it slept; undefined stands for all of them. */
  stale: Set<string | undefined> | undefined
}

/** What a site weighs in memory beside its snapshots (options, shelves, table), and each of its sections (measured). */
const SITE_BYTES = 20_480
const SECTION_BYTES = 20_480
/**
 * A little less than the half that snapshots may take: with no room at all each new one would go into a file of its own
 * and then into its site's (measured: twice the writing).
 */
const SITES_SHARE = 7 / 16
/** So many sites may be awake at once, however small the memory. */
const FEWEST_AWAKE = 32
/** Sites that are kept, awake or asleep. */
const MOST_SITES = 10_000

export function createSlots(options: ResolvedOptions, sites: ResolvedSites, shared: Shared): Slots {
  const { clock, log, memory, spool } = shared
  const slots = new Map<string, OwnSlot>()
  /** Those of them that have an engine, in the same order. */
  const awake = new Set<OwnSlot>()
  const frames = createFrameLoader()
  const siteBytes = SITE_BYTES + options.providers.length * SECTION_BYTES
  /** Sites that are awake or waking. */
  let admitted = 0
  let isClosed = false
  let isMakingRoom = false
  /** Somebody came while room was being made: what could not leave then may do so now. */
  let isRoomWanted = false
  let leaving: Promise<boolean> | undefined

  function of(site: Site): OwnSlot {
    const known = slots.get(sites.idOf(site))
    if (known !== undefined && known.site === site) return known
    const own = sites.optionsOf(site)
    return known === undefined ? newSlot(site, own) : renewed(known, site, own)
  }

  function newSlot(site: Site, own: ResolvedOptions): OwnSlot {
    const slot: OwnSlot = {
      id: own.site.id,
      resolved: own.site,
      host: hostOf(own.site),
      engine: undefined,
      site,
      options: own,
      archive: undefined,
      waking: undefined,
      asked: 0,
      users: 0,
      stale: undefined,
    }
    slots.set(slot.id, slot)
    const [oldest] = slots.values()
    if (slots.size > MOST_SITES && oldest !== undefined) drop(oldest)
    return slot
  }

  /** A look-up gave the site anew. Its data goes to the providers; what its documents say makes a new engine, on the last good. */
  function renewed(slot: OwnSlot, site: Site, own: ResolvedOptions): OwnSlot {
    const before = slot.resolved
    const { engine } = slot
    slot.site = site
    slot.resolved = own.site
    if (engine !== undefined) engine.given = own.site.given
    if (isSameDocuments(before, own.site)) return slot
    slot.options = own
    slot.host = hostOf(own.site)
    const isSameUrl = before.url === own.site.url
    if (engine === undefined) {
      if (!isSameUrl) dropArchive(slot)
      return slot
    }
    engine.close()
    sleep(slot)
    // Of another URL every loc is wrong: nothing of it may be served (DESIGN 4, identity).
    if (isSameUrl) {
      admit()
      begin(slot, engine.save())
      engine.releasePartitions()
    } else engine.release()
    return slot
  }

  function touch({ id }: Slot): void {
    const slot = slots.get(id)
    if (slot === undefined) return
    slot.asked++
    slots.delete(id)
    slots.set(id, slot)
    if (awake.delete(slot)) awake.add(slot)
  }

  function optionsOf(slot: Slot): ResolvedOptions {
    return (slot as OwnSlot).options ?? sites.optionsOf(slot.resolved.given)
  }

  async function use<T>(given: Slot, run: (engine: SiteEngine) => T | Promise<T>): Promise<T> {
    const slot = given as OwnSlot
    slot.users++
    try {
      return await run(await wake(slot))
    } finally {
      slot.users--
      // It has grown by what was read for it, and may leave itself.
      if (isFull()) void makeRoom()
    }
  }

  function wake(slot: OwnSlot): Promise<SiteEngine> {
    if (slot.engine !== undefined) return Promise.resolve(slot.engine)
    slot.waking ??= wakeUp(slot).finally(() => {
      slot.waking = undefined
    })
    return slot.waking
  }

  async function wakeUp(slot: OwnSlot): Promise<SiteEngine> {
    if (isFull()) await admitLater()
    else admit()
    try {
      return await opened(slot)
    } catch (error) {
      dismiss()
      throw error
    }
  }

  async function opened(slot: OwnSlot): Promise<SiteEngine> {
    const { archive } = slot
    const { url } = slot.resolved
    slot.archive = undefined
    const saved = await archive?.open()
    // What it holds beside its blocks is in memory again; whoever lets it go takes it off.
    for (const { snapshot } of saved?.sections.values() ?? []) memory.records += snapshot.weight
    // Meanwhile the site may have been forgotten, or have come back with another URL, under which every loc is wrong.
    const isForgotten = isClosed || slots.get(slot.id) !== slot
    const isUsable = !isForgotten && slot.resolved.url === url
    if (saved !== undefined && !isUsable) letGo(saved)
    if (isForgotten) throw new SitemapError('LSM_ERR_CLOSED', `site "${slot.id}" is closed`)
    return begin(slot, isUsable ? saved : undefined)
  }

  function begin(slot: OwnSlot, saved: SavedSite | undefined): SiteEngine {
    slot.options = optionsOf(slot)
    const engine = createSiteEngine(slot.options, shared, { saved, frames })
    slot.engine = engine
    awake.add(slot)
    for (const section of slot.stale ?? []) engine.invalidate(section, 0).catch(ignore)
    slot.stale = undefined
    void makeRoom()
    return engine
  }

  function letGo({ sections }: SavedSite): void {
    for (const { snapshot } of sections.values()) releaseSnapshot(snapshot, memory)
  }

  /** The slot has no engine any more. */
  function sleep(slot: OwnSlot): void {
    slot.engine = undefined
    slot.options = undefined
    if (awake.delete(slot)) dismiss()
  }

  function admit(): void {
    admitted++
    memory.records += siteBytes
  }

  function dismiss(): void {
    admitted--
    memory.records -= siteBytes
  }

  /** Whether sites and their snapshots take more than their share of the memory. */
  function isFull(): boolean {
    return memory.blobs + memory.records > memory.limit * SITES_SHARE
  }

  /**
   * Waits until another site may come in. While none can leave, for all are being read, sites may take the whole memory;
   * then a further one is refused (a provider hangs).
   */
  async function admitLater(): Promise<void> {
    const endMs = clock.now() + options.deadlineMs
    // Asked anew after each that left: of all that wait one comes in.
    while (isFull()) {
      let hasLeft = false
      const leave = putOneAway().then((left) => {
        hasLeft = left
      })
      await within(clock, endMs - clock.now(), leave)
      if (!hasLeft) break
    }
    if (admitted < FEWEST_AWAKE || memory.blobs + memory.records <= memory.limit) {
      // In the same step as the look, so that no other comes in between.
      admit()
      return
    }
    const message = 'a site was put off: cache.memory is full of sites that are being read'
    log.warn('LSM_ERR_BUSY', 'sites', { memory: { ...memory }, sites: awake.size }, message)
    throw new SitemapError('LSM_ERR_BUSY', message)
  }

  /** Sites leave memory, the least recently asked first, until what is left fits. In the background. */
  async function makeRoom(): Promise<void> {
    isRoomWanted = true
    if (isMakingRoom) return
    isMakingRoom = true
    try {
      while (isRoomWanted && !isClosed) {
        isRoomWanted = false
        while (isFull() && !isClosed) if (!(await putOneAway())) break
      }
    } finally {
      isMakingRoom = false
    }
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
  function leastAsked(): OwnSlot | undefined {
    let left = awake.size - 1
    for (const slot of awake) {
      if (left-- <= 0) return undefined
      if (slot.users === 0 && slot.engine?.isBusy === false) return slot
    }
    return undefined
  }

  /** False where nothing was gained. */
  async function putAway(slot: OwnSlot): Promise<boolean> {
    const { engine, asked } = slot
    if (engine === undefined) return false
    const saved = engine.save()
    let archive: Archived | undefined
    try {
      // Of a site that was never read there is nothing to keep.
      if (saved.sections.size > 0) archive = await archiveShelves(saved, spool)
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
    if (isClosed || isInUse || !isSameState(saved, engine.save())) {
      archive?.remove()
      return !isClosed
    }
    engine.close()
    engine.release()
    sleep(slot)
    slot.archive = archive
    return true
  }

  function drop(given: Slot): void {
    const slot = given as OwnSlot
    if (slots.get(slot.id) === slot) slots.delete(slot.id)
    dropArchive(slot)
    const { engine } = slot
    if (engine === undefined) return
    engine.close()
    engine.release()
    sleep(slot)
  }

  function dropArchive(slot: OwnSlot): void {
    slot.archive?.remove()
    slot.archive = undefined
  }

  return {
    get size() {
      return slots.size
    },
    get awake() {
      return [...awake].flatMap(({ engine }) => engine ?? [])
    },
    get: (id) => slots.get(id),
    of,
    touch,
    use,
    optionsOf,
    invalidateSleeping(section) {
      for (const slot of slots.values()) {
        if (slot.engine !== undefined) continue
        slot.stale ??= new Set()
        slot.stale.add(section)
      }
    },
    drop,
    close() {
      isClosed = true
    },
  }
}

function hostOf({ url }: ResolvedSite): string | undefined {
  return hostNameOf(new URL(url).host)
}

/** Whether the documents of a site stay what they are. */
function isSameDocuments(a: ResolvedSite, b: ResolvedSite): boolean {
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

function ignore(): void {}
