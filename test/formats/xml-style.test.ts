import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { XML_STYLESHEET } from '../../src/formats/xml-style.ts'
import { findChromium, isWithout, NO_CHROMIUM } from '../e2e/support/programs.ts'

// Comes with vite.
const { transform } = createRequire(import.meta.url)('lightningcss') as {
  transform(options: { filename: string; code: Uint8Array }): { readonly warnings: readonly unknown[] }
}

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const NAMESPACES = {
  image: 'http://www.google.com/schemas/sitemap-image/1.1',
  video: 'http://www.google.com/schemas/sitemap-video/1.1',
  news: 'http://www.google.com/schemas/sitemap-news/0.9',
  xhtml: 'http://www.w3.org/1999/xhtml',
}

describe('stylesheet of the XML', () => {
  it('is CSS that a parser takes without a word', () => {
    const check = (css: string) => transform({ filename: 'sitemap.css', code: Buffer.from(css) }).warnings
    expect(check(XML_STYLESHEET)).toEqual([])
    expect(() => check(`${XML_STYLESHEET}\nloc { color: ; } }`)).toThrow()
  })

  it('loads nothing, so that it needs no more of a Content-Security-Policy than style-src (SPEC B11)', () => {
    expect(XML_STYLESHEET).not.toMatch(/@import|url\(|@font-face/)
  })

  it('is ASCII, so that no charset can spoil it', () => {
    expect(XML_STYLESHEET).toMatch(/^[\n -~]+$/)
  })

  it('names the namespaces of the protocol and its extensions, before every rule (SPEC B12, E1 to E4)', () => {
    const [head = ''] = XML_STYLESHEET.split('\n\n', 1)
    expect(head.split('\n')).toEqual([
      `@namespace "${SITEMAP}";`,
      ...Object.entries(NAMESPACES).map(([prefix, uri]) => `@namespace ${prefix} "${uri}";`),
    ])
    // A prefix that is not declared makes browsers drop the rule.
    for (const [, prefix = ''] of XML_STYLESHEET.matchAll(/([\w*]+)\|/g))
      expect([...Object.keys(NAMESPACES), '*']).toContain(prefix)
  })

  it('sets both directions by logical properties', () => {
    expect(XML_STYLESHEET).not.toMatch(/(margin|padding|border|inset)-(left|right)|^\s*(left|right|float):/m)
  })

  it('knows dark mode, print and small screens', () => {
    for (const needed of ['prefers-color-scheme: dark', '@media print', 'max-width: 30rem'])
      expect(XML_STYLESHEET).toContain(needed)
  })

  // WCAG 1.4.3, 1.4.6.
  const blocks = Array.from(XML_STYLESHEET.matchAll(/:root \{([^}]*)\}/g), ([, body = '']) =>
    Object.fromEntries(
      Array.from(body.matchAll(/--(\w+): (#\w+)/g), ([, name = '', colour = '']) => [name, colour]),
    ),
  )
  it.each([
    { scheme: 'light', colours: blocks[0] },
    { scheme: 'dark', colours: blocks[1] },
  ])('$scheme: enough contrast', ({ colours = {} }) => {
    for (const ground of ['paper', 'stripe']) {
      for (const [name, least] of [
        ['ink', 7],
        ['muted', 4.5],
      ] as const)
        expect(
          contrast(colours[name] ?? '', colours[ground] ?? ''),
          `${name} on ${ground}`,
        ).toBeGreaterThanOrEqual(least)
    }
  })
})

/** Contrast of two `#rrggbb` colours as WCAG 2 counts it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A document as the engine writes it, with the instruction where SPEC B11 has it. */
function xml(root: 'urlset' | 'sitemapindex', rows: readonly string[]): string {
  const declared = Object.entries({ ...NAMESPACES, shop: 'https://example.com/ns/shop' })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<?xml-stylesheet type="text/css" href="/sitemap.css"?>',
    `<${root} xmlns="${SITEMAP}"${declared.map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`).join('')}>`,
    ...rows,
    `</${root}>\n`,
  ].join('\n')
}

const news =
  '<news:news><news:publication><news:name>Times</news:name><news:language>en</news:language></news:publication>' +
  '<news:publication_date>2026-05-10T10:20:30Z</news:publication_date><news:title>Headline</news:title></news:news>'
const date = '2026-05-10T10:20:30.123456789+01:00'
const loc = (n: number) => `<loc>https://www.example.com/${'long'.repeat(60)}${n}?a=1&amp;b=2</loc>`
const image = '<image:image><image:loc>https://www.example.com/i.jpg</image:loc></image:image>'
const rich = `<url>${loc(1)}<lastmod>2026-05-10T10:20:30.123+01:00</lastmod><changefreq>daily</changefreq><priority>0.8</priority>${image.repeat(3)}<video:video><video:title>Film</video:title></video:video><news:news><news:publication><news:name>Times</news:name><news:language>en</news:language></news:publication><news:publication_date>2026-05-10</news:publication_date><news:title>Headline</news:title><news:keywords>a</news:keywords></news:news><xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en"/><shop:price currency="EUR">12<shop:was>15</shop:was></shop:price></url>`

const DOCUMENTS: Readonly<Record<string, string>> = {
  '/urlset.xml': xml('urlset', [
    rich,
    `<url>${loc(2)}</url>`,
    `<url>${loc(3)}<priority>0.5</priority></url>`,
  ]),
  '/index.xml': xml('sitemapindex', [
    `<sitemap>${loc(1)}<lastmod>2026-05-10</lastmod></sitemap>`,
    `<sitemap>${loc(2)}</sitemap>`,
  ]),
  '/news.xml': xml(
    'urlset',
    [1, 2].map((n) => `<url>${loc(n)}${news}</url>`),
  ),
  '/dates.xml': xml('urlset', [
    `<url>${loc(1)}<lastmod>${date}</lastmod><priority>0.5</priority></url>`,
    `<url>${loc(2)}<lastmod>2026-05-10T10:20:30+01:00</lastmod><priority>0.5</priority></url>`,
    `<url>${loc(3)}${news}<priority>0.5</priority></url>`,
  ]),
  '/empty.xml': xml('urlset', []),
  '/rows.xml': xml(
    'urlset',
    Array.from({ length: 500 }, (_, n) => `<url>${loc(n)}</url>`),
  ),
}

const program = findChromium()

describe.skipIf(isWithout(program, NO_CHROMIUM))('the XML in a browser', () => {
  let server: Server
  let browser: Browser
  let page: Page
  let origin: string

  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      const document = DOCUMENTS[url]
      response.statusCode = document === undefined && url !== '/sitemap.css' ? 404 : 200
      response.setHeader(
        'Content-Type',
        `${url === '/sitemap.css' ? 'text/css' : 'application/xml'}; charset=utf-8`,
      )
      response.setHeader('X-Content-Type-Options', 'nosniff')
      response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'self'")
      response.end(url === '/sitemap.css' ? XML_STYLESHEET : document)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await chromium.launch({
      executablePath: program ?? '',
      args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    })
    page = await browser.newPage()
  })

  afterAll(async () => {
    await browser?.close()
    await new Promise((resolve) => server.close(resolve))
  })

  async function open(path: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await page.goto(origin + path)
  }

  /** Texts that are to be seen in their whole width, one an element, in the order of the document. */
  const shown = (): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('*')].flatMap((element) =>
      [...element.childNodes].filter((node) => {
        if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === '') return false
        const range = document.createRange()
        range.selectNode(node)
        const { left, right, width, height } = range.getBoundingClientRect()
        return width > 1 && height > 1 && left >= 0 && right <= innerWidth
      }).map((node) => element.nodeName + '=' + node.data))`)

  /** Left, top, right, bottom of the first elements of a name. */
  const boxes = (name: string): Promise<[number, number, number, number][]> =>
    page.evaluate(`[...document.getElementsByTagName('${name}')].slice(0, 5).map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return [left, top, right, bottom]
    })`)

  it.each([{ width: 1_200 }, { width: 320 }])(
    'shows the fields and the news, hides what other namespaces hold, at $width px (SPEC B6, B12)',
    async ({ width }) => {
      await open('/urlset.xml', width)
      const long = 'long'.repeat(60)
      expect(await shown()).toEqual([
        `loc=https://www.example.com/${long}1?a=1&b=2`,
        'lastmod=2026-05-10T10:20:30.123+01:00',
        'changefreq=daily',
        'priority=0.8',
        'news:name=Times',
        'news:publication_date=2026-05-10',
        'news:title=Headline',
        `loc=https://www.example.com/${long}2?a=1&b=2`,
        `loc=https://www.example.com/${long}3?a=1&b=2`,
        'priority=0.5',
      ])
    },
  )

  it.each(Object.keys(DOCUMENTS))('%s needs no scrolling sideways', async (path) => {
    for (const width of [320, 700, 1_200]) {
      await open(path, width)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  it('has columns: priority stands below priority, whatever else a row lacks', async () => {
    await open('/urlset.xml', 1_200)
    const [first, second] = await boxes('priority')
    expect(second?.[2]).toBe(first?.[2])
    const rows = await boxes('url')
    for (const [at, row] of rows.entries()) expect(row[1]).toBeGreaterThanOrEqual(rows[at - 1]?.[3] ?? 0)
    // Beside the URL, not below it.
    const [url] = await boxes('loc')
    expect(first?.[1]).toBe(url?.[1])
    expect(url?.[2]).toBeLessThan(first?.[0] ?? 0)
  })

  it('a column that no row fills takes no room', async () => {
    const widths: number[] = []
    for (const path of ['/urlset.xml', '/index.xml', '/rows.xml']) {
      await open(path, 1_200)
      const [[left = 0, , right = 0] = []] = await boxes('loc')
      widths.push(right - left)
    }
    expect([...widths].sort((a, b) => a - b)).toEqual(widths)
    expect(new Set(widths).size).toBe(3)
  })

  it('the caption and the names of columns stand above the first row', async () => {
    for (const path of ['/urlset.xml', '/index.xml']) {
      await open(path, 1_200)
      const [row] = await boxes(path === '/index.xml' ? 'sitemap' : 'url')
      expect(row?.[1]).toBeGreaterThan(80)
    }
  })

  it('without columns there is no line for their names', async () => {
    const heads: number[] = []
    for (const path of ['/news.xml', '/rows.xml', '/index.xml']) {
      await open(path, 1_200)
      const [row] = await boxes(path === '/index.xml' ? 'sitemap' : 'url')
      heads.push(row?.[1] ?? 0)
    }
    const [head = 0, same, taller = 0] = heads
    expect(same).toBe(head)
    expect(taller - head).toBeGreaterThan(20)
  })

  it.each([{ width: 320 }, { width: 700 }, { width: 1_200 }])(
    'a date stands on one line, whole and beside what it belongs to, at $width px (SPEC W6)',
    async ({ width }) => {
      await open('/dates.xml', width)
      const lines = await page.evaluate(`[...document.querySelectorAll('*')]
        .filter(({ localName }) => localName === 'lastmod' || localName === 'publication_date')
        .map(({ firstChild }) => {
          const range = document.createRange()
          range.selectNode(firstChild)
          return range.getClientRects().length
        })`)
      expect(lines).toEqual([1, 1, 1])
      expect(await shown()).toContain(`lastmod=${date}`)
      const locs = await boxes('loc')
      const dates = await boxes('lastmod')
      const priorities = await boxes('priority')
      const rows = await boxes('url')
      for (const [at, [left, top, right]] of dates.entries()) {
        expect(right).toBeLessThanOrEqual(rows[at]?.[2] ?? 0)
        if (width < 1_200) continue
        expect(top).toBe(locs[at]?.[1])
        expect(left).toBeGreaterThanOrEqual(locs[at]?.[2] ?? 0)
        expect(right).toBeLessThanOrEqual(priorities[at]?.[0] ?? 0)
      }
      if (width === 1_200) expect(new Set([...dates].map(([, , right]) => right)).size).toBe(1)
    },
  )

  it('follows the colours of the system', async () => {
    const ground = async (scheme: 'light' | 'dark') => {
      await open('/urlset.xml', 1_200, scheme)
      const colour = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
      return colour
    }
    expect(await ground('light')).toBe('rgb(252, 252, 251)')
    expect(await ground('dark')).toBe('rgb(19, 20, 23)')
  })

  it('a click selects the whole URL, for it is no link (SPEC B7)', async () => {
    await open('/index.xml', 1_200)
    const [[left = 0, top = 0] = []] = await boxes('loc')
    // A page that is not painted yet takes no click.
    const clicked = async (): Promise<unknown> => {
      await page.mouse.click(left + 20, top + 8)
      return page.evaluate('getSelection().toString()')
    }
    await expect
      .poll(clicked, { timeout: 5_000 })
      .toBe(`https://www.example.com/${'long'.repeat(60)}1?a=1&b=2`)
  })
})
