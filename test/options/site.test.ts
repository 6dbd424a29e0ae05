import { describe, expect, it } from 'vitest'
import { refuseAll, resolve, site } from './resolving.ts'

describe('site', () => {
  it.each([
    { name: 'no path', url: 'https://www.example.com', base: 'https://www.example.com' },
    { name: 'a slash', url: 'https://www.example.com/', base: 'https://www.example.com' },
    { name: 'a path', url: 'https://www.example.com/shop', base: 'https://www.example.com/shop' },
    {
      name: 'a path and a slash',
      url: 'https://www.example.com/shop/',
      base: 'https://www.example.com/shop',
    },
    { name: 'a port', url: 'http://127.0.0.1:3000', base: 'http://127.0.0.1:3000' },
    { name: 'the port of the scheme', url: 'https://www.example.com:443', base: 'https://www.example.com' },
    { name: 'an IDN host', url: 'https://bücher.example', base: 'https://xn--bcher-kva.example' },
    { name: 'capitals', url: 'HTTPS://WWW.Example.com', base: 'https://www.example.com' },
    {
      name: 'a prefix',
      url: 'https://www.example.com/a',
      more: { prefix: '/shop/' },
      base: 'https://www.example.com/shop',
    },
    {
      name: 'an empty prefix',
      url: 'https://www.example.com/a',
      more: { prefix: '' },
      base: 'https://www.example.com',
    },
    {
      name: 'prefix /',
      url: 'https://www.example.com/a',
      more: { prefix: '/' },
      base: 'https://www.example.com',
    },
    {
      name: 'a public path beside the prefix',
      url: 'https://www.example.com/a',
      more: { prefix: '/internal', publicPath: '/b/c' },
      base: 'https://www.example.com/b/c',
    },
    {
      name: 'an empty public path beside the prefix',
      url: 'https://www.example.com/a',
      more: { prefix: '/internal', publicPath: '' },
      base: 'https://www.example.com',
    },
  ])('$name: documents live at $base', ({ url, more, base }) => {
    const resolved = resolve({ site: { url }, ...more })
    expect(resolved.site.base).toBe(base)
    expect(resolved.site.url).toBe(new URL(url).href)
    expect(resolved.site.origin).toBe(new URL(url).origin)
  })

  it('takes id and title from the host, the port included', () => {
    expect(resolve({ site: { url: 'http://bücher.example:8080/x' } }).site).toMatchObject({
      id: 'xn--bcher-kva.example:8080',
      title: 'xn--bcher-kva.example:8080',
    })
  })

  it('keeps what is given, and hands it on as it came', () => {
    const data = { tenant: 7, nested: {} }
    const given = {
      ...site,
      id: 'shop',
      title: 'Shop',
      description: 'Goods',
      language: 'fr-CA',
      hosts: ['a.example'],
      data,
    }
    const resolved = resolve({ site: given }).site
    expect(resolved).toMatchObject({
      id: 'shop',
      title: 'Shop',
      description: 'Goods',
      language: 'fr-CA',
      given,
    })
    expect(resolved.given.data).toBe(data)
    expect(Object.isFrozen(data)).toBe(false)
    expect(Object.isFrozen(given.hosts)).toBe(false)
  })

  it.each([
    { prefix: '/shop', resolved: '/shop' },
    { prefix: '/shop/', resolved: '/shop' },
    { prefix: '/a/b-c_d.e~f', resolved: '/a/b-c_d.e~f' },
    { prefix: '/', resolved: '' },
    { prefix: '', resolved: '' },
  ])('prefix "$prefix" → "$resolved"', ({ prefix, resolved }) => {
    expect(resolve({ prefix }).prefix).toBe(resolved)
  })
})

describe('faults', () => {
  refuseAll([
    {
      name: 'site as text',
      more: { site: 'https://www.example.com' },
      line: `option "site" is "https://www.example.com" (string): expected an object with url. Write site: { url: 'https://www.example.com' }.`,
    },
    {
      name: 'no url',
      more: { site: { title: 'Example' } },
      line: `option "site.url" is missing: expected an absolute http or https URL, without user, query and fragment. Write 'https://www.example.com'.`,
    },
    ...[
      'example.com',
      '/shop',
      'ftp://example.com',
      'https:example.com',
      'https:\\\\example.com',
      'https:///example.com',
      ' https://example.com',
      'https://exa\nmple.com',
      'https://',
      'https://a b.example',
    ].map((url) => ({
      name: `the URL ${JSON.stringify(url)}`,
      more: { site: { url } },
      line: `option "site.url" is ${JSON.stringify(url)} (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://www.example.com'.`,
    })),
    {
      name: 'a URL with a query',
      more: { site: { url: 'https://example.com/shop?a=b' } },
      line: `option "site.url" is "https://example.com/shop?a=b" (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://example.com/shop'.`,
    },
    {
      name: 'a URL with an empty query',
      more: { site: { url: 'https://example.com/?' } },
      line: `option "site.url" is "https://example.com/?" (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://example.com/'.`,
    },
    {
      name: 'a URL with a fragment',
      more: { site: { url: 'https://example.com/#' } },
      line: `option "site.url" is "https://example.com/#" (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://example.com/'.`,
    },
    {
      name: 'a URL with a password, which is not shown',
      more: { site: { url: 'https://ada:secret@example.com/shop' } },
      line: `option "site.url" is "https://***@example.com/shop" (string): expected an absolute http or https URL, without user, query and fragment. Write 'https://example.com/shop'.`,
    },
    {
      name: 'an empty title',
      more: { site: { ...site, title: '' } },
      line: 'option "site.title" is "" (string): expected text of one line that is not empty. Leave it out for the host of site.url.',
    },
    {
      name: 'a title over two lines',
      more: { site: { ...site, title: 'a\nb' } },
      line: 'option "site.title" is "a\\nb" (string): expected text of one line that is not empty. Leave it out for the host of site.url.',
    },
    {
      name: 'an empty id',
      more: { site: { ...site, id: '' } },
      line: 'option "site.id" is "" (string): expected text of one line that is not empty. Leave it out for the host of site.url.',
    },
    {
      name: 'a description that is no text',
      more: { site: { ...site, description: null } },
      line: `option "site.description" is null (null): expected text. Leave it out for ''.`,
    },
    {
      name: 'a locale for a language tag',
      more: { site: { ...site, language: 'fr_CA' } },
      line: `option "site.language" is "fr_CA" (string): expected a language tag such as en or fr-CA. Write 'fr-CA'.`,
    },
    {
      name: 'a language in words',
      more: { site: { ...site, language: 'French (Canada)' } },
      line: `option "site.language" is "French (Canada)" (string): expected a language tag such as en or fr-CA. Write 'en'.`,
    },
    {
      name: 'hosts as text',
      more: { site: { ...site, hosts: 'www.example.com' } },
      line: `option "site.hosts" is "www.example.com" (string): expected a list of host names. Write ['www.example.com'], or leave it out.`,
    },
    {
      name: 'hosts with a hole',
      more: { site: { ...site, hosts: new Array(1) } },
      line: `option "site.hosts" is a list of 1 (object): expected a list of host names.`,
    },
  ])
})
