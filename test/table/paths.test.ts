import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isFirstPart,
  isNewsPath,
  localePath,
  newsPath,
  partPath,
  readPartPath,
  SECTION_KEY,
  sectionFeedPath,
} from '../../src/table/paths.ts'

const LOCALES = ['en', 'pt', 'pt-BR', 'zh-Hant-TW', 'zho-Hant-419']

describe('paths of parts and pages (DESIGN 3, paths)', () => {
  it.each([
    { path: '/sitemap-posts-1.xml', section: 'posts', format: 'xml' },
    { path: '/sitemap-posts-12.txt', section: 'posts', format: 'txt' },
    { path: '/sitemap-Blog_2-999999.html', section: 'Blog_2', format: 'html' },
    { path: '/sitemap-a-1.xml', section: 'a', format: 'xml' },
  ])('$path', ({ path, section, format }) => {
    expect(readPartPath(path)).toEqual({ section, format, locale: undefined })
    expect(readPartPath(path, [])).toEqual({ section, format, locale: undefined })
  })

  it.each([
    { path: '/sitemap_en-posts-1.xml', locale: 'en', section: 'posts', format: 'xml' },
    { path: '/sitemap_pt-BR-1.txt', locale: 'pt', section: 'BR', format: 'txt' },
    { path: '/sitemap_pt-BR-posts-1.txt', locale: 'pt-BR', section: 'posts', format: 'txt' },
    { path: '/sitemap_zh-Hant-TW-TW-3.html', locale: 'zh-Hant-TW', section: 'TW', format: 'html' },
    { path: '/sitemap_zho-Hant-419-a_1-20.html', locale: 'zho-Hant-419', section: 'a_1', format: 'html' },
  ])('$path of a locale', ({ path, ...part }) => {
    expect(readPartPath(path, LOCALES)).toEqual(part)
    expect(readPartPath(path)).toBeUndefined()
  })

  it.each([
    { name: 'part 0', path: '/sitemap-posts-0.xml' },
    { name: 'leading zero', path: '/sitemap-posts-01.xml' },
    { name: 'negative', path: '/sitemap-posts--1.xml' },
    { name: 'no number', path: '/sitemap-posts.xml' },
    { name: 'no section', path: '/sitemap--1.xml' },
    { name: 'hyphen in the section', path: '/sitemap-my-posts-1.xml' },
    { name: 'section that begins with a digit', path: '/sitemap-1posts-1.xml' },
    { name: 'another extension', path: '/sitemap-posts-1.json' },
    { name: 'upper-case extension', path: '/sitemap-posts-1.XML' },
    { name: 'gz', path: '/sitemap-posts-1.xml.gz' },
    { name: 'something before', path: '/x/sitemap-posts-1.xml' },
    { name: 'a line end behind', path: '/sitemap-posts-1.xml\n' },
    { name: 'a query', path: '/sitemap-posts-1.xml?x' },
    { name: 'the merged urlset', path: '/sitemap.xml' },
    { name: 'full-width digits', path: '/sitemap-posts-１.xml' },
  ])('none of ours: $name', ({ path }) => {
    expect(readPartPath(path)).toBeUndefined()
    const ofLocale = path.replace('/sitemap-', '/sitemap_pt-BR-')
    expect(readPartPath(ofLocale, LOCALES)).toBeUndefined()
  })

  it.each([
    { name: 'a locale that is not known', path: '/sitemap_fr-posts-1.xml' },
    { name: 'a locale in another case', path: '/sitemap_PT-br-posts-1.xml' },
    { name: 'a region that is not known', path: '/sitemap_en-GB-posts-1.xml' },
    { name: 'no locale', path: '/sitemap-posts-1.xml' },
    { name: 'an empty locale', path: '/sitemap_-posts-1.xml' },
    { name: 'no section', path: '/sitemap_en-1.xml' },
    { name: 'the document of a locale', path: '/sitemap_en.xml' },
    { name: 'the index', path: '/sitemap_index.xml' },
  ])('none of ours where there are locales: $name', ({ path }) => {
    expect(readPartPath(path, LOCALES)).toBeUndefined()
  })

  const section = fc.stringMatching(SECTION_KEY)
  const extension = fc.constantFrom('xml' as const, 'txt' as const, 'html' as const)

  it('every locale, section and number is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.option(fc.constantFrom(...LOCALES), { nil: undefined }),
        section,
        fc.integer({ min: 1, max: 50_000 }),
        extension,
        (locale, key, number, format) => {
          const path = partPath(key, number, format, locale)
          const locales = locale === undefined ? [] : LOCALES
          expect(readPartPath(path, locales)).toEqual({ section: key, format, locale })
          expect(isFirstPart(path, key, locales)).toBe(number === 1)
          expect(isFirstPart(path, `${key}x`, locales)).toBe(false)
        },
      ),
    )
  })

  it('an invented path of any length is told at once', () => {
    for (const path of [
      `/sitemap-${'a'.repeat(1_000_000)}`,
      `/sitemap-a-${'1'.repeat(1_000_000)}`,
      `/sitemap_en-${'a-'.repeat(500_000)}`,
      `/sitemap_${'en-1'.repeat(500_000)}`,
      `/sitemap_en-a-${'1'.repeat(1_000_000)}`,
    ]) {
      expect(readPartPath(path)).toBeUndefined()
      expect(readPartPath(path, LOCALES)).toBeUndefined()
      expect(isNewsPath(path, '/sitemap.xml')).toBe(false)
    }
  })
})

describe('paths made of others (DESIGN 3, paths)', () => {
  it.each([
    { path: '/feed.rss', feed: '/feed-posts.rss', second: '/feed_2.rss' },
    { path: '/rss', feed: '/rss-posts', second: '/rss_2' },
    { path: '/v1.2/feed', feed: '/v1.2/feed-posts', second: '/v1.2/feed_2' },
    { path: '/a/feed.rss.xml', feed: '/a/feed.rss-posts.xml', second: '/a/feed.rss_2.xml' },
    { path: '/.feed', feed: '/.feed-posts', second: '/.feed_2' },
    { path: '/a/.feed.rss', feed: '/a/.feed-posts.rss', second: '/a/.feed_2.rss' },
    { path: '/feed.', feed: '/feed-posts.', second: '/feed_2.' },
    { path: '/sitemap-news.xml', feed: '/sitemap-news-posts.xml', second: '/sitemap-news_2.xml' },
  ])('$path → $feed, $second', ({ path, feed, second }) => {
    expect(sectionFeedPath(path, 'posts')).toBe(feed)
    expect(newsPath(path, 1)).toBe(path)
    expect(newsPath(path, 2)).toBe(second)
  })

  it('the documents of a locale', () => {
    expect(localePath('fr', 'xml')).toBe('/sitemap_fr.xml')
    expect(localePath('zh-Hant-TW', 'html')).toBe('/sitemap_zh-Hant-TW.html')
  })

  it.each([
    { path: '/sitemap-news.xml', is: true },
    { path: '/sitemap-news_2.xml', is: true },
    { path: '/sitemap-news_10.xml', is: true },
    { path: '/sitemap-news_1.xml', is: false },
    { path: '/sitemap-news_0.xml', is: false },
    { path: '/sitemap-news_02.xml', is: false },
    { path: '/sitemap-news_.xml', is: false },
    { path: '/sitemap-news_2.xml.xml', is: false },
    { path: '/sitemap-news_2', is: false },
    { path: '/sitemap-news_a.xml', is: false },
    { path: '/sitemap-news2.xml', is: false },
    { path: '/x/sitemap-news_2.xml', is: false },
  ])('$path is a file of the news: $is', ({ path, is }) => {
    expect(isNewsPath(path, '/sitemap-news.xml')).toBe(is)
  })

  it('every file of the news is known as one, and none of another document', () => {
    const path = fc.stringMatching(/^\/[a-z.-]{1,12}$/)
    fc.assert(
      fc.property(path, path, fc.integer({ min: 1, max: 50_000 }), (news, other, number) => {
        expect(isNewsPath(newsPath(news, number), news)).toBe(true)
        if (news !== other) expect(newsPath(other, number)).not.toBe(newsPath(news, number))
      }),
    )
  })
})
