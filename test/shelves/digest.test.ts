import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestOf, digestOfAll, shortDigest } from '../../src/digest.ts'

describe('digests', () => {
  it('are 22 characters that may stand in a header and a file name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(digestOf(text)).toMatch(/^[\w-]{22}$/)
      }),
    )
  })

  it('are the same of text and bytes, in one go or piece by piece', () => {
    const text = 'größe 😀 \uD800'
    expect(digestOf(Buffer.from(text))).toBe(digestOf(text))
    expect(shortDigest(createHash('sha256').update('größe').update(' 😀 \uD800'))).toBe(digestOf(text))
  })

  it.each([
    { name: 'a border between values', a: ['ab', 'c'], b: ['a', 'bc'] },
    { name: 'an empty value', a: ['a', ''], b: ['a'] },
    { name: 'a value that is not there', a: ['a', undefined], b: ['a'] },
    { name: 'not there and empty', a: [undefined], b: [''] },
    { name: 'a number and its text', a: [1], b: ['1'] },
    { name: 'a boolean and its text', a: [true], b: ['true'] },
    { name: 'the order', a: ['a', 'b'], b: ['b', 'a'] },
    { name: 'a quote', a: ['a","b'], b: ['a', 'b'] },
  ])('of several values differ by $name', ({ a, b }) => {
    expect(digestOfAll(...a)).not.toBe(digestOfAll(...b))
    expect(digestOfAll(...a)).toBe(digestOfAll(...a))
  })
})
