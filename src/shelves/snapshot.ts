import type { FeedItem } from '../entry/entry.ts'
import type { Memory } from '../memory.ts'
import type { SkipReport } from '../report.ts'
import type { Block } from './blob.ts'
import type { Cut, Part } from './cut.ts'
import type { PartitionList } from './partition-list.ts'

/** The share of a section that goes into documents of its own: one a locale, or the whole where there are none. */
export interface LocaleCut extends Cut {
  readonly locale: string | undefined
  /** Fingerprint halves (high, low) of each entry in order, while it is small enough to stand in a merged document. */
  readonly fingerprints: Int32Array | undefined
}

/** An article for the news file (option `routes.news`). */
export interface NewsArticle {
  readonly loc: string
  /** Its `<url>` line. */
  readonly line: string
  /** First publication, in ms since 1970. */
  readonly atMs: number
}

/** The result of one complete walk of a section; replaced whole, never edited. It owns its blobs until it is let go. */
export interface Snapshot {
  readonly section: string
  /** In the order of `i18n.locales`, those without entries too. */
  readonly cuts: readonly LocaleCut[]
  /** The parts of all cuts. */
  readonly parts: readonly Part[]
  readonly count: number
  /** Feed entries in feed order, due and to come. */
  readonly feed: readonly FeedItem[]
  /** Newest first; those to come and those that had not aged when they were read. */
  readonly news: readonly NewsArticle[]
  /** Some entry carries robots-* classes (SPEC 7.2). */
  readonly profiled: boolean
  readonly skipped: SkipReport
  /** Reasons of `skipped` that nobody asked for, as text for the log. */
  readonly faults: string
  /** Names all content. */
  readonly digest: string
  /** Sum of the URLs' fingerprints: equal for the same set of URLs in any order. */
  readonly setSum: string
  /** Bytes it holds beside its blobs. */
  readonly weight: number
  /** Of a partitioned section: its partitions, each of which has a snapshot of its own. */
  readonly list?: PartitionList | undefined
  /** Revision of the shelf at which the walk started. */
  readonly startRevision: number
}

/** All blocks of a snapshot. */
export function* blocksOf(snapshot: Snapshot): Generator<Block> {
  for (const part of snapshot.parts)
    for (const blob of [part.xml, part.txt, part.cards])
      for (const block of blob?.blocks ?? []) if (block !== undefined) yield block
}

/** Lets a snapshot's memory go; readers that hold a block keep it. */
export function releaseSnapshot(snapshot: Snapshot, memory: Memory): void {
  for (const block of blocksOf(snapshot)) block.release()
  memory.records -= snapshot.weight
}
