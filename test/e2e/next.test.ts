/** The recipe of docs/fetch.md in a real Next.js: installed from the packed tarball, built and started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Packed, pack } from '../package/installed.ts'
import { fetchRaw } from '../support/site.ts'

const REQUIRED = process.env.LIVE_SITEMAP_NEXT === 'required'
/** Installing and building takes a minute: only where it is asked for. */
if (!REQUIRED) console.log('skipped: Next.js is installed and built where LIVE_SITEMAP_NEXT=required')

const FILES = {
  'package.json': JSON.stringify({ name: 'next-app', private: true, type: 'module' }),
  'app/layout.jsx': `export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html> }\n`,
  'app/page.jsx': 'export default function Page() { return <h1>The app itself</h1> }\n',
  'app/sitemaps/[[...path]]/route.js': `
import { sitemap } from 'live-sitemap/fetch'

const sm = sitemap({
  encodings: false,
  routes: { robots: '/robots.txt' },
  site: { url: 'https://www.example.com', title: 'Example' },
  providers: {
    pages: ['/', '/about'],
    posts: () => Array.from({ length: 500 }, (_, i) => ({ loc: '/post-' + i, title: 'Post ' + i })),
  },
})

export async function GET(request) {
  return (await sm.fetch(request)) ?? new Response(null, { status: 404 })
}
export { GET as DELETE, GET as PATCH, GET as POST, GET as PUT }
`,
  'next.config.mjs': `
const paths = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.html', '/sitemap.txt', '/feed.rss', '/robots.txt', '/sitemap-:part(.*)']

export default {
  rewrites: async () => paths.map((source) => ({ source, destination: '/sitemaps' + source })),
}
`,
} as const

describe.skipIf(!REQUIRED)('Next.js 16', () => {
  let packed: Packed | undefined
  let server: ChildProcess | undefined
  let base = ''

  beforeAll(async () => {
    packed = await pack()
    const folder = join(packed.home, 'next-app')
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    await run(folder, 'npm', [
      'install',
      '--no-audit',
      '--no-fund',
      packed.tarball,
      'next@16',
      'react@19',
      'react-dom@19',
    ])
    await run(folder, 'npx', ['next', 'build'])
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    server = spawn('npx', ['next', 'start', '-p', String(port), '-H', '127.0.0.1'], {
      cwd: folder,
      stdio: 'ignore',
      // A group of its own, so that all of it can be ended.
      detached: true,
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    })
    await untilAnswers(base)
  }, 300_000)

  afterAll(async () => {
    if (server?.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
    await packed?.remove()
  })

  it('serves the sitemap uncoded and under a weak ETag, which a 304 confirms', async () => {
    const first = await fetchRaw(`${base}/sitemap.xml`)
    expect(first.status).toBe(200)
    expect(first.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(first.headers['content-encoding']).toBeUndefined()
    expect(first.headers.etag).toMatch(/^W\/"/)
    expect(first.text).toContain('<loc>https://www.example.com/post-499</loc>')
    const again = await fetchRaw(`${base}/sitemap.xml`, { headers: { 'if-none-match': first.headers.etag } })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
  })

  it('is compressed by Next.js itself, under the same weak ETag', async () => {
    const plain = await fetchRaw(`${base}/sitemap.xml`)
    const coded = await fetchRaw(`${base}/sitemap.xml`, { headers: { 'accept-encoding': 'gzip' } })
    expect(coded.headers['content-encoding']).toBe('gzip')
    expect(coded.headers.etag).toBe(plain.headers.etag)
    expect(coded.text).toBe(plain.text)
  })

  it.each([
    { path: '/sitemap_index.xml', status: 200, holds: '/sitemap-posts-1.xml' },
    { path: '/sitemap-posts-1.xml', status: 200, holds: '/post-0' },
    { path: '/sitemap-posts-1.txt', status: 200, holds: 'https://www.example.com/post-0' },
    { path: '/feed.rss', status: 200, holds: '<rss' },
    { path: '/sitemap.html', status: 200, holds: 'Post 0' },
    { path: '/robots.txt', status: 200, holds: 'Sitemap: https://www.example.com/sitemap_index.xml' },
    { path: '/sitemap-posts-9.xml', status: 404, holds: 'Not found' },
    { path: '/', status: 200, holds: 'The app itself' },
  ])('$path → $status', async ({ path, status, holds }) => {
    const answer = await fetchRaw(base + path)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(holds)
  })

  it('refuses other methods', async () => {
    const answer = await fetchRaw(`${base}/sitemap.xml`, { method: 'POST', body: '' })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, HEAD')
  })
})

function run(cwd: string, command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      cwd,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: '' },
    })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${args[0]} ended with ${code}: ${said.slice(-2_000)}`))
    })
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Next.js says nowhere else that it listens. */
async function untilAnswers(url: string): Promise<void> {
  const endMs = performance.now() + 60_000
  for (;;) {
    const answer = await fetchRaw(url).catch(() => undefined)
    if (answer !== undefined) return
    if (performance.now() > endMs) throw new Error('Next.js does not answer')
    await sleep(200)
  }
}
