import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import { digestOf } from '../digest.ts'
import { createLimiter } from '../limiter.ts'
import { blobRoom, type Memory } from '../memory.ts'
import { poolJobs } from '../pool-jobs.ts'
import type { Spool, SpoolFile } from './spool.ts'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)
const inflate = promisify<Buffer, object, Buffer>(inflateRaw)
const SYNC = constants.Z_SYNC_FLUSH

/** Blocks that are compressed at once. */
const zlibJobs = createLimiter(2)
const poolJob = poolJobs.of('walks')

/**
 * A run of entries' bytes, compressed; immutable. A reader never handles more than one at a time. The compressed form is
 * a piece of a deflate stream that ends on a byte, so that pieces can be joined (see cache/gzip-join.ts).
 */
export interface Block {
  /** Digest of the uncompressed bytes. */
  readonly digest: string
  /** Uncompressed size. */
  readonly bytes: number
  /** The compressed piece. */
  coded(): Promise<Buffer>
  /** The uncompressed bytes. */
  raw(): Promise<Buffer>
  /** Counts one more snapshot or reader that needs it. */
  retain(): void
  /** It keeps a file of mostly dead bytes alive: better written anew than taken over. */
  isWasteful(): boolean
  /** When nobody needs it any more its memory or file is let go. */
  release(): void
}

/** Where new blocks go: memory while blobs have room, then one spool file of the walk's part. */
export interface BlockWriter {
  /** A block of these bytes; the same object where an earlier snapshot holds equal bytes. It comes retained once. */
  write(raw: Buffer): Block
  /** Starts to compress what waits. */
  begin(): void
  /** Resolves when the loose bytes have fallen below the bound; the walk awaits it before it goes on. */
  room(): Promise<void>
  /** Resolves when every block is compressed and stored; rejects where one could not be. */
  settled(): Promise<void>
}

/**
 * Loose bytes of a refresh and of a partition: a few blocks. Buffers that wait longer outlive the young generation, and
 * the whole heap is collected for them, three times as often, which the app feels (bench/beside.ts). The first walk of a
 * whole section, which requests wait for, may be ahead: it is over sooner.
 */
export const FEW_LOOSE = 1_048_576

/**
 * Takes over equal blocks of `earlier`. The walk may be `mostLoose` bytes ahead of compression, a quarter of the memory at
 * most, but always one block.
 */
export function createBlockWriter(
  memory: Memory,
  spool: Spool,
  earlier: ReadonlyMap<string, Block>,
  mostLoose: number = Number.POSITIVE_INFINITY,
): BlockWriter {
  const looseBound = Math.min(mostLoose, Math.floor(memory.limit / 4))
  /** Blocks whose compression has not begun, in order, and those under way. */
  const waiting: StoredBlock[] = []
  const pending = new Set<Promise<void>>()
  const openFile = fileOpener(spool)
  let failure: unknown
  let wake: () => void = () => {}

  function write(raw: Buffer): Block {
    const digest = digestOf(raw)
    const same = earlier.get(digest)
    if (same !== undefined && same.bytes === raw.length && !same.isWasteful()) {
      same.retain()
      return same
    }
    const block = new StoredBlock({ digest, bytes: raw.length }, raw, memory, openFile)
    memory.relieve()
    waiting.push(block)
    return block
  }

  /** Begins the compression of what waits. Later is better: a short walk is then over and served before it starts. */
  function begin(): void {
    for (const block of waiting.splice(0)) {
      const stored = block.store().catch((error) => {
        failure ??= error
      })
      pending.add(stored)
      void stored.then(() => {
        pending.delete(stored)
        wake()
      })
    }
  }

  async function room(): Promise<void> {
    if (memory.loose > looseBound / 2) begin()
    // One waker, not a race over all that is pending: each race would leave a reaction on every one of them.
    while (memory.loose > looseBound && pending.size > 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (failure !== undefined) throw failure
  }

  async function settled(): Promise<void> {
    begin()
    await Promise.all(pending)
    if (failure !== undefined) throw failure
  }

  return { write, begin, room, settled }
}

/** Keeps blocks that were compressed elsewhere; each comes retained once. */
export interface BlockKeeper {
  keep(block: Pick<Block, 'digest' | 'bytes'>, coded: Buffer): Promise<Block>
}

export function createBlockKeeper(memory: Memory, spool: Spool): BlockKeeper {
  const openFile = fileOpener(spool)
  return {
    async keep(named, coded) {
      const block = new StoredBlock(named, undefined, memory, openFile)
      try {
        await block.keep(owned(coded))
      } catch (error) {
        block.release()
        throw error
      }
      return block
    },
  }
}

/**
 * One file for all blocks of a writer. In a function of its own: every block keeps it, and a closure of the writer's
 * would keep `earlier` too, the blocks of the snapshot before, and so, link by link, those of every walk there was.
 */
function fileOpener(spool: Spool): () => Promise<SpoolFile> {
  let file: Promise<SpoolFile> | undefined
  return () => {
    file ??= spool.create().catch((error) => {
      file = undefined
      throw error
    })
    return file
  }
}

class StoredBlock implements Block {
  readonly digest: string
  readonly bytes: number
  readonly #memory: Memory
  #raw: Buffer | undefined
  #coded: Buffer | undefined
  #piece: { readonly file: SpoolFile; readonly offset: number; readonly length: number } | undefined
  #coding: Promise<Buffer> | undefined
  #holders = 1
  readonly #file: () => Promise<SpoolFile>

  constructor(
    { digest, bytes }: Pick<Block, 'digest' | 'bytes'>,
    raw: Buffer | undefined,
    memory: Memory,
    file: () => Promise<SpoolFile>,
  ) {
    this.digest = digest
    this.bytes = bytes
    this.#raw = raw
    this.#memory = memory
    this.#file = file
    memory.loose += raw?.length ?? 0
  }

  /** Compresses and puts away, once; until then the block is read from its uncompressed bytes. */
  async store(): Promise<void> {
    const raw = this.#raw
    if (raw === undefined) return
    try {
      await this.keep(await this.#code(raw))
    } finally {
      this.#loosen()
    }
  }

  /** Puts the compressed piece where there is room for it. */
  async keep(coded: Buffer): Promise<void> {
    if (this.#holders === 0) return
    if (coded.length <= blobRoom(this.#memory)) {
      this.#memory.blobs += coded.length
      this.#coded = coded
    } else {
      await this.#spool(coded)
    }
  }

  /** Compression runs once, whoever asks first. */
  #code(raw: Buffer): Promise<Buffer> {
    this.#coding ??= zlibJobs.run(async () =>
      this.#holders === 0
        ? raw
        : owned(await poolJob.run(() => deflate(raw, { finishFlush: SYNC, level: 6 }))),
    )
    return this.#coding
  }

  #loosen(): void {
    if (this.#raw !== undefined) this.#memory.loose -= this.#raw.length
    this.#raw = undefined
    this.#coding = undefined
  }

  async #spool(coded: Buffer): Promise<void> {
    try {
      const target = await this.#file()
      target.retain(coded.length)
      const offset = await target.append(coded).catch((error) => {
        target.release(coded.length)
        throw error
      })
      if (this.#holders === 0) target.release(coded.length)
      else this.#piece = { file: target, offset, length: coded.length }
    } catch (error) {
      // The walk fails and lets the block go; until then, and where it was published already, it stays readable.
      if (this.#holders > 0) {
        this.#memory.blobs += coded.length
        this.#coded = coded
      }
      throw error
    }
  }

  async coded(): Promise<Buffer> {
    if (this.#coded !== undefined) return this.#coded
    if (this.#piece !== undefined) return this.#piece.file.read(this.#piece.offset, this.#piece.length)
    if (this.#raw !== undefined) return this.#code(this.#raw)
    throw new Error('a block was read after it was let go')
  }

  async raw(): Promise<Buffer> {
    if (this.#raw !== undefined) return this.#raw
    return inflated(await this.coded(), this.bytes)
  }

  retain(): void {
    if (this.#holders === 0) throw new Error('a block was retained after it was let go')
    this.#holders++
  }

  isWasteful(): boolean {
    return this.#piece?.file.isSparse() ?? false
  }

  release(): void {
    this.#holders--
    if (this.#holders > 0) return
    if (this.#coding === undefined) this.#loosen()
    if (this.#coded !== undefined) this.#memory.blobs -= this.#coded.length
    this.#piece?.file.release(this.#piece.length)
    this.#coded = undefined
    this.#piece = undefined
  }
}

/**
 * Blocks up to this size are inflated on the loop: that takes less of its time than handing them to the thread pool and
 * back does (32 µs against about 150 for a thousand plain entries; 1.7 ms for the largest that compresses badly), and the
 * pool stays free for the app.
 */
const INFLATED_AT_ONCE = 524_288

/** The `bytes` uncompressed bytes of a piece. */
export async function inflated(coded: Buffer, bytes: number): Promise<Buffer> {
  // All of it in one go; full to the last byte, zlib would look for more.
  const options = { finishFlush: SYNC, chunkSize: Math.max(constants.Z_MIN_CHUNK, bytes + 1) }
  return bytes <= INFLATED_AT_ONCE ? inflateRawSync(coded, options) : inflate(coded, options)
}

/** zlib hands out views of larger slabs; what is kept long is copied out, so that it weighs what it counts. */
export function owned(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= bytes.length + 1024) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
