/** What every store must do alike, as far as it offers it. */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SharedStore } from '../../src/cache/store.ts'
import { eventually } from '../support/eventually.ts'

/** A store that runs. */
export interface RunningStore {
  readonly store: SharedStore
  /** Another client of the same store, as another process has it. */
  readonly other: SharedStore
  /** Loses everything, as a server that is started anew. */
  lose?(): Promise<unknown>
  close(): Promise<unknown>
}

export interface StoreUnderTest {
  /** Starts a store, one that remembers this number of tags where it can be told. */
  open(limits?: { readonly tags: number }): Promise<RunningStore>
  /** The optional methods that it has. */
  readonly offers: readonly Optional[]
  /** Two that write at once may leave a value that is none. */
  readonly writesInPlace?: boolean
  /** It cannot forget: `ttlMs` means nothing to it. */
  readonly keepsForEver?: boolean
}

type Optional = Exclude<keyof SharedStore, 'name' | 'get' | 'set' | 'delete'>

/** All there is, for stores that have it. */
export const EVERYTHING: readonly Optional[] = [
  'touch',
  'setRecord',
  'getFields',
  'setField',
  'lock',
  'renew',
  'unlock',
  'invalidate',
  'state',
  'subscribe',
  'ready',
]

const LONG_MS = 600_000
/** Long enough for what comes before it ends, on a busy machine too. */
const SHORT_MS = 1_000
const CHUNK = 262_144

/** The contract of `src/cache/store.ts`. */
export function describeStore(
  name: string,
  { open, offers, keepsForEver = false, writesInPlace = false }: StoreUnderTest,
): void {
  const has = (...methods: Optional[]) => methods.every((method) => offers.includes(method))

  describe(`the store ${name}`, () => {
    let running: RunningStore
    let store: SharedStore
    let other: SharedStore
    beforeAll(async () => {
      running = await open()
      store = running.store
      other = running.other
      await eventually(() => store.ready?.() !== false && other.ready?.() !== false, 'ready()')
    })
    afterAll(() => running?.close())

    /** Waits until a store's short time is over, by what the store says. */
    const lapse = (isOver: () => Promise<boolean>) => eventually(isOver, 'the end of a time to live')

    const read = async (key: string, from = store) => {
      const value = await from.get(key)
      return value === null || value === undefined ? null : Buffer.from(value)
    }

    const setRecord = (key: string, revision: number, text = String(revision), at = store) =>
      at.setRecord?.(key, revision, Buffer.from(text), LONG_MS)

    it('has a name, and the methods it is said to have', () => {
      const optional = EVERYTHING.filter((method) => typeof store[method] === 'function')
      expect(store.name).toMatch(/^[a-z]+$/)
      expect(optional).toEqual(EVERYTHING.filter((method) => has(method)))
    })

    describe('values', () => {
      it.each([
        { what: 'no byte', value: Buffer.alloc(0) },
        { what: 'one byte', value: Buffer.from([0]) },
        { what: 'every byte there is', value: Buffer.from(Array.from({ length: 256 }, (_, i) => i)) },
        { what: 'line ends', value: Buffer.from('\r\n$-1\r\n') },
        { what: '256 KB less one', value: randomBytes(CHUNK - 1) },
        { what: '256 KB', value: randomBytes(CHUNK) },
        { what: '256 KB and one', value: randomBytes(CHUNK + 1) },
        { what: '8 MB', value: randomBytes(8 * 1_048_576) },
      ])('of $what come back as they were', async ({ value }) => {
        const key = newKey()
        await store.set(key, value, LONG_MS)
        expect((await read(key, other))?.equals(value)).toBe(true)
      })

      it('may be part of a larger buffer', async () => {
        const key = newKey()
        await store.set(key, new Uint8Array(randomBytes(64).fill(7).buffer, 0, 8).subarray(3, 5), LONG_MS)
        expect((await read(key))?.length).toBe(2)
      })

      it('are bytes whatever the reader does to his copy', async () => {
        const key = newKey()
        await store.set(key, Buffer.from('as it was'), LONG_MS)
        ;(await store.get(key))?.fill(0)
        expect(String(await read(key))).toBe('as it was')
      })

      it('that are not there are null or undefined', async () => {
        expect((await store.get(newKey())) ?? null).toBeNull()
      })

      it('are replaced by shorter and by longer ones', async () => {
        const key = newKey()
        for (const size of [3 * CHUNK + 5, 10, 0, 2 * CHUNK + 1, CHUNK, 5 * CHUNK, 3]) {
          const value = randomBytes(size)
          await store.set(key, value, LONG_MS)
          expect((await read(key))?.equals(value), `${size} bytes`).toBe(true)
        }
      })

      it('are never seen in part while they are replaced', async () => {
        const key = newKey()
        const versions = [1, 2, 3, 4, 5, 6].map((n) => Buffer.alloc(n * CHUNK, n))
        await store.set(key, Buffer.alloc(CHUNK, 1), LONG_MS)
        let isWriting = true
        const writing = (async () => {
          for (const version of versions) await store.set(key, version, LONG_MS)
          isWriting = false
        })()
        let reads = 0
        while (isWriting) {
          const seen = await read(key, other)
          reads++
          if (seen !== null) expect(versions.some((version) => version.equals(seen))).toBe(true)
        }
        await writing
        expect(reads).toBeGreaterThan(0)
        expect((await read(key, other))?.equals(Buffer.alloc(6 * CHUNK, 6))).toBe(true)
      })

      it('of two writers at once are one of the two', async () => {
        const key = newKey()
        const values = [Buffer.alloc(5 * CHUNK, 1), Buffer.alloc(4 * CHUNK, 2)]
        await Promise.all([store, other].map((one, i) => one.set(key, values[i] ?? Buffer.alloc(0), LONG_MS)))
        const seen = await read(key)
        expect(seen === null ? writesInPlace : values.some((value) => seen.equals(value))).toBe(true)
      })

      it('of different keys are different', async () => {
        const keys = Array.from({ length: 60 }, newKey)
        await Promise.all(keys.map((key, i) => store.set(key, Buffer.from(`value ${i}`), LONG_MS)))
        expect((await Promise.all(keys.map((key) => read(key, other)))).map(String)).toEqual(
          keys.map((_, i) => `value ${i}`),
        )
      })

      it.each([
        { what: 'slashes and dots', tail: '../../etc/passwd' },
        { what: 'a colon and a star', tail: 'a:*?"<>|' },
        { what: '2,000 characters', tail: 'x'.repeat(2_000) },
        { what: 'no ASCII', tail: 'größe 例 🙂' },
        { what: 'upper case beside lower case', tail: 'ABC' },
      ])('may have keys of $what', async ({ tail }) => {
        const key = `${newKey()}${tail}`
        await store.set(`${key}`, Buffer.from('1'), LONG_MS)
        await store.set(`${key}2`, Buffer.from('2'), LONG_MS)
        await store.set(key.toLowerCase() === key ? `${key}3` : key.toLowerCase(), Buffer.from('3'), LONG_MS)
        expect(String(await read(key, other))).toBe('1')
      })

      it('are gone once deleted', async () => {
        const key = newKey()
        await store.set(key, randomBytes(2 * CHUNK), LONG_MS)
        await store.delete(key)
        await store.delete(key)
        expect(await read(key, other)).toBeNull()
      })
    })
    suiteIf(has('touch'))('touch', () => {
      it('names the keys that are not there', async () => {
        const keys = Array.from({ length: 250 }, newKey)
        const there = keys.filter((_, i) => i % 5 !== 0)
        await Promise.all(there.map((key) => store.set(key, Buffer.from('x'), LONG_MS)))
        const missing = await store.touch?.(keys, LONG_MS)
        expect([...(missing ?? [])].sort()).toEqual(keys.filter((_, i) => i % 5 === 0).sort())
        expect(await store.touch?.([], LONG_MS)).toEqual([])
      })

      it('lets records live longer, with their revision', async () => {
        const key = newKey()
        await store.setRecord?.(key, 7, Buffer.from('seven'), SHORT_MS)
        expect(await store.touch?.([key], LONG_MS)).toEqual([])
        expect(await store.setRecord?.(key, 6, Buffer.from('six'), LONG_MS)).toBe(
          has('setRecord') ? false : undefined,
        )
      })
    })
    suiteIf(has('setRecord'))('records', () => {
      it('give way to equal and greater revisions alone', async () => {
        const key = newKey()
        expect(await setRecord(key, 5)).toBe(true)
        expect(await setRecord(key, 4, 'four', other)).toBe(false)
        expect(String(await read(key))).toBe('5')
        expect(await setRecord(key, 5, 'five again', other)).toBe(true)
        expect(String(await read(key))).toBe('five again')
        expect(await setRecord(key, 10)).toBe(true)
        expect(await setRecord(key, 9)).toBe(false)
        expect(String(await read(key, other))).toBe('10')
      })

      it('may have revision 0, and large ones', async () => {
        const key = newKey()
        expect(await setRecord(key, 0)).toBe(true)
        expect(await setRecord(key, 2 ** 52)).toBe(true)
        expect(await setRecord(key, 2 ** 52 - 1)).toBe(false)
      })

      it('of 50 writers at once end as that of the greatest', async () => {
        const key = newKey()
        const revisions = Array.from({ length: 50 }, (_, i) => (i * 37) % 50)
        await Promise.all(
          revisions.map((rev, i) => setRecord(key, rev, `revision ${rev}`, i % 2 === 0 ? store : other)),
        )
        expect(String(await read(key))).toBe('revision 49')
      })

      it('of several chunks keep the order too', async () => {
        const key = newKey()
        const values = [1, 2, 3, 4].map((n) => Buffer.alloc(3 * CHUNK + n, n))
        await Promise.all(values.map((value, i) => store.setRecord?.(key, i, value, LONG_MS)))
        expect((await read(key, other))?.equals(values[3] ?? Buffer.alloc(0))).toBe(true)
        expect(await store.setRecord?.(key, 2, values[0] ?? Buffer.alloc(0), LONG_MS)).toBe(false)
        expect((await read(key))?.equals(values[3] ?? Buffer.alloc(0))).toBe(true)
      })
    })
    suiteIf(has('getFields', 'setField'))('fields', () => {
      it('of a key are set one by one', async () => {
        const key = newKey()
        expect([...((await store.getFields?.(key)) ?? [])]).toEqual([])
        await Promise.all([
          store.setField?.(key, 'a', '1', LONG_MS),
          other.setField?.(key, 'größe 例', 'é\n', LONG_MS),
          store.setField?.(key, 'empty', '', LONG_MS),
        ])
        await other.setField?.(key, 'a', '2', LONG_MS)
        expect(new Map(await store.getFields?.(key))).toEqual(
          new Map([
            ['a', '2'],
            ['größe 例', 'é\n'],
            ['empty', ''],
          ]),
        )
      })

      it('set by many at once are all there', async () => {
        const key = newKey()
        const names = Array.from({ length: 40 }, (_, i) => `field ${i}`)
        await Promise.all(
          names.map((field, i) => (i % 2 ? store : other).setField?.(key, field, 'x', LONG_MS)),
        )
        expect([...((await store.getFields?.(key)) ?? new Map()).keys()].sort()).toEqual(names.sort())
      })
    })
    suiteIf(has('lock', 'renew', 'unlock'))('leases', () => {
      it('are held by one of 100 that try at once', async () => {
        const key = newKey()
        const tries = Array.from({ length: 100 }, (_, i) =>
          (i % 2 === 0 ? store : other).lock?.(key, `token ${i}`, LONG_MS),
        )
        expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
      })

      it('are their holder’s to take again, to renew and to give up', async () => {
        const key = newKey()
        expect(await store.lock?.(key, 'mine', LONG_MS)).toBe(true)
        expect(await store.lock?.(key, 'mine', LONG_MS)).toBe(true)
        expect(await other.lock?.(key, 'theirs', LONG_MS)).toBe(false)
        expect(await other.renew?.(key, 'theirs', LONG_MS)).toBe(false)
        await other.unlock?.(key, 'theirs')
        expect(await store.renew?.(key, 'mine', LONG_MS)).toBe(true)
        await store.unlock?.(key, 'mine')
        expect(await store.renew?.(key, 'mine', LONG_MS)).toBe(false)
        expect(await other.lock?.(key, 'theirs', LONG_MS)).toBe(true)
      })
    })

    // At once: each waits for a second or so.

    const suiteOfTimes = !keepsForEver || has('lock') ? describe.concurrent : () => {}
    suiteOfTimes('times to live', () => {
      testIf(!keepsForEver)('of values: are gone once their time is over', async () => {
        const [key, kept] = [newKey(), newKey()]
        await store.set(kept, Buffer.from('kept'), LONG_MS)
        await store.set(key, randomBytes(2 * CHUNK), SHORT_MS)
        await lapse(async () => (await read(key)) === null)
        expect(await read(key, other)).toBeNull()
        expect(String(await read(kept))).toBe('kept')
      })
      testIf(!keepsForEver)('of values: live as long as the last write says', async () => {
        const [key, control] = [newKey(), newKey()]
        await store.set(key, Buffer.from('1'), SHORT_MS)
        await store.set(key, Buffer.from('2'), LONG_MS)
        await store.set(control, Buffer.from('3'), SHORT_MS)
        await lapse(async () => (await read(control)) === null)
        expect(String(await read(key))).toBe('2')
      })
      testIf(has('touch'))('of touch: lets values live longer, of all sizes', async () => {
        const [small, large, control] = [newKey(), newKey(), newKey()]
        const value = randomBytes(3 * CHUNK)
        await store.set(small, Buffer.from('x'), SHORT_MS)
        await store.set(large, value, SHORT_MS)
        await store.touch?.([small, large], LONG_MS)
        await store.set(control, Buffer.from('y'), SHORT_MS)
        await lapse(async () => (await read(control)) === null)
        expect(await store.touch?.([small, large, control], LONG_MS)).toEqual([control])
        expect(String(await read(small))).toBe('x')
        expect((await read(large))?.equals(value)).toBe(true)
      })
      testIf(has('setRecord'))(
        'of records: leave nothing of their revision behind when they are deleted or run out',
        async () => {
          const [deleted, over] = [newKey(), newKey()]
          await setRecord(deleted, 9)
          await store.delete(deleted)
          expect(await setRecord(deleted, 1)).toBe(true)
          await store.setRecord?.(over, 9, Buffer.from('9'), SHORT_MS)
          await lapse(async () => (await read(over)) === null)
          expect(await setRecord(over, 1)).toBe(true)
          expect(String(await read(over))).toBe('1')
        },
      )
      testIf(has('getFields', 'setField'))(
        'of fields: are gone once their time is over or the key is deleted',
        async () => {
          const [over, deleted] = [newKey(), newKey()]
          await store.setField?.(over, 'a', '1', SHORT_MS)
          await store.setField?.(deleted, 'a', '1', LONG_MS)
          await store.delete(deleted)
          await lapse(async () => (await store.getFields?.(over))?.size === 0)
          expect((await other.getFields?.(deleted))?.size).toBe(0)
        },
      )
      testIf(has('lock', 'renew', 'unlock'))('of leases: run out', async () => {
        const key = newKey()
        expect(await store.lock?.(key, 'dead', SHORT_MS)).toBe(true)
        await lapse(async () => (await other.lock?.(key, 'next', LONG_MS)) === true)
        expect(await store.renew?.(key, 'dead', LONG_MS)).toBe(false)
        expect(await store.lock?.(key, 'dead', LONG_MS)).toBe(false)
      })
      testIf(has('lock', 'renew', 'unlock'))('of leases: that ran out are taken by one of many', async () => {
        const [key, control] = [newKey(), newKey()]
        await store.lock?.(key, 'dead', SHORT_MS)
        await store.lock?.(control, 'dead', SHORT_MS)
        await lapse(async () => (await store.lock?.(control, 'next', LONG_MS)) === true)
        const tries = Array.from({ length: 30 }, (_, i) =>
          (i % 2 === 0 ? store : other).lock?.(key, `token ${i}`, LONG_MS),
        )
        expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
      })
      testIf(has('lock', 'renew', 'unlock'))('of leases: live as long as the last renewal says', async () => {
        const [key, control] = [newKey(), newKey()]
        await store.lock?.(key, 'mine', SHORT_MS)
        expect(await store.renew?.(key, 'mine', LONG_MS)).toBe(true)
        await store.lock?.(control, 'mine', SHORT_MS)
        await lapse(async () => (await other.lock?.(control, 'theirs', LONG_MS)) === true)
        expect(await other.lock?.(key, 'theirs', LONG_MS)).toBe(false)
      })
    })
    suiteIf(has('invalidate', 'state'))('invalidations', () => {
      it('raise the revision by one, and note it for each tag', async () => {
        const [a, b] = [randomUUID(), randomUUID()]
        const before = await store.state?.()
        const first = await store.invalidate?.([a, b])
        const second = await other.invalidate?.([b])
        const ticket = await store.invalidate?.([])
        expect([first, second, ticket]).toEqual([1, 2, 3].map((n) => (before?.rev ?? Number.NaN) + n))
        const state = await other.state?.()
        expect(state?.epoch).toBe(before?.epoch)
        expect(state?.rev).toBe(ticket)
        expect([state?.tags.get(a), state?.tags.get(b)]).toEqual([first, second])
      })

      it('above a revision are told alone', async () => {
        const tags = Array.from({ length: 5 }, () => randomUUID())
        const revs: (number | undefined)[] = []
        for (const tag of tags) revs.push(await store.invalidate?.([tag]))
        const state = await other.state?.(revs[2])
        expect([...(state?.tags ?? [])].sort()).toEqual(
          tags
            .slice(3)
            .map((tag, i) => [tag, revs[3 + i]])
            .sort(),
        )
        expect((await other.state?.(revs[4]))?.tags.size).toBe(0)
      })

      it('may have tags of any text', async () => {
        const tag = `example|größe 例 {}"\n ${'x'.repeat(500)}`
        const rev = await store.invalidate?.([tag])
        expect((await other.state?.())?.tags.get(tag)).toBe(rev)
      })

      it('of 40 at once have a revision each', async () => {
        const tags = Array.from({ length: 40 }, () => randomUUID())
        const revs = await Promise.all(
          tags.map((tag, i) => (i % 2 === 0 ? store : other).invalidate?.([tag])),
        )
        expect(new Set(revs).size).toBe(40)
        const state = await store.state?.()
        expect(tags.map((tag) => state?.tags.get(tag))).toEqual(revs)
      })

      testIf(has('subscribe'))('wake those who listen, until they stop', async () => {
        let calls = 0
        const end = await other.subscribe?.(() => calls++)
        // A subscription may take its time, and a wake-up may be lost.
        await eventually(async () => {
          await store.invalidate?.(['posts'])
          return calls > 0
        }, 'the first wake-up')
        const before = calls
        await eventually(async () => {
          await store.invalidate?.(['posts'])
          return calls > before
        }, 'another wake-up')
        end?.()
        const ended = calls
        let control = 0
        const endControl = await other.subscribe?.(() => control++)
        await eventually(async () => {
          await store.invalidate?.(['posts'])
          return control > 0
        }, 'the wake-up of another listener')
        endControl?.()
        expect(calls).toBe(ended)
      })

      it('past the number that is remembered raise the floor', async () => {
        const limited = await open({ tags: 5 })
        try {
          await eventually(() => limited.store.ready?.() !== false)
          await limited.lose?.()
          for (let i = 1; i <= 8; i++) await limited.store.invalidate?.([`tag ${i}`])
          // Noted anew, so not among the oldest any more.
          await limited.store.invalidate?.(['tag 4'])
          await limited.store.invalidate?.(['tag 9'])
          const state = await limited.store.state?.()
          expect(state?.rev).toBe(10)
          expect(state?.tags.size).toBeLessThanOrEqual(5)
          expect(state?.tags.get('tag 4')).toBe(9)
          expect(state?.tags.get('tag 9')).toBe(10)
          // Whatever is not told any more was noted at the floor or below.
          for (let i = 1; i <= 8; i++) {
            if (!state?.tags.has(`tag ${i}`)) expect(state?.floor).toBeGreaterThanOrEqual(i)
          }
          expect(state?.floor).toBeLessThan(10)
        } finally {
          await limited.close()
        }
      })

      it('of a store that lost everything are those of another life', async () => {
        const doomed = await open()
        try {
          if (doomed.lose === undefined) return
          await eventually(() => doomed.store.ready?.() !== false)
          await doomed.store.invalidate?.(['posts'])
          const before = await doomed.store.state?.()
          await doomed.lose()
          const after = await doomed.store.state?.()
          expect(after?.epoch).not.toBe(before?.epoch)
          expect(after?.tags.size).toBe(0)
          expect((await doomed.store.state?.())?.epoch).toBe(after?.epoch)
        } finally {
          await doomed.close()
        }
      })
    })
  })
}

/** On a cluster they are on different nodes. */
function newKey(): string {
  const id = randomUUID()
  return `ls1:{contract|${id.slice(0, 2)}}:${id}`
}

/** Tests of what a store does not offer are none; a skipped one would look like one that is missing. */
function suiteIf(isOffered: boolean): (name: string, body: () => void) => void {
  return isOffered ? describe : () => {}
}

function testIf(isOffered: boolean): (name: string, body: () => Promise<void>) => void {
  return isOffered ? it : () => {}
}
