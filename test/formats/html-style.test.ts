import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderHtmlPage } from '../../src/formats/html.ts'
import { HTML_STYLESHEET } from '../../src/formats/html-style.ts'
import { renderProfile } from '../../src/formats/profile.ts'
import { launchChromium } from '../e2e/support/chromium.ts'
import { findChromium, isWithout, NO_CHROMIUM } from '../e2e/support/programs.ts'
import { pages, section, sectionPage, site, startPage } from './html-pages.ts'
import { all, parseHtml } from './parse-html.ts'

// Comes with vite.
const { transform } = createRequire(import.meta.url)('lightningcss') as {
  transform(options: { filename: string; code: Uint8Array }): { readonly warnings: readonly unknown[] }
}

const profile = { language: 'en', siteTitle: 'Example', url: 'https://example.com/robots-profile' }

describe('stylesheet', () => {
  it('is CSS that a parser takes without a word', () => {
    const check = (css: string) => transform({ filename: 'sitemap.css', code: Buffer.from(css) }).warnings
    expect(check(HTML_STYLESHEET)).toEqual([])
    expect(() => check(`${HTML_STYLESHEET}\n.a { color: ; } }`)).toThrow()
  })

  it('loads nothing', () => {
    expect(HTML_STYLESHEET).not.toMatch(/@import|url\(|@font-face/)
  })

  it('knows dark mode (SPEC H10), print and forced colours, shows focus', () => {
    for (const needed of [
      'prefers-color-scheme: dark',
      '@media print',
      'forced-colors: active',
      'prefers-reduced-motion',
      ':focus-visible',
    ]) {
      expect(HTML_STYLESHEET).toContain(needed)
    }
  })

  it('sets both directions by logical properties', () => {
    expect(HTML_STYLESHEET).not.toMatch(/(margin|padding|border|inset)-(left|right)|^\s*(left|right|float):/m)
  })

  it('styles the classes that pages have, no more and no fewer', () => {
    const styled = new Set(
      Array.from(HTML_STYLESHEET.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g), ([, name = '']) => name),
    )
    const documents = [...pages.map(({ page }) => renderHtmlPage(page)), renderProfile(profile)]
    const written = new Set(
      documents
        .flatMap((html) => all(parseHtml(html).root, () => true))
        .flatMap(({ attributes }) => attributes.class?.split(' ') ?? [])
        .filter((name) => !name.startsWith('robots-')),
    )
    // Named for readers of the markup; the rules reach them through their children or parents.
    const unstyled = ['document']
    expect([...styled].sort()).toEqual([...written].filter((name) => !unstyled.includes(name)).sort())
  })

  // WCAG 1.4.3: 4.5 to 1 for text, 1.4.11: 3 to 1 for the focus ring.
  const blocks = Array.from(HTML_STYLESHEET.matchAll(/:root \{([^}]*)\}/g), ([, body = '']) =>
    Object.fromEntries(
      Array.from(body.matchAll(/--(\w+): (#\w+)/g), ([, name = '', colour = '']) => [name, colour]),
    ),
  )
  it.each([
    { scheme: 'light', colours: blocks[0] },
    { scheme: 'dark', colours: blocks[1] },
  ])('$scheme: enough contrast', ({ colours = {} }) => {
    for (const ground of ['paper', 'raised']) {
      for (const [name, least] of [
        ['ink', 7],
        ['muted', 4.5],
        ['link', 4.5],
        ['visited', 4.5],
        ['accent', 3],
      ] as const) {
        expect(
          contrast(colours[name] ?? '', colours[ground] ?? ''),
          `${name} on ${ground}`,
        ).toBeGreaterThanOrEqual(least)
      }
    }
  })
})

const program = findChromium()

describe.skipIf(isWithout(program, NO_CHROMIUM))('pages in a browser', () => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await launchChromium(program ?? '')
    page = await browser.newPage()
  })

  afterAll(async () => {
    await browser?.close()
  })

  async function show(html: string, width: number): Promise<void> {
    await page.setViewportSize({ width, height: 800 })
    await page.setContent(html)
    await page.addStyleTag({ content: HTML_STYLESHEET })
  }

  /** Lines that the text of the first element found stands on. */
  const linesOf = (selector: string): Promise<number> =>
    page.evaluate(`(() => {
      const range = document.createRange()
      range.selectNodeContents(document.querySelector(${JSON.stringify(selector)}))
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
    })()`)

  const cards = Array.from({ length: 3 }, (_, i) => ({
    loc: `https://example.com/${i}`,
    title: `Entry ${i}`,
    lastmod: '2026-09-18',
  }))
  const long = cards.map((card) => ({ ...card, lastmod: '2026-09-28' }))

  it.each([
    { name: 'start page', html: renderHtmlPage({ ...startPage, sections: [section('pages', long)] }) },
    {
      name: 'page of a section',
      html: renderHtmlPage(sectionPage(1, 1, { sections: [section('pages', long)] })),
    },
    {
      name: 'from right to left, in English words',
      html: renderHtmlPage({ ...startPage, language: 'he', sections: [section('pages', long)] }),
    },
  ])('$name: a fact is not broken at 320 px, and none begins with a mark (SPEC H10)', async ({ html }) => {
    await show(html, 320)
    expect(await linesOf('.facts > span + span')).toBe(1)
    const isWrapped = `(() => {
      const [first, second] = document.querySelectorAll('.facts > span')
      return second.getBoundingClientRect().top >= first.getBoundingClientRect().bottom
    })()`
    // The mark stands before the word; where a line begins it is outside of the box that cuts it off.
    const isCut = `(() => {
      const facts = document.querySelector('.facts').getBoundingClientRect()
      const words = document.querySelector('.facts > span + span bdi').getBoundingClientRect()
      const start = getComputedStyle(document.body).direction === 'rtl' ? facts.right - words.right : words.left - facts.left
      return Math.abs(start) < 1 && getComputedStyle(document.querySelector('.facts')).overflowX === 'clip'
    })()`
    expect(await page.evaluate(isCut)).toBe(await page.evaluate(isWrapped))
    await page.addStyleTag({ content: '.facts { inline-size: 14rem }' })
    expect([await page.evaluate(isWrapped), await page.evaluate(isCut)]).toEqual([true, true])
  })

  it.each(['Hafenbuchhandlung', 'www.example.com'])(
    '%s fits as heading on 320 px (SPEC H10)',
    async (title) => {
      await show(renderHtmlPage({ ...startPage, language: 'de', site: { ...site, title } }), 320)
      expect(await linesOf('h1')).toBe(1)
    },
  )

  it('a long host name is broken behind a dot', async () => {
    await show(
      renderHtmlPage({ ...startPage, site: { ...site, title: 'booksellers.universities.example' } }),
      320,
    )
    const rows = await page.evaluate<string[]>(`(() => {
      const rows = new Map()
      for (const node of document.querySelector('h1 bdi').childNodes) {
        if (node.nodeType !== Node.TEXT_NODE) continue
        const range = document.createRange()
        range.selectNode(node)
        for (const { top } of range.getClientRects()) rows.set(top, [...(rows.get(top) ?? []), node.data])
      }
      return [...rows.values()].map((texts) => texts.join(''))
    })()`)
    expect(rows.join('')).toBe('booksellers.universities.example')
    expect(rows.length).toBeGreaterThan(1)
  })

  it('places to break are not copied', async () => {
    const loc = 'https://example.com/blog/2026/a-walk.html'
    await show(renderHtmlPage({ ...startPage, sections: [section('pages', [{ loc }])] }), 1280)
    expect(
      await page.evaluate(`(() => {
        getSelection().selectAllChildren(document.querySelector('.entries a'))
        return getSelection().toString()
      })()`),
    ).toBe('/blog/2026/a-walk.html')
  })

  it.each([{ width: 320 }, { width: 1280 }])(
    'there is as much space above a card or a rule as below a rule, at $width px',
    async ({ width }) => {
      const card = (key: string) => section(key, [], { total: 900, href: `/sitemap-${key}-1.html` })
      const sections = [section('a', cards), card('b'), section('c', cards), section('d', cards), card('e')]
      await show(renderHtmlPage({ ...startPage, sections }), width)
      const spaces = await page.evaluate<number[]>(`
        [...document.querySelectorAll('.sections > li')].flatMap((item, index, items) => {
          const box = (element) => element.getBoundingClientRect()
          const edges = ({ top, bottom }) => [top, bottom]
          // A card ends where its border does, a section where its last words do.
          const bottomOf = (item) =>
            item.className === 'card'
              ? box(item).bottom
              : Math.max(...[...item.querySelectorAll('li, .heading')].map((element) =>
                  box(element).bottom - Number.parseFloat(getComputedStyle(element).paddingBottom)))
          const above = index === 0 ? [] : [box(item).top - bottomOf(items[index - 1])]
          const below = item.className === 'card' ? [] : [box(item.querySelector('.heading')).top - box(item).top]
          return [...above, ...below]
        })`)
      expect(spaces).toHaveLength(7)
      expect(Math.max(...spaces) - Math.min(...spaces)).toBeLessThanOrEqual(2)
    },
  )

  it.each(['en', 'ar', 'ja'])(
    'the profile in %s: no name of a class is broken, lines are not too long (SPEC H34)',
    async (language) => {
      const html = renderProfile({ ...profile, language })
      await show(html, 320)
      const broken = await page.evaluate(`[...document.querySelectorAll('dt, dd code')].filter((name) =>
        name.getBoundingClientRect().height > 40 || name.getClientRects().length > 1).length`)
      expect(broken).toBe(0)
      await show(html, 1280)
      const widest =
        await page.evaluate(`Math.max(...[...document.querySelectorAll('main > p, dd')].map((element) =>
        element.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(element).fontSize)))`)
      expect(widest).toBeLessThan(40)
    },
  )
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
