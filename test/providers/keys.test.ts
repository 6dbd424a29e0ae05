import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonKind, exactKey, kindOf, readKey, writeKey } from '../../src/providers/keys.ts'

const MOST = BigInt(Number.MAX_SAFE_INTEGER)
const largest = 10n ** 60n - 1n

describe('a key', () => {
  it('comes back as it was given, in its kind', () => {
    const keys = fc.oneof(
      fc.maxSafeInteger(),
      fc.bigInt({ min: -largest, max: largest }),
      fc.bigInt({ min: -largest, max: largest }).map(String),
    )
    fc.assert(
      fc.property(keys, (key) => {
        const exact = readKey(key)
        expect(exact).toBe(BigInt(key))
        expect(exact !== undefined && writeKey(exact, kindOf(key))).toStrictEqual(key === 0 ? 0 : key)
      }),
    )
  })

  it.each([
    { name: 'the largest exact number', value: Number.MAX_SAFE_INTEGER, exact: MOST },
    { name: 'the smallest', value: Number.MIN_SAFE_INTEGER, exact: -MOST },
    { name: 'negative zero', value: -0, exact: 0n },
    { name: 'text beyond 64 bits', value: '18446744073709551616', exact: 2n ** 64n },
    { name: '60 digits', value: '9'.repeat(60), exact: largest },
  ])('may be $name', ({ value, exact }) => {
    expect(readKey(value)).toBe(exact)
  })

  it.each([
    { name: 'a number past 2^53', value: 2 ** 53, says: ['9007199254740992 (number)', 'bigints or text'] },
    { name: 'a fraction', value: 1.5, says: ['1.5 (number)', 'column of whole numbers'] },
    { name: 'NaN', value: Number.NaN, says: ['NaN (number)', 'column of whole numbers'] },
    { name: 'infinite', value: Number.POSITIVE_INFINITY, says: ['Infinity (number)'] },
    { name: 'missing', value: undefined, says: ['is missing', 'under that name'] },
    { name: 'null', value: null, says: ['is null', 'never null'] },
    { name: 'text with leading zeros', value: '007', says: ['other text', 'byHash'] },
    { name: 'text with a sign', value: '+7', says: ['other text'] },
    { name: 'minus zero as text', value: '-0', says: ['other text'] },
    { name: 'text with spaces', value: ' 7', says: ['other text'] },
    { name: 'text with a line break', value: '7\n', says: ['other text'] },
    { name: 'empty text', value: '', says: ['other text'] },
    { name: 'hexadecimal text', value: '0x10', says: ['other text'] },
    { name: 'a decimal fraction as text', value: '7.00', says: ['other text'] },
    {
      name: 'a UUID',
      value: '2f1e4b5c-0000-4000-8000-000000000000',
      says: ['other text', 'byMonth or byHash'],
    },
    { name: 'text of 61 digits', value: '1'.repeat(61), says: ['other text'] },
    { name: 'text of a million digits', value: '1'.repeat(1_000_000), says: ['other text'] },
    { name: 'a bigint of 61 digits', value: 10n ** 60n, says: ['more than 60 digits'] },
    { name: 'a Date', value: new Date(0), says: ['of the type object'] },
    { name: 'true', value: true, says: ['of the type boolean'] },
  ])('is never $name', ({ value, says }) => {
    expect(readKey(value)).toBeUndefined()
    expect(() => exactKey(value, 'keyset: it')).toThrow(
      expect.objectContaining({ code: 'LSM_ERR_PROVIDER_INVALID' }),
    )
    for (const words of says) expect(() => exactKey(value, 'keyset: it')).toThrow(words)
  })

  it('that is no number is not shown: the message may end in an HTTP body', () => {
    for (const value of ['secret', { secret: 1 }, 'secret'.repeat(100_000)]) {
      const error: unknown = (() => {
        try {
          return exactKey(value, 'it')
        } catch (thrown) {
          return thrown
        }
      })()
      expect(String(error)).not.toContain('secret')
      expect(String(error).length).toBeLessThan(300)
    }
  })

  it.each([
    { a: 1, b: 2, kind: 'number' },
    { a: 1n, b: 2n, kind: 'bigint' },
    { a: '1', b: '2', kind: 'text' },
    // mysql2 gives large values as text only where they would lose digits.
    { a: 1, b: '9007199254740993', kind: 'text' },
    { a: '-9007199254740993', b: 1, kind: 'text' },
    { a: 1, b: 9_007_199_254_740_993n, kind: 'bigint' },
  ])('$a and $b have the kind $kind', ({ a, b, kind }) => {
    expect(commonKind(a, b)).toBe(kind)
  })
})
