import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, type Installed, packAndInstall, ROOT, run } from './installed.ts'

// npm packs, builds and installs from a registry.
const SETUP_MS = 300_000
const COMPILE_MS = 120_000

let installed: Installed

beforeAll(async () => {
  installed = await packAndInstall()
}, SETUP_MS)

afterAll(() => installed?.remove())

describe('the tarball', () => {
  it('holds the build, the documents and nothing else', async () => {
    const documents = ['README.md', 'LICENSE', 'CHANGELOG.md'].filter((name) => existsSync(join(ROOT, name)))
    const docs = (await filesOf(join(ROOT, 'docs'))).map((name) => `docs/${name}`)
    const sources = [...(await under('src')), ...(await under('plugins'))].map((name) =>
      name.slice(0, -'.ts'.length),
    )
    const built = sources.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`])
    expect(installed.files).toEqual(['package.json', ...documents, ...docs, ...built].sort())
  })

  it('has a file behind every subpath of exports', () => {
    for (const [subpath, target] of Object.entries(installed.manifest.exports)) {
      // A pattern such as ./sources/* needs one match at least.
      const [head = '', tail] = target.replace(/^\.\//, '').split('*')
      const behind = (extension: string) =>
        installed.files.filter((name) =>
          tail === undefined
            ? name === head.replace(/\.js$/, extension)
            : name.startsWith(head) && name.endsWith(tail.replace(/\.js$/, extension)),
        )
      expect(behind('.js'), subpath).not.toEqual([])
      if (target.endsWith('.js')) expect(behind('.d.ts'), `types of ${subpath}`).not.toEqual([])
    }
  })

  it('imports only its own files, Node and what it depends on', async () => {
    const { dependencies, peerDependencies } = installed.manifest
    const packages = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
    for (const name of installed.files.filter((file) => /\.(?:js|d\.ts)$/.test(file))) {
      const text = await readFile(join(installed.packageFolder, name), 'utf8')
      for (const specifier of specifiersOf(text)) {
        if (specifier.startsWith('.')) {
          // tsc leaves the ending .ts in declarations, where it stands for .d.ts.
          const target = posix.join(posix.dirname(name), specifier).replace(/(?<!\.d)\.ts$/, '.d.ts')
          expect(installed.files, `${specifier} in ${name}`).toContain(target)
        } else if (specifier.startsWith('node:')) {
          expect(builtinModules, name).toContain(specifier.slice('node:'.length))
        } else {
          const [scope = '', rest] = specifier.split('/')
          const owner = scope.startsWith('@') ? `${scope}/${rest}` : scope
          expect(packages, `${specifier} in ${name}`).toContain(owner)
        }
      }
    }
  })
})

/** What a module imports, statically or not. */
function specifiersOf(text: string): string[] {
  const form = /^(?:import|export)\s(?:[\w$*{},\s]+\sfrom\s)?['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm
  return [...text.matchAll(form)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
}

/** Registers the plugin as `sitemapPlugin`, listens, and prints the documents. */
const SERVE = `
  const app = Fastify()
  await app.register(sitemapPlugin, {
    site: { url: 'https://www.example.com', title: 'Example', description: 'News and goods' },
    providers: {
      pages: ['/', '/about'],
      posts: async function* () { yield { loc: path\`/blog/\${'a b'}\`, lastmod: '2024-05-01', title: 'A & B' } },
    },
    routes: { report: '/report.json' },
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const out = {}
  for (const url of ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-posts-1.xml', '/feed.rss', '/sitemap.html', '/sitemap.txt', '/report.json']) {
    const answer = await fetch(address + url)
    out[url] = { status: answer.status, coding: answer.headers.get('content-encoding'), body: await answer.text() }
  }
  await app.close()
  console.log(JSON.stringify(out))
`

const URLSET = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://www.example.com/</loc></url>
<url><loc>https://www.example.com/about</loc></url>
<url><loc>https://www.example.com/blog/a%20b</loc><lastmod>2024-05-01</lastmod></url>
</urlset>
`

type Answers = Readonly<
  Record<string, { readonly status: number; readonly coding: string | null; readonly body: string }>
>

describe('an installed package serves', () => {
  const forms = [
    {
      name: 'to import, by the default export',
      file: 'default.mjs',
      text: `import Fastify from 'fastify'\nimport sitemapPlugin, { path } from 'live-sitemap'\n${SERVE}`,
    },
    {
      name: 'to import, by names',
      file: 'named.mjs',
      text: `import { fastify as Fastify } from 'fastify'\nimport { path, sitemapPlugin } from 'live-sitemap'\n${SERVE}`,
    },
    {
      name: 'to require, by names',
      file: 'named.cjs',
      text: `const Fastify = require('fastify')\nconst { path, sitemapPlugin } = require('live-sitemap')\nmain()\nasync function main() {${SERVE}}`,
    },
    {
      name: 'to require, by .default',
      file: 'default.cjs',
      text: `const Fastify = require('fastify')\nconst { path, default: sitemapPlugin } = require('live-sitemap')\nmain()\nasync function main() {${SERVE}}`,
    },
    {
      name: 'to require, the module itself',
      file: 'module.cjs',
      text: `const Fastify = require('fastify')\nconst sitemapPlugin = require('live-sitemap')\nconst { path } = sitemapPlugin\nmain()\nasync function main() {${SERVE}}`,
    },
  ]

  it.each(forms)('$name', async ({ file, text }) => {
    await installed.write({ [file]: text })
    const { code, stdout, stderr } = await installed.node([file])
    expect({ code, stderr: withoutRequireWarning(stderr) }).toEqual({ code: 0, stderr: '' })
    const answers = JSON.parse(stdout) as Answers
    expect(Object.values(answers).map(({ status }) => status)).toEqual(Array(7).fill(200))
    expect(answers['/sitemap.xml']?.body).toBe(URLSET)
    expect(answers['/feed.rss']?.body).toContain('A &amp; B')
    expect(answers['/report.json']?.body).toContain('"posts"')
  })

  it('one and the same to both: the error class is shared', async () => {
    await installed.write({
      'both.mjs': `
        import { createRequire } from 'node:module'
        import { SitemapError, path } from 'live-sitemap'
        import Fastify from 'fastify'
        const required = createRequire(import.meta.url)('live-sitemap')
        try { await Fastify().register(required.sitemapPlugin, {}) } catch (error) { console.log(error instanceof SitemapError, error.code) }
        console.log(required.path === path, required.default === required.sitemapPlugin)
      `,
    })
    const { stdout } = await installed.node(['both.mjs'])
    expect(stdout.trim().split('\n')).toEqual(['true LSM_ERR_OPTION_INVALID', 'true true'])
  })

  it('nothing but its public paths', async () => {
    await installed.write({
      'deep.mjs': `import('live-sitemap/dist/src/engine.js').catch((error) => console.log(error.code))`,
    })
    expect((await installed.node(['deep.mjs'])).stdout.trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})

/** Node 20 and 22 announce that require() of a module is experimental; Node 24 no longer does. */
function withoutRequireWarning(stderr: string): string {
  return stderr.replace(
    /^\(node:\d+\) ExperimentalWarning: .*require\(\).*\n|^\(Use `node --trace-warnings .*\n|^Support for loading ES Module in require\(\).*\n/gm,
    '',
  )
}

describe('importing the root', () => {
  it('loads no dependency but fastify-plugin', async () => {
    await installed.write({
      'hooks.mjs': `
        import { appendFileSync } from 'node:fs'
        export async function load(url, context, next) {
          appendFileSync(process.env.LOADED, url + '\\n')
          return next(url, context)
        }`,
      'register-hooks.mjs': `import { register } from 'node:module'\nregister('./hooks.mjs', import.meta.url)`,
      'import-root.mjs': `
        import { createRequire } from 'node:module'
        import { appendFileSync } from 'node:fs'
        import { pathToFileURL } from 'node:url'
        await import('live-sitemap')
        // What CommonJS loads below a module passes no hook.
        const required = Object.keys(createRequire(import.meta.url).cache)
        appendFileSync(process.env.LOADED, required.map((name) => pathToFileURL(name).href + '\\n').join(''))`,
    })
    const list = join(installed.folder, 'loaded.txt')
    const { code, stderr } = await installed.node(['--import', './register-hooks.mjs', 'import-root.mjs'], {
      LOADED: list,
    })
    expect(code, stderr).toBe(0)
    const urls = (await readFile(list, 'utf8')).split('\n')
    const packages = new Set(
      urls
        .map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1])
        .filter((name) => name !== undefined),
    )
    expect([...packages].sort()).toEqual(['fastify-plugin', 'live-sitemap'])
  })

  it('is measured', async () => {
    await installed.write({
      'measure.mjs': `
        gc()
        const rss = process.memoryUsage.rss()
        const start = performance.now()
        await import('live-sitemap')
        const ms = performance.now() - start
        console.log(JSON.stringify({ ms, mb: (process.memoryUsage.rss() - rss) / 2 ** 20 }))`,
    })
    const runs: { readonly ms: number; readonly mb: number }[] = []
    for (let i = 0; i < 5; i++) {
      const { stdout } = await installed.node(['--expose-gc', 'measure.mjs'])
      runs.push(JSON.parse(stdout))
    }
    const median = (of: (one: (typeof runs)[number]) => number) =>
      (runs.map(of).sort((a, b) => a - b)[2] ?? 0).toFixed(1)
    // Printed and not judged: both belong to the machine. DESIGN section 6 asks for 60 ms and 10 MB.
    console.log(
      `import of the root on Node ${process.version}: ${median(({ ms }) => ms)} ms, ${median(({ mb }) => mb)} MB of RSS`,
    )
    expect(runs).toHaveLength(5)
  })
})

describe('the types', () => {
  it('compile in a strict project that checks libraries too', { timeout: COMPILE_MS }, async () => {
    await installed.write({
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          lib: ['es2022'],
          module: 'nodenext',
          types: ['node'],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          noEmit: true,
        },
        files: ['consumer.mts', 'consumer.cts'],
      }),
      'consumer.mts': `
        import Fastify from 'fastify'
        import sitemapPlugin, { defineSitemap, path, SitemapError, type Entry, type SitemapErrorCode, type SitemapOptions } from 'live-sitemap'

        interface Post { slug: string; updatedAt: Date | null; title?: string }
        declare function posts(options: { signal: AbortSignal }): AsyncIterable<Post>

        const app = Fastify()
        await app.register(sitemapPlugin, {
          site: { url: 'https://www.example.com' },
          providers: {
            pages: ['/', '/about', { loc: '/contact', title: 'Contact' }],
            posts: async function* ({ signal }) {
              for await (const p of posts({ signal })) yield { loc: path\`/blog/\${p.slug}\`, lastmod: p.updatedAt, title: p.title }
            },
          },
        })
        await app.sitemap.invalidate('posts', { delay: '1s' })
        const ready: boolean = await app.sitemap.ready()
        const entry: Entry = { loc: new URL('https://www.example.com/') }
        const options: SitemapOptions = defineSitemap({ site: { url: 'https://www.example.com' }, providers: { pages: [entry] } })
        const code = (error: unknown): SitemapErrorCode | undefined => error instanceof SitemapError ? error.code : undefined
        console.log(ready, options, code)

        // @ts-expect-error: a misspelt option
        await app.register(sitemapPlugin, { site: { url: 'https://www.example.com' }, providers: {}, exlude: '/a' })
        // @ts-expect-error: another package's name
        const foreign: Entry = { loc: '/', lastMod: '2024-05-01' }
        // @ts-expect-error: no section
        await app.sitemap.invalidate(5)
        console.log(foreign)
      `,
      'consumer.cts': `
        import Fastify = require('fastify')
        import live = require('live-sitemap')
        const app = Fastify()
        void app.register(live.sitemapPlugin, { site: { url: 'https://www.example.com' }, providers: { pages: ['/'] } })
        void app.register(live.default, { name: 'second', prefix: '/b', site: { url: 'https://www.example.com' }, providers: { pages: ['/'] } })
        void app.sitemap.invalidate()
      `,
    })
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const { code, stdout } = await run(process.execPath, [tsc, '-p', 'tsconfig.json'], installed.folder)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  })
})

async function under(folder: string): Promise<string[]> {
  return (await filesOf(join(ROOT, folder))).map((name) => `${folder}/${name}`)
}
