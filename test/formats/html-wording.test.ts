import { describe, expect, it } from 'vitest'
import { fill, wordingFor } from '../../src/formats/html-wording.ts'

describe('wording', () => {
  it.each([
    { language: 'en', count: 0, text: '0 entries' },
    { language: 'en', count: 1, text: '1 entry' },
    { language: 'en', count: 1_204_332, text: '1,204,332 entries' },
    { language: 'fr', count: 0, text: '0 entrée' },
    { language: 'fr', count: 1_500, text: '1\u202F500 entrées' },
    { language: 'fr', count: 2_000_000, text: '2\u202F000\u202F000 d’entrées' },
    { language: 'de', count: 1_500, text: '1.500 Einträge' },
    { language: 'es', count: 1, text: '1 entrada' },
    { language: 'ar', count: 2, text: 'مدخلان' },
    { language: 'ar', count: 3, text: '3 مدخلات' },
    { language: 'ar', count: 11, text: '11 مدخلًا' },
    { language: 'ar', count: 100, text: '100 مدخل' },
    { language: 'ja', count: 1_500, text: '1,500 件' },
    // English words in the numbers of the page: the rules are those of the words.
    { language: 'pl', count: 1, text: '1 entry' },
    { language: 'pt', count: 0, text: '0 entries' },
    { language: 'xx-invalid-tag-that-is-too-long', count: 1_500, text: '1,500 entries' },
  ])('$count in $language: $text', ({ language, count, text }) => {
    expect(wordingFor(language).entries(count)).toBe(text)
  })

  it.each([
    { language: 'en', date: '2026-05-10', text: 'May 10, 2026' },
    { language: 'en-GB', date: '2026-05-10', text: '10 May 2026' },
    { language: 'fr', date: '2026-05-10', text: '10 mai 2026' },
    { language: 'de', date: '2026-05-10T23:30:00-11:00', text: '10. Mai 2026' },
    { language: 'ja', date: '2026-05-10T00:30:00+14:00', text: '2026年5月10日' },
    { language: 'en', date: 'soon', text: undefined },
  ])('$date in $language: $text', ({ language, date, text }) => {
    expect(wordingFor(language).day(date)).toBe(text)
  })
})

it('pages are counted in the numbers of the language', () => {
  expect(wordingFor('de').pageOf(2, 1_500)).toBe('Seite 2 von 1.500')
  expect(wordingFor('ja').pageOf(2, 1_500)).toBe('1,500 ページ中 2 ページ目')
})

describe('plural rules are those of the words', () => {
  const forms = { one: 'one', few: 'few', many: 'many', other: 'other' }

  it.each([
    { name: "the user's for the page", language: 'pl', own: { pl: { entries: forms } }, text: 'few' },
    {
      name: "the user's English on another page",
      language: 'pl',
      own: { en: { entries: forms } },
      text: 'other',
    },
    {
      name: "the user's for the primary subtag",
      language: 'cs-CZ',
      own: { cs: { entries: forms } },
      text: 'few',
    },
    { name: 'for a tag that is none', language: 'no tag', own: { en: { entries: forms } }, text: 'other' },
  ])('$name', ({ language, own, text }) => {
    expect(wordingFor(language, own).entries(3)).toBe(text)
  })
})

it.each([
  { template: '{n} of {m}', text: '1 of {m}' },
  { template: '{n}{n}', text: '11' },
  { template: '{constructor} {toString}', text: '{constructor} {toString}' },
  { template: '$& {n', text: '$& {n' },
])('fill $template: $text', ({ template, text }) => {
  expect(fill(template, { n: '1' })).toBe(text)
})
