/**
 * `npm run bench`: the budgets of DESIGN section 6 as ratios within one run; `npm run bench -- <name> [flags]` asks one
 * question. Prints Markdown for bench/README.md.
 */
import { cpus, loadavg, totalmem } from 'node:os'
import type { Finding } from './measure.ts'

type Question = (flags: readonly string[]) => Promise<Finding>

/** Loaded when asked: no question stands in the memory of another. */
const QUESTIONS: Readonly<Record<string, () => Promise<Question>>> = {
  render: async () => (await import('./render.ts')).benchRender,
  serve: async () => (await import('./serve.ts')).benchServe,
  million: async () => (await import('./million.ts')).benchMillion,
  beside: async () => (await import('./beside.ts')).benchBeside,
  partitions: async () => (await import('./partitions.ts')).benchPartitions,
  scaling: async () => (await import('./scaling.ts')).benchScaling,
  nginx: async () => (await import('./nginx.ts')).benchNginx,
  others: async () => (await import('./others.ts')).benchOthers,
  writing: async () => (await import('./writing.ts')).benchWriting,
  soak: async () => (await import('./soak.ts')).benchSoak,
}
/** Asked where none is named: those that take minutes, not hours. */
const USUAL = ['render', 'serve']

const given = process.argv.slice(2)
const flags = given.filter((arg) => arg.startsWith('-'))
const named = given.filter((arg) => !arg.startsWith('-'))
const unknown = named.filter((name) => QUESTIONS[name] === undefined)
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}; the questions are ${Object.keys(QUESTIONS).join(', ')}`)
  process.exit(1)
}

const [cpu] = cpus()
const load = loadavg()[0] ?? 0
console.log(
  `Node ${process.version}, ${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB; load at the start ${load.toFixed(1)}\n`,
)
let passed = true
for (const name of named.length > 0 ? named : USUAL) {
  const ask = await QUESTIONS[name]?.()
  const finding = await ask?.(flags)
  if (finding === undefined) continue
  const { lines, valid, faults = [] } = finding
  console.log(`${lines.join('\n')}\n`)
  if (!valid)
    console.log('The control did not come out equal: the machine was busy, this run says nothing.\n')
  for (const fault of faults) console.log(`Fault: ${fault}\n`)
  passed &&= valid && faults.length === 0
}
process.exitCode = passed ? 0 : 1
