/** Hosts that listen: each as a user would write it, on a manual clock. */
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
import type { HostKind, RunningHost, StartHost } from './host.ts'

// Its types are those of Express 5.
const express4 = createRequire(import.meta.url)('express4') as typeof express

const startFastify: StartHost = async (options, { catchAll, headers } = {}) => {
  const clock = createManualClock()
  const requests = new WeakSet<object>()
  const app = Fastify()
  app.addHook('onRequest', async (request, reply) => {
    requests.add(request)
    if (headers !== undefined) void reply.headers(headers)
  })
  await app.register(createSitemapPlugin(clock), options)
  if (catchAll !== undefined) {
    app.all('/*', (_, reply) => reply.send(catchAll))
    // Methods that it does not route.
    app.setNotFoundHandler((_, reply) => reply.code(200).send(catchAll))
  }
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { origin, handle: app.sitemap, clock, requests, close: () => app.close() }
}

function startExpress(framework: typeof express): StartHost {
  return async (options, { catchAll, headers = {} } = {}) => {
    const clock = createManualClock()
    const requests = new WeakSet<object>()
    const handle = createNodeSitemap(options, clock)
    const app = framework()
    app.disable('x-powered-by')
    app.use((request, response, next) => {
      requests.add(request)
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      next()
    })
    app.use(handle)
    if (catchAll !== undefined) app.use((_, response) => void response.type('text').send(catchAll))
    return { ...(await listen(http.createServer(app), handle)), handle, clock, requests }
  }
}

const startNode: StartHost = async (options, { catchAll, headers = {} } = {}) => {
  const clock = createManualClock()
  const requests = new WeakSet<object>()
  const handle = createNodeSitemap(options, clock)
  const server = http.createServer((request, response) => {
    requests.add(request)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (catchAll === undefined) handle(request, response)
    else handle(request, response, () => void sendText(response, catchAll))
  })
  return { ...(await listen(server, handle)), handle, clock, requests }
}

/** Hono on the server that it comes with, with its own Request and Response or with those of Node. */
function startHono(overrideGlobalObjects: boolean): StartHost {
  return async (options, { catchAll } = {}) => {
    const clock = createManualClock()
    const requests = new WeakSet<object>()
    const handle = createFetchSitemap(options, clock)
    const app = new Hono()
    app.use(async (context, next) => {
      requests.add(context.req.raw)
      return (await handle.fetch(context.req.raw)) ?? (await next())
    })
    if (catchAll !== undefined) app.all('*', (context) => context.text(catchAll))
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects })
    await once(server, 'listening')
    return { ...running(server as http.Server, handle), handle, clock, requests }
  }
}

/** Node's own Request and Response, and as little around them as may be. */
const startFetch: StartHost = async (options, { catchAll } = {}) => {
  const clock = createManualClock()
  const requests = new WeakSet<object>()
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
    requests.add(request)
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
  return { ...(await listen(server, handle)), handle, clock, requests }
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

/** Every host there is, by its name. */
export const HOSTS: readonly (readonly [name: string, start: StartHost, kind: HostKind])[] = [
  ['Fastify', startFastify, 'node'],
  ['Express 4', startExpress(express4), 'node'],
  ['Express 5', startExpress(express), 'node'],
  ['node:http', startNode, 'node'],
  ['fetch, Hono', startHono(true), 'fetch'],
  ["fetch, Hono with Node's Request and Response", startHono(false), 'fetch'],
  ["fetch, Node's Request and Response", startFetch, 'fetch'],
]
