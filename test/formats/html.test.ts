import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/entry/entry.ts'
import { renderHtmlPage } from '../../src/formats/html.ts'
import type { HtmlPage } from '../../src/formats/html-page.ts'
import {
  cardsAt,
  cardsOf,
  emptyPage,
  inLanguages,
  overviewPage,
  pages,
  section,
  sectionPage,
  site,
  startPage,
  treePage,
} from './html-pages.ts'
import { all, type HtmlElement, hasClass, only, parseHtml } from './parse-html.ts'

const rendered = (page: HtmlPage) => parseHtml(renderHtmlPage(page)).root

/** A start page of one section with these entries. */
const pageOf = (...cards: Card[]): HtmlPage => ({ ...emptyPage, sections: [section('pages', cards)] })

/** Links of the entries. */
const entryLinks = (root: HtmlElement) => all(root, hasClass('entries')).flatMap((list) => all(list, 'a'))

/** What a link is called: browsers drop the space at its end. */
const nameOf = ({ text }: HtmlElement) => text.trim()

const linkTexts = (page: HtmlPage) => entryLinks(rendered(page)).map(nameOf)

describe.each(pages)('html: $name', ({ page }) => {
  const html = renderHtmlPage(page)
  const { errors, root } = parseHtml(html)
  const everything = all(root, () => true)

  it('is HTML without a parse error', () => {
    expect(errors).toEqual([])
    expect(html).toMatch(/^<!doctype html>\n<html lang="[\w-]+" dir="(ltr|rtl)">\n/)
    expect(html).toMatch(/<\/html>\n$/)
  })

  it('has no script, no inline style, no event handler, and links to http(s) alone (H1, H8, H9)', () => {
    expect(html).not.toMatch(/<script|<style/i)
    for (const { name, attributes } of everything) {
      expect(['script', 'style', 'iframe', 'img', 'form']).not.toContain(name)
      for (const attribute of Object.keys(attributes)) expect(attribute).not.toMatch(/^(style|on.*|src)$/)
      if (attributes.href !== undefined) expect(attributes.href).toMatch(/^(https?:\/\/|\/(?!\/)|#)/)
    }
    expect(html).not.toMatch(/=\s*"\s*javascript:/i)
  })

  it('has one h1, one main, a title, and headings in order (H2, H3)', () => {
    for (const name of ['h1', 'title']) expect(only(root, name).text).toMatch(/\S/)
    expect(all(root, 'main')).toHaveLength(1)
    let level = 0
    for (const { name } of all(root, ({ name }) => /^h[1-6]$/.test(name))) {
      expect(Number(name[1]) - level).toBeLessThanOrEqual(1)
      level = Number(name[1])
    }
  })

  it('has unique ids, and every reference to one is met', () => {
    const ids = everything.flatMap(({ attributes }) => attributes.id ?? [])
    expect(ids).toEqual([...new Set(ids)])
    for (const { attributes } of everything) {
      const fragment = attributes.href?.startsWith('#') ? [attributes.href.slice(1)] : []
      for (const id of [...fragment, ...(attributes['aria-labelledby']?.split(' ') ?? [])])
        expect(ids).toContain(id)
    }
  })

  it('leads with a skip link, and every link and nav has a name (H2, H5)', () => {
    const [first] = all(root, 'a')
    expect(first?.attributes).toMatchObject({ href: '#content', class: 'skip' })
    expect(only(root, ({ attributes }) => attributes.id === 'content').name).toBe('main')
    for (const { text } of all(root, 'a')) expect(text.trim()).not.toBe('')
    for (const { attributes } of all(root, 'nav')) {
      expect(attributes['aria-label'] ?? attributes['aria-labelledby']).toMatch(/\S/)
    }
  })

  it('has landmarks that their names tell apart', () => {
    const ids = new Map(everything.map((element) => [element.attributes.id, element.text]))
    const names = all(root, 'nav').map(
      ({ attributes }) =>
        attributes['aria-label'] ??
        attributes['aria-labelledby']
          ?.split(' ')
          .map((id) => ids.get(id))
          .join(' '),
    )
    expect(names).toEqual([...new Set(names)])
    for (const name of ['header', 'footer']) expect(all(root, name).length).toBeLessThanOrEqual(1)
  })

  it('puts the heading where the skip link leads', () => {
    expect(all(only(root, 'main'), 'h1')).toHaveLength(1)
  })

  it('says the same each time', () => {
    expect(renderHtmlPage(page)).toBe(html)
  })
})

describe('html entries', () => {
  it.each([
    { name: 'title', card: { title: 'About us' }, text: 'About us' },
    { name: 'title with white space', card: { title: ' \n About\t us ' }, text: 'About us' },
    { name: 'a no-break space stays', card: { title: 'Prix\u00A0: 5' }, text: 'Prix\u00A0: 5' },
    { name: 'blank title', card: { loc: 'https://example.com/a', title: ' \u200B' }, text: '/a' },
    {
      name: 'title of removed characters',
      card: { loc: 'https://example.com/a', title: '\u0000\uFFFE\u0085' },
      text: '/a',
    },
    { name: 'root', card: { loc: 'https://example.com/' }, text: 'Example' },
    { name: 'root without slash', card: { loc: 'https://example.com' }, text: 'Example' },
    {
      name: 'path with hyphens',
      card: { loc: 'https://example.com/blog/hello-world' },
      text: '/blog/hello-world',
    },
    {
      name: 'percent-encoded UTF-8',
      card: { loc: 'https://example.com/caf%C3%A9/%E6%97%A5' },
      text: '/café/日',
    },
    { name: 'no UTF-8 stays encoded', card: { loc: 'https://example.com/%E9t%C3%A9' }, text: '/%E9té' },
    { name: 'an encoded slash stays', card: { loc: 'https://example.com/a%2Fb' }, text: '/a%2Fb' },
    { name: 'broken percent', card: { loc: 'https://example.com/100%25/%zz' }, text: '/100%/%zz' },
    { name: 'encoded space alone', card: { loc: 'https://example.com/%20' }, text: '/' },
    {
      name: 'encoded direction mark stays',
      card: { loc: 'https://example.com/%E2%80%AEgpj.exe' },
      text: '/%E2%80%AEgpj.exe',
    },
    { name: 'encoded newline and NUL stay', card: { loc: 'https://example.com/a%0A%00' }, text: '/a%0A%00' },
    {
      name: 'Persian joiner is a letter',
      card: { loc: 'https://example.com/%D9%85%DB%8C%E2%80%8C%D8%B1' },
      text: '/می\u200Cر',
    },
    { name: 'query', card: { loc: 'https://example.com/s?q=a%20b&p=2' }, text: '/s?q=a b&p=2' },
    { name: 'another host', card: { loc: 'https://blog.example.com/a' }, text: 'blog.example.com/a' },
    { name: "another host's root", card: { loc: 'https://blog.example.com/' }, text: 'blog.example.com' },
    { name: 'other scheme is another host', card: { loc: 'http://example.com/' }, text: 'example.com' },
  ])('link text (H5): $name', ({ card, text }) => {
    expect(linkTexts(pageOf({ loc: 'https://example.com/x', ...card }))).toEqual([text])
  })

  it.each(['https://example.com/shop', 'https://example.com/shop/'])(
    '%s is the root of a site below a path',
    (loc) => {
      const page = { ...pageOf({ loc }), site: { ...site, url: 'https://example.com/shop/' } }
      expect(linkTexts(page)).toEqual(['Example'])
    },
  )

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.com',
    'ftp://example.com/',
    '//evil.example',
    '/\\evil.example',
    'https://',
    'http:///x',
    '',
  ])('leaves out what is no http(s) address (H8): %j', (loc) => {
    const page = pageOf({ loc, title: 'Bad' }, { loc: 'https://example.com/good', title: 'Good' })
    expect(linkTexts(page)).toEqual(['Good'])
    expect(renderHtmlPage(page)).not.toContain('Bad')
  })

  it.each([
    { name: 'nothing said', robots: undefined, rel: undefined, classes: undefined },
    {
      name: 'none set',
      robots: { nofollow: false, noarchive: false, noanchortext: false },
      rel: undefined,
      classes: undefined,
    },
    {
      name: 'nofollow (H20)',
      robots: { nofollow: true, noarchive: false, noanchortext: false },
      rel: 'nofollow',
      classes: 'robots-nofollow',
    },
    {
      name: 'noarchive (H22) has no twin on a link',
      robots: { nofollow: false, noarchive: true, noanchortext: false },
      rel: undefined,
      classes: 'robots-noarchive',
    },
    {
      name: 'noanchortext (H23)',
      robots: { nofollow: false, noarchive: false, noanchortext: true },
      rel: 'nofollow',
      classes: 'robots-noanchortext',
    },
    {
      name: 'they add up (H30)',
      robots: { nofollow: true, noarchive: true, noanchortext: true },
      rel: 'nofollow',
      classes: 'robots-nofollow robots-noarchive robots-noanchortext',
    },
  ])('robots: $name', ({ robots, rel, classes }) => {
    const [anchor] = entryLinks(rendered(pageOf({ loc: 'https://example.com/x', ...(robots && { robots }) })))
    expect(anchor?.attributes.rel).toBe(rel)
    expect(anchor?.attributes.class).toBe(classes)
  })

  it.each([
    {
      name: 'given (H31, H32)',
      profileUri: 'https://example.com/robots-profile',
      written: 'https://example.com/robots-profile',
    },
    { name: 'not given', profileUri: undefined, written: undefined },
    { name: 'no address', profileUri: 'javascript:x', written: undefined },
  ])('profile: $name', ({ profileUri, written }) => {
    const root = rendered({ ...startPage, profileUri })
    expect(only(root, 'head').attributes.profile).toBe(written)
    expect(
      all(root, ({ attributes }) => attributes.rel === 'profile').map(({ attributes }) => attributes.href),
    ).toEqual(written ? [written] : [])
  })

  it.each([
    { name: 'none', lang: undefined, hreflang: undefined, dir: undefined },
    { name: "the page's own", lang: 'EN', hreflang: undefined, dir: undefined },
    { name: 'blank', lang: ' ', hreflang: undefined, dir: undefined },
    { name: 'several', lang: 'mul', hreflang: undefined, dir: undefined },
    { name: 'unknown', lang: 'und', hreflang: undefined, dir: undefined },
    { name: 'no words', lang: 'zxx', hreflang: undefined, dir: undefined },
    { name: 'another', lang: 'fr-CA', hreflang: 'fr-CA', dir: 'ltr' },
    { name: 'from right to left', lang: 'he', hreflang: 'he', dir: 'rtl' },
    { name: 'script decides', lang: 'az-Arab-IR', hreflang: 'az-Arab-IR', dir: 'rtl' },
    { name: 'script decides, the other way', lang: 'ur-Latn', hreflang: 'ur-Latn', dir: 'ltr' },
  ])('language (H6): $name', ({ lang, hreflang, dir }) => {
    const root = rendered(pageOf({ loc: 'https://example.com/x', title: 'T', ...(lang && { lang }) }))
    const [item] = all(only(root, hasClass('entries')), 'li')
    expect(item?.attributes).toEqual(hreflang ? { lang: hreflang, dir } : {})
    expect(entryLinks(root)[0]?.attributes.hreflang).toBe(hreflang)
    expect(entryLinks(root)[0]?.children[0]?.name).toBe('bdi')
    // For the stylesheet, which sets the language behind it.
    expect(entryLinks(root)[0]?.text).toBe(hreflang ? 'T ' : 'T')
  })

  it('a long path may be broken behind its slashes, a host name behind its dots', () => {
    const html = renderHtmlPage({
      ...pageOf(...cardsAt('/blog/2026/a-walk.html')),
      site: { ...site, title: 'blog.example.com' },
    })
    expect(html).toContain('<bdi>/blog/<wbr>2026/<wbr>a-walk.html</bdi>')
    expect(html).toContain('<bdi>blog.<wbr>example.<wbr>com</bdi>')
    expect(html).toContain('<title>Sitemap – blog.example.com</title>')
  })

  it('description stands below, isolated; blank ones do not', () => {
    const root = rendered(
      pageOf(
        { loc: 'https://example.com/a', title: 'A', description: 'Who\nwe are' },
        { loc: 'https://example.com/b', title: 'B', description: ' ' },
      ),
    )
    const list = only(root, hasClass('entries'))
    expect(all(list, 'p').map(({ text, children }) => [text, children[0]?.name])).toEqual([
      ['Who we are', 'bdi'],
    ])
  })

  /** What HTML keeps of a text, said another way than in the code. */
  const kept = (text: string) =>
    Array.from(text.toWellFormed())
      .filter((character) => {
        const point = character.codePointAt(0) ?? 0
        const isControl = (point < 0x20 && ![9, 10, 13, 12].includes(point)) || (point > 0x7e && point < 0xa0)
        const isNone = (point & 0xfffe) === 0xfffe || (point >= 0xfdd0 && point <= 0xfdef)
        return !isControl && !isNone && point !== 12
      })
      .join('')
      .replace(/[ \t\n\r]+/g, ' ')
      .trim()

  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc
      .array(
        fc.constantFrom(
          '&',
          ';',
          '#60',
          'lt',
          '<',
          '>',
          '</a>',
          '</title>',
          '<script>',
          '<!--',
          '-->',
          ']]>',
          '"',
          "'",
          '\r',
          '\n',
          '\u0000',
          '\ud800',
          '\u0085',
          '\u{1FFFE}',
          '\uFDD0',
          'é',
          ' ',
          '{n}',
          '$&',
        ),
        { maxLength: 12 },
      )
      .map((pieces) => pieces.join('')),
  )

  it('any text survives into the parsed page, which stays faultless', () => {
    fc.assert(
      fc.property(text, text, text, (one, two, three) => {
        const html = renderHtmlPage({
          ...startPage,
          site: { ...site, title: one, description: two },
          sections: [
            section('pages', [{ loc: 'https://example.com/x', title: three, description: one }], {
              title: two,
            }),
          ],
        })
        const { errors, root } = parseHtml(html)
        expect(errors).toEqual([])
        const same = (found: string | undefined, given: string) => {
          // Of nothing but blanks and marks something else is shown.
          if (kept(given).replace(/[\p{Z}\p{C}\u115F\u1160\u2800\u3164\uFFA0]/gu, '') !== '')
            expect(found).toBe(kept(given))
        }
        same(only(root, 'h1').text, one)
        same(only(root, 'h2').text, two)
        same(all(root, hasClass('description'))[0]?.text, two)
        const list = only(root, hasClass('entries'))
        same(only(list, 'a').text, three)
        same(all(list, 'p')[0]?.text, one)
        expect(only(list, 'a').text.trim()).not.toBe('')
        expect(all(root, () => true).some(({ name }) => name === 'script')).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})

describe('html sections', () => {
  it('groups entries by section in nested lists, each with heading and count; empty sections are left out (H3)', () => {
    const root = rendered(startPage)
    const nav = only(root, hasClass('contents'))
    expect(nav.attributes['aria-labelledby']).toBe('document title')
    expect(all(nav, 'h2').map(({ text }) => text)).toEqual(['Pages', 'Posts', 'Shop'])
    expect(all(nav, hasClass('facts')).map(({ text }) => text)).toEqual([
      '4 entries Updated May 10, 2026',
      '40 entries',
      '3 entries',
    ])
    const [outer] = all(nav, 'ul')
    expect(outer?.children.map((item) => all(item, 'ul').length)).toEqual([1, 1, 1])
  })

  it('the newest lastmod is the latest instant, shown as the day it names itself', () => {
    // The first is the later instant, although its day is the earlier one.
    const root = rendered(
      pageOf(
        { loc: 'https://example.com/a', lastmod: '2026-05-10T23:30:00-05:00' },
        { loc: 'https://example.com/b', lastmod: '2026-05-11T03:00:00Z' },
        { loc: 'https://example.com/c' },
      ),
    )
    expect(only(root, 'time')).toMatchObject({
      text: 'May 10, 2026',
      attributes: { datetime: '2026-05-10' },
    })
  })

  it('each fact is an element of its own, in the direction of the page, its words in theirs', () => {
    const facts = all(rendered(startPage), hasClass('facts')).map(({ children }) =>
      children.map(({ name, text, children }) => [name, text, children.map((child) => child.name)]),
    )
    expect(facts[0]).toEqual([
      ['span', '4 entries', ['bdi']],
      ['span', 'Updated May 10, 2026', ['bdi']],
    ])
    expect(all(rendered(emptyPage), hasClass('facts')).map(({ text }) => text)).toEqual(['0 entries'])
  })

  it('is silent about the newest lastmod of a section that is partly elsewhere', () => {
    const cards = [{ loc: 'https://example.com/a', lastmod: '2026-05-10' }]
    const two = sectionPage(1, 2, { sections: [section('posts', cards, { total: 2 })] })
    const one = sectionPage(1, 1, { sections: [section('posts', cards)] })
    expect(all(rendered(two), 'time')).toEqual([])
    expect(all(rendered(one), 'time')).toHaveLength(1)
  })

  it.each([
    { count: 8, columns: false },
    { count: 9, columns: true },
  ])('$count entries, in columns: $columns', ({ count, columns }) => {
    const list = only(rendered(pageOf(...cardsOf(count))), hasClass('entries'))
    expect(hasClass('columns')(list)).toBe(columns)
  })

  it('a section on pages of its own is a card with title, count and link', () => {
    const cards = all(rendered(overviewPage), hasClass('card'))
    expect(
      cards.map((card) => [
        only(card, 'h2').text,
        only(card, hasClass('facts')).text,
        only(card, 'a').attributes.href,
      ]),
    ).toEqual([
      ['Posts', '12,840 entries', '/sitemap-posts-1.html'],
      ['Shop', '1 entry', '/sitemap-shop-1.html'],
    ])
    expect(all(rendered(overviewPage), hasClass('entries'))).toEqual([])
  })

  it('three lists or more get links to them', () => {
    const jumps = all(rendered(startPage), hasClass('jump')).flatMap((nav) => all(nav, 'a'))
    expect(jumps.map(({ attributes, text }) => [attributes.href, text])).toEqual([
      ['#section-pages', 'Pages'],
      ['#section-posts', 'Posts'],
      ['#section-shop', 'Shop'],
    ])
    const two = { ...startPage, sections: startPage.sections.slice(0, 2) }
    expect(all(rendered(two), hasClass('jump'))).toEqual([])
  })

  it('a preview leads to its pages', () => {
    const page = { ...startPage, sections: [section('posts', cardsOf(1), { href: '/sitemap-posts-1.html' })] }
    expect(only(only(rendered(page), 'h2'), 'a').attributes.href).toBe('/sitemap-posts-1.html')
  })

  it('is called by its key where the title is blank', () => {
    const page = { ...emptyPage, sections: [section('posts', cardsOf(1), { title: ' ' })] }
    expect(only(rendered(page), 'h2').text).toBe('posts')
  })
})

describe('html head', () => {
  it('links stylesheet, feed and XML sitemap (H9), and the page again at its foot', () => {
    const root = rendered(startPage)
    expect(
      all(only(root, 'head'), 'link').map(({ attributes }) => [
        attributes.rel,
        attributes.type,
        attributes.href,
      ]),
    ).toEqual([
      ['profile', undefined, 'https://example.com/robots-profile'],
      ['stylesheet', undefined, '/sitemap.css'],
      ['alternate', 'application/rss+xml', 'https://example.com/feed.rss'],
      ['alternate', 'application/xml', 'https://example.com/sitemap.xml'],
    ])
    expect(all(only(root, 'footer'), 'a').map(({ attributes }) => attributes.href)).toEqual([
      'https://example.com/feed.rss',
      'https://example.com/sitemap.xml',
    ])
  })

  it('links nothing that is not given', () => {
    const root = rendered(emptyPage)
    expect(all(only(root, 'head'), 'link')).toEqual([])
    expect(all(root, 'footer')).toEqual([])
  })

  it('names viewport and colour schemes (H10)', () => {
    const metas = all(only(rendered(startPage), 'head'), 'meta').map(({ attributes }) => [
      attributes.name,
      attributes.content,
    ])
    expect(metas).toContainEqual(['viewport', 'width=device-width, initial-scale=1'])
    expect(metas).toContainEqual(['color-scheme', 'light dark'])
  })

  it.each([
    { name: 'start page', page: startPage, title: 'Sitemap – Example' },
    { name: 'only page of a section', page: sectionPage(1, 1), title: 'Posts – Sitemap – Example' },
    { name: 'one of several', page: sectionPage(2, 3), title: 'Posts – Page 2 of 3 – Sitemap – Example' },
  ])('title tells pages apart (WCAG 2.4.2): $name', ({ page, title }) => {
    expect(only(rendered(page), 'title').text).toBe(title)
  })
})

describe('html trees', () => {
  /** The entries of a list as indented text. */
  const outline = (list: HtmlElement, indent = ''): string[] =>
    list.children.flatMap((item) => [
      `${indent}${nameOf(only({ ...item, children: item.children.filter(({ name }) => name !== 'ul') }, 'a'))}`,
      ...item.children.filter(({ name }) => name === 'ul').flatMap((below) => outline(below, `${indent}  `)),
    ])

  it('nest what lies below a listed path, to six levels (H3)', () => {
    const lists = all(only(rendered(treePage), hasClass('contents')), hasClass('entries'))
    const lines = lists.flatMap((list) => outline(list))
    expect(lines.slice(0, 17)).toEqual([
      'Example',
      '/docs',
      '  install',
      '  guide',
      '    first-steps',
      '  Français',
      '    Guide',
      '    English',
      '/about',
      '/a',
      '  b',
      '    c',
      '      d',
      '        e',
      '          f',
      '          f/g',
      'Blog',
    ])
    expect(lines.slice(17)).toEqual(cardsOf(30).map(({ title }) => `  ${title}`))
  })

  it('the language of an entry is not that of what lies below it (H6)', () => {
    const root = rendered(treePage)
    const [french] = all(root, ({ attributes }) => attributes.lang === 'fr')
    expect(french?.name).toBe('div')
    expect(nameOf(only(french ?? root, 'a'))).toBe('Français')
    const [english] = all(root, ({ name, text }) => name === 'li' && text === 'English')
    expect(english?.attributes).toEqual({})
  })

  it('a branch of 13 entries below takes the whole width, in columns of its own', () => {
    const branch = (count: number) => {
      const cards = cardsAt('/blog', ...Array.from({ length: count }, (_, i) => `/blog/${i}`))
      return only(rendered(pageOf(...cards)), hasClass('branch'))
    }
    expect(hasClass('wide')(branch(12))).toBe(false)
    expect(hasClass('wide')(branch(13))).toBe(true)
    expect(hasClass('columns')(only(branch(13), 'ul'))).toBe(true)
  })

  it.each([
    { count: 60, runs: [60] },
    { count: 61, runs: [31, 30] },
    { count: 1_000, runs: [...Array(16).fill(59), 56] },
  ])('a list of $count runs in lists of at most 60', ({ count, runs }) => {
    const lists = all(rendered(pageOf(...cardsOf(count))), hasClass('entries'))
    expect(lists.map(({ children }) => children.length)).toEqual(runs)
    expect(lists.every(hasClass('columns'))).toBe(true)
    expect(linkTexts(pageOf(...cardsOf(count)))).toEqual(cardsOf(count).map(({ title }) => title))
  })

  it('a page of 50,000 entries costs as many bytes an entry as one of 500', () => {
    const bytes = (count: number) => {
      const cards = Array.from({ length: count }, (_, i) => ({
        loc: `https://example.com/blog/${String(i).padStart(5, '0')}`,
      }))
      return renderHtmlPage(pageOf({ loc: 'https://example.com/blog' }, ...cards)).length
    }
    const frame = bytes(0)
    expect((bytes(50_000) - frame) / 50_000).toBeCloseTo((bytes(500) - frame) / 500, 0)
  })
})

describe('html languages', () => {
  const switches = (page: HtmlPage) =>
    all(rendered(page), hasClass('languages')).flatMap((nav) => all(nav, 'a'))

  it('a switch leads to the same page in each language, each by its own name', () => {
    expect(switches(inLanguages('fr-CA')).map(({ text, attributes }) => [text, attributes])).toEqual([
      ['English', { href: '/sitemap.html', hreflang: 'en', lang: 'en' }],
      [
        'Français canadien',
        { href: '/sitemap_fr-CA.html', hreflang: 'fr-CA', lang: 'fr-CA', 'aria-current': 'page' },
      ],
      ['العربية', { href: '/sitemap_ar.html', hreflang: 'ar', lang: 'ar' }],
    ])
    expect(only(rendered(inLanguages('fr-CA')), hasClass('languages')).attributes['aria-label']).toBe(
      'Langues',
    )
  })

  it('one language is no choice', () => {
    const page = inLanguages('en')
    expect(switches({ ...page, languages: page.languages.slice(0, 1) })).toEqual([])
  })

  const alternates = (page: HtmlPage) =>
    all(only(rendered(page), 'head'), ({ attributes }) => attributes.hreflang !== undefined).map(
      ({ attributes }) => [attributes.rel, attributes.hreflang, attributes.href],
    )

  it('the head names them by whole URLs, the page itself included (E70)', () => {
    expect(alternates(inLanguages('ar'))).toEqual([
      ['alternate', 'en', 'https://example.com/sitemap.html'],
      ['alternate', 'fr-CA', 'https://example.com/sitemap_fr-CA.html'],
      ['alternate', 'ar', 'https://example.com/sitemap_ar.html'],
    ])
  })

  it('later pages of a section have no counterparts that the head could name', () => {
    expect(alternates(inLanguages('ar', sectionPage(1, 2)))).toHaveLength(3)
    expect(alternates(inLanguages('ar', sectionPage(2, 2)))).toEqual([])
    expect(switches(inLanguages('ar', sectionPage(2, 2)))).toHaveLength(3)
  })

  it('the page is in its own language, whatever the site says', () => {
    const root = rendered({ ...startPage, language: 'ar' })
    expect(only(root, 'html').attributes).toEqual({ lang: 'ar', dir: 'rtl' })
    expect(only(root, ({ attributes }) => attributes.id === 'document').text).toBe('خريطة الموقع')
  })
})

describe('html paging (H7)', () => {
  const trail = (page: HtmlPage) =>
    all(only(rendered(page), hasClass('breadcrumb')), 'li').map((step) => [
      step.text,
      all(step, 'a')[0]?.attributes.href,
      step.attributes['aria-current'],
    ])

  it('leads back to the start page and the site', () => {
    expect(trail(sectionPage(1, 3))).toEqual([
      ['Example', 'https://example.com/', undefined],
      ['Sitemap', '/sitemap.html', undefined],
      ['Posts', undefined, 'page'],
    ])
    expect(trail(sectionPage(2, 3))).toEqual([
      ['Example', 'https://example.com/', undefined],
      ['Sitemap', '/sitemap.html', undefined],
      ['Posts', '/sitemap-posts-1.html', undefined],
      ['Page 2 of 3', undefined, 'page'],
    ])
  })

  it('names the start page without link where it is off', () => {
    const paging = { page: 1, pages: 1, href: () => '/sitemap-posts-1.html', startHref: undefined }
    expect(trail(sectionPage(1, 1, { paging }))[1]).toEqual(['Sitemap', undefined, undefined])
  })

  it('the heading is the title of the section, its list has that name', () => {
    const root = rendered(sectionPage(2, 3))
    expect(only(root, 'h1')).toMatchObject({ text: 'Posts', attributes: { id: 'title' } })
    expect(all(only(root, 'h1'), 'a')).toEqual([])
    expect(all(root, 'h2')).toEqual([])
    expect(only(root, hasClass('contents')).attributes['aria-labelledby']).toBe('title')
    expect(only(root, hasClass('facts')).text).toBe('90 entries Page 2 of 3')
  })

  it('a section without entries on its page still has its heading', () => {
    const root = rendered(sectionPage(1, 1, { sections: [section('posts', [])] }))
    expect(only(root, 'h1').text).toBe('Posts')
    expect(only(root, hasClass('facts')).text).toBe('0 entries')
    expect(all(root, hasClass('contents'))).toEqual([])
  })

  const links = (page: HtmlPage, name: string) =>
    all(rendered(page), hasClass(name)).flatMap((nav) =>
      all(nav, 'a').map(({ text, attributes }) => [
        text,
        attributes.href,
        attributes.rel ?? attributes['aria-current'],
      ]),
    )

  const previous = (page: number) => ['Previous', `/sitemap-posts-${page}.html`, 'prev']
  const next = (page: number) => ['Next', `/sitemap-posts-${page}.html`, 'next']
  const number = (page: number, current?: string) => [String(page), `/sitemap-posts-${page}.html`, current]

  it.each([
    {
      page: 1,
      expected: [number(1, 'page'), number(2), number(3), next(2)],
      above: [next(2)],
    },
    {
      page: 2,
      expected: [previous(1), number(1), number(2, 'page'), number(3), next(3)],
      above: [previous(1), next(3)],
    },
    {
      page: 3,
      expected: [previous(2), number(1), number(2), number(3, 'page')],
      above: [previous(2)],
    },
  ])('page $page of 3', ({ page, expected, above }) => {
    expect(links(sectionPage(page, 3), 'pagination')).toEqual(expected)
    expect(links(sectionPage(page, 3), 'pager')).toEqual(above)
  })

  it('one page needs no list of pages', () => {
    expect(links(sectionPage(1, 1), 'pagination')).toEqual([])
    expect(links(sectionPage(1, 1), 'pager')).toEqual([])
  })

  it('numbers say what they are, gaps are for the eye', () => {
    const nav = only(rendered(sectionPage(487, 1_205)), hasClass('pagination'))
    expect(all(nav, 'a').at(-2)?.attributes['aria-label']).toBe('Page 1,205 of 1,205')
    expect(all(nav, hasClass('gap')).map(({ attributes }) => attributes['aria-hidden'])).toEqual(
      Array(6).fill('true'),
    )
  })
})

describe("html of the user's", () => {
  it('head stands at the end of head, as it is', () => {
    const head = '<link rel="icon" href="/i.svg">\n<meta name="robots" content="noindex">'
    expect(renderHtmlPage({ ...startPage, head })).toContain(`\n${head}\n</head>`)
  })

  it('words take the place of ours and are escaped', () => {
    const strings = {
      en: {
        sitemap: '<i>Map</i>',
        updated: '<b>{date}</b>',
        page: '"{page}"',
        entries: { other: '{n} < {m}' },
      },
    }
    const root = rendered({ ...startPage, strings })
    expect(only(root, ({ attributes }) => attributes.id === 'document').text).toBe('<i>Map</i>')
    expect(all(root, hasClass('facts')).map(({ text }) => text)).toEqual([
      '4 < {m} <b>May 10, 2026</b>',
      '40 < {m}',
      '3 < {m}',
    ])
    expect(only(root, 'title').text).toBe('<i>Map</i> – Example')
    const pager = only(rendered(sectionPage(2, 3, { strings })), hasClass('pager'))
    expect(pager.attributes['aria-label']).toBe('"2"')
  })
})
