import type { StoreState } from '../cache/store.ts'
import type { Clock } from '../clock.ts'
import type { Mark } from '../shelves/shared-shelf.ts'
import type { StoreLink } from './link.ts'

/**
 * Invalidations as state (ENGINE section 5): every one raises the store's revision and notes it for its tags. Each
 * instance reads what is new of it, whenever it is woken and every ten seconds, so that nothing is lost to one that was
 * cut off; no clocks of two machines are compared. What is invalidated while the store is away waits in an outbox.
 */
export interface Revisions {
  /** Whether one of the tags was invalidated after the mark, as far as is known here. */
  isPast(mark: Mark, tags: readonly string[]): boolean
  /** Notes an invalidation, and tells the store. */
  raise(tags: readonly string[]): void
  /** Tells what waits in the outbox, after the first look at the state; false where the store could not be told. */
  told(): Promise<boolean>
  /** A mark of its own for a walk that begins: what is invalidated from now on is past it. */
  mark(): Promise<Mark>
  /** The mark of what was published into a store that holds nothing of ours. */
  readonly start: Mark
  /** Calls back when one of the tags was invalidated, here or elsewhere. Returns what ends that. */
  watch(tags: readonly string[], heard: () => void): () => void
  /** Calls back when the store has begun a new life: nothing of ours is in it. Returns what ends that. */
  onNewLife(run: () => void): () => void
  close(): Promise<void>
}

const POLL_MS = 10_000
const RETRY_MS = 1_000
/** Tags that wait at most; past it everything is invalidated. */
const MOST_WAITING = 1_000
/** Tags known at most; past it those of the lowest revisions count as invalidated. */
const MOST_TAGS = 100_000
/** Stands for everything of a namespace (see keys.ts). */
export const EVERYTHING = '*'

export function createRevisions(link: StoreLink, clock: Clock): Revisions {
  const { store } = link
  const isShared = store.invalidate !== undefined && store.state !== undefined
  const revisionOf = new Map<string, number>()
  const watchers = new Map<string, Set<() => void>>()
  const newLives = new Set<() => void>()
  const outbox = new Set<string>()
  let epoch: string | undefined
  let revision = 0
  let floor = 0
  let first: Promise<boolean> | undefined
  let syncing: Promise<boolean> | undefined
  let telling: Promise<boolean> | undefined
  let isWoken = false
  let isClosed = false
  let cancelPoll: () => void = ignore
  let cancelRetry: () => void = ignore
  let subscribing: Promise<(() => void) | undefined> | undefined
  const forgetUp = link.onUp(() => void sync())

  /** Reads what is new. One at a time; woken meanwhile, once more. */
  function sync(): Promise<boolean> {
    if (!isShared || isClosed) return Promise.resolve(false)
    isWoken = true
    syncing ??= (async () => {
      let known = false
      while (isWoken && !isClosed) {
        isWoken = false
        const state = await readState()
        known = state !== undefined
        if (state !== undefined) learn(state)
      }
      return known
    })().finally(() => {
      syncing = undefined
      poll()
    })
    return syncing
  }

  /** What is new since the last look. The revisions of a former life say nothing of a new one: of that, everything is. */
  async function readState(): Promise<StoreState | undefined> {
    const state = await stateSince(revision)
    return state === undefined || state.epoch === epoch || revision === 0 ? state : stateSince(0)
  }

  async function stateSince(since: number): Promise<StoreState | undefined> {
    const state = await link.call((on) => on.state?.(since))
    return state !== undefined && isState(state.value) ? state.value : undefined
  }

  function poll(): void {
    cancelPoll()
    if (!isClosed) cancelPoll = clock.after(POLL_MS, () => void sync())
    subscribing ??= subscribe()
  }

  async function subscribe(): Promise<(() => void) | undefined> {
    if (store.subscribe === undefined) return undefined
    const subscribed = await link.call((on) => on.subscribe?.(() => void sync()))
    if (subscribed === undefined) subscribing = undefined
    const end = subscribed?.value
    if (typeof end !== 'function') return undefined
    if (isClosed) end()
    return end
  }

  function learn(state: StoreState): void {
    if (state.epoch !== epoch) beginLife(state)
    const seen = revision
    revision = Math.max(revision, state.rev)
    const heard = new Set<() => void>()
    for (const [tag, at] of state.tags) {
      if (at <= (revisionOf.get(tag) ?? 0)) continue
      setRevision(tag, at)
      for (const watcher of watchers.get(tag) ?? []) heard.add(watcher)
    }
    if (state.floor !== undefined && state.floor > seen) raiseFloor(state.floor, heard)
    while (revisionOf.size > MOST_TAGS) {
      const [oldest] = revisionOf
      if (oldest === undefined) break
      revisionOf.delete(oldest[0])
      raiseFloor(oldest[1], heard)
    }
    for (const watcher of heard) watcher()
  }

  /** The most recent last. */
  function setRevision(tag: string, at: number): void {
    revisionOf.delete(tag)
    revisionOf.set(tag, at)
  }

  function raiseFloor(to: number, heard: Set<() => void>): void {
    if (to <= floor) return
    floor = to
    for (const all of watchers.values()) for (const watcher of all) heard.add(watcher)
  }

  function beginLife(state: StoreState): void {
    epoch = state.epoch
    revision = 0
    floor = 0
    revisionOf.clear()
    for (const run of newLives) run()
  }

  function tell(): Promise<boolean> {
    if (!isShared) return Promise.resolve(false)
    telling ??= (async () => {
      while (outbox.size > 0) {
        const tags = [...outbox]
        const told = await link.call((on) => on.invalidate?.(tags))
        if (told === undefined || isClosed) {
          retry()
          return false
        }
        for (const tag of tags) outbox.delete(tag)
        note(tags, told.value)
      }
      return true
    })().finally(() => {
      telling = undefined
    })
    return telling
  }

  function retry(): void {
    cancelRetry()
    if (!isClosed && outbox.size > 0) cancelRetry = clock.after(RETRY_MS, () => void tell())
  }

  /** What this instance has just told is known before the state is read again. */
  function note(tags: readonly string[], at: number): void {
    if (typeof at === 'number')
      for (const tag of tags) setRevision(tag, Math.max(at, revisionOf.get(tag) ?? 0))
  }

  return {
    isPast(mark, tags) {
      const since = mark.epoch === epoch ? mark.revision : 0
      return floor > since || tags.some((tag) => (revisionOf.get(tag) ?? 0) > since)
    },
    raise(tags) {
      if (!isShared || isClosed) return
      for (const tag of tags) outbox.add(tag)
      if (outbox.size > MOST_WAITING) {
        outbox.clear()
        outbox.add(EVERYTHING)
      }
      void tell()
    },
    async told() {
      first ??= sync()
      if (!(await first)) first = undefined
      return tell()
    },
    async mark() {
      const drawn = await link.call((on) => (isShared ? on.invalidate?.([]) : undefined))
      const isNumber = typeof drawn?.value === 'number'
      return { epoch, revision: isNumber ? drawn.value : revision }
    },
    get start() {
      return { epoch, revision: 0 }
    },
    watch(tags, heard) {
      for (const tag of tags) {
        const of = watchers.get(tag) ?? new Set()
        watchers.set(tag, of.add(heard))
      }
      return () => {
        for (const tag of tags) {
          const of = watchers.get(tag)
          of?.delete(heard)
          if (of?.size === 0) watchers.delete(tag)
        }
      }
    },
    onNewLife(run) {
      newLives.add(run)
      return () => newLives.delete(run)
    },
    async close() {
      isClosed = true
      cancelPoll()
      cancelRetry()
      forgetUp()
      const end = await subscribing
      end?.()
    },
  }
}

/** A store may be anybody's object: what is no state is no answer. */
function isState(value: unknown): value is StoreState {
  const { epoch, rev, tags } = (value ?? {}) as Partial<StoreState>
  return typeof epoch === 'string' && typeof rev === 'number' && tags instanceof Map
}

function ignore(): void {}
