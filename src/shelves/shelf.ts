import { deferred } from '../deferred.ts'
import { SitemapError, type SitemapErrorCode } from '../errors.ts'
import type { Limiter } from '../limiter.ts'
import type { Log } from '../log.ts'
import type { ResolvedProvider } from '../options.ts'
import type { ProviderContext } from '../providers/provider.ts'
import { type Abandoned, refuseIfBusy } from '../providers/read.ts'
import type { ShelfState } from '../report.ts'
import type { RowHistory } from '../table/rows.ts'
import { sleep } from '../within.ts'
import type { Breaker } from './breaker.ts'
import { type Held, holdWalk } from './hold.ts'
import { completeList, type ListDraft, type PartitionList, walkList } from './partition-list.ts'
import { isReordered } from './reorder.ts'
import type { Found, Mark, SharedShelf, SharedShelfOwner } from './shared-shelf.ts'
import { createShelfLog, type ShelfLog } from './shelf-log.ts'
import { releaseSnapshot, type Snapshot } from './snapshot.ts'
import { readVersionToken } from './version-token.ts'
import { type WalkEnvironment, walk } from './walk.ts'

/** A refresh under way. */
export interface Run {
  readonly beganAtMs: number
  /** Resolves when it ended well, rejects with its SitemapError. Never unhandled. */
  readonly done: Promise<void>
  /** Resolves as soon as there is a snapshot, the store's included; rejects as `done` does. Never unhandled. */
  readonly ready: Promise<void>
  /** Requests that wait for it, whoever waits counted by himself. */
  waiting: number
}

export interface ShelfFailure {
  /** Failures in a row. */
  readonly count: number
  readonly code: SitemapErrorCode
  readonly atMs: number
  /** No attempt before this instant. */
  nextAtMs: number
}

export interface ShelfEnvironment extends WalkEnvironment {
  readonly log: Log
  /** Walks at once in this process. */
  readonly walks: Limiter
  /** Frames of documents must be loaded before a walk measures them. */
  readonly prepare: () => Promise<void>
  /** Called when a shelf's snapshot was replaced; the table's rows follow without I/O. */
  readonly published: (shelf: Shelf, from?: Published) => void
  /** What the table knows of a shelf's rows. */
  readonly history?: (shelf: Shelf) => RowHistory
  /** What the shelf shares with other instances. */
  readonly share?:
    | ((provider: ResolvedProvider, owner: SharedShelfOwner) => SharedShelf | undefined)
    | undefined
  /** Names the state of its source before it is read (the version of a partition); another name than before: it changed. */
  readonly source?: () => string | undefined
  /** Where the store stood when that name was learned. */
  readonly sourceMark?: () => Mark | undefined
  /** Calls of a section's provider that were given up, where several sites share it. */
  readonly abandonedOf?: ((section: string) => Abandoned) | undefined
  /** Counts a provider's failures over all sites that share it. */
  readonly breakerOf?: ((section: string) => Breaker) | undefined
  /** Requests start no walk sooner than twenty times what the last one took. */
  readonly rests?: boolean
  /** Whether timers may start refreshes (`warmUp`, and the server listens). */
  readonly timers: () => boolean
}

/** Where a snapshot came from that another instance published. */
export interface Published {
  readonly rows: RowHistory
  readonly atMs: number
}

/** What outlives a shelf. */
export interface SavedShelf {
  readonly snapshot: Snapshot
  readonly readAtMs: number | undefined
  readonly changedAtMs: number | undefined
  readonly lastWalkMs: number
  readonly staleAtMs: number
  readonly token: string | undefined
  readonly fullReadAtMs: number
  /** When the walk began, in the store's life. */
  readonly mark?: Mark | undefined
  readonly source?: string | undefined
  /** Another release made it, which cuts or writes differently. */
  readonly isForeign?: boolean
}

const FIRST_BACK_OFF_MS = 1_000
const LONGEST_BACK_OFF_MS = 60_000
/** Whatever a version token says, everything is read again after this. */
const TOKEN_BELIEVED_MS = 24 * 60 * 60 * 1000
/** A section nobody asked for in this time is not kept fresh by timers. */
const IN_USE_MS = 24 * 60 * 60 * 1000
/** How often a shelf whose lease another instance holds looks whether it is free, doubling. */
const FIRST_WATCH_MS = 20
const LONGEST_WATCH_MS = 250
/** A timer's walk takes at most a twentieth of the provider's time. */
const REST_PER_WALK = 20

/**
 * The unit of reading, staleness and failure: one section of one site. It holds the published snapshot, decides when a
 * walk runs, and never gives up the last good one for anything but a newer complete one.
 */
export class Shelf {
  readonly provider: ResolvedProvider
  snapshot: Snapshot | undefined
  /** From this instant on the snapshot is stale; 0 while there is none or it was invalidated. */
  staleAtMs = 0
  /** When a request last read the section. */
  askedAtMs: number = Number.NEGATIVE_INFINITY
  readAtMs: number | undefined
  changedAtMs: number | undefined
  lastWalkMs = 0
  failure: ShelfFailure | undefined
  held: Held | undefined
  /** Raised by every invalidation; a snapshot whose walk started earlier is stale. */
  revision = 0

  readonly #environment: ShelfEnvironment
  readonly #context: (signal: AbortSignal) => ProviderContext
  readonly #abandoned: Abandoned
  readonly #abandonedContent: Abandoned = { count: 0 }
  readonly #log: ShelfLog
  readonly #shared: SharedShelf | undefined
  /** The mark of the snapshot, and the source it was read from. */
  #mark: Mark | undefined
  #source: string | undefined
  /** What is published was made by a release that cuts or writes differently. */
  #isForeign = false
  #run: CurrentRun | undefined
  #waiters: Waiter[] = []
  #cancelTimer: () => void = ignore
  /** Invalidations whose delay has not passed. */
  readonly #announced = new Set<Announced>()
  #token: string | undefined
  #fullReadAtMs = 0
  /** The next walk is accepted whatever it lost. */
  #forced = false
  /** What another instance read is not enough: the caller wants it read. */
  #mustRead = false
  #closed = false

  constructor(
    provider: ResolvedProvider,
    environment: ShelfEnvironment,
    context: (signal: AbortSignal) => ProviderContext,
  ) {
    this.provider = provider
    this.#environment = environment
    this.#context = context
    this.#log = createShelfLog(environment.log, provider.section)
    this.#abandoned = environment.abandonedOf?.(provider.section) ?? { count: 0 }
    this.#shared = environment.share?.(provider, { heard: () => this.#heard(), lost: () => this.#store() })
  }

  get section(): string {
    return this.provider.section
  }

  /** Where the store stood when what is published was read. */
  get mark(): Mark | undefined {
    return this.#mark
  }

  /**
   * Whether what is published was read from this state of its source, by what was learned of it at a mark: it says so, or
   * it was read after that.
   */
  isOf(source: string, mark: Mark | undefined): boolean {
    if (this.snapshot === undefined || (this.#source !== source && !isLater(this.#mark, mark))) return false
    this.#source = source
    return true
  }

  get isInvalidated(): boolean {
    return this.snapshot !== undefined && this.revision > this.snapshot.startRevision
  }

  /** Whether an attempt now would come too soon after a failure. */
  isBackingOff(nowMs: number): boolean {
    // A clock that was set back must not make a second of back-off an hour.
    const { failure } = this
    return (
      failure !== undefined && this.#run === undefined && nowMs < failure.nextAtMs && nowMs >= failure.atMs
    )
  }

  state(nowMs: number): ShelfState {
    if (this.held !== undefined) return 'held'
    if (this.failure !== undefined) return 'failing'
    if (this.snapshot === undefined) return 'never'
    return nowMs < this.staleAtMs ? 'fresh' : 'stale'
  }

  /** When the next try is due by itself; undefined where only a request or an invalidation starts one. */
  nextAtMs(): number | undefined {
    if (this.failure !== undefined) return this.failure.nextAtMs
    return this.snapshot === undefined || this.staleAtMs === 0 ? undefined : this.staleAtMs
  }

  /** What the shelf knows, for one that takes its place; it must not run any more. */
  save(): SavedShelf | undefined {
    const { snapshot } = this
    if (snapshot === undefined) return undefined
    const { readAtMs, changedAtMs, lastWalkMs, isInvalidated, staleAtMs } = this
    return {
      snapshot,
      readAtMs,
      changedAtMs,
      lastWalkMs,
      staleAtMs: isInvalidated ? 0 : staleAtMs,
      token: this.#token,
      fullReadAtMs: this.#fullReadAtMs,
      mark: this.#mark,
      source: this.#source,
      isForeign: this.#isForeign,
    }
  }

  /** What is published is out of date; it is read again when it is asked for. */
  markStale(): void {
    this.revision++
    this.staleAtMs = 0
  }

  /** Takes over what another shelf of the section knew, before anything was read. */
  restore(saved: SavedShelf): void {
    this.#take(saved, this.revision)
    this.staleAtMs = saved.staleAtMs
    // What was announced while it slept.
    if (saved.mark !== undefined && this.#shared?.isPast(saved.mark) === true) this.markStale()
  }

  #take(saved: SavedShelf, revision: number): void {
    this.snapshot = { ...saved.snapshot, startRevision: revision }
    this.readAtMs = saved.readAtMs
    this.changedAtMs = saved.changedAtMs
    this.lastWalkMs = saved.lastWalkMs
    this.#token = saved.token
    this.#fullReadAtMs = saved.fullReadAtMs
    this.#mark = saved.mark
    this.#source = saved.source
    this.#isForeign = saved.isForeign === true
  }

  /** Whether a walk runs or waits for its turn, or for its time. */
  get isBusy(): boolean {
    return this.#run !== undefined || this.#announced.size > 0
  }

  /** The refresh under way, or a new one; undefined while backing off or closed. */
  refresh(): Run | undefined {
    if (this.#run !== undefined) return this.#run
    const nowMs = this.#environment.clock.now()
    if (this.#closed || this.isBackingOff(nowMs)) return undefined
    if (this.#isResting(nowMs)) return undefined
    return this.#start()
  }

  /** A partition is read at most a twentieth of the time, however often it is asked for. */
  #isResting(nowMs: number): boolean {
    const { readAtMs } = this
    return (
      this.#environment.rests === true &&
      this.snapshot !== undefined &&
      readAtMs !== undefined &&
      nowMs >= readAtMs &&
      nowMs - readAtMs < this.lastWalkMs * REST_PER_WALK
    )
  }

  /** Marks the section stale and refreshes it, both after `delayMs`; settles when a walk that began after that ended. */
  invalidate(delayMs: number): Promise<void> {
    if (delayMs > 0 && !this.#closed) return this.#invalidateAfter(delayMs)
    this.markStale()
    return this.#outcome()
  }

  /** A delay waits for something (a replica): whatever is read before its end, one more walk follows. */
  #invalidateAfter(delayMs: number): Promise<void> {
    const { promise, resolve, reject } = deferred()
    const announced: Announced = {
      reject,
      cancel: this.#environment.clock.after(delayMs, () => {
        this.#announced.delete(announced)
        this.invalidate(0).then(resolve, reject)
      }),
    }
    this.#announced.add(announced)
    return promise
  }

  /** Reads again whatever the version token says; with `force` a held walk is accepted. */
  async reread(force: boolean): Promise<void> {
    this.markStale()
    if (this.#closed) throw closedError()
    this.#mustRead = true
    if (force) {
      this.#forced = true
      this.failure = undefined
    }
    return this.#outcome()
  }

  /** Ends a back-off once, never below a second between attempts, and starts or schedules the attempt. */
  #outcome(): Promise<void> {
    const outcome = new Promise<void>((resolve, reject) => {
      if (this.#closed) reject(closedError())
      else this.#waiters.push({ revision: this.revision, resolve, reject })
    })
    // Not awaiting an invalidation is no reason to crash on its failure: that is in the log.
    outcome.catch(ignore)
    this.#endBackOff()
    if (this.#run === undefined) this.#startWanted()
    return outcome
  }

  #endBackOff(): void {
    if (this.failure === undefined) return
    const earliest = Math.max(this.#environment.clock.now(), this.failure.atMs + FIRST_BACK_OFF_MS)
    this.failure.nextAtMs = Math.min(this.failure.nextAtMs, earliest)
  }

  /** An invalidation that was told to the store: stale for whoever asks, and refreshed where somebody does. */
  #heard(): void {
    if (this.#closed || this.#shared?.isPast(this.#run?.mark ?? this.#mark) !== true) return
    // A walk that waits for its turn or its lease will have it in.
    if (this.snapshot === undefined && this.#run?.mark === undefined) return
    this.markStale()
    this.#endBackOff()
    const { clock, timers } = this.#environment
    if (this.#run === undefined && timers() && clock.now() - this.askedAtMs < IN_USE_MS) this.#startWanted()
  }

  /** Puts what is published into the store: it is new, was confirmed, or the store has lost it. */
  #store(): Promise<void> {
    const saved = this.save()
    const { history, clock } = this.#environment
    if (saved === undefined || this.#shared === undefined || this.#closed) return Promise.resolve()
    // Under this release's name it would pass for what this release makes.
    if (saved.isForeign === true) return Promise.resolve()
    return this.#shared.publish(saved, history?.(this) ?? [], clock.now())
  }

  #startWanted(): void {
    const waitMs = (this.failure?.nextAtMs ?? 0) - this.#environment.clock.now()
    if (waitMs <= 0) void this.#start()
    else this.#schedule(waitMs, () => this.refresh())
  }

  #schedule(ms: number, run: () => void): void {
    this.#cancelTimer()
    if (!this.#closed) this.#cancelTimer = this.#environment.clock.after(ms, run)
  }

  #start(): Run {
    const { clock, walks } = this.#environment
    this.#cancelTimer()
    const controller = new AbortController()
    const done = deferred()
    const ready = deferred()
    // Noted before anything runs: the provider's code may invalidate at once.
    const run: CurrentRun = {
      beganAtMs: clock.now(),
      done: done.promise,
      ready: ready.promise,
      isReady: ready.resolve,
      controller,
      startRevision: this.revision,
      mark: undefined,
      waiting: 0,
    }
    this.#run = run
    const attempt =
      this.#shared === undefined ? walks.run(() => this.#walk(run)) : this.#refreshShared(run, this.#shared)
    attempt.then(
      () => {
        this.#ended(undefined)
        ready.resolve()
        done.resolve()
      },
      (error) => {
        this.#ended(error)
        ready.reject(error)
        done.reject(error)
      },
    )
    return run
  }

  /**
   * With a store: what another instance published is taken over. Else one of them walks, by its lease, and the others
   * watch; when the lease is free again they look before they walk.
   */
  async #refreshShared(run: CurrentRun, shared: SharedShelf): Promise<void> {
    const { clock, walks, options } = this.#environment
    const { signal } = run.controller
    // Nobody's walk takes longer: a store that goes on saying so is not believed.
    const believedMs = clock.now() + 2 * options.walkTimeoutMs
    if (await this.#takeOver(run, shared)) return
    for (let waitMs = FIRST_WATCH_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WATCH_MS)) {
      const isDone = await walks.run(async () => {
        if (this.#closed) throw closedError()
        const lease = await shared.lease()
        if (lease === 'theirs' && clock.now() < believedMs) return false
        let stored: Promise<void> | undefined
        try {
          if (lease === 'ours' && (await this.#takeOver(run, shared))) return true
          await this.#walk(run)
          // Served at once; the store follows, still under the lease.
          stored = this.#store()
          return true
        } finally {
          if (lease === 'ours') void (stored ?? Promise.resolve()).then(() => shared.giveBack())
        }
      })
      if (isDone) return
      await sleep(clock, waitMs, signal)
      if (signal.aborted) throw closedError()
    }
  }

  /** Takes over what is newer in the store; true where nothing more has to be read. */
  async #takeOver(run: CurrentRun, shared: SharedShelf): Promise<boolean> {
    const { revision } = this
    const told = await shared.told()
    if (this.#mustRead) return false
    await this.#environment.prepare()
    const found = await shared.look({ snapshot: this.snapshot, mark: this.#mark, readAtMs: this.readAtMs })
    if (found !== undefined) {
      // Where the store does not hear of invalidations, it cannot say that it has what this one was for.
      const isUntold = !told && revision > (this.snapshot?.startRevision ?? 0)
      const { list } = found
      const completed = list && (await this.#completed(found, list))
      this.#adopt(found, completed, revision, isUntold, shared)
      run.isReady()
    }
    const isFresh = this.snapshot !== undefined && this.#environment.clock.now() < this.staleAtMs
    if (isFresh) run.startRevision = Math.max(run.startRevision, revision)
    return isFresh
  }

  async #completed({ saved }: Found, list: ListDraft): Promise<PartitionList> {
    try {
      return await completeList(this.#environment, this.provider, list)
    } catch (error) {
      releaseSnapshot(saved.snapshot, this.#environment.memory)
      throw error
    }
  }

  #adopt(
    { saved, rows, atMs }: Found,
    list: PartitionList | undefined,
    revision: number,
    isUntold: boolean,
    shared: SharedShelf,
  ): void {
    const { clock, memory, published, source, sourceMark } = this.#environment
    if (this.#closed) {
      releaseSnapshot(saved.snapshot, memory)
      throw closedError()
    }
    const { snapshot: earlier } = this
    const isInvalidated = isUntold || shared.isPast(saved.mark)
    // What was read after our list was is newer than what the list says of it. A list of the user's own costs nothing to
    // read, and his functions may have changed with this deploy.
    const isChanged =
      saved.isForeign === true ||
      this.provider.list !== undefined ||
      (saved.source !== source?.() && !isLater(saved.mark, sourceMark?.()))
    this.#take({ ...saved, snapshot: { ...saved.snapshot, list } }, isInvalidated ? revision - 1 : revision)
    // Equal content: what is held stays, and with it what was made of it.
    if (earlier !== undefined && earlier.digest === saved.snapshot.digest && this.snapshot !== undefined) {
      const { startRevision } = this.snapshot
      releaseSnapshot(saved.snapshot, memory)
      // A list says beside its content what had changed.
      this.snapshot = { ...earlier, list, startRevision }
    } else if (earlier !== undefined) releaseSnapshot(earlier, memory)
    // The clock of another machine may be ahead.
    const readAtMs = Math.min(saved.readAtMs ?? 0, clock.now())
    this.staleAtMs = isInvalidated || isChanged ? 0 : readAtMs + this.provider.ttlMs
    // A walk of ours was held against a state that another has replaced.
    this.held = undefined
    published(this, { rows, atMs })
  }

  #walk(run: CurrentRun): Promise<void> {
    // What was announced while the walk waited for its turn is in it.
    run.startRevision = this.revision
    const breaker = this.#environment.breakerOf?.(this.section)
    return breaker === undefined ? this.#attempt(run) : breaker.run(() => this.#attempt(run))
  }

  /** One walk, from the version token to the published snapshot. */
  async #attempt(run: CurrentRun): Promise<void> {
    const { controller } = run
    const force = this.#forced
    this.#forced = false
    this.#mustRead = false
    const environment = this.#environment
    const source = environment.source?.()
    const { clock } = environment
    if (this.#closed) throw closedError()
    const startRevision = this.revision
    if (this.#shared !== undefined) run.mark = await this.#shared.mark()
    const startedMs = clock.now()
    const context = this.#context(controller.signal)
    refuseIfBusy(this.section, this.#abandoned)
    const token = await readVersionToken(this.provider, context, controller, {
      clock,
      abandoned: this.#abandoned,
      log: this.#log,
    })
    const believed =
      !force &&
      !this.#isForeign &&
      this.snapshot !== undefined &&
      this.snapshot.startRevision >= startRevision &&
      this.held === undefined &&
      startedMs - this.#fullReadAtMs < TOKEN_BELIEVED_MS
    if (believed && token !== undefined && token === this.#token) {
      this.#mark = run.mark
      this.#source = source
      this.#isFresh()
      return
    }
    await environment.prepare()
    const { provider, snapshot: earlier } = this
    const read = provider.partitioned === undefined ? walk : walkList
    const snapshot = await read(environment, {
      provider,
      context,
      controller,
      abandoned: this.#abandoned,
      startRevision,
      earlier,
      isWaitedFor: () => earlier === undefined || run.waiting > 0,
      foreignName: this.#log.foreignName,
      abandonedContent: this.#abandonedContent,
      contentFailed: this.#log.contentFailed,
    })
    if (this.#closed) {
      releaseSnapshot(snapshot, environment.memory)
      throw closedError()
    }
    if (this.#shared !== undefined && earlier !== undefined && snapshot.count < earlier.count)
      this.held = (await this.#shared.held()) ?? this.held
    const held =
      force || provider.list !== undefined
        ? undefined
        : holdWalk(earlier?.count, snapshot.count, provider.maxShrink, this.held, clock.now())
    this.lastWalkMs = clock.now() - startedMs
    if (held !== undefined) {
      releaseSnapshot(snapshot, environment.memory)
      this.held = held
      this.#shared?.keepHeld(held)
      throw new SitemapError(
        'LSM_ERR_WALK_HELD',
        `section "${this.section}" came back with ${snapshot.count} entries after ${earlier?.count}: the walk is held and the last good one served, until it has come back alike for 24 hours, or refresh("${this.section}", { force: true }) accepts it${snapshot.faults === '' ? '' : `. Left out: ${snapshot.faults}`}`,
      )
    }
    try {
      await this.#publish(snapshot, run.mark, source)
    } catch (error) {
      releaseSnapshot(snapshot, environment.memory)
      throw error
    }
    // Only now: a token is kept with the snapshot it led to.
    if (this.held !== undefined) this.#shared?.keepHeld(undefined)
    this.held = undefined
    this.#token = token
    this.#fullReadAtMs = startedMs
    this.#log.faults(snapshot)
  }

  async #publish(snapshot: Snapshot, mark: Mark | undefined, source: string | undefined): Promise<void> {
    const { snapshot: earlier } = this
    let next = snapshot
    // Another release cut the same entries elsewhere: that is no other order.
    const isSameSet = earlier !== undefined && !this.#isForeign && (await isReordered(earlier, snapshot))
    // Meanwhile the shelf may have been closed, and what it published let go.
    if (this.#closed) throw closedError()
    if (isSameSet) {
      this.#log.reordered()
      releaseSnapshot(snapshot, this.#environment.memory)
      next = { ...earlier, skipped: snapshot.skipped, startRevision: snapshot.startRevision }
    } else {
      if (earlier !== undefined) releaseSnapshot(earlier, this.#environment.memory)
      if (earlier?.digest !== snapshot.digest) this.changedAtMs = this.#environment.clock.now()
    }
    this.snapshot = next
    this.#mark = mark
    this.#source = source
    this.#isForeign = false
    this.#isFresh()
    this.#environment.published(this)
  }

  #isFresh(): void {
    this.readAtMs = this.#environment.clock.now()
    // A list is as it stands until the next deploy; only an invalidation reads it again.
    const ttlMs = this.provider.list === undefined ? this.provider.ttlMs : Number.POSITIVE_INFINITY
    this.staleAtMs = this.isInvalidated ? 0 : this.readAtMs + ttlMs
  }

  #ended(error: unknown): void {
    const run = this.#run
    this.#run = undefined
    const failure = error === undefined ? undefined : asSitemapError(error)
    if (failure === undefined) {
      this.#log.recovered(this.failure)
      this.failure = undefined
    } else if (!this.#closed) this.#failed(failure)
    const reached = run?.startRevision ?? this.revision
    const due: Waiter[] = []
    const later: Waiter[] = []
    for (const waiter of this.#waiters)
      (waiter.revision <= reached || this.#closed ? due : later).push(waiter)
    this.#waiters = later
    for (const waiter of due) {
      if (failure === undefined) waiter.resolve()
      else waiter.reject(failure)
    }
    if (this.#closed) return
    // What was announced while the walk ran is one more walk after it; it ends a back-off, as any invalidation does.
    if (this.revision > reached) {
      if (this.failure !== undefined)
        this.failure.nextAtMs = Math.min(this.failure.nextAtMs, this.failure.atMs + FIRST_BACK_OFF_MS)
      this.#startWanted()
    } else this.#scheduleNext()
  }

  #failed(error: SitemapError): void {
    const nowMs = this.#environment.clock.now()
    const count = (this.failure?.count ?? 0) + 1
    // A held walk read everything: the provider gets its rest as after a good one.
    const restMs = error.code === 'LSM_ERR_WALK_HELD' ? this.lastWalkMs * REST_PER_WALK : 0
    const waitMs = Math.max(backOffMs(count), restMs)
    // A whole millisecond: a timer would fire before a part of one is over.
    this.failure = { count, code: error.code, atMs: nowMs, nextAtMs: Math.ceil(nowMs + waitMs) }
    this.#log.failed(error, count, this.snapshot?.count, waitMs)
  }

  /** Reads what was never read, and lets the timers run from now on. */
  warmUp(): void {
    if (this.snapshot === undefined) this.refresh()
    else if (this.#run === undefined) this.#scheduleNext()
  }

  /** Timers keep what is in use fresh, and try again what failed. */
  #scheduleNext(): void {
    const { clock, timers } = this.#environment
    if (!timers() || (this.failure === undefined && this.staleAtMs === Number.POSITIVE_INFINITY)) return
    const nowMs = clock.now()
    const rest = this.lastWalkMs * REST_PER_WALK
    const dueMs =
      this.failure !== undefined
        ? this.failure.nextAtMs - nowMs
        : Math.max(this.staleAtMs - nowMs, 0) * (0.9 + Math.random() * 0.2)
    const floorMs = this.snapshot === undefined ? 0 : rest
    this.#schedule(Math.max(dueMs, floorMs), () => {
      const inUse = this.snapshot === undefined || clock.now() - this.askedAtMs < IN_USE_MS
      if (inUse) this.refresh()
    })
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#cancelTimer()
    this.#run?.controller.abort(closedError())
    for (const waiter of this.#waiters) waiter.reject(closedError())
    this.#waiters = []
    for (const { cancel, reject } of this.#announced) {
      cancel()
      reject(closedError())
    }
    this.#announced.clear()
    this.#shared?.close()
  }
}

/** A run, from inside. */
interface CurrentRun extends Run {
  readonly isReady: () => void
  readonly controller: AbortController
  startRevision: number
  /** Where the store stood when the walk began. */
  mark: Mark | undefined
}

/** Whether a mark was drawn after another, in one life of the store. */
function isLater(mark: Mark | undefined, than: Mark | undefined): boolean {
  return mark?.epoch !== undefined && mark.epoch === than?.epoch && mark.revision > than.revision
}

interface Announced {
  readonly cancel: () => void
  readonly reject: (error: unknown) => void
}

interface Waiter {
  readonly revision: number
  readonly resolve: () => void
  readonly reject: (error: SitemapError) => void
}

/** 1 s exactly, so that the first retry can be told; then doubling, with jitter, so that many processes do not beat in time. */
function backOffMs(failures: number): number {
  if (failures === 1) return FIRST_BACK_OFF_MS
  return Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (failures - 1)) * (0.8 + Math.random() * 0.4)
}

function closedError(): SitemapError {
  return new SitemapError('LSM_ERR_CLOSED', 'the sitemap is closed')
}

function asSitemapError(error: unknown): SitemapError {
  if (error instanceof SitemapError) return error
  return new SitemapError('LSM_ERR_INTERNAL', 'a walk failed', { cause: error })
}

function ignore(): void {}
