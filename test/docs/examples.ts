import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Fence, Page } from './markdown.ts'

export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url))

/** A complete example, and the outputs that the page shows of it. */
export interface Example {
  readonly fence: Fence
  readonly file: string
  readonly outputs: readonly Fence[]
}

/** Where the code of the pages lies while it is compiled and run. */
export interface Workshop {
  readonly dir: string
  readonly examples: readonly Example[]
  /** Faults that the compiler finds in the pages' code, as `page:line: message`. */
  compile(): Promise<string[]>
  close(): Promise<void>
}

/** What a fragment may use without saying so: the names that the pages use for the reader's own things. */
const GLOBALS = `
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import type { Redis } from 'ioredis'
import type { ProviderContext, Site } from '../../plugins/fastify.ts'
interface Post { slug: string; title: string; loc: string }
interface Cursor<T> extends AsyncIterable<T> {
  sort(by: Record<string, 1 | -1>): Cursor<T>
  limit(count: number): Cursor<T>
  map<U>(change: (document: T) => U): Cursor<U>
  toArray(): Promise<T[]>
}
declare global {
  const app: FastifyInstance
  const site: Site
  const db: { one(sql: string): Promise<object> }
  const pool: { query<T>(sql: string, values: readonly unknown[]): Promise<{ rows: T[] }> }
  const mongo: { collection<T>(name: string): { find(filter: object): Cursor<T> } }
  const redis: Redis
  const metrics: { increment(name: string): void }
  function readPosts(given: ProviderContext | AbortSignal): AsyncIterable<Post>
  function requireLogin(request: FastifyRequest, reply: FastifyReply): Promise<void>
}
`

/** What a fragment may use of the package without importing it. */
const IMPORTS = "import sitemapPlugin, { path, type EntryObject, type SitemapHandle } from 'live-sitemap'"

const CONFIG = {
  extends: '../../tsconfig.json',
  compilerOptions: {
    isolatedDeclarations: false,
    declaration: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    skipLibCheck: true,
  },
  include: ['.'],
}

/** Writes the code of all pages to files of their own, each line at its number on the page. */
export async function openWorkshop(pages: readonly Page[], extra: Record<string, string>): Promise<Workshop> {
  // Inside the project, so that imports resolve; in a folder that git, Biome and `npm run typecheck` leave out.
  await mkdir(join(ROOT, 'coverage'), { recursive: true })
  const dir = await mkdtemp(join(ROOT, 'coverage/docs-'))
  const examples: Example[] = []
  const sources = new Map<string, Fence>()
  for (const page of pages) {
    for (const [i, fence] of page.fences.entries()) {
      if (fence.language !== 'ts' && fence.language !== 'js') continue
      const isComplete = fence.meta === 'complete'
      const name = `${fence.at.replace(/\W+/g, '-')}.ts`
      sources.set(name, fence)
      await writeFile(join(dir, name), isComplete ? completeSource(fence) : fragmentSource(fence))
      if (!isComplete) continue
      const behind = page.fences.slice(i + 1)
      const next = behind.findIndex(({ meta }) => meta === 'complete')
      examples.push({
        fence,
        file: join(dir, name),
        outputs: (next === -1 ? behind : behind.slice(0, next)).filter(({ meta }) => meta !== ''),
      })
    }
  }
  await writeFile(join(dir, 'globals.d.ts'), GLOBALS)
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(CONFIG))
  for (const [name, source] of Object.entries(extra)) await writeFile(join(dir, name), fromHere(source))
  return {
    dir,
    examples,
    compile: () => compile(dir, sources),
    close: () => rm(dir, { recursive: true, force: true }),
  }
}

const { exports: SUBPATHS } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string>>
}

/** Imports of the package, `live-sitemap/robots-profile` and its like too, from the sources of what it exports. */
function fromHere(code: string): string {
  return code.replace(/'live-sitemap(\/[\w/-]+)?'/g, (specifier, subpath = '') => {
    const built = SUBPATHS[`.${String(subpath)}`]
    return built === undefined ? specifier : `'../../${built.replace('./dist/', '').replace(/\.js$/, '.ts')}'`
  })
}

/** The example as it stands, but on a free port, without a log, and with its app in reach. */
function completeSource({ line, text }: Fence): string {
  const code = fromHere(text)
    .replaceAll('{ logger: true }', '{ logger: false }')
    .replaceAll('{ port: 3000 }', "{ port: 0, host: '127.0.0.1' }")
  return `${'\n'.repeat(line)}${code}\nexport { app }\n`
}

function fragmentSource({ line, text }: Fence): string {
  const imports = text.includes("'live-sitemap'") ? 'export {}' : IMPORTS
  return fromHere(`${imports}${'\n'.repeat(line)}${text}\n`)
}

/** Faults elsewhere in the repository are the business of `npm run typecheck`. */
function compile(dir: string, sources: ReadonlyMap<string, Fence>): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', dir, '--pretty', 'false']
    execFile(process.execPath, args, { cwd: dir }, (error, stdout) => {
      if (error !== null && stdout === '') return reject(error)
      const faults: string[] = []
      for (const line of stdout.split('\n')) {
        const [, file = '', at = '', message = ''] = /^(\S+?)\((\d+),\d+\): (.*)$/.exec(line) ?? []
        const fence = sources.get(basename(file))
        if (fence !== undefined) faults.push(`${fence.at.split(':')[0]}:${at}: ${message}`)
        else if (file !== '' && !file.startsWith('..')) faults.push(line)
      }
      resolve(faults)
    })
  })
}

/** Runs a complete example up to the end of its code. */
export async function run({ file }: Example): Promise<FastifyInstance> {
  const module: { app: FastifyInstance } = await import(/* @vite-ignore */ file)
  return module.app
}
