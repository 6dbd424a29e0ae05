import type { SitemapErrorCode } from './errors.ts'
import type { Shelf, ShelfState } from './shelves/shelf.ts'
import type { SkipReport } from './shelves/snapshot.ts'

/** State of one section. Instants are ISO text. */
export interface SectionReport {
  readonly state: ShelfState
  readonly entries: number
  readonly parts: number
  readonly skipped: SkipReport
  /** When the published content last changed. */
  readonly changedAt?: string
  /** When the section was last read with success. */
  readonly readAt?: string
  /** When the next refresh is due. */
  readonly nextAt?: string
  /** How long the last walk took. */
  readonly ms?: number
  readonly lastError?: { readonly code: SitemapErrorCode; readonly at: string; readonly failures: number }
}

/** What the sitemap is doing; counts since the process began. */
export interface SitemapReport {
  /** Every section that is not optional has a snapshot. */
  readonly ready: boolean
  readonly sections: Readonly<Record<string, SectionReport>>
  /** With several sites, where none is named: how many are in memory, and how many were asked for. */
  readonly sites?: { readonly awake: number; readonly asked: number }
  readonly memory: { readonly used: number; readonly limit: number }
  readonly store: { readonly name: string; readonly state: string }
  readonly served: {
    readonly hits: number
    readonly notModified: number
    readonly stale: number
    readonly cold503: number
  }
}

const NOTHING_SKIPPED: SkipReport = { total: 0, reasons: {}, samples: [] }

export function reportSection(shelf: Shelf, nowMs: number): SectionReport {
  const { snapshot, failure } = shelf
  return {
    state: shelf.state(nowMs),
    entries: snapshot?.count ?? 0,
    parts: snapshot?.parts.length ?? 0,
    skipped: snapshot?.skipped ?? NOTHING_SKIPPED,
    ...instant('changedAt', shelf.changedAtMs),
    ...instant('readAt', shelf.readAtMs),
    ...instant('nextAt', shelf.nextAtMs()),
    ...(shelf.readAtMs === undefined ? {} : { ms: shelf.lastWalkMs }),
    ...(failure === undefined
      ? {}
      : {
          lastError: {
            code: failure.code,
            at: new Date(failure.atMs).toISOString(),
            failures: failure.count,
          },
        }),
  }
}

function instant<K extends string>(name: K, ms: number | undefined): { readonly [P in K]?: string } {
  return ms === undefined || !Number.isFinite(ms)
    ? {}
    : ({ [name]: new Date(ms).toISOString() } as { readonly [P in K]?: string })
}
