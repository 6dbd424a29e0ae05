import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/entry/entry.ts'
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

describe('bounds', () => {
  const words = 'word '.repeat(1_000)
  const title = `${'word '.repeat(39)}word…`
  const description = `${'word '.repeat(99)}word…`
  const entryOf = (card: Card): TemplateEntry | undefined =>
    toTemplatePage({ ...emptyPage, sections: [section('pages', [card])] }).sections[0]?.entries[0]

  it('titles are cut at 200 characters, descriptions at 500', () => {
    const data = toTemplatePage({
      ...emptyPage,
      site: { ...site, title: words, description: words },
      sections: [section('pages', [{ loc: 'https://example.com/x', title: words, description: words }])],
    })
    expect(data.site).toMatchObject({ title, description })
    expect(data.sections[0]?.entries[0]).toMatchObject({ text: title, description })
    expect(data.title).toBe(`Sitemap – ${title}`)
    const named = toTemplatePage(sectionPage(1, 1, { sections: [section('pages', [], { title: words })] }))
    expect(named.sections[0]?.title).toBe(title)
  })

  it.each([
    { name: 'a title', card: { loc: 'https://example.com/x', title: 'W'.repeat(5_000) } },
    { name: 'a path', card: { loc: `https://example.com/${'x'.repeat(1_800)}` } },
  ])('$name without spaces has 200 characters, its address all of them', ({ card }) => {
    const entry = entryOf(card)
    expect(entry?.text).toMatch(/^.{199}…$/)
    expect(entry?.href).toBe(card.loc)
  })

  it('what fits stays as it is', () => {
    const card = {
      loc: 'https://example.com/x',
      title: 'W'.repeat(200),
      description: `${'W'.repeat(499)}.`,
    }
    expect(entryOf(card)).toMatchObject({ text: card.title, description: card.description })
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
      '> 2',
      '> 1',
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
      '> a',
      '> b',
    ])
  })

  it.each([
    { name: 'the rest of the path', below: '/a/b', text: 'b' },
    { name: 'several segments', below: '/a/b/c.html', text: 'b/c.html' },
    { name: 'a slash at the end', below: '/a/b/', text: 'b/' },
    { name: 'a query', below: '/a/b?q=a%20b', text: 'b?q=a b' },
    { name: 'no fragment', below: '/a/b#c', text: 'b' },
    { name: 'decoded', below: '/a/caf%C3%A9', text: 'café' },
    { name: 'an empty segment', below: '/a//b', text: '/b' },
    { name: 'nothing but empty segments', below: '/a//', text: '/' },
    { name: 'what is nothing to see', below: '/a/%20', text: '%20' },
    { name: 'its title', below: '/a/b', title: 'Title', text: 'Title' },
  ])('an entry below another one goes on with its path: $name (SPEC H5)', ({ below, title, text }) => {
    for (const above of ['/a', '/a/', '/a?x=/y', '/a#z']) {
      const cards = cardsAt(above, below, '/a/zzz').map((card, i) => (i === 1 ? { ...card, title } : card))
      const { sections } = toTemplatePage({
        ...emptyPage,
        sections: [section('pages', cards as readonly Card[])],
      })
      const [entry] = sections[0]?.entries ?? []
      expect(entry?.children[0]).toMatchObject({ text, href: `https://example.com${below}` })
    }
  })

  it('what the levels ran out for names all of the path that is not above it', () => {
    const chain = Array.from({ length: 8 }, (_, i) => '/a'.repeat(i + 1))
    expect(outline('en', 'https://example.com/', ...chain).map((line) => line.replaceAll('> ', ''))).toEqual([
      '/a',
      ...Array(5).fill('a'),
      'a/a',
      'a/a/a',
    ])
  })

  it('the site keeps its title below another entry', () => {
    expect(outline('en', 'https://example.com/a/shop/', '/a', '/a/shop', '/a/b')).toEqual([
      '/a',
      '> Example',
      '> b',
    ])
  })

  const path = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
    .map((all) => `/${all.join('/')}`)

  it('any paths: a name is what the path has over that of the entry above', () => {
    const check = (entries: readonly TemplateEntry[], above: string) => {
      for (const { href, text, children } of entries) {
        expect(text).not.toBe('')
        if (above !== '') expect(`${above}/${text}`).toBe(href)
        check(children, href.replace(/\/$/, ''))
      }
    }
    fc.assert(
      fc.property(fc.array(path, { maxLength: 40 }), (paths) => {
        check(
          toTemplatePage({ ...startPage, sections: [section('pages', cardsAt(...paths))] }).sections[0]
            ?.entries ?? [],
          '',
        )
      }),
    )
  })

  it('any paths: no entry is lost or doubled', () => {
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
