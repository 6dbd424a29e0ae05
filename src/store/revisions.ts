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
  /** Whether the store hears of invalidations at all. */
  readonly isShared: boolean
  /** Whether one of the tags was invalidated after the mark, as far as is known here. */
  isPast(mark: Mark, tags: readonly string[]): boolean
  /** Notes an invalidation, and tells the store. */
  raise(tags: readonly string[]): void
  /** Tells what waits in the outbox, after the first look at the state; false where the store could not be told. */
  told(): Promise<boolean>
  /** Reads the state now: something of another life of the store was met. */
  synced(): Promise<boolean>
  /** A mark of its own for a walk that begins: what is invalidated from now on is past it. */
  mark(): Promise<Mark>
  /** The mark of what was published into a store that holds nothing of ours. */
  readonly start: Mark
  /** Calls back when one of the tags was invalidated, here or elsewhere. Returns what ends that. */
  watch(tags: readonly string[], heard: () => void): () => void
  /** Calls back when the store has begun a new life: nothing of ours is in it. Returns what ends that. */
  onNewLife(run: () => void): () => void
  close(): void
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
        const since = revision
        const state = await link.call((on) => on.state?.(since))
        known = state !== undefined && isState(state.value)
        // A new life counts from 0 again: what it noted up to `since` was not told.
        if (state !== undefined && known && !learn(state.value, since)) isWoken = true
      }
      return known
    })().finally(() => {
      syncing = undefined
      poll()
    })
    return syncing
  }

  function poll(): void {
    cancelPoll()
    if (!isClosed) cancelPoll = clock.after(POLL_MS, () => void sync())
    subscribing ??= subscribe()
  }

  /** A connection of its own may take longer than a call: it is not given up, for the store would go on holding it. */
  async function subscribe(): Promise<(() => void) | undefined> {
    if (store.subscribe === undefined) return undefined
    let called: Promise<() => void> | undefined
    const subscribed = await link.call((on) => {
      called = on.subscribe?.(() => void sync())
      return called
    })
    let end: unknown
    try {
      end = subscribed === undefined ? await called : subscribed.value
    } catch {
      // The link has told of it.
    }
    if (typeof end !== 'function') {
      subscribing = undefined
      return undefined
    }
    const once = endOnce(end as () => unknown)
    if (isClosed) once()
    return once
  }

  /** False where a new life began, whose tags are still to be asked for. */
  function learn(state: StoreState, since: number): boolean {
    if (state.epoch !== epoch) {
      beginLife(state)
      if (since > 0) return false
    }
    const seen = revision
    revision = Math.max(revision, state.rev)
    const heard = new Set<() => void>()
    for (const [tag, at] of state.tags) {
      if (!Number.isSafeInteger(at) || at <= (revisionOf.get(tag) ?? 0)) continue
      setRevision(tag, at)
      for (const watcher of watchers.get(tag) ?? []) heard.add(watcher)
    }
    if (isRevision(state.floor) && state.floor > seen) raiseFloor(state.floor, heard)
    while (revisionOf.size > MOST_TAGS) {
      const [oldest] = revisionOf
      if (oldest === undefined) break
      revisionOf.delete(oldest[0])
      raiseFloor(oldest[1], heard)
    }
    for (const watcher of heard) watcher()
    return true
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
        // What is raised meanwhile is raised once more, above a walk that may have begun in between.
        outbox.clear()
        const before = epoch
        const told = await link.call((on) => on.invalidate?.(tags))
        if (told === undefined || isClosed) {
          wait(tags)
          retry()
          return false
        }
        // Told to a life that has ended.
        if (before !== undefined && before !== epoch) wait(tags)
        else note(tags, told.value)
      }
      return true
    })().finally(() => {
      telling = undefined
    })
    return telling
  }

  function wait(tags: readonly string[]): void {
    for (const tag of tags) outbox.add(tag)
    if (outbox.size <= MOST_WAITING) return
    outbox.clear()
    outbox.add(EVERYTHING)
  }

  function retry(): void {
    cancelRetry()
    if (!isClosed && outbox.size > 0) cancelRetry = clock.after(RETRY_MS, () => void tell())
  }

  /** What this instance has just told is known before the state is read again. */
  function note(tags: readonly string[], at: number): void {
    if (isRevision(at)) for (const tag of tags) setRevision(tag, Math.max(at, revisionOf.get(tag) ?? 0))
  }

  return {
    isShared,
    isPast(mark, tags) {
      const since = mark.epoch === epoch ? mark.revision : 0
      return floor > since || tags.some((tag) => (revisionOf.get(tag) ?? 0) > since)
    },
    raise(tags) {
      if (!isShared || isClosed) return
      wait(tags)
      void tell()
    },
    async told() {
      first ??= sync()
      if (!(await first)) first = undefined
      return tell()
    },
    synced: sync,
    async mark() {
      for (let isFirst = true; ; isFirst = false) {
        const before = epoch
        const drawn = await link.call((on) => (isShared ? on.invalidate?.([]) : undefined))
        const at = isRevision(drawn?.value) ? drawn.value : undefined
        // Lower than what was seen: the store has begun to count anew.
        if (at !== undefined && at < revision) await sync()
        if (at === undefined) return { epoch, revision, isGuess: true }
        if (before === epoch) return { epoch, revision: at }
        // A number of one life must not stand for another.
        if (!isFirst) return { epoch, revision: 0 }
      }
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
    close() {
      isClosed = true
      cancelPoll()
      cancelRetry()
      forgetUp()
      // One that hangs is ended when it comes.
      void subscribing?.then((end) => end?.())
    },
  }
}

/** A store may be anybody's object: what is no state is no answer. */
function isState(value: unknown): value is StoreState {
  const { epoch, rev, tags } = (value ?? {}) as Partial<StoreState>
  return typeof epoch === 'string' && isRevision(rev) && tags instanceof Map
}

function isRevision(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** What a store hands out may throw, or reject: its end is its own affair. */
function endOnce(end: () => unknown): () => void {
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    void (async () => end())().catch(ignore)
  }
}

function ignore(): void {}
