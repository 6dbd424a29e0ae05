import type { ResolvedOptions } from '../options.ts'
import type { Learned } from '../shelves/arrangement.ts'
import type { ListedPartition } from '../shelves/partition-list.ts'
import type { SharedLearned } from '../shelves/partitions.ts'
import { shelfKeys } from './keys.ts'
import type { Sharing } from './sharing.ts'

/** As long as records. */
const LEARNED_MS = 90 * 86_400_000

/** What instances have learned of a section's partitions by reading them, in one hash of the store. */
export function createSharedLearned(
  { link }: Sharing,
  options: ResolvedOptions,
  section: string,
): SharedLearned {
  const key = shelfKeys(options, section).learned
  return {
    async all(find) {
      const came = await link.call((on) => on.getFields?.(key))
      const learned = new Map<string, Learned>()
      if (!(came?.value instanceof Map)) return learned
      for (const [id, text] of came.value) {
        const listed = find(id)
        const known = listed === undefined ? undefined : learnedOf(text, listed)
        if (known !== undefined) learned.set(id, known)
      }
      return learned
    },
    teach(id, { parts, entries, readAtMs, listed: { state, count = null } }) {
      const text = JSON.stringify([parts, entries, readAtMs, state, count])
      void link.call((on) => on.setField?.(key, id, text, LEARNED_MS))
    },
  }
}

/** Undefined for what is no line of ours. */
function learnedOf(text: unknown, listed: ListedPartition): Learned | undefined {
  try {
    const [parts, entries, readAtMs, state, count] = JSON.parse(String(text)) as unknown[]
    const isOurs =
      isCount(parts) && isCount(entries) && typeof readAtMs === 'number' && typeof state === 'string'
    if (!isOurs) return undefined
    return {
      parts,
      entries,
      readAtMs,
      listed: { ...listed, state, count: isCount(count) ? count : undefined },
    }
  } catch {
    return undefined
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
