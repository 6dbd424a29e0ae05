import type { Card } from '../entry/entry.ts'
import { readCard } from '../shelves/card-line.ts'
import type { Blob, Cut } from '../shelves/cut.ts'

/** The cards of `count` entries of a cut from number `from` on, inflating only the blocks they lie in. */
export async function readCards(cut: Cut, from: number, count: number): Promise<Card[]> {
  const cards: Card[] = []
  let at = 0
  for (const part of cut.parts) {
    for (const [i, entries] of part.blockCounts.entries()) {
      if (at < from + count && at + entries > from) {
        const [locs = [], lines = []] = await Promise.all(
          [part.txt, part.cards].map(async (blob) =>
            (await blob?.blocks[i]?.raw())?.toString('utf8').split('\n'),
          ),
        )
        for (let n = Math.max(0, from - at); n < Math.min(entries, from + count - at); n++)
          cards.push(readCard(locs[n] ?? '', lines[n] ?? ''))
      }
      at += entries
    }
  }
  return cards
}

/** The blobs of the parts that those entries lie in. */
export function cardBlobs(cut: Cut, from: number, count: number): Blob[] {
  const blobs: Blob[] = []
  let at = 0
  for (const { count: entries, txt, cards } of cut.parts) {
    if (at >= from + count) break
    if (at + entries > from) for (const blob of [txt, cards]) if (blob !== undefined) blobs.push(blob)
    at += entries
  }
  return blobs
}
