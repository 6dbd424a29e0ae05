import type { Clock } from '../src/clock.ts'
import type { SitemapResponse } from '../src/http/message.ts'
import { giveBack } from './give-back.ts'

/** What is handed on of a body at a time. */
const SLICE_BYTES = 65_536
/** A reader that takes nothing for this long is given up: a stalled one would pin its body for ever. */
const IDLE_READER_MS = 30_000

/**
 * The body of a Response. What is small is copied at once. What is larger is read as it is taken, slice by slice: only
 * so it is known when it was sent or given up, and its memory can be given back.
 */
export function createBody(
  answer: SitemapResponse,
  about: {
    readonly signal: AbortSignal | undefined
    readonly clock: Clock
    /** Hears of a body that broke off half way. */
    readonly failed: (error: unknown) => void
  },
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  const { body, done } = answer
  if (body === undefined) return null
  if (!Buffer.isBuffer(body)) return createStream(body, () => giveBack(answer), about)
  return done === undefined ? copyOf(body) : createStream(slicesOf(body), () => giveBack(answer), about)
}

/** A reader may keep, change or transfer what it gets, and a cached body is everybody's. */
function copyOf(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}

async function* slicesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) yield body.subarray(at, at + SLICE_BYTES)
}

function createStream(
  chunks: AsyncIterator<Buffer>,
  finish: () => void,
  { signal, clock, failed }: Parameters<typeof createBody>[1],
): ReadableStream<Uint8Array> {
  let cancelIdle = ignore
  let isOver = false

  function end(): void {
    isOver = true
    cancelIdle()
    signal?.removeEventListener('abort', onAbort)
    finish()
  }

  let abandon: (reason: Error) => void = ignore
  const onAbort = (): void => abandon(new Error('the client left'))

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        abandon = (reason) => {
          if (isOver) return
          end()
          controller.error(reason)
        }
        if (signal?.aborted === true) onAbort()
        else signal?.addEventListener('abort', onAbort, { once: true })
        cancelIdle = clock.after(IDLE_READER_MS, () => abandon(new Error('the body was not read')))
      },
      async pull(controller) {
        cancelIdle()
        try {
          const { value, done } = await chunks.next()
          if (isOver) return
          if (done === true) {
            end()
            controller.close()
            return
          }
          controller.enqueue(copyOf(value))
          cancelIdle = clock.after(IDLE_READER_MS, () => abandon(new Error('the body was not read')))
        } catch (error) {
          failed(error)
          abandon(error instanceof Error ? error : new Error('the body broke off'))
        }
      },
      cancel: end,
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  )
}

function ignore(): void {}
