import { describe, expect, it } from 'vitest'
import { foreignNames, ourNameOf, tellForeign } from '../../src/entry/foreign-names.ts'

describe('names that an entry is not read by', () => {
  it.each([
    { name: 'lastMod', ours: 'lastmod' },
    { name: 'changeFreq', ours: 'changefreq' },
    { name: 'links', ours: 'alternates' },
    { name: 'img', ours: 'images' },
    { name: 'video', ours: 'videos' },
    { name: 'updated_at', ours: 'lastmod' },
  ])('$name is $ours', ({ name, ours }) => {
    expect(foreignNames({ loc: '/a', [name]: 1 })).toEqual([name])
    expect(ourNameOf(name)).toBe(ours)
  })

  it('a date of a database is no slip beside lastmod', () => {
    expect(foreignNames({ loc: '/a', updatedAt: 1, lastmod: null })).toEqual([])
  })

  it('every field of ours is read', () => {
    const ours = [
      'loc',
      'url',
      'lastmod',
      'images',
      'videos',
      'news',
      'alternates',
      'group',
      'extensions',
      'title',
    ]
    expect(foreignNames(Object.fromEntries(ours.map((name) => [name, 1])))).toEqual([])
    for (const name of [...ours, 'constructor', 'anything']) expect(ourNameOf(name)).toBe(undefined)
  })

  it('names are listed without reading a value', () => {
    const entry = {
      get lastMod(): string {
        throw new Error('read')
      },
    }
    expect(foreignNames(entry)).toEqual(['lastMod'])
  })

  it('inside a part they are told where ours is missing', () => {
    const told: string[] = []
    const tell = (name: string, ours: string) => told.push(`${name} ${ours}`)
    const names = { a_b: 'aB', c_d: 'cD', e_f: 'eF' }
    tellForeign({ a_b: 1, c_d: 1, cD: null, e_f: 1, eF: 0, toString: 1 }, names, tell)
    expect(told).toEqual(['a_b aB', 'c_d cD'])
  })
})
