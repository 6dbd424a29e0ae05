/** Sites whose XML is opened in a browser. */
import type { EntryObject, SitemapOptions } from '../../../plugins/fastify.ts'
import { PHRASES } from './phrases.ts'

const SITE_URL = 'https://www.example.com/'

/** What stands in extensions and is nobody's reading. */
const HIDDEN_TEXT = 'A price that nobody should see'

/** One entry with an element of every namespace, others with some, and one with nothing but a very long address. */
export const XML_ENTRIES: readonly EntryObject[] = [
  {
    loc: '/everything',
    lastmod: '2026-05-10T12:30:00+02:00',
    changefreq: 'weekly',
    priority: 0.8,
    images: [{ loc: '/a.jpg', title: 'A sea chart' }, '/b.jpg'],
    videos: [
      {
        thumbnailLoc: '/thumb.jpg',
        title: 'How a notebook is sewn',
        description: 'Three minutes in the bindery',
        contentLoc: '/video.mp4',
        duration: 180,
        tag: ['books', 'bindery'],
      },
    ],
    alternates: { en: '/everything', fr: '/fr/tout', 'x-default': '/everything' },
    extensions: [
      {
        name: 'shop:offer',
        attributes: { currency: 'EUR' },
        children: [{ name: 'shop:price', text: HIDDEN_TEXT }],
      },
    ],
  },
  { loc: '/plain', lastmod: '2026-05-11' },
  { loc: '/often', changefreq: 'daily' },
  { loc: `/${'a-very-long-name-'.repeat(30)}`, lastmod: '2026-05-12' },
  { loc: `/${'averylongword'.repeat(30)}` },
  { loc: '/%D9%83%D8%AA%D8%A8/%E6%97%A5%E6%9C%AC', images: '/c.jpg' },
]

/** With a stylesheet for its XML; of four parts. */
export const XML_SITE: SitemapOptions = {
  site: { url: SITE_URL, title: PHRASES.en.site, language: 'en' },
  routes: { css: '/sitemap.css', news: '/sitemap-news.xml' },
  namespaces: { shop: 'https://www.example.com/ns/shop' },
  limit: 200,
  providers: {
    pages: XML_ENTRIES,
    // What is new when it is asked for.
    articles: () =>
      PHRASES.en.entries.map(([title], index) => ({
        loc: `/articles/${index + 1}`,
        title,
        published: new Date(Date.now() - (index + 1) * 3_600_000),
        news: true,
      })),
    archive: Array.from({ length: 250 }, (_, index) => ({
      loc: `/archive/${index + 1}`,
      lastmod: '2026-01-31',
    })),
  },
}

/** The same without a stylesheet. */
export const PLAIN_XML_SITE: SitemapOptions = { ...XML_SITE, routes: { news: '/sitemap-news.xml' } }

/** Nothing to list. */
export const EMPTY_XML_SITE: SitemapOptions = {
  site: { url: SITE_URL },
  routes: { css: '/sitemap.css' },
  providers: { pages: [] },
}
