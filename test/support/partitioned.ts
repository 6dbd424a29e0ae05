/** A site with a partitioned section that the test changes. */
import type { Entry, Partition, PartitionedProvider } from '../../src/index.ts'
import { createManualClock } from './manual-clock.ts'
import { createTestEngine, pathsOf, type TestEngine, type TestOptions } from './site.ts'

const IDENTITY = { 'accept-encoding': 'identity' }

/** A table in slices that the test changes; counts what is called. */
export interface Table {
  list: readonly Partition[]
  entriesOf: (id: string) => Entry[] | Promise<Entry[]>
  lists: number
  /** Ids read, in order. */
  readonly reads: string[]
  /** What `ctx.partition` was. */
  readonly given: Partition[]
  readonly provider: PartitionedProvider
}

export function createTable(
  first: readonly Partition[],
  entriesOf = (id: string): Entry[] => [`/${id}/a`, `/${id}/b`],
): Table {
  const table: Table = {
    list: first,
    entriesOf,
    lists: 0,
    reads: [],
    given: [],
    provider: {
      partitions: () => {
        table.lists++
        return table.list
      },
      entries: ({ partition }) => {
        table.reads.push(partition.id)
        table.given.push(partition)
        return table.entriesOf(partition.id)
      },
    },
  }
  return table
}

export interface PartitionedSite extends TestEngine {
  /** The paths that a document names. */
  readonly paths: (path: string) => Promise<string[]>
}

/** A site with the table as its section `goods`. */
export function startPartitioned(
  table: Table,
  more: Partial<PartitionedProvider> = {},
  options: Partial<TestOptions> = {},
): PartitionedSite {
  const clock = createManualClock()
  const site = createTestEngine(
    { retries: 0, ...options, providers: { goods: { ...table.provider, ...more } } },
    clock,
  )
  const paths = async (path: string) => pathsOf((await site.ask(path, IDENTITY)).text)
  return { ...site, paths }
}
