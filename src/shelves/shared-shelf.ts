import type { RowHistory } from '../table/rows.ts'
import type { Held } from './hold.ts'
import type { ListDraft } from './partition-list.ts'
import type { SavedShelf } from './shelf.ts'
import type { Snapshot } from './snapshot.ts'

/** A place in the life of a store (store/revisions.ts): what was invalidated at a later one is not in what was read before. */
export interface Mark {
  /** Undefined where no store was met. */
  readonly epoch: string | undefined
  readonly revision: number
  /** The store could not be asked: it is the last one known, and may lie before what others read earlier. */
  readonly isGuess?: boolean
}

/** A record of the store, newer than what the shelf has; the shelf owns its snapshot. */
export interface Found {
  readonly saved: SavedShelf
  /** Of a partitioned section: its list, still to be arranged. */
  readonly list: ListDraft | undefined
  /** When its paths last changed. */
  readonly rows: RowHistory
  /** When it was published. */
  readonly atMs: number
}

/** Whose the lease is; `none` where there is no store that could give one: everyone works alone. */
export type Lease = 'ours' | 'theirs' | 'none'

/**
 * What a shelf has of the shared store (DESIGN 4). Nothing here rejects or waits longer than the store's own short
 * deadlines: without an answer the shelf goes on as if there were no store.
 */
export interface SharedShelf {
  /** Tells the store what was invalidated here, and learns what was elsewhere; false where it cannot be told. */
  told(): Promise<boolean>
  /** Whether the shelf was invalidated after this mark. */
  isPast(mark: Mark | undefined): boolean
  /** The record, where it is newer than what the shelf has. */
  look(has: {
    readonly snapshot: Snapshot | undefined
    readonly mark: Mark | undefined
    readonly readAtMs: number | undefined
  }): Promise<Found | undefined>
  /** Asks for the lease of the shelf; once it is ours it is renewed until it is given back. */
  lease(): Promise<Lease>
  /** Once for each time that it was ours. */
  giveBack(): void
  /** The mark of a walk that begins. */
  mark(): Promise<Mark>
  /** A walk that was held, by whatever instance. */
  held(): Promise<Held | undefined>
  keepHeld(held: Held | undefined): void
  /** Stores what was published, in the background; resolves when that has ended, well or not. */
  publish(saved: SavedShelf, rows: RowHistory, atMs: number): Promise<void>
  close(): void
}

/** What a shared shelf asks of its shelf. */
export interface SharedShelfOwner {
  /** The section was invalidated, perhaps elsewhere. */
  heard(): void
  /** The store has nothing of ours any more. */
  lost(): void
}
