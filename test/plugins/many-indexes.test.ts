/** Several indexes through real hosts: a router must know their paths before they are there. */
import http from 'node:http'
import express from 'express'
import Fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { sitemap } from '../../plugins/express.ts'
import sitemapPlugin, { defineProvider, type SitemapOptions } from '../../plugins/fastify.ts'
import { sitemap as fetchSitemap } from '../../plugins/fetch.ts'
import { closeApps, fetchRaw, listen, locsOf } from '../support/site.ts'

const COUNT = 60
const SITE = { url: 'https://www.example.com' } as const

function optionsOf(more: Pick<SitemapOptions, 'routes' | 'i18n' | 'limit'> = {}): SitemapOptions {
  return {
    site: SITE,
    maxBytes: 1_024,
    warmUp: false,
    ...more,
    routes: { robots: '/robots.txt', ...more.routes },
    providers: {
      pages: ['/'],
      goods: defineProvider({
        formats: ['xml', 'txt', 'html'],
        partitions: () => Array.from({ length: COUNT }, (_, i) => ({ id: `p${i}`, title: `Part ${i}` })),
        entries: ({ partition }) => [`/${partition.id}`],
      }),
    },
  }
}

type Ask = (path: string, headers?: Record<string, string>) => Promise<{ status: number; text: string }>

const servers = new Set<http.Server>()
afterEach(async () => {
  await closeApps()
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  servers.clear()
})

const hosts: readonly { readonly host: string; readonly start: (options: SitemapOptions) => Promise<Ask> }[] =
  [
    {
      host: 'Fastify',
      async start(options) {
        const app = Fastify()
        await app.register(sitemapPlugin, options)
        app.get('/sitemap_index-mine.xml', () => 'mine')
        const base = await listen(app)
        return (path, headers) => fetchRaw(base + path, headers === undefined ? {} : { headers })
      },
    },
    {
      host: 'Express',
      async start(options) {
        const app = express()
        app.use(sitemap(options))
        app.get('/sitemap_index-mine.xml', (_request, response) => {
          response.send('mine')
        })
        const server = http.createServer(app)
        servers.add(server)
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const { port } = server.address() as { port: number }
        return (path, headers) =>
          fetchRaw(`http://127.0.0.1:${port}${path}`, headers === undefined ? {} : { headers })
      },
    },
    {
      host: 'fetch',
      async start(options) {
        const sm = fetchSitemap(options)
        return async (path, headers = {}) => {
          const request = new Request(SITE.url + path, {
            headers: { 'accept-encoding': 'identity', ...headers },
          })
          const answer = (await sm.fetch(request)) ?? new Response('mine')
          return { status: answer.status, text: await answer.text() }
        }
      },
    },
  ]

describe.each(hosts)('indexes past maxBytes on $host (SPEC I10, I16)', ({ start }) => {
  it('are all there, all in robots.txt, within maxBytes, and name every part once', async () => {
    const ask = await start(optionsOf())
    const found: string[] = []
    let files = 0
    for (;;) {
      const path = files === 0 ? '/sitemap_index.xml' : `/sitemap_index-${files + 1}.xml`
      const { status, text } = await ask(path)
      if (status === 404) break
      expect(status).toBe(200)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024)
      found.push(...locsOf(text))
      files++
    }
    const parts = Array.from({ length: COUNT }, (_, i) => `${SITE.url}/sitemap-goods-p${i}-1.xml`)
    expect(found).toEqual([`${SITE.url}/sitemap-pages-1.xml`, ...parts])
    const robots = (await ask('/robots.txt')).text
    expect(robots.match(/sitemap_index(-\d+)?\.xml/g)).toHaveLength(files)
    expect(robots.match(/sitemap-goods-p\d+-1\.txt/g)).toHaveLength(COUNT)
    expect((await ask('/sitemap_index-2.xml')).status).toBe(200)
    // A name that no index has is the app's.
    expect((await ask('/sitemap_index-mine.xml')).text).toBe('mine')
    expect((await ask('/sitemap-goods-p59-1.xml')).text).toContain('/p59')
    expect((await ask('/sitemap-goods-1.html')).text).toContain('Part 0')
  })

  it('without a path of its own for the index, /sitemap.xml goes on in /sitemap-2.xml', async () => {
    const ask = await start(optionsOf({ routes: { index: false } }))
    const first = locsOf((await ask('/sitemap.xml')).text)
    const second = locsOf((await ask('/sitemap-2.xml')).text)
    expect([first.length > 0, second.length > 0]).toEqual([true, true])
    expect(new Set([...first, ...second]).size).toBe(first.length + second.length)
    expect((await ask('/robots.txt')).text).toContain('/sitemap-2.xml')
  })

  it('a locale that needs several indexes has them', async () => {
    const pages = Array.from({ length: 60 }, (_, i) => `/${'x'.repeat(300)}${i}`)
    const options = optionsOf({ i18n: { locales: ['en', 'fr'] }, limit: 1 })
    const ask = await start({ ...options, providers: { pages } })
    expect((await ask('/sitemap_index.xml')).status).toBe(200)
    expect(locsOf((await ask('/sitemap_en-2.xml')).text)[0]).toContain('/sitemap_en-pages-')
    expect((await ask('/robots.txt')).text).toContain('/sitemap_en-2.xml')
  })
})
