import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLocResolver } from '../../src/entry/loc.ts'
import { textLine } from '../../src/formats/text.ts'

describe('text sitemap', () => {
  it('is the locs as they stand, one a line, and nothing else (SPEC T1 to T3, T8)', () => {
    const locs = ['https://example.com/?a=1&b=2', 'https://example.com/%C3%BC', "https://example.com/it's"]
    expect(locs.map(textLine).join('')).toBe(
      "https://example.com/?a=1&b=2\nhttps://example.com/%C3%BC\nhttps://example.com/it's\n",
    )
  })

  const resolve = createLocResolver({
    siteUrl: 'https://example.com/',
    origin: 'https://example.com',
    scope: 'off',
    directory: '/',
    trailingSlash: 'preserve',
  })
  const path = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc
      .array(
        fc.constantFrom(
          '\n',
          '\r',
          '\u0085',
          '\u2028',
          '\ufeff',
          '\u0000',
          '\ud800',
          '#',
          '&amp;',
          ' ',
          '%',
          'é',
          '猫',
          '/',
        ),
        { maxLength: 8 },
      )
      .map((pieces) => pieces.join('')),
  )

  it('whatever the entries hold, every line is an absolute URL in ASCII, and there are as many as entries (SPEC T2, T3, T6)', () => {
    fc.assert(
      fc.property(fc.array(path), (paths) => {
        const locs = paths.map((input) => resolve(`/${input}`)).filter((loc) => typeof loc === 'string')
        const text = locs.map(textLine).join('')
        expect(text).toMatch(/^[\n!-~]*$/)
        expect(text === '' ? [] : text.slice(0, -1).split('\n')).toEqual(locs)
        for (const loc of locs) expect(new URL(loc).protocol).toMatch(/^https?:$/)
      }),
      { numRuns: 300 },
    )
  })
})
