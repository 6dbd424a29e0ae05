import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Installed, npm, type Packed, pack, ROOT, run } from './installed.ts'

// npm packs, builds and installs from a registry; a Node of another version is fetched once and then kept by npm.
const SETUP_MS = 300_000
const COMPILE_MS = 120_000

/** The oldest compiler that reads our types, the last one before the native one, and the one that builds us. */
const COMPILERS = { ts54: '5.4.5', ts59: '5.9.3' } as const
type Compiler = keyof typeof COMPILERS | 'ts7'

let packed: Packed
/** Each user has one framework, and not the types of the other. */
let users: { readonly express: Installed; readonly fastify: Installed }
type User = keyof typeof users

beforeAll(async () => {
  packed = await pack()
  const compilers = join(packed.home, 'compilers')
  await mkdir(compilers)
  await writeFile(join(compilers, 'package.json'), '{ "private": true }')
  const [express, fastify] = await Promise.all([
    packed.install('express', ['express', '@types/express', '@types/node']),
    packed.install('fastify', ['fastify', '@types/node']),
    npm(compilers, [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      ...Object.entries(COMPILERS).map(([alias, version]) => `${alias}@npm:typescript@${version}`),
    ]),
  ])
  users = { express, fastify }
  await express.write({ 'consumer.ts': EXPRESS, 'consumer.mts': asModule(EXPRESS) })
  await fastify.write({ 'consumer.ts': FASTIFY, 'consumer.mts': asModule(FASTIFY) })
}, SETUP_MS)

afterAll(() => packed?.remove())

const SITE = `
  site: { url: 'https://www.example.com' },
  providers: {
    pages: ['/', { loc: '/about', priority: '0.5' }],
    posts: async function* ({ signal }) {
      if (!signal.aborted) yield { loc: path\`/blog/\${'a b'}\`, lastmod: null, images: [{ loc: '/a.jpg' }] }
    },
  },
  cache: { ttl: '10m', memory: '64mb' },
`

/** The subpaths that need no framework. */
const NEUTRAL = `
async function answerOfFetch(): Promise<string | undefined> {
  const sm = sitemap({${SITE}})
  const response: Response | undefined = await sm.fetch(new Request('https://www.example.com/sitemap.xml'))
  const text = await response?.text()
  await sm.close()
  return text
}

const classes: string | undefined = robotsClasses('nofollow').class
export const wrongOfFetch = () => {
  // @ts-expect-error: no site
  sitemap({ providers: {} })
  // @ts-expect-error: an unknown section
  void sitemap({ site: { url: '' }, providers: { posts: ['/'] } }).invalidate('pots')
  // @ts-expect-error: no text
  robotsClasses(5)
}
`

/** Whatever the compiler makes of it, main() tells what each host answers. */
const EXPRESS = `
import http = require('node:http')
import express = require('express')
import byDefault, {
  defineSitemap, fromExpressSitemapXml, path, SitemapError, sitemap as middleware,
  type Duration, type Entry, type SitemapHandle, type SitemapMiddleware, type SitemapOptions, type SitemapReport,
} from 'live-sitemap/express'
import { sitemap, type FetchSitemap } from 'live-sitemap/fetch'
import { robotsClasses } from 'live-sitemap/robots-profile'
${NEUTRAL}
export async function main() {
  const sm = middleware({${SITE}})
  const handle: SitemapHandle = sm
  const report: SitemapReport = handle.report()
  const app = express()
  app.use(sm)
  app.use('/old', fromExpressSitemapXml(async () => ['/'], 'https://www.example.com', { maxAge: 60_000 }))
  const text = await answerOf(app)
  await sm.invalidate('posts', { delay: '0s' })
  await sm.close()
  const plain = byDefault(defineSitemap({${SITE}}))
  const bare = await answerOf(plain)
  await plain.close()
  return { text, bare, fetched: await answerOfFetch(), classes, ready: report.ready, error: codeOf() }
}

async function answerOf(listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const response = await fetch(\`http://127.0.0.1:\${port}/sitemap.xml\`, { headers: { connection: 'close' } })
  const text = await response.text()
  server.close()
  return text
}

function codeOf(): string | undefined {
  try {
    middleware({} as SitemapOptions)
  } catch (error) {
    return error instanceof SitemapError ? error.code : undefined
  }
  return undefined
}

export const wrong = (sm: SitemapMiddleware<'posts'>, ttl: string): unknown[] => {
  // @ts-expect-error: no site
  middleware({ providers: {} })
  // @ts-expect-error: a misspelt option
  middleware({ site: { url: '' }, providers: {}, exlude: '/a' })
  // @ts-expect-error: a duration in words
  middleware({ site: { url: '' }, providers: {}, cache: { ttl: '10 minutes' } })
  // @ts-expect-error: an unknown section
  void sm.invalidate('pots')
  // @ts-expect-error: another package's name
  const foreign: Entry = { loc: '/', lastMod: '2024-05-01' }
  const kept: FetchSitemap | undefined = undefined
  return [foreign, kept, middleware({ site: { url: '' }, providers: {}, timeout: ttl as Duration })]
}
`

const FASTIFY = `
import Fastify = require('fastify')
import sitemapPlugin, {
  defineSitemap, path, SitemapError, sitemapPlugin as named, type Entry, type SitemapHandle, type SitemapOptions,
} from 'live-sitemap'
// Needs nothing of Express.
import { sitemap as middleware } from 'live-sitemap/express'
import { sitemap } from 'live-sitemap/fetch'
import { robotsClasses } from 'live-sitemap/robots-profile'
${NEUTRAL}
export async function main() {
  const app = Fastify.fastify()
  await app.register(sitemapPlugin, {${SITE}})
  const defined = defineSitemap({${SITE}})
  await app.register(named, { ...defined, name: 'second', prefix: '/second' })
  const handle: SitemapHandle = app.sitemap
  const text = (await app.inject('/sitemap.xml')).body
  await app.sitemap.invalidate('posts', { delay: '0s' })
  const bare = (await app.inject('/second/sitemap.xml')).body.replaceAll('/second', '')
  const { ready } = handle.report()
  await app.close()
  return { text, bare, fetched: await answerOfFetch(), classes, ready, error: await codeOf() }
}

async function codeOf(): Promise<string | undefined> {
  try {
    await Fastify.fastify().register(named, {} as SitemapOptions)
  } catch (error) {
    return error instanceof SitemapError ? error.code : undefined
  }
  return undefined
}

export const wrong = (): unknown => {
  const app = Fastify.fastify()
  // @ts-expect-error: no site
  void app.register(sitemapPlugin, { providers: {} })
  // @ts-expect-error: a misspelt option
  void app.register(named, { site: { url: '' }, providers: {}, exlude: '/a' })
  // @ts-expect-error: a size without a unit
  void app.register(named, { site: { url: '' }, providers: {}, maxBytes: '10485760' })
  // @ts-expect-error: no section
  void app.sitemap.invalidate(5)
  // @ts-expect-error: a site without url
  middleware({ site: {}, providers: {} })
  // @ts-expect-error: another package's name
  const foreign: Entry = { loc: '/', changeFreq: 'daily' }
  return foreign
}
`

/** The same in the words of a module. */
function asModule(text: string): string {
  return text
    .replace("import http = require('node:http')", "import http from 'node:http'")
    .replace(/import (\w+) = require\((.*?)\)/, 'import $1 from $2')
}

const EVERY = { target: 'es2022', strict: true, skipLibCheck: false, types: ['node'] }
const NODE10 = { ...EVERY, lib: ['es2022'], module: 'commonjs', moduleResolution: 'node' }

/** Every form that a project can take; `skipLibCheck: true` where the types of others need it, and once more. */
const PROJECTS: readonly {
  readonly user: User
  readonly name: string
  readonly compiler: Compiler
  readonly options: Readonly<Record<string, unknown>>
}[] = [
  {
    user: 'express',
    name: '5.4, commonjs and node, esModuleInterop',
    compiler: 'ts54',
    options: { ...NODE10, esModuleInterop: true },
  },
  {
    user: 'express',
    name: '5.4, commonjs and node, no esModuleInterop',
    compiler: 'ts54',
    options: { ...NODE10, esModuleInterop: false },
  },
  { user: 'express', name: '5.9, node20', compiler: 'ts59', options: { ...EVERY, module: 'node20' } },
  {
    user: 'express',
    name: '5.9, nodenext, skipLibCheck, no esModuleInterop',
    compiler: 'ts59',
    options: { ...EVERY, module: 'nodenext', skipLibCheck: true, esModuleInterop: false },
  },
  { user: 'express', name: '7, nodenext', compiler: 'ts7', options: { ...EVERY, module: 'nodenext' } },
  {
    user: 'fastify',
    name: '5.4, commonjs and node, esModuleInterop',
    compiler: 'ts54',
    options: { ...NODE10, esModuleInterop: true },
  },
  {
    user: 'fastify',
    // The types of pino, which Fastify's name, are checked with esModuleInterop only.
    name: '5.4, commonjs and node, no esModuleInterop, skipLibCheck',
    compiler: 'ts54',
    options: { ...NODE10, esModuleInterop: false, skipLibCheck: true },
  },
  { user: 'fastify', name: '5.9, node20', compiler: 'ts59', options: { ...EVERY, module: 'node20' } },
  {
    user: 'fastify',
    name: '7, nodenext, skipLibCheck',
    compiler: 'ts7',
    options: { ...EVERY, module: 'nodenext', skipLibCheck: true },
  },
]

/** What `tsc --init` of TypeScript 7 writes, and `types`, which a project on Node has to name. */
const INIT = {
  ...EVERY,
  module: 'nodenext',
  target: 'esnext',
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noUncheckedSideEffectImports: true,
  moduleDetection: 'force',
}

describe.each(['express', 'fastify'] as const)('a TypeScript project beside %s compiles', (user) => {
  it.each(PROJECTS.filter((project) => project.user === user))(
    '$name',
    { timeout: COMPILE_MS },
    async ({ name, compiler, options }) => {
      await compile(users[user], compiler, 'consumer.ts', { ...options, outDir: outOf(name) })
    },
  )

  it('7, as tsc --init has it, as a module', { timeout: COMPILE_MS }, async () => {
    await compile(users[user], 'ts7', 'consumer.mts', { ...INIT, outDir: 'out/init' })
  })
})

function outOf(name: string): string {
  return `out/${name.replace(/\W+/g, '-')}`
}

/** Compiles `file` in a project of its own; it must say nothing. */
async function compile(
  { folder, write }: Installed,
  compiler: Compiler,
  file: string,
  compilerOptions: Readonly<Record<string, unknown>>,
): Promise<void> {
  await write({ 'tsconfig.json': JSON.stringify({ compilerOptions, files: [file] }) })
  const tsc =
    compiler === 'ts7'
      ? join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
      : join(packed.home, 'compilers', 'node_modules', compiler, 'bin', 'tsc')
  const { code, stdout } = await run(process.execPath, [tsc, '-p', 'tsconfig.json'], folder)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
}

/** In JavaScript, by require() alone. */
const PLAIN: Readonly<Record<User, string>> = {
  express: `
    const { sitemap, default: byDefault, path } = require('live-sitemap/express')
    const fetched = require('live-sitemap/fetch')
    const { robotsClasses } = require('live-sitemap/robots-profile')
    exports.main = async () => {
      const fresh = fetched.default({${SITE}})
      const fetch = async () => (await (await fresh.fetch(new Request('https://www.example.com/sitemap.xml'))).text())
      const text = await fetch()
      await fresh.close()
      return {
        text, bare: text, fetched: text, classes: robotsClasses('nofollow').class,
        error: sitemap === byDefault && fetched.sitemap === fetched.default ? 'LSM_ERR_OPTION_INVALID' : 'two functions',
      }
    }
  `,
  fastify: `
    const live = require('live-sitemap')
    const { path } = live
    exports.main = async () => {
      const texts = []
      for (const plugin of [live, live.default, live.sitemapPlugin]) {
        const app = require('fastify')()
        await app.register(plugin, {${SITE}})
        texts.push((await app.inject('/sitemap.xml')).body)
        await app.close()
      }
      const [text, bare, fetched] = texts
      const { robotsClasses } = require('live-sitemap/robots-profile')
      const error = live.default === live.sitemapPlugin ? 'LSM_ERR_OPTION_INVALID' : 'two functions'
      return { text, bare, fetched, classes: robotsClasses('nofollow').class, error }
    }
  `,
}

const RUN_ALL = `
  const all = async () => {
    const said = {}
    for (const file of process.argv.slice(2)) said[file] = await require(file).main()
    console.log(JSON.stringify({ version: process.version, said }))
  }
  all()
`

const URLSET = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>https://www.example.com/</loc></url>
<url><loc>https://www.example.com/about</loc><priority>0.5</priority></url>
<url><loc>https://www.example.com/blog/a%20b</loc><image:image><image:loc>https://www.example.com/a.jpg</image:loc></image:image></url>
</urlset>
`

describe.each(['20.19.0', '22', '24'])(
  'what they were compiled to runs by require() on Node %s',
  (version) => {
    it.each(['express', 'fastify'] as const)('beside %s', { timeout: COMPILE_MS }, async (user) => {
      const { folder, write } = users[user]
      await write({ 'plain.cjs': PLAIN[user], 'run-all.cjs': RUN_ALL })
      const compiled = PROJECTS.filter((project) => project.user === user).map(
        ({ name }) => `./${outOf(name)}/consumer.js`,
      )
      const files = [...compiled, './plain.cjs']
      const args = ['-y', '--prefer-offline', '-p', `node@${version}`, '--', 'node', 'run-all.cjs', ...files]
      const { code, stdout, stderr } = await run('npx', args, folder)
      expect(code, stderr).toBe(0)
      const told = JSON.parse(stdout) as { readonly version: string; readonly said: unknown }
      expect(told.version.startsWith(`v${version}`), told.version).toBe(true)
      const expected = {
        text: URLSET,
        bare: URLSET,
        fetched: URLSET,
        classes: 'robots-nofollow',
        error: 'LSM_ERR_OPTION_INVALID',
      }
      for (const file of files)
        expect(told.said, file).toHaveProperty([file], expect.objectContaining(expected))
    })
  },
)

it('fetch and robots-profile ask for no types of Node', { timeout: COMPILE_MS }, async () => {
  const imports = [
    "import { path, sitemap, type FetchSitemap } from 'live-sitemap/fetch'",
    "import { robotsClasses } from 'live-sitemap/robots-profile'",
  ]
  await users.express.write({
    'web.ts': [...imports, NEUTRAL, 'export { answerOfFetch, classes }'].join('\n'),
  })
  const options = { ...EVERY, types: [], lib: ['es2022', 'dom'], module: 'nodenext', noEmit: true }
  await compile(users.express, 'ts59', 'web.ts', options)
})

describe('the oldest Node that is tried', () => {
  it('is the oldest that the package allows', () => {
    expect(users.express.manifest.engines.node).toBe('>=20.19')
  })
})

describe('the declarations', () => {
  it('behind typesVersions are those behind exports', () => {
    const { exports, typesVersions } = users.express.manifest
    const subpaths = Object.keys(exports).filter((name) => !['.', './package.json'].includes(name))
    const expected = subpaths.map((name) => [name.slice(2), [exports[name]?.replace(/\.js$/, '.d.ts')]])
    expect(Object.entries(typesVersions['*'] ?? {})).toEqual(expected)
  })

  // An Express user has no types of Fastify, and no dependency's types may ask for a newer compiler than ours do.
  it.each([
    { subpath: '.', packages: ['fastify'] },
    { subpath: './express', packages: [] },
    { subpath: './fetch', packages: [] },
    { subpath: './robots-profile', packages: [] },
    { subpath: './stores', packages: [] },
  ])('of $subpath lead to these packages only: $packages', async ({ subpath, packages }) => {
    const { manifest, packageFolder } = users.express
    const start = posix.normalize(manifest.exports[subpath] ?? '').replace(/\.js$/, '.d.ts')
    expect(await packagesFrom(packageFolder, start)).toEqual(packages)
  })
})

/** Packages that declarations name, from one file on through all it names. */
async function packagesFrom(folder: string, start: string): Promise<string[]> {
  const packages = new Set<string>()
  const files = [start]
  const seen = new Set(files)
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:\bfrom |\bimport\()['"]([^'"]+)['"]/g)) {
      if (!specifier.startsWith('.')) {
        packages.add(specifier)
        continue
      }
      const next = posix.join(posix.dirname(file), specifier).replace(/(?<!\.d)\.ts$/, '.d.ts')
      if (!seen.has(next)) files.push(next)
      seen.add(next)
    }
  }
  return [...packages].sort()
}
