/** Every row of the specification is met, with its id in a test, or named in docs/formats.md with the reason why not. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Rows of the sections on formats: 0 to 8 and 11. */
const ROWS = idsIn(
  'D1 to D15, U1 to U8, U10 to U23, W1 to W6, L1 to L9, I1 to I6, I10 to I17, E1 to E6, E10 to E15, E20 to E43, ' +
    'E50 to E62, E70 to E79, T1 to T8, F1 to F17, F20 to F28, F30 to F32, F40 to F44, R1 to R7, R10 to R17, ' +
    'A1 to A6, A10 to A13, H1 to H10, H20 to H23, H30 to H43, H50 to H56, X1 to X5, X10 to X17, B1 to B12',
)

/** Ids of rows that a text names, one by one or as `E10 to E15`. */
function idsIn(text: string): string[] {
  return [...text.matchAll(/\b([A-Z])(\d{1,2})(?: to \1(\d{1,2}))?\b/g)].flatMap(
    ([, letter, from, to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${letter}${Number(from) + i}`),
  )
}

/** Ids that names of tests quote: behind the word SPEC, and in this folder at the beginning of a name or row. */
function quoted(): Set<string> {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  const names = files
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('rows.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, 'test', file), 'utf8')
      const own = file.startsWith('spec') ? [...text.matchAll(/(?:\bit\(|\)\(|row:)\s*['"]([^:'"]*)/g)] : []
      return [...text.matchAll(/\bSPEC ([^'"`)]*)/g), ...own].map(([, name = '']) => name)
    })
  return new Set(names.flatMap(idsIn))
}

/** Ids in the table of what is not written. */
function named(): Set<string> {
  const page = readFileSync(join(ROOT, 'docs/formats.md'), 'utf8')
  const table = page.slice(page.indexOf('## What is not written'))
  return new Set(
    table
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .flatMap((line) => idsIn(line.split('|')[1] ?? '')),
  )
}

describe('rows of the specification', () => {
  it('are all quoted by a test, or named as not met', () => {
    const known = new Set([...quoted(), ...named()])
    expect(ROWS.length).toBe(252)
    expect(ROWS.filter((row) => !known.has(row))).toEqual([])
  })

  it('that are named as not met are rows', () => {
    expect([...named()].filter((row) => !ROWS.includes(row) && !/^[NP]\d/.test(row))).toEqual([])
  })
})
