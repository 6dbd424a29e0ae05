import { createHash } from 'node:crypto'
import type { SharedStore } from '../../src/cache/store.ts'
import { describe, SitemapError } from '../../src/errors.ts'

/** A Keyv 5: the methods that are used. */
export interface KeyvLike {
  get(key: string): Promise<unknown>
  set(key: string, value: Buffer, ttlMs?: number): Promise<unknown>
  delete(key: string): Promise<unknown>
  readonly opts: object
}

/**
 * A store over a Keyv, on whatever that keeps its values in. It makes restarts warm and no more: without a lease every
 * instance reads its providers itself, an invalidation reaches only the instance that was told, and the last writer of
 * a record wins.
 *
 * @example keyvStore(new Keyv(new KeyvPostgres('postgresql://localhost/app')))
 */
export function keyvStore(keyv: KeyvLike): SharedStore {
  if (!isKeyv(keyv)) throw new SitemapError('LSM_ERR_OPTION_INVALID', refusalOf(keyv))
  return {
    name: 'keyv',
    async get(key) {
      const value = await keyv.get(nameOf(key))
      return value instanceof Uint8Array ? value : null
    },
    // Keyv's JSON knows a Buffer, and makes an object of numbers of any other Uint8Array. A copy, since the memory of
    // the process keeps what it is given.
    set: (key, value, ttlMs) => keyv.set(nameOf(key), Buffer.from(value), Math.max(1, Math.ceil(ttlMs))),
    delete: (key) => keyv.delete(nameOf(key)),
  }
}

/** Databases behind a Keyv bound the length of keys, some at 250 bytes and less. */
function nameOf(key: string): string {
  if (/^[\x21-\x7e]{1,150}$/.test(key)) return key
  return `ls1:${createHash('sha256').update(key).digest('hex')}`
}

/** Clients of Redis and storages have `get` and `set` too, but no `opts` and `iterator`. */
function isKeyv(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'opts' in value && 'iterator' in value && 'get' in value && 'set' in value && 'delete' in value
}

function refusalOf(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null
  if (isObject && 'getItemRaw' in value)
    return 'keyvStore() got a storage of unstorage: write unstorageStore(storage)'
  if (isObject && ('callBuffer' in value || 'sendCommand' in value)) {
    return 'keyvStore() got a client of Redis: write redisStore(client)'
  }
  const what = isObject ? `a ${value.constructor?.name ?? 'object'}` : describe(value)
  return `keyvStore() got ${what}: expected a Keyv. Write keyvStore(new Keyv())`
}
