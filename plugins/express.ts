import type { SitemapOptions } from '../src/helpers.ts'
import {
  type ExpressSitemapXmlOptions,
  type GetUrls,
  optionsFromExpressSitemapXml,
} from './from-express-sitemap-xml.ts'
import { createNodeSitemap, type SitemapMiddleware } from './node-sitemap.ts'

export * from '../src/helpers.ts'
export type { ExpressSitemapXmlOptions, ExpressSitemapXmlUrl, GetUrls } from './from-express-sitemap-xml.ts'
export type { NodeRequest, NodeResponse } from './node-response.ts'
export type { SitemapMiddleware } from './node-sitemap.ts'

/**
 * Middleware for Express 4 and 5 that serves a site's sitemap, index, feed, HTML and text sitemap, and the handle at the
 * same time; also a request listener for `node:http`. Throws one SitemapError that names all faults of the options.
 *
 * @example app.use(sitemap({ site: { url: 'https://www.example.com' }, providers: { pages: ['/', '/about'] } }))
 */
export function sitemap<Section extends string>(
  options: SitemapOptions<Section>,
): SitemapMiddleware<Section> {
  return createNodeSitemap(options)
}

/**
 * The same for those who come from the package `express-sitemap-xml`: its arguments and names, its `size` and `maxAge`
 * (ms), and any option of ours beside them. Serves `/sitemap.xml` and its parts, and no more unless `routes` says so.
 *
 * @example app.use(fromExpressSitemapXml(getUrls, 'https://www.example.com'))
 */
export function fromExpressSitemapXml(
  getUrls: GetUrls,
  base: string,
  options: ExpressSitemapXmlOptions = {},
): SitemapMiddleware<'urls'> {
  return createNodeSitemap(optionsFromExpressSitemapXml(getUrls, base, options))
}

export default sitemap
