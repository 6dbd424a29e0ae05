import { createHash } from 'node:crypto'
import type { SharedStore } from '../../src/cache/store.ts'
import { describe, SitemapError } from '../../src/errors.ts'

const DIGEST_BYTES = 32

/** A storage of unstorage 1: the methods that are used. */
export interface UnstorageLike {
  getItemRaw(key: string): Promise<unknown>
  setItemRaw(key: string, value: Buffer, options?: { readonly ttl: number }): Promise<unknown>
  removeItem(key: string): Promise<unknown>
}

/**
 * A store over a storage of unstorage, on whatever driver it has. It makes restarts warm and no more: without a lease
 * every instance reads its providers itself, an invalidation reaches only the instance that was told, and the last
 * writer of a record wins. Most drivers keep values until somebody removes them.
 *
 * @example unstorageStore(createStorage({ driver: fsDriver({ base: '/var/cache/my-app' }) }))
 */
export function unstorageStore(storage: UnstorageLike): SharedStore {
  if (!isStorage(storage)) throw new SitemapError('LSM_ERR_OPTION_INVALID', refusalOf(storage))
  return {
    name: 'unstorage',
    async get(key) {
      return opened(bytesOf(await storage.getItemRaw(nameOf(key))))
    },
    // Drivers that forget count in seconds.
    set: (key, value, ttlMs) =>
      storage.setItemRaw(nameOf(key), sealed(value), { ttl: Math.max(1, Math.ceil(ttlMs / 1_000)) }),
    delete: (key) => storage.removeItem(nameOf(key)),
  }
}

/** Drivers for folders write in place: a reader may meet half a value, or the halves of two. */
function sealed(value: Uint8Array): Buffer {
  return Buffer.concat([digestOf(value), value])
}

/** A copy of what was sealed, since the memory driver hands out what it keeps; null where it is broken. */
function opened(sealedValue: Uint8Array | null): Uint8Array | null {
  if (sealedValue === null) return null
  const value = Buffer.from(sealedValue.subarray(DIGEST_BYTES))
  return digestOf(value).equals(sealedValue.subarray(0, DIGEST_BYTES)) ? value : null
}

function digestOf(value: Uint8Array): Buffer {
  return createHash('sha256').update(value).digest()
}

/** Some drivers answer with an ArrayBuffer. */
function bytesOf(value: unknown): Uint8Array | null {
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : null
}

/** Storages take `/` for `:`, refuse `..`, and make file names of keys. */
function nameOf(key: string): string {
  const name = createHash('sha256').update(key).digest('hex')
  return `live-sitemap:${name.slice(0, 2)}:${name}`
}

function isStorage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'getItemRaw' in value && 'setItemRaw' in value && 'removeItem' in value
}

function refusalOf(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null
  if (isObject && ('callBuffer' in value || 'sendCommand' in value)) {
    return 'unstorageStore() got a client of Redis: write redisStore(client)'
  }
  if (isObject && 'iterator' in value) return 'unstorageStore() got a Keyv: write keyvStore(keyv)'
  const what = isObject ? `a ${value.constructor?.name ?? 'object'}` : describe(value)
  return `unstorageStore() got ${what}: expected a storage of unstorage. Write unstorageStore(createStorage())`
}
