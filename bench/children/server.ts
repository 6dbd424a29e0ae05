/** The server of the bench, a process of its own: serves the same coded bytes in every way, and says its port. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { ORIGIN, plainRows } from '../entries.ts'
import { sitemapPlugin } from '../library.ts'
import { answerCommands } from './process.ts'

/** About 3 KB coded. */
const rows = plainRows(300)
const options = { site: { url: ORIGIN }, providers: { blog: rows }, warmUp: false }

// Asked of an app of its own: an app that was asked takes no more routes.
const probe = Fastify()
await probe.register(sitemapPlugin, options)
const answer = await probe.inject({ url: '/sitemap.xml', headers: { 'accept-encoding': 'gzip' } })
const plain = await probe.inject({ url: '/sitemap.xml', headers: { 'accept-encoding': 'identity' } })
await probe.close()
const body = answer.rawPayload
const { date: _, connection: __, 'content-length': ___, ...headers } = answer.headers

const app = Fastify()
await app.register(sitemapPlugin, options)
// The floor: the same bytes and headers, and no question asked; twice, the second being the control.
for (const path of ['/bare.xml', '/again.xml']) {
  app.get(path, (request, reply) => {
    if (request.headers['if-none-match'] === undefined) reply.code(200).headers(headers).send(body)
    else reply.code(304).headers(headers).send()
  })
}
const root = mkdtempSync(join(tmpdir(), 'bench-static-'))
writeFileSync(join(root, 'file.xml'), plain.rawPayload)
writeFileSync(join(root, 'file.xml.gz'), gzipSync(plain.rawPayload))
await app.register(fastifyStatic, { root, prefix: '/static/', preCompressed: true })

await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
const port = typeof address === 'object' ? address?.port : 0
answerCommands({ port, etag: answer.headers.etag, bytes: body.length }, {}, async () => {
  await app.close()
  await rm(root, { recursive: true, force: true })
})
