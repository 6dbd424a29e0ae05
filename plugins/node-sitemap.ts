import { type Clock, systemClock } from '../src/clock.ts'
import { createHandle, type SitemapHandle } from '../src/handle.ts'
import { notFound, unavailable } from '../src/http/answers.ts'
import { createAnswerer } from '../src/http/host.ts'
import type { SitemapResponse } from '../src/http/message.ts'
import { originForm, requestedHost } from '../src/http/request-target.ts'
import { consoleLogger, createLog } from '../src/log.ts'
import { resolveOptions, type SitemapOptions } from '../src/options.ts'
import { messageOf } from '../src/providers/read.ts'
import { giveBack } from './give-back.ts'
import { createLazyEngine } from './lazy-engine.ts'
import { type NodeRequest, type NodeResponse, sendAnswer, takeBackHeaders } from './node-response.ts'

/** Middleware for Express, and request listener for `node:http`; the handle at the same time. */
export interface SitemapMiddleware<Section extends string = string> extends SitemapHandle<Section> {
  (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void): void
}

/** The middleware; on another clock for tests. Throws one SitemapError with all faults of the options. */
export function createNodeSitemap(given: SitemapOptions, clock?: Clock): SitemapMiddleware {
  const options = resolveOptions(given)
  const engine = createLazyEngine(options, clock)
  const answerTo = createAnswerer(engine)
  const log = createLog(options.log ?? consoleLogger, clock ?? systemClock)
  let isAsked = false

  function serve(request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void): void {
    // No event tells middleware that its server listens: the first request does.
    if (!isAsked) engine.listening()
    isAsked = true
    const target = request.url ?? '/'
    const header = (name: string): string | undefined => headerOf(request, name)
    const answer = answerTo({
      method: request.method ?? 'GET',
      url: originForm(target),
      host: requestedHost(target, header),
      header,
      original: request,
    })
    if (answer === undefined) {
      if (next === undefined) send(request, response, notFound())
      else next()
    } else if (answer instanceof Promise) {
      answer.then((value) => send(request, response, value)).catch((error) => fail(response, error))
    } else send(request, response, answer)
  }

  /** Never throws, and never hands an error on: Express would show its stack, or leave the request without an answer. */
  function send(request: NodeRequest, response: NodeResponse, answer: SitemapResponse): void {
    try {
      sendAnswer(request, response, answer, said)
    } catch (error) {
      // Something before us in the chain, which hooked into the response, threw.
      giveBack(answer)
      said(error)
      if (response.headersSent) response.destroy()
      else apologise(request, response, answer)
    }
  }

  function apologise(request: NodeRequest, response: NodeResponse, instead: SitemapResponse): void {
    try {
      takeBackHeaders(response, instead)
      sendAnswer(request, response, unavailable(1_000), said)
    } catch (error) {
      fail(response, error)
    }
  }

  function fail(response: NodeResponse, error: unknown): void {
    said(error)
    response.destroy()
  }

  function said(error: unknown): void {
    log.error('LSM_ERR_INTERNAL', 'send', { err: error }, `an answer could not be sent: ${messageOf(error)}`)
  }

  return Object.assign(serve, createHandle(engine))
}

function headerOf({ headers }: NodeRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}
