import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import { digestOf } from '../digest.ts'
import { createLimiter } from '../limiter.ts'
import { blobRoom, type Memory } from '../memory.ts'
import type { Spool, SpoolFile } from './spool.ts'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)
const inflate = promisify<Buffer, object, Buffer>(inflateRaw)
const SYNC = constants.Z_SYNC_FLUSH

/** Compression jobs at once: the thread pool has four, and the app's own file and DNS calls need some. */
const zlibJobs = createLimiter(2)

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
  /** When nobody needs it any more its memory or file is let go. */
  release(): void
}

/** Where new blocks go: memory while blobs have room, then one spool file of the walk's part. */
export interface BlockWriter {
  /** A block of these bytes; the same object where an earlier snapshot holds equal bytes. It comes retained once. */
  write(raw: Buffer): Block
  /** Resolves when the loose bytes have fallen below the bound; the walk awaits it before it goes on. */
  room(): Promise<void>
  /** Resolves when every block is compressed and stored; rejects where one could not be. */
  settled(): Promise<void>
}

/** Loose bytes that a walk may be ahead of compression: an eighth of the memory, but always one block. */
function looseBound(memory: Memory): number {
  return Math.floor(memory.limit / 8)
}

export function createBlockWriter(
  memory: Memory,
  spool: Spool,
  earlier: ReadonlyMap<string, Block>,
): BlockWriter {
  const pending = new Set<Promise<void>>()
  let file: Promise<SpoolFile> | undefined
  let failure: unknown

  function write(raw: Buffer): Block {
    const digest = digestOf(raw)
    const same = earlier.get(digest)
    if (same !== undefined && same.bytes === raw.length) {
      same.retain()
      return same
    }
    const block = new StoredBlock(digest, raw, memory)
    const stored = block
      .store(() => (file ??= openFile()))
      .catch((error) => {
        failure ??= error
      })
    pending.add(stored)
    void stored.then(() => pending.delete(stored))
    return block
  }

  async function openFile(): Promise<SpoolFile> {
    try {
      return await spool.create()
    } catch (error) {
      file = undefined
      throw error
    }
  }

  async function room(): Promise<void> {
    while (memory.loose > looseBound(memory) && pending.size > 0) await Promise.race(pending)
    if (failure !== undefined) throw failure
  }

  async function settled(): Promise<void> {
    await Promise.all(pending)
    if (failure !== undefined) throw failure
  }

  return { write, room, settled }
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

  constructor(digest: string, raw: Buffer, memory: Memory) {
    this.digest = digest
    this.bytes = raw.length
    this.#raw = raw
    this.#memory = memory
    memory.loose += raw.length
  }

  /** Compresses and puts away; until then the block is read from its uncompressed bytes. */
  async store(file: () => Promise<SpoolFile>): Promise<void> {
    const raw = this.#raw
    if (raw === undefined) return
    try {
      this.#coding = zlibJobs.run(() => deflate(raw, { finishFlush: SYNC, level: 6 }))
      const coded = owned(await this.#coding)
      if (this.#holders === 0) return
      if (coded.length <= blobRoom(this.#memory)) {
        this.#memory.blobs += coded.length
        this.#coded = coded
      } else {
        await this.#spool(coded, file)
      }
    } finally {
      this.#raw = undefined
      this.#coding = undefined
      this.#memory.loose -= raw.length
    }
  }

  async #spool(coded: Buffer, file: () => Promise<SpoolFile>): Promise<void> {
    try {
      const target = await file()
      target.retain()
      const offset = await target.append(coded).catch((error) => {
        target.release()
        throw error
      })
      if (this.#holders === 0) target.release()
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
    if (this.#coding !== undefined) return this.#coding
    throw new Error('a block was read after it was let go')
  }

  async raw(): Promise<Buffer> {
    if (this.#raw !== undefined) return this.#raw
    return inflate(await this.coded(), { finishFlush: SYNC })
  }

  retain(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#holders > 0) return
    if (this.#coded !== undefined) this.#memory.blobs -= this.#coded.length
    this.#piece?.file.release()
    this.#coded = undefined
    this.#piece = undefined
  }
}

/** zlib hands out views of larger slabs; what is kept long is copied out, so that it weighs what it counts. */
export function owned(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= bytes.length + 1024) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
