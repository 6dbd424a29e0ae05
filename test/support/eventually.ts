import { setTimeout as wait } from 'node:timers/promises'

/** Waits for what a server or another process brings about; fails where it does not come. */
export async function eventually(
  holds: () => unknown,
  what = 'a condition of the test',
  withinMs = 15_000,
): Promise<void> {
  const endMs = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`waited in vain for ${what}`)
    await wait(15)
  }
}
