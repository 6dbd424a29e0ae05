import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { originForm, requestedHost } from '../../src/http/request-target.ts'

describe('originForm (RFC 9112 §3.2)', () => {
  it.each([
    { target: '/sitemap.xml?a', path: '/sitemap.xml?a' },
    { target: 'http://a.example/sitemap.xml?a', path: '/sitemap.xml?a' },
    { target: 'HTTPS://a.example:8443/sitemap.xml', path: '/sitemap.xml' },
    { target: 'http://a.example', path: '' },
    { target: 'http://a.example?x=/sitemap.xml', path: '?x=/sitemap.xml' },
    { target: '//a.example/sitemap.xml', path: '//a.example/sitemap.xml' },
    { target: 'ftp://a.example/sitemap.xml', path: 'ftp://a.example/sitemap.xml' },
    { target: '*', path: '*' },
    { target: '', path: '' },
  ])('$target → $path', ({ target, path }) => {
    expect(originForm(target)).toBe(path)
  })
})

describe('requestedHost', () => {
  const headers = { host: 'host.example', ':authority': 'authority.example' }
  it.each([
    {
      name: 'a whole URL first',
      target: 'http://target.example:1/a',
      given: headers,
      host: 'target.example:1',
    },
    {
      name: 'with user info, which no site has',
      target: 'http://u@t.example/',
      given: headers,
      host: 'u@t.example',
    },
    { name: 'without a host, which none has either', target: 'http:///a', given: headers, host: '' },
    { name: 'then :authority (RFC 9113 §8.3.1)', target: '/a', given: headers, host: 'authority.example' },
    { name: 'then Host', target: '/a', given: { host: 'host.example' }, host: 'host.example' },
    {
      name: 'another scheme names none',
      target: 'ftp://t.example/',
      given: { host: 'h.example' },
      host: 'h.example',
    },
    { name: 'nothing', target: '/a', given: {}, host: undefined },
  ])('$name', ({ target, given, host }) => {
    expect(requestedHost(target, (name) => (given as Readonly<Record<string, string>>)[name])).toBe(host)
  })

  it('host and path are the whole target, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (target) => {
        const path = originForm(target)
        expect(target.endsWith(path)).toBe(true)
        if (path !== target)
          expect(target.slice(0, target.length - path.length)).toMatch(/^https?:\/\/[^/?#]*$/i)
      }),
    )
  })
})
