import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type OpenSource, openSource, plainBytes } from '../../src/cache/source.ts'
import { blobRow, createShop, textRow } from './documents.ts'

async function read(source: OpenSource): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of source.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const aLine = fc.constantFrom('a', 'bb', '<url>é</url>', '', 'https://www.example.com/?a=1&b=2')

describe('a document read from its blobs', () => {
  it('any blocks, without any lines: what is left, in order', async () => {
    const piece = fc.record({
      blocks: fc.array(fc.array(aLine, { minLength: 1, maxLength: 5 }), { maxLength: 4 }),
      skip: fc.option(fc.uniqueArray(fc.nat(21), { maxLength: 8 }), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 3 }), async (pieces) => {
        const shop = createShop()
        const kept = pieces.flatMap(({ blocks, skip }) =>
          blocks.flat().filter((_, n) => skip?.includes(n) !== true),
        )
        const row = blobRow(
          pieces.map(({ blocks, skip }) =>
            shop.piece(
              blocks,
              skip?.filter((n) => n < blocks.flat().length).toSorted((a, b) => a - b),
            ),
          ),
        )
        const source = openSource(row.source)
        const text = await read(source)
        source.close()
        expect(text).toBe(`<urlset>\n${kept.map((line) => `${line}\n`).join('')}</urlset>\n`)
        const bytes = plainBytes(row)
        if (pieces.every(({ skip }) => skip === undefined)) expect(bytes).toBe(Buffer.byteLength(text))
        else expect(bytes).toBeUndefined()
      }),
    )
  })

  it('block by block', async () => {
    const shop = createShop()
    const sizes: number[] = []
    const row = blobRow([shop.piece([['a'.repeat(999)], ['b'.repeat(1_999)], ['c'.repeat(2_999)]])], '', '')
    const source = openSource(row.source)
    for await (const chunk of source.chunks()) sizes.push(chunk.length)
    source.close()
    expect(sizes).toEqual([1_000, 2_000, 3_000])
  })

  it.each([
    { name: 'whole', skip: undefined },
    { name: 'without some lines', skip: [1, 5_001, 50_001] },
  ])('lets the app run in between, $name', async ({ skip }) => {
    const shop = createShop()
    const lines = Array.from({ length: 1_000 }, (_, n) => `${n} ${'word '.repeat(20)}`)
    const piece = shop.piece(
      Array.from({ length: 200 }, (_, block) => [...lines, `${block}`]),
      skip,
    )
    await shop.writer.settled()
    let turnsOfTheApp = 0
    let reading = true
    const app = (): void => {
      turnsOfTheApp++
      if (reading) setImmediate(app)
    }
    setImmediate(app)
    const source = openSource(blobRow([piece]).source)
    for await (const _ of source.chunks());
    reading = false
    source.close()
    // Twenty megabytes: far more than a millisecond.
    expect(turnsOfTheApp).toBeGreaterThan(2)
  })

  it('stays whole while it is open, although its snapshot was let go', async () => {
    const shop = createShop()
    const piece = shop.piece([['a'], ['b']])
    await shop.writer.settled()
    const source = openSource(blobRow([piece]).source)
    for (const block of piece.blob.blocks) block?.release()
    expect(shop.memory.blobs).toBeGreaterThan(0)
    expect(await read(source)).toBe('<urlset>\na\nb\n</urlset>\n')
    source.close()
    expect(shop.memory.blobs).toBe(0)
  })

  it('closed twice is closed once, and unread is closed too', async () => {
    const shop = createShop()
    const piece = shop.piece([['a']])
    await shop.writer.settled()
    const { blobs } = shop.memory
    const source = openSource(blobRow([piece]).source)
    source.close()
    source.close()
    expect(shop.memory.blobs).toBe(blobs)
    expect((await piece.blob.blocks[0]?.raw())?.toString()).toBe('a\n')
  })
})

describe('a text', () => {
  it('is rendered when it is read, and its size is not known before', async () => {
    let rendered = 0
    const row = textRow(() => {
      rendered++
      return 'größe'
    })
    const source = openSource(row.source)
    expect([rendered, plainBytes(row)]).toEqual([0, undefined])
    expect(await read(source)).toBe('größe')
    source.close()
    expect(rendered).toBe(1)
  })

  it('holds the blobs it is rendered from', async () => {
    const shop = createShop()
    const { blob } = shop.piece([['a']])
    await shop.writer.settled()
    const source = openSource({
      type: 'text',
      blobs: () => [blob],
      render: async () => String(await blob.blocks[0]?.raw()),
    })
    blob.blocks[0]?.release()
    expect(await read(source)).toBe('a\n')
    source.close()
    expect(shop.memory.blobs).toBe(0)
  })
})
