/** The failure table of ENGINE section 5 on real servers and real processes: requests go on, whatever becomes of Redis. */
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hasRedis, type RedisServer, startCluster, startRedis } from '../support/redis.ts'
import {
  type ClientName,
  type Instance,
  type InstanceOrder,
  killInstances,
  type Load,
  p99,
  pathsOf,
  type Source,
  startInstance,
  startLoad,
  startSource,
  tooOften,
} from './instance.ts'
import { startProxy } from './proxy.ts'

const path = '/sitemap.xml'
const DEADLINE_MS = 10_000
const isThere = hasRedis()

let source: Source
beforeEach(async () => {
  source = await startSource()
})
afterEach(async () => {
  await killInstances()
  await source.close()
})

/** The first path that an instance serves. */
async function firstOf(one: Instance | undefined): Promise<string | undefined> {
  return pathsOf((await one?.ask(path))?.text ?? '')[0]
}

function edit(name: string): void {
  source.set({ name, count: 100 })
}

/** Waits until every instance serves the edit. */
async function seen(name: string, instances: readonly Instance[]): Promise<void> {
  for (const one of instances)
    await eventually(async () => (await firstOf(one)) === `/${name}-1`, `the edit "${name}" everywhere`)
}

async function stateIs(state: string, instances: readonly Instance[]): Promise<void> {
  for (const one of instances)
    await eventually(async () => (await one.report()).store.state === state, `the store to be ${state}`)
}

function expectCalm(load: Load, instances: readonly Instance[]): void {
  expect(load.failures).toEqual([])
  expect(p99(load.durations)).toBeLessThan(DEADLINE_MS)
  for (const { lines } of instances) expect(tooOften(lines)).toEqual([])
}

describe.runIf(isThere)('a Redis that fails', { timeout: 90_000 }, () => {
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
    edit('b')
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
    edit('killed')
    await a?.tell('invalidate', 'posts')
    expect([await firstOf(a), await firstOf(b)]).toEqual(['/killed-1', '/a-1'])
    await server.restart()
    await seen('killed', instances)
    await stateIs('up', instances)

    server.pause()
    await load.more(60)
    edit('hung')
    await b?.tell('invalidate', 'posts')
    expect([await firstOf(a), await firstOf(b)]).toEqual(['/killed-1', '/hung-1'])
    await load.more(60)
    server.resume()
    await seen('hung', instances)
    await stateIs('up', instances)

    await load.stop()
    expectCalm(load, instances)
    // The first, one for each edit, and one by the other instance where it was told of an edit that the store had not.
    expect(source.walks).toBeLessThanOrEqual(5)
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
      edit('slow')
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
      edit('full')
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

  it('a lease whose holder died runs out: the other gets 503 until then, and reads', async () => {
    source.set('held')
    const [a, b] = await start(['ioredis', 'node-redis'], server.url, {
      more: { warmUp: false, deadline: '2s' },
    })
    void a?.ask(path).catch(() => {})
    await eventually(() => source.walks === 1)
    const waiting = b?.ask(path)
    await a?.kill()
    source.set({ name: 'b', count: 100 })
    expect((await waiting)?.status).toBe(503)
    await eventually(async () => (await b?.ask(path))?.status === 200, 'the lease to run out', 30_000)
    expect(source.walks).toBe(2)
  })

  it('hung, with 2,000 requests and as many invalidations: what waits in the clients stays bounded', async () => {
    const instances = await start(['ioredis', 'node-redis'])
    const [a] = instances
    await Promise.all(instances.map((one) => one.ask('/ready')))
    const heaps = () => Promise.all(instances.map((one) => one.tell<number>('heap')))
    const burden = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) {
        const told = instances.map((one) => one.tell('invalidateOften', 'posts'))
        const asked = instances.flatMap((one) => Array.from({ length: 100 }, () => one.ask(path)))
        expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
        await Promise.all(told)
        mostWaiting = Math.max(mostWaiting, (await a?.tell<number>('waiting')) ?? Number.POSITIVE_INFINITY)
      }
    }
    let mostWaiting = 0
    server.pause()
    await burden()
    const before = await heaps()
    await burden()
    const after = await heaps()
    // What was asked before the breaker opened, and each of its tries.
    expect(mostWaiting).toBeLessThan(30)
    for (const [i, bytes] of after.entries()) expect(bytes - (before[i] ?? 0)).toBeLessThan(4e6)
    server.resume()
    await stateIs('up', instances)
    await eventually(async () => (await a?.tell<number>('waiting')) === 0, 'an empty queue')
    for (const { lines } of instances) expect(tooOften(lines)).toEqual([])
  })
})

describe.runIf(isThere)('a cluster that loses a node', { timeout: 120_000 }, () => {
  it('whichever it is: no request fails, and all see the next invalidation when it is back', async () => {
    const cluster = await startCluster()
    try {
      const ports = cluster.nodes.map(({ port }) => port)
      const instances = await Promise.all(
        (['ioredis', 'node-redis', 'iovalkey'] as const).map((client) =>
          startInstance({ source: source.origin, store: { client, ports } }),
        ),
      )
      await Promise.all(instances.map((one) => one.ask('/ready')))
      expect(source.walks).toBe(1)
      const load = startLoad(instances)
      for (const [i, node] of cluster.nodes.entries()) {
        await node.kill()
        await load.more(60)
        const by = instances[i]
        edit(`lost${i}`)
        await by?.tell('invalidate', 'posts')
        expect(await firstOf(by)).toBe(`/lost${i}-1`)
        await node.restart()
        await seen(`lost${i}`, instances)
      }
      await load.stop()
      expectCalm(load, instances)
    } finally {
      await cluster.stop()
    }
  })
})
