export { type FsStore, fsStore } from './fs.ts'
export { type CompleteStore, type RedisStoreOptions, redisStore } from './redis.ts'
export type { IoredisClient, NodeRedisClient, NodeRedisCluster, RedisClient } from './redis-client.ts'
