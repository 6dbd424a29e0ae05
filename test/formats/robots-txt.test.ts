import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RobotsRules, renderRobotsTxt, sitemapLines } from '../../src/formats/robots-txt.ts'

const everybody: RobotsRules = { userAgent: ['*'], allow: [], disallow: [] }
const index = 'https://example.com/sitemap_index.xml'

interface Read {
  readonly groups: { agents: string[]; rules: { type: 'allow' | 'disallow'; path: string }[] }[]
  readonly sitemaps: string[]
  /** Lines that are neither blank nor a known record. */
  readonly strays: string[]
}

/** As RFC 9309 §2.2 has it: CR, LF or both end a line, `#` starts a comment, keys know no case, rules follow their agents. */
function read(text: string): Read {
  const groups: Read['groups'] = []
  const sitemaps: string[] = []
  const strays: string[] = []
  let gathering = false
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const line = (raw.split('#', 1)[0] ?? '').trim()
    if (line === '') continue
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (key === 'user-agent') {
      if (!gathering) groups.push({ agents: [], rules: [] })
      groups.at(-1)?.agents.push(value)
      gathering = true
    } else if (key === 'allow' || key === 'disallow') {
      groups.at(-1)?.rules.push({ type: key, path: value })
      gathering = false
    } else if (key === 'sitemap') sitemaps.push(value)
    else strays.push(line)
  }
  return { groups, sitemaps, strays }
}

/** Whether a robot may fetch a path: the group that names it, else that of `*`; longest match, Allow on a tie (SPEC X5). */
function mayFetch(text: string, robot: string, path: string): boolean {
  const { groups } = read(text)
  const of = (name: string) =>
    groups.filter(({ agents }) => agents.some((agent) => agent.toLowerCase() === name.toLowerCase()))
  const own = of(robot)
  let longest = -1
  let verdict = true
  for (const { type, path: rule } of (own.length > 0 ? own : of('*')).flatMap(({ rules }) => rules)) {
    if (rule === '' || !matches(rule, path)) continue
    if (rule.length > longest) verdict = type === 'allow'
    else if (rule.length === longest && type === 'allow') verdict = true
    longest = Math.max(longest, rule.length)
  }
  return verdict
}

function matches(rule: string, path: string): boolean {
  const pattern = rule
    .replace(/[\\^.+?()[\]{}|]/g, '\\$&')
    .replaceAll('*', '.*')
    .replace(/\$(?!$)/g, '\\$')
  return new RegExp(`^${pattern}`).test(path)
}

/** How the path of any request for `path` is spelled. */
const requested = (path: string) => new URL(path, 'https://example.com/').pathname

describe('robots.txt', () => {
  it('reads as groups with a blank line between them, then the sitemaps (SPEC X1)', () => {
    expect(
      renderRobotsTxt({
        groups: [
          { userAgent: ['*'], allow: ['/shop/help'], disallow: ['/shop/', '/*.pdf$'] },
          { userAgent: ['GPTBot', 'CCBot'], allow: [], disallow: ['/'] },
          { userAgent: ['Googlebot'], allow: [], disallow: [] },
        ],
        sitemaps: [index, 'https://example.com/sitemap.txt'],
      }),
    ).toBe(`User-agent: *
Allow: /shop/help
Disallow: /shop/
Disallow: /*.pdf$

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: Googlebot
Disallow:

Sitemap: https://example.com/sitemap_index.xml
Sitemap: https://example.com/sitemap.txt
`)
  })

  it.each([
    { name: 'no group', groups: [], sitemaps: [index], text: `Sitemap: ${index}\n` },
    { name: 'no sitemap', groups: [everybody], sitemaps: [], text: 'User-agent: *\nDisallow:\n' },
    { name: 'nothing at all', groups: [], sitemaps: [], text: '' },
    {
      name: 'an empty Disallow, which forbids nothing',
      groups: [{ ...everybody, disallow: [''] }],
      sitemaps: [],
      text: 'User-agent: *\nDisallow:\n',
    },
    {
      name: 'an empty path among others',
      groups: [{ ...everybody, allow: ['', ' '], disallow: ['', '/a'] }],
      sitemaps: [],
      text: 'User-agent: *\nDisallow: /a\n',
    },
    {
      name: 'one sitemap named twice',
      groups: [],
      sitemaps: [index, 'https://example.com/b.xml', index],
      text: `Sitemap: ${index}\nSitemap: https://example.com/b.xml\n`,
    },
    {
      name: 'a sitemap on another host (SPEC X2)',
      groups: [],
      sitemaps: ['https://cdn.example.net/sitemap.xml?a=1&b=2'],
      text: 'Sitemap: https://cdn.example.net/sitemap.xml?a=1&b=2\n',
    },
    {
      name: 'a group whose robots have no name, whose rules would fall to the group before',
      groups: [everybody, { userAgent: ['\n', ' # '], allow: [], disallow: ['/'] }],
      sitemaps: [],
      text: 'User-agent: *\nDisallow:\n',
    },
  ])('$name', ({ groups, sitemaps, text }) => {
    expect(renderRobotsTxt({ groups, sitemaps })).toBe(text)
  })

  it.each([
    { name: 'letters past ASCII', path: '/über/猫', line: '/%C3%BCber/%E7%8C%AB' },
    { name: 'encoded already', path: '/%C3%BC%2f', line: '/%C3%BC%2f' },
    { name: 'a space inside', path: '/a b', line: '/a%20b' },
    { name: 'spaces around', path: '  /a\t\n', line: '/a' },
    { name: 'what would start a comment', path: '/a#b', line: '/a%23b' },
    { name: 'a newline and a rule of its own', path: '/a\r\nDisallow: /', line: '/a%0D%0ADisallow:%20/' },
    { name: 'newlines of other alphabets', path: '/a\u0085\u2028b', line: '/a%C2%85%E2%80%A8b' },
    { name: 'quotes and angles, which URLs encode', path: '/<"a">\'', line: "/%3C%22a%22%3E'" },
    { name: 'NUL', path: '/\u0000', line: '/%00' },
    { name: 'a lone surrogate', path: '/\ud800x', line: '/%EF%BF%BDx' },
    { name: 'signs with a meaning', path: '/*?x=$&y=(1)$', line: '/*?x=$&y=(1)$' },
  ])('a path with $name', ({ path, line }) => {
    const text = renderRobotsTxt({ groups: [{ ...everybody, disallow: [path] }], sitemaps: [] })
    expect(text).toBe(`User-agent: *\nDisallow: ${line}\n`)
  })

  it('a robot cannot smuggle in a line or a comment by its name', () => {
    const [group] = read(
      renderRobotsTxt({
        groups: [{ ...everybody, userAgent: ['a\r\nDisallow: /', 'b # c', '\ud800bot'] }],
        sitemaps: [],
      }),
    ).groups
    expect(group).toEqual({
      agents: ['a Disallow: /', 'b c', '\ufffdbot'],
      rules: [{ type: 'disallow', path: '' }],
    })
  })

  it('a sitemap has no fragment, whose sign would start a comment', () => {
    expect(sitemapLines([`${index}#a\nDisallow: /`, '#'])).toBe(`Sitemap: ${index}\n`)
  })

  it.each([
    { robot: 'Googlebot', path: '/a', may: true },
    { robot: 'Googlebot', path: '/shop/x', may: false },
    { robot: 'Googlebot', path: '/shop/help', may: true },
    { robot: 'Googlebot', path: '/x.pdf', may: false },
    { robot: 'Googlebot', path: '/x.pdf?a', may: true },
    { robot: 'Googlebot', path: requested('/über/x'), may: false },
    { robot: 'GPTBot', path: '/a', may: false },
    { robot: 'CCBot', path: '/a', may: false },
  ])('$robot and $path → $may (SPEC X5)', ({ robot, path, may }) => {
    const text = renderRobotsTxt({
      groups: [
        { userAgent: ['*'], allow: ['/shop/help'], disallow: ['/shop/', '/*.pdf$', '/über/'] },
        { userAgent: ['GPTBot', 'CCBot'], allow: [], disallow: ['/'] },
      ],
      sitemaps: [index],
    })
    expect(mayFetch(text, robot, path)).toBe(may)
  })
})

describe('robots.txt of any content', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc
      .array(
        fc.constantFrom(
          '/',
          'a',
          '*',
          '$',
          '#',
          ':',
          ' ',
          '\n',
          '\r',
          '\u2028',
          '\u0085',
          '\u0000',
          '\ud800',
          'é',
        ),
        { maxLength: 12 },
      )
      .map((pieces) => pieces.join('')),
    fc.constantFrom('Disallow: /', 'User-agent: *', '\nSitemap: https://evil.example/', '\ufeff'),
  )
  const list = fc.array(anything, { maxLength: 6 })
  const group = fc.record({ userAgent: list, allow: list, disallow: list })

  it('every value stays on a line of its own and is read again as what it was', () => {
    fc.assert(
      fc.property(fc.array(group, { maxLength: 4 }), list, (groups, sitemaps) => {
        const text = renderRobotsTxt({ groups, sitemaps })
        expect(Buffer.from(text).toString()).toBe(text)
        const found = read(text)
        expect(found.strays).toEqual([])
        const rule = (value: string) => encodeURI(value.trim().toWellFormed()).replace(/#/g, '%23')
        // `encodeURI` encodes what an ASCII line may hold as it is.
        const same = (value: string) => decodeURIComponent(value.replace(/%(?![\dA-F]{2})/gi, '%25'))
        const named = groups.filter(({ userAgent }) =>
          userAgent.some((name) => name.replace(/[\s\p{Cc}#]/gu, '') !== ''),
        )
        expect(found.groups.map(({ agents }) => agents.length)).toEqual(
          named.map(
            ({ userAgent }) => userAgent.filter((name) => name.replace(/[\s\p{Cc}#]/gu, '') !== '').length,
          ),
        )
        for (const [at, { allow, disallow }] of named.entries()) {
          const given = [
            ...allow.map((path) => ({ type: 'allow', path })),
            ...disallow.map((path) => ({ type: 'disallow', path })),
          ].filter(({ path }) => path.trim() !== '')
          expect(
            (found.groups[at]?.rules ?? []).map(({ type, path }) => ({ type, path: same(path) })),
          ).toEqual(
            given.length > 0
              ? given.map(({ type, path }) => ({ type, path: same(rule(path)) }))
              : [{ type: 'disallow', path: '' }],
          )
        }
        const urls = sitemaps.map((url) => (url.split('#')[0] ?? '').trim()).filter((url) => url !== '')
        expect(found.sitemaps.map(same)).toEqual([...new Set(urls.map((url) => same(rule(url))))])
        expect(text.endsWith(sitemapLines(sitemaps))).toBe(true)
        // One blank line between blocks, none else.
        expect(text).not.toMatch(/^\n|\n\n\n|\n\n$/)
        if (text !== '') expect(text.endsWith('\n')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('what is forbidden is forbidden to a robot that asks for it as URLs spell it (SPEC X5)', () => {
    // No control characters in it; left out are signs with a meaning in rules, and those that URLs do not treat alike.
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .map((text) => text.replace(/[%*?$/\\^|{}`[\].]/g, '').trim())
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), (segments) => {
        const path = `/x${segments.join('/')}`
        const text = renderRobotsTxt({ groups: [{ ...everybody, disallow: [path] }], sitemaps: [] })
        expect(mayFetch(text, 'Googlebot', requested(path.replaceAll('#', '%23')))).toBe(false)
        expect(mayFetch(text, 'Googlebot', '/y')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('robots.txt of any size (SPEC X3)', () => {
  const part = (n: number) => `https://example.com/sitemap-products-${n}.txt`
  const parts = Array.from({ length: 20_000 }, (_, n) => part(n + 1))
  const atMost = 500 * 1024

  it('ends within 500 KiB, and what is left out are the last sitemaps', () => {
    const text = renderRobotsTxt({
      groups: [{ ...everybody, userAgent: ['*', 'Robötchen'] }],
      sitemaps: [index, ...parts],
    })
    const { groups, sitemaps } = read(text)
    const bytes = Buffer.byteLength(text)
    expect(bytes).toBeLessThanOrEqual(atMost)
    expect(groups).toHaveLength(1)
    expect(sitemaps).toEqual([index, ...parts].slice(0, sitemaps.length))
    // One more would not have had room.
    expect(bytes + `Sitemap: ${part(sitemaps.length)}\n`.length).toBeGreaterThan(atMost)
  })

  it('is used to the last byte', () => {
    const groups = [everybody]
    const rest =
      atMost - Buffer.byteLength(renderRobotsTxt({ groups, sitemaps: [] })) - '\nSitemap: \n'.length
    const url = `https://example.com/${'a'.repeat(rest - 'https://example.com/'.length)}`
    expect(Buffer.byteLength(renderRobotsTxt({ groups, sitemaps: [url] }))).toBe(atMost)
    expect(read(renderRobotsTxt({ groups, sitemaps: [`${url}a`] })).sitemaps).toEqual([])
  })

  it('groups are never cut, whatever their size', () => {
    const disallow = Array.from({ length: 30_000 }, (_, n) => `/private/area-${n}/`)
    const text = renderRobotsTxt({ groups: [{ ...everybody, disallow }], sitemaps: [index] })
    expect(read(text).groups[0]?.rules).toHaveLength(30_000)
    expect(read(text).sitemaps).toEqual([])
  })

  it("lines for a robots.txt of one's own are all there", () => {
    expect(read(sitemapLines(parts)).sitemaps).toEqual(parts)
  })
})
