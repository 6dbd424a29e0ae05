import type { Shelf } from '../shelves/shelf.ts'
import type { Ingredients, ReadSection, TableContext } from './context.ts'
import { type FeedKind, feedRow } from './feed-rows.ts'
import { htmlPartitionRows, htmlSectionRows, htmlStartRow } from './html-rows.ts'
import { newsRows } from './news-rows.ts'
import {
  isIndexPath,
  isNewsPath,
  localePath,
  localeStartPath,
  partitionPath,
  partPath,
  readPartitionPath,
  readPartPath,
  sectionFeedPath,
} from './paths.ts'
import type { RowDraft } from './rows.ts'
import { llmsRow, profileRow, robotsRow } from './small-rows.ts'
import { type TakesPart, takesPart } from './takes-part.ts'
import { indexRows, localeRows, sitemapRows, txtPartRow, txtRow, urlsetPartRow } from './xml-rows.ts'

/** Makes the rows of some paths from some sections. */
export interface Producer {
  /** Sections whose snapshots it reads. */
  readonly shelves: readonly Shelf[]
  /** Whether a path is its own, be there a row or not. */
  readonly owns: (path: string) => boolean
  /** Sections, or partitions of them, that one of its paths needs, where these are not all its shelves. */
  readonly shelvesFor?: (path: string) => readonly (Shelf | Promise<Shelf>)[]
  /** Whether such a path is a document whatever the sections hold; else there may be none (a number past the last part). */
  readonly isDocument: (path: string) => boolean
  /** Rows at an instant; undefined while a section that is needed was never read. */
  readonly make: (nowMs: number) => readonly RowDraft[] | undefined
}

/** All producers of a site: each section's own documents, and those that join sections. */
export function createProducers(context: TableContext, shelves: readonly Shelf[]): readonly Producer[] {
  return [
    ...shelves.map((shelf) =>
      shelf.provider.partitioned === undefined
        ? sectionProducer(context, shelf)
        : partitionedProducer(context, shelf),
    ),
    ...composites(context, shelves),
  ]
}

/** Parts and pages of a section. */
function sectionProducer(context: TableContext, shelf: Shelf): Producer {
  const { options } = context
  const { locales } = options.i18n
  const { section } = shelf
  const takes = takesPart(options, shelf.provider)
  return {
    shelves: [shelf],
    owns(path) {
      const part = readPartPath(path, locales)
      return part?.section === section && takes[part.format]
    },
    isDocument: (path) =>
      (locales.length > 0 ? locales : [undefined]).some((locale) =>
        (['xml', 'txt', 'html'] as const).some((format) => path === partPath(section, 1, format, locale)),
      ),
    make: (nowMs) => sectionRows(context, shelf, takes, nowMs),
  }
}

function sectionRows(
  context: TableContext,
  shelf: Shelf,
  takes: TakesPart,
  nowMs: number,
): readonly RowDraft[] | undefined {
  const { snapshot, section } = shelf
  if (snapshot === undefined) return undefined
  const drafts: RowDraft[] = []
  for (const { parts, locale } of snapshot.cuts) {
    // Part 1 of a section without entries answers too, unless onEmpty says 404; the index does not name it.
    const listed = parts.length > 0 ? parts : context.options.onEmpty === 404 ? [] : [undefined]
    for (const [i, part] of listed.entries()) {
      if (takes.xml)
        drafts.push(
          urlsetPartRow(
            partPath(section, i + 1, 'xml', locale),
            [shelf],
            part,
            takes.newsOnly,
            context,
            nowMs,
          ),
        )
      if (takes.txt) drafts.push(txtPartRow(partPath(section, i + 1, 'txt', locale), [shelf], part))
    }
  }
  // Not pushed as arguments: there may be more pages than a call takes.
  return takes.html ? drafts.concat(htmlSectionRows(shelf, snapshot, context)) : drafts
}

/** The list of a section's partitions; their parts are made when they are read. */
function partitionedProducer(context: TableContext, shelf: Shelf): Producer {
  const { options, partitionsOf } = context
  const takes = takesPart(options, shelf.provider)
  return {
    shelves: [shelf],
    owns(path) {
      const part = readPartitionPath(path) ?? readListPath(path)
      return part?.section === shelf.section && takes[part.format]
    },
    isDocument: (path) => path === partPath(shelf.section, 1, 'html'),
    shelvesFor(path) {
      const part = readPartitionPath(path)
      if (shelf.snapshot === undefined || part === undefined) return [shelf]
      const partitions = partitionsOf(shelf)
      const listed = partitions?.find(part.partition)
      if (listed === undefined || partitions === undefined) return []
      // An invented part costs no call.
      if (part.number > Math.max(1, partitions.parts(listed))) return []
      const own = partitions.shelf(listed.id)
      return own === undefined ? [] : [own]
    },
    make: () =>
      shelf.snapshot === undefined ? undefined : htmlPartitionRows(shelf, shelf.snapshot, takes, context),
  }
}

/** A page of the list of partitions in HTML. */
function readListPath(path: string): { readonly section: string; readonly format: 'html' } | undefined {
  const part = readPartPath(path)
  return part?.format === 'html' ? { section: part.section, format: 'html' } : undefined
}

/** Parts of one partition that was read. */
export function partitionProducer(
  context: TableContext,
  section: Shelf,
  id: string,
  partition: Shelf,
): Producer {
  const takes = takesPart(context.options, section.provider)
  return {
    shelves: [partition],
    owns: () => false,
    isDocument: () => true,
    make(nowMs) {
      const { snapshot } = partition
      if (snapshot === undefined) return undefined
      const shelves = [section, partition]
      // Listed, and empty after all: it answers until it leaves the list.
      const parts = snapshot.parts.length > 0 ? snapshot.parts : [undefined]
      return parts.flatMap((part, i) => {
        const path = (format: 'xml' | 'txt'): string => partitionPath(section.section, id, i + 1, format)
        return [
          ...(takes.xml ? [urlsetPartRow(path('xml'), shelves, part, takes.newsOnly, context, nowMs)] : []),
          ...(takes.txt ? [txtPartRow(path('txt'), shelves, part)] : []),
        ]
      })
    },
  }
}

function composites(context: TableContext, shelves: readonly Shelf[]): readonly Producer[] {
  const { options } = context
  const { routes, i18n, llms } = options
  const having = (part: keyof TakesPart): readonly Shelf[] =>
    shelves.filter(({ provider }) => takesPart(options, provider)[part])
  const list: Producer[] = []
  const add = (
    path: string | false,
    of: readonly Shelf[],
    make: (path: string, ingredients: Ingredients, nowMs: number) => RowDraft | undefined,
  ): void => {
    if (path !== false) list.push(composite(path, of, (ingredients, nowMs) => make(path, ingredients, nowMs)))
  }

  const xml = having('xml')
  if (routes.sitemap !== false) addIndexes(routes.sitemap, sitemapRows)
  if (routes.index !== false) addIndexes(routes.index, indexRows)
  if (routes.sitemap !== false || routes.index !== false)
    for (const locale of i18n.locales)
      addIndexes(localePath(locale, 'xml'), (_path, ...rest) => localeRows(locale, ...rest))
  add(routes.txt, having('txt'), (path, from) => txtRow(path, from, context))
  for (const kind of ['rss', 'atom', 'json'] as const) addFeeds(kind)
  if (routes.html !== false)
    for (const locale of i18n.locales.length > 0 ? i18n.locales : [undefined])
      add(localeStartPath(locale, options), having('html'), (path, from) =>
        htmlStartRow(path, locale, from, context),
      )
  add(routes.llms, llmsShelves(having('cards'), llms.sections), (path, from) => llmsRow(path, from, context))
  if (routes.news !== false) list.push(newsProducer(routes.news, having('newsFile'), context))
  if (routes.robots !== false) list.push(robotsProducer(routes.robots, shelves, context))
  if (routes.profile !== false && routes.html !== false)
    list.push(profileProducer(routes.profile, having('html'), context))
  return list

  /** What may be an index, and then several. */
  function addIndexes(path: string, make: typeof indexRows): void {
    list.push({
      shelves: xml,
      owns: (asked) => isIndexPath(asked, path),
      isDocument: (asked) => asked === path,
      make(nowMs) {
        const ingredients = ingredientsOf(xml)
        return ingredients === undefined ? undefined : make(path, ingredients, context, nowMs)
      },
    })
  }

  function addFeeds(kind: FeedKind): void {
    const path = routes[kind]
    const fed = having('feed')
    add(path, fed, (at, from, nowMs) => feedRow(kind, at, undefined, from, context, nowMs))
    if (path !== false)
      for (const shelf of fed)
        add(sectionFeedPath(path, shelf.section), [shelf], (at, from, nowMs) =>
          feedRow(kind, at, shelf.section, from, context, nowMs),
        )
  }
}

function composite(
  path: string,
  shelves: readonly Shelf[],
  make: (ingredients: Ingredients, nowMs: number) => RowDraft | undefined,
): Producer {
  return {
    shelves,
    owns: (asked) => asked === path,
    isDocument: () => true,
    make(nowMs) {
      const ingredients = ingredientsOf(shelves)
      if (ingredients === undefined) return undefined
      const draft = make(ingredients, nowMs)
      return draft === undefined ? [] : [draft]
    },
  }
}

function newsProducer(path: string, shelves: readonly Shelf[], context: TableContext): Producer {
  return {
    shelves,
    owns: (asked) => isNewsPath(asked, path),
    isDocument: (asked) => asked === path,
    make(nowMs) {
      const ingredients = ingredientsOf(shelves)
      return ingredients === undefined ? undefined : newsRows(path, ingredients, context, nowMs)
    },
  }
}

/** Made of what is there: robots.txt must not wait for a provider (SPEC X4). */
function robotsProducer(path: string, shelves: readonly Shelf[], context: TableContext): Producer {
  return {
    shelves,
    owns: (asked) => asked === path,
    isDocument: () => true,
    make: (nowMs) => [robotsRow(path, whatIsThere(shelves), context, nowMs)],
  }
}

function profileProducer(path: string, shelves: readonly Shelf[], context: TableContext): Producer {
  return {
    shelves,
    // Until something was read nobody can say whether there is a profile; nobody needs it before either.
    owns: () => false,
    isDocument: () => false,
    make() {
      const draft = profileRow(path, whatIsThere(shelves), context)
      return draft === undefined ? [] : [draft]
    },
  }
}

function llmsShelves(shelves: readonly Shelf[], sections: readonly string[] | undefined): readonly Shelf[] {
  if (sections === undefined) return shelves
  return sections.flatMap((section) => shelves.filter((shelf) => shelf.section === section))
}

/** Undefined while a section that is not optional was never read: never a part of the truth. */
function ingredientsOf(shelves: readonly Shelf[]): Ingredients | undefined {
  const there = whatIsThere(shelves)
  const isMissing = (shelf: Shelf): boolean => shelf.snapshot === undefined && !shelf.provider.optional
  if (shelves.some(isMissing)) return undefined
  // Nothing was read at all: an empty document would say that there are no pages.
  if (there.read.length === 0 && shelves.length > 0) return undefined
  return there
}

/** What was read of the sections so far. */
export function whatIsThere(shelves: readonly Shelf[]): Ingredients {
  const read: ReadSection[] = shelves.flatMap((shelf) =>
    shelf.snapshot === undefined ? [] : [{ shelf, snapshot: shelf.snapshot }],
  )
  return { shelves, read, incomplete: read.length < shelves.length }
}
