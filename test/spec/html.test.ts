/** SPEC section 7, on pages and headers as they are served. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Entry } from '../../src/index.ts'
import { all, type HtmlElement, hasClass, only, type ParsedPage, parseHtml } from '../formats/parse-html.ts'
import { closeEngines, entriesOf, SITE, type TestOptions } from '../support/site.ts'
import { IDENTITY, type Served, serve, serveEntries } from './served.ts'

afterEach(closeEngines)

/** The page as a browser reads it, without an error in its markup. */
async function pageOf(served: Served, path = '/sitemap.html'): Promise<ParsedPage> {
  const page = parseHtml(await served.text(path))
  expect(page.errors).toEqual([])
  return page
}

async function rootOf(entries: readonly Entry[], options: Partial<TestOptions> = {}): Promise<HtmlElement> {
  return (await pageOf(serveEntries(entries, options))).root
}

const withId = (id: string) => (element: HtmlElement) => element.attributes.id === id
const linkTo = (href: string) => (element: HtmlElement) =>
  element.name === 'a' && element.attributes.href === href

/** The link to a page of the site, in the list of its pages. */
function linkOf(root: HtmlElement, path: string): HtmlElement {
  return only(only(only(root, 'main'), 'nav'), linkTo(SITE.url + path))
}

const pages = [
  { loc: '/', title: 'Home' },
  { loc: '/guide', title: 'Guide' },
  { loc: '/guide/start', title: 'Start' },
  { loc: '/guide/limits', title: 'Limits' },
]

describe('the page (SPEC 7.1)', () => {
  it('H1, H4: a second way to every page, in plain HTML, without a script', async () => {
    const root = await rootOf(pages)
    for (const { loc, title } of pages) expect(linkOf(root, loc).text).toBe(title)
    expect(all(root, 'script')).toEqual([])
    const handlers = all(root, ({ attributes }) =>
      Object.keys(attributes).some((name) => name.startsWith('on')),
    )
    expect(handlers).toEqual([])
  })

  it('H2: doctype, language and direction, title, one h1, main, a skip link that leads to it', async () => {
    const site = { ...SITE, title: 'مثال', language: 'ar' }
    const served = serveEntries(pages, { site })
    expect(await served.text('/sitemap.html')).toMatch(/^<!doctype html>\n/)
    const { root } = await pageOf(served)
    expect(only(root, 'html').attributes).toMatchObject({ lang: 'ar', dir: 'rtl' })
    expect(only(root, 'title').text).toContain('مثال')
    expect(only(root, 'h1').text).toContain('مثال')
    const [first] = all(only(root, 'body'), 'a')
    expect(only(root, withId(first?.attributes.href?.slice(1) ?? '')).name).toBe('main')
  })

  it('H3: nested lists in a named nav, headings in order', async () => {
    const served = serve({ providers: { pages: () => pages, more: () => entriesOf('more', 3) } })
    const { root } = await pageOf(served)
    const nav = only(only(root, 'main'), 'nav')
    for (const id of (nav.attributes['aria-labelledby'] ?? '').split(' '))
      expect(only(root, withId(id)).text).not.toBe('')
    const listed = all(nav, 'li').flatMap((item) => all(item, 'a'))
    for (const link of all(nav, 'a')) expect(listed).toContain(link)
    expect(all(only(only(nav, hasClass('branch')), 'ul'), 'a').map(({ text }) => text)).toEqual([
      'Start',
      'Limits',
    ])
    const headings = all(root, ({ name }) => /^h[1-6]$/.test(name)).map(({ name, text }) => `${name} ${text}`)
    expect(headings).toEqual(['h1 Example', 'h2 Pages', 'h2 More'])
  })

  it.each([
    { entry: { loc: '/a', title: 'Titled' }, text: 'Titled' },
    { entry: { loc: '/%C3%BCber/us' }, text: '/über/us' },
    { entry: { loc: '/b', title: ' \u200B\n' }, text: '/b' },
    { entry: { loc: '/' }, text: 'Example' },
  ])('H5: the text of a link is $text, never nothing', async ({ entry, text }) => {
    expect(linkOf(await rootOf([entry]), entry.loc).text).toBe(text)
  })

  it('H6: another language is said on the entry and on its link, and titles stand in bdi', async () => {
    const root = await rootOf([
      { loc: '/en', title: 'Home', lang: 'en' },
      { loc: '/he', title: 'בית', lang: 'he' },
    ])
    const foreign = linkOf(root, '/he')
    expect(foreign.attributes.hreflang).toBe('he')
    expect(only(foreign, 'bdi').text).toBe('בית')
    const item = all(root, ({ name, attributes }) => name === 'li' && attributes.lang === 'he')
    expect(item.map(({ attributes }) => attributes.dir)).toEqual(['rtl'])
    expect(linkOf(root, '/en').attributes.hreflang).toBeUndefined()
  })

  it('H7: long ones are paged; a person gets to each page, and knows where he is', async () => {
    const served = serve({ html: { pageSize: 10 }, providers: { pages: () => entriesOf('page', 35) } })
    const seen = new Set<string>()
    const open = async (path: string): Promise<void> => {
      if (seen.has(path)) return
      seen.add(path)
      const { root } = await pageOf(served, path)
      for (const { attributes } of all(root, 'a')) {
        const href = attributes.href?.replace(SITE.url, '') ?? ''
        if (/^\/sitemap(-pages-\d+)?\.html$/.test(href)) await open(href)
      }
    }
    await open('/sitemap.html')
    expect([...seen].sort()).toEqual([
      '/sitemap-pages-1.html',
      '/sitemap-pages-2.html',
      '/sitemap-pages-3.html',
      '/sitemap-pages-4.html',
      '/sitemap.html',
    ])
    const { root } = await pageOf(served, '/sitemap-pages-2.html')
    const rel = (name: string) =>
      all(root, ({ attributes }) => attributes.rel === name).map(({ attributes }) =>
        attributes.href?.replace(SITE.url, ''),
      )
    expect(new Set(rel('prev'))).toEqual(new Set(['/sitemap-pages-1.html']))
    expect(new Set(rel('next'))).toEqual(new Set(['/sitemap-pages-3.html']))
    const current = all(root, ({ attributes }) => attributes['aria-current'] === 'page')
    expect(current.length).toBeGreaterThan(0)
    expect(current.map(({ text }) => text).join()).toContain('2')
  })

  it('H8: whatever an entry says stays text, and every link is http or https', async () => {
    const hostile = '</bdi></a><script>alert(1)</script>"\'><img src=x onerror=alert(1)>&amp;'
    const root = await rootOf([
      { loc: '/a', title: hostile, description: hostile },
      { loc: 'javascript:alert(1)', title: 'B' },
    ])
    expect(linkOf(root, '/a').text).toBe(hostile)
    expect(all(root, ({ name }) => name === 'script' || name === 'img')).toEqual([])
    for (const { attributes } of all(root, 'a')) expect(attributes.href).toMatch(/^(https?:\/\/|#|\/)/)
  })

  it('H9: names its feeds and XML, and has nothing inline', async () => {
    const served = serveEntries(pages, { routes: { atom: '/feed.atom', json: '/feed.json' } })
    const { root } = await pageOf(served)
    const alternates = all(root, ({ name, attributes }) => name === 'link' && attributes.rel === 'alternate')
    expect(alternates.map(({ attributes }) => [attributes.type, attributes.href])).toEqual([
      ['application/rss+xml', 'https://www.example.com/feed.rss'],
      ['application/atom+xml', 'https://www.example.com/feed.atom'],
      ['application/feed+json', 'https://www.example.com/feed.json'],
      ['application/xml', 'https://www.example.com/sitemap.xml'],
    ])
    expect(all(root, ({ name, attributes }) => name === 'style' || 'style' in attributes)).toEqual([])
    const stylesheet = only(
      root,
      ({ name, attributes }) => name === 'link' && attributes.rel === 'stylesheet',
    )
    const { headers } = await served.get(stylesheet.attributes.href ?? '')
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
  })

  it('H10: is as wide as the screen, and light or dark as the visitor likes', async () => {
    const served = serveEntries(pages)
    const { root } = await pageOf(served)
    const meta = (name: string) =>
      only(root, (element) => element.name === 'meta' && element.attributes.name === name).attributes.content
    expect(meta('viewport')).toBe('width=device-width, initial-scale=1')
    expect(meta('color-scheme')).toBe('light dark')
    expect(await served.text('/sitemap-html.css')).toContain('prefers-color-scheme: dark')
  })
})

describe('the Robot Exclusion Profile (SPEC 7.2)', () => {
  it.each([
    { row: 'H20', robots: 'nofollow', class: 'robots-nofollow', rel: 'nofollow' },
    { row: 'H22', robots: 'NoArchive', class: 'robots-noarchive', rel: undefined },
    { row: 'H23', robots: ['noanchortext'], class: 'robots-noanchortext', rel: 'nofollow' },
    {
      row: 'H30, H39',
      robots: 'noarchive, nofollow',
      class: 'robots-nofollow robots-noarchive',
      rel: 'nofollow',
    },
    { row: 'H37', robots: 'index, follow', class: undefined, rel: undefined },
    { row: 'H50', robots: 'all', class: undefined, rel: undefined },
  ])('$row: $robots puts its class and its twin on the link, and leaves XML alone', async (given) => {
    const served = serveEntries([{ loc: '/a', title: 'A', robots: given.robots }])
    const { root } = await pageOf(served)
    const { attributes } = linkOf(root, '/a')
    expect([attributes.class, attributes.rel]).toEqual([given.class, given.rel])
    expect(await served.text('/sitemap.xml')).not.toMatch(/nofollow|robots/)
  })

  it.each(['noindex', 'none', 'NOINDEX,follow'])(
    'H21, H50, H51: %s keeps the page out of every document',
    async (robots) => {
      const served = serveEntries([{ loc: '/hidden', title: 'Hidden', robots }, pages[0] as Entry], {
        routes: { atom: '/feed.atom', json: '/feed.json', llms: '/llms.txt' },
      })
      const paths = [
        '/sitemap.xml',
        '/sitemap.txt',
        '/sitemap.html',
        '/feed.rss',
        '/feed.atom',
        '/feed.json',
        '/llms.txt',
      ]
      for (const path of paths) expect(await served.text(path)).not.toMatch(/hidden/i)
    },
  )

  it('H31, H32, D15: where a class stands, the page names the profile in both ways, by a page of ours', async () => {
    const served = serveEntries([{ loc: '/a', title: 'A', robots: 'nofollow' }])
    const { root } = await pageOf(served)
    const uri = 'https://www.example.com/robots-profile#'
    expect(only(root, 'head').attributes.profile?.split(' ')).toEqual([uri])
    const link = only(root, ({ name, attributes }) => name === 'link' && attributes.rel === 'profile')
    expect(link.attributes.href).toBe(uri)
    expect((await served.get('/sitemap.html')).headers.link).toContain(`<${uri}>; rel="profile"`)
    const other = await rootOf([{ loc: '/a', title: 'A', robots: 'nofollow' }], {
      html: { profileUri: 'https://example.org/profile#' },
    })
    expect(only(other, 'head').attributes.profile).toBe('https://example.org/profile#')
  })

  it('H33, H34: the profile document defines the eight names in their order, in straight quotes', async () => {
    const served = serveEntries([{ loc: '/a', title: 'A', robots: 'nofollow' }])
    await served.text('/sitemap.html')
    const text = await served.text('/robots-profile')
    const { root } = await pageOf(served, '/robots-profile')
    const list = only(root, hasClass('profile'))
    expect(list.name).toBe('dl')
    const names = 'nofollow follow noindex noanchortext anchortext index noarchive archive'
      .split(' ')
      .map((name) => `robots-${name}`)
    const terms = all(list, 'dt')
    expect(terms.map(({ attributes }) => attributes.id)).toEqual(names)
    expect(terms.map((term) => term.text.trim())).toEqual(names)
    expect(all(list, 'dd').map((definition) => definition.text.trim() === '')).toEqual(names.map(() => false))
    expect(text).not.toMatch(/=[\u2018-\u201D]/)
  })

  it('H21, H36, H41: parts marked robots-noindex reach no feed, parts marked robots-index inside of them do', async () => {
    const content =
      '<p>One</p><div class="robots-noindex"><p>Two</p><p class="robots-index">Three <b class="robots-noindex">four</b></p></div>'
    const served = serveEntries([{ loc: '/a', title: 'A', content }], {
      routes: { atom: '/feed.atom', json: '/feed.json' },
    })
    for (const path of ['/feed.rss', '/feed.atom', '/feed.json']) {
      const text = await served.text(path)
      for (const kept of ['One', 'Three']) expect(text).toContain(kept)
      for (const gone of ['Two', 'four']) expect(text).not.toContain(gone)
    }
  })
})

describe('X-Robots-Tag (SPEC 7.3)', () => {
  const routes = {
    atom: '/feed.atom',
    news: '/news.xml',
    robots: '/robots.txt',
    llms: '/llms.txt',
    css: '/s.css',
  } as const
  const listed = [
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/sitemap-pages-1.xml',
    '/news.xml',
    '/sitemap.txt',
    '/llms.txt',
  ]

  it('H53, H56: noindex on XML and text, so that the file itself is no result; not on what people read', async () => {
    const served = serveEntries(pages, { routes })
    for (const path of listed) {
      const { headers } = await served.get(path)
      expect([path, headers['x-robots-tag']]).toEqual([path, 'noindex'])
      const etag = headers.etag ?? ''
      const again = await served.site.ask(path, { ...IDENTITY, 'if-none-match': etag })
      expect(again.status).toBe(304)
    }
    for (const path of ['/sitemap.html', '/feed.rss', '/feed.atom', '/robots.txt', '/s.css'])
      expect((await served.get(path)).headers['x-robots-tag']).toBeUndefined()
  })

  it('H56: other words, or none', async () => {
    const words = serveEntries(pages, { routes, xRobotsTag: 'noindex, nofollow' })
    expect((await words.get('/sitemap.xml')).headers['x-robots-tag']).toBe('noindex, nofollow')
    const none = serveEntries(pages, { routes, xRobotsTag: false })
    for (const path of listed) expect((await none.get(path)).headers['x-robots-tag']).toBeUndefined()
  })
})
