/** Pages of the HTML sitemap that several tests look at. */
import type { Card } from '../../src/entry/entry.ts'
import type { HtmlPage, HtmlSection } from '../../src/formats/html-page.ts'

/** The site of all pages. */
export const site: HtmlPage['site'] = {
  url: 'https://example.com/',
  title: 'Example',
  description: 'News and goods',
  language: 'en',
}

/** A page with nothing on it and nothing beside it. */
export const emptyPage: HtmlPage = {
  site,
  language: 'en',
  sections: [],
  paging: undefined,
  languages: [],
  stylesheet: undefined,
  documents: [],
  profileUri: undefined,
  head: undefined,
  strings: {},
}

/** A section with `cards` on the page. */
export function section(key: string, cards: readonly Card[], more: Partial<HtmlSection> = {}): HtmlSection {
  return { key, title: key[0]?.toUpperCase() + key.slice(1), total: cards.length, cards, ...more }
}

/** `count` entries with titles. */
export function cardsOf(count: number): Card[] {
  return Array.from({ length: count }, (_, i) => ({ loc: `https://example.com/${i}`, title: `Entry ${i}` }))
}

/** Entries without titles at these paths. */
export function cardsAt(...paths: string[]): Card[] {
  return paths.map((path) => ({ loc: `https://example.com${path}` }))
}

/** A whole small site on one page. */
export const startPage: HtmlPage = {
  ...emptyPage,
  stylesheet: '/sitemap.css',
  documents: [
    { kind: 'rss', url: 'https://example.com/feed.rss' },
    { kind: 'xml', url: 'https://example.com/sitemap.xml' },
  ],
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

/** The page in three languages, of which the one given is its own. */
export function inLanguages(language: string, page: HtmlPage = startPage): HtmlPage {
  const languages = ['en', 'fr-CA', 'ar'].map((tag) => ({
    language: tag,
    href: tag === 'en' ? '/sitemap.html' : `/sitemap_${tag}.html`,
    isCounterpart: true,
  }))
  return { ...page, language, languages }
}

/** Entries that lie below each other: a small branch, a deep one, and one that takes the whole width. */
export const treePage: HtmlPage = {
  ...startPage,
  sections: [
    section('docs', [
      ...cardsAt('/', '/docs', '/docs/install', '/docs/guide', '/docs/guide/first-steps', '/about'),
      { loc: 'https://example.com/docs/fr', title: 'Français', description: 'En français', lang: 'fr' },
      { loc: 'https://example.com/docs/fr/guide', title: 'Guide', lang: 'fr' },
      { loc: 'https://example.com/docs/fr/english', title: 'English' },
      ...cardsAt('/a', '/a/b', '/a/b/c', '/a/b/c/d', '/a/b/c/d/e', '/a/b/c/d/e/f', '/a/b/c/d/e/f/g'),
      { loc: 'https://example.com/blog', title: 'Blog' },
      ...cardsOf(30).map(({ loc, ...card }) => ({ ...card, loc: loc.replace('.com/', '.com/blog/') })),
    ]),
  ],
}

/** Every kind of page, in several languages. */
export const pages: readonly { readonly name: string; readonly page: HtmlPage }[] = [
  { name: 'start page', page: startPage },
  { name: 'overview', page: overviewPage },
  { name: 'first page of a section', page: sectionPage(1, 3) },
  { name: 'page in the middle of many', page: sectionPage(487, 1_205) },
  { name: 'only page of a section', page: sectionPage(1, 1) },
  { name: 'tree', page: treePage },
  { name: 'page in three languages', page: inLanguages('fr-CA') },
  {
    name: 'Arabic page of a section',
    page: inLanguages('ar', sectionPage(2, 12, { site: { ...site, title: 'مثال', language: 'ar' } })),
  },
  { name: 'Japanese page', page: { ...startPage, language: 'ja' } },
  { name: 'language that is none', page: { ...startPage, language: 'no tag at all' } },
  {
    name: 'all documents, head and words of the user',
    page: {
      ...startPage,
      documents: (['rss', 'atom', 'json', 'xml'] as const).map((kind) => ({
        kind,
        url: `https://example.com/${kind}`,
      })),
      head: '<meta name="theme-color" content="#fff">',
      strings: { en: { sitemap: 'Site <map>', skip: '"Skip"' } },
    },
  },
  { name: 'empty site', page: emptyPage },
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
            {
              loc: 'https://example.com/\u0000\ud800\u0085 %zz{|}\\^`',
              title: '\u0000\ud800\uFFFE]]>\u0085',
            },
          ],
          { title: '<h1 style="x">' },
        ),
      ],
      strings: { en: { updated: '<b onclick=x>{date}', entries: { other: '{n} </p><script>' } } },
    },
  },
]
