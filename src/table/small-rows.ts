import { digestOf, digestOfAll } from '../digest.ts'
import { HTML_STYLESHEET } from '../formats/html-style.ts'
import { type LlmsSection, llmsPieces } from '../formats/llms.ts'
import { renderProfile } from '../formats/profile.ts'
import { renderRobotsTxt } from '../formats/robots-txt.ts'
import { XML_STYLESHEET } from '../formats/xml-style.ts'
import { MEDIA_TYPES } from '../http/media-types.ts'
import { type Piece, partsOfPiece } from '../shelves/arrangement.ts'
import { createSlices } from '../slices.ts'
import { VERSION } from '../version.ts'
import { cardBlobs, readCards } from './cards.ts'
import type { Ingredients, TableContext } from './context.ts'
import { newsRows } from './news-rows.ts'
import { indexPath, localePath, newsPath, partPath, STYLESHEET_PATH } from './paths.ts'
import { PLAIN_ROW, type RowDraft } from './rows.ts'
import { countIndexes, countLocaleIndexes, partitionTexts, splitLocales, splitTxtPaths } from './xml-rows.ts'

/** What robots.txt names: documents by their paths, and texts of partitions. */
interface Named {
  readonly paths: readonly string[]
  readonly texts: readonly { readonly section: string; readonly piece: Piece }[]
}

/**
 * Public URLs of all sitemaps, as robots.txt names them: the index, which names the parts; what no index may name; the
 * text parts. They are known, if not in full, before anything was read.
 */
export function sitemapUrls(
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): Promise<readonly string[]> {
  return urlsOf(whatIsNamed(ingredients, context, nowMs), context)
}

function whatIsNamed(ingredients: Ingredients, context: TableContext, nowMs: number): Named {
  const { routes } = context.options
  const paths: string[] = []
  const addIndexes = (path: string, files: number): void => {
    for (let n = 1; n <= files; n++) paths.push(indexPath(path, n))
  }
  const main = routes.index || routes.sitemap
  if (main !== false) {
    addIndexes(main, countIndexes(ingredients, context, nowMs))
    for (const locale of splitLocales(ingredients, context, nowMs))
      addIndexes(localePath(locale, 'xml'), countLocaleIndexes(locale, ingredients, context, nowMs))
  }
  if (routes.news !== false) {
    const files = Math.max(1, newsRows(routes.news, ingredients, context, nowMs).length)
    for (let n = 1; n <= files; n++) paths.push(newsPath(routes.news, n))
  }
  if (routes.txt === false) return { paths, texts: [] }
  const texts = partitionTexts(ingredients, context)
  const parts = splitTxtPaths(ingredients, context)
  paths.push(...(parts.length > 0 || texts.length > 0 ? parts : [routes.txt]))
  return { paths, texts }
}

/** URLs that a robots.txt has room for at most: 500 KiB of lines of 32 characters. */
const MOST_IN_ROBOTS = 16_000

async function urlsOf(
  { paths, texts }: Named,
  { options, publicUrl }: TableContext,
  most = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const slices = createSlices()
  const urls = paths.map(publicUrl)
  for (const { section, piece } of texts) {
    if (urls.length > most) break
    for (const { path } of partsOfPiece(section, piece, 'txt')) urls.push(publicUrl(path))
    await slices()
  }
  return [...urls, ...options.robots.sitemaps]
}

/** `/robots.txt`; it never waits for a section: a 5xx there closes the whole site to crawlers (SPEC X3, X4). */
export function robotsRow(
  path: string,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): RowDraft {
  const { groups, sitemaps: own } = context.options.robots
  const named = whatIsNamed(ingredients, context, nowMs)
  return {
    ...PLAIN_ROW,
    path,
    kind: 'robots',
    mediaType: MEDIA_TYPES.txt,
    digest: digestOfAll(
      VERSION,
      'robots',
      JSON.stringify([groups, named.paths.map(context.publicUrl), own]),
      context.publicUrl(''),
      ...named.texts.flatMap(({ section, piece }) => [section, piece.named]),
    ),
    shelves: [],
    incomplete: ingredients.incomplete,
    source: {
      type: 'text',
      blobs: () => [],
      render: async () => renderRobotsTxt({ groups, sitemaps: await urlsOf(named, context, MOST_IN_ROBOTS) }),
    },
  }
}

/** `/llms.txt`: the site as Markdown, of the default locale where there are several. */
export function llmsRow(
  path: string,
  { read, shelves, incomplete }: Ingredients,
  context: TableContext,
): RowDraft {
  const { options, site } = context
  const { llms, i18n, routes } = options
  const shown = read.flatMap(({ shelf, snapshot }) => {
    // What a partitioned section holds beside its partitions is for feeds.
    if (snapshot.list !== undefined) return []
    const cut = snapshot.cuts.find(({ locale }) => locale === i18n.defaultLocale)
    return cut === undefined || cut.count === 0
      ? []
      : [{ shelf, cut, count: Math.min(cut.count, llms.limit) }]
  })
  const facts = shown.flatMap(({ shelf, cut }) => [
    shelf.provider.title,
    cut.count,
    ...cut.parts.flatMap(({ txt, cards }) => [txt?.digest, cards?.digest]),
  ])
  return {
    ...PLAIN_ROW,
    path,
    kind: 'llms',
    mediaType: MEDIA_TYPES.llms,
    digest: digestOfAll(
      VERSION,
      'llms',
      JSON.stringify([site, llms.details, [...llms.optional], llms.limit, routes.html]),
      ...facts,
    ),
    shelves,
    incomplete,
    source: {
      type: 'text',
      blobs: () => shown.flatMap(({ cut, count }) => cardBlobs(cut, 0, count)),
      async render() {
        const sections: LlmsSection[] = []
        for (const { shelf, cut, count } of shown)
          sections.push({
            title: shelf.provider.title,
            optional: llms.optional.has(shelf.section),
            cards: await readCards(cut, 0, count),
            total: cut.count,
            href:
              routes.html === false
                ? undefined
                : context.publicUrl(partPath(shelf.section, 1, 'html', cut.locale)),
          })
        let text = ''
        const slices = createSlices()
        for (const piece of llmsPieces({ site, details: llms.details, sections })) {
          text += piece
          await slices()
        }
        return text
      },
    },
  }
}

/** What the robots-* classes mean (SPEC H34); there as soon as an entry carries one. */
export function profileRow(path: string, { read }: Ingredients, context: TableContext): RowDraft | undefined {
  if (!read.some(({ snapshot }) => snapshot.profiled)) return undefined
  const { options, site, publicPath, publicUrl } = context
  const { stylesheet } = options.html
  const facts = {
    language: site.language,
    siteTitle: site.title,
    url: publicUrl(path),
    stylesheet:
      stylesheet === false || (stylesheet === undefined && options.routes.html === false)
        ? undefined
        : (stylesheet ?? publicPath(STYLESHEET_PATH)),
  }
  return {
    ...PLAIN_ROW,
    path,
    kind: 'profile',
    mediaType: MEDIA_TYPES.html,
    digest: digestOfAll(VERSION, 'profile', JSON.stringify(facts)),
    shelves: [],
    source: { type: 'text', blobs: () => [], render: () => renderProfile(facts) },
  }
}

/** Our stylesheet for the HTML page, so that it needs nothing inline (SPEC H9). */
export function htmlStylesheetRow(path: string): RowDraft {
  return stylesheetRow(path, HTML_STYLESHEET)
}

/** The stylesheet for people who open the XML (SPEC B7). */
export function xmlStylesheetRow(path: string): RowDraft {
  return stylesheetRow(path, XML_STYLESHEET)
}

function stylesheetRow(path: string, css: string): RowDraft {
  return {
    ...PLAIN_ROW,
    path,
    kind: 'css',
    mediaType: MEDIA_TYPES.css,
    digest: digestOfAll(VERSION, 'css', digestOf(css)),
    shelves: [],
    source: { type: 'text', blobs: () => [], render: () => css },
  }
}
