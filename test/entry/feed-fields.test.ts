import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckedFeedFields } from '../../src/entry/checked.ts'
import { LONGEST_CONTENT } from '../../src/entry/feed-fields.ts'
import { createCheck, ORIGIN, type Rules } from './create-check.ts'

/** The feed fields of an entry with these fields, and what was dropped of it, `field: reason` each. */
function feedFieldsOf(
  fields: object,
  more: Rules = {},
): { fields: CheckedFeedFields; dropped: readonly string[] } {
  const { check, feedFields, dropped } = createCheck(more)
  const input = { loc: '/a', ...fields }
  const entry = check(input)
  if (entry === undefined) throw new Error('left out')
  dropped.length = 0
  return {
    fields: feedFields(input, entry),
    dropped: dropped.map(({ field, reason }) => `${field}: ${reason}`),
  }
}

describe('guid (SPEC F22)', () => {
  it.each([
    { name: 'text', guid: 'urn:a', written: 'urn:a' },
    { name: 'spaces around and line ends', guid: ' a\n b ', written: 'a b' },
    { name: 'number', guid: 7, written: '7' },
    { name: 'bigint', guid: 9_007_199_254_740_993n, written: '9007199254740993' },
    { name: 'blank', guid: ' \u0000', written: undefined },
    { name: 'null', guid: null, written: undefined },
  ])('$name', ({ guid, written }) => {
    expect(feedFieldsOf({ guid })).toMatchObject({ fields: { guid: written }, dropped: [] })
  })

  it('an object is dropped', () => {
    expect(feedFieldsOf({ guid: {} })).toMatchObject({
      fields: { guid: undefined },
      dropped: ['guid: guid is not text'],
    })
  })
})

describe('names (SPEC F24, F25, R11)', () => {
  it.each([
    { name: 'one author may hold a comma', fields: { author: 'Smith, Ann' }, list: ['Smith, Ann'] },
    { name: 'authors as a list', fields: { author: ['Ann', ' Bo\n', '', null] }, list: ['Ann', 'Bo'] },
    { name: 'one author twice', fields: { author: ['Ann', 'Ann'] }, list: ['Ann'] },
    { name: 'categories parted at commas', fields: { categories: 'a, b,,c' }, list: ['a', 'b', 'c'] },
    { name: 'categories as a list', fields: { categories: ['a, b', 'c'] }, list: ['a, b', 'c'] },
    { name: 'keywords parted at commas', fields: { keywords: 'a,b' }, list: ['a', 'b'] },
  ])('$name', ({ fields, list }) => {
    const [field] = Object.keys(fields)
    expect(feedFieldsOf(fields)).toMatchObject({ fields: { [field ?? '']: list }, dropped: [] })
  })

  it.each(['author', 'categories', 'keywords'] as const)(
    '%s that are no text are dropped and said',
    (field) => {
      const { fields, dropped } = feedFieldsOf({ [field]: ['a', { name: 'b' }, true] })
      expect(fields[field]).toEqual(['a'])
      expect(dropped).toEqual(Array(2).fill(`${field}: ${field} is not text`))
    },
  )

  it.each(['author', 'categories', 'keywords'] as const)(
    '%s beyond a hundred are dropped and said',
    (field) => {
      const { fields, dropped } = feedFieldsOf({ [field]: Array.from({ length: 101 }, (_, i) => `n${i}`) })
      expect(fields[field]).toHaveLength(100)
      expect(dropped).toEqual([`${field}: ${field} beyond 100`])
    },
  )
})

describe('enclosure (SPEC F26)', () => {
  const url = `${ORIGIN}/a.mp3`

  it.each([
    { name: 'with parameters', type: 'audio/mpeg; codecs="x"', written: 'audio/mpeg' },
    { name: 'spaces around', type: ' image/svg+xml ', written: 'image/svg+xml' },
    { name: 'vendor', type: 'application/vnd.a.b-c', written: 'application/vnd.a.b-c' },
  ])('type: $name', ({ type, written }) => {
    expect(feedFieldsOf({ enclosure: { url: '/a.mp3', type, length: 1 } })).toMatchObject({
      fields: { enclosure: { url, type: written, length: 1 } },
      dropped: [],
    })
  })

  it.each(['mp3', 'audio/', '/mpeg', 'audio/mp/eg', 'audio mpeg/x', ';', 'audio/mp\u00e9g'])(
    'dropped, for nothing is guessed: type "%s"',
    (type) => {
      const { fields, dropped } = feedFieldsOf({ enclosure: { url: '/a.mp3', type } })
      expect(fields.enclosure).toBeUndefined()
      expect(dropped).toEqual(['enclosure: enclosure type is no media type such as audio/mpeg'])
    },
  )

  it.each([
    { name: 'number', length: 12, written: 12, said: 0 },
    { name: 'digits', length: ' 12 ', written: 12, said: 0 },
    { name: 'bigint', length: 12n, written: 12, said: 0 },
    { name: 'absent', length: undefined, written: 0, said: 0 },
    { name: 'empty text', length: '', written: 0, said: 0 },
    { name: 'exponent', length: '1e3', written: 0, said: 1 },
    { name: 'hexadecimal', length: '0x10', written: 0, said: 1 },
    { name: 'unit', length: '12 MB', written: 0, said: 1 },
    { name: 'negative', length: -1, written: 0, said: 1 },
    { name: 'fraction', length: 1.5, written: 0, said: 1 },
    { name: 'larger than a number holds', length: 2n ** 60n, written: 0, said: 1 },
  ])('length: $name → $written', ({ length, written, said }) => {
    const { fields, dropped } = feedFieldsOf({ enclosure: { url: '/a.mp3', type: 'audio/mpeg', length } })
    expect(fields.enclosure).toEqual({ url, type: 'audio/mpeg', length: written })
    expect(dropped).toEqual(
      Array(said).fill('enclosure: enclosure length is no number of bytes and was left out'),
    )
  })
})

describe('ror', () => {
  it.each([
    { type: 'Product', written: 'Product' },
    { type: 'product', written: 'Product' },
    { type: 'élan', written: 'élan' },
    { type: 'SiteMap', written: 'SiteMap' },
    { type: '', written: undefined },
  ])('type "$type" (SPEC R10)', ({ type, written }) => {
    expect(feedFieldsOf({ type })).toMatchObject({ fields: { type: written }, dropped: [] })
  })

  it.each(['Main', 'main', ' Main '])('type "%s" is the site alone (SPEC R5)', (type) => {
    expect(feedFieldsOf({ type })).toMatchObject({
      fields: { type: undefined },
      dropped: ['type: type Main is the site itself'],
    })
  })

  it.each([
    { sortOrder: '0', written: 0 },
    { sortOrder: '12', written: 12 },
    { sortOrder: 3n, written: 3 },
    { sortOrder: 0, written: 0 },
    { sortOrder: '', written: undefined },
    { sortOrder: null, written: undefined },
  ])('sortOrder $sortOrder (SPEC R14)', ({ sortOrder, written }) => {
    expect(feedFieldsOf({ sortOrder })).toMatchObject({ fields: { sortOrder: written }, dropped: [] })
  })

  it.each([1.5, -1, '1.5', 'first', '-1', Number.NaN, {}, true])('sortOrder %s is dropped', (sortOrder) => {
    expect(feedFieldsOf({ sortOrder })).toMatchObject({
      fields: { sortOrder: undefined },
      dropped: ['sortOrder: sortOrder is not a whole number from 0'],
    })
  })

  it.each(['hour', 'day', 'week', 'month', 'year', ' Day ', 'YEAR'])(
    'updatePeriod "%s" (SPEC R13)',
    (updatePeriod) => {
      expect(feedFieldsOf({ updatePeriod })).toMatchObject({
        fields: { updatePeriod: updatePeriod.trim().toLowerCase() },
        dropped: [],
      })
    },
  )

  it.each(['daily', 'hourly', 'always', 'days', 1, {}])(
    'updatePeriod %s is no word of ROR',
    (updatePeriod) => {
      expect(feedFieldsOf({ updatePeriod, changefreq: 'weekly' })).toMatchObject({
        fields: { updatePeriod: 'week' },
        dropped: ['updatePeriod: updatePeriod is none of hour day week month year'],
      })
    },
  )

  it('an empty updatePeriod says nothing', () => {
    expect(feedFieldsOf({ updatePeriod: '', changefreq: 'daily' })).toMatchObject({
      fields: { updatePeriod: 'day' },
      dropped: [],
    })
  })
})

describe('content (SPEC F27)', () => {
  it.each([
    { name: 'HTML with line ends', content: '<p>a</p>\r\n\t<p>b</p>', written: '<p>a</p>\r\n\t<p>b</p>' },
    { name: 'what XML forbids', content: 'a\u0000\ufffe\ud800b', written: 'a\ufffdb' },
    { name: 'blank', content: ' \n\u0001', written: undefined },
    { name: 'empty', content: '', written: undefined },
    { name: 'null', content: null, written: undefined },
  ])('$name', ({ content, written }) => {
    expect(feedFieldsOf({ content })).toMatchObject({ fields: { content: written }, dropped: [] })
  })

  it.each([{ content: { html: '<p>' } }, { content: 7 }, { content: Buffer.from('<p>') }])(
    'what is no text is dropped',
    ({ content }) => {
      expect(feedFieldsOf({ content })).toMatchObject({
        fields: { content: undefined },
        dropped: ['content: content is not text'],
      })
    },
  )

  it('one that is too long is dropped whole, for half of it would be no HTML', () => {
    expect(feedFieldsOf({ content: 'a'.repeat(LONGEST_CONTENT) }).fields.content).toHaveLength(
      LONGEST_CONTENT,
    )
    expect(feedFieldsOf({ content: 'a'.repeat(LONGEST_CONTENT + 1) })).toMatchObject({
      fields: { content: undefined },
      dropped: ['content: content is longer than 1048576 characters'],
    })
  })
})

it('any value of any field: nothing throws, and what is written is clean and final', () => {
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withNullPrototype: true,
    withTypedArray: true,
  })
  const fields = fc.record({
    content: value,
    keywords: value,
    author: value,
    categories: value,
    guid: value,
    enclosure: fc.oneof(value, fc.record({ url: value, type: value, length: value })),
    type: value,
    sortOrder: value,
    resourceOf: value,
    updatePeriod: value,
  })
  fc.assert(
    fc.property(fields, (input) => {
      const { fields: read } = feedFieldsOf(input)
      const { keywords, author, categories, content, guid, type, resourceOf, sortOrder, enclosure } = read
      for (const text of [...keywords, ...author, ...categories, content, guid, type, resourceOf]) {
        if (text === undefined) continue
        expect(text.trim()).not.toBe('')
        expect(text.isWellFormed()).toBe(true)
      }
      if (sortOrder !== undefined) expect(Number.isSafeInteger(sortOrder) && sortOrder >= 0).toBe(true)
      if (enclosure !== undefined) expect(enclosure.type).toMatch(/^[^/\s]+\/[^/\s]+$/)
    }),
    { numRuns: 500 },
  )
})
