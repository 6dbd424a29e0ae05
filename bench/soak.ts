import type { SoakOrder, SoakSample } from './children/soak-app.ts'
import { readFlags } from './flags.ts'
import { type Finding, megabytes, table, whole } from './measure.ts'
import { type BenchProcess, startProcess } from './processes.ts'
import { createRandom } from './random.ts'
import { createTraffic } from './soak-traffic.ts'

/** What may have come to memory since the warm-up. */
const GROWTH = 1.1
/** Edits a second. */
const EDITS = 3

/** Whether a process ends with the memory it began with, whatever is done to it. */
export async function benchSoak(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['minutes', 'seed'])
  const minutes = flags.number('minutes', flags.quick ? 1 : 10)
  const seed = flags.number('seed', Math.floor(Date.now() % 1e6) + 1)
  // A sample a minute; of a short run at least five.
  const rounds = Math.max(5, Math.round(minutes))
  const warmUp = Math.ceil(rounds / 5)
  const roundMs = (minutes * 60_000) / rounds

  const order: SoakOrder = { seed }
  const app = await startProcess<{ readonly port: number }>('soak-app', order)
  try {
    const traffic = createTraffic(app.started.port, createRandom(seed))
    const samples: SoakSample[] = []
    for (let round = 0; round < rounds; round++) {
      const editing = setInterval(() => void app.ask('edit').catch(ignore), 1_000 / EDITS)
      await traffic.run(roundMs)
      clearInterval(editing)
      samples.push(await sampleOf(app))
      console.error(`soak: ${round + 1} of ${rounds}, ${traffic.requests} requests`)
    }
    const base = samples[warmUp - 1] as SoakSample
    const end = samples.at(-1) as SoakSample
    return {
      valid: true,
      faults: [...memoryFaults(base, end), ...otherFaults(end), ...traffic.faults],
      lines: [
        `### ${minutes} minutes of everything at once, seed ${seed}: ${whole(traffic.requests)} requests, ${whole(end.calls)} calls of providers, ${whole(end.failures)} of them made to fail`,
        '',
        ...table(
          ['minute', 'RSS', 'heap, all collected', 'buffers', 'memory by the reports', 'open handles'],
          samples.map((sample, i) => [
            `${(((i + 1) * roundMs) / 60_000).toFixed(1)}${i + 1 === warmUp ? ' (warmed up)' : ''}`,
            megabytes(sample.rss),
            megabytes(sample.heapUsed),
            megabytes(sample.buffers),
            `${megabytes(sample.used)} of ${megabytes(sample.limit)}`,
            listed(sample.handles),
          ]),
        ),
        '',
        `Answers: ${listed(traffic.outcomes)}.`,
        '',
        `Invalidations that could not be served: ${listed(end.refused) || 'none'}. Warnings of Node: ${end.warnings.length === 0 ? 'none' : end.warnings.join('; ')}.`,
        '',
        `Against the end of the warm-up: RSS ${times(end.rss, base.rss)}, heap ${times(end.heapUsed, base.heapUsed)} (bound: ${GROWTH}).`,
      ],
    }
  } finally {
    await app.end()
  }
}

function sampleOf(app: BenchProcess<unknown>): Promise<SoakSample> {
  return app.ask<SoakSample>('sample')
}

function memoryFaults(base: SoakSample, end: SoakSample): string[] {
  const faults: string[] = []
  for (const [name, of] of [
    ['RSS', (sample: SoakSample) => sample.rss],
    ['the heap', (sample: SoakSample) => sample.heapUsed],
  ] as const)
    if (of(end) > of(base) * GROWTH)
      faults.push(`${name} ends with ${times(of(end), of(base))} of what it was after the warm-up`)
  return faults
}

function otherFaults({ unhandled, warnings }: SoakSample): string[] {
  return [
    ...unhandled.map((text) => `nobody handled: ${text}`),
    ...warnings.filter((text) => text.startsWith('MaxListeners')),
  ]
}

function times(value: number, base: number): string {
  return `${(value / base).toFixed(2)} ×`
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${whole(count)}`)
    .join(', ')
}

function ignore(): void {}
