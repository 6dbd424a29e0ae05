import { describe, expect, it } from 'vitest'
import { createSkipCounter } from '../../src/shelves/skips.ts'

describe('what a walk left out', () => {
  it('counts entries and fields by reason, with samples', () => {
    const skips = createSkipCounter()
    skips.skip('no loc', undefined, false)
    skips.skip('noindex', 'https://www.example.com/a', true)
    skips.drop('lastmod is not a date', 'https://www.example.com/b')
    skips.drop('lastmod is not a date', 'https://www.example.com/c')
    expect(skips.report()).toEqual({
      total: 2,
      reasons: { 'no loc': 1, noindex: 1, 'lastmod is not a date': 2 },
      samples: [
        { reason: 'no loc' },
        { reason: 'noindex', loc: 'https://www.example.com/a' },
        { reason: 'lastmod is not a date', loc: 'https://www.example.com/b' },
        { reason: 'lastmod is not a date', loc: 'https://www.example.com/c' },
      ],
    })
    expect(skips.faults()).toBe('no loc (1); lastmod is not a date (2)')
  })

  it('nothing', () => {
    const skips = createSkipCounter()
    expect(skips.report()).toEqual({ total: 0, reasons: {}, samples: [] })
    expect(skips.faults()).toBe('')
  })

  it('what was asked for is no fault', () => {
    const skips = createSkipCounter()
    skips.skip('noindex', '/a', true)
    expect(skips.faults()).toBe('')
  })

  it('five samples of a reason, however often it is met', () => {
    const skips = createSkipCounter()
    for (let n = 0; n < 1_000; n++) skips.skip('no loc', `/${n}`, false)
    expect(skips.report().samples.map(({ loc }) => loc)).toEqual(['/0', '/1', '/2', '/3', '/4'])
    expect(skips.report().reasons).toEqual({ 'no loc': 1_000 })
  })

  it('is bounded whatever the reasons are', () => {
    const skips = createSkipCounter()
    for (let n = 0; n < 10_000; n++) skips.skip(`reason ${n % 500}`, `/${n}`, false)
    const { total, reasons, samples } = skips.report()
    expect(total).toBe(10_000)
    expect(Object.keys(reasons).length).toBeLessThanOrEqual(51)
    expect(Object.values(reasons).reduce((sum, times) => sum + times, 0)).toBe(10_000)
    expect(samples.length).toBeLessThanOrEqual(255)
    expect(reasons['other reasons']).toBe(9_000)
    expect(skips.faults().length).toBeLessThan(5_000)
  })

  it('a reason named like a property of every object is a reason', () => {
    const skips = createSkipCounter()
    skips.drop('__proto__', '/a')
    skips.drop('constructor', '/a')
    expect(Object.entries(skips.report().reasons)).toEqual([
      ['__proto__', 1],
      ['constructor', 1],
    ])
  })
})
