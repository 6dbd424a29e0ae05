/**
 * What the package adds to a site that has its framework already. Packs and installs it as a user does, and measures in
 * processes of their own.
 */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { npm, pack, run } from '../test/package/installed.ts'
import { readFlags } from './flags.ts'
import { type Finding, median } from './measure.ts'

interface User {
  readonly framework: 'fastify' | 'express'
  readonly subpath: string
  /** Lines of a server that listens as `server`: without the sitemap, and with it. */
  readonly host: string
  readonly withSitemap: string
}

const OPTIONS = `{
  site: { url: 'https://www.example.com', title: 'Example', description: 'News and goods' },
  providers: { posts: function* () { for (let i = 0; i < 1000; i++) yield { loc: '/posts/' + i, title: 'Post ' + i, lastmod: '2024-05-01' } } },
}`

const USERS: readonly User[] = [
  {
    framework: 'fastify',
    subpath: 'live-sitemap',
    host: `
      const app = framework()
      app.get('/own', async () => 'own')`,
    withSitemap: 'await app.register(subpath.sitemapPlugin, options)',
  },
  {
    framework: 'express',
    subpath: 'live-sitemap/express',
    host: `
      const app = framework()
      app.get('/own', (request, response) => { response.send('own') })`,
    withSitemap: 'app.use(subpath.sitemap(options))',
  },
]

/** How far a process goes before it tells its memory. */
type Stage = 'host' | 'imported' | 'served'
const STAGES: readonly Stage[] = ['host', 'imported', 'served']

interface Told {
  readonly rss: number
  /** Of the import alone, within the process. */
  readonly importMs: number
  readonly importRss: number
}

/** One process: the framework, what the stage asks for, its own route a few times, and what it came to. */
function script({ framework, subpath, host, withSitemap }: User): string {
  return `
    import http from 'node:http'
    import framework from '${framework}'
    const stage = process.argv[2]
    const options = ${OPTIONS}
    gc()
    const before = process.memoryUsage.rss()
    const start = performance.now()
    const subpath = stage === 'host' ? undefined : await import('${subpath}')
    const importMs = performance.now() - start
    const importRss = process.memoryUsage.rss() - before
    ${host}
    if (stage === 'served') { ${withSitemap} }
    const server = ${
      framework === 'fastify'
        ? "(await app.listen({ port: 0, host: '127.0.0.1' }), app.server)"
        : "app.listen(0, '127.0.0.1')"
    }
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
    const get = (path) => new Promise((resolve, reject) => {
      const headers = { 'accept-encoding': 'gzip', connection: 'close' }
      http.get({ port: server.address().port, host: '127.0.0.1', path, headers }, (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode))
      }).once('error', reject)
    })
    for (let i = 0; i < 5; i++) await get('/own')
    if (stage === 'served' && await get('/sitemap.xml') !== 200) throw new Error('no sitemap')
    gc()
    console.log(JSON.stringify({ rss: process.memoryUsage.rss(), importMs, importRss }))
    process.exit()`
}

let rounds = 15
let packed: Awaited<ReturnType<typeof pack>>

export async function benchFootprint(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['rounds'])
  rounds = flags.number('rounds', flags.quick ? 3 : 15)
  packed = await pack()
  try {
    const lines = [
      '### What it adds to an app that has its framework',
      '',
      '| beside | packages | MB on disk | import | RSS after import | RSS after the first sitemap |',
      '| --- | --- | --- | --- | --- | --- |',
    ]
    for (const user of USERS) lines.push(await measure(user))
    lines.push('', ...(await measureImports()))
    return { valid: true, lines }
  } finally {
    await packed.remove()
  }
}

async function measure(user: User): Promise<string> {
  const folder = folderOf(user.framework)
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline']
  await npm(folder, [...install, `${user.framework}@${packed.versionOf(user.framework)}`])
  const alone = await sizeOf(folder)
  await npm(folder, [...install, packed.tarball])
  const together = await sizeOf(folder)

  await writeFile(join(folder, 'measure.mjs'), script(user))
  const told: Record<Stage, Told[]> = { host: [], imported: [], served: [] }
  // In turn, so that whatever else the machine does hits all stages alike; the first round warms the disk.
  for (let round = 0; round <= rounds; round++) {
    for (const stage of STAGES) {
      const line = await lineOf(folder, ['measure.mjs', stage])
      if (round > 0) told[stage].push(JSON.parse(line) as Told)
    }
  }
  const { host, imported, served } = told
  const cells = [
    user.framework,
    `+${together.packages - alone.packages} (${alone.packages} without)`,
    `+${mb(together.bytes - alone.bytes)} (${mb(alone.bytes)})`,
    time(imported.map(({ importMs }) => importMs)),
    `+${mb(median(imported.map(({ importRss }) => importRss)))} MB`,
    `+${mb(median(served.map(({ rss }) => rss)) - median(host.map(({ rss }) => rss)))} MB (${mb(median(host.map(({ rss }) => rss)))})`,
  ]
  return `| ${cells.join(' | ')} |`
}

/** Each subpath in a process that loads nothing else. */
async function measureImports(): Promise<string[]> {
  const subpaths = [
    'live-sitemap',
    'live-sitemap/express',
    'live-sitemap/fetch',
    'live-sitemap/robots-profile',
  ]
  const folder = folderOf('express')
  await writeFile(
    join(folder, 'import.mjs'),
    `
    gc()
    const before = process.memoryUsage.rss()
    const start = performance.now()
    await import(process.argv[2])
    const ms = performance.now() - start
    console.log(JSON.stringify({ ms, rss: process.memoryUsage.rss() - before }))`,
  )
  const told = subpaths.map((): { readonly ms: number; readonly rss: number }[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [i, subpath] of subpaths.entries()) {
      const line = await lineOf(folder, ['import.mjs', subpath])
      if (round > 0) told[i]?.push(JSON.parse(line))
    }
  }
  const rows = subpaths.map((subpath, i) => {
    const runs = told[i] ?? []
    return `| \`${subpath}\` | ${time(runs.map(({ ms }) => ms))} | ${mb(median(runs.map(({ rss }) => rss)))} MB |`
  })
  return ['| importing alone | time | RSS |', '| --- | --- | --- |', ...rows]
}

function folderOf(framework: string): string {
  return join(packed.home, `beside-${framework}`)
}

async function lineOf(folder: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(process.execPath, ['--expose-gc', ...args], folder)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

/** Packages and bytes in a folder's node_modules, npm's own list not counted. */
async function sizeOf(folder: string): Promise<{ readonly packages: number; readonly bytes: number }> {
  const modules = join(folder, 'node_modules')
  const { packages } = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>
  }
  let bytes = 0
  for (const one of await readdir(modules, { recursive: true, withFileTypes: true })) {
    if (one.isFile() && one.name !== '.package-lock.json')
      bytes += (await stat(join(one.parentPath, one.name))).size
  }
  return { packages: Object.keys(packages).length, bytes }
}

/** The fastest run says what it costs where nothing else runs. */
function time(values: readonly number[]): string {
  return `${median(values).toFixed(0)} ms (fastest ${Math.min(...values).toFixed(0)})`
}

function mb(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
