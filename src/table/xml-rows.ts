import { digestOfAll } from '../digest.ts'
import type { IndexEntry } from '../formats/format.ts'
import { renderSitemapIndex } from '../formats/sitemapindex.ts'
import { MEDIA_TYPES } from '../http/media-types.ts'
import { MOST_NEWS, type Part } from '../shelves/cut.ts'
import { expectedParts } from '../shelves/partitions.ts'
import type { Shelf } from '../shelves/shelf.ts'
import { VERSION } from '../version.ts'
import type { Ingredients, TableContext } from './context.ts'
import { indexPath, localePath, partitionPath, partPath } from './paths.ts'
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

/** Entries of an index, and when time changes them. */
interface Listed {
  readonly entries: readonly IndexEntry[]
  readonly nextMs: number | undefined
}

/** SPEC I10. */
const MOST_LISTED = 50_000

/**
 * `/sitemap_index.xml`: every part that is not empty, or the one document of a locale in place of its parts (DESIGN 3,
 * paths); past 50,000 of them `/sitemap_index-2.xml` and so on.
 */
export function indexRows(
  path: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): readonly RowDraft[] {
  const { entries, nextMs } = listAll(ingredients, context, nowMs)
  const rows: RowDraft[] = []
  for (let from = 0, n = 1; from === 0 || from < entries.length; from += MOST_LISTED, n++) {
    const some = { entries: entries.slice(from, from + MOST_LISTED), nextMs }
    const row = indexOf(indexPath(path, n), ingredients, some, context)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

/** How many indexes there are. */
export function countIndexes(ingredients: Ingredients, context: TableContext, nowMs: number): number {
  return Math.max(1, Math.ceil(listAll(ingredients, context, nowMs).entries.length / MOST_LISTED))
}

/** The index at a path of its own: as far as one goes. */
function indexRow(
  path: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): RowDraft | undefined {
  const { entries, nextMs } = listAll(ingredients, context, nowMs)
  return indexOf(path, ingredients, { entries: entries.slice(0, MOST_LISTED), nextMs }, context)
}

function listAll(ingredients: Ingredients, context: TableContext, nowMs: number): Listed {
  const { locales } = context.options.i18n
  if (locales.length === 0) return listParts(ingredients, undefined, context, nowMs)
  const partitioned = { entries: listPartitions(ingredients, context), nextMs: undefined }
  const lists = locales.map((locale) => {
    const parts = listParts(ingredients, locale, context, nowMs)
    if (
      parts.entries.length === 0 ||
      !isMerged(sharesOf(ingredients.read, locale, context.options), context, nowMs)
    )
      return parts
    const lastmod = newestOf(
      sharesOf(ingredients.read, locale, context.options).flatMap(({ cut }) => cut.parts),
    )
    return { entries: [{ loc: context.publicUrl(localePath(locale, 'xml')), lastmod }], nextMs: parts.nextMs }
  })
  return {
    entries: [...lists, partitioned].flatMap(({ entries }) => entries),
    nextMs: lists.reduce<number | undefined>((next, list) => earlier(next, list.nextMs), undefined),
  }
}

/** The parts of partitions, from the list alone and what reading has taught: none of them is read for it. */
function listPartitions(
  { read }: Ingredients,
  { options, partitionsOf, publicUrl }: TableContext,
): IndexEntry[] {
  return read.flatMap(({ shelf, snapshot }) =>
    (snapshot.list?.partitions ?? []).flatMap((listed) => {
      const parts = partitionsOf(shelf)?.learned(listed.id)?.parts ?? expectedParts(listed, options.limit)
      return Array.from({ length: parts }, (_, i) => ({
        loc: publicUrl(partitionPath(shelf.section, listed.id, i + 1, 'xml')),
        lastmod: listed.lastmod?.text,
      }))
    }),
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
        : { entries: listPartitions({ ...ingredients, read: [one] }, context), nextMs: undefined },
    )
    return {
      entries: lists.flatMap((list) => list.entries),
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
  return { entries, nextMs }
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
  { entries, nextMs }: Listed,
  context: TableContext,
): RowDraft | undefined {
  if (entries.length === 0 && context.options.onEmpty === 404) return undefined
  const frame = context.indexFrame()
  return {
    ...PLAIN_ROW,
    path,
    kind: 'index',
    mediaType: MEDIA_TYPES.xml,
    digest: digestOfAll(VERSION, 'index', frame.head, JSON.stringify(entries)),
    expiresAtMs: nextMs,
    shelves,
    incomplete,
    source: { type: 'text', blobs: [], render: () => renderSitemapIndex(entries, frame) },
  }
}

/** `/sitemap.xml`: all entries in one urlset while they fit one part, else the index. */
export function sitemapRow(
  path: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): RowDraft | undefined {
  const shares = sharesOf(ingredients.read, undefined, context.options)
  const merged = isPartitioned(ingredients) ? undefined : mergedRow(path, shares, ingredients, context, nowMs)
  return merged ?? indexRow(path, ingredients, context, nowMs)
}

/** `/sitemap_{locale}.xml`: as `/sitemap.xml`, for one locale. */
export function localeRow(
  locale: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): RowDraft | undefined {
  const path = localePath(locale, 'xml')
  const shares = sharesOf(ingredients.read, locale, context.options)
  return (
    mergedRow(path, shares, ingredients, context, nowMs) ??
    indexOf(path, ingredients, listParts(ingredients, locale, context, nowMs), context)
  )
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
  const pieces = part?.txt === undefined ? [] : [plainPiece(part, part.txt)]
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
    parts.slice(0, 1).flatMap((part) => (part.txt === undefined ? [] : [plainPiece(part, part.txt)]))
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

/** Paths of the text parts, where they do not stand in one document. */
export function splitTxtPaths(ingredients: Ingredients, context: TableContext): readonly string[] {
  const shares = sharesOf(ingredients.read, undefined, context.options)
  const parts = shares.flatMap(({ cut }) => cut.parts.filter(({ txt }) => txt !== undefined))
  const ofPartitions = partitionTxtPaths(ingredients, context)
  if (ofPartitions.length === 0 && fitsTxt(parts, context) && joinTxt(shares) !== undefined) return []
  const whole = shares.flatMap(({ section, cut }) =>
    cut.parts.flatMap(({ txt }, i) =>
      txt === undefined ? [] : [partPath(section, i + 1, 'txt', cut.locale)],
    ),
  )
  return [...whole, ...ofPartitions]
}

function partitionTxtPaths(
  { read }: Ingredients,
  { options, partitionsOf }: TableContext,
): readonly string[] {
  return read
    .filter(({ shelf }) => takesPart(options, shelf.provider).txt)
    .flatMap(({ shelf, snapshot }) =>
      (snapshot.list?.partitions ?? []).flatMap((listed) => {
        const parts = partitionsOf(shelf)?.learned(listed.id)?.parts ?? expectedParts(listed, options.limit)
        return Array.from({ length: parts }, (_, i) => partitionPath(shelf.section, listed.id, i + 1, 'txt'))
      }),
    )
}

function fitsTxt(parts: readonly Part[], { options }: TableContext): boolean {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const bytes = parts.reduce((sum, { txt }) => sum + (txt?.checksum.bytes ?? 0), 0)
  return count <= options.limit && bytes <= options.maxBytes
}

function plainPiece(part: Part, blob: NonNullable<Part['txt']>) {
  return { blob, blockCounts: part.blockCounts, skip: undefined, bare: undefined }
}
