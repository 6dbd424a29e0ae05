import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../src/options.ts'
import { localePath, newsPath, partPath, sectionFeedPath } from '../../src/table/paths.ts'
import { faultOf, refusal, refuseAll, resolve, site } from './resolving.ts'

describe('routes', () => {
  it('of the further documents are served where they are asked for', () => {
    const routes = {
      atom: '/feed.atom',
      json: '/feed.json',
      news: '/sitemap-news.xml',
      robots: '/robots.txt',
      llms: '/llms.txt',
      css: '/sitemap.css',
      profile: '/classes',
    }
    expect(resolve({ routes }).routes).toEqual({ ...resolve().routes, ...routes })
  })

  it('may say that they are off', () => {
    const off = {
      atom: false,
      json: false,
      news: false,
      robots: false,
      llms: false,
      css: false,
      report: false,
    }
    expect(resolve({ routes: off }).routes).toEqual(resolve().routes)
    expect(resolve({ routes: { profile: false } }).routes.profile).toBe(false)
  })

  const others = { sitemap: false, index: false, rss: false, html: false, txt: false }

  it.each(['atom', 'json', 'news', 'robots', 'llms', 'report'])('%s alone is a document', (name) => {
    const path = name === 'robots' ? '/robots.txt' : '/a'
    expect(resolve({ routes: { ...others, [name]: path } }).routes).toMatchObject({ ...others, [name]: path })
  })

  it.each(['css', 'profile'])('%s alone is none', (name) => {
    expect(faultOf({ routes: { ...others, [name]: '/a' } })).toContain('expected one document at least')
  })

  it.each([
    { name: 'atom', example: '/feed.atom' },
    { name: 'json', example: '/feed.json' },
    { name: 'news', example: '/sitemap-news.xml' },
    { name: 'robots', example: '/robots.txt' },
    { name: 'llms', example: '/llms.txt' },
    { name: 'css', example: '/sitemap.css' },
    { name: 'profile', example: '/robots-profile' },
    { name: 'report', example: '/sitemap-report.json' },
  ])('$name: true is answered with a path', ({ name, example }) => {
    expect(faultOf({ routes: { [name]: true } })).toMatch(
      new RegExp(
        `^option "routes.${name}" is true \\(boolean\\): expected a path: .* Write '${example}', or false.$`,
      ),
    )
  })
})

describe('routes.robots lies at the root of a host', () => {
  const routes = { robots: '/robots.txt' }
  const shop = { url: 'https://www.example.com/shop' }

  it.each([
    { name: 'a site at the root', more: {} },
    { name: 'an empty prefix before a site below a path', more: { site: shop, prefix: '' } },
    { name: 'an empty public path', more: { prefix: '/internal', publicPath: '' } },
    { name: 'no robots.txt below a path', more: { site: shop, routes: {} } },
  ])('$name', ({ more }) => {
    expect(() => resolve({ routes, ...more })).not.toThrow()
  })

  it.each([
    { name: 'a prefix', more: { prefix: '/shop' } },
    { name: 'the path of site.url', more: { site: shop } },
    { name: 'a public path', more: { publicPath: '/shop' } },
    { name: 'a public path behind a prefix', more: { prefix: '/a', publicPath: '/shop' } },
  ])('$name is a fault', ({ more }) => {
    expect(faultOf({ routes, ...more })).toBe(
      'option "routes.robots" is "/robots.txt" (string): expected false where documents live below a path, as here below /shop: crawlers read /robots.txt at the root of a host only. Leave it out, and answer /robots.txt by a route of your own with app.sitemap.robotsTxt().',
    )
  })

  it('another name is a fault', () => {
    expect(faultOf({ routes: { robots: '/seo/robots.txt' } })).toBe(
      `option "routes.robots" is "/seo/robots.txt" (string): expected '/robots.txt', the one that crawlers read, or false. Write '/robots.txt', or false.`,
    )
  })

  it('a faulty site is no second fault', () => {
    const { message } = refusal({ site: {}, providers: { a: [] }, routes })
    expect(message).toMatch(/^option "site\.url" is missing[^\n]+$/)
  })
})

describe('derived paths that collide', () => {
  it('none: the news file beside a section called news', () => {
    expect(resolve({ providers: { news: ['/'] }, routes: { news: '/sitemap-news.xml' } }).routes.news).toBe(
      '/sitemap-news.xml',
    )
  })

  const of = (...sections: string[]) => Object.fromEntries(sections.map((section) => [section, []]))
  const only = (...formats: string[]) => ({ entries: [], formats })

  it.each<{ name: string; more: Record<string, unknown>; line: string }>([
    {
      name: 'news that is a part itself',
      more: { routes: { news: '/sitemap-pages-1.xml' } },
      line: 'option "routes.news" is "/sitemap-pages-1.xml" (string): expected a path of its own, and this is that of a part of the section pages.',
    },
    {
      name: 'a report called as a further file of the news',
      more: { routes: { news: '/n.xml', report: '/n_12.xml' } },
      line: 'option "routes.report" is "/n_12.xml" (string): expected a path of its own, and this is that of routes.news.',
    },
    {
      name: 'a feed before the news',
      more: { routes: { rss: '/n_3.xml', news: '/n.xml' } },
      line: 'option "routes.news" is "/n.xml" (string): expected a path of its own, and /n_3.xml, which goes with it, is that of routes.rss.',
    },
    {
      name: "a section's feed and a report",
      more: { routes: { report: '/feed-pages.rss' } },
      line: `option "routes.report" is "/feed-pages.rss" (string): expected a path of its own, and this is that of a section's feed (routes.rss).`,
    },
    {
      name: "a feed that is a section's of another",
      more: { routes: { rss: '/feed.xml', atom: '/feed-pages.xml' } },
      line: `option "routes.atom" is "/feed-pages.xml" (string): expected a path of its own, and this is that of a section's feed (routes.rss).`,
    },
    {
      name: 'the other way round',
      more: { routes: { rss: '/feed-pages.xml', json: '/feed.xml' } },
      line: 'option "routes.json" is "/feed.xml" (string): expected a path of its own, and /feed-pages.xml, which goes with it, is that of routes.rss.',
    },
    {
      name: "a section's feed and a default",
      more: {
        providers: of('index'),
        routes: { atom: '/sitemap.xml', sitemap: false, index: '/sitemap-index.xml' },
      },
      line: 'option "routes.atom" is "/sitemap.xml" (string): expected a path of its own, and /sitemap-index.xml, which goes with it, is that of routes.index.',
    },
    {
      name: 'two feeds at one path, which is one fault',
      more: { routes: { atom: '/feed', json: '/feed' } },
      line: 'option "routes.json" is "/feed" (string): expected a path of its own, and this is that of routes.atom.',
    },
    {
      name: 'the profile of ours by default',
      more: { routes: { report: '/robots-profile' } },
      line: 'option "routes.report" is "/robots-profile" (string): expected a path of its own, and this is that of routes.profile.',
    },
    {
      name: 'css and our stylesheet of the page',
      more: { routes: { css: '/sitemap-html.css' } },
      line: 'option "routes.css" is "/sitemap-html.css" (string): expected a path of its own, and this is that of our stylesheet.',
    },
    {
      name: 'llms.txt at the path of the text sitemap',
      more: { routes: { llms: '/sitemap.txt' } },
      line: 'option "routes.llms" is "/sitemap.txt" (string): expected a path of its own, and this is that of routes.txt.',
    },
    ...['xml', 'html'].map((extension) => ({
      name: `the document of a locale in ${extension}`,
      more: { i18n: { locales: ['en', 'fr-CA'] }, routes: { report: `/sitemap_fr-CA.${extension}` } },
      line: `option "routes.report" is "/sitemap_fr-CA.${extension}" (string): expected a path of its own, and this is that of the locale fr-CA.`,
    })),
    ...['xml', 'txt', 'html'].map((extension) => ({
      name: `the part of a locale in ${extension}`,
      more: { i18n: { locales: ['en', 'fr-CA'] }, routes: { report: `/sitemap_fr-CA-pages-2.${extension}` } },
      line: `option "routes.report" is "/sitemap_fr-CA-pages-2.${extension}" (string): expected a path of its own, and this is that of a part of the section pages.`,
    })),
    {
      name: 'a locale that is a part of another',
      more: { i18n: { locales: ['zh', 'zh-Hant-419'] }, providers: of('Hant') },
      line: `option "i18n.locales" is a list with 'zh-Hant-419': expected locales with paths of their own, and /sitemap_zh-Hant-419.xml is that of a part of the section Hant. Give the section another key.`,
    },
  ])('$name', ({ more, line }) => {
    // A locale has two documents, and two faults with them.
    expect(refusal({ site, providers: of('pages'), ...more }).message).toContain(line)
  })

  it.each<{ name: string; more: Record<string, unknown> }>([
    {
      name: 'a section called news that stands in the news only',
      more: { providers: { news: only('news') } },
    },
    { name: 'a section called news without XML', more: { providers: { news: only('html', 'txt', 'news') } } },
    {
      name: 'a section called news in a site without XML',
      more: { providers: of('news'), routes: { sitemap: false, index: false } },
    },
    {
      name: 'a section called news that is cut by locale',
      more: { providers: of('news'), i18n: { locales: ['en'] } },
    },
    {
      name: 'a part of a locale that is not known',
      more: { i18n: { locales: ['en'] }, routes: { report: '/sitemap_fr-pages-1.xml' } },
    },
    {
      name: 'a part without a locale, which nothing is called where there are some',
      more: { i18n: { locales: ['en'] }, routes: { report: '/sitemap-pages-1.xml' } },
    },
  ])('taken: $name', ({ more }) => {
    const { routes, ...rest } = more
    const news = { news: '/sitemap-news.xml' }
    expect(() => resolve({ ...rest, routes: { ...news, ...(routes as object | undefined) } })).not.toThrow()
  })

  it('what is taken has no path twice', () => {
    const path = fc.constantFrom(
      ...[
        '/a.xml',
        '/a-a.xml',
        '/a-2.xml',
        '/sitemap-a.xml',
        '/sitemap-a-2.xml',
        '/sitemap-a-b.xml',
        '/sitemap-b.xml',
      ],
      ...[
        '/sitemap_en.xml',
        '/sitemap_en-a.xml',
        '/sitemap_en-a-2.xml',
        '/sitemap.xml',
        '/sitemap-html.css',
        '/b',
      ],
    )
    const name = fc.constantFrom(
      ...['sitemap', 'index', 'rss', 'atom', 'json', 'news', 'llms', 'css', 'report', 'profile'],
    )
    const routes = fc.dictionary(name, path, { minKeys: 1, maxKeys: 3 })
    let taken = 0
    fc.assert(
      fc.property(routes, fc.constantFrom([], ['en'], ['en', 'en-GB']), (given, locales) => {
        const sections = ['a', 'b', 'GB']
        const options = { site, providers: of(...sections), routes: given, i18n: { locales } }
        const { routes: found } = attempt(() => resolveOptions(options)) ?? {}
        if (found === undefined) return
        taken++
        const numbers = [1, 2, 3]
        const paths: (string | false)[] = [...Object.values(found), '/sitemap-html.css']
        for (const locale of locales) paths.push(localePath(locale, 'xml'), localePath(locale, 'html'))
        for (const section of sections) {
          for (const feed of [found.rss, found.atom, found.json])
            if (feed !== false) paths.push(sectionFeedPath(feed, section))
          for (const locale of locales.length === 0 ? [undefined] : locales)
            for (const extension of ['xml', 'txt', 'html'] as const)
              paths.push(...numbers.map((number) => partPath(section, number, extension, locale)))
        }
        if (found.news !== false) paths.push(newsPath(found.news, 2), newsPath(found.news, 3))
        const served = paths.filter((one) => one !== false)
        expect(new Set(served).size).toBe(served.length)
      }),
      { numRuns: 500 },
    )
    expect(taken).toBeGreaterThan(50)
  })
})

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

describe('paths that only look alike are taken', () => {
  it.each([
    { name: 'a part of no section of ours', routes: { report: '/sitemap-posts-1.xml' } },
    { name: 'a part that starts at 0', routes: { report: '/sitemap-pages-0.xml' } },
    { name: 'another ending', routes: { report: '/sitemap-pages-1.json' } },
    { name: 'below a folder', routes: { report: '/x/sitemap-pages-1.xml' } },
    { name: 'two paths exchanged', routes: { sitemap: '/sitemap.txt', txt: '/sitemap.xml' } },
    { name: 'the path of a default that is off', routes: { sitemap: '/sitemap.txt', txt: false } },
    { name: 'our stylesheet while HTML is off', routes: { html: false, report: '/sitemap-html.css' } },
    { name: 'the profile while HTML is off', routes: { html: false, report: '/robots-profile' } },
  ])('$name', ({ routes }) => {
    expect(resolve({ routes }).routes).toMatchObject(routes)
  })

  it.each([{ stylesheet: false }, { stylesheet: 'https://cdn.example/a.css' }])(
    "our stylesheet's path beside html.stylesheet $stylesheet",
    (html) => {
      expect(resolve({ html, routes: { report: '/sitemap-html.css' } }).html.stylesheet).toBe(html.stylesheet)
    },
  )
})

describe('faults', () => {
  refuseAll([
    ...[
      'shop',
      '/a*',
      '/:tenant',
      '/a?b',
      '/a#b',
      '/../b',
      '/a..b',
      '/./b',
      '/a//b',
      '//',
      '/a b',
      '/é',
      '/%41',
      '/a\\b',
      '/a\n',
      7,
      null,
    ].flatMap((path) =>
      ['prefix', 'publicPath'].map((option) => ({
        name: `${option} ${JSON.stringify(path)}`,
        more: { [option]: path },
        line: `option "${option}" is ${JSON.stringify(path)} (${path === null ? 'null' : typeof path}): expected '' or a path: a slash, then letters`,
      })),
    ),
    { name: 'a prefix without its slash', more: { prefix: 'shop' }, line: `Write '/shop', or leave it out.` },
    ...['sitemap.xml', '/', '', '/a/', '/a*', '/:a', '/a?b', '/a#b', '/../a', '/a b', true, null].map(
      (path) => ({
        name: `the route ${JSON.stringify(path)}`,
        more: { routes: { rss: path } },
        line: `option "routes.rss" is ${JSON.stringify(path)} (${path === null ? 'null' : typeof path}): expected a path: a slash, then letters`,
      }),
    ),
    {
      name: 'a route without its slash',
      more: { routes: { rss: 'rss.xml' } },
      line: `Write '/rss.xml', or false.`,
    },
    {
      name: 'a route with a slash too many',
      more: { routes: { rss: '/rss/' } },
      line: `Write '/rss', or false.`,
    },
    {
      name: 'no route at all',
      more: { routes: { sitemap: false, index: false, rss: false, html: false, txt: false } },
      line: 'option "routes" is {"sitemap":false,"index":false,"rss":false,"html":false,"txt":false} (object): expected one document at least. Leave one out of it for its default path.',
    },
    {
      name: 'a faulty route beside others that are off, which is one fault',
      more: { routes: { sitemap: 'x', index: false, rss: false, html: false, txt: false } },
      line: 'option "routes.sitemap" is "x" (string): expected a path',
    },
    {
      name: 'two routes with one path',
      more: { routes: { rss: '/a', txt: '/a' } },
      line: 'option "routes.txt" is "/a" (string): expected a path of its own, and this is that of routes.rss. Write another path, or false.',
    },
    {
      name: 'the path of a default that comes after it',
      more: { routes: { sitemap: '/sitemap.txt' } },
      line: 'option "routes.sitemap" is "/sitemap.txt" (string): expected a path of its own, and this is that of routes.txt. Write another path, or false.',
    },
    ...['xml', 'txt', 'html'].map((ending) => ({
      name: `the path of a part in .${ending}`,
      more: { routes: { report: `/sitemap-pages-12.${ending}` } },
      line: `option "routes.report" is "/sitemap-pages-12.${ending}" (string): expected a path of its own, and this is that of a part of the section pages. Write another path, or false.`,
    })),
    {
      name: 'the path of our stylesheet',
      more: { routes: { report: '/sitemap-html.css' } },
      line: 'option "routes.report" is "/sitemap-html.css" (string): expected a path of its own, and this is that of our stylesheet. Write another path, or false.',
    },
  ])
})
