import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { hasRedis, startRedis } from './support/redis.ts'

const host = '127.0.0.1'
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A draft of the CMS, and what it is published under. */
const DRAFT = { documentId: 'vbaky64zdj58xmc6b46e514p', slug: 'garden-note-00016' } as const

const STORES: readonly string[] = hasRedis() ? ['one folder', 'Redis'] : ['one folder']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-sitemap-two-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** `npm run start:two`, on two free ports, one behind the other. */
async function startTwo(env: Record<string, string>) {
  const port = await twoPorts()
  const child = spawn(process.execPath, ['--import', 'tsx', 'example-app/two.ts'], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', HOST: host, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  const urls = [port, port + 1].map((one) => `http://${host}:${one}`)
  await Promise.all(
    urls.map((url) =>
      eventually(
        () =>
          fetch(`${url}/sitemap.xml`).then(
            ({ status }) => status === 200,
            () => false,
          ),
        `an instance at ${url}: ${errors}`,
        40_000,
      ),
    ),
  )
  return { urls, child, exit, errors: () => errors }
}

/** Below the ports that the system gives to connections by itself: nobody takes the second one meanwhile. */
async function twoPorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + 2 * Math.floor(Math.random() * 6_000)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

async function get(url: string): Promise<{ etag: string | null; lastModified: string | null; text: string }> {
  const { headers, text } = await fetch(url).then(async (answer) => ({
    headers: answer.headers,
    text: await answer.text(),
  }))
  return { etag: headers.get('etag'), lastModified: headers.get('last-modified'), text }
}

describe('npm run start:two', { timeout: 90_000 }, () => {
  it.each(STORES)(
    'two instances over %s: the same documents, and what one publishes the other serves',
    async (name) => {
      const redis = name === 'Redis' ? await startRedis() : undefined
      const two = await startTwo({
        DATA_DIR: join(folder, name),
        REDIS_URL: redis?.url ?? '',
      })
      try {
        const [one = '', other = ''] = two.urls
        const before = await get(`${one}/sitemap.xml`)
        expect(await get(`${other}/sitemap.xml`)).toEqual(before)
        const { documentId, slug } = DRAFT
        expect(before.text).not.toContain(slug)
        const answer = await fetch(`${one}/admin/articles/${documentId}/publish`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
        expect(await answer.json()).toMatchObject({ sitemap: 'fresh' })
        await eventually(
          async () => (await get(`${other}/sitemap.xml`)).text.includes(`${one}/articles/${slug}`),
          'the article at the other instance',
        )
        expect(await get(`${other}/sitemap.xml`)).toEqual(await get(`${one}/sitemap.xml`))
        two.child.kill('SIGTERM')
        expect(await two.exit).toBe(0)
        expect(two.errors()).toBe('')
      } finally {
        two.child.kill('SIGKILL')
        await redis?.stop()
      }
    },
  )
})
