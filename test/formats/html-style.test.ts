import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { renderHtmlPage } from '../../src/formats/html.ts'
import { HTML_STYLESHEET } from '../../src/formats/html-style.ts'
import { pages } from './html-pages.ts'
import { all, parseHtml } from './parse-html.ts'

// Comes with vite.
const { transform } = createRequire(import.meta.url)('lightningcss') as {
  transform(options: { filename: string; code: Uint8Array }): { readonly warnings: readonly unknown[] }
}

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
    const written = new Set(
      pages
        .flatMap(({ page }) => all(parseHtml(renderHtmlPage(page)).root, () => true))
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
