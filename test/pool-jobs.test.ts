import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { MOST_POOL_JOBS, poolJobs } from '../src/pool-jobs.ts'
import { createGate } from './support/site.ts'

it('leave a processor for the event loop, and a thread of the pool for the files and look-ups of the app', () => {
  expect(MOST_POOL_JOBS).toBeGreaterThanOrEqual(1)
  expect(MOST_POOL_JOBS).toBeLessThan(Math.max(2, availableParallelism()))
  // Node's pool has four threads (UV_THREADPOOL_SIZE).
  expect(MOST_POOL_JOBS).toBeLessThan(4)
})

it('run that many at once, whoever they are for, and the users take turns', async () => {
  const began: string[] = []
  const gates = new Map<string, ReturnType<typeof createGate>>()
  const start = (user: string, n: number): Promise<void> => {
    const name = `${user} ${n}`
    const gate = createGate()
    gates.set(name, gate)
    return poolJobs.of(user).run(async () => {
      began.push(name)
      await gate.passed
    })
  }
  const first = Array.from({ length: MOST_POOL_JOBS }, (_, i) => `walks ${i + 1}`)
  const ended = [
    ...Array.from({ length: MOST_POOL_JOBS + 2 }, (_, i) => start('walks', i + 1)),
    ...[1, 2].map((n) => start('documents', n)),
  ]
  await Promise.resolve()
  expect(began).toEqual(first)
  const next = [`walks ${MOST_POOL_JOBS + 1}`, 'documents 1', `walks ${MOST_POOL_JOBS + 2}`, 'documents 2']
  // One after the other, in turns: each gets the slot of one that ended.
  for (const [i, name] of [...first, ...next].slice(0, next.length).entries()) {
    gates.get(name)?.open(undefined)
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(began).toEqual([...first, ...next.slice(0, i + 1)])
  }
  for (const gate of gates.values()) gate.open(undefined)
  await Promise.all(ended)
  expect(began).toHaveLength(MOST_POOL_JOBS + 4)
})
