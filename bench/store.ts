/**
 * What the shared store costs: an answer from Redis against one from memory and one from the provider, a start from it
 * against a cold one, and the memory that Redis needs. Skipped where there is no redis-server.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Engine, SharedStore } from '../src/index.ts'
import { hasRedis, startRedis } from '../test/support/redis.ts'
import { drain, SILENT, take } from './engine.ts'
import { ORIGIN, type Row, streamRows } from './entries.ts'
import { readFlags } from './flags.ts'
import { createEngine, defineProvider, redisStore, resolveOptions } from './library.ts'
import {
  type Candidate,
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  megabytes,
  milliseconds,
  percent,
  ratio,
  table,
  timed,
  whole,
} from './measure.ts'

const PART = '/sitemap-goods-1-1.xml'

export async function benchStore(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['rounds', 'entries', 'parts'])
  const rounds = flags.number('rounds', flags.quick ? 3 : 15)
  const entries = flags.number('entries', flags.quick ? 5_000 : 50_000)
  const parts = flags.number('parts', flags.quick ? 2 : 20)
  if (!hasRedis()) return { valid: true, lines: ['*Skipped: redis-server is not on PATH.*'] }
  const server = await startRedis()
  const redis = new Redis(server.url)
  try {
    const store = redisStore(redis)
    const times = await measureTimes(redis, store, entries, rounds)
    const memory = await measureMemory(redis, store, entries, parts)
    return { ...times, lines: [...times.lines, '', ...memory] }
  } finally {
    redis.disconnect()
    await server.stop()
  }
}

/** A section as a whole, and the same entries as a partition. */
function open(entries: number, calls: { reads: number }, store?: SharedStore): Engine {
  const rows = (): AsyncGenerator<Row> => {
    calls.reads++
    return streamRows(entries)
  }
  const options = resolveOptions({
    site: { url: ORIGIN },
    providers: {
      blog: rows,
      goods: defineProvider({
        partitions: () => [{ id: '1', version: 1, count: entries }],
        entries: () => rows(),
        formats: ['xml'],
      }),
    },
    routes: { html: false, txt: false, rss: false },
    cache: { memory: '256mb', ...(store === undefined ? {} : { store }) },
    warmUp: false,
  })
  return createEngine(options, { log: SILENT })
}

async function measureTimes(
  redis: Redis,
  store: SharedStore,
  entries: number,
  rounds: number,
): Promise<Finding> {
  const walked = { reads: 0 }
  const first = open(entries, walked, store)
  for (const path of ['/sitemap-blog-1.xml', PART]) await take(first, path, 'gzip')
  await stored(redis, 3)

  const warm = { reads: 0 }
  const onceFresh =
    (path: string, calls: { reads: number }, from?: SharedStore) => async (): Promise<number> => {
      const engine = open(entries, calls, from)
      const ms = await timed(() => drain(engine, path, 'gzip'))
      await engine.close()
      return ms
    }
  const cold = { reads: 0 }
  const hit: Candidate = { name: 'kept by the process', once: () => timed(() => drain(first, PART, 'gzip')) }
  const candidates: readonly Candidate[] = [
    hit,
    {
      name: 'started from Redis, first answer: a section',
      once: onceFresh('/sitemap-blog-1.xml', warm, store),
    },
    { name: 'started cold, first answer: a section', once: onceFresh('/sitemap-blog-1.xml', cold) },
    { name: 'a partition from Redis', once: onceFresh(PART, warm, store) },
    { name: 'a partition from its provider', once: onceFresh(PART, cold) },
    { name: 'a partition from its provider again (control)', once: onceFresh(PART, cold) },
  ]
  const all = await measureInTurn(candidates, rounds, 2)
  await first.close()
  const [, , , , provider, control] = all
  if (provider === undefined || control === undefined) throw new Error('nothing was measured')
  const row = (one: Measured): string[] => [
    one.name,
    milliseconds(one.median),
    percent(one.spread),
    ratio(one, provider),
  ]
  return {
    valid: controlHolds(control, provider),
    // What starts from the store asks no provider.
    faults: warm.reads === 0 ? [] : [`${warm.reads} reads of the provider where the store has it`],
    lines: [
      `### The first answer of an instance: ${whole(entries)} entries, gzip, ${rounds} rounds`,
      '',
      ...table(['from', 'median', 'spread', 'against the provider'], all.map(row)),
    ],
  }
}

/** All that the engines write is there, and no lease is held any more. */
async function stored(redis: Redis, records: number): Promise<void> {
  for (;;) {
    const keys = await redis.keys('ls1:*')
    if (
      keys.filter((key) => /:r:[^:]+$/.test(key)).length >= records &&
      !keys.some((key) => key.endsWith(':l'))
    )
      return
    await sleep(20)
  }
}

async function measureMemory(
  redis: Redis,
  store: SharedStore,
  entries: number,
  parts: number,
): Promise<string[]> {
  const rows: string[][] = []
  for (const [name, formats] of [
    ['XML alone', ['xml']],
    ['all formats', ['xml', 'txt', 'html']],
  ] as const) {
    await redis.flushall()
    const options = resolveOptions({
      site: { url: ORIGIN },
      providers: { blog: { entries: () => streamRows(entries * parts), formats: [...formats] } },
      cache: { memory: '256mb', store },
      deadline: '10m',
      warmUp: false,
    })
    const engine = createEngine(options, { log: SILENT })
    await take(engine, '/sitemap_index.xml', 'gzip')
    await stored(redis, 1)
    const bytes = await usedByKeys(redis)
    await engine.close()
    rows.push([name, megabytes(bytes), (bytes / (entries * parts)).toFixed(1), String(await redis.dbsize())])
  }
  return [
    `### Memory of Redis: ${whole(entries * parts)} plain entries in ${parts} parts`,
    '',
    ...table(['formats', 'memory', 'bytes an entry', 'keys'], rows),
  ]
}

/** What all keys take, as Redis counts it: their own overhead is in it. */
async function usedByKeys(redis: Redis): Promise<number> {
  let bytes = 0
  for (const key of await redis.keys('*')) bytes += (await redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0
  return bytes
}
