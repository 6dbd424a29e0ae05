import { readdir } from 'node:fs/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { createSpool } from '../../src/shelves/spool.ts'
import { cleanUp, createFolder } from '../support/engine.ts'
import { codeOf, createGate } from '../support/site.ts'

/** A disk that makes files slowly: `open` waits for the gate. */
const disk = vi.hoisted(() => ({ passed: Promise.resolve() as Promise<unknown>, asked: () => {} }))

vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>()
  const open: typeof real.open = async (...args) => {
    disk.asked()
    await disk.passed
    return real.open(...args)
  }
  return { ...real, open }
})

afterEach(cleanUp)

it('a file that is made while the spool closes leaves no folder', async () => {
  const root = await createFolder()
  const gate = createGate()
  const asked = new Promise<void>((resolve) => {
    disk.asked = resolve
  })
  disk.passed = gate.passed
  const spool = createSpool(root)
  const making = codeOf(spool.create())
  await asked
  const closing = spool.close()
  // Closing has all the time it wants to remove the folder before the file is there.
  for (let turn = 0; turn < 100; turn++) await readdir(root)
  gate.open(undefined)
  expect(await making).toBe('LSM_ERR_CLOSED')
  await closing
  expect(await readdir(root)).toEqual([])
})
