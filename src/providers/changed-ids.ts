import { giveWay } from '../slices.ts'

/** Values read between two looks at the app's own work: about a millisecond. */
const AT_A_TIME = 1_000

/** The ids of the partitions that `changed` lies in, each once. */
export async function* changedIds<T>(
  changed: Iterable<T> | AsyncIterable<T>,
  idOf: (value: T) => string,
): AsyncGenerator<string> {
  const seen = new Set<string>()
  let read = 0
  for await (const value of changed) {
    if (++read % AT_A_TIME === 0) await giveWay()
    const id = idOf(value)
    if (seen.has(id)) continue
    seen.add(id)
    yield id
  }
}
