import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * A small CMS that stands in for Strapi 5: the recorded posts in ./content, served over HTTP in the same shape, with
 * the same paging. It keeps its state in memory: a restart brings the recorded state back.
 */
export interface Cms {
  /** Where it listens, e.g. `http://127.0.0.1:40123`. */
  readonly url: string
  /** For drafts and for writing, as `Authorization: Bearer …`; a new one at each start. */
  readonly token: string
  close(): Promise<void>
}

interface Post {
  id: number
  readonly documentId: string
  title: string
  readonly slug: string
  summary: string
  publishOn: string | null
  readonly createdAt: string
  updatedAt: string
  /** Null for a draft. */
  publishedAt: string | null
  readonly locale: string
  readonly cover: { readonly url: string } | null
}

const contentDir = new URL('./content/', import.meta.url)
const defaultPageSize = 25
/** What asks for more gets this many, silently, as in Strapi. */
const maxPageSize = 100

/** Starts the CMS on a free port of the loopback interface. */
export async function startCms(): Promise<Cms> {
  const posts = readPosts()
  const uploads = readUploads()
  const token = randomBytes(24).toString('base64url')
  const cms = Fastify({ logger: false })

  const authorized = (request: FastifyRequest): boolean => request.headers.authorization === `Bearer ${token}`
  const withSiblings = (post: Post) => ({
    ...post,
    localizations: posts
      .filter((other) => other.documentId === post.documentId && other !== post && isPublished(other))
      .map(({ id, documentId, slug, locale, updatedAt, publishedAt }) => {
        return { id, documentId, slug, locale, updatedAt, publishedAt }
      }),
  })

  cms.get<{ Querystring: Record<string, string | undefined> }>('/api/posts', (request, reply) => {
    const query = request.query
    const drafts = query.status === 'draft'
    if (drafts && !authorized(request)) return refuse(reply, 403, 'Forbidden')
    const locale = query.locale ?? 'en'
    const slug = query['filters[slug][$eq]']
    const found = posts
      .filter((post) => isPublished(post) !== drafts)
      .filter((post) => locale === '*' || post.locale === locale)
      .filter((post) => slug === undefined || post.slug === slug)
      .sort(query.sort === 'publishOn:desc' ? newestFirst : (a, b) => a.id - b.id)

    const page = wholeNumber(query['pagination[page]'], 1)
    const pageSize = Math.min(wholeNumber(query['pagination[pageSize]'], defaultPageSize), maxPageSize)
    const pageCount = Math.ceil(found.length / pageSize)
    const data = found.slice((page - 1) * pageSize, page * pageSize).map(withSiblings)
    return { data, meta: { pagination: { page, pageSize, pageCount, total: found.length } } }
  })

  cms.get<{ Params: { name: string } }>('/uploads/:name', (request, reply) => {
    // Looked up among what was read at start: no part of the request ever names a file.
    const picture = uploads.get(request.params.name)
    if (picture === undefined) return refuse(reply, 404, 'Not Found')
    return reply.type('image/png').header('cache-control', 'public, max-age=86400').send(picture)
  })

  /** Publishes every draft of a document, in all its languages. */
  cms.post<{ Params: { documentId: string } }>('/api/posts/:documentId/publish', (request, reply) => {
    if (!authorized(request)) return refuse(reply, 401, 'Missing or invalid credentials')
    const document = posts.filter((post) => post.documentId === request.params.documentId)
    if (document.length === 0) return refuse(reply, 404, 'Not Found')
    const now = new Date().toISOString()
    for (const post of document.filter((post) => !isPublished(post))) {
      // Strapi gives a row a new number at each publish; what stays is documentId and locale.
      post.id = Math.max(...posts.map(({ id }) => id)) + 1
      post.publishOn = now
      post.publishedAt = now
      post.updatedAt = now
    }
    return { data: document.map(withSiblings) }
  })

  cms.put<{ Params: { documentId: string }; Querystring: { locale?: string }; Body: unknown }>(
    '/api/posts/:documentId',
    (request, reply) => {
      if (!authorized(request)) return refuse(reply, 401, 'Missing or invalid credentials')
      const locale = request.query.locale ?? 'en'
      const post = posts.find((p) => p.documentId === request.params.documentId && p.locale === locale)
      if (post === undefined) return refuse(reply, 404, 'Not Found')
      const { title, summary } = editOf(request.body)
      if (title !== undefined) post.title = title
      if (summary !== undefined) post.summary = summary
      post.updatedAt = new Date().toISOString()
      return { data: withSiblings(post) }
    },
  )

  const url = await cms.listen({ port: 0, host: '127.0.0.1' })
  return { url, token, close: () => cms.close() }
}

function readPosts(): Post[] {
  const content = JSON.parse(readFileSync(new URL('posts.json', contentDir), 'utf8')) as { data: Post[] }
  return content.data
}

function readUploads(): ReadonlyMap<string, Buffer> {
  const folder = new URL('uploads/', contentDir)
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]))
}

function isPublished(post: Post): boolean {
  return post.publishedAt !== null
}

function newestFirst(a: Post, b: Post): number {
  return (b.publishOn ?? '').localeCompare(a.publishOn ?? '') || a.id - b.id
}

function wholeNumber(text: string | undefined, fallback: number): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fallback
}

function editOf(body: unknown): { title?: string; summary?: string } {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  if (typeof data !== 'object' || data === null) return {}
  return {
    ...('title' in data && typeof data.title === 'string' ? { title: data.title } : {}),
    ...('summary' in data && typeof data.summary === 'string' ? { summary: data.summary } : {}),
  }
}

/** An error in Strapi's shape. */
function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ data: null, error: { status, name: 'Error', message, details: {} } })
}
