import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeedItem } from '../../src/entry/entry.ts'
import { createFeedCandidates } from '../../src/shelves/feed-candidates.ts'

const NOW = 1_000_000

function item(loc: string, dateMs?: number): FeedItem {
  return { loc, title: loc, ...(dateMs === undefined ? {} : { dateMs }) }
}

/** Offers the items as a walk does. */
function chosen(items: readonly FeedItem[], limit: number): string[] {
  const candidates = createFeedCandidates(limit, NOW)
  for (const one of items) if (candidates.wants(one.dateMs)) candidates.add(one, one)
  return candidates.finish().map((candidate) => candidate.item.loc)
}

describe('feed candidates of a section (DESIGN 2, feeds; DESIGN 3.11)', () => {
  it.each([
    {
      name: 'newest first',
      items: [item('a', 1), item('b', 3), item('c', 2)],
      limit: 9,
      locs: ['b', 'c', 'a'],
    },
    { name: 'the newest N', items: [item('a', 1), item('b', 3), item('c', 2)], limit: 2, locs: ['b', 'c'] },
    {
      name: 'equal dates in the order of the provider',
      items: [item('a', 5), item('b', 5), item('c', 5)],
      limit: 2,
      locs: ['a', 'b'],
    },
    {
      name: 'undated last, in the order of the provider',
      items: [item('a'), item('b', 1), item('c')],
      limit: 9,
      locs: ['b', 'a', 'c'],
    },
    { name: 'the first N undated', items: [item('a'), item('b'), item('c')], limit: 2, locs: ['a', 'b'] },
    { name: 'due now is due', items: [item('a', NOW), item('b', NOW + 1)], limit: 1, locs: ['b', 'a'] },
    {
      name: 'of those to come the next N',
      items: [item('a', NOW + 30), item('b', NOW + 10), item('c', NOW + 20), item('d', 1)],
      limit: 2,
      locs: ['c', 'b', 'd'],
    },
    {
      name: 'equal dates to come: the first of the provider',
      items: [item('a', NOW + 5), item('b', NOW + 5)],
      limit: 1,
      locs: ['a'],
    },
    { name: 'before 1970', items: [item('a', -5), item('b', -1)], limit: 9, locs: ['b', 'a'] },
    { name: 'none', items: [], limit: 9, locs: [] },
  ])('$name', ({ items, limit, locs }) => {
    expect(chosen(items, limit)).toEqual(locs)
  })

  it('any list: what sorting all of it would give', () => {
    const dates = fc.option(fc.integer({ min: NOW - 20, max: NOW + 20 }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(dates, { maxLength: 200 }), fc.integer({ min: 1, max: 12 }), (list, limit) => {
        const items = list.map((dateMs, n) => item(`${n}`, dateMs))
        const by = (compare: (a: number, b: number) => number, is: (dateMs: number) => boolean) =>
          items
            .filter(({ dateMs }) => dateMs !== undefined && is(dateMs))
            .sort((a, b) => compare(a.dateMs ?? 0, b.dateMs ?? 0))
            .slice(0, limit)
        const due = by(
          (a, b) => b - a,
          (dateMs) => dateMs <= NOW,
        )
        const coming = by(
          (a, b) => a - b,
          (dateMs) => dateMs > NOW,
        )
        const dated = [...coming, ...due].sort(
          (a, b) => (b.dateMs ?? 0) - (a.dateMs ?? 0) || Number(a.loc) - Number(b.loc),
        )
        const undated = items.filter(({ dateMs }) => dateMs === undefined).slice(0, limit)
        expect(chosen(items, limit)).toEqual([...dated, ...undated].map(({ loc }) => loc))
      }),
    )
  })

  it('is bounded, and soon wants only what is newer', () => {
    const candidates = createFeedCandidates(10, NOW)
    let kept = 0
    // The worst order: each is older than the one before.
    for (let n = 0; n < 10_000; n++) {
      if (!candidates.wants(NOW - n)) continue
      kept++
      candidates.add(item(`${n}`, NOW - n), undefined)
    }
    expect(kept).toBeLessThanOrEqual(20)
    expect(candidates.wants(NOW)).toBe(true)
    expect(candidates.finish()).toHaveLength(10)
  })

  it('wants no more undated ones than it can show', () => {
    const candidates = createFeedCandidates(2, NOW)
    for (const loc of ['a', 'b']) {
      expect(candidates.wants(undefined)).toBe(true)
      candidates.add(item(loc), undefined)
    }
    expect(candidates.wants(undefined)).toBe(false)
  })
})
