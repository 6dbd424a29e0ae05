import Fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import sitemapPlugin from '../../plugins/fastify.ts'
import type { SitemapOptions } from '../../src/index.ts'
import { closeApps, listen, SITE } from '../support/site.ts'

afterEach(closeApps)

const AGO = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)

const OPTIONS: SitemapOptions = {
  site: SITE,
  prefix: '/shop',
  limit: 2,
  i18n: { locales: ['en', 'pt-BR'] },
  routes: {
    atom: '/feed.atom',
    json: '/feed',
    news: '/sitemap-news.xml',
    llms: '/llms.txt',
    css: '/sitemap.css',
    report: '/sitemap-report.json',
  },
  providers: {
    posts: () =>
      [1, 2, 3].map((n) => ({
        loc: `/post-${n}`,
        lang: n === 3 ? 'pt-BR' : 'en',
        title: `Post ${n}`,
        robots: 'nofollow',
        news: { title: `Post ${n}`, publicationDate: AGO(n) },
      })),
    news: () => [{ loc: '/news-1', lang: 'en', title: 'News 1' }],
  },
}

describe('every document of a site with everything on, through Fastify and a prefix', () => {
  it.each([
    ['/sitemap.xml', 'application/xml'],
    ['/sitemap_index.xml', 'application/xml'],
    ['/sitemap_en.xml', 'application/xml'],
    ['/sitemap_pt-BR.xml', 'application/xml'],
    ['/sitemap_en-posts-1.xml', 'application/xml'],
    ['/sitemap_pt-BR-posts-1.xml', 'application/xml'],
    ['/sitemap_pt-BR-posts-1.txt', 'text/plain'],
    ['/sitemap_en-news-1.xml', 'application/xml'],
    ['/sitemap-news.xml', 'application/xml'],
    ['/sitemap-news_2.xml', 'application/xml'],
    ['/sitemap.txt', 'text/plain'],
    ['/feed.rss', 'application/rss+xml'],
    ['/feed-posts.rss', 'application/rss+xml'],
    ['/feed-news.atom', 'application/atom+xml'],
    ['/feed', 'application/feed+json'],
    ['/feed-posts', 'application/feed+json'],
    ['/sitemap.html', 'text/html'],
    ['/sitemap_pt-BR.html', 'text/html'],
    ['/sitemap_en-posts-1.html', 'text/html'],
    ['/sitemap-html.css', 'text/css'],
    ['/sitemap.css', 'text/css'],
    ['/llms.txt', 'text/markdown'],
    ['/robots-profile', 'text/html'],
    ['/sitemap-report.json', 'application/json'],
  ])('%s is %s', async (path, type) => {
    const app = Fastify()
    await app.register(sitemapPlugin, OPTIONS)
    const base = await listen(app)
    // The profile is there once an entry with classes was read.
    expect((await fetch(`${base}/shop/sitemap.html`)).status).toBe(200)
    const answer = await fetch(`${base}/shop${path}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain(type)
    expect((await answer.text()).length).toBeGreaterThan(20)
    expect((await fetch(base + path)).status).toBe(404)
    expect((await fetch(`${base}/shop${path}`, { method: 'POST' })).status).toBe(405)
  })

  it.each([
    '/sitemap_de.xml',
    '/sitemap_en-posts-9.xml',
    '/sitemap-posts-1.xml',
    '/sitemap-news_3.xml',
    '/feed-x.rss',
  ])('%s is 404', async (path) => {
    const app = Fastify()
    await app.register(sitemapPlugin, OPTIONS)
    expect((await fetch(`${await listen(app)}/shop${path}`)).status).toBe(404)
  })
})
