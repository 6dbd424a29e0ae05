export { type FsStore, fsStore } from './fs.ts'
export { type KeyvLike, keyvStore } from './keyv.ts'
export { type CompleteStore, type RedisStoreOptions, redisStore } from './redis.ts'
export type {
  IoredisClient,
  IoredisPipeline,
  NodeRedisClient,
  NodeRedisCluster,
  RedisClient,
} from './redis-client.ts'
export { type UnstorageLike, unstorageStore } from './unstorage.ts'
