/** What a table of a million rows must show, on any database. */
import { expect } from 'vitest'
import {
  byHash,
  byIdRange,
  byMonth,
  defineProvider,
  type Key,
  keyset,
  type PageRange,
  path,
} from '../../src/index.ts'
import { createContext, idsOf, listOf } from './partitions.ts'
import { createTestEngine, pathsOf } from './site.ts'

export const ROWS = 1_000_000
/** Ids are every second number, so that new rows fit in between: 40 ranges of 50,000. */
export const STEP = 2
const LAST = ROWS * STEP
const SIZE = 50_000
const RANGES = LAST / SIZE
export const BUCKETS = 16
/** Row n was made in month n % 24 of 2024 and 2025. */
export const MONTHS = 24

export interface MillionRow {
  readonly id: Key
  readonly slug: string
}

export interface Changes {
  readonly inserted: readonly number[]
  readonly updated: readonly number[]
  readonly deleted: readonly number[]
}

/** A table `products (id, slug, updated_at, created_at, bucket)` with {@link ROWS} rows, in some database. */
export interface MillionTable {
  range(): Promise<{ min: Key | null; max: Key | null }>
  page(asked: PageRange): Promise<readonly MillionRow[]>
  changedSince(since: Date): Promise<readonly Key[]>
  /** `group by` range: the version token of docs/large-tables.md. */
  versions(): Promise<readonly { range: Key; count: Key; token: string }[]>
  month(from: Date, to: Date): Promise<readonly { id: Key }[]>
  bucket(bucket: number): Promise<readonly { id: Key }[]>
  count(): Promise<number>
  /** In one transaction, with `at` as their date. Rows that are there, or gone, are left as they are. */
  change(changes: Changes, at: Date): Promise<void>
}

const IDENTITY = { 'accept-encoding': 'identity' }
const partOf = (n: number): string => `/sitemap-products-${n}-1.xml`

/** Numbers from 1 to `most` that look random and are the same in each run. */
function numbers(seed: number, most: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return 1 + (state % most)
  }
}

function idsIn(text: string): number[] {
  return pathsOf(text).map((loc) => Number(loc.slice('/products/p'.length)))
}

/**
 * All ranges are read while rows come, change and go: none that stays is lost, nothing comes twice. Then everything is
 * read again in peace, and after changes in three ranges three are read and the others keep their bytes.
 */
export async function keysetOverMillion(table: MillionTable): Promise<void> {
  const inserted = new Set<number>()
  const deleted = new Set<number>()
  const anywhere = numbers(5, LAST)
  const near = numbers(7, 4_000)
  let isChanging = true
  let pages = 0
  let read = new Set<number>()

  /** Changes rows all over the table, and some around the place that is being read. */
  async function change(at: number, now: Date): Promise<void> {
    const places = Array.from({ length: 12 }, (_, i) =>
      Math.min(LAST, i % 2 === 0 ? anywhere() : Math.max(1, at - 2_000 + near())),
    )
    const changes: Changes = {
      inserted: places.slice(0, 4).map((id) => Math.min(id | 1, LAST - 1)),
      updated: places.slice(4, 8),
      deleted: places.slice(8).filter((id) => !inserted.has(id)),
    }
    for (const id of changes.inserted) if (!deleted.has(id)) inserted.add(id)
    for (const id of changes.deleted) deleted.add(id)
    await table.change({ ...changes, inserted: changes.inserted.filter((id) => !deleted.has(id)) }, now)
  }

  const products = keyset({
    key: 'id',
    ttl: '1h',
    range: () => table.range(),
    async page(asked) {
      pages++
      read.add(Math.ceil(Number(asked.through) / SIZE))
      const rows = await table.page(asked)
      if (isChanging) await change(Number(rows.at(-1)?.id ?? asked.after), new Date(site.clock.now()))
      return rows
    },
    entry: ({ slug }) => path`/products/${slug}`,
    changedSince: ({ since }) => table.changedSince(since),
  })
  const site = createTestEngine({ providers: { products }, cache: { memory: '256mb' } })
  const { ask, handle, clock } = site

  async function readAll() {
    read = new Set()
    const answers = []
    for (let n = 1; n <= RANGES; n++) answers.push(await ask(partOf(n), IDENTITY))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    return answers
  }

  // The index costs no range.
  const index = (await ask('/sitemap_index.xml', IDENTITY)).text
  expect(pathsOf(index)).toEqual(Array.from({ length: RANGES }, (_, i) => partOf(i + 1)))
  expect(pages).toBe(0)

  const found = (await readAll()).map(({ text }) => idsIn(text))
  const times = new Uint8Array(LAST + SIZE)
  for (const [i, ids] of found.entries())
    for (const id of ids) {
      times[id] = (times[id] ?? 0) + 1
      if (Math.ceil(id / SIZE) !== i + 1) throw new Error(`${id} is in range ${i + 1}`)
    }
  let lost = 0
  let twice = 0
  let invented = 0
  for (let id = 1; id <= LAST; id++) {
    const count = times[id] ?? 0
    if (count > 1) twice++
    if (count > 0 && id % STEP !== 0 && !inserted.has(id)) invented++
    if (count === 0 && id % STEP === 0 && !deleted.has(id)) lost++
  }
  expect({ lost, twice, invented }).toEqual({ lost: 0, twice: 0, invented: 0 })
  expect(read.size).toBe(RANGES)
  // What was to be shown did happen.
  expect(pages).toBeGreaterThan(190)
  expect(Math.min(inserted.size, deleted.size)).toBeGreaterThan(500)
  expect(await table.count()).not.toBe(ROWS)

  isChanging = false
  await clock.advance(5 * 60_000)
  await handle.invalidate('products')
  const before = await readAll()
  expect(before.reduce((sum, { text }) => sum + idsIn(text).length, 0)).toBe(await table.count())

  /** From an id on the first whose row is there, or was never there. */
  const there = (id: number): number => (deleted.has(id) ? there(id + STEP) : id)
  const absent = (id: number): number => (inserted.has(id) ? absent(id + STEP) : id)

  // Rows come, change and go in three ranges.
  await clock.advance(5 * 60_000)
  const at = new Date(clock.now())
  await table.change({ inserted: [absent(1)], updated: [], deleted: [] }, at)
  await table.change({ inserted: [], updated: [there(100_002)], deleted: [] }, at)
  await table.change(
    { inserted: [absent(LAST - 9_999)], updated: [there(LAST - 10_000)], deleted: [there(LAST - 20_000)] },
    at,
  )
  await handle.invalidate('products')
  const after = await readAll()
  expect([...read]).toEqual([1, 3, RANGES])
  const changed = after.flatMap(({ body, headers }, i) =>
    body.equals(before[i]?.body ?? Buffer.alloc(0)) && headers.etag === before[i]?.headers.etag
      ? []
      : [i + 1],
  )
  // Range 3 was read, and gave the same bytes: a date that the entry does not show.
  expect(changed).toEqual([1, RANGES])

  // A transaction writes the time it began at, and shows its row only after the list was read.
  await clock.advance(5 * 60_000)
  const beganAt = new Date(clock.now())
  await clock.advance(30_000)
  await handle.invalidate('products')
  await readAll()
  // Rows that changed within the minute before a reading are named by the next one too, and by no other.
  expect([...read]).toEqual([1, 3, RANGES])
  const late = absent(350_001)
  await table.change({ inserted: [late], updated: [], deleted: [] }, beganAt)
  await clock.advance(5 * 60_000)
  await handle.invalidate('products')
  const last = await readAll()
  expect([...read]).toEqual([8])
  expect(last[7]?.text).toContain(`/products/p${late}<`)
}

/** Versions by `group by`: what changed, came or went is read; nothing else. */
export async function versionsOverMillion(table: MillionTable): Promise<void> {
  const reads: string[] = []
  const products = defineProvider({
    partitions: async () =>
      (await table.versions()).map(({ range, count, token }) => ({
        id: String(range),
        version: token,
        count: Number(count),
      })),
    async entries({ partition }) {
      reads.push(partition.id)
      const through = Number(partition.id) * SIZE
      const rows = await table.page({ after: through - SIZE, through, limit: SIZE })
      return rows.map(({ slug }) => path`/products/${slug}`)
    },
  })
  const { ask, handle, clock } = createTestEngine({ providers: { products } })
  const asked = [2, 11, 20, 39]
  const readAsked = async () => {
    reads.length = 0
    const bodies = []
    for (const n of asked) bodies.push((await ask(partOf(n), IDENTITY)).body)
    return bodies
  }
  const before = await readAsked()
  expect(reads).toEqual(asked.map(String))
  await readAsked()
  expect(reads).toEqual([])
  await clock.advance(60_000)
  const at = new Date(clock.now())
  await table.change({ inserted: [500_003], updated: [], deleted: [] }, at)
  // A deletion leaves no date behind: the count tells.
  await table.change({ inserted: [], updated: [], deleted: [950_002] }, at)
  await handle.invalidate('products')
  const after = await readAsked()
  expect(reads).toEqual(['11', '20'])
  expect(after.map((body, i) => body.equals(before[i] ?? Buffer.alloc(0)))).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect((await ask('/sitemap_index.xml', IDENTITY)).status).toBe(200)
}

/** Months, buckets and ranges of ids: each row is in exactly one. */
export async function otherCutsOverMillion(table: MillionTable): Promise<void> {
  const count = await table.count()
  const entries = async function* (rows: Promise<readonly { id: Key }[]>) {
    for (const { id } of await rows) yield `/${id}`
  }
  const providers = {
    month: byMonth({
      from: '2024-01-01',
      to: '2025-12-31',
      entries: ({ from, to }) => entries(table.month(from, to)),
    }),
    hash: byHash({ count: BUCKETS, entries: ({ bucket }) => entries(table.bucket(bucket)) }),
    range: byIdRange({
      max: async () => (await table.range()).max,
      size: 250_000,
      entries: ({ from, to }) => entries(table.page({ after: from, through: to, limit: 250_000 })),
    }),
  }
  expect(await idsOf(providers.month)).toHaveLength(MONTHS)
  for (const provider of Object.values(providers)) {
    const times = new Uint8Array(LAST + SIZE)
    let all = 0
    for (const partition of await listOf(provider))
      for await (const one of await provider.entries({ ...createContext(), partition })) {
        const id = Number(String(one).slice(1))
        times[id] = (times[id] ?? 0) + 1
        all++
      }
    expect([all, times.filter((n) => n > 0).length]).toEqual([count, count])
  }
}
