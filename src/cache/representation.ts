import { LRUCache } from 'lru-cache'
import type { Coding } from '../http/negotiate.ts'
import { createLimiter } from '../limiter.ts'
import type { Memory } from '../memory.ts'
import type { Row } from '../table/rows.ts'
import { encode } from './encode.ts'
import { openSource, plainBytes, plainWeight } from './source.ts'

/** A document in one content-coding, shared by all who read it. */
export interface Representation {
  readonly body: Buffer
  /** Requests that are sending it. */
  readers: number
  /** Whether the cache holds it; then its bytes are counted there. */
  cached: boolean
}

/** Plain documents from this size on are sent block by block, not kept whole. */
export const STREAMED_FROM = 1_048_576
/** What one streaming answer holds at a time: a block, and what the socket has not taken of the one before. */
const STREAM_BYTES = 524_288
/** Sitemaps compress to a seventh and less (measured): what a coded body will weigh, before it is made. */
const CODED_SHARE = 7
/** Bookkeeping of an entry beside its body. */
const OVERHEAD = 512

/**
 * The rendered documents of a process: a byte-bounded cache of what can always be made again, and one making at a time
 * of each. Keyed by digest and coding: equal bytes at two paths lie there once.
 */
export interface Representations {
  /** At once, or undefined where it must be made. */
  get(row: Row, coding: Coding): Representation | undefined
  /** Joins a making under way or begins one. Undefined, now or when its turn has come, where memory has no room for it. */
  make(row: Row, coding: Coding): Promise<Representation | undefined> | undefined
  /** The plain document block by block; undefined where memory has no room for it now. */
  stream(
    row: Row,
  ): { readonly chunks: AsyncIterableIterator<Buffer>; readonly bytes: number | undefined } | undefined
  /** Counts one more answer that sends the body, until the returned function is called. */
  hold(representation: Representation): () => void
  readonly bytes: number
  /** Forgets all, and ends what is being made. */
  close(): void
}

export function createRepresentations(memory: Memory): Representations {
  let streaming = 0
  let closed = false
  const makings = new Map<string, Promise<Representation | undefined>>()
  /** Documents made at once. */
  const encoders = createLimiter(2)
  const cache = new LRUCache<string, Representation>({
    maxSize: Math.max(1, Math.floor((memory.limit * 3) / 8)),
    sizeCalculation: ({ body }) => body.length + OVERHEAD,
    dispose(representation) {
      representation.cached = false
      if (representation.readers > 0) memory.underWay += representation.body.length
    },
  })

  function taken(): number {
    return memory.blobs + memory.records + memory.loose + memory.underWay + cache.calculatedSize
  }

  /** Lets go of what nobody is sending, the least recently asked for first, until there is room for so many bytes. */
  function makeRoom(bytes: number): void {
    if (taken() + bytes <= memory.limit) return
    for (const key of [...cache.rkeys()]) {
      if ((cache.peek(key)?.readers ?? 0) === 0) cache.delete(key)
      if (taken() + bytes <= memory.limit) return
    }
  }

  function hasRoom(bytes: number): boolean {
    makeRoom(bytes)
    return memory.underWay === 0 || taken() + bytes <= memory.limit
  }

  // Walks need room, too: without this they and the cache come to nine eighths of the limit together.
  memory.relieve = () => makeRoom(0)

  /** Streams have a share of their own: slow clients must not push out the bodies that everybody asks for. */
  function hasStreamRoom(): boolean {
    return streaming === 0 || streaming + STREAM_BYTES <= memory.limit / 4
  }

  async function make(
    row: Row,
    coding: Coding,
    key: string,
    weight: number,
  ): Promise<Representation | undefined> {
    const source = openSource(row.source)
    try {
      // Of a flood that found room at the door, the first bodies may be held by clients that take nothing.
      const body = await encoders.run(async () =>
        hasRoom(weight) ? encode(row, source, coding, () => closed) : undefined,
      )
      if (body === undefined) return undefined
      const representation: Representation = { body, readers: 0, cached: true }
      // What was under way at the end goes to those who wait for it, and is not kept.
      if (!closed) cache.set(key, representation)
      // Larger than the whole cache: it was refused without a word.
      representation.cached = cache.has(key)
      return representation
    } finally {
      source.close()
      makings.delete(key)
    }
  }

  return {
    get: (row, coding) => cache.get(row.digest + coding),
    make(row, coding) {
      const key = row.digest + coding
      const under = makings.get(key)
      if (under !== undefined) return under
      const weight = Math.ceil(plainWeight(row) / (coding === 'identity' ? 1 : CODED_SHARE))
      if (!hasRoom(weight)) return undefined
      const making = make(row, coding, key, weight)
      makings.set(key, making)
      return making
    },
    stream(row) {
      if (!hasStreamRoom()) return undefined
      streaming += STREAM_BYTES
      memory.underWay += STREAM_BYTES
      const source = openSource(row.source)
      return {
        bytes: plainBytes(row),
        chunks: closing(source.chunks(), () => {
          source.close()
          streaming -= STREAM_BYTES
          memory.underWay -= STREAM_BYTES
        }),
      }
    },
    hold(representation) {
      const { body } = representation
      if (!representation.cached && representation.readers === 0) memory.underWay += body.length
      representation.readers++
      let held = true
      return () => {
        if (!held) return
        held = false
        representation.readers--
        if (!representation.cached && representation.readers === 0) memory.underWay -= body.length
      }
    },
    get bytes() {
      return cache.calculatedSize
    },
    close() {
      closed = true
      cache.clear()
    },
  }
}

/** `chunks` that calls `close` once, also when it is given up before its first chunk was read. */
function closing(chunks: AsyncGenerator<Buffer>, close: () => void): AsyncIterableIterator<Buffer> {
  let open = true
  const end = (): void => {
    if (open) close()
    open = false
  }
  return {
    async next() {
      try {
        const result = await chunks.next()
        if (result.done === true) end()
        return result
      } catch (error) {
        end()
        throw error
      }
    },
    async return(value) {
      end()
      return chunks.return(value)
    },
    async throw(error) {
      end()
      return chunks.throw(error)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
