// Types alone, that lead nowhere: a user's compiler reads what this file names.
import type { SitemapErrorCode } from './errors.ts'

/** Where a section stands. */
export type ShelfState = 'fresh' | 'stale' | 'failing' | 'held' | 'never'

/** Entries left out and fields dropped in a walk. */
export interface SkipReport {
  /** Entries left out. */
  readonly total: number
  /** How often each reason was met; those of dropped fields too. */
  readonly reasons: Readonly<Record<string, number>>
  /** The first few of each reason. */
  readonly samples: readonly { readonly reason: string; readonly loc?: string }[]
}

/** State of one section. Instants are ISO text. */
export interface SectionReport {
  readonly state: ShelfState
  readonly entries: number
  readonly parts: number
  /** Of a partitioned section, whose `entries` are its partitions: how many were read, and how many of those fail. */
  readonly partitions?: { readonly listed: number; readonly read: number; readonly failing: number }
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
  /** `none` without a store; `down` while it gives no answers, `refusing` where it lately answered by an error. */
  readonly store: { readonly name: string; readonly state: 'none' | 'up' | 'down' | 'refusing' }
  readonly served: {
    readonly hits: number
    readonly notModified: number
    readonly stale: number
    readonly cold503: number
  }
}
