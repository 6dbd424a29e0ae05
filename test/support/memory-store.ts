import type { SharedStore, StoreState } from '../../src/cache/store.ts'
import { type Clock, systemClock } from '../../src/clock.ts'

/** The methods of a store that a fault can meet. */
export type StoreMethod = Exclude<keyof SharedStore, 'name' | 'ready'>

/**
 * What goes wrong: every call waits that long, none ever settles (until `heal()`), each rejects, nothing that is written
 * is kept, or the answers are false: other bytes, leases for everybody, keys that are there, revisions that are not.
 */
export type StoreFault = { readonly delayMs: number } | 'hang' | 'error' | 'lost writes' | 'lies'

/** A store in memory that keeps the whole contract, until it is told not to. */
export interface MemoryStore extends Required<SharedStore> {
  /** Calls of each method so far, by this client. */
  readonly calls: ReadonlyMap<StoreMethod, number>
  /** Keys that hold something at the moment. */
  keys(): readonly string[]
  /** From now on calls of these methods (default: of all) go wrong; the last fault of a method counts. */
  fault(kind: StoreFault, methods?: readonly StoreMethod[]): void
  /** From now on all is well; what hung is answered. */
  heal(): void
  /** What `ready()` says. */
  setReady(isReady: boolean): void
  /** Forgets everything, as a server that is started anew: another epoch. */
  wipe(): void
  /** Another client of the same store, with calls and faults of its own. */
  another(): MemoryStore
}

interface Held<T> {
  readonly value: T
  readonly endsMs: number
}

interface Data {
  readonly values: Map<string, Held<{ readonly bytes: Uint8Array; readonly revision: number }>>
  readonly fields: Map<string, Held<ReadonlyMap<string, string>>>
  readonly leases: Map<string, Held<string>>
  readonly listeners: Set<() => void>
  readonly tags: Map<string, number>
  epoch: number
  rev: number
  floor: number
}

const WRITES: ReadonlySet<StoreMethod> = new Set([
  'set',
  'delete',
  'touch',
  'setRecord',
  'setField',
  'invalidate',
])

export function memoryStore({
  clock = systemClock,
  mostTags = 100_000,
}: {
  readonly clock?: Clock
  readonly mostTags?: number
} = {}): MemoryStore {
  const data: Data = {
    values: new Map(),
    fields: new Map(),
    leases: new Map(),
    listeners: new Set(),
    tags: new Map(),
    epoch: 1,
    rev: 0,
    floor: 0,
  }
  return clientOf(data, clock, mostTags)
}

function clientOf(data: Data, clock: Clock, mostTags: number): MemoryStore {
  const faults = new Map<StoreMethod, StoreFault>()
  const calls = new Map<StoreMethod, number>()
  const hanging = new Set<() => void>()
  let isReady = true

  function live<T>(map: Map<string, Held<T>>, key: string): T | undefined {
    const held = map.get(key)
    if (held === undefined) return undefined
    if (held.endsMs > clock.now()) return held.value
    map.delete(key)
    return undefined
  }

  function hold<T>(map: Map<string, Held<T>>, key: string, value: T, ttlMs: number): void {
    map.set(key, { value, endsMs: clock.now() + ttlMs })
  }

  /** What a method answers, or the lie it tells in its place. */
  async function answer<T>(method: StoreMethod, truth: () => T, lie: () => T): Promise<T> {
    calls.set(method, (calls.get(method) ?? 0) + 1)
    const fault = faults.get(method)
    if (fault === 'error') throw new Error(`the store fails at ${method}`)
    if (fault === 'lies') return lie()
    if (fault === 'lost writes' && WRITES.has(method)) return lie()
    if (fault === 'hang') await new Promise<void>((resolve) => hanging.add(resolve))
    if (typeof fault === 'object') await new Promise<void>((resolve) => clock.after(fault.delayMs, resolve))
    return truth()
  }

  const methods: Omit<Required<SharedStore>, 'name' | 'ready'> = {
    get: (key) =>
      answer(
        'get',
        () => copyOf(live(data.values, key)?.bytes),
        () => wrong(live(data.values, key)?.bytes),
      ),
    set: (key, bytes, ttlMs) =>
      answer(
        'set',
        () => hold(data.values, key, { bytes: new Uint8Array(bytes), revision: -1 }, ttlMs),
        nothing,
      ),
    delete: (key) =>
      answer(
        'delete',
        () => {
          for (const map of [data.values, data.fields, data.leases]) map.delete(key)
        },
        nothing,
      ),
    touch: (keys, ttlMs) =>
      answer(
        'touch',
        () =>
          keys.filter((key) => {
            const value = live(data.values, key)
            if (value !== undefined) hold(data.values, key, value, ttlMs)
            return value === undefined
          }),
        () => [],
      ),
    setRecord: (key, revision, bytes, ttlMs) =>
      answer(
        'setRecord',
        () => {
          const standing = live(data.values, key)
          if (standing !== undefined && standing.revision > revision) return false
          hold(data.values, key, { bytes: new Uint8Array(bytes), revision }, ttlMs)
          return true
        },
        () => true,
      ),
    getFields: (key) =>
      answer(
        'getFields',
        () => new Map(live(data.fields, key)),
        () => new Map([['a lie', '1']]),
      ),
    setField: (key, field, value, ttlMs) =>
      answer(
        'setField',
        () => hold(data.fields, key, new Map(live(data.fields, key)).set(field, value), ttlMs),
        nothing,
      ),
    lock: (key, token, ttlMs) =>
      answer(
        'lock',
        () => {
          const holder = live(data.leases, key)
          if (holder !== undefined && holder !== token) return false
          hold(data.leases, key, token, ttlMs)
          return true
        },
        () => true,
      ),
    renew: (key, token, ttlMs) =>
      answer(
        'renew',
        () => {
          if (live(data.leases, key) !== token) return false
          hold(data.leases, key, token, ttlMs)
          return true
        },
        () => true,
      ),
    unlock: (key, token) =>
      answer(
        'unlock',
        () => {
          if (live(data.leases, key) === token) data.leases.delete(key)
        },
        nothing,
      ),
    invalidate: (tags) =>
      answer(
        'invalidate',
        () => {
          note(data, tags, mostTags)
          for (const listener of data.listeners) queueMicrotask(listener)
          return data.rev
        },
        () => data.rev + 1,
      ),
    state: (since = 0) =>
      answer(
        'state',
        () => stateOf(data, since),
        () => ({ epoch: `${Math.random()}`, rev: -1, tags: new Map() }),
      ),
    subscribe: (onChange) =>
      answer(
        'subscribe',
        () => {
          const listener = () => onChange()
          data.listeners.add(listener)
          return () => void data.listeners.delete(listener)
        },
        () => nothing,
      ),
  }

  return {
    name: 'memory',
    ...methods,
    ready: () => isReady,
    calls,
    keys: () => {
      const maps = [data.values, data.fields, data.leases]
      return maps.flatMap((map) => [...map.keys()].filter((key) => live<unknown>(map, key) !== undefined))
    },
    fault(kind, names = Object.keys(methods) as StoreMethod[]) {
      for (const name of names) faults.set(name, kind)
    },
    heal() {
      faults.clear()
      for (const resume of hanging) resume()
      hanging.clear()
    },
    setReady(value) {
      isReady = value
    },
    wipe() {
      for (const map of [data.values, data.fields, data.leases, data.tags]) map.clear()
      data.epoch++
      data.rev = 0
      data.floor = 0
    },
    another: () => clientOf(data, clock, mostTags),
  }
}

function note(data: Data, tags: readonly string[], mostTags: number): void {
  data.rev++
  for (const tag of tags) {
    // In the order of their revisions.
    data.tags.delete(tag)
    data.tags.set(tag, data.rev)
  }
  for (const [tag, rev] of data.tags) {
    if (data.tags.size <= mostTags) break
    data.tags.delete(tag)
    data.floor = rev
  }
}

function stateOf({ epoch, rev, floor, tags }: Data, since: number): StoreState {
  return { epoch: String(epoch), rev, floor, tags: new Map([...tags].filter(([, noted]) => noted > since)) }
}

/** `slice()` of a Buffer would be no copy. */
function copyOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes === undefined ? undefined : new Uint8Array(bytes)
}

/** Bytes that look like those, and are not. */
function wrong(bytes: Uint8Array | undefined): Uint8Array {
  const other = copyOf(bytes) ?? new Uint8Array([1, 2, 3])
  const last = other.length - 1
  other[last] = (other[last] ?? 0) ^ 0xff
  return other
}

function nothing(): void {}
