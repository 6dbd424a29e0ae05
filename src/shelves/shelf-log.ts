import { SitemapError } from '../errors.ts'
import type { Log } from '../log.ts'
import { messageOf } from '../providers/read.ts'
import type { ShelfFailure } from './shelf.ts'
import type { Snapshot } from './snapshot.ts'

/** What a shelf says of itself: one line a change of its state. */
export interface ShelfLog {
  /** A walk failed; `entries` are those of the last good one, which is served. */
  failed(error: SitemapError, failures: number, entries: number | undefined, waitMs: number): void
  /** A walk succeeded after failures. */
  recovered(failure: ShelfFailure | undefined): void
  /** What a published walk left out. */
  faults(snapshot: Snapshot): void
  reordered(): void
  versionFailed(error: unknown): void
  contentFailed(error: unknown): void
  /** A field of entries has the name that another package gives it. */
  foreignName(name: string, ours: string): void
}

export function createShelfLog(log: Log, section: string): ShelfLog {
  const warned = new Set<string>()
  let lastFaults = ''
  let saidFailing = false

  return {
    failed(error, failures, entries, waitMs) {
      const { code } = error
      const served =
        entries === undefined
          ? 'nothing can be served yet'
          : `the last good one (${entries} entries) is served`
      const said = log.error(
        code,
        section,
        { section, code, failures, err: error.cause ?? error },
        `${error.message}${causeText(error)}; ${served}; next try in ${Math.ceil(waitMs / 1000)} s at the earliest`,
      )
      saidFailing ||= said
    },
    // One line for each line that told of the failure: neither repeated more often than that one, nor left out.
    recovered(failure) {
      if (failure !== undefined && saidFailing) {
        const { count, code } = failure
        log.info({ section, failures: count, code }, `section "${section}" is read again`)
      }
      saidFailing = false
    },
    // One line that names all faults of a walk, and none while they stay the same. What an entry asked for is no fault.
    faults({ faults, skipped }) {
      if (faults === lastFaults) return
      const message = `section "${section}": entries or fields left out: ${faults}`
      const said =
        faults === '' ||
        log.warn('LSM_WARN_ENTRY_SKIPPED', section, { section, samples: skipped.samples }, message)
      if (said) lastFaults = faults
    },
    reordered() {
      const message = `section "${section}" gave the same entries in another order: the former order is kept. Add a sort to the query`
      log.once('LSM_WARN_ORDER_CHANGED', section, { section }, message)
    },
    versionFailed(error) {
      log.warn(
        'LSM_WARN_VERSION_FAILED',
        section,
        { section, err: causeOf(error) },
        `version() of section "${section}" failed: everything is read`,
      )
    },
    contentFailed(error) {
      log.warn(
        'LSM_WARN_CONTENT_FAILED',
        section,
        { section, err: causeOf(error) },
        `feed.content failed for an entry of section "${section}": the content known before stays`,
      )
    },
    foreignName(name, ours) {
      if (warned.has(name)) return
      warned.add(name)
      log.warn(
        'LSM_WARN_NAME_FOREIGN',
        `${section} ${name}`,
        { section, name },
        `entries of section "${section}" have a field "${name}": its name here is "${ours}"`,
      )
    },
  }
}

/** The words of the innermost cause, for the log: what was thrown first says what is wrong. */
function causeText(error: SitemapError): string {
  let cause = error.cause
  if (cause === undefined) return ''
  for (let depth = 0; depth < 5 && cause instanceof Error && cause.cause !== undefined; depth++)
    cause = cause.cause
  return `: ${messageOf(cause)}`
}

function causeOf(error: unknown): unknown {
  return error instanceof SitemapError ? (error.cause ?? error) : error
}
