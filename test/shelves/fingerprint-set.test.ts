import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Fingerprint, fingerprint } from '../../src/entry/fingerprint.ts'
import { FingerprintSet } from '../../src/shelves/fingerprint-set.ts'

const out: Fingerprint = { high: 0, low: 0 }

function addTo(set: FingerprintSet, url: string): boolean {
  fingerprint(url, out)
  return set.add(out.high, out.low)
}

function* urls(count: number): Generator<string> {
  const makers = [
    (n: number) => `/p/${n}`,
    (n: number) => `/blog/20${10 + (n % 16)}/${1 + (n % 12)}/${n * 7}`,
    (n: number) => `/${'a'.repeat(n % 50)}/${n}`,
    (n: number) => `/search?q=${n.toString(36)}&page=${n % 10}`,
  ]
  for (let n = 0; n < count; n++) yield makers[n % makers.length]?.(n) ?? ''
}

describe('set of fingerprints (SPEC L9)', () => {
  it('200,000 URLs are 200,000, and none of them is new the second time', () => {
    const set = new FingerprintSet()
    let added = 0
    for (const url of urls(200_000)) if (addTo(set, url)) added++
    expect(added).toBe(200_000)
    for (const url of urls(200_000)) if (addTo(set, url)) throw new Error(`${url} was lost`)
  })

  it('finds what a Set finds, for numbers that crowd into the same slots', () => {
    const near = fc.tuple(
      fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 1 << 25),
      fc.integer({ min: -3, max: 300 }),
    )
    fc.assert(
      fc.property(fc.array(near, { maxLength: 600 }), (prints) => {
        const set = new FingerprintSet()
        const known = new Set<string>()
        for (const [high, low] of prints) {
          // (0, 0) and (0, 1) are one: a free slot is marked by zeros.
          const key = high === 0 && low === 0 ? '0 1' : `${high} ${low}`
          if (set.has(high, low) !== known.has(key)) throw new Error(`${key}: known is ${known.has(key)}`)
          if (set.add(high, low) === known.has(key)) throw new Error(`${key}: known is ${known.has(key)}`)
          known.add(key)
        }
      }),
      { numRuns: 50 },
    )
  })
})
