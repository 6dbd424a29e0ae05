import type { Blob } from '../shelves/cut.ts'
import type { Shelf } from '../shelves/shelf.ts'

/** What kind of document a path serves. */
export type DocumentKind =
  | 'urlset'
  | 'index'
  | 'news'
  | 'rss'
  | 'atom'
  | 'json'
  | 'html'
  | 'txt'
  | 'robots'
  | 'llms'
  | 'css'
  | 'profile'

/** A blob in a document, perhaps without some of its lines. */
export interface SourcePiece {
  readonly blob: Blob
  readonly blockCounts: readonly number[]
  /** Entries (counted in the blob from 0, ascending) that stand earlier in the document already. */
  readonly skip: readonly number[] | undefined
  /** Entries (as in `skip`) whose news article is not written, for it has aged or is still to come (SPEC E60). */
  readonly bare: readonly number[] | undefined
}

/** How a document is made: head, the lines of blobs, tail; or a text rendered from cards or records. */
export type Source =
  | {
      readonly type: 'blobs'
      readonly head: string
      readonly tail: string
      readonly pieces: readonly SourcePiece[]
    }
  | {
      readonly type: 'text'
      /** What its cards lie in; asked when it is rendered, for a large section has thousands of pages. */
      readonly blobs: () => readonly Blob[]
      readonly render: () => string | Promise<string>
    }

/** One line of the site table: a path and what it is made of. Immutable. */
export interface Row {
  readonly path: string
  readonly kind: DocumentKind
  readonly mediaType: string
  /** Covers exactly the bytes and options that the document reads, and the package's version. */
  readonly digest: string
  /** When the bytes at this path last changed; never goes back. */
  readonly changedAtMs: number
  /** Another version of this path had the same second in Last-Modified: a date alone cannot tell them apart (SPEC N9). */
  readonly secondShared: boolean
  /** When time alone changes the document. */
  readonly expiresAtMs: number | undefined
  /** Sections it reads, those without a snapshot included. */
  readonly shelves: readonly Shelf[]
  /** An optional section is missing. */
  readonly incomplete: boolean
  /** Value of the header Link. */
  readonly link: string | undefined
  /** A function of the user's shapes the document: its digest is that of its inputs until the bytes are known. */
  readonly unsettled: boolean
  readonly source: Source
}

/** When the bytes at paths last changed: what is kept of rows when their table goes. */
export type RowHistory = readonly (readonly [
  path: string,
  digest: string,
  changedAtMs: number,
  secondShared: boolean,
])[]

/** What a row that takes the place of another must know of it. */
export type RowBefore = Pick<Row, 'digest' | 'changedAtMs' | 'secondShared'>

/** A row before the table has decided when its path last changed. */
export type RowDraft = Omit<Row, 'changedAtMs' | 'secondShared'>

/** What most drafts have in common: complete, as they are for ever, without a Link. */
export const PLAIN_ROW: Pick<RowDraft, 'expiresAtMs' | 'incomplete' | 'link' | 'unsettled'> = {
  expiresAtMs: undefined,
  incomplete: false,
  link: undefined,
  unsettled: false,
}

/**
 * Completes a draft: the instant is kept where the path had the same digest before. A path whose row has just gone
 * (`goneMs`: when that row had last changed) was changed by that.
 */
export function completeRow(
  draft: RowDraft,
  before: RowBefore | undefined,
  nowMs: number,
  goneMs?: number,
): Row {
  if (before?.digest === draft.digest)
    return { ...draft, changedAtMs: before.changedAtMs, secondShared: before.secondShared }
  const last = before?.changedAtMs ?? goneMs
  const changedAtMs = Math.max(nowMs, last ?? 0)
  return {
    ...draft,
    changedAtMs,
    secondShared: last !== undefined && secondOf(last) === secondOf(changedAtMs),
  }
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1000)
}
