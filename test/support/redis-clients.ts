import { Cluster, Redis as IoRedis } from 'ioredis'
import { Cluster as Cluster6, Redis as IoRedis6 } from 'ioredis6'
import { Redis as IoValkey, Cluster as ValkeyCluster } from 'iovalkey'
import { createClient, createCluster } from 'redis'
import { createClient as createClient5, createCluster as createCluster5 } from 'redis5'
import type { RedisClient } from '../../plugins/stores/index.ts'

/** A client that is connected, or will be soon. */
export interface Connected {
  readonly client: RedisClient
  close(): unknown
}

/** All that speak to one server. */
export const CLIENTS: readonly { readonly name: string; connect(url: string): Promise<Connected> }[] = [
  { name: 'ioredis 5', connect: async (url) => closing(new IoRedis(url)) },
  { name: 'ioredis 6', connect: async (url) => closing(new IoRedis6(url)) },
  { name: 'iovalkey', connect: async (url) => closing(new IoValkey(url)) },
  { name: 'node-redis 5', connect: async (url) => opened(createClient5({ url })) },
  { name: 'node-redis 6', connect: async (url) => opened(createClient({ url })) },
]

export type Nodes = { readonly host: string; readonly port: number }[]

/** All that speak to a cluster. */
export const CLUSTERS: readonly { readonly name: string; connect(nodes: Nodes): Promise<Connected> }[] = [
  { name: 'ioredis 5', connect: async (nodes) => closing(new Cluster(nodes)) },
  { name: 'ioredis 6', connect: async (nodes) => closing(new Cluster6(nodes)) },
  { name: 'iovalkey', connect: async (nodes) => closing(new ValkeyCluster(nodes)) },
  { name: 'node-redis 5', connect: async (nodes) => opened(createCluster5({ rootNodes: urlsOf(nodes) })) },
  { name: 'node-redis 6', connect: async (nodes) => opened(createCluster({ rootNodes: urlsOf(nodes) })) },
]

function urlsOf(nodes: Nodes): { url: string }[] {
  return nodes.map(({ host, port }) => ({ url: `redis://${host}:${port}` }))
}

function closing<
  T extends RedisClient & { disconnect(): unknown; on(event: 'error', listener: () => void): unknown },
>(client: T): Connected {
  client.on('error', () => {})
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
