import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { buildSite, freePort, type SiteSettings, siteUrlOf } from './site.ts'
import { openStore } from './store.ts'

const host = process.env.HOST || '127.0.0.1'
const dataDir = process.env.DATA_DIR || fileURLToPath(new URL('./data', import.meta.url))

await start()

async function start(): Promise<void> {
  const wanted = process.env.PORT || '3000'
  if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65_535)
    return fail(`PORT is "${wanted}": write a number from 0 to 65535.`)
  const port = Number(wanted) || (await freePort(host))
  const app = await buildSite({ port, host, dataDir, ...(await sharedSettings()) })
  try {
    await app.listen({ port, host })
  } catch (error) {
    await app.close()
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      return fail(`Port ${port} is taken. Choose another: PORT=${port + 1} npm start`)
    if (code === 'EACCES')
      return fail(`Port ${port} may not be used by this user. Choose another: PORT=3000 npm start`)
    throw error
  }
  closeOnSignals(app)
  const url = siteUrlOf(host, port)
  console.log(`
  The example shop: ${url}/

    Sitemap        ${url}/sitemap.xml
    Sitemap index  ${url}/sitemap_index.xml
    Feed           ${url}/feed.rss
    HTML sitemap   ${url}/sitemap.html
    Text sitemap   ${url}/sitemap.txt

    Admin          ${url}/admin  (edit, publish, add: then look again)
`)
}

/** What instances have in common (two.ts). */
async function sharedSettings(): Promise<Partial<SiteSettings>> {
  const { SHARED, SITE_URL, CMS_URL, CMS_TOKEN, REDIS_URL } = process.env
  return {
    ...(SHARED ? { store: await openStore(dataDir, REDIS_URL) } : {}),
    ...(SITE_URL ? { siteUrl: SITE_URL } : {}),
    ...(CMS_URL && CMS_TOKEN ? { cms: { url: CMS_URL, token: CMS_TOKEN } } : {}),
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

/** The first signal closes, a second one ends the process at once. */
function closeOnSignals(app: FastifyInstance): void {
  const close = (): void => {
    app.close().catch((error: unknown) => {
      console.error(error)
      process.exitCode = 1
    })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close)
  // Where another process started it (two.ts): that one is gone, or lets it go.
  process.once('disconnect', close)
  // Whoever forked it may have gone before it listened.
  if (process.env.SHARED && !process.connected) close()
}
