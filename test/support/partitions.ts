/** Partitioned providers without an engine: what they list, what they give. */
import type {
  Entries,
  Entry,
  Key,
  PageRange,
  Partition,
  PartitionedProvider,
  ProviderContext,
} from '../../src/index.ts'
import { SITE } from './site.ts'

export function createContext(signal: AbortSignal = new AbortController().signal): ProviderContext {
  const silent = (): void => {}
  return { signal, site: SITE, log: { info: silent, warn: silent, error: silent } }
}

/** All that a list gives. */
export async function collect<T>(list: Iterable<T> | AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of list) all.push(one)
  return all
}

/** The partitions it lists, as they come back from a store. */
export async function listOf(provider: PartitionedProvider): Promise<Partition[]> {
  const list = await collect(await provider.partitions(createContext()))
  return JSON.parse(JSON.stringify(list)) as Partition[]
}

export async function idsOf(provider: PartitionedProvider): Promise<string[]> {
  return (await listOf(provider)).map(({ id }) => id)
}

/** All entries of one partition. */
export async function entriesOf(
  { entries }: PartitionedProvider,
  partition: Partition,
  signal?: AbortSignal,
): Promise<(Entry | null | undefined)[]> {
  const list: Entries = await entries({ ...createContext(signal), partition })
  return collect(list)
}

/** The entries of each partition, by its id. */
export async function readAll(
  provider: PartitionedProvider,
): Promise<Map<string, (Entry | null | undefined)[]>> {
  const all = new Map<string, (Entry | null | undefined)[]>()
  for (const partition of await listOf(provider)) all.set(partition.id, await entriesOf(provider, partition))
  return all
}

/** What changedSince names. */
export async function changedOf(provider: PartitionedProvider, since: Date): Promise<string[]> {
  const { changedSince } = provider
  if (changedSince === undefined) throw new Error('there is no changedSince')
  return collect(await changedSince({ ...createContext(), since }))
}

/** A table in memory. */
export interface Rows<K extends Key> {
  readonly keys: readonly bigint[]
  /** Pages that were asked for. */
  readonly pages: readonly PageRange[]
  readonly range: () => { readonly min: K | null; readonly max: K | null }
  readonly page: (asked: PageRange) => { readonly id: K }[]
}

/** A table of these keys, given as `write` does. */
export function createRows<K extends Key>(keys: readonly bigint[], write: (key: bigint) => K): Rows<K> {
  const sorted = [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1))
  const pages: PageRange[] = []
  return {
    keys: sorted,
    pages,
    range: () => {
      const [min, max] = [sorted[0], sorted.at(-1)]
      return min === undefined || max === undefined
        ? { min: null, max: null }
        : { min: write(min), max: write(max) }
    },
    page: (asked: PageRange) => {
      pages.push(asked)
      const [after, through] = [BigInt(asked.after), BigInt(asked.through)]
      return sorted
        .filter((key) => key > after && key <= through)
        .slice(0, asked.limit)
        .map((key) => ({ id: write(key) }))
    },
  }
}
