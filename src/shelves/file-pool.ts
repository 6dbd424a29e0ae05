import { type FileHandle, open } from 'node:fs/promises'

/** Keeps few files open, whatever number of them is in use: each is a descriptor that the app cannot have. */
export interface FilePool {
  /** Runs `use` with the file open for reading and writing. */
  with<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T>
  /** Closes a file, when nobody uses it any more. */
  drop(path: string): Promise<void>
  /** Closes all. */
  close(): Promise<void>
}

interface Pooled {
  readonly opening: Promise<FileHandle>
  users: number
  dropped: boolean
}

export function createFilePool(most: number): FilePool {
  /** The least recently used first. */
  const files = new Map<string, Pooled>()

  function acquire(path: string): Pooled {
    const known = files.get(path)
    const file = known ?? { opening: open(path, 'r+'), users: 0, dropped: false }
    if (known === undefined) {
      // A file that could not be opened may be there next time.
      file.opening.catch(() => {
        if (files.get(path) === file) files.delete(path)
      })
    }
    files.delete(path)
    files.set(path, file)
    file.users++
    return file
  }

  function release(file: Pooled): void {
    file.users--
    if (file.dropped && file.users === 0) void shut(file)
    for (const [other, idle] of files) {
      if (files.size <= most) break
      if (idle.users > 0) continue
      files.delete(other)
      void shut(idle)
    }
  }

  async function shut(file: Pooled): Promise<void> {
    await file.opening.then((handle) => handle.close()).catch(ignore)
  }

  return {
    async with(path, use) {
      const file = acquire(path)
      try {
        return await use(await file.opening)
      } finally {
        release(file)
      }
    },
    async drop(path) {
      const file = files.get(path)
      if (file === undefined) return
      files.delete(path)
      file.dropped = true
      if (file.users === 0) await shut(file)
    },
    async close() {
      const all = [...files.values()]
      files.clear()
      for (const file of all) file.dropped = true
      await Promise.all(all.map(shut))
    },
  }
}

function ignore(): void {}
