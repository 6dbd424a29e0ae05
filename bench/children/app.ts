/** A site's own app: a small route of its own, and the sitemap of a large section beside it. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Fastify from 'fastify'
import { ORIGIN, streamRows } from '../entries.ts'
import { sitemapPlugin } from '../library.ts'
import { answerCommands, given } from './process.ts'

/** What the loop was late by, in milliseconds. */
export interface Delay {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The finest there is: it is in every value of the histogram, and is taken off. */
const RESOLUTION_MS = 1

const { entries } = given<{ readonly entries: number }>()
/** Each walk gives other entries: of equal ones nothing would be compressed again. */
let generation = 0

const app = Fastify()
app.get('/own', () => ({ id: 17, name: 'Tomato soup', price: 4.5, tags: ['soup', 'summer'] }))
await app.register(sitemapPlugin, {
  site: { url: ORIGIN },
  providers: { blog: () => streamRows(entries, 0, `blog-${generation}`) },
  routes: { sitemap: false },
  warmUp: false,
  log: { info() {}, warn: console.error, error: console.error },
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

answerCommands(
  { port: typeof address === 'object' ? address?.port : 0 },
  {
    async walk() {
      generation++
      await app.sitemap.refresh('blog', { force: true })
    },
    watch() {
      delay.reset()
      delay.enable()
    },
    watched(): Delay {
      delay.disable()
      const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
      return { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) }
    },
  },
  () => app.close(),
)
