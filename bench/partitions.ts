import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, forEach, pathsIn } from './ask.ts'
import type { Calls, MemoryUse, PartitionsOrder } from './children/partitions-app.ts'
import { readFlags } from './flags.ts'
import {
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  megabytes,
  milliseconds,
  percent,
  quantile,
  summarise,
  table,
  timed,
  whole,
} from './measure.ts'
import { loaderRss } from './memory.ts'
import { type BenchProcess, startProcess } from './processes.ts'

export type PartitionsApp = BenchProcess<{ readonly port: number }>

const FEWEST = 50

/** Row 6 of the budgets. */
export async function benchPartitions(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['partitions', 'size', 'connections', 'rounds'])
  const order: PartitionsOrder = {
    partitions: flags.number('partitions', flags.quick ? 100 : 2_000),
    size: flags.number('size', 50_000),
  }
  if (order.partitions < FEWEST) throw new Error(`--partitions: at least ${FEWEST}, so that some stay unread`)
  // A crawler's; `--connections=2000` asks for all parts at once.
  const connections = flags.number('connections', 8)
  const rounds = flags.number('rounds', flags.quick ? 3 : 11)

  const loader = await loaderRss()
  const indexes = await measureIndex(order, rounds)
  const part = await inApp(order, 1, (app, client) => measureParts(app, client, rounds))
  // Its memory is that of a process which was asked nothing before.
  return inApp(order, connections, async (app, client) => {
    const faults = [...indexes.faults]
    const { paths } = await takeIndex(client)
    const crawl = await measureCrawl(app, client, paths, connections)
    if (crawl.calls.reads !== order.partitions)
      faults.push(`the crawl read ${crawl.calls.reads} partitions of ${order.partitions}`)
    // A partition rests for 20 times what its last read took: what changes sooner is not read yet, as it should be.
    await sleep(REST_PER_READ * Math.max(crawl.slowestChanged, part.highest.cold))
    const refresh = await measureRefresh(app, client, paths, crawl.tags, connections)
    if (refresh.reads !== CHANGED.length)
      faults.push(`a refresh with ${CHANGED.length} changed partitions read ${refresh.reads}`)
    if (refresh.moved !== CHANGED.length)
      faults.push(`${refresh.moved} validators moved where ${CHANGED.length} partitions had changed`)
    return {
      valid: controlHolds(part.control, part.provider),
      faults,
      lines: [
        `### Row 6: ${whole(order.partitions * order.size)} entries in ${whole(order.partitions)} partitions of ${whole(order.size)}, default options`,
        '',
        ...table(
          ['what', 'median', 'spread', 'highest', 'budget'],
          [
            row('cold index, a new process each time', indexes.cold, indexes.highest, '≤ 1,000 ms'),
            row('a partition by its provider alone', part.provider, part.highest.provider, ''),
            row('one cold part', part.cold, part.highest.cold, ''),
            row('its provider again (control)', part.control, part.highest.control, ''),
            [
              'one cold part beside its provider',
              milliseconds(part.cold.median - part.provider.median),
              '',
              '',
              '≤ 1,000 ms',
            ],
          ],
        ),
        '',
        ...table(
          ['crawl of all parts', ''],
          [
            ['connections, parts a second', `${connections}, ${crawl.rate.toFixed(1)}`],
            ['answered 503, asked again after Retry-After', whole(crawl.unavailable)],
            ['RSS of the loader of the bench, taken off below', megabytes(loader)],
            ['RSS before', megabytes(crawl.before - loader)],
            ['RSS, peak (budget: 300 MB)', megabytes(crawl.peak - loader)],
            ['RSS after, all collected', megabytes(crawl.after - loader)],
            ['memory by the report, highest', `${megabytes(crawl.used)} of ${megabytes(crawl.limit)}`],
            ['calls: lists, reads', `${crawl.calls.lists}, ${crawl.calls.reads}`],
            [
              `refresh with ${CHANGED.length} changed partitions: reads, validators that moved`,
              `${refresh.reads}, ${refresh.moved}`,
            ],
            ['second crawl, parts a second', refresh.rate.toFixed(1)],
          ],
        ),
        '',
        `Index: ${whole(indexes.bytes)} bytes from ${indexes.calls.lists} list and ${indexes.calls.reads} reads.`,
        '',
        `A cold index in ${milliseconds(indexes.cold.median)} (budget: 1,000), a cold part in ${milliseconds(part.cold.median - part.provider.median)} beside its provider (budget: 1,000), RSS at most ${megabytes(crawl.peak - loader)} (budget: 300 MB), ${refresh.reads} reads where ${CHANGED.length} partitions changed.`,
      ],
    }
  })
}

async function inApp<T>(
  order: PartitionsOrder,
  connections: number,
  ask: (app: PartitionsApp, client: Client) => Promise<T>,
): Promise<T> {
  const app: PartitionsApp = await startProcess('partitions-app', order)
  const client = createClient(app.started.port, connections)
  try {
    return await ask(app, client)
  } finally {
    client.close()
    await app.end()
  }
}

function row(name: string, measured: Measured, highest: number, budget: string): string[] {
  return [name, milliseconds(measured.median), percent(measured.spread), milliseconds(highest), budget]
}

/** The index of a process that was asked nothing before: from the request to its last byte. */
export async function measureIndex(
  order: PartitionsOrder,
  rounds: number,
): Promise<{
  readonly cold: Measured
  readonly highest: number
  readonly bytes: number
  readonly calls: Calls
  readonly memory: MemoryUse
  readonly growth: number
  readonly faults: readonly string[]
}> {
  const times: number[] = []
  let bytes = 0
  let calls: Calls = { lists: 0, reads: 0 }
  let memory: MemoryUse = { rss: 0, peak: 0, used: 0, limit: 0 }
  let growth = 0
  for (let round = 0; round < rounds; round++) {
    const app: PartitionsApp = await startProcess('partitions-app', order)
    const client = createClient(app.started.port, 1)
    try {
      const before = await app.ask<number>('settle')
      times.push(
        await timed(async () => {
          bytes = (await takeIndex(client)).bytes
        }),
      )
      calls = await app.ask<Calls>('calls')
      memory = await app.ask<MemoryUse>('memory')
      growth = Math.max(growth, memory.peak - before)
    } finally {
      client.close()
      await app.end()
    }
  }
  const faults =
    calls.lists === 1 && calls.reads === 0
      ? []
      : [`a cold index took ${calls.lists} lists and ${calls.reads} reads: expected 1 and 0`]
  return { cold: summarise('', times), highest: Math.max(...times), bytes, calls, memory, growth, faults }
}

async function takeIndex(client: Client): Promise<{ readonly paths: string[]; readonly bytes: number }> {
  const { status, body } = await client.ask('/sitemap_index.xml', { 'accept-encoding': 'identity' })
  if (status !== 200) throw new Error(`the index answered ${status}`)
  return { paths: pathsIn(body.toString()), bytes: body.length }
}

/** Parts that were never read, and the provider alone, in turn. */
async function measureParts(app: PartitionsApp, client: Client, rounds: number) {
  const { paths } = await takeIndex(client)
  let next = 0
  const samples: Record<'provider' | 'cold' | 'control', number[]> = { provider: [], cold: [], control: [] }
  const [provider, cold, control] = (await measureInTurn(
    [
      keeping('provider', () => app.ask<number>('provider', 0)),
      keeping('cold', () =>
        timed(async () => {
          const path = paths[next++]
          if (path === undefined) throw new Error('there are fewer partitions than rounds')
          const { status } = await client.ask(path)
          if (status !== 200) throw new Error(`${path} answered ${status}`)
        }),
      ),
      keeping('control', () => app.ask<number>('provider', 0)),
    ],
    rounds,
    2,
  )) as [Measured, Measured, Measured]
  const highest = (of: keyof typeof samples): number => quantile(samples[of], 1)
  return {
    provider,
    cold,
    control,
    highest: { provider: highest('provider'), cold: highest('cold'), control: highest('control') },
  }

  function keeping(name: keyof typeof samples, measure: () => Promise<number>) {
    return {
      name,
      async once() {
        const value = await measure()
        samples[name].push(value)
        return value
      },
    }
  }
}

/** Every part once, as a crawler takes them. */
async function measureCrawl(
  app: PartitionsApp,
  client: Client,
  paths: readonly string[],
  connections: number,
) {
  const before = await app.ask<number>('settle')
  let used = 0
  let over = false
  const watching = (async () => {
    while (!over) {
      used = Math.max(used, (await app.ask<MemoryUse>('memory')).used)
      await sleep(500)
    }
  })()
  const { tags, took, unavailable, ms } = await crawl(client, paths, connections)
  over = true
  await watching
  const { peak, limit } = await app.ask<MemoryUse>('memory')
  return {
    tags,
    slowestChanged: Math.max(...CHANGED.map((index) => took.get(paths[index] ?? '') ?? 0)),
    unavailable,
    rate: (paths.length / ms) * 1_000,
    before,
    peak,
    used,
    limit,
    after: await app.ask<number>('settle'),
    calls: await app.ask<Calls>('calls'),
  }
}

async function crawl(client: Client, paths: readonly string[], connections: number) {
  const tags = new Map<string, string | undefined>()
  const took = new Map<string, number>()
  let unavailable = 0
  const ms = await timed(() =>
    forEach(paths, connections, async (path) => {
      for (;;) {
        const asked = performance.now()
        const { status, headers } = await client.ask(path)
        if (status === 200) {
          tags.set(path, headers.etag)
          took.set(path, performance.now() - asked)
          return
        }
        const retryAfter = Number(headers['retry-after'])
        if (status !== 503 || !(retryAfter > 0)) throw new Error(`${path} answered ${status}`)
        unavailable++
        await sleep(retryAfter * 1_000)
      }
    }),
  )
  return { tags, took, unavailable, ms }
}

const REST_PER_READ = 20

const SETTLED_MS = 5_000

/** Indexes of the partitions that change between two crawls. */
const CHANGED = [0, 7, 42]

async function measureRefresh(
  app: PartitionsApp,
  client: Client,
  paths: readonly string[],
  tags: ReadonlyMap<string, string | undefined>,
  connections: number,
) {
  const before = await app.ask<Calls>('calls')
  await app.ask('change', CHANGED)
  const again = await crawl(client, paths, connections)
  // A request waits for `cache.wait` and then gets last good: the next one gets what was read meanwhile.
  await sleep(SETTLED_MS)
  const { tags: later } = await crawl(client, paths, connections)
  const { reads } = await app.ask<Calls>('calls')
  return {
    reads: reads - before.reads,
    moved: paths.filter((path) => later.get(path) !== tags.get(path)).length,
    rate: (paths.length / again.ms) * 1_000,
  }
}
