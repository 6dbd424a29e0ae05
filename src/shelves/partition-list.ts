import { digestOf, digestOfAll } from '../digest.ts'
import { parseDate, type W3cDate } from '../entry/lastmod.ts'
import { describe, SitemapError } from '../errors.ts'
import type { ResolvedProvider } from '../options.ts'
import type { Partition, ProviderContext } from '../providers/provider.ts'
import { type Abandoned, readEntries } from '../providers/read.ts'
import { createSlices } from '../slices.ts'
import { PARTITION_ID } from '../table/paths.ts'
import { type Arrangement, arrange, expectedParts, MOST_PARTS, pageDigests } from './arrangement.ts'
import type { Snapshot } from './snapshot.ts'
import type { WalkEnvironment, WalkOrder } from './walk.ts'
import { walk } from './walk.ts'

/** A partition as its section lists it. */
export interface ListedPartition {
  readonly id: string
  /** Its number in the list, from 0. */
  readonly place: number
  readonly version: string | undefined
  readonly lastmod: W3cDate | undefined
  readonly count: number | undefined
  readonly title: string | undefined
  /** What the user listed, as plain JSON: `ctx.partition`. */
  readonly given: Partition
  /** Equal to last time: nothing of it is read. Its version; without one, all that was listed but the title. */
  readonly state: string
}

/** The partitions of a section. */
export interface PartitionList {
  readonly partitions: readonly ListedPartition[]
  readonly byId: ReadonlyMap<string, ListedPartition>
  /** Those that `changedSince` names; undefined where nobody was asked, and versions decide. */
  readonly changed: ReadonlySet<string> | 'all' | undefined
  /** When the reading began: the next one asks for what changed since. */
  readonly readFromMs: number
  /** When all were last said to have changed. */
  readonly fullAtMs: number
  /** Somebody said that the section has changed: what has nothing else to tell by is read again. */
  readonly wasInvalidated: boolean
  /** What documents make of it. */
  readonly arrangement: Arrangement
  /** Those that the pages in HTML show: the list says of no other that it is empty. */
  readonly shown: readonly ListedPartition[]
  /** What names the contents of each page. */
  readonly pages: readonly string[]
}

/** A list that is not arranged yet. */
export type ListDraft = Omit<PartitionList, 'arrangement' | 'shown' | 'pages'>

/** Partitions of a section, and parts of them all; far more make an index that nobody can read. */
const MOST_PARTITIONS = 1_000_000

/** Of a section and a partition together: with the number of a part 100, which is what Fastify's router takes. */
const LONGEST_NAME = 90

/**
 * How far `since` lies before the last reading: a transaction writes the time it began at and shows its rows when it
 * ends, and the clocks of two machines differ.
 */
const OVERLAP_MS = 60_000

/**
 * Reads the list of a section's partitions: its snapshot has no parts of its own, only the list, and what `latest` gives
 * for feeds. A list with a fault is no list: the last good one stays.
 */
export async function walkList(environment: WalkEnvironment, order: WalkOrder): Promise<Snapshot> {
  const { clock } = environment
  const { provider, earlier } = order
  const readFromMs = clock.now()
  const byId = await readList(environment, order)
  const partitions = [...byId.values()]
  const draft: ListDraft = {
    partitions,
    byId,
    ...(await readChanges(environment, order, readFromMs)),
    readFromMs,
    wasInvalidated: earlier !== undefined && order.startRevision > earlier.startRevision,
  }
  const list = await completeList(environment, provider, draft)
  const latest = await walkLatest(environment, order)
  const digest = digestOfAll(latest?.digest, ...list.arrangement.pieces.map((piece) => piece.content))
  const weight = partitions.length * PARTITION_BYTES
  environment.memory.records += weight
  return {
    section: provider.section,
    cuts: latest?.cuts ?? [],
    parts: latest?.parts ?? [],
    count: partitions.length,
    feed: latest?.feed ?? [],
    news: latest?.news ?? [],
    profiled: latest?.profiled ?? false,
    skipped: latest?.skipped ?? { total: 0, reasons: {}, samples: [] },
    faults: latest?.faults ?? '',
    digest,
    // Lists have an order of their own: no two are "the same in another order".
    setSum: digest,
    weight: weight + (latest?.weight ?? 0),
    startRevision: order.startRevision,
    list,
  }
}

/** Makes what documents take of a list, giving way to the app's own work. */
export async function completeList(
  environment: WalkEnvironment,
  { section, formats }: Pick<ResolvedProvider, 'section' | 'formats'>,
  draft: ListDraft,
): Promise<PartitionList> {
  const { options } = environment
  const arrangement = await (environment.arrange?.(section, draft) ??
    arrange(section, draft.partitions, (one) => expectedParts(one, options.limit)))
  const isInHtml = formats.has('html') && options.routes.html !== false
  const shown = draft.partitions.filter(({ count }) => count !== 0)
  const pages = isInHtml ? await pageDigests(shown, options.html.pageSize) : []
  return { ...draft, arrangement, shown, pages }
}

/** What a listed partition weighs, about. */
const PARTITION_BYTES = 300

function reading({ clock, options }: WalkEnvironment, order: WalkOrder, controller: AbortController) {
  return {
    section: order.provider.section,
    clock,
    timeoutMs: order.provider.timeoutMs,
    wholeMs: options.walkTimeoutMs,
    controller,
    abandoned: order.abandoned as Abandoned,
  }
}

/** In the order they are listed in. */
async function readList(
  environment: WalkEnvironment,
  order: WalkOrder,
): Promise<ReadonlyMap<string, ListedPartition>> {
  const { section, partitioned } = order.provider
  const { limit } = environment.options
  const byId = new Map<string, ListedPartition>()
  const slices = createSlices()
  let parts = 0
  await readEntries(
    () => partitioned?.partitions(order.context),
    (given) => {
      const one = listed(given, section, byId.size)
      if (byId.has(one.id)) throw invalid(section, `partition "${one.id}" is listed twice`)
      const own = expectedParts(one, limit)
      if (own > MOST_PARTS)
        throw invalid(section, `partition "${one.id}" has ${own} parts: make it smaller, or raise limit`)
      parts += own
      if (byId.size >= MOST_PARTITIONS || parts > MOST_PARTITIONS)
        throw invalid(section, `more than ${MOST_PARTITIONS} partitions or parts of them: make them larger`)
      byId.set(one.id, one)
      return slices()
    },
    reading(environment, order, order.controller),
  )
  return byId
}

/** Which partitions changed since the list was read last; all of them every `fullEvery`. */
async function readChanges(
  environment: WalkEnvironment,
  order: WalkOrder,
  nowMs: number,
): Promise<Pick<PartitionList, 'changed' | 'fullAtMs'>> {
  const { partitioned, section } = order.provider
  const { changedSince, fullEveryMs = 0 } = partitioned ?? {}
  const before = order.earlier?.list
  if (changedSince === undefined) return { changed: undefined, fullAtMs: nowMs }
  // A clock that was set back does not tell when the last reading began.
  const wasSetBack = before !== undefined && nowMs < before.readFromMs
  if (before === undefined || wasSetBack || nowMs - before.fullAtMs >= fullEveryMs)
    return { changed: 'all', fullAtMs: nowMs }
  const changed = new Set<string>()
  const slices = createSlices()
  await readEntries(
    () => changedSince({ ...order.context, since: new Date(before.readFromMs - OVERLAP_MS) }),
    (id) => {
      if (typeof id !== 'string')
        throw invalid(section, `changedSince gave ${describe(id)}: expected ids of partitions`)
      changed.add(id)
      return slices()
    },
    reading(environment, order, order.controller),
  )
  return { changed, fullAtMs: before.fullAtMs }
}

/** The newest entries, for feeds and the news file alone. */
async function walkLatest(environment: WalkEnvironment, order: WalkOrder): Promise<Snapshot | undefined> {
  const { partitioned } = order.provider
  const { latest } = partitioned ?? {}
  if (latest === undefined) return undefined
  const formats = new Set(
    [...order.provider.formats].filter((format) => format === 'feed' || format === 'news'),
  )
  const provider = { ...order.provider, partitioned: undefined, entries: latest, formats }
  return walk({ ...environment, standsAlone: true }, { ...order, provider })
}

function listed(given: unknown, section: string, place: number): ListedPartition {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(
      section,
      `a partition is ${describe(given)}: expected { id, version?, lastmod?, count?, title? }`,
    )
  const plain = plainCopy(given, section)
  const { id, version, lastmod, count, title } = plain as unknown as Record<string, unknown>
  if (typeof id !== 'string' || !PARTITION_ID.test(id))
    throw invalid(
      section,
      `the id of a partition is ${describe(id)}: expected a letter or a digit, then letters, digits and _ . -, at most 64 in all`,
    )
  if (section.length + id.length > LONGEST_NAME)
    throw invalid(
      section,
      `the id "${id}" has ${id.length} characters: with the ${section.length} of the section at most ${LONGEST_NAME}, for routers bound the length of a name`,
    )
  if (count !== undefined && count !== null && !(Number.isSafeInteger(count) && (count as number) >= 0))
    throw invalid(
      section,
      `the count of partition "${id}" is ${describe(count)}: expected a whole number from 0`,
    )
  const date = parseDate(lastmod)
  const token = version === undefined || version === null ? undefined : String(version)
  return {
    id,
    place,
    version: token,
    lastmod: date !== undefined && 'text' in date ? date : undefined,
    count: (count as number | null | undefined) ?? undefined,
    title: typeof title === 'string' && title.trim() !== '' ? title : undefined,
    given: plain,
    state: token === undefined ? `listed ${digestOf(JSON.stringify({ ...plain, title: null }))}` : token,
  }
}

/** Own JSON fields: what is listed may lie in a store until the partition is read. */
function plainCopy(given: object, section: string): Partition {
  try {
    return JSON.parse(JSON.stringify(given)) as Partition
  } catch (cause) {
    throw invalid(section, 'a partition holds what is no JSON (a bigint is written as text)', cause)
  }
}

/**
 * Whether a partition must be read again by what the list says: against what it was `before`. Where nothing tells, its
 * age does, and an invalidation of the section.
 */
export function isChanged(
  now: ListedPartition,
  before: ListedPartition,
  { changed, wasInvalidated }: ListDraft,
): boolean {
  if (changed === 'all' || changed?.has(now.id) === true || now.state !== before.state) return true
  return wasInvalidated && now.version === undefined && changed === undefined
}

function invalid(section: string, what: string, cause?: unknown): SitemapError {
  return new SitemapError('LSM_ERR_PROVIDER_INVALID', `partitions of section "${section}": ${what}`, {
    cause,
  })
}

/** What a partition is walked with. */
export function partitionContext(context: ProviderContext, { given }: ListedPartition): ProviderContext {
  return { ...context, partition: given } as ProviderContext
}
