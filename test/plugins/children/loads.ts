/** Prints which packages are loaded after all documents were served, with the report route on or off. */
import { Module } from 'node:module'
import Fastify from 'fastify'
import sitemapPlugin from '../../../plugins/fastify.ts'

const [report = 'off'] = process.argv.slice(2)
const loaded = (name: string): boolean =>
  Object.keys((Module as unknown as { _cache: object })._cache).some((file) =>
    file.includes(`/node_modules/${name}/`),
  )

const before = { compress: loaded('@fastify/compress'), builder: loaded('xmlbuilder2') }
const app = Fastify()
await app.register(sitemapPlugin, {
  site: { url: 'https://www.example.com' },
  providers: { posts: ['/', { loc: '/a', title: 'A' }] },
  ...(report === 'on' ? { routes: { report: '/sitemap-report' } } : {}),
})
await app.listen({ port: 0, host: '127.0.0.1' })
const statuses: number[] = []
for (const url of ['/sitemap.xml', '/feed.rss', '/sitemap.html', '/sitemap.txt'])
  statuses.push((await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })).statusCode)
const after = { compress: loaded('@fastify/compress'), builder: loaded('xmlbuilder2') }
await app.close()
console.log(JSON.stringify({ before, after, statuses }))
