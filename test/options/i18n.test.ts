import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { least, refusal, refuseAll, resolve } from './resolving.ts'

describe('locales', () => {
  it.each([
    { name: 'as they are', locales: ['en', 'fr', 'de'], resolved: ['en', 'fr', 'de'] },
    {
      name: 'in their usual case',
      locales: ['FR', 'zh-HANT-tw', 'es-419'],
      resolved: ['fr', 'zh-Hant-TW', 'es-419'],
    },
    {
      name: 'a language beside its regions',
      locales: ['pt', 'pt-BR', 'pt-PT'],
      resolved: ['pt', 'pt-BR', 'pt-PT'],
    },
    { name: 'none', locales: [], resolved: [] },
  ])('$name, the first one by default (SPEC E74)', ({ locales, resolved }) => {
    const { i18n } = resolve({ i18n: { locales } })
    expect(i18n.locales).toEqual(resolved)
    expect(i18n.defaultLocale).toBe(resolved[0])
  })

  it.each([
    { given: 'fr', resolved: 'fr' },
    { given: 'PT-br', resolved: 'pt-BR' },
  ])('defaultLocale $given → $resolved', ({ given, resolved }) => {
    expect(
      resolve({ i18n: { locales: ['en', 'fr', 'pt-BR'], defaultLocale: given } }).i18n.defaultLocale,
    ).toBe(resolved)
  })

  it('xDefault and maxGrouped need no locales', () => {
    expect(resolve({ i18n: { xDefault: 'EN-us', maxGrouped: 1_000_000 } }).i18n).toEqual({
      locales: [],
      defaultLocale: undefined,
      xDefault: 'en-US',
      maxGrouped: 1_000_000,
    })
  })

  it('a hundred are taken, one more is not', () => {
    const locales = Array.from({ length: 100 }, (_, i) => `en-${String(i + 100)}`)
    expect(resolve({ i18n: { locales } }).i18n.locales).toHaveLength(100)
    expect(refusal({ ...least, i18n: { locales: [...locales, 'fr'], defaultLocale: 'fr' } }).message).toBe(
      `option "i18n.locales" is a list of 101 (object): expected a list of at most 100 language tags. Write ['en', 'fr-CA'], or leave it out.`,
    )
  })

  it('every spelling of a tag in letters comes back as one', () => {
    const language = fc.constantFrom('en', 'fr', 'zh', 'pt', 'haw')
    const script = fc.stringMatching(/^[A-Za-z]{4}$/)
    const region = fc.constantFrom('gb', 'ca', 'tw', 'br', '419')
    const tag = fc
      .tuple(language, fc.option(script), fc.option(region))
      .map((subtags) => subtags.filter((subtag) => subtag !== null).join('-'))
    fc.assert(
      fc.property(tag, (given) => {
        const of = (one: string) => resolve({ i18n: { locales: [one] } }).i18n.locales
        expect(of(given.toUpperCase())).toEqual(of(given.toLowerCase()))
        expect(of(given)[0]?.toLowerCase()).toBe(given.toLowerCase())
      }),
    )
  })
})

describe('faults', () => {
  const tag =
    'a language tag: language (ISO 639), optionally script and region (ISO 3166), such as en, fr-CA or zh-Hant-TW'

  refuseAll([
    {
      name: 'i18n as a list',
      more: { i18n: ['en'] },
      line: 'option "i18n" is a list of 1 (object): expected an object. Its keys are locales, defaultLocale, xDefault, maxGrouped.',
    },
    {
      name: 'locales as text',
      more: { i18n: { locales: 'en' } },
      line: `option "i18n.locales" is "en" (string): expected a list of at most 100 language tags.`,
    },
    {
      name: 'an underscore (SPEC E75)',
      more: { i18n: { locales: ['en', 'fr_CA'] } },
      line: `option "i18n.locales[1]" is "fr_CA" (string): expected ${tag}. Write 'fr-CA'.`,
    },
    {
      name: 'a region of another code (SPEC E75)',
      more: { i18n: { locales: ['en-UK'] } },
      line: `option "i18n.locales[0]" is "en-UK" (string): expected ${tag}. Write 'en-GB'.`,
    },
    {
      name: 'a country in place of a language',
      more: { i18n: { locales: ['jp'] } },
      line: `option "i18n.locales[0]" is "jp" (string): expected ${tag}. Write 'en'.`,
    },
    {
      name: 'spaces around',
      more: { i18n: { locales: [' FR '] } },
      line: `option "i18n.locales[0]" is " FR " (string): expected ${tag}. Write 'fr'.`,
    },
    ...['x-default', 'index', 'french', 'en-GB-oed', 'de-1996', 'CA-', '', 'en/fr', 'fr\n'].map((locale) => ({
      name: `the locale ${JSON.stringify(locale)}`,
      more: { i18n: { locales: [locale] } },
      line: `option "i18n.locales[0]" is ${JSON.stringify(locale)} (string): expected ${tag}. Write '${locale === 'fr\n' ? 'fr' : 'en'}'.`,
    })),
    {
      name: 'a hole',
      more: { i18n: { locales: new Array(1) } },
      line: `option "i18n.locales[0]" is undefined (undefined): expected ${tag}. Take it out.`,
    },
    {
      name: 'a locale twice',
      more: { i18n: { locales: ['fr', 'en', 'fr'] } },
      line: 'option "i18n.locales[2]" is "fr" (string): expected a locale of its own, and this one stands before (case does not count). Take one of the two out.',
    },
    {
      name: 'two locales that differ by case',
      more: { i18n: { locales: ['pt-BR', 'PT-br'] } },
      line: 'option "i18n.locales[1]" is "PT-br" (string): expected a locale of its own',
    },
    {
      name: 'a default that is no locale',
      more: { i18n: { locales: ['en', 'fr'], defaultLocale: 'de' } },
      line: `option "i18n.defaultLocale" is "de" (string): expected one of i18n.locales. Write 'en'.`,
    },
    {
      name: 'a default near one',
      more: { i18n: { locales: ['en', 'fr-CA'], defaultLocale: 'fr-CH' } },
      line: `option "i18n.defaultLocale" is "fr-CH" (string): expected one of i18n.locales. Write 'fr-CA'.`,
    },
    {
      name: 'a default without locales',
      more: { i18n: { defaultLocale: 'de' } },
      line: `option "i18n.defaultLocale" is "de" (string): expected one of i18n.locales. Write locales: ['de'], or leave it out.`,
    },
    {
      name: 'a default that is no tag',
      more: { i18n: { locales: ['en'], defaultLocale: 'en_GB' } },
      line: `option "i18n.defaultLocale" is "en_GB" (string): expected ${tag}. Write 'en-GB'.`,
    },
    {
      name: 'the default of a faulty list, which is one fault',
      more: { i18n: { locales: ['en', 'fr_CA'], defaultLocale: 'fr-CA' } },
      line: 'option "i18n.locales[1]" is "fr_CA"',
    },
    {
      name: 'x-default as xDefault',
      more: { i18n: { xDefault: 'x-default' } },
      line: `option "i18n.xDefault" is "x-default" (string): expected ${tag}. Write 'en'.`,
    },
    {
      name: 'maxGrouped 0',
      more: { i18n: { maxGrouped: 0 } },
      line: 'option "i18n.maxGrouped" is 0 (number): expected a whole number from 1 to 1,000,000. Write 250000, or leave it out.',
    },
    {
      name: 'maxGrouped above a million',
      more: { i18n: { maxGrouped: 1_000_001 } },
      line: 'option "i18n.maxGrouped" is 1000001 (number): expected a whole number from 1 to 1,000,000.',
    },
  ])
})
