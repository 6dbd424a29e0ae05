import type { EntryObject } from '../plugins/fastify.ts'
import type { Cms } from './cms.ts'
import { articlePath } from './links.ts'
import { isLocale, type Locale } from './texts.ts'

/** An article as the CMS gives it. */
export interface Article {
  readonly documentId: string
  readonly locale: Locale
  readonly slug: string
  readonly title: string
  readonly summary: string | null
  /** ISO date-times in UTC; null for a draft. */
  readonly published: string | null
  readonly updatedAt: string
  /** Path of the cover on this site, which passes /uploads on to the CMS. */
  readonly cover: string | null
  /** In the words of meta robots. */
  readonly robots: string | null
  /** The other languages it is published in. */
  readonly translations: readonly { readonly locale: Locale; readonly slug: string }[]
}

/** The CMS did not answer, or not as expected. */
export class CmsError extends Error {
  /** What a page that needs the CMS answers with. */
  readonly statusCode: number = 503
}

const pageSize = 10

/** The published articles as entries, each with its languages as alternates. */
export async function* readArticles(cms: Cms, signal: AbortSignal): AsyncGenerator<EntryObject> {
  // A document's languages lie anywhere in the list. The list is small: it is read to its end before anything is
  // yielded, and a read that breaks off half-way yields nothing that would have to be thrown away.
  const articles = await allArticles(cms, signal)
  const documents = new Map<string, Article[]>()
  for (const article of articles) {
    const versions = documents.get(article.documentId)
    if (versions === undefined) documents.set(article.documentId, [article])
    else versions.push(article)
  }
  for (const article of articles) {
    const versions = documents.get(article.documentId) ?? []
    yield {
      loc: articlePath(article.locale, article.slug),
      lastmod: article.updatedAt,
      published: article.published,
      title: article.title,
      description: article.summary,
      images: article.cover,
      lang: article.locale,
      robots: article.robots,
      ...(versions.length > 1 ? { alternates: alternatesAmong(versions) } : {}),
    }
  }
}

/** A published article in one language. */
export async function articleBySlug(cms: Cms, locale: Locale, slug: string): Promise<Article | undefined> {
  const { articles } = await list(cms, { locale, 'filters[slug][$eq]': slug, 'pagination[pageSize]': '1' })
  return articles[0]
}

/** The newest published articles in one language. */
export async function latestArticles(cms: Cms, locale: Locale, limit: number): Promise<readonly Article[]> {
  const { articles } = await list(cms, {
    locale,
    sort: 'publishOn:desc',
    'pagination[pageSize]': String(limit),
  })
  return articles
}

/** What waits to be published, in every language. */
export async function draftArticles(cms: Cms): Promise<readonly Article[]> {
  const { articles } = await list(cms, { status: 'draft', locale: '*', 'pagination[pageSize]': '100' })
  return articles
}

/** Publishes a document's drafts in all its languages; undefined if the CMS knows no such document. */
export async function publishArticle(cms: Cms, documentId: string): Promise<readonly Article[] | undefined> {
  const answer = await call(cms, 'POST', `/api/posts/${encodeURIComponent(documentId)}/publish`)
  return answer === undefined ? undefined : dataOf(answer).map(articleOf)
}

/** Gives an article another title; undefined if the CMS knows no such document in this language. */
export async function retitleArticle(
  cms: Cms,
  documentId: string,
  locale: Locale,
  title: string,
): Promise<Article | undefined> {
  const path = `/api/posts/${encodeURIComponent(documentId)}?locale=${locale}`
  const answer = await call(cms, 'PUT', path, { data: { title } })
  return answer === undefined ? undefined : articleOf(field(answer, 'data'))
}

/** The language versions of an article, this one included, as `alternates` of an entry or of a page's head. */
export function alternatesAmong(
  versions: readonly { readonly locale: Locale; readonly slug: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(versions.map(({ locale, slug }) => [locale, articlePath(locale, slug)]))
}

async function allArticles(cms: Cms, signal: AbortSignal): Promise<readonly Article[]> {
  // A row that is published anew gets another number in Strapi, so that a walk by pages can meet it twice.
  const found = new Map<string, Article>()
  for (let page = 1; ; page += 1) {
    const query = {
      sort: 'id',
      locale: '*',
      'pagination[page]': String(page),
      'pagination[pageSize]': String(pageSize),
    }
    const { articles, pageCount, total } = await list(cms, query, signal)
    for (const article of articles) found.set(`${article.documentId} ${article.locale}`, article)
    if (page < pageCount && articles.length > 0) continue
    // Fewer than the CMS itself counts: the list moved under the walk. The engine tries again.
    if (found.size < total) throw new CmsError(`the CMS counts ${total} articles and gave ${found.size}`)
    return [...found.values()]
  }
}

interface List {
  readonly articles: readonly Article[]
  readonly pageCount: number
  readonly total: number
}

async function list(cms: Cms, query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<List> {
  const answer = await call(cms, 'GET', `/api/posts?${new URLSearchParams(query)}`, undefined, signal)
  const pagination = field(field(answer, 'meta'), 'pagination')
  return {
    articles: dataOf(answer).map(articleOf),
    pageCount: numberOf(pagination, 'pageCount'),
    total: numberOf(pagination, 'total'),
  }
}

/** One call to the CMS; undefined where it answers 404. */
async function call(
  cms: Cms,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json' }
  // Only a draft list and a change need the token; what the sitemap reads is what the public may read.
  if (method !== 'GET' || path.includes('status=draft')) headers.authorization = `Bearer ${cms.token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  const timeout = AbortSignal.timeout(5_000)
  let response: Response
  try {
    response = await fetch(cms.url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
  } catch (cause) {
    signal?.throwIfAborted()
    throw new CmsError(`the CMS does not answer at ${cms.url}`, { cause })
  }
  if (response.status === 404) {
    await response.body?.cancel()
    return undefined
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new CmsError(`the CMS answered ${response.status} to ${method} ${path}`)
  }
  return response.json()
}

function dataOf(answer: unknown): readonly unknown[] {
  const data = field(answer, 'data')
  if (!Array.isArray(data)) throw new CmsError('the CMS answered without a list "data"')
  return data
}

function articleOf(row: unknown): Article {
  const locale = field(row, 'locale')
  if (!isLocale(locale)) throw new CmsError(`the CMS gave an article in the language ${String(locale)}`)
  const publishedAt = textOrNull(row, 'publishedAt')
  const siblings = field(row, 'localizations')
  return {
    documentId: textOf(row, 'documentId'),
    locale,
    slug: textOf(row, 'slug'),
    title: textOf(row, 'title'),
    summary: textOrNull(row, 'summary'),
    // `publishOn` is the editors' date; `publishedAt` moves whenever the row is published anew.
    published: publishedAt === null ? null : (textOrNull(row, 'publishOn') ?? publishedAt),
    updatedAt: textOf(row, 'updatedAt'),
    cover: textOrNull(field(row, 'cover'), 'url'),
    robots: textOrNull(field(row, 'seo'), 'metaRobots'),
    translations: (Array.isArray(siblings) ? siblings : []).flatMap((sibling) => {
      const other = field(sibling, 'locale')
      return isLocale(other) ? [{ locale: other, slug: textOf(sibling, 'slug') }] : []
    }),
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function textOf(value: unknown, name: string): string {
  const text = field(value, name)
  if (typeof text !== 'string') throw new CmsError(`the CMS gave an article whose ${name} is no text`)
  return text
}

function textOrNull(value: unknown, name: string): string | null {
  const text = field(value, name)
  return typeof text === 'string' ? text : null
}

function numberOf(value: unknown, name: string): number {
  const number = field(value, name)
  if (typeof number !== 'number') throw new CmsError(`the CMS answered without a number ${name}`)
  return number
}
