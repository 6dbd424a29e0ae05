import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byIdRange, type Key, keyset, type PageRange, SitemapError } from '../../src/index.ts'
import {
  changedOf,
  createContext,
  createRows,
  entriesOf,
  idsOf,
  listOf,
  readAll,
} from '../support/partitions.ts'

/** How drivers give keys. */
const KINDS: readonly {
  readonly kind: string
  readonly write: (key: bigint) => Key
  readonly most: bigint
}[] = [
  { kind: 'number', write: Number, most: 2n ** 53n - 1n },
  { kind: 'bigint', write: (key) => key, most: 2n ** 63n - 1n },
  { kind: 'string', write: String, most: 2n ** 63n - 1n },
]

const path = ({ id }: { readonly id: Key }): string => `/${id}`

/** Tables of up to thirty ranges, anywhere. */
function tables(most: bigint) {
  return fc
    .record({
      size: fc.integer({ min: 1, max: 1_000 }),
      start: fc.oneof(fc.bigInt({ min: -50_000n, max: 50_000n }), fc.bigInt({ min: -most, max: most })),
      steps: fc.array(fc.bigInt({ min: 0n, max: 100_000n }), { maxLength: 30 }),
      pageSize: fc.integer({ min: 1, max: 12 }),
    })
    .map(({ start, steps, size, pageSize }) => ({
      size,
      pageSize,
      keys: steps.map((step) => start + (step % (30n * BigInt(size)))).filter((key) => key <= most),
    }))
}

async function failure(promise: Promise<unknown>): Promise<SitemapError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof SitemapError) return error
  throw new Error('no SitemapError', { cause: error })
}

describe.each(KINDS)('a table with keys of the type $kind', ({ kind, write, most }) => {
  it('gives every row once, in the one range that holds it, whatever the sizes', async () => {
    await fc.assert(
      fc.asyncProperty(tables(most), async ({ keys, size, pageSize }) => {
        const table = createRows(keys, write)
        const { range, page } = table
        const all = await readAll(keyset({ key: 'id', size, pageSize, range, page, entry: path }))
        expect([...all.values()].flat()).toEqual(table.keys.map((key) => `/${key}`))
        for (const asked of table.pages) {
          expect([typeof asked.after, typeof asked.through, asked.limit]).toEqual([kind, kind, pageSize])
        }
      }),
    )
  })

  it('is found without range(), but for keys below 1', async () => {
    await fc.assert(
      fc.asyncProperty(tables(most), async ({ keys, size, pageSize }) => {
        const { keys: sorted, page } = createRows(keys, write)
        const all = await readAll(keyset({ key: 'id', size, pageSize, page, entry: path }))
        expect([...all.values()].flat()).toEqual(sorted.filter((key) => key > 0n).map((key) => `/${key}`))
      }),
    )
  })

  it('names the ranges of the keys that changed, each once', async () => {
    const { range, page } = createRows([1n, 500n], write)
    const changed = [1, 2, 100, 101, 99, 401, -5, -100].map((key) => write(BigInt(key)))
    const lists = [
      changed,
      new Set(changed),
      (async function* () {
        yield* changed
      })(),
    ]
    for (const list of lists) {
      const provider = keyset({ key: 'id', size: 100, range, page, entry: path, changedSince: () => list })
      expect(await changedOf(provider, new Date(0))).toEqual(['1', '2', '5', '0', 'm1'])
    }
  })
})

describe('the partitions of a table', () => {
  const ends = (min: Key | null, max: Key | null, size?: number) =>
    keyset({
      key: 'id',
      ...(size !== undefined && { size }),
      range: () => ({ min, max }),
      page: (): { id: number }[] => [],
      entry: path,
    })

  it.each<{ name: string; min: Key | null; max: Key | null; ids: string[] }>([
    { name: 'an empty table', min: null, max: null, ids: [] },
    { name: 'the key 1', min: 1, max: 1, ids: ['1'] },
    { name: 'a full range', min: 1, max: 50_000, ids: ['1'] },
    { name: 'one key more', min: 1, max: 50_001, ids: ['1', '2'] },
    { name: 'a table that lost its start', min: 60_000, max: 110_000, ids: ['2', '3'] },
    { name: 'the key 0', min: 0, max: 0, ids: ['0'] },
    { name: 'keys on both sides of 0', min: -50_000, max: 1, ids: ['m1', '0', '1'] },
    {
      name: 'text of 64 bits',
      min: '9223372036854775807',
      max: '9223372036854775807',
      ids: ['184467440737096'],
    },
  ])('$name: $ids', async ({ min, max, ids }) => {
    expect(await idsOf(ends(min, max))).toEqual(ids)
  })

  it('are plain JSON, so that a store can keep them', async () => {
    expect(await listOf(ends(1n, 60_000n))).toEqual([
      { id: '1', after: '0', through: '50000', keys: 'bigint' },
      { id: '2', after: '50000', through: '100000', keys: 'bigint' },
    ])
  })

  it('never move when rows are added or removed on either side', async () => {
    const start = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
    const width = fc.integer({ min: 0, max: 1_000_000 })
    const size = fc.integer({ min: 1_000, max: 100_000 })
    await fc.assert(
      fc.asyncProperty(start, width, width, size, async (start, one, other, size) => {
        const before = await listOf(ends(start, start + one, size))
        const after = await listOf(ends(start - other, start + one + other, size))
        const now = new Map(after.map((partition) => [partition.id, partition]))
        for (const partition of before) expect(now.get(partition.id)).toEqual(partition)
      }),
    )
  })

  it('past 100,000 are refused with a size that is large enough', async () => {
    const [min, max] = ['1183000000000000000', '1907000000000000000']
    const { code, message } = await failure(listOf(ends(min, max)))
    expect(code).toBe('LSM_ERR_PROVIDER_INVALID')
    expect(message).toContain('Give a size of 8000000000000 or more')
    expect((await listOf(ends(min, max, 8_000_000_000_000))).length).toBeLessThanOrEqual(100_000)
  })

  it.each<{ name: string; given: unknown; says: string }>([
    { name: 'nothing', given: undefined, says: '"min" of range() is missing' },
    { name: 'no row', given: null, says: '"min" of range() is missing' },
    { name: 'a list', given: [{ min: 1, max: 2 }], says: '"min" of range() is missing' },
    { name: 'other names', given: { MIN: 1, MAX: 2 }, says: '"min" of range() is missing' },
    { name: 'one null', given: { min: 1, max: null }, says: '"max" of range() is null' },
    { name: 'the wrong way round', given: { min: 2, max: 1 }, says: '"min" of range() is 2, above "max", 1' },
    {
      name: 'a rounded number',
      given: { min: 1, max: 2 ** 60 },
      says: 'have the driver give bigints or text',
    },
  ])('cannot be told from a range() that gives $name', async ({ given, says }) => {
    const provider = keyset({
      key: 'id',
      range: () => given as { min: Key; max: Key },
      page: (): { id: number }[] => [],
      entry: path,
    })
    const { code, message } = await failure(listOf(provider))
    expect({ code, message }).toEqual({
      code: 'LSM_ERR_PROVIDER_INVALID',
      message: expect.stringContaining(says),
    })
  })
})

describe('a table that is searched without range()', () => {
  it('whose column takes no number of 64 bits says what to give', async () => {
    const cause = new Error('value "9007199254740991" is out of range for type integer')
    const page = ({ through }: PageRange): { id: number }[] => {
      if (Number(through) > 2 ** 31) throw cause
      return []
    }
    const error = await failure(listOf(keyset({ key: 'id', page, entry: path })))
    expect(error).toMatchObject({ code: 'LSM_ERR_PROVIDER_FAILED', cause })
    expect(error.message).toContain('Give range: ')
  })

  it('that was given up says so, not that a range is missing', async () => {
    const controller = new AbortController()
    const reason = new Error('closed')
    const page = (): { id: number }[] => {
      controller.abort(reason)
      throw reason
    }
    const { partitions } = keyset({ key: 'id', page, entry: path })
    await expect(partitions(createContext(controller.signal))).rejects.toBe(reason)
  })

  it('refuses a page that does not keep to what was asked', async () => {
    const page = () => [{ id: 5 }]
    const { code, message } = await failure(listOf(keyset({ key: 'id', size: 2, page, entry: path })))
    expect(code).toBe('LSM_ERR_PROVIDER_INVALID')
    expect(message).toContain('page() gave the key 5, where one above 6')
  })
})

describe('a range is read', () => {
  const range = () => ({ min: 1, max: 100 })

  /** One range whose pages the test gives, in turn. */
  function pages(...list: readonly (readonly unknown[])[]) {
    const asked: PageRange[] = []
    const page = (given: PageRange) => {
      asked.push(given)
      return (list[asked.length - 1] ?? []).map((id) => ({ id })) as { id: number }[]
    }
    const provider = keyset({ key: 'id', size: 100, pageSize: 3, range, page, entry: path })
    const read = async () => {
      const [partition] = await listOf(provider)
      if (partition === undefined) throw new Error('no partition')
      return entriesOf(provider, partition)
    }
    return { asked, read }
  }

  it('until a page is empty', async () => {
    const { asked, read } = pages([1, 2, 3], [4, 5, 99])
    expect(await read()).toEqual(['/1', '/2', '/3', '/4', '/5', '/99'])
    expect(asked).toEqual([
      { after: 0, through: 100, limit: 3 },
      { after: 3, through: 100, limit: 3 },
      { after: 99, through: 100, limit: 3 },
    ])
  })

  it('or its last key came', async () => {
    const { asked, read } = pages([1, 2, 100])
    expect(await read()).toEqual(['/1', '/2', '/100'])
    expect(asked).toHaveLength(1)
  })

  it('to its end where an API has a lower limit of its own, or none', async () => {
    expect(await pages([1, 2], [3, 4], [5]).read()).toEqual(['/1', '/2', '/3', '/4', '/5'])
    expect(await pages([1, 2, 3, 4, 5]).read()).toEqual(['/1', '/2', '/3', '/4', '/5'])
  })

  it.each([
    { name: 'goes back', list: [[1, 2, 3], [2]], says: 'gave the key 2, where one above 3, up to 100' },
    {
      name: 'comes again',
      list: [
        [1, 2, 3],
        [1, 2, 3],
      ],
      says: 'gave the key 1, where one above 3',
    },
    { name: 'begins at its bound', list: [[0, 1, 2]], says: 'gave the key 0, where one above 0' },
    { name: 'repeats a row', list: [[1, 2, 2]], says: 'gave the key 2, where one above 2' },
    { name: 'is not sorted', list: [[3, 1, 2]], says: 'gave the key 1, where one above 3' },
    { name: 'is sorted as text', list: [['1', '10', '2']], says: 'gave the key 2, where one above 10' },
    { name: 'leaves the range', list: [[1, 101]], says: 'Ask for keys <= through' },
    { name: 'has a row without a key', list: [[1, undefined]], says: 'field "id" of a row is missing' },
    { name: 'has rounded keys', list: [[2 ** 53]], says: 'have the driver give bigints or text' },
  ])('but not where a page $name', async ({ list, says }) => {
    const { asked, read } = pages(...list)
    const { code, message } = await failure(read())
    expect({ code, message }).toEqual({
      code: 'LSM_ERR_PROVIDER_INVALID',
      message: expect.stringContaining(says),
    })
    expect(asked).toHaveLength(list.length)
  })

  it.each<{ name: string; given: unknown; says: string }>([
    { name: 'nothing', given: undefined, says: 'gave a value of the type undefined: expected a list' },
    {
      name: 'an answer around the rows',
      given: { rows: [] },
      says: 'gave an object: expected a list of rows',
    },
    { name: 'rows that are null', given: [null], says: 'field "id" of a row is missing' },
  ])('but not where page() gives $name', async ({ given, says }) => {
    const provider = keyset({ key: 'id', range, page: () => given as { id: number }[], entry: path })
    const [partition] = await listOf(provider)
    if (partition === undefined) throw new Error('no partition')
    expect((await failure(entriesOf(provider, partition))).message).toContain(says)
  })

  it('without the rows that have no entry', async () => {
    const { page } = createRows([1n, 2n, 3n, 4n], Number)
    const entry = ({ id }: { id: number }) => (id === 2 ? null : id === 3 ? undefined : `/${id}`)
    expect((await readAll(keyset({ key: 'id', pageSize: 1, range, page, entry }))).get('1')).toEqual([
      '/1',
      '/4',
    ])
  })

  it('no further once it was given up', async () => {
    const controller = new AbortController()
    const table = createRows([1n, 2n, 3n], Number)
    const page = (asked: PageRange) => {
      controller.abort(new Error('enough'))
      return table.page(asked)
    }
    const provider = keyset({ key: 'id', pageSize: 1, range, page, entry: path })
    const [partition] = await listOf(provider)
    if (partition === undefined) throw new Error('no partition')
    await expect(entriesOf(provider, partition, controller.signal)).rejects.toThrow('enough')
    expect(table.pages).toHaveLength(1)
  })

  it('with the turns of the app in between, also where the client answers at once', async () => {
    const { page } = createRows([1n, 2n, 3n, 4n, 5n], Number)
    const provider = keyset({ key: 'id', pageSize: 1, range, page, entry: () => null })
    const [partition] = await listOf(provider)
    if (partition === undefined) throw new Error('no partition')
    const turns = countTurns()
    await entriesOf(provider, partition)
    expect(turns.end()).toBeGreaterThanOrEqual(5)
  })
})

describe('what changed', () => {
  it('is read with the turns of the app in between, however many keys there are', async () => {
    const { page } = createRows([], Number)
    const changedSince = () => Array.from({ length: 10_000 }, (_, i) => i + 1)
    const provider = keyset({ key: 'id', page, entry: path, changedSince })
    const turns = countTurns()
    expect(await changedOf(provider, new Date(0))).toEqual(['1'])
    expect(turns.end()).toBeGreaterThanOrEqual(9)
  })
})

/** Counts how often the event loop came round. */
function countTurns() {
  let turns = 0
  let timer = setImmediate(function turn() {
    turns++
    timer = setImmediate(turn)
  })
  return {
    end() {
      clearImmediate(timer)
      return turns
    },
  }
}

describe('the options of keyset', () => {
  it('are called as methods of theirs, with the context', async () => {
    const seen: unknown[] = []
    const options = {
      key: 'id' as const,
      prefix: '/p',
      size: 1,
      range(ctx: unknown) {
        seen.push(ctx)
        return { min: 1, max: 1 }
      },
      page(_: PageRange, ctx: unknown) {
        seen.push(ctx)
        return [{ id: 1 }]
      },
      entry({ id }: { id: number }) {
        return `${options === this ? this.prefix : ''}/${id}`
      },
      changedSince({ since }: { since: Date }, ctx: unknown) {
        seen.push(ctx)
        return [since.getTime()]
      },
      latest() {
        return [`${this.prefix}/latest`]
      },
    }
    // A field beside the options is refused: hide it, as a class would.
    Object.defineProperty(options, 'prefix', { enumerable: false })
    const provider = keyset(options)
    expect((await readAll(provider)).get('1')).toEqual(['/p/1'])
    expect(await changedOf(provider, new Date(11))).toEqual(['11'])
    expect(await provider.latest?.(createContext())).toEqual(['/p/latest'])
    expect(seen).toHaveLength(3)
    for (const ctx of seen) expect(ctx).toMatchObject({ site: { url: 'https://www.example.com' } })
  })

  it('that are settings of a provider go through as they are, and only they', () => {
    const latest = () => []
    const settings = { ttl: '1h', title: 'Goods', formats: ['xml'], fullEvery: '2d', optional: true } as const
    const table = createRows([], Number)
    const provider = keyset({
      ...settings,
      latest,
      key: 'id',
      page: table.page,
      entry: path,
      changedSince: () => [],
    })
    expect(provider).toMatchObject(settings)
    expect(Object.keys(provider).sort()).toEqual(
      [...Object.keys(settings), 'changedSince', 'entries', 'latest', 'partitions'].sort(),
    )
  })

  it('without changedSince make a provider without it', () => {
    expect(keyset({ key: 'id', page: createRows([], Number).page, entry: path })).not.toHaveProperty(
      'changedSince',
    )
    expect(byIdRange({ max: 5, size: 5, entries: () => [] })).not.toHaveProperty('changedSince')
  })

  it('may name a key that did not change in any range: that is an error', async () => {
    const changedSince = () => ['2026-05-04'] as Key[]
    const provider = keyset({ key: 'id', page: createRows([], Number).page, entry: path, changedSince })
    const { message } = await failure(changedOf(provider, new Date(0)))
    expect(message).toMatch(/^keyset: a key of changedSince\(\) is other text/)
  })
})
