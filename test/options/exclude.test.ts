import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refuseAll, resolve } from './resolving.ts'

describe('exclude', () => {
  it.each<{ pattern: string | RegExp; text: string; out: boolean }>([
    { pattern: '/a', text: '/a', out: true },
    { pattern: '/a', text: '/ab', out: false },
    { pattern: '/a', text: '/x/a', out: false },
    { pattern: '/a', text: '/a?b=c', out: true },
    { pattern: '/a', text: '/A', out: false },
    { pattern: '/a*', text: '/a', out: true },
    { pattern: '/a*', text: '/a/b/c?d', out: true },
    { pattern: '/a/*', text: '/a', out: false },
    { pattern: '*', text: '/', out: true },
    { pattern: '/*/print', text: '/a/b/print', out: true },
    { pattern: '/*/print', text: '/print', out: false },
    { pattern: '/*/print', text: '/a/print?x', out: true },
    { pattern: '*.pdf', text: '/a.pdf', out: true },
    { pattern: '*.pdf', text: '/a.pdf.html', out: false },
    { pattern: '*.pdf', text: '/a?b=.pdf', out: false },
    { pattern: '/ab*ba', text: '/aba', out: false },
    { pattern: '/ab*ba', text: '/abba', out: true },
    { pattern: '/a**b', text: '/ab', out: true },
    { pattern: '/*a*b*', text: '/xxbxa', out: false },
    { pattern: '/*a*b*', text: '/xxaxb', out: true },
    { pattern: '/a?b=c', text: '/a?b=c', out: true },
    { pattern: '/a?b=c', text: '/a', out: false },
    { pattern: '/a?b=c', text: '/axb=c', out: false },
    { pattern: '/a?b=c', text: '/a?b=c&d', out: false },
    { pattern: '*?preview=*', text: '/x/y?preview=1', out: true },
    { pattern: '*?preview=*', text: '/x/y?a&preview=1', out: false },
    { pattern: '*?*preview=*', text: '/x/y?a&preview=1', out: true },
    { pattern: '/a.b', text: '/axb', out: false },
    { pattern: '/(a|b)+$', text: '/(a|b)+$', out: true },
    { pattern: '/café/*', text: '/caf%C3%A9/menu', out: true },
    { pattern: '/a b', text: '/a%20b', out: true },
    { pattern: /\/page\/\d+$/, text: '/blog/page/12', out: true },
    { pattern: /\/page\/\d+$/, text: '/blog/page/12?x', out: false },
    { pattern: /preview=/i, text: '/a?PREVIEW=1', out: true },
  ])('$pattern and $text → $out', ({ pattern, text, out }) => {
    expect(resolve({ exclude: pattern }).exclude?.(text)).toBe(out)
    expect(resolve({ exclude: ['/never', pattern] }).exclude?.(text)).toBe(out)
  })

  it('is absent for an empty list', () => {
    expect(resolve({ exclude: [] }).exclude).toBeUndefined()
  })

  it.each([/draft/g, /draft/gi, /.*draft/y])(
    '%s tests alike each time, and its own position stays',
    (pattern) => {
      pattern.lastIndex = 3
      const exclude = resolve({ exclude: pattern }).exclude
      expect([1, 2, 3].map(() => exclude?.('/draft'))).toEqual([true, true, true])
      expect(pattern.lastIndex).toBe(3)
    },
  )

  it('y is held against the start', () => {
    expect(resolve({ exclude: /draft/y }).exclude?.('/draft')).toBe(false)
  })

  it('matches as the regular expression of its pattern does', () => {
    const piece = fc.stringMatching(/^[ab*]{0,8}$/)
    fc.assert(
      fc.property(piece, fc.stringMatching(/^[ab]{0,10}$/), (pattern, text) => {
        const reference = new RegExp(`^/${pattern.replaceAll('*', '.*')}$`)
        expect(resolve({ exclude: `/${pattern}` }).exclude?.(`/${text}`)).toBe(reference.test(`/${text}`))
      }),
    )
  })

  it('takes no exponential time', () => {
    // As ^/(.*a){40}.*b$ this would outlast the test's time limit by far.
    const exclude = resolve({ exclude: `/${'*a'.repeat(40)}*b` }).exclude
    expect(exclude?.(`/${'a'.repeat(100_000)}`)).toBe(false)
  })
})

describe('faults', () => {
  refuseAll([
    {
      name: 'a pattern that no path can match',
      more: { exclude: 'drafts/*' },
      line: `option "exclude" is "drafts/*" (string): expected a path that starts with / or *, or a RegExp. Write '/drafts/*'.`,
    },
    {
      name: 'a URL as pattern',
      more: { exclude: ['/a', 'https://www.example.com/a'] },
      line: `option "exclude[1]" is "https://www.example.com/a" (string): expected a path that starts with / or *, or a RegExp. Write '/drafts/*'.`,
    },
    {
      name: 'an undefined pattern',
      more: { exclude: [undefined] },
      line: `option "exclude[0]" is undefined (undefined): expected a path that starts with / or *, or a RegExp. Write '/drafts/*'.`,
    },
    {
      name: 'a function as pattern',
      more: { exclude: () => true },
      line: `option "exclude" is function exclude (function): expected a path that starts with / or *, or a RegExp. Write '/drafts/*'.`,
    },
  ])
})
