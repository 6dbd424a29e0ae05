import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/entry/entry.ts'
import { type LlmsDocument, type LlmsSection, llmsPieces, renderLlms } from '../../src/formats/llms.ts'
import { all, type HtmlElement, only, parseHtml } from './parse-html.ts'

// Comes with @arethetypeswrong/cli.
const { marked } = createRequire(import.meta.url)('marked') as {
  marked: { parse(markdown: string, options: { readonly gfm: boolean }): string }
}

const site = { url: 'https://example.com/', title: 'Example', description: 'News and goods', language: 'en' }
const loc = 'https://example.com/a'

const section = (cards: readonly Card[], more: Partial<LlmsSection> = {}): LlmsSection => ({
  title: 'Pages',
  optional: false,
  cards,
  total: cards.length,
  ...more,
})

const documentOf = (more: Partial<LlmsDocument> = {}): LlmsDocument => ({
  site,
  details: undefined,
  sections: [section([{ loc, title: 'A' }])],
  ...more,
})

/** As a browser shows what a Markdown parser makes of it: the plain dialect, and GitHub's. */
const DIALECTS = [
  { dialect: 'CommonMark', gfm: false },
  { dialect: 'GFM', gfm: true },
] as const

function rendered(markdown: string, gfm: boolean): HtmlElement {
  return only(parseHtml(marked.parse(markdown, { gfm })).root, 'body')
}

/** All elements but the links that GFM makes of bare addresses: those are text that happens to be one. */
function elements(root: HtmlElement): HtmlElement[] {
  const isBare = ({ name, attributes, text }: HtmlElement) =>
    name === 'a' && attributes.href !== loc && /^(?:https?:\/\/|ftp:\/\/|www\.)|@/i.test(text)
  return all(root, () => true).filter((element) => !isBare(element))
}

const texts = (root: HtmlElement, name: string) => all(root, name).map(({ text }) => text)

/** A line of a section as programs read it that know no Markdown: they stop at the first closing bracket or parenthesis. */
const LINK_LINE = /^-\s*\[([^\]]+)\]\(([^)\s]+)\)(?::\s*(.*))?$/

/** Sections by heading, line by line; whatever is no link is null. */
function readLines(markdown: string) {
  const sections = new Map<string, ({ name: string; url: string; notes: string | undefined } | null)[]>()
  const [, ...chunks] = markdown.split(/^##\s*/m)
  for (const chunk of chunks) {
    const [heading = '', ...lines] = chunk.split('\n')
    const links = lines.filter(Boolean).map((line) => {
      const [found, name = '', url = '', notes] = LINK_LINE.exec(line) ?? []
      return found === undefined ? null : { name, url, notes }
    })
    sections.set(heading, links)
  }
  return sections
}

describe('llms.txt', () => {
  it('reads as heading, summary, details, sections (SPEC X10 to X15)', () => {
    expect(
      renderLlms({
        site,
        details: 'Prices are in euro.\n\n- one\n- two\n',
        sections: [
          section([
            { loc: 'https://example.com/', title: 'Home' },
            {
              loc: 'https://example.com/beans',
              title: 'Beans & [grinders]',
              description: 'All of\nthem (42)',
            },
          ]),
          section([{ loc: 'https://example.com/2009/a' }], {
            title: 'Archive',
            optional: true,
            total: 3_000,
            href: 'https://example.com/sitemap-archive-1.html',
          }),
        ],
      }),
    ).toBe(`# Example

> News and goods

Prices are in euro.

- one
- two

## Pages

- [Home](https://example.com/)
- [Beans & \\[grinders&#93;](https://example.com/beans): All of them (42)

## Optional

- [/2009/a](https://example.com/2009/a)
- [Archive](https://example.com/sitemap-archive-1.html): +2,999 entries
`)
  })

  it.each([
    {
      name: 'neither description nor details nor sections (X11)',
      more: { sections: [] },
      text: '# Example\n',
    },
    { name: 'blank details', more: { details: ' \n\t\n', sections: [] }, text: '# Example\n' },
    {
      name: 'a section without entries',
      more: { sections: [section([]), section([], { title: 'B', optional: true })] },
      text: '# Example\n',
    },
    {
      name: 'a section that only names its number',
      more: { sections: [section([], { total: 1, href: '/sitemap-pages-1.html' })] },
      text: '# Example\n\n## Pages\n\n- [Pages](/sitemap-pages-1.html): +1 entry\n',
    },
    {
      name: 'more entries and no page of their own: the link is the site (X14)',
      more: { sections: [section([{ loc, title: 'A' }], { total: 3 })] },
      text: `# Example\n\n## Pages\n\n- [A](${loc})\n- [Pages](https://example.com/): +2 entries\n`,
    },
    {
      name: 'a page of their own that is no address (H8)',
      more: { sections: [section([], { total: 1, href: 'javascript:alert(1)' })] },
      text: '# Example\n\n## Pages\n\n- [Pages](https://example.com/): +1 entry\n',
    },
  ])('$name', ({ more, text }) => {
    expect(renderLlms(documentOf({ site: { ...site, description: ' ' }, ...more }))).toBe(text)
  })

  it('a site without title is called by its URL', () => {
    const root = rendered(renderLlms(documentOf({ site: { ...site, title: '\u200b' } })), false)
    expect(texts(root, 'h1')).toEqual(['https://example.com/'])
  })

  it('counts in the language of the site', () => {
    const sections = [section([], { total: 12_345 })]
    expect(renderLlms(documentOf({ site: { ...site, language: 'de' }, sections }))).toContain(
      '+12.345 Einträge',
    )
  })

  it('entries without title are named by their path as people read it, the site by its title (SPEC H5)', () => {
    const root = rendered(
      renderLlms(
        documentOf({
          sections: [
            section([
              { loc: 'https://example.com/' },
              { loc: 'https://example.com/%C3%BCber/a_b', title: ' \n' },
              { loc: 'https://other.example/x' },
            ]),
          ],
        }),
      ),
      false,
    )
    expect(texts(root, 'a')).toEqual(['Example', '/über/a_b', 'other.example/x'])
  })

  it('an entry that asks not to be followed is listed: Markdown has no form for it', () => {
    const robots = { nofollow: true, noarchive: true, noanchortext: true }
    const text = (card: Card) => renderLlms(documentOf({ sections: [section([card])] }))
    expect(text({ loc, title: 'A', robots })).toBe(text({ loc, title: 'A' }))
  })

  it('sections of one title share a heading; the optional ones, and one that is called so, stand last in one list (X15)', () => {
    const of = (title: string, n: number, optional = false) =>
      section([{ loc: `https://example.com/${n}`, title: `${n}` }], { title, optional })
    const markdown = renderLlms(
      documentOf({
        sections: [
          of('Old', 1, true),
          of('A', 2),
          of('optional', 3),
          of('B', 4),
          of('A ', 5),
          of('Older', 6, true),
        ],
      }),
    )
    const found = [...readLines(markdown)].map(([heading, links]) => [
      heading,
      links.map((link) => link?.name),
    ])
    expect(found).toEqual([
      ['A', ['2', '5']],
      ['B', ['4']],
      ['Optional', ['1', '3', '6']],
    ])
  })

  it('nothing that is no http(s) address is linked (SPEC H8)', () => {
    const sections = [
      section([
        { loc: 'javascript:alert(1)', title: 'A' },
        { loc, title: 'B' },
      ]),
    ]
    expect(texts(rendered(renderLlms(documentOf({ sections })), false), 'a')).toEqual(['B'])
  })
})

describe('llms.txt links (SPEC X17)', () => {
  it.each([
    {
      name: 'parentheses',
      url: 'https://example.com/a_(b)_)(',
      href: 'https://example.com/a_%28b%29_%29%28',
    },
    {
      name: 'what looks like a character reference',
      url: 'https://example.com/?a&lt;b&copy;&#40;&x=1',
      href: 'https://example.com/?a&lt;b&copy;&#40;&x=1',
    },
    {
      name: "Markdown's own signs",
      url: 'https://example.com/*a*__b__~c~!!\'"',
      href: "https://example.com/*a*__b__~c~!!'%22",
    },
    {
      name: 'what no URL holds',
      url: 'https://example.com/a b\\<é>`[c]\n',
      href: 'https://example.com/a%20b%5C%3C%C3%A9%3E%60[c]%0A',
    },
  ])('a URL with $name leads where it led', ({ url, href }) => {
    const markdown = renderLlms(documentOf({ sections: [section([{ loc: url, title: 'A' }])] }))
    for (const { gfm } of DIALECTS) {
      const [link] = all(rendered(markdown, gfm), 'a')
      expect(decodeURI(link?.attributes.href ?? '')).toBe(decodeURI(href))
      expect(link?.text).toBe('A')
    }
    expect(readLines(markdown).get('Pages')).toHaveLength(1)
    expect(readLines(markdown).get('Pages')?.[0]).not.toBeNull()
  })

  it.each([
    '[x] done',
    'a](https://evil.example/) [b',
    '![image](https://evil.example/a.png)',
    '[a]: https://evil.example/',
    '<script>alert(1)</script>',
    '<https://evil.example/>',
    '<!--',
    '*one* **two** _three_ __four__ ~~five~~ ~six~',
    'snake_case_name',
    '`code` ``more``',
    '# heading',
    'C# and F #',
    '###',
    '> quote',
    '- item',
    '+ item',
    '1. item',
    '2) item',
    '---',
    '===',
    '```',
    '~~~',
    '| a | b |',
    'AT&T &amp; &copy; &#60; &nosuch; &',
    'C:\\dir\\',
    '\\[a\\]',
    'line  \nbreak\\\nagain',
    'two\n\n# paragraphs',
    'first\u2028second',
    '    indented',
    'ends with #',
    'ends with \\',
  ])('%j stays text wherever it stands', (text) => {
    const markdown = renderLlms({
      site: { ...site, title: text, description: text },
      details: undefined,
      sections: [section([{ loc, title: text, description: text }], { title: text })],
    })
    const shown = tidy(seen(text))
    for (const { gfm } of DIALECTS) {
      const root = rendered(markdown, gfm)
      expect(elements(root).map(({ name }) => name)).toEqual(['h1', 'blockquote', 'p', 'h2', 'ul', 'li', 'a'])
      for (const name of ['h1', 'blockquote', 'h2']) expect(texts(root, name).map(tidy)).toEqual([shown])
      expect(texts(root, 'li').map(tidy)).toEqual([`${shown}: ${shown}`])
      const [link] = all(root, ({ attributes }) => attributes.href === loc)
      expect(tidy(link?.text)).toBe(shown)
    }
    expect([...readLines(markdown).values()]).toEqual([[expect.objectContaining({ url: loc })]])
  })

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc
      .array(
        fc.constantFrom(
          ...'\\`*_{}[]()<>#+-.!|~&;:=$"\'/ '.split(''),
          ...['a', '1', 'é', '\n', '\r', '\t', '\u00a0', '\u2028', '\u0000', '\u0085', '\ud800', '\ufeff'],
          ...['&lt;', '&#93;', '<b>', '](x)', '![', '```', '~~~', '---', '<!--', '$&', '**', '__'],
        ),
        { maxLength: 14 },
      )
      .map((pieces) => pieces.join('')),
  )

  it.each(DIALECTS)(
    'any text survives into the parsed page, and nothing else is in it ($dialect)',
    ({ gfm }) => {
      fc.assert(
        fc.property(
          hostile,
          hostile,
          hostile,
          hostile,
          hostile,
          (title, description, heading, name, notes) => {
            const markdown = renderLlms({
              site: { ...site, title, description },
              details: undefined,
              sections: [section([{ loc, title: name, description: notes }, { loc }], { title: heading })],
            })
            expect(Buffer.from(markdown).toString()).toBe(markdown)
            const root = rendered(markdown, gfm)
            expect(elements(root).map((element) => element.name)).toEqual([
              'h1',
              ...(seen(description) ? ['blockquote', 'p'] : []),
              'h2',
              'ul',
              'li',
              'a',
              'li',
              'a',
            ])
            const siteTitle = seen(title) ?? site.url
            expect(tidy(only(root, 'h1').text)).toBe(tidy(siteTitle))
            expect(tidy(texts(root, 'blockquote')[0])).toBe(tidy(seen(description)))
            expect(tidy(only(root, 'h2').text)).toBe(tidy(seen(heading) ?? siteTitle))
            const links = all(root, ({ attributes }) => attributes.href === loc)
            const shown = seen(name) ?? '/a'
            expect(links.map((link) => tidy(link.text))).toEqual([tidy(shown), '/a'])
            const after = seen(notes) === undefined ? '' : `: ${seen(notes)}`
            expect(texts(root, 'li').map(tidy)).toEqual([tidy(shown + after), '/a'])
            // The patterns agree with the parser.
            const lines = [...readLines(markdown).values()]
            expect(lines.map((found) => found.map((one) => one?.url))).toEqual([[loc, loc]])
          },
        ),
        { numRuns: 300 },
      )
    },
  )
})

/** The text as it is to be seen; undefined where nothing is. */
function seen(text: string): string | undefined {
  const kept = text
    .toWellFormed()
    .replace(/[\u2028\u2029]/g, ' ')
    .replace(/(?![\t\n\r])\p{Cc}|\p{Noncharacter_Code_Point}/gu, '')
    .replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
  return /[^\p{Z}\p{Cc}\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/u.test(kept) ? kept : undefined
}

/** White space apart, of which parsers of Markdown keep little. */
function tidy(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim()
}

describe('llms.txt details (SPEC X13)', () => {
  const sections = [section([{ loc, title: 'A' }])]

  it.each([
    { name: 'paragraphs, lists and links', details: 'One *two*.\n\n- [a](/b)\n  1. c\n\n> d' },
    { name: 'a fenced block', details: '```sh\n# comment\nfoo\n---\n```' },
    { name: 'a fence within a longer one', details: '~~~~\n~~~\n# x\n~~~~' },
    { name: 'an indented block', details: '    # comment\n    ---' },
    { name: 'a table', details: '| a | b |\n| --- | --- |\n| 1 | 2 |' },
    { name: 'HTML', details: '<!--\n# hidden\n-->\n\n<pre>\n\n# text\n</pre>' },
    { name: 'signs inside a line', details: 'C# and # 1\n--- x' },
    { name: 'a rule', details: 'a\n\n---\n\nb' },
  ])('$name stand as they are', ({ details }) => {
    expect(renderLlms(documentOf({ details, sections: [] }))).toBe(
      `# Example\n\n> News and goods\n\n${details}\n`,
    )
  })

  it('blank lines around go, other line ends become LF', () => {
    expect(renderLlms(documentOf({ details: '\r\n \r\n  a\r\nb\rc\u0000\r\n\r\n', sections: [] }))).toBe(
      '# Example\n\n> News and goods\n\n  a\nb\nc\n',
    )
  })

  it.each([
    { name: 'marked by #', details: '# One\nText\n###### Six\n   ## Two ##\n#' },
    { name: 'that some readers take for one', details: '##Two' },
    { name: 'underlined', details: 'One\n===\nTwo\n---\nThree\n  =  \nFour\n-' },
    { name: 'behind code', details: '```\n# code\n```\n# One' },
    { name: 'behind a line that only looks like a fence', details: '``` a`b\n# One' },
    { name: 'behind a fence that the line before did not close', details: '````\n```\n````\n# One' },
    { name: 'behind HTML', details: '<!-- a -->\n# One\n<pre>x</pre>\n# Two' },
  ])('a heading $name is none', ({ details }) => {
    const markdown = renderLlms(documentOf({ details, sections }))
    for (const { gfm } of DIALECTS) {
      const root = rendered(markdown, gfm)
      expect(all(root, ({ name }) => /^h\d$/.test(name)).map(({ text }) => text)).toEqual([
        'Example',
        'Pages',
      ])
      // Nothing is lost but what made the headings.
      for (const word of details.match(/[A-Z]\w+/g) ?? []) expect(root.text).toContain(word)
    }
    expect([...readLines(markdown).keys()]).toEqual(['Pages'])
  })

  it.each([
    { name: 'a fence', details: 'a\n\n```js\nlet x\n' },
    { name: 'an indented fence', details: '  ~~~~\n~~~\ncode' },
    { name: 'a comment', details: 'a\n<!-- b\n\nc' },
    { name: 'preformatted text', details: '<pre>\n\na' },
    { name: 'a script', details: '<SCRIPT>\nlet x' },
    { name: 'a processing instruction', details: '<?php\n\necho' },
    { name: 'CDATA', details: '<![CDATA[\n\na' },
    { name: 'a declaration', details: '<!DOCTYPE\n\na' },
  ])('$name that is never closed does not swallow the sections', ({ details }) => {
    const markdown = renderLlms(documentOf({ details, sections }))
    for (const { gfm } of DIALECTS) {
      const root = rendered(markdown, gfm)
      expect(texts(root, 'h2')).toEqual(['Pages'])
      expect(all(root, 'a').map(({ attributes }) => attributes.href)).toEqual([loc])
    }
  })
})

describe('llms.txt in pieces', () => {
  it('is the same text; no piece holds more than 100 entries', () => {
    const cards = Array.from({ length: 1_234 }, (_, n) => ({ loc: `https://example.com/${n}` }))
    const document = documentOf({
      sections: [section(cards, { total: 5_000 }), section(cards.slice(0, 5), { title: 'B' })],
    })
    const pieces = [...llmsPieces(document)]
    expect(pieces.join('')).toBe(renderLlms(document))
    for (const piece of pieces) expect(piece.split('\n').length - 1).toBeLessThanOrEqual(100)
    expect(readLines(pieces.join('')).get('Pages')).toHaveLength(1_235)
  })
})
