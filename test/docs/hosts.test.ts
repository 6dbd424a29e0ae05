/** The examples of the pages of hosts beside Fastify, run as they stand; docs.test.ts compiles them. */
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { SitemapHandle } from '../../src/index.ts'
import { fetchRaw } from '../support/site.ts'
import { ROOT } from './examples.ts'
import { type Fence, readPage } from './markdown.ts'

const FIVE = ['/sitemap.xml', '/sitemap_index.xml', '/feed.rss', '/sitemap.html', '/sitemap.txt']

/** What an example is named by on the page, and what is in reach of the test then. */
const EXPORTS: Readonly<Record<string, string>> = {
  express: 'export { server, sm }',
  http: 'export { server, sm }',
  hono: 'export { server, sm }',
  // It has exports of its own.
  next: 'export { sm }',
}

interface Example {
  readonly sm: SitemapHandle
  readonly server?: http.Server
  readonly GET?: (request: Request) => Promise<Response>
}

await mkdir(join(ROOT, 'coverage'), { recursive: true })
const dir = await mkdtemp(join(ROOT, 'coverage/docs-hosts-'))
const fences: Fence[] = []
for (const name of ['docs/express.md', 'docs/fetch.md'])
  fences.push(...readPage(name, await readFile(join(ROOT, name), 'utf8')).fences)

afterAll(() => rm(dir, { recursive: true, force: true }))

/** The example as it stands, but on a free port. */
async function run({ line, meta, text }: Fence): Promise<Example> {
  const code = text
    .replace(/'live-sitemap\/(express|fetch)'/, "'../../plugins/$1.ts'")
    .replace('.listen(3000)', ".listen(0, '127.0.0.1')")
    .replace('port: 3000', "port: 0, hostname: '127.0.0.1'")
  const file = join(dir, `${meta}-${line}.ts`)
  await writeFile(file, `${code}\n${EXPORTS[meta] ?? ''}\n`)
  return import(/* @vite-ignore */ file)
}

describe('the examples of hosts', () => {
  const examples = fences.filter(({ meta }) => Object.hasOwn(EXPORTS, meta))

  it('are there for each host', () => {
    expect([...new Set(examples.map(({ meta }) => meta))].sort()).toEqual(Object.keys(EXPORTS).sort())
  })

  it.each(examples.map((fence) => [fence.at, fence] as const))(
    '%s serves the five documents',
    async (_at, fence) => {
      const { sm, server, GET } = await run(fence)
      try {
        if (server !== undefined && !server.listening) await once(server, 'listening')
        for (const path of FIVE) {
          const { status, text } =
            server === undefined ? await called(GET, path) : await fetchRaw(`${originOf(server)}${path}`)
          expect({ path, status }).toEqual({ path, status: 200 })
          expect(text).toContain('https://www.example.com')
        }
      } finally {
        await sm.close()
        server?.close()
      }
    },
  )
})

function originOf(server: http.Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function called(handle: Example['GET'], path: string): Promise<{ status?: number; text?: string }> {
  const response = await handle?.(new Request(`http://localhost:3000${path}`))
  return response === undefined ? {} : { status: response.status, text: await response.text() }
}
