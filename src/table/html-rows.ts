import { digestOfAll } from '../digest.ts'
import type { Card } from '../entry/entry.ts'
import { renderHtmlPage, toTemplatePage } from '../formats/html.ts'
import { DOCUMENT_TYPES } from '../formats/html-model.ts'
import type { BesideDocument, HtmlPage, HtmlSection, PageLanguage } from '../formats/html-page.ts'
import { MEDIA_TYPES } from '../http/media-types.ts'
import type { Shelf } from '../shelves/shelf.ts'
import type { LocaleCut, Snapshot } from '../shelves/snapshot.ts'
import { VERSION } from '../version.ts'
import { cardBlobs, readCards } from './cards.ts'
import type { Ingredients, TableContext } from './context.ts'
import { localeStartPath, partitionPath, partPath, STYLESHEET_PATH } from './paths.ts'
import { PLAIN_ROW, type RowDraft, type Source } from './rows.ts'
import type { TakesPart } from './takes-part.ts'

/** Pages of one section: `/sitemap-{section}-{n}.html`, n counting pages of `html.pageSize` entries; those of each locale apart. */
export function htmlSectionRows(shelf: Shelf, snapshot: Snapshot, context: TableContext): RowDraft[] {
  const { pageSize } = context.options.html
  return snapshot.cuts.flatMap((cut) => {
    const { pages, locale } = cut
    const frame = frameOf(locale, snapshot.profiled, context)
    const start = startHref(locale, context)
    const href = (number: number): string => context.publicPath(pathOf(number))
    const pathOf = (page: number): string => partPath(shelf.section, page, 'html', locale)
    const languagesAt = (path: string): readonly PageLanguage[] =>
      sectionLanguages(shelf, snapshot, cut, path, context)
    // All that the pages say beside their entries and their own number and path. Hashed once: there may be thousands.
    const common = digestOfAll(
      'html',
      frame.digest,
      // Sections may hold equal entries; their pages link to their own.
      pathOf(1),
      shelf.provider.title,
      cut.count,
      pages.length,
      start,
      JSON.stringify(languagesAt(pathOf(1))),
    )
    return pages.map((digest, index) => {
      const path = pathOf(index + 1)
      const own = {
        languages: languagesAt(path),
        paging: { page: index + 1, pages: pages.length, href, startHref: start },
      }
      const from = index * pageSize
      return pageRow(
        path,
        frame,
        own,
        common + digest,
        [{ shelf, cut, href: undefined, from, count: pageSize }],
        [shelf],
        false,
        context,
      )
    })
  })
}

/** A partitioned section in HTML: the paged list of its partitions, each a link to its first part. */
export function htmlPartitionRows(
  shelf: Shelf,
  snapshot: Snapshot,
  takes: TakesPart,
  context: TableContext,
): RowDraft[] {
  const { list } = snapshot
  if (list === undefined || !takes.html) return []
  const { shown } = list
  const { pageSize, template } = context.options.html
  const extension = takes.txt && !takes.xml ? 'txt' : 'xml'
  const pathOf = (page: number): string => partPath(shelf.section, page, 'html')
  const frame = frameOf(undefined, false, context)
  return list.pages.map((digest, index) => {
    const page = {
      ...frame.page,
      languages: [],
      paging: {
        page: index + 1,
        pages: list.pages.length,
        href: (number: number) => context.publicPath(pathOf(number)),
        startHref: startHref(undefined, context),
      },
    }
    const facts = { key: shelf.section, title: shelf.provider.title, total: shown.length }
    return {
      ...PLAIN_ROW,
      path: pathOf(index + 1),
      kind: 'html',
      mediaType: MEDIA_TYPES.html,
      digest: digestOfAll(
        VERSION,
        'partitions',
        process.versions.icu,
        JSON.stringify([page, facts]),
        context.publicUrl(''),
        extension,
        digest,
      ),
      shelves: [shelf],
      unsettled: template !== undefined,
      source: {
        type: 'text',
        blobs: () => [],
        render() {
          const cards: Card[] = shown.slice(index * pageSize, (index + 1) * pageSize).map((one) => ({
            loc: context.publicUrl(partitionPath(shelf.section, one.id, 1, extension)),
            title: one.title ?? one.id,
            ...(one.lastmod === undefined ? {} : { lastmod: one.lastmod.text }),
          }))
          return written({ ...page, sections: [{ ...facts, cards }] }, context)
        },
      },
    }
  })
}

/**
 * The start page of the site, or of one locale: all entries while they fit one page, else the list of sections, the
 * short ones with their entries.
 */
export function htmlStartRow(
  path: string,
  locale: string | undefined,
  { read, shelves, incomplete }: Ingredients,
  context: TableContext,
): RowDraft {
  // Of a partitioned section only its list is shown: what its cuts hold is for feeds.
  const whole = read.filter(({ snapshot }) => snapshot.list === undefined)
  const listed = whole.flatMap(({ shelf, snapshot }) =>
    snapshot.cuts
      .filter((cut) => cut.locale === locale && cut.count > 0)
      .map((cut) => ({ shelf, cut, isOpen: true })),
  )
  const lists = read.flatMap(({ shelf, snapshot: { list } }) =>
    list === undefined || list.shown.length === 0 ? [] : [{ shelf, total: list.shown.length }],
  )
  // Not the whole site: the short sections still show what they hold, the long ones link to their own pages.
  let left = context.options.html.pageSize
  if (listed.reduce((sum, { cut }) => sum + cut.count, 0) > left) {
    for (const item of listed) {
      item.isOpen = item.cut.count <= SHORT_SECTION && item.cut.count <= left
      if (item.isOpen) left -= item.cut.count
    }
  }
  const facts = listed.flatMap(({ shelf, cut, isOpen }) => [
    shelf.section,
    shelf.provider.title,
    cut.count,
    isOpen,
    ...(isOpen ? cut.pages : []),
  ])
  const shown = listed.map(({ shelf, cut, isOpen }) => ({
    shelf,
    cut,
    href: isOpen ? undefined : context.publicPath(partPath(shelf.section, 1, 'html', locale)),
    from: 0,
    count: isOpen ? cut.count : 0,
  }))
  facts.push(...lists.flatMap(({ shelf, total }) => [shelf.section, shelf.provider.title, total]))
  const partitioned = lists.map(({ shelf, total }) => ({
    key: shelf.section,
    title: shelf.provider.title,
    total,
    cards: [],
    href: context.publicPath(partPath(shelf.section, 1, 'html')),
  }))
  const profiled = read.some(({ snapshot }) => snapshot.profiled)
  const own = { languages: startLanguages(context), paging: undefined }
  const frame = frameOf(locale, profiled, context)
  const digest = digestOfAll('html', frame.digest, JSON.stringify(own), ...facts)
  return pageRow(path, frame, own, digest, shown, shelves, incomplete, context, partitioned)
}

/** Entries that a section may have to be shown on the start page of a site that does not fit one page. */
const SHORT_SECTION = 100

/** A section on a page: `count` of its entries from `from` on, or a link to its own pages. */
interface Shown {
  readonly shelf: Shelf
  readonly cut: LocaleCut
  readonly href: string | undefined
  readonly from: number
  readonly count: number
}

function pageRow(
  path: string,
  frame: PageFrame,
  own: Pick<HtmlPage, 'languages' | 'paging'>,
  digest: string,
  shown: readonly Shown[],
  shelves: readonly Shelf[],
  incomplete: boolean,
  context: TableContext,
  more: readonly HtmlSection[] = [],
): RowDraft {
  const { template } = context.options.html
  return {
    path,
    kind: 'html',
    mediaType: MEDIA_TYPES.html,
    digest,
    // Not by spreading PLAIN_ROW, which takes ten times as long: there may be thousands.
    expiresAtMs: undefined,
    shelves,
    incomplete,
    link: frame.link,
    unsettled: template !== undefined,
    source: pageSource(frame, own, shown, more, context),
  }
}

function pageSource(
  frame: PageFrame,
  own: Pick<HtmlPage, 'languages' | 'paging'>,
  shown: readonly Shown[],
  more: readonly HtmlSection[],
  context: TableContext,
): Source {
  return {
    type: 'text',
    blobs: () => shown.flatMap(({ cut, from, count }) => cardBlobs(cut, from, count)),
    async render() {
      const sections: HtmlSection[] = []
      for (const { shelf, cut, href, from, count } of shown) {
        const cards = count === 0 ? [] : await readCards(cut, from, count)
        sections.push(sectionOf(shelf, cut, cards, href))
      }
      return written({ ...frame.page, ...own, sections: [...sections, ...more] }, context)
    },
  }
}

/** The page by the user's template, or by ours. */
function written(page: HtmlPage, { options, templateFailed }: TableContext): string {
  const { template } = options.html
  if (template === undefined) return renderHtmlPage(page)
  try {
    const html: unknown = template(toTemplatePage(page))
    if (typeof html === 'string') return html
    throw new TypeError(`html.template gave ${typeof html}: expected text`)
  } catch (error) {
    // A slip in a template must not take the page away: ours says the same.
    templateFailed(error)
    return renderHtmlPage(page)
  }
}

function sectionOf(
  shelf: Shelf,
  cut: LocaleCut,
  cards: readonly Card[],
  href: string | undefined,
): HtmlSection {
  return { key: shelf.section, title: shelf.provider.title, total: cut.count, cards, href }
}

/** What the pages of a locale have in common. */
interface PageFrame {
  readonly page: Omit<HtmlPage, 'sections' | 'paging' | 'languages'>
  readonly digest: string
  /** Value of the header Link. */
  readonly link: string
}

function frameOf(locale: string | undefined, profiled: boolean, context: TableContext): PageFrame {
  const { options, publicPath, site } = context
  const { html } = options
  const page: PageFrame['page'] = {
    site,
    language: locale ?? site.language,
    stylesheet: html.stylesheet === false ? undefined : (html.stylesheet ?? publicPath(STYLESHEET_PATH)),
    documents: documentsBeside(context),
    profileUri: profiled ? profileUri(context) : undefined,
    head: html.head,
    strings: html.strings,
  }
  const feeds = page.documents.filter(({ kind }) => kind !== 'xml')
  return {
    page,
    // Numbers and dates on the page are written by ICU, whose versions differ.
    digest: digestOfAll(VERSION, process.versions.icu, JSON.stringify(page)),
    link: [
      ...feeds.map(({ kind, url }) => `<${url}>; rel="alternate"; type="${DOCUMENT_TYPES[kind]}"`),
      ...(page.profileUri === undefined ? [] : [`<${page.profileUri}>; rel="profile"`]),
    ].join(', '),
  }
}

function documentsBeside({ options: { routes }, publicUrl }: TableContext): readonly BesideDocument[] {
  const beside: BesideDocument[] = []
  const add = (kind: BesideDocument['kind'], path: string | false): void => {
    if (path !== false) beside.push({ kind, url: publicUrl(path) })
  }
  add('rss', routes.rss)
  add('atom', routes.atom)
  add('json', routes.json)
  add('xml', routes.sitemap || routes.index)
  return beside
}

/** URI of the document that says what the robots-* classes mean (SPEC H31); S4 ends it with `#`. */
export function profileUri({ options, publicUrl }: TableContext): string | undefined {
  const { html, routes } = options
  if (html.profileUri !== undefined) return html.profileUri
  return routes.profile === false ? undefined : `${publicUrl(routes.profile)}#`
}

function startHref(locale: string | undefined, context: TableContext): string | undefined {
  const path = localeStartPath(locale, context.options)
  return path === false ? undefined : context.publicPath(path)
}

function startLanguages(context: TableContext): readonly PageLanguage[] {
  return context.options.i18n.locales.flatMap((language) => {
    const href = startHref(language, context)
    return href === undefined ? [] : [{ language, href, isCounterpart: true }]
  })
}

/** The section in each locale: this page, the first page of another's, or its start page where it has no entries there. */
function sectionLanguages(
  shelf: Shelf,
  snapshot: Snapshot,
  here: LocaleCut,
  path: string,
  context: TableContext,
): readonly PageLanguage[] {
  return snapshot.cuts.flatMap((cut) => {
    if (cut.locale === undefined) return []
    const there =
      cut.pages.length > 0
        ? context.publicPath(partPath(shelf.section, 1, 'html', cut.locale))
        : startHref(cut.locale, context)
    const href = cut === here ? context.publicPath(path) : there
    const isCounterpart = cut === here || cut.pages.length > 0
    return href === undefined ? [] : [{ language: cut.locale, href, isCounterpart }]
  })
}
