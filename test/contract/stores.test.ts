import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis as IoRedis } from 'ioredis'
import { Redis as IoRedis6 } from 'ioredis6'
import { Redis as IoValkey } from 'iovalkey'
import { createClient } from 'redis'
import { createClient as createClient5 } from 'redis5'
import { afterAll, beforeAll, describe } from 'vitest'
import { openFsStore } from '../../plugins/stores/fs.ts'
import type { RedisClient } from '../../plugins/stores/index.ts'
import { openRedisStore } from '../../plugins/stores/redis.ts'
import { memoryStore } from '../support/memory-store.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'
import { describeStore, EVERYTHING } from './store.ts'

describeStore('in memory', {
  offers: EVERYTHING,
  async open({ tags } = { tags: 100_000 }) {
    const store = memoryStore({ mostTags: tags })
    return {
      store,
      other: store.another(),
      lose: async () => store.wipe(),
      close: async () => {},
    }
  },
})

describeStore('in a folder', {
  offers: EVERYTHING.filter((method) => method !== 'ready'),
  async open(limits = { tags: 10_000 }) {
    const dir = await mkdtemp(join(tmpdir(), 'live-sitemap-fs-'))
    const remove = () => rm(dir, { recursive: true, force: true })
    return { store: openFsStore(dir, limits), other: openFsStore(dir, limits), lose: remove, close: remove }
  },
})

/** A client that is connected, or will be soon. */
interface Connected {
  readonly client: RedisClient
  close(): unknown
}

const CLIENTS: readonly { readonly name: string; connect(url: string): Promise<Connected> }[] = [
  { name: 'ioredis 5', connect: async (url) => closing(new IoRedis(url)) },
  { name: 'ioredis 6', connect: async (url) => closing(new IoRedis6(url)) },
  { name: 'iovalkey', connect: async (url) => closing(new IoValkey(url)) },
  { name: 'node-redis 5', connect: async (url) => opened(createClient5({ url })) },
  { name: 'node-redis 6', connect: async (url) => opened(createClient({ url })) },
]

describe.runIf(hasRedis())('redisStore', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  for (const { name, connect } of CLIENTS) {
    describeStore(`redis over ${name}`, {
      offers: EVERYTHING,
      async open(limits = { tags: 100_000 }) {
        const connections = await Promise.all([connect(server.url), connect(server.url)])
        const [one, two] = connections.map(({ client }) => openRedisStore(client, {}, limits))
        if (one === undefined || two === undefined) throw new Error('two clients are two stores')
        return {
          store: one,
          other: two,
          lose: async () => flush(server),
          close: () => Promise.all(connections.map(({ close }) => close())),
        }
      },
    })
  }
})

function closing<T extends RedisClient & { disconnect(): unknown }>(client: T): Connected {
  return { client, close: () => client.disconnect() }
}

async function opened<
  T extends RedisClient & {
    connect(): Promise<unknown>
    destroy(): unknown
    on(event: 'error', listener: () => void): unknown
  },
>(client: T): Promise<Connected> {
  client.on('error', () => {})
  await client.connect()
  return { client, close: () => client.destroy() }
}

async function flush({ url }: RedisServer): Promise<void> {
  const client = new IoRedis(url)
  await client.flushall()
  client.disconnect()
}
