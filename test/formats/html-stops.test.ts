import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pageStops } from '../../src/formats/html-stops.ts'

it.each([
  { page: 1, pages: 1, stops: [1] },
  { page: 1, pages: 5, stops: [1, 2, 3, 4, 5] },
  { page: 3, pages: 7, stops: [1, 2, 3, 4, 5, 6, 7] },
  { page: 1, pages: 9, stops: [1, 2, 3, 9] },
  { page: 15, pages: 40, stops: [1, 5, 13, 14, 15, 16, 17, 25, 40] },
  { page: 487, pages: 1_205, stops: [1, 387, 477, 485, 486, 487, 488, 489, 497, 587, 1_205] },
])('stops on page $page of $pages (SPEC H7)', ({ page, pages, stops }) => {
  expect(pageStops(page, pages)).toEqual(stops)
})

it('every page of 2,000 is at most 14 steps from the first (SPEC H7)', () => {
  const pages = 2_000
  const steps = new Map([[1, 0]])
  for (const [page, distance] of steps) {
    for (const stop of pageStops(page, pages)) if (!steps.has(stop)) steps.set(stop, distance + 1)
  }
  expect(steps.size).toBe(pages)
  expect(Math.max(...steps.values())).toBeLessThanOrEqual(14)
})

it('stops are short, ascending, and hold the ends and the page, whatever the numbers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(), (pages, seed) => {
      const page = 1 + (seed % pages)
      const stops = pageStops(page, pages)
      expect(stops).toEqual([...new Set(stops)].sort((a, b) => a - b))
      expect(stops).toEqual(expect.arrayContaining([1, page, pages]))
      expect(stops.every((stop) => stop >= 1 && stop <= pages)).toBe(true)
      expect(stops.length).toBeLessThanOrEqual(20)
    }),
  )
})
