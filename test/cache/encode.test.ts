import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { encode } from '../../src/cache/encode.ts'
import { openSource } from '../../src/cache/source.ts'
import type { Coding } from '../../src/http/negotiate.ts'
import type { Row } from '../../src/table/rows.ts'
import { unhandledDuring } from '../support/engine.ts'
import { blobRow, createShop, textRow } from './documents.ts'

async function encoded(row: Row, coding: Coding): Promise<Buffer> {
  const source = openSource(row.source)
  try {
    return await encode(row, source, coding)
  } finally {
    source.close()
  }
}

const readers: Record<Exclude<Coding, 'zstd'>, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => zlib.gunzipSync(body),
  br: (body) => zlib.brotliDecompressSync(body),
}
const codings = Object.keys(readers) as (keyof typeof readers)[]

const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `<url>${from + n} é</url>`)
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

describe.each(codings)('coded as %s', (coding) => {
  const decoded = async (row: Row) => readers[coding](await encoded(row, coding)).toString()

  it('a document of blobs', async () => {
    const shop = createShop()
    const row = blobRow([
      shop.piece([numbered(0, 1_000), numbered(1_000, 700)]),
      shop.piece([numbered(5_000, 3)]),
    ])
    expect(await decoded(row)).toBe(
      `<urlset>\n${text([...numbered(0, 1_700), ...numbered(5_000, 3)])}</urlset>\n`,
    )
  })

  it('before its blocks are compressed, and after', async () => {
    const shop = createShop()
    const row = blobRow([shop.piece([numbered(0, 500)])])
    const before = await encoded(row, coding)
    await shop.writer.settled()
    expect((await encoded(row, coding)).equals(before)).toBe(true)
  })

  it('without some lines', async () => {
    const shop = createShop()
    const row = blobRow([
      shop.piece(
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
        [0, 2, 3],
      ),
      shop.piece([['e']], [0]),
    ])
    expect(await decoded(row)).toBe('<urlset>\nb\n</urlset>\n')
  })

  it.each([
    { name: 'no piece', head: '<urlset>\n', tail: '</urlset>\n' },
    { name: 'no head and no tail', head: '', tail: '' },
    { name: 'no head', head: '', tail: 'tail' },
    { name: 'no tail', head: 'head', tail: '' },
  ])('an empty document: $name', async ({ head, tail }) => {
    expect(await decoded(blobRow([], head, tail))).toBe(head + tail)
    expect(await decoded(blobRow([createShop().piece([])], head, tail))).toBe(head + tail)
  })

  it('a text', async () => {
    expect(await decoded(textRow(async () => 'größe 😀'.repeat(50_000)))).toBe('größe 😀'.repeat(50_000))
    expect(await decoded(textRow(() => ''))).toBe('')
  })

  it('is the same every time and on every machine', async () => {
    const make = () => {
      const shop = createShop()
      return blobRow([shop.piece([numbered(0, 900)])])
    }
    expect((await encoded(make(), coding)).equals(await encoded(make(), coding))).toBe(true)
  })

  it('weighs what it counts', async () => {
    const body = await encoded(blobRow([createShop().piece([numbered(0, 1_000)])]), coding)
    expect(body.buffer.byteLength).toBeLessThanOrEqual(body.length + 1_024)
  })

  it('a rendering that fails: the error, and nothing unhandled', async () => {
    const error = new Error('no')
    const unhandled = await unhandledDuring(async () => {
      await expect(
        encoded(
          textRow(() => Promise.reject(error)),
          coding,
        ),
      ).rejects.toBe(error)
    })
    expect(unhandled).toEqual([])
  })
})

it('gzip of what lies in blobs is joined from their pieces, not compressed again', async () => {
  const shop = createShop()
  const piece = shop.piece([numbered(0, 1_000)])
  const body = await encoded(blobRow([piece]), 'gzip')
  const coded = (await piece.blob.blocks[0]?.coded()) as Buffer
  expect(body.includes(coded)).toBe(true)
})

it('many different heads', async () => {
  for (let n = 0; n < 250; n++) {
    const body = await encoded(blobRow([], `<head ${n}>`, `</head ${n}>`), 'gzip')
    expect(zlib.gunzipSync(body).toString()).toBe(`<head ${n}></head ${n}>`)
  }
})
