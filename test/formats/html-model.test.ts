import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toTemplatePage } from '../../src/formats/html-model.ts'
import type { HtmlPage } from '../../src/formats/html-page.ts'
import type { HtmlTemplatePage, TemplateEntry } from '../../src/formats/html-template.ts'
import {
  cardsAt,
  emptyPage,
  inLanguages,
  pages,
  section,
  sectionPage,
  site,
  startPage,
} from './html-pages.ts'

/** All entries, those below others included. */
const flat = (entries: readonly TemplateEntry[]): readonly TemplateEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)])

/** All texts and addresses of a page's data, but for the user's own HTML. */
function valuesOf({ head: _, ...page }: HtmlTemplatePage): { name: string; value: string }[] {
  const found: { name: string; value: string }[] = []
  JSON.stringify(page, (name, value: unknown) => {
    if (typeof value === 'string') found.push({ name, value })
    return value
  })
  return found
}

describe.each(pages)('data of $name', ({ page }) => {
  const data = toTemplatePage(page)

  it('holds addresses that may be linked, and texts as a browser shows them (SPEC H5, H8)', () => {
    for (const { name, value } of valuesOf(data)) {
      if (/^(href|url|stylesheet|profileUri)$/.test(name))
        expect(value).toMatch(/^(https?:\/\/|\/(?!\/))[^\s"<>]*$/)
      else if (name !== 'description') expect(value).not.toBe('')
      expect(value.isWellFormed()).toBe(true)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters looked for
      expect(value).not.toMatch(/[\u0000-\u001F\u007F-\u009F]|^ | $| {2}/)
    }
  })

  it('is the same each time, and made anew', () => {
    expect(toTemplatePage(page)).toEqual(data)
    expect(toTemplatePage(page).sections).not.toBe(data.sections)
  })
})

describe('data for templates', () => {
  it('an entry says all that its link says', () => {
    const card = {
      loc: 'https://example.com/x',
      title: ' <b>Title</b>\n',
      description: 'What & why',
      lang: 'HE',
      lastmod: '2026-05-10',
      robots: { nofollow: true, noarchive: true, noanchortext: false },
    }
    const [entry] =
      toTemplatePage({ ...emptyPage, sections: [section('pages', [card])] }).sections[0]?.entries ?? []
    expect(entry).toEqual({
      href: 'https://example.com/x',
      text: '<b>Title</b>',
      description: 'What & why',
      lang: 'he',
      dir: 'rtl',
      lastmod: '2026-05-10',
      rel: 'nofollow',
      class: 'robots-nofollow robots-noarchive',
      children: [],
    })
  })

  it('a page of a section knows its neighbours', () => {
    const { paging, title, sections } = toTemplatePage(sectionPage(2, 3))
    expect(title).toBe('Posts – Page 2 of 3 – Sitemap – Example')
    expect(sections[0]).toMatchObject({ key: 'posts', title: 'Posts', total: 90, href: undefined })
    expect(paging).toEqual({
      page: 2,
      pages: 3,
      start: { href: '/sitemap.html', text: 'Sitemap' },
      previous: { href: '/sitemap-posts-1.html', text: 'Previous' },
      next: { href: '/sitemap-posts-3.html', text: 'Next' },
      stops: [1, 2, 3].map((page) => ({ href: `/sitemap-posts-${page}.html`, text: String(page), page })),
    })
  })

  it.each([
    { page: 1, previous: undefined, next: '/sitemap-posts-2.html' },
    { page: 2, previous: '/sitemap-posts-1.html', next: undefined },
  ])('page $page of 2 has no neighbour past the ends', ({ page, previous, next }) => {
    const { paging } = toTemplatePage(sectionPage(page, 2))
    expect([paging?.previous?.href, paging?.next?.href]).toEqual([previous, next])
  })

  it('documents have their types and names', () => {
    const kinds = ['rss', 'atom', 'json', 'xml'] as const
    const documents = kinds.map((kind) => ({ kind, url: `https://example.com/${kind}` }))
    expect(toTemplatePage({ ...emptyPage, documents }).documents).toEqual([
      { href: 'https://example.com/rss', text: 'RSS feed', type: 'application/rss+xml' },
      { href: 'https://example.com/atom', text: 'Atom feed', type: 'application/atom+xml' },
      { href: 'https://example.com/json', text: 'JSON feed', type: 'application/feed+json' },
      { href: 'https://example.com/xml', text: 'XML sitemap', type: 'application/xml' },
    ])
  })

  it('languages are named by themselves, in normal form', () => {
    const page = inLanguages('fr-ca')
    expect(toTemplatePage(page)).toMatchObject({
      language: 'fr-CA',
      dir: 'ltr',
      languages: [
        { language: 'en', text: 'English', current: false },
        { language: 'fr-CA', text: 'Français canadien', current: true },
        { language: 'ar', text: 'العربية', current: false },
      ],
    })
  })

  it('a tag that is none is English', () => {
    expect(toTemplatePage({ ...emptyPage, language: 'no tag' })).toMatchObject({ language: 'en', dir: 'ltr' })
  })

  it('site, stylesheet and head', () => {
    const data = toTemplatePage({
      ...emptyPage,
      site: { ...site, title: ' ', description: '\n' },
      stylesheet: 'own.css',
      head: '<i> ',
    })
    expect(data.site).toEqual({ url: 'https://example.com/', title: 'https://example.com/', description: '' })
    expect([data.stylesheet, data.head]).toEqual(['own.css', '<i> '])
  })
})

describe('trees in data', () => {
  const outline = (language: string, siteUrl: string, ...paths: string[]) => {
    const page: HtmlPage = {
      ...emptyPage,
      site: { ...site, url: siteUrl },
      language,
      sections: [section('pages', cardsAt(...paths))],
    }
    const write = (entries: readonly TemplateEntry[]): string[] =>
      entries.flatMap(({ text, children }) => [text, ...write(children).map((line) => `> ${line}`)])
    return write(toTemplatePage(page).sections[0]?.entries ?? [])
  }

  it('siblings keep the order of the provider', () => {
    expect(outline('en', 'https://example.com/', '/b/2', '/b', '/c', '/b/1', '/a')).toEqual([
      '/b',
      '> /b/2',
      '> /b/1',
      '/c',
      '/a',
    ])
  })

  it.each([
    { name: 'the site below a path', language: 'en', url: 'https://example.com/shop/', root: '/shop' },
    { name: "the page's language", language: 'fr', url: 'https://example.com/', root: '/fr' },
    { name: 'the same with a region', language: 'fr-CA', url: 'https://example.com/', root: '/fr-ca/' },
    { name: 'its primary subtag', language: 'fr-CA', url: 'https://example.com/', root: '/fr' },
    { name: 'both', language: 'pt-BR', url: 'https://example.com/shop', root: '/shop/pt_BR' },
  ])('a root does not swallow everything: $name', ({ language, url, root }) => {
    const below = root.replace(/\/$/, '')
    expect(outline(language, url, root, `${below}/a`, `${below}/b`).slice(1)).toEqual([
      `${below}/a`,
      `${below}/b`,
    ])
  })

  it('another language is a branch like others', () => {
    expect(outline('en', 'https://example.com/', '/', '/fr', '/fr/a', '/fr/b').slice(1)).toEqual([
      '/fr',
      '> /fr/a',
      '> /fr/b',
    ])
  })

  it('any paths: no entry is lost or doubled', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
      .map((all) => `/${all.join('/')}`)
    fc.assert(
      fc.property(fc.array(path, { maxLength: 40 }), (paths) => {
        const cards = cardsAt(...paths)
        const data = toTemplatePage({ ...startPage, sections: [section('pages', cards)] })
        const hrefs = flat(data.sections[0]?.entries ?? []).map(({ href }) => href)
        expect(hrefs.sort()).toEqual(cards.map(({ loc }) => loc).sort())
      }),
    )
  })
})
