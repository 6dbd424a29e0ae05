import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fsStore } from '../../../plugins/stores/index.ts'
import { eventually } from '../../support/eventually.ts'

const LONG_MS = 600_000
const WRITER = fileURLToPath(new URL('children/fs-writer.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

let parent: string
let dir: string
const children = new Set<ChildProcess>()

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'live-sitemap-fs-'))
  dir = join(parent, 'not/there/yet')
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await rm(parent, { recursive: true, force: true })
})

/** All files below a folder. */
async function filesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  return all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
}

async function theFile(): Promise<string> {
  const [file, ...others] = await filesIn(join(dir, 'values'))
  if (file === undefined || others.length > 0) throw new Error('expected one file')
  return file
}

describe('the folder', () => {
  it('is made when first needed, for the owner alone', async () => {
    const store = fsStore(dir)
    expect(await store.get('key')).toBeNull()
    expect(await store.touch(['key'], LONG_MS)).toEqual(['key'])
    await store.delete('key')
    expect(await readdir(parent)).toEqual([])
    await store.set('key', Buffer.from('x'), LONG_MS)
    await store.invalidate(['posts'])
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    for (const file of await filesIn(dir)) expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('that was removed meanwhile is made again', async () => {
    const store = fsStore(dir)
    await store.set('key', Buffer.from('x'), LONG_MS)
    await rm(dir, { recursive: true })
    expect(await store.get('key')).toBeNull()
    await store.set('key', Buffer.from('y'), LONG_MS)
    expect(String(await store.get('key'))).toBe('y')
  })

  it('that cannot be made rejects', async () => {
    await writeFile(join(parent, 'file'), 'in the way')
    const store = fsStore(join(parent, 'file/below'))
    await expect(store.set('key', Buffer.from('x'), LONG_MS)).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(store.lock('key', 'token', LONG_MS)).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(store.subscribe(() => {})).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})

describe('a file that is broken', () => {
  it.each([
    { how: 'empty', damage: (file: string) => truncate(file, 0) },
    { how: 'cut in the head', damage: (file: string) => truncate(file, 10) },
    { how: 'cut in the value', damage: async (file: string) => truncate(file, (await stat(file)).size - 1) },
    { how: 'of somebody else', damage: (file: string) => writeFile(file, '{"length":true}\nhello') },
    { how: 'longer than it says', damage: (file: string) => writeFile(file, '{"length":2}\nhello') },
  ])('holds nothing, and is replaced: $how', async ({ damage }) => {
    const store = fsStore(dir)
    await store.setRecord('key', 9, Buffer.from('a value of some length'), LONG_MS)
    const file = await theFile()
    await damage(file)
    const ends = new Date(Date.now() + LONG_MS)
    await utimes(file, ends, ends)
    expect(await store.get('key')).toBeNull()
    await store.setRecord('key', 10, Buffer.from('anew'), LONG_MS)
    expect(String(await store.get('key'))).toBe('anew')
  })

  it('of the state is a new life', async () => {
    const store = fsStore(dir)
    await store.invalidate(['posts'])
    const before = await store.state()
    await writeFile(join(dir, 'state.json'), '{"epoch":')
    const after = await store.state()
    expect(after.epoch).not.toBe(before.epoch)
    expect(after).toMatchObject({ rev: 0, floor: 0 })
  })
})

describe('what nobody needs any more', () => {
  // Thousands of files: on a slow disk that takes its time.
  it('is swept by whoever writes', { timeout: 90_000 }, async () => {
    const store = fsStore(dir)
    for (let i = 0; i < 40; i++) await store.set(`short ${i}`, Buffer.from('x'), 1)
    await store.set('long', Buffer.from('x'), LONG_MS)
    await eventually(
      async () => {
        await Promise.all(Array.from({ length: 100 }, () => store.set('other', Buffer.from('y'), LONG_MS)))
        return (await filesIn(join(dir, 'values'))).length === 2
      },
      'the sweep',
      60_000,
    )
    expect(String(await store.get('long'))).toBe('x')
    expect(await filesIn(join(dir, 'tmp'))).toEqual([])
  })

  it('a lock of a killed process is broken, one of a living process is not', async () => {
    const store = fsStore(dir)
    await store.setField('key', 'a', '1', LONG_MS)
    const name = (await theFile()).split('/').at(-1) ?? ''
    const lock = join(dir, 'locks', name)
    await writeFile(lock, 'the token of another')
    let isSet = false
    const setting = store.setField('key', 'b', '2', LONG_MS).then(() => {
      isSet = true
    })
    // Long enough for several tries of a store that would not wait.
    for (let i = 0; i < 20; i++) await store.get('key')
    expect(isSet).toBe(false)
    const old = new Date(Date.now() - 60_000)
    await utimes(lock, old, old)
    await setting
    expect([...(await store.getFields('key')).keys()]).toEqual(['a', 'b'])
    expect(await readdir(join(dir, 'locks'))).toEqual([])
  })
})

describe('several processes', () => {
  async function startWriter(byte: number): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--import', 'tsx', WRITER, dir, String(byte)], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.add(child)
    await once(child.stdout, 'data')
    return child
  }

  it('write one key at once, and are killed in the middle of it', { timeout: 90_000 }, async () => {
    const store = fsStore(dir)
    const seen = new Set<number>()
    let reads = 0
    const check = async () => {
      for (const key of ['ls1:{test}:value', 'ls1:{test}:record']) {
        const value = await store.get(key)
        if (value === null || value === undefined) continue
        reads++
        const byte = value[0] ?? -1
        seen.add(byte)
        expect(value.length).toBe(200_000 + byte * 1_000)
        expect(Buffer.from(value).equals(Buffer.alloc(value.length, byte))).toBe(true)
      }
    }
    for (let round = 1; round <= 3; round++) {
      const writers = await Promise.all([startWriter(2 * round - 1), startWriter(2 * round)])
      await eventually(async () => {
        await check()
        // What a writer does last in a round.
        const { tags } = await store.state()
        return tags.has(`tag ${2 * round - 1}`) && tags.has(`tag ${2 * round}`)
      }, 'both to have written')
      for (const writer of writers) {
        const ended = once(writer, 'exit')
        writer.kill('SIGKILL')
        await ended
        await check()
      }
    }
    expect(reads).toBeGreaterThan(6)
    expect(seen.size).toBeGreaterThan(1)

    // Whatever lock they left: the store goes on.
    const { rev, tags } = await store.state()
    expect(await store.invalidate(['after'])).toBe(rev + 1)
    expect(tags.size).toBe(6)
    expect(await store.setRecord('ls1:{test}:record', 10 ** 9, Buffer.from('last'), LONG_MS)).toBe(true)
    expect(String(await store.get('ls1:{test}:record'))).toBe('last')
    expect((await store.getFields('ls1:{test}:fields')).size).toBe(6)
    expect(JSON.parse(await readFile(join(dir, 'state.json'), 'utf8'))).toMatchObject({ rev: rev + 1 })
  })
})
