/** The failure table of ENGINE section 5 on real servers and real processes: Redis is there, and is slow, full or hung. */
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { expectCalm, firstOf, PATH as path, seen, stateIs } from './expectations.ts'
import { startLoad, tooOften } from './instance.ts'
import { describeOnRedis } from './on-redis.ts'
import { startProxy } from './proxy.ts'

describeOnRedis('a Redis that is', (on) => {
  it('slow: requests do not wait for it, and it is used again when it is quick', async () => {
    const { server, source, start } = on()
    const proxy = await startProxy(server.port)
    try {
      const instances = await start(['ioredis', 'node-redis'], {
        url: `redis://127.0.0.1:${proxy.port}`,
      })
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
    const { server, source, start } = on()
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

  it('hung, with 2,000 requests and invalidations: what waits in the clients stays bounded', async () => {
    const { server, start } = on()
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
