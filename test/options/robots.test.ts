import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SitemapError } from '../../src/errors.ts'
import { refuseAll, resolve } from './resolving.ts'

describe('robots', () => {
  it.each([
    { name: 'an empty object is everybody', group: {}, resolved: [['*'], [], []] },
    {
      name: 'texts stand for lists of one',
      group: { userAgent: 'Googlebot', allow: '/a', disallow: '/' },
      resolved: [['Googlebot'], ['/a'], ['/']],
    },
    {
      name: 'lists, each member once',
      group: { userAgent: ['a', 'b', 'a'], allow: ['/a', '/b$'], disallow: ['*.pdf', '/*?', '*.pdf'] },
      resolved: [
        ['a', 'b'],
        ['/a', '/b$'],
        ['*.pdf', '/*?'],
      ],
    },
    { name: 'the empty text disallows nothing', group: { disallow: '' }, resolved: [['*'], [], []] },
    { name: 'in a list, too', group: { disallow: ['', '/a'] }, resolved: [['*'], [], ['/a']] },
    { name: 'paths in any script', group: { disallow: '/café/日本' }, resolved: [['*'], [], ['/café/日本']] },
  ])('$name (SPEC X5)', ({ group, resolved: [userAgent, allow, disallow] }) => {
    expect(resolve({ robots: { groups: [group] } }).robots.groups).toEqual([{ userAgent, allow, disallow }])
  })

  it('groups keep their order', () => {
    const { groups } = resolve({ robots: { groups: [{ userAgent: 'b' }, {}, { userAgent: 'a' }] } }).robots
    expect(groups.map(({ userAgent }) => userAgent)).toEqual([['b'], ['*'], ['a']])
  })

  it('sitemaps are final URLs, each once, on any host (SPEC X1, X2)', () => {
    const sitemaps = [
      'https://other.example/a b.xml'.replace(' ', '%20'),
      'HTTPS://Other.example:443/ü.xml?a=[1]',
      'http://other.example/x.xml#top',
      'http://other.example/x.xml',
    ]
    expect(resolve({ robots: { sitemaps } }).robots).toEqual({
      groups: [{ userAgent: ['*'], allow: [], disallow: [] }],
      sitemaps: [
        'https://other.example/a%20b.xml',
        'https://other.example/%C3%BC.xml?a=%5B1%5D',
        'http://other.example/x.xml',
      ],
    })
  })

  it('no value reaches the file with a line end or a comment', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('\n', '\r', '\u0085', '\u2028', '#', ''),
        (text, bad) => {
          const value = `/${text}${bad}x`
          for (const group of [{ userAgent: value }, { allow: value }, { disallow: [value] }]) {
            try {
              const { groups } = resolve({ robots: { groups: [group] } }).robots
              const written = groups.flatMap((one) => [...one.userAgent, ...one.allow, ...one.disallow])
              for (const line of written) expect(line).not.toMatch(/[\p{Cc}\u2028\u2029#]/u)
            } catch (error) {
              expect(error).toBeInstanceOf(SitemapError)
            }
          }
        },
      ),
    )
  })
})

describe('faults', () => {
  const path = 'a path that starts with / or *, without white space and #'

  refuseAll([
    {
      name: 'robots as text',
      more: { robots: 'User-agent: *' },
      line: 'option "robots" is "User-agent: *" (string): expected an object. Its keys are groups, sitemaps.',
    },
    ...[{ userAgent: '*' }, [], 'all'].map((groups) => ({
      name: `groups ${JSON.stringify(groups)}`,
      more: { robots: { groups } },
      line: `(${typeof groups}): expected a list of groups that is not empty. Write [{ userAgent: '*', disallow: '/admin/' }], or leave it out: everything is allowed then.`,
    })),
    {
      name: 'a group as text',
      more: { robots: { groups: [{}, 'Disallow: /'] } },
      line: 'option "robots.groups[1]" is "Disallow: /" (string): expected an object. Its keys are userAgent, allow, disallow.',
    },
    {
      name: 'a hole among the groups',
      more: { robots: { groups: new Array(1) } },
      line: 'option "robots.groups[0]" is undefined (undefined): expected an object. Take it out.',
    },
    {
      name: 'a group of nobody',
      more: { robots: { groups: [{ userAgent: [] }] } },
      line: `option "robots.groups[0].userAgent" is a list of 0 (object): expected the name of a robot, or a list of names. Leave it out for '*', all of them.`,
    },
    ...['', ' ', 'a\nDisallow: /', 'a\u2028b', 'Bot # 1', 7].map((userAgent) => ({
      name: `the user agent ${JSON.stringify(userAgent)}`,
      more: { robots: { groups: [{ userAgent: ['*', userAgent] }] } },
      line: `option "robots.groups[0].userAgent[1]" is ${JSON.stringify(userAgent).replace('\u2028', '\u2028')} (${typeof userAgent}): expected the name of a robot on one line, without #. Write 'Googlebot', or leave it out for all.`,
    })),
    ...[
      { value: 'admin', way: '/admin' },
      { value: '/a b', way: '/a%20b' },
      { value: '/a#b', way: '/a%23b' },
      { value: '/a\nAllow: /', way: '/a%0AAllow:%20/' },
      { value: '*.pdf ', way: '*.pdf' },
      { value: 'https://www.example.com/admin/', way: '/admin/' },
      { value: undefined, way: '/admin/' },
      { value: /admin/, way: '/admin/' },
    ].map(({ value, way }) => ({
      name: `disallow ${String(value)}`,
      more: { robots: { groups: [{ disallow: [value] }] } },
      line: `: expected ${path}. Write '${way}'.`,
    })),
    {
      name: 'an empty allow',
      more: { robots: { groups: [{ allow: '' }] } },
      line: `option "robots.groups[0].allow" is "" (string): expected ${path}. Write '/admin/'.`,
    },
    ...[
      '/other.xml',
      'other.example/x.xml',
      'ftp://other.example/x.xml',
      'https://a b.example/',
      'https://x.example/\n',
    ].map((sitemap) => ({
      name: `the sitemap ${JSON.stringify(sitemap)}`,
      more: { robots: { sitemaps: [sitemap] } },
      line: `option "robots.sitemaps[0]" is ${JSON.stringify(sitemap)} (string): expected an absolute http or https URL without user. Write 'https://www.example.com/other/sitemap.xml'.`,
    })),
    {
      name: 'a sitemap with a password, which is not shown',
      more: { robots: { sitemaps: ['https://ada:secret@other.example/x.xml'] } },
      line: 'option "robots.sitemaps[0]" is "https://***@other.example/x.xml" (string): expected',
    },
  ])
})
