import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A document to check: its name, which says by its end whether it is HTML or CSS, and its text. */
export interface CheckedFile {
  readonly name: string
  readonly text: string
}

interface Message {
  readonly type: string
  readonly subType?: string
  readonly url?: string
  readonly lastLine?: number
  readonly message: string
  readonly extract?: string
}

/** It takes a few seconds. */
const LONGEST_RUN_MS = 100_000
// A deep stack, which the recursion over the schema needs; no second compiler, which costs a run this short more than it
// gives (measured: 2.4 s in place of 9 s).
const JVM = ['-Xss32m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const JAR = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar')

/** What the Nu HTML checker says of each file, by name, in one run; nothing is left out, its advice included. */
export async function checkFiles(
  java: string,
  files: readonly CheckedFile[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'live-sitemap-nu-'))
  try {
    const paths = files.map((_, index) => join(folder, `${index}${extensionOf(files[index]?.name ?? '')}`))
    await Promise.all(files.map(({ text }, index) => writeFile(paths[index] ?? '', text)))
    const messages = await runChecker(java, paths)
    const names = new Map(paths.map((path, index) => [pathToFileURL(path).href, files[index]?.name ?? '']))
    const found = new Map<string, string[]>(files.map(({ name }) => [name, []]))
    for (const message of messages) {
      const name = names.get((message.url ?? '').replace(/^file:\/*/, 'file:///'))
      // What it says of no file is a fault of the run.
      if (name === undefined) throw new Error(`the checker says: ${JSON.stringify(message)}`)
      found.get(name)?.push(lineOf(message))
    }
    return found
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runChecker(java: string, paths: readonly string[]): Promise<readonly Message[]> {
  const child = spawn(
    java,
    [...JVM, '-jar', JAR, '--stdout', '--exit-zero-always', '--format', 'json', '--also-check-css', ...paths],
    { stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_RUN_MS },
  )
  const closed = once(child, 'close') as Promise<[number | null]>
  const [out, err, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), closed])
  // It ends with 0 although its stack was too small.
  if (code !== 0 || out === '') throw new Error(`the checker ended with ${code}: ${err}`)
  return (JSON.parse(out) as { readonly messages: readonly Message[] }).messages
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function lineOf({ type, subType, lastLine, message, extract = '' }: Message): string {
  return `${subType ?? type}: ${message} (line ${lastLine ?? '?'}: ${extract.trim().slice(0, 200)})`
}

function extensionOf(name: string): string {
  return name.endsWith('.css') ? '.css' : '.html'
}
