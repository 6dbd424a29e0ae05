import { randomUUID } from 'node:crypto'
import type { SharedStore } from '../cache/store.ts'
import type { ResolvedOptions, ResolvedProvider } from '../options.ts'
import { type Block, createBlockKeeper } from '../shelves/blob.ts'
import type { Blob } from '../shelves/cut.ts'
import type { Held } from '../shelves/hold.ts'
import type { ListDraft } from '../shelves/partition-list.ts'
import {
  type BlobRecord,
  blobsOf,
  listDraftOf,
  recordOf,
  type SnapshotRecord,
  snapshotOf,
} from '../shelves/record.ts'
import type { Found, Lease, Mark, SharedShelf, SharedShelfOwner } from '../shelves/shared-shelf.ts'
import type { SavedShelf } from '../shelves/shelf.ts'
import { blocksOf, type Snapshot } from '../shelves/snapshot.ts'
import { createSlices } from '../slices.ts'
import type { RowHistory } from '../table/rows.ts'
import { blobName, packBlob, unpackBlob } from './blob-value.ts'
import { shapeOf, shelfKeys } from './keys.ts'
import type { Answer } from './link.ts'
import { packRecord, type ShelfRecord, unpackRecord } from './record-value.ts'
import type { Sharing } from './sharing.ts'

const DAY_MS = 86_400_000
/** Records and their blobs outlive a long outage of the provider; every refresh renews them. */
const RECORD_MS = 90 * DAY_MS
/** What another release wrote, once this one has its own: a deploy may be taken back. */
const FOREIGN_MS = DAY_MS
/** Blobs that a record names no more: somebody may be reading them. */
const GRACE_MS = 60_000
const HELD_MS = 2 * DAY_MS
const LEASE_MS = 15_000
const RENEW_MS = LEASE_MS / 3

export function createSharedShelf(
  { link, revisions, clock, log, memory, spool, storing: limiter }: Sharing,
  options: ResolvedOptions,
  provider: ResolvedProvider,
  owner: SharedShelfOwner,
  partition?: string,
): SharedShelf {
  const keys = shelfKeys(options, provider.section, partition)
  const shape = shapeOf(options, provider)
  const { store } = link
  const hasLeases = store.lock !== undefined && store.unlock !== undefined
  const token = randomUUID()
  let isLeased = false
  /** Who works under the lease: a walk, and the storing of the one before. */
  let holders = 0
  let isClosed = false
  let cancelRenewal: () => void = ignore
  /** Keys of the blobs that the record names, as far as this instance wrote or read it. */
  let stored: ReadonlySet<string> = new Set()
  /** Of another release, read as last good. */
  let foreign: readonly string[] = []
  /** Blobs that were written for records that never came. */
  const written = new Set<string>()
  let storing: Promise<void> = Promise.resolve()
  /** What was published and waits to be stored, or is. */
  let publications = 0
  /** What was published last did not reach the store. */
  let isOwed = false
  const forget = [
    link.onUp(() => {
      if (isOwed) owner.lost()
    }),
    revisions.watch(keys.tags, () => owner.heard()),
    revisions.onNewLife(() => {
      stored = new Set()
      owner.lost()
    }),
  ]

  /** Once more where no answer came in time: on a busy machine that happens, and what follows from it is a walk. */
  async function askTwice<T>(run: (on: SharedStore) => Promise<T> | undefined): Promise<Answer<T>> {
    return (await link.call(run)) ?? link.call(run)
  }

  async function read(key: string): Promise<ShelfRecord | undefined> {
    const value = await askTwice((on) => on.get(key))
    return unpackRecord(value?.value)
  }

  /** The record of this release; of another one where there is none and `wantsAny`. */
  async function readNewest(wantsAny: boolean): Promise<{ record: ShelfRecord; of: string } | undefined> {
    const own = await read(keys.record(shape))
    if (own !== undefined) return { record: own, of: shape }
    const newest = wantsAny ? await link.call((on) => on.get(keys.newest)) : undefined
    const of = shapeIn(newest?.value)
    if (of === undefined || of === shape) return undefined
    const record = await read(keys.record(of))
    return record === undefined ? undefined : { record, of }
  }

  /**
   * The blocks that a record names: what the shelf has is not fetched again. Undefined where one is not there; then the
   * record is a miss.
   */
  async function fetchBlocks(
    record: SnapshotRecord,
    of: string,
    has: Snapshot | undefined,
  ): Promise<Map<string, Block> | undefined> {
    const blocks = new Map<string, Block>()
    for (const block of has === undefined ? [] : blocksOf(has)) {
      if (blocks.has(block.digest)) continue
      block.retain()
      blocks.set(block.digest, block)
    }
    const missing = new Map<string, BlobRecord>()
    for (const blob of blobsOf(record))
      if (blob.blocks.some((block) => block !== null && !blocks.has(block.digest)))
        missing.set(blobName(blob), blob)
    const keeper = createBlockKeeper(memory, spool)
    // A store may answer without I/O: then nothing but this lets the app's own work run.
    const slices = createSlices()
    let isWhole = true
    const fetchOne = async ([name, blob]: [string, BlobRecord]): Promise<void> => {
      if (!isWhole) return
      const bytes = blob.blocks.reduce((sum, block) => sum + (block?.bytes ?? 0), 0)
      const came = await link.transfer(bytes, (on) => on.get(keys.blob(of, name)))
      const value = came?.value
      const isThere =
        value instanceof Uint8Array &&
        (await unpackBlob(value, blob, name, async (block, coded) => {
          if (blocks.has(block.digest)) return
          const kept = await keeper.keep(block, coded)
          // Two blobs may hold it, and come at once.
          if (blocks.has(block.digest)) kept.release()
          else blocks.set(block.digest, kept)
        }))
      isWhole &&= isThere
      await slices()
    }
    await Promise.all(
      [...missing].map((one) =>
        fetchOne(one).catch(() => {
          // There is no folder for it: a walk would fail alike, and says so.
          isWhole = false
        }),
      ),
    )
    if (isWhole) return blocks
    for (const block of blocks.values()) block.release()
    return undefined
  }

  async function look(has: Parameters<SharedShelf['look']>[0]): Promise<Found | undefined> {
    const newest = await readNewest(has.snapshot === undefined)
    if (newest === undefined || isClosed) return undefined
    const { record, of } = newest
    // Somebody met a life of the store that is not known here yet.
    if (!isOfThisLife(record)) await revisions.synced()
    if (isClosed || !isNewer(record, has)) return undefined
    let blocks: Map<string, Block> | undefined
    try {
      blocks = await fetchBlocks(record.snapshot, of, has.snapshot)
      if (blocks === undefined) return undefined
      return foundOf(record, of, blocks, await listDraftOf(record.snapshot))
    } catch (error) {
      // A record of our layout that is not what it should be: a miss, never an error.
      log.warn('LSM_ERR_STORE_FAILED', 'record', { err: error }, 'a record of the store could not be read')
      return undefined
    } finally {
      // The snapshot holds its own.
      for (const block of blocks?.values() ?? []) block.release()
    }
  }

  function isOfThisLife(of: { readonly epoch: string | null | undefined }): boolean {
    return (of.epoch ?? null) === (revisions.start.epoch ?? null)
  }

  /** Revisions of another life of the store say nothing. */
  function revisionOf(of: Pick<ShelfRecord, 'epoch' | 'revision'> | Mark | undefined): number {
    return of !== undefined && isOfThisLife(of) ? of.revision : 0
  }

  function isNewer(
    record: ShelfRecord,
    { snapshot, mark, readAtMs = 0 }: Parameters<SharedShelf['look']>[0],
  ): boolean {
    if (snapshot === undefined) return true
    // Read while the store was away, in no order with theirs but that of the clocks.
    if (mark?.isGuess === true && revisions.isShared) return (record.readAtMs ?? 0) > readAtMs
    const [theirs, ours] = [revisionOf(record), revisionOf(mark)]
    return theirs > ours || (theirs === ours && (record.readAtMs ?? 0) > readAtMs)
  }

  function foundOf(
    record: ShelfRecord,
    of: string,
    blocks: ReadonlyMap<string, Block>,
    list: ListDraft | undefined,
  ): Found | undefined {
    const opened: Block[] = []
    let snapshot: Snapshot | undefined
    try {
      snapshot = snapshotOf(record.snapshot, 0, ({ digest }) => {
        const block = blocks.get(digest)
        if (block === undefined) throw new Error('a record names a block that its blobs do not hold')
        block.retain()
        opened.push(block)
        return block
      })
    } catch (error) {
      for (const block of opened) block.release()
      throw error
    }
    if (snapshot === undefined) return undefined
    memory.records += snapshot.weight
    const names = [...blobsOf(record.snapshot)].map((blob) => keys.blob(of, blobName(blob)))
    if (of === shape) stored = new Set(names)
    else foreign = [keys.record(of), ...names]
    const { epoch, revision, source, atMs, rows, ...state } = record
    return {
      saved: {
        ...state,
        snapshot,
        staleAtMs: 0,
        mark: { epoch: epoch ?? undefined, revision },
        source: source ?? undefined,
        isForeign: of !== shape,
      },
      list,
      rows,
      atMs,
    }
  }

  async function lease(): Promise<Lease> {
    if (!hasLeases) return 'none'
    holders++
    if (isLeased) return 'ours'
    const asked: (Promise<boolean> | undefined)[] = []
    const came = await askTwice(async (on) => {
      const called = on.lock?.(keys.lease, token, LEASE_MS)
      asked.push(called)
      return called
    })
    if (came?.value === true) {
      isLeased = true
      renewLater()
      if (isClosed) letGoOfLease()
      return 'ours'
    }
    holders--
    // It may be taken all the same, after the answer was given up: the others would wait for it to run out.
    if (came === undefined) for (const called of asked) void giveBackLate(called)
    // Anything but a no is no answer: nobody must wait for a lease that is never given.
    return came?.value === false ? 'theirs' : 'none'
  }

  async function giveBackLate(called: Promise<boolean> | undefined): Promise<void> {
    try {
      if ((await called) === true && !isLeased) link.part((on) => on.unlock?.(keys.lease, token))
    } catch {
      // The link has told of it.
    }
  }

  function renewLater(): void {
    cancelRenewal = clock.after(RENEW_MS, () => {
      if (!isLeased) return
      // Lost or not, the walk goes on: the revision of its record decides what is kept.
      void link.call((on) => on.renew?.(keys.lease, token, LEASE_MS))
      renewLater()
    })
  }

  function giveBack(): void {
    if (holders > 0) holders--
    if (holders === 0) letGoOfLease()
  }

  function letGoOfLease(): void {
    if (!isLeased) return
    isLeased = false
    cancelRenewal()
    link.part((on) => on.unlock?.(keys.lease, token))
  }

  async function put(saved: SavedShelf, rows: RowHistory, atMs: number): Promise<void> {
    const { snapshot, staleAtMs: _, isForeign: _own, mark, source, ...state } = saved
    const blobs = blobsByKey(snapshot, (name) => keys.blob(shape, name))
    const { start } = revisions
    const revision = revisionOf(mark)
    // Into a store that holds nothing of ours: another may have come first, with what is newer.
    if (revision === 0 && revisions.isShared) {
      const standing = await read(keys.record(shape))
      if (
        standing !== undefined &&
        isOfThisLife(standing) &&
        (standing.readAtMs ?? 0) > (state.readAtMs ?? 0)
      ) {
        isOwed = false
        return
      }
    }
    if (!(await putBlobs(blobs))) return
    const record: ShelfRecord = {
      ...state,
      epoch: start.epoch ?? null,
      revision,
      source: source ?? null,
      atMs,
      snapshot: recordOf(snapshot).record,
      rows,
    }
    const value = await packRecord(record)
    let kept = await setRecord(value, revision)
    if (kept === false && (await isLeftOver())) {
      await link.call((on) => on.delete(keys.record(shape)))
      kept = await setRecord(value, revision)
    }
    if (kept === undefined) return
    // A life that began meanwhile has asked for it anew.
    if (isOfThisLife(start)) isOwed = false
    // A walk that began later was quicker: its record stands.
    if (!kept) return
    const before = [...stored, ...written]
    stored = new Set(isOfThisLife(start) ? blobs.keys() : [])
    written.clear()
    await noteForeign()
    await link.call(async (on) => on.set(keys.newest, Buffer.from(shape, 'latin1'), RECORD_MS))
    await letGo(
      before.filter((key) => !blobs.has(key)),
      GRACE_MS,
    )
    await letGo(foreign, FOREIGN_MS)
    foreign = []
  }

  /** Undefined where the store gave no answer. */
  async function setRecord(value: Buffer, revision: number): Promise<boolean | undefined> {
    const key = keys.record(shape)
    const came = await link.transfer(value.length, async (on) => {
      if (on.setRecord !== undefined) return on.setRecord(key, revision, value, RECORD_MS)
      await on.set(key, value, RECORD_MS)
      return true
    })
    return came === undefined ? undefined : came.value === true
  }

  /** Whether the record that stands is of a life that has ended: its revision, of another count, would keep out all. */
  async function isLeftOver(): Promise<boolean> {
    const before = revisions.start.epoch
    const standing = await read(keys.record(shape))
    if (standing === undefined || isOfThisLife(standing)) return false
    return (await revisions.synced()) && before === revisions.start.epoch && !isOfThisLife(standing)
  }

  /** Another release that goes on storing beside this one renews what it has: it is let go whenever it was last. */
  async function noteForeign(): Promise<void> {
    const newest = await link.call((on) => on.get(keys.newest))
    const of = shapeIn(newest?.value)
    if (of === undefined || of === shape || store.touch === undefined) return
    const record = await read(keys.record(of))
    if (record === undefined) return
    foreign = [keys.record(of), ...[...blobsOf(record.snapshot)].map((blob) => keys.blob(of, blobName(blob)))]
  }

  /** Stores the blobs that are not there, and renews the others. */
  async function putBlobs(blobs: ReadonlyMap<string, Blob>): Promise<boolean> {
    const all = [...blobs.keys()]
    const touched = all.length === 0 ? { value: [] } : await link.call((on) => on.touch?.(all, RECORD_MS))
    const missing = Array.isArray(touched?.value)
      ? touched.value
      : all.filter((key) => store.touch !== undefined || !stored.has(key))
    const slices = createSlices()
    for (const key of missing) {
      await slices()
      const blob = blobs.get(key)
      if (blob === undefined) continue
      const value = await packBlob(blobName(blob), blob.blocks)
      memory.loose += value.length
      memory.relieve()
      written.add(key)
      const came = await link.transfer(value.length, async (on) => on.set(key, value, RECORD_MS))
      memory.loose -= value.length
      if (came === undefined) return false
    }
    return true
  }

  async function letGo(names: readonly string[], ms: number): Promise<void> {
    if (names.length > 0) await link.call((on) => on.touch?.(names, ms))
  }

  return {
    told: () => revisions.told(),
    isPast: (mark) => revisions.isPast(mark ?? revisions.start, keys.tags),
    look,
    lease,
    giveBack,
    mark: () => revisions.mark(),
    async held() {
      const came = await link.call((on) => on.get(keys.held))
      return heldOf(came?.value)
    },
    keepHeld(held) {
      void link.call((on) =>
        held === undefined
          ? on.delete(keys.held)
          : on.set(keys.held, Buffer.from(JSON.stringify(held)), HELD_MS),
      )
    },
    publish(saved, rows, atMs) {
      // Another snapshot may be published meanwhile.
      const blocks = [...blocksOf(saved.snapshot)]
      for (const block of blocks) block.retain()
      isOwed = true
      const publication = ++publications
      storing = storing
        // What was published after it is what the store is to have.
        .then(() =>
          limiter.run(async () => {
            if (publication === publications) await put(saved, rows, atMs)
          }),
        )
        .catch((error) => {
          log.error(
            'LSM_ERR_STORE_FAILED',
            'publish',
            { section: provider.section, err: error },
            `section "${provider.section}" could not be stored`,
          )
        })
        .finally(() => {
          for (const block of blocks) block.release()
        })
      return storing
    },
    close() {
      isClosed = true
      for (const end of forget) end()
      // A shelf that only leaves memory is stored to the end, under its lease.
      void storing.then(letGoOfLease)
    },
  }
}

/** A shape as it stands in keys. */
const SHAPE = /^[\w-]{1,22}$/

function shapeIn(value: unknown): string | undefined {
  if (!(value instanceof Uint8Array)) return undefined
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
  return SHAPE.test(text) ? text : undefined
}

function blobsByKey(snapshot: Snapshot, keyOf: (name: string) => string): Map<string, Blob> {
  const blobs = new Map<string, Blob>()
  for (const { xml, txt, cards } of snapshot.parts)
    for (const blob of [xml, txt, cards]) if (blob !== undefined) blobs.set(keyOf(blobName(blob)), blob)
  return blobs
}

function heldOf(value: unknown): Held | undefined {
  if (!(value instanceof Uint8Array)) return undefined
  try {
    const { count, sinceMs } = JSON.parse(Buffer.from(value).toString('utf8')) as Held
    return typeof count === 'number' && typeof sinceMs === 'number' ? { count, sinceMs } : undefined
  } catch {
    return undefined
  }
}

function ignore(): void {}
