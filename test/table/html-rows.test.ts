import { expect, it } from 'vitest'
import { createEngine, resolveOptions } from '../../src/index.ts'

const quiet = { info() {}, warn() {}, error() {} }

async function startPage(counts: Record<string, number>, pageSize = 1000) {
  const providers = Object.fromEntries(
    Object.entries(counts).map(([section, count]) => [
      section,
      () => Array.from({ length: count }, (_, i) => ({ loc: `/${section}/${i}`, title: `${section} ${i}` })),
    ]),
  )
  const engine = createEngine(
    resolveOptions({
      site: { url: 'https://www.example.com' },
      providers,
      html: { pageSize },
      warmUp: false,
    }),
    { log: quiet },
  )
  const answer = await engine.respond({ method: 'GET', path: '/sitemap.html', header: () => undefined })
  await engine.close()
  return String(answer.body)
}

it('a site of one page is shown whole', async () => {
  const html = await startPage({ pages: 2, posts: 3 })
  expect(html.match(/href="https:\/\/www\.example\.com\/(pages|posts)\/\d+"/g)).toHaveLength(5)
  expect(html).not.toContain('/sitemap-pages-1.html')
})

it('of a larger one the short sections are shown, the long ones are links to their pages', async () => {
  const html = await startPage({ pages: 2, posts: 1001 })
  expect(html).toContain('href="https://www.example.com/pages/1"')
  expect(html).not.toContain('href="https://www.example.com/posts/1"')
  expect(html).toContain('href="/sitemap-posts-1.html"')
})

it('no more is shown than one page holds, however many short sections there are', async () => {
  const html = await startPage({ a: 6, b: 6, c: 3 }, 10)
  expect(html).toContain('href="https://www.example.com/a/0"')
  expect(html).toContain('href="/sitemap-b-1.html"')
  expect(html).toContain('href="https://www.example.com/c/0"')
})
