import { Cluster, Redis } from 'ioredis'
import { Cluster as Cluster6, Redis as Redis6 } from 'ioredis6'
import { Redis as Valkey, Cluster as ValkeyCluster } from 'iovalkey'
import Keyv from 'keyv'
import { createClient, type createCluster, createSentinel } from 'redis'
import type { createClient as createClient5, createCluster as createCluster5 } from 'redis5'
import { expectTypeOf, it } from 'vitest'
import {
  type CompleteStore,
  type FsStore,
  fsStore,
  keyvStore,
  type RedisClient,
  redisStore,
} from '../../plugins/stores/index.ts'
import type { SharedStore } from '../../src/cache/store.ts'

it('every client fits, whatever its options', () => {
  expectTypeOf<Redis>().toExtend<RedisClient>()
  expectTypeOf<Cluster>().toExtend<RedisClient>()
  expectTypeOf<Redis6>().toExtend<RedisClient>()
  expectTypeOf<Cluster6>().toExtend<RedisClient>()
  expectTypeOf<Valkey>().toExtend<RedisClient>()
  expectTypeOf<ValkeyCluster>().toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof createClient>>().toExtend<RedisClient>()
  const ofResp2 = () => createClient({ RESP: 2, disableOfflineQueue: true })
  expectTypeOf(ofResp2).returns.toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof createCluster>>().toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof createClient5>>().toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof createCluster5>>().toExtend<RedisClient>()
  expectTypeOf<Keyv>().toExtend<Parameters<typeof keyvStore>[0]>()
})

it('stores are shared stores', () => {
  expectTypeOf(redisStore).returns.toEqualTypeOf<CompleteStore>()
  expectTypeOf(fsStore).returns.toEqualTypeOf<FsStore>()
  expectTypeOf(keyvStore).returns.toEqualTypeOf<SharedStore>()
  expectTypeOf<CompleteStore>().toExtend<SharedStore>()
  expectTypeOf<FsStore>().toExtend<SharedStore>()
})

it('nothing else fits', () => {
  const wrong = () => {
    // @ts-expect-error: an address is no client
    redisStore('redis://localhost:6379')
    // @ts-expect-error: Keyv has a function of its own
    redisStore(new Keyv())
    // @ts-expect-error: the commands of a sentinel differ
    redisStore(createSentinel({ name: 'main', sentinelRootNodes: [] }))
    // @ts-expect-error: no unit of sizes
    redisStore(new Redis(), { maxBytes: '12 apples' })
    // @ts-expect-error: no option of this store
    redisStore(new Redis(), { ttl: 5 })
    // @ts-expect-error: no folder
    fsStore(5)
    // @ts-expect-error: Redis has a function of its own
    keyvStore(new Redis())
    return [Cluster, Cluster6, Redis6, Valkey, ValkeyCluster]
  }
  expectTypeOf(wrong).toBeFunction()
})
