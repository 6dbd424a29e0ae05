/** A server process of its own: `tsx bench/server.ts <kind>`; prints its port. All kinds serve the same coded bytes. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import sitemapPlugin from '../plugins/fastify.ts'
import { ORIGIN, plainRows } from './entries.ts'

/** About 3 KB coded. */
const rows = plainRows(300)
const kind = process.argv[2]
const options = { site: { url: ORIGIN }, providers: { blog: rows }, warmUp: false }

// Asked of an app of its own: an app that was asked takes no more routes.
const probe = Fastify()
await probe.register(sitemapPlugin, options)
const answer = await probe.inject({ url: '/sitemap.xml', headers: { 'accept-encoding': 'gzip' } })
const plain = await probe.inject({ url: '/sitemap.xml', headers: { 'accept-encoding': 'identity' } })
await probe.close()
const body = answer.rawPayload
const headers = Object.fromEntries(
  Object.entries(answer.headers).filter(([name]) => !['date', 'connection', 'content-length'].includes(name)),
)

const app = Fastify()
if (kind === 'ours') await app.register(sitemapPlugin, options)
if (kind === 'bare' || kind === 'control') {
  // The floor: the same bytes and headers, and no question asked.
  app.get('/bare.xml', (request, reply) => {
    if (request.headers['if-none-match'] !== undefined) reply.code(304).headers(headers).send()
    else reply.code(200).headers(headers).send(body)
  })
}
if (kind === 'static') {
  const root = mkdtempSync(join(tmpdir(), 'bench-static-'))
  writeFileSync(join(root, 'file.xml'), plain.rawPayload)
  writeFileSync(join(root, 'file.xml.gz'), gzipSync(plain.rawPayload))
  await app.register(fastifyStatic, { root, prefix: '/static/', preCompressed: true })
}
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
const path = kind === 'static' ? '/static/file.xml' : kind === 'ours' ? '/sitemap.xml' : '/bare.xml'
process.stdout.write(
  `${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0, path, etag: answer.headers.etag, bytes: body.length })}\n`,
)
