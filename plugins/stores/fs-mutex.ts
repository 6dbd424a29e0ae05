import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Lets one at a time do something, in this process and in others that use the same folder. */
export interface FsMutex {
  /** Runs `task` while a file at `path` says that somebody does; the folder has to be there. */
  run<T>(path: string, task: () => Promise<T>): Promise<T>
}

/** Whoever holds the file compares and renames, no more: after this long he is dead. */
const STALE_MS = 5_000
const LONGEST_PAUSE_MS = 10

export function createFsMutex(nowMs: () => number): FsMutex {
  /** The last in the queue of each path: those of one process need no file to wait for each other. */
  const tails = new Map<string, Promise<unknown>>()

  async function acquire(path: string): Promise<string> {
    const token = randomUUID()
    for (;;) {
      try {
        await writeFile(path, token, { flag: 'wx', mode: 0o600 })
        return token
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error
      }
      if (await isStale(path)) await breakOpen(path)
      else await wait(1 + Math.random() * LONGEST_PAUSE_MS)
    }
  }

  /** A clock that was set back makes files of the future: they are no less stale. */
  async function isStale(path: string): Promise<boolean> {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: nowMs() }))
    return Math.abs(nowMs() - mtimeMs) > STALE_MS
  }

  /** Renaming is what one of several can do; unlinking might meet the file of the next holder. */
  async function breakOpen(path: string): Promise<void> {
    const aside = `${path}.${randomUUID()}`
    try {
      await rename(path, aside)
    } catch {
      return
    }
    // Somebody was quicker, and this is the file of the next: it goes back, unless yet another came.
    if (!(await isStale(aside))) await link(aside, path).catch(ignore)
    await rm(aside, { force: true })
  }

  async function hold<T>(path: string, task: () => Promise<T>): Promise<T> {
    const token = await acquire(path)
    try {
      return await task()
    } finally {
      // Taken for dead, it may be another's by now.
      const holder = await readFile(path, 'utf8').catch(ignore)
      if (holder === token) await rm(path, { force: true }).catch(ignore)
    }
  }

  return {
    async run(path, task) {
      const before = tails.get(path) ?? Promise.resolve()
      const own = before.then(() => hold(path, task))
      const tail = own.catch(ignore)
      tails.set(path, tail)
      try {
        return await own
      } finally {
        if (tails.get(path) === tail) tails.delete(path)
      }
    },
  }
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code)
}

function ignore(): undefined {}
