import type { CheckedAlternate } from '../entry/checked.ts'
import { type Fingerprint, fingerprint } from '../entry/fingerprint.ts'
import type { FingerprintSet } from './fingerprint-set.ts'

/** Entries whose language versions have not all been met; beyond it nothing is said. */
const MOST_OPEN = 20_000

/**
 * Finds language versions that do not name each other (SPEC E72). Pages that list the same versions make a family, and a
 * family whose every member was met is done with; only the members of those that stay open are compared one by one.
 */
export interface Reciprocity {
  /** An entry with alternates of its own. */
  add(loc: string, alternates: readonly CheckedAlternate[]): void
  /** Entries that name one of the walk's which does not name them. */
  findOneSided(seen: FingerprintSet): readonly string[]
}

interface Family {
  /** Members on the site's host that are still to come. */
  missing: number
  readonly members: { readonly loc: string; readonly alternates: readonly CheckedAlternate[] }[]
}

export function createReciprocity(origin: string): Reciprocity {
  const open = new Map<number, Family>()
  const print: Fingerprint = { high: 0, low: 0 }
  let openEntries = 0
  let gaveUp = false

  function printOf(href: string): Fingerprint {
    fingerprint(isOwn(href) ? href.slice(origin.length) : href, print)
    return print
  }

  function isOwn(href: string): boolean {
    return href.startsWith(origin) && href.charCodeAt(origin.length) === SLASH
  }

  function add(loc: string, alternates: readonly CheckedAlternate[]): void {
    if (gaveUp) return
    let key = 0
    const own = new Set<string>()
    for (const { href } of alternates) {
      // A version under two tags (x-default) is one page; other hosts' pages are not in this walk.
      if (!isOwn(href) || own.has(href)) continue
      own.add(href)
      const { high, low } = printOf(href)
      key += (high >>> 0) * 2_097_152 + (low >>> 11)
    }
    const family = open.get(key) ?? { missing: own.size, members: [] }
    family.members.push({ loc, alternates })
    openEntries++
    if (own.has(loc)) family.missing--
    if (family.missing > 0) {
      open.set(key, family)
    } else {
      open.delete(key)
      openEntries -= family.members.length
    }
    if (openEntries > MOST_OPEN) {
      gaveUp = true
      open.clear()
    }
  }

  function findOneSided(seen: FingerprintSet): readonly string[] {
    const listed = new Map<string, Set<string>>()
    for (const { members } of open.values())
      for (const { loc, alternates } of members) listed.set(loc, new Set(alternates.map(({ href }) => href)))
    const found: string[] = []
    for (const [loc, hrefs] of listed)
      for (const href of hrefs) {
        if (href === loc || !isOwn(href)) continue
        const back = listed.get(href)
        const { high, low } = printOf(href)
        // A page of the walk that is in no open family names others, or none at all.
        if (back === undefined ? seen.has(high, low) : !back.has(loc)) {
          found.push(loc)
          break
        }
      }
    return found
  }

  return { add, findOneSided }
}

const SLASH = 47
