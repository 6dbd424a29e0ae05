/** One section without a server: its walks and its shelf, with all they use within reach. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadFrames } from '../../src/formats/frames.ts'
import {
  type CommonOptions,
  type Provider,
  type ResolvedOptions,
  resolveOptions,
  type Site,
} from '../../src/index.ts'
import { createLimiter } from '../../src/limiter.ts'
import { createLog } from '../../src/log.ts'
import { createMemory, type Memory } from '../../src/memory.ts'
import type { Abandoned } from '../../src/providers/read.ts'
import type { Blob } from '../../src/shelves/cut.ts'
import { Shelf } from '../../src/shelves/shelf.ts'
import type { Snapshot } from '../../src/shelves/snapshot.ts'
import { createSpool, type Spool } from '../../src/shelves/spool.ts'
import { walk } from '../../src/shelves/walk.ts'
import { createManualClock, type ManualClock, turns } from './manual-clock.ts'
import { createLines, type Line, SITE } from './site.ts'

export interface Workbench {
  readonly options: ResolvedOptions
  readonly clock: ManualClock
  readonly memory: Memory
  readonly spool: Spool
  readonly lines: Line[]
  readonly abandoned: Abandoned
  /** Names of other packages that walks met, as often as they said so. */
  readonly foreign: (readonly [name: string, ours: string])[]
  readonly shelf: Shelf
  /** Snapshots the shelf published. */
  readonly published: Snapshot[]
  /** One walk of the provider, beside the shelf. */
  walk(earlier?: Snapshot, controller?: AbortController): Promise<Snapshot>
}

type Options = Omit<CommonOptions, 'providers'> & { readonly site?: Site }

const benches = new Set<Workbench>()

/** The section is `posts`; `through` stands between its walks and their folder. */
export async function createWorkbench(
  provider: Provider,
  given: Options = {},
  through: (spool: Spool) => Spool = (spool) => spool,
): Promise<Workbench> {
  const options = resolveOptions({ site: SITE, ...given, providers: { posts: provider } })
  const [resolved] = options.providers
  if (resolved === undefined) throw new Error('no provider')
  const clock = createManualClock()
  const memory = createMemory(options.cache.memory)
  const spool = through(createSpool(options.cache.dir))
  const { lines, logger } = createLines()
  const frames = await loadFrames({ namespaces: options.namespaces, stylesheet: undefined })
  const abandoned: Abandoned = { count: 0 }
  const foreign: (readonly [string, string])[] = []
  const published: Snapshot[] = []
  const environment = {
    options,
    clock,
    memory,
    spool,
    log: createLog(logger, clock),
    walks: createLimiter(options.concurrency),
    frameBytes(namespaces: number): number {
      const { head, tail } = frames.urlset(namespaces)
      return Buffer.byteLength(head + tail)
    },
    prepare: async () => {},
    published({ snapshot }: Shelf) {
      if (snapshot !== undefined) published.push(snapshot)
    },
    timers: () => false,
  }
  const context = (signal: AbortSignal) => ({ signal, site: options.site.given, log: logger })
  const bench: Workbench = {
    options,
    clock,
    memory,
    spool,
    lines,
    abandoned,
    foreign,
    published,
    shelf: new Shelf(resolved, environment, context),
    walk: (earlier, controller = new AbortController()) =>
      walk(environment, {
        provider: resolved,
        context: context(controller.signal),
        controller,
        abandoned,
        startRevision: 0,
        earlier,
        isWaitedFor: () => true,
        foreignName: (name, ours) => foreign.push([name, ours]),
        abandonedContent: { count: 0 },
        contentFailed: () => {},
      }),
  }
  benches.add(bench)
  return bench
}

const folders = new Set<string>()

/** An empty folder, removed by {@link cleanUp}. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'live-sitemap-test-'))
  folders.add(folder)
  return folder
}

/** For afterEach: ends what the test made. */
export async function cleanUp(): Promise<void> {
  for (const { shelf, spool } of benches) {
    shelf.close()
    await spool.close()
  }
  benches.clear()
  await Promise.all([...folders].map((folder) => rm(folder, { recursive: true, force: true })))
  folders.clear()
}

/** All bytes of a blob as text; of a block without bytes, nothing. */
export async function textOf(blob: Blob | undefined): Promise<string> {
  const chunks: Buffer[] = []
  for (const block of blob?.blocks ?? []) if (block !== undefined) chunks.push(await block.raw())
  return Buffer.concat(chunks).toString('utf8')
}

/** The text of all parts of a snapshot, one kind of it. */
export async function snapshotText(snapshot: Snapshot, kind: 'xml' | 'txt' | 'cards'): Promise<string> {
  let text = ''
  for (const part of snapshot.parts) text += await textOf(part[kind])
  return text
}

/** Rejections that nobody handled while `run` ran and shortly after; vitest's own listener hears none of them. */
export async function unhandledDuring(run: () => unknown): Promise<unknown[]> {
  const reasons: unknown[] = []
  const listen = (reason: unknown): void => {
    reasons.push(reason)
  }
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', listen)
  try {
    await run()
    await turns()
  } finally {
    process.removeListener('unhandledRejection', listen)
    for (const other of others) process.on('unhandledRejection', other)
  }
  return reasons
}
