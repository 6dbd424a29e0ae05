/** The failure table of ENGINE section 5 on real servers and real processes: requests go on, whatever becomes of Redis. */
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'
import { expectCalm, firstOf, PATH as path, seen, stateIs } from './expectations.ts'
import {
  type ClientName,
  type Instance,
  type InstanceOrder,
  killInstances,
  type Source,
  startInstance,
  startLoad,
  startSource,
  tooOften,
} from './instance.ts'
import { startProxy } from './proxy.ts'

let source: Source
beforeEach(async () => {
  source = await startSource()
})
afterEach(async () => {
  await killInstances()
  await source.close()
})

describe.runIf(hasRedis())('a Redis that fails', { timeout: 90_000 }, () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())
  beforeEach(() => server.restart())

  function start(
    clients: readonly ClientName[],
    url = server.url,
    more: Partial<InstanceOrder> = {},
  ): Promise<Instance[]> {
    return Promise.all(
      clients.map((client) => startInstance({ source: source.origin, store: { client, url }, ...more })),
    )
  }

  it('down at start: each works alone, and joins by itself when Redis comes up', async () => {
    await server.kill()
    const instances = await start(['ioredis', 'node-redis'])
    const load = startLoad(instances)
    await load.more(40)
    expect(source.walks).toBe(2)
    await stateIs('down', instances)
    await server.restart()
    await stateIs('up', instances)
    source.edit('b')
    await instances[1]?.tell('invalidate', 'posts')
    await seen('b', instances)
    await load.stop()
    expectCalm(load, instances)
    expect(source.walks).toBe(3)
  })

  it('killed, restarted empty, then hung and back: no request fails, invalidations wait in the outbox', async () => {
    const instances = await start(['ioredis6', 'node-redis'])
    const [a, b] = instances
    await Promise.all(instances.map((one) => one.ask('/ready')))
    expect(source.walks).toBe(1)
    const load = startLoad(instances)
    await load.more(20)

    await server.kill()
    await load.more(60)
    source.edit('killed')
    await a?.tell('invalidate', 'posts')
    expect([await firstOf(a), await firstOf(b)]).toEqual(['/killed-1', '/a-1'])
    await server.restart()
    await seen('killed', instances)
    await stateIs('up', instances)

    server.pause()
    await load.more(60)
    source.edit('hung')
    await b?.tell('invalidate', 'posts')
    expect([await firstOf(a), await firstOf(b)]).toEqual(['/killed-1', '/hung-1'])
    await load.more(60)
    server.resume()
    await seen('hung', instances)
    await stateIs('up', instances)

    await load.stop()
    expectCalm(load, instances)
    // The first, and for each edit one, then at most one by each: it is told after it was read, so nobody can know that it is in.
    expect(source.walks).toBeLessThanOrEqual(1 + 2 * (1 + instances.length))
  })

  it('restarted empty: it is filled from what is published, without a walk, and a new instance starts from it', async () => {
    const instances = await start(['ioredis', 'iovalkey'])
    await Promise.all(instances.map((one) => one.ask('/ready')))
    const first = await instances[0]?.ask(path)
    const load = startLoad(instances)
    await server.restart()
    const redis = new Redis(server.url)
    try {
      await eventually(async () => (await redis.keys('ls1:*:r:*')).length === 1, 'the record')
      await eventually(async () => (await redis.keys('ls1:*:l')).length === 0, 'leases to be given back')
    } finally {
      redis.disconnect()
    }
    const [late] = await start(['node-redis'])
    expect(await late?.ask(path)).toEqual(first)
    await load.stop()
    expectCalm(load, instances)
    expect(source.walks).toBe(1)
  })

  it('slow: requests do not wait for it, and it is used again when it is quick', async () => {
    const proxy = await startProxy(server.port)
    try {
      const instances = await start(['ioredis', 'node-redis'], `redis://127.0.0.1:${proxy.port}`)
      const [a] = instances
      await Promise.all(instances.map((one) => one.ask('/ready')))
      const load = startLoad(instances)
      proxy.delay = 1_000
      await load.more(40)
      source.edit('slow')
      await a?.tell('invalidate', 'posts')
      await load.more(40)
      await stateIs('down', instances.slice(0, 1))
      expect(await firstOf(a)).toBe('/slow-1')
      proxy.delay = 0
      await seen('slow', instances)
      await stateIs('up', instances)
      await load.stop()
      expectCalm(load, instances)
    } finally {
      await proxy.close()
    }
  })

  it('full (OOM): no outage, reads go on; what was refused is told when there is room', async () => {
    const instances = await start(['ioredis', 'node-redis'])
    const [a, b] = instances
    await Promise.all(instances.map((one) => one.ask('/ready')))
    const redis = new Redis(server.url)
    const load = startLoad(instances)
    try {
      await redis.config('SET', 'maxmemory', '1')
      source.edit('full')
      await a?.tell('invalidate', 'posts')
      expect([await firstOf(a), await firstOf(b)]).toEqual(['/full-1', '/a-1'])
      await load.more(60)
      expect((await a?.report())?.store.state).toBe('refusing')
      await redis.config('SET', 'maxmemory', '0')
      await seen('full', instances)
    } finally {
      redis.disconnect()
      await load.stop()
    }
    expectCalm(load, instances)
  })

  it('evicts: a record or a chunk that is missing is a miss, and is written again', async () => {
    const [a] = await start(['ioredis'])
    await a?.ask('/ready')
    const redis = new Redis(server.url)
    try {
      for (const gone of ['ls1:*:b:*', 'ls1:*:r:*']) {
        await eventually(
          async () =>
            (await redis.keys('ls1:*:r:*')).length === 1 && (await redis.keys('ls1:*:l')).length === 0,
        )
        // Everything but what is written now goes.
        const keys = await redis.keys(gone)
        expect(keys.length).toBeGreaterThan(0)
        await redis.del(...keys)
        const walks = source.walks
        const [late] = await start(['node-redis'])
        expect(await firstOf(late)).toBe('/a-1')
        expect(source.walks).toBe(walks + 1)
        await late?.stop()
      }
    } finally {
      redis.disconnect()
    }
  })

  it('hung, with 2,000 requests and invalidations: what waits in the clients stays bounded', async () => {
    const instances = await start(['ioredis', 'node-redis'])
    await Promise.all(instances.map((one) => one.ask('/ready')))
    const waiting = () => Promise.all(instances.map((one) => one.tell<number>('waiting')))
    let most = 0
    server.pause()
    for (let i = 0; i < 12; i++) {
      const told = instances.map((one) => one.tell('invalidateOften', 'posts'))
      const asked = instances.flatMap((one) => Array.from({ length: 90 }, () => one.ask(path)))
      expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
      most = Math.max(most, ...(await waiting()))
      await Promise.all(told)
      most = Math.max(most, ...(await waiting()))
    }
    // What was asked before the breaker opened, and each of its tries.
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(16)
    server.resume()
    await stateIs('up', instances)
    await eventually(async () => (await waiting()).every((count) => count === 0), 'empty queues')
    for (const { lines } of instances) expect(tooOften(lines)).toEqual([])
  })
})
