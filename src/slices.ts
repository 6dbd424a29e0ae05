import { setImmediate } from 'node:timers/promises'

/** How long our work may hold the event loop before it gives way. */
export const SLICE_MS = 4

/** Lets the app's own work run. Microtasks do not: a million ready entries would stall the loop for a second (measured). */
export function giveWay(): Promise<void> {
  return setImmediate()
}
