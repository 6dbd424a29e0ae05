import type { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  RouteOptions,
} from 'fastify'
import { methodNotAllowed } from '../src/http/answers.ts'
import { MEDIA_TYPES } from '../src/http/media-types.ts'
import type { SitemapResponse } from '../src/http/message.ts'
import {
  type Clock,
  createEngine,
  createHandle,
  documentPaths,
  type Engine,
  resolveOptions,
  SitemapError,
  type SitemapOptions,
} from '../src/index.ts'

/** A body larger than the buffers of a socket is watched: see {@link watchSocket}. */
const IDLE_SOCKET_MS = 30_000
const WRITING_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Settings of our routes, some of which other plugins read: their types are theirs. */
type Ours = Readonly<Record<string, unknown>>

const OURS: Ours = {
  exposeHeadRoute: false,
  // A global @fastify/compress would code our bytes again under our strong ETag (measured).
  compress: false,
  // @fastify/swagger leaves the route out.
  schema: { hide: true },
}

/** Adds routes, handle and hooks to the app. Throws one SitemapError with all faults of the options. */
export function registerSitemap(app: FastifyInstance, given: SitemapOptions, clock?: Clock): void {
  // Routes inside a prefixed context get its prefix from Fastify; ours we apply ourselves (fastify-plugin drops it).
  const within = app.prefix === '' ? undefined : app.prefix + (given?.prefix ?? '')
  const options = resolveOptions(
    within === undefined || given.publicPath !== undefined ? given : { ...given, publicPath: within },
  )
  if (app.hasDecorator(options.name)) {
    throw new SitemapError(
      'LSM_ERR_OPTION_INVALID',
      `option "name" is "${options.name}", which the app has already: give a second registration a name of its own, e.g. { name: 'shopSitemap' }`,
    )
  }
  const engine = createEngine(options, { ...(clock === undefined ? {} : { clock }), log: app.log })
  app.decorate(options.name, createHandle(engine))
  // What Fastify passes on to plugins and fastify-plugin drops.
  const { logLevel, logSerializers } = given as {
    readonly logLevel?: unknown
    readonly logSerializers?: unknown
  }
  const ours: Ours = {
    ...OURS,
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(logSerializers === undefined ? {} : { logSerializers }),
  }
  addDocumentRoutes(app, engine, ours)
  addReportRoute(app, engine, ours)
  app.addHook('onListen', (hookDone) => {
    engine.listening()
    hookDone()
  })
  // Before the server waits for its answers: those that wait for a walk are let go.
  app.addHook('preClose', (hookDone) => {
    engine.close().then(() => hookDone(), hookDone)
  })
}

function addDocumentRoutes(app: FastifyInstance, engine: Engine, settings: Ours): void {
  const { fixed, patterns } = documentPaths(engine.options)
  for (const path of fixed) addRoute(app, engine, settings, path, () => path)
  for (const { before, after } of patterns)
    addRoute(
      app,
      engine,
      settings,
      `${before}:part(^[\\w.-]+)${after}`,
      (request) => `${before}${(request.params as { part: string }).part}${after}`,
    )
}

function addRoute(
  app: FastifyInstance,
  engine: Engine,
  settings: Ours,
  url: string,
  pathOf: (request: FastifyRequest) => string,
): void {
  const ours = { ...settings, url: engine.options.prefix + url, onSend: afterOthers }
  app.route({
    ...ours,
    method: ['GET', 'HEAD'],
    handler(request, reply) {
      const answer = engine.respond({
        method: request.method,
        path: pathOf(request),
        // Its own, whatever trustProxy makes of it: it only selects among known sites.
        host: headerText(request.headers.host ?? request.headers[':authority']),
        original: request,
        header: (name) => headerText(request.headers[name]),
      })
      if (answer instanceof Promise)
        answer.then((value) => send(reply, value)).catch((error: unknown) => reply.send(error))
      else send(reply, answer)
    },
  })
  addRefusal(app, ours)
}

function addRefusal(app: FastifyInstance, ours: Ours & { readonly url: string }): void {
  app.route({
    ...ours,
    method: WRITING_METHODS,
    // Before the body is parsed: its media type has no say in this answer.
    onRequest: (_request, reply) => send(reply, methodNotAllowed()),
    handler() {},
  })
}

/** Errors being sent, whose status and body nobody else decides. */
const errors = new WeakMap<FastifyReply, SitemapResponse>()

/**
 * Runs after the app's own hooks. @fastify/etag gives our errors a validator and may then answer 304 in their place
 * (SPEC N2); it also turns our 304 into one with an empty text, and so with a Content-Length of 0, which would speak of
 * the 200's (RFC 9110 §8.6).
 */
const afterOthers: onSendHookHandler = (_request, reply, _payload, done) => {
  if (reply.statusCode === 200) return done()
  if (reply.statusCode === 304 && !errors.has(reply)) return done(null, null)
  const error = errors.get(reply)
  if (error === undefined) return done()
  reply.code(error.status).removeHeader('etag')
  return done(null, error.body)
}

function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

function send(reply: FastifyReply, answer: SitemapResponse): void {
  const { status, headers, body, bytes, done } = answer
  if (status >= 400) errors.set(reply, answer)
  reply.code(status).headers(headers)
  if (body === undefined) {
    // STYLE section 8: with an argument Fastify would give a 304 a Content-Length.
    if (bytes !== undefined) reply.header('content-length', bytes)
    reply.send()
  } else if (Buffer.isBuffer(body)) {
    if (done !== undefined) {
      whenGone(reply, done)
      watchSocket(reply)
    }
    reply.send(body)
  } else {
    if (bytes !== undefined) reply.header('content-length', bytes)
    const stream = Readable.from(body, { objectMode: false, highWaterMark: 65_536 })
    // Whatever becomes of the answer, what the stream holds is given back.
    whenGone(reply, () => void stream.destroy())
    watchSocket(reply)
    reply.send(stream)
  }
}

/** What to run when a connection goes: one listener on each, however many answers it has waiting. */
const leaving = new WeakMap<EventEmitter, Set<() => void>>()

/**
 * Calls `run`, which may be called twice, when the answer is over: sent, reset, dropped by a hook of the app, or lost
 * with its connection. Of pipelined answers only the first has the socket, and the others hear of no close (measured).
 */
function whenGone(reply: FastifyReply, run: () => void): void {
  const raw = reply.raw as FastifyReply['raw'] & { readonly stream?: Line }
  const line: Line | null | undefined = raw.stream ?? reply.request.raw.socket
  if (raw.destroyed || line === null || line === undefined || line.destroyed || line.closed) {
    run()
    return
  }
  let waiting = leaving.get(line)
  if (waiting === undefined) {
    const made = new Set<() => void>()
    waiting = made
    leaving.set(line, made)
    line.once('close', () => {
      for (const each of made) each()
      made.clear()
    })
  }
  const ofLine = waiting
  ofLine.add(run)
  raw.once('close', () => {
    ofLine.delete(run)
    run()
  })
}

/** A socket, or the stream of an HTTP/2 answer. */
type Line = EventEmitter & { readonly destroyed: boolean; readonly closed?: boolean }

/** A client that takes nothing for 30 s is cut off: a stalled one would pin its body for ever (measured: 60 of them, 337 MB). */
function watchSocket(reply: FastifyReply): void {
  reply.raw.setTimeout?.(IDLE_SOCKET_MS, () => reply.raw.destroy())
}

/**
 * The report is made per request, so it is coded per request: by the host's @fastify/compress, or by one of our own in
 * a context that holds nothing else (a second registration in one context kills the process: measured).
 */
function addReportRoute(app: FastifyInstance, engine: Engine, settings: Ours): void {
  const path = engine.options.routes.report
  if (path === false) return
  void app.register(reportRoute(engine, settings, path))
}

function reportRoute(engine: Engine, settings: Ours, path: string): FastifyPluginCallback {
  return (child, _options, done) => {
    if (!child.hasReplyDecorator('compress'))
      void child.register(import('@fastify/compress'), { global: false })
    void child.after(() => {
      const url = engine.options.prefix + path
      child.route({
        ...settings,
        url,
        method: 'GET',
        // The route option of @fastify/compress: this one route is coded, whatever `global` says.
        compress: {},
        handler(_request, reply) {
          void reply.code(200).headers(REPORT_HEADERS)
          return JSON.stringify(engine.report(), null, 2)
        },
      } as RouteOptions)
      addRefusal(child, { ...settings, url, onSend: afterOthers })
    })
    done()
  }
}

/** Whatever is said of the state now must not be kept, nor found. */
const REPORT_HEADERS = {
  'content-type': MEDIA_TYPES.json,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}
