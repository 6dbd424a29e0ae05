import type { Clock } from '../clock.ts'
import { describe, SitemapError } from '../errors.ts'

/** What stands between a provider and the walk: silence is bounded, an end is an end, nothing is awaited for ever. */
export interface ReadOptions {
  readonly section: string
  readonly clock: Clock
  /** Longest silence: of the call, of the promise it gave, of each next entry. */
  readonly timeoutMs: number
  /** Longest whole reading. */
  readonly wholeMs: number
  /** Aborted by the owner (close). */
  readonly controller: AbortController
  /** Calls of the provider that were given up and have not settled; shared by all its readings. */
  readonly abandoned: Abandoned
}

/** Counts a provider's abandoned calls: at most {@link MOST_ABANDONED}, until one settles nothing new starts. */
export interface Abandoned {
  count: number
}

export const MOST_ABANDONED = 3

/** Throws LSM_ERR_PROVIDER_BUSY where too many of a provider's calls were given up and have not ended. */
export function refuseIfBusy(section: string, { count }: Abandoned): void {
  if (count < MOST_ABANDONED) return
  throw new SitemapError(
    'LSM_ERR_PROVIDER_BUSY',
    `provider "${section}" has ${count} calls that were given up and have not ended: nothing new starts until one ends. Pass ctx.signal on, so that they can be aborted`,
  )
}

/** Takes an entry; a promise it returns holds the reading back (its time is not the provider's silence). */
export type Take = (entry: unknown) => Promise<void> | undefined

/**
 * Calls `call` and hands every entry to `take`. Rejects with LSM_ERR_PROVIDER_FAILED (it threw; `cause` is the original),
 * LSM_ERR_PROVIDER_TIMEOUT (silent too long), LSM_ERR_WALK_TIMEOUT, LSM_ERR_PROVIDER_INVALID (no list of entries) or
 * LSM_ERR_CLOSED. Whatever the provider still holds then is aborted, asked to return, and not waited for.
 */
export async function readEntries(call: () => unknown, take: Take, options: ReadOptions): Promise<void> {
  await watched(options, async (watch) => {
    const result = await watch.hear(call)
    if (!watch.over()) await readList(result, take, watch, options.section)
  })
}

/** Awaits one value of the user's code under the same limits (a version token). */
export async function readValue(call: () => unknown, options: ReadOptions): Promise<unknown> {
  let value: unknown
  await watched(options, async (watch) => {
    value = await watch.hear(call)
  })
  return value
}

async function readList(result: unknown, take: Take, watch: Watch, section: string): Promise<void> {
  if (Array.isArray(result)) return readArray(result, take, watch, section)
  if (typeof result === 'object' && result !== null) {
    // Own or inherited, of whatever realm: sets, generators, Readables, web streams.
    const list = result as Partial<AsyncIterable<unknown> & Iterable<unknown>>
    if (typeof watch.ask(() => list[Symbol.asyncIterator]) === 'function') {
      const iterator = watch.ask(() => list[Symbol.asyncIterator]?.())
      return readAsync(isObject(iterator, section, 'its iterator is'), take, watch, section)
    }
    if (typeof watch.ask(() => list[Symbol.iterator]) === 'function') {
      const iterator = watch.ask(() => list[Symbol.iterator]?.())
      return readSync(isObject(iterator, section, 'its iterator is'), take, watch, section)
    }
  }
  throw new SitemapError(
    'LSM_ERR_PROVIDER_INVALID',
    `provider "${section}" gave ${kindOf(result)}: expected a list of entries, an (async) generator, or a promise of one. ${wayOut(result)}`,
  )
}

/** What came, without its content, which may end in an HTTP body of the app's; never throws. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  try {
    const keys = Object.keys(value).slice(0, 5)
    return keys.length > 0
      ? `an object with ${keys.join(', ')}`
      : `an object of the class ${value.constructor.name}`
  } catch {
    return 'an object that cannot be looked at'
  }
}

function wayOut(value: unknown): string {
  if (value === undefined) return 'Is a return missing?'
  if (typeof value === 'string') return 'If this is JSON, parse it and return the list in it'
  if (typeof value === 'object' && value !== null && 'json' in value && typeof value.json === 'function')
    return 'Return the list in `await response.json()`'
  return 'Return the list itself, e.g. response.docs'
}

async function readArray(list: readonly unknown[], take: Take, watch: Watch, section: string): Promise<void> {
  const length = watch.ask(() => list.length)
  for (let at = 0; at < length; at++) {
    let entry: unknown
    // Not by `watch.ask`: the call is felt in a list of plain entries.
    try {
      entry = list[at]
    } catch (error) {
      throw asFailure(error, section)
    }
    const held = take(entry)
    if (held !== undefined) await held
    if (watch.over()) return
  }
}

async function readAsync(
  iterator: AsyncIterator<unknown>,
  take: Take,
  watch: Watch,
  section: string,
): Promise<void> {
  // Whoever gives the reading up lets the provider clean up at once, also while its next() hangs.
  watch.atEnd(() => giveBack(iterator))
  for (;;) {
    let result: IteratorResult<unknown>
    watch.asked()
    // Not by `watch.hear`: one more async function an entry is felt.
    try {
      result = await iterator.next()
    } catch (error) {
      throw asFailure(error, section)
    } finally {
      watch.answered()
    }
    if (watch.over()) return
    if (isLast(result, section)) return watch.atEnd(undefined)
    const held = take(result.value)
    if (held !== undefined) await held
    if (watch.over()) return
  }
}

async function readSync(
  iterator: Iterator<unknown>,
  take: Take,
  watch: Watch,
  section: string,
): Promise<void> {
  const next = (): IteratorResult<unknown> => iterator.next()
  watch.atEnd(() => giveBack(iterator))
  for (;;) {
    const result = watch.ask(next)
    if (isLast(result, section)) return watch.atEnd(undefined)
    const held = take(result.value)
    if (held !== undefined) await held
    if (watch.over()) return
  }
}

function isLast(
  result: IteratorResult<unknown> | undefined,
  section: string,
): result is IteratorReturnResult<unknown> {
  return isObject(result, section, 'next() gave').done === true
}

/** What a broken iterator gives is the provider's failure. */
function isObject<T>(value: T | undefined, section: string, what: string): T {
  if (typeof value === 'object' && value !== null) return value
  throw asFailure(new TypeError(`${what} ${describe(value)}`), section)
}

/** Called, not awaited: a generator that hangs in its finally block must not hold the walk. */
function giveBack(iterator: AsyncIterator<unknown> | Iterator<unknown>): void {
  try {
    void Promise.resolve(iterator.return?.()).then(undefined, ignore)
  } catch {
    // Its end is its own affair: the walk has its reason already.
  }
}

interface Watch {
  /** The provider was asked for something: until it {@link answered}, its time is measured. */
  asked(): void
  answered(): void
  /** Awaits the provider: its time is measured. */
  hear<T>(call: () => T): Promise<Awaited<T>>
  /** Asks the provider for something that comes at once. */
  ask<T>(call: () => T): T
  /** What to do if the reading ends before the provider does. */
  atEnd(run: (() => void) | undefined): void
  /** Whether the reading was given up meanwhile: whoever resumes then stops. */
  over(): boolean
}

/**
 * Runs `reading` until it ends or time is up. One race for the whole reading: a race an entry would leave a reaction
 * on the never-settling side for each of a million entries.
 */
async function watched(options: ReadOptions, reading: (watch: Watch) => Promise<void>): Promise<void> {
  const { section, clock, timeoutMs, wholeMs, controller, abandoned } = options
  const startedMs = clock.now()
  let silentSinceMs = Number.POSITIVE_INFINITY
  let ended = false
  let counted = false
  let cancelTimer: () => void = ignore
  let giveUp: () => void = ignore
  let fail: (error: SitemapError) => void = ignore
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })

  function end(error: SitemapError): void {
    ended = true
    if (silentSinceMs !== Number.POSITIVE_INFINITY) {
      counted = true
      abandoned.count++
    }
    fail(error)
    controller.abort(error)
  }

  function check(): void {
    const now = clock.now()
    // A clock that was set back must not stretch the silence.
    if (now < silentSinceMs && silentSinceMs !== Number.POSITIVE_INFINITY) silentSinceMs = now
    if (now - startedMs >= wholeMs) {
      end(
        new SitemapError(
          'LSM_ERR_WALK_TIMEOUT',
          `reading section "${section}" took longer than walkTimeout (${wholeMs} ms)`,
        ),
      )
    } else if (now - silentSinceMs >= timeoutMs) {
      end(
        new SitemapError(
          'LSM_ERR_PROVIDER_TIMEOUT',
          `provider "${section}" was silent for ${timeoutMs} ms (option timeout)`,
        ),
      )
    } else {
      const silentUntil = (silentSinceMs === Number.POSITIVE_INFINITY ? now : silentSinceMs) + timeoutMs
      cancelTimer = clock.after(Math.min(silentUntil, startedMs + wholeMs) - now, check)
    }
  }

  function asked(): void {
    silentSinceMs = clock.now()
  }

  function answered(): void {
    silentSinceMs = Number.POSITIVE_INFINITY
    if (counted) abandoned.count--
    counted = false
  }

  const watch: Watch = {
    asked,
    answered,
    async hear<T>(call: () => T): Promise<Awaited<T>> {
      asked()
      try {
        return await call()
      } catch (error) {
        throw asFailure(error, section)
      } finally {
        answered()
      }
    },
    ask(call) {
      try {
        return call()
      } catch (error) {
        throw asFailure(error, section)
      }
    },
    atEnd(run) {
      giveUp = run ?? ignore
    },
    over: () => ended,
  }

  const onAbort = (): void => {
    if (ended) return
    const { reason } = controller.signal
    end(reason instanceof SitemapError ? reason : new SitemapError('LSM_ERR_CLOSED', 'the sitemap is closed'))
  }
  failed.catch(ignore)
  if (controller.signal.aborted) onAbort()
  controller.signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (ended) return await failed
    check()
    if (ended) return await failed
    const read = reading(watch)
    read.catch(ignore) // Given up, it may still fail later.
    await Promise.race([read, failed])
  } catch (error) {
    ended = true
    // A provider that failed has ended; told to return it would only say so again.
    if (!(error instanceof SitemapError && error.code === 'LSM_ERR_PROVIDER_FAILED')) giveUp()
    throw error
  } finally {
    cancelTimer()
    controller.signal.removeEventListener('abort', onAbort)
  }
}

/** The provider's own words are in `cause` and the log only: an error of ours may end in an HTTP body of the app's. */
function asFailure(error: unknown, section: string): SitemapError {
  if (error instanceof SitemapError) return error
  return new SitemapError('LSM_ERR_PROVIDER_FAILED', `provider "${section}" failed`, { cause: error })
}

/** A short text of anything thrown; never throws. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : describe(error)
  } catch {
    return 'an error that cannot be shown'
  }
}

function ignore(): void {}
