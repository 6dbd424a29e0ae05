import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../src/formats/html-strings.ts'

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

  it('every language has every word', () => {
    for (const language of ['fr', 'de', 'es', 'ar', 'ja'])
      expect(Object.keys(stringsFor(language))).toEqual(Object.keys(stringsFor('en')))
  })
})

describe('words of the user (option html.strings)', () => {
  const own = {
    'fr-CA': { sitemap: 'exact' },
    fr: { sitemap: 'primary', next: 'primary' },
    en: { sitemap: 'English', skip: 'English' },
    'zh-Hant': { next: 'script' },
  }

  it.each([
    { language: 'fr-CA', sitemap: 'exact', next: 'primary', skip: 'Aller au contenu' },
    { language: 'fr_ca', sitemap: 'exact', next: 'primary', skip: 'Aller au contenu' },
    { language: 'fr-CA-x-montreal', sitemap: 'exact', next: 'primary', skip: 'Aller au contenu' },
    { language: 'FR-BE', sitemap: 'primary', next: 'primary', skip: 'Aller au contenu' },
    { language: 'de', sitemap: 'Sitemap', next: 'Weiter', skip: 'Zum Inhalt springen' },
    { language: 'en-GB', sitemap: 'English', next: 'Next', skip: 'English' },
    { language: 'zh-Hant-TW', sitemap: 'English', next: 'script', skip: 'English' },
    { language: 'pl', sitemap: 'English', next: 'Next', skip: 'English' },
    { language: '__proto__', sitemap: 'English', next: 'Next', skip: 'English' },
  ])('$language: the tag, its primary subtag, ours, English', ({ language, ...words }) => {
    expect(stringsFor(language, own)).toMatchObject(words)
  })

  it.each([
    { name: 'empty', value: '' },
    { name: 'blank', value: ' \u200B' },
    { name: 'no text', value: 7 },
    { name: 'undefined', value: undefined },
  ])('what is $name counts as not given', ({ value }) => {
    const strings = { en: { skip: value, entries: { other: value } } } as unknown as Parameters<
      typeof stringsFor
    >[1]
    expect(stringsFor('en', strings)).toEqual(stringsFor('en'))
  })

  it('are cleaned', () => {
    expect(stringsFor('en', { en: { skip: ' To\n\u0000the  content\ud800' } }).skip).toBe(
      'To the content\uFFFD',
    )
  })

  it('forms of a count are taken as a whole', () => {
    expect(stringsFor('en', { en: { entries: { other: '{n} pages' } } }).entries).toEqual({
      other: '{n} pages',
    })
  })
})
