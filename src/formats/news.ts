import type { CheckedNews } from '../entry/checked.ts'
import { escapeText } from './xml.ts'

const START = '<news:news>'
const END = '</news:news>'

/** The `<news:news>` element of an entry, children in the order of the schema (SPEC E51 to E59). */
export function renderNews(news: CheckedNews): string {
  let xml =
    `${START}<news:publication><news:name>${escapeText(news.name)}</news:name>` +
    `<news:language>${news.language}</news:language></news:publication>`
  if (news.access !== undefined) xml += `<news:access>${news.access}</news:access>`
  if (news.genres !== undefined) xml += `<news:genres>${news.genres}</news:genres>`
  xml +=
    `<news:publication_date>${news.publicationDate.text}</news:publication_date>` +
    `<news:title>${escapeText(news.title)}</news:title>`
  if (news.keywords !== undefined) xml += `<news:keywords>${escapeText(news.keywords)}</news:keywords>`
  if (news.stockTickers !== undefined) xml += `<news:stock_tickers>${news.stockTickers}</news:stock_tickers>`
  return xml + END
}

/**
 * The line of a `<url>` without its news, for an article that is older than two days (SPEC E60). In a line that this
 * package wrote the two tags stand once or not at all: `<` is escaped everywhere else, and no namespace of a user's has
 * the prefix `news`.
 */
export function withoutNews(line: string): string {
  const start = line.indexOf(START)
  if (start === -1) return line
  return line.slice(0, start) + line.slice(line.indexOf(END, start) + END.length)
}
