import { expect, it } from 'vitest'
import { createFrameLoader } from '../../src/sites/frames.ts'

it('sites share their frames, apart from the path of the stylesheet', async () => {
  const load = createFrameLoader()
  const namespaces = [['shop', 'https://example.com/ns/shop']] as const
  const plain = await load({ namespaces, stylesheet: undefined })
  const styled = await load({ namespaces, stylesheet: '/a/sitemap.css' })
  expect(await load({ namespaces, stylesheet: undefined })).toBe(plain)
  expect(await load({ namespaces, stylesheet: '/a/sitemap.css' })).toBe(styled)
  expect(plain.index().head).not.toContain('xml-stylesheet')
  expect(styled.index().head).toContain('href="/a/sitemap.css"')
  const other = await load({ namespaces, stylesheet: '/b/sitemap.css' })
  expect(other.urlset(0).head).toContain('href="/b/sitemap.css"')
})
