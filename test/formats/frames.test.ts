import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FrameSettings, loadFrames } from '../../src/formats/frames.ts'
import { renderHtmlPage } from '../../src/formats/html.ts'
import { renderRss } from '../../src/formats/rss.ts'
import { renderSitemapIndex } from '../../src/formats/sitemapindex.ts'
import { textLine } from '../../src/formats/text.ts'
import {
  FIRST_OWN_NAMESPACE,
  IMAGE_NAMESPACE,
  MOST_OWN_NAMESPACES,
  NEWS_NAMESPACE,
  VIDEO_NAMESPACE,
  XHTML_NAMESPACE,
} from '../../src/formats/urlset.ts'
import { indexErrors, parseXml, select, texts, urlsetErrors } from '../support/xsd.ts'

const modules = createRequire(import.meta.url).cache
const isLoaded = () => Object.keys(modules).some((file) => /node_modules[/\\]xmlbuilder2[/\\]/.test(file))

const PLAIN: FrameSettings = { namespaces: [], stylesheet: undefined }
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const IMAGE = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
const VIDEO = 'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
const NEWS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
const XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'

describe('frames', () => {
  // Stands first: DESIGN section 6 bounds what an import of the package costs.
  it('imports xmlbuilder2 with the first document that needs it, not before', async () => {
    expect([renderHtmlPage, renderRss, renderSitemapIndex, textLine].map((format) => typeof format)).toEqual(
      Array(4).fill('function'),
    )
    expect(isLoaded()).toBe(false)
    await loadFrames(PLAIN)
    expect(isLoaded()).toBe(true)
  })

  it.each([
    { name: 'plain', bits: 0, root: `<urlset ${SITEMAP}>` },
    { name: 'images (E1)', bits: IMAGE_NAMESPACE, root: `<urlset ${SITEMAP} ${IMAGE}>` },
    { name: 'videos (E2)', bits: VIDEO_NAMESPACE, root: `<urlset ${SITEMAP} ${VIDEO}>` },
    { name: 'news (E3)', bits: NEWS_NAMESPACE, root: `<urlset ${SITEMAP} ${NEWS}>` },
    { name: 'alternates (E4)', bits: XHTML_NAMESPACE, root: `<urlset ${SITEMAP} ${XHTML}>` },
    { name: 'all four', bits: 15, root: `<urlset ${SITEMAP} ${IMAGE} ${VIDEO} ${NEWS} ${XHTML}>` },
  ])('urlset with $name', async ({ bits, root }) => {
    expect((await loadFrames(PLAIN)).urlset(bits)).toEqual({
      head: `${DECLARATION}${root}\n`,
      tail: '</urlset>\n',
    })
  })

  it('namespaces of the site stand where an entry uses them, and nowhere else', async () => {
    const frames = await loadFrames({
      namespaces: [
        ['shop', 'https://example.com/ns/shop'],
        ['geo', 'urn:geo'],
      ],
      stylesheet: undefined,
    })
    const rootOf = (bits: number) => frames.urlset(bits).head.slice(DECLARATION.length)
    const shop = 'xmlns:shop="https://example.com/ns/shop"'
    expect(rootOf(0)).toBe(`<urlset ${SITEMAP}>\n`)
    expect(rootOf(FIRST_OWN_NAMESPACE)).toBe(`<urlset ${SITEMAP} ${shop}>\n`)
    expect(rootOf(FIRST_OWN_NAMESPACE << 1)).toBe(`<urlset ${SITEMAP} xmlns:geo="urn:geo">\n`)
    expect(rootOf((FIRST_OWN_NAMESPACE * 3) | XHTML_NAMESPACE)).toBe(
      `<urlset ${SITEMAP} ${XHTML} ${shop} xmlns:geo="urn:geo">\n`,
    )
    expect(frames.index().head).toBe(`${DECLARATION}<sitemapindex ${SITEMAP}>\n`)
  })

  it('as many as may be declared', async () => {
    const namespaces = Array.from({ length: MOST_OWN_NAMESPACES }, (_, i) => [`n${i}`, `urn:${i}`] as const)
    const frames = await loadFrames({ namespaces, stylesheet: undefined })
    for (const [i, [prefix, uri]] of namespaces.entries())
      expect(frames.urlset(FIRST_OWN_NAMESPACE << i).head).toBe(
        `${DECLARATION}<urlset ${SITEMAP} xmlns:${prefix}="${uri}">\n`,
      )
  })

  it('sitemapindex', async () => {
    expect((await loadFrames(PLAIN)).index()).toEqual({
      head: `${DECLARATION}<sitemapindex ${SITEMAP}>\n`,
      tail: '</sitemapindex>\n',
    })
  })

  it('are made once', async () => {
    const frames = await loadFrames(PLAIN)
    expect(frames.urlset(IMAGE_NAMESPACE)).toBe(frames.urlset(IMAGE_NAMESPACE))
    expect(frames.urlset(IMAGE_NAMESPACE)).not.toBe(frames.urlset(0))
    expect(frames.index()).toBe(frames.index())
  })

  it('hold children of the namespaces they declare', async () => {
    const { head, tail } = (await loadFrames(PLAIN)).urlset(IMAGE_NAMESPACE | XHTML_NAMESPACE)
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

describe('stylesheet (SPEC B10, B11)', () => {
  const URL_XML = '<url><loc>https://example.com/page</loc></url>\n'
  const SITEMAP_XML = '<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n'

  it('stands behind the declaration and before the root, in urlset and index alike', async () => {
    const frames = await loadFrames({ ...PLAIN, stylesheet: '/sitemap.css' })
    const instruction = '<?xml-stylesheet type="text/css" href="/sitemap.css"?>\n'
    expect(frames.urlset(0)).toEqual({
      head: `${DECLARATION}${instruction}<urlset ${SITEMAP}>\n`,
      tail: '</urlset>\n',
    })
    expect(frames.index()).toEqual({
      head: `${DECLARATION}${instruction}<sitemapindex ${SITEMAP}>\n`,
      tail: '</sitemapindex>\n',
    })
    expect(urlsetErrors(frames.urlset(0).head + URL_XML + frames.urlset(0).tail)).toEqual([])
    expect(indexErrors(frames.index().head + SITEMAP_XML + frames.index().tail)).toEqual([])
  })

  it('any path, and URIs with what XML escapes: the document is well-formed and says them', async () => {
    const pieces = fc.constantFrom(
      '?>',
      '<urlset',
      '&amp;',
      '&copy;',
      '&#60;',
      '&',
      '"',
      "'",
      '<',
      '>',
      '\0',
      'é',
      '\n',
    )
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    )
    // What is no URI is refused with the options.
    const anyUri = fc
      .array(fc.constantFrom('a', '&', '&amp;', '&copy;', "'", ';', '%20', '?', '#'))
      .map((parts) => parts.join('').replace(/#(?=.*#)/g, ''))
    await fc.assert(
      fc.asyncProperty(anyText, anyUri, async (path, uri) => {
        const frames = await loadFrames({ namespaces: [['own', `urn:${uri}`]], stylesheet: `/${path}` })
        const { head, tail } = frames.urlset(FIRST_OWN_NAMESPACE)
        const document = parseXml(head + tail)
        const clean = (text: string) => text.toWellFormed().replace(FORBIDDEN, '')
        expect(document.documentElement?.getAttribute('xmlns:own')).toBe(`urn:${uri}`)
        const [declaration, ...rest] = head.split('\n')
        expect(`${declaration}\n`).toBe(DECLARATION)
        expect(rest).toHaveLength(3)
        const href = /^<\?xml-stylesheet type="text\/css" href="([^"<]*)"\?>$/.exec(rest[0] ?? '')?.[1] ?? ''
        // A pseudo-attribute is read as an attribute is (xml-stylesheet §3).
        expect(parseXml(`<a href="${href}"/>`).documentElement?.getAttribute('href')).toBe(clean(`/${path}`))
      }),
      { numRuns: 300 },
    )
  })

  // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 forbids (SPEC U20)
  const FORBIDDEN = /[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
})
