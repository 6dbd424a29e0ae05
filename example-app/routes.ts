import { readFileSync } from 'node:fs'
import type Database from 'libsql'
import type { SharedStore } from '../plugins/fastify.ts'
import { type Article, alternatesAmong, articleBySlug, CmsError, latestArticles } from './articles.ts'
import type { Cms } from './cms.ts'
import { type Html, html } from './html.ts'
import { layout, type Page } from './layout.ts'
import { alternatesOf, articlePath, homePath, pagePath, productPath } from './links.ts'
import { addedPage } from './pages.ts'
import { productPicture } from './pictures.ts'
import { latestProducts, type Product, productBySlug, productList } from './products.ts'
import { type Locale, locales, shopName, texts } from './texts.ts'

/** What a page needs of a request. */
export interface PageRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
}

/** What a page needs of a reply: Fastify's own has it, and express.ts gives Express's the same shape. */
export interface PageReply {
  code(status: number): this
  type(mediaType: string): this
  header(name: string, value: string): this
  send(body: unknown): unknown
  redirect(url: string, status?: number): unknown
}

/** Where pages are registered: a Fastify app, or an Express app behind the same shape. */
export interface PageHost {
  get(path: string, handler: (request: PageRequest, reply: PageReply) => unknown): unknown
}

/** What the pages are made of. */
export interface Shop {
  /** Scheme, host and port, no slash at the end. */
  readonly siteUrl: string
  readonly db: Database.Database
  readonly cms: Cms
  /** What several instances share. */
  readonly store?: SharedStore
}

const listSize = 48
const style = readFileSync(new URL('./style.css', import.meta.url))
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#2f6b3c" d="M16 30C4 25 4 12 6 3c14 2 20 12 10 27z"/></svg>'

/** Sends a page with the headers that every page of the shop carries. */
export function sendPage<R extends PageReply>(reply: R, siteUrl: string, page: Page): R {
  reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    .header('x-content-type-options', 'nosniff')
    .send(layout(siteUrl, page))
  return reply
}

/** Answers with the page for an address that nothing stands at. */
export function sendNotFound<R extends PageReply>(reply: R, siteUrl: string): R {
  const body = html`<h1>Nothing grows here</h1>
<p class="lead">There is no page at this address. The <a href="/sitemap.html">sitemap</a> names all that there are.</p>`
  return sendPage(reply.code(404), siteUrl, { locale: 'en', title: 'Not found', body })
}

/** The public pages: each of them stands in the sitemap, apart from the pictures and the style sheet. */
export function registerPages(app: PageHost, shop: Shop): void {
  const { siteUrl, db, cms } = shop

  for (const locale of locales) {
    const t = texts[locale]

    app.get(homePath(locale), async (_request, reply) => {
      const articles = await latestArticles(cms, locale, 5)
      return sendPage(reply, siteUrl, {
        locale,
        title: t.home.title,
        description: t.home.description,
        path: homePath(locale),
        alternates: alternatesOf(homePath),
        body: html`<h1>${t.home.title}</h1>
<p class="lead">${t.home.description}</p>
<h2>${t.latestProducts}</h2>
${productCards(latestProducts(db, 8))}
<p><a href="/products">${t.allProducts}</a></p>
<h2>${t.latestArticles}</h2>
${articleRows(locale, articles)}`,
      })
    })

    app.get(pagePath(locale, 'about'), (_request, reply) =>
      sendPage(reply, siteUrl, {
        locale,
        title: t.about.title,
        description: t.about.description,
        path: pagePath(locale, 'about'),
        alternates: alternatesOf((other) => pagePath(other, 'about')),
        body: html`<h1>${t.about.title}</h1>${t.about.body.map((text) => html`<p class="lead">${text}</p>`)}`,
      }),
    )

    app.get(pagePath(locale, 'articles'), async (_request, reply) => {
      const articles = await latestArticles(cms, locale, 100)
      return sendPage(reply, siteUrl, {
        locale,
        title: t.articles.title,
        description: t.articles.description,
        path: pagePath(locale, 'articles'),
        alternates: alternatesOf((other) => pagePath(other, 'articles')),
        body: html`<h1>${t.articles.title}</h1>
<p class="lead">${t.articles.description}</p>
${articleRows(locale, articles)}`,
      })
    })

    app.get(`${pagePath(locale, 'articles')}/:slug`, async (request, reply) => {
      const article = await articleBySlug(cms, locale, request.params.slug ?? '')
      if (article === undefined) return sendNotFound(reply, siteUrl)
      return sendPage(reply, siteUrl, articlePage(article))
    })

    // One address for each page: /fr is the same page as /fr/.
    if (locale !== 'en') app.get(`/${locale}`, (_request, reply) => reply.redirect(homePath(locale), 308))
  }

  app.get('/products', (request, reply) => {
    const after = /^\d{1,9}$/.test(request.query.after ?? '') ? Number(request.query.after) : 0
    const products = productList(db, after, listSize)
    const last = products.at(-1)
    return sendPage(reply, siteUrl, {
      locale: 'en',
      title: texts.en.products,
      description: `What ${shopName} sells`,
      path: after === 0 ? '/products' : `/products?after=${after}`,
      body: html`<h1>${texts.en.products}</h1>
${productCards(products)}
${
  last !== undefined && products.length === listSize
    ? html`<p><a rel="next" href="/products?after=${last.id}">More products</a></p>`
    : null
}`,
    })
  })

  app.get('/products/:slug', (request, reply) => {
    const product = productBySlug(db, request.params.slug ?? '')
    if (product === undefined) return sendNotFound(reply, siteUrl)
    return sendPage(reply, siteUrl, productPage(product))
  })

  app.get('/images/products/:name', (request, reply) => {
    const { name = '' } = request.params
    const product = name.endsWith('.svg') ? productBySlug(db, name.slice(0, -'.svg'.length)) : undefined
    if (product === undefined) return sendNotFound(reply, siteUrl)
    return sendFile(reply, 'image/svg+xml', productPicture(product))
  })

  // The covers lie in the CMS, whose own address the public never sees.
  app.get('/uploads/:name', async (request, reply) => {
    const { name = '' } = request.params
    if (!/^\w[\w.-]*$/.test(name)) return sendNotFound(reply, siteUrl)
    const answer = await fetch(`${cms.url}/uploads/${name}`, { signal: AbortSignal.timeout(5_000) }).catch(
      (cause: unknown) => {
        throw new CmsError(`the CMS does not answer at ${cms.url}`, { cause })
      },
    )
    const picture = Buffer.from(await answer.arrayBuffer())
    if (answer.status !== 200) return sendNotFound(reply, siteUrl)
    return sendFile(reply, 'image/png', picture)
  })

  app.get('/style.css', (_request, reply) => sendFile(reply, 'text/css; charset=utf-8', style))
  app.get('/favicon.svg', (_request, reply) => sendFile(reply, 'image/svg+xml', icon))

  // Pages that were added at /admin. What neither they nor any route answers is a 404.
  app.get('/*', (request, reply) => {
    const page = addedPage(db, `/${request.params['*'] ?? ''}`.normalize('NFC'))
    if (page === undefined) return sendNotFound(reply, siteUrl)
    return sendPage(reply, siteUrl, {
      locale: 'en',
      title: page.title,
      path: encodeURI(page.path),
      body: html`<h1>${page.title}</h1>
<p class="lead">A page that was added at <a href="/admin">/admin</a>.</p>
${timeOf('en', page.updated_at)}`,
    })
  })
}

function articlePage(article: Article): Page {
  const t = texts[article.locale]
  const versions = [article, ...article.translations]
  return {
    locale: article.locale,
    title: article.title,
    description: article.summary,
    path: articlePath(article.locale, article.slug),
    robots: article.robots,
    ...(versions.length > 1 ? { alternates: alternatesAmong(versions) } : {}),
    body: html`<article>
<h1>${article.title}</h1>
${article.published === null ? null : html`<p>${t.published} ${timeOf(article.locale, article.published)}</p>`}
${article.cover === null ? null : html`<img class="picture" src="${article.cover}" alt="" width="480" height="320">`}
<p class="lead">${article.summary}</p>
</article>
<p><a href="${pagePath(article.locale, 'articles')}">${t.articles.title}</a></p>`,
  }
}

function productPage(product: Product): Page {
  return {
    locale: 'en',
    title: product.name,
    description: product.description,
    path: productPath(product.slug),
    body: html`<h1>${product.name}</h1>
<img class="picture" src="${product.image}" alt="${product.name}" width="400" height="320">
<p class="lead">${product.description}</p>
<p class="price">${priceOf(product)}</p>
<p class="note">No. ${product.id}, last changed ${timeOf('en', product.updated_at)}
<a href="/admin?product=${product.id}">Edit</a></p>`,
  }
}

function productCards(products: readonly Product[]): Html {
  return html`<ul class="grid">${products.map(
    (product) => html`<li><a class="card" href="${productPath(product.slug)}">
<img src="${product.image}" alt="" width="400" height="320" loading="lazy">
<span>${product.name}</span><span>${priceOf(product)}</span></a></li>
`,
  )}</ul>`
}

function articleRows(locale: Locale, articles: readonly Article[]): Html {
  return html`<ul class="rows">${articles.map(
    ({ slug, title, published }) => html`<li><a href="${articlePath(locale, slug)}">${title}</a>
${published === null ? null : timeOf(locale, published)}</li>
`,
  )}</ul>`
}

function timeOf(locale: Locale, instant: string): Html {
  const words = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(instant),
  )
  return html`<time datetime="${instant}">${words}</time>`
}

function priceOf(product: Product): string {
  return new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' }).format(product.price / 100)
}

function sendFile(reply: PageReply, type: string, content: string | Buffer): unknown {
  return reply
    .type(type)
    .header('cache-control', 'public, max-age=3600')
    .header('x-content-type-options', 'nosniff')
    .send(content)
}
