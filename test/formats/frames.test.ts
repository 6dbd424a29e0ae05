import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { loadFrames } from '../../src/formats/frames.ts'
import { renderHtmlPage } from '../../src/formats/html.ts'
import { renderRss } from '../../src/formats/rss.ts'
import { renderSitemapIndex } from '../../src/formats/sitemapindex.ts'
import { textLine } from '../../src/formats/text.ts'
import { parseXml, select, texts, urlsetErrors } from '../support/xsd.ts'

const modules = createRequire(import.meta.url).cache
const isLoaded = () => Object.keys(modules).some((file) => /node_modules[/\\]xmlbuilder2[/\\]/.test(file))

describe('frames', () => {
  // Stands first: DESIGN section 6 bounds what an import of the package costs.
  it('imports xmlbuilder2 with the first document that needs it, not before', async () => {
    expect([renderHtmlPage, renderRss, renderSitemapIndex, textLine].map((format) => typeof format)).toEqual(
      Array(4).fill('function'),
    )
    expect(isLoaded()).toBe(false)
    await loadFrames()
    expect(isLoaded()).toBe(true)
  })

  const SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
  const IMAGE = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
  const XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'

  it.each([
    { name: 'plain', image: false, xhtml: false, root: `<urlset ${SITEMAP}>` },
    { name: 'images (E1)', image: true, xhtml: false, root: `<urlset ${SITEMAP} ${IMAGE}>` },
    { name: 'alternates (E4)', image: false, xhtml: true, root: `<urlset ${SITEMAP} ${XHTML}>` },
    { name: 'both', image: true, xhtml: true, root: `<urlset ${SITEMAP} ${IMAGE} ${XHTML}>` },
  ])('urlset with $name', async ({ image, xhtml, root }) => {
    const { urlsetFrame } = await loadFrames()
    expect(urlsetFrame({ image, xhtml })).toEqual({
      head: `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`,
      tail: '</urlset>\n',
    })
  })

  it('sitemapindex', async () => {
    const { indexFrame } = await loadFrames()
    expect(indexFrame()).toEqual({
      head: `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${SITEMAP}>\n`,
      tail: '</sitemapindex>\n',
    })
  })

  it('are made once', async () => {
    const frames = await loadFrames()
    expect(await loadFrames()).toBe(frames)
    expect(frames.urlsetFrame({ image: true, xhtml: false })).toBe(
      frames.urlsetFrame({ image: true, xhtml: false }),
    )
    expect(frames.indexFrame()).toBe(frames.indexFrame())
  })

  it('hold children of the namespaces they declare', async () => {
    const { head, tail } = (await loadFrames()).urlsetFrame({ image: true, xhtml: true })
    const url =
      '<url><loc>https://example.com/</loc>' +
      '<xhtml:link rel="alternate" hreflang="en" href="https://example.com/"/>' +
      '<image:image><image:loc>https://example.com/a.png</image:loc></image:image></url>\n'
    const xml = head + url + tail
    expect(urlsetErrors(xml)).toEqual([])
    expect(texts(parseXml(xml), '/sm:urlset/sm:url/image:image/image:loc')).toEqual([
      'https://example.com/a.png',
    ])
    expect(select(parseXml(xml), '/sm:urlset/sm:url/xhtml:link')).toHaveLength(1)
  })
})
