import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SitemapError } from '../../src/errors.ts'
import { refuseAll, resolve } from './resolving.ts'

const uri = 'https://example.com/ns/shop'

describe('namespaces', () => {
  it('are pairs of prefix and URI in the order given', () => {
    const namespaces = {
      z: 'urn:z',
      Image: 'http://example.com/a#',
      '_a.b-c': "https://example.com/?a=1&b='x'",
    }
    expect(resolve({ namespaces }).namespaces).toEqual(Object.entries(namespaces))
    expect(resolve({ namespaces: {} }).namespaces).toEqual([])
    expect(resolve({ namespaces: { a: undefined } }).namespaces).toEqual([])
  })

  it('are 16 at most', () => {
    const of = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, `urn:${i}`]))
    expect(resolve({ namespaces: of(16) }).namespaces).toHaveLength(16)
    expect(() => resolve({ namespaces: of(17) })).toThrow(
      'option "namespaces" is an object with 17 prefixes: expected 16 prefixes at most. Take some out.',
    )
  })

  it('need no escaping but that of & and quotes, whatever was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (prefix, text) => {
        try {
          for (const [name, value] of resolve({ namespaces: { [prefix]: `urn:${text}` } }).namespaces) {
            expect(name).toMatch(/^[\w.-]+$/)
            expect(value).not.toMatch(/[^\x21-\x7e]|[<>"]/)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(SitemapError)
        }
      }),
    )
  })
})

describe('faults', () => {
  refuseAll([
    {
      name: 'text',
      more: { namespaces: `xmlns:shop="${uri}"` },
      line: `: expected an object with URIs by prefix. Write { shop: 'https://example.com/ns/shop' }, or leave it out.`,
    },
    {
      name: 'a Map',
      more: { namespaces: new Map([['shop', uri]]) },
      line: 'option "namespaces" is a Map: expected an object with URIs by prefix.',
    },
    ...['image', 'video', 'news', 'xhtml', 'xml', 'xmlns', 'XML', 'xmlShop'].map((prefix) => ({
      name: `the prefix ${prefix} (SPEC E1 to E4)`,
      more: { namespaces: { [prefix]: uri } },
      line: `option "namespaces.${prefix}" is "${prefix}" (string): expected a prefix of yours: image, video, news, xhtml and all that begin with xml are taken. Write "shop".`,
    })),
    ...[
      { prefix: 'my:shop', way: 'my_shop' },
      { prefix: '1shop', way: 'shop' },
      { prefix: 'café', way: 'caf_' },
      { prefix: '', way: 'shop' },
      { prefix: 'a b', way: 'a_b' },
      { prefix: '1xmlish', way: 'shop' },
    ].map(({ prefix, way }) => ({
      name: `the prefix ${JSON.stringify(prefix)}`,
      more: { namespaces: { [prefix]: uri } },
      line: `is ${JSON.stringify(prefix)} (string): expected a prefix: an ASCII letter or _, then letters, digits and ._-. Write "${way}".`,
    })),
    ...[
      '',
      'shop',
      '/ns/shop',
      'https:',
      'https://example.com/a b',
      'urn:a\nb',
      'urn:<a>',
      'urn:"',
      'urn:é',
      7,
      null,
    ].map((value) => ({
      name: `the URI ${JSON.stringify(value)}`,
      more: { namespaces: { shop: value } },
      line: `option "namespaces.shop" is ${JSON.stringify(value)} (${value === null ? 'null' : typeof value}): expected an absolute URI without white space. Write 'https://example.com/ns/shop'.`,
    })),
    ...[
      'http://www.sitemaps.org/schemas/sitemap/0.9',
      'http://www.google.com/schemas/sitemap-image/1.1',
      'http://www.google.com/schemas/sitemap-video/1.1',
      'http://www.google.com/schemas/sitemap-news/0.9',
      'http://www.w3.org/1999/xhtml',
      'http://www.w3.org/XML/1998/namespace',
      'http://www.w3.org/2000/xmlns/',
    ].map((value) => ({
      name: `the URI ${value}`,
      more: { namespaces: { a: value } },
      line: `option "namespaces.a" is "${value}" (string): expected a namespace of yours, and this is one that sitemaps have already.`,
    })),
    {
      name: 'a URI twice',
      more: { namespaces: { a: uri, b: uri } },
      line: `option "namespaces.b" is "${uri}" (string): expected a URI of its own, and this is that of the prefix a. Write elements with the prefix a.`,
    },
  ])
})
