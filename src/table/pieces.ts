import { NEWS_NAMESPACE } from '../formats/urlset.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Part } from '../shelves/cut.ts'
import { isNews, nextNewsChange } from '../shelves/news.ts'
import type { LocaleCut } from '../shelves/snapshot.ts'
import type { ReadSection } from './context.ts'
import { findDuplicates } from './duplicates.ts'
import type { SourcePiece } from './rows.ts'
import { takesPart } from './takes-part.ts'

/** The part of a section that goes into one document, and how its news articles stand there. */
export interface Share {
  readonly section: string
  readonly cut: LocaleCut
  /** In XML only the entries that are news now are written. */
  readonly newsOnly: boolean
}

/** The shares of sections: of one locale, or of all where it is undefined. */
export function sharesOf(
  read: readonly ReadSection[],
  locale: string | undefined,
  options: ResolvedOptions,
): readonly Share[] {
  return read.flatMap(({ shelf, snapshot }) => {
    // Its parts are those of its partitions, and joined with nothing.
    if (snapshot.list !== undefined) return []
    const { newsOnly } = takesPart(options, shelf.provider)
    return snapshot.cuts
      .filter((cut) => locale === undefined || cut.locale === locale)
      .map((cut) => ({ section: shelf.section, cut, newsOnly }))
  })
}

/** How a part is written at an instant: time decides about its news articles (SPEC E60). */
export interface Writes {
  readonly skip: readonly number[] | undefined
  readonly bare: readonly number[] | undefined
  /** Entries that are written. */
  readonly count: number
  /** Articles that are written. */
  readonly news: number
  readonly namespaces: number
  /** When this changes; undefined where it never does again. */
  readonly nextMs: number | undefined
}

export function writesOf(part: Part, newsOnly: boolean, nowMs: number): Writes {
  const { count, namespaces, news } = part
  if (news.length === 0)
    return { skip: undefined, bare: undefined, count, news: 0, namespaces, nextMs: undefined }
  const out: number[] = []
  let nextMs: number | undefined
  for (const { entry, atMs } of news) {
    if (!isNews(atMs, nowMs)) out.push(entry)
    nextMs = earlier(nextMs, nextNewsChange(atMs, nowMs))
  }
  const written = news.length - out.length
  return {
    skip: newsOnly && out.length > 0 ? out : undefined,
    bare: !newsOnly && out.length > 0 ? out : undefined,
    count: newsOnly ? count - out.length : count,
    news: written,
    // Only what a document uses is declared.
    namespaces: written > 0 ? namespaces : namespaces & ~NEWS_NAMESPACE,
    nextMs,
  }
}

/** The earlier of two instants, where there is any. */
export function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Math.min(a, b)
}

/** A document of several parts' blobs. */
export interface Joined {
  readonly pieces: readonly SourcePiece[]
  readonly namespaces: number
  readonly nextMs: number | undefined
}

/**
 * The `<url>` lines of all shares in order, without the entries that an earlier one has; undefined where a share is too
 * large to be joined.
 */
export function joinXml(shares: readonly Share[], nowMs: number): Joined | undefined {
  const writes = new Map<Part, Writes>()
  for (const { cut, newsOnly } of shares)
    for (const part of cut.parts)
      if (part.xml !== undefined) writes.set(part, writesOf(part, newsOnly, nowMs))
  const duplicates = findDuplicates(
    shares.map(({ section, cut, newsOnly }) => ({
      section,
      cut,
      hidden: newsOnly ? hiddenOf(cut, writes) : undefined,
    })),
  )
  if (duplicates === undefined) return undefined
  let namespaces = 0
  let nextMs: number | undefined
  const pieces = shares.flatMap(({ cut }, i) =>
    inParts(cut, duplicates[i] ?? []).flatMap(({ part, numbers }) => {
      const how = writes.get(part)
      if (part.xml === undefined || how === undefined) return []
      namespaces |= how.namespaces
      nextMs = earlier(nextMs, how.nextMs)
      const skip = union(how.skip, numbers)
      return [{ blob: part.xml, blockCounts: part.blockCounts, skip, bare: how.bare }]
    }),
  )
  return { pieces, namespaces, nextMs }
}

/** The loc lines of all shares, as {@link joinXml}. */
export function joinTxt(shares: readonly Share[]): readonly SourcePiece[] | undefined {
  const duplicates = findDuplicates(shares.map(({ section, cut }) => ({ section, cut, hidden: undefined })))
  if (duplicates === undefined) return undefined
  return shares.flatMap(({ cut }, i) =>
    inParts(cut, duplicates[i] ?? []).flatMap(({ part, numbers }) =>
      part.txt === undefined
        ? []
        : [
            {
              blob: part.txt,
              blockCounts: part.blockCounts,
              skip: union(undefined, numbers),
              bare: undefined,
            },
          ],
    ),
  )
}

/** What names the bytes of pieces. */
export function digestsOf(pieces: readonly SourcePiece[]): string[] {
  return pieces.map(({ blob, skip, bare }) =>
    skip === undefined && bare === undefined
      ? blob.digest
      : `${blob.digest} ${skip?.join() ?? ''} ${bare?.join() ?? ''}`,
  )
}

/** Entries of a cut, by their number in it, shared out among its parts, counted anew in each. */
function inParts(
  cut: LocaleCut,
  numbers: readonly number[],
): readonly { readonly part: Part; readonly numbers: readonly number[] }[] {
  let from = 0
  let at = 0
  return cut.parts.map((part) => {
    const own: number[] = []
    for (; at < numbers.length && (numbers[at] ?? 0) < from + part.count; at++)
      own.push((numbers[at] ?? 0) - from)
    from += part.count
    return { part, numbers: own }
  })
}

function hiddenOf(cut: LocaleCut, writes: ReadonlyMap<Part, Writes>): ReadonlySet<number> {
  const hidden = new Set<number>()
  let from = 0
  for (const part of cut.parts) {
    for (const entry of writes.get(part)?.skip ?? []) hidden.add(from + entry)
    from += part.count
  }
  return hidden
}

function union(a: readonly number[] | undefined, b: readonly number[]): readonly number[] | undefined {
  if (b.length === 0) return a
  if (a === undefined) return b
  return [...new Set([...a, ...b])].sort((x, y) => x - y)
}
