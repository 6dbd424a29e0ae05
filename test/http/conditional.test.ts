import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateConditions, matchesEtag } from '../../src/http/conditional.ts'

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0)
const LAST_MODIFIED = 'Sun, 06 Nov 1994 08:49:37 GMT'
const SECOND_BEFORE = 'Sun, 06 Nov 1994 08:49:36 GMT'
const SECOND_AFTER = 'Sun, 06 Nov 1994 08:49:38 GMT'
// SPEC 9.1: the bytes changed at …37.500.
const WEAK = { etag: 'W/"a,b"', lastModifiedMs: Date.UTC(1994, 10, 6, 8, 49, 37, 500) }
const STRONG = { ...WEAK, etag: '"a,b"' }

describe('vectors of SPEC 9.1', () => {
  it.each([
    { name: 'our tag, strong (N3)', ifNoneMatch: '"a,b"', result: 'not-modified' },
    { name: 'our tag, weak (N3)', ifNoneMatch: 'W/"a,b"', result: 'not-modified' },
    { name: 'any tag (N4)', ifNoneMatch: '*', result: 'not-modified' },
    { name: 'our tag second in a list (N5)', ifNoneMatch: '"x", W/"a,b"', result: 'not-modified' },
    { name: 'two lines, joined (N5)', ifNoneMatch: ['"x"', '"a,b"'].join(', '), result: 'not-modified' },
    { name: 'half of our tag (N5)', ifNoneMatch: '"a"', result: 'serve' },
    { name: 'our tag without quotes (N5)', ifNoneMatch: 'a,b', result: 'serve' },
    { name: 'our tag without its last quote (N5)', ifNoneMatch: '"a,b', result: 'serve' },
    { name: 'lower-case w/ (N3)', ifNoneMatch: 'w/"a,b"', result: 'serve' },
    { name: 'empty (N5)', ifNoneMatch: '', result: 'serve' },
  ])('If-None-Match: $name → $result', ({ ifNoneMatch, result }) => {
    expect(evaluateConditions({ ifNoneMatch }, WEAK, NOW)).toBe(result)
  })

  it('If-None-Match does not match, If-Modified-Since would: serve (N6)', () => {
    expect(evaluateConditions({ ifNoneMatch: '"x"', ifModifiedSince: LAST_MODIFIED }, WEAK, NOW)).toBe(
      'serve',
    )
  })

  it.each([
    { name: 'IMF-fixdate of Last-Modified', ifModifiedSince: LAST_MODIFIED, result: 'not-modified' },
    { name: 'RFC 850', ifModifiedSince: 'Sunday, 06-Nov-94 08:49:37 GMT', result: 'not-modified' },
    { name: 'asctime', ifModifiedSince: 'Sun Nov  6 08:49:37 1994', result: 'not-modified' },
    { name: 'a second later', ifModifiedSince: SECOND_AFTER, result: 'not-modified' },
    {
      name: 'a date still to come',
      ifModifiedSince: 'Wed, 06 Nov 2030 08:49:37 GMT',
      result: 'not-modified',
    },
    { name: 'a second earlier', ifModifiedSince: SECOND_BEFORE, result: 'serve' },
    { name: 'a W3C date', ifModifiedSince: '1994-11-06', result: 'serve' },
    { name: 'the number 0', ifModifiedSince: '0', result: 'serve' },
  ])('If-Modified-Since (N7): $name → $result', ({ ifModifiedSince, result }) => {
    expect(evaluateConditions({ ifModifiedSince }, WEAK, NOW)).toBe(result)
  })
})

describe('order and precondition failures (RFC 9110 §13.2.2, SPEC N1, N11)', () => {
  it.each([
    { name: 'no condition', headers: {}, result: 'serve' },
    { name: 'If-Match names our tag', headers: { ifMatch: '"x", "a,b"' }, result: 'serve' },
    { name: 'If-Match any', headers: { ifMatch: '*' }, result: 'serve' },
    { name: 'If-Match names another tag', headers: { ifMatch: '"x"' }, result: 'precondition-failed' },
    { name: 'If-Match names our tag, weak', headers: { ifMatch: 'W/"a,b"' }, result: 'precondition-failed' },
    { name: 'If-Match empty', headers: { ifMatch: '' }, result: 'precondition-failed' },
    {
      name: 'If-Unmodified-Since in the second of the change (N8)',
      headers: { ifUnmodifiedSince: LAST_MODIFIED },
      result: 'serve',
    },
    {
      name: 'If-Unmodified-Since a second earlier',
      headers: { ifUnmodifiedSince: SECOND_BEFORE },
      result: 'precondition-failed',
    },
    { name: 'If-Unmodified-Since not a date', headers: { ifUnmodifiedSince: '0' }, result: 'serve' },
    {
      name: 'If-Unmodified-Since fails, but If-Match stands there and holds',
      headers: { ifMatch: '"a,b"', ifUnmodifiedSince: SECOND_BEFORE },
      result: 'serve',
    },
    {
      name: 'If-Match fails before If-None-Match is looked at',
      headers: { ifMatch: '"x"', ifNoneMatch: '"a,b"' },
      result: 'precondition-failed',
    },
    {
      name: 'If-Unmodified-Since fails before If-Modified-Since is looked at',
      headers: { ifUnmodifiedSince: SECOND_BEFORE, ifModifiedSince: LAST_MODIFIED },
      result: 'precondition-failed',
    },
    {
      name: 'If-Match holds, If-None-Match too',
      headers: { ifMatch: '"a,b"', ifNoneMatch: '"a,b"' },
      result: 'not-modified',
    },
    {
      name: 'If-Unmodified-Since holds, If-Modified-Since too',
      headers: { ifUnmodifiedSince: LAST_MODIFIED, ifModifiedSince: LAST_MODIFIED },
      result: 'not-modified',
    },
    {
      name: 'If-None-Match matches, If-Modified-Since would serve',
      headers: { ifNoneMatch: '"a,b"', ifModifiedSince: SECOND_BEFORE },
      result: 'not-modified',
    },
    {
      name: 'If-None-Match empty still keeps If-Modified-Since out (N6)',
      headers: { ifNoneMatch: '', ifModifiedSince: LAST_MODIFIED },
      result: 'serve',
    },
    {
      name: 'fields that are absent by value',
      headers: {
        ifMatch: undefined,
        ifUnmodifiedSince: undefined,
        ifNoneMatch: undefined,
        ifModifiedSince: undefined,
      },
      result: 'serve',
    },
  ])('$name → $result', ({ headers, result }) => {
    expect(evaluateConditions(headers, STRONG, NOW)).toBe(result)
  })

  it('our own weak tag fails If-Match even when it is repeated exactly', () => {
    expect(evaluateConditions({ ifMatch: 'W/"a,b"' }, WEAK, NOW)).toBe('precondition-failed')
  })

  it('two states within one second: Last-Modified cannot tell them apart, the tag does (N9)', () => {
    const later = { etag: '"c"', lastModifiedMs: STRONG.lastModifiedMs + 400 }
    expect(evaluateConditions({ ifModifiedSince: LAST_MODIFIED }, later, NOW)).toBe('not-modified')
    expect(evaluateConditions({ ifNoneMatch: '"a,b"', ifModifiedSince: LAST_MODIFIED }, later, NOW)).toBe(
      'serve',
    )
  })
})

describe('matchesEtag reads the list of RFC 9110 §8.8.3 (SPEC N5)', () => {
  it.each([
    { name: 'no space behind the comma', list: '"x","a,b"', weak: true, strong: true },
    { name: 'tabs and spaces', list: ' \t"x" \t,\t"a,b" ', weak: true, strong: true },
    { name: 'empty members', list: ', ,"x",, "a,b",', weak: true, strong: true },
    { name: 'first of two', list: '"a,b", "x"', weak: true, strong: true },
    { name: 'weak first, strong second', list: 'W/"a,b", "a,b"', weak: true, strong: true },
    { name: 'weak', list: 'W/"a,b"', weak: true, strong: false },
    { name: 'weak twice', list: 'W/"a,b", W/"a,b"', weak: true, strong: false },
    { name: 'asterisk between spaces', list: ' * ', weak: true, strong: true },
    { name: 'asterisk within a list', list: '*, "x"', weak: false, strong: false },
    { name: 'asterisk twice', list: '*, *', weak: false, strong: false },
    { name: 'asterisk and an empty member', list: '*,', weak: false, strong: false },
    { name: 'asterisk within quotes', list: '"*"', weak: false, strong: false },
    { name: 'our tag behind an asterisk', list: '*, "a,b"', weak: true, strong: true },
    { name: 'nothing but commas', list: ', , ,', weak: false, strong: false },
    { name: 'empty tag', list: '""', weak: false, strong: false },
    { name: 'a longer tag that begins like ours', list: '"a,bc"', weak: false, strong: false },
    { name: 'a longer tag that ends like ours', list: '"aa,b"', weak: false, strong: false },
    { name: 'other letter case', list: '"A,B"', weak: false, strong: false },
    { name: 'our tag inside another tag, one quote in common', list: '"x"a,b"', weak: false, strong: false },
    { name: 'text behind our tag', list: '"a,b"x', weak: false, strong: false },
    { name: 'text before our tag', list: 'x"a,b"', weak: false, strong: false },
    { name: 'a parameter behind our tag', list: '"a,b";q=1', weak: false, strong: false },
    { name: 'two tags without a comma', list: '"a,b" "x"', weak: false, strong: false },
    { name: 'W/ apart from its tag', list: 'W/ "a,b"', weak: false, strong: false },
    { name: 'W without a slash', list: 'W"a,b"', weak: false, strong: false },
    { name: 'W/ twice', list: 'W/W/"a,b"', weak: false, strong: false },
    { name: 'single quotes', list: "'a,b'", weak: false, strong: false },
    { name: 'no-break space before our tag', list: '\u00a0"a,b"', weak: false, strong: false },
    { name: 'newline before our tag', list: '\n"a,b"', weak: false, strong: false },
    { name: 'our tag behind a malformed member', list: 'oops, "a,b"', weak: true, strong: true },
    { name: 'our tag behind text that follows a tag', list: '"x"oops, "a,b"', weak: true, strong: true },
    { name: 'our tag behind a tag with a space', list: '"x y", "a,b"', weak: true, strong: true },
    // The comma in `"x, "` may part members or not: a reading in doubt is no match.
    { name: 'our tag behind an open quote', list: '"x, "a,b"', weak: false, strong: false },
  ])('$name: $list', ({ list, weak, strong }) => {
    expect(matchesEtag(list, '"a,b"', false)).toBe(weak)
    expect(matchesEtag(list, '"a,b"', true)).toBe(strong)
    // A weak tag of ours: equal to the same members, and to none by the strong comparison, "*" apart.
    expect(matchesEtag(list, 'W/"a,b"', false)).toBe(weak)
    expect(matchesEtag(list, 'W/"a,b"', true)).toBe(list.trim() === '*')
  })

  it.each([
    { name: 'exclamation mark', tag: '"!"', inList: true },
    { name: 'number sign', tag: '"#"', inList: true },
    { name: 'tilde', tag: '"~"', inList: true },
    { name: 'backslash, which escapes nothing', tag: '"\\"', inList: true },
    { name: 'first of obs-text', tag: '"\u0080"', inList: true },
    { name: 'last of obs-text', tag: '"\u00ff"', inList: true },
    { name: 'nothing', tag: '""', inList: true },
    { name: 'space', tag: '" "', inList: false },
    { name: 'tab', tag: '"\t"', inList: false },
    { name: 'DEL', tag: '"\u007f"', inList: false },
    { name: 'a quote', tag: '"""', inList: false },
    { name: 'beyond a byte', tag: '"\u0100"', inList: false },
  ])('characters of a tag: $name', ({ tag, inList }) => {
    // In a list, so that the shortcut for a header that equals our tag does not answer.
    expect(matchesEtag(`"x", ${tag}`, tag, true)).toBe(inList)
  })

  it.each([
    { name: 'quotes', list: '"'.repeat(1_000_000) },
    { name: 'open quotes', list: '"a,'.repeat(300_000) },
    { name: 'commas', list: ','.repeat(1_000_000) },
    { name: 'spaces', list: `x${' '.repeat(1_000_000)}` },
    { name: 'weak marks', list: 'W/'.repeat(500_000) },
    { name: 'tags of others', list: '"b", '.repeat(200_000) },
    { name: 'one long tag', list: `"${'a'.repeat(1_000_000)}` },
  ])('a million characters end in time: $name', ({ list }) => {
    expect(matchesEtag(list, '"a"', false)).toBe(false)
  })
})

describe('properties', () => {
  const tagCharacter = fc
    .oneof(
      fc.constantFrom(0x21, 0x2c, 0x2f, 0x57, 0x5c, 0x7e, 0xff),
      fc.integer({ min: 0x23, max: 0x7e }),
      fc.integer({ min: 0x80, max: 0xff }),
    )
    .map((code) => String.fromCharCode(code))
  const opaque = fc.oneof(
    fc.constantFrom('"a"', '"a,b"', '""', '"W/"'),
    fc.string({ unit: tagCharacter, maxLength: 8 }).map((text) => `"${text}"`),
  )
  const member = fc.record({ opaque, isWeak: fc.boolean() })
  const write = (tag: { opaque: string; isWeak: boolean }) => (tag.isWeak ? 'W/' : '') + tag.opaque
  // No comma and no quote, so that where such a member ends is beyond doubt.
  const malformed = fc.string({ unit: fc.constantFrom('a', 'W', '/', '*', ' ', '\t', 'é'), maxLength: 5 })
  const separator = fc.constantFrom(',', ', ', ' ,\t', ', ,')

  it('a list matches exactly when one of its well-formed members does', () => {
    fc.assert(
      fc.property(
        member,
        fc.array(fc.oneof(member, malformed), { minLength: 1, maxLength: 6 }),
        separator,
        (ours, members, between) => {
          const list = members.map((each) => (typeof each === 'string' ? each : write(each))).join(between)
          fc.pre(list.replace(/[ \t]/g, '') !== '*')
          const tags = members
            .filter((each) => typeof each !== 'string')
            .filter((tag) => tag.opaque === ours.opaque)
          expect(matchesEtag(list, write(ours), false)).toBe(tags.length > 0)
          expect(matchesEtag(list, write(ours), true)).toBe(!ours.isWeak && tags.some((tag) => !tag.isWeak))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('no header makes it throw, and what does not hold our opaque part or an asterisk never matches', () => {
    const anyHeader = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', 'W', '/', ',', ' ', '*', 'a', 'b', '\t') }),
    )
    fc.assert(
      fc.property(anyHeader, fc.boolean(), (list, strong) => {
        const matches = matchesEtag(list, '"a"', strong)
        if (!list.includes('"a"') && list.replace(/[ \t]/g, '') !== '*') expect(matches).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('no set of headers makes evaluateConditions throw', () => {
    const field = fc.option(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(LAST_MODIFIED, '*', '"a,b"')),
      {
        nil: undefined,
      },
    )
    const headers = fc.record({
      ifMatch: field,
      ifUnmodifiedSince: field,
      ifNoneMatch: field,
      ifModifiedSince: field,
    })
    fc.assert(
      fc.property(headers, fc.double(), (each, now) => {
        expect(['serve', 'not-modified', 'precondition-failed']).toContain(
          evaluateConditions(each, STRONG, now),
        )
      }),
    )
  })
})
