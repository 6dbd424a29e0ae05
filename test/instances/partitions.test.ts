/** Partitions are shelves of their own: each has its lease, and its record in the store. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'
import { type Instance, killInstances, type Source, startInstance, startSource } from './instance.ts'

const PARTITIONS = 2_000
const AT_ONCE = 8

describe.runIf(hasRedis())('a section in 2,000 partitions', { timeout: 240_000 }, () => {
  let server: RedisServer
  let source: Source
  beforeAll(async () => {
    server = await startRedis()
    source = await startSource({ partitions: PARTITIONS })
  })
  afterEach(killInstances)
  afterAll(async () => {
    await server?.stop()
    await source?.close()
  })

  it('that 3 instances are asked for at the same time is read once, partition by partition', async () => {
    const instances = await Promise.all(
      (['ioredis', 'node-redis', 'iovalkey'] as const).map((client) =>
        startInstance({ source: source.origin, store: { client, url: server.url }, partitioned: true }),
      ),
    )
    // The same way, at the same time: two that want a partition at once are what leases are for.
    const tags = await Promise.all(instances.map(crawl))
    expect(source.reads.size).toBe(PARTITIONS)
    const again = [...source.reads].filter(([, reads]) => reads !== 1)
    const late = await Promise.all(instances.map((one) => one.tell<number>('late')))
    // On a machine so busy that Redis answers too late, an instance goes on alone: once for a late answer, and never else.
    expect(again.length, `read again: ${again.join(' ')}; late answers: ${late}`).toBeLessThanOrEqual(
      late.reduce((sum, count) => sum + count, 0),
    )
    expect(tags[1]).toEqual(tags[0])
    expect(tags[2]).toEqual(tags[0])
  })
})

/** Asks for every part; their validators. */
async function crawl(one: Instance): Promise<readonly string[]> {
  const tags: string[] = []
  let next = 1
  const client = async (): Promise<void> => {
    while (next <= PARTITIONS) {
      const id = next++
      const { status, etag, lastModified } = await one.ask(`/sitemap-goods-${id}-1.xml`)
      tags[id] = `${status} ${etag} ${lastModified}`
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return tags
}
