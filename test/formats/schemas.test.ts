import { describe, expect, it } from 'vitest'
import { indexErrors, parseXml, rssErrors, select, texts, urlsetErrors } from '../support/xsd.ts'

// The tests of the formats lean on these: each has to be able to say no.

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9'

describe('schemas', () => {
  it('urlset: accepts a valid one, names the line of what is wrong', () => {
    const urlset = (url: string) => `<urlset xmlns="${SITEMAP}">\n<url>${url}</url>\n</urlset>`
    expect(urlsetErrors(urlset('<loc>https://example.com/</loc>'))).toEqual([])
    expect(urlsetErrors(urlset('<loc>https://example.com/</loc><priority>0,5</priority>'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^2: .*priority/)]),
    )
    expect(urlsetErrors(Buffer.from(urlset('')))).not.toEqual([])
  })

  const EXTENDED =
    `<urlset xmlns="${SITEMAP}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"` +
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"' +
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"' +
    ' xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0" xmlns:shop="https://example.com/ns/shop">'

  const video = (more: string) =>
    '<video:video><video:thumbnail_loc>https://example.com/t</video:thumbnail_loc><video:title>T</video:title>' +
    `<video:description>D</video:description>${more}</video:video>`
  const news = (language: string) =>
    `<news:news><news:publication><news:name>N</news:name><news:language>${language}</news:language></news:publication>` +
    '<news:publication_date>2026-05-10</news:publication_date><news:title>T</news:title></news:news>'

  it.each([
    {
      name: 'image: title before caption (E12)',
      good: '<image:image><image:loc>https://example.com/i</image:loc><image:caption>C</image:caption><image:title>T</image:title></image:image>',
      bad: '<image:image><image:loc>https://example.com/i</image:loc><image:title>T</image:title><image:caption>C</image:caption></image:image>',
    },
    {
      name: 'video: duration of nine hours (E26)',
      good: video('<video:duration>28800</video:duration>'),
      bad: video('<video:duration>32400</video:duration>'),
    },
    {
      name: 'video: live before tag (D8)',
      good: video('<video:tag>a</video:tag><video:live>yes</video:live>'),
      bad: video('<video:live>yes</video:live><video:tag>a</video:tag>'),
    },
    { name: 'news: language with a region (E53)', good: news('zh-cn'), bad: news('en-US') },
    {
      name: 'xhtml: underscore (E75)',
      good: '<xhtml:link rel="alternate" hreflang="en-US" href="https://example.com/"/>',
      bad: '<xhtml:link rel="alternate" hreflang="en_US" href="https://example.com/"/>',
    },
    { name: 'mobile: text (E6)', good: '<mobile:mobile/>', bad: '<mobile:mobile>x</mobile:mobile>' },
    { name: 'own namespace: unknown name', good: '<shop:price a="1">5</shop:price>', bad: '<shop:cost/>' },
  ])('urlset with extensions: refuses $name', ({ good, bad }) => {
    const urlset = (more: string) =>
      `${EXTENDED}<url><loc>https://example.com/page</loc>${more}</url></urlset>`
    expect(urlsetErrors(urlset(good))).toEqual([])
    expect(urlsetErrors(urlset(bad))).not.toEqual([])
  })

  it('sitemapindex: refuses a relative loc', () => {
    const index = (loc: string) =>
      `<sitemapindex xmlns="${SITEMAP}"><sitemap><loc>${loc}</loc></sitemap></sitemapindex>`
    expect(indexErrors(index('https://example.com/a.xml'))).toEqual([])
    expect(indexErrors(index('/a.xml'))).not.toEqual([])
  })

  it('rss: refuses a channel without description', () => {
    const rss = (more: string) =>
      `<rss version="2.0"><channel><title>t</title><link>https://example.com/</link>${more}</channel></rss>`
    expect(rssErrors(rss('<description/>'))).toEqual([])
    expect(rssErrors(rss(''))).not.toEqual([])
  })
})

describe('parseXml', () => {
  it.each([
    { name: 'bare ampersand', xml: '<a>x & y</a>' },
    { name: 'unknown entity', xml: '<a>&nope;</a>' },
    { name: 'control character', xml: '<a>\u0001</a>' },
    { name: 'reference to a control character', xml: '<a>&#1;</a>' },
    { name: 'lone surrogate', xml: '<a>\ud800</a>' },
    { name: 'end of CDATA in text', xml: '<a>]]></a>' },
    { name: 'tags that cross', xml: '<a><b></a></b>' },
    { name: 'undeclared prefix', xml: '<x:a/>' },
    { name: 'an attribute twice', xml: '<a b="1" b="2"/>' },
    { name: 'text after the root', xml: '<a/>x' },
    { name: 'line before the declaration', xml: '\n<?xml version="1.0"?><a/>' },
  ])('throws at: $name', ({ xml }) => {
    expect(() => parseXml(xml)).toThrow()
  })

  it('reads text as XML 1.0 does: U+0085 and U+2028 stay, line ends become LF', () => {
    expect(texts(parseXml('<a>\u0085\u2028\r\n&#13;</a>'), '/a')).toEqual(['\u0085\u2028\n\r'])
  })

  it('select refuses what names no nodes', () => {
    expect(() => select(parseXml('<a/>'), 'count(/a)')).toThrow(TypeError)
  })
})
