import type { Clock } from '../clock.ts'
import { SitemapError } from '../errors.ts'
import type { Memory } from '../memory.ts'
import type { ResolvedOptions, ResolvedProvider } from '../options.ts'
import type { ProviderContext } from '../providers/provider.ts'
import { type Abandoned, readEntries, refuseIfBusy } from '../providers/read.ts'
import { sleep, within } from '../within.ts'
import type { Arrangement } from './arrangement.ts'
import type { ListDraft } from './partition-list.ts'
import type { Snapshot } from './snapshot.ts'
import type { Spool } from './spool.ts'
import { createWriting, type WritingContext } from './writing.ts'

/** What a walk needs beside the provider. */
export interface WalkEnvironment {
  readonly options: ResolvedOptions
  readonly clock: Clock
  readonly memory: Memory
  readonly spool: Spool
  /** What is walked stands in no urlset together with other sections: partitions do not. */
  readonly standsAlone?: boolean
  /** Arranges the list of a partitioned section by what is known of its partitions. */
  readonly arrange?: (section: string, list: ListDraft) => Promise<Arrangement> | undefined
  /** Bytes of a urlset's head and tail. */
  readonly frameBytes: (namespaces: number) => number
}

export interface WalkOrder
  extends Pick<
    WritingContext,
    | 'controller'
    | 'startRevision'
    | 'earlier'
    | 'isWaitedFor'
    | 'foreignName'
    | 'abandonedContent'
    | 'contentFailed'
  > {
  readonly provider: ResolvedProvider
  readonly context: ProviderContext
  readonly abandoned: Abandoned
}

/** Pause before a further attempt, doubling. */
const RETRY_MS = 250

/**
 * Reads a provider once and makes a snapshot of it. Each entry is checked and turned at once into its final bytes, then
 * forgotten. Rejects with the provider's failure; then nothing of the walk is left.
 */
export async function walk(environment: WalkEnvironment, order: WalkOrder): Promise<Snapshot> {
  const { provider, controller, abandoned } = order
  const { clock } = environment
  const endMs = clock.now() + environment.options.walkTimeoutMs
  for (let attempt = 0; ; attempt++) {
    refuseIfBusy(provider.section, abandoned)
    const writing = createWriting({ ...environment, ...order })
    try {
      await readEntries(
        () => provider.list ?? provider.entries?.(order.context),
        (entry) => writing.take(entry),
        {
          section: provider.section,
          clock,
          timeoutMs: provider.timeoutMs,
          wholeMs: endMs - clock.now(),
          controller,
          abandoned,
        },
      )
      return await inTime(writing.finish(), endMs, environment, provider.section)
    } catch (error) {
      writing.discard()
      // Only a failure before the first entry is tried again, and only one that ended by itself.
      const again =
        error instanceof SitemapError && error.code === 'LSM_ERR_PROVIDER_FAILED' && writing.taken === 0
      if (!again || attempt >= provider.retries || controller.signal.aborted) throw error
      await sleep(clock, RETRY_MS * 2 ** attempt, controller.signal)
    }
  }
}

/** Storing has a deadline too: a disk that does not answer must not hold the slot of a walk. */
async function inTime<T>(
  work: Promise<T>,
  endMs: number,
  { clock, options }: WalkEnvironment,
  section: string,
): Promise<T> {
  let value: { readonly result: T } | undefined
  const ended = work.then((result) => {
    value = { result }
  })
  await within(clock, endMs - clock.now(), ended)
  if (value !== undefined) return value.result
  throw new SitemapError(
    'LSM_ERR_WALK_TIMEOUT',
    `storing section "${section}" took longer than walkTimeout (${options.walkTimeoutMs} ms)`,
  )
}
