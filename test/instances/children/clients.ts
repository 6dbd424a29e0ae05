/** Clients as an app makes them: default settings, and a listener for errors. Each loads its own library alone. */
import type { RedisClient } from '../../../plugins/stores/index.ts'
import type { ClientName } from '../instance.ts'

export interface Client {
  readonly redis: RedisClient
  /** Commands that the client holds, sent or not, for as long as nobody has answered them. */
  waiting(): number
  /** Commands that took longer than a small call may: whoever made them went on alone. */
  late(): number
  close(): void
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
    return { redis: client, ...counting(client, 'sendCommand'), close: () => client.destroy() }
  }
  const client = await CLIENTS[name](url)
  client.on('error', ignore)
  return { redis: client, ...counting(client, 'callBuffer'), close: () => client.disconnect() }
}

export async function connectCluster(name: ClientName, ports: readonly number[]): Promise<Client> {
  if (name === 'node-redis') {
    const { createCluster } = await import('redis')
    const cluster = createCluster({ rootNodes: ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) })
    cluster.on('error', ignore)
    cluster.connect().catch(ignore)
    return { redis: cluster, ...counting(cluster, 'sendCommand'), close: () => cluster.destroy() }
  }
  const cluster = await CLUSTERS[name](ports.map((port) => ({ host: '127.0.0.1', port })))
  cluster.on('error', ignore)
  return { redis: cluster, ...counting(cluster, 'callBuffer'), close: () => cluster.disconnect() }
}

/** A little less than the link's own limit, which it measures around more than the command. */
const LATE_MS = 200

/** Counts the calls of a method that have neither ended nor failed, and those that took long. */
function counting<Name extends string>(
  client: Readonly<Record<Name, (...args: never[]) => Promise<unknown>>>,
  name: Name,
): Pick<Client, 'waiting' | 'late'> {
  let waiting = 0
  let late = 0
  const call = client[name].bind(client) as (...args: unknown[]) => Promise<unknown>
  const counted = async (...args: unknown[]): Promise<unknown> => {
    const startedMs = performance.now()
    waiting++
    try {
      return await call(...args)
    } finally {
      waiting--
      if (performance.now() - startedMs > LATE_MS) late++
    }
  }
  Object.assign(client, { [name]: counted })
  return { waiting: () => waiting, late: () => late }
}

function ignore(): void {}
