import { readFlags } from './flags.ts'
import {
  type Candidate,
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  megabytes,
  milliseconds,
  percent,
  table,
  whole,
} from './measure.ts'
import { makeParts } from './million.ts'
import { measureIndex } from './partitions.ts'
import type { PartsMade } from './parts.ts'

/** Entries of a partition of the second table. */
const SIZE = 50_000

/** How time and memory grow with the site. */
export async function benchScaling(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['ten-million', 'largest', 'rounds'])
  const rounds = flags.number('rounds', flags.quick ? 1 : 3)
  const largest = flags.number(
    'largest',
    flags.has('ten-million') ? 10_000_000 : flags.quick ? 100_000 : 1_000_000,
  )
  const plain = await plainTable(
    [1_000, 10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= largest),
    rounds,
  )
  const partitioned = await partitionedTable([10_000, 100_000, 1_000_000, 10_000_000, 100_000_000], rounds)
  return {
    valid: plain.valid,
    faults: partitioned.faults,
    lines: [...plain.lines, '', ...partitioned.lines],
  }
}

async function plainTable(sizes: readonly number[], rounds: number): Promise<Finding> {
  const made = new Map<string, PartsMade[]>()
  const candidate = (name: string, entries: number): Candidate => ({
    name,
    async once() {
      const one = await makeParts('our-parts', { entries, formats: 'all' })
      made.set(name, [...(made.get(name) ?? []), one])
      return one.ms
    },
  })
  // A size that is large enough to be measured, and not the largest, which takes its time.
  const controlled = sizes.at(-2) ?? sizes[0] ?? 1_000
  const all = await measureInTurn(
    [
      ...sizes.map((size) => candidate(whole(size), size)),
      candidate(`${whole(controlled)} again (control)`, controlled),
    ],
    rounds,
    0,
  )
  const rows = all.map((measured, i) => {
    const runs = made.get(measured.name) ?? []
    const highest = (figure: (one: PartsMade) => number): string => megabytes(Math.max(...runs.map(figure)))
    return [
      measured.name,
      whole(runs[0]?.parts ?? 0),
      milliseconds(measured.median),
      percent(measured.spread),
      `${((measured.median / (sizes[i] ?? controlled)) * 1_000).toFixed(1)} µs`,
      highest(({ peak, before }) => peak - before),
      highest(({ after, before }) => Math.max(0, after - before)),
      highest(({ held = 0 }) => held),
      highest(({ spooled = 0 }) => spooled),
    ]
  })
  const control = all.at(-1) as Measured
  const base = all[sizes.indexOf(controlled)] as Measured
  return {
    valid: controlHolds(control, base),
    lines: [
      `### Plain entries of one async generator, all parts gzip'd, default options, ${rounds} rounds`,
      '',
      ...table(
        [
          'entries',
          'parts',
          'walk and all parts',
          'spread',
          'an entry',
          'RSS growth, peak',
          'after, all collected',
          'memory by the report',
          'in its folder',
        ],
        rows,
      ),
    ],
  }
}

async function partitionedTable(
  sizes: readonly number[],
  rounds: number,
): Promise<{ readonly lines: readonly string[]; readonly faults: readonly string[] }> {
  const rows: string[][] = []
  const faults: string[] = []
  for (const entries of sizes) {
    const partitions = Math.max(1, entries / SIZE)
    const index = await measureIndex({ partitions, size: entries / partitions }, rounds)
    faults.push(...index.faults)
    rows.push([
      whole(entries),
      whole(partitions),
      milliseconds(index.cold.median),
      percent(index.cold.spread),
      whole(index.bytes),
      `${index.calls.lists}, ${index.calls.reads}`,
      megabytes(index.growth),
      megabytes(index.memory.used),
    ])
  }
  return {
    faults,
    lines: [
      `### Partitions of ${whole(SIZE)} entries, the index alone, a new process each time, ${rounds} rounds`,
      '',
      ...table(
        [
          'entries',
          'partitions',
          'cold index',
          'spread',
          'bytes',
          'lists, reads',
          'RSS growth, peak',
          'memory by the report',
        ],
        rows,
      ),
    ],
  }
}
