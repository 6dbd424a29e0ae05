/** The name a slip or another spelling away from `word`: at most a third of it differs. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const from = folded(word)
  if (from.length > 40) return undefined
  const ranked = names
    .map((name) => ({ name, distance: editDistance(from, folded(name)) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.max(1, Math.floor(from.length / 3))
    ? best.name
    : undefined
}

/** Case and joints do not count: `cache-control` is `cacheControl`. */
export function folded(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '')
}

/** Letters to insert, drop, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : Infinity
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1))
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], i: number): number {
  return row[i] ?? Infinity
}
