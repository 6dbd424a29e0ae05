import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, afterEach, describe, it } from 'vitest'
import type { Key } from '../../src/index.ts'
import {
  BUCKETS,
  keysetOverMillion,
  type MillionRow,
  type MillionTable,
  MONTHS,
  otherCutsOverMillion,
  ROWS,
  STEP,
  versionsOverMillion,
} from '../support/million.ts'
import { closeEngines } from '../support/site.ts'

const folder = await mkdtemp(join(tmpdir(), 'live-sitemap-libsql-'))
const db = new Database(join(folder, 'shop.db'))
// Nothing of it need outlive the tests.
db.pragma('journal_mode = wal')
db.pragma('synchronous = off')
db.exec(`
  create table products (
    id integer primary key, slug text not null, updated_at text not null, created_at text not null, bucket integer not null
  );
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
  insert into products
    select i * ${STEP}, 'p' || (i * ${STEP}), '2026-01-01T00:00:00.000Z',
      date('2024-01-01', '+' || (i % ${MONTHS}) || ' months'), i % ${BUCKETS}
    from n;
  create index products_updated_at on products (updated_at);
  create index products_created_at on products (created_at);
  create index products_bucket on products (bucket);
`)

const page = db.prepare('select id, slug from products where id > ? and id <= ? order by id limit ?')
const changed = db.prepare('select id from products where updated_at > ?')
const range = db.prepare('select min(id) as min, max(id) as max from products')
const versions = db.prepare(
  `select (id + 49999) / 50000 as range, count(*) as count, max(updated_at) as newest
   from products group by 1 order by 1`,
)
const month = db.prepare('select id from products where created_at >= ? and created_at < ?')
const bucket = db.prepare('select id from products where bucket = ?')
const count = db.prepare('select count(*) as count from products')
const insert = db.prepare(
  `insert or ignore into products values (?, ?, ?, '2025-06-15', abs(?) % ${BUCKETS})`,
)
const update = db.prepare('update products set updated_at = ? where id = ?')
const remove = db.prepare('delete from products where id = ?')

const table: MillionTable = {
  range: async () => range.get() as { min: Key | null; max: Key | null },
  page: async ({ after, through, limit }) => page.all(after, through, limit) as MillionRow[],
  changedSince: async (since) => (changed.all(since.toISOString()) as MillionRow[]).map(({ id }) => id),
  versions: async () =>
    (versions.all() as { range: number; count: number; newest: string }[]).map((one) => ({
      ...one,
      token: `${one.count} ${one.newest}`,
    })),
  month: async (from, to) =>
    month.all(from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)) as MillionRow[],
  bucket: async (asked) => bucket.all(asked) as MillionRow[],
  count: async () => (count.get() as { count: number }).count,
  change: async ({ inserted, updated, deleted }, at) => {
    db.transaction(() => {
      for (const id of inserted) insert.run(id, `p${id}`, at.toISOString(), id)
      for (const id of updated) update.run(at.toISOString(), id)
      for (const id of deleted) remove.run(id)
    })()
  },
}

afterEach(closeEngines)
afterAll(async () => {
  db.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a million rows in libsql (SQLite)', { timeout: 120_000 }, () => {
  it('keyset: nothing is lost or comes twice while rows come, change and go; 3 changed ranges are 3 reads', () =>
    keysetOverMillion(table))

  it('versions by group by: what changed is read, and what lost a row', () => versionsOverMillion(table))

  it('byMonth, byHash, byIdRange: each row stands in one partition', () => otherCutsOverMillion(table))
})
