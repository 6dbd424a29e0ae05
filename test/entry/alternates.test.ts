import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseLanguage, readLanguage } from '../../src/entry/alternates.ts'

describe('language tag (SPEC E74, E75)', () => {
  it.each([
    { name: 'language', input: 'en', tag: 'en' },
    { name: 'language of three letters', input: 'fil', tag: 'fil' },
    { name: 'language and region', input: 'fr-CA', tag: 'fr-CA' },
    { name: 'language and script', input: 'zh-Hant', tag: 'zh-Hant' },
    { name: 'all three', input: 'zh-Hant-TW', tag: 'zh-Hant-TW' },
    { name: 'region as a number', input: 'es-419', tag: 'es-419' },
    { name: 'other case', input: 'ZH-hANT-tw', tag: 'zh-Hant-TW' },
    { name: 'underscore of a CMS', input: 'en_US', tag: 'en-US' },
    { name: 'two underscores', input: 'zh_hant_tw', tag: 'zh-Hant-TW' },
    { name: 'spaces around', input: ' de ', tag: 'de' },
    { name: 'fallback', input: 'x-default', tag: 'x-default' },
    { name: 'fallback in another spelling', input: 'X_Default', tag: 'x-default' },
    { name: 'region alone', input: 'us', tag: undefined },
    { name: 'region first reads as Catalan in France', input: 'CA-fr', tag: 'ca-FR' },
    { name: 'country in place of a language', input: 'jp-JP', tag: undefined },
    { name: 'withdrawn language', input: 'iw', tag: undefined },
    { name: 'language of three letters, whatever it is', input: 'jpn', tag: 'jpn' },
    { name: 'region UK', input: 'en-uk', tag: 'en-GB' },
    { name: 'region that is none', input: 'en-EU', tag: undefined },
    { name: 'region as a number with script', input: 'sr-latn-419', tag: 'sr-Latn-419' },
    { name: 'empty', input: '', tag: undefined },
    { name: 'one letter', input: 'e', tag: undefined },
    { name: 'word', input: 'english', tag: undefined },
    { name: 'region of three letters', input: 'en-USA', tag: undefined },
    { name: 'region before script', input: 'zh-TW-Hant', tag: undefined },
    { name: 'encoding of a POSIX locale', input: 'en_US.UTF-8', tag: undefined },
    { name: 'variant', input: 'de-1996', tag: undefined },
    { name: 'private use', input: 'en-x-shop', tag: undefined },
    { name: 'doubled hyphen', input: 'en--US', tag: undefined },
    { name: 'hyphen at the end', input: 'en-', tag: undefined },
    { name: 'list', input: 'en,fr', tag: undefined },
    { name: 'line end inside', input: 'en\n-US', tag: undefined },
    { name: 'letters beyond ASCII', input: 'ен', tag: undefined },
    { name: 'K that is the Kelvin sign', input: 'u\u212A', tag: undefined },
  ])('$name: $input → $tag', ({ input, tag }) => {
    expect(normaliseLanguage(input)).toBe(tag)
  })

  it.each([
    { input: 'en', remark: undefined },
    { input: 'en_GB', remark: undefined },
    { input: 'x-default', remark: undefined },
    { input: 'en-UK', remark: 'region UK was written as GB' },
    { input: 'se-SE', remark: 'se is Northern Sami; Swedish is sv' },
    { input: 'english', remark: 'is no language tag such as fr, fr-CA or x-default' },
    { input: 'cz', remark: expect.stringContaining('no language of ISO 639-1') },
    { input: 'en-EU', remark: 'has a region that is none of ISO 3166-1' },
  ])('$input: $remark', ({ input, remark }) => {
    expect(readLanguage(input).remark).toEqual(remark)
  })

  it('keeps no more than a thousand texts, and answers the same from memory and without', () => {
    const inputs = Array.from({ length: 5_000 }, (_, i) => `${'en'.padStart((i % 9) + 2)}-${i}`)
    const answers = inputs.map(readLanguage)
    expect(inputs.map(readLanguage)).toEqual(answers)
    expect(readLanguage(`${' '.repeat(20)}fr_ca`)).toEqual({ tag: 'fr-CA', remark: undefined })
  })

  it('any text: a tag the schema takes, which stays as it is, or nothing', () => {
    const tagish = fc.array(fc.constantFrom('e', 'N', '4', '-', '_', 'x-default', ' ', 'hant', '419'), {
      maxLength: 7,
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          tagish.map((parts) => parts.join('')),
        ),
        (input) => {
          const tag = normaliseLanguage(input)
          if (tag === undefined) return
          expect(tag).toMatch(/^(x-default|[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?)$/)
          expect(normaliseLanguage(tag)).toBe(tag)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
