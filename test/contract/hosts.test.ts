import { once } from 'node:events'
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import express from 'express'
import Fastify from 'fastify'
import { createFetchSitemap } from '../../plugins/fetch-sitemap.ts'
import { createNodeSitemap } from '../../plugins/node-sitemap.ts'
import { Hono, serve } from '../support/hono.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { createSitemapPlugin } from '../support/plugin.ts'
import { describeHost, type RunningHost, type StartHost } from './host.ts'

// Its types are those of Express 5.
const express4 = createRequire(import.meta.url)('express4') as typeof express

const startFastify: StartHost = async (options, { catchAll } = {}) => {
  const clock = createManualClock()
  const app = Fastify()
  await app.register(createSitemapPlugin(clock), options)
  if (catchAll !== undefined) app.all('/*', (_, reply) => reply.send(catchAll))
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { origin, handle: app.sitemap, clock, close: () => app.close() }
}

function startExpress(framework: typeof express): StartHost {
  return async (options, { catchAll } = {}) => {
    const clock = createManualClock()
    const handle = createNodeSitemap(options, clock)
    const app = framework()
    app.disable('x-powered-by')
    app.use(handle)
    if (catchAll !== undefined) app.use((_, response) => void response.type('text').send(catchAll))
    return { ...(await listen(http.createServer(app), handle)), handle, clock }
  }
}

const startNode: StartHost = async (options, { catchAll } = {}) => {
  const clock = createManualClock()
  const handle = createNodeSitemap(options, clock)
  const server =
    catchAll === undefined
      ? http.createServer(handle)
      : http.createServer((request, response) =>
          handle(request, response, () => void sendText(response, catchAll)),
        )
  return { ...(await listen(server, handle)), handle, clock }
}

/** Hono on the server that it comes with, with its own Request and Response or with those of Node. */
function startHono(overrideGlobalObjects: boolean): StartHost {
  return async (options, { catchAll } = {}) => {
    const clock = createManualClock()
    const handle = createFetchSitemap(options, clock)
    const app = new Hono()
    app.use(async (context, next) => (await handle.fetch(context.req.raw)) ?? (await next()))
    if (catchAll !== undefined) app.all('*', (context) => context.text(catchAll))
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects })
    await once(server, 'listening')
    return { ...running(server as http.Server, handle), handle, clock }
  }
}

/** Node's own Request and Response, and as little around them as may be. */
const startFetch: StartHost = async (options, { catchAll } = {}) => {
  const clock = createManualClock()
  const handle = createFetchSitemap(options, clock)
  const server = http.createServer((incoming, outgoing) => {
    const left = new AbortController()
    outgoing.once('close', () => left.abort())
    const { method = 'GET', url = '/' } = incoming
    const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    const request = new Request(new URL(url.startsWith('/') ? `http://a${url}` : url), {
      method,
      headers,
      signal: left.signal,
    })
    void handle.fetch(request).then((response) => {
      if (response === undefined) {
        if (catchAll === undefined) outgoing.writeHead(404).end()
        else sendText(outgoing, catchAll)
        return
      }
      outgoing.writeHead(response.status, [...response.headers].flat())
      if (response.body === null) outgoing.end()
      else
        Readable.fromWeb(response.body as never)
          .on('error', () => outgoing.destroy())
          .pipe(outgoing)
    })
  })
  return { ...(await listen(server, handle)), handle, clock }
}

function sendText(response: http.ServerResponse, text: string): void {
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.setHeader('content-length', Buffer.byteLength(text))
  response.end(text)
}

async function listen(
  server: http.Server,
  handle: RunningHost['handle'],
): Promise<Pick<RunningHost, 'origin' | 'close'>> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return running(server, handle)
}

function running(server: http.Server, handle: RunningHost['handle']): Pick<RunningHost, 'origin' | 'close'> {
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await handle.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const HOSTS: Readonly<Record<string, StartHost>> = {
  Fastify: startFastify,
  'Express 4': startExpress(express4),
  'Express 5': startExpress(express),
  'node:http': startNode,
  'fetch, Hono': startHono(true),
  "fetch, Hono with Node's Request and Response": startHono(false),
  "fetch, Node's Request and Response": startFetch,
}

for (const [name, start] of Object.entries(HOSTS)) describeHost(name, start, startFastify)
