import { digestOfAll } from '../digest.ts'
import type { IndexEntry } from '../formats/format.ts'
import { renderSitemapIndex } from '../formats/sitemapindex.ts'
import { MEDIA_TYPES } from '../http/media-types.ts'
import { type Piece, partsOfPiece } from '../shelves/arrangement.ts'
import { MOST_NEWS, type Part } from '../shelves/cut.ts'
import type { Shelf } from '../shelves/shelf.ts'
import { VERSION } from '../version.ts'
import type { Ingredients, TableContext } from './context.ts'
import { cutIndex, type IndexPiece, partitionPiece, plainPiece } from './index-pieces.ts'
import { indexPath, localePath, partPath } from './paths.ts'
import {
  digestsOf,
  earlier,
  type Joined,
  joinTxt,
  joinXml,
  type Share,
  sharesOf,
  writesOf,
} from './pieces.ts'
import { PLAIN_ROW, type RowDraft } from './rows.ts'
import { takesPart } from './takes-part.ts'

/** Lines of an index, and when time changes them. */
interface Listed {
  readonly pieces: readonly IndexPiece[]
  readonly nextMs: number | undefined
}

/**
 * `/sitemap_index.xml`: every part that is not empty, or the one document of a locale in place of its parts (DESIGN 3,
 * paths); past 50,000 of them or `maxBytes` `/sitemap_index-2.xml` and so on.
 */
export function indexRows(
  path: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): readonly RowDraft[] {
  return rowsOf(path, ingredients, listAll(ingredients, context, nowMs), context)
}

/** How many indexes there are. */
export function countIndexes(ingredients: Ingredients, context: TableContext, nowMs: number): number {
  return cut(listAll(ingredients, context, nowMs), context).length
}

/** How many indexes a locale has that does not fit one part. */
export function countLocaleIndexes(
  locale: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): number {
  return cut(listParts(ingredients, locale, context, nowMs), context).length
}

/** At least one, which may be empty. */
function cut({ pieces }: Listed, context: TableContext): readonly (readonly IndexPiece[])[] {
  const { head, tail } = context.indexFrame()
  const frameBytes = Buffer.byteLength(head) + Buffer.byteLength(tail)
  const files = cutIndex(pieces, { maxBytes: context.options.maxBytes, frameBytes })
  return files.length === 0 ? [[]] : files
}

function rowsOf(
  path: string,
  ingredients: Ingredients,
  listed: Listed,
  context: TableContext,
): readonly RowDraft[] {
  return cut(listed, context).flatMap((pieces, i) => {
    const row = indexOf(indexPath(path, i + 1), ingredients, { pieces, nextMs: listed.nextMs }, context)
    return row === undefined ? [] : [row]
  })
}

function listAll(ingredients: Ingredients, context: TableContext, nowMs: number): Listed {
  const { locales } = context.options.i18n
  if (locales.length === 0) return listParts(ingredients, undefined, context, nowMs)
  const lists = locales.map((locale) => {
    const parts = listParts(ingredients, locale, context, nowMs)
    const shares = sharesOf(ingredients.read, locale, context.options)
    if (parts.pieces.length === 0 || !isMerged(shares, context, nowMs)) return parts
    const lastmod = newestOf(shares.flatMap(({ cut: { parts: own } }) => own))
    const entry = { loc: context.publicUrl(localePath(locale, 'xml')), lastmod }
    return { pieces: [plainPiece([entry])], nextMs: parts.nextMs }
  })
  return {
    pieces: [...lists.flatMap(({ pieces }) => pieces), ...listPartitions(ingredients, context)],
    nextMs: lists.reduce<number | undefined>((next, list) => earlier(next, list.nextMs), undefined),
  }
}

/** The parts of partitions, from the list alone and what reading has taught: none of them is read for it. */
function listPartitions(
  { read }: Ingredients,
  { options, partitionsOf, publicUrl }: TableContext,
): IndexPiece[] {
  return read
    .filter(({ shelf }) => takesPart(options, shelf.provider).xml)
    .flatMap(({ shelf }) =>
      (partitionsOf(shelf)?.pieces ?? []).map((piece) => partitionPiece(shelf.section, piece, publicUrl)),
    )
}

function isPartitioned({ read }: Ingredients): boolean {
  return read.some(({ snapshot }) => snapshot.list !== undefined)
}

function listParts(
  ingredients: Ingredients,
  locale: string | undefined,
  context: TableContext,
  nowMs: number,
): Listed {
  const entries: IndexEntry[] = []
  let nextMs: number | undefined
  // In the order of providers: a partitioned one stands where it is.
  if (locale === undefined && isPartitioned(ingredients)) {
    const lists = ingredients.read.map((one) =>
      one.snapshot.list === undefined
        ? listParts({ ...ingredients, read: [one] }, undefined, context, nowMs)
        : { pieces: listPartitions({ ...ingredients, read: [one] }, context), nextMs: undefined },
    )
    return {
      pieces: lists.flatMap(({ pieces }) => pieces),
      nextMs: lists.reduce<number | undefined>((next, list) => earlier(next, list.nextMs), undefined),
    }
  }
  for (const { section, cut, newsOnly } of sharesOf(ingredients.read, locale, context.options))
    for (const [i, part] of cut.parts.entries()) {
      if (part.xml === undefined) continue
      const writes = newsOnly ? writesOf(part, newsOnly, nowMs) : undefined
      nextMs = earlier(nextMs, writes?.nextMs)
      if (writes?.count === 0) continue
      entries.push({
        loc: context.publicUrl(partPath(section, i + 1, 'xml', cut.locale)),
        lastmod: part.newest?.text,
      })
    }
  return { pieces: entries.length === 0 ? [] : [plainPiece(entries)], nextMs }
}

function newestOf(parts: readonly Part[]): string | undefined {
  let newest: Part['newest']
  for (const part of parts)
    if (part.newest !== undefined && (newest === undefined || part.newest.ms > newest.ms))
      newest = part.newest
  return newest?.text
}

function indexOf(
  path: string,
  { shelves, incomplete }: Ingredients,
  { pieces, nextMs }: Listed,
  context: TableContext,
): RowDraft | undefined {
  if (pieces.length === 0 && context.options.onEmpty === 404) return undefined
  const frame = context.indexFrame()
  return {
    ...PLAIN_ROW,
    path,
    kind: 'index',
    mediaType: MEDIA_TYPES.xml,
    digest: digestOfAll(
      VERSION,
      'index',
      frame.head,
      context.publicUrl(''),
      ...pieces.flatMap(({ count, digest }) => [count, digest]),
    ),
    expiresAtMs: nextMs,
    shelves,
    incomplete,
    source: { type: 'text', blobs: () => [], render: () => renderSitemapIndex(entriesOf(pieces), frame) },
  }
}

function* entriesOf(pieces: readonly IndexPiece[]): Generator<IndexEntry> {
  for (const { entries } of pieces) yield* entries()
}

/**
 * `/sitemap.xml`: all entries in one urlset while they fit one part, else the index. Where that has a path of its own
 * its further files are there, else here.
 */
export function sitemapRows(
  path: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): readonly RowDraft[] {
  const shares = sharesOf(ingredients.read, undefined, context.options)
  const merged = isPartitioned(ingredients) ? undefined : mergedRow(path, shares, ingredients, context, nowMs)
  if (merged !== undefined) return [merged]
  const rows = indexRows(path, ingredients, context, nowMs)
  return context.options.routes.index === false ? rows : rows.slice(0, 1)
}

/** `/sitemap_{locale}.xml`: as `/sitemap.xml`, for one locale. */
export function localeRows(
  locale: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): readonly RowDraft[] {
  const path = localePath(locale, 'xml')
  const shares = sharesOf(ingredients.read, locale, context.options)
  const merged = mergedRow(path, shares, ingredients, context, nowMs)
  if (merged !== undefined) return [merged]
  return rowsOf(path, ingredients, listParts(ingredients, locale, context, nowMs), context)
}

/** Locales whose own document is an index: no index may name it (SPEC I14), so robots.txt does. */
export function splitLocales(
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): readonly string[] {
  return context.options.i18n.locales.filter(
    (locale) => !isMerged(sharesOf(ingredients.read, locale, context.options), context, nowMs),
  )
}

/** Whether the entries of `shares` stand in one urlset: within the limits of a part, and few enough to be told apart. */
function isMerged(shares: readonly Share[], context: TableContext, nowMs: number): boolean {
  return fits(shares, context) && joinXml(shares, nowMs) !== undefined
}

function fits(shares: readonly Share[], { options, frameBytes }: TableContext): boolean {
  const parts = shares.flatMap(({ cut }) => cut.parts.filter(({ xml }) => xml !== undefined))
  const namespaces = parts.reduce((all, part) => all | part.namespaces, 0)
  const bytes = parts.reduce((sum, { xml }) => sum + (xml?.checksum.bytes ?? 0), frameBytes(namespaces))
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  // Aged articles count too: whether a site is split does not depend on the clock (SPEC E50).
  const news = parts.reduce((sum, part) => sum + part.news.length, 0)
  return count <= options.limit && bytes <= options.maxBytes && news <= MOST_NEWS
}

/** Undefined where the shares do not fit one part, or an empty one is 404: then the index decides alike. */
function mergedRow(
  path: string,
  shares: readonly Share[],
  { shelves, incomplete }: Ingredients,
  context: TableContext,
  nowMs: number,
): RowDraft | undefined {
  if (!fits(shares, context)) return undefined
  if (context.options.onEmpty === 404 && shares.every(({ cut }) => cut.count === 0)) return undefined
  const joined = joinXml(shares, nowMs)
  if (joined === undefined) return undefined
  return { ...urlset(path, joined, context), shelves, incomplete }
}

/** A part's own urlset; of a section without entries an empty one. */
export function urlsetPartRow(
  path: string,
  shelves: readonly Shelf[],
  part: Part | undefined,
  newsOnly: boolean,
  context: TableContext,
  nowMs: number,
): RowDraft {
  const writes = part === undefined ? undefined : writesOf(part, newsOnly, nowMs)
  const pieces =
    part?.xml === undefined
      ? []
      : [{ blob: part.xml, blockCounts: part.blockCounts, skip: writes?.skip, bare: writes?.bare }]
  const { namespaces = 0, nextMs } = writes ?? {}
  return { ...urlset(path, { pieces, namespaces, nextMs }, context), shelves }
}

/** A row without its shelves. */
function urlset(
  path: string,
  { pieces, namespaces, nextMs }: Joined,
  context: TableContext,
): Omit<RowDraft, 'shelves'> {
  const frame = context.frame(namespaces)
  return {
    ...PLAIN_ROW,
    path,
    kind: 'urlset',
    mediaType: MEDIA_TYPES.xml,
    digest: digestOfAll(VERSION, 'urlset', frame.head, ...digestsOf(pieces)),
    expiresAtMs: nextMs,
    source: { type: 'blobs', ...frame, pieces },
  }
}

/** A part's own text. */
export function txtPartRow(path: string, shelves: readonly Shelf[], part: Part | undefined): RowDraft {
  const pieces = part?.txt === undefined ? [] : [blobPiece(part, part.txt)]
  return {
    ...PLAIN_ROW,
    path,
    kind: 'txt',
    mediaType: MEDIA_TYPES.txt,
    digest: digestOfAll(VERSION, 'txt', ...digestsOf(pieces)),
    shelves,
    source: { type: 'blobs', head: '', tail: '', pieces },
  }
}

/** `/sitemap.txt`: everything while it fits one part, else the entries of the first part. */
export function txtRow(
  path: string,
  { read, shelves, incomplete }: Ingredients,
  context: TableContext,
): RowDraft | undefined {
  const shares = sharesOf(read, undefined, context.options)
  const parts = shares.flatMap(({ cut }) => cut.parts.filter(({ txt }) => txt !== undefined))
  const isWhole = !read.some(({ snapshot }) => snapshot.list !== undefined) && fitsTxt(parts, context)
  if (parts.length === 0 && (context.options.onEmpty === 404 || !isWhole)) return undefined
  const pieces =
    (isWhole ? joinTxt(shares) : undefined) ??
    parts.slice(0, 1).flatMap((part) => (part.txt === undefined ? [] : [blobPiece(part, part.txt)]))
  return {
    ...PLAIN_ROW,
    path,
    kind: 'txt',
    mediaType: MEDIA_TYPES.txt,
    digest: digestOfAll(VERSION, 'txt', ...digestsOf(pieces)),
    shelves,
    incomplete,
    source: { type: 'blobs', head: '', tail: '', pieces },
  }
}

/** Paths of the text parts of sections that are read whole, where the text of the site does not stand in one document. */
export function splitTxtPaths(ingredients: Ingredients, context: TableContext): readonly string[] {
  const shares = sharesOf(ingredients.read, undefined, context.options)
  const parts = shares.flatMap(({ cut: { parts: own } }) => own.filter(({ txt }) => txt !== undefined))
  const isWhole = partitionTexts(ingredients, context).length === 0
  if (isWhole && fitsTxt(parts, context) && joinTxt(shares) !== undefined) return []
  return shares.flatMap(({ section, cut: { parts: own, locale } }) =>
    own.flatMap(({ txt }, i) => (txt === undefined ? [] : [partPath(section, i + 1, 'txt', locale)])),
  )
}

/** Path of the first part that a partition has as text. */
export function firstPartitionText(ingredients: Ingredients, context: TableContext): string | undefined {
  for (const { section, piece } of partitionTexts(ingredients, context))
    for (const { path } of partsOfPiece(section, piece, 'txt')) return path
  return undefined
}

/** Partitions that have a text each. */
export function partitionTexts(
  { read }: Ingredients,
  { options, partitionsOf }: TableContext,
): readonly { readonly section: string; readonly piece: Piece }[] {
  return read
    .filter(({ shelf }) => takesPart(options, shelf.provider).txt)
    .flatMap(({ shelf }) =>
      (partitionsOf(shelf)?.pieces ?? [])
        .filter(({ total }) => total > 0)
        .map((piece) => ({ section: shelf.section, piece })),
    )
}

function fitsTxt(parts: readonly Part[], { options }: TableContext): boolean {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const bytes = parts.reduce((sum, { txt }) => sum + (txt?.checksum.bytes ?? 0), 0)
  return count <= options.limit && bytes <= options.maxBytes
}

function blobPiece(part: Part, blob: NonNullable<Part['txt']>) {
  return { blob, blockCounts: part.blockCounts, skip: undefined, bare: undefined }
}
