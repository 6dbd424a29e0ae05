/** Documents that lie in blobs, for the tests of what is made of them. */

import { checksum } from '../../src/cache/gzip-join.ts'
import { digestOf } from '../../src/digest.ts'
import { createMemory, type Memory } from '../../src/memory.ts'
import { type BlockWriter, createBlockWriter } from '../../src/shelves/blob.ts'
import { createSpool } from '../../src/shelves/spool.ts'
import type { Row, SourcePiece } from '../../src/table/rows.ts'

export interface Shop {
  readonly memory: Memory
  readonly writer: BlockWriter
  /** A piece of these blocks of lines; a block of no lines is not stored. */
  piece(blocks: readonly (readonly string[])[], skip?: readonly number[]): SourcePiece
}

export function createShop(limit: number = 64 * 2 ** 20): Shop {
  const memory = createMemory(limit)
  const writer = createBlockWriter(memory, createSpool(undefined), new Map())
  return {
    memory,
    writer,
    piece(blocks, skip) {
      const raws = blocks.map((lines) => Buffer.from(lines.map((line) => `${line}\n`).join('')))
      const whole = Buffer.concat(raws)
      return {
        blob: {
          digest: digestOf(whole),
          checksum: checksum(whole),
          blocks: raws.map((raw) => (raw.length === 0 ? undefined : writer.write(raw))),
        },
        blockCounts: blocks.map((lines) => lines.length),
        skip,
        bare: undefined,
      }
    },
  }
}

export function rowOf(source: Row['source'], digest = 'digest'): Row {
  return {
    path: '/sitemap.xml',
    kind: 'urlset',
    mediaType: 'application/xml; charset=utf-8',
    digest,
    changedAtMs: 0,
    secondShared: false,
    expiresAtMs: undefined,
    shelves: [],
    incomplete: false,
    link: undefined,
    unsettled: false,
    source,
  }
}

export function blobRow(
  pieces: readonly SourcePiece[],
  head = '<urlset>\n',
  tail = '</urlset>\n',
  digest?: string,
): Row {
  return rowOf({ type: 'blobs', head, tail, pieces }, digest)
}

export function textRow(render: () => string | Promise<string>, digest?: string): Row {
  return rowOf({ type: 'text', blobs: () => [], render }, digest)
}
