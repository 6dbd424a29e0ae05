import { randomBytes } from 'node:crypto'
import type { SharedStore, StoreState } from '../../src/cache/store.ts'
import { parseSize } from '../../src/durations.ts'
import { describe, SitemapError } from '../../src/errors.ts'
import type { Size } from '../../src/options.ts'
import { connectionOf, type RedisClient } from './redis-client.ts'
import * as scripts from './redis-scripts.ts'

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * What the values of this store may take in Redis together: text such as `'256mb'`, or bytes. A write that would pass
   * it removes what was renewed longest ago, and a value that is larger by itself is not stored.
   * @defaultValue no limit but Redis's own `maxmemory`
   */
  readonly maxBytes?: Size
}

/** A store that has all that {@link SharedStore} may have. */
export type CompleteStore = Required<SharedStore>

/** What only tests set otherwise. */
export interface RedisLimits {
  /** Tags that are remembered. */
  readonly tags?: number
}

/** Larger values are cut, so that other commands of the connection get their turn. */
const CHUNK_BYTES = 262_144
/** Chunks of one value that are on their way at once. */
const IN_FLIGHT = 2
/** A writer that takes longer is dead. */
const WRITING_SECONDS = '600'
/** An attempt fails only where another writer of the same key came between. */
const ATTEMPTS = 3
const TOUCHED_AT_ONCE = 100
const MOST_TAGS = 100_000

const STATE = 'ls1:{state}'
const STATE_KEYS = [STATE, `${STATE}:tags`] as const
const BUDGET_KEYS = ['ls1:{budget}:ends', 'ls1:{budget}:sizes'] as const

/**
 * A store in Redis 5 or later or in Valkey, standalone or a cluster, over a client that the app has already: ioredis 5
 * or 6, iovalkey, or node-redis 5 or 6. It never connects, closes or configures that client, except that wake-ups come
 * over a `duplicate()` of it. Give the client a listener for `'error'`: node-redis ends the process without one.
 *
 * @example redisStore(new Redis('redis://localhost:6379'), { maxBytes: '256mb' })
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): CompleteStore {
  return openRedisStore(client, options)
}

/** {@link redisStore} with limits that tests can reach. */
export function openRedisStore(
  client: RedisClient,
  options: RedisStoreOptions,
  { tags: mostTags = MOST_TAGS }: RedisLimits = {},
): CompleteStore {
  const budget = budgetOf(options)
  const { send, ready, listen } = connectionOf(client)

  function run(
    script: string,
    keys: readonly string[],
    args: readonly (string | Buffer)[],
  ): Promise<unknown> {
    return send(keys[0] ?? '', 'eval', [script, String(keys.length), ...keys, ...args])
  }

  async function set(key: string, value: Uint8Array, ttlMs: number, revision = '-'): Promise<boolean> {
    if (budget !== undefined && value.byteLength > budget) return false
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const outcome = await write(key, bytesOf(value), ttlMs, revision)
      if (outcome === -1) continue
      if (outcome === 1 && budget !== undefined) await count(key, value.byteLength, ttlMs, budget)
      return outcome === 1
    }
    return false
  }

  /** The outcome of WRITE_HEAD. */
  async function write(key: string, value: Buffer, ttlMs: number, revision: string): Promise<number> {
    const generation = randomBytes(9).toString('hex')
    const chunks = Math.max(1, Math.ceil(value.length / CHUNK_BYTES))
    const chunkOf = (i: number) => value.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES)
    const writeChunk = async (i: number) => {
      const args = [generation, String(i), chunkOf(i), String(chunks), WRITING_SECONDS]
      return Number(await run(scripts.WRITE_CHUNK, [key], args)) === 1 ? true : undefined
    }
    // The first announces the others.
    if (chunks > 1 && (await writeChunk(1)) === undefined) return -1
    if ((await inTurn(2, chunks, writeChunk)) === undefined) return -1
    const head = [generation, String(chunks), String(value.length), revision]
    return Number(await run(scripts.WRITE_HEAD, [key], [...head, ms(ttlMs), chunkOf(0), WRITING_SECONDS]))
  }

  async function get(key: string): Promise<Uint8Array | null> {
    let seen = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [head, first] = bytesIn(await send(key, 'hmget', [key, 'h', '0']))
      const text = head?.toString('latin1') ?? ''
      // Nothing there, or the same head as before, whose chunks are not all there.
      if (first === undefined || text === seen) return null
      seen = text
      const value = await assemble(key, text, first)
      if (value !== undefined) return value
    }
    return null
  }

  async function assemble(key: string, head: string, first: Buffer): Promise<Uint8Array | undefined> {
    const [generation = '', count = '', length = ''] = head.split(' ')
    const readChunk = async (i: number) => bytesIn(await send(key, 'hmget', [key, `${generation}.${i}`]))[0]
    const others = await inTurn(1, Number(count), readChunk)
    if (others === undefined) return undefined
    const parts = [first, ...others]
    if (parts.reduce((sum, part) => sum + part.length, 0) !== Number(length)) return undefined
    // A copy: what a client hands out may be a slice that keeps far more alive.
    const value = Buffer.allocUnsafeSlow(Number(length))
    let offset = 0
    for (const part of parts) offset += part.copy(value, offset)
    return value
  }

  async function remove(key: string): Promise<void> {
    await send(key, 'del', [key])
    if (budget !== undefined) await run(scripts.RENEW_ENDS, BUDGET_KEYS, ['0', key, '0'])
  }

  async function touch(keys: readonly string[], ttlMs: number): Promise<readonly string[]> {
    const groups = [...groupBySlot(keys).values()].flatMap((group) => slicesOf(group, TOUCHED_AT_ONCE))
    const found = await Promise.all(groups.map((group) => run(scripts.TOUCH, group, [ms(ttlMs)])))
    const known = groups.flatMap((group, i) =>
      group.map((key, j) => ({ key, isThere: Number(listOf(found[i])[j]) === 1 })),
    )
    if (budget !== undefined && known.length > 0) {
      const pairs = known.flatMap(({ key, isThere }) => [key, isThere ? '1' : '0'])
      await run(scripts.RENEW_ENDS, BUDGET_KEYS, [ms(ttlMs), ...pairs])
    }
    return known.filter(({ isThere }) => !isThere).map(({ key }) => key)
  }

  /**
   * Counts a value, and removes what has to go for it. Not before it is written: another writer might choose it to go
   * while it is not there yet.
   */
  async function count(key: string, size: number, ttlMs: number, most: number): Promise<void> {
    const victims = await run(scripts.COUNT, BUDGET_KEYS, [key, String(size), ms(ttlMs), String(most)])
    await Promise.all(bytesIn(victims).map((victim) => send(String(victim), 'del', [String(victim)])))
  }

  return {
    name: 'redis',
    get,
    async set(key, value, ttlMs) {
      // What is too large replaces what was there all the same: by nothing.
      if (budget !== undefined && value.byteLength > budget) await remove(key)
      else await set(key, value, ttlMs)
    },
    delete: remove,
    touch,
    setRecord: (key, revision, value, ttlMs) => set(key, value, ttlMs, String(revision)),

    async getFields(key) {
      const flat = bytesIn(await run(scripts.FIELDS, [key], [])).map(String)
      return new Map(slicesOf(flat, 2).map(([field = '', value = '']) => [field, value]))
    },
    setField: (key, field, value, ttlMs) => run(scripts.SET_FIELD, [key], [field, value, ms(ttlMs)]),

    lock: async (key, token, ttlMs) => Number(await run(scripts.LOCK, [key], [token, ms(ttlMs)])) === 1,
    renew: async (key, token, ttlMs) => Number(await run(scripts.RENEW, [key], [token, ms(ttlMs)])) === 1,
    unlock: (key, token) => run(scripts.UNLOCK, [key], [token]),

    async invalidate(tags) {
      const settings = [newEpoch(), String(mostTags), STATE]
      return Number(await run(scripts.INVALIDATE, STATE_KEYS, [...settings, ...tags]))
    },
    async state(since = 0) {
      return stateOf(await run(scripts.STATE, STATE_KEYS, [newEpoch(), String(since)]))
    },
    subscribe: (onChange) => listen(STATE, onChange),
    ready,
  }
}

/** Does for each index from `from` to below `end`, a few at a time; undefined as soon as one result is. */
async function inTurn<T>(
  from: number,
  end: number,
  perform: (i: number) => Promise<T | undefined>,
): Promise<T[] | undefined> {
  const results: T[] = []
  for (let i = from; i < end; i += IN_FLIGHT) {
    const indexes = Array.from({ length: Math.min(IN_FLIGHT, end - i) }, (_, j) => i + j)
    for (const result of await Promise.all(indexes.map(perform))) {
      if (result === undefined) return undefined
      results.push(result)
    }
  }
  return results
}

function budgetOf({ maxBytes, ...others }: RedisStoreOptions): number | undefined {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw new SitemapError(
      'LSM_ERR_OPTION_UNKNOWN',
      `redisStore() knows no option "${unknown}": expected maxBytes`,
    )
  }
  if (maxBytes === undefined) return undefined
  const bytes = parseSize(maxBytes)
  if (bytes !== undefined && bytes > 0) return bytes
  throw new SitemapError(
    'LSM_ERR_OPTION_INVALID',
    `redisStore() got ${describe(maxBytes)} as maxBytes: expected a size above 0, such as '256mb' (b kb mb gb), or bytes`,
  )
}

function stateOf(reply: unknown): StoreState {
  const [epoch, rev, floor, tags] = listOf(reply)
  const flat = bytesIn(tags).map(String)
  return {
    epoch: String(epoch),
    rev: Number(String(rev)),
    floor: Number(String(floor)),
    tags: new Map(slicesOf(flat, 2).map(([tag = '', noted]) => [tag, Number(noted)])),
  }
}

/** Keys that are on one node of a cluster, each list by what decides that. */
function groupBySlot(keys: readonly string[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const key of new Set(keys)) {
    // The text between the first pair of braces, as the cluster has it.
    const slot = /^[^{]*(\{[^}]+\})/.exec(key)?.[1] ?? key
    const group = groups.get(slot)
    if (group === undefined) groups.set(slot, [key])
    else group.push(key)
  }
  return groups
}

function slicesOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}

function listOf(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : []
}

function bytesIn(reply: unknown): (Buffer | undefined)[] {
  return listOf(reply).map((one) => (Buffer.isBuffer(one) ? one : undefined))
}

function bytesOf(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

/** Redis takes whole milliseconds from 1 on. */
function ms(ttlMs: number): string {
  return String(Math.max(1, Math.ceil(ttlMs)))
}

function newEpoch(): string {
  return randomBytes(9).toString('hex')
}
