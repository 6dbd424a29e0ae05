import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLocResolver, path, resolveUrl, type UrlFault, type UrlRules } from '../../src/entry/loc.ts'

const ORIGIN = 'https://www.example.com'
const rules: UrlRules = {
  siteUrl: `${ORIGIN}/`,
  origin: ORIGIN,
  scope: 'off',
  directory: '/',
  trailingSlash: 'preserve',
}

/** The URL, or what is wrong with it. */
function resolved(input: unknown, more: Partial<UrlRules> = {}): string {
  return outcome(resolveUrl(input, { ...rules, ...more }))
}

/** As an entry's loc, with scope and slash policy. */
function asLoc(input: unknown, more: Partial<UrlRules>): string {
  return outcome(createLocResolver({ ...rules, ...more })(input))
}

function outcome(result: string | UrlFault): string {
  return typeof result === 'string' ? result : result.reason
}

const NO_LOC = 'no loc'
const NOT_A_URL = 'loc is not a URL'
const SCHEME = 'loc is not http or https'
const USER_INFO = 'loc holds a user name or password'
const TOO_LONG = 'loc is longer than 2,047 characters'
const NOT_TEXT = 'loc is neither text nor a URL'
const FOREIGN_HOST = "loc is not on the site's scheme, host and port (option scope)"
const OUTSIDE_PATH = "loc is not below the site's path (option scope)"

describe('final URL of a loc (SPEC 1.4)', () => {
  it.each([
    { name: 'path', input: '/about', url: '/about' },
    { name: 'root', input: '/', url: '/' },
    { name: 'slash at the end is kept (L1)', input: '/blog/', url: '/blog/' },
    { name: 'no slash at the end is kept (L1)', input: '/blog', url: '/blog' },
    { name: 'absolute URL of the site (L1)', input: `${ORIGIN}/about`, url: '/about' },
    { name: 'absolute URL without path', input: ORIGIN, url: '/' },
    { name: 'relative to the site', input: 'about', url: '/about' },
    { name: 'query', input: '/s?q=a&p=2', url: '/s?q=a&p=2' },
    { name: 'only a query', input: '?p=2', url: '/?p=2' },
    { name: 'question mark without query', input: '/s?', url: '/s' },
    { name: 'doubled slashes inside stay', input: '/a//b', url: '/a//b' },
    { name: 'spaces around', input: '  /about \n', url: '/about' },
    { name: 'space inside', input: '/a b?c d', url: '/a%20b?c%20d' },
    { name: 'default port is dropped (L4)', input: `${ORIGIN}:443/x`, url: '/x' },
    { name: 'upper-case scheme and host (L4)', input: 'HTTPS://WWW.EXAMPLE.COM/X', url: '/X' },
    {
      name: 'non-ASCII path and query (L2)',
      input: '/größe/日本?ö=ü',
      url: '/gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC?%C3%B6=%C3%BC',
    },
    { name: 'ampersand is not escaped yet (L3)', input: '/ü&x', url: '/%C3%BC&x' },
    { name: 'quotes', input: `/it's?a='b"`, url: "/it's?a=%27b%22" },
    { name: 'encoded already, not twice (L6)', input: '/a%20b%2Fc?d=%c3%bc', url: '/a%20b%2Fc?d=%c3%bc' },
    { name: 'percent without digits (L5)', input: '/100%?p=%zz&q=%a', url: '/100%25?p=%25zz&q=%25a' },
    { name: 'percent before two hex digits (L5)', input: '/%41%4g', url: '/%41%254g' },
    { name: 'brackets, caret and bar in the path (L4)', input: '/[a]^|', url: '/%5Ba%5D%5E%7C' },
    { name: 'braces and backtick in the path', input: '/{a}`', url: '/%7Ba%7D%60' },
    { name: 'leftovers in the query (L4)', input: '/?a[]=^{}|\\`', url: '/?a%5B%5D=%5E%7B%7D%7C%5C%60' },
    { name: 'backslash in the path is a slash (L4)', input: '/a\\b', url: '/a/b' },
    { name: 'dot segments (L4)', input: '/a/./b/../c', url: '/a/c' },
    { name: 'dot segments written as escapes', input: '/a/%2e%2E/c', url: '/c' },
    { name: 'dot segments above the root', input: '/../../x', url: '/x' },
    // Measured on Node 20.20.2 (ada 2.9.2): `new URL` leaves these as they are.
    { name: 'dot segments behind a segment that begins with a dot', input: '/a/.b/../c', url: '/a/c' },
    {
      name: 'a dot segment behind one, in an absolute URL',
      input: `${ORIGIN}/a/.b/./c?/../`,
      url: '/a/.b/c?/../',
    },
    { name: 'dot segments behind one, at the end', input: '/a/.b/..', url: '/a/' },
    { name: 'dot segments behind one, above the root', input: '/a/.b/../../../../c', url: '/c' },
    { name: 'dot segments behind one that must be encoded', input: 'a/.]/../b', url: '/a/b' },
    { name: 'a segment that begins with a dot', input: '/.well-known/x', url: '/.well-known/x' },
    { name: 'a file in a folder with dots', input: '/a.b/..c/x.html', url: '/a.b/..c/x.html' },
    { name: 'tab and newline vanish (L4)', input: '/a\tb\r\nc', url: '/abc' },
    { name: 'lone surrogate (L4)', input: '/a\uD800b?\uDFFF', url: '/a%EF%BF%BDb?%EF%BF%BD' },
    { name: 'surrogate pair', input: '/😀', url: '/%F0%9F%98%80' },
    { name: 'fragment is dropped (L5)', input: '/a#b', url: '/a' },
    { name: 'fragment of an absolute URL', input: `${ORIGIN}/a?b#c?d`, url: '/a?b' },
    { name: 'control character', input: '/a\u0001b\u007f', url: '/a%01b%7F' },
  ])('$name', ({ input, url }) => {
    expect(resolved(input)).toBe(ORIGIN + url)
  })

  it.each([
    { name: 'http', input: 'http://example.com/x', url: 'http://example.com/x' },
    { name: 'another port', input: 'http://example.com:8080/x', url: 'http://example.com:8080/x' },
    { name: 'default port of http', input: 'http://example.com:80/x', url: 'http://example.com/x' },
    { name: 'protocol-relative', input: '//cdn.example.net/x.png', url: 'https://cdn.example.net/x.png' },
    { name: 'backslashes for slashes', input: '\\\\cdn.example.net\\x', url: 'https://cdn.example.net/x' },
    {
      name: 'international host (L2)',
      input: 'https://Bücher.example/ü',
      url: 'https://xn--bcher-kva.example/%C3%BC',
    },
    { name: 'punycode', input: 'https://xn--bcher-kva.example/', url: 'https://xn--bcher-kva.example/' },
    { name: 'IPv4 in another notation', input: 'http://0x7f.1/x', url: 'http://127.0.0.1/x' },
    { name: 'IPv6', input: 'http://[::1]:80/x', url: 'http://[::1]/x' },
    {
      name: 'the site as the beginning of another host',
      input: `${ORIGIN}.evil.net/x`,
      url: `${ORIGIN}.evil.net/x`,
    },
    { name: 'the site with another port', input: `${ORIGIN}:8443/x`, url: `${ORIGIN}:8443/x` },
    { name: 'final dot of a host', input: `${ORIGIN}./x`, url: `${ORIGIN}./x` },
  ])('URL elsewhere: $name', ({ input, url }) => {
    expect(resolved(input)).toBe(url)
  })

  it('relative to a site below a path', () => {
    const below = { siteUrl: `${ORIGIN}/shop/` }
    expect(resolved('p/1', below)).toBe(`${ORIGIN}/shop/p/1`)
    expect(resolved('/p/1', below)).toBe(`${ORIGIN}/p/1`)
    expect(resolved('?q', below)).toBe(`${ORIGIN}/shop/?q`)
  })

  it.each([
    { name: 'undefined', input: undefined, reason: NO_LOC },
    { name: 'null', input: null, reason: NO_LOC },
    { name: 'empty text', input: '', reason: NO_LOC },
    { name: 'white space', input: ' \t\u00A0', reason: NO_LOC },
    { name: 'control characters only', input: '\0\u0001', reason: NO_LOC },
    { name: 'an object whose href is empty', input: { href: '' }, reason: NO_LOC },
    { name: 'a number', input: 42, reason: NOT_TEXT },
    { name: 'a symbol', input: Symbol('x'), reason: NOT_TEXT },
    { name: 'an object', input: {}, reason: NOT_TEXT },
    { name: 'a list', input: ['/x'], reason: NOT_TEXT },
    { name: 'a function', input: () => '/x', reason: NOT_TEXT },
    { name: 'scheme without host', input: 'https://', reason: NOT_A_URL },
    { name: 'host with a space', input: 'https://exa mple.com/', reason: NOT_A_URL },
    { name: 'port out of range', input: 'https://example.com:99999/', reason: NOT_A_URL },
    { name: 'mailto (L1)', input: 'mailto:a@example.com', reason: SCHEME },
    { name: 'javascript', input: 'javascript:alert(1)', reason: SCHEME },
    { name: 'ftp', input: 'ftp://example.com/x', reason: SCHEME },
    { name: 'data', input: 'data:text/html,x', reason: SCHEME },
    { name: 'a colon in a relative path', input: 'posts:1', reason: SCHEME },
    { name: 'user name (L5)', input: 'https://u@www.example.com/', reason: USER_INFO },
    { name: 'password (L5)', input: 'https://:p@www.example.com/', reason: USER_INFO },
    { name: 'user info in front of the site', input: `${ORIGIN}@evil.net/x`, reason: USER_INFO },
  ])('refused: $name → $reason', ({ input, reason }) => {
    expect(resolved(input)).toBe(reason)
  })

  it('punycode that decodes to nothing is left to the URL parser, which Node 24 changed', () => {
    const url = 'https://xn--a.com/x'
    expect(resolved(url)).toBe(URL.canParse(url) ? url : NOT_A_URL)
  })

  it('a URL object, and the URL of another realm or library', () => {
    expect(resolved(new URL('/a#b', ORIGIN))).toBe(`${ORIGIN}/a`)
    expect(resolved({ href: `${ORIGIN}/ü`, searchParams: {} })).toBe(`${ORIGIN}/%C3%BC`)
    expect(resolved({ href: 42 })).toBe(NOT_TEXT)
  })

  it('a Node without URL.parse finds the same', () => {
    const inputs = ['/a b', 'ü', 'https://', 'https://xn--a.com/é', '//cdn.example.net/[x]']
    const now = inputs.map((input) => resolved(input))
    const { parse } = URL
    try {
      Object.defineProperty(URL, 'parse', { value: undefined, configurable: true, writable: true })
      expect(inputs.map((input) => resolved(input))).toEqual(now)
    } finally {
      Object.defineProperty(URL, 'parse', { value: parse, configurable: true, writable: true })
    }
  })
})

describe('length (SPEC D1, L8)', () => {
  const room = 2_047 - ORIGIN.length - 1

  it.each([
    { name: 'path', of: (n: number) => `/${'a'.repeat(n)}` },
    { name: 'absolute URL', of: (n: number) => `${ORIGIN}/${'a'.repeat(n)}` },
    { name: 'path that must be encoded', of: (n: number) => `/ü${'a'.repeat(n - 6)}` },
    { name: 'ampersands, before they are escaped', of: (n: number) => `/${'&'.repeat(n)}` },
  ])('$name: 2,047 characters pass, 2,048 do not', ({ of }) => {
    expect(resolved(of(room))).toHaveLength(2_047)
    expect(resolved(of(room + 1))).toBe(TOO_LONG)
  })

  it('another host', () => {
    const host = 'https://cdn.example.net/'
    expect(resolved(host + 'a'.repeat(2_047 - host.length))).toHaveLength(2_047)
    expect(resolved(host + 'a'.repeat(2_048 - host.length))).toBe(TOO_LONG)
  })

  it('a slash that the policy adds counts', () => {
    const longest = `/${'a'.repeat(room)}`
    expect(asLoc(longest, { trailingSlash: 'preserve' })).toHaveLength(2_047)
    expect(asLoc(longest, { trailingSlash: 'always' })).toBe(TOO_LONG)
    expect(asLoc(longest.slice(1), { trailingSlash: 'always' })).toBe(TOO_LONG)
    expect(asLoc(longest.slice(0, -1), { trailingSlash: 'always' })).toHaveLength(2_047)
  })
})

describe('scope (SPEC U14 to U17)', () => {
  it.each([
    { name: 'the site', input: `${ORIGIN}/x`, url: `${ORIGIN}/x` },
    { name: 'its default port', input: `${ORIGIN}:443/x`, url: `${ORIGIN}/x` },
    { name: 'its host in upper case', input: 'https://WWW.example.COM/x', url: `${ORIGIN}/x` },
    { name: 'http for https', input: 'http://www.example.com/x', url: FOREIGN_HOST },
    { name: 'without www', input: 'https://example.com/x', url: FOREIGN_HOST },
    { name: 'a sub-domain', input: 'https://a.www.example.com/x', url: FOREIGN_HOST },
    { name: 'another port', input: `${ORIGIN}:8443/x`, url: FOREIGN_HOST },
    { name: 'a host that begins like it', input: `${ORIGIN}.evil.net/x`, url: FOREIGN_HOST },
    { name: 'a final dot', input: `${ORIGIN}./x`, url: FOREIGN_HOST },
    { name: 'protocol-relative', input: '//evil.net/x', url: FOREIGN_HOST },
    { name: 'backslashes', input: '/\\evil.net/x', url: FOREIGN_HOST },
    { name: 'a tab between the slashes', input: '/\t/evil.net/x', url: FOREIGN_HOST },
  ])('host: $name', ({ input, url }) => {
    expect(asLoc(input, { scope: 'host' })).toBe(url)
  })

  it('off: any host (U16)', () => {
    expect(asLoc('http://other.example/x', { scope: 'off' })).toBe('http://other.example/x')
  })

  it.each([
    { name: 'below it', input: '/shop/p/1', url: '/shop/p/1' },
    { name: 'the path itself with its slash', input: '/shop/', url: '/shop/' },
    { name: 'the path itself without its slash', input: '/shop', url: OUTSIDE_PATH },
    { name: 'a path that begins like it', input: '/shopping/1', url: OUTSIDE_PATH },
    { name: 'beside it', input: '/blog', url: OUTSIDE_PATH },
    { name: 'climbing out', input: '/shop/../blog', url: OUTSIDE_PATH },
    { name: 'climbing out by escapes', input: '/shop/%2e%2e/blog', url: OUTSIDE_PATH },
    {
      name: 'climbing out behind a segment that begins with a dot',
      input: '/shop/.x/../../blog',
      url: OUTSIDE_PATH,
    },
    { name: 'climbing about inside', input: '/shop/.x/../../shop/1', url: '/shop/1' },
    { name: 'in the query only', input: '/?/shop/', url: OUTSIDE_PATH },
    { name: 'upper case', input: '/SHOP/1', url: OUTSIDE_PATH },
    { name: 'another host', input: 'https://example.com/shop/1', url: FOREIGN_HOST },
  ])('path (U15): $name', ({ input, url }) => {
    const path = { siteUrl: `${ORIGIN}/shop/`, scope: 'path', directory: '/shop/' } as const
    expect(asLoc(input, path)).toBe(url.startsWith('/') ? ORIGIN + url : url)
  })

  it.each([
    { name: 'a slash added brings it in', input: '/shop', trailingSlash: 'always', url: `${ORIGIN}/shop/` },
    { name: 'a slash taken away puts it out', input: '/shop/', trailingSlash: 'never', url: OUTSIDE_PATH },
  ] as const)('path is asked of the URL as it is written (U17): $name', ({ input, trailingSlash, url }) => {
    expect(asLoc(input, { scope: 'path', directory: '/shop/', trailingSlash })).toBe(url)
  })
})

describe('trailingSlash (DESIGN 2)', () => {
  it.each([
    { name: 'page', input: '/a', always: '/a/', never: '/a' },
    { name: 'page with a slash', input: '/a/', always: '/a/', never: '/a' },
    { name: 'root stays', input: '/', always: '/', never: '/' },
    { name: 'no path', input: ORIGIN, always: '/', never: '/' },
    { name: 'on the path, before the query', input: '/a?b=/c', always: '/a/?b=/c', never: '/a?b=/c' },
    { name: 'slash before the query', input: '/a/?b=c', always: '/a/?b=c', never: '/a?b=c' },
    { name: 'root with a query', input: '/?b=c', always: '/?b=c', never: '/?b=c' },
    { name: 'slash at the end of the query', input: '/a?b=c/', always: '/a/?b=c/', never: '/a?b=c/' },
    { name: 'file', input: '/a/x.html', always: '/a/x.html', never: '/a/x.html' },
    { name: 'file with a query', input: '/x.html?a', always: '/x.html?a', never: '/x.html?a' },
    { name: 'dot in a folder only', input: '/v1.2/x', always: '/v1.2/x/', never: '/v1.2/x' },
    { name: 'dot in the query only', input: '/x?v=1.2', always: '/x/?v=1.2', never: '/x?v=1.2' },
    { name: 'dot in a last segment with a slash', input: '/v1.2/', always: '/v1.2/', never: '/v1.2' },
    { name: 'doubled slashes at the end', input: '/a//', always: '/a//', never: '/a' },
    { name: 'only slashes', input: `${ORIGIN}//`, always: '//', never: '/' },
    { name: 'doubled slashes inside', input: '/a//b', always: '/a//b/', never: '/a//b' },
    { name: 'fragment is gone before', input: '/a#b', always: '/a/', never: '/a' },
    { name: 'escaped slash is no slash', input: '/a%2F', always: '/a%2F/', never: '/a%2F' },
  ])('$name', ({ input, always, never }) => {
    expect(asLoc(input, { trailingSlash: 'always' })).toBe(ORIGIN + always)
    expect(asLoc(input, { trailingSlash: 'never' })).toBe(ORIGIN + never)
    expect(asLoc(input, { trailingSlash: 'preserve' })).toBe(resolved(input))
  })

  it('another scheme and a host without dots (scope off)', () => {
    expect(asLoc('http://a/b', { trailingSlash: 'always' })).toBe('http://a/b/')
    expect(asLoc('http://a.b/', { trailingSlash: 'never' })).toBe('http://a.b/')
    expect(asLoc('http://a', { trailingSlash: 'never' })).toBe('http://a/')
  })

  it('applied twice changes nothing', () => {
    fc.assert(
      fc.property(urlish, fc.constantFrom('always', 'never'), (input, trailingSlash) => {
        const once = asLoc(input, { trailingSlash })
        fc.pre(once.startsWith('http'))
        const twice = asLoc(once, { trailingSlash })
        if (twice !== TOO_LONG) expect(twice).toBe(once)
      }),
    )
  })
})

/** Text made of what URLs are made of, and of what they trip over. */
const urlish = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '/',
          'a',
          'b-c',
          'X_1',
          '.',
          '..',
          '~',
          '?',
          '=',
          '&',
          '+',
          ',',
          ';',
          ':',
          '@',
          '!',
          '$',
          '*',
          '(',
          ')',
        ),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '//',
          '/./',
          '/../',
          '/.a/',
          '/.',
          '%2e',
          '%',
          '%zz',
          '%C3',
          '#',
          ' ',
          '\\',
          '[',
          ']',
          '^',
          '|',
          '{',
          '}',
          '`',
          "'",
          '"',
          '<',
          '>',
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '\t',
          '\r\n',
          '\0',
          '\u0001',
          '\u007F',
          '\u00A0',
          'ü',
          '日',
          '😀',
          '\uD800',
          '\uDC00',
          '\uFEFF',
          '\uFFFF',
          '。',
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
    ),
    { maxLength: 12 },
  )
  .chain((pieces) =>
    fc
      .constantFrom(
        '',
        '/',
        ORIGIN,
        `${ORIGIN}/`,
        `${ORIGIN}:443/`,
        'https://cdn.example.net/',
        'http://a.b.example/',
        'https://xn--',
        'https://xn--bcher-kva.',
        'https://a.xn--b.com/',
        'https://1.2.3.',
        'http:',
        '//',
        'HTTPS://CDN.example.net',
        'mailto:',
        'https://u@',
      )
      .map((start) => start + pieces.join('')),
  )

/** RFC 3986 §5.2.4, for what `new URL` overlooks. */
function withoutDotSegments(path: string): string {
  let output = ''
  let input = path
  while (input !== '') {
    const segment = /^\/[^/]*/.exec(input)?.[0] ?? ''
    input = input.slice(segment.length)
    if (segment === '/..') output = output.replace(/\/[^/]*$/, '')
    if (segment !== '/..' && segment !== '/.') output += segment
    else if (input === '') output += '/'
  }
  return output
}

/** The rules of SPEC 1.4 one by one, on `new URL`, without a short cut. */
function slowly(input: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL drops them around a text, so nothing would be left
  if (/^[\s\u0000-\u0020]*$/.test(input)) return NO_LOC
  let url: URL
  try {
    url = new URL(input, rules.siteUrl)
  } catch {
    return NOT_A_URL
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return SCHEME
  if (url.username + url.password !== '') return USER_INFO
  const authority = `${url.protocol}//${url.host}`
  let text = authority
  const rest = withoutDotSegments(url.pathname) + url.search
  for (let i = 0; i < rest.length; i++) {
    const c = rest.charAt(i)
    const isEscape = c === '%' && /^%[0-9a-f]{2}/i.test(rest.slice(i, i + 3))
    text += '[]^|{}\\`'.includes(c) || (c === '%' && !isEscape) ? encodeURIComponent(c) : c
  }
  return text.length < 2_048 ? text : TOO_LONG
}

describe('any text', () => {
  it('resolves as the rules say one by one', () => {
    fc.assert(
      fc.property(urlish, (input) => {
        expect(resolved(input)).toBe(slowly(input))
      }),
      { numRuns: 5_000 },
    )
  })

  it('the slow rules find what the tables above say', () => {
    for (const input of [
      '/a/./b/../c',
      '/100%?p=%zz',
      '/?a[]=^{}|\\`',
      `${ORIGIN}:443/x#y`,
      'mailto:a@b',
      '\0',
      'https://xn--a.com/x',
    ])
      expect(slowly(input)).toBe(resolved(input))
  })

  it('a URL that came out goes in again unchanged, and holds what RFC 3986 allows (L2, L6)', () => {
    fc.assert(
      fc.property(urlish, (input) => {
        const url = resolved(input)
        fc.pre(url.startsWith('http'))
        expect(resolved(url)).toBe(url)
        expect(url).toMatch(
          /^https?:\/\/(\[[0-9a-f:.]+\]|[^/?#[\]]+?)(:\d+)?\/(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/,
        )
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('path`…`', () => {
  it.each([
    { name: 'text', url: path`/blog/${'hello'}`, result: '/blog/hello' },
    { name: 'number', url: path`/p/${42}`, result: '/p/42' },
    { name: 'zero', url: path`/p/${0}`, result: '/p/0' },
    { name: 'bigint', url: path`/p/${12345678901234567890n}`, result: '/p/12345678901234567890' },
    { name: 'two values', url: path`/${'de'}/p/${7}/`, result: '/de/p/7/' },
    { name: 'no value', url: path`/about`, result: '/about' },
    { name: 'one segment, whatever it holds', url: path`/${'a/b?c#d&e'}`, result: '/a%2Fb%3Fc%23d%26e' },
    { name: 'percent sign', url: path`/${'100%'}`, result: '/100%25' },
    { name: 'written as an escape', url: path`/${'%2e%2e'}/x`, result: '/%252e%252e/x' },
    { name: 'non-ASCII', url: path`/${'größe'}`, result: '/gr%C3%B6%C3%9Fe' },
    { name: 'lone surrogate', url: path`/${'a\uD800'}`, result: '/a%EF%BF%BD' },
    { name: 'another host is a segment', url: path`${'//evil.net'}`, result: '%2F%2Fevil.net' },
    { name: 'a dot among others', url: path`/${'.a'}/${'a.'}`, result: '/.a/a.' },
    { name: 'dot', url: path`/${'.'}/x`, result: '' },
    { name: 'two dots', url: path`/${'..'}/x`, result: '' },
    { name: 'empty text', url: path`/a/${''}`, result: '' },
    { name: 'undefined', url: path`/a/${undefined}`, result: '' },
    { name: 'null', url: path`/a/${null}`, result: '' },
    { name: 'not a number', url: path`/a/${Number.NaN}`, result: '' },
    { name: 'infinity', url: path`/a/${Number.POSITIVE_INFINITY}`, result: '' },
    { name: 'a boolean', url: path`/a/${true}`, result: '' },
    { name: 'an object', url: path`/a/${{ toString: () => 'x' }}`, result: '' },
    { name: 'a symbol', url: path`/a/${Symbol('x')}`, result: '' },
  ])('$name', ({ url, result }) => {
    expect(url).toBe(result)
  })

  it('without a usable value there is no loc', () => {
    expect(resolved(path`/blog/${undefined}`)).toBe(NO_LOC)
  })

  it('any value stays one segment of the path, and can be read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => {
        const text = path`/a/${value}/b`
        fc.pre(text !== '')
        const segments = new URL(resolved(text)).pathname.split('/')
        expect(segments).toHaveLength(4)
        expect(decodeURIComponent(segments[2] ?? '')).toBe(value.toWellFormed())
      }),
    )
  })
})
