/** An app with one section of very many entries in partitions, which the provider makes as they are asked for. */
import Fastify from 'fastify'
import { ORIGIN, type Row, streamRows } from '../entries.ts'
import { defineProvider, sitemapPlugin } from '../library.ts'
import { timed } from '../measure.ts'
import { peakRss, resetPeak, settledRss } from '../memory.ts'
import { answerCommands, given } from './process.ts'

export interface PartitionsOrder {
  readonly partitions: number
  /** Entries of each. */
  readonly size: number
}

/** Calls of the provider so far. */
export interface Calls {
  readonly lists: number
  readonly reads: number
}

export interface MemoryUse {
  readonly rss: number
  /** Since the last `settle`. */
  readonly peak: number
  readonly used: number
  readonly limit: number
}

const { partitions, size } = given<PartitionsOrder>()
const calls = { lists: 0, reads: 0 }
const versions = new Map<number, number>()

function rowsOf(index: number): AsyncGenerator<Row> {
  return streamRows(size, index * size, `blog-${versions.get(index) ?? 1}`)
}

const app = Fastify()
await app.register(sitemapPlugin, {
  site: { url: ORIGIN },
  providers: {
    goods: defineProvider({
      partitions() {
        calls.lists++
        return Array.from({ length: partitions }, (_, index) => ({
          id: String(index + 1),
          index,
          count: size,
          version: versions.get(index) ?? 1,
          lastmod: 1_700_000_000 + index,
        }))
      },
      entries({ partition }) {
        calls.reads++
        return rowsOf(partition.index)
      },
    }),
  },
  warmUp: false,
  log: { info() {}, warn: console.error, error: console.error },
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()

answerCommands(
  { port: typeof address === 'object' ? address?.port : 0 },
  {
    calls: (): Calls => ({ ...calls }),
    /** What the provider takes for a partition with nobody behind it. */
    provider: (index: number) =>
      timed(async () => {
        let last: Row | undefined
        for await (const row of rowsOf(index)) last = row
        if (size > 0 && last === undefined) throw new Error('nothing was read')
      }),
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
    async change(indexes: readonly number[]) {
      for (const index of indexes) versions.set(index, (versions.get(index) ?? 1) + 1)
      await app.sitemap.invalidate('goods')
    },
  },
  () => app.close(),
)
