import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { releaseSnapshot } from '../../src/shelves/snapshot.ts'
import { createSpool } from '../../src/shelves/spool.ts'
import { cleanUp, createFolder, createWorkbench, snapshotText } from '../support/engine.ts'
import { until } from '../support/manual-clock.ts'
import { codeOf, createSource, entriesOf } from '../support/site.ts'

afterEach(cleanUp)

/** Names of spool files in the folders of a folder. */
function spoolFiles(folder: string): string[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.spool'))
}

/** Files below the folder that this process holds open, also where they were removed. */
async function openFiles(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') return []
  const fds = await readdir('/proc/self/fd')
  const targets = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return targets.filter((target) => target.startsWith(folder))
}

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

/** A folder that looks like one of ours. */
async function leave(root: string, name: string, owner: unknown): Promise<string> {
  const folder = join(root, `live-sitemap-${name}`)
  await mkdir(folder)
  await writeFile(join(folder, '1.spool'), 'x')
  if (owner !== undefined)
    await writeFile(join(folder, 'owner.json'), typeof owner === 'string' ? owner : JSON.stringify(owner))
  return folder
}

describe('spool folder (DESIGN 3.4)', () => {
  it('is made when first needed, with one below it that is ours alone', async () => {
    const root = join(await createFolder(), 'a', 'b')
    const spool = createSpool(root)
    expect(await codeOf(readdir(root))).toBe('ENOENT')
    await spool.create()
    const [folder = '', ...others] = await readdir(root)
    expect(others).toEqual([])
    expect(folder).toMatch(/^live-sitemap-/)
    expect(JSON.parse(await readFile(join(root, folder, 'owner.json'), 'utf8'))).toEqual({
      pid: process.pid,
      host: hostname(),
      startedMs: expect.any(Number),
    })
    expect((await stat(join(root, folder))).mode & 0o077).toBe(0)
    expect((await stat(join(root, folder, '1.spool'))).mode & 0o077).toBe(0)
    await spool.close()
    expect(await readdir(root)).toEqual([])
  })

  it('close without use leaves nothing, and twice is once', async () => {
    const root = await createFolder()
    const spool = createSpool(root)
    await spool.close()
    await spool.close()
    expect(await readdir(root)).toEqual([])
  })

  it('after close no file is made', async () => {
    const root = await createFolder()
    const spool = createSpool(root)
    await spool.create()
    await spool.close()
    expect(await codeOf(spool.create())).toBe('LSM_ERR_CLOSED')
    expect(await readdir(root)).toEqual([])
  })

  it.each([
    { name: 'the first file', before: false },
    { name: 'a further file', before: true },
  ])('close while $name is made leaves nothing', async ({ before }) => {
    const root = await createFolder()
    for (let attempt = 0; attempt < 10; attempt++) {
      const spool = createSpool(root)
      if (before) await spool.create()
      const making = codeOf(spool.create())
      for (let turn = 0; turn < attempt; turn++) await undefined
      await spool.close()
      await making
      expect([await readdir(root), await openFiles(root)]).toEqual([[], []])
    }
  })

  it('a folder that cannot be made: the code and its cause; and it is tried again', async () => {
    const folder = await createFolder()
    const file = join(folder, 'file')
    await writeFile(file, '')
    const spool = createSpool(join(file, 'below'))
    const error = await spool.create().catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'LSM_ERR_SPOOL_FAILED', cause: { code: 'ENOTDIR' } })
    expect(String(error)).toContain('cache.dir')
    await rm(file)
    await spool.create()
    expect(spoolFiles(file)).toHaveLength(1)
    await spool.close()
  })
})

it('a folder that somebody cleaned up is made anew', async () => {
  const root = await createFolder()
  const spool = createSpool(root)
  await spool.create()
  const [folder = ''] = await readdir(root)
  await rm(join(root, folder), { recursive: true })
  await spool.create()
  expect(await readdir(root)).toHaveLength(1)
  await spool.close()
})

it('of many files the oldest ask to be left, so that descriptors do not pile up', async () => {
  const spool = createSpool(await createFolder())
  const files = []
  for (let n = 0; n < 12; n++) {
    const file = await spool.create()
    file.retain(10)
    await file.append(Buffer.alloc(10))
    files.push(file)
  }
  expect(files.map((file) => file.isSparse())).toEqual([...Array(4).fill(true), ...Array(8).fill(false)])
  await spool.close()
})

describe('orphans', () => {
  it('of spools that are made at the same time none sweeps another', async () => {
    const root = await createFolder()
    for (let round = 0; round < 20; round++) {
      const spools = Array.from({ length: 4 }, () => createSpool(root))
      await Promise.all(spools.map((spool) => spool.create()))
      expect(await readdir(root)).toHaveLength(4)
      await Promise.all(spools.map((spool) => spool.close()))
    }
  })

  it('of dead processes are swept, all others are left', async () => {
    const root = await createFolder()
    const own = { host: hostname() }
    const swept = [
      await leave(root, 'dead', { ...own, pid: deadPid() }),
      // In a container every process has the same id: a folder of it that is not ours was left by one before us.
      await leave(root, 'same', { ...own, pid: process.pid, startedMs: Date.now() - 86_400_000 }),
    ]
    const left = [
      await leave(root, 'live', { ...own, pid: process.ppid }),
      // A worker thread, or a second copy of the package, has the pid and the start of this process.
      await leave(root, 'thread', {
        ...own,
        pid: process.pid,
        startedMs: Date.now() - process.uptime() * 1000,
      }),
      await leave(root, 'elsewhere', { host: `not-${hostname()}`, pid: deadPid() }),
      await leave(root, 'unowned', undefined),
      await leave(root, 'broken', '{"pid":'),
      await leave(root, 'text', '"x"'),
      await leave(root, 'null', 'null'),
      await leave(root, 'pid', { ...own, pid: String(deadPid()) }),
    ]
    await writeFile(join(root, 'live-sitemap-file'), 'x')
    const foreign = join(root, 'other-dead')
    await mkdir(foreign)
    await writeFile(join(foreign, 'owner.json'), JSON.stringify({ ...own, pid: deadPid() }))

    const spool = createSpool(root)
    await spool.create()
    const names = (await readdir(root)).map((name) => join(root, name))
    expect(swept.filter((folder) => names.includes(folder))).toEqual([])
    expect(left.filter((folder) => !names.includes(folder))).toEqual([])
    expect(names).toContain(join(root, 'live-sitemap-file'))
    expect(names).toContain(foreign)
    await spool.close()
  })

  it('two of one process leave each other alone', async () => {
    const root = await createFolder()
    const [one, two] = [createSpool(root), createSpool(root)]
    const file = await one.create()
    file.retain(4)
    await file.append(Buffer.from('kept'))
    await two.create()
    expect((await file.read(0, 4)).toString()).toBe('kept')
    expect(spoolFiles(root)).toHaveLength(2)
    await one.close()
    expect(spoolFiles(root)).toHaveLength(1)
    await two.close()
  })
})

describe('spool file', () => {
  it('gives back what was appended, in whatever order it was written', async () => {
    const spool = createSpool(await createFolder())
    const file = await spool.create()
    const pieces = Array.from({ length: 40 }, (_, n) => Buffer.alloc(1 + ((n * 7_919) % 30_000), n))
    const offsets = await Promise.all(pieces.map((piece) => file.append(piece)))
    expect(new Set(offsets).size).toBe(pieces.length)
    const read = await Promise.all(pieces.map((piece, n) => file.read(offsets[n] ?? 0, piece.length)))
    expect(read.every((bytes, n) => pieces[n]?.equals(bytes))).toBe(true)
    await spool.close()
  })

  it('goes when nobody needs a piece of it any more', async () => {
    const root = await createFolder()
    const spool = createSpool(root)
    const file = await spool.create()
    file.retain(3)
    file.retain(5)
    await file.append(Buffer.from('abcdefgh'))
    file.release(3)
    expect(spoolFiles(root)).toHaveLength(1)
    expect((await file.read(3, 5)).toString()).toBe('defgh')
    file.release(5)
    await until(() => spoolFiles(root).length === 0)
    await spool.close()
  })

  it.each([
    { name: 'all of it is needed', released: 0, sparse: false },
    { name: 'half of it is needed', released: 4, sparse: false },
    { name: 'less than half is needed', released: 5, sparse: true },
  ])('is sparse or not: $name', async ({ released, sparse }) => {
    const spool = createSpool(await createFolder())
    const file = await spool.create()
    file.retain(8)
    await file.append(Buffer.from('abcdefgh'))
    if (released > 0) file.release(released)
    expect(file.isSparse()).toBe(sparse)
    await spool.close()
  })

  it('that was cut off is an error, not bytes', async () => {
    const root = await createFolder()
    const spool = createSpool(root)
    const file = await spool.create()
    await file.append(Buffer.from('abc'))
    expect(await codeOf(file.read(0, 4))).toBe('LSM_ERR_SPOOL_FAILED')
    await spool.close()
  })
})

describe('a walk beyond half of the memory', () => {
  const many = entriesOf('post', 6_000)

  it('lies in files, and is read back equal', async () => {
    const dir = await createFolder()
    const small = await createWorkbench(() => many, { cache: { memory: 40_000, dir } })
    const large = await createWorkbench(() => many, { cache: { dir: join(dir, 'unused') } })
    const [spooled, kept] = [await small.walk(), await large.walk()]
    const { memory } = small
    expect(memory.blobs).toBeGreaterThan(0)
    expect(memory.blobs).toBeLessThanOrEqual(20_000)
    expect(memory.loose).toBe(0)
    expect(spoolFiles(dir)).toHaveLength(1)
    expect(spooled.digest).toBe(kept.digest)
    for (const kind of ['xml', 'txt', 'cards'] as const)
      expect((await snapshotText(spooled, kind)) === (await snapshotText(kept, kind))).toBe(true)
    releaseSnapshot(spooled, memory)
    expect([memory.blobs, memory.loose]).toEqual([0, 0])
    await until(() => spoolFiles(dir).length === 0)
  })

  it('the next snapshot keeps the blocks that did not change, and only those', async () => {
    const dir = await createFolder()
    const entries = structuredClone(many)
    const { walk, memory } = await createWorkbench(() => entries, { cache: { memory: 1, dir } })
    const first = await walk()
    for (const entry of entries.slice(5_000)) entry.title += '!'
    const second = await walk(first)
    const blocks = ({ parts }: typeof first, kind: 'xml' | 'txt' | 'cards') => parts[0]?.[kind]?.blocks ?? []
    const kept = (kind: 'xml' | 'cards') =>
      blocks(second, kind).map((block, i) => block === blocks(first, kind)[i])
    expect(kept('xml')).toEqual([true, true, true, true, true, true])
    expect(kept('cards')).toEqual([true, true, true, true, true, false])
    const text = await snapshotText(second, 'cards')
    releaseSnapshot(first, memory)
    expect(spoolFiles(dir)).toHaveLength(2)
    expect((await snapshotText(second, 'cards')) === text).toBe(true)
    expect(text.split('\n')[5_000]).toBe('post 5001!')
    releaseSnapshot(second, memory)
    await until(() => spoolFiles(dir).length === 0)
  })

  it('a file of mostly dead bytes is left behind', async () => {
    const dir = await createFolder()
    const entries = structuredClone(many)
    const { walk, memory } = await createWorkbench(
      { entries: () => entries, formats: ['txt'] },
      { cache: { memory: 1, dir } },
    )
    let snapshot = await walk()
    const next = async () => {
      const later = await walk(snapshot)
      releaseSnapshot(snapshot, memory)
      snapshot = later
    }
    for (const entry of entries.slice(1_000)) entry.loc += '-moved'
    await next()
    expect(spoolFiles(dir)).toHaveLength(2)
    await next()
    // What was left in the first file has moved on.
    await until(() => spoolFiles(dir).length === 2)
    expect(spoolFiles(dir).filter((name) => name.endsWith('/1.spool'))).toEqual([])
    expect((await snapshotText(snapshot, 'txt')).split('\n').slice(0, 2)).toEqual([
      'https://www.example.com/post-1',
      'https://www.example.com/post-2',
    ])
  })

  it('a walk that failed leaves nothing', async () => {
    const dir = await createFolder()
    const { walk, memory } = await createWorkbench(
      async function* () {
        yield* many
        throw new Error('cursor lost')
      },
      { cache: { memory: 1, dir } },
    )
    expect(await codeOf(walk())).toBe('LSM_ERR_PROVIDER_FAILED')
    await until(() => spoolFiles(dir).length === 0)
    expect([memory.blobs, memory.loose]).toEqual([0, 0])
  })

  it('where no folder can be written it fails, publishes nothing, and leaves nothing', async () => {
    const file = join(await createFolder(), 'file')
    await writeFile(file, '')
    const source = createSource(entriesOf('post', 3))
    const bench = await createWorkbench(
      { entries: source.entries, retries: 0 },
      { cache: { memory: 40_000, dir: join(file, 'below') } },
    )
    const { shelf, memory, published, clock } = bench
    await shelf.refresh()?.done
    // It is compressed after it was published.
    await until(() => memory.loose === 0)
    const { blobs } = memory
    expect(published).toHaveLength(1)
    source.set(many)
    await clock.advance(600_000)
    expect(await codeOf(shelf.refresh()?.done ?? Promise.resolve())).toBe('LSM_ERR_SPOOL_FAILED')
    expect([published.length, shelf.snapshot?.count]).toEqual([1, 3])
    await until(() => memory.loose === 0)
    expect(memory.blobs).toBe(blobs)
    expect(shelf.state(clock.now())).toBe('failing')
    expect(bench.lines.at(-1)).toMatchObject({ level: 'error', code: 'LSM_ERR_SPOOL_FAILED' })
    // One that fits is published again.
    source.set(entriesOf('post', 4))
    await clock.advance(600_000)
    await shelf.refresh()?.done
    expect(shelf.snapshot?.count).toBe(4)
  })

  it('what fits needs no folder', async () => {
    const dir = join(await createFolder(), 'unused')
    const { walk } = await createWorkbench(() => many, { cache: { dir } })
    await walk()
    expect(await codeOf(readdir(dir))).toBe('ENOENT')
  })
})
