/**
 * An app with all there is: one site with partitions, news, languages and feeds, and many sites behind a prefix; little
 * memory, so that everything leaves it and comes back; and providers that throw, break off, hang and do not listen.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import type { EntryObject, ProviderContext, Site, SitemapHandle, SitemapOptions } from '../../src/index.ts'
import { defineProvider, sitemapPlugin } from '../library.ts'
import { settledRss } from '../memory.ts'
import { createRandom } from '../random.ts'
import { answerCommands, given } from './process.ts'

export interface SoakOrder {
  readonly seed: number
}

/** What the process is like, all collected. */
export interface SoakSample {
  readonly rss: number
  readonly heapUsed: number
  /** Bytes of buffers. */
  readonly buffers: number
  /** By the reports: what both registrations hold, and what they may. */
  readonly used: number
  readonly limit: number
  /** Open handles and requests by kind. */
  readonly handles: Readonly<Record<string, number>>
  /** Rejections and errors that nobody handled, and warnings of Node's, so far. */
  readonly unhandled: readonly string[]
  readonly warnings: readonly string[]
  /** Codes of invalidations that could not be served, so far. */
  readonly refused: Readonly<Record<string, number>>
  /** Calls of providers so far, and those that were made to fail. */
  readonly calls: number
  readonly failures: number
}

const SITES = 12
const PARTITIONS = 60

/** One in ten has two parts. */
function sizeOf(partition: number): number {
  return partition % 10 === 0 ? 6_000 : 1_500
}

const { seed } = given<SoakOrder>()
const random = createRandom(seed)
const unhandled: string[] = []
const warnings: string[] = []
const refused: Record<string, number> = {}
let calls = 0
let failures = 0
/** Counts edits: entries change with it. */
let edits = 0

/** What a provider that does not listen to its signal takes to come back. */
const DEAF_MS = 15_000

/** Entries as a provider gives them that has its days. */
async function* moody(
  entries: Iterable<EntryObject>,
  { signal }: ProviderContext,
): AsyncGenerator<EntryObject> {
  calls++
  const mood = random.next()
  if (mood < 0.12) failures++
  if (mood < 0.04) throw new Error('the database is down')
  if (mood < 0.05) await sleep(DEAF_MS)
  else if (mood < 0.08) await sleep(60_000, undefined, { signal })
  const breaksAt = mood < 0.12 ? random.below(500) : Number.POSITIVE_INFINITY
  let given = 0
  for (const entry of entries) {
    if (given++ === breaksAt) throw new Error('the cursor was lost')
    // Now and then it is a real one, which takes its time.
    if (given % 500 === 0) await sleep(1)
    yield entry
  }
}

function* postsOf(name: string, count: number): Generator<EntryObject> {
  for (let i = 0; i < count; i++) {
    const edited = i % 10 === edits % 10 ? edits : 0
    yield {
      loc: `/${name}/${i}`,
      title: `Post ${i} <&> ]]> \u0007 ${edited}`,
      description: `${'What it says. '.repeat(i % 7)}é\ud800`,
      published: 1_700_000_000 + i * 3_600,
      lastmod: 1_700_000_000 + i * 3_600 + edited,
      images: [`/images/${i}.jpg`],
      robots: i % 50 === 0 ? 'nofollow' : undefined,
      alternates: i % 20 === 0 ? { en: `/${name}/${i}`, fr: `/fr/${name}/${i}` } : undefined,
    }
  }
}

function* groupsOf(count: number): Generator<EntryObject> {
  for (let i = 0; i < count; i++)
    for (const lang of ['en', 'fr'])
      yield { loc: `/${lang}/page-${i}`, lang, group: `page-${i}`, title: `Page ${i}` }
}

function* newsOf(count: number): Generator<EntryObject> {
  const now = Date.now()
  for (let i = 0; i < count; i++)
    yield {
      loc: `/news/${i}`,
      title: `News ${i}`,
      published: new Date(now - i * 60_000 * 30),
      news: { title: `News ${i} of edit ${edits}`, publicationDate: new Date(now - i * 60_000 * 30) },
    }
}

const COMMON = {
  routes: {
    atom: '/feed.atom',
    json: '/feed.json',
    news: '/sitemap-news.xml',
    llms: '/llms.txt',
    css: '/sitemap.css',
    report: '/sitemap-report.json',
  },
  news: { name: 'Example' },
  html: { pageSize: 200 },
  limit: 5_000,
  deadline: '2s',
  timeout: '2s',
  retries: 1,
  log: { info() {}, warn() {}, error() {} },
} satisfies Omit<SitemapOptions, 'providers' | 'site'>

const dir = await mkdtemp(join(tmpdir(), 'bench-soak-'))
const cache = { ttl: '3s', staleWhileRevalidate: '3s', wait: '200ms', dir } as const

const app = Fastify()
await app.register(sitemapPlugin, {
  ...COMMON,
  site: { url: 'https://www.example.com', title: 'Example', description: 'All there is' },
  routes: { ...COMMON.routes, robots: '/robots.txt' },
  cache: { ...cache, memory: '2mb' },
  providers: {
    pages: ['/', '/about', '/contact'],
    posts: { entries: (ctx) => moody(postsOf('posts', 12_000), ctx), ttl: '5s' },
    languages: { entries: (ctx) => moody(groupsOf(300), ctx), ttl: '5s' },
    fresh: { entries: (ctx) => moody(newsOf(200), ctx), ttl: '5s' },
    goods: defineProvider({
      partitions() {
        calls++
        if (random.chance(0.03)) throw new Error('the list is not to be had')
        return Array.from({ length: PARTITIONS }, (_, i) => ({
          id: `p${i}`,
          version: i % 5 === edits % 5 ? edits : 0,
          count: sizeOf(i),
          size: sizeOf(i),
        }))
      },
      entries: (ctx) => moody(postsOf(`goods-${ctx.partition.id}`, ctx.partition.size), ctx),
      ttl: '5s',
    }),
  },
})
await app.register(sitemapPlugin, {
  ...COMMON,
  name: 'many',
  prefix: '/many',
  sites: findSite,
  cache: { ...cache, memory: '1mb' },
  providers: {
    posts: (ctx) => moody(postsOf(`posts-of-${ctx.site.id}`, 1_200), ctx),
    fresh: (ctx) => moody(newsOf(100), ctx),
  },
})
const { sitemap, many } = app as unknown as { readonly sitemap: SitemapHandle; readonly many: SitemapHandle }
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
// From here on nothing ends the process, and everything is told.
process.on('unhandledRejection', (reason) => unhandled.push(String(reason)))
process.on('uncaughtException', (error) => unhandled.push(String(error)))
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`))

async function findSite(host: string): Promise<Site | null> {
  if (random.chance(0.02)) throw new Error('the directory is down')
  if (random.chance(0.01)) await sleep(DEAF_MS)
  const [, kind, number] = /^(site|alias)-(\d+)\.example$/.exec(host) ?? []
  if (kind === undefined || Number(number) >= SITES) return null
  return {
    id: `site-${number}`,
    url: `https://site-${number}.example`,
    hosts: [`alias-${number}.example`],
    title: `Site ${number}`,
  }
}

/** One edit, announced in one of the ways there are. */
async function edit(): Promise<void> {
  edits++
  const site = `site-${random.below(SITES)}`
  const ways = [
    () => sitemap.invalidate(random.oneOf(['pages', 'posts', 'languages', 'fresh', 'goods'])),
    () => sitemap.invalidate('goods', { partition: `p${random.below(PARTITIONS)}` }),
    () => sitemap.invalidate('posts', { delay: '100ms' }),
    () => sitemap.invalidate(),
    () => sitemap.refresh('posts', { force: true }),
    () => many.invalidate('posts', { site }),
    () => many.invalidate(random.oneOf(['posts', 'fresh'])),
    async () => many.forget(site),
  ]
  try {
    await random.oneOf(ways)()
  } catch (error) {
    const code = (error as { readonly code?: string }).code ?? String(error)
    refused[code] = (refused[code] ?? 0) + 1
  }
}

function countedHandles(): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counted[kind] = (counted[kind] ?? 0) + 1
  return counted
}

/** A walk may be under way: what is held at the quietest of several looks is what stays. */
const LOOKS = 5
const LOOK_MS = 300

async function sample(): Promise<SoakSample> {
  let lowest: NodeJS.MemoryUsage | undefined
  for (let look = 0; look < LOOKS; look++) {
    await sleep(LOOK_MS)
    await settledRss()
    const now = process.memoryUsage()
    if (lowest === undefined || now.heapUsed < lowest.heapUsed) lowest = now
  }
  const reports = [sitemap.report().memory, many.report().memory]
  return {
    rss: lowest?.rss ?? 0,
    heapUsed: lowest?.heapUsed ?? 0,
    buffers: lowest?.arrayBuffers ?? 0,
    used: reports.reduce((sum, { used }) => sum + used, 0),
    limit: reports.reduce((sum, { limit }) => sum + limit, 0),
    handles: countedHandles(),
    unhandled,
    warnings,
    refused,
    calls,
    failures,
  }
}

answerCommands(
  { port: typeof address === 'object' ? address?.port : 0 },
  {
    // Not awaited, as a webhook does it.
    edit: () => void edit(),
    sample,
  },
  async () => {
    await app.close()
    await rm(dir, { recursive: true, force: true })
  },
)
