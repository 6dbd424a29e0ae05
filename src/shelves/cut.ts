import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Checksum } from '../cache/gzip-join.ts'
import { digestOf, digestOfAll, shortDigest } from '../digest.ts'
import type { W3cDate } from '../entry/lastmod.ts'
import type { Block, BlockWriter } from './blob.ts'

/** One kind of bytes of a part (`<url>` lines, loc lines, card lines), as a run of blocks. */
export interface Blob {
  /** Names the bytes: equal bytes, equal digest, however they were cut into blocks. */
  readonly digest: string
  /** Length and CRC-32 of the uncompressed bytes. */
  readonly checksum: Checksum
  /** In order; undefined where a block of the part has no bytes of this kind (cards of entries that are only URLs). */
  readonly blocks: readonly (Block | undefined)[]
}

/** A run of entries that makes one document of the protocol. */
export interface Part {
  readonly count: number
  /** Undefined where the section takes no part in the format. */
  readonly xml: Blob | undefined
  readonly txt: Blob | undefined
  readonly cards: Blob | undefined
  /** Entries of each block. */
  readonly blockCounts: readonly number[]
  /** Namespaces that its `<url>` lines use (formats/urlset.ts). */
  readonly namespaces: number
  /** Newest lastmod of its entries. */
  readonly newest: W3cDate | undefined
  /** Its entries whose `<url>` line holds a news article, in order. */
  readonly news: readonly NewsMark[]
}

/** A news article in a part: time decides whether it is written (SPEC E60). */
export interface NewsMark {
  /** Number of the entry in its part, from 0. */
  readonly entry: number
  /** First publication, in ms since 1970; minus infinity for an entry that is never written as news. */
  readonly atMs: number
}

/** What the cutter needs of an entry. */
export interface Piece {
  /** The `<url>` line, or the empty text where the section has no XML. */
  readonly xml: string
  /** What the entry weighs against `maxBytes`: its bytes in the section's largest format. */
  readonly bytes: number
  /** The loc line, ASCII, or the empty text where neither TXT nor HTML needs it. */
  readonly txt: string
  /** The card line without loc, `\n` where it says nothing, or the empty text where the section has no HTML. */
  readonly card: string
  readonly namespaces: number
  readonly lastmod: W3cDate | undefined
  /** First publication of the news article in `xml`. */
  readonly newsAtMs: number | undefined
}

export interface CutRules {
  readonly limit: number
  readonly maxBytes: number
  /** Bytes of head and tail of a urlset that uses these namespaces. */
  readonly frameBytes: (namespaces: number) => number
  /** Entries of one HTML page, or 0 where the section has no HTML. */
  readonly pageSize: number
}

/** What a walk's entries, or those of one locale, were cut into. */
export interface Cut {
  readonly parts: readonly Part[]
  readonly count: number
  /** Digest of each HTML page's loc and card lines. */
  readonly pages: readonly string[]
}

export interface Cutter {
  /** False where the entry alone is larger than a part may be: it was not taken. */
  add(piece: Piece): boolean
  /** True once after a block was closed: time to let compression catch up. */
  takeBlockClosed(): boolean
  finish(): Cut
}

/** SPEC E50: news articles of one file. Aged ones count too, so that no clock has a say in the cut. */
export const MOST_NEWS = 1_000
const ENTRIES_PER_BLOCK = 1_000
/** Entries can be large (1,000 images): a block is then closed early, so that no reader inflates much more than this. */
const BYTES_PER_BLOCK = 262_144

/**
 * Cuts the stream of entries into parts by `limit` and by exact UTF-8 bytes with head and tail against `maxBytes`
 * (SPEC U12). A part's bytes leave as blocks while it grows, so that memory holds one block, never a part.
 */
export function createCutter(rules: CutRules, writer: BlockWriter): Cutter {
  const parts: Part[] = []
  const pages: string[] = []
  let total = 0
  let blockClosed = false
  let part = new OpenPart()

  // The open block.
  let xml = ''
  let txt = ''
  let card = ''
  let blockEntries = 0
  /** As `maxBytes` counts. */
  let lineBytes = 0
  let cardBytes = 0

  // The open HTML page; of the open block it has not yet hashed what lies behind these two places.
  let pageEntries = 0
  let txtFrom = 0
  let cardFrom = 0
  let page = new TextHashes()

  function add(piece: Piece): boolean {
    const namespaces = part.namespaces | piece.namespaces
    if (
      part.count >= rules.limit ||
      (piece.newsAtMs !== undefined && part.news.length >= MOST_NEWS) ||
      part.bytes + piece.bytes + rules.frameBytes(namespaces) > rules.maxBytes
    ) {
      if (piece.bytes + rules.frameBytes(piece.namespaces) > rules.maxBytes) return false
      if (part.count > 0) closePart()
    }
    part.namespaces |= piece.namespaces
    if (piece.newsAtMs !== undefined) part.news.push({ entry: part.count, atMs: piece.newsAtMs })
    part.bytes += piece.bytes
    part.count++
    total++
    if (piece.lastmod !== undefined && (part.newest === undefined || piece.lastmod.ms > part.newest.ms))
      part.newest = piece.lastmod
    xml += piece.xml
    txt += piece.txt
    card += piece.card
    blockEntries++
    lineBytes += piece.bytes
    cardBytes += piece.card.length
    const closes = part.count % ENTRIES_PER_BLOCK === 0 || lineBytes + cardBytes >= BYTES_PER_BLOCK
    if (rules.pageSize > 0 && ++pageEntries === rules.pageSize && !(closes && pageEntries === blockEntries))
      closePage()
    // A run never begins inside a block.
    if (closes) closeBlock()
    return true
  }

  function closeBlock(): void {
    if (blockEntries === 0) return
    const pageIsBlock = rules.pageSize > 0 && pageEntries === rules.pageSize
    if (pageEntries > 0 && !pageIsBlock) hashPage()
    txtFrom = cardFrom = 0
    part.blockCounts.push(blockEntries)
    // Loc lines are ASCII, `<url>` lines nearly always: then nothing need be counted, and a byte is a character.
    if (xml !== '')
      part.xml.append(Buffer.from(xml, lineBytes === xml.length ? 'latin1' : 'utf8'), blockEntries, writer)
    const txtDigest = txt === '' ? '' : part.txt.append(Buffer.from(txt, 'latin1'), blockEntries, writer)
    // Cards of entries that are only URLs say nothing and take no block.
    const cardDigest =
      card.length > blockEntries
        ? part.cards.append(Buffer.from(card, 'utf8'), blockEntries, writer)
        : card === ''
          ? ''
          : part.cards.skip(blockEntries)
    if (pageIsBlock) {
      pages.push(digestOfAll(pageEntries, txtDigest + cardDigest))
      pageEntries = 0
    }
    xml = txt = card = ''
    blockEntries = lineBytes = cardBytes = 0
    blockClosed = true
  }

  function hashPage(): void {
    page.update(txt.slice(txtFrom), card.slice(cardFrom))
    txtFrom = txt.length
    cardFrom = card.length
  }

  function closePage(): void {
    hashPage()
    pages.push(digestOfAll(pageEntries, page.digest()))
    page = new TextHashes()
    pageEntries = 0
  }

  function closePart(): void {
    closeBlock()
    parts.push(part.closed())
    part = new OpenPart()
  }

  return {
    add,
    takeBlockClosed() {
      const closed = blockClosed
      blockClosed = false
      return closed
    },
    finish() {
      if (part.count > 0) closePart()
      if (pageEntries > 0) closePage()
      return { parts, count: total, pages }
    },
  }
}

class OpenPart {
  count = 0
  bytes = 0
  namespaces = 0
  newest: W3cDate | undefined
  readonly blockCounts: number[] = []
  readonly news: NewsMark[] = []
  readonly xml: OpenBlob = new OpenBlob()
  readonly txt: OpenBlob = new OpenBlob()
  readonly cards: OpenBlob = new OpenBlob()

  closed(): Part {
    const { count, blockCounts, namespaces, newest, news } = this
    const [xml, txt, cards] = [this.xml.closed(count), this.txt.closed(count), this.cards.closed(count)]
    return { count, xml, txt, cards, blockCounts, namespaces, newest, news }
  }
}

/**
 * The digest is taken over runs of 1,000 entries. Nearly always a run is one block, and the digest of the block, which
 * the writer needs anyway, serves; where a block was closed early, the run is hashed over its blocks. So the bytes
 * decide, not the way they were cut, and nearly nothing is hashed twice.
 */
class OpenBlob {
  #crc = 0
  #bytes = 0
  readonly #blocks: (Block | undefined)[] = []
  readonly #runs: string[] = []
  #run: Hash | undefined
  #runEntries = 0

  /** The digest of the bytes. */
  append(raw: Buffer, entries: number, writer: BlockWriter): string {
    const block = writer.write(raw)
    this.#blocks.push(block)
    this.#count(raw, entries, block.digest)
    return block.digest
  }

  /** Empty card lines: known from their number alone, so they are hashed and not stored. */
  skip(entries: number): string {
    const raw = Buffer.alloc(entries, '\n')
    const digest = digestOf(raw)
    this.#blocks.push(undefined)
    this.#count(raw, entries, digest)
    return digest
  }

  #count(raw: Buffer, entries: number, digest: string): void {
    this.#crc = crc32(raw, this.#crc)
    this.#bytes += raw.length
    this.#runEntries += entries
    if (this.#run === undefined && this.#runEntries === ENTRIES_PER_BLOCK) {
      this.#runs.push(digest)
      this.#runEntries = 0
      return
    }
    this.#run ??= createHash('sha256')
    this.#run.update(raw)
    if (this.#runEntries === ENTRIES_PER_BLOCK) this.#closeRun()
  }

  #closeRun(): void {
    if (this.#run !== undefined) this.#runs.push(shortDigest(this.#run))
    this.#run = undefined
    this.#runEntries = 0
  }

  closed(count: number): Blob | undefined {
    this.#closeRun()
    if (this.#blocks.length === 0) return undefined
    return {
      digest: digestOfAll(count, ...this.#runs),
      checksum: { crc: this.#crc, bytes: this.#bytes },
      blocks: this.#blocks,
    }
  }
}

/** Digest of two texts that grow together: of a page that is not just one block, whose digests would serve. */
class TextHashes {
  readonly #txt: Hash = createHash('sha256')
  readonly #card: Hash = createHash('sha256')

  update(txt: string, card: string): void {
    this.#txt.update(txt)
    this.#card.update(card)
  }

  digest(): string {
    return shortDigest(this.#txt) + shortDigest(this.#card)
  }
}
