/** The failure table of ENGINE section 5 on real servers and real processes: Redis is gone, was emptied, or evicts. */
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { expectCalm, firstOf, PATH as path, seen, stateIs } from './expectations.ts'
import { startLoad } from './instance.ts'
import { describeOnRedis } from './on-redis.ts'

describeOnRedis('a Redis that fails', (on) => {
  it('down at start: each works alone, and joins by itself when Redis comes up', async () => {
    const { server, source, start } = on()
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
    const { server, source, start } = on()
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
    const { server, source, start } = on()
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

  it('evicts: a record or a chunk that is missing is a miss, and is written again', async () => {
    const { server, source, start } = on()
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
})
