/** Prints every document, for machine.test.ts to run in processes of other zones and locales. */
import { renderAtom } from '../../src/formats/atom.ts'
import type { FeedDocument } from '../../src/formats/feed-document.ts'
import { renderHtmlPage } from '../../src/formats/html.ts'
import { renderJsonFeed } from '../../src/formats/json-feed.ts'
import { renderLlms } from '../../src/formats/llms.ts'
import { renderProfile } from '../../src/formats/profile.ts'
import { renderRss } from '../../src/formats/rss.ts'
import { renderSitemapIndex } from '../../src/formats/sitemapindex.ts'
import { emptyPage, inLanguages, pages, site } from './html-pages.ts'

const dated = ['2026-05-10', '2026-05-10T23:30:00-05:00', '2026-05-10T10:20:30']
const print = (text: string): void => {
  process.stdout.write(text)
}

for (const { page } of pages) print(renderHtmlPage(page))
print(renderHtmlPage(inLanguages('fr-CA')))
for (const language of ['xx', 'no tag at all', 'pl']) {
  const cards = dated.map((lastmod, i) => ({ loc: `https://example.com/${i}`, lastmod }))
  const page = { ...emptyPage, language, site: { ...site, language } }
  print(renderHtmlPage({ ...page, sections: [{ key: 'pages', title: 'Pages', total: cards.length, cards }] }))
  print(renderHtmlPage({ ...page, sections: [{ key: 'a', title: 'A', total: 1_204_332, cards: [] }] }))
  print(renderProfile({ language, siteTitle: 'A', url: 'https://example.com/robots-profile' }))
}
const feed: FeedDocument = {
  site,
  settings: {
    image: undefined,
    ttlMinutes: 60,
    hubs: [],
    copyright: undefined,
    author: undefined,
    managingEditor: undefined,
    webMaster: undefined,
    categories: [],
  },
  section: undefined,
  selfUrl: 'https://example.com/feed.rss',
  sitemapUrl: 'https://example.com/sitemap.html',
  seeAlso: [],
  items: dated.map((published, i) => ({
    loc: `https://example.com/${i}`,
    title: 'A',
    published,
    dateMs: Date.UTC(2026, 4, 10),
  })),
}
print(await renderRss(feed))
print(renderAtom(feed))
print(renderJsonFeed(feed))
print(
  renderLlms({
    site,
    details: undefined,
    sections: [{ title: 'A', optional: false, cards: [{ loc: 'https://example.com/' }], total: 12_345 }],
  }),
)
print(
  await renderSitemapIndex([{ loc: 'https://example.com/a.xml', lastmod: '2026-05-10' }], {
    head: '',
    tail: '',
  }),
)
process.stderr.write(`${new Date(0).getTimezoneOffset()} ${new Intl.NumberFormat().format(1_234.5)}`)
