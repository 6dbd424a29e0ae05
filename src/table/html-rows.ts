import { digestOfAll } from '../digest.ts'
import type { Card } from '../entry/entry.ts'
import type { HtmlSection } from '../formats/format.ts'
import { renderHtmlPage } from '../formats/html.ts'
import { MEDIA_TYPES } from '../http/media-types.ts'
import { readCard } from '../shelves/card-line.ts'
import type { Blob } from '../shelves/cut.ts'
import type { Shelf } from '../shelves/shelf.ts'
import type { Snapshot } from '../shelves/snapshot.ts'
import { VERSION } from '../version.ts'
import { partPath } from './paths.ts'
import type { RowDraft } from './rows.ts'
import type { TableContext } from './table.ts'

/** Pages of one section: `/sitemap-{section}-{n}.html`, n counting pages of `html.pageSize` entries. */
export function htmlSectionRows(shelf: Shelf, snapshot: Snapshot, context: TableContext): RowDraft[] {
  const { pages } = snapshot
  const { pageSize } = context.options.html
  return pages.map((digest, index) => ({
    path: partPath(shelf.section, index + 1, 'html'),
    kind: 'html',
    mediaType: MEDIA_TYPES.html,
    digest: digestOfAll(
      VERSION,
      'page',
      context.htmlDigest,
      shelf.provider.title,
      snapshot.count,
      pages.length,
      digest,
    ),
    expiresAtMs: undefined,
    shelves: [shelf],
    incomplete: false,
    source: {
      type: 'text',
      blobs: blobsOfPage(snapshot, index * pageSize, pageSize),
      render: async () =>
        renderHtmlPage({
          ...context.htmlFrame,
          sections: [
            section(shelf, snapshot, await readCards(snapshot, index * pageSize, pageSize), undefined),
          ],
          paging: {
            page: index + 1,
            pages: pages.length,
            href: (page) => context.publicPath(partPath(shelf.section, page, 'html')),
            startHref: startHref(context),
          },
        }),
    },
  }))
}

/** `/sitemap.html`: the whole site while it fits one page, else the list of sections, the short ones with their entries. */
export function htmlStartRow(
  path: string,
  shelves: readonly Shelf[],
  incomplete: boolean,
  context: TableContext,
): RowDraft {
  const read = shelves.flatMap((shelf) =>
    shelf.snapshot === undefined || shelf.snapshot.count === 0 ? [] : [{ shelf, snapshot: shelf.snapshot }],
  )
  const listed = read.map(({ shelf, snapshot }) => ({ shelf, snapshot, isOpen: true }))
  // Not the whole site: the short sections still show what they hold, the long ones link to their own pages.
  let left = context.options.html.pageSize
  if (read.reduce((sum, { snapshot }) => sum + snapshot.count, 0) > left) {
    for (const item of listed) {
      item.isOpen = item.snapshot.count <= SHORT_SECTION && item.snapshot.count <= left
      if (item.isOpen) left -= item.snapshot.count
    }
  }
  const facts = listed.flatMap(({ shelf, snapshot, isOpen }) => [
    shelf.section,
    shelf.provider.title,
    snapshot.count,
    isOpen,
    ...(isOpen ? snapshot.pages : []),
  ])
  return {
    path,
    kind: 'html',
    mediaType: MEDIA_TYPES.html,
    digest: digestOfAll(VERSION, 'start', context.htmlDigest, ...facts),
    expiresAtMs: undefined,
    shelves,
    incomplete,
    source: {
      type: 'text',
      blobs: listed.flatMap(({ snapshot, isOpen }) => (isOpen ? blobsOf(snapshot) : [])),
      render: async () => {
        const sections: HtmlSection[] = []
        for (const { shelf, snapshot, isOpen } of listed) {
          const cards = isOpen ? await readCards(snapshot, 0, snapshot.count) : []
          const href = isOpen ? undefined : context.publicPath(partPath(shelf.section, 1, 'html'))
          sections.push(section(shelf, snapshot, cards, href))
        }
        return renderHtmlPage({ ...context.htmlFrame, sections })
      },
    },
  }
}

/** Entries that a section may have to be shown on the start page of a site that does not fit one page. */
const SHORT_SECTION = 100

function startHref({ options, publicPath }: TableContext): string | undefined {
  return options.routes.html === false ? undefined : publicPath(options.routes.html)
}

function section(
  shelf: Shelf,
  snapshot: Snapshot,
  cards: readonly Card[],
  href: string | undefined,
): HtmlSection {
  return { key: shelf.section, title: shelf.provider.title, total: snapshot.count, cards, href }
}

/** The blobs of the parts that a page's entries lie in. */
function blobsOfPage(snapshot: Snapshot, from: number, count: number): Blob[] {
  const blobs: Blob[] = []
  let at = 0
  for (const { count: entries, txt, cards } of snapshot.parts) {
    if (at >= from + count) break
    if (at + entries > from) for (const blob of [txt, cards]) if (blob !== undefined) blobs.push(blob)
    at += entries
  }
  return blobs
}

function blobsOf(snapshot: Snapshot): Blob[] {
  return snapshot.parts.flatMap(({ txt, cards }) => [txt, cards]).filter((blob) => blob !== undefined)
}

/** The cards of `count` entries from number `from` on, inflating only the blocks they lie in. */
async function readCards(snapshot: Snapshot, from: number, count: number): Promise<Card[]> {
  const cards: Card[] = []
  let at = 0
  for (const part of snapshot.parts) {
    for (const [i, entries] of part.blockCounts.entries()) {
      if (at < from + count && at + entries > from) {
        const [locs = [], lines = []] = await Promise.all(
          [part.txt, part.cards].map(async (blob) =>
            (await blob?.blocks[i]?.raw())?.toString('utf8').split('\n'),
          ),
        )
        for (let n = Math.max(0, from - at); n < Math.min(entries, from + count - at); n++)
          cards.push(readCard(locs[n] ?? '', lines[n] ?? ''))
      }
      at += entries
    }
  }
  return cards
}
