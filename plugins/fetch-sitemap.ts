import { type Clock, systemClock } from '../src/clock.ts'
import { createHandle, type SitemapHandle } from '../src/handle.ts'
import { createAnswerer } from '../src/http/host.ts'
import type { SitemapResponse } from '../src/http/message.ts'
import { originForm } from '../src/http/request-target.ts'
import { consoleLogger, createLog } from '../src/log.ts'
import { resolveOptions, type SitemapOptions } from '../src/options.ts'
import { messageOf } from '../src/providers/read.ts'
import { createBody } from './fetch-body.ts'
import { giveBack } from './give-back.ts'
import { createLazyEngine } from './lazy-engine.ts'

/** What is used of a request; every Request fits. */
export interface FetchRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: { get(name: string): string | null }
  /** Aborted when the client leaves, where the host does so. */
  readonly signal?: AbortSignal | null
}

/** What the host offers beside the request. */
export interface FetchContext {
  /** Keeps the process running until a promise has settled, as Workers' `ctx.waitUntil` and Next.js's `after` do. */
  readonly waitUntil?: (promise: Promise<unknown>) => void
}

/** From Request to Response, and the handle. */
export interface FetchSitemap<Section extends string = string> extends SitemapHandle<Section> {
  /**
   * The answer, or undefined where the path is none of ours. Never rejects. Without `waitUntil` a state past its `ttl`
   * waits for its refresh, `cache.wait` at most: a process that is frozen after the answer would lose it.
   */
  fetch(request: FetchRequest, context?: FetchContext): Promise<Response | undefined>
}

/** The handler; on another clock for tests. Throws one SitemapError with all faults of the options. */
export function createFetchSitemap(given: SitemapOptions, clock: Clock = systemClock): FetchSitemap {
  // A process that may be frozen after each answer has no timers to rely on; with `warmUp: true` it is said to live on.
  const livesOn = given?.warmUp === true
  const options = resolveOptions(livesOn ? given : { ...given, warmUp: false })
  const engine = createLazyEngine(options, clock)
  const answerTo = createAnswerer(engine)
  const log = createLog(options.log ?? consoleLogger, clock)
  let isAsked = false

  async function serve(request: FetchRequest, { waitUntil }: FetchContext): Promise<Response | undefined> {
    if (!isAsked) engine.listening()
    isAsked = true
    // Adapters make the URL of whatever stands in Host, which need not be a host.
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined
    const answer = await answerTo({
      method: request.method,
      url: url?.pathname ?? originForm(request.url),
      // A platform may write its own host into the URL (Next.js: measured), and the client's stays in Host.
      host: request.headers.get('host') ?? url?.host,
      header: (name) => request.headers.get(name) ?? undefined,
      original: request,
      background: waitUntil === undefined ? (livesOn ? undefined : false) : kept(waitUntil),
    })
    return answer === undefined ? undefined : toResponse(answer, request)
  }

  /** What the host does with a promise must not cost the answer. */
  function kept(waitUntil: NonNullable<FetchContext['waitUntil']>): (refresh: Promise<void>) => void {
    return (refresh) => {
      try {
        waitUntil(refresh)
      } catch (error) {
        const message = `a refresh could not be handed to waitUntil: ${messageOf(error)}`
        log.error('LSM_ERR_INTERNAL', 'waitUntil', { err: error }, message)
      }
    }
  }

  function toResponse(answer: SitemapResponse, { method, signal }: FetchRequest): Response {
    const { status, bytes, body } = answer
    const headers = new Headers(answer.headers)
    if (bytes !== undefined) headers.set('content-length', String(bytes))
    if (body === undefined || method === 'HEAD') {
      giveBack(answer)
      return new Response(null, { status, headers })
    }
    return new Response(createBody(answer, { signal: signal ?? undefined, clock, failed }), {
      status,
      headers,
    })
  }

  function failed(error: unknown): void {
    const message = `an answer could not be sent: ${messageOf(error)}`
    log.error('LSM_ERR_INTERNAL', 'send', { err: error }, message)
  }

  return { ...createHandle(engine), fetch: (request, context = {}) => serve(request, context) }
}
