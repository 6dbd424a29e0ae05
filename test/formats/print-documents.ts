/** Prints every document, for machine.test.ts to run in processes of other zones and locales. */
import { renderHtmlPage } from '../../src/formats/html.ts'
import { renderRss } from '../../src/formats/rss.ts'
import { renderSitemapIndex } from '../../src/formats/sitemapindex.ts'
import { pages, site } from './html-pages.ts'

const dated = ['2026-05-10', '2026-05-10T23:30:00-05:00', '2026-05-10T10:20:30']

for (const { page } of pages) process.stdout.write(renderHtmlPage(page))
for (const language of ['xx', 'no tag at all', 'pl']) {
  const cards = dated.map((lastmod, i) => ({ loc: `https://example.com/${i}`, lastmod }))
  const sections = [{ key: 'pages', title: 'Pages', total: cards.length, cards }]
  process.stdout.write(renderHtmlPage({ site: { ...site, language }, sections }))
  process.stdout.write(
    renderHtmlPage({
      site: { ...site, language },
      sections: [{ key: 'a', title: 'A', total: 1_204_332, cards: [] }],
    }),
  )
}
process.stdout.write(
  await renderRss({
    site,
    selfUrl: 'https://example.com/feed.rss',
    sitemapUrl: 'https://example.com/sitemap.html',
    items: dated.map((published, i) => ({
      loc: `https://example.com/${i}`,
      title: 'A',
      published,
      dateMs: Date.UTC(2026, 4, 10),
    })),
  }),
)
process.stdout.write(await renderSitemapIndex([{ loc: 'https://example.com/a.xml', lastmod: '2026-05-10' }]))
process.stderr.write(`${new Date(0).getTimezoneOffset()} ${new Intl.NumberFormat().format(1_234.5)}`)
