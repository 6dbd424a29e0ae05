import { digestOf, digestOfAll } from '../digest.ts'
import type { FeedItem } from '../entry/entry.ts'
import type { IndexEntry } from '../formats/format.ts'
import { HTML_STYLESHEET } from '../formats/html-style.ts'
import { renderRss } from '../formats/rss.ts'
import { renderSitemapIndex } from '../formats/sitemapindex.ts'
import { MEDIA_TYPES } from '../http/media-types.ts'
import type { Part } from '../shelves/cut.ts'
import type { Shelf } from '../shelves/shelf.ts'
import type { Snapshot } from '../shelves/snapshot.ts'
import { VERSION } from '../version.ts'
import { findDuplicates } from './duplicates.ts'
import { partPath } from './paths.ts'
import type { RowDraft, SourcePiece } from './rows.ts'
import type { TableContext } from './table.ts'

/** What a composite document is made of: sections with a snapshot, and whether an optional one is missing. */
export interface Ingredients {
  readonly shelves: readonly Shelf[]
  readonly read: readonly { readonly shelf: Shelf; readonly snapshot: Snapshot }[]
  readonly incomplete: boolean
}

/** `/sitemap_index.xml`: every part that is not empty (DESIGN 3, paths). */
export function indexRow(
  path: string,
  { shelves, read, incomplete }: Ingredients,
  context: TableContext,
): RowDraft | undefined {
  const entries: IndexEntry[] = []
  for (const { shelf, snapshot } of read)
    for (const [i, part] of snapshot.parts.entries())
      if (part.xml !== undefined)
        entries.push({
          loc: context.publicUrl(partPath(shelf.section, i + 1, 'xml')),
          lastmod: part.newest?.text,
        })
  if (entries.length === 0 && context.options.onEmpty === 404) return undefined
  return {
    path,
    kind: 'index',
    mediaType: MEDIA_TYPES.xml,
    digest: digestOfAll(VERSION, 'index', JSON.stringify(entries)),
    expiresAtMs: undefined,
    shelves,
    incomplete,
    source: { type: 'text', blobs: [], render: () => renderSitemapIndex(entries) },
  }
}

/** `/sitemap.xml`: all entries in one urlset while they fit one part, else the index. */
export function sitemapRow(
  path: string,
  ingredients: Ingredients,
  context: TableContext,
): RowDraft | undefined {
  const { read, shelves, incomplete } = ingredients
  const parts = read.flatMap(({ snapshot }) => snapshot.parts.filter(({ xml }) => xml !== undefined))
  const namespaces = parts.reduce((all, part) => all | part.namespaces, 0)
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const bytes = parts.reduce(
    (sum, { xml }) => sum + (xml?.checksum.bytes ?? 0),
    context.frameBytes(namespaces),
  )
  if (count > context.options.limit || bytes > context.options.maxBytes)
    return indexRow(path, ingredients, context)
  if (count === 0 && context.options.onEmpty === 404) return undefined
  const pieces = joinedPieces(read, (part) => part.xml)
  if (pieces === undefined) return indexRow(path, ingredients, context)
  return {
    path,
    kind: 'urlset',
    mediaType: MEDIA_TYPES.xml,
    digest: digestOfAll(VERSION, 'urlset', namespaces, ...digestsOf(pieces)),
    expiresAtMs: undefined,
    shelves,
    incomplete,
    source: { type: 'blobs', ...context.frame(namespaces), pieces },
  }
}

/** `/sitemap.txt`: everything while it fits one part, else the entries of the first part. */
export function txtRow(
  path: string,
  { read, shelves, incomplete }: Ingredients,
  context: TableContext,
): RowDraft | undefined {
  const parts = read.flatMap(({ snapshot }) => snapshot.parts.filter(({ txt }) => txt !== undefined))
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const bytes = parts.reduce((sum, { txt }) => sum + (txt?.checksum.bytes ?? 0), 0)
  if (count === 0 && context.options.onEmpty === 404) return undefined
  const fits = count <= context.options.limit && bytes <= context.options.maxBytes
  const pieces =
    (fits ? joinedPieces(read, (part) => part.txt) : undefined) ??
    parts.slice(0, 1).flatMap((part) => piece(part, part.txt, undefined))
  return {
    path,
    kind: 'txt',
    mediaType: MEDIA_TYPES.txt,
    digest: digestOfAll(VERSION, 'txt', ...digestsOf(pieces)),
    expiresAtMs: undefined,
    shelves,
    incomplete,
    source: { type: 'blobs', head: '', tail: '', pieces },
  }
}

/** A part's own document. */
export function partRow(
  path: string,
  kind: 'urlset' | 'txt',
  shelf: Shelf,
  part: Part | undefined,
  context: TableContext,
): RowDraft {
  const namespaces = part?.namespaces ?? 0
  const pieces = part === undefined ? [] : piece(part, kind === 'urlset' ? part.xml : part.txt, undefined)
  return {
    path,
    kind,
    mediaType: kind === 'urlset' ? MEDIA_TYPES.xml : MEDIA_TYPES.txt,
    digest:
      kind === 'urlset'
        ? digestOfAll(VERSION, kind, namespaces, ...digestsOf(pieces))
        : digestOfAll(VERSION, kind, ...digestsOf(pieces)),
    expiresAtMs: undefined,
    shelves: [shelf],
    incomplete: false,
    source: {
      type: 'blobs',
      ...(kind === 'urlset' ? context.frame(namespaces) : { head: '', tail: '' }),
      pieces,
    },
  }
}

/**
 * `/feed.rss`. Time decides what is in it: an entry dated in the future enters at its instant, without a walk
 * (DESIGN 3, point 11). No clock is printed.
 */
export function rssRow(
  path: string,
  { read, shelves, incomplete }: Ingredients,
  context: TableContext,
  nowMs: number,
): RowDraft {
  const { feed, routes } = context.options
  const seen = new Set<string>()
  const items: FeedItem[] = []
  let expiresAtMs: number | undefined
  for (const { snapshot } of read) {
    for (const item of snapshot.feed) {
      if (seen.has(item.loc)) continue
      seen.add(item.loc)
      if (item.dateMs !== undefined && item.dateMs > nowMs)
        expiresAtMs = Math.min(expiresAtMs ?? Number.POSITIVE_INFINITY, item.dateMs)
      else items.push(item)
    }
  }
  // Stable: equal dates stay in the order of providers, and of entries within them.
  items.sort((a, b) => (b.dateMs ?? Number.NEGATIVE_INFINITY) - (a.dateMs ?? Number.NEGATIVE_INFINITY) || 0)
  items.length = Math.min(items.length, feed.limit)
  const document = {
    site: context.site,
    selfUrl: context.publicUrl(path),
    sitemapUrl: routes.html === false ? undefined : context.publicUrl(routes.html),
    items,
  }
  return {
    path,
    kind: 'rss',
    mediaType: `${feed.mediaType}; charset=utf-8`,
    digest: digestOfAll(VERSION, 'rss', feed.mediaType, JSON.stringify(document)),
    expiresAtMs,
    shelves,
    incomplete,
    source: { type: 'text', blobs: [], render: () => renderRss(document) },
  }
}

/** Our stylesheet, so that the HTML page needs nothing inline (SPEC H9). */
export function stylesheetRow(path: string): RowDraft {
  return {
    path,
    kind: 'css',
    mediaType: MEDIA_TYPES.css,
    digest: digestOfAll(VERSION, 'css', digestOf(HTML_STYLESHEET)),
    expiresAtMs: undefined,
    shelves: [],
    incomplete: false,
    source: { type: 'text', blobs: [], render: () => HTML_STYLESHEET },
  }
}

/** The blobs of all sections in order, without the entries that an earlier section has. */
function joinedPieces(
  read: Ingredients['read'],
  blobOf: (part: Part) => Part['xml'],
): SourcePiece[] | undefined {
  const duplicates = findDuplicates(read.map(({ snapshot }) => snapshot))
  if (duplicates === undefined) return undefined
  return read.flatMap(({ snapshot }, i) => {
    let from = 0
    return snapshot.parts.flatMap((part) => {
      const skip = (duplicates[i] ?? [])
        .filter((n) => n >= from && n < from + part.count)
        .map((n) => n - from)
      from += part.count
      return piece(part, blobOf(part), skip.length > 0 ? skip : undefined)
    })
  })
}

function piece(part: Part, blob: Part['xml'], skip: readonly number[] | undefined): SourcePiece[] {
  return blob === undefined ? [] : [{ blob, blockCounts: part.blockCounts, skip }]
}

function digestsOf(pieces: readonly SourcePiece[]): string[] {
  return pieces.flatMap(({ blob, skip }) => (skip === undefined ? [blob.digest] : [blob.digest, skip.join()]))
}
