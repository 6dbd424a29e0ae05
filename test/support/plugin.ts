import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { registerSitemap } from '../../plugins/fastify-routes.ts'
import type { Clock, SitemapOptions } from '../../src/index.ts'

/** The plugin on another clock. */
export function createSitemapPlugin(clock: Clock): FastifyPluginAsync<SitemapOptions> {
  return fp(async (app: FastifyInstance, options: SitemapOptions) => registerSitemap(app, options, clock), {
    name: 'live-sitemap',
    fastify: '5.x',
  })
}
