import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byIdRange, type IdRange, type Key } from '../../src/index.ts'
import { changedOf, createContext, entriesOf, idsOf, listOf, readAll } from '../support/partitions.ts'

const none = () => []

describe('byIdRange', () => {
  it('asks for each id in one range, in the kind of the largest', async () => {
    const kinds: readonly ((key: bigint) => Key)[] = [Number, String, (key) => key]
    const table = fc.record({
      ids: fc.uniqueArray(fc.bigInt({ min: -5_000n, max: 50_000n }), { minLength: 1, maxLength: 40 }),
      size: fc.integer({ min: 10, max: 5_000 }),
      write: fc.constantFrom(...kinds),
    })
    await fc.assert(
      fc.asyncProperty(table, async ({ ids, size, write }) => {
        const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1))
        const max = write(sorted.at(-1) ?? 0n)
        const entries = ({ from, to }: IdRange) => {
          expect([typeof from, typeof to]).toEqual([typeof max, typeof max])
          return sorted.filter((id) => id > BigInt(from) && id <= BigInt(to)).map((id) => `/${id}`)
        }
        const all = await readAll(
          byIdRange({ min: () => write(sorted[0] ?? 0n), max: () => max, size, entries }),
        )
        expect([...all.values()].flat()).toEqual(sorted.map((id) => `/${id}`))
      }),
    )
  })

  it.each<{ name: string; min?: Key | null; max: Key | null; ids: string[] }>([
    { name: 'no table', max: null, ids: [] },
    { name: 'no smallest id', min: null, max: 5, ids: [] },
    { name: 'coalesce(max(id), 0) of an empty table', max: 0, ids: [] },
    { name: 'ids from 1', max: 250, ids: ['1', '2', '3'] },
    { name: 'a known start', min: 101, max: 250, ids: ['2', '3'] },
    { name: 'a start before 1', min: -1, max: 100n, ids: ['0', '1'] },
    { name: 'nothing at or above the start', min: 300, max: 250, ids: [] },
  ])('$name: $ids', async ({ min, max, ids }) => {
    const ends = { ...(min !== undefined && { min: () => min }), max: async () => max }
    expect(await idsOf(byIdRange({ ...ends, size: 100, entries: none }))).toEqual(ids)
  })

  it('takes ends that are known, and gives ids in their kind', async () => {
    const provider = byIdRange({
      max: '250',
      size: 100,
      entries: ({ from, to }) => [`/${typeof from}-${to}`],
    })
    expect([...(await readAll(provider)).values()].flat()).toEqual([
      '/string-100',
      '/string-200',
      '/string-300',
    ])
  })

  it('hands the context on, and names the ranges of what changed', async () => {
    const provider = byIdRange({
      min: ({ site }) => (site.url === '' ? null : 1),
      max: ({ site }) => (site.url === '' ? null : 100),
      size: 100,
      entries: (_, { site }) => [site.url],
      changedSince: ({ since }, { site }) => (site.url === '' ? [] : [since.getTime(), 5, 1_000n, '7']),
    })
    const [partition] = await listOf(provider)
    expect(partition && (await entriesOf(provider, partition))).toEqual(['https://www.example.com'])
    expect(await changedOf(provider, new Date(101))).toEqual(['2', '1', '10'])
  })

  it.each([
    { name: 'nothing', given: undefined, says: 'byIdRange: "max" is missing' },
    { name: 'a row', given: { max: 5 }, says: 'byIdRange: "max" is a value of the type object' },
    { name: 'a rounded number', given: 2 ** 60, says: 'bigints or text' },
  ])('refuses a max() that gives $name', async ({ given, says }) => {
    const { partitions } = byIdRange({ max: () => given as number, size: 5, entries: none })
    await expect(partitions(createContext())).rejects.toThrow(says)
  })
})
