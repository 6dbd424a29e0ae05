import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createMemory, type Memory } from '../../src/memory.ts'
import { type Block, createBlockWriter, owned } from '../../src/shelves/blob.ts'
import { createSpool, type Spool } from '../../src/shelves/spool.ts'
import { cleanUp, createFolder } from '../support/engine.ts'
import { until } from '../support/manual-clock.ts'

const spools: Spool[] = []

afterEach(async () => {
  await Promise.all(spools.splice(0).map((spool) => spool.close()))
  await cleanUp()
})

async function createWriter(limit = 64 * 2 ** 20, earlier = new Map<string, Block>()) {
  const memory = createMemory(limit)
  const spool = createSpool(await createFolder())
  spools.push(spool)
  return { memory, writer: createBlockWriter(memory, spool, earlier) }
}

const bytesOf = (text: string) => Buffer.from(text)
const large = bytesOf('<url>'.repeat(20_000))

/** What a block holds, read both ways. */
async function contentOf(block: Block): Promise<string> {
  const coded = await block.coded()
  const raw = await block.raw()
  expect(inflateRawSync(Buffer.concat([coded, Buffer.from([3, 0])])).equals(raw)).toBe(true)
  return raw.toString()
}

describe('a block', () => {
  it.each([
    { name: 'before its compression began', reach: () => {} },
    { name: 'while it is compressed', reach: (writer: { begin(): void }) => writer.begin() },
    { name: 'after it', reach: (writer: { settled(): Promise<void> }) => writer.settled() },
  ])('is read $name', async ({ reach }) => {
    for (const limit of [64 * 2 ** 20, 1]) {
      const { writer } = await createWriter(limit)
      const block = writer.write(large)
      await reach(writer)
      expect((await contentOf(block)) === large.toString()).toBe(true)
      await writer.settled()
      expect((await contentOf(block)) === large.toString()).toBe(true)
      expect(block.bytes).toBe(large.length)
    }
  })

  it('weighs its bytes until it is compressed, and then what they were compressed to', async () => {
    const { writer, memory } = await createWriter()
    const block = writer.write(large)
    expect(memory).toMatchObject({ loose: large.length, blobs: 0 })
    await writer.settled()
    expect(memory).toMatchObject({ loose: 0, blobs: (await block.coded()).length })
    expect(memory.blobs).toBeLessThan(large.length / 10)
    block.release()
    expect(memory).toMatchObject({ loose: 0, blobs: 0 })
  })

  it('in a file weighs nothing', async () => {
    const { writer, memory } = await createWriter(1)
    writer.write(large)
    await writer.settled()
    expect(memory).toMatchObject({ loose: 0, blobs: 0 })
  })

  it.each([
    { name: 'before its compression began', reach: async () => {} },
    { name: 'while it is compressed', reach: async (writer: { begin(): void }) => writer.begin() },
    { name: 'after it', reach: (writer: { settled(): Promise<void> }) => writer.settled() },
  ])('let go $name leaves no weight', async ({ reach }) => {
    for (const limit of [64 * 2 ** 20, 1]) {
      const { writer, memory } = await createWriter(limit)
      const block = writer.write(large)
      await reach(writer)
      block.release()
      await writer.settled()
      expect(memory).toMatchObject({ loose: 0, blobs: 0 })
      await expect(block.coded()).rejects.toThrow('after it was let go')
    }
  })

  it('stays for a reader when its snapshot lets it go', async () => {
    const { writer, memory } = await createWriter(1)
    const block = writer.write(large)
    await writer.settled()
    block.retain()
    block.release()
    expect((await contentOf(block)) === large.toString()).toBe(true)
    block.release()
    expect(memory).toMatchObject({ loose: 0, blobs: 0 })
  })

  it('waits with others for its compression up to a bound, and the walk waits for it beyond that', async () => {
    const memory = createMemory(64 * 2 ** 20)
    const spool = createSpool(undefined)
    const writer = createBlockWriter(memory, spool, new Map(), large.length * 2)
    writer.write(large)
    await writer.room()
    expect(memory).toMatchObject({ loose: large.length, blobs: 0 })
    for (let i = 0; i < 4; i++) writer.write(Buffer.concat([large, bytesOf(String(i))]))
    await writer.room()
    expect(memory.loose).toBeLessThanOrEqual(large.length * 2)
    expect(memory.blobs).toBeGreaterThan(0)
    await writer.settled()
  })

  it('equal to one of an earlier snapshot is that one, held once more', async () => {
    const { writer, memory } = await createWriter()
    const first = writer.write(large)
    await writer.settled()
    const { blobs } = memory
    const next = createBlockWriter(memory, createSpool(undefined), new Map([[first.digest, first]]))
    expect(next.write(Buffer.from(large))).toBe(first)
    expect(next.write(bytesOf('other'))).not.toBe(first)
    first.release()
    expect(memory.blobs).toBe(blobs)
    expect((await contentOf(first)) === large.toString()).toBe(true)
    first.release()
    await next.settled()
    expect(memory.blobs).toBeLessThan(blobs)
  })
})

describe('the writer', () => {
  it('its blocks keep nothing of the snapshot before alive, or every walk would keep all earlier ones', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    /** Blocks of a walk after another, and a sign of life of what the first one held. */
    async function walkTwice() {
      const first = await createWriter()
      const old = first.writer.write(bytesOf('old'))
      const second = await createWriter(undefined, new Map([[old.digest, old]]))
      const kept = second.writer.write(bytesOf('new'))
      await Promise.all([first.writer.settled(), second.writer.settled()])
      return { kept, alive: new WeakRef(old) }
    }
    const { kept, alive } = await walkTwice()
    await until(() => {
      collect()
      return alive.deref() === undefined
    }, 'the block of the snapshot before to be let go')
    expect(await contentOf(kept)).toContain('new')
  })

  it('puts into memory half of the limit at most, the rest into a file', async () => {
    const { writer, memory } = await createWriter(100_000)
    const contents = Array.from({ length: 20 }, () => randomBytes(10_000))
    const blocks = contents.map((content) => writer.write(content))
    await writer.settled()
    expect(memory.loose).toBe(0)
    expect(memory.blobs).toBeGreaterThan(30_000)
    expect(memory.blobs).toBeLessThanOrEqual(50_000)
    for (const [i, block] of blocks.entries())
      expect((await block.raw()).equals(contents[i] as Buffer)).toBe(true)
  })

  it('room is there again when a quarter of the limit or less is loose', async () => {
    const { writer, memory } = await createWriter(400_000)
    for (let n = 0; n < 9; n++) writer.write(randomBytes(50_000))
    expect(memory.loose).toBe(450_000)
    await writer.room()
    expect(memory.loose).toBeLessThanOrEqual(100_000)
  })

  it('while little is loose nothing is begun, and nothing is waited for', async () => {
    const { writer, memory } = await createWriter(400_000)
    writer.write(randomBytes(50_000))
    await writer.room()
    expect(memory.loose).toBe(50_000)
  })

  it('compresses nothing that was let go before', async () => {
    const { writer, memory } = await createWriter()
    const blocks = Array.from({ length: 50 }, (_, n) => writer.write(bytesOf(`${n}`.repeat(100_000))))
    for (const block of blocks) block.release()
    expect(memory).toMatchObject({ loose: 0, blobs: 0 })
  })

  it('any course of things: what is held can be read, and in the end nothing weighs anything', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('write' as const),
        fill: fc.nat(9),
        size: fc.integer({ min: 1, max: 3_000 }),
      }),
      fc.record({ kind: fc.constantFrom('retain', 'release', 'raw', 'coded'), at: fc.nat(20) }),
      fc.record({ kind: fc.constantFrom('begin', 'room', 'settled') }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(1, 400, 20_000),
        async (steps, limit) => {
          const { writer, memory } = await createWriter(limit)
          const held: { readonly block: Block; readonly text: string; holders: number }[] = []
          const reads: Promise<void>[] = []
          for (const one of steps) {
            if (one.kind === 'write' && 'size' in one) {
              const text = `${one.fill} `.repeat(one.size)
              held.push({ block: writer.write(bytesOf(text)), text, holders: 1 })
            } else if ('at' in one) {
              const alive = held.filter(({ holders }) => holders > 0)
              const found = alive[one.at % alive.length]
              if (found === undefined) continue
              if (one.kind === 'retain') {
                found.holders++
                found.block.retain()
              }
              // A walk holds all of its blocks as long as it writes.
              if (one.kind === 'release' && found.holders > 1) {
                found.holders--
                found.block.release()
              }
              if (one.kind === 'raw' || one.kind === 'coded') {
                // A reader holds what it reads (cache/source.ts).
                found.block.retain()
                const read =
                  one.kind === 'raw'
                    ? found.block.raw()
                    : found.block
                        .coded()
                        .then((coded) => inflateRawSync(Buffer.concat([coded, Buffer.from([3, 0])])))
                reads.push(
                  read.then((raw) => {
                    found.block.release()
                    if (raw.toString() !== found.text) throw new Error('other bytes')
                  }),
                )
              }
            } else if (one.kind === 'begin') writer.begin()
            else if (one.kind === 'room') await writer.room()
            else await writer.settled()
          }
          await Promise.all(reads)
          await writer.settled()
          for (const { block, text, holders } of held) {
            if (holders > 0) expect((await block.raw()).toString() === text).toBe(true)
            for (let n = 0; n < holders; n++) block.release()
          }
          await until(() => memory.loose === 0)
          expect(memory satisfies Memory).toMatchObject({ loose: 0, blobs: 0 })
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('owned bytes', () => {
  it('weigh what they count', () => {
    const slab = Buffer.alloc(100_000, 'x')
    const view = slab.subarray(10, 20)
    expect(owned(view)).toEqual(Buffer.from('xxxxxxxxxx'))
    expect(owned(view).buffer.byteLength).toBe(10)
    expect(owned(slab)).toBe(slab)
  })
})
