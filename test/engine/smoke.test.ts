import { afterEach, expect, it } from 'vitest'
import { closeEngines, createSource, createTestEngine, entriesOf } from '../support/site.ts'
afterEach(closeEngines)
it('x', async () => {
  const s = createSource(entriesOf('a', 3))
  const { ask, clock, handle } = createTestEngine({ providers: { a: s.entries } })
  const r = await ask('/sitemap.xml')
  console.log(r.status, r.headers, r.text, clock.waiting, handle.report())
  for (const p of ['/sitemap_index.xml','/feed.rss','/sitemap.html','/sitemap.txt','/sitemap-a-1.xml','/sitemap-a-1.txt','/sitemap-a-1.html','/sitemap-html.css','/sitemap-a-2.xml']) {
  const r = await ask(p); console.log(p, r.status, r.headers, r.text.slice(0,2500)) }
  expect(s.calls).toBe(1)
})
