import { describe, expect, expectTypeOf, it } from 'vitest'
import { PROFILE_CLASSES, type RobotsAttributes, robotsClasses } from '../../src/robots-profile/classes.ts'
import { directiveWords } from '../../src/robots-profile/words.ts'

const rel = 'nofollow'
const nosnippet = { 'data-nosnippet': '' }

describe('attributes from directives (SPEC H20 to H23, H30, and the table of twins)', () => {
  it.each([
    { name: 'nofollow', input: 'nofollow', attributes: { class: 'robots-nofollow', rel } },
    { name: 'noanchortext', input: 'noanchortext', attributes: { class: 'robots-noanchortext', rel } },
    { name: 'noindex', input: 'noindex', attributes: { class: 'robots-noindex', ...nosnippet } },
    { name: 'noarchive', input: 'noarchive', attributes: { class: 'robots-noarchive' } },
    {
      name: 'none (SPEC H51)',
      input: 'none',
      attributes: { class: 'robots-nofollow robots-noindex', rel, ...nosnippet },
    },
    {
      name: 'several with commas, in any case',
      input: 'NOARCHIVE,NoFollow',
      attributes: { class: 'robots-nofollow robots-noarchive', rel },
    },
    {
      name: 'a list',
      input: ['noindex', 'nofollow noarchive'],
      attributes: { class: 'robots-nofollow robots-noindex robots-noarchive', rel, ...nosnippet },
    },
    { name: 'the same twice', input: 'noarchive noarchive', attributes: { class: 'robots-noarchive' } },
    { name: 'opposites', input: 'index, follow', attributes: { class: 'robots-follow robots-index' } },
    {
      name: 'a word beside its opposite (SPEC H35)',
      input: 'index, noindex, archive',
      attributes: { class: 'robots-noindex robots-archive', ...nosnippet },
    },
    {
      name: 'unknown words',
      input: 'all, max-snippet:-1, robots-noindex, nofollows',
      attributes: { class: '' },
    },
    { name: 'empty text', input: '', attributes: { class: '' } },
    { name: 'empty list', input: [], attributes: { class: '' } },
    { name: 'null', input: null, attributes: { class: '' } },
    { name: 'undefined', input: undefined, attributes: { class: '' } },
  ])('$name', ({ input, attributes }) => {
    expect(robotsClasses(input)).toEqual(attributes)
  })

  it('are typed as what a template may write', () => {
    expectTypeOf(robotsClasses).returns.toEqualTypeOf<RobotsAttributes>()
    expectTypeOf<RobotsAttributes['class']>().toEqualTypeOf<string>()
    // @ts-expect-error a number is no directive
    expect(robotsClasses(1)).toEqual({ class: '' })
  })

  it('SPEC H34: there are eight classes, in the order of S4', () => {
    expect(PROFILE_CLASSES.map((name) => name.replace('robots-', ''))).toEqual([
      'nofollow',
      'follow',
      'noindex',
      'noanchortext',
      'anchortext',
      'index',
      'noarchive',
      'archive',
    ])
  })
})

describe('words of meta robots (SPEC H50, H51)', () => {
  it.each([
    { name: 'a value', input: 'max-snippet:0', words: ['max-snippet:0'] },
    { name: 'a value behind a space', input: 'Max-Snippet: 0, a', words: ['max-snippet:0', 'a'] },
    { name: 'spaces on both sides', input: 'max-snippet : 0 noindex', words: ['max-snippet:0', 'noindex'] },
    { name: 'a colon first', input: ':0, a', words: [':0', 'a'] },
    { name: 'only separators', input: ' ,; ', words: [] },
    { name: 'no text', input: [1, null, {}, Symbol('noindex')], words: [] },
  ])('$name', ({ input, words }) => {
    expect([...directiveWords(input)]).toEqual(words)
  })
})
