import { setMaxListeners } from 'node:events'
import { createRepresentations, type Representation, STREAMED_FROM } from './cache/representation.ts'
import { plainBytes } from './cache/source.ts'
import { type Clock, systemClock } from './clock.ts'
import { SitemapError } from './errors.ts'
import { type Frames, loadFrames } from './formats/frames.ts'
import { IMAGE_NAMESPACE, XHTML_NAMESPACE } from './formats/urlset.ts'
import {
  createHeaderMaker,
  notAcceptable,
  notFound,
  preconditionFailed,
  unavailable,
} from './http/answers.ts'
import { evaluateConditions } from './http/conditional.ts'
import type { SitemapRequest, SitemapResponse } from './http/message.ts'
import { type Coding, createNegotiator } from './http/negotiate.ts'
import { createLimiter } from './limiter.ts'
import { consoleLogger, createLog } from './log.ts'
import { createMemory } from './memory.ts'
import type { ResolvedOptions } from './options.ts'
import type { Logger } from './providers/provider.ts'
import { messageOf } from './providers/read.ts'
import { reportSection, type SitemapReport } from './report.ts'
import { Shelf, type ShelfEnvironment } from './shelves/shelf.ts'
import { releaseSnapshot } from './shelves/snapshot.ts'
import { createSpool } from './shelves/spool.ts'
import { isFirstPart, readPartPath } from './table/paths.ts'
import type { Row } from './table/rows.ts'
import { createSiteTable, htmlFrameOf, type SiteTable } from './table/table.ts'
import { sleep, within } from './within.ts'

/** The engine of one site: no framework, no socket. */
export interface Engine {
  readonly options: ResolvedOptions
  /** Answers one of our paths; at once where nothing must be made or waited for. Never rejects. */
  respond(request: SitemapRequest): SitemapResponse | Promise<SitemapResponse>
  invalidate(section: string | undefined, delayMs: number): Promise<void>
  refresh(section: string | undefined, force: boolean): Promise<void>
  report(): SitemapReport
  ready(timeoutMs: number): Promise<boolean>
  /** The server listens: reads what was never read, and starts the timers. Nothing where `warmUp` is false. */
  listening(): void
  /** Ends all work; waiting requests get 503. Resolves when the spool folder is gone. */
  close(): Promise<void>
}

export function createEngine(
  options: ResolvedOptions,
  { clock = systemClock, log: logger }: { readonly clock?: Clock; readonly log?: Logger | undefined } = {},
): Engine {
  const memory = createMemory(options.cache.memory)
  const spool = createSpool(options.cache.dir)
  const log = createLog(options.log ?? logger ?? consoleLogger, clock)
  const representations = createRepresentations(memory)
  const headerMaker = createHeaderMaker(options)
  const negotiate = createNegotiator(options.encodings)
  const served = { hits: 0, notModified: 0, stale: 0, cold503: 0 }
  const closing = new AbortController()
  // Every waiting request listens.
  setMaxListeners(0, closing.signal)
  let isListening = false
  let table: SiteTable | undefined
  let frames: Frames | undefined
  let preparing: Promise<void> | undefined
  let cancelExpiry: () => void = () => {}

  const environment: ShelfEnvironment = {
    options,
    clock,
    memory,
    spool,
    log,
    frameBytes: (namespaces) => frameBytes(namespaces),
    walks: createLimiter(options.concurrency),
    prepare,
    published(shelf) {
      table?.publish(shelf)
      scheduleExpiry()
    },
    timers: () => isListening && options.warmUp,
  }
  const shelves = options.providers.map(
    (provider) =>
      new Shelf(provider, environment, (signal) => ({
        signal,
        site: options.site.given,
        log: options.log ?? logger ?? consoleLogger,
      })),
  )
  const bySection = new Map(shelves.map((shelf) => [shelf.section, shelf]))

  function frame(namespaces: number): { readonly head: string; readonly tail: string } {
    if (frames === undefined) throw new Error('frames are used before they are loaded')
    return frames.urlsetFrame({
      image: (namespaces & IMAGE_NAMESPACE) !== 0,
      xhtml: (namespaces & XHTML_NAMESPACE) !== 0,
    })
  }

  function frameBytes(namespaces: number): number {
    const { head, tail } = frame(namespaces)
    return Buffer.byteLength(head) + Buffer.byteLength(tail)
  }

  /** Loads what documents are framed with and makes the table; once, when the first walk or request needs it. */
  function prepare(): Promise<void> {
    preparing ??= (async () => {
      frames = await loadFrames()
      const { site } = options
      const publicUrl = (path: string): string => site.base + path
      const publicPath = (path: string): string => site.base.slice(site.origin.length) + path
      const facts = {
        url: site.url,
        title: site.title,
        description: site.description,
        language: site.language,
      }
      table = createSiteTable(
        {
          options,
          site: facts,
          publicUrl,
          publicPath,
          frame,
          frameBytes,
          ...htmlFrameOf(options, facts, publicPath, publicUrl),
        },
        shelves,
        clock,
      )
    })()
    preparing.catch(() => {
      preparing = undefined
    })
    return preparing
  }

  function respond(request: SitemapRequest): SitemapResponse | Promise<SitemapResponse> {
    try {
      const row = table?.row(request.path)
      if (row === undefined) return guarded(respondCold(request))
      const wait = askShelves(row)
      if (wait === undefined) {
        const answer = respondFrom(row, request)
        return answer instanceof Promise ? guarded(answer) : answer
      }
      return guarded(
        wait.then(() => {
          const now = table?.row(request.path)
          return now === undefined ? notFound() : respondFrom(now, request)
        }),
      )
    } catch (error) {
      return failed(error)
    }
  }

  function guarded(answer: Promise<SitemapResponse>): Promise<SitemapResponse> {
    return answer.catch(failed)
  }

  /** SPEC: nothing of an error is in an answer; everything of it in the log. */
  function failed(error: unknown): SitemapResponse {
    if (!(error instanceof SitemapError && error.code === 'LSM_ERR_CLOSED'))
      log.error(
        'LSM_ERR_INTERNAL',
        'respond',
        { err: error },
        `an answer could not be made: ${messageOf(error)}`,
      )
    return unavailable(1_000)
  }

  /**
   * Notes that the row's sections are in use, and starts a refresh of those that are stale. What is only a little stale
   * is answered at once; what is older, or was invalidated, waits for its refresh until `cache.wait` after it began.
   */
  function askShelves(row: Row): Promise<unknown> | undefined {
    const nowMs = clock.now()
    let wait: Promise<unknown> | undefined
    for (const shelf of row.shelves) {
      shelf.askedAtMs = nowMs
      if (nowMs >= shelf.staleAtMs) {
        const own = meetStale(shelf, nowMs)
        if (own !== undefined) wait = wait === undefined ? own : Promise.all([wait, own])
      }
    }
    return wait
  }

  function meetStale(shelf: Shelf, nowMs: number): Promise<unknown> | undefined {
    const run = shelf.refresh()
    // An optional section that was never read is not waited for.
    if (run === undefined || shelf.snapshot === undefined) return undefined
    const { cache } = options
    if (!shelf.isInvalidated && nowMs - shelf.staleAtMs < cache.staleWhileRevalidateMs) return undefined
    const leftMs = run.beganAtMs + cache.waitMs - nowMs
    // Whatever becomes of the refresh, there is an answer: the last good one.
    return leftMs > 0 ? within(clock, leftMs, run.done).catch(ignore) : undefined
  }

  /** A path without a row: one that is not ours, or one whose sections were never read. */
  async function respondCold(request: SitemapRequest): Promise<SitemapResponse> {
    if (closing.signal.aborted) return unavailable(1_000)
    const deadlineMs = clock.now() + options.deadlineMs
    await prepare()
    let row = table?.row(request.path)
    if (row === undefined) {
      const needed = neededShelves(request.path)
      const missing = needed.filter((shelf) => shelf.snapshot === undefined)
      if (missing.length === 0) {
        // A document that is empty by onEmpty still comes due; a part that is not there costs nothing.
        if (
          table?.needs(request.path) !== undefined ||
          needed.some(({ section }) => isFirstPart(request.path, section))
        )
          for (const shelf of needed) if (clock.now() >= shelf.staleAtMs) shelf.refresh()
        return notFound()
      }
      const later = await firstSnapshots(missing, deadlineMs)
      if (later !== undefined) return later
      row = table?.row(request.path)
      if (row === undefined) return notFound()
    }
    await askShelves(row)
    return respondFrom(row, request)
  }

  function neededShelves(path: string): readonly Shelf[] {
    const composite = table?.needs(path)
    if (composite !== undefined) return composite
    const part = readPartPath(path)
    const shelf = part === undefined ? undefined : bySection.get(part.section)
    return part === undefined || shelf === undefined || !makes(shelf, part.format) ? [] : [shelf]
  }

  /** Waits for first snapshots; the 503 where one failed, backs off, or is not there in time. */
  async function firstSnapshots(
    missing: readonly Shelf[],
    deadlineMs: number,
  ): Promise<SitemapResponse | undefined> {
    const runs: Promise<void>[] = []
    for (const shelf of missing) {
      shelf.askedAtMs = clock.now()
      const run = shelf.refresh()
      // A single part of an optional section is worth waiting for; a document of all is not held up by it.
      if (shelf.provider.optional && missing.length > 1) continue
      if (run === undefined) return cold(shelf)
      const done = run.done.catch(() => Promise.reject(new ColdFailure(shelf)))
      // The answer may be given before this one ends.
      done.catch(ignore)
      runs.push(done)
    }
    try {
      const inTime = await within(clock, deadlineMs - clock.now(), Promise.all(runs), closing.signal)
      if (inTime) return undefined
    } catch (error) {
      if (error instanceof ColdFailure) return cold(error.shelf)
      throw error
    }
    served.cold503++
    return unavailable(10_000)
  }

  function cold(shelf: Shelf): SitemapResponse {
    served.cold503++
    return unavailable((shelf.failure?.nextAtMs ?? 0) - clock.now())
  }

  function respondFrom(given: Row, request: SitemapRequest): SitemapResponse | Promise<SitemapResponse> {
    const nowMs = clock.now()
    let row = given
    if (row.expiresAtMs !== undefined && nowMs >= row.expiresAtMs) row = table?.expire(row) ?? row
    const coding = options.encodings.length === 0 ? 'identity' : negotiate(request.header('accept-encoding'))
    if (coding === undefined) return notAcceptable()
    const isStale = row.incomplete || row.shelves.some((shelf) => nowMs >= shelf.staleAtMs)
    const headers = headerMaker.headers(row, coding, isStale, nowMs)
    switch (
      evaluateConditions(
        conditionsOf(request),
        { etag: headers.etag, lastModifiedMs: comparedMs(row) },
        nowMs,
      )
    ) {
      case 'not-modified':
        served.notModified++
        return {
          status: 304,
          headers: headers.notModified,
          body: undefined,
          bytes: undefined,
          done: undefined,
        }
      case 'precondition-failed':
        return preconditionFailed()
      case 'serve':
        break
    }
    if (isStale) served.stale++
    const known = representations.get(row, coding)
    if (known !== undefined) {
      served.hits++
      return full(headers.full, known, request.method)
    }
    return respondMade(row, coding, headers.full, request.method)
  }

  async function respondMade(
    row: Row,
    coding: Coding,
    headers: SitemapResponse['headers'],
    method: string,
  ): Promise<SitemapResponse> {
    const bytes = plainBytes(row)
    if (coding === 'identity' && (bytes ?? 0) > STREAMED_FROM) {
      if (method === 'HEAD') return { status: 200, headers, body: undefined, bytes, done: undefined }
      const stream = representations.stream(row)
      if (stream === undefined) return busy()
      return { status: 200, headers, body: stream.chunks, bytes: stream.bytes, done: undefined }
    }
    const making = representations.make(row, coding)
    if (making === undefined) return busy()
    let made: Representation | undefined
    const inTime = await within(
      clock,
      options.deadlineMs,
      making.then((representation) => {
        made = representation
      }),
      closing.signal,
    )
    if (!inTime || made === undefined) return busy()
    return full(headers, made, method)
  }

  function makes({ provider }: Shelf, format: 'xml' | 'txt' | 'html'): boolean {
    const { routes } = options
    const served = {
      xml: routes.sitemap !== false || routes.index !== false,
      txt: routes.txt !== false,
      html: routes.html !== false,
    }
    return served[format] && provider.formats.has(format)
  }

  function busy(): SitemapResponse {
    if (closing.signal.aborted) return unavailable(1_000)
    log.warn(
      'LSM_ERR_BUSY',
      'memory',
      { memory: { ...memory } },
      'an answer was put off: too many large answers are under way for cache.memory, or rendering took longer than the deadline',
    )
    return unavailable(2_000)
  }

  function full(
    headers: SitemapResponse['headers'],
    representation: Representation,
    method: string,
  ): SitemapResponse {
    const { body } = representation
    if (method === 'HEAD')
      return { status: 200, headers, body: undefined, bytes: body.length, done: undefined }
    // A body that fits the socket's buffers is gone at once; a large one is counted while it is under way.
    const done = body.length > SMALL_BODY ? representations.hold(representation) : undefined
    return { status: 200, headers, body, bytes: body.length, done }
  }

  function scheduleExpiry(): void {
    cancelExpiry()
    if (!environment.timers()) return
    const nextMs = table?.nextExpiryMs()
    if (nextMs === undefined) return
    cancelExpiry = clock.after(nextMs - clock.now(), () => {
      table?.expireDue()
      scheduleExpiry()
    })
  }

  function chosen(section: string | undefined): readonly Shelf[] {
    if (section === undefined) return shelves
    const shelf = bySection.get(section)
    if (shelf !== undefined) return [shelf]
    throw new SitemapError(
      'LSM_ERR_SECTION_UNKNOWN',
      `there is no section "${section}"; the sections are ${[...bySection.keys()].join(', ')}`,
    )
  }

  return {
    options,
    respond,
    invalidate: (section, delayMs) => all(chosen(section).map((shelf) => shelf.invalidate(delayMs))),
    refresh: (section, force) => all(chosen(section).map((shelf) => shelf.reread(force))),
    report: () => ({
      ready: shelves.every((shelf) => shelf.snapshot !== undefined || shelf.provider.optional),
      sections: Object.fromEntries(
        shelves.map((shelf) => [shelf.section, reportSection(shelf, clock.now())]),
      ),
      memory: {
        used: memory.blobs + memory.loose + memory.underWay + representations.bytes,
        limit: memory.limit,
      },
      store: { name: 'none', state: 'none' },
      served: { ...served },
    }),
    async ready(timeoutMs) {
      const missing = shelves.filter((shelf) => shelf.snapshot === undefined && !shelf.provider.optional)
      if (missing.length === 0) return true
      if (closing.signal.aborted) return false
      const endMs = clock.now() + timeoutMs
      const waitForOne = async (shelf: Shelf): Promise<void> => {
        // A failure is tried again for as long as there is time.
        while (shelf.snapshot === undefined && clock.now() < endMs && !closing.signal.aborted) {
          const run = shelf.refresh()
          if (run !== undefined) await run.done.catch(ignore)
          else await sleep(clock, Math.max(50, (shelf.failure?.nextAtMs ?? 0) - clock.now()), closing.signal)
        }
      }
      // Our timers let the process end; a script that waits here wants to wait.
      const awake = setInterval(ignore, 60_000)
      await within(clock, timeoutMs, Promise.all(missing.map(waitForOne)), closing.signal)
      clearInterval(awake)
      return missing.every((shelf) => shelf.snapshot !== undefined)
    },
    listening() {
      if (!options.warmUp || closing.signal.aborted) return
      isListening = true
      for (const shelf of shelves) shelf.warmUp()
      scheduleExpiry()
    },
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      cancelExpiry()
      for (const shelf of shelves) shelf.close()
      representations.clear()
      // A folder on a disk that does not answer must not hold the app's own close.
      await within(systemClock, CLOSE_MS, spool.close())
      for (const { snapshot } of shelves) if (snapshot !== undefined) releaseSnapshot(snapshot, memory)
    },
  }
}

/** What closing may take at most. */
const CLOSE_MS = 900
/** Bodies up to this size fit the buffers of a socket. */
const SMALL_BODY = 65_536

/** Says which section an answer failed for. */
class ColdFailure extends Error {
  readonly shelf: Shelf
  constructor(shelf: Shelf) {
    super(`section ${shelf.section} has no snapshot`)
    this.shelf = shelf
  }
}

function conditionsOf(request: SitemapRequest): Parameters<typeof evaluateConditions>[0] {
  return {
    ifMatch: request.header('if-match'),
    ifUnmodifiedSince: request.header('if-unmodified-since'),
    ifNoneMatch: request.header('if-none-match'),
    ifModifiedSince: request.header('if-modified-since'),
  }
}

/**
 * The instant If-Modified-Since is held against. Where two versions share a second (SPEC N9) the date proves nothing:
 * one second more, and only a client that came later than that is told "not modified".
 */
function comparedMs(row: Row): number {
  return row.secondShared ? row.changedAtMs + 1000 : row.changedAtMs
}

/** Settles when all have; rejects with the first failure. Never unhandled: not awaiting is no reason to crash. */
function all(promises: readonly Promise<void>[]): Promise<void> {
  const settled = Promise.allSettled(promises).then((results) => {
    for (const result of results) if (result.status === 'rejected') throw result.reason
  })
  settled.catch(ignore)
  return settled
}

function ignore(): void {}
