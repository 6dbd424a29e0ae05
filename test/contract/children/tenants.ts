/**
 * Serves very many tenants on the host that is named, asks each of them over real sockets, and prints what it saw as
 * JSON. A process of its own, so that its heap is measured alone.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Site } from '../../../src/index.ts'
import { until } from '../../support/manual-clock.ts'
import { HOSTS } from '../starters.ts'
import { ATTACKER, TENANTS, type Tenancy } from '../tenancy.ts'

const [name] = process.argv.slice(2)
const start = HOSTS.find(([host]) => host === name)?.[1]
if (start === undefined) throw new Error(`there is no host "${name}"`)

/** Asked before the heap is measured: sites leave memory by then, and the code is warm. */
const WARM = 400
const AT_ONCE = 16

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const dir = await mkdtemp(join(tmpdir(), 'live-sitemap-tenants-'))
let walks = 0
let deadCalls = 0
let lines = 0
const said = (): void => {
  lines++
}

const { origin, handle, close } = await start({
  warmUp: false,
  retries: 0,
  log: { info: said, warn: said, error: said },
  cache: { memory: '16mb', dir, ttl: '1d' },
  routes: { rss: false, html: false, txt: false },
  // A tenant has its own host and, as an alias, whatever stands before its name.
  sites: async (host): Promise<Site | null> => {
    const number = /(?:^|\.)t(\d+)\.example\.com$/.exec(host)?.[1]
    return number === undefined
      ? null
      : {
          id: `tenant-${number}`,
          url: `https://t${number}.example.com`,
          title: `Tenant ${number}`,
          data: number,
        }
  },
  providers: {
    pages: ({ site }) => {
      walks++
      return ['/', `/of-${site.data}`]
    },
    dead: () => {
      deadCalls++
      throw new Error('down')
    },
  },
})

const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
const { port } = new URL(origin)

interface Seen {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

function ask(host: string, path: string): Promise<Seen> {
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

const faults: string[] = []

function expectThat(holds: boolean, what: string): void {
  if (!holds && faults.length < 20) faults.push(what)
}

function ofTenant(number: number): string {
  return `t${number}.example.com`
}

async function visit(number: number): Promise<void> {
  const host = ofTenant(number)
  const { status, text } = await ask(host, '/sitemap-pages-1.xml')
  expectThat(status === 200 && text.includes(`<loc>https://${host}/of-${number}</loc>`), `${host}: ${status}`)
  if (number % 10 === 0) {
    const whole = await ask(host, '/sitemap.xml')
    expectThat(whole.status === 503, `${host}: ${whole.status} without its dead section`)
  }
  if (number % 50 === 0) {
    const alias = await ask(`${ATTACKER}.${host}:666`, '/sitemap-pages-1.xml')
    expectThat(
      alias.status === 301 && alias.headers.location === `https://${host}/sitemap-pages-1.xml`,
      `alias of ${host}: ${alias.status} ${alias.headers.location}`,
    )
    const unknown = await ask(`${ATTACKER}-${number}.example.org`, '/sitemap-pages-1.xml')
    expectThat(unknown.status === 404, `unknown host: ${unknown.status}`)
    for (const answer of [alias, unknown]) expectSilence(`an answer for ${host}`, answer)
  }
}

/** Nothing anywhere speaks of a host that only a request named. */
function expectSilence(where: string, what: unknown): void {
  expectThat(
    !JSON.stringify(what).toLowerCase().includes(ATTACKER),
    `${where} names a host that was asked for`,
  )
}

async function visitAll(from: number, to: number): Promise<void> {
  let next = from
  const visitor = async (): Promise<void> => {
    while (next < to) await visit(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visitor))
}

async function heapBytes(): Promise<number> {
  const { memory } = handle.report()
  await until(() => handle.report().memory.used <= memory.limit * 0.75, 'sites to leave memory')
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

await visitAll(0, WARM)
const before = await heapBytes()
await visitAll(WARM, TENANTS)
const after = await heapBytes()

// The first has left long ago, and comes back without a walk.
const walkedBefore = walks
const first = await ask(ofTenant(0), '/sitemap-pages-1.xml')
expectThat(first.status === 200 && first.text.includes('/of-0</loc>'), 'the first tenant came back otherwise')
expectThat(walks === walkedBefore, 'the first tenant was walked anew')
expectThat(walks === TENANTS, `${walks} walks of ${TENANTS} tenants`)

expectSilence('the report', handle.report())
expectSilence('the report of a tenant', handle.report({ site: 'tenant-50' }))
const files = await readdir(dir, { recursive: true, withFileTypes: true })
expectSilence('the name of a file', files)
for (const [i, file] of files.entries())
  if (i % 10 === 0 && file.isFile())
    // One may go while it is looked at.
    expectSilence('a file', await readFile(join(file.parentPath, file.name), 'latin1').catch(() => ''))

const { sites, memory } = handle.report()
const tenancy: Tenancy = {
  faults,
  sites: sites ?? { awake: 0, asked: 0 },
  memory,
  growth: after - before,
  deadCalls,
  lines,
  files: files.length,
}
console.log(JSON.stringify(tenancy))

agent.destroy()
await close()
await rm(dir, { recursive: true, force: true })
