import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Article, draftArticles, publishArticle, retitleArticle } from './articles.ts'
import { type Html, html } from './html.ts'
import { articlePath, productPath } from './links.ts'
import { checkPagePath, savePage } from './pages.ts'
import { editProduct, type Product, productById } from './products.ts'
import { type Shop, sendPage } from './routes.ts'
import { type Locale, texts } from './texts.ts'

/** Makes the sitemap read a section again; resolves when the new state is served. */
export type Invalidate = (section: 'pages' | 'articles' | 'products') => Promise<void>

const messages: Readonly<Record<string, string>> = {
  page: 'The page stands, and the sitemap names it.',
  product: 'The product is saved, and the sitemap shows it.',
  article: 'The article is out, and so are the sitemap and the feed that name it.',
  late: 'Saved. The sitemap could not be read anew yet; it shows the last good state and tries again by itself.',
}

const name = { type: 'string', minLength: 1, maxLength: 200, pattern: '\\S' } as const
const productId = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1, maximum: 2 ** 31 } },
} as const
const articleId = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^[a-z0-9]{1,64}$' } },
} as const

/**
 * The admin page and the routes behind its forms, which take JSON as well.
 *
 * This is a demo for one person at one machine: a real admin needs a login, rights, and CSRF tokens. What is here only
 * keeps other web pages in the same browser from posting to it.
 */
export function registerAdmin(app: FastifyInstance, shop: Shop, invalidate: Invalidate): void {
  const { siteUrl, db, cms } = shop

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    },
  )

  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
    const from = request.headers['sec-fetch-site']
    if (request.method === 'POST' && from !== undefined && from !== 'same-origin' && from !== 'none') {
      throw refusal(403, 'posts from other sites are refused')
    }
  })

  /** Waits for the new sitemap, then answers: JSON for a script, the admin page again for a browser. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    section: Parameters<Invalidate>[0],
    done: string,
    saved: object,
  ): Promise<FastifyReply> {
    let sitemap = 'fresh'
    try {
      await invalidate(section)
    } catch (error) {
      // The edit is saved whatever becomes of the sitemap: the last good one is served, and the engine tries again.
      request.log.warn(error, `the sitemap could not read "${section}"`)
      sitemap = 'late'
    }
    if (wantsJson(request)) return reply.code(sitemap === 'fresh' ? 200 : 202).send({ ...saved, sitemap })
    return reply.redirect(`/admin?done=${sitemap === 'fresh' ? done : sitemap}`, 303)
  }

  app.get<{ Querystring: { product?: string; done?: string } }>('/admin', async (request, reply) => {
    const asked = /^[1-9]\d{0,8}$/.test(request.query.product ?? '') ? Number(request.query.product) : 1
    const product = productById(db, asked)
    const drafts = await draftArticles(cms)
    const done = Object.hasOwn(messages, request.query.done ?? '')
      ? messages[request.query.done ?? '']
      : undefined
    return sendPage(reply, siteUrl, {
      locale: 'en',
      title: 'Admin',
      robots: 'noindex',
      body: html`<h1>Admin</h1>
<p class="lead">Edit something, then look at
<a href="/sitemap.html">the HTML sitemap</a>, <a href="/sitemap.xml">sitemap.xml</a>,
<a href="/sitemap_index.xml">the index</a>, <a href="/feed.rss">the feed</a> or
<a href="/sitemap.txt">sitemap.txt</a>: the change is there.</p>
${done === undefined ? null : html`<p class="done" role="status">${done}</p>`}
<h2>A product</h2>
${productForms(product)}
<h2>Articles that wait</h2>
${draftForms(drafts)}
<h2>A new page</h2>
<form method="post" action="/admin/pages">
<label>Path <input name="path" required maxlength="200" placeholder="/opening-hours"></label>
<label>Title <input name="title" required maxlength="200" placeholder="Opening hours"></label>
<button>Add</button>
</form>
<p class="note">Letters, digits and hyphens between slashes.</p>`,
    })
  })

  app.post<{ Params: { id: number }; Body: { name: string; description?: string } }>(
    '/admin/products/:id',
    {
      schema: {
        params: productId,
        body: {
          type: 'object',
          required: ['name'],
          properties: { name, description: { type: 'string', maxLength: 1000 } },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { description } = request.body
      const change = { name: request.body.name.trim(), ...(description === undefined ? {} : { description }) }
      if (!editProduct(db, id, change)) throw refusal(404, `there is no product ${id}`)
      const product = productById(db, id)
      return answer(request, reply, 'products', 'product', {
        id,
        name: product?.name,
        url: siteUrl + productPath(product?.slug ?? ''),
        lastmod: product?.updated_at,
      })
    },
  )

  app.post<{ Params: { id: string } }>(
    '/admin/articles/:id/publish',
    { schema: { params: articleId } },
    async (request, reply) => {
      const { id } = request.params
      const articles = await publishArticle(cms, id)
      if (articles === undefined) throw refusal(404, `there is no article ${id}`)
      return answer(request, reply, 'articles', 'article', { id, urls: articles.map(urlOf) })
    },
  )

  app.post<{ Params: { id: string }; Body: { title: string; locale: Locale } }>(
    '/admin/articles/:id',
    {
      schema: {
        params: articleId,
        body: {
          type: 'object',
          required: ['title'],
          properties: { title: name, locale: { enum: Object.keys(texts), default: 'en' } },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { title, locale } = request.body
      const article = await retitleArticle(cms, id, locale, title.trim())
      if (article === undefined) throw refusal(404, `there is no article ${id} in ${locale}`)
      return answer(request, reply, 'articles', 'article', {
        id,
        title: article.title,
        urls: [urlOf(article)],
      })
    },
  )

  app.post<{ Body: { path: string; title: string } }>(
    '/admin/pages',
    {
      schema: {
        body: {
          type: 'object',
          required: ['path', 'title'],
          properties: { path: { type: 'string', maxLength: 400 }, title: name },
        },
      },
    },
    async (request, reply) => {
      const path = checkPagePath(request.body.path)
      if (path === undefined) {
        const rule = 'letters, digits and hyphens between slashes, outside the shop’s own paths'
        throw refusal(400, `no page can stand at this path: it takes ${rule}`)
      }
      savePage(db, path, request.body.title.trim())
      return answer(request, reply, 'pages', 'page', { path, url: siteUrl + encodeURI(path) })
    },
  )

  function urlOf(article: Article): string {
    return siteUrl + articlePath(article.locale, article.slug)
  }
}

/** An error that the client is told of. */
function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}

function productForms(product: Product | undefined): Html {
  return html`<form method="get" action="/admin">
<label>Number <input name="product" type="number" min="1" value="${product?.id ?? 1}"></label>
<button>Show</button>
</form>
${
  product === undefined
    ? html`<p>There is no such product.</p>`
    : html`<form method="post" action="/admin/products/${product.id}">
<label>Name <input name="name" required maxlength="200" value="${product.name}"></label>
<button>Save</button>
</form>
<p class="note"><a href="${productPath(product.slug)}">See its page</a></p>`
}`
}

function draftForms(drafts: readonly Article[]): Html {
  if (drafts.length === 0) return html`<p>All are published. A restart brings the drafts back.</p>`
  // Published are all languages of a document at once: one row for each document.
  const documents = drafts.filter((draft) => drafts.find((d) => d.documentId === draft.documentId) === draft)
  return html`<ul class="rows">${documents.map(
    ({ documentId, title }) => html`<li><span>${title} <span class="note">${drafts
      .filter((draft) => draft.documentId === documentId)
      .map(({ locale }) => texts[locale].language)
      .join(', ')}</span></span>
<form method="post" action="/admin/articles/${documentId}/publish"><button>Publish</button></form></li>
`,
  )}</ul>`
}

function wantsJson(request: FastifyRequest): boolean {
  const { accept = '', 'content-type': type = '' } = request.headers
  return accept.includes('application/json') || type.startsWith('application/json')
}
