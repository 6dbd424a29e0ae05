import { describe, expect, it } from 'vitest'
import { loadFrames } from '../../src/formats/frames.ts'
import { renderSitemapIndex } from '../../src/formats/sitemapindex.ts'
import { indexErrors, parseXml, select, texts } from '../support/xsd.ts'

const frame = (await loadFrames({ namespaces: [], stylesheet: undefined })).index()

describe('sitemapindex', () => {
  it('is one line a part; lastmod stands where there is one (SPEC I4, I5)', async () => {
    const xml = await renderSitemapIndex(
      [
        { loc: 'https://example.com/sitemap-posts-1.xml', lastmod: '2026-05-10' },
        { loc: 'https://example.com/sitemap-pages-1.xml' },
      ],
      frame,
    )
    expect(xml).toBe(
      `${[
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        '<sitemap><loc>https://example.com/sitemap-posts-1.xml</loc><lastmod>2026-05-10</lastmod></sitemap>',
        '<sitemap><loc>https://example.com/sitemap-pages-1.xml</loc></sitemap>',
        '</sitemapindex>',
      ].join('\n')}\n`,
    )
    expect(indexErrors(xml)).toEqual([])
  })

  it('escapes loc (SPEC U11)', async () => {
    const loc = "https://example.com/s.xml?a=1&b='2'"
    const xml = await renderSitemapIndex([{ loc }], frame)
    expect(xml).toContain('?a=1&amp;b=&apos;2&apos;')
    expect(texts(parseXml(xml), '//sm:loc')).toEqual([loc])
  })

  it('is valid and complete with 50,000 parts (SPEC I3, I10)', async () => {
    const entries = Array.from({ length: 50_000 }, (_, i) => ({
      loc: `https://example.com/sitemap-products-${i + 1}.xml`,
      lastmod: i % 2 === 0 ? '2026-05-10T10:20:30Z' : undefined,
    }))
    const xml = await renderSitemapIndex(entries, frame)
    expect(indexErrors(xml)).toEqual([])
    expect(xml.match(/<loc>[^<]*<\/loc>/g)).toEqual(entries.map(({ loc }) => `<loc>${loc}</loc>`))
    expect(xml.match(/<lastmod>/g)).toHaveLength(25_000)
  })

  it('without parts is well-formed and empty (SPEC 1.6)', async () => {
    expect(select(parseXml(await renderSitemapIndex([], frame)), '/sm:sitemapindex/*')).toEqual([])
  })

  it('points at the stylesheet of the site (SPEC B11)', async () => {
    const frames = await loadFrames({ namespaces: [], stylesheet: '/sitemap.css' })
    const xml = await renderSitemapIndex([{ loc: 'https://example.com/a.xml' }], frames.index())
    expect(xml.split('\n')[1]).toBe('<?xml-stylesheet type="text/css" href="/sitemap.css"?>')
    expect(indexErrors(xml)).toEqual([])
  })
})
