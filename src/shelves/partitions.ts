import type { Memory } from '../memory.ts'
import type { ResolvedProvider } from '../options.ts'
import type { ProviderContext } from '../providers/provider.ts'
import { messageOf } from '../providers/read.ts'
import type { SectionReport } from '../report.ts'
import { createSlices } from '../slices.ts'
import type { RowHistory } from '../table/rows.ts'
import { type Archived, archiveShelves } from './archive.ts'
import {
  type Arrangement,
  arrange,
  knownParts,
  type Learned,
  PIECE_SIZE,
  type Piece,
  pieceOf,
} from './arrangement.ts'
import {
  isChanged,
  type ListDraft,
  type ListedPartition,
  type PartitionList,
  partitionContext,
} from './partition-list.ts'
import type { SharedShelf, SharedShelfOwner } from './shared-shelf.ts'
import { type Published, type SavedShelf, Shelf, type ShelfEnvironment } from './shelf.ts'
import { releaseSnapshot } from './snapshot.ts'

/** The partitions of a section: each is a shelf of its own, made when it is first asked for. */
export interface Partitions {
  /** The shelf of a listed partition, awake or new; undefined for one that is not listed. A promise where it comes from its file. */
  shelf(id: string): Shelf | Promise<Shelf> | undefined
  /** A partition's place in the list. */
  find(id: string): ListedPartition | undefined
  /** Parts of a listed partition, as far as is known. */
  parts(listed: ListedPartition): number
  /** All of them, as documents take them. */
  readonly pieces: readonly Piece[]
  /** Arranges a list that is read anew, while the one before it stands. */
  arrange(list: ListDraft): Promise<Arrangement>
  /** The list was read anew: what changed is stale, what vanished is gone. */
  listed(list: PartitionList): void
  /** Marks one partition stale and reads it again; undefined where it is not listed. */
  invalidate(id: string, delayMs: number): Promise<void> | undefined
  /** Reads every partition once, one after the other, in the background. */
  warmUp(): void
  /** Shelves in memory. */
  readonly awake: Iterable<Shelf>
  /** How many are listed, were read here, and fail. */
  readonly counts: NonNullable<SectionReport['partitions']>
  close(): void
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
  /** What other instances have learned. */
  readonly sharedLearned?: SharedLearned | undefined
  /** What only reading teaches has changed: documents of the whole section follow. */
  readonly taught: () => void
}

/** What only reading can teach, shared between instances. */
export interface SharedLearned {
  /** What is known of partitions that `find` finds; empty where nobody can say. */
  all(find: (id: string) => ListedPartition | undefined): Promise<ReadonlyMap<string, Learned>>
  teach(id: string, known: Learned): void
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
  const {
    section,
    environment,
    context,
    published,
    history: historyOf,
    withdrawn,
    taught,
    share,
    sharedLearned,
  } = given
  const { clock, memory, spool, log, options } = environment
  const { provider } = section
  let list: PartitionList | undefined
  /** Those that were asked for, the least recently asked first. */
  const slots = new Map<string, Slot>()
  /** What only reading can teach. */
  let learned = new Map<string, Learned>()
  let pieces: Piece[] = []
  /** Those that were read while a list is arranged. */
  const taughtMeanwhile = new Set<string>()
  let making = false
  let warming = false
  let closed = false

  function slotOf(id: string): Slot | undefined {
    const known = slots.get(id)
    if (known !== undefined) return known
    const listed = list?.byId.get(id)
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
    const file = await archive?.open()
    slot.waking = undefined
    const saved = file?.sections.get(slot.id)
    // What it holds beside its blocks is in memory again; whoever lets it go takes it off.
    if (saved !== undefined) memory.records += saved.snapshot.weight
    // It left the list meanwhile: nothing of it is served any more.
    if (closed || slots.get(slot.id) !== slot) {
      if (saved !== undefined) releaseSnapshot(saved.snapshot, memory)
      return closedShelf(slot)
    }
    return begin(slot, saved, file?.rows ?? [])
  }

  /** A shelf of which nothing is read, for one who still waits for it. */
  function closedShelf(slot: Slot): Shelf {
    const alone = { ...environment, share: undefined }
    const shelf = new Shelf(partitionProvider(provider, slot), alone, (signal) =>
      partitionContext(context(signal), slot.listed),
    )
    shelf.close()
    return shelf
  }

  function begin(slot: Slot, saved: SavedShelf | undefined, history: RowHistory): Shelf {
    const shelf: Shelf = new Shelf(
      partitionProvider(provider, slot),
      {
        ...environment,
        // A partition is read when it is asked for, and at no other time.
        timers: () => false,
        rests: true,
        standsAlone: true,
        source: () => slot.listed.state,
        sourceMark: () => section.mark,
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
      void makeRoom()
    }
    slot.isStale = false
    return shelf
  }

  const partsOf = (one: ListedPartition): number => knownParts(one, learned.get(one.id), options.limit)

  function teach({ id, listed }: Slot, { snapshot }: Shelf): void {
    if (snapshot === undefined) return
    const before = partsOf(listed)
    const { parts, count } = snapshot
    const known = { parts: parts.length, entries: count, readAtMs: clock.now(), listed }
    learned.set(id, known)
    taughtMeanwhile.add(id)
    if (partsOf(listed) === before) return
    sharedLearned?.teach(id, known)
    arrangeAnew(id)
    taught()
  }

  /** Makes the piece anew that a partition lies in. */
  function arrangeAnew(id: string): void {
    const listed = list?.byId.get(id)
    if (listed === undefined) return
    const at = Math.floor(listed.place / PIECE_SIZE)
    const piece = pieces[at]
    if (piece !== undefined) pieces[at] = pieceOf(section.section, piece.partitions, partsOf)
  }

  async function arrangeList(list: ListDraft): Promise<Arrangement> {
    taughtMeanwhile.clear()
    const kept = new Map<string, Learned>()
    const slices = createSlices()
    const nowMs = clock.now()
    const elsewhere = await sharedLearned?.all((id) => list.byId.get(id))
    for (const [id, known] of [...(elsewhere ?? []), ...learned]) {
      const listed = list.byId.get(id)
      // No document names what is empty, so that nobody would ask for it again: it is named when it may have changed.
      const isForgotten =
        listed === undefined || (known.parts === 0 && mayHaveChanged(listed, known, list, nowMs))
      if (!isForgotten) kept.set(id, known)
      await slices()
    }
    const { limit } = options
    return arrange(section.section, list.partitions, (one) => knownParts(one, kept.get(one.id), limit), kept)
  }

  function mayHaveChanged(listed: ListedPartition, known: Learned, list: ListDraft, nowMs: number): boolean {
    return (
      isChanged(listed, known.listed, list) || (!isTold(listed) && nowMs >= known.readAtMs + provider.ttlMs)
    )
  }

  /** Versions and changedSince say when a partition changed; without either its age does. */
  function isTold({ version }: ListedPartition): boolean {
    return version !== undefined || provider.partitioned?.changedSince !== undefined
  }

  function listed(now: PartitionList): void {
    list = now
    pieces = [...now.arrangement.pieces]
    const before = learned
    learned = now.arrangement.learned
    for (const id of taughtMeanwhile) {
      const known = before.get(id)
      if (known === undefined || !now.byId.has(id)) continue
      learned.set(id, known)
      arrangeAnew(id)
    }
    taughtMeanwhile.clear()
    for (const slot of [...slots.values()]) {
      const given = now.byId.get(slot.id)
      if (given === undefined) {
        drop(slot)
        continue
      }
      const before = slot.listed
      slot.listed = given
      // It may have been read after the list, here or by an instance whose list was ahead of ours.
      const isRead = slot.shelf?.isOf(given.state, section.mark) === true
      if (isChanged(given, isRead ? { ...before, state: given.state } : before, now)) stale(slot)
    }
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
    const { askedAtMs, revision } = shelf
    try {
      const rows = historyOf(shelf)
      const archive = await archiveShelves({ sections: new Map([[slot.id, saved]]), rows }, spool)
      const isAskedFor = slot.asked !== asked || shelf.askedAtMs !== askedAtMs || shelf.isBusy
      if (closed || slot.shelf !== shelf || isAskedFor) {
        archive.remove()
        return !closed
      }
      slot.archive = archive
      // A list may have come meanwhile that says it changed: the file does not know.
      slot.isStale = shelf.revision !== revision
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

  function warmUp(): void {
    if (warming) return
    warming = true
    void (async () => {
      const slices = createSlices()
      // A list that is read meanwhile is gone through after it.
      for (let last: PartitionList | undefined; last !== list && !closed; ) {
        last = list
        for (const id of list?.byId.keys() ?? []) {
          if (closed) return
          await slices()
          const slot = slotOf(id)
          // What lies in its file was read.
          if (slot === undefined || slot.archive !== undefined || slot.waking !== undefined) continue
          const shelf = await shelfOf(slot)
          if (shelf.snapshot === undefined) await shelf.refresh()?.done.catch(ignore)
        }
      }
      warming = false
    })()
  }

  return {
    shelf(id) {
      const slot = slotOf(id)
      return slot === undefined ? undefined : shelfOf(slot)
    },
    find: (id) => list?.byId.get(id),
    parts: partsOf,
    get pieces() {
      return pieces
    },
    arrange: arrangeList,
    listed,
    invalidate(id, delayMs) {
      const slot = slotOf(id)
      if (slot === undefined) return undefined
      const shelf = shelfOf(slot)
      return shelf instanceof Promise
        ? shelf.then((awake) => awake.invalidate(delayMs))
        : shelf.invalidate(delayMs)
    },
    warmUp,
    get counts() {
      const asked = [...slots.values()]
      return {
        listed: list?.partitions.length ?? 0,
        read: asked.filter(({ shelf, archive }) => shelf?.snapshot !== undefined || archive !== undefined)
          .length,
        failing: asked.filter(({ shelf }) => shelf?.failure !== undefined).length,
      }
    },
    get awake() {
      return [...slots.values()].flatMap(({ shelf }) => shelf ?? [])
    },
    close() {
      closed = true
      for (const { shelf, archive } of slots.values()) {
        shelf?.close()
        archive?.remove()
      }
    },
  }

  function partitionProvider(of: ResolvedProvider, slot: Slot): ResolvedProvider {
    const { partitioned, formats } = of
    return {
      ...of,
      partitioned: undefined,
      entries: partitioned?.entries as ResolvedProvider['entries'],
      // A later list may say more or less of it.
      get ttlMs() {
        return isTold(slot.listed) ? Number.POSITIVE_INFINITY : of.ttlMs
      },
      // Feeds and the HTML page take a partitioned section from its list.
      formats: new Set(
        [...formats].filter((format) => format === 'xml' || format === 'txt' || format === 'news'),
      ),
    }
  }
}

function isFull(memory: Memory): boolean {
  return memory.blobs + memory.records > memory.limit / 2
}

function ignore(): void {}
