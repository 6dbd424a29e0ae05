import type { Clock } from '../clock.ts'
import { digestOfAll } from '../digest.ts'
import type { Published, Shelf } from '../shelves/shelf.ts'
import { VERSION } from '../version.ts'
import type { TableContext } from './context.ts'
import { STYLESHEET_PATH } from './paths.ts'
import { createProducers, type Producer, partitionProducer, whatIsThere } from './producers.ts'
import { completeRow, type Row, type RowBefore, type RowDraft, type RowHistory } from './rows.ts'
import { htmlStylesheetRow, xmlStylesheetRow } from './small-rows.ts'
import { firstPartitionText } from './xml-rows.ts'

/** Sections that a path needs, be there a row or not. */
export interface Needs {
  readonly shelves: readonly (Shelf | Promise<Shelf>)[]
  /** The path is a document whatever these hold: asking for it puts them in use. */
  readonly isDocument: boolean
}

/** Maps each path of a site to what it is made of. Rows follow a published snapshot at once and without I/O. */
export interface SiteTable {
  row(path: string): Row | undefined
  /** Undefined for a path that is none of ours. */
  needs(path: string): Needs | undefined
  /** Builds the rows that read this shelf; `from` is what the instance knew that published it first. */
  publish(shelf: Shelf, from?: Published): void
  /** Builds the rows of a partition; `history` is what was known of them before. */
  publishPartition(section: Shelf, id: string, partition: Shelf, history: RowHistory, from?: Published): void
  /** The rows of a partition go, until it is published again. */
  withdrawPartition(partition: Shelf): void
  /** Builds the documents of the whole site that name a section's partitions. */
  publishLists(section: Shelf): void
  /** The row made anew, now that its time has come. */
  expire(row: Row): Row | undefined
  /** The row with the digest of its bytes, which a function of the user's has shaped (DESIGN 3, point 7). */
  settle(row: Row, digestOfBytes: string): Row
  /** The next instant at which time alone changes a row. */
  nextExpiryMs(): number | undefined
  /** Makes anew every row whose time has come. */
  expireDue(): void
  /** What a later table of the site goes on from. */
  history(shelf?: Shelf): RowHistory
}

/** Longer than the second that Last-Modified tells apart. */
const GONE_KEPT_MS = 2_000

/** Rows of other instances that are kept until ours are alike: those that join sections, far fewer than this. */
const HEARD_KEPT = 1_000

/** `history` is that of an earlier table of the site. */
export function createSiteTable(
  context: TableContext,
  shelves: readonly Shelf[],
  clock: Clock,
  history: RowHistory = [],
): SiteTable {
  const { routes, html } = context.options
  const rows = new Map<string, Row>()
  const past = new Map<string, RowBefore>(
    history.map(([path, digest, changedAtMs, secondShared]) => [path, { digest, changedAtMs, secondShared }]),
  )
  /** Rows that went within the last moments, in order: what comes back within one second must not claim to be unchanged. */
  const gone = new Map<string, number>()
  const producers = createProducers(context, shelves)
  const produced = new Map<Producer, readonly string[]>()
  const producerOf = new Map<string, Producer>()
  const ofPartition = new Map<Shelf, Producer>()
  /** Rows that time changes. */
  const timed = new Set<string>()
  /** What other instances know of rows that differ here, for now: by path, the latest last. */
  const elsewhere = new Map<string, RowBefore>()
  /** Rows whose bytes are known, by path, with the digest of their inputs. */
  const settled = new Map<string, { readonly inputs: string; readonly row: Row }>()

  if (routes.html !== false && html.stylesheet === undefined)
    put(htmlStylesheetRow(STYLESHEET_PATH), clock.now())
  if (routes.css !== false) put(xmlStylesheetRow(routes.css), clock.now())
  // A document of no section, or of optional ones only, is complete from the start.
  for (const producer of producers) run(producer, clock.now())

  /** Rows of partitions are theirs, and not their section's. */
  function isOf(of: readonly Shelf[], shelf: Shelf | undefined): boolean {
    if (shelf === undefined) return true
    return of.includes(shelf) && (ofPartition.has(shelf) || of.every((one) => shelves.includes(one)))
  }

  function run(producer: Producer, nowMs: number, changedMs = nowMs): void {
    const drafts = producer.make(nowMs)
    // What was made before stands while a section is missing again (it never is today: snapshots are kept).
    if (drafts === undefined) return
    const paths = drafts.map(({ path }) => path)
    const kept = new Set(paths)
    for (const path of produced.get(producer) ?? []) if (!kept.has(path)) remove(path, nowMs)
    produced.set(producer, paths)
    for (const draft of drafts) {
      producerOf.set(draft.path, producer)
      put(draft, changedMs)
    }
  }

  function hear(history: RowHistory): void {
    for (const [path, digest, changedAtMs, secondShared] of history) {
      elsewhere.delete(path)
      elsewhere.set(path, { digest, changedAtMs, secondShared })
    }
  }

  /** Once the rows are made that were heard of: there may be more of them than are kept. */
  function forgetHeard(): void {
    for (const path of elsewhere.keys()) {
      if (elsewhere.size <= HEARD_KEPT) break
      elsewhere.delete(path)
    }
  }

  /** Another instance served these bytes at this path before: both say since when (DESIGN 3, point 6). */
  function before(draft: RowDraft): RowBefore | undefined {
    const own = rows.get(draft.path) ?? past.get(draft.path)
    const other = elsewhere.get(draft.path)
    if (other?.digest !== draft.digest || own?.digest === draft.digest) return own
    elsewhere.delete(draft.path)
    return own === undefined || other.changedAtMs >= own.changedAtMs ? other : own
  }

  function put(draft: RowDraft, nowMs: number): void {
    const { path } = draft
    const known = draft.unsettled ? settled.get(path) : undefined
    if (known !== undefined && known.inputs === draft.digest) {
      const { digest, changedAtMs, secondShared } = known.row
      rows.set(path, { ...draft, unsettled: false, digest, changedAtMs, secondShared })
    } else {
      rows.set(path, completeRow(draft, before(draft), nowMs, gone.get(path)))
      if (!draft.unsettled) past.delete(path)
      gone.delete(path)
    }
    if (draft.expiresAtMs === undefined) timed.delete(path)
    else timed.add(path)
  }

  function remove(path: string, nowMs: number): void {
    const row = rows.get(path)
    if (row === undefined) return
    rows.delete(path)
    producerOf.delete(path)
    timed.delete(path)
    settled.delete(path)
    for (const [old, changedAtMs] of gone) if (nowMs - changedAtMs > GONE_KEPT_MS) gone.delete(old)
    gone.set(path, row.changedAtMs)
  }

  /** `/sitemap.txt` of a site that has partitions alone is the first part of the first of them. */
  function located(path: string): string {
    if (path !== routes.txt || rows.has(path)) return path
    return firstPartitionText(whatIsThere(shelves), context) ?? path
  }

  return {
    row: (path) => rows.get(located(path)),
    needs(asked) {
      const path = located(asked)
      const producer = producers.find(({ owns }) => owns(path))
      if (producer === undefined) return undefined
      const shelvesOf = producer.shelvesFor?.(path) ?? producer.shelves
      return { shelves: shelvesOf, isDocument: producer.isDocument(path) }
    },
    publish(shelf, from) {
      const nowMs = clock.now()
      hear(from?.rows ?? [])
      for (const producer of producers) if (producer.shelves.includes(shelf)) run(producer, nowMs, from?.atMs)
      forgetHeard()
    },
    publishPartition(section, id, partition, history, from) {
      for (const [path, digest, changedAtMs, secondShared] of history)
        if (!rows.has(path)) past.set(path, { digest, changedAtMs, secondShared })
      let producer = ofPartition.get(partition)
      if (producer === undefined) {
        producer = partitionProducer(context, section, id, partition)
        ofPartition.set(partition, producer)
      }
      hear(from?.rows ?? [])
      run(producer, clock.now(), from?.atMs)
      forgetHeard()
    },
    withdrawPartition(partition) {
      const producer = ofPartition.get(partition)
      if (producer === undefined) return
      ofPartition.delete(partition)
      for (const path of produced.get(producer) ?? []) remove(path, clock.now())
      produced.delete(producer)
    },
    publishLists(section) {
      const nowMs = clock.now()
      for (const producer of producers)
        if (producer.shelves.length > 0 && producer.shelves.includes(section)) run(producer, nowMs)
    },
    expire(row) {
      const producer = producerOf.get(row.path)
      if (producer !== undefined) run(producer, clock.now())
      return rows.get(row.path)
    },
    settle(row, digestOfBytes) {
      const digest = digestOfAll(VERSION, row.kind, digestOfBytes)
      const complete = completeRow(
        { ...row, digest, unsettled: false },
        settled.get(row.path)?.row ?? past.get(row.path),
        row.changedAtMs,
      )
      // Another state may have been published while the bytes were made.
      if (rows.get(row.path) !== row) return complete
      settled.set(row.path, { inputs: row.digest, row: complete })
      rows.set(row.path, complete)
      return complete
    },
    nextExpiryMs() {
      let next: number | undefined
      for (const path of timed) {
        const at = rows.get(path)?.expiresAtMs
        if (at !== undefined && (next === undefined || at < next)) next = at
      }
      return next
    },
    history: (shelf) =>
      [...rows.values()]
        .filter(({ shelves: of }) => isOf(of, shelf))
        .map(({ path, digest, changedAtMs, secondShared }) => [path, digest, changedAtMs, secondShared]),
    expireDue() {
      const nowMs = clock.now()
      const due = new Set<Producer>()
      for (const path of timed) {
        const producer = producerOf.get(path)
        if (producer !== undefined && (rows.get(path)?.expiresAtMs ?? nowMs + 1) <= nowMs) due.add(producer)
      }
      for (const producer of due) run(producer, nowMs)
    },
  }
}
