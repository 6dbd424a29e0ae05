import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, pathsIn } from './ask.ts'
import type { Delay } from './children/app.ts'
import type { Latency, Pace } from './children/paced-client.ts'
import { readFlags } from './flags.ts'
import {
  type Candidate,
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  median,
  milliseconds,
  percent,
  ratio,
  table,
  whole,
} from './measure.ts'
import { type BenchProcess, startProcess } from './processes.ts'

interface Seen {
  readonly latency: Latency
  readonly delay: Delay
}

/** Row 5 of the budgets. */
export async function benchBeside(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['entries', 'rounds', 'rate', 'seconds'])
  const entries = flags.number('entries', flags.quick ? 200_000 : 1_000_000)
  const rounds = flags.number('rounds', flags.quick ? 1 : 7)
  const rate = flags.number('rate', 500)
  const idleMs = flags.number('seconds', flags.quick ? 2 : 10) * 1_000

  const app = await startProcess<{ readonly port: number }>('app', { entries })
  const load = await startProcess('paced-client')
  const { port } = app.started
  // A crawler takes one document after the other.
  const crawler = createClient(port, 1)
  try {
    const seen = new Map<string, Seen[]>()
    const walk = (): Promise<unknown> => app.ask('walk')
    const candidate = (
      name: string,
      beside: () => Promise<unknown>,
      before?: () => Promise<unknown>,
    ): Candidate => ({
      name,
      async once() {
        await before?.()
        const one = await watch(app, load, { port, path: '/own', rate }, beside)
        seen.set(name, [...(seen.get(name) ?? []), one])
        return one.latency.p99
      },
    })
    const all = await measureInTurn(
      [
        candidate('idle', () => sleep(idleMs)),
        candidate(`beside a walk of ${whole(entries)} and all parts gzip'd`, async () => {
          await walk()
          await takeAll(crawler, 'gzip')
        }),
        // Of new parts: what was rendered before lies in the cache.
        candidate('beside a crawl of all parts, plain', () => takeAll(crawler, 'identity'), walk),
        candidate('beside a crawl of all parts, brotli', () => takeAll(crawler, 'br'), walk),
        candidate('idle again (control)', () => sleep(idleMs)),
      ],
      rounds,
      1,
    )
    const idle = all[0] as Measured
    const beside = all[1] as Measured
    const control = all.at(-1) as Measured
    const of = (measured: Measured, figure: (one: Seen) => number): readonly number[] =>
      // The first of each is the warm-up's.
      (seen.get(measured.name) ?? []).slice(1).map(figure)
    const mid = (measured: Measured, figure: (one: Seen) => number): number => median(of(measured, figure))
    const worst = Math.max(...of(beside, ({ delay }) => delay.max))
    const failed = [...seen.values()].flat().reduce((sum, { latency }) => sum + latency.failed, 0)
    return {
      valid: controlHolds(control, idle),
      faults: failed === 0 ? [] : [`${failed} requests of the app's own route were not answered with 200`],
      lines: [
        `### Row 5: the app's own route at ${whole(rate)} requests a second, ${rounds} rounds`,
        '',
        ...table(
          ['what', 'p50', 'p99', 'spread', 'p99 against idle', 'loop late: p99', 'max', 'requests'],
          all.map((measured) => [
            measured.name,
            milliseconds(mid(measured, ({ latency }) => latency.p50)),
            milliseconds(measured.median),
            percent(measured.spread),
            ratio(measured, idle),
            milliseconds(mid(measured, ({ delay }) => delay.p99)),
            milliseconds(mid(measured, ({ delay }) => delay.max)),
            whole(mid(measured, ({ latency }) => latency.sent)),
          ]),
        ),
        '',
        `Beside the walk: p99 ${ratio(beside, idle)} × idle (budget: 2), the loop late by ${milliseconds(mid(beside, ({ delay }) => delay.p99))} at p99 (budget: 10) and ${milliseconds(worst)} at most in all rounds (budget: 25).`,
      ],
    }
  } finally {
    crawler.close()
    await Promise.all([app.end(), load.end()])
  }
}

/** Until the client's connections are open and its code is compiled: what it is late by then is not the app's. */
const WARM_UP_MS = 1_000

async function watch(
  app: BenchProcess<unknown>,
  load: BenchProcess<unknown>,
  pace: Pace,
  beside: () => Promise<unknown>,
): Promise<Seen> {
  await load.ask('begin', pace)
  await sleep(WARM_UP_MS)
  await load.ask('count')
  await app.ask('watch')
  await beside()
  const delay = await app.ask<Delay>('watched')
  return { delay, latency: await load.ask<Latency>('end') }
}

/** One crawl of the index and all it names. */
async function takeAll(crawler: Client, coding: string): Promise<void> {
  const index = await crawler.ask('/sitemap_index.xml', { 'accept-encoding': 'identity' })
  if (index.status !== 200) throw new Error(`the index answered ${index.status}`)
  for (const path of pathsIn(index.body.toString())) {
    const { status } = await crawler.ask(path, { 'accept-encoding': coding })
    if (status !== 200) throw new Error(`${path} answered ${status}`)
  }
}
