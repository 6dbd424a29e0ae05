/** Pictures of the pages for people to look at: npx tsx test/e2e/support/screenshots.ts <folder> */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SitemapOptions } from '../../../plugins/fastify.ts'
import { createViewer, launchChromium } from './chromium.ts'
import { findChromium, NO_CHROMIUM } from './programs.ts'
import { serve } from './server.ts'
import { SITES } from './sites.ts'
import { EMPTY_XML_SITE, XML_SITE } from './xml-site.ts'

interface Subject {
  readonly name: string
  readonly options: SitemapOptions
  readonly paths: readonly string[]
}

const SUBJECTS: readonly Subject[] = [
  ...SITES.map(({ name, options, pages }) => ({ name, options, paths: Object.values(pages) })),
  {
    name: 'xml',
    options: XML_SITE,
    paths: ['/sitemap-pages-1.xml', '/sitemap_index.xml', '/sitemap-news.xml'],
  },
  { name: 'empty xml', options: EMPTY_XML_SITE, paths: ['/sitemap.xml'] },
]

/** Longer pages are cut: their ends look like their middles. */
const TALLEST = 3_000

/** Ends when the page of the new size has been painted. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

const folder = process.argv[2]
const executable = findChromium()
if (folder === undefined) throw new Error('name a folder: npx tsx test/e2e/support/screenshots.ts <folder>')
if (executable === undefined) throw new Error(NO_CHROMIUM)
mkdirSync(folder, { recursive: true })

const browser = await launchChromium(executable)
const { page, open } = await createViewer(browser)
for (const { name, options, paths } of SUBJECTS) {
  const server = await serve(options)
  for (const path of paths) {
    await open(server.base + path)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 })
        const height = await page.evaluate<number>('document.documentElement.scrollHeight')
        // Not Playwright's own picture of a full page, which wants a body, and XML has none.
        await page.setViewportSize({ width, height: Math.min(TALLEST, Math.max(800, height)) })
        await page.evaluate(PAINTED)
        const file = [name, path.slice(1).replaceAll('.', '-'), colorScheme, width]
          .join('-')
          .replaceAll(' ', '-')
        await page.screenshot({ path: join(folder, `${file}.png`) })
      }
    }
  }
  await server.close()
}
await browser.close()
