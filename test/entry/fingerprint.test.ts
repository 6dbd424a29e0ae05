import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Fingerprint,
  fingerprint,
  NOT_PLAIN,
  PLAIN,
  PLAIN_WITH_AMPERSAND,
  scanPath,
} from '../../src/entry/fingerprint.ts'

const out: Fingerprint = { high: 0, low: 0 }

function printOf(text: string): string {
  fingerprint(text, out)
  return `${out.high} ${out.low}`
}

describe('fingerprints of URLs (SPEC L9)', () => {
  it.each([
    { name: 'one character', a: '/a', b: '/b' },
    { name: 'order of characters', a: '/ab', b: '/ba' },
    { name: 'order of pairs', a: '/abcd/', b: '/cdab/' },
    { name: 'length', a: '/a', b: '/aa' },
    { name: 'a slash at the end', a: '/a', b: '/a/' },
    { name: 'nothing and a zero character', a: '', b: '\0' },
    { name: 'zero characters of even number', a: '\0\0', b: '\0\0\0\0' },
    { name: 'case', a: '/A', b: '/a' },
    // Measured: one of two such pairs among 20 million URLs that differ at every second place only.
    {
      name: 'every second character',
      a: '/Q-a-A-Q-E-a-I-r-s-j-E-k-',
      b: '/G-m-V-Z-8-Y-O-v-o-5-w-m-',
    },
  ])('two that differ in $name are two', ({ a, b }) => {
    expect(printOf(a)).not.toBe(printOf(b))
  })

  it('differ where the texts differ, and only there', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webPath(), (a, b) => {
        expect(printOf(a) === printOf(b)).toBe(a === b)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('plain paths', () => {
  it.each([
    { name: 'root', text: '/', found: PLAIN },
    { name: 'path', text: '/blog/hello-world_1~', found: PLAIN },
    { name: 'every plain character', text: '/AZaz09_~.-/?=+,:;@!$*()', found: PLAIN },
    { name: 'slashes inside', text: '/a//b/', found: PLAIN },
    { name: 'dots inside a segment', text: '/a.b/c..d/e.', found: PLAIN },
    { name: 'ampersand', text: '/?a=1&b=2', found: PLAIN_WITH_AMPERSAND },
    { name: 'ampersand at the end', text: '/?a&', found: PLAIN_WITH_AMPERSAND },
    { name: 'nothing', text: '', found: NOT_PLAIN },
    { name: 'no slash first', text: 'a', found: NOT_PLAIN },
    { name: 'another host', text: '//a', found: NOT_PLAIN },
    { name: 'dot segment', text: '/./a', found: NOT_PLAIN },
    { name: 'dot segment one place on', text: '/a/./b', found: NOT_PLAIN },
    { name: 'dot segment at the end', text: '/ab/..', found: NOT_PLAIN },
    { name: 'dot segment at the end, one place on', text: '/a/..', found: NOT_PLAIN },
    { name: 'only a dot', text: '/.', found: NOT_PLAIN },
    { name: 'percent', text: '/a%20', found: NOT_PLAIN },
    { name: 'percent one place on', text: '/ab%20', found: NOT_PLAIN },
    { name: 'apostrophe', text: "/a'", found: NOT_PLAIN },
    { name: 'quote', text: '/a"', found: NOT_PLAIN },
    { name: 'fragment', text: '/a#b', found: NOT_PLAIN },
    { name: 'space at the end', text: '/a ', found: NOT_PLAIN },
    { name: 'backslash', text: '/\\a', found: NOT_PLAIN },
    { name: 'tab', text: '/\t', found: NOT_PLAIN },
    { name: 'beyond ASCII', text: '/é', found: NOT_PLAIN },
    { name: 'beyond ASCII, its low bits a letter', text: '/\u0161', found: NOT_PLAIN },
    { name: 'delete', text: '/\u007F', found: NOT_PLAIN },
  ])('$name', ({ text, found }) => {
    expect(scanPath(text, { high: 0, low: 0 })).toBe(found)
  })

  const pathish = fc
    .array(
      fc.constantFrom(
        '/',
        '/',
        '.',
        'a',
        'Z',
        '9',
        '-',
        '?',
        '=',
        '&',
        '%',
        '#',
        ' ',
        "'",
        '\\',
        'é',
        '@',
        '*',
        '~',
        '\t',
        '[',
        '{',
      ),
      { maxLength: 9 },
    )
    .map((parts) => `/${parts.join('')}`)

  it('any text: what is plain is final as it stands, and has the fingerprint of its text', () => {
    fc.assert(
      fc.property(pathish, (text) => {
        const print = { high: 0, low: 0 }
        const found = scanPath(text, print)
        fc.pre(found !== NOT_PLAIN)
        expect(new URL(text, 'https://www.example.com').href).toBe(`https://www.example.com${text}`)
        expect(text).toMatch(/^[\w.~\-/?=&+,:;@!$*()]+$/)
        expect(found === PLAIN_WITH_AMPERSAND).toBe(text.includes('&'))
        expect(`${print.high} ${print.low}`).toBe(printOf(text))
      }),
      { numRuns: 3_000 },
    )
  })
})
