import { createServer } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import sitemapPlugin from '../plugins/fastify.ts'
import { registerAdmin } from './admin.ts'
import { type Cms, startCms } from './cms.ts'
import { openDatabase } from './database.ts'
import { html } from './html.ts'
import { type PageHost, registerPages, type Shop, sendNotFound, sendPage } from './routes.ts'
import { sitemapOf } from './sitemap.ts'
import type { ShopStore } from './store.ts'

/** Where the site lives. */
export interface SiteSettings {
  /** The port it will listen on: the URLs in the sitemap name it. */
  readonly port: number
  /** @defaultValue "127.0.0.1" */
  readonly host?: string
  /** Folder of the database. */
  readonly dataDir: string
  /** What the log holds. @defaultValue "warn" */
  readonly logLevel?: 'warn' | 'silent'
  /** Address that the public uses, where it is not that of this process. */
  readonly siteUrl?: string
  /** A CMS that runs already; else one is started. */
  readonly cms?: Pick<Cms, 'url' | 'token'>
  /** What several instances share. `close` is called when the app has closed. */
  readonly store?: ShopStore
}

/** Address of a site that listens on this host and port. */
export function siteUrlOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return new URL(`http://${name}:${port}`).origin
}

/** Builds the whole site, ready to listen: database, CMS, pages, admin, sitemap. `app.close()` ends all of it. */
export async function buildSite(settings: SiteSettings): Promise<FastifyInstance> {
  const { port, host = '127.0.0.1', dataDir, logLevel = 'warn' } = settings
  const { siteUrl = siteUrlOf(host, port), store } = settings
  const app = Fastify({
    logger: { level: logLevel },
    bodyLimit: 64 * 1024,
    // Percent-encoded Japanese takes nine characters a letter.
    routerOptions: { maxParamLength: 2_000 },
  })
  const db = openDatabase(dataDir)
  const cms = settings.cms === undefined ? await startCms() : { ...settings.cms, async close() {} }
  // The sitemap ends its reading as soon as the app begins to close, so nothing asks these two any more.
  app.addHook('onClose', async () => {
    await cms.close()
    db.close()
    store?.close()
  })
  const shop: Shop = { siteUrl, db, cms, ...(store === undefined ? {} : { store: store.store }) }

  app.setNotFoundHandler((_request, reply) => sendNotFound(reply, siteUrl))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) request.log.error(error)
    // What went wrong inside is for the log; what the client did wrong is told.
    const message = status >= 500 ? 'This did not work. Please try again in a moment.' : error.message
    reply.code(status)
    if (status === 503) reply.header('retry-after', '5')
    reply.header('cache-control', 'no-store')
    if (request.headers.accept?.includes('text/html') !== true) return reply.send({ error: message })
    const body = html`<h1>Sorry</h1><p class="lead">${message}</p>`
    return sendPage(reply, siteUrl, { locale: 'en', title: 'Sorry', body })
  })

  await app.register(sitemapPlugin, sitemapOf(shop))
  registerPages(app as unknown as PageHost, shop)
  // In a context of its own: form bodies are parsed for the admin only.
  await app.register((admin, _options, done) => {
    registerAdmin(admin, shop, (section) => app.sitemap.invalidate(section))
    done()
  })
  return app
}

/** A port that is free at this moment. */
export async function freePort(host: string): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, host, resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the probe has no port')
  return address.port
}
