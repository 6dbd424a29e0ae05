/**
 * `npm run bench`: the budgets of DESIGN section 6 as ratios within one run; `npm run bench -- <name> [flags]` asks one
 * question, `npm run bench -- all` all of them but the soak, in half an hour at most. Prints Markdown; with `--write`
 * what counts also goes into its place in bench/README.md.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Finding, table } from './measure.ts'
import { writeFinding } from './readme.ts'

type Question = (flags: readonly string[]) => Promise<Finding>

/** Loaded when asked: no question stands in the memory of another. */
const QUESTIONS: Readonly<Record<string, () => Promise<Question>>> = {
  render: async () => (await import('./render.ts')).benchRender,
  serve: async () => (await import('./serve.ts')).benchServe,
  writing: async () => (await import('./writing.ts')).benchWriting,
  million: async () => (await import('./million.ts')).benchMillion,
  beside: async () => (await import('./beside.ts')).benchBeside,
  partitions: async () => (await import('./partitions.ts')).benchPartitions,
  store: async () => (await import('./store.ts')).benchStore,
  scaling: async () => (await import('./scaling.ts')).benchScaling,
  floods: async () => (await import('./floods.ts')).benchFloods,
  nginx: async () => (await import('./nginx.ts')).benchNginx,
  others: async () => (await import('./others.ts')).benchOthers,
  footprint: async () => (await import('./footprint.ts')).benchFootprint,
  soak: async () => (await import('./soak.ts')).benchSoak,
}
/** Asked where none is named: those that take minutes, not hours. */
const USUAL = ['render', 'serve']

/** What `all` asks: with how many rounds, so that all of it takes less than half an hour. */
const ALL: Readonly<Record<string, readonly string[]>> = {
  render: [],
  writing: [],
  serve: ['--rounds=5'],
  million: ['--rounds=1'],
  beside: ['--rounds=3'],
  partitions: ['--rounds=7'],
  floods: [],
  store: [],
  scaling: ['--rounds=1', '--ten-million'],
  nginx: ['--rounds=4'],
  others: ['--rounds=9'],
  footprint: ['--rounds=7'],
}
/** Nothing that hangs holds up the others. */
const LONGEST_MS = 10 * 60_000

const given = process.argv.slice(2)
const writes = given.includes('--write')
const flags = given.filter((arg) => arg.startsWith('-') && arg !== '--write')
const named = given.filter((arg) => !arg.startsWith('-'))
const unknown = named.filter((name) => name !== 'all' && QUESTIONS[name] === undefined)
if (unknown.length > 0) {
  console.error(
    `there is no ${unknown.join(', ')}; the questions are ${Object.keys(QUESTIONS).join(', ')}, all`,
  )
  process.exit(1)
}
process.exitCode = named.includes('all') ? await askAll() : await ask(named.length > 0 ? named : USUAL)

/** The exit code: 0 where every control came out equal and nothing was wrong. */
async function ask(names: readonly string[]): Promise<number> {
  const [cpu] = cpus()
  const load = loadavg()[0] ?? 0
  const machine = `Node ${process.version}, ${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB; load at the start ${load.toFixed(1)}`
  console.log(`${machine}\n`)
  let passed = true
  for (const name of names) {
    const question = await QUESTIONS[name]?.()
    const finding = await question?.(flags)
    if (finding === undefined) continue
    const { lines, valid, faults = [] } = finding
    console.log(`${lines.join('\n')}\n`)
    if (!valid)
      console.log('The control did not come out equal: the machine was busy, this run says nothing.\n')
    for (const fault of faults) console.log(`Fault: ${fault}\n`)
    if (writes && valid) await writeFinding(name, [...lines, '', `${machine}.`])
    passed &&= valid && faults.length === 0
  }
  return passed ? 0 : 1
}

/** Each in a process of its own. */
async function askAll(): Promise<number> {
  const rows: string[][] = []
  const sentences: string[] = []
  let failed = 0
  for (const [name, own] of Object.entries(ALL)) {
    const began = performance.now()
    const asked = [name, ...(flags.includes('--quick') ? [] : own), ...flags, ...(writes ? ['--write'] : [])]
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL('./run.ts', import.meta.url)), ...asked],
      { stdio: ['ignore', 'pipe', 'inherit'], timeout: LONGEST_MS },
    )
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      process.stdout.write(text)
    })
    const [code] = (await once(child, 'close')) as [number | null]
    sentences.push(...out.split('\n').filter((line) => line.includes('(budget: ') && !line.startsWith('|')))
    if (code !== 0) failed++
    const minutes = ((performance.now() - began) / 60_000).toFixed(1)
    rows.push([name, own.join(' '), minutes, code === 0 ? 'holds' : 'see above'])
  }
  console.log(`### All\n\n${table(['question', 'with', 'minutes', ''], rows).join('\n')}\n`)
  console.log(`### In short\n\n${sentences.map((line) => `- ${line}`).join('\n')}\n`)
  return failed === 0 ? 0 : 1
}
