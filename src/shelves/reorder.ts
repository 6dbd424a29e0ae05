import { digestOf } from '../digest.ts'
import { createSlices } from '../slices.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Whether two snapshots hold the same set of entries, byte for byte, in another order. A query without a sort may shuffle
 * its rows at every call, which would move every part's validators for nothing. The cheap signs are asked first; only
 * where all of them agree are the entries compared one by one, with a bounded memory of one block.
 */
export async function isReordered(earlier: Snapshot, later: Snapshot): Promise<boolean> {
  if (earlier.setSum !== later.setSum || earlier.count === 0) return false
  if (!differs(earlier, later) || !feedsAgree(earlier, later)) return false
  return (await entrySum(earlier)) === (await entrySum(later))
}

/** Order lives in the loc lines; a section without them keeps it in its `<url>` lines. */
function differs(earlier: Snapshot, later: Snapshot): boolean {
  const order = (snapshot: Snapshot): string =>
    snapshot.parts.map((part) => (part.txt ?? part.xml)?.digest).join()
  return order(earlier) !== order(later)
}

/**
 * Feeds show fields that no line holds: where an item of both differs, the entries are not the same. Undated ones are
 * candidates by their order, so an item of one alone says nothing.
 */
function feedsAgree(earlier: Snapshot, later: Snapshot): boolean {
  const items = new Map(earlier.feed.map((item) => [item.loc, JSON.stringify(item)]))
  return later.feed.every((item) => (items.get(item.loc) ?? JSON.stringify(item)) === JSON.stringify(item))
}

/** A sum over all entries that does not depend on their order. Each entry's lines are hashed together. */
async function entrySum(snapshot: Snapshot): Promise<string> {
  let high = 0n
  const slices = createSlices()
  for (const part of snapshot.parts) {
    for (let i = 0; i < part.blockCounts.length; i++) {
      const [xml, txt, cards] = await Promise.all(
        [part.xml, part.txt, part.cards].map(async (blob) =>
          (await blob?.blocks[i]?.raw())?.toString('utf8').split('\n'),
        ),
      )
      for (let entry = 0; entry < (part.blockCounts[i] ?? 0); entry++) {
        const digest = digestOf(`${xml?.[entry] ?? ''}\n${txt?.[entry] ?? ''}\n${cards?.[entry] ?? ''}`)
        high = (high + Buffer.from(digest, 'base64url').readBigUInt64LE()) & 0xffff_ffff_ffff_ffffn
        const turn = slices()
        if (turn !== undefined) await turn
      }
    }
  }
  return high.toString(36)
}
