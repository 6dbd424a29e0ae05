/**
 * Which pages a compact list of pages names: the ends, the neighbours, and stops 10, 100, 1,000 … away,
 * so that every page of a long list is a few steps off (SPEC H7). Ascending.
 */
export function pageStops(page: number, pages: number): readonly number[] {
  const stops = new Set([1, page, pages])
  for (const step of [1, 2]) stops.add(page - step).add(page + step)
  for (let step = 10; step < pages; step *= 10) stops.add(page - step).add(page + step)
  // A gap of one page takes the room of its number.
  for (const stop of [...stops]) if (stops.has(stop + 2)) stops.add(stop + 1)
  return [...stops].filter((stop) => stop >= 1 && stop <= pages).sort((a, b) => a - b)
}
