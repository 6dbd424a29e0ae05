/**
 * Serves very many tenants on each of the hosts that are named, one host after the other, asks each tenant over real
 * sockets, and prints a line of JSON for each host. A process of its own, whose heap can be measured.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Site, SitemapHandle, SitemapOptions } from '../../../src/index.ts'
import { until } from '../../support/manual-clock.ts'
import { HOSTS } from '../starters.ts'
import { ATTACKER, TENANTS, type Tenancy } from '../tenancy.ts'

/** Asked before the heap is measured: sites leave memory by then, and the code is warm. */
const WARM = 400
const AT_ONCE = 16
const PAGES = '/sitemap-pages-1.xml'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

for (const name of process.argv.slice(2)) console.log(JSON.stringify(await serveTenants(name)))

async function serveTenants(name: string): Promise<Tenancy> {
  const start = HOSTS.find(([host]) => host === name)?.[1]
  if (start === undefined) throw new Error(`there is no host "${name}"`)
  const dir = await mkdtemp(join(tmpdir(), 'live-sitemap-tenants-'))
  const seen = { walks: 0, deadCalls: 0, lines: 0, faults: [] as string[] }
  const { origin, handle, close } = await start(optionsOf(dir, seen))
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const ask: Ask = (host, path) => askOnce(agent, new URL(origin).port, host, path)
  const expectThat = (holds: boolean, what: string): void => {
    if (!holds && seen.faults.length < 20) seen.faults.push(what)
  }
  /** Nothing anywhere speaks of a host that only a request named. */
  const expectSilence = (where: string, what: unknown): void =>
    expectThat(!JSON.stringify(what).toLowerCase().includes(ATTACKER), `${where} names a host that was asked`)

  async function visit(number: number): Promise<void> {
    const host = hostOf(number)
    const { status, text } = await ask(host, PAGES)
    expectThat(
      status === 200 && text.includes(`<loc>https://${host}/of-${number}</loc>`),
      `${host}: ${status}`,
    )
    if (number % 10 === 0) {
      const whole = await ask(host, '/sitemap.xml')
      expectThat(whole.status === 503, `${host}: ${whole.status} without its dead section`)
    }
    if (number % 50 === 0) {
      const alias = await ask(`${ATTACKER}.${host}:666`, PAGES)
      const location = `https://${host}${PAGES}`
      expectThat(alias.status === 301 && alias.headers.location === location, `alias: ${alias.status}`)
      const unknown = await ask(`${ATTACKER}-${number}.example.org`, PAGES)
      expectThat(unknown.status === 404, `unknown host: ${unknown.status}`)
      expectSilence('an answer', [alias, unknown])
    }
  }

  async function visitAll(from: number, to: number): Promise<void> {
    let next = from
    const visitor = async (): Promise<void> => {
      while (next < to) await visit(next++)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, visitor))
  }

  await visitAll(0, WARM)
  const before = await heapBytes(handle)
  await visitAll(WARM, TENANTS)
  const after = await heapBytes(handle)

  // The first has left long ago, and comes back without a walk.
  const first = await ask(hostOf(0), PAGES)
  expectThat(
    first.status === 200 && first.text.includes('/of-0</loc>'),
    'the first tenant came back otherwise',
  )
  expectThat(seen.walks === TENANTS, `${seen.walks} walks of ${TENANTS} tenants`)

  expectSilence('the report', handle.report())
  expectSilence('the report of a tenant', handle.report({ site: 'tenant-50' }))
  const files = await readdir(dir, { recursive: true, withFileTypes: true })
  expectSilence('the name of a file', files)
  for (const [i, file] of files.entries())
    if (i % 10 === 0 && file.isFile())
      // One may go while it is looked at.
      expectSilence('a file', await readFile(join(file.parentPath, file.name), 'latin1').catch(() => ''))

  const { sites = { awake: 0, asked: 0 }, memory } = handle.report()
  const { faults, deadCalls, lines } = seen
  agent.destroy()
  await close()
  await rm(dir, { recursive: true, force: true })
  return { name, faults, sites, memory, growth: after - before, deadCalls, lines, files: files.length }
}

function hostOf(tenant: number): string {
  return `t${tenant}.example.com`
}

function optionsOf(dir: string, seen: { walks: number; deadCalls: number; lines: number }): SitemapOptions {
  const said = (): void => {
    seen.lines++
  }
  return {
    warmUp: false,
    retries: 0,
    log: { info: said, warn: said, error: said },
    cache: { memory: '16mb', dir, ttl: '1d' },
    routes: { rss: false, html: false, txt: false },
    // A tenant has its own host and, as an alias, whatever stands before it.
    sites: async (host): Promise<Site | null> => {
      const number = /(?:^|\.)t(\d+)\.example\.com$/.exec(host)?.[1]
      if (number === undefined) return null
      return {
        id: `tenant-${number}`,
        url: `https://t${number}.example.com`,
        title: `No. ${number}`,
        data: number,
      }
    },
    providers: {
      pages: ({ site }) => {
        seen.walks++
        return ['/', `/of-${site.data}`]
      },
      dead: () => {
        seen.deadCalls++
        throw new Error('down')
      },
    },
  }
}

interface Seen {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

type Ask = (host: string, path: string) => Promise<Seen>

function askOnce(agent: http.Agent, port: string, host: string, path: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const request = http.get({ agent, port, host: '127.0.0.1', path, headers: { host } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
  })
}

/** Bytes of heap, and of what it holds outside, when sites have left memory. */
async function heapBytes(handle: Pick<SitemapHandle, 'report'>): Promise<number> {
  await until(() => {
    const { used, limit } = handle.report().memory
    return used <= limit * 0.75
  }, 'sites to leave memory')
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
