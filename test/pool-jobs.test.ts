import { expect, it } from 'vitest'
import { poolJobs } from '../src/pool-jobs.ts'
import { createGate } from './support/site.ts'

// Node's pool has four threads (UV_THREADPOOL_SIZE): one stays for the app's own files and look-ups.
it('three jobs at most run at once, whoever they are for, and the users take turns', async () => {
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
  const ended = [
    ...[1, 2, 3, 4, 5].map((n) => start('walks', n)),
    ...[1, 2].map((n) => start('documents', n)),
  ]
  await Promise.resolve()
  expect(began).toEqual(['walks 1', 'walks 2', 'walks 3'])
  for (const name of ['walks 1', 'walks 2', 'walks 3']) {
    gates.get(name)?.open(undefined)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  expect(began.slice(3)).toEqual(['walks 4', 'documents 1', 'walks 5'])
  for (const gate of gates.values()) gate.open(undefined)
  await Promise.all(ended)
  expect(began).toHaveLength(7)
})
