import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  ratio,
  table,
  whole,
} from './measure.ts'
import type { PartsMade, PartsOrder } from './parts.ts'
import { runProcess } from './processes.ts'

/** Makes all parts in a process and a folder of its own. */
export async function makeParts(
  program: 'our-parts' | 'their-parts',
  order: Omit<PartsOrder, 'folder'>,
): Promise<PartsMade> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-parts-'))
  try {
    return await runProcess<PartsMade>(program, { ...order, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Row 4 of the budgets. */
export async function benchMillion(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['entries', 'rounds'])
  const entries = flags.number('entries', flags.quick ? 200_000 : 1_000_000)
  const rounds = flags.number('rounds', flags.quick ? 1 : 5)

  const made = new Map<string, PartsMade[]>()
  const candidate = (name: string, ...order: Parameters<typeof makeParts>): Candidate => ({
    name,
    async once() {
      const one = await makeParts(...order)
      made.set(name, [...(made.get(name) ?? []), one])
      return one.ms
    },
  })
  const all = await measureInTurn(
    [
      candidate('`sitemap` 9.0.1, SitemapAndIndexStream', 'their-parts', { entries }),
      candidate('live-sitemap, XML alone', 'our-parts', { entries, formats: 'xml' }),
      candidate('live-sitemap, default options (HTML and TXT kept, too)', 'our-parts', {
        entries,
        formats: 'all',
      }),
      candidate('`sitemap` again (control)', 'their-parts', { entries }),
    ],
    rounds,
    0,
  )
  const [base, xml, , control] = all as [Measured, Measured, Measured, Measured]

  // What is compared must be the same: every loc and lastmod, in order.
  const contents = new Set([...made.values()].flat().map(({ content }) => content))
  if (contents.size !== 1) throw new Error('the parts differ: nothing to compare')

  const growthOf = ({ name }: Measured): number =>
    Math.max(...(made.get(name) ?? []).map(({ peak, before }) => peak - before))
  const rows = all.map((measured) => {
    const [one] = made.get(measured.name) ?? []
    return [
      measured.name,
      milliseconds(measured.median),
      percent(measured.spread),
      ratio(measured, base),
      megabytes(growthOf(measured)),
      `${one?.parts} parts, ${megabytes(one?.bytes ?? 0)}`,
    ]
  })
  return {
    valid: controlHolds(control, base),
    lines: [
      `### Row 4: ${whole(entries)} entries from an async generator, all parts gzip'd, ${rounds} rounds`,
      '',
      ...table(['what', 'wall time', 'spread', 'against `sitemap`', 'RSS growth, peak', 'written'], rows),
      '',
      `Against \`sitemap\` 9.0.1: ${(base.median / xml.median).toFixed(1)} times as fast (budget: 5); RSS growth ${megabytes(growthOf(xml))} (budget: 200 MB).`,
    ],
  }
}
