/**
 * The package as it is published: compiled by `npm run build`. The sources under a loader that rewrites them while they
 * run are another, slower thing.
 */
type Engine = typeof import('../src/index.ts')
type Plugin = typeof import('../plugins/fastify.ts')
type Express = typeof import('../plugins/express.ts')
type Stores = typeof import('../plugins/stores/index.ts')

const built = (file: string): string => new URL(`../dist/${file}`, import.meta.url).href

const engine: Engine = await import(built('src/index.js'))
const plugin: Plugin = await import(built('plugins/fastify.js'))
const express: Express = await import(built('plugins/express.js'))
const stores: Stores = await import(built('plugins/stores/index.js'))

export const createEngine: Engine['createEngine'] = engine.createEngine
export const resolveOptions: Engine['resolveOptions'] = engine.resolveOptions
export const sitemapPlugin: Plugin['sitemapPlugin'] = plugin.sitemapPlugin
export const defineProvider: Engine['defineProvider'] = engine.defineProvider
export const sitemap: Express['sitemap'] = express.sitemap
export const redisStore: Stores['redisStore'] = stores.redisStore
