import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp, createFolder } from '../support/engine.ts'
import { closeEngines, createTestEngine } from '../support/site.ts'
import type { Seen } from './children/full-disk.ts'

const children = new Set<ChildProcess>()

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await closeEngines()
  await cleanUp()
})

const program = (name: string): string => fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url))

/** A program of children/ under a loader, its output read by the test. */
function start(name: string, args: readonly string[], before: readonly string[] = []): ChildProcess {
  const [command = '', ...rest] = [...before, process.execPath, '--import', 'tsx', program(name), ...args]
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  return child
}

function spoolFiles(folder: string): string[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.spool'))
}

it('a process that is killed in the middle of a walk: the next one sweeps what it left, and serves', async () => {
  const dir = await createFolder()
  const child = start('killed', [dir])
  child.stdout?.setEncoding('utf8')
  const [said] = (await once(child.stdout ?? child, 'data')) as [string]
  expect(said).toBe('in the middle\n')
  // Of the published state, and of the walk under way.
  expect(spoolFiles(dir)).toHaveLength(2)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const [left] = await readdir(dir)
  expect(spoolFiles(dir)).toHaveLength(2)

  const { ask, engine } = createTestEngine({
    providers: { posts: () => Array.from({ length: 30_000 }, (_, i) => `/next/${i}`) },
    cache: { memory: '64kb', dir },
  })
  expect((await ask('/sitemap-posts-1.xml')).status).toBe(200)
  const folders = await readdir(dir)
  expect(folders).toHaveLength(1)
  expect(folders).not.toContain(left)
  expect(spoolFiles(dir)).toHaveLength(1)
  await engine.close()
  expect(await readdir(dir)).toEqual([])
}, 30_000)

/** What the machine lets a test do, told by its own exit. */
function can(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// A file system of its own in a name space of its own; and a limit of the process, where that is not allowed.
describe.each([
  {
    name: 'a full disk',
    kind: 'mount',
    before: ['unshare', '-rm'],
    cause: 'ENOSPC',
    isPossible: () => can('unshare', '-rm', 'true'),
  },
  {
    name: 'a file that may not grow',
    kind: 'limit',
    before: [],
    cause: 'EFBIG',
    isPossible: () => can('prlimit', '--version'),
  },
])('$name', ({ kind, before, cause, isPossible }) => {
  it.skipIf(!isPossible())(
    'in the middle of a walk: last good stays, the log says it, and there is room again',
    async () => {
      const child = start('full-disk', [await createFolder(), kind], before)
      let out = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      expect(await once(child, 'close')).toEqual([0, null])
      const seen = JSON.parse(out) as Seen
      expect(seen.first).toMatchObject({ status: 200, entries: 3_000 })
      expect([seen.code, seen.cause, seen.state]).toEqual(['LSM_ERR_SPOOL_FAILED', cause, 'failing'])
      expect(seen.full).toEqual(seen.first)
      expect(seen.lines.filter(([, code]) => code === 'LSM_ERR_SPOOL_FAILED')).toEqual([
        ['error', 'LSM_ERR_SPOOL_FAILED'],
      ])
      // The one of last good.
      expect(seen.files).toBe(1)
      expect(seen.after).toMatchObject({ status: 200, entries: 2_900 })
      expect(seen.after.etag).not.toBe(seen.first.etag)
    },
    30_000,
  )
})
