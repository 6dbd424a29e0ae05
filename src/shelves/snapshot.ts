import type { FeedItem } from '../entry/entry.ts'
import type { Memory } from '../memory.ts'
import type { Block } from './blob.ts'
import type { Part } from './cut.ts'

/** Entries left out and fields dropped in a walk. */
export interface SkipReport {
  /** Entries left out. */
  readonly total: number
  /** How often each reason was met; those of dropped fields too. */
  readonly reasons: Readonly<Record<string, number>>
  /** The first few of each reason. */
  readonly samples: readonly { readonly reason: string; readonly loc?: string }[]
}

/** The result of one complete walk of a section; replaced whole, never edited. It owns its blobs until it is let go. */
export interface Snapshot {
  readonly section: string
  readonly parts: readonly Part[]
  readonly count: number
  /** Digest of each HTML page. */
  readonly pages: readonly string[]
  /** Feed entries in feed order, due and to come. */
  readonly feed: readonly FeedItem[]
  readonly skipped: SkipReport
  /** Reasons of `skipped` that nobody asked for, as text for the log. */
  readonly faults: string
  /** Names all content. */
  readonly digest: string
  /** Sum of the URLs' fingerprints: equal for the same set of URLs in any order. */
  readonly setSum: string
  /** Fingerprint halves (high, low) of each entry in order, while the section is small enough to stand in a merged document. */
  readonly fingerprints: Int32Array | undefined
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
  memory.blobs -= snapshot.fingerprints?.byteLength ?? 0
}
