import { afterEach, describe, expect, it } from 'vitest'
import type { HtmlTemplatePage } from '../../src/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import {
  closeEngines,
  createSource,
  createTestEngine,
  entriesOf,
  hangsForEver,
  SECRET,
  throws,
} from '../support/site.ts'

afterEach(closeEngines)

const IDENTITY = { 'accept-encoding': 'identity' }

describe('/robots.txt', () => {
  it('never waits for a provider and is never 5xx (SPEC X4)', async () => {
    for (const behaviour of [throws, hangsForEver]) {
      const site = createTestEngine({
        routes: { robots: '/robots.txt' },
        robots: { groups: [{ userAgent: '*', disallow: ['/admin'] }] },
        providers: { posts: createSource(behaviour).entries },
      })
      const answer = await site.ask('/robots.txt', IDENTITY)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.headers['cache-control']).toContain('max-age=60')
      expect(answer.text).toBe(
        'User-agent: *\nDisallow: /admin\n\nSitemap: https://www.example.com/sitemap_index.xml\nSitemap: https://www.example.com/sitemap.txt\n',
      )
    }
  })

  it('names every text part once the text does not fit one (DESIGN 3, paths)', async () => {
    const site = createTestEngine({
      limit: 2,
      routes: { robots: '/robots.txt' },
      robots: { sitemaps: ['https://other.example.com/sitemap.xml'] },
      providers: { pages: entriesOf('p', 3), posts: entriesOf('q', 1) },
    })
    await site.warm()
    const { text, headers } = await site.ask('/robots.txt', IDENTITY)
    expect(text.match(/^Sitemap: .*$/gm)).toEqual([
      'Sitemap: https://www.example.com/sitemap_index.xml',
      'Sitemap: https://www.example.com/sitemap-pages-1.txt',
      'Sitemap: https://www.example.com/sitemap-pages-2.txt',
      'Sitemap: https://www.example.com/sitemap-posts-1.txt',
      'Sitemap: https://other.example.com/sitemap.xml',
    ])
    expect(headers['cache-control']).toContain('max-age=300')
  })

  it("handle.robotsTxt(own) adds the Sitemap lines to a robots.txt of the app's own (SPEC X1)", async () => {
    const site = createTestEngine({
      routes: { txt: false },
      providers: { posts: createSource(throws).entries },
    })
    expect(await site.handle.robotsTxt('User-agent: *\nDisallow: /x\n')).toBe(
      'User-agent: *\nDisallow: /x\n\nSitemap: https://www.example.com/sitemap_index.xml\n',
    )
    expect(await site.handle.robotsTxt()).toBe(
      'User-agent: *\nDisallow:\n\nSitemap: https://www.example.com/sitemap_index.xml\n',
    )
  })
})

describe('/llms.txt (SPEC X10 to X17)', () => {
  it('lists the sections from the same entries, optional ones last', async () => {
    const site = createTestEngine({
      routes: { llms: '/llms.txt' },
      llms: { details: 'Prices are in euro.', optional: ['posts'], limit: 2 },
      providers: {
        posts: [{ loc: '/p', title: 'A [post]', description: 'About it.' }],
        pages: { entries: [{ loc: '/a', title: 'A' }, '/b', '/c'], title: 'Main pages' },
        hidden: { entries: ['/hidden'], formats: ['xml'] },
      },
    })
    const answer = await site.warm('/llms.txt')
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8')
    const { text } = await site.ask('/llms.txt', IDENTITY)
    expect(text).toMatch(/^# Example\n\n> News and goods\n\nPrices are in euro\.\n\n## Main pages\n/)
    expect(text).toContain('- [A](https://www.example.com/a)')
    expect(text).not.toContain('/c')
    expect(text.indexOf('## Optional')).toBeGreaterThan(text.indexOf('## Main pages'))
    expect(text).not.toContain('hidden')
  })

  it('works with the HTML page off', async () => {
    const site = createTestEngine({
      routes: { llms: '/llms.txt', html: false, txt: false },
      providers: { pages: [{ loc: '/a', title: 'Title' }] },
    })
    expect((await site.warm('/llms.txt')).text).toContain('[Title](https://www.example.com/a)')
  })
})

describe('the stylesheet of the XML (SPEC B7, B11)', () => {
  it('stands in urlset and index, with a path of the same origin, and is served', async () => {
    const site = createTestEngine({ routes: { css: '/sitemap.css' }, providers: { pages: ['/'] } })
    for (const path of ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-pages-1.xml']) {
      const { text } = await site.warm(path)
      expect(text.split('\n').slice(0, 2).join('\n')).toMatch(
        /^<\?xml [^>]*\?>\n?<\?xml-stylesheet type="text\/css" href="\/sitemap.css"\?>/,
      )
    }
    const css = await site.ask('/sitemap.css', IDENTITY)
    expect(css.headers['content-type']).toBe('text/css; charset=utf-8')
    expect(css.text).toContain('@namespace')
    expect((await createTestEngine({ providers: { pages: ['/'] } }).warm()).text).not.toContain(
      'xml-stylesheet',
    )
  })
})

describe('/robots-profile (SPEC H31, H34)', () => {
  const marked = [{ loc: '/a', title: 'A', robots: ['nofollow'] }]

  it('is served, and named by the HTML page, as soon as an entry carries a class', async () => {
    const pages = createSource([{ loc: '/a', title: 'A' }])
    const site = createTestEngine({ providers: { pages: pages.entries } })
    expect((await site.warm('/sitemap.html')).text).not.toContain('profile')
    expect((await site.ask('/robots-profile')).status).toBe(404)
    pages.set(marked)
    await site.handle.invalidate()
    const page = await site.ask('/sitemap.html', IDENTITY)
    expect(page.text).toContain('<head profile="https://www.example.com/robots-profile#">')
    expect(page.headers.link).toContain('<https://www.example.com/robots-profile#>; rel="profile"')
    const profile = await site.ask('/robots-profile', IDENTITY)
    expect(profile.status).toBe(200)
    expect(profile.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(profile.text.match(/<dt id="[^"]*"/g)).toHaveLength(8)
    expect((await site.ask('/sitemap-pages-1.html', IDENTITY)).text).toContain('robots-profile#')
  })

  it("another document's URI takes its place, or nothing does", async () => {
    const other = createTestEngine({
      html: { profileUri: 'https://example.org/robots-profile#' },
      providers: { pages: marked },
    })
    expect((await other.warm('/sitemap.html')).text).toContain(
      '<head profile="https://example.org/robots-profile#">',
    )
    expect((await other.ask('/robots-profile')).status).toBe(404)
    const none = createTestEngine({ routes: { profile: false }, providers: { pages: marked } })
    expect((await none.warm('/sitemap.html')).text).not.toContain('<head profile')
  })
})

describe("the HTML page of the user's own", () => {
  const pages = [{ loc: '/a', title: 'A & B', description: 'd' }]

  it('html.template gets clean data; the ETag is taken over the bytes it gives (DESIGN 3, point 7)', async () => {
    const source = createSource(pages)
    const seen: HtmlTemplatePage[] = []
    const clock = createManualClock()
    const make = (mark: string) =>
      createTestEngine(
        {
          html: {
            template: (page) => {
              seen.push(page)
              return `<!doctype html><title>${page.title}</title>${mark}${page.sections.map(({ title }) => title)}`
            },
          },
          providers: { pages: source.entries },
        },
        clock,
      )
    const site = make('one')
    const first = await site.warm('/sitemap.html')
    expect(first.text).toContain('onePages')
    expect(seen[0]?.sections[0]?.entries[0]).toMatchObject({
      href: 'https://www.example.com/a',
      text: 'A & B',
    })
    // Titles are not in these bytes: a new one moves neither validator.
    source.set([{ loc: '/a', title: 'Another' }])
    await clock.advance(5_000)
    await site.handle.invalidate()
    const second = await site.ask('/sitemap.html', { 'if-none-match': first.headers.etag ?? '', ...IDENTITY })
    expect(second.status).toBe(304)
    expect(second.headers['last-modified']).toBe(first.headers['last-modified'])
    const other = await make('two').warm('/sitemap.html')
    expect(other.headers.etag).not.toBe(first.headers.etag)
    expect((await make('one').warm('/sitemap.html')).headers.etag).toBe(first.headers.etag)
    for (const coding of ['gzip', 'br'])
      expect((await site.ask('/sitemap.html', { 'accept-encoding': coding })).text).toBe(first.text)
  })

  it('a template that throws or gives no text is logged, and our own page stands in for it', async () => {
    for (const template of [
      () => {
        throw new Error(SECRET)
      },
      () => undefined as unknown as string,
    ]) {
      const site = createTestEngine({ html: { template }, providers: { pages } })
      const answer = await site.warm('/sitemap.html')
      expect(answer.text).toContain('A &amp; B')
      expect(answer.text).not.toContain(SECRET)
      expect(site.lines.map(({ code }) => code)).toContain('LSM_WARN_TEMPLATE_FAILED')
    }
  })

  it('html.head, html.strings and the feeds beside the page', async () => {
    const site = createTestEngine({
      routes: { atom: '/feed.atom', json: '/feed.json' },
      html: {
        head: '<meta name="theme-color" content="#fff">',
        strings: { en: { sitemap: 'Site map <1>' } },
      },
      providers: { pages },
    })
    const { text, headers } = await site.warm('/sitemap.html')
    expect(text).toMatch(/<meta name="theme-color" content="#fff">\n<\/head>/)
    expect(text).toContain('Site map &lt;1&gt;')
    for (const type of ['application/rss+xml', 'application/atom+xml', 'application/feed+json']) {
      expect(text).toContain(`type="${type}"`)
      expect(headers.link).toContain(`type="${type}"`)
    }
    expect(site.handle.links()).toContain('type="application/atom+xml"')
    expect(site.handle.links()).toContain('title="ROR"')
  })
})
