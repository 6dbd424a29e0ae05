import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partPath, readPartPath, SECTION_KEY } from '../../src/table/paths.ts'

describe('paths of parts and pages (DESIGN 3, paths)', () => {
  it.each([
    { path: '/sitemap-posts-1.xml', section: 'posts', format: 'xml' },
    { path: '/sitemap-posts-12.txt', section: 'posts', format: 'txt' },
    { path: '/sitemap-Blog_2-999999.html', section: 'Blog_2', format: 'html' },
    { path: '/sitemap-a-1.xml', section: 'a', format: 'xml' },
  ])('$path', ({ path, section, format }) => {
    expect(readPartPath(path)).toEqual({ section, format })
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
  })

  it('every section and number is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(SECTION_KEY),
        fc.integer({ min: 1, max: 50_000 }),
        fc.constantFrom('xml', 'txt', 'html'),
        (section, number, format) => {
          expect(readPartPath(partPath(section, number, format))).toEqual({ section, format })
        },
      ),
    )
  })

  it('an invented path of any length is told at once', () => {
    for (const path of [`/sitemap-${'a'.repeat(1_000_000)}`, `/sitemap-a-${'1'.repeat(1_000_000)}`])
      expect(readPartPath(path)).toBeUndefined()
  })
})
