import { Readable } from 'node:stream'
import type { SitemapResponse } from '../src/http/message.ts'
import { giveBack } from './give-back.ts'

/** What is used of a request: those of `node:http`, `node:http2` and Express fit. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Record<string, string | string[] | undefined>
  readonly socket?: unknown
}

/** What is used of a response: those of `node:http`, `node:http2` and Express fit. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly destroyed?: boolean
  getHeader(name: string): number | string | readonly string[] | undefined
  setHeader(name: string, value: string): unknown
  removeHeader(name: string): unknown
  writeHead(status: number): unknown
  end(): unknown
  end(chunk: Uint8Array): unknown
  once(event: string, listener: () => void): unknown
  destroy(error?: Error): unknown
}

/** A client that takes nothing for this long is cut off: a stalled one would pin its body for ever. */
const IDLE_SOCKET_MS = 30_000

/** Headers that speak of a body: a 304 has none of them, nor a length (STYLE section 8), whatever was set before us. */
const OF_A_BODY = ['content-type', 'content-encoding']
/** Headers that speak of a document: an error has none of them. */
const OF_A_DOCUMENT = ['etag', 'last-modified']

/** Writes an answer out. `failed` hears of a body that broke off half way; the connection is cut then. */
export function sendAnswer(
  request: NodeRequest,
  response: NodeResponse,
  answer: SitemapResponse,
  failed: (error: unknown) => void,
): void {
  // Another middleware, one with a time limit for instance, was faster.
  if (response.headersSent) {
    giveBack(answer)
    return
  }
  const { body, done } = answer
  writeHead(request, response, answer)
  if (body === undefined || request.method === 'HEAD') {
    giveBack(answer)
    response.end()
  } else if (Buffer.isBuffer(body)) {
    if (done !== undefined) {
      whenGone(request, response, done)
      watchSocket(response)
    }
    response.end(body)
  } else {
    const stream = Readable.from(body, { objectMode: false, highWaterMark: 65_536 })
    stream.once('error', (error) => {
      failed(error)
      response.destroy()
    })
    // Whatever becomes of the answer, what the stream holds is given back.
    whenGone(request, response, () => void stream.destroy())
    watchSocket(response)
    stream.pipe(response as unknown as NodeJS.WritableStream)
  }
}

/** Takes back the headers of an answer that could not be written, so that another can. */
export function takeBackHeaders(response: NodeResponse, { headers }: SitemapResponse): void {
  for (const name of [...Object.keys(headers), 'content-length']) response.removeHeader(name)
}

function writeHead(request: NodeRequest, response: NodeResponse, answer: SitemapResponse): void {
  const { status, headers, bytes } = answer
  if (status === 304) for (const name of OF_A_BODY) response.removeHeader(name)
  if (status >= 400) for (const name of OF_A_DOCUMENT) response.removeHeader(name)
  for (const [name, value] of Object.entries(headers))
    response.setHeader(name, name === 'vary' ? joinVary(response.getHeader(name), value) : value)
  if (bytes === undefined) response.removeHeader('content-length')
  else response.setHeader('content-length', String(bytes))
  if (isPlainUnderStrongTag(headers)) asIfIdentityWasAsked(request, () => response.writeHead(status))
  else response.writeHead(status)
}

/** Middleware before us may vary its own headers (CORS: by Origin). */
function joinVary(before: number | string | readonly string[] | undefined, ours: string): string {
  const named = String(before ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (named.includes('*')) return '*'
  return named.some((name) => name.toLowerCase() === ours.toLowerCase())
    ? named.join(', ')
    : [...named, ours].join(', ')
}

function isPlainUnderStrongTag(headers: SitemapResponse['headers']): boolean {
  const { etag } = headers
  return headers['content-encoding'] === undefined && etag !== undefined && !etag.startsWith('W/')
}

/**
 * The coding is negotiated; a compressing middleware before us must not code our identity bytes again under their
 * strong ETag (SPEC N14). It decides when the headers go out, by the request's Accept-Encoding (measured: compression,
 * for `deflate` or `br;q=0.1, identity;q=0.5`). `no-transform` in Cache-Control would do as well, but caches would see it.
 */
function asIfIdentityWasAsked({ headers }: NodeRequest, run: () => void): void {
  const asked = headers['accept-encoding']
  headers['accept-encoding'] = 'identity'
  try {
    run()
  } finally {
    if (asked === undefined) delete headers['accept-encoding']
    else headers['accept-encoding'] = asked
  }
}

/** A socket, or the stream of an HTTP/2 answer. */
interface Line {
  readonly destroyed?: boolean
  readonly closed?: boolean
  once(event: 'close', listener: () => void): unknown
}

/** What to run when a connection goes: one listener on each, however many answers it has waiting. */
const leaving = new WeakMap<Line, Set<() => void>>()

/**
 * Calls `run`, which may be called twice, when the answer is over: sent, reset, or lost with its connection. Of
 * pipelined answers only the first has the socket, and the others hear of no close (measured).
 */
function whenGone(request: NodeRequest, response: NodeResponse, run: () => void): void {
  const line = lineOf((response as { readonly stream?: unknown }).stream ?? request.socket)
  if (response.destroyed === true || line?.destroyed === true || line?.closed === true) {
    run()
    return
  }
  const waiting = line === undefined ? undefined : waitingOn(line)
  waiting?.add(run)
  const over = (): void => {
    waiting?.delete(run)
    run()
  }
  response.once('close', over)
  // Where requests are made up, by adapters of serverless platforms, nothing closes.
  if (line === undefined) response.once('finish', over)
}

function lineOf(value: unknown): Line | undefined {
  return typeof (value as Partial<Line> | null | undefined)?.once === 'function' ? (value as Line) : undefined
}

function waitingOn(line: Line): Set<() => void> {
  const known = leaving.get(line)
  if (known !== undefined) return known
  const waiting = new Set<() => void>()
  leaving.set(line, waiting)
  line.once('close', () => {
    for (const run of waiting) run()
    waiting.clear()
  })
  return waiting
}

function watchSocket(response: NodeResponse): void {
  const { setTimeout } = response as { readonly setTimeout?: (ms: number, run: () => void) => unknown }
  setTimeout?.call(response, IDLE_SOCKET_MS, () => response.destroy())
}
