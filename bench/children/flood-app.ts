/** An app whose section is one part of 40 MB, or 2,000 small ones. */
import Fastify from 'fastify'
import { ORIGIN, plainRow, type Row } from '../entries.ts'
import { sitemapPlugin } from '../library.ts'
import { peakRss, resetPeak, settledRss } from '../memory.ts'
import type { MemoryUse } from './partitions-app.ts'
import { answerCommands, given } from './process.ts'

export interface FloodOrder {
  readonly entries: number
  /** Entries of a part. */
  readonly limit: number
  /** Characters that a path is longer than usual. */
  readonly longer: number
}

const { entries, limit, longer } = given<FloodOrder>()

function* rows(): Generator<Row> {
  for (let i = 0; i < entries; i++) {
    const row = plainRow(i)
    yield longer === 0 ? row : { ...row, loc: `${row.loc}-${'and-more'.repeat(longer / 8)}` }
  }
}

const app = Fastify()
app.get('/own', () => 'own')
await app.register(sitemapPlugin, {
  site: { url: ORIGIN },
  providers: { blog: rows },
  routes: { html: false, txt: false, rss: false },
  limit,
  warmUp: false,
  // What is put off is what is asked about here.
  log: { info() {}, warn() {}, error: console.error },
})
await app.sitemap.refresh()
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()

answerCommands(
  { port: typeof address === 'object' ? address?.port : 0 },
  {
    memory: (): MemoryUse => ({
      rss: process.memoryUsage.rss(),
      peak: peakRss(),
      ...app.sitemap.report().memory,
    }),
    async settle() {
      const rss = await settledRss()
      resetPeak()
      return rss
    },
  },
  () => app.close(),
)
