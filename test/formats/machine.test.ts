import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('print-documents.ts', import.meta.url))

/** All documents as a process with this environment renders them, and what its zone and locale are. */
async function printed(environment: { readonly TZ: string; readonly LC_ALL: string }) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], {
    env: { ...process.env, ...environment },
    maxBuffer: 2 ** 24,
  })
  return { documents: stdout, machine: stderr }
}

it('documents are the same in every time zone and locale (DESIGN 3.7)', async () => {
  const here = await printed({ TZ: 'UTC', LC_ALL: 'en_US.UTF-8' })
  const there = await printed({ TZ: 'America/Los_Angeles', LC_ALL: 'de_DE.UTF-8' })
  expect([here.machine, there.machine]).toEqual(['0 1,234.5', '480 1.234,5'])
  expect(here.documents).toContain('<pubDate>')
  expect(there.documents).toBe(here.documents)
})
