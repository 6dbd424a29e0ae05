import type { SharedStore } from '../../src/cache/store.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { type MemoryStore, memoryStore } from './memory-store.ts'
import { createTestEngine, type TestEngine, type TestOptions } from './site.ts'

/** An instance of a site, and its own connection to the store that all share. */
export interface Instance extends TestEngine {
  readonly store: MemoryStore
  /** What its options hold: `store` without what it lacks. A test may put a method of its own in its place. */
  readonly given: SharedStore
}

/** Several instances, as the processes behind a balancer: one clock, one store. */
export interface Instances {
  readonly clock: ManualClock
  readonly store: MemoryStore
  /** Starts one more; options may differ from release to release. */
  start(more?: Partial<TestOptions>): Instance
}

export function createInstances(
  options: TestOptions,
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
