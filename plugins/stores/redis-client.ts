import { describe, SitemapError } from '../../src/errors.ts'

/** A client of ioredis 5 or 6 or of iovalkey, or a Cluster of theirs: the few methods that are used. */
export interface IoredisClient {
  readonly status: string
  callBuffer(command: string, args: (string | Buffer | number)[]): Promise<unknown>
  pipeline(): IoredisPipeline
  connect(): Promise<unknown>
  duplicate(...overrides: never[]): unknown
}

/** Commands that ioredis sends together. */
export interface IoredisPipeline {
  callBuffer(command: string, args: (string | Buffer | number)[]): IoredisPipeline
  exec(): Promise<[error: Error | null, reply: unknown][] | null>
}

/** A client of node-redis (`redis`) 5 or 6. */
export interface NodeRedisClient {
  readonly isReady: boolean
  sendCommand(args: readonly (string | Buffer)[], options?: object): Promise<unknown>
  duplicate(...overrides: never[]): unknown
}

/** A cluster of node-redis (`redis`) 5 or 6. */
export interface NodeRedisCluster {
  readonly isOpen: boolean
  readonly masters: readonly unknown[]
  sendCommand(
    firstKey: string | Buffer | undefined,
    isReadonly: boolean | undefined,
    args: (string | Buffer)[],
    options?: object,
  ): Promise<unknown>
  duplicate(...overrides: never[]): unknown
}

/** A client that the app has anyway. No library of them is imported: what counts are their methods. */
export type RedisClient = IoredisClient | NodeRedisClient | NodeRedisCluster

/** What all clients have in common. */
export interface RedisConnection {
  /** Sends a command to the node that has `key`. Text in replies comes as bytes. */
  send(key: string, name: string, args: readonly (string | Buffer)[]): Promise<unknown>
  ready(): boolean
  /** Listens on a connection of its own; calls back on each message, and whenever some may have been missed. */
  listen(channel: string, onMessage: () => void): Promise<() => void>
}

/** The methods of a duplicate in ioredis and iovalkey. */
interface IoredisListener {
  on(event: string, listener: (...args: never[]) => void): unknown
  subscribe(channel: string): Promise<unknown>
  disconnect(): void
}

/** The methods of a duplicate in node-redis. */
interface NodeRedisListener {
  on(event: string, listener: (...args: never[]) => void): unknown
  connect(): Promise<unknown>
  subscribe(channel: string, listener: () => void): Promise<unknown>
  destroy(): unknown
}

/** RESP's sign of a bulk string. `withTypeMapping()` does not reach `sendCommand`: the option has to go along. */
const BYTES: object = { typeMapping: { 36: Buffer } }

const EXPECTED =
  "a client of ioredis 5 or 6, of iovalkey, or of redis (node-redis) 5 or 6, or a Cluster of theirs. Write redisStore(new Redis('redis://localhost:6379'))"

/** Tells clients apart by their own methods; LSM_ERR_OPTION_INVALID where it is none of them. */
export function connectionOf(client: unknown): RedisConnection {
  if (isIoredis(client)) return ofIoredis(client)
  if (isNodeRedis(client)) return 'masters' in client ? ofNodeRedisCluster(client) : ofNodeRedis(client)
  throw new SitemapError('LSM_ERR_OPTION_INVALID', refusalOf(client))
}

function refusalOf(client: unknown): string {
  if (has(client, 'getItemRaw'))
    return 'redisStore() got a storage of unstorage: write unstorageStore(storage)'
  if (has(client, 'iterator') || has(client, 'opts')) return 'redisStore() got a Keyv: write keyvStore(keyv)'
  if (has(client, 'getSentinelNode')) {
    return `redisStore() got a sentinel of node-redis, whose commands differ: expected ${EXPECTED}`
  }
  // A client holds its whole configuration, password included: its class is enough.
  const name =
    typeof client === 'object' && client !== null
      ? `a ${client.constructor?.name ?? 'object'}`
      : describe(client)
  return `redisStore() got ${name}: expected ${EXPECTED}`
}

function isIoredis(client: unknown): client is IoredisClient {
  return hasMethods(client, ['callBuffer', 'pipeline', 'duplicate', 'connect']) && has(client, 'status')
}

/** `redis` 4 has no `withTypeMapping`; a sentinel's `sendCommand` takes other arguments. */
function isNodeRedis(client: unknown): client is NodeRedisClient | NodeRedisCluster {
  if (!hasMethods(client, ['sendCommand', 'withTypeMapping', 'duplicate'])) return false
  return !has(client, 'getSentinelNode') && (has(client, 'isReady') || has(client, 'masters'))
}

function ofIoredis(client: IoredisClient): RedisConnection {
  return {
    send: (_key, name, args) => sendOver(client, name, [...args]),
    ready() {
      // `lazyConnect` waits for a first command, and none is sent before the client is ready.
      if (client.status === 'wait') client.connect().catch(ignore)
      return client.status === 'ready'
    },
    async listen(channel, onMessage) {
      // The app's settings may be for commands that fail fast; a subscription is to wait and to come back.
      const settings = {
        autoResubscribe: true,
        enableOfflineQueue: true,
        lazyConnect: false,
        maxRetriesPerRequest: null,
      }
      const overrides: readonly unknown[] = 'nodes' in client ? [[], settings] : [settings]
      const listener = client.duplicate(...(overrides as never[])) as IoredisListener
      let ended = false
      const wake = () => {
        if (!ended) onMessage()
      }
      listener.on('error', ignore)
      listener.on('message', wake)
      // On every connection anew: a first attempt may have failed, and what was said in between is lost.
      listener.on('ready', () => {
        listener.subscribe(channel).then(wake, ignore)
      })
      return () => {
        ended = true
        listener.disconnect()
      }
    },
  }
}

/**
 * With `enableAutoPipelining` ioredis loses the name of a command that `call` is given, and throws where nobody can catch
 * it; on a cluster it takes a script for a key. A pipeline of our own does neither.
 */
async function sendOver(client: IoredisClient, name: string, args: (string | Buffer)[]): Promise<unknown> {
  const isAutomatic = has(client, 'options') && has(client.options, 'enableAutoPipelining')
  if (!isAutomatic || client.options.enableAutoPipelining !== true) return client.callBuffer(name, args)
  const [[error, reply] = [new Error('the pipeline has no reply')]] =
    (await client.pipeline().callBuffer(name, args).exec()) ?? []
  if (error !== null) throw error
  return reply
}

function ofNodeRedis(client: NodeRedisClient): RedisConnection {
  return {
    send: async (_key, name, args) => await client.sendCommand([name, ...args], BYTES),
    ready: () => client.isReady,
    async listen(channel, onMessage) {
      const { listener, wake, end } = nodeRedisListener(client, onMessage)
      let listens = false
      // It subscribes again by itself, after it says that it is ready; the first time it is told to.
      listener.on('ready', () => {
        if (listens) wake()
      })
      listener
        .connect()
        .then(() => listener.subscribe(channel, wake))
        .then(() => {
          listens = true
          wake()
        })
        .catch(ignore)
      return end
    },
  }
}

function ofNodeRedisCluster(cluster: NodeRedisCluster): RedisConnection {
  return {
    send: async (key, name, args) => await cluster.sendCommand(key, false, [name, ...args], BYTES),
    ready: () => isClusterReady(cluster),
    async listen(channel, onMessage) {
      const { listener, wake, end } = nodeRedisListener(cluster, onMessage)
      // A cluster's connect() gives up where no node answers, so that this settles; the caller may try again.
      try {
        await listener.connect()
        await listener.subscribe(channel, wake)
      } catch (error) {
        end()
        throw error
      }
      wake()
      return end
    },
  }
}

function nodeRedisListener(client: NodeRedisClient | NodeRedisCluster, onMessage: () => void) {
  const listener = client.duplicate() as NodeRedisListener
  let ended = false
  listener.on('error', ignore)
  return {
    listener,
    wake: () => {
      if (!ended) onMessage()
    },
    end: () => {
      ended = true
      try {
        // Of a cluster it resolves, of a client that is not open it throws.
        Promise.resolve(listener.destroy()).catch(ignore)
      } catch {}
    },
  }
}

/**
 * Whether one node at least can be asked. `isReady` of a whole cluster stays true when its nodes die, and `redis` 5 has
 * none; with `minimizeConnections` there is no client before the first command.
 */
function isClusterReady(cluster: NodeRedisCluster): boolean {
  if (!cluster.isOpen) return false
  const clients = cluster.masters.flatMap((master) =>
    has(master, 'client') && has(master.client, 'isReady') ? [master.client.isReady] : [],
  )
  return clients.length === 0 || clients.includes(true)
}

function has<K extends string>(value: unknown, name: K): value is Readonly<Record<K, unknown>> {
  return typeof value === 'object' && value !== null && name in value
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => has(value, name) && typeof value[name] === 'function')
}

function ignore(): void {}
