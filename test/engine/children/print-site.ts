/** Prints path, ETag and a digest of the bytes of every document, in each coding. */
import { createHash } from 'node:crypto'
import { createEngine, resolveOptions } from '../../../src/index.ts'

const engine = createEngine(
  resolveOptions({
    site: { url: 'https://www.example.com', title: 'Zürich & Köln', description: 'ä', language: 'de' },
    limit: 3,
    html: { pageSize: 4 },
    warmUp: false,
    providers: {
      pages: ['/', '/about', { loc: '/café?q=ü&x=1', title: 'Café', lastmod: '2026-03-29T02:30:00' }],
      posts: () =>
        Array.from({ length: 8 }, (_, i) => ({
          loc: `/post-${i}`,
          title: `Beitrag ${i}`,
          description: 'Ein „Text“',
          lastmod: new Date(Date.UTC(2026, 2, 28 + i, 23, 30)),
          published: i % 2 ? `2026-0${i + 1}-01 01:30:00` : 1_700_000_000 + i,
          images: ['/cover.jpg'],
          keywords: ['b', 'a', 'ä'],
          priority: 0.1 + 0.2,
        })),
    },
  }),
)
const paths = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/feed.rss',
  '/sitemap.html',
  '/sitemap.txt',
  '/sitemap-html.css',
  '/sitemap-pages-1.xml',
  '/sitemap-posts-3.xml',
  '/sitemap-posts-1.txt',
  '/sitemap-posts-2.html',
]
for (const path of paths) {
  for (const coding of ['identity', 'gzip', 'br']) {
    const response = await engine.respond({
      method: 'GET',
      path,
      header: (name) => (name === 'accept-encoding' ? coding : undefined),
    })
    const hash = createHash('sha256')
    if (Buffer.isBuffer(response.body)) hash.update(response.body)
    console.log(path, coding, response.status, response.headers.etag, hash.digest('hex'))
  }
}
await engine.close()
