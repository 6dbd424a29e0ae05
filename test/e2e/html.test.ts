import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, hasClass, parseHtml } from '../formats/parse-html.ts'
import { fetchRaw } from '../support/site.ts'
import {
  addAxe,
  axeViolations,
  axeViolationsOfLooks,
  createViewer,
  launchChromium,
  type Viewer,
} from './support/chromium.ts'
import { focus, hrefs, outside, overflow, rulesTaken, shown, unreadable } from './support/in-page.ts'
import { findChromium, isWithout, NO_CHROMIUM } from './support/programs.ts'
import { closeAll, type Server, serve, serveAll } from './support/server.ts'
import {
  LARGE_COUNT,
  largeSite,
  PAGES,
  profiledSite,
  SITES,
  type TestSite,
  threeLocales,
} from './support/sites.ts'

const chromium = findChromium()

describe('HTML sitemap as a robot reads it', () => {
  it('every entry is found from /sitemap.html by links, and in its section once (SPEC H7)', async () => {
    const server = await serve(largeSite.options)
    try {
      const found = await crawl(server)
      const posts = [...found].flatMap(([path, locs]) => (path.startsWith('/sitemap-posts-') ? locs : []))
      expect(posts).toHaveLength(LARGE_COUNT)
      expect(new Set(posts).size).toBe(LARGE_COUNT)
      // 4 pages, 45 of the documentation, 120 of the shop.
      expect(new Set([...found.values()].flat()).size).toBe(LARGE_COUNT + 4 + DOCS + 120)
    } finally {
      await server.close()
    }
  })
})

/** Entries of the large site's tree: 1 + 5 + 30 + 9 + 2. */
const DOCS = 47

/** Locs of the entries on each page that is reached by links, by path; each page is read once. */
async function crawl(server: Server): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const waiting = ['/sitemap.html']
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(path)) continue
    const { status, text } = await fetchRaw(server.base + path)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    const { root } = parseHtml(text)
    const locs = all(root, hasClass('entries')).flatMap((list) =>
      all(list, 'a').map(({ attributes }) => attributes.href ?? ''),
    )
    found.set(path, locs)
    for (const { attributes } of all(root, 'a')) {
      if (attributes.href?.startsWith('/')) waiting.push(attributes.href)
    }
  }
  return found
}

const without = isWithout(chromium, `HTML sitemap in a browser: ${NO_CHROMIUM}`)

describe.skipIf(without)('HTML sitemap in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser
  /** For axe, which is a script; the pages have none. */
  let scripted: Viewer
  /** For all else: scripts are off, a pixel of CSS is two of the screen, as in a zoom of 200 %. */
  let plain: Viewer
  let servers: ReadonlyMap<TestSite, Server>

  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '')
    scripted = await createViewer(browser)
    plain = await createViewer(browser, { javaScriptEnabled: false, deviceScaleFactor: 2 })
    servers = await serveAll(SITES)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await closeAll(servers ?? new Map())
  })

  const urlOf = (site: TestSite, path: string): string => `${servers.get(site)?.base}${path}`

  it.each(PAGES)('$name: axe finds nothing, light and dark, wide and narrow', async ({ site, path }) => {
    const { page } = scripted
    await scripted.open(urlOf(site, path))
    await addAxe(page)
    expect(await axeViolations(page), 'light, wide').toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeViolationsOfLooks(page), 'dark, wide').toEqual([])
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await axeViolations(page), 'dark, narrow').toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await axeViolationsOfLooks(page), 'light, narrow').toEqual([])
  })

  it.each(PAGES)(
    '$name: whole under a strict policy without scripts, readable in all colours, nothing beside the window (SPEC H1, H9, H10)',
    async ({ site, path }) => {
      const { page, faults } = plain
      await plain.open(urlOf(site, path))
      expect(await rulesTaken(page)).toBeGreaterThan(50)
      expect(await shown(page, 'h1')).toBe(1)
      for (const width of [1280, 640, 320]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await overflow(page), `${width} px`).toBeLessThanOrEqual(0)
        expect(await outside(page), `${width} px`).toEqual([])
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await unreadable(page), colorScheme).toEqual([])
        await page.emulateMedia({ colorScheme, forcedColors: 'active' })
        expect(await unreadable(page), `${colorScheme}, forced colours`).toEqual([])
        await page.emulateMedia({ forcedColors: 'none' })
      }
      expect(faults).toEqual([])
    },
  )

  const withKeyboard = [
    { name: 'start page', site: largeSite, path: '/sitemap.html' },
    { name: 'page of a section', site: largeSite, path: '/sitemap-pages-1.html' },
    { name: 'page in the middle of many', site: profiledSite, path: '/sitemap-posts-2.html' },
    { name: 'page from right to left', site: threeLocales, path: '/sitemap_ar-posts-2.html' },
  ]

  it.each(withKeyboard)(
    '$name: the first Tab is a way past the links on top (SPEC H2)',
    async ({ site, path }) => {
      const { page } = plain
      await plain.open(urlOf(site, path))
      await page.keyboard.press('Tab')
      const skip = await focus(page)
      expect(skip).toMatchObject({ class: 'skip', href: '#content' })
      expect(skip.width).toBeGreaterThan(40)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      const [first] = await hrefs(page, 'main a')
      expect(await focus(page)).toMatchObject({ isInMain: true, href: first })
    },
  )

  it.each(withKeyboard)(
    '$name: Tab reaches every link in order, each with a ring',
    async ({ site, path }) => {
      const { page } = plain
      await plain.open(urlOf(site, path))
      const links = await hrefs(page, 'a')
      expect(links.length).toBeGreaterThan(5)
      const reached: string[] = []
      for (let i = 0; i < links.length; i++) {
        await page.keyboard.press('Tab')
        const { href, outline, html } = await focus(page)
        expect(outline, html).toBeGreaterThanOrEqual(2)
        reached.push(href)
      }
      expect(reached).toEqual(links)
    },
  )

  it.each([
    { name: 'start page', site: threeLocales, path: '/sitemap.html' },
    { name: 'page in the middle of many', site: largeSite, path: '/sitemap-posts-8.html' },
    { name: 'page from right to left', site: threeLocales, path: '/sitemap_ar-posts-2.html' },
    { name: 'tree', site: largeSite, path: '/sitemap-docs-1.html' },
  ])(
    '$name: on paper there are the entries with their addresses, and no controls',
    async ({ site, path }) => {
      const { page } = plain
      await plain.open(urlOf(site, path))
      const entries = await shown(page, '.entries a')
      expect(entries).toBeGreaterThan(0)
      // Dark is for screens: ink on paper is dark on light.
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ media: 'print', colorScheme })
        expect(await shown(page, '.skip, .languages, .jump, .pager, .pagination, footer')).toBe(0)
        expect(await shown(page, '.entries a')).toBe(entries)
        expect(await unreadable(page), colorScheme).toEqual([])
        expect(
          await page.evaluate(`[...document.querySelectorAll('.entries a')].filter((link) =>
          !getComputedStyle(link, '::after').content.includes(link.getAttribute('href'))).length`),
        ).toBe(0)
        expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
          'rgb(255, 255, 255)',
        )
      }
    },
  )

  it('the switch leads to the page in another language, in its direction, and marks it', async () => {
    const { page } = plain
    await plain.open(urlOf(threeLocales, '/sitemap.html'))
    await page.click('.languages a[hreflang="ar"]')
    await page.waitForURL('**/sitemap_ar.html')
    expect(await page.getAttribute('html', 'lang')).toBe('ar')
    expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl')
    expect(await page.textContent('.languages a[aria-current="page"]')).toBe('العربية')
  })

  it('follows the colour scheme', async () => {
    const { page } = plain
    await plain.open(urlOf(largeSite, '/sitemap.html'))
    const grounds: unknown[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      grounds.push(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
    }
    expect(new Set(grounds).size).toBe(2)
  })
})
