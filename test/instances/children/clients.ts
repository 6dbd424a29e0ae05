/** Clients as an app makes them: default settings, and a listener for errors. Each loads its own library alone. */
import type { RedisClient } from '../../../plugins/stores/index.ts'
import type { ClientName } from '../instance.ts'

export interface Client {
  readonly redis: RedisClient
  /** Commands that the client holds: sent and not answered, or not sent. Where it does not tell: NaN. */
  waiting(): number
  close(): void
}

/** Where ioredis and iovalkey keep what waits; a new connection has new ones. */
interface Queues {
  readonly commandQueue: { readonly length: number }
  readonly offlineQueue: { readonly length: number }
}

const CLIENTS = {
  ioredis: async (url: string) => new (await import('ioredis')).Redis(url),
  ioredis6: async (url: string) => new (await import('ioredis6')).Redis(url),
  iovalkey: async (url: string) => new (await import('iovalkey')).Redis(url),
} as const

const CLUSTERS = {
  ioredis: async (nodes: Nodes) => new (await import('ioredis')).Cluster([...nodes]),
  ioredis6: async (nodes: Nodes) => new (await import('ioredis6')).Cluster([...nodes]),
  iovalkey: async (nodes: Nodes) => new (await import('iovalkey')).Cluster([...nodes]),
} as const

type Nodes = readonly { readonly host: string; readonly port: number }[]

export async function connect(name: ClientName, url: string): Promise<Client> {
  if (name === 'node-redis') {
    const { createClient } = await import('redis')
    const client = createClient({ url }).on('error', ignore)
    client.connect().catch(ignore)
    return { redis: client, waiting: () => Number.NaN, close: () => client.destroy() }
  }
  const client = await CLIENTS[name](url)
  client.on('error', ignore)
  return {
    redis: client,
    waiting() {
      const { commandQueue, offlineQueue } = client as unknown as Queues
      return commandQueue.length + offlineQueue.length
    },
    close: () => client.disconnect(),
  }
}

export async function connectCluster(name: ClientName, ports: readonly number[]): Promise<Client> {
  if (name === 'node-redis') {
    const { createCluster } = await import('redis')
    const cluster = createCluster({ rootNodes: ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) })
    cluster.on('error', ignore)
    cluster.connect().catch(ignore)
    return { redis: cluster, waiting: () => Number.NaN, close: () => cluster.destroy() }
  }
  const cluster = await CLUSTERS[name](ports.map((port) => ({ host: '127.0.0.1', port })))
  cluster.on('error', ignore)
  return { redis: cluster, waiting: () => Number.NaN, close: () => cluster.disconnect() }
}

function ignore(): void {}
