/** A cluster of real servers that loses its nodes, one after the other. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasRedis, startCluster } from '../support/redis.ts'
import { expectCalm, firstOf, seen } from './expectations.ts'
import { killInstances, type Source, startInstance, startLoad, startSource } from './instance.ts'

let source: Source
beforeEach(async () => {
  source = await startSource()
})
afterEach(async () => {
  await killInstances()
  await source.close()
})

describe.runIf(hasRedis())('a cluster that loses a node', { timeout: 120_000 }, () => {
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
        source.edit(`lost${i}`)
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
