import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SitemapError } from '../../src/errors.ts'
import { resolveOptions } from '../../src/options.ts'
import { least, refusal, resolve } from './resolving.ts'

describe('faults', () => {
  it.each([
    {
      name: 'nothing',
      options: undefined,
      line: 'the options are missing: expected an object with site and providers. Write { site:',
    },
    { name: 'null', options: null, line: 'the options are null (null): expected' },
    { name: 'a list', options: [], line: 'the options are a list of 0 (object): expected' },
    {
      name: 'text',
      options: 'https://www.example.com',
      line: 'the options are "https://www.example.com" (string): expected',
    },
  ])('$name as options', ({ options, line }) => {
    expect(refusal(options).message).toContain(line)
  })

  it('an empty object misses site and providers', () => {
    const { message } = refusal({})
    expect(message.split('\n')).toEqual([
      '2 options are wrong:',
      `option "providers" is missing: expected an object with one provider or more, each under its section. Write providers: { pages: ['/', '/about'] }.`,
      `option "site" is missing: expected an object with url. Write site: { url: 'https://www.example.com' }.`,
    ])
  })

  it('all faults of one call come in one error, a line each', () => {
    const { message, code } = refusal({
      site: { url: 'example.com', langauge: 'en' },
      providers: { 'my-posts': new Set(), b: { entries: [], ttl: 'soon' } },
      routes: { rss: 'feed' },
      timeout: 30_000,
      cache: { memory: 'much', store: {} },
      exlude: '/a',
      webhooks: [],
    })
    const lines = message.split('\n')
    expect(lines[0]).toBe('11 options are wrong:')
    const paths = lines.slice(1).map((line) => /^option "([^"]+)" is /.exec(line)?.[1])
    expect(paths.toSorted()).toEqual(
      [
        'site.url',
        'site.langauge',
        'providers.my-posts',
        'providers.my-posts',
        'providers.b.ttl',
        'routes.rss',
        'timeout',
        'cache.memory',
        'cache.store',
        'exlude',
        'webhooks',
      ].toSorted(),
    )
    expect(code).toBe('LSM_ERR_OPTION_INVALID')
  })

  it('stay on their line, whatever a key or value holds', () => {
    const { message } = refusal({ ...least, 'a\nb': 1, name: 'c\nd', ['x'.repeat(5_000)]: 1 })
    expect(message.split('\n')).toHaveLength(4)
    expect(message.length).toBeLessThan(2_000)
  })

  it('never end in another error, whatever comes', () => {
    const anything = fc.anything({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withDate: true,
      withNullPrototype: true,
    })
    const names = Object.keys(resolve()).concat(
      'timeout',
      'retries',
      'maxShrink',
      'publicPath',
      'sites',
      'i18n',
      'zzz',
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), anything), anything, (more, value) => {
        for (const options of [
          { ...least, ...more },
          { ...least, providers: { a: value, b: { entries: value } } },
          value,
        ]) {
          try {
            resolveOptions(options)
          } catch (error) {
            expect(error).toBeInstanceOf(SitemapError)
          }
        }
      }),
    )
  })

  it('never end in another error, whatever comes in their places', () => {
    const anything = fc.anything({
      withBigInt: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
    })
    const members = fc.oneof(anything, fc.array(anything, { maxLength: 3 }), fc.string({ unit: 'binary' }))
    const places: Readonly<Record<string, readonly string[]>> = {
      routes: ['atom', 'json', 'news', 'robots', 'llms', 'css', 'profile'],
      feed: [
        'content',
        'image',
        'ttl',
        'hubs',
        'copyright',
        'author',
        'managingEditor',
        'webMaster',
        'categories',
      ],
      html: ['head', 'template', 'strings', 'profileUri'],
      news: ['name', 'language'],
      i18n: ['locales', 'defaultLocale', 'xDefault', 'maxGrouped'],
      robots: ['groups', 'sitemaps'],
      llms: ['details', 'sections', 'optional', 'limit'],
    }
    const place = fc.constantFrom(
      ...Object.entries(places).flatMap(([at, names]) => names.map((name) => [at, name])),
    )
    fc.assert(
      fc.property(place, members, ([at = '', name = ''], value) => {
        for (const options of [
          { ...least, [at]: { [name]: value } },
          { ...least, html: { strings: { fr: { [name]: value, entries: value }, [name]: value } } },
          { ...least, feed: { image: { url: value, width: value, height: value } } },
          { ...least, robots: { groups: [value, { userAgent: value, allow: value, disallow: value }] } },
          { ...least, namespaces: { shop: value, [String(name)]: 'urn:a' } },
        ]) {
          try {
            resolveOptions(options)
          } catch (error) {
            expect(error).toBeInstanceOf(SitemapError)
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})
