import { digestOfAll } from '../digest.ts'
import { NEWS_NAMESPACE } from '../formats/urlset.ts'
import { MEDIA_TYPES } from '../http/media-types.ts'
import { MOST_NEWS } from '../shelves/cut.ts'
import { isNews, nextNewsChange } from '../shelves/news.ts'
import type { NewsArticle } from '../shelves/snapshot.ts'
import { VERSION } from '../version.ts'
import type { Ingredients, TableContext } from './context.ts'
import { newsPath } from './paths.ts'
import { earlier } from './pieces.ts'
import { PLAIN_ROW, type RowDraft } from './rows.ts'

/**
 * The news file and its further files: the articles of the last two days, newest first, 1,000 a file (SPEC E50, E60).
 * They age by themselves: no walk is needed, and an outage cannot make the file wrong.
 */
export function newsRows(
  path: string,
  { read, shelves, incomplete }: Ingredients,
  context: TableContext,
  nowMs: number,
): readonly RowDraft[] {
  const seen = new Set<string>()
  const articles: NewsArticle[] = []
  let nextMs: number | undefined
  for (const { snapshot } of read)
    for (const article of snapshot.news) {
      nextMs = earlier(nextMs, nextNewsChange(article.atMs, nowMs))
      if (!isNews(article.atMs, nowMs) || seen.has(article.loc)) continue
      seen.add(article.loc)
      articles.push(article)
    }
  // Stable: equal dates stay in the order of providers.
  articles.sort((a, b) => b.atMs - a.atMs)
  const files = inFiles(articles, context)
  if (articles.length === 0 && context.options.onEmpty === 404) return []
  return files.map((lines, i) => {
    const frame = context.frame(lines.length > 0 ? NEWS_NAMESPACE : 0)
    const body = lines.join('')
    return {
      ...PLAIN_ROW,
      path: newsPath(path, i + 1),
      kind: 'news',
      mediaType: MEDIA_TYPES.xml,
      digest: digestOfAll(VERSION, 'news', frame.head, body),
      expiresAtMs: nextMs,
      shelves,
      incomplete,
      source: { type: 'text', blobs: () => [], render: () => frame.head + body + frame.tail },
    }
  })
}

/** Always one file: an empty one does no harm (SPEC E61). An article that alone is larger than a file may be stands in none (U12). */
function inFiles(articles: readonly NewsArticle[], { options, frameBytes }: TableContext): string[][] {
  const most = Math.min(options.limit, MOST_NEWS)
  const room = options.maxBytes - frameBytes(NEWS_NAMESPACE)
  let file: string[] = []
  let bytes = 0
  const files = [file]
  for (const { line } of articles) {
    const size = Buffer.byteLength(line)
    if (size > room) continue
    if (file.length > 0 && (file.length === most || bytes + size > room)) {
      file = []
      files.push(file)
      bytes = 0
    }
    file.push(line)
    bytes += size
  }
  return files
}
