/** SPEC section 5, on the RSS feed as it is served. */
import type { Document } from '@xmldom/xmldom'
import { afterEach, describe, expect, it } from 'vitest'
import type { Entry } from '../../src/index.ts'
import { closeEngines, type TestOptions } from '../support/site.ts'
import { rssErrors, select, texts } from '../support/xsd.ts'
import { serve, untyped } from './served.ts'

afterEach(closeEngines)

async function feedOf(entries: readonly Entry[], options: Partial<TestOptions> = {}): Promise<Document> {
  const served = serve({ ...options, providers: { pages: () => entries } })
  expect(rssErrors(await served.text('/feed.rss'))).toEqual([])
  return served.xml('/feed.rss')
}

const page = { loc: '/a', title: 'A' }
const ITEM = '/rss/channel/item[last()]'

describe('ROR (SPEC 5)', () => {
  it('R1, R2: its elements carry the prefix ror of its namespace, beside those of RSS', async () => {
    const document = await feedOf([{ ...page, type: 'Product', description: 'D', lastmod: '2026-05-10' }])
    expect(document.documentElement?.getAttribute('xmlns:ror')).toBe('http://rorweb.com/0.1/')
    const own = select(document, '//item/*[namespace-uri() = "http://rorweb.com/0.1/"]')
    expect(own.length).toBeGreaterThan(4)
    for (const { nodeName } of own) expect(nodeName).toMatch(/^ror:[a-z]+[A-Za-z]*$/)
    expect(texts(document, `${ITEM}/title | ${ITEM}/link | ${ITEM}/description`)).toEqual([
      'A',
      'https://www.example.com/a',
      'D',
    ])
  })

  it('R3: pages name it in their heads, as ROR', () => {
    const links = serve({ providers: { pages: ['/'] } }).site.handle.links()
    expect(links).toContain(
      '<link rel="alternate" type="application/xml" title="ROR" href="https://www.example.com/feed.rss">',
    )
    const moved = serve({ routes: { rss: '/ror.xml' }, providers: { pages: ['/'] } }).site.handle.links()
    expect(moved).toContain('title="ROR" href="https://www.example.com/ror.xml"')
  })

  it('R4: the main feed names those of the sections, which name none', async () => {
    const served = serve({ providers: { pages: () => [page], more: () => [{ loc: '/b', title: 'B' }] } })
    expect(texts(await served.xml('/feed.rss'), '//ror:seeAlso')).toEqual([
      'https://www.example.com/feed-pages.rss',
      'https://www.example.com/feed-more.rss',
    ])
    expect(texts(await served.xml('/feed-more.rss'), '//ror:seeAlso')).toEqual([])
  })

  it.each([
    { says: 'an empty site', entries: [] },
    { says: 'pages', entries: [page] },
    { says: 'a page that calls itself Main', entries: [{ ...page, type: 'main' }] },
  ])('R5: there is exactly one Main, the first item, the site: $says', async ({ entries }) => {
    const document = await feedOf(entries)
    expect(texts(document, '//item[ror:type = "Main"]/link')).toEqual(['https://www.example.com/'])
    expect(texts(document, '//item[1]/ror:type')).toEqual(['Main'])
  })

  it('R6, R15, R16: pages are resources of the anchor, the second item, which is named once', async () => {
    const document = await feedOf([page, { loc: '/b', title: 'B', resourceOf: 'shop' }])
    expect(texts(document, '//item[2]/*[not(self::guid)]')).toEqual([
      'Sitemap',
      'https://www.example.com/sitemap.html',
      'sitemap',
      'SiteMap',
    ])
    expect(texts(document, '//ror:about')).toEqual(['sitemap'])
    expect(texts(document, '//item[position() > 2]/ror:resourceOf')).toEqual(['sitemap', 'shop'])
    const without = await feedOf([page], { routes: { html: false } })
    expect(select(without, '//ror:about | //ror:resourceOf')).toEqual([])
  })

  it.each([
    { row: 'R7, R10', fields: { type: 'product' }, element: 'type', found: ['Product'] },
    { row: 'R10', fields: { type: 'Live show' }, element: 'type', found: ['Live show'] },
    { row: 'R10', fields: {}, element: 'type', found: [] },
    { row: 'R11', fields: { keywords: ['a', 'b & c'] }, element: 'keywords', found: ['a, b & c'] },
    { row: 'R11', fields: { keywords: 'a,b , a' }, element: 'keywords', found: ['a, b'] },
    { row: 'R12 (W3)', fields: { lastmod: '2026-05-10' }, element: 'updated', found: ['2026-05-10'] },
    {
      row: 'R12 (W4)',
      fields: { lastmod: '2026-05-10T10:20+01:00' },
      element: 'updated',
      found: ['2026-05-10T10:20:00+01:00'],
    },
    {
      row: 'R12 (W6)',
      fields: { lastmod: '2026-05-10T10:20:30.45+01:00' },
      element: 'updated',
      found: ['2026-05-10T10:20:30+01:00'],
    },
    {
      row: 'R12, D10',
      fields: { lastmod: '2009-03-06 13:03:30' },
      element: 'updated',
      found: ['2009-03-06T13:03:30Z'],
    },
    { row: 'R12', fields: { lastmod: '2026' }, element: 'updated', found: [] },
    { row: 'R13', fields: { updatePeriod: 'Week' }, element: 'updatePeriod', found: ['week'] },
    { row: 'R13', fields: { updatePeriod: 'daily' }, element: 'updatePeriod', found: [] },
    { row: 'R13', fields: {}, element: 'updatePeriod', found: [] },
    ...(
      [
        ['always', 'hour'],
        ['hourly', 'hour'],
        ['daily', 'day'],
        ['weekly', 'week'],
        ['monthly', 'month'],
        ['yearly', 'year'],
        ['never', undefined],
      ] as const
    ).map(([changefreq, period]) => ({
      row: 'R13, from changefreq',
      fields: { changefreq },
      element: 'updatePeriod',
      found: period === undefined ? [] : [period],
    })),
    {
      row: 'R13, before changefreq',
      fields: { changefreq: 'daily', updatePeriod: 'year' },
      element: 'updatePeriod',
      found: ['year'],
    },
    { row: 'R14', fields: { sortOrder: 0 }, element: 'sortOrder', found: ['0'] },
    { row: 'R14', fields: { sortOrder: -1 }, element: 'sortOrder', found: [] },
    { row: 'R14, not from priority', fields: { priority: 1 }, element: 'sortOrder', found: [] },
    {
      row: 'R17',
      fields: { images: ['/1.png?a&b', '/2.png'] },
      element: 'image',
      found: ['https://www.example.com/1.png?a&b'],
    },
  ])('$row: $fields → $found', async ({ fields, element, found }) => {
    const document = await feedOf([untyped({ ...page, ...fields })])
    expect(texts(document, `${ITEM}/ror:${element}`)).toEqual(found)
  })

  it('R12: the site itself is as new as its newest page, in seconds', async () => {
    const document = await feedOf([
      { ...page, lastmod: '2025-05-10T10:20:30.45Z' },
      { loc: '/b', title: 'B', lastmod: '2025-05-09' },
    ])
    expect(texts(document, '//item[1]/ror:updated')).toEqual(['2025-05-10T10:20:30Z'])
  })
})
