/** Several sites over HTTP/2, where :authority stands for Host. */
import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import sitemapPlugin from '../../plugins/fastify.ts'
import { createNodeSitemap } from '../../plugins/node-sitemap.ts'
import type { SitemapOptions } from '../../src/index.ts'

const OPTIONS = {
  warmUp: false,
  sites: [
    { url: 'https://one.example.com', hosts: ['www.one.example.com'] },
    { url: 'https://two.example.com' },
  ],
  providers: { pages: ['/page'] },
} satisfies SitemapOptions

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const HOSTS: Readonly<Record<string, () => Promise<number>>> = {
  async Fastify() {
    const app = Fastify({ http2: true })
    await app.register(sitemapPlugin as never, OPTIONS)
    await app.listen({ port: 0, host: '127.0.0.1' })
    closing.push(() => app.close())
    return (app.server.address() as AddressInfo).port
  },
  async 'node:http2'() {
    const handle = createNodeSitemap(OPTIONS)
    const server = http2.createServer(handle).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(async () => {
      await handle.close()
      server.close()
    })
    return (server.address() as AddressInfo).port
  },
}

interface Asked {
  readonly status: number
  readonly location: string | undefined
  readonly text: string
}

describe.each(Object.keys(HOSTS))('%s', (name) => {
  async function ask(headers: http2.OutgoingHttpHeaders): Promise<Asked> {
    const port = (await HOSTS[name]?.()) ?? 0
    const client = http2.connect(`http://127.0.0.1:${port}`)
    const stream = client.request({ ':path': '/sitemap.xml', ...headers })
    const [answer] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders & { ':status'?: number }]
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    client.close()
    return { status: answer[':status'] ?? 0, location: answer.location, text }
  }

  it.each([
    { authority: 'one.example.com', status: 200, holds: 'https://one.example.com/page' },
    { authority: 'TWO.example.com:8443', status: 200, holds: 'https://two.example.com/page' },
    { authority: 'www.one.example.com', status: 301, holds: '' },
    { authority: 'nobody.example.com', status: 404, holds: 'Not found' },
  ])(':authority $authority → $status', async ({ authority, status, holds }) => {
    const answer = await ask({ ':authority': authority })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(holds)
    expect(answer.location).toBe(status === 301 ? 'https://one.example.com/sitemap.xml' : undefined)
  })

  it(':authority has precedence over Host (RFC 9113 §8.3.1)', async () => {
    const answer = await ask({ ':authority': 'two.example.com', host: 'one.example.com' })
    expect(answer.text).toContain('<loc>https://two.example.com/page</loc>')
  })

  it('Host alone will do', async () => {
    expect((await ask({ host: 'two.example.com' })).text).toContain('<loc>https://two.example.com/page</loc>')
  })
})
