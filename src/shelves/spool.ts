import {
  access,
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { SitemapError } from '../errors.ts'
import { createFilePool, type FilePool } from './file-pool.ts'

/**
 * The private folder for blobs that have no room in memory. Made when first needed, removed on close; folders that a
 * killed process left are swept when the next one is made.
 */
export interface Spool {
  /** A new file to append blobs to. Rejects with LSM_ERR_SPOOL_FAILED where no folder can be written. */
  create(): Promise<SpoolFile>
  /** A file that is written once and seldom read: it holds no descriptor between reads. */
  archive(bytes: readonly Buffer[]): Promise<SpoolArchive>
  close(): Promise<void>
}

/** A file that is there until it is removed. */
export interface SpoolArchive {
  read(offset: number, length: number): Promise<Buffer>
  remove(): void
}

/** An append-only file that lives as long as one of its pieces is held. */
export interface SpoolFile {
  append(bytes: Buffer): Promise<number>
  read(offset: number, length: number): Promise<Buffer>
  /** Counts one more piece of this length that is needed. */
  retain(length: number): void
  release(length: number): void
  /** More than half of it is needed by nobody: what is left should move on, so that the file can go. */
  isSparse(): boolean
}

const OWNER = 'owner.json'
const AN_HOUR_MS = 3_600_000
/** The clock may be set a little between two looks at it. */
const SAME_PROCESS_MS = 5_000
const PREFIX = 'live-sitemap-'

export function createSpool(parent: string | undefined): Spool {
  const root = parent ?? tmpdir()
  const pool = createFilePool(MOST_FILES)
  let folder: Promise<string> | undefined
  let closed = false
  let files = 0
  /** Files there are, the oldest first. */
  const paths = new Set<string>()
  /** Files under way. */
  const making = new Set<Promise<string>>()

  async function makeFolder(): Promise<string> {
    try {
      await mkdir(root, { recursive: true })
      await sweepOrphans(root)
      const made = await mkdtemp(join(root, PREFIX))
      // At once: another spool of this process may be sweeping.
      ownFolders.add(made)
      await writeFile(
        join(made, OWNER),
        JSON.stringify({ pid: process.pid, host: hostname(), startedMs: processStartedMs() }),
      )
      return made
    } catch (cause) {
      folder = undefined // A full disk may have room at the next walk.
      throw failed(root, cause)
    }
  }

  /** An empty file. `close` waits for it: otherwise its folder could not be removed, or would be made anew. */
  function newFile(): Promise<string> {
    const file = makeFile()
    making.add(file)
    const made = (): void => void making.delete(file)
    file.then(made, made)
    return file
  }

  /** Readable by nobody else: a sitemap is public, its drafts of tomorrow are not. */
  async function makeFile(): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      if (closed) throw closedError()
      folder ??= makeFolder()
      const path = join(await folder, `${++files}.spool`)
      try {
        await (await open(path, 'wx+', 0o600)).close()
      } catch (error) {
        // Somebody cleaned the temporary folder up: a new one is made, once.
        if (attempt > 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        folder = undefined
        continue
      }
      if (closed) {
        await rm(path, { force: true })
        throw closedError()
      }
      paths.add(path)
      return path
    }
  }

  async function remove(path: string): Promise<void> {
    paths.delete(path)
    await pool.drop(path).catch(ignore)
    await rm(path, { force: true }).catch(ignore)
  }

  async function create(): Promise<SpoolFile> {
    if (closed) throw closedError()
    try {
      const path = await newFile()
      return spoolFile(
        path,
        pool,
        () => isOneTooMany(paths, path),
        () => remove(path),
      )
    } catch (cause) {
      throw cause instanceof SitemapError ? cause : failed(root, cause)
    }
  }

  async function archive(bytes: readonly Buffer[]): Promise<SpoolArchive> {
    if (closed) throw closedError()
    try {
      const path = await newFile()
      try {
        await pool.with(path, async (handle) => {
          let offset = 0
          for (const piece of bytes) offset = await writeExactly(handle, piece, offset)
        })
      } catch (error) {
        await remove(path)
        throw error
      }
      return {
        read: (offset, length) => pool.with(path, (handle) => readExactly(handle, offset, length)),
        remove: () => void remove(path),
      }
    } catch (cause) {
      throw cause instanceof SitemapError ? cause : failed(root, cause)
    }
  }

  async function close(): Promise<void> {
    closed = true
    await Promise.allSettled(making)
    const made = await folder?.catch(() => undefined)
    await pool.close()
    paths.clear()
    if (made === undefined) return
    ownFolders.delete(made)
    await rm(made, { recursive: true, force: true }).catch(ignore)
  }

  return { create, archive, close }
}

/** Files open at once; each is a descriptor that the app cannot use. */
const MOST_FILES = 8

/** Whether a file is so old that its blocks should move into a newer one at the next walk. */
function isOneTooMany(paths: ReadonlySet<string>, path: string): boolean {
  return paths.size > MOST_FILES && [...paths].indexOf(path) < paths.size - MOST_FILES
}

function spoolFile(
  path: string,
  pool: FilePool,
  isOneTooMany: () => boolean,
  remove: () => Promise<void>,
): SpoolFile {
  let end = 0
  let needed = 0
  return {
    async append(bytes) {
      const offset = end
      end += bytes.length
      try {
        await pool.with(path, (handle) => writeExactly(handle, bytes, offset))
      } catch (cause) {
        throw failed('the spool folder', cause)
      }
      return offset
    },
    read: (offset, length) => pool.with(path, (handle) => readExactly(handle, offset, length)),
    retain(length) {
      needed += length
    },
    release(length) {
      needed -= length
      if (needed === 0) void remove()
    },
    isSparse: () => needed < end / 2 || isOneTooMany(),
  }
}

/** The offset behind what was written. */
async function writeExactly(handle: FileHandle, bytes: Buffer, offset: number): Promise<number> {
  let written = 0
  while (written < bytes.length)
    written += (await handle.write(bytes, written, bytes.length - written, offset + written)).bytesWritten
  return offset + written
}

async function readExactly(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let got = 0
  while (got < length) {
    const { bytesRead } = await handle.read(bytes, got, length - got, offset + got)
    if (bytesRead === 0) throw failed('the spool folder', new Error('a spool file is shorter than it was'))
    got += bytesRead
  }
  return bytes
}

/** Folders of this module's spools. */
const ownFolders = new Set<string>()

/** Removes folders whose process is gone. Folders of other hosts on a shared disk are left alone. */
async function sweepOrphans(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(PREFIX)) continue
    const folder = join(root, name)
    if (ownFolders.has(folder)) continue
    try {
      // Anybody may put anything into a shared folder: what is no plain file is not read.
      if (!(await lstat(join(folder, OWNER))).isFile()) continue
      const owner: Owner = JSON.parse(await readFile(join(folder, OWNER), 'utf8'))
      if (owner.host === hostname() && typeof owner.pid === 'number' && isDead(owner.pid, owner.startedMs))
        await rm(folder, { recursive: true, force: true })
    } catch {
      // Not ours, not to be read, or being made right now; its process may have died at that.
      if (await isOld(folder)) await rm(folder, { recursive: true, force: true }).catch(ignore)
    }
  }
}

/** Whether a folder without a readable owner was made long enough ago that nobody is about to write one. */
async function isOld(folder: string): Promise<boolean> {
  try {
    await access(join(folder, OWNER))
    return false
  } catch {
    const made = await stat(folder).catch(() => undefined)
    return made !== undefined && Date.now() - made.mtimeMs > AN_HOUR_MS
  }
}

interface Owner {
  readonly pid?: unknown
  readonly host?: unknown
  readonly startedMs?: unknown
}

/** The same in all threads of the process. */
function processStartedMs(): number {
  return Date.now() - process.uptime() * 1000
}

/** In a container every process has the same pid: it is this very one only where it began at the same time. */
function isDead(pid: number, startedMs: unknown): boolean {
  if (pid !== process.pid) return !isAlive(pid)
  return typeof startedMs !== 'number' || Math.abs(startedMs - processStartedMs()) > SAME_PROCESS_MS
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function failed(where: string, cause: unknown): SitemapError {
  return new SitemapError(
    'LSM_ERR_SPOOL_FAILED',
    `cannot write to ${where}: the snapshot does not fit in half of cache.memory, and there is no folder for the rest. Raise cache.memory, or set cache.dir to a folder that can be written`,
    { cause },
  )
}

function closedError(): SitemapError {
  return new SitemapError('LSM_ERR_CLOSED', 'the sitemap is closed')
}

function ignore(): void {}
