/** Programs that the suites of this folder need and no package brings. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The vnu-jar of today runs on this Java and newer ones. */
const OLDEST_JAVA = 17

/** Whether what is missing makes a suite fail instead of skip: `.ci/run` says so. */
const isRequired: boolean = process.env.LIVE_SITEMAP_E2E === 'required'

/** The first of the names that is a program in one of the folders of `path`. */
export function findProgram(
  names: readonly string[],
  path: string = process.env.PATH ?? '',
): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

/** A Chromium of the system. */
export function findChromium(): string | undefined {
  return findProgram(['chromium', 'chromium-browser', 'google-chrome'])
}

/** A Java that runs the Nu HTML checker. On macOS there is a `java` that runs nothing, so it is asked. */
export function findJava(): string | undefined {
  const java = findProgram(['java'])
  if (java === undefined) return undefined
  const { status, stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' })
  return status === 0 && javaMajor(stderr) >= OLDEST_JAVA ? java : undefined
}

/** 17 of `openjdk version "17.0.15" 2025-04-15`, 8 of `"1.8.0_392"`, 0 where there is no such word. */
export function javaMajor(words: string): number {
  const [, major, minor] = /version "(\d+)(?:\.(\d+))?/.exec(words) ?? []
  return Number((major === '1' ? minor : major) ?? 0)
}

/** Whether a suite is to be skipped for want of a program. Says so in one line; throws it where it is required. */
export function isWithout(
  program: string | undefined,
  line: string,
  required: boolean = isRequired,
): boolean {
  if (program !== undefined) return false
  if (required) throw new Error(`${line} (LIVE_SITEMAP_E2E=required)`)
  console.warn(`skipped: ${line}`)
  return true
}

export const NO_CHROMIUM: string = 'no Chromium on PATH (chromium, chromium-browser or google-chrome)'
export const NO_JAVA: string = `no Java ${OLDEST_JAVA} or newer on PATH`

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
