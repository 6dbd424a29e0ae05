/** Pages of the HTML sitemap that several tests look at. */
import type { Card } from '../../src/entry/entry.ts'
import type { HtmlPage, HtmlSection } from '../../src/formats/format.ts'

/** The site of all pages. */
export const site: HtmlPage['site'] = {
  url: 'https://example.com/',
  title: 'Example',
  description: 'News and goods',
  language: 'en',
}

/** A section with `cards` on the page. */
export function section(key: string, cards: readonly Card[], more: Partial<HtmlSection> = {}): HtmlSection {
  return { key, title: key[0]?.toUpperCase() + key.slice(1), total: cards.length, cards, ...more }
}

/** `count` entries with titles. */
export function cardsOf(count: number): Card[] {
  return Array.from({ length: count }, (_, i) => ({ loc: `https://example.com/${i}`, title: `Entry ${i}` }))
}

/** A whole small site on one page. */
export const startPage: HtmlPage = {
  site,
  stylesheet: '/sitemap.css',
  rssUrl: 'https://example.com/feed.rss',
  xmlUrl: 'https://example.com/sitemap.xml',
  profileUri: 'https://example.com/robots-profile',
  sections: [
    section('pages', [
      { loc: 'https://example.com/', lastmod: '2026-05-10T23:30:00-05:00' },
      { loc: 'https://example.com/about', title: 'About', description: 'Who we are', lastmod: '2026-05-11' },
      { loc: 'https://example.com/ar', title: 'مرحبًا', lang: 'ar' },
      {
        loc: 'https://example.com/partners',
        title: 'Partners',
        robots: { nofollow: true, noarchive: true, noanchortext: true },
      },
    ]),
    section('posts', cardsOf(40)),
    section('shop', cardsOf(3)),
    section('empty', []),
  ],
}

/** A large site's start page: sections lie on pages of their own. */
export const overviewPage: HtmlPage = {
  ...startPage,
  sections: [
    section('posts', [], { total: 12_840, href: '/sitemap-posts-1.html' }),
    section('shop', [], { total: 1, href: '/sitemap-shop-1.html' }),
  ],
}

/** One page of a section. */
export function sectionPage(page: number, pages: number, more: Partial<HtmlPage> = {}): HtmlPage {
  return {
    ...startPage,
    sections: [section('posts', cardsOf(30), { total: 30 * pages, href: '/sitemap-posts-1.html' })],
    paging: { page, pages, href: (n) => `/sitemap-posts-${n}.html`, startHref: '/sitemap.html' },
    ...more,
  }
}

/** Every kind of page, in several languages. */
export const pages: readonly { readonly name: string; readonly page: HtmlPage }[] = [
  { name: 'start page', page: startPage },
  { name: 'overview', page: overviewPage },
  { name: 'first page of a section', page: sectionPage(1, 3) },
  { name: 'page in the middle of many', page: sectionPage(487, 1_205) },
  { name: 'only page of a section', page: sectionPage(1, 1) },
  { name: 'Arabic page', page: sectionPage(2, 12, { site: { ...site, title: 'مثال', language: 'ar' } }) },
  { name: 'Japanese page', page: { ...startPage, site: { ...site, language: 'ja' } } },
  { name: 'empty site', page: { site, sections: [] } },
  {
    name: 'hostile texts',
    page: {
      ...startPage,
      site: {
        ...site,
        title: '</title><script>alert(1)</script>',
        description: '"><img src=x onerror=alert(1)>',
      },
      sections: [
        section(
          'bad',
          [
            { loc: 'javascript:alert(1)', title: 'x' },
            {
              loc: 'https://example.com/"><script>',
              title: '<script>alert(1)</script>',
              description: '<p style="x">',
            },
            { loc: 'https://example.com/x', title: '&lt;b&gt; &amp;#60;', lang: '"><b style=' },
          ],
          { title: '<h1 style="x">' },
        ),
      ],
    },
  },
]
