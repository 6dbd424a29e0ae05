import { describe, expect, it } from 'vitest'
import { directionOf, stringsFor, wordingFor } from '../../src/formats/html-strings.ts'

describe('strings', () => {
  it.each(['en', 'fr', 'de', 'es', 'ar', 'ja'])(
    '%s: nothing is empty, placeholders are in place',
    (language) => {
      const { entries, ...strings } = stringsFor(language)
      for (const text of Object.values(strings)) expect(text).toMatch(/\S/)
      expect(strings.page).toMatch(/\{page\}/)
      expect(strings.page).toMatch(/\{pages\}/)
      expect(strings.updated).toMatch(/\{date\}/)
      expect(entries.other).toMatch(/\{n\}/)
      // A category that the language knows and the table forgot would fall to `other` unseen.
      for (const category of new Intl.PluralRules(language).resolvedOptions().pluralCategories) {
        expect(entries).toHaveProperty(category)
      }
    },
  )

  it.each([
    { language: 'fr-CA', sitemap: 'Plan du site' },
    { language: 'DE', sitemap: 'Sitemap' },
    { language: 'es_MX', sitemap: 'Mapa del sitio' },
    { language: 'ja', sitemap: 'サイトマップ' },
    { language: 'fra', sitemap: 'Sitemap' },
    { language: 'xx', sitemap: 'Sitemap' },
    { language: '', sitemap: 'Sitemap' },
  ])('$language is chosen by its primary subtag', ({ language, sitemap }) => {
    expect(stringsFor(language).sitemap).toBe(sitemap)
  })

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

it.each([
  { language: 'ar', direction: 'rtl' },
  { language: 'he-IL', direction: 'rtl' },
  { language: 'FA', direction: 'rtl' },
  { language: 'ur', direction: 'rtl' },
  { language: 'ckb', direction: 'rtl' },
  { language: 'en', direction: 'ltr' },
  { language: 'ku', direction: 'ltr' },
  { language: 'ku-Arab', direction: 'rtl' },
  { language: 'ar-Latn', direction: 'ltr' },
  { language: 'zh-Hant-TW', direction: 'ltr' },
  { language: '', direction: 'ltr' },
])('$language runs $direction', ({ language, direction }) => {
  expect(directionOf(language)).toBe(direction)
})
