import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import type { SitemapHandle, SitemapOptions } from '../src/helpers.ts'

export * from '../src/helpers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The sitemap registered without a `name` of its own. */
    sitemap: SitemapHandle
  }
}

/**
 * Serves a site's sitemap, index, feed, HTML and text sitemap as routes of the app, and decorates it with the handle
 * (`app.sitemap`, or the option `name`). Rejects with one SitemapError that names all faults of the options.
 *
 * @example await app.register(sitemapPlugin, { site: { url: 'https://www.example.com' }, providers: { pages: ['/', '/about'] } })
 */
export const sitemapPlugin: FastifyPluginAsync<SitemapOptions> = fp(
  async (app: FastifyInstance, options: SitemapOptions) => {
    // The engine is loaded by the app that uses it, not by a file that imports a helper or a type.
    const { registerSitemap } = await import('./fastify-routes.ts')
    registerSitemap(app, options)
  },
  { name: 'live-sitemap', fastify: '5.x' },
)

export default sitemapPlugin
