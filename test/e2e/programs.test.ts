import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { findProgram, isWithout, javaMajor } from './support/programs.ts'

// Those who read "skipped" or nothing at all must be able to rely on it.

const root = mkdtempSync(join(tmpdir(), 'live-sitemap-programs-'))
afterAll(() => rmSync(root, { recursive: true }))

/** A folder of PATH with files in it. */
function folder(name: string, files: readonly string[], mode: number): string {
  const path = join(root, name)
  mkdirSync(path)
  for (const file of files) {
    writeFileSync(join(path, file), '')
    chmodSync(join(path, file), mode)
  }
  return path
}

const texts = folder('texts', ['chromium'], 0o644)
const first = folder('first', ['google-chrome'], 0o755)
const second = folder('second', ['google-chrome', 'chromium'], 0o755)

describe('findProgram', () => {
  it.each([
    { name: 'the first name wins, wherever it lies', path: [first, second], found: join(second, 'chromium') },
    { name: 'a file that is no program', path: [texts, first], found: join(first, 'google-chrome') },
    { name: 'a folder that is not there', path: [join(root, 'none'), texts], found: undefined },
    { name: 'an empty PATH', path: [], found: undefined },
  ])('$name', ({ path, found }) => {
    expect(findProgram(['chromium', 'google-chrome'], path.join(delimiter))).toBe(found)
  })
})

it.each([
  { words: 'openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime', major: 17 },
  { words: 'java version "1.8.0_392"', major: 8 },
  { words: 'openjdk version "25" 2025-09-16', major: 25 },
  { words: 'The operation couldn’t be completed. Unable to locate a Java Runtime.', major: 0 },
])('Java $major', ({ words, major }) => {
  expect(javaMajor(words)).toBe(major)
})

describe('isWithout', () => {
  it('says in one line what is missing', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(isWithout(undefined, 'no Chromium', false)).toBe(true)
    expect(warn.mock.calls).toEqual([['skipped: no Chromium']])
    warn.mockRestore()
  })

  it('throws it where the program is required', () => {
    expect(() => isWithout(undefined, 'no Chromium', true)).toThrow(/^no Chromium .*LIVE_SITEMAP_E2E/)
  })

  it('has nothing to say where it is there', () => {
    expect(isWithout('/usr/bin/chromium', 'no Chromium', true)).toBe(false)
  })
})
