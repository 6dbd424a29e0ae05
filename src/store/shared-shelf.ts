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
import type { Found, Lease, SharedShelf, SharedShelfOwner } from '../shelves/shared-shelf.ts'
import type { SavedShelf } from '../shelves/shelf.ts'
import { blocksOf, type Snapshot } from '../shelves/snapshot.ts'
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
  { link, revisions, clock, log, memory, spool }: Sharing,
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
  let isClosed = false
  let cancelRenewal: () => void = ignore
  /** Keys of the blobs that the record names, as far as this instance wrote or read it. */
  let stored: ReadonlySet<string> = new Set()
  /** Of another release, read as last good. */
  let foreign: readonly string[] = []
  let storing: Promise<void> = Promise.resolve()
  let isStoring = false
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
    const of = newest?.value instanceof Uint8Array ? Buffer.from(newest.value).toString('latin1') : shape
    if (of === shape || !SHAPE.test(of)) return undefined
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
    let isWhole = true
    const fetchOne = async ([name, blob]: [string, BlobRecord]): Promise<void> => {
      if (!isWhole) return
      const bytes = blob.blocks.reduce((sum, block) => sum + (block?.bytes ?? 0), 0)
      const came = await link.transfer(bytes, (on) => on.get(keys.blob(of, name)))
      const value = came?.value
      const isThere =
        value instanceof Uint8Array &&
        (await unpackBlob(value, blob, name, async (block, coded) => {
          if (!blocks.has(block.digest)) blocks.set(block.digest, await keeper.keep(block, coded))
        }))
      isWhole &&= isThere
    }
    try {
      await Promise.all([...missing].map(fetchOne))
    } catch {
      // There is no folder for it: a walk would fail alike, and says so.
      isWhole = false
    }
    if (isWhole) return blocks
    for (const block of blocks.values()) block.release()
    return undefined
  }

  async function look(has: Parameters<SharedShelf['look']>[0]): Promise<Found | undefined> {
    const newest = await readNewest(has.snapshot === undefined)
    if (newest === undefined || isClosed) return undefined
    const { record, of } = newest
    if (!isNewer(record, has)) return undefined
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

  function isNewer(
    { epoch, revision, readAtMs = 0 }: ShelfRecord,
    { snapshot, mark, readAtMs: hasReadAtMs = 0 }: Parameters<SharedShelf['look']>[0],
  ): boolean {
    if (snapshot === undefined) return true
    const ours = mark !== undefined && (mark.epoch ?? null) === epoch ? mark.revision : 0
    return revision > ours || (revision === ours && readAtMs > hasReadAtMs)
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
      },
      list,
      rows,
      atMs,
      isForeign: of !== shape,
    }
  }

  async function lease(): Promise<Lease> {
    if (!hasLeases) return 'none'
    if (isLeased) return 'ours'
    const came = await askTwice((on) => on.lock?.(keys.lease, token, LEASE_MS))
    if (came === undefined) return 'none'
    if (came.value !== true) return 'theirs'
    isLeased = true
    renewLater()
    if (isClosed) giveBack()
    return 'ours'
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
    if (!isLeased) return
    isLeased = false
    cancelRenewal()
    void link.call((on) => on.unlock?.(keys.lease, token))
  }

  async function put(saved: SavedShelf, rows: RowHistory, atMs: number): Promise<void> {
    const { snapshot, staleAtMs: _, mark, source, ...state } = saved
    const blobs = blobsByKey(snapshot, (name) => keys.blob(shape, name))
    if (!(await putBlobs(blobs))) return
    const { epoch, revision } = mark ?? revisions.start
    const isOfThisLife = epoch === revisions.start.epoch
    const record: ShelfRecord = {
      ...state,
      epoch: revisions.start.epoch ?? null,
      revision: isOfThisLife ? revision : 0,
      source: source ?? null,
      atMs,
      snapshot: recordOf(snapshot).record,
      rows,
    }
    const value = await packRecord(record)
    const kept = await link.transfer(value.length, (on) =>
      on.setRecord === undefined
        ? on.set(keys.record(shape), value, RECORD_MS).then(() => true)
        : on.setRecord(keys.record(shape), record.revision, value, RECORD_MS),
    )
    if (kept === undefined) return
    isOwed = false
    // A walk that began later was quicker: its record stands.
    if (kept.value !== true) return
    const before = stored
    stored = new Set(blobs.keys())
    await link.call((on) => on.set(keys.newest, Buffer.from(shape, 'latin1'), RECORD_MS))
    await letGo(
      [...before].filter((key) => !stored.has(key)),
      GRACE_MS,
    )
    await letGo(foreign, FOREIGN_MS)
    foreign = []
  }

  /** Stores the blobs that are not there, and renews the others. */
  async function putBlobs(blobs: ReadonlyMap<string, Blob>): Promise<boolean> {
    const all = [...blobs.keys()]
    const touched = all.length === 0 ? { value: [] } : await link.call((on) => on.touch?.(all, RECORD_MS))
    const missing = touched?.value ?? all.filter((key) => store.touch !== undefined || !stored.has(key))
    for (const key of missing) {
      const blob = blobs.get(key)
      if (blob === undefined) continue
      const value = await packBlob(blobName(blob), blob.blocks)
      memory.loose += value.length
      memory.relieve()
      const came = await link.transfer(value.length, (on) => on.set(key, value, RECORD_MS))
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
    settled: () => storing,
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
      isStoring = true
      storing = storing
        .then(() => put(saved, rows, atMs))
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
          isStoring = false
        })
      return storing
    },
    close() {
      isClosed = true
      for (const end of forget) end()
      // A shelf that only leaves memory is stored to the end.
      if (isStoring) void storing.then(giveBack)
      else giveBack()
    },
  }
}

/** A shape as it stands in keys. */
const SHAPE = /^[\w-]{1,22}$/

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
