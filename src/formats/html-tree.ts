/** Levels of nested lists: what lies deeper stands on the last one. */
export const DEEPEST_LEVEL = 6
/** Fewer nested entries than this give a list no structure: it stays flat. */
const NESTED_FROM = 2
/** Segments that a path is climbed in search of its parent, so that time stays linear whatever the paths. */
const LONGEST_CLIMB = 8

/** The entry above another one in a list, by index; -1 for those of the first level. */
export type Parents = readonly number[]

/**
 * The tree that the paths of a list make: an entry lies under the nearest one whose path is a whole number of
 * segments shorter, on the same origin, whatever the queries. Undefined where no tree helps.
 *
 * - A root takes no children, for all would lie under it: the path `/` of any host, and those in `roots`.
 *   Any other entry may take them all: of `/blog` and its 900 articles the first is the heading of the others.
 * - A list with fewer than two nested entries stays flat.
 * - Of several entries with one path the first without a query is the parent.
 * - Where an ancestor lies more than 8 segments up it is not looked for.
 */
export function parentsByPath(locs: readonly string[], roots: ReadonlySet<string>): Parents | undefined {
  const paths = locs.map(treePath)
  const owners = new Map<string, number>()
  for (const [index, path] of paths.entries()) {
    if (path === undefined || isRoot(path, roots)) continue
    const owner = owners.get(path)
    if (owner === undefined || (hasQuery(locs[owner]) && !hasQuery(locs[index]))) owners.set(path, index)
  }
  let nested = 0
  const parents = paths.map((path) => {
    const parent = path === undefined ? -1 : nearestOwner(path, owners)
    if (parent !== -1) nested++
    return parent
  })
  return nested < NESTED_FROM ? undefined : flattened(parents)
}

/** Origin and path of an absolute http(s) URL as `roots` names them: without slash at the end. */
export function treePath(loc: string): string | undefined {
  const path = /^https?:\/\/[^?#]*/i.exec(loc)?.[0]
  return path?.endsWith('/') ? path.slice(0, -1) : path
}

function isRoot(path: string, roots: ReadonlySet<string>): boolean {
  return path.indexOf('/', 'https://'.length) === -1 || roots.has(path)
}

function hasQuery(loc: string | undefined): boolean {
  return loc?.includes('?') ?? false
}

function nearestOwner(path: string, owners: ReadonlyMap<string, number>): number {
  let end = path.length
  for (let climbed = 0; climbed < LONGEST_CLIMB; climbed++) {
    end = path.lastIndexOf('/', end - 1)
    // The slashes of `https://`.
    if (end < 'https://'.length) return -1
    const owner = owners.get(path.slice(0, end))
    if (owner !== undefined) return owner
  }
  return -1
}

/** The same tree with everything below the deepest level moved up to it. */
function flattened(parents: Parents): Parents {
  const flat = parents.slice()
  const levels = parents.map(() => 0)
  for (const start of parents.keys()) {
    // Up to an entry whose place is known, then down again: a parent may come after its children.
    const unplaced: number[] = []
    for (let index = start; index !== -1 && levels[index] === 0; index = parents[index] ?? -1)
      unplaced.push(index)
    for (let index = unplaced.pop(); index !== undefined; index = unplaced.pop()) {
      const parent = parents[index] ?? -1
      const level = 1 + (levels[parent] ?? 0)
      levels[index] = Math.min(level, DEEPEST_LEVEL)
      // The parent stands on the last level itself, below the entry that both hang under.
      if (level > DEEPEST_LEVEL) flat[index] = flat[parent] ?? -1
    }
  }
  return flat
}
