import type { SiteFacts } from '../formats/format.ts'
import type { Frame } from '../formats/frames.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Partitions } from '../shelves/partitions.ts'
import type { Shelf } from '../shelves/shelf.ts'
import type { Snapshot } from '../shelves/snapshot.ts'

/** What rows are made with. */
export interface TableContext {
  readonly options: ResolvedOptions
  readonly site: SiteFacts
  readonly publicUrl: (path: string) => string
  /** Path of one of our documents as the public sees it. */
  readonly publicPath: (path: string) => string
  readonly frame: (namespaces: number) => Frame
  readonly frameBytes: (namespaces: number) => number
  readonly indexFrame: () => Frame
  /** The partitions of a section; undefined where it is read whole. */
  readonly partitionsOf: (shelf: Shelf) => Partitions | undefined
  /** Tells of a template of the user's that threw. */
  readonly templateFailed: (error: unknown) => void
}

/** A section and what it holds. */
export interface ReadSection {
  readonly shelf: Shelf
  readonly snapshot: Snapshot
}

/** What a composite document is made of: sections with a snapshot, and whether another is missing. */
export interface Ingredients {
  readonly shelves: readonly Shelf[]
  readonly read: readonly ReadSection[]
  readonly incomplete: boolean
}
