import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createRepresentations, type Representation } from '../../src/cache/representation.ts'
import { createMemory } from '../../src/memory.ts'
import type { Row } from '../../src/table/rows.ts'
import { createGate } from '../support/site.ts'
import { blobRow, createShop, textRow } from './documents.ts'

const KB = 1_024

function createCache(limit = 1_000 * KB) {
  const memory = createMemory(limit)
  return { memory, cache: createRepresentations(memory) }
}

/** A text that does not compress, of this size. */
const noise = (bytes: number, digest: string) => textRow(() => randomBytes(bytes / 2).toString('hex'), digest)

async function made(promise: Promise<Representation | undefined> | undefined): Promise<Representation> {
  const representation = await promise
  if (representation === undefined) throw new Error('no room')
  return representation
}

describe('making', () => {
  it('is done once for all who ask at the same time, and then not again', async () => {
    const { cache } = createCache()
    const gate = createGate<string>()
    let rendered = 0
    const row = textRow(() => {
      rendered++
      return gate.passed
    })
    const makings = Array.from({ length: 100 }, () => cache.make(row, 'identity'))
    expect(cache.get(row, 'identity')).toBeUndefined()
    gate.open('text')
    const bodies = await Promise.all(makings.map(made))
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]?.body.toString()).toBe('text')
    expect(cache.get(row, 'identity')).toBe(bodies[0])
    expect(rendered).toBe(1)
  })

  it('each coding is another representation', async () => {
    const { cache } = createCache()
    const row = textRow(() => 'text')
    await made(cache.make(row, 'gzip'))
    expect(cache.get(row, 'gzip')).toBeDefined()
    expect(cache.get(row, 'br')).toBeUndefined()
  })

  it('equal bytes at two paths lie there once', async () => {
    const { cache } = createCache()
    const row = textRow(() => 'text')
    const body = await made(cache.make(row, 'gzip'))
    expect(cache.get({ ...row, path: '/other.xml' }, 'gzip')).toBe(body)
  })

  it('that failed is tried again', async () => {
    const { cache } = createCache()
    let calls = 0
    const row = textRow(() => {
      if (calls++ === 0) throw new Error('no')
      return 'text'
    })
    await expect(made(cache.make(row, 'identity'))).rejects.toThrow('no')
    expect((await made(cache.make(row, 'identity'))).body.toString()).toBe('text')
  })

  it('holds the blobs of the document meanwhile, and lets them go', async () => {
    const shop = createShop()
    const { cache } = createCache()
    const piece = shop.piece([['a', 'b']])
    await shop.writer.settled()
    const making = cache.make(blobRow([piece]), 'br')
    for (const block of piece.blob.blocks) block?.release()
    await made(making)
    expect(shop.memory.blobs).toBe(0)
  })
})

describe('memory', () => {
  it('the cache takes three eighths of it at most', async () => {
    const { cache, memory } = createCache()
    for (let n = 0; n < 10; n++) await made(cache.make(noise(100 * KB, `${n}`), 'identity'))
    expect(cache.bytes).toBeLessThanOrEqual((memory.limit * 3) / 8)
    expect(cache.bytes).toBeGreaterThan(250 * KB)
    // The ones used last stay.
    expect(cache.get(noise(2, '9'), 'identity')).toBeDefined()
    expect(cache.get(noise(2, '0'), 'identity')).toBeUndefined()
  })

  it('a body larger than the whole cache is given, not kept', async () => {
    const { cache } = createCache()
    const large = await made(cache.make(noise(400 * KB, 'large'), 'identity'))
    expect([large.cached, large.body.length]).toEqual([false, 400 * KB])
    expect([cache.bytes, cache.get(noise(2, 'large'), 'identity')]).toEqual([0, undefined])
  })

  it('clear gives all of it back', async () => {
    const { cache } = createCache()
    await made(
      cache.make(
        textRow(() => 'text'),
        'identity',
      ),
    )
    cache.close()
    expect([
      cache.bytes,
      cache.get(
        textRow(() => ''),
        'identity',
      ),
    ]).toEqual([0, undefined])
  })

  it('a body that is sent counts only while the cache does not hold it', async () => {
    const { cache, memory } = createCache()
    const kept = await made(cache.make(noise(100 * KB, 'kept'), 'identity'))
    const [first, second] = [cache.hold(kept), cache.hold(kept)]
    expect(memory.underWay).toBe(0)
    cache.close()
    expect(memory.underWay).toBe(100 * KB)
    first()
    first()
    expect(memory.underWay).toBe(100 * KB)
    second()
    expect(memory.underWay).toBe(0)
  })

  it('a body that was never kept counts from the first who sends it to the last', async () => {
    const { cache, memory } = createCache()
    const large = await made(cache.make(noise(400 * KB, 'large'), 'identity'))
    const first = cache.hold(large)
    const second = cache.hold(large)
    expect(memory.underWay).toBe(400 * KB)
    first()
    expect(memory.underWay).toBe(400 * KB)
    second()
    expect(memory.underWay).toBe(0)
    cache.hold(large)()
    expect(memory.underWay).toBe(0)
  })

  it('makes room by what nobody sends, and refuses where that is not enough', async () => {
    const { cache, memory } = createCache()
    const shop = createShop()
    const row = (digest: string): Row =>
      blobRow([shop.piece([[randomBytes(150 * KB).toString('hex')]])], '', '', digest)
    const first = await made(cache.make(row('1'), 'identity'))
    memory.blobs = 500 * KB
    // Nothing is under way: one is always let through.
    const second = await made(cache.make(row('2'), 'identity'))
    expect(cache.get(row('1'), 'identity')).toBeUndefined()
    const done = [cache.hold(first), cache.hold(second)]
    expect(memory.underWay).toBe(300 * KB + 1)
    expect(cache.make(row('3'), 'identity')).toBeUndefined()
    for (const end of done) end()
    expect(memory.underWay).toBe(0)
    expect(cache.make(row('3'), 'identity')).toBeDefined()
  })

  it('a walk that needs room pushes out what nobody sends, the least recently asked for first', async () => {
    const { memory, cache } = createCache()
    const rows = ['a', 'b', 'c'].map((name) => noise(100 * KB, name))
    for (const row of rows) await made(cache.make(row, 'identity'))
    const [a, b, c] = rows as [Row, Row, Row]
    const sent = cache.get(a, 'identity')
    const done = sent && cache.hold(sent)
    memory.loose = 800 * KB
    memory.relieve()
    expect(rows.map((row) => cache.get(row, 'identity') !== undefined)).toEqual([true, false, false])
    done?.()
    memory.loose = 650 * KB
    await made(cache.make(b, 'identity'))
    await made(cache.make(c, 'identity'))
    memory.relieve()
    expect(cache.bytes + memory.loose).toBeGreaterThan(900 * KB)
    memory.loose = 700 * KB
    memory.relieve()
    expect(cache.bytes + memory.loose).toBeLessThanOrEqual(memory.limit)
    expect(cache.get(c, 'identity')).toBeDefined()
  })

  it('lets one through however small it is', async () => {
    const { cache } = createCache(1)
    const shop = createShop()
    const row = blobRow([shop.piece([['a'.repeat(100_000)]])])
    expect((await made(cache.make(row, 'gzip'))).body.length).toBeGreaterThan(0)
  })
})

describe('streaming', () => {
  function createRow() {
    const shop = createShop()
    const piece = shop.piece([['a'.repeat(9)], ['b'.repeat(9)]])
    return { row: blobRow([piece], '', ''), piece, shop }
  }

  async function read(chunks: AsyncIterable<Buffer>): Promise<string> {
    let text = ''
    for await (const chunk of chunks) text += chunk
    return text
  }

  it('gives the document and its size, and counts a block while it lasts', async () => {
    const { cache, memory } = createCache()
    const { row } = createRow()
    const stream = cache.stream(row)
    expect(memory.underWay).toBeGreaterThan(0)
    expect(stream?.bytes).toBe(20)
    expect(stream && (await read(stream.chunks))).toBe(`${'a'.repeat(9)}\n${'b'.repeat(9)}\n`)
    expect(memory.underWay).toBe(0)
  })

  it.each([
    { name: 'before its first chunk', take: 0 },
    { name: 'in the middle', take: 1 },
    { name: 'after its end', take: 3 },
  ])('given up $name it is closed, once', async ({ take }) => {
    const { cache, memory } = createCache()
    const { row, piece, shop } = createRow()
    await shop.writer.settled()
    const stream = cache.stream(row)
    for (let n = 0; n < take; n++) await stream?.chunks.next()
    await stream?.chunks.return?.()
    await stream?.chunks.return?.()
    expect(memory.underWay).toBe(0)
    for (const block of piece.blob.blocks) block?.release()
    expect(shop.memory.blobs).toBe(0)
  })

  it('that fails is closed', async () => {
    const { cache, memory } = createCache()
    const { row, piece } = createRow()
    const stream = cache.stream({
      ...row,
      source: {
        type: 'blobs',
        head: '',
        tail: '',
        pieces: [
          {
            ...piece,
            blob: {
              ...piece.blob,
              blocks: piece.blob.blocks.map(
                (block) =>
                  block &&
                  Object.assign(Object.create(block), {
                    retain() {},
                    release() {},
                    raw: () => Promise.reject(new Error('disk')),
                  }),
              ),
            },
          },
        ],
      },
    })
    await expect(stream && read(stream.chunks)).rejects.toThrow('disk')
    expect(memory.underWay).toBe(0)
  })

  it('waits for memory: so many at once, and one is always let through', async () => {
    const { cache, memory } = createCache(4 * 1_200 * KB)
    const { row } = createRow()
    const streams = [cache.stream(row), cache.stream(row)]
    expect(streams.every((stream) => stream !== undefined)).toBe(true)
    expect(cache.stream(row)).toBeUndefined()
    await streams[0]?.chunks.return?.()
    expect(cache.stream(row)).toBeDefined()
    expect(memory.underWay).toBe(1_024 * KB)
    const small = createCache(1)
    expect(small.cache.stream(row)).toBeDefined()
    expect(small.cache.stream(row)).toBeUndefined()
  })

  it('pushes out no body that everybody asks for', async () => {
    const { cache } = createCache(1_200 * KB)
    await made(cache.make(noise(300 * KB, 'hot'), 'gzip'))
    const { row } = createRow()
    for (let n = 0; n < 10; n++) cache.stream(row)
    expect(cache.get(noise(300 * KB, 'hot'), 'gzip')).toBeDefined()
  })
})
