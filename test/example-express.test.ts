import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startExpress } from '../example-app/express.ts'
import { buildSite, freePort } from '../example-app/site.ts'

const host = '127.0.0.1'

let folder: string
let onExpress: Awaited<ReturnType<typeof startExpress>>
let fastify: FastifyInstance
let onFastify: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-sitemap-twins-'))
  onExpress = await startExpress({ port: await freePort(host), host, dataDir: join(folder, 'express') })
  const port = await freePort(host)
  fastify = await buildSite({ port, host, dataDir: join(folder, 'fastify'), logLevel: 'silent' })
  onFastify = await fastify.listen({ port, host })
})

afterAll(async () => {
  await onExpress.close()
  await fastify.close()
  await rm(folder, { recursive: true, force: true })
})

/** A document without what differs between the two: their ports. */
async function get(base: string, path: string) {
  const answer = await fetch(base + path, { redirect: 'manual' })
  const text = (await answer.text()).replaceAll(base, '')
  return { status: answer.status, type: answer.headers.get('content-type'), text }
}

describe('the shop on Express and on Fastify', () => {
  it.each([
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/sitemap-products-1.xml',
    '/sitemap.txt',
    '/sitemap.html',
    '/sitemap-products-2.html',
    '/feed.rss',
    '/feed.atom',
    '/feed.json',
    '/robots.txt',
    '/llms.txt',
    '/sitemap.css',
    '/sitemap-products-99.xml',
  ])('%s is the same document', async (path) => {
    const [one, two] = await Promise.all([get(onExpress.url, path), get(onFastify, path)])
    expect(one).toEqual(two)
    expect(one.status).toBe(path.includes('99') ? 404 : 200)
    expect(one.text.length).toBeGreaterThan(5)
  })

  it.each([
    '/',
    '/fr',
    '/fr/',
    '/about',
    '/articles',
    '/products',
    '/products?after=40',
    '/no/such/page',
    '/style.css',
  ])('%s is the same page', async (path) => {
    const [one, two] = await Promise.all([get(onExpress.url, path), get(onFastify, path)])
    expect(one.status).toBe(two.status)
    if (one.status === 200) expect(one.text).toBe(two.text)
  })

  it('every page that the sitemap lists first is there', async () => {
    const { text } = await get(onExpress.url, '/sitemap.txt')
    for (const path of text.split('\n').slice(0, 30))
      if (path !== '') expect([path, (await get(onExpress.url, path)).status]).toEqual([path, 200])
  })
})
