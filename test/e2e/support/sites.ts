/** Sites whose pages the suites look at: every kind of page that the HTML sitemap has. */
import type { EntryObject, SitemapOptions } from '../../../plugins/fastify.ts'
import { PHRASES } from './phrases.ts'

/** A site, and the pages of it that are looked at. */
export interface TestSite {
  readonly name: string
  readonly options: SitemapOptions
  /** Paths by what they show. */
  readonly pages: Readonly<Record<string, string>>
}

/** Entries in one section of {@link largeSite}, which has fifteen pages of them. */
export const LARGE_COUNT = 900

const SITE_URL = 'https://www.example.com/'
const ALL_FEEDS = { rss: '/feed.rss', atom: '/feed.atom', json: '/feed.json' } as const

type Language = keyof typeof PHRASES

/** `count` entries of a language below a path, each with a title of its own. */
function entriesIn(language: Language, path: string, count: number): EntryObject[] {
  const { entries } = PHRASES[language]
  return Array.from({ length: count }, (_, index) => {
    const [title = '', description = ''] = entries[index % entries.length] ?? []
    const round = Math.floor(index / entries.length)
    return {
      loc: `${path}/${index + 1}`,
      title: round === 0 ? title : `${title} (${round + 1})`,
      description,
      lastmod: `2026-0${1 + (index % 9)}-1${index % 10}`,
    }
  })
}

function siteIn(language: Language): NonNullable<SitemapOptions['site']> {
  const { site, description } = PHRASES[language]
  return { url: SITE_URL, title: site, description, language }
}

const smallSite: TestSite = {
  name: 'small site',
  options: {
    site: siteIn('en'),
    routes: ALL_FEEDS,
    providers: {
      pages: { title: PHRASES.en.pages, entries: ['/', '/about', ...entriesIn('en', '/shop', 3)] },
      posts: { title: PHRASES.en.posts, entries: entriesIn('en', '/blog', 14) },
      events: [
        { loc: '/events', title: 'Events' },
        { loc: '/fr/soiree', title: 'Une soirée de lecture', lang: 'fr' },
        { loc: '/ar/evening', title: 'أمسية قراءة', description: 'مع كاتبات من أهل الساحل', lang: 'ar' },
      ],
    },
  },
  pages: { start: '/sitemap.html', section: '/sitemap-events-1.html' },
}

/** Several sections, of which one is paged and one is a tree. */
export const largeSite: TestSite = {
  name: 'large site',
  options: {
    site: siteIn('en'),
    routes: ALL_FEEDS,
    html: { pageSize: 60 },
    providers: {
      pages: entriesIn('en', '/about', 4),
      posts: { title: PHRASES.en.posts, entries: entriesIn('en', '/blog', LARGE_COUNT) },
      docs: { title: 'Documentation', entries: docs() },
      shop: { entries: entriesIn('en', '/shop', 120) },
    },
  },
  pages: {
    start: '/sitemap.html',
    'first of many': '/sitemap-posts-1.html',
    'second of many': '/sitemap-posts-2.html',
    'in the middle': '/sitemap-posts-8.html',
    'last of many': '/sitemap-posts-15.html',
    'tree by path': '/sitemap-docs-1.html',
    'short section': '/sitemap-pages-1.html',
  },
}

/** Paths below each other: a branch that fills columns, small ones, and one that goes deeper than lists do. */
function docs(): EntryObject[] {
  const chapters = ['install', 'guide', 'guide/first-steps', 'guide/first-steps/windows', 'reference']
  const terms = entriesIn('en', '/docs/reference', 30)
  const deep = Array.from({ length: 9 }, (_, level) => `/deep${'/down'.repeat(level)}`)
  return [
    { loc: '/docs', title: 'All documentation' },
    ...chapters.map((chapter) => ({ loc: `/docs/${chapter}` })),
    ...terms,
    ...deep.map((loc) => ({ loc })),
    { loc: '/docs/guide/ar', title: 'دليل المبتدئين', lang: 'ar' },
    { loc: '/docs/guide/ar/faq', title: 'أسئلة وأجوبة', lang: 'ar' },
  ]
}

/** One site in three languages, each with pages of its own. */
export const threeLocales: TestSite = {
  name: 'three locales',
  options: {
    site: siteIn('en'),
    i18n: { locales: ['en', 'fr', 'ar'] },
    html: { pageSize: 10 },
    providers: {
      posts: ['en', 'fr', 'ar'].flatMap((lang) =>
        entriesIn(lang as Language, `/${lang}/blog`, 24).map((entry) => ({ ...entry, lang })),
      ),
      shop: [
        { loc: '/shop', title: 'Shop', lang: 'en' },
        { loc: '/ar/shop', title: 'المتجر', lang: 'ar' },
      ],
    },
  },
  pages: {
    English: '/sitemap.html',
    French: '/sitemap_fr.html',
    Arabic: '/sitemap_ar.html',
    'Arabic section': '/sitemap_ar-posts-2.html',
    'French section': '/sitemap_fr-posts-1.html',
  },
}

const untitledSite: TestSite = {
  name: 'no titles',
  options: {
    site: { url: SITE_URL },
    providers: {
      pages: [
        '/',
        '/about',
        '/blog/2026/a-walk-along-the-shore.html',
        '/blog/2026/',
        '/suche?q=b%C3%BCcher&seite=2',
        '/caf%C3%A9/',
        '/%D9%83%D8%AA%D8%A8/',
        `/${'a-long-way/'.repeat(40)}`,
      ],
    },
  },
  pages: { start: '/sitemap.html', section: '/sitemap-pages-1.html' },
}

/** Whatever a database may hold where a title is expected. */
const HOSTILE_TITLES: readonly string[] = [
  '</title></a><script>alert(document.domain)</script>',
  '"><img src=x onerror=alert(1)>\'',
  '&lt;b&gt; &amp;amp; &#60; &nbsp &notit; ]]> <!-- --> <![CDATA[',
  '\u202Egnp.exe\u202D \u2067isolated\u2066 never closed',
  `${'W'.repeat(5_000)}`,
  `${'Donaudampfschifffahrts'.repeat(40)}gesellschaft`,
  '👩‍👩‍👧‍👦🏳️‍🌈👍🏽'.repeat(60),
  'z\u0335\u0321\u0322\u0327\u0328'.repeat(80),
  '\u200B\u200C\u200D\u2060\uFEFF',
  '\uFEFFzero\u200Bwidth\u2060spaces\u00ADand soft hyphens',
  '\u0000\u0007\uD800half\uDFFF\uFFFE\u0085\u009F\u{1FFFF}',
  'first\r\nsecond\tthird\u2028fourth\u2029fifth',
  'نص عربي مع english في الوسط',
  'Cafe\u0301 written as macOS writes names of files',
  '   ',
]

const HOSTILE_LOCS: readonly string[] = [
  '/"><script>alert(1)</script>',
  "/it's?a=1&b=<2>&amp;=3#part",
  '/pipe|caret^back`tick{brace}[bracket]\\slash',
  '/100%/%zz/%',
  '/\u202Egnp.exe/\u200B/é/日本/\uD800',
  '/%E2%80%AEgnp.exe',
  `/${'x'.repeat(1_800)}`,
  '/a//b/./c/../d;e=f,g@h:i!$',
  '/?',
  'javascript:alert(1)',
  'https://www.example.com/%00/%0A/%7F',
]

/** Texts and addresses that no page may fall for. */
export const hostileSite: TestSite = {
  name: 'hostile texts',
  options: {
    routes: { css: '/sitemap.css' },
    site: {
      url: SITE_URL,
      title: '</title><script>alert(1)</script> \u202Eedoc',
      description: '"><img src=x onerror=alert(1)> \u2066 and \u0000 more',
    },
    html: { pageSize: 20 },
    providers: {
      titles: {
        title: '<h1 style="color:red">\u202E section',
        entries: HOSTILE_TITLES.map((title, index) => ({ loc: `/${index}`, title, description: title })),
      },
      paths: { title: 'P'.repeat(400), entries: HOSTILE_LOCS.map((loc) => ({ loc })) },
      languages: ['ar', 'x"><b', 'xx', 'iw', 'zh-Hant-TW', 'en-x-own', 'mul', 'und', 'no tag'].map(
        (lang) => ({
          loc: `/in/${encodeURIComponent(lang)}`,
          title: 'A page in a language of its own',
          lang,
        }),
      ),
    },
  },
  pages: {
    start: '/sitemap.html',
    titles: '/sitemap-titles-1.html',
    paths: '/sitemap-paths-1.html',
    languages: '/sitemap-languages-1.html',
  },
}

const emptySite: TestSite = {
  name: 'empty site',
  options: { site: { url: SITE_URL, title: 'Nothing yet' }, providers: { pages: [] } },
  pages: { start: '/sitemap.html' },
}

/** Links that robots are told something about (SPEC 7.2). */
export const profiledSite: TestSite = {
  name: 'robots classes',
  options: {
    site: siteIn('en'),
    html: { pageSize: 10 },
    providers: {
      pages: [
        { loc: '/', title: 'Home' },
        { loc: '/partners', title: 'Partners', robots: 'nofollow' },
        { loc: '/prices', title: 'Prices of today', robots: ['noarchive', 'noanchortext'] },
        { loc: '/all', title: 'All three', robots: 'nofollow, noarchive, noanchortext' },
      ],
      posts: entriesIn('en', '/blog', 24).map((entry) => ({ ...entry, robots: 'noarchive' })),
    },
  },
  pages: { start: '/sitemap.html', section: '/sitemap-posts-2.html' },
}

const ownSite: TestSite = {
  name: 'words and head of the user',
  options: {
    site: siteIn('en'),
    html: {
      pageSize: 10,
      head: '<meta name="theme-color" content="#224466">\n<meta name="author" content="Harbour Books">',
      strings: {
        en: {
          sitemap: 'Everything on this site',
          skip: 'Skip <to> "content"',
          entries: { one: '{n} thing', other: '{n} things' },
          page: 'Leaf {page} of {pages}',
        },
      },
    },
    providers: { pages: entriesIn('en', '/about', 12) },
  },
  pages: { start: '/sitemap.html', section: '/sitemap-pages-2.html' },
}

/** One site in each language of our words; the profile is translated, too. */
const languageSites: readonly TestSite[] = (Object.keys(PHRASES) as Language[]).map((language) => ({
  name: `site in ${language}`,
  options: {
    site: siteIn(language),
    routes: ALL_FEEDS,
    html: { pageSize: 20 },
    providers: {
      pages: {
        title: PHRASES[language].pages,
        entries: entriesIn(language, '/about', 5).map((entry, index) =>
          index === 1 ? { ...entry, robots: 'nofollow' } : entry,
        ),
      },
      posts: { title: PHRASES[language].posts, entries: entriesIn(language, '/blog', 50) },
    },
  },
  pages: {
    start: '/sitemap.html',
    section: '/sitemap-posts-2.html',
    profile: '/robots-profile',
  },
}))

/** All sites. */
export const SITES: readonly TestSite[] = [
  smallSite,
  largeSite,
  threeLocales,
  untitledSite,
  hostileSite,
  emptySite,
  profiledSite,
  ownSite,
  ...languageSites,
]

/** All pages of all sites, each under a name of its own. */
export const PAGES: readonly {
  readonly name: string
  readonly site: TestSite
  readonly path: string
}[] = SITES.flatMap((site) =>
  Object.entries(site.pages).map(([name, path]) => ({ name: `${site.name}: ${name}`, site, path })),
)
