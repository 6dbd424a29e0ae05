import { describe, expect, it } from 'vitest'
import { COUNTRIES, LANGUAGES } from '../../src/entry/iso-codes.ts'

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const pairs = letters.flatMap((first) => letters.map((second) => first + second))

describe('code lists (SPEC E74)', () => {
  it('ISO 639-1: each is a language that Intl names; the others it names were withdrawn', () => {
    const named = pairs.filter((code) => languageNames.of(code) !== undefined)
    for (const code of LANGUAGES) expect(named).toContain(code)
    const withdrawn = ['bh', 'in', 'iw', 'ji', 'jw', 'mo', 'sh']
    for (const code of named) if (!withdrawn.includes(code)) expect(LANGUAGES).toContain(code)
    for (const code of withdrawn) expect(LANGUAGES).not.toContain(code)
    expect(LANGUAGES.size).toBe(183)
  })

  it('ISO 3166-1: each is a country that Intl names; the others it names are reserved, private or gone', () => {
    const named = pairs.map((code) => code.toUpperCase()).filter((code) => regionNames.of(code) !== undefined)
    for (const code of COUNTRIES) expect(named).toContain(code)
    // Which others it names depends on its version.
    const reserved = [
      'AC',
      'CP',
      'CQ',
      'DG',
      'EA',
      'EU',
      'EZ',
      'IC',
      'QO',
      'TA',
      'UK',
      'UN',
      'XA',
      'XB',
      'XK',
      'ZZ',
    ]
    const gone = ['AN', 'BU', 'CS', 'DD', 'FX', 'SU', 'TP', 'YD', 'YU', 'ZR']
    for (const code of [...reserved, ...gone]) expect(COUNTRIES).not.toContain(code)
    expect(COUNTRIES.size).toBe(249)
  })
})
