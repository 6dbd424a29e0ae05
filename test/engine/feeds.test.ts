import { afterEach, describe, expect, it } from 'vitest'
import type { Entry, EntryObject } from '../../src/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import {
  closeEngines,
  createGate,
  createSource,
  createTestEngine,
  hangsForEver,
  SECRET,
} from '../support/site.ts'

afterEach(closeEngines)

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 15, 12)
const IDENTITY = { 'accept-encoding': 'identity' }
const routes = { atom: '/feed.atom', json: '/feed.json' } as const

function post(n: number, hoursAgo = n): EntryObject {
  return { loc: `/post-${n}`, title: `Post ${n}`, published: new Date(START - hoursAgo * HOUR) }
}

/** Titles of the pages in a JSON Feed. */
function titles(json: string): string[] {
  return (JSON.parse(json) as { items: { title: string }[] }).items.map(({ title }) => title)
}

describe('the feeds of a site', () => {
  it('three formats of one choice, each with its media type and a Link to itself and the hub (SPEC N51, N52, P10, P12)', async () => {
    const site = createTestEngine({
      routes,
      feed: { hubs: 'https://hub.example.com/' },
      providers: { posts: () => [post(1), post(2), '/untitled'] },
    })
    await site.warm('/feed.rss')
    const types = {
      '/feed.rss': 'application/rss+xml; charset=utf-8',
      '/feed.atom': 'application/atom+xml; charset=utf-8',
      '/feed.json': 'application/feed+json; charset=utf-8',
    }
    for (const [path, type] of Object.entries(types)) {
      const answer = await site.ask(path, IDENTITY)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe(type)
      expect(answer.headers.link).toBe(
        `<https://hub.example.com/>; rel="hub", <https://www.example.com${path}>; rel="self"`,
      )
      expect(answer.headers['x-robots-tag']).toBeUndefined()
      expect(answer.text).toContain('Post 2')
      expect(answer.text).not.toContain('untitled')
    }
  })

  it('a feed a section, which the main RSS feed joins by ror:seeAlso (SPEC R4)', async () => {
    const site = createTestEngine({
      routes,
      providers: { posts: { entries: () => [post(1)], title: 'Blog' }, goods: () => [post(2)] },
    })
    await site.warm('/feed.rss')
    const main = (await site.ask('/feed.rss', IDENTITY)).text
    expect(main).toContain('<ror:seeAlso>https://www.example.com/feed-posts.rss</ror:seeAlso>')
    const blog = (await site.ask('/feed-posts.rss', IDENTITY)).text
    expect(blog).toContain('Post 1')
    expect(blog).not.toContain('Post 2')
    expect(blog).toContain('Example – Blog')
    expect(titles((await site.ask('/feed-goods.json', IDENTITY)).text)).toEqual(['Post 2'])
    expect((await site.ask('/feed-goods.atom')).status).toBe(200)
    expect((await site.ask('/feed-other.rss')).status).toBe(404)
  })

  it('only the sections of feed.sections take part, each with a feed', async () => {
    const site = createTestEngine({
      routes,
      feed: { sections: ['posts'] },
      providers: { posts: () => [post(1)], goods: () => [post(2)] },
    })
    await site.warm('/feed.rss')
    expect(titles((await site.ask('/feed.json', IDENTITY)).text)).toEqual(['Post 1'])
    expect((await site.ask('/feed-goods.rss')).status).toBe(404)
  })

  it('newest first by published, then lastmod; equal dates in order; undated last; the future at its hour, without a walk', async () => {
    const posts = createSource([
      { loc: '/undated', title: 'undated' },
      post(3),
      { loc: '/same-a', title: 'same a', lastmod: new Date(START - HOUR) },
      post(-2),
      { loc: '/same-b', title: 'same b', published: new Date(START - HOUR) },
    ])
    const clock = createManualClock(START)
    const site = createTestEngine(
      { routes, cache: { ttl: '1d' }, providers: { posts: posts.entries } },
      clock,
    )
    await site.warm('/feed.json')
    const now = await site.ask('/feed.json', IDENTITY)
    expect(titles(now.text)).toEqual(['same a', 'same b', 'Post 3', 'undated'])
    await clock.advance(2 * HOUR - 1)
    expect((await site.ask('/feed.json', IDENTITY)).headers.etag).toBe(now.headers.etag)
    await clock.advance(1)
    const later = await site.ask('/feed.json', IDENTITY)
    expect(titles(later.text)).toEqual(['Post -2', 'same a', 'same b', 'Post 3', 'undated'])
    expect(posts.calls).toBe(1)
  })

  it('two sites that read at different times serve the same bytes: no clock is printed (SPEC F9)', async () => {
    const clock = createManualClock(START)
    const make = () => createTestEngine({ routes, providers: { posts: () => [post(1), post(2)] } }, clock)
    const one = make()
    await one.warm('/feed.rss')
    await clock.advance(HOUR)
    const two = make()
    for (const path of ['/feed.rss', '/feed.atom', '/feed.json']) {
      const [a, b] = [await one.ask(path, IDENTITY), await two.ask(path, IDENTITY)]
      expect(b.text).toBe(a.text)
      expect(b.headers.etag).toBe(a.headers.etag)
    }
  })
})

describe('content of feed items', () => {
  it('feed.content is called for the newest N only, with the entry as it was given', async () => {
    const asked: Entry[] = []
    const site = createTestEngine({
      routes,
      feed: {
        limit: 3,
        content: (entry, { section }) => {
          asked.push(entry)
          return `<p>${section} ${(entry as EntryObject).loc}</p>`
        },
      },
      providers: { posts: () => Array.from({ length: 500 }, (_, i) => ({ ...post(500 - i), id: 500 - i })) },
    })
    const { text } = await site.warm('/feed.json')
    expect(asked.map((entry) => (entry as { id?: number }).id)).toEqual([1, 2, 3])
    expect(text).toContain('<p>posts /post-2</p>')
  })

  it('parts marked robots-noindex never reach a feed (SPEC H41), asked for or given', async () => {
    const html = '<p>Read</p><div class="robots-noindex">secret<p class="robots-index">but this</p></div>'
    const site = createTestEngine({
      routes,
      providers: {
        given: () => [{ ...post(1), content: html }],
      },
    })
    for (const path of ['/feed.rss', '/feed.atom', '/feed.json']) {
      const { text } = await site.warm(path)
      expect(text).toContain('Read')
      expect(text).toContain('but this')
      expect(text).not.toContain('secret')
    }
    const asking = createTestEngine({ feed: { content: () => html }, providers: { posts: () => [post(1)] } })
    expect((await asking.warm('/feed.rss')).text).not.toContain('secret')
  })

  it('what throws, hangs or gives no text is logged, the content known before stays, and the walk goes on', async () => {
    let behave: () => unknown = () => '<p>good</p>'
    const clock = createManualClock(START)
    const site = createTestEngine(
      {
        routes,
        timeout: '1s',
        feed: { content: () => behave() as string },
        providers: { posts: () => [post(1)] },
      },
      clock,
    )
    await site.warm('/feed.json')
    const failures: (() => unknown)[] = [
      () => {
        throw new Error(SECRET)
      },
      () => 42,
      () => hangsForEver({} as never, 1),
    ]
    for (const failure of failures) {
      behave = failure
      const refreshed = site.handle.refresh('posts')
      await clock.advance(2_000)
      await refreshed
      const { text } = await site.ask('/feed.json', IDENTITY)
      expect(text).toContain('<p>good</p>')
      expect(text).not.toContain(SECRET)
    }
    expect(site.lines.filter(({ code }) => code === 'LSM_WARN_CONTENT_FAILED').length).toBeGreaterThan(0)
  })

  it('a walk that is closed meanwhile ends', async () => {
    const gate = createGate<string>()
    const site = createTestEngine({
      feed: { content: () => gate.passed },
      providers: { posts: () => [post(1)] },
    })
    const asked = site.ask('/feed.rss')
    await site.handle.close()
    expect((await asked).status).toBe(503)
    gate.open('late')
  })
})
