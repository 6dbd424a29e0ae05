import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { Redis as Redis6 } from 'ioredis6'
import Keyv from 'keyv'
import { createClient } from 'redis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RedisClient, redisStore } from '../../../plugins/stores/index.ts'
import { openRedisStore } from '../../../plugins/stores/redis.ts'
import { isRefusal } from '../../../src/cache/refusal.ts'
import { eventually } from '../../support/eventually.ts'
import { hasRedis, type RedisServer, startCluster, startRedis } from '../../support/redis.ts'
import { CLIENTS, CLUSTERS, type Connected } from '../../support/redis-clients.ts'

const CHUNK = 262_144
const LONG_MS = 600_000

const newKey = () => `ls1:{test|pages}:b:${randomUUID()}`

describe('redisStore', () => {
  it.each([
    {
      got: 'nothing',
      client: undefined,
      message: /^redisStore\(\) got undefined .*: expected a client of ioredis/,
    },
    { got: 'an address', client: 'redis://localhost', message: /^redisStore\(\) got "redis:\/\/localhost"/ },
    { got: 'an object', client: { get() {}, set() {} }, message: /^redisStore\(\) got a Object: expected/ },
    { got: 'a Keyv', client: new Keyv(), message: /^redisStore\(\) got a Keyv: write keyvStore\(keyv\)$/ },
    { got: 'a storage', client: { getItemRaw() {} }, message: /write unstorageStore\(storage\)$/ },
    {
      got: 'a sentinel',
      client: { getSentinelNode() {}, sendCommand() {} },
      message: /a sentinel of node-redis/,
    },
    // As redis 4 is.
    { got: 'an old client', client: { sendCommand() {}, duplicate() {}, isReady: true }, message: /5 or 6/ },
  ])('refuses $got', ({ client, message }) => {
    expect(() => redisStore(client as never)).toThrow(
      expect.objectContaining({ code: 'LSM_ERR_OPTION_INVALID', message: expect.stringMatching(message) }),
    )
  })

  it.each([0, -1, 1.5, '12 apples', null, Number.NaN])('refuses %j as maxBytes', (maxBytes) => {
    const client = offline()
    expect(() => redisStore(client, { maxBytes: maxBytes as never })).toThrow(
      expect.objectContaining({
        code: 'LSM_ERR_OPTION_INVALID',
        message: expect.stringContaining("'256mb'"),
      }),
    )
  })

  it('refuses options that it does not know', () => {
    expect(() => redisStore(offline(), { maxbytes: 5 } as never)).toThrow(
      expect.objectContaining({ code: 'LSM_ERR_OPTION_UNKNOWN' }),
    )
  })
})

/** A client that never connects. */
function offline(): RedisClient {
  return { status: 'end', callBuffer: fail, pipeline: refuse, connect: fail, duplicate: fail }
}

function refuse(): never {
  throw new Error('this client is not to be used')
}

async function fail(): Promise<never> {
  return refuse()
}

describe.runIf(hasRedis())('redisStore and its server', () => {
  let server: RedisServer
  let raw: Redis
  const opened: (() => unknown)[] = []
  beforeAll(async () => {
    server = await startRedis()
    raw = new Redis(server.url)
  })
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
    await raw.flushall()
  })
  afterAll(async () => {
    raw?.disconnect()
    await server?.stop()
  })

  async function connected(
    connect: (url: string) => Promise<Connected>,
    url = server.url,
  ): Promise<RedisClient> {
    const { client, close } = await connect(url)
    opened.push(close)
    return client
  }

  function storeOf(options: Parameters<typeof redisStore>[1] = {}) {
    return redisStore(raw, options)
  }

  describe.each(CLIENTS)('over $name', ({ connect }) => {
    it('passes on what the server refuses, and goes on', async () => {
      const store = redisStore(await connected(connect))
      const [foreign, good] = [newKey(), newKey()]
      await eventually(() => store.ready())
      await raw.set(foreign, 'text of somebody else')
      const refused = await Promise.allSettled([
        store.get(foreign),
        store.set(foreign, Buffer.from('x'), LONG_MS),
        store.touch([foreign], LONG_MS),
        store.setRecord(foreign, 1, randomBytes(2 * CHUNK), LONG_MS),
        store.getFields(foreign),
      ])
      for (const outcome of refused) {
        if (outcome.status === 'fulfilled') throw new Error('a foreign value was taken for one of ours')
        expect(isRefusal(outcome.reason), String(outcome.reason)).toBe(true)
      }
      await store.set(good, Buffer.from('good'), LONG_MS)
      expect(String(await store.get(good))).toBe('good')
    })

    it('says that it is not ready while the server is away, and comes back by itself', async () => {
      const doomed = await startRedis()
      opened.push(() => doomed.stop())
      const store = redisStore(await connected(connect, doomed.url))
      await eventually(() => store.ready())
      let wakes = 0
      const end = await store.subscribe(() => wakes++)
      opened.push(end)
      await eventually(async () => {
        await store.invalidate([])
        return wakes > 0
      }, 'the first wake-up')
      const { epoch } = await store.state()

      doomed.pause()
      const underway = store.get(newKey())
      underway.catch(() => {})
      await doomed.kill()
      await eventually(() => !store.ready(), 'ready() to be false')
      await doomed.restart()
      await eventually(() => store.ready(), 'ready() to be true')
      // Some clients ask again by themselves, others give up: both settle, and neither is the server's refusal.
      const outcome = await underway.catch((error: unknown) => error)
      expect(outcome === null || (outcome instanceof Error && !isRefusal(outcome))).toBe(true)
      expect((await store.state()).epoch).not.toBe(epoch)
      const before = wakes
      await eventually(async () => {
        await store.invalidate([])
        return wakes > before + 1
      }, 'a wake-up after the return')
    })
  })

  it('a cluster without nodes is not ready once it was asked', async () => {
    const cluster = await startCluster()
    opened.push(() => cluster.stop())
    const addresses = cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }))
    const stores = await Promise.all(
      CLUSTERS.map(async ({ name, connect }) => {
        const { client, close } = await connect(addresses)
        opened.unshift(close)
        const store = redisStore(client)
        await eventually(() => store.ready(), `${name} to be ready`)
        opened.unshift(await store.subscribe(() => {}))
        return { name, store }
      }),
    )
    await Promise.all(cluster.nodes.map((node) => node.kill()))
    for (const { name, store } of stores) {
      // ioredis takes nodes that it never had to connect to for ready, until a call needs one.
      store.get(newKey()).catch(() => {})
      await eventually(() => !store.ready(), `${name} to notice`)
    }
  }, 60_000)

  it('rejects where the server has no memory left, and reads go on', async () => {
    const small = await startRedis({ args: ['--maxmemory', '4mb', '--maxmemory-policy', 'noeviction'] })
    opened.push(() => small.stop())
    for (const { name, connect } of CLIENTS) {
      const store = redisStore(await connected(connect, small.url))
      await eventually(() => store.ready())
      const key = newKey()
      await store.set(key, Buffer.from(name), LONG_MS)
      const error = await store
        .set(newKey(), randomBytes(6 * 1_048_576), LONG_MS)
        .catch((reason: unknown) => reason)
      expect(isRefusal(error), `${name}: ${String(error)}`).toBe(true)
      expect(String(await store.get(key))).toBe(name)
      const client = new Redis(small.url)
      await client.flushall()
      client.disconnect()
    }
  })

  it('gives nothing where a chunk is missing, until it is written anew', async () => {
    const store = storeOf()
    const key = newKey()
    const value = randomBytes(3 * CHUNK)
    await store.set(key, value, LONG_MS)
    const chunk = (await raw.hkeys(key)).find((field) => field.endsWith('.2')) ?? ''
    expect(await raw.hdel(key, chunk)).toBe(1)
    expect(await store.get(key)).toBeNull()
    await store.set(key, value, LONG_MS)
    expect(Buffer.from((await store.get(key)) ?? []).equals(value)).toBe(true)
  })

  it.each([
    { what: 'a head without end', head: 'gone 4000000000 1000000000000000 -' },
    { what: 'a length that is another', head: 'gone 1 5 -' },
    { what: 'no head of ours', head: 'hello' },
    { what: 'an empty head', head: '' },
  ])('takes $what for nothing', async ({ head }) => {
    const key = newKey()
    await raw.hset(key, { h: head, 0: 'abc' })
    expect(await storeOf().get(key)).toBeNull()
    await storeOf().set(key, Buffer.from('anew'), LONG_MS)
    expect(String(await storeOf().get(key))).toBe('anew')
  })

  it('keeps nothing of values that were replaced, and each key has an end', async () => {
    const store = storeOf()
    const key = newKey()
    for (const size of [4 * CHUNK, 2 * CHUNK, 5]) await store.set(key, randomBytes(size), LONG_MS)
    expect((await raw.hkeys(key)).sort()).toEqual(['0', 'h'])
    const left = await raw.pttl(key)
    expect(left).toBeGreaterThan(LONG_MS - 60_000)
    expect(left).toBeLessThanOrEqual(LONG_MS)
  })

  it('takes what a killed writer began for no value, and sweeps it', async () => {
    const store = storeOf()
    const key = newKey()
    await raw.hset(key, { w: 'dead:3:1', 'dead.1': 'x', 'dead.2': 'y' })
    expect(await store.get(key)).toBeNull()
    expect(await store.touch([key], LONG_MS)).toEqual([key])
    await store.set(key, Buffer.from('whole'), LONG_MS)
    expect((await raw.hkeys(key)).sort()).toEqual(['0', 'h'])
  })

  it('leaves the chunks of a writer that is at it alone', async () => {
    const store = storeOf()
    const key = newKey()
    const [seconds] = await raw.time()
    await raw.hset(key, { w: `other:3:${seconds}`, 'other.1': 'x', 'other.2': 'y' })
    await store.set(key, randomBytes(2 * CHUNK), LONG_MS)
    expect(await raw.hkeys(key)).toEqual(expect.arrayContaining(['h', '0', 'w', 'other.1', 'other.2']))
  })

  it('begins another life where the tags alone were evicted', async () => {
    const store = storeOf()
    await store.invalidate(['posts'])
    const before = await store.state()
    await raw.del('ls1:{state}:tags')
    const after = await store.state()
    expect(after.epoch).not.toBe(before.epoch)
    expect(after).toEqual(await store.state())
  })

  it('has all settings of a client for itself: a prefix, no queue, a connection that waits to be made', async () => {
    const client = new Redis(server.url, {
      keyPrefix: 'app:',
      enableOfflineQueue: false,
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      autoResubscribe: false,
    })
    opened.push(() => client.disconnect())
    const store = redisStore(client)
    await eventually(() => store.ready())
    const key = newKey()
    let wakes = 0
    opened.push(await store.subscribe(() => wakes++))
    await store.set(key, randomBytes(2 * CHUNK), LONG_MS)
    expect((await store.get(key))?.length).toBe(2 * CHUNK)
    expect(await store.touch([key, newKey()], LONG_MS)).toHaveLength(1)
    await eventually(async () => {
      await store.invalidate(['a'])
      return wakes > 1
    }, 'two wake-ups')
    expect((await raw.keys('*')).every((name) => name.startsWith('app:'))).toBe(true)
  })

  it.each([
    { name: 'ioredis 5', open: (url: string) => new Redis(url, { enableAutoPipelining: true }) },
    { name: 'ioredis 6', open: (url: string) => new Redis6(url, { enableAutoPipelining: true }) },
  ])('works where $name pipelines by itself', async ({ open }) => {
    const client = open(server.url)
    opened.push(() => client.disconnect())
    const store = redisStore(client)
    await eventually(() => store.ready())
    const keys = Array.from({ length: 20 }, newKey)
    await Promise.all(keys.map((key, i) => store.set(key, Buffer.from(String(i)), LONG_MS)))
    expect((await Promise.all(keys.map((key) => store.get(key)))).map(String)).toEqual(
      keys.map((_, i) => String(i)),
    )
  })

  describe('maxBytes', () => {
    const set = (store: ReturnType<typeof redisStore>, key: string, size: number, ttlMs = LONG_MS) =>
      store.set(key, randomBytes(size), ttlMs)
    const present = async (keys: readonly string[]) => {
      const store = storeOf()
      return Promise.all(keys.map(async (key) => (await store.get(key)) !== null))
    }

    it('removes what was renewed longest ago', async () => {
      const store = storeOf({ maxBytes: 1_000 })
      const keys = [newKey(), newKey(), newKey(), newKey()] as const
      // Ends are told apart by the millisecond: as if a second lay between the calls.
      for (const [i, key] of keys.slice(0, 3).entries()) await set(store, key, 300, LONG_MS + i * 1_000)
      await store.touch([keys[0]], LONG_MS + 3_000)
      await set(store, keys[3], 300, LONG_MS + 4_000)
      expect(await present(keys)).toEqual([true, false, true, true])
      await set(store, keys[2], 700, LONG_MS + 5_000)
      expect(await present(keys)).toEqual([false, false, true, true])
    })

    it('counts a value once, and not after it was deleted, found missing or ran out', async () => {
      const store = storeOf({ maxBytes: 1_000 })
      const [a, b, c, d] = [newKey(), newKey(), newKey(), newKey()] as const
      for (let i = 0; i < 5; i++) await set(store, a, 400)
      await set(store, b, 400)
      expect(await present([a, b])).toEqual([true, true])
      await store.delete(a)
      await set(store, c, 500)
      expect(await present([b, c])).toEqual([true, true])
      await raw.del(c)
      await store.touch([c], LONG_MS)
      await set(store, a, 500)
      expect(await present([a, b])).toEqual([true, true])
      await store.delete(b)
      await set(store, b, 400, 50)
      await eventually(async () => !(await raw.exists(b)))
      await set(store, d, 500)
      expect(await present([a, d])).toEqual([true, true])
      expect(await raw.hget('ls1:{budget}:sizes', '')).toBe('1000')
      expect(await raw.zcard('ls1:{budget}:ends')).toBe(2)
    })

    it('keeps a value that is larger by itself out, and its older version too', async () => {
      const store = storeOf({ maxBytes: '1kb' })
      const [key, other] = [newKey(), newKey()]
      await set(store, key, 1_000)
      await set(store, key, 1_025)
      expect(await store.get(key)).toBeNull()
      await set(store, other, 1_024)
      expect((await store.get(other))?.length).toBe(1_024)
      expect(await store.setRecord(key, 1, randomBytes(1_025), LONG_MS)).toBe(false)
    })

    it('counts on where its keys were evicted one by one', async () => {
      const store = storeOf({ maxBytes: 1_000 })
      const [a, b, c] = [newKey(), newKey(), newKey()]
      await set(store, a, 900)
      await raw.del('ls1:{budget}:ends')
      await set(store, b, 900)
      await raw.del('ls1:{budget}:sizes')
      await set(store, c, 900)
      expect((await store.get(c))?.length).toBe(900)
    })

    it('holds under writers at once', async () => {
      const stores = [storeOf({ maxBytes: 5_000 }), storeOf({ maxBytes: 5_000 })]
      const keys = Array.from({ length: 60 }, newKey)
      await Promise.all(keys.map((key, i) => stores[i % 2]?.set(key, randomBytes(500), LONG_MS)))
      const kept = (await present(keys)).filter(Boolean).length
      expect(kept).toBeLessThanOrEqual(10)
      expect(kept).toBeGreaterThan(0)
    })
  })

  it('needs no more than the user of the docs may do', async () => {
    const page = await readFile(new URL('../../../docs/stores.md', import.meta.url), 'utf8')
    const rule = /```acl\nACL (SETUSER sitemap .+)\n```/.exec(page)?.[1]?.split(' ') ?? []
    await raw.call('ACL', rule)
    const auth = { username: 'sitemap', password: 'secret' }
    const address = { host: '127.0.0.1', port: server.port }
    const nodeRedis = createClient({ ...auth, url: server.url })
    nodeRedis.on('error', () => {})
    await nodeRedis.connect()
    const ioredis = new Redis({ ...auth, ...address })
    opened.push(
      () => nodeRedis.destroy(),
      () => ioredis.disconnect(),
    )
    for (const client of [nodeRedis, ioredis]) {
      const store = redisStore(client, { maxBytes: '1mb' })
      await eventually(() => store.ready())
      const [key, lease, fields] = [newKey(), newKey(), newKey()]
      let wakes = 0
      opened.push(await store.subscribe(() => wakes++))
      await store.set(key, randomBytes(3 * CHUNK), LONG_MS)
      await store.set(key, randomBytes(CHUNK), LONG_MS)
      await store.set(newKey(), randomBytes(3 * CHUNK + 1), LONG_MS)
      expect(await store.touch([key], LONG_MS)).toEqual([key])
      expect(await store.setRecord(key, 2, randomBytes(10), LONG_MS)).toBe(true)
      expect(await store.setRecord(key, 1, randomBytes(10), LONG_MS)).toBe(false)
      expect((await store.get(key))?.length).toBe(10)
      await store.setField(fields, 'a', '1', LONG_MS)
      expect((await store.getFields(fields)).get('a')).toBe('1')
      expect(await store.lock(lease, 'a', LONG_MS)).toBe(true)
      expect(await store.lock(lease, 'a', LONG_MS)).toBe(true)
      expect(await store.renew(lease, 'a', LONG_MS)).toBe(true)
      await store.unlock(lease, 'a')
      await store.delete(key)
      await eventually(async () => {
        await store.invalidate(['posts'])
        return wakes > 1
      }, 'two wake-ups')
      expect((await store.state()).tags.size).toBe(1)
    }
    const limited = openRedisStore(ioredis, {}, { tags: 1 })
    await limited.invalidate(['a', 'b'])
    expect((await limited.state()).tags.size).toBe(1)
  })

  it('forgets the lowest revisions past its own limit too', async () => {
    const store = openRedisStore(raw, {}, { tags: 3 })
    await store.invalidate(['a', 'b'])
    await store.invalidate(['c', 'd'])
    const state = await store.state()
    expect(state.floor).toBe(1)
    expect(state.tags.size).toBe(3)
  })
})
