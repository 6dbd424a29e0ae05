import Fastify, { type FastifyInstance } from 'fastify'
import sitemapPlugin, { type SitemapOptions } from '../../../plugins/fastify.ts'

/** A site on a free port of 127.0.0.1. */
export interface Server {
  /** `http://127.0.0.1:…`, without slash at the end. */
  readonly base: string
  close(): Promise<void>
}

/** As strict as a policy gets for a page that is to have a stylesheet of its own. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'"

/** The site as a real app serves it, every answer under {@link POLICY}. */
export async function serve(options: SitemapOptions): Promise<Server> {
  const app: FastifyInstance = Fastify()
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('content-security-policy', POLICY)
    done(null, payload)
  })
  // Browsers ask for it by themselves.
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send())
  await app.register(sitemapPlugin, { log: SILENT, ...options })
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  return { base, close: () => app.close() }
}

/** All sites, each on a server of its own. */
export async function serveAll<T extends { readonly options: SitemapOptions }>(
  sites: readonly T[],
): Promise<ReadonlyMap<T, Server>> {
  return new Map(await Promise.all(sites.map(async (site) => [site, await serve(site.options)] as const)))
}

export async function closeAll(servers: ReadonlyMap<unknown, Server>): Promise<void> {
  await Promise.all(Array.from(servers.values(), (server) => server.close()))
}

/** Hostile entries are complained of, which is another test's subject. */
const SILENT = { info() {}, warn() {}, error() {} }
