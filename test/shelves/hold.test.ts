import { describe, expect, it } from 'vitest'
import { type Held, holdWalk } from '../../src/shelves/hold.ts'

const NOW = Date.UTC(2026, 10, 30, 12)
const HOUR = 3_600_000

describe('held walks (DESIGN 3)', () => {
  it.each([
    { name: 'first snapshot, empty', published: undefined, count: 0, held: false },
    { name: 'as many', published: 1_000, count: 1_000, held: false },
    { name: 'more', published: 1_000, count: 5_000, held: false },
    { name: 'lost half, just what may be lost', published: 100, count: 50, held: false },
    { name: 'lost one more than half', published: 100, count: 49, held: true },
    { name: 'lost all of a large section', published: 100, count: 0, held: true },
    { name: 'lost most of a section below 100', published: 99, count: 1, held: false },
    { name: 'lost all of 10', published: 10, count: 0, held: true },
    { name: 'lost all of 9', published: 9, count: 0, held: false },
    { name: 'was empty before', published: 0, count: 0, held: false },
    { name: 'may lose nothing, lost one', published: 100, count: 99, maxShrink: 0, held: true },
    { name: 'may lose all, lost nearly all', published: 100, count: 1, maxShrink: 1, held: false },
    { name: 'may lose all, lost all', published: 100, count: 0, maxShrink: 1, held: true },
    { name: 'a tenth, just what may be lost', published: 1_000, count: 900, maxShrink: 0.1, held: false },
  ])('$name: $published → $count, held: $held', ({ published, count, maxShrink = 0.5, held }) => {
    const result = holdWalk(published, count, maxShrink, undefined, NOW)
    expect(result).toEqual(held ? { count, sinceMs: NOW } : undefined)
  })

  const before: Held = { count: 40, sinceMs: NOW - 23 * HOUR }

  it.each([
    { name: 'alike, not long enough: since when stays', count: 40, held: before, result: before },
    { name: 'within 10 % of the first one held, above', count: 44, held: before, result: before },
    { name: 'within 10 %, below', count: 36, held: before, result: before },
    {
      name: 'beyond 10 %: the time begins again',
      count: 45,
      held: before,
      result: { count: 45, sinceMs: NOW },
    },
    {
      name: 'alike for 24 h: believed',
      count: 40,
      held: { count: 40, sinceMs: NOW - 24 * HOUR },
      result: undefined,
    },
    {
      name: 'alike for 24 h but for a millisecond',
      count: 40,
      held: { count: 40, sinceMs: NOW - 24 * HOUR + 1 },
      result: { count: 40, sinceMs: NOW - 24 * HOUR + 1 },
    },
    {
      name: 'empty for 24 h: believed',
      count: 0,
      held: { count: 0, sinceMs: NOW - 24 * HOUR },
      result: undefined,
    },
    {
      name: 'empty, then one: not alike',
      count: 1,
      held: { count: 0, sinceMs: NOW - 24 * HOUR },
      result: { count: 1, sinceMs: NOW },
    },
    { name: 'it came back whole: nothing is held', count: 100, held: before, result: undefined },
  ])('$name', ({ count, held, result }) => {
    expect(holdWalk(100, count, 0.5, held, NOW)).toEqual(result)
  })

  it('creeping down is not alike: each is held against the first', () => {
    let held: Held | undefined
    let published = 100
    for (let walk = 0, count = 49; walk < 10; walk++, count = Math.floor(count * 0.95)) {
      held = holdWalk(published, count, 0.5, held, NOW + walk * 3 * HOUR)
      if (held === undefined) published = count
    }
    expect([published, held?.sinceMs]).not.toEqual([100, NOW])
    expect(published).toBe(100)
  })
})
