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
