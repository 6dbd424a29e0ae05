/**
 * One instance of a site, as it stands behind a balancer: a Fastify app with the plugin and a store over a client of its
 * own. Tells its port and what it logs; answers commands; ends by SIGTERM as an app does, and with the test that began it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import sitemapPlugin, { defineProvider, type Entry, type SharedStore } from '../../../plugins/fastify.ts'
import { fsStore, redisStore } from '../../../plugins/stores/index.ts'
import type { Command, InstanceOrder, Line, Said, StoreOrder } from '../instance.ts'
import { type Client, connect, connectCluster } from './clients.ts'

const order = JSON.parse(process.argv[2] ?? '{}') as InstanceOrder
const { source, store: wanted, cache = {}, partitioned = false, more = {} } = order

const { store, client } = await openStore(wanted)
const say = (said: Said): void => void process.send?.(said)
const keep =
  (level: Line['level']) =>
  (details: object, message: string): void =>
    say({ line: { level, code: (details as { code?: string }).code, message, atMs: Date.now() } })

const app = Fastify()
const posts = async ({ signal }: { readonly signal: AbortSignal }): Promise<Entry[]> => read('/posts', signal)
const goods = defineProvider({
  partitions: async ({ signal }) => read<{ id: string; version: number }>('/goods', signal),
  entries: async ({ signal, partition }) => read<{ loc: string }>(`/goods/${partition.id}`, signal),
})
await app.register(sitemapPlugin, {
  site: { url: 'https://www.example.com', title: 'Example' },
  providers: partitioned ? { goods } : { posts },
  retries: 0,
  log: { info: keep('info'), warn: keep('warn'), error: keep('error') },
  ...more,
  cache: { ...cache, ...(store === undefined ? {} : { store }) },
})
app.get('/ready', async (_request, reply) => {
  const isReady = await app.sitemap.ready({ timeout: '5s' })
  return reply.code(isReady ? 200 : 503).send(isReady ? 'ready' : 'not ready')
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()

const commands: Readonly<Record<Command, (section: string) => unknown>> = {
  report: () => app.sitemap.report(),
  ready: () => app.sitemap.ready(),
  invalidate: (section) => app.sitemap.invalidate(section).then(() => true),
  /** Many, none awaited, as webhooks come. */
  invalidateOften: async (section) => {
    for (let i = 0; i < 100; i++) {
      app.sitemap.invalidate(section).catch(() => {})
      await sleep(4)
    }
  },
  waiting: () => client?.waiting() ?? 0,
  late: () => client?.late() ?? 0,
}

process.on('message', (message) => void answer(message as { id: number; command: Command; given: string }))
process.once('SIGTERM', () => void end())
// The test is gone, however it went.
process.once('disconnect', () => process.exit())
say({ port: typeof address === 'object' && address !== null ? address.port : 0 })

async function answer({
  id,
  command,
  given,
}: {
  id: number
  command: Command
  given: string
}): Promise<void> {
  try {
    say({ id, value: (await commands[command](given)) ?? null })
  } catch (error) {
    say({ id, error: String(error) })
  }
}

async function end(): Promise<void> {
  await app.close()
  client?.close()
  process.exit()
}

async function read<T>(path: string, signal: AbortSignal): Promise<T[]> {
  const response = await fetch(`${source}${path}`, { signal })
  if (!response.ok) throw new Error(`the source answered ${response.status}`)
  return response.json() as Promise<T[]>
}

async function openStore(
  how: StoreOrder | undefined,
): Promise<{ readonly store?: SharedStore; readonly client?: Client }> {
  if (how === undefined) return {}
  if ('dir' in how) return { store: fsStore(how.dir) }
  const client = await ('url' in how ? connect(how.client, how.url) : connectCluster(how.client, how.ports))
  return { store: redisStore(client.redis), client }
}
