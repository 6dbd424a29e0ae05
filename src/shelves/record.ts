import type { FeedItem } from '../entry/entry.ts'
import type { W3cDate } from '../entry/lastmod.ts'
import type { SkipReport } from '../report.ts'
import { createSlices } from '../slices.ts'
import type { Block } from './blob.ts'
import type { Blob, NewsMark, Part } from './cut.ts'
import type { ListDraft, ListedPartition, PartitionList } from './partition-list.ts'
import { blocksOf, type LocaleCut, type NewsArticle, type Snapshot } from './snapshot.ts'

/** The layout of a record; another one is a miss, never an error. */
const LAYOUT = 2

/** A snapshot without its blocks, as JSON; blocks are named by their digests. */
export interface SnapshotRecord {
  readonly layout: number
  readonly section: string
  readonly cuts: readonly CutRecord[]
  readonly count: number
  readonly feed: readonly FeedItem[]
  readonly news: readonly NewsArticle[]
  readonly profiled: boolean
  readonly skipped: SkipReport
  readonly faults: string
  readonly digest: string
  readonly setSum: string
  readonly weight: number
  readonly list: PartitionListRecord | null
}

interface PartitionListRecord extends Pick<ListDraft, 'readFromMs' | 'fullAtMs'> {
  readonly partitions: readonly Plain<ListedPartition>[]
  readonly changed: readonly string[] | 'all' | null
}

/** What JSON makes of it: a field that is undefined is none. */
type Plain<T> = { readonly [K in keyof T]?: T[K] }

interface CutRecord {
  readonly locale: string | null
  readonly parts: readonly PartRecord[]
  readonly count: number
  readonly pages: readonly string[]
  /** Base64 of the halves. */
  readonly fingerprints: string | null
}

interface PartRecord {
  readonly count: number
  readonly xml: BlobRecord | null
  readonly txt: BlobRecord | null
  readonly cards: BlobRecord | null
  readonly blockCounts: readonly number[]
  readonly namespaces: number
  readonly newest: W3cDate | null
  readonly news: readonly NewsMark[]
}

/** A blob without its blocks' bytes. */
export interface BlobRecord {
  readonly digest: string
  readonly checksum: Blob['checksum']
  readonly blocks: readonly (BlockRecord | null)[]
}

export interface BlockRecord {
  readonly digest: string
  readonly bytes: number
}

/** Makes, or finds, the block that a record names. */
export type OpenBlock = (block: BlockRecord) => Block

/** The record of a snapshot, and the blocks that it names, each once. */
export function recordOf(snapshot: Snapshot): {
  readonly record: SnapshotRecord
  readonly blocks: readonly Block[]
} {
  const blocks = new Map<string, Block>()
  for (const block of blocksOf(snapshot)) blocks.set(block.digest, block)
  const { section, count, feed, news, profiled, skipped, faults, digest, setSum, weight } = snapshot
  const cuts = snapshot.cuts.map(cutRecord)
  return {
    record: {
      layout: LAYOUT,
      section,
      cuts,
      count,
      feed,
      news,
      profiled,
      skipped,
      faults,
      digest,
      setSum,
      weight,
      list: listRecord(snapshot.list),
    },
    blocks: [...blocks.values()],
  }
}

function listRecord(list: PartitionList | undefined): PartitionListRecord | null {
  if (list === undefined) return null
  const { partitions, changed, readFromMs, fullAtMs } = list
  return {
    partitions,
    changed: typeof changed === 'object' ? [...changed] : (changed ?? null),
    readFromMs,
    fullAtMs,
  }
}

/** The list of a record's partitions, which is still to be arranged. */
export async function listDraftOf({ list }: SnapshotRecord): Promise<ListDraft | undefined> {
  if (list === null) return undefined
  const { changed, readFromMs, fullAtMs } = list
  // A field that is missing reads as undefined, which is what it was.
  const partitions = list.partitions as readonly ListedPartition[]
  const byId = new Map<string, ListedPartition>()
  const slices = createSlices()
  for (const one of partitions) {
    byId.set(one.id, one)
    await slices()
  }
  return {
    partitions,
    byId,
    changed: Array.isArray(changed) ? new Set<string>(changed) : changed === 'all' ? changed : undefined,
    readFromMs,
    fullAtMs,
    // Whoever read it told the others what it made stale.
    wasInvalidated: false,
  }
}

/** The blobs of a record, each place of them. */
export function* blobsOf(record: SnapshotRecord): Generator<BlobRecord> {
  for (const { parts } of record.cuts)
    for (const { xml, txt, cards } of parts)
      for (const blob of [xml, txt, cards]) if (blob !== null) yield blob
}

function cutRecord({ locale, parts, count, pages, fingerprints }: LocaleCut): CutRecord {
  return {
    locale: locale ?? null,
    parts: parts.map(partRecord),
    count,
    pages,
    fingerprints:
      fingerprints === undefined
        ? null
        : Buffer.from(fingerprints.buffer, fingerprints.byteOffset, fingerprints.byteLength).toString(
            'base64',
          ),
  }
}

function partRecord({ xml, txt, cards, newest, ...rest }: Part): PartRecord {
  return {
    ...rest,
    // Minus infinity, an entry that is never news, has no form in JSON.
    news: rest.news.map(({ entry, atMs }) => ({ entry, atMs: Math.max(atMs, NEVER) })),
    xml: blobRecord(xml),
    txt: blobRecord(txt),
    cards: blobRecord(cards),
    newest: newest ?? null,
  }
}

/** Before every date that an article may have. */
const NEVER = -8.64e15

function blobRecord(blob: Blob | undefined): BlobRecord | null {
  if (blob === undefined) return null
  const { digest, checksum, blocks } = blob
  return {
    digest,
    checksum,
    blocks: blocks.map((block) =>
      block === undefined ? null : { digest: block.digest, bytes: block.bytes },
    ),
  }
}

/** The snapshot of a record, without its list; undefined for one of another layout. `open` is called once for each place of a block. */
export function snapshotOf(
  record: SnapshotRecord,
  startRevision: number,
  open: OpenBlock,
): Snapshot | undefined {
  if (record.layout !== LAYOUT) return undefined
  const { layout: _, cuts: cutRecords, list: _list, ...rest } = record
  const cuts = cutRecords.map((cut) => cutOf(cut, open))
  return { ...rest, cuts, parts: cuts.flatMap(({ parts }) => parts), startRevision }
}

function cutOf({ locale, parts, count, pages, fingerprints }: CutRecord, open: OpenBlock): LocaleCut {
  return {
    locale: locale ?? undefined,
    parts: parts.map((part) => partOf(part, open)),
    count,
    pages,
    fingerprints: fingerprints === null ? undefined : int32(Buffer.from(fingerprints, 'base64')),
  }
}

/** Copied: a Buffer's own memory need not begin at a multiple of four. */
function int32(bytes: Buffer): Int32Array {
  const copy = new Uint8Array(bytes)
  return new Int32Array(copy.buffer, 0, copy.byteLength / 4)
}

function partOf({ xml, txt, cards, newest, ...rest }: PartRecord, open: OpenBlock): Part {
  return {
    ...rest,
    xml: blobOf(xml, open),
    txt: blobOf(txt, open),
    cards: blobOf(cards, open),
    newest: newest ?? undefined,
  }
}

function blobOf(record: BlobRecord | null, open: OpenBlock): Blob | undefined {
  if (record === null) return undefined
  const { digest, checksum, blocks } = record
  return { digest, checksum, blocks: blocks.map((block) => (block === null ? undefined : open(block))) }
}
