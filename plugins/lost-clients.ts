/** A client that takes nothing for this long is cut off: a stalled one would pin its body for ever (measured: 60 of them, 337 MB). */
const IDLE_SOCKET_MS = 30_000

/** What is used of a request of `node:http` or `node:http2`. */
interface Asking {
  readonly socket?: unknown
}

/** What is used of a response of `node:http` or `node:http2`. */
interface Answering {
  readonly destroyed?: boolean
  once(event: string, listener: () => void): unknown
  destroy(error?: Error): unknown
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
 * Calls `run`, which may be called twice, when the answer is over: sent, reset, dropped by a hook of the app, or lost
 * with its connection. Of pipelined answers only the first has the socket, and the others hear of no close (measured).
 */
export function whenGone(request: Asking, response: Answering, run: () => void): void {
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

/** Cuts off a client that stalls. */
export function watchSocket(response: Answering): void {
  const { setTimeout } = response as { readonly setTimeout?: (ms: number, run: () => void) => unknown }
  setTimeout?.call(response, IDLE_SOCKET_MS, () => response.destroy())
}
