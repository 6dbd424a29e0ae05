import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchRaw } from '../support/site.ts'
import { createViewer, launchChromium, type Viewer } from './support/chromium.ts'
import { foreign, outside, overflow, pseudo, rows, rulesTaken } from './support/in-page.ts'
import { findChromium, isWithout, NO_CHROMIUM } from './support/programs.ts'
import { closeAll, type Server, serveAll } from './support/server.ts'
import { EMPTY_XML_SITE, PLAIN_XML_SITE, XML_ENTRIES, XML_SITE } from './support/xml-site.ts'

const STYLED = { options: XML_SITE }
const PLAIN = { options: PLAIN_XML_SITE }
const EMPTY = { options: EMPTY_XML_SITE }
type Site = typeof STYLED

const chromium = findChromium()
const without = isWithout(chromium, `XML in a browser: ${NO_CHROMIUM}`)

describe.skipIf(without)('XML in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser
  let viewer: Viewer
  let servers: ReadonlyMap<Site, Server>

  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '')
    viewer = await createViewer(browser, { javaScriptEnabled: false })
    servers = await serveAll([STYLED, PLAIN, EMPTY])
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await closeAll(servers ?? new Map())
  })

  const urlOf = (site: Site, path: string): string => `${servers.get(site)?.base}${path}`

  /** Every combination of scheme and width, one after the other. */
  async function inEveryLook(look: (name: string) => Promise<void>): Promise<void> {
    const { page } = viewer
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 })
        await look(`${colorScheme}, ${width} px`)
      }
    }
  }

  it.each([
    { name: 'urlset with everything', site: STYLED, path: '/sitemap-pages-1.xml', count: XML_ENTRIES.length },
    { name: 'full part', site: STYLED, path: '/sitemap-archive-1.xml', count: 200 },
    { name: 'news', site: STYLED, path: '/sitemap-news.xml', count: 7 },
    { name: 'index', site: STYLED, path: '/sitemap_index.xml', count: 4 },
    { name: 'index in the place of the urlset', site: STYLED, path: '/sitemap.xml', count: 4 },
    { name: 'empty urlset', site: EMPTY, path: '/sitemap.xml', count: 0 },
    { name: 'empty index', site: EMPTY, path: '/sitemap_index.xml', count: 0 },
  ])(
    '$name: a readable list, light and dark, wide and narrow (SPEC B7, B12)',
    async ({ site, path, count }) => {
      const { page, faults } = viewer
      await viewer.open(urlOf(site, path))
      expect(await rulesTaken(page)).toBeGreaterThan(20)
      await inEveryLook(async (look) => {
        const list = await rows(page)
        expect(list, look).toHaveLength(count)
        expect(
          list.filter(({ display, width, height, contrast, isCut }) => {
            const isReadable = width > 100 && height > 10 && contrast > 7 && !isCut
            return display === 'inline' || display === 'none' || !isReadable
          }),
          look,
        ).toEqual([])
        expect(await overflow(page), look).toBeLessThanOrEqual(0)
        expect(await outside(page), look).toEqual([])
        // A heading, which says what this is.
        expect(await pseudo(page, '::after'), look).toMatchObject({ display: 'table-caption' })
      })
      expect(faults).toEqual([])
    },
  )

  it('elements of other namespaces take no room, news shows its titles (SPEC B12)', async () => {
    const { page } = viewer
    await viewer.open(urlOf(STYLED, '/sitemap-pages-1.xml'))
    await inEveryLook(async (look) => {
      expect(await foreign(page), look).toEqual([])
    })
    await viewer.open(urlOf(STYLED, '/sitemap-news.xml'))
    await inEveryLook(async (look) => {
      const names = await foreign(page)
      expect(
        names.filter((name) => name === 'news:title'),
        look,
      ).toHaveLength(7)
    })
  })

  it('is dark where the visitor likes it dark', async () => {
    const { page } = viewer
    await viewer.open(urlOf(STYLED, '/sitemap_index.xml'))
    const grounds = new Set<unknown>()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      grounds.add(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
    }
    expect(grounds.size).toBe(2)
  })

  it('is served as a stylesheet of the same host (SPEC B11)', async () => {
    const { status, headers } = await fetchRaw(urlOf(STYLED, '/sitemap.css'))
    expect([status, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
  })

  it('without routes.css there is none, and the file is plain (SPEC B6)', async () => {
    const { status } = await fetchRaw(urlOf(PLAIN, '/sitemap.css'))
    expect(status).toBe(404)
    const { text } = await fetchRaw(urlOf(PLAIN, '/sitemap-pages-1.xml'))
    expect(text).not.toContain('<?xml-stylesheet')
    const { page } = viewer
    await viewer.open(urlOf(PLAIN, '/sitemap-pages-1.xml'))
    expect(await rulesTaken(page)).toBe(0)
    const list = await rows(page)
    expect(list.map(({ display }) => display)).toEqual(XML_ENTRIES.map(() => 'inline'))
    expect(await foreign(page)).toContain('shop:price')
  })
})
