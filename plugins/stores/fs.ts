import { createHash, randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { StoreState } from '../../src/cache/store.ts'
import { systemClock } from '../../src/clock.ts'
import { describe, SitemapError } from '../../src/errors.ts'
import { createFsMutex, isCode } from './fs-mutex.ts'
import type { CompleteStore } from './redis.ts'

/** The store of a folder is always ready. */
export type FsStore = Omit<CompleteStore, 'ready'>

/** What only tests set otherwise. */
export interface FsLimits {
  /** Tags that are remembered. */
  readonly tags?: number
}

/** What is known of a value before its bytes. */
interface Head {
  readonly length: number
  readonly revision?: number
}

interface FsState {
  readonly epoch: string
  readonly rev: number
  readonly floor: number
  /** The earliest noted first. */
  readonly tags: readonly (readonly [tag: string, rev: number])[]
}

const VALUES = 'values'
const TEMPORARY = 'tmp'
const LOCKS = 'locks'
const STATE = 'state.json'
/** All tags are written anew with each invalidation. */
const MOST_TAGS = 10_000
/** One hex digit of the name. */
const SHARDS = '0123456789abcdef'
/** The longest first line that is looked for; a key is cut to fit. */
const HEAD_BYTES = 16_384
const KEY_CHARACTERS = 1_000
/** Writes between two looks for what can go. */
const SWEPT_EVERY = 100
const SWEPT_AT_ONCE = 200
/** A write that takes longer was killed. */
const TEMPORARY_MS = 3_600_000

/**
 * A store in a folder: a restart finds what was there before, and processes of one machine, or of one shared disk, work
 * together. Files are written aside and renamed, so that a process may be killed at any instant. The folder is made when
 * it is first written to; let it belong to the app alone.
 *
 * @example fsStore('/var/cache/my-app/sitemap')
 */
export function fsStore(dir: string): FsStore {
  return openFsStore(dir)
}

/** {@link fsStore} with limits that tests can reach. */
export function openFsStore(dir: string, { tags: mostTags = MOST_TAGS }: FsLimits = {}): FsStore {
  if (typeof dir !== 'string' || dir.trim() === '') {
    throw new SitemapError(
      'LSM_ERR_OPTION_INVALID',
      `fsStore() got ${describe(dir)}: expected a folder. Write fsStore('/var/cache/my-app/sitemap')`,
    )
  }
  // What the working folder is later makes no difference.
  const root = resolve(dir)
  const statePath = join(root, STATE)
  const mutex = createFsMutex(systemClock.now)
  let writes = 0

  /** Runs `task`, and once more with all folders made where one was missing. */
  async function inFolder<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task()
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      const folders = [...SHARDS].map((shard) => join(root, VALUES, shard))
      for (const folder of [...folders, join(root, TEMPORARY), join(root, LOCKS)]) {
        await mkdir(folder, { recursive: true, mode: 0o700 })
      }
      return await task()
    }
  }

  function exclusively<T>(name: string, task: () => Promise<T>): Promise<T> {
    return inFolder(() => mutex.run(join(root, LOCKS, name), task))
  }

  function pathOf(name: string): string {
    return join(root, VALUES, name.charAt(0), name)
  }

  /** A complete file aside; `place` moves it to where it counts, or it is removed. */
  async function write<T>(
    parts: readonly Uint8Array[],
    endsMs: number,
    place: (temporary: string) => Promise<T>,
  ): Promise<T> {
    const temporary = join(root, TEMPORARY, randomUUID())
    const handle = await inFolder(() => open(temporary, 'wx', 0o600))
    try {
      try {
        for (const part of parts) await handle.writeFile(part)
        // When a value ends is when its file was last modified: that is what `touch` can change without writing.
        await handle.utimes(new Date(endsMs), new Date(endsMs))
      } finally {
        await handle.close()
      }
      return await place(temporary)
    } finally {
      // A file that was moved is there no more.
      await rm(temporary, { force: true })
      if (writes++ % SWEPT_EVERY === 0) await sweep()
    }
  }

  async function put(key: string, value: Uint8Array, ttlMs: number, revision?: number): Promise<boolean> {
    const name = nameOf(key)
    const head = { key: key.slice(0, KEY_CHARACTERS).toWellFormed(), length: value.byteLength, revision }
    const parts = [Buffer.from(`${JSON.stringify(head)}\n`), value]
    return write(parts, systemClock.now() + ttlMs, async (temporary) => {
      const move = () => inFolder(() => rename(temporary, pathOf(name)))
      if (revision === undefined) {
        await move()
        return true
      }
      return exclusively(name, async () => {
        const standing = await readHead(name)
        if (standing?.revision !== undefined && standing.revision > revision) return false
        await move()
        return true
      })
    })
  }

  /** The file of a value that has not ended. */
  async function withFile<T>(
    name: string,
    use: (handle: FileHandle, size: number) => Promise<T>,
  ): Promise<T | null> {
    let handle: FileHandle
    try {
      handle = await open(pathOf(name), 'r')
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null
      throw error
    }
    try {
      const { mtimeMs, size } = await handle.stat()
      return mtimeMs > systemClock.now() ? await use(handle, size) : null
    } finally {
      await handle.close()
    }
  }

  function readHead(name: string): Promise<Head | null> {
    return withFile(name, async (handle) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return headIn(buffer.subarray(0, bytesRead)).head ?? null
    })
  }

  function read(name: string): Promise<Buffer | null> {
    return withFile(name, async (handle) => {
      const bytes = await handle.readFile()
      const { head, end } = headIn(bytes.subarray(0, HEAD_BYTES))
      const value = bytes.subarray(end)
      // A machine that lost its power may have the name of a file, and not all of its bytes.
      return head?.length === value.length ? value : null
    })
  }

  async function readFields(key: string): Promise<ReadonlyMap<string, string>> {
    const bytes = await read(nameOf(key))
    const pairs = bytes === null ? undefined : parsed(bytes)
    return new Map(Array.isArray(pairs) ? pairs.filter(isPairOfText) : [])
  }

  /** Writes the lease anew where `mayTake` says so of who holds it. */
  function lease(
    key: string,
    token: string,
    ttlMs: number,
    mayTake: (holder: string | undefined) => boolean,
  ): Promise<boolean> {
    const name = nameOf(key)
    return exclusively(name, async () => {
      const holder = (await read(name))?.toString()
      return mayTake(holder) && put(key, Buffer.from(token), ttlMs)
    })
  }

  async function readState(): Promise<FsState | undefined> {
    try {
      const handle = await open(statePath, 'r')
      try {
        const state = parsed(await handle.readFile())
        return isState(state) ? state : undefined
      } finally {
        await handle.close()
      }
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  function changeState(change: (state: FsState) => FsState): Promise<FsState> {
    return exclusively(STATE, async () => {
      const standing = await readState()
      const next = change(standing ?? { epoch: randomUUID(), rev: 0, floor: 0, tags: [] })
      if (next === standing) return next
      const text = Buffer.from(JSON.stringify(next))
      return write([text], systemClock.now(), async (temporary) => {
        await rename(temporary, statePath)
        return next
      })
    })
  }

  /** Removes some of what can go: values that ended, in one of the folders, and what killed writers left. */
  async function sweep(): Promise<void> {
    const shard = SHARDS.charAt(Math.floor(Math.random() * SHARDS.length))
    const now = systemClock.now()
    for (const path of await someOf(join(root, VALUES, shard))) {
      if (await hasEnded(path)) await removeEnded(path)
    }
    for (const folder of [TEMPORARY, LOCKS]) {
      for (const path of await someOf(join(root, folder))) {
        // Not when it was modified: that may say when its value ends.
        const { ctimeMs } = await stat(path).catch(() => ({ ctimeMs: now }))
        if (now - ctimeMs > TEMPORARY_MS) await rm(path, { force: true }).catch(ignore)
      }
    }
  }

  async function hasEnded(path: string): Promise<boolean> {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    return mtimeMs <= systemClock.now()
  }

  /** Aside first: between the look and the removal somebody may have renewed it. */
  async function removeEnded(path: string): Promise<void> {
    const aside = join(root, TEMPORARY, randomUUID())
    try {
      await rename(path, aside)
      if (!(await hasEnded(aside))) await link(aside, path)
    } catch {
      // Another process swept it, or wrote it anew.
    }
    await rm(aside, { force: true }).catch(ignore)
  }

  return {
    name: 'fs',
    get: (key) => read(nameOf(key)),
    set: (key, value, ttlMs) => put(key, value, ttlMs),
    delete: (key) => rm(pathOf(nameOf(key)), { force: true }),
    async touch(keys, ttlMs) {
      const ends = new Date(systemClock.now() + ttlMs)
      const gone: string[] = []
      for (const key of keys) {
        const path = pathOf(nameOf(key))
        try {
          if ((await stat(path)).mtimeMs <= systemClock.now()) gone.push(key)
          else await utimes(path, ends, ends)
        } catch (error) {
          if (!isCode(error, 'ENOENT')) throw error
          gone.push(key)
        }
      }
      return gone
    },
    setRecord: (key, revision, value, ttlMs) => put(key, value, ttlMs, revision),

    getFields: readFields,
    setField(key, field, value, ttlMs) {
      return exclusively(nameOf(key), async () => {
        const fields = new Map(await readFields(key)).set(field, value)
        await put(key, Buffer.from(JSON.stringify([...fields])), ttlMs)
      })
    },

    lock: (key, token, ttlMs) =>
      lease(key, token, ttlMs, (holder) => holder === undefined || holder === token),
    renew: (key, token, ttlMs) => lease(key, token, ttlMs, (holder) => holder === token),
    unlock(key, token) {
      const name = nameOf(key)
      return exclusively(name, async () => {
        if (String(await read(name)) === token) await rm(pathOf(name), { force: true })
      })
    },

    async invalidate(tags) {
      return (await changeState((state) => noted(state, tags, mostTags))).rev
    },
    async state(since = 0): Promise<StoreState> {
      const { epoch, rev, floor, tags } = (await readState()) ?? (await changeState((state) => state))
      return { epoch, rev, floor, tags: new Map(tags.filter(([, at]) => at > since)) }
    },
    async subscribe(onChange) {
      await inFolder(() => stat(join(root, LOCKS)))
      // The machine tells of its own files; of another machine's on a shared disk it may not.
      const watcher = watch(root, { persistent: false }, (_event, name) => {
        if (name === STATE || name === null) onChange()
      })
      watcher.on('error', () => watcher.close())
      return () => watcher.close()
    },
  }
}

/** The same on every file system: short, and of one case. */
function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** The first line, and where the value begins behind it. */
function headIn(bytes: Buffer): { readonly head?: Head; readonly end: number } {
  const end = bytes.indexOf(0x0a)
  const head = end === -1 ? undefined : parsed(bytes.subarray(0, end))
  return isHead(head) ? { head, end: end + 1 } : { end: 0 }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

function isHead(value: unknown): value is Head {
  return typeof value === 'object' && value !== null && 'length' in value && typeof value.length === 'number'
}

function isState(value: unknown): value is FsState {
  if (typeof value !== 'object' || value === null || !('epoch' in value && 'rev' in value)) return false
  return 'floor' in value && 'tags' in value && Array.isArray(value.tags)
}

function isPairOfText(value: unknown): value is [string, string] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string'
}

function noted(state: FsState, tags: readonly string[], most: number): FsState {
  const rev = state.rev + 1
  const fresh = new Set(tags)
  const all = [
    ...state.tags.filter(([tag]) => !fresh.has(tag)),
    ...[...fresh].map((tag) => [tag, rev] as const),
  ]
  const surplus = Math.max(0, all.length - most)
  const floor = all[surplus - 1]?.[1] ?? state.floor
  return { epoch: state.epoch, rev, floor, tags: all.slice(surplus) }
}

/** Paths in a folder, from a place of chance on. */
async function someOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const start = Math.floor(Math.random() * names.length)
  return [...names.slice(start), ...names.slice(0, start)]
    .slice(0, SWEPT_AT_ONCE)
    .map((name) => join(folder, name))
}

function ignore(): void {}
