import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import Keyv from 'keyv'
import { afterAll, beforeAll, describe } from 'vitest'
import { openFsStore } from '../../plugins/stores/fs.ts'
import { keyvStore, type UnstorageLike, unstorageStore } from '../../plugins/stores/index.ts'
import { openRedisStore } from '../../plugins/stores/redis.ts'
import { memoryStore } from '../support/memory-store.ts'
import { hasRedis, type RedisCluster, type RedisServer, startCluster, startRedis } from '../support/redis.ts'
import { CLIENTS, CLUSTERS, type Connected } from '../support/redis-clients.ts'
import { describeStore, EVERYTHING, type RunningStore } from './store.ts'

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

describeStore('over Keyv', {
  offers: [],
  async open() {
    const memory = new Map()
    const [one, two] = [new Keyv({ store: memory }), new Keyv({ store: memory })]
    return { store: keyvStore(one), other: keyvStore(two), close: async () => {} }
  },
})

/** Its declarations name the packages of all its drivers. */
async function untyped(specifier: string): Promise<Readonly<Record<string, (options?: object) => unknown>>> {
  return import(/* @vite-ignore */ specifier)
}

async function storageOf(driver?: unknown): Promise<UnstorageLike> {
  const { createStorage } = await untyped('unstorage')
  return createStorage?.(driver === undefined ? {} : { driver }) as UnstorageLike
}

describeStore('over unstorage in memory', {
  offers: [],
  keepsForEver: true,
  async open() {
    const storage = await storageOf()
    return { store: unstorageStore(storage), other: unstorageStore(storage), close: async () => {} }
  },
})

describeStore('over unstorage in a folder', {
  offers: [],
  keepsForEver: true,
  writesInPlace: true,
  async open() {
    const base = await mkdtemp(join(tmpdir(), 'live-sitemap-unstorage-'))
    const { default: driver } = await untyped('unstorage/drivers/fs')
    const [one, two] = await Promise.all([storageOf(driver?.({ base })), storageOf(driver?.({ base }))])
    return {
      store: unstorageStore(one),
      other: unstorageStore(two),
      close: () => rm(base, { recursive: true, force: true }),
    }
  },
})

const isThere = hasRedis()

describe.runIf(isThere)('redisStore', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  for (const { name, connect } of CLIENTS) {
    describeStore(`redis over ${name}`, {
      offers: EVERYTHING,
      open: (limits) => openOver(() => connect(server.url), [server], limits),
    })
  }
})

describe.runIf(isThere)('redisStore on a cluster', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startCluster()
  }, 60_000)
  afterAll(() => cluster?.stop())

  for (const { name, connect } of CLUSTERS) {
    describeStore(`redis over a cluster of ${name}`, {
      offers: EVERYTHING,
      open: (limits) => {
        const addresses = cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }))
        return openOver(() => connect(addresses), cluster.nodes, limits)
      },
    })
  }
})

/** Two stores over a client each; what they lose is all that is on the servers. */
async function openOver(
  connect: () => Promise<Connected>,
  servers: readonly RedisServer[],
  limits = { tags: 100_000 },
): Promise<RunningStore> {
  const [one, two] = [await connect(), await connect()]
  return {
    store: openRedisStore(one.client, {}, limits),
    other: openRedisStore(two.client, {}, limits),
    lose: () => Promise.all(servers.map(flush)),
    close: () => Promise.all([one.close(), two.close()]),
  }
}

async function flush({ url }: RedisServer): Promise<void> {
  const client = new Redis(url)
  await client.flushall()
  client.disconnect()
}
