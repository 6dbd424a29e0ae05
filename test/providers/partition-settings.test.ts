import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byHash, byIdRange, byMonth, keyset, resolveOptions, SitemapError } from '../../src/index.ts'

/** As a user without types calls them. */
type Helper = (options: unknown) => unknown
const HELPERS: Readonly<Record<string, Helper>> = {
  keyset: (options) => keyset(options as Parameters<typeof keyset>[0]),
  byIdRange: (options) => byIdRange(options as Parameters<typeof byIdRange>[0]),
  byMonth: (options) => byMonth(options as Parameters<typeof byMonth>[0]),
  byHash: (options) => byHash(options as Parameters<typeof byHash>[0]),
}

const fn = () => []

/** The least that each takes. */
const LEAST: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  keyset: { key: 'id', page: fn, entry: fn },
  byIdRange: { max: fn, size: 5, entries: fn },
  byMonth: { from: fn, entries: fn },
  byHash: { count: 5, entries: fn },
}

function refusal(helper: string, options: unknown): SitemapError {
  try {
    HELPERS[helper]?.(options)
  } catch (error) {
    if (error instanceof SitemapError) return error
    throw error
  }
  throw new Error('it was taken')
}

describe('the options of a ready-made provider', () => {
  it.each(Object.keys(LEAST))('%s takes the least there is, and what it gives is a provider', (helper) => {
    const provider = HELPERS[helper]?.(LEAST[helper])
    const options = { site: { url: 'https://www.example.com' }, providers: { goods: provider } }
    expect(() => resolveOptions(options)).not.toThrow()
  })

  it.each<{ helper: string; more: Readonly<Record<string, unknown>>; line: string }>([
    {
      helper: 'keyset',
      more: { key: undefined },
      line: 'option "keyset.key" is missing: expected the name of a',
    },
    {
      helper: 'keyset',
      more: { key: 5 },
      line: 'option "keyset.key" is 5 (number): expected the name of a field',
    },
    {
      helper: 'keyset',
      more: { key: '' },
      line: 'option "keyset.key" is "" (string): expected the name of a field',
    },
    {
      helper: 'keyset',
      more: { page: [] },
      line: 'option "keyset.page" is a list of 0 (object): expected a function',
    },
    {
      helper: 'keyset',
      more: { page: undefined },
      line: 'option "keyset.page" is missing: expected a function',
    },
    {
      helper: 'keyset',
      more: { entry: undefined },
      line: 'option "keyset.entry" is missing: expected a function',
    },
    {
      helper: 'keyset',
      more: { range: {} },
      line: 'option "keyset.range" is {} (object): expected a function',
    },
    {
      helper: 'keyset',
      more: { size: 0 },
      line: 'option "keyset.size" is 0 (number): expected a whole number from 1',
    },
    { helper: 'keyset', more: { size: 1.5 }, line: 'option "keyset.size" is 1.5 (number)' },
    { helper: 'keyset', more: { size: 50_000n }, line: 'option "keyset.size" is 50000 (bigint)' },
    { helper: 'keyset', more: { pageSize: '5' }, line: 'option "keyset.pageSize" is "5" (string)' },
    { helper: 'keyset', more: { pagesize: 5 }, line: 'Did you mean "keyset.pageSize"?' },
    {
      helper: 'keyset',
      more: { zzz: 5 },
      line: 'option "keyset.zzz" is not known: expected one of key, page, entry',
    },
    { helper: 'keyset', more: { entries: fn }, line: 'option "keyset.entries" is not known' },
    { helper: 'keyset', more: { version: fn }, line: 'option "keyset.version" is not known' },
    {
      helper: 'keyset',
      more: { changedSince: 5 },
      line: 'option "keyset.changedSince" is 5 (number): expected a fun',
    },
    {
      helper: 'keyset',
      more: { latest: [] },
      line: 'option "keyset.latest" is a list of 0 (object): expected a fun',
    },
    {
      helper: 'keyset',
      more: { changedSince: fn, fullEvery: '1w' },
      line: 'option "keyset.fullEvery" is "1w" (string): expected a duration above 0',
    },
    { helper: 'keyset', more: { changedSince: fn, fullEvery: 0 }, line: 'expected a duration above 0' },
    {
      helper: 'keyset',
      more: { fullEvery: '1d' },
      line: 'expected a setting of "changedSince", which is missing',
    },
    {
      helper: 'byIdRange',
      more: { max: undefined },
      line: 'option "byIdRange.max" is missing: expected a whole number',
    },
    { helper: 'byIdRange', more: { max: null }, line: 'option "byIdRange.max" is null (null)' },
    {
      helper: 'byIdRange',
      more: { max: 2 ** 53 },
      line: 'option "byIdRange.max" is 9007199254740992 (number)',
    },
    { helper: 'byIdRange', more: { min: '01' }, line: 'option "byIdRange.min" is "01" (string)' },
    {
      helper: 'byIdRange',
      more: { min: 6, max: 5n },
      line: 'expected an id up to "max", which is 5. Swap them.',
    },
    { helper: 'byIdRange', more: { size: undefined }, line: 'option "byIdRange.size" is missing' },
    { helper: 'byIdRange', more: { size: -5 }, line: 'option "byIdRange.size" is -5 (number)' },
    {
      helper: 'byIdRange',
      more: { entries: [] },
      line: 'option "byIdRange.entries" is a list of 0 (object)',
    },
    {
      helper: 'byMonth',
      more: { from: undefined },
      line: 'option "byMonth.from" is missing: expected a date',
    },
    { helper: 'byMonth', more: { from: null }, line: 'option "byMonth.from" is null (null)' },
    { helper: 'byMonth', more: { from: '2026-05' }, line: 'option "byMonth.from" is "2026-05" (string)' },
    { helper: 'byMonth', more: { to: 'now' }, line: 'option "byMonth.to" is "now" (string)' },
    { helper: 'byMonth', more: { from: '2026-05-04', to: '2026-04-30' }, line: 'a date from 2026-05 on' },
    { helper: 'byMonth', more: { entries: undefined }, line: 'option "byMonth.entries" is missing' },
    {
      helper: 'byHash',
      more: { count: undefined },
      line: 'option "byHash.count" is missing: expected a whole number',
    },
    { helper: 'byHash', more: { count: 0 }, line: 'option "byHash.count" is 0 (number)' },
    { helper: 'byHash', more: { count: 100_001 }, line: 'expected a whole number from 1 to 100,000' },
    {
      helper: 'byHash',
      more: { entries: 5 },
      line: 'option "byHash.entries" is 5 (number): expected a function',
    },
  ])('$helper refuses $more', ({ helper, more, line }) => {
    const { code, message } = refusal(helper, { ...LEAST[helper], ...more })
    expect(code).toBe('LSM_ERR_OPTION_INVALID')
    expect(message).toContain(line)
    expect(message.split('\n')).toHaveLength(1)
  })

  it('are refused with all their faults at once', () => {
    const { message } = refusal('keyset', { key: 5, page: 5, entry: 5, size: 0, pageSize: 0, zzz: 1 })
    expect(message.split('\n')).toHaveLength(7)
    expect(message.startsWith('6 options are wrong:')).toBe(true)
  })

  it.each([undefined, null, 5, 'id', fn, []])('are an object, not %s', (options) => {
    for (const helper of Object.keys(HELPERS)) {
      expect(refusal(helper, options).message).toContain(`option "${helper}" is `)
    }
  })

  it('never end in another error, whatever comes', () => {
    const anything = fc.anything({ withBigInt: true, withMap: true, withDate: true, withNullPrototype: true })
    const names = [
      'key',
      'page',
      'range',
      'size',
      'min',
      'max',
      'from',
      'to',
      'entries',
      'count',
      'latest',
      'fullEvery',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(HELPERS)),
        fc.dictionary(fc.constantFrom(...names), anything),
        anything,
        (helper, more, value) => {
          for (const options of [{ ...LEAST[helper], ...more }, value]) {
            try {
              HELPERS[helper]?.(options)
            } catch (error) {
              expect(error).toBeInstanceOf(SitemapError)
            }
          }
        },
      ),
    )
  })

  it('are read once: what happens to the object later changes nothing', async () => {
    const options = { count: 2, entries: fn }
    const provider = byHash(options)
    options.count = 5
    expect(await readIds(provider)).toEqual(['0', '1'])
  })
})

async function readIds({ partitions }: ReturnType<typeof byHash>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of await partitions({} as Parameters<typeof partitions>[0])) ids.push(id)
  return ids
}
