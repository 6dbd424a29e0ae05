import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CACHE_CONTROL, withMaxAge } from '../../src/http/cache-control.ts'

describe('DEFAULT_CACHE_CONTROL (SPEC N30–N32)', () => {
  it('lets copies be served stale in shared caches, so it names neither s-maxage nor must-revalidate', () => {
    expect(DEFAULT_CACHE_CONTROL).toBe(
      'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800',
    )
  })
})

describe('withMaxAge lowers and never raises (SPEC N30)', () => {
  it.each([
    {
      name: 'the default of a stale snapshot',
      from: DEFAULT_CACHE_CONTROL,
      to: 'public, max-age=60, stale-while-revalidate=60, stale-if-error=604800',
    },
    { name: 'a greater max-age', from: 'max-age=61', to: 'max-age=60' },
    { name: 'an equal one', from: 'max-age=60', to: 'max-age=60' },
    { name: 'a smaller one', from: 'public, max-age=59', to: 'public, max-age=59' },
    { name: 'none at all', from: 'max-age=0', to: 'max-age=0' },
    { name: 'both lifetimes', from: 'max-age=300, s-maxage=3600', to: 'max-age=60, s-maxage=60' },
    {
      name: 'only the shared one is greater',
      from: 's-maxage=3600, max-age=5',
      to: 's-maxage=60, max-age=5',
    },
    {
      name: 'only the private one is greater',
      from: 's-maxage=5, max-age=3600',
      to: 's-maxage=5, max-age=60',
    },
    { name: 'a shared one alone', from: 's-maxage=3600', to: 's-maxage=60, max-age=60' },
    { name: 'letter case', from: 'Public, Max-Age=300, S-MaxAge=300', to: 'Public, Max-Age=60, S-MaxAge=60' },
    {
      name: 'no space behind commas',
      from: 'public,max-age=300,immutable',
      to: 'public,max-age=60,immutable',
    },
    { name: 'spaces around the equals sign', from: 'public,  max-age = 300', to: 'public,  max-age=60' },
    { name: 'tabs', from: '\tmax-age\t=\t300\t, public', to: '\tmax-age=60, public' },
    { name: 'a quoted number', from: 'max-age="300"', to: 'max-age=60' },
    { name: 'a quoted number that is smaller', from: 'max-age="30"', to: 'max-age="30"' },
    { name: 'a quoted number that is equal', from: 'max-age="60"', to: 'max-age="60"' },
    { name: 'leading zeros', from: 'max-age=0059', to: 'max-age=0059' },
    { name: 'more digits than a number holds', from: `max-age=${'9'.repeat(400)}`, to: 'max-age=60' },
    {
      name: 'repeated',
      from: 'max-age=300, max-age=30, max-age=600',
      to: 'max-age=60, max-age=30, max-age=60',
    },
    { name: 'a unit that some caches skip', from: 'max-age=300s', to: 'max-age=0' },
    { name: 'a negative number', from: 'max-age=-1', to: 'max-age=0' },
    { name: 'a fraction', from: 'max-age=1.5', to: 'max-age=0' },
    { name: 'a quote too few', from: 'max-age="300', to: 'max-age=0' },
    { name: 'no argument', from: 'public, max-age', to: 'public, max-age=0' },
    { name: 'an empty argument', from: 'max-age=, public', to: 'max-age=0, public' },
    { name: 'a name that ends alike', from: 'x-max-age=300, max-age=300', to: 'x-max-age=300, max-age=60' },
    { name: 'a name that begins alike', from: 'max-age-x=300, max-age=300', to: 'max-age-x=300, max-age=60' },
    {
      name: 'stale lifetimes are not freshness',
      from: 'stale-while-revalidate=900, max-age=90',
      to: 'stale-while-revalidate=900, max-age=60',
    },
    {
      name: 'the words within quotes',
      from: 'private="x, max-age=300, no-store", max-age=300',
      to: 'private="x, max-age=300, no-store", max-age=60',
    },
    {
      name: 'an escaped quote within quotes',
      from: 'ext="\\", max-age=300", max-age=300',
      to: 'ext="\\", max-age=300", max-age=60',
    },
  ])('$name: $from', ({ from, to }) => {
    expect(withMaxAge(from, 60)).toBe(to)
  })

  it.each([
    { name: 'missing', from: 'public', to: 'public, max-age=60' },
    {
      name: 'missing, stale lifetimes there',
      from: 'stale-if-error=900',
      to: 'stale-if-error=900, max-age=60',
    },
    { name: 'empty', from: '', to: 'max-age=60' },
    { name: 'spaces only', from: '  ', to: 'max-age=60' },
    { name: 'a comma at the end', from: 'public, ', to: 'public, max-age=60' },
    { name: 'only within quotes', from: 'ext="max-age=5"', to: 'ext="max-age=5", max-age=60' },
    {
      name: 'no-cache for one field only',
      from: 'no-cache="set-cookie"',
      to: 'no-cache="set-cookie", max-age=60',
    },
    { name: 'no-store', from: 'no-store', to: 'no-store' },
    { name: 'no-cache', from: 'public, No-Cache', to: 'public, No-Cache' },
    { name: 'no-store between spaces', from: ' no-store , private', to: ' no-store , private' },
    { name: 'no-store beside a lifetime', from: 'no-store, max-age=300', to: 'no-store, max-age=60' },
    { name: 'a name that begins like no-store', from: 'no-store-x', to: 'no-store-x, max-age=60' },
  ])('max-age is added unless nothing may be kept: $name', ({ from, to }) => {
    expect(withMaxAge(from, 60)).toBe(to)
  })

  it.each([
    { name: 'a fraction is cut', seconds: 59.9, to: 'public, max-age=59' },
    { name: 'nothing left', seconds: 0, to: 'public, max-age=0' },
    { name: 'less than a second left', seconds: 0.5, to: 'public, max-age=0' },
    { name: 'past', seconds: -5, to: 'public, max-age=0' },
    { name: 'not a number', seconds: Number.NaN, to: 'public, max-age=0' },
    { name: 'no end', seconds: Number.POSITIVE_INFINITY, to: 'public' },
    { name: 'more than a cache counts', seconds: 1e21, to: 'public, max-age=2147483648' },
  ])('seconds: $name', ({ seconds, to }) => {
    expect(withMaxAge('public', seconds)).toBe(to)
  })
})

describe('properties', () => {
  const lifetime = fc.record({
    name: fc.constantFrom('max-age', 's-maxage', 'MAX-AGE'),
    seconds: fc.nat(1000),
  })
  const other = fc.constantFrom(
    'public',
    'private="a, b"',
    'stale-if-error=900',
    'immutable',
    'ext="\\"max-age=9"',
  )

  it('each lifetime is the smaller of its own and the limit, all else and the order stay', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(lifetime, other)), fc.nat(1000), (directives, limit) => {
        const write = (bound: number) =>
          directives.map((each) =>
            typeof each === 'string' ? each : `${each.name}=${Math.min(each.seconds, bound)}`,
          )
        const hasMaxAge = directives.some((each) => typeof each !== 'string' && /max-age/i.test(each.name))
        const expected = hasMaxAge ? write(limit) : [...write(limit), `max-age=${limit}`]
        expect(withMaxAge(write(Number.POSITIVE_INFINITY).join(', '), limit)).toBe(expected.join(', '))
      }),
    )
  })

  it('no text makes it throw, and a second time changes nothing', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('max-age', 's-maxage', 'no-store', '=', '"', '\\', ',', ' ', '7', '99'),
      }),
    )
    fc.assert(
      fc.property(anyText, fc.nat(100), (text, limit) => {
        // Behind a quote that is never closed, what is added is not read as a directive.
        const once = withMaxAge(text.replaceAll('"', ''), limit)
        expect(withMaxAge(once, limit)).toBe(once)
      }),
    )
    fc.assert(
      fc.property(anyText, fc.double(), (text, limit) => {
        expect(typeof withMaxAge(text, limit)).toBe('string')
      }),
    )
  })
})
