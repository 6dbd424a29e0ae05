import type { SitemapOptions } from '../plugins/fastify.ts'
import { readArticles } from './articles.ts'
import { pageEntries } from './pages.ts'
import { productsVersion, readProducts } from './products.ts'
import type { Shop } from './routes.ts'
import { shopDescription, shopName } from './texts.ts'

/** Options of the sitemap: the same for every host. */
export function sitemapOf({
  siteUrl,
  db,
  cms,
  store,
}: Shop): SitemapOptions<'pages' | 'articles' | 'products'> {
  return {
    site: { url: siteUrl, title: shopName, description: shopDescription, language: 'en' },
    // Beside the five documents that are on by themselves.
    routes: {
      atom: '/feed.atom',
      json: '/feed.json',
      robots: '/robots.txt',
      llms: '/llms.txt',
      css: '/sitemap.css',
    },
    robots: { groups: [{ disallow: '/admin' }] },
    providers: {
      pages: () => pageEntries(db),
      articles: { ttl: '5m', entries: ({ signal }) => readArticles(cms, signal) },
      products: {
        ttl: '1h',
        // A shop's assortment is no news: it stays out of the feed.
        formats: ['xml', 'txt', 'html'],
        version: () => productsVersion(db),
        entries: ({ signal }) => readProducts(db, signal),
      },
    },
    ...(store === undefined ? {} : { cache: { store } }),
    // Here a person edits and looks at once, so the browser asks each time and mostly hears 304. A real site keeps the default.
    cacheControl: 'no-cache',
  }
}
