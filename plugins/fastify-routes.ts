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
import { REFUSED_METHODS, reportAnswer } from '../src/http/host.ts'
import type { SitemapResponse } from '../src/http/message.ts'
import { requestedHost } from '../src/http/request-target.ts'
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
import { joinedVary, unfitHeaders } from './headers-before.ts'
import { watchSocket, whenGone } from './lost-clients.ts'

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
  for (const { before, after, name } of patterns)
    addRoute(
      app,
      engine,
      settings,
      `${before}:part(^${name})${after}`,
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
  const hasOneSite = engine.options.sites === undefined
  app.route({
    ...ours,
    method: ['GET', 'HEAD'],
    handler(request, reply) {
      const header = (name: string): string | undefined => headerText(request.headers[name])
      const answer = engine.respond({
        method: request.method,
        path: pathOf(request),
        // Its own, whatever trustProxy makes of it; one site is served to whoever asks.
        host: hasOneSite ? undefined : requestedHost(request.originalUrl, header),
        original: request,
        header,
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
    method: [...REFUSED_METHODS],
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
  for (const name of unfitHeaders(status)) if (reply.hasHeader(name)) reply.removeHeader(name)
  const vary = joinedVary(reply.getHeader('vary'), headers)
  reply.code(status).headers(headers)
  if (vary !== undefined) reply.header('vary', vary)
  if (body === undefined) {
    // STYLE section 8: with an argument Fastify would give a 304 a Content-Length.
    if (bytes !== undefined) reply.header('content-length', bytes)
    reply.send()
  } else if (Buffer.isBuffer(body)) {
    if (done !== undefined) {
      whenGone(reply.request.raw, reply.raw, done)
      watchSocket(reply.raw)
    }
    reply.send(body)
  } else {
    if (bytes !== undefined) reply.header('content-length', bytes)
    const stream = Readable.from(body, { objectMode: false, highWaterMark: 65_536 })
    // Whatever becomes of the answer, what the stream holds is given back.
    whenGone(reply.request.raw, reply.raw, () => void stream.destroy())
    watchSocket(reply.raw)
    reply.send(stream)
  }
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
        method: ['GET', 'HEAD'],
        // The route option of @fastify/compress: this one route is coded, whatever `global` says.
        compress: {},
        handler(request, reply) {
          send(reply, reportAnswer(engine, request.method))
        },
      } as RouteOptions)
      addRefusal(child, { ...settings, url, onSend: afterOthers })
    })
    done()
  }
}
