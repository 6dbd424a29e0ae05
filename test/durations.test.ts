import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { durationText, formatDuration, parseDuration, parseSize } from '../src/durations.ts'

describe('parseDuration', () => {
  it.each([
    { value: '250ms', ms: 250 },
    { value: '0.05s', ms: 50 },
    { value: '30s', ms: 30_000 },
    { value: '10m', ms: 600_000 },
    { value: '1.5h', ms: 5_400_000 },
    { value: '7d', ms: 604_800_000 },
    { value: ' 10 m ', ms: 600_000 },
    { value: '0s', ms: 0 },
    { value: 0, ms: 0 },
    { value: 30, ms: 30_000 },
    { value: 0.05, ms: 50 },
    { value: 1.1, ms: 1_100 },
  ])('$value → $ms ms', ({ value, ms }) => {
    expect(parseDuration(value)).toBe(ms)
  })

  it.each([
    { name: 'text without a unit', value: '30' },
    { name: 'empty text', value: '' },
    { name: 'a unit alone', value: 's' },
    { name: 'a unit in capitals (M is a month to many)', value: '10M' },
    { name: 'a word for a unit', value: '10 minutes' },
    { name: 'two parts', value: '1h 30m' },
    { name: 'a sign', value: '-1s' },
    { name: 'exponents', value: '1e3s' },
    { name: 'no digit before the point', value: '.5s' },
    { name: 'too long to count', value: `${'9'.repeat(400)}d` },
    { name: 'a negative number', value: -1 },
    { name: 'a hair below 0', value: -0.0001 },
    { name: 'NaN', value: Number.NaN },
    { name: 'Infinity', value: Number.POSITIVE_INFINITY },
    { name: 'a number too long to count', value: 1e300 },
    { name: 'null', value: null },
    { name: 'undefined', value: undefined },
    { name: 'a bigint', value: 10n },
    { name: 'a boxed number', value: new Number(3) },
  ])('$name is no duration', ({ value }) => {
    expect(parseDuration(value)).toBeUndefined()
  })

  it('gives whole milliseconds from 0 or nothing, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.double(), fc.string(), fc.stringMatching(/^\d{1,20}(\.\d+)?(ms|s|m|h|d)$/)),
        (value) => {
          const ms = parseDuration(value)
          expect(ms === undefined || (Number.isSafeInteger(ms) && ms >= 0)).toBe(true)
        },
      ),
    )
  })
})

describe('parseSize', () => {
  it.each([
    { value: '64mb', bytes: 67_108_864 },
    { value: '64MB', bytes: 67_108_864 },
    { value: '10 kb', bytes: 10_240 },
    { value: '1.5kb', bytes: 1_536 },
    { value: '1gb', bytes: 1_073_741_824 },
    { value: '2000b', bytes: 2_000 },
    { value: 2_000, bytes: 2_000 },
    { value: 0, bytes: 0 },
  ])('$value → $bytes bytes', ({ value, bytes }) => {
    expect(parseSize(value)).toBe(bytes)
  })

  it.each([
    { value: '64' },
    { value: '64m' },
    { value: '64 mib' },
    { value: 'mb' },
    { value: '' },
    { value: -1 },
    { value: 1.5 },
    { value: Number.NaN },
    { value: Number.MAX_VALUE },
    { value: `${'9'.repeat(30)}gb` },
    { value: null },
    { value: ['64mb'] },
  ])('$value is no size', ({ value }) => {
    expect(parseSize(value)).toBeUndefined()
  })
})

describe('formatDuration', () => {
  it.each([
    { ms: 30_000_000, text: '8 h 20 min' },
    { ms: 3_600_000, text: '1 h' },
    { ms: 90_061_001, text: '1 d 1 h' },
    { ms: 86_400_000 + 60_000, text: '1 d 1 min' },
    { ms: 61_500, text: '1 min 1 s' },
    { ms: 1_250, text: '1 s 250 ms' },
    { ms: 250, text: '250 ms' },
    { ms: 0, text: '0 s' },
  ])('$ms ms → $text', ({ ms, text }) => {
    expect(formatDuration(ms)).toBe(text)
  })
})

describe('durationText', () => {
  it.each([
    { ms: 30_000, text: '30s' },
    { ms: 90_000, text: '90s' },
    { ms: 600_000, text: '10m' },
    { ms: 86_400_000, text: '1d' },
    { ms: 1_250, text: '1250ms' },
    { ms: 0, text: '0ms' },
  ])('$ms ms → $text', ({ ms, text }) => {
    expect(durationText(ms)).toBe(text)
  })

  it('is read back as what it was made of', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (ms) => {
        expect(parseDuration(durationText(ms))).toBe(ms)
      }),
    )
  })
})
