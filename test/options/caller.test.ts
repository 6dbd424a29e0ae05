import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../src/options.ts'
import { site } from './resolving.ts'

describe('what the caller holds', () => {
  const everything = () => ({
    site: { ...site, title: 'A', hosts: ['www.example.com'], data: { a: { b: 1 } } },
    providers: {
      pages: ['/', { loc: '/a', images: ['/b.png'] }],
      posts: {
        entries: () => [],
        formats: ['xml', 'feed', 'html'],
        defaults: { keywords: ['a'] },
        version: () => 1,
      },
    },
    routes: { rss: '/rss.xml' },
    exclude: ['/x/*', /y/g],
    cache: { ttl: '1m' },
    encodings: ['gzip'],
    feed: {
      sections: ['posts'],
      content: () => null,
      image: { url: new URL('https://cdn.example/a.png'), width: 88 },
      hubs: ['https://hub.example/'],
      categories: ['News'],
    },
    html: {
      pageSize: 10,
      strings: { fr: { sitemap: 'Plan', entries: { other: '{n}' } } },
      template: () => '<!doctype html>',
    },
    news: { name: 'Example' },
    i18n: { locales: ['en', 'fr'] },
    robots: {
      groups: [{ userAgent: ['a'], allow: ['/a'], disallow: ['', '/b'] }],
      sitemaps: ['https://b.example/'],
    },
    llms: { sections: ['posts', 'pages'], optional: ['posts'] },
    namespaces: { shop: 'urn:shop' },
    log: { info() {}, warn() {}, error() {} },
    transform: (entry: unknown) => entry,
    logSerializers: { req: () => 1 },
  })

  it('is not changed: frozen options are taken', () => {
    const options = deepFreeze(everything())
    const { exclude } = resolveOptions(options)
    expect(exclude?.('/xyz')).toBe(true)
    expect(exclude?.('/xyz')).toBe(true)
  })

  it('is not frozen either', () => {
    const options = everything()
    resolveOptions(options)
    const seen = new Set<unknown>()
    const walk = (value: unknown): void => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
        return
      seen.add(value)
      expect(Object.isFrozen(value)).toBe(false)
      for (const key of Object.keys(value)) walk(Reflect.get(value, key))
    }
    walk(options)
    expect(seen.size).toBeGreaterThan(20)
  })

  it('does not change the result afterwards', () => {
    const options = everything()
    const resolved = resolveOptions(options)
    options.site.hosts.push('evil.example')
    options.encodings.push('br')
    options.feed.sections.push('pages')
    options.providers.posts.formats.push('txt')
    options.feed.hubs.push('x')
    options.feed.categories.push('x')
    options.feed.image.width = 7
    options.html.strings.fr.sitemap = 'x'
    options.html.strings.fr.entries.other = 'x'
    options.i18n.locales.push('de')
    options.robots.groups[0]?.allow.push('/x')
    options.robots.sitemaps.push('x')
    options.llms.sections.reverse()
    options.llms.optional.push('pages')
    Object.assign(options.namespaces, { b: 'urn:b' })
    options.providers.posts.defaults.keywords.push('b')
    options.site.title = 'B'
    expect(resolved.site.given).toMatchObject({ hosts: ['www.example.com'], title: 'A' })
    expect(resolved.encodings).toEqual(['gzip'])
    expect(resolved.feed.sections).toEqual(new Set(['posts']))
    expect(resolved.feed.settings).toMatchObject({
      image: { width: 88 },
      hubs: ['https://hub.example/'],
      categories: ['News'],
    })
    expect(resolved.html.strings).toEqual({ fr: { sitemap: 'Plan', entries: { other: '{n}' } } })
    expect(resolved.i18n.locales).toEqual(['en', 'fr'])
    expect(resolved.robots).toEqual({
      groups: [{ userAgent: ['a'], allow: ['/a'], disallow: ['/b'] }],
      sitemaps: ['https://b.example/'],
    })
    expect(resolved.llms).toMatchObject({ sections: ['posts', 'pages'], optional: new Set(['posts']) })
    expect(resolved.namespaces).toEqual([['shop', 'urn:shop']])
    expect(resolved.providers[1]).toMatchObject({
      formats: new Set(['xml', 'feed', 'html']),
      defaults: { keywords: ['a'] },
    })
  })

  it('gets back a result frozen to its depth, down to what is his', () => {
    const options = everything()
    const resolved = resolveOptions(options)
    const his = new Set<unknown>([options.log, options.transform, options.providers.pages, options.site.data])
    let frozen = 0
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || his.has(value)) return
      expect(Object.isFrozen(value)).toBe(true)
      frozen += 1
      for (const key of Object.keys(value)) walk(Reflect.get(value, key))
    }
    walk(resolved)
    expect(frozen).toBeGreaterThan(35)
    for (const set of [
      resolved.feed.sections,
      resolved.providers[0]?.formats,
      resolved.llms.optional,
    ] as unknown as Set<string>[]) {
      expect(() => set.add('x')).toThrow(TypeError)
      expect(() => set.delete('xml')).toThrow(TypeError)
      expect(() => set.clear()).toThrow(TypeError)
    }
  })
})

/** Frozen to the last plain object, list, RegExp and function: a change of any would throw. */
function deepFreeze<T>(value: T): T {
  if (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    !Object.isFrozen(value)
  ) {
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key))
  }
  return value
}
