import type { SitemapOptions } from '../src/helpers.ts'
import { createFetchSitemap, type FetchSitemap } from './fetch-sitemap.ts'

export * from '../src/helpers.ts'
export type { FetchContext, FetchRequest, FetchSitemap } from './fetch-sitemap.ts'

/**
 * A handler from Request to Response, for Hono, Next.js and whatever else speaks fetch, and the handle. Throws one
 * SitemapError that names all faults of the options.
 *
 * @example
 * const sm = sitemap({ site: { url: 'https://www.example.com' }, providers: { pages: ['/', '/about'] } })
 * const response = await sm.fetch(request) // undefined where the path is none of ours
 */
export function sitemap<Section extends string>(options: SitemapOptions<Section>): FetchSitemap<Section> {
  return createFetchSitemap(options)
}

export default sitemap
