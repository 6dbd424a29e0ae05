import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, describe, expect, it } from 'vitest'
import { type EntryObject, type Key, keyset, type PageRange, path } from '../../src/index.ts'
import { listOf, readAll } from '../support/partitions.ts'
import { closeEngines, createTestEngine } from '../support/site.ts'

const ROWS = 200_000
/** Ids are every third number, so that new rows fit in between: 600,000 of them are 12 ranges. */
const STEP = 3
const LAST = ROWS * STEP

interface Product {
  readonly id: Key
  readonly slug: string
  readonly updated: number
}

const open: { readonly db: Database.Database; readonly folder: string }[] = []

afterEach(async () => {
  await closeEngines()
  for (const { db, folder } of open.splice(0)) {
    db.close()
    await rm(folder, { recursive: true, force: true })
  }
})

/** A table of products in a database file. */
async function createTable() {
  const folder = await mkdtemp(join(tmpdir(), 'lsm-keyset-'))
  const db = new Database(join(folder, 'shop.db'))
  // Nothing of it need outlive the test.
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = off')
  open.push({ db, folder })
  db.exec(`
    create table products (id integer primary key, slug text not null, updated integer not null);
    create index products_updated on products (updated);
  `)
  const insert = db.prepare('insert or ignore into products (id, slug, updated) values (?, ?, ?)')
  db.transaction(() => {
    for (let id = STEP; id <= LAST; id += STEP) insert.run(id, `p${id}`, 0)
  })()
  const page = db.prepare('select * from products where id > ? and id <= ? order by id limit ?')
  return {
    db,
    insert: (id: number) => insert.run(id, `p${id}`, 1),
    update: db.prepare('update products set slug = slug, updated = ? where id = ?'),
    delete: db.prepare('delete from products where id = ?'),
    page: ({ after, through, limit }: PageRange) => page.all(after, through, limit) as Product[],
    range: () =>
      db.prepare('select min(id) as min, max(id) as max from products').get() as {
        min: Key | null
        max: Key | null
      },
    count: () => (db.prepare('select count(*) as count from products').get() as { count: number }).count,
  }
}

/** Numbers from 1 to `most` that look random and are the same in each run. */
function numbers(seed: number, most: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return 1 + (state % most)
  }
}

const entry = ({ id, slug }: Product): EntryObject => ({ loc: path`/products/${slug}`, guid: String(id) })

/** The ids of entries. */
function idsIn(all: ReadonlyMap<string, readonly unknown[]>): number[] {
  return [...all.values()].flat().map((one) => Number((one as EntryObject).guid))
}

describe('a table in a database file, 200,000 rows', { timeout: 60_000 }, () => {
  it.each([
    { keys: 'numbers', isSafe: false, withRange: true },
    { keys: 'bigints', isSafe: true, withRange: false },
  ])('gives every row once: keys as $keys, range() $withRange', async ({ isSafe, withRange }) => {
    const table = await createTable()
    table.db.defaultSafeIntegers(isSafe)
    const page = table.db.prepare('select * from products where id > ? and id <= ? order by id limit ?')
    const provider = keyset({
      key: 'id',
      page: ({ after, through, limit }) => page.all(after, through, limit) as Product[],
      entry,
      ...(withRange && { range: table.range }),
    })
    const [first] = await listOf(provider)
    expect(first).toEqual({
      id: '1',
      after: '0',
      through: '50000',
      keys: isSafe ? 'bigint' : 'number',
    })
    const all = await readAll(provider)
    expect([...all.keys()]).toEqual(Array.from({ length: LAST / 50_000 }, (_, i) => String(i + 1)))
    const ids = idsIn(all)
    expect(ids).toHaveLength(ROWS)
    expect(ids.every((id, i) => id === (i + 1) * STEP)).toBe(true)
  })

  it('loses none of those that stay, and gives nothing twice, while rows come, change and go', async () => {
    const table = await createTable()
    const existed = new Set(Array.from({ length: ROWS }, (_, i) => (i + 1) * STEP))
    const deleted = new Set<number>()
    const anywhere = numbers(5, LAST)
    const near = numbers(7, 2_000)

    /** Changes rows all over the table, and some around the place that is being read. */
    function change(at: number): void {
      table.db.transaction(() => {
        for (let i = 0; i < 40; i++) {
          const place = i % 2 === 0 ? anywhere() : Math.max(1, at - 1_000 + near())
          table.insert(place)
          existed.add(place)
          table.update.run(at, anywhere())
          const gone = i % 2 === 0 ? anywhere() : Math.max(1, at - 1_000 + near())
          if (table.delete.run(gone).changes > 0) deleted.add(gone)
        }
      })()
    }

    let pages = 0
    const provider = keyset({
      key: 'id',
      pageSize: 1_000,
      range: table.range,
      page: (asked) => {
        pages++
        const rows = table.page(asked)
        change(Number(rows.at(-1)?.id ?? asked.after))
        return rows
      },
      entry,
    })
    const ids = idsIn(await readAll(provider))
    const found = new Set(ids)
    expect(found.size).toBe(ids.length)
    expect(ids.filter((id) => !existed.has(id))).toEqual([])
    const stayed = Array.from({ length: ROWS }, (_, i) => (i + 1) * STEP).filter((id) => !deleted.has(id))
    expect(stayed.filter((id) => !found.has(id))).toEqual([])
    // What was to be shown did happen.
    expect(pages).toBeGreaterThan(200)
    expect(deleted.size).toBeGreaterThan(1_000)
    expect(stayed.length).toBeGreaterThan(180_000)
    expect(table.count()).not.toBe(ROWS)
  })

  it('is served range by range: a refresh with 3 changed ranges reads 3, and the others keep their bytes', async () => {
    const table = await createTable()
    let read = new Set<unknown>()
    const changed = table.db.prepare('select id from products where updated >= ?')
    const products = keyset({
      key: 'id',
      ttl: '1h',
      range: table.range,
      page: (asked) => {
        read.add(asked.through)
        return table.page(asked)
      },
      entry: ({ slug, updated }) => ({ loc: path`/products/${slug}`, priority: updated === 0 ? 0.5 : 1 }),
      changedSince: ({ since }) => (changed.all(since.getTime()) as Product[]).map(({ id }) => id),
    })
    const { ask, handle, clock } = createTestEngine({ providers: { products }, cache: { memory: '256mb' } })
    const parts = Array.from({ length: LAST / 50_000 }, (_, i) => `/sitemap-products-${i + 1}-1.xml`)

    async function readParts() {
      read = new Set()
      const answers = []
      for (const part of parts) answers.push(await ask(part, { 'accept-encoding': 'identity' }))
      return answers
    }

    const index = (await ask('/sitemap_index.xml', { 'accept-encoding': 'identity' })).text
    expect(index.match(/<loc>[^<]*/g)).toEqual(parts.map((part) => `<loc>https://www.example.com${part}`))
    expect(read.size).toBe(0)
    const before = await readParts()
    expect(before.map(({ status }) => status)).toEqual(parts.map(() => 200))
    expect(before.map(({ text }) => text.match(/<loc>/g)?.length)).toEqual(
      parts.map((_, i) => Math.floor(((i + 1) * 50_000) / STEP) - Math.floor((i * 50_000) / STEP)),
    )
    expect(read.size).toBe(12)

    await clock.advance(60_000)
    for (const id of [3, 6, 150_000, 600_000]) table.update.run(clock.now(), id)
    await handle.invalidate('products')
    const after = await readParts()
    expect([...read]).toEqual([50_000, 150_000, 600_000])
    for (const [i, { body, headers }] of after.entries()) {
      const isChanged = [0, 2, 11].includes(i)
      expect(body.equals(before[i]?.body ?? Buffer.alloc(0))).toBe(!isChanged)
      expect(headers.etag === before[i]?.headers.etag).toBe(!isChanged)
    }
  })
})
