import { setMaxListeners } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pathsIn } from './ask.ts'
import type { Random } from './random.ts'

/** Random requests of every kind, from several clients at once. */
export interface Traffic {
  /** Asks for `ms`, then waits until nothing is on its way. */
  run(ms: number): Promise<void>
  /** How often each status came, and each way a request ended without one. */
  readonly outcomes: Readonly<Record<string, number>>
  /** Answers that may not be, the first of each kind of request. */
  readonly faults: readonly string[]
  readonly requests: number
}

/** Clients that ask one request after the other, and how many more may read slowly. */
const CLIENTS = 12
const MOST_SLOW = 30
/** Between two requests of a client. */
const PAUSE_MS = 3

const PREFIX = '/many'
const DOCUMENTS = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/sitemap.html',
  '/sitemap.txt',
  '/feed.rss',
  '/feed.atom',
  '/feed.json',
  '/sitemap-news.xml',
  '/llms.txt',
  '/sitemap.css',
  '/sitemap-report.json',
  '/sitemap-posts-1.xml',
  '/sitemap-posts-2.xml',
  '/sitemap-posts-2.txt',
  '/sitemap-posts-1.html',
  '/feed-posts.rss',
] as const
/** Of the first registration alone. */
const MORE_DOCUMENTS = [
  '/robots.txt',
  '/sitemap-posts-3.xml',
  '/sitemap-goods-1.html',
  ...Array.from(
    { length: 60 },
    (_, i) => `/sitemap-goods-p${i}-${i % 20 === 0 ? 2 : 1}.${i % 7 === 0 ? 'txt' : 'xml'}`,
  ),
]
/** More than the buffers of a socket take: plain, they are sent block by block. */
const LARGE = ['/sitemap-posts-1.xml', '/sitemap-posts-2.xml', '/sitemap-goods-p10-1.xml'] as const
const NOT_THERE = [
  '/sitemap-nothing-1.xml',
  '/sitemap-posts-99999.xml',
  '/sitemap-posts-0.xml',
  '/sitemap-goods-p1-9.xml',
  '/sitemap-goods-zzz-1.xml',
  '/sitemap-.xml',
  '/sitemap-%2e%2e%2f1.xml',
  '/sitemap_index-9.xml',
  '/sitemap_xx.xml',
  '/feed-nothing.rss',
]
const CODINGS = [
  undefined,
  'identity',
  'gzip',
  'br',
  'gzip, deflate, br, zstd',
  '*',
  'gzip;q=0.5, br;q=0',
] as const
/** No coding that we could send. */
const REFUSED = 'identity;q=0, *;q=0'
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

interface Request {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  /** What may be answered, beside a 503 that says when to come back. */
  readonly expected: readonly number[]
  readonly reads: 'all' | 'slowly' | 'not'
}

interface Outcome {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export function createTraffic(port: number, random: Random): Traffic {
  const outcomes: Record<string, number> = {}
  const faults = new Map<string, string>()
  const tags = new Map<string, string>()
  const listed = new Map<string, readonly string[]>()
  const slow = new Set<Promise<void>>()
  let requests = 0
  let agent = new http.Agent({ keepAlive: true })
  let over = createOver()

  /** Where it goes: the one site, or one of the many. */
  function target(): Pick<Request, 'host'> & { readonly prefix: string; readonly isKnown: boolean } {
    if (random.chance(0.6)) return { host: 'anything.example', prefix: '', isKnown: true }
    const dice = random.next()
    if (dice < 0.06) return { host: `unknown-${random.below(200)}.example`, prefix: PREFIX, isKnown: false }
    // An alias is sent to the site's own host, which is as good as unknown here.
    if (dice < 0.1) return { host: `alias-${random.below(12)}.example`, prefix: PREFIX, isKnown: false }
    return { host: `site-${random.below(12)}.example`, prefix: PREFIX, isKnown: true }
  }

  function document(prefix: string, host: string): string {
    const parts = listed.get(host + prefix)
    if (parts !== undefined && parts.length > 0 && random.chance(0.3)) return random.oneOf(parts)
    const all: readonly string[] = prefix === '' && random.chance(0.5) ? MORE_DOCUMENTS : DOCUMENTS
    return prefix + random.oneOf(all)
  }

  function makeUp(): Request {
    const { host, prefix, isKnown } = target()
    const path = document(prefix, host)
    const coding = random.oneOf(CODINGS)
    const headers = coding === undefined ? {} : { 'accept-encoding': coding }
    // A document may be gone, or never have been: a feed without entries, a part that is no longer needed.
    const found = isKnown ? [200, 404] : [200, 301, 404]
    const base = {
      kind: 'document',
      method: 'GET',
      path,
      host,
      headers,
      expected: found,
      reads: 'all',
    } as const
    const dice = random.next()
    if (dice < 0.5) return base
    if (dice < 0.58) return { ...base, kind: 'HEAD', method: 'HEAD' }
    if (dice < 0.72) {
      const tag = tags.get(host + path)
      const condition: Record<string, string> =
        tag === undefined
          ? { 'if-modified-since': new Date().toUTCString() }
          : { 'if-none-match': random.chance(0.5) ? tag : `"other", ${tag}` }
      const expected = [...found, 304]
      return { ...base, kind: 'conditional', headers: { ...headers, ...condition }, expected }
    }
    if (dice < 0.76)
      return {
        ...base,
        kind: 'refused codings',
        headers: { 'accept-encoding': REFUSED },
        expected: [...found, 406],
      }
    if (dice < 0.86) {
      const expected = isKnown ? [404] : [301, 404]
      return { ...base, kind: 'unknown path', path: prefix + random.oneOf(NOT_THERE), expected }
    }
    if (dice < 0.91) return { ...base, kind: 'writing', method: random.oneOf(METHODS), expected: [405] }
    const plain = { headers: random.chance(0.7) ? { 'accept-encoding': 'identity' } : headers }
    const large = random.chance(0.7) ? { path: prefix + random.oneOf(LARGE) } : {}
    if (dice < 0.96) return { ...base, ...large, ...plain, kind: 'aborted', reads: 'not' }
    return { ...base, ...large, ...plain, kind: 'slow', reads: 'slowly' }
  }

  async function ask(request: Request): Promise<void> {
    requests++
    try {
      judge(request, await send(request, agent, random, over.signal))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error)
      count(`${request.kind}: ${code}`)
      // Who gives up gets no answer; everybody else must have one.
      if (request.reads === 'all') fault(request, `ended with ${code}`)
    }
  }

  function judge(request: Request, { status, headers, body }: Outcome): void {
    count(String(status))
    const { kind, host, path, expected } = request
    const isLater = status === 503 && Number(headers['retry-after']) > 0
    if (!isLater && !expected.includes(status)) fault(request, `${status}`)
    if (status === 405 && headers.allow === undefined) fault(request, 'a 405 without Allow')
    if (status === 304 && body.length > 0) fault(request, 'a 304 with a body')
    if (status !== 200 || kind === 'HEAD' || request.reads !== 'all') return
    if (headers.etag !== undefined) tags.set(host + path, headers.etag)
    const text = decoded(body, headers['content-encoding'])
    if (!isComplete(text, path)) fault(request, `200 and an incomplete document: …${text.slice(-40)}`)
    if (path.endsWith('/sitemap_index.xml'))
      listed.set(host + (path.startsWith(PREFIX) ? PREFIX : ''), pathsIn(text))
  }

  function count(name: string): void {
    outcomes[name] = (outcomes[name] ?? 0) + 1
  }

  function fault({ kind, method, host, path, headers }: Request, what: string): void {
    const name = `${kind} ${what}`
    if (!faults.has(name))
      faults.set(name, `${kind}: ${method} ${path} at ${host} ${JSON.stringify(headers)}: ${what}`)
  }

  async function client(untilMs: number): Promise<void> {
    while (performance.now() < untilMs) {
      const request = makeUp()
      if (request.reads === 'slowly') {
        if (slow.size < MOST_SLOW) {
          const one: Promise<void> = ask(request).finally(() => slow.delete(one))
          slow.add(one)
        }
      } else await ask(request)
      await sleep(random.next() * 2 * PAUSE_MS)
    }
  }

  return {
    async run(ms) {
      const untilMs = performance.now() + ms
      await Promise.all(Array.from({ length: CLIENTS }, () => client(untilMs)))
      over.abort()
      await Promise.all(slow)
      agent.destroy()
      agent = new http.Agent({ keepAlive: true })
      over = createOver()
    },
    get outcomes() {
      return outcomes
    },
    get faults() {
      return [...faults.values()]
    },
    get requests() {
      return requests
    },
  }

  function send(
    { method, path, host, headers, reads }: Request,
    through: http.Agent,
    dice: Random,
    given: AbortSignal,
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const outgoing = http.request({
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: { ...headers, host },
        // What is broken off takes its connection with it.
        agent: reads === 'all' ? through : false,
        ...(reads === 'slowly' ? { signal: given } : {}),
      })
      outgoing.once('error', reject)
      outgoing.once('response', (response) => {
        const chunks: Buffer[] = []
        response.once('error', reject)
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
        if (reads === 'slowly') void readSlowly(response)
        else response.on('data', (chunk: Buffer) => chunks.push(chunk))
      })
      if (reads === 'not') setTimeout(() => outgoing.destroy(new Error('given up')), dice.below(30))
      outgoing.end()
    })
  }
}

/** Ends the slow ones, each of which listens. */
function createOver(): AbortController {
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  return over
}

/** A little, and then nothing for a while. */
async function readSlowly(response: http.IncomingMessage): Promise<void> {
  try {
    for await (const _ of response) await sleep(500)
  } catch {
    // It was told to whoever asked.
  }
}

function decoded(body: Buffer, coding: string | undefined): string {
  if (coding === 'gzip') return gunzipSync(body).toString()
  if (coding === 'br') return brotliDecompressSync(body).toString()
  return body.toString()
}

/** Ends as a document of its kind does: whatever went wrong, nobody gets half of one. */
function isComplete(text: string, path: string): boolean {
  if (path.endsWith('.json')) return isJson(text)
  if (/\.(xml|rss|atom|html)$/.test(path)) return /<\/(urlset|sitemapindex|rss|feed|html)>\s*$/.test(text)
  return text.endsWith('\n')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
