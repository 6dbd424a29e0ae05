import { Readable } from 'node:stream'
import type { SitemapResponse } from '../src/http/message.ts'
import { giveBack } from './give-back.ts'
import { type HeaderValue, joinedVary, unfitHeaders } from './headers-before.ts'
import { watchSocket, whenGone } from './lost-clients.ts'

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
  getHeader(name: string): HeaderValue
  setHeader(name: string, value: string): unknown
  removeHeader(name: string): unknown
  writeHead(status: number): unknown
  end(): unknown
  end(chunk: Uint8Array): unknown
  once(event: string, listener: () => void): unknown
  destroy(error?: Error): unknown
}

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
  for (const name of unfitHeaders(status)) response.removeHeader(name)
  const vary = joinedVary(response.getHeader('vary'), headers)
  for (const name in headers) response.setHeader(name, headers[name] as string)
  if (vary !== undefined) response.setHeader('vary', vary)
  if (bytes === undefined) response.removeHeader('content-length')
  else response.setHeader('content-length', String(bytes))
  if (isPlainUnderStrongTag(headers)) asIfIdentityWasAsked(request, () => response.writeHead(status))
  else response.writeHead(status)
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
