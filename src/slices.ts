import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * How long our work may hold the event loop before it gives way. At 4 ms the app's own route waited three times as long
 * (bench/beside.ts).
 */
export const SLICE_MS = 1

/** Lets the app's own work run. Microtasks do not: a million ready entries would stall the loop for a second (measured). */
export function giveWay(): Promise<void> {
  return setImmediate()
}

/**
 * Gives way, and leaves the loop to the app for about as long as a slice takes: for work that nobody waits for. A timer
 * counts from the beginning of the loop's turn, so the slice itself is in it.
 */
export function rest(): Promise<void> {
  return setTimeout(2 * SLICE_MS)
}

/** Asked again and again by a loop of ours: gives way once the loop has held the event loop for a slice; else undefined. */
export function createSlices(): () => Promise<void> | undefined {
  let endMs = performance.now() + SLICE_MS
  return () => (performance.now() < endMs ? undefined : next())

  async function next(): Promise<void> {
    await giveWay()
    endMs = performance.now() + SLICE_MS
  }
}
