import type { Clock } from '../clock.ts'
import { digestOfAll } from '../digest.ts'
import type { HtmlPage, SiteFacts } from '../formats/format.ts'
import type { Frame } from '../formats/frames.ts'
import type { ResolvedOptions } from '../options.ts'
import type { FormatName } from '../providers/provider.ts'
import type { Shelf } from '../shelves/shelf.ts'
import {
  type Ingredients,
  indexRow,
  partRow,
  rssRow,
  sitemapRow,
  stylesheetRow,
  txtRow,
} from './composite.ts'
import { htmlSectionRows, htmlStartRow } from './html-rows.ts'
import { partPath, STYLESHEET_PATH } from './paths.ts'
import { completeRow, type Row, type RowDraft } from './rows.ts'

/** What rows are made with. */
export interface TableContext {
  readonly options: ResolvedOptions
  readonly site: SiteFacts
  readonly publicUrl: (path: string) => string
  /** Path of one of our documents as the public sees it. */
  readonly publicPath: (path: string) => string
  readonly frame: (namespaces: number) => Frame
  readonly frameBytes: (namespaces: number) => number
  /** What all HTML pages have in common, and its digest. */
  readonly htmlFrame: Omit<HtmlPage, 'sections' | 'paging'>
  readonly htmlDigest: string
}

/** Maps each path of a site to what it is made of. Rows follow a published snapshot at once and without I/O. */
export interface SiteTable {
  row(path: string): Row | undefined
  /** Sections a composite path needs, whether or not it has a row yet; undefined for any other path. */
  needs(path: string): readonly Shelf[] | undefined
  /** Builds the rows that read this shelf. */
  publish(shelf: Shelf): void
  /** The row made anew, now that its time has come. */
  expire(row: Row): Row | undefined
  /** The next instant at which time alone changes a row. */
  nextExpiryMs(): number | undefined
  /** Makes anew every row whose time has come. */
  expireDue(): void
}

/** Longer than the second that Last-Modified tells apart. */
const GONE_KEPT_MS = 2_000

interface Composite {
  readonly path: string
  readonly shelves: readonly Shelf[]
  readonly make: (ingredients: Ingredients, nowMs: number) => RowDraft | undefined
}

export function createSiteTable(context: TableContext, shelves: readonly Shelf[], clock: Clock): SiteTable {
  const { routes } = context.options
  const rows = new Map<string, Row>()
  /** Rows that went within the last moments, in order: what comes back within one second must not claim to be unchanged. */
  const gone = new Map<string, number>()
  const ofSection = new Map<Shelf, readonly string[]>()
  const composites = listComposites(context, shelves)
  const hasXml = routes.sitemap !== false || routes.index !== false

  if (routes.html !== false && context.options.html.stylesheet === undefined)
    put(stylesheetRow(STYLESHEET_PATH), clock.now())
  // A document of no section, or of optional ones only, is complete from the start.
  for (const composite of composites) publishComposite(composite, clock.now())

  function put(draft: RowDraft, nowMs: number): void {
    rows.set(draft.path, completeRow(draft, rows.get(draft.path), nowMs, gone.get(draft.path)))
    gone.delete(draft.path)
  }

  function remove(path: string, nowMs: number): void {
    const row = rows.get(path)
    if (row === undefined) return
    rows.delete(path)
    for (const [old, changedAtMs] of gone) if (nowMs - changedAtMs > GONE_KEPT_MS) gone.delete(old)
    gone.set(path, row.changedAtMs)
  }

  function publish(shelf: Shelf): void {
    const nowMs = clock.now()
    publishSection(shelf, nowMs)
    for (const composite of composites)
      if (composite.shelves.includes(shelf)) publishComposite(composite, nowMs)
  }

  function publishSection(shelf: Shelf, nowMs: number): void {
    const drafts = sectionRows(shelf)
    const paths = drafts.map(({ path }) => path)
    const kept = new Set(paths)
    for (const path of ofSection.get(shelf) ?? []) if (!kept.has(path)) remove(path, nowMs)
    ofSection.set(shelf, paths)
    for (const draft of drafts) put(draft, nowMs)
  }

  function sectionRows(shelf: Shelf): RowDraft[] {
    const { snapshot, section, provider } = shelf
    if (snapshot === undefined) return []
    const { formats } = provider
    const drafts: RowDraft[] = []
    // Part 1 of a section without entries answers too, unless onEmpty says 404; the index does not name it.
    const parts =
      snapshot.parts.length > 0 ? snapshot.parts : context.options.onEmpty === 404 ? [] : [undefined]
    for (const [i, part] of parts.entries()) {
      if (hasXml && formats.has('xml'))
        drafts.push(partRow(partPath(section, i + 1, 'xml'), 'urlset', shelf, part, context))
      if (routes.txt !== false && formats.has('txt'))
        drafts.push(partRow(partPath(section, i + 1, 'txt'), 'txt', shelf, part, context))
    }
    if (routes.html !== false && formats.has('html'))
      drafts.push(...htmlSectionRows(shelf, snapshot, context))
    return drafts
  }

  function publishComposite(composite: Composite, nowMs: number): void {
    const ingredients = ingredientsOf(composite.shelves)
    const draft = ingredients === undefined ? undefined : composite.make(ingredients, nowMs)
    if (draft === undefined) remove(composite.path, nowMs)
    else put(draft, nowMs)
  }

  return {
    row: (path) => rows.get(path),
    needs: (path) => composites.find((composite) => composite.path === path)?.shelves,
    publish,
    expire(row) {
      const composite = composites.find(({ path }) => path === row.path)
      if (composite !== undefined) publishComposite(composite, clock.now())
      return rows.get(row.path)
    },
    nextExpiryMs() {
      const instants = composites.flatMap(({ path }) => rows.get(path)?.expiresAtMs ?? [])
      return instants.length > 0 ? Math.min(...instants) : undefined
    },
    expireDue() {
      const nowMs = clock.now()
      for (const composite of composites)
        if ((rows.get(composite.path)?.expiresAtMs ?? Number.POSITIVE_INFINITY) <= nowMs)
          publishComposite(composite, nowMs)
    },
  }
}

function listComposites(context: TableContext, shelves: readonly Shelf[]): Composite[] {
  const { routes, feed } = context.options
  const having = (format: FormatName): Shelf[] =>
    shelves.filter(({ provider }) => provider.formats.has(format))
  const list: Composite[] = []
  const add = (
    path: string | false,
    of: readonly Shelf[],
    make: (path: string, ingredients: Ingredients, nowMs: number) => RowDraft | undefined,
  ): void => {
    if (path !== false)
      list.push({ path, shelves: of, make: (ingredients, nowMs) => make(path, ingredients, nowMs) })
  }
  add(routes.sitemap, having('xml'), (path, ingredients) => sitemapRow(path, ingredients, context))
  add(routes.index, having('xml'), (path, ingredients) => indexRow(path, ingredients, context))
  add(routes.txt, having('txt'), (path, ingredients) => txtRow(path, ingredients, context))
  add(
    routes.rss,
    having('feed').filter(({ section }) => feed.sections?.has(section) ?? true),
    (path, ingredients, nowMs) => rssRow(path, ingredients, context, nowMs),
  )
  add(routes.html, having('html'), (path, { shelves: of, incomplete }) =>
    htmlStartRow(path, of, incomplete, context),
  )
  return list
}

/** Undefined while a section that is not optional was never read: never a part of the truth. */
function ingredientsOf(shelves: readonly Shelf[]): Ingredients | undefined {
  const read: { shelf: Shelf; snapshot: NonNullable<Shelf['snapshot']> }[] = []
  for (const shelf of shelves) {
    if (shelf.snapshot !== undefined) read.push({ shelf, snapshot: shelf.snapshot })
    else if (!shelf.provider.optional) return undefined
  }
  // Nothing was read at all: an empty document would say that there are no pages.
  if (read.length === 0 && shelves.length > 0) return undefined
  return { shelves, read, incomplete: read.length < shelves.length }
}

/** The common part of all HTML pages and its digest. */
export function htmlFrameOf(
  options: ResolvedOptions,
  site: SiteFacts,
  publicPath: (path: string) => string,
  publicUrl: (path: string) => string,
): Pick<TableContext, 'htmlFrame' | 'htmlDigest'> {
  const { routes, html } = options
  const xml = routes.sitemap || routes.index
  const htmlFrame = {
    site,
    stylesheet: html.stylesheet === false ? undefined : (html.stylesheet ?? publicPath(STYLESHEET_PATH)),
    rssUrl: routes.rss === false ? undefined : publicUrl(routes.rss),
    xmlUrl: xml === false ? undefined : publicUrl(xml),
  }
  return {
    htmlFrame,
    // Numbers and dates on the page are written by ICU, whose versions differ.
    htmlDigest: digestOfAll(
      process.versions.icu,
      JSON.stringify(htmlFrame),
      publicPath(routes.html || '/'),
      html.pageSize,
    ),
  }
}
