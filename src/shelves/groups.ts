import type { EntryListener } from '../entry/check.ts'
import type { CheckedAlternate, CheckedEntry } from '../entry/checked.ts'
import { SitemapError } from '../errors.ts'
import type { BlockWriter } from './blob.ts'
import { createHeldEntries, type HeldEntry } from './held-entries.ts'

/** What holding an entry back led to. */
export interface Kept {
  /** Entries that are complete now, in order. */
  readonly ready: readonly HeldEntry[]
  /** Time to let compression catch up. */
  readonly blockClosed: boolean
}

/**
 * Makes the entries of a group each other's alternates, within a section. A version may come at the end of the walk: from
 * the first entry with a group on, entries are put aside and written when the walk is over. Where groups are adjacent,
 * only the group under way is.
 */
export interface Grouping {
  /** Whether entries without a group are put aside too, so that all stay in order. */
  readonly isHolding: boolean
  /** Undefined where the entry can be written as it is. Throws LSM_ERR_GROUP_LIMIT. */
  hold(held: HeldEntry, listener: EntryListener): Kept | undefined
  /** What is left, complete and in order. */
  finish(listener: EntryListener): AsyncGenerator<HeldEntry>
  discard(): void
}

/** The versions of a group, by language; the first of each language counts (SPEC E78). */
type Versions = Map<string, string>

/** Members of one adjacent group: as many as there are languages, and some. */
const MOST_ADJACENT = 1_000

export function createGrouping(
  section: string,
  adjacent: boolean,
  maxGrouped: number,
  writer: BlockWriter,
): Grouping {
  return adjacent ? createAdjacent() : createApart(section, maxGrouped, writer)
}

function createApart(section: string, maxGrouped: number, writer: BlockWriter): Grouping {
  const held = createHeldEntries(writer)
  const groups = new Map<string, Versions>()
  let grouped = 0

  return {
    get isHolding() {
      return held.count > 0
    },
    hold(one, listener) {
      const { group } = one.entry
      if (group === undefined) return held.count === 0 ? undefined : { ready: [], blockClosed: held.add(one) }
      grouped++
      if (grouped > maxGrouped) throw tooMany(section, maxGrouped)
      const versions = groups.get(group) ?? new Map<string, string>()
      groups.set(group, versions)
      note(versions, one.entry, listener)
      return { ready: [], blockClosed: held.add(one) }
    },
    async *finish() {
      for await (const one of held.all()) yield completed(one, groups.get(one.entry.group ?? ''))
    },
    discard: () => held.discard(),
  }
}

function createAdjacent(): Grouping {
  let members: HeldEntry[] = []
  let versions: Versions = new Map()
  const finished = (): readonly HeldEntry[] => {
    const ready = members.map((one) => completed(one, versions))
    members = []
    versions = new Map()
    return ready
  }
  return {
    get isHolding() {
      return members.length > 0
    },
    hold(one, listener) {
      const { group } = one.entry
      if (group === undefined) {
        if (members.length === 0) return undefined
        return { ready: [...finished(), one], blockClosed: false }
      }
      const isNext = members[0]?.entry.group !== group || members.length >= MOST_ADJACENT
      const ready = isNext ? finished() : []
      note(versions, one.entry, listener)
      members.push(one)
      return { ready, blockClosed: false }
    },
    async *finish() {
      yield* finished()
    },
    discard() {
      members = []
    },
  }
}

/** Notes an entry as a version of its group. */
function note(versions: Versions, { lang, loc }: CheckedEntry, listener: EntryListener): void {
  if (lang === undefined) listener.dropped('group', 'group without lang', loc)
  else if (versions.has(lang)) listener.dropped('group', 'lang stands twice in its group', loc)
  else versions.set(lang, loc)
}

function completed(one: HeldEntry, versions: Versions | undefined): HeldEntry {
  const { entry } = one
  const alternates = versions === undefined ? entry.alternates : groupAlternates(entry, versions)
  return alternates === entry.alternates ? one : { ...one, entry: { ...entry, alternates } }
}

/**
 * The alternates of an entry of a group: those it names itself, then every version of the group, its own included
 * (SPEC E71), in the order they were met. A group of one has none.
 */
function groupAlternates(entry: CheckedEntry, versions: Versions): readonly CheckedAlternate[] {
  if (versions.size < 2 || entry.lang === undefined || versions.get(entry.lang) !== entry.loc)
    return entry.alternates
  const alternates = [...entry.alternates]
  const named = new Set(alternates.map(({ hreflang }) => hreflang))
  for (const [hreflang, href] of versions) if (!named.has(hreflang)) alternates.push({ hreflang, href })
  return alternates
}

/** `alternates` with the version of language `xDefault` as `x-default`, where none is named and there is one (SPEC E74). */
export function withDefault(
  alternates: readonly CheckedAlternate[],
  xDefault: string,
): readonly CheckedAlternate[] {
  if (alternates.some(({ hreflang }) => hreflang === 'x-default')) return alternates
  const version = alternates.find(({ hreflang }) => hreflang === xDefault)
  return version === undefined ? alternates : [...alternates, { hreflang: 'x-default', href: version.href }]
}

function tooMany(section: string, maxGrouped: number): SitemapError {
  return new SitemapError(
    'LSM_ERR_GROUP_LIMIT',
    `section "${section}" has more than ${maxGrouped} entries with a group (option i18n.maxGrouped): give explicit alternates, or yield the entries of a group next to each other and set groups: 'adjacent' on the provider, or raise i18n.maxGrouped`,
  )
}
