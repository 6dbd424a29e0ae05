/** What the tests of outages say of instances. */
import { expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Instance, type Load, p99, pathsOf, tooOften } from './instance.ts'

export const PATH = '/sitemap.xml'
const DEADLINE_MS = 10_000
/** The longest pause of the breaker, then the next look at the state, on a busy machine. */
const RECOVERS_WITHIN_MS = 45_000

/** The first path that an instance serves. */
export async function firstOf(one: Instance | undefined): Promise<string | undefined> {
  return pathsOf((await one?.ask(PATH))?.text ?? '')[0]
}

/** Waits until every instance serves the edit. */
export async function seen(name: string, instances: readonly Instance[]): Promise<void> {
  for (const one of instances)
    await eventually(
      async () => (await firstOf(one)) === `/${name}-1`,
      `the edit "${name}" everywhere`,
      RECOVERS_WITHIN_MS,
    )
}

export async function stateIs(state: string, instances: readonly Instance[]): Promise<void> {
  for (const one of instances)
    await eventually(
      async () => (await one.report()).store.state === state,
      `the store to be ${state}`,
      RECOVERS_WITHIN_MS,
    )
}

/** No request failed or was late, and no line came more often than once a minute. */
export function expectCalm(load: Load, instances: readonly Instance[]): void {
  expect(load.failures).toEqual([])
  expect(p99(load.durations)).toBeLessThan(DEADLINE_MS)
  for (const { lines } of instances) expect(tooOften(lines)).toEqual([])
}
