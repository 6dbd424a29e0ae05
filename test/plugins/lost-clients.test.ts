import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import Fastify from 'fastify'
import { it } from 'vitest'
import sitemapPlugin, { type SitemapOptions } from '../../plugins/fastify.ts'
import { until } from '../support/manual-clock.ts'

const rows = Array.from(
  { length: 12_000 },
  (_, i) => `/an-article-with-a-rather-long-name-of-which-there-are-many/${i}`,
)
const OPTIONS: SitemapOptions = {
  site: { url: 'https://www.example.com' },
  providers: { posts: () => rows },
  warmUp: false,
}

// Of pipelined answers only the first has a socket: the others heard of no close, and held their memory for ever.
it('a connection that goes gives back what all its pipelined answers hold', async () => {
  const app = Fastify()
  await app.register(sitemapPlugin, OPTIONS)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await app.sitemap.ready()
  const before = () => app.sitemap.report().memory.used
  const { port } = app.server.address() as net.AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /sitemap-posts-1.xml HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20))
  await until(() => before() > 2_000_000)
  socket.resetAndDestroy()
  await until(() => before() < 600_000)
  await app.close()
})

// An HTTP/2 answer has no `destroyed`, and its close had been told already.
it('an HTTP/2 client that resets while its body is made leaves nothing', async () => {
  const app = Fastify({ http2: true })
  await app.register(sitemapPlugin as never, OPTIONS)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await app.sitemap.ready()
  const { port } = app.server.address() as net.AddressInfo
  const client = http2.connect(`http://127.0.0.1:${port}`)
  client.on('error', () => {})
  await once(client, 'connect')
  for (let n = 0; n < 5; n++) {
    const stream = client.request({
      ':path': '/sitemap-posts-1.xml',
      'accept-encoding': n % 2 ? 'br' : 'identity',
    })
    stream.on('error', () => {})
    // Sent, and on its way through the server when it is reset.
    await new Promise((resolve) => setImmediate(resolve))
    stream.close(http2.constants.NGHTTP2_CANCEL)
  }
  client.destroy()
  await until(() => app.sitemap.report().memory.used < 600_000)
  await app.close()
})

// The app's own hook threw the answer away, and nobody closed its stream.
it('an answer that a hook of the app drops leaves nothing', async () => {
  const app = Fastify()
  app.addHook('onSend', async () => {
    throw new Error('hook')
  })
  await app.register(sitemapPlugin, OPTIONS)
  await app.sitemap.ready()
  for (let n = 0; n < 4; n++)
    await app.inject({ url: '/sitemap-posts-1.xml', headers: { 'accept-encoding': 'identity' } })
  await until(() => app.sitemap.report().memory.used < 600_000)
  await app.close()
})
