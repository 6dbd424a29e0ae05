import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byHash, type HashBucket } from '../../src/index.ts'
import { changedOf, idsOf, readAll } from '../support/partitions.ts'

describe('byHash', () => {
  it('asks for each bucket once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat()), fc.integer({ min: 1, max: 100 }), async (hashes, count) => {
        const entries = ({ bucket, of }: HashBucket) =>
          hashes.filter((hash) => hash % of === bucket).map((hash) => `/${hash}`)
        const all = await readAll(byHash({ count, entries }))
        expect([...all.values()].flat().toSorted()).toEqual(hashes.map((hash) => `/${hash}`).toSorted())
        expect(all.size).toBe(count)
      }),
    )
  })

  it('names each bucket as the hash does', async () => {
    const provider = byHash({
      count: 3,
      entries: ({ bucket, of }, { site }) => [`${site.url}/${bucket}/${of}`],
      changedSince: ({ since }, { site }) => (site.url === '' ? [] : [since.getTime(), 0, 2, 0]),
    })
    expect(await idsOf(provider)).toEqual(['0', '1', '2'])
    expect((await readAll(provider)).get('2')).toEqual(['https://www.example.com/2/3'])
    expect(await changedOf(provider, new Date(2))).toEqual(['2', '0'])
  })

  it.each([3, -1, 0.5, Number.NaN, '0', null])('refuses the bucket %s of changedSince', async (bucket) => {
    const provider = byHash({ count: 3, entries: () => [], changedSince: () => [bucket as number] })
    await expect(changedOf(provider, new Date())).rejects.toThrow('expected a whole number from 0 to 2')
  })
})
