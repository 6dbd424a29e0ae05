import { digestOfAll } from '../digest.ts'
import { parseDate, type W3cDate } from '../entry/lastmod.ts'
import { describe, SitemapError } from '../errors.ts'
import type { Partition, ProviderContext } from '../providers/provider.ts'
import { type Abandoned, readEntries } from '../providers/read.ts'
import { PARTITION_ID } from '../table/paths.ts'
import type { Snapshot } from './snapshot.ts'
import type { WalkEnvironment, WalkOrder } from './walk.ts'
import { walk } from './walk.ts'

/** A partition as its section lists it. */
export interface ListedPartition {
  readonly id: string
  /** Equal to last time: nothing of it is read. */
  readonly version: string | undefined
  readonly lastmod: W3cDate | undefined
  readonly count: number | undefined
  readonly title: string | undefined
  /** What the user listed, as plain JSON: `ctx.partition`. */
  readonly given: Partition
}

/** The partitions of a section. */
export interface PartitionList {
  readonly partitions: readonly ListedPartition[]
  /** Those that `changedSince` names; undefined where nobody was asked, and versions decide. */
  readonly changed: ReadonlySet<string> | 'all' | undefined
  /** When the reading began: the next one asks for what changed since. */
  readonly readFromMs: number
  /** When all were last said to have changed. */
  readonly fullAtMs: number
}

/** Partitions of a section; far more make an index that nobody can read. */
const MOST_PARTITIONS = 1_000_000

/**
 * Reads the list of a section's partitions: its snapshot has no parts of its own, only the list, and what `latest` gives
 * for feeds. A list with a fault is no list: the last good one stays.
 */
export async function walkList(environment: WalkEnvironment, order: WalkOrder): Promise<Snapshot> {
  const { clock } = environment
  const readFromMs = clock.now()
  const partitions = await readList(environment, order)
  const list: PartitionList = {
    partitions,
    ...(await readChanges(environment, order, readFromMs)),
    readFromMs,
  }
  const latest = await walkLatest(environment, order)
  const digest = digestOfAll(
    latest?.digest,
    ...partitions.map(({ id, version, lastmod, count, title }) =>
      [id, version, lastmod?.text, count, title].map((value) => value ?? '').join('\n'),
    ),
  )
  const weight = partitions.length * PARTITION_BYTES
  environment.memory.records += weight
  return {
    section: order.provider.section,
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

async function readList(environment: WalkEnvironment, order: WalkOrder): Promise<readonly ListedPartition[]> {
  const { section, partitioned } = order.provider
  const partitions: ListedPartition[] = []
  const seen = new Set<string>()
  await readEntries(
    () => partitioned?.partitions(order.context),
    (given) => {
      const one = listed(given, section)
      if (seen.has(one.id)) throw invalid(section, `partition "${one.id}" is listed twice`)
      if (partitions.length >= MOST_PARTITIONS)
        throw invalid(section, `more than ${MOST_PARTITIONS} partitions: make them larger`)
      seen.add(one.id)
      partitions.push(one)
      return undefined
    },
    reading(environment, order, order.controller),
  )
  return partitions
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
  if (before === undefined || nowMs - before.fullAtMs >= fullEveryMs)
    return { changed: 'all', fullAtMs: nowMs }
  const changed = new Set<string>()
  await readEntries(
    () => changedSince({ ...order.context, since: new Date(before.readFromMs) }),
    (id) => {
      if (typeof id !== 'string')
        throw invalid(section, `changedSince gave ${describe(id)}: expected ids of partitions`)
      changed.add(id)
      return undefined
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
  return walk({ ...environment, newsInFileOnly: true }, { ...order, provider })
}

function listed(given: unknown, section: string): ListedPartition {
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
  if (count !== undefined && count !== null && !(Number.isSafeInteger(count) && (count as number) >= 0))
    throw invalid(
      section,
      `the count of partition "${id}" is ${describe(count)}: expected a whole number from 0`,
    )
  const date = parseDate(lastmod)
  return {
    id,
    version: version === undefined || version === null ? undefined : String(version),
    lastmod: date !== undefined && 'text' in date ? date : undefined,
    count: (count as number | null | undefined) ?? undefined,
    title: typeof title === 'string' && title.trim() !== '' ? title : undefined,
    given: plain,
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

function invalid(section: string, what: string, cause?: unknown): SitemapError {
  return new SitemapError('LSM_ERR_PROVIDER_INVALID', `partitions of section "${section}": ${what}`, {
    cause,
  })
}

/** What a partition is walked with. */
export function partitionContext(context: ProviderContext, { given }: ListedPartition): ProviderContext {
  return { ...context, partition: given } as ProviderContext
}
