import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Coding, createNegotiator, selectCoding } from '../../src/http/negotiate.ts'

const OFFERED: readonly Coding[] = ['br', 'gzip']

describe('vectors of SPEC 9.2 (server has br and gzip, prefers br)', () => {
  it.each([
    { name: 'absent (N20)', header: undefined, coding: 'identity' },
    { name: 'empty (N20)', header: '', coding: 'identity' },
    { name: 'only a coding we have not', header: 'deflate', coding: 'identity' },
    { name: 'gzip refused, nothing else named', header: 'gzip;q=0', coding: 'identity' },
    { name: 'gzip', header: 'gzip', coding: 'gzip' },
    { name: 'upper case (N21)', header: 'GZIP', coding: 'gzip' },
    { name: 'old name (N21)', header: 'x-gzip', coding: 'gzip' },
    { name: 'all but gzip refused', header: '*;q=0, gzip', coding: 'gzip' },
    { name: 'identity refused', header: 'identity;q=0, gzip', coding: 'gzip' },
    { name: 'br before gzip', header: 'br, gzip;q=0.5', coding: 'br' },
    { name: 'any', header: '*', coding: 'br' },
    { name: 'any but gzip', header: 'gzip;q=0, *', coding: 'br' },
    { name: 'equal weights, one coding we have not', header: 'zstd, br, gzip', coding: 'br' },
    { name: 'identity preferred by name', header: 'br;q=0.1, identity;q=0.5', coding: 'identity' },
    { name: 'everything refused (N22, N23)', header: '*;q=0', coding: undefined },
    { name: 'identity refused, nothing else accepted (N22, N23)', header: 'identity;q=0', coding: undefined },
  ])('$name: $header → $coding', ({ header, coding }) => {
    expect(selectCoding(header, OFFERED)).toBe(coding)
    expect(createNegotiator(OFFERED)(header)).toBe(coding)
  })
})

describe('weights and preference (RFC 9110 §12.5.3, SPEC N21, N22)', () => {
  it.each([
    { name: 'the highest weight wins over our preference', header: 'br;q=0.5, gzip', coding: 'gzip' },
    { name: 'three decimals decide', header: 'br;q=0.998, gzip;q=0.999', coding: 'gzip' },
    { name: 'equal weights written differently', header: 'gzip;q=0.5, br;q=0.500', coding: 'br' },
    { name: 'any outweighs br', header: 'br;q=0.2, *;q=0.3', coding: 'gzip' },
    { name: 'any does not raise a named coding', header: 'br;q=0.2, gzip;q=0.3, *', coding: 'gzip' },
    { name: 'identity of equal weight loses', header: 'identity, br', coding: 'br' },
    { name: 'identity of less weight loses', header: 'identity;q=0.5, gzip', coding: 'gzip' },
    { name: 'identity outweighs any', header: 'identity, *;q=0.5', coding: 'identity' },
    { name: 'any gives identity no weight of its own', header: '*, br;q=0.1, gzip;q=0.1', coding: 'br' },
    { name: 'identity named, all else refused', header: 'identity, *;q=0', coding: 'identity' },
    {
      name: 'identity of the least weight, all else refused',
      header: 'identity;q=0.001, *;q=0',
      coding: 'identity',
    },
    { name: 'ours refused by name, any accepted', header: 'br;q=0, gzip;q=0, *', coding: 'identity' },
    {
      name: 'ours refused by name, identity too',
      header: 'br;q=0, gzip;q=0, identity;q=0, *',
      coding: undefined,
    },
    { name: 'identity refused, any accepted', header: 'identity;q=0, *', coding: 'br' },
    { name: 'identity refused, only one we have not', header: 'identity;q=0, zstd', coding: undefined },
    { name: 'old name refused', header: 'x-gzip;q=0', coding: 'identity' },
    { name: 'old name refused, any accepted', header: 'X-GZIP;q=0, *', coding: 'br' },
    { name: 'upper-case Q', header: 'br;Q=0.5, gzip;Q=0.4', coding: 'br' },
    { name: 'spaces and tabs', header: ' br ;\tq=0.1\t,  gzip ; q=0.2 ', coding: 'gzip' },
    { name: 'empty members', header: ', ,gzip,,', coding: 'gzip' },
    { name: 'nothing but commas', header: ', ,', coding: 'identity' },
    { name: 'spaces only', header: '  ', coding: 'identity' },
    { name: 'weight 0.', header: 'gzip;q=0.', coding: 'identity' },
    { name: 'weight 0.000', header: 'gzip;q=0.000', coding: 'identity' },
    { name: 'weight 1.', header: 'gzip;q=1., br;q=0.9', coding: 'gzip' },
    { name: 'weight 1.000', header: 'gzip;q=1.000, br;q=0.9', coding: 'gzip' },
    { name: 'weight 0.001', header: 'gzip;q=0.001', coding: 'gzip' },
    {
      name: 'a coding named twice counts by its highest weight',
      header: 'gzip;q=0, gzip;q=0.5',
      coding: 'gzip',
    },
    { name: 'a browser', header: 'gzip, deflate, br, zstd', coding: 'br' },
    { name: "Google's crawlers (N25)", header: 'gzip, deflate, br', coding: 'br' },
    { name: 'an old crawler', header: 'gzip;q=1.0, deflate;q=0.6, identity;q=0.3', coding: 'gzip' },
  ])('$name: $header → $coding', ({ header, coding }) => {
    expect(selectCoding(header, OFFERED)).toBe(coding)
  })

  it.each([
    { name: 'above 1', header: 'gzip;q=2' },
    { name: 'just above 1', header: 'gzip;q=1.001' },
    { name: 'four decimals', header: 'gzip;q=0.5000' },
    { name: 'no leading zero', header: 'gzip;q=.5' },
    { name: 'negative', header: 'gzip;q=-1' },
    { name: 'exponent', header: 'gzip;q=1e0' },
    { name: 'no value', header: 'gzip;q=' },
    { name: 'no name of a weight', header: 'gzip;' },
    { name: 'another parameter', header: 'gzip;level=9' },
    { name: 'a parameter behind the weight', header: 'gzip;q=1;level=9' },
    { name: 'space around the equals sign', header: 'gzip;q = 1' },
    { name: 'quoted weight', header: 'gzip;q="1"' },
    { name: 'two words', header: 'gzip br' },
    { name: 'quoted coding', header: '"gzip"' },
    { name: 'no-break space', header: 'gzip\u00a0' },
    { name: 'only a weight', header: ';q=1' },
  ])('a malformed member is ignored, and only that: $name: $header', ({ header }) => {
    expect(selectCoding(header, OFFERED)).toBe('identity')
    expect(selectCoding(`${header}, identity;q=0`, OFFERED)).toBeUndefined()
    expect(selectCoding(`${header}, br;q=0.1`, OFFERED)).toBe('br')
  })

  it.each([
    { name: 'nothing offered', offered: [], header: 'br, gzip', coding: 'identity' },
    {
      name: 'nothing offered, identity refused',
      offered: [],
      header: 'gzip, identity;q=0',
      coding: undefined,
    },
    { name: 'zstd first', offered: ['zstd', 'br', 'gzip'], header: 'gzip, br, zstd', coding: 'zstd' },
    { name: 'gzip first', offered: ['gzip', 'br'], header: 'br, gzip', coding: 'gzip' },
    { name: 'gzip first, any', offered: ['gzip', 'br'], header: '*', coding: 'gzip' },
    { name: 'identity offered is as if it were not', offered: ['identity', 'br'], header: '*', coding: 'br' },
  ] as const)('$name', ({ offered, header, coding }) => {
    expect(selectCoding(header, offered)).toBe(coding)
  })

  it.each([
    { name: 'spaces', header: ' '.repeat(1_000_000) },
    { name: 'spaces within a member', header: `gzip${' '.repeat(1_000_000)}x` },
    { name: 'spaces within a weight', header: `gzip;${' '.repeat(1_000_000)}x` },
    { name: 'one long token', header: `${'a'.repeat(1_000_000)}"` },
    { name: 'semicolons', header: ';'.repeat(1_000_000) },
    { name: 'commas', header: ','.repeat(1_000_000) },
  ])('a million characters end in time: $name', ({ header }) => {
    expect(selectCoding(header, OFFERED)).toBe('identity')
  })
})

describe('createNegotiator keeps what it was asked', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('answers the same as selectCoding, first and later, 406 included, across many headers', () => {
    const negotiate = createNegotiator(OFFERED)
    const headers = Array.from({ length: 250 }, (_, i) => [
      `gzip;q=0.${i}`,
      `br;q=0.1, gzip;q=0.${i}`,
      `c${i}, *;q=0`,
    ]).flat()
    for (const header of [...headers, ...headers.toReversed(), ...headers]) {
      expect(negotiate(header)).toBe(selectCoding(header, OFFERED))
      expect(negotiate(header)).toBe(selectCoding(header, OFFERED))
    }
  })

  it('holds at most 100 headers of at most 200 characters, however many come', () => {
    const sizes: number[] = []
    const lengths: number[] = []
    const set = Map.prototype.set
    vi.spyOn(Map.prototype, 'set').mockImplementation(function (this: Map<unknown, unknown>, key, value) {
      set.call(this, key, value)
      sizes.push(this.size)
      lengths.push(String(key).length)
      return this
    })
    const negotiate = createNegotiator(OFFERED)
    for (let i = 0; i < 1000; i++) {
      negotiate(`gzip, c${i}`)
      negotiate(`gzip, d${i}${' '.repeat(i)}`)
    }
    expect(Math.max(...sizes)).toBe(100)
    expect(Math.max(...lengths)).toBe(200)
  })

  it.each([
    { name: 'a coding', header: 'gzip' },
    { name: '406', header: '*;q=0' },
  ])('does not work out a kept answer again: $name', ({ header }) => {
    const negotiate = createNegotiator(OFFERED)
    negotiate(header)
    const set = vi.spyOn(Map.prototype, 'set')
    const answer = negotiate(header)
    expect(set).not.toHaveBeenCalled()
    expect(answer).toBe(selectCoding(header, OFFERED))
  })

  it('does not look at a list that changes later', () => {
    const offered: Coding[] = ['br', 'gzip']
    const negotiate = createNegotiator(offered)
    offered.length = 0
    expect(negotiate('gzip')).toBe('gzip')
  })
})

describe('properties', () => {
  interface Member {
    readonly coding: string
    readonly thousandths: number
    readonly text: string
  }

  const spaces = fc.constantFrom('', ' ', '\t', '  ')
  const named = fc.record({
    coding: fc.constantFrom('gzip', 'br', 'zstd', 'identity', '*', 'deflate'),
    alias: fc.boolean(),
    upper: fc.boolean(),
    thousandths: fc.oneof(fc.constantFrom(0, 1000, 500), fc.integer({ min: 0, max: 1000 })),
    weighted: fc.boolean(),
    space: spaces,
  })
  const wellFormed: fc.Arbitrary<Member> = named.map(
    ({ coding, alias, upper, thousandths, weighted, space }) => {
      const name = alias && coding === 'gzip' ? 'x-gzip' : coding
      const weight = weighted ? `${space};${space}q=${(thousandths / 1000).toFixed(3)}` : ''
      return {
        coding,
        thousandths: weighted ? thousandths : 1000,
        text: space + (upper ? name.toUpperCase() : name) + weight + space,
      }
    },
  )
  const malformed = fc
    .constantFrom('gzip;q=7', 'identity;q=0.0000', '*;q=00', 'br;x=1', 'gzip br', '')
    .map((text) => ({
      coding: undefined,
      thousandths: 0,
      text,
    }))
  const offers = fc.shuffledSubarray<Coding>(['br', 'gzip', 'zstd'])

  /** RFC 9110 §12.5.3, rule by rule, on what the header was made from; undefined where the client says nothing. */
  function weightOf(coding: string, members: readonly Member[]): number | undefined {
    const own = members.filter((member) => member.coding === coding)
    const relevant = own.length > 0 ? own : members.filter((member) => member.coding === '*')
    return relevant.length === 0 ? undefined : Math.max(...relevant.map((member) => member.thousandths))
  }

  it('the chosen coding is acceptable and none better is offered; 406 only when none is acceptable', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: wellFormed }, { weight: 1, arbitrary: malformed }), {
          minLength: 1,
          maxLength: 6,
        }),
        offers,
        (all, offered) => {
          const members = all.filter((member): member is Member => member.coding !== undefined)
          const chosen = selectCoding(all.map((member) => member.text).join(','), offered)
          const acceptable = offered.filter((coding) => (weightOf(coding, members) ?? 0) > 0)
          const identityAcceptable = weightOf('identity', members) !== 0

          if (chosen === undefined) {
            expect([acceptable, identityAcceptable]).toEqual([[], false])
          } else if (chosen === 'identity') {
            expect(identityAcceptable).toBe(true)
            const byName = members.some((member) => member.coding === 'identity')
            const weight = byName ? (weightOf('identity', members) ?? 0) : 0
            for (const coding of acceptable) expect(weightOf(coding, members)).toBeLessThan(weight)
          } else {
            expect(acceptable).toContain(chosen)
            const weight = weightOf(chosen, members) ?? 0
            for (const coding of acceptable) {
              const other = weightOf(coding, members) ?? 0
              expect(other).toBeLessThanOrEqual(weight)
              if (other === weight)
                expect(offered.indexOf(chosen)).toBeLessThanOrEqual(offered.indexOf(coding))
            }
            if (members.some((member) => member.coding === 'identity')) {
              expect(weightOf('identity', members)).toBeLessThanOrEqual(weight)
            }
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('no header makes it throw, and a coding is chosen only where the header names it or any', () => {
    const anyHeader = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('gzip', 'br', '*', ';', 'q=', '0', '1', '.', ',', ' ') }),
    )
    const negotiate = createNegotiator(OFFERED)
    fc.assert(
      fc.property(anyHeader, (header) => {
        const coding = selectCoding(header, OFFERED)
        expect(negotiate(header)).toBe(coding)
        if (coding !== undefined && coding !== 'identity') {
          expect(header.toLowerCase().includes(coding) || header.includes('*')).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
