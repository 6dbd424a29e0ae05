import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { DEEPEST_LEVEL, parentsByPath, treePath } from '../../src/formats/html-tree.ts'

const ROOTS: ReadonlySet<string> = new Set(['https://example.com', 'https://example.com/fr'])

/** Paths on the site, or whole URLs. */
const parents = (...paths: string[]) =>
  parentsByPath(
    paths.map((path) => (path.startsWith('/') ? `https://example.com${path}` : path)),
    ROOTS,
  )

describe('tree by path (SPEC H3)', () => {
  it.each([
    { name: 'children and grandchildren', paths: ['/a', '/a/b', '/a/b/c'], expected: [-1, 0, 1] },
    { name: 'the nearest that is listed', paths: ['/a', '/a/b/c', '/a/b/c/d/e'], expected: [-1, 0, 1] },
    { name: 'parents after their children', paths: ['/a/b/c', '/a/b', '/a'], expected: [1, 2, -1] },
    { name: 'slashes at the end', paths: ['/a/', '/a/b/', '/a/b/c'], expected: [-1, 0, 1] },
    {
      name: 'segments, not letters',
      paths: ['/a', '/ab', '/a-b/c', '/a/b', '/a/c'],
      expected: [-1, -1, -1, 0, 0],
    },
    { name: 'case counts', paths: ['/A', '/a/b', '/A/b', '/A/c'], expected: [-1, -1, 0, 0] },
    { name: 'queries are ignored', paths: ['/a?x=/b', '/a/b?y', '/a/b/c?z=1/2/3'], expected: [-1, 0, 1] },
    { name: 'one path twice', paths: ['/a', '/a', '/a/b', '/a/c'], expected: [-1, -1, 0, 0] },
    {
      name: 'the one without query',
      paths: ['/a?p=2', '/a', '/a?p=3', '/a/b', '/a/c'],
      expected: [-1, -1, -1, 1, 1],
    },
    {
      name: 'other origins are other trees',
      paths: [
        '/a',
        'http://example.com/a/b',
        'https://example.com:8443/a/b',
        'https://b.example/a',
        'https://b.example/a/b',
        '/a/c',
      ],
      expected: [-1, -1, -1, -1, 3, 0],
    },
    { name: 'a fragment', paths: ['/a', '/a/b#/c/d', '/a/b/c#x'], expected: [-1, 0, 1] },
    { name: 'empty segments', paths: ['/a', '/a//b', '/a//b/c'], expected: [-1, 0, 1] },
    { name: 'all of a blog', paths: ['/blog', '/blog/1', '/blog/2', '/blog/3'], expected: [-1, 0, 0, 0] },
  ])('$name', ({ paths, expected }) => {
    expect(parents(...paths)).toEqual(expected)
  })

  it.each([
    { name: 'a root takes no children', paths: ['/', '/a', '/b', '/c'] },
    {
      name: "nor does another host's",
      paths: ['https://b.example', 'https://b.example/a', 'https://b.example/b'],
    },
    { name: 'nor does what is named a root', paths: ['/fr', '/fr/a', '/fr/b', '/fr/'] },
    { name: 'one nested entry is no structure', paths: ['/a', '/a/b', '/c', '/d'] },
    { name: 'no entries', paths: [] },
    { name: 'what is no URL', paths: ['a', 'a/b', 'a/b/c', ''] },
  ])('stays flat: $name', ({ paths }) => {
    expect(parents(...paths)).toBeUndefined()
  })

  it('what lies deeper than six levels stands on the sixth, in the order given', () => {
    const chain = Array.from({ length: 9 }, (_, i) => '/a'.repeat(i + 1))
    expect(parents(...chain)).toEqual([-1, 0, 1, 2, 3, 4, 4, 4, 4])
    expect(parents(...chain.toReversed())).toEqual([4, 4, 4, 4, 5, 6, 7, 8, -1])
  })

  it('treePath is origin and path', () => {
    expect(treePath('https://example.com/a/?b#c')).toBe('https://example.com/a')
    expect(treePath('https://example.com')).toBe('https://example.com')
    expect(treePath('/a')).toBeUndefined()
  })
})

const segment = fc.constantFrom('a', 'b', 'ab', 'fr', '', 'c')
const url = fc
  .tuple(
    fc.constantFrom('https://example.com', 'https://b.example'),
    fc.array(segment, { maxLength: 9 }),
    fc.constantFrom('', '?q', '?q=/a/b', '/'),
  )
  .map(([origin, segments, rest]) => `${origin}${segments.map((one) => `/${one}`).join('')}${rest}`)

it('any list: every entry has one place, below an entry of a shorter path, at most six levels down', () => {
  fc.assert(
    fc.property(fc.array(url, { maxLength: 30 }), (locs) => {
      const tree = parentsByPath(locs, ROOTS)
      if (tree === undefined) return
      expect(tree).toHaveLength(locs.length)
      expect(tree.filter((parent) => parent !== -1).length).toBeGreaterThanOrEqual(2)
      for (const [index, parent] of tree.entries()) {
        let level = 1
        for (let at = index; tree[at] !== -1; at = tree[at] ?? -1) {
          level++
          const [below = '', above = ''] = [treePath(locs[at] ?? ''), treePath(locs[tree[at] ?? -1] ?? '')]
          expect(below.startsWith(`${above}/`)).toBe(true)
        }
        expect(level).toBeLessThanOrEqual(DEEPEST_LEVEL)
        // No listed path lies between the two, unless the levels ran out.
        if (level < DEEPEST_LEVEL) {
          const path = treePath(locs[index] ?? '') ?? ''
          const above = parent === -1 ? '' : (treePath(locs[parent] ?? '') ?? '')
          const between = locs
            .map((loc) => treePath(loc) ?? '')
            .filter((other) => path.startsWith(`${other}/`) && other.length > above.length)
            .filter((other) => !ROOTS.has(other) && other !== 'https://b.example')
          // An ancestor further up than a path is climbed.
          expect(between.filter((other) => path.slice(other.length).split('/').length <= 9)).toEqual([])
        }
      }
    }),
  )
})

/** How many characters of keys a tree looks at. */
function work(locs: readonly string[]): number {
  const get = vi.spyOn(Map.prototype, 'get')
  try {
    parentsByPath(locs, ROOTS)
    return get.mock.calls.reduce((sum, [key]) => sum + String(key).length, 0)
  } finally {
    get.mockRestore()
  }
}

it.each([
  { name: 'wide', path: (i: number) => `/blog/${i}` },
  { name: 'deep', path: (i: number) => `${'/a'.repeat(900)}/${i}` },
  { name: 'one below the other', path: (i: number) => '/a'.repeat(i % 1_000) },
])('takes time in step with the length of the list: $name', ({ path }) => {
  const locs = (count: number) => Array.from({ length: count }, (_, i) => `https://example.com${path(i)}`)
  const characters = (list: readonly string[]) => list.join('').length
  for (const count of [1_000, 4_000]) expect(work(locs(count))).toBeLessThan(10 * characters(locs(count)))
})
