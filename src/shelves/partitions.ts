import type { Memory } from '../memory.ts'
import type { ResolvedProvider } from '../options.ts'
import type { ProviderContext } from '../providers/provider.ts'
import { messageOf } from '../providers/read.ts'
import type { RowHistory } from '../table/rows.ts'
import { type Archived, archiveShelves } from './archive.ts'
import { type ListedPartition, type PartitionList, partitionContext } from './partition-list.ts'
import type { SharedShelf, SharedShelfOwner } from './shared-shelf.ts'
import { type Published, type SavedShelf, Shelf, type ShelfEnvironment } from './shelf.ts'
import { releaseSnapshot } from './snapshot.ts'

/** The partitions of a section: each is a shelf of its own, made when it is first asked for. */
export interface Partitions {
  /** The shelf of a listed partition, awake or new; undefined for one that is not listed. A promise where it comes from its file. */
  shelf(id: string): Shelf | Promise<Shelf> | undefined
  /** A partition's place in the list. */
  find(id: string): ListedPartition | undefined
  /** What is known of a partition beside its place in the list. */
  learned(id: string): Learned | undefined
  /** The list was read anew: what changed is stale, what vanished is gone. */
  listed(list: PartitionList): void
  /** Marks one partition stale and reads it again; undefined where it is not listed. */
  invalidate(id: string, delayMs: number): Promise<void> | undefined
  /** Reads every partition once, one after the other, in the background. */
  warmUp(): void
  /** Shelves in memory. */
  readonly awake: Iterable<Shelf>
  close(): void
}

/** What only reading can teach. */
export interface Learned {
  /** Parts it was cut into; 0 where it is empty. */
  readonly parts: number
}

/** What the partitions of a section are made with. */
export interface PartitionsContext {
  readonly section: Shelf
  readonly environment: ShelfEnvironment
  readonly context: (signal: AbortSignal) => ProviderContext
  /** Rows of a partition follow its snapshot; `history` is what was known of them before it was put away. */
  readonly published: (id: string, shelf: Shelf, history: RowHistory, from?: Published) => void
  /** What the rows of a partition know. */
  readonly history: (shelf: Shelf) => RowHistory
  /** The rows of a partition go. */
  readonly withdrawn: (shelf: Shelf) => void
  /** What a partition shares with other instances. */
  readonly share?:
    | ((provider: ResolvedProvider, owner: SharedShelfOwner, partition: string) => SharedShelf | undefined)
    | undefined
  /** What only reading teaches has changed: documents of the whole section follow. */
  readonly taught: () => void
}

interface Slot {
  readonly id: string
  listed: ListedPartition
  shelf: Shelf | undefined
  archive: Archived | undefined
  waking: Promise<Shelf> | undefined
  asked: number
  /** What changed while it lay in its file. */
  isStale: boolean
}

export function createPartitions(given: PartitionsContext): Partitions {
  const { section, environment, context, published, history: historyOf, withdrawn, taught, share } = given
  const { memory, spool, log } = environment
  const { provider } = section
  let byId = new Map<string, ListedPartition>()
  /** Those that were asked for, the least recently asked first. */
  const slots = new Map<string, Slot>()
  const learned = new Map<string, Learned>()
  let making = false
  let closed = false

  function slotOf(id: string): Slot | undefined {
    const known = slots.get(id)
    if (known !== undefined) return known
    const listed = byId.get(id)
    if (listed === undefined) return undefined
    const slot: Slot = {
      id,
      listed,
      shelf: undefined,
      archive: undefined,
      waking: undefined,
      asked: 0,
      isStale: false,
    }
    slots.set(id, slot)
    return slot
  }

  function touch(slot: Slot): void {
    slot.asked++
    slots.delete(slot.id)
    slots.set(slot.id, slot)
  }

  function shelfOf(slot: Slot): Shelf | Promise<Shelf> {
    touch(slot)
    if (slot.shelf !== undefined) return slot.shelf
    if (slot.archive === undefined && slot.waking === undefined) return begin(slot, undefined, [])
    slot.waking ??= wake(slot)
    return slot.waking
  }

  async function wake(slot: Slot): Promise<Shelf> {
    const { archive } = slot
    slot.archive = undefined
    const saved = await archive?.open()
    slot.waking = undefined
    return slot.shelf ?? begin(slot, saved?.sections.get(slot.id), saved?.rows ?? [])
  }

  function begin(slot: Slot, saved: SavedShelf | undefined, history: RowHistory): Shelf {
    const shelf: Shelf = new Shelf(
      partitionProvider(provider, slot),
      {
        ...environment,
        // A partition is read when it is asked for, and at no other time.
        timers: () => false,
        rests: true,
        source: () => slot.listed.version,
        share: share === undefined ? undefined : (of, owner) => share(of, owner, slot.id),
        published: (_shelf, from) => {
          teach(slot, shelf)
          published(slot.id, shelf, history, from)
          void makeRoom()
        },
      },
      (signal) => partitionContext(context(signal), slot.listed),
    )
    slot.shelf = shelf
    if (saved !== undefined) {
      shelf.restore(saved)
      if (slot.isStale) shelf.markStale()
      published(slot.id, shelf, history)
    }
    slot.isStale = false
    return shelf
  }

  function teach({ id, listed }: Slot, { snapshot }: Shelf): void {
    const parts = snapshot?.parts.length ?? 0
    const before = learned.get(id)?.parts ?? expectedParts(listed, environment.options.limit)
    learned.set(id, { parts })
    if (parts !== before) taught()
  }

  function listed({ partitions, changed }: PartitionList): void {
    const before = byId
    byId = new Map(partitions.map((one) => [one.id, one]))
    for (const slot of [...slots.values()]) {
      const now = byId.get(slot.id)
      if (now === undefined) {
        drop(slot)
        continue
      }
      const isChanged =
        changed === 'all' ||
        changed?.has(slot.id) === true ||
        (now.version !== undefined && now.version !== slot.listed.version)
      slot.listed = now
      if (isChanged) stale(slot)
    }
    for (const id of before.keys()) if (!byId.has(id)) learned.delete(id)
  }

  function stale(slot: Slot): void {
    if (slot.shelf === undefined) slot.isStale = true
    else slot.shelf.markStale()
  }

  function drop(slot: Slot): void {
    slots.delete(slot.id)
    slot.archive?.remove()
    slot.archive = undefined
    const { shelf } = slot
    if (shelf === undefined) return
    slot.shelf = undefined
    withdrawn(shelf)
    shelf.close()
    if (shelf.snapshot !== undefined) releaseSnapshot(shelf.snapshot, memory)
  }

  /** Partitions leave memory, the least recently asked first, until what is left fits. In the background, one at a time. */
  async function makeRoom(): Promise<void> {
    if (making) return
    making = true
    try {
      while (!closed && isFull(memory)) {
        const awake = [...slots.values()]
          .filter(({ shelf }) => shelf?.snapshot !== undefined)
          .sort((a, b) => (a.shelf?.askedAtMs ?? 0) - (b.shelf?.askedAtMs ?? 0))
        // The one asked last stays, whatever it weighs.
        const slot = awake.slice(0, -1).find(({ shelf }) => shelf?.isBusy === false)
        if (slot === undefined || !(await putAway(slot))) break
      }
    } finally {
      making = false
    }
  }

  async function putAway(slot: Slot): Promise<boolean> {
    const { shelf, asked } = slot
    const saved = shelf?.save()
    if (shelf === undefined || saved === undefined) return false
    const { askedAtMs } = shelf
    try {
      const rows = historyOf(shelf)
      const archive = await archiveShelves({ sections: new Map([[slot.id, saved]]), rows }, spool)
      const isAskedFor = slot.asked !== asked || shelf.askedAtMs !== askedAtMs || shelf.isBusy
      if (closed || slot.shelf !== shelf || isAskedFor) {
        archive.remove()
        return !closed
      }
      slot.archive = archive
    } catch (error) {
      // Without a folder the bound of memory comes first: the partition is read anew when it is asked for.
      log.error(
        'LSM_ERR_SPOOL_FAILED',
        section.section,
        { err: error },
        `a partition of section "${section.section}" could not be put away: ${messageOf(error)}`,
      )
    }
    slot.shelf = undefined
    withdrawn(shelf)
    shelf.close()
    releaseSnapshot(saved.snapshot, memory)
    return true
  }

  return {
    shelf(id) {
      const slot = slotOf(id)
      return slot === undefined ? undefined : shelfOf(slot)
    },
    find: (id) => byId.get(id),
    learned: (id) => learned.get(id),
    listed,
    invalidate(id, delayMs) {
      const slot = slotOf(id)
      if (slot === undefined) return undefined
      const shelf = shelfOf(slot)
      return shelf instanceof Promise
        ? shelf.then((awake) => awake.invalidate(delayMs))
        : shelf.invalidate(delayMs)
    },
    warmUp() {
      void (async () => {
        for (const id of [...byId.keys()]) {
          if (closed) return
          const slot = slotOf(id)
          const shelf = slot === undefined ? undefined : await shelfOf(slot)
          if (shelf?.snapshot === undefined) await shelf?.refresh()?.done.catch(ignore)
        }
      })()
    },
    get awake() {
      return [...slots.values()].flatMap(({ shelf }) => shelf ?? [])
    },
    close() {
      closed = true
      for (const { shelf } of slots.values()) shelf?.close()
    },
  }

  function partitionProvider(of: ResolvedProvider, slot: Slot): ResolvedProvider {
    const { partitioned, formats } = of
    // Versions and changedSince say when a partition changed; without either its age does.
    const isTold = slot.listed.version !== undefined || partitioned?.changedSince !== undefined
    return {
      ...of,
      partitioned: undefined,
      entries: partitioned?.entries as ResolvedProvider['entries'],
      ttlMs: isTold ? Number.POSITIVE_INFINITY : of.ttlMs,
      // Feeds and the HTML page take a partitioned section from its list.
      formats: new Set(
        [...formats].filter((format) => format === 'xml' || format === 'txt' || format === 'news'),
      ),
    }
  }
}

/** Parts that the list makes expect. */
export function expectedParts({ count }: ListedPartition, limit: number): number {
  return count === undefined ? 1 : Math.ceil(count / limit)
}

function isFull(memory: Memory): boolean {
  return memory.blobs + memory.records > memory.limit / 2
}

function ignore(): void {}
