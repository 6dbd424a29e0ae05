// Adds up what .ci/run wrote into its folder of reports. Exit code 1 when anything failed, or nothing was executed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
const read = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim() : '')
const total = { passed: 0, failed: 0, skipped: 0 }

/** Adds and prints a line of the summary. */
function add(name, { passed = 0, failed = 0, skipped = 0 }, note = '') {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped${note && ` (${note})`}`)
}

for (const line of read('checks.tsv').split('\n').filter(Boolean)) {
  const [name, code] = line.split('\t')
  add(name, code === '0' ? { passed: 1 } : { failed: 1 })
}
const nodes = read('nodes').split('\n').filter(Boolean)
if (nodes.length === 0) add('suite', { failed: 1 }, 'ran on no Node')
for (const major of nodes) {
  const version = read(`node-${major}.version`)
  add(`suite on Node ${version || major}`, ...suite(major, version))
}
if (read('cases.code') !== '') add('cases', ...cases())

console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed === 0 ? 0 : 1

/** Counts of one run of the suite: of its tests, and one failure more for what failed outside of any test. */
function suite(major, version) {
  if (!version.startsWith(`v${major}.`)) return [{ failed: 1 }, `Node ${major} did not run`]
  const text = read(`node-${major}.json`)
  if (text === '') return [{ failed: 1 }, `no report, exit code ${read(`node-${major}.code`)}`]
  const tests = JSON.parse(text).testResults.flatMap((file) =>
    // A file that could not be loaded holds no test.
    file.assertionResults.length === 0 ? [{ status: file.status }] : file.assertionResults,
  )
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failed = tests.filter(({ status }) => status === 'failed').length
  const counts = { passed, failed, skipped: tests.length - passed - failed }
  if (passed + failed === 0) return [{ ...counts, failed: 1 }, 'no test was executed']
  if (failed === 0 && read(`node-${major}.code`) !== '0') {
    return [{ ...counts, failed: 1 }, `all tests passed, but exit code ${read(`node-${major}.code`)}`]
  }
  return [counts, read(`node-${major}.note`)]
}

/** Counts of the cases: the runner's last line is `{ pass: 60, fail: 0 }`. */
function cases() {
  const [, pass, fail] = /^\{ pass: (\d+), fail: (\d+) \}$/m.exec(read('cases.log')) ?? []
  if (pass === undefined) return [{ failed: 1 }, `stopped with exit code ${read('cases.code')}`]
  const counts = { passed: Number(pass), failed: Number(fail) }
  if (counts.passed + counts.failed === 0) return [{ failed: 1 }, 'no case was executed']
  if (counts.failed === 0 && read('cases.code') !== '0') {
    return [{ ...counts, failed: 1 }, `all cases passed, but exit code ${read('cases.code')}`]
  }
  return [counts]
}
