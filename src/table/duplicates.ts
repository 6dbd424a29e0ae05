import { FingerprintSet } from '../shelves/fingerprint-set.ts'
import type { LocaleCut } from '../shelves/snapshot.ts'

/** Entries to be joined, and those among them that are not written now: they take nobody's place. */
export interface Joinable {
  /** Entries of one section are told apart by its walk already. */
  readonly section: string
  readonly cut: Pick<LocaleCut, 'fingerprints' | 'count'>
  readonly hidden: ReadonlySet<number> | undefined
}

/**
 * For each of several cuts, the entries that stand in an earlier one already, by their number from 0: in a document that
 * joins sections the first in the order of providers wins (SPEC L9). Undefined where one is too large to be joined.
 */
export function findDuplicates(joinables: readonly Joinable[]): readonly (readonly number[])[] | undefined {
  const filled = joinables.filter(({ cut }) => cut.count > 0)
  if (new Set(filled.map(({ section }) => section)).size < 2) return joinables.map(() => [])
  const seen = new FingerprintSet()
  const duplicates: number[][] = []
  for (const { cut, hidden } of joinables) {
    const own: number[] = []
    duplicates.push(own)
    if (cut.count === 0) continue
    const { fingerprints } = cut
    if (fingerprints === undefined) return undefined
    for (let i = 0; i < fingerprints.length; i += 2) {
      if (hidden?.has(i / 2) === true) continue
      if (!seen.add(fingerprints[i] ?? 0, fingerprints[i + 1] ?? 0)) own.push(i / 2)
    }
  }
  return duplicates
}
