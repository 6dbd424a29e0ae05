/** SPEC section 8, on documents as they are served. */
import { marked, type Token, type Tokens } from 'marked'
import { afterEach, describe, expect, it } from 'vitest'
import { closeEngines, createSource, entriesOf, hangsForEver, throws } from '../support/site.ts'
import { IDENTITY, serve, serveEntries } from './served.ts'

afterEach(closeEngines)

const routes = { robots: '/robots.txt', llms: '/llms.txt' } as const

describe('robots.txt (SPEC 8)', () => {
  it('X1, I16: a Sitemap line for each index and for what none names, absolute, behind the groups', async () => {
    const served = serve({
      routes: { ...routes, news: '/news.xml' },
      limit: 2,
      robots: { groups: [{ userAgent: 'a', disallow: '/x' }, { disallow: '/y' }] },
      providers: { pages: () => entriesOf('a', 3) },
    })
    await served.text('/sitemap.xml')
    const text = await served.text('/robots.txt')
    expect(text).toBe(
      [
        ...['User-agent: a', 'Disallow: /x', ''],
        ...['User-agent: *', 'Disallow: /y', ''],
        'Sitemap: https://www.example.com/sitemap_index.xml',
        'Sitemap: https://www.example.com/news.xml',
        'Sitemap: https://www.example.com/sitemap-pages-1.txt',
        'Sitemap: https://www.example.com/sitemap-pages-2.txt',
        '',
      ].join('\n'),
    )
    for (const [, path = ''] of text.matchAll(/^Sitemap: https:\/\/www\.example\.com(.*)$/gm))
      expect((await served.site.ask(path, IDENTITY)).status).toBe(200)
  })

  it('X2: sitemaps on other hosts', async () => {
    const served = serveEntries(['/'], {
      routes,
      robots: { sitemaps: ['https://cdn.example.net/s.xml?a&b'] },
    })
    expect(await served.text('/robots.txt')).toContain('\nSitemap: https://cdn.example.net/s.xml?a&b\n')
  })

  it('X3: text/plain in UTF-8, within the 500 KiB that every parser reads', async () => {
    const served = serve({
      limit: 1,
      routes: { ...routes, html: false, rss: false },
      robots: { groups: [{ disallow: '/ü' }] },
      providers: { pages: { formats: ['txt'], entries: () => entriesOf('a', 10_000) } },
    })
    await served.text('/sitemap.txt')
    const { headers, body, text } = await served.get('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body.length).toBeLessThanOrEqual(512_000)
    expect(body.length).toBeGreaterThan(500_000)
    expect(text).toMatch(/^User-agent: \*\nDisallow: \/%C3%BC\n\nSitemap: /)
    expect(text).toMatch(/\nSitemap: \S+\.txt\n$/)
  })

  it.each([
    { name: 'throws', behaviour: throws },
    { name: 'hangs', behaviour: hangsForEver },
  ])('X4: 200 while the provider $name', async ({ behaviour }) => {
    const served = serve({ routes, providers: { pages: createSource(behaviour).entries } })
    expect(await served.text('/robots.txt')).toContain('Sitemap: https://www.example.com/sitemap_index.xml')
  })

  it('X5: groups of robots, Allow before Disallow, * and $ as they are; everything is allowed unless said', async () => {
    const served = serveEntries(['/'], {
      routes,
      robots: { groups: [{ userAgent: ['A', 'B'], allow: '/x/y', disallow: ['/x/', '/*.pdf$'] }] },
    })
    expect(await served.text('/robots.txt')).toMatch(
      /^User-agent: A\nUser-agent: B\nAllow: \/x\/y\nDisallow: \/x\/\nDisallow: \/\*\.pdf\$\n\nSitemap/,
    )
    expect(await serveEntries(['/'], { routes }).text('/robots.txt')).toMatch(
      /^User-agent: \*\nDisallow:\n\n/,
    )
  })
})

/** The document as CommonMark has it: headings, quotes, and of lists the links and texts of their items. */
function blocksOf(markdown: string): unknown[] {
  return marked
    .lexer(markdown, { gfm: false })
    .filter(({ type }) => type !== 'space')
    .map((token) => {
      if (token.type === 'heading') return [`h${(token as Tokens.Heading).depth}`, plain(token)]
      if (token.type !== 'list') return [token.type, plain(token)]
      return (token as Tokens.List).items.map((item) => {
        const inside = item.tokens.flatMap((block) => ('tokens' in block && block.tokens) || [])
        const links = inside.filter(({ type }) => type === 'link') as Tokens.Link[]
        return [links.map((link) => `${plain(link)} ${link.href}`).join(), plain(item)]
      })
    })
}

/** The text that a reader sees. */
function plain(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(plain).join('')
  const text = 'text' in token ? String(token.text) : token.raw
  return text
    .replace(/&#93;/g, ']')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
}

describe('llms.txt (SPEC 8)', () => {
  it('X10 to X15: name, summary, details, sections of links with notes, the optional ones last', async () => {
    const served = serve({
      routes,
      llms: { details: 'Prices are in **euro**.\n\n- one\n', optional: ['archive'] },
      providers: {
        archive: () => [{ loc: '/2019', title: '2019' }],
        pages: {
          title: 'Main pages',
          entries: () => [{ loc: '/a', title: 'A', description: 'About it.' }, '/b'],
        },
      },
    })
    expect(blocksOf(await served.text('/llms.txt'))).toEqual([
      ['h1', 'Example'],
      ['blockquote', 'News and goods'],
      ['paragraph', 'Prices are in euro.'],
      [['', 'one']],
      ['h2', 'Main pages'],
      [
        ['A https://www.example.com/a', 'A: About it.'],
        ['/b https://www.example.com/b', '/b'],
      ],
      ['h2', 'Optional'],
      [['2019 https://www.example.com/2019', '2019']],
    ])
  })

  it('X11 to X13: the name alone where nothing else is known', async () => {
    const served = serveEntries([], { routes, site: { url: 'https://www.example.com', title: 'Example' } })
    expect(await served.text('/llms.txt')).toBe('# Example\n')
  })

  it('X13: details with a heading are refused, for it would begin a section', () => {
    for (const details of ['# A', 'A\n===', '  ## B'])
      expect(() => serveEntries([], { routes, llms: { details } })).toThrow('llms.details')
  })

  it('X16: no llms-full.txt, and no page at URL + .md', async () => {
    const served = serveEntries(['/a'], { routes })
    await served.text('/llms.txt')
    for (const path of ['/llms-full.txt', '/a.md'])
      expect((await served.site.ask(path, IDENTITY)).status).toBe(404)
  })

  it.each([
    'a [b] (c)',
    '](https://evil.example/)',
    '[x](https://evil.example/)',
    'a\n\n## Heading\n- item',
    '<script>alert(1)</script>',
    '`code` *em* **strong** ~~gone~~',
    '# a',
    '&lt;b&gt;',
    '> quote',
  ])('X17: %j is a name and a note of one link, and no markup', async (text) => {
    const served = serveEntries([{ loc: '/a_(b)', title: text, description: text }], { routes })
    const blocks = blocksOf(await served.text('/llms.txt'))
    const seen = text.replace(/\s+/g, ' ')
    expect(blocks.slice(2)).toEqual([
      ['h2', 'Pages'],
      [[`${seen} https://www.example.com/a_%28b%29`, `${seen}: ${seen}`]],
    ])
  })
})
