import type { SharedStore } from '../../src/cache/store.ts'
import type { Sites } from '../../src/options.ts'
import { createManualClock, type ManualClock, turns, until } from './manual-clock.ts'
import { type MemoryStore, memoryStore } from './memory-store.ts'
import { createTestEngine, type TestEngine, type TestOptions, watch } from './site.ts'

/** An instance of a site, and its own connection to the store that all share. */
export interface Instance extends TestEngine {
  readonly store: MemoryStore
  /** What its options hold: `store` without what it lacks. A test may put a method of its own in its place. */
  readonly given: SharedStore
}

/** Of one site, or of several. */
type InstanceOptions = TestOptions & { readonly sites?: Sites }

/** Several instances, as the processes behind a balancer: one clock, one store. */
export interface Instances {
  readonly clock: ManualClock
  readonly store: MemoryStore
  /** Starts one more; options may differ from release to release. */
  start(more?: Partial<InstanceOptions>): Instance
}

export function createInstances(
  options: InstanceOptions,
  without: readonly (keyof SharedStore)[] = [],
): Instances {
  const clock = createManualClock()
  const store = memoryStore({ clock })
  return {
    clock,
    store,
    start(more = {}) {
      const own = store.another()
      const given = Object.fromEntries(
        Object.entries(own).filter(([name]) => !without.some((one) => one === name)),
      ) as unknown as SharedStore
      const { cache, ...rest } = { ...options, ...more }
      const engine = createTestEngine({ ...rest, cache: { ...cache, store: given } }, clock)
      return { ...engine, store: own, given }
    },
  }
}

/** Waits for what is being stored, under its lease. */
export async function stored({ store }: Instance): Promise<void> {
  await until(
    () => (store.calls.get('lock') ?? 0) > 0 && store.keys().every((key) => !key.endsWith(':l')),
    'leases to be given back',
  )
}

/**
 * What a promise comes to while time passes: on the manual clock five times as fast as in truth, and no faster, so that
 * no deadline passes while zlib or a disk are at work.
 */
export async function settle<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  const watched = watch(promise)
  for (let i = 0; i < 400 && !watched.settled; i++) {
    const endMs = performance.now() + STEP_MS / 5
    while (!watched.settled && performance.now() < endMs) await turns()
    if (!watched.settled) await clock.advance(STEP_MS)
  }
  return watched.value
}

const STEP_MS = 50
