import { expect, it } from 'vitest'
import { autonymOf, directionOf, languageTag } from '../../src/formats/html-language.ts'

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

it.each([
  { text: 'fr-CA', tag: 'fr-CA' },
  { text: ' FR_ca ', tag: 'fr-CA' },
  { text: 'zh-hant-tw', tag: 'zh-Hant-TW' },
  // What HTML checkers call deprecated.
  { text: 'iw', tag: 'he' },
  { text: '', tag: undefined },
  { text: ' ', tag: undefined },
  { text: 'en us', tag: undefined },
  { text: '"><b style=', tag: undefined },
  { text: 'en-\u0000', tag: undefined },
  // ISO 639 for several, unknown, not coded, none.
  { text: 'mul', tag: undefined },
  { text: 'UND', tag: undefined },
  { text: 'und-Arab', tag: undefined },
  { text: 'mis', tag: undefined },
  { text: 'zxx', tag: undefined },
  { text: 'undef', tag: 'undef' },
  { text: undefined, tag: undefined },
  { text: 'a'.repeat(1_000_000), tag: undefined },
])('tag of $text: $tag', ({ text, tag }) => {
  expect(languageTag(text)).toBe(tag)
})

it.each([
  { language: 'en', name: 'English' },
  { language: 'fr', name: 'Français' },
  { language: 'de', name: 'Deutsch' },
  { language: 'es', name: 'Español' },
  { language: 'ru', name: 'Русский' },
  { language: 'el', name: 'Ελληνικά' },
  { language: 'tr', name: 'Türkçe' },
  { language: 'ar', name: 'العربية' },
  { language: 'ja', name: '日本語' },
  // Georgian has capital letters, but no word begins with one.
  { language: 'ka', name: 'ქართული' },
  { language: 'qaa', name: 'qaa' },
  { language: 'no tag', name: 'no tag' },
])('$language calls itself $name', ({ language, name }) => {
  expect(autonymOf(language)).toBe(name)
  expect(autonymOf(language)).toBe(name)
})
