/** SPEC section 11, on what is served to a browser; test/e2e/xml.test.ts looks at what one shows. */
import { afterEach, describe, expect, it } from 'vitest'
import { closeEngines } from '../support/site.ts'
import { indexErrors, urlsetErrors } from '../support/xsd.ts'
import { IDENTITY, serve, serveEntries } from './served.ts'

afterEach(closeEngines)

const entries = [
  {
    loc: '/a',
    title: 'A',
    robots: 'nofollow',
    images: '/i.png',
    videos: { thumbnailLoc: '/t', title: 'V', description: 'D', contentLoc: '/v' },
    news: { title: 'N', publicationDate: '2026-05-31T20:00:00Z' },
    alternates: { en: '/a', fr: '/fr' },
  },
  { loc: '/fr', title: 'F' },
]
const routes = {
  ...{ atom: '/feed.atom', json: '/feed.json', news: '/news.xml' },
  ...{ robots: '/robots.txt', llms: '/llms.txt', css: '/sitemap.css' },
} as const
const STYLED = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-pages-1.xml', '/news.xml']
const OTHERS = [
  '/sitemap.html',
  '/sitemap.txt',
  '/feed.rss',
  '/feed.atom',
  '/feed.json',
  '/robots.txt',
  '/llms.txt',
]
const INSTRUCTION = /<\?xml-stylesheet\b[^>]*>/g

describe('a person opens the XML (SPEC 11)', () => {
  it('B1 to B5, B8, B10: no document holds or names XSLT, and no other instruction stands beside that of the CSS', async () => {
    const served = serveEntries(entries, { routes })
    for (const path of [...STYLED, ...OTHERS, '/robots-profile', '/sitemap.css', '/sitemap-html.css']) {
      const text = await served.text(path)
      expect(text).not.toMatch(/xsl|XSL\/Transform/i)
      const instructions = text.match(INSTRUCTION) ?? []
      expect([path, instructions]).toEqual([
        path,
        STYLED.includes(path) ? ['<?xml-stylesheet type="text/css" href="/sitemap.css"?>'] : [],
      ])
    }
    expect((await served.site.ask('/sitemap.xsl', IDENTITY)).status).toBe(404)
  })

  it('B10: without routes.css there is none at all', async () => {
    const { css: _, ...others } = routes
    const served = serveEntries(entries, { routes: others })
    for (const path of STYLED) expect(await served.text(path)).not.toMatch(INSTRUCTION)
  })

  it('B7, B11: it stands behind the declaration and before the root, and leads to CSS of the same origin', async () => {
    const served = serveEntries(entries, { routes: { ...routes, css: "/styles/a&b's.css" } })
    for (const path of STYLED) {
      const text = await served.text(path)
      expect(text).toMatch(
        /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<\?xml-stylesheet type="text\/css" href="\/styles\/a&amp;b&apos;s\.css"\?>\n<(urlset|sitemapindex) /,
      )
      expect((path === '/sitemap_index.xml' ? indexErrors : urlsetErrors)(text)).toEqual([])
      await served.xml(path)
    }
    const { headers, text } = await served.get("/styles/a&b's.css")
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(text).not.toMatch(/@import|url\(/)
  })

  it('B7, B11: below a prefix the path of the stylesheet has it, too', async () => {
    const served = serve({
      prefix: '/maps',
      routes: { css: routes.css },
      providers: { pages: () => entries },
    })
    expect(await served.text('/sitemap.xml')).toContain('href="/maps/sitemap.css"')
  })

  it('B6, B12: the stylesheet knows the namespaces, and hides what is not for people', async () => {
    const css = await serveEntries(entries, { routes }).text('/sitemap.css')
    for (const [prefix, uri] of [
      [undefined, 'http://www.sitemaps.org/schemas/sitemap/0.9'],
      ['image', 'http://www.google.com/schemas/sitemap-image/1.1'],
      ['video', 'http://www.google.com/schemas/sitemap-video/1.1'],
      ['news', 'http://www.google.com/schemas/sitemap-news/0.9'],
      ['xhtml', 'http://www.w3.org/1999/xhtml'],
    ])
      expect(css).toContain(`@namespace ${prefix === undefined ? '' : `${prefix} `}"${uri}";`)
    expect(css.indexOf('@namespace')).toBe(0)
    expect(css).toMatch(/display: none/)
    expect(css).toContain('prefers-color-scheme: dark')
  })

  it('B9: a feed has its own media type, or the one that browsers show', async () => {
    const served = serveEntries(entries, { routes })
    expect((await served.get('/feed.rss')).headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    const shown = serveEntries(entries, { routes, feed: { mediaType: 'application/xml' } })
    expect((await shown.get('/feed.rss')).headers['content-type']).toBe('application/xml; charset=utf-8')
  })
})
