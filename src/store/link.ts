import { setMaxListeners } from 'node:events'
import { isRefusal } from '../cache/refusal.ts'
import type { SharedStore } from '../cache/store.ts'
import type { Clock } from '../clock.ts'
import { createLimiter } from '../limiter.ts'
import type { Log } from '../log.ts'
import { messageOf } from '../providers/read.ts'
import { giveWay } from '../slices.ts'
import { sleep, within } from '../within.ts'

/** What a call of the store came to; undefined where it gave no answer. */
export type Answer<T> = { readonly value: T } | undefined

/**
 * The one way to the store: no call waits longer than its deadline, and while the store is away none is made. A failure
 * is never thrown: the caller gets no answer, and goes on alone.
 */
export interface StoreLink {
  readonly store: SharedStore
  /** `up`; `down` while calls are not answered; `refusing` where it answered a call of the last minute by an error (full, no permission). */
  readonly state: 'up' | 'down' | 'refusing'
  /** A small call. */
  call<T>(run: (store: SharedStore) => Promise<T> | undefined): Promise<Answer<T>>
  /** A call whose answer nobody waits for; it is made even while the link closes, so that others need not wait. */
  part(run: (store: SharedStore) => unknown): void
  /** A call that moves `bytes`: it has more time, only two run at once, and none tries a store that is away. */
  transfer<T>(bytes: number, run: (store: SharedStore) => Promise<T> | undefined): Promise<Answer<T>>
  /** Runs now and whenever the store answers again after it was away. Returns what ends that. */
  onUp(run: () => void): () => void
  /** Ends what is under way; resolves when the parting calls have been answered. */
  close(): Promise<void>
}

/** Records, leases, revisions: one round trip and a little. */
const CALL_MS = 250
/** A transfer, for each megabyte that was begun. */
const TRANSFER_MS = 3_000
const TRANSFER_UNIT = 1_048_576
/** With more at once each takes longer than its limit: measured, 63 to 120 walks where 60 were needed. */
const TRANSFERS = 2
/** Calls without an answer, one after the other, before the breaker opens. */
const FAILURES_TO_OPEN = 2
const FIRST_OPEN_MS = 500
const LONGEST_OPEN_MS = 16_000
/** For how long a refusal is told of. */
const REFUSING_MS = 60_000
/** A client that is given to us while it connects: a process that starts waits this long for a warm start. */
const CONNECTING_MS = 1_000
const CONNECTING_STEP_MS = 10

export function createStoreLink(store: SharedStore, clock: Clock, log: Log): StoreLink {
  const createdAtMs = clock.now()
  const closing = new AbortController()
  // Every call under way listens.
  setMaxListeners(0, closing.signal)
  const transfers = createLimiter(TRANSFERS)
  const listeners = new Set<() => void>()
  const partings = new Set<Promise<unknown>>()
  let failures = 0
  let openForMs = FIRST_OPEN_MS
  let openUntilMs = 0
  let isTrying = false
  let refusedAtMs = Number.NEGATIVE_INFINITY
  let wasReady = false
  /** The log said that it is away. */
  let saidDown = false

  /** Whether a call may be made now; one that may try a store that was away must then be made. */
  function mayCall(mayTry: boolean): boolean {
    if (closing.signal.aborted || !isReady()) return false
    if (failures < FAILURES_TO_OPEN) return true
    if (!mayTry || isTrying || clock.now() < openUntilMs) return false
    isTrying = true
    return true
  }

  function isReady(): boolean {
    try {
      return store.ready?.() !== false
    } catch {
      return false
    }
  }

  async function connecting(): Promise<void> {
    while (!wasReady && !isReady() && clock.now() - createdAtMs < CONNECTING_MS && !closing.signal.aborted)
      await sleep(clock, CONNECTING_STEP_MS, closing.signal)
    wasReady = true
  }

  async function answer<T>(
    limitMs: number,
    mayTry: boolean,
    run: (store: SharedStore) => Promise<T> | undefined,
  ): Promise<Answer<T>> {
    if (!wasReady) await connecting()
    if (!mayCall(mayTry)) {
      if (!isReady() && !closing.signal.aborted) wentDown('has no connection')
      return undefined
    }
    try {
      const called = run(store)
      // A method that the store does not have: nobody was asked.
      if (called === undefined) return undefined
      let value: { readonly value: T } | undefined
      const done = Promise.resolve(called).then((came) => {
        value = { value: came }
      })
      const isInTime = await within(clock, limitMs, done, closing.signal)
      // A process that was held up finds its timer due before it has read what came meanwhile: that is no late answer.
      if (!isInTime && value === undefined) await giveWay()
      if (value === undefined) {
        if (!closing.signal.aborted) failed(`gave no answer within ${limitMs} ms`, undefined)
        return undefined
      }
      succeeded()
      return value
    } catch (error) {
      if (isRefusal(error)) refused(error)
      else failed(`failed: ${messageOf(error)}`, error)
      return undefined
    } finally {
      isTrying = false
    }
  }

  function succeeded(): void {
    failures = 0
    openForMs = FIRST_OPEN_MS
    if (!saidDown) return
    saidDown = false
    log.info({ store: store.name }, `store "${store.name}" answers again`)
    for (const listener of listeners) listener()
  }

  function failed(what: string, error: unknown): void {
    failures++
    if (failures < FAILURES_TO_OPEN) return
    // Calls that were under way together fail together: that is one outage, and not one longer for each of them.
    if (clock.now() >= openUntilMs) {
      openUntilMs = clock.now() + openForMs
      openForMs = Math.min(LONGEST_OPEN_MS, openForMs * 2)
    }
    wentDown(what, error)
  }

  function wentDown(what: string, error?: unknown): void {
    saidDown = true
    log.error(
      'LSM_ERR_STORE_FAILED',
      'down',
      { store: store.name, ...(error === undefined ? {} : { err: error }) },
      `store "${store.name}" ${what}: this instance works alone until it answers`,
    )
  }

  /** An answer, and a no: the store is there, and a later call may do better. */
  function refused(error: unknown): void {
    refusedAtMs = clock.now()
    failures = 0
    log.error(
      'LSM_ERR_STORE_FAILED',
      'refused',
      { store: store.name, err: error },
      `store "${store.name}" refused a call: ${messageOf(error)}`,
    )
  }

  return {
    store,
    get state() {
      if (failures >= FAILURES_TO_OPEN || !isReady()) return 'down'
      return clock.now() - refusedAtMs < REFUSING_MS ? 'refusing' : 'up'
    },
    call: (run) => answer(CALL_MS, true, run),
    transfer: (bytes, run) =>
      transfers.run(() => answer(TRANSFER_MS * Math.max(1, Math.ceil(bytes / TRANSFER_UNIT)), false, run)),
    part(run) {
      // As few as there are leases: what is given back late is given back to a store that has just answered.
      if (!isReady()) return
      const parting = (async () => run(store))().catch(ignore)
      partings.add(parting)
      void parting.then(() => partings.delete(parting))
    },
    onUp(run) {
      listeners.add(run)
      return () => listeners.delete(run)
    },
    async close() {
      closing.abort()
      // Shelves that close give their leases back, and the app ends its client next.
      await giveWay()
      await Promise.all(partings)
    },
  }
}

function ignore(): void {}
