import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { SitemapResponse } from '../../src/http/message.ts'
import {
  type CommonOptions,
  createEngine,
  createHandle,
  type Engine,
  resolveOptions,
  type Site,
  type Sites,
} from '../../src/index.ts'
import { createManualClock, type ManualClock, turns, until } from '../support/manual-clock.ts'
import { codeOf, createGate, createLines, decoded, type Gate, pathsOf, SECRET } from '../support/site.ts'

const engines: Engine[] = []
const folders: string[] = []

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

interface Given extends Partial<CommonOptions> {
  readonly sites: Sites
  readonly hostHeader?: string
}

function start(given: Given, clock: ManualClock = createManualClock()) {
  const { lines, logger } = createLines()
  /** Sites that the provider was called for. */
  const walked: string[] = []
  const options = {
    warmUp: false,
    retries: 0,
    providers: {
      pages: ({ site }: { site: Site }) => {
        walked.push(site.url)
        return ['/', '/a']
      },
    },
    ...given,
  }
  const engine = createEngine(resolveOptions(options), { clock, log: logger })
  engines.push(engine)
  async function ask(host: string | undefined, path = '/sitemap.xml', headers: Record<string, string> = {}) {
    const answer: SitemapResponse = await engine.respond({
      method: 'GET',
      path,
      host,
      header: (name) => headers[name],
    })
    const body = answer.body as Buffer | undefined
    answer.done?.()
    return {
      status: answer.status,
      headers: answer.headers,
      text: body === undefined ? '' : decoded(body, answer.headers['content-encoding']),
    }
  }
  return { engine, handle: createHandle(engine), ask, lines, walked, clock }
}

const ONE: Site = { url: 'https://one.example.com', title: 'One', hosts: ['www.one.example.com'] }
const TWO: Site = { url: 'https://two.example.com', title: 'Two' }

describe('a list of sites', () => {
  it('each host gets its own, walked with its own ctx.site; URLs come from site.url alone', async () => {
    const { ask, walked } = start({ sites: [ONE, TWO] })
    expect((await ask('one.example.com')).text).toContain('<loc>https://one.example.com/a</loc>')
    expect((await ask('TWO.example.com:8080')).text).toContain('<loc>https://two.example.com/a</loc>')
    expect(walked.toSorted()).toEqual(['https://one.example.com', 'https://two.example.com'])
    await ask('one.example.com')
    expect(walked).toHaveLength(2)
  })

  it.each(['unknown.example.com', undefined, '', 'a b', 'one.example.com.evil.example'])(
    'host %j is 404 at no cost',
    async (host) => {
      const { ask, walked } = start({ sites: [ONE, TWO] })
      expect((await ask(host)).status).toBe(404)
      expect(walked).toEqual([])
    },
  )

  it("an alias is answered 301 to the site's own URL, whatever the document; no host is ever echoed", async () => {
    const { ask, walked } = start({ sites: [{ ...ONE, url: 'https://one.example.com/shop' }] })
    const answer = await ask('www.one.example.com:99', '/sitemap-pages-1.xml')
    expect(answer.status).toBe(301)
    expect(answer.headers.location).toBe('https://one.example.com/shop/sitemap-pages-1.xml')
    expect(walked).toEqual([])
  })

  it('hostHeader names the host in place of Host; of several values the first', async () => {
    const { ask } = start({ sites: [ONE, TWO], hostHeader: 'x-forwarded-host' })
    const forwarded = { 'x-forwarded-host': 'two.example.com, proxy.internal' }
    expect((await ask('one.example.com', '/sitemap.xml', forwarded)).text).toContain('two.example.com/a')
    expect((await ask('one.example.com')).status).toBe(404)
  })

  it('a failing provider of one site leaves the others alone', async () => {
    const { ask, lines } = start({
      sites: [ONE, TWO],
      providers: {
        pages: ({ site }) => {
          if (site.url.includes('one')) throw new Error(SECRET)
          return ['/fine']
        },
      },
    })
    const failed = await ask('one.example.com')
    expect(failed.status).toBe(503)
    expect(failed.text).not.toContain(SECRET)
    expect((await ask('two.example.com')).status).toBe(200)
    expect(lines.some(({ code }) => code === 'LSM_ERR_PROVIDER_FAILED')).toBe(true)
  })
})

describe('the handle with several sites', () => {
  it('names a site by its id; without one it means all that are in use', async () => {
    const { ask, handle, walked } = start({ sites: [ONE, { ...TWO, id: 'second' }] })
    await ask('one.example.com')
    await ask('two.example.com')
    await handle.invalidate('pages', { site: 'second' })
    expect(walked.filter((url) => url.includes('two'))).toHaveLength(2)
    expect(walked.filter((url) => url.includes('one'))).toHaveLength(1)
    await handle.invalidate()
    expect(walked).toHaveLength(5)
    expect(handle.report({ site: 'second' }).sections.pages?.entries).toBe(2)
    expect(handle.report()).toMatchObject({ sections: {}, sites: { awake: 2, asked: 2 }, ready: true })
    expect(handle.links({ site: 'one.example.com' })).toContain('https://one.example.com/feed.rss')
    expect(await handle.robotsTxt(undefined, { site: 'second' })).toContain(
      'https://two.example.com/sitemap_index.xml',
    )
  })

  it('an unknown site, and a section that is not there, are refused by name', async () => {
    const { handle } = start({ sites: [ONE] })
    expect(await codeOf(handle.invalidate('pages', { site: 'nobody' }))).toBe('LSM_ERR_SITE_UNKNOWN')
    expect(() => handle.invalidate('nothing')).toThrow(
      expect.objectContaining({ code: 'LSM_ERR_SECTION_UNKNOWN' }),
    )
    expect(() => handle.report({ site: 'nobody' })).toThrow(
      expect.objectContaining({ code: 'LSM_ERR_SITE_UNKNOWN' }),
    )
    expect(() => handle.links()).toThrow(expect.objectContaining({ code: 'LSM_ERR_SITE_UNKNOWN' }))
  })

  it('with one site its own id is taken, and no other', async () => {
    const engine = createEngine(resolveOptions({ site: ONE, providers: { pages: ['/'] }, warmUp: false }))
    engines.push(engine)
    const handle = createHandle(engine)
    await handle.invalidate('pages', { site: 'one.example.com' })
    expect(() => handle.report({ site: 'two' })).toThrow(
      expect.objectContaining({ code: 'LSM_ERR_SITE_UNKNOWN' }),
    )
  })
})

describe('a look-up of sites', () => {
  it('is asked once a host at a time, with the host in normal form; found is kept 5 minutes, unknown 1', async () => {
    const asked: string[] = []
    const gate = createGate<Site | null>()
    let answer: (host: string) => Promise<Site | null> = () => gate.passed
    const { ask, clock } = start({
      sites: (host) => {
        asked.push(host)
        return answer(host)
      },
    })
    const waiting = [ask('ONE.example.com:1'), ask('one.example.com.'), ask('one.example.com')]
    await turns()
    gate.open(ONE)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(asked).toEqual(['one.example.com'])
    answer = async (host) => (host === 'one.example.com' ? ONE : null)
    await clock.advance(4 * 60_000)
    await ask('one.example.com')
    expect(asked).toHaveLength(1)
    await clock.advance(61_000)
    await ask('one.example.com')
    expect(asked).toHaveLength(2)
    expect((await ask('nobody.example.com')).status).toBe(404)
    expect((await ask('nobody.example.com')).status).toBe(404)
    expect(asked).toHaveLength(3)
    await clock.advance(61_000)
    await ask('nobody.example.com')
    expect(asked).toHaveLength(4)
  })

  it.each([
    { name: 'throws', fail: () => Promise.reject(new Error(SECRET)) },
    {
      name: 'throws at once',
      fail: () => {
        throw new Error(SECRET)
      },
    },
    { name: 'gives a site that cannot be used', fail: async () => ({ url: 'nowhere' }) },
  ])('that $name is 503, never 404, and known sites stay', async ({ fail }) => {
    let works = true
    const { ask, clock, lines } = start({ sites: (host) => (works ? { url: `https://${host}` } : fail()) })
    expect((await ask('one.example.com')).status).toBe(200)
    works = false
    const cold = await ask('two.example.com')
    expect(cold.status).toBe(503)
    expect(cold.headers['cache-control']).toBe('no-store')
    expect(cold.text).not.toContain(SECRET)
    expect(lines.some(({ code }) => code === 'LSM_ERR_SITE_LOOKUP')).toBe(true)
    await clock.advance(6 * 60_000)
    const warm = await ask('one.example.com')
    expect(warm.status).toBe(200)
    await turns()
    expect((await ask('one.example.com')).status).toBe(200)
  })

  it('that hangs is given up: requests after `deadline`, the call after `timeout`, by its signal', async () => {
    const signals: AbortSignal[] = []
    const { ask, clock } = start({
      deadline: '2s',
      timeout: '5s',
      sites: (_host, { signal }) => {
        signals.push(signal)
        return new Promise<Site | null>(() => {})
      },
    })
    const asked = ask('one.example.com')
    await clock.advance(2_000)
    expect((await asked).status).toBe(503)
    expect(signals[0]?.aborted).toBe(false)
    await clock.advance(3_000)
    expect(signals[0]?.aborted).toBe(true)
  })

  it('invented hosts cost a bounded number of look-ups at once', async () => {
    let open = 0
    const { ask, clock } = start({
      deadline: 0,
      sites: () => {
        open++
        return new Promise<Site | null>(() => {})
      },
    })
    const asked = Array.from({ length: 1_000 }, (_, i) => ask(`h${i}.example.com`))
    await clock.advance(1)
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(open).toBeLessThanOrEqual(100)
  })

  it("its request object is the host framework's own", async () => {
    const seen: unknown[] = []
    const { engine } = start({
      sites: (_host, { request }) => {
        seen.push(request)
        return null
      },
    })
    const original = { url: '/x' }
    await engine.respond({
      method: 'GET',
      path: '/sitemap.xml',
      host: 'a.example',
      original,
      header: () => undefined,
    })
    expect(seen).toEqual([original])
  })

  it('a site that came back with another title serves the last good under it; with other data providers get that', async () => {
    let site: Site = { ...ONE, data: 1 }
    const data: unknown[] = []
    let fails = false
    const { ask, clock, walked, handle } = start({
      cache: { ttl: '1d' },
      sites: async () => site,
      providers: {
        pages: (ctx) => {
          if (fails) throw new Error('down')
          data.push(ctx.site.data)
          return [{ loc: '/', title: 'Start' }]
        },
      },
    })
    const before = await ask('one.example.com', '/sitemap.xml')
    await ask('one.example.com', '/sitemap.html')
    fails = true
    site = { ...ONE, title: 'New name', data: 2 }
    await clock.advance(6 * 60_000)
    await ask('one.example.com')
    await turns()
    const page = await ask('one.example.com', '/sitemap.html')
    expect(page.status).toBe(200)
    expect(page.text).toContain('New name')
    const after = await ask('one.example.com', '/sitemap.xml')
    // The title is in no urlset: neither validator moves.
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(after.headers['last-modified']).toBe(before.headers['last-modified'])
    fails = false
    await handle.invalidate('pages', { site: 'one.example.com' })
    expect(data).toEqual([1, 2])
    expect(walked).toEqual([])
  })

  it('forget(site) asks and reads anew', async () => {
    let asked = 0
    const { ask, handle, walked } = start({
      sites: async () => {
        asked++
        return ONE
      },
    })
    await ask('one.example.com')
    await ask('one.example.com')
    handle.forget('one.example.com')
    await ask('one.example.com')
    expect([asked, walked.length]).toEqual([2, 2])
  })
})

describe('many sites in little memory', () => {
  it('the least recently asked leave memory as a whole, and come back from their file: same bytes, same validators, no walk', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'live-sitemap-sites-'))
    folders.push(dir)
    const count = 200
    const { ask, handle, walked, clock } = start({
      cache: { memory: '4mb', dir, ttl: '1d' },
      sites: async (host) => (host.startsWith('t') ? { url: `https://${host}` } : null),
      providers: {
        pages: ({ site }) => {
          walked.push(site.url)
          return Array.from({ length: 20 }, (_, i) => ({
            loc: `/p${i}`,
            title: `Page ${i}`,
            lastmod: '2026-01-01',
          }))
        },
      },
    })
    const first = new Map<
      string,
      { etag: string | undefined; lastModified: string | undefined; text: string }
    >()
    for (let i = 0; i < count; i++) {
      const answer = await ask(`t${i}.example.com`)
      expect(answer.status).toBe(200)
      first.set(`t${i}.example.com`, {
        etag: answer.headers.etag,
        lastModified: answer.headers['last-modified'],
        text: answer.text,
      })
    }
    await until(() => (handle.report().sites?.awake ?? count) < count / 2, 'sites to leave memory')
    await until(
      () => handle.report().memory.used <= handle.report().memory.limit,
      'memory to be within its bound',
    )
    await clock.advance(60_000)
    for (const [host, before] of first) {
      const { headers, text } = await ask(host)
      expect({ etag: headers.etag, lastModified: headers['last-modified'], text }).toEqual(before)
    }
    expect(walked).toHaveLength(count)
    expect(pathsOf((await ask('t0.example.com', '/sitemap.txt')).text).length).toBe(20)
    // An invalidation reaches those that sleep as well.
    await handle.invalidate('pages')
    const before = walked.length
    await ask('t1.example.com')
    await until(() => walked.length > before || walked.filter((url) => url.includes('//t1.')).length > 1)
    await handle.close()
    expect(await readdir(dir)).toEqual([])
  })

  it('one dead provider: few calls, however many sites are asked', async () => {
    let calls = 0
    const { ask, clock } = start({
      sites: async (host) => ({ url: `https://${host}` }),
      providers: {
        pages: () => {
          calls++
          throw new Error('down')
        },
      },
    })
    for (let i = 0; i < 300; i++) expect((await ask(`t${i}.example.com`)).status).toBe(503)
    expect(calls).toBe(5)
    await clock.advance(1_000)
    for (let i = 0; i < 300; i++) await ask(`u${i}.example.com`)
    expect(calls).toBe(6)
  })

  it('a provider that hangs is not called by one site after the other', async () => {
    let calls = 0
    const { ask, clock } = start({
      timeout: '1s',
      deadline: '1s',
      concurrency: 2,
      sites: async (host) => ({ url: `https://${host}` }),
      providers: {
        pages: () => {
          calls++
          return new Promise<string[]>(() => {})
        },
      },
    })
    const asked = Array.from({ length: 50 }, (_, i) => ask(`t${i}.example.com`))
    for (let i = 0; i < 20; i++) await clock.advance(1_000)
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([503]))
    expect(calls).toBeLessThanOrEqual(4)
  })

  it('slots for walks go round between sites', async () => {
    const order: string[] = []
    const gates = new Map<string, Gate>()
    const sections = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((section) => [
        section,
        async ({ site }: { site: Site }) => {
          const name = `${new URL(site.url).host[0]}${section}`
          order.push(name)
          const gate = createGate()
          gates.set(name, gate)
          await gate.passed
          return ['/']
        },
      ]),
    )
    const { ask } = start({
      concurrency: 1,
      sites: async (host) => ({ url: `https://${host}` }),
      providers: sections,
    })
    const answers = [ask('x.example.com'), ask('y.example.com')]
    for (let done = 0; done < 8; done++) {
      await until(() => order.length > done, 'the next walk')
      await turns()
      gates.get(order[done] ?? '')?.open()
    }
    await Promise.all(answers)
    // The second site does not wait behind all four sections of the first.
    expect(order.slice(0, 4).filter((name) => name.startsWith('y')).length).toBeGreaterThanOrEqual(1)
    expect(order).toHaveLength(8)
  })
})
