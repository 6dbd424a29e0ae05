import { afterAll, afterEach, describe, it } from 'vitest'
import type { Key } from '../../src/index.ts'
import { startPostgres } from '../support/embedded-postgres.ts'
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

const server = await startPostgres()

async function createTable(): Promise<MillionTable> {
  if (server === undefined) throw new Error('there is no server')
  const reader = await server.connect()
  // Changes come from a connection of their own, as those of an app do.
  const writer = await server.connect()
  await writer.query(`
    create table products (
      id bigint primary key, slug text not null, updated_at timestamptz not null, created_at timestamptz not null,
      bucket int not null
    );
    insert into products
      select i * ${STEP}, 'p' || (i * ${STEP}), timestamptz '2026-01-01 00:00:00Z',
        timestamptz '2024-01-01 00:00:00Z' + (i % ${MONTHS}) * interval '1 month', i % ${BUCKETS}
      from generate_series(1, ${ROWS}) i;
    create index on products (updated_at);
    create index on products (created_at);
    create index on products (bucket);
    analyze products;
  `)
  const rows = async <T>(sql: string, values: readonly unknown[] = []): Promise<T[]> =>
    (await reader.query(sql, [...values])).rows as T[]
  return {
    async range() {
      const [one] = await rows<{ min: Key | null; max: Key | null }>(
        'select min(id) as min, max(id) as max from products',
      )
      return one ?? { min: null, max: null }
    },
    page: ({ after, through, limit }) =>
      rows<MillionRow>('select id, slug from products where id > $1 and id <= $2 order by id limit $3', [
        after,
        through,
        limit,
      ]),
    changedSince: async (since) =>
      (await rows<MillionRow>('select id from products where updated_at > $1', [since])).map(({ id }) => id),
    versions: async () =>
      (
        await rows<{ range: string; count: string; newest: Date }>(
          `select ceil(id / 50000.0)::bigint as range, count(*) as count, max(updated_at) as newest
           from products group by 1 order by 1`,
        )
      ).map((one) => ({ ...one, token: `${one.count} ${one.newest.toISOString()}` })),
    month: (from, to) =>
      rows('select id from products where created_at >= $1 and created_at < $2', [from, to]),
    bucket: (asked) => rows('select id from products where bucket = $1', [asked]),
    count: async () =>
      Number((await rows<{ count: string }>('select count(*) as count from products'))[0]?.count),
    async change({ inserted, updated, deleted }, at) {
      await writer.query('begin')
      await writer.query(
        `insert into products select id, 'p' || id, $2, timestamptz '2025-06-15 00:00:00Z', id % ${BUCKETS}
         from unnest($1::bigint[]) id on conflict do nothing`,
        [inserted, at],
      )
      await writer.query('update products set updated_at = $2 where id = any($1::bigint[])', [updated, at])
      await writer.query('delete from products where id = any($1::bigint[])', [deleted])
      await writer.query('commit')
    },
  }
}

const table = server === undefined ? undefined : await createTable()

afterEach(closeEngines)
afterAll(() => server?.stop())

describe.runIf(table)('a million rows in PostgreSQL, keys as text', { timeout: 120_000 }, () => {
  const there = table as MillionTable

  it('keyset: nothing is lost or comes twice while rows come, change and go; 3 changed ranges are 3 reads', () =>
    keysetOverMillion(there))

  it('versions by group by: what changed is read, and what lost a row', () => versionsOverMillion(there))

  it('byMonth, byHash, byIdRange: each row stands in one partition', () => otherCutsOverMillion(there))
})
