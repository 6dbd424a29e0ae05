import { join } from 'node:path'
import type { SharedStore } from '../plugins/fastify.ts'
import { fsStore, redisStore } from '../plugins/stores/index.ts'

/** A store, and what ends its connection. */
export interface ShopStore {
  readonly store: SharedStore
  close(): void
}

/** Redis where it is named, else a folder beside the database. */
export async function openStore(dataDir: string, redisUrl: string | undefined): Promise<ShopStore> {
  if (!redisUrl) return { store: fsStore(join(dataDir, 'sitemap')), close() {} }
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl)
  // The sitemap says in the log when the store is away, and when it is back.
  redis.on('error', () => {})
  return { store: redisStore(redis), close: () => redis.disconnect() }
}
