/** `npm run bench`: the budgets of DESIGN section 6 as ratios within one run. Prints Markdown for bench/README.md. */
import { cpus } from 'node:os'
import { benchRender } from './render.ts'
import { benchServe } from './serve.ts'

const quick = process.argv.includes('--quick')
const [cpu] = cpus()
console.log(`Node ${process.version}, ${cpus().length} cores (${cpu?.model ?? 'unknown'})\n`)
let valid = true
for (const bench of [() => benchRender(quick ? 5 : 31), () => benchServe(quick ? 2 : 7)]) {
  const result = await bench()
  valid &&= result.valid
  console.log(`${result.lines.join('\n')}\n`)
  if (!result.valid)
    console.log('The control did not come out equal: the machine was busy, this run says nothing.\n')
}
process.exitCode = valid ? 0 : 1
