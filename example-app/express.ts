/** The same shop on Express: pages, products and sitemap. Editing is shown by the Fastify one (server.ts). */
import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { sitemap } from '../plugins/express.ts'
import { startCms } from './cms.ts'
import { openDatabase } from './database.ts'
import { type PageHost, type PageReply, registerPages, type Shop, sendNotFound } from './routes.ts'
import { freePort, type SiteSettings, siteUrlOf } from './site.ts'
import { sitemapOf } from './sitemap.ts'

/** Builds the site and listens; `close` ends all of it. */
export async function startExpress({
  port,
  host = '127.0.0.1',
  dataDir,
}: SiteSettings): Promise<{ readonly url: string; close(): Promise<void> }> {
  const siteUrl = siteUrlOf(host, port)
  const db = openDatabase(dataDir)
  const cms = await startCms()
  const shop: Shop = { siteUrl, db, cms }

  const app = express()
  // One address for each page: /fr is not /fr/, as on Fastify.
  app.enable('strict routing')
  const sm = sitemap(sitemapOf(shop))
  app.use(sm)
  registerPages(pagesOn(app), shop)
  app.use((_request: express.Request, response: express.Response) => {
    sendNotFound(replyOf(response), siteUrl)
  })

  const server = await new Promise<Server>((resolve, reject) => {
    const listening = app.listen(port, host, (error?: Error) => (error ? reject(error) : resolve(listening)))
  })
  // Nobody has asked yet: the first reader shall not wait.
  void sm.ready()
  return {
    url: siteUrl,
    async close() {
      await sm.close()
      await new Promise((closed) => {
        server.close(closed)
        server.closeAllConnections()
      })
      await cms.close()
      db.close()
    },
  }
}

/** An Express app in the shape that the pages are registered with. */
function pagesOn(app: express.Express): PageHost {
  return {
    get(path, handler) {
      // Express calls what is left of a path by a name.
      app.get(path.replace('/*', '/{*rest}'), async (request, response, next) => {
        try {
          const rest = request.params.rest as string | readonly string[] | undefined
          const params = { ...request.params, '*': typeof rest === 'string' ? rest : (rest?.join('/') ?? '') }
          await handler(
            { params: params as Record<string, string>, query: request.query as never },
            replyOf(response),
          )
        } catch (error) {
          next(error)
        }
      })
    },
  }
}

function replyOf(response: express.Response): PageReply {
  return {
    code(status) {
      response.status(status)
      return this
    },
    type(mediaType) {
      response.type(mediaType)
      return this
    },
    header(name, value) {
      response.setHeader(name, value)
      return this
    },
    send: (body) => response.send(body),
    redirect: (url, status = 302) => response.redirect(status, url),
  }
}

/** Runs where this file is started, and not where a test imports it. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const host = process.env.HOST || '127.0.0.1'
  const port = Number(process.env.PORT || 3000) || (await freePort(host))
  const dataDir = process.env.DATA_DIR || fileURLToPath(new URL('./data', import.meta.url))
  const { url, close } = await startExpress({ port, host, dataDir })
  console.log(
    `\n  The example shop on Express: ${url}/\n\n    Sitemap        ${url}/sitemap.xml\n    HTML sitemap   ${url}/sitemap.html\n`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
}
