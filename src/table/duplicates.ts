import { FingerprintSet } from '../shelves/fingerprint-set.ts'
import type { Snapshot } from '../shelves/snapshot.ts'

/**
 * For each snapshot, the entries that stand in an earlier one already, by their number from 0: in a document that joins
 * sections the first in the order of providers wins (SPEC L9). Undefined where a section is too large to be joined.
 */
export function findDuplicates(snapshots: readonly Snapshot[]): readonly (readonly number[])[] | undefined {
  if (snapshots.length < 2) return snapshots.map(() => [])
  const seen = new FingerprintSet()
  const duplicates: number[][] = []
  for (const { fingerprints } of snapshots) {
    if (fingerprints === undefined) return undefined
    const own: number[] = []
    for (let i = 0; i < fingerprints.length; i += 2)
      if (!seen.add(fingerprints[i] ?? 0, fingerprints[i + 1] ?? 0)) own.push(i / 2)
    duplicates.push(own)
  }
  return duplicates
}
