import { type Representation, type Representations, STREAMED_FROM } from '../cache/representation.ts'
import { plainBytes, plainWeight } from '../cache/source.ts'
import type { Clock } from '../clock.ts'
import { digestOf } from '../digest.ts'
import { SitemapError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Memory } from '../memory.ts'
import type { ResolvedOptions } from '../options.ts'
import { messageOf } from '../providers/read.ts'
import type { Served } from '../shared.ts'
import type { Run, Shelf } from '../shelves/shelf.ts'
import type { Row } from '../table/rows.ts'
import type { SiteTable } from '../table/table.ts'
import { within } from '../within.ts'
import { createHeaderMaker, notAcceptable, notFound, preconditionFailed, unavailable } from './answers.ts'
import { evaluateConditions } from './conditional.ts'
import type { SitemapRequest, SitemapResponse } from './message.ts'
import type { Coding, Negotiate } from './negotiate.ts'

/** What answers are made from. */
export interface ResponderContext {
  readonly options: ResolvedOptions
  readonly clock: Clock
  readonly log: Log
  readonly memory: Memory
  readonly representations: Representations
  readonly negotiate: Negotiate
  /** The site's table; before anything was read there may be none, which `prepare` makes. */
  readonly table: () => SiteTable | undefined
  readonly prepare: () => Promise<void>
  /** Fires when the site closes: whoever waits is let go. */
  readonly closing: AbortSignal
  readonly served: Served
}

/** Answers one of our paths; at once where nothing must be made or waited for. Never rejects. */
export type Respond = (request: SitemapRequest) => SitemapResponse | Promise<SitemapResponse>

/** From a request to an answer: row, condition, representation. A provider is met only where a section was never read. */
export function createResponder(context: ResponderContext): Respond {
  const { options, clock, log, memory, representations, negotiate, prepare, closing, served } = context
  const headerMaker = createHeaderMaker(options)

  function respond(request: SitemapRequest): SitemapResponse | Promise<SitemapResponse> {
    try {
      const row = context.table()?.row(request.path)
      if (row === undefined) return guarded(respondCold(request))
      const nowMs = clock.now()
      const wait = askShelves(row, request, nowMs)
      if (wait === undefined) {
        const answer = respondFrom(row, request, nowMs)
        return answer instanceof Promise ? guarded(answer) : answer
      }
      return guarded(
        wait.then(() => {
          const now = context.table()?.row(request.path)
          return now === undefined ? notFound() : respondFrom(now, request, clock.now())
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
  function askShelves(row: Row, request: SitemapRequest, nowMs: number): Promise<unknown> | undefined {
    let wait: Promise<unknown> | undefined
    for (const shelf of row.shelves) {
      shelf.askedAtMs = nowMs
      if (nowMs >= shelf.staleAtMs) {
        const own = meetStale(shelf, nowMs, request)
        if (own !== undefined) wait = wait === undefined ? own : Promise.all([wait, own])
      }
    }
    return wait
  }

  function meetStale(shelf: Shelf, nowMs: number, request: SitemapRequest): Promise<unknown> | undefined {
    const run = refresh(shelf, request)
    // An optional section that was never read is not waited for.
    if (run === undefined || shelf.snapshot === undefined) return undefined
    const { cache } = options
    const isALittleStale = !shelf.isInvalidated && nowMs - shelf.staleAtMs < cache.staleWhileRevalidateMs
    if (isALittleStale && request.background !== false) return undefined
    const leftMs = run.beganAtMs + cache.waitMs - nowMs
    // Whatever becomes of the refresh, there is an answer: the last good one.
    if (leftMs <= 0) return undefined
    run.waiting++
    return within(clock, leftMs, run.done)
      .catch(ignore)
      .finally(() => {
        run.waiting--
      })
  }

  /** The refresh under way, or a new one; a host that must keep the process running for it is told. */
  function refresh(shelf: Shelf, { background }: SitemapRequest): Run | undefined {
    const run = shelf.refresh()
    if (run !== undefined && typeof background === 'function') background(run.done.catch(ignore))
    return run
  }

  /** A path without a row: one that is not ours, or one whose sections were never read. */
  async function respondCold(request: SitemapRequest): Promise<SitemapResponse> {
    if (closing.aborted) return unavailable(1_000)
    const deadlineMs = clock.now() + options.deadlineMs
    await prepare()
    let row = context.table()?.row(request.path)
    // A part of a partition is known when the list is there, and is there when the partition was read.
    for (let stage = 0; row === undefined; stage++) {
      const needs = stage === STAGES ? undefined : context.table()?.needs(request.path)
      if (needs === undefined) return notFound()
      const shelves = await Promise.all(needs.shelves)
      row = context.table()?.row(request.path)
      if (row !== undefined) break
      const missing = shelves.filter((shelf) => shelf.snapshot === undefined)
      if (missing.length === 0) {
        // A document that is empty by onEmpty still comes due; a part that is not there costs nothing.
        if (needs.isDocument)
          for (const shelf of shelves) if (clock.now() >= shelf.staleAtMs) refresh(shelf, request)
        return notFound()
      }
      const later = await firstSnapshots(missing, deadlineMs, request)
      // A partition may have left the list meanwhile.
      if (later !== undefined) return isGone(request.path) ? notFound() : later
      row = context.table()?.row(request.path)
    }
    await askShelves(row, request, clock.now())
    // Another state may be published meanwhile, and this row's blobs gone with it.
    const now = context.table()?.row(request.path)
    return now === undefined ? notFound() : respondFrom(now, request, clock.now())
  }

  /** Whether a path names nothing any more: no section is needed for it. */
  function isGone(path: string): boolean {
    const needs = context.table()?.needs(path)
    return needs !== undefined && needs.shelves.length === 0 && !needs.isDocument
  }

  /** Waits for first snapshots; the 503 where one failed, backs off, or is not there in time. */
  async function firstSnapshots(
    missing: readonly Shelf[],
    deadlineMs: number,
    request: SitemapRequest,
  ): Promise<SitemapResponse | undefined> {
    const runs: Promise<void>[] = []
    const allOptional = missing.every(({ provider }) => provider.optional)
    for (const shelf of missing) {
      shelf.askedAtMs = clock.now()
      const run = refresh(shelf, request)
      // Optional sections hold nothing up, unless there is nothing else.
      if (shelf.provider.optional && !allOptional) continue
      if (run === undefined) return cold(shelf)
      const done = run.ready.catch(() => Promise.reject(new ColdFailure(shelf)))
      // The answer may be given before this one ends.
      done.catch(ignore)
      runs.push(done)
    }
    try {
      const inTime = await within(clock, deadlineMs - clock.now(), Promise.all(runs), closing)
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

  function respondFrom(
    given: Row,
    request: SitemapRequest,
    nowMs: number,
  ): SitemapResponse | Promise<SitemapResponse> {
    let row = given
    if (row.expiresAtMs !== undefined && nowMs >= row.expiresAtMs) row = context.table()?.expire(row) ?? row
    if (row.unsettled) return respondUnsettled(row, request)
    const coding = options.encodings.length === 0 ? 'identity' : negotiate(request.header('accept-encoding'))
    if (coding === undefined) return notAcceptable()
    const isStale = row.incomplete || isAnyStale(row, nowMs)
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

  /** The document of a user's own function: its bytes are made first, for its ETag is taken over them. */
  async function respondUnsettled(row: Row, request: SitemapRequest): Promise<SitemapResponse> {
    const made = await madeInTime(row, 'identity')
    const settled = made && context.table()?.settle(row, digestOf(made.body))
    return settled === undefined ? busy() : respondFrom(settled, request, clock.now())
  }

  async function madeInTime(row: Row, coding: Coding): Promise<Representation | undefined> {
    const making = representations.make(row, coding)
    if (making === undefined) return undefined
    let made: Representation | undefined
    const done = making.then((representation) => {
      made = representation
    })
    await within(clock, options.deadlineMs, done, closing)
    return made
  }

  async function respondMade(
    row: Row,
    coding: Coding,
    headers: SitemapResponse['headers'],
    method: string,
  ): Promise<SitemapResponse> {
    if (coding === 'identity' && plainWeight(row) > STREAMED_FROM) {
      const bytes = plainBytes(row)
      if (method === 'HEAD') return { status: 200, headers, body: undefined, bytes, done: undefined }
      const stream = representations.stream(row)
      if (stream === undefined) return busy()
      return { status: 200, headers, body: stream.chunks, bytes: stream.bytes, done: undefined }
    }
    const made = await madeInTime(row, coding)
    if (made === undefined) return busy()
    return full(headers, made, method)
  }

  function busy(): SitemapResponse {
    if (closing.aborted) return unavailable(1_000)
    const { relieve: _, ...bytes } = memory
    log.warn(
      'LSM_ERR_BUSY',
      'memory',
      { memory: bytes },
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

  return respond
}

/** List, partition, and once more where the list changed meanwhile. */
const STAGES = 3

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

function isAnyStale({ shelves }: Row, nowMs: number): boolean {
  for (const shelf of shelves) if (nowMs >= shelf.staleAtMs) return true
  return false
}

function ignore(): void {}
