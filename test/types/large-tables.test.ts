import { describe, expectTypeOf, it } from 'vitest'
import {
  byHash,
  byIdRange,
  byMonth,
  defineProvider,
  type Entry,
  type Key,
  keyset,
  type Partition,
  type PartitionedProvider,
  type ProviderContext,
  path,
  type SitemapOptions,
} from '../../plugins/fastify.ts'

interface Product {
  readonly id: number
  readonly slug: string
  readonly sku: string
  readonly parent: number | null
  readonly updated: Date
}

/** A database, as its client is typed; nothing of this file is called but to make providers. */
declare const db: { rows<T>(sql: string, values: readonly unknown[]): Promise<T[]> }

const site = { url: 'https://www.example.com' } as const
type Providers = SitemapOptions['providers']

describe('keyset', () => {
  it('knows the row from page', () => {
    const products = keyset({
      key: 'id',
      range: async ({ signal }) => (signal.aborted ? { min: null, max: null } : { min: 1n, max: '5' }),
      page: ({ after, through, limit }, { signal }) => {
        expectTypeOf(after).toEqualTypeOf<Key>()
        expectTypeOf(through).toEqualTypeOf<Key>()
        expectTypeOf(limit).toEqualTypeOf<number>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        return db.rows<Product>('', [after, through, limit])
      },
      entry: (row) => {
        expectTypeOf(row).toEqualTypeOf<Product>()
        return row.parent === null ? { loc: path`/p/${row.slug}`, lastmod: row.updated } : null
      },
      changedSince: ({ since }, ctx) => {
        expectTypeOf(since).toEqualTypeOf<Date>()
        expectTypeOf(ctx).toEqualTypeOf<ProviderContext>()
        return [1, 2n, '3']
      },
      latest: ({ signal }) => [String(signal.aborted)],
      ttl: '1h',
      formats: ['xml'],
    })
    expectTypeOf(products).toEqualTypeOf<PartitionedProvider>()
    expectTypeOf({ site, providers: { products } }).toExtend<SitemapOptions>()
  })

  it('knows it in any order, where entry or page is a function of elsewhere, and when it is said', () => {
    const page = ({ after }: { after: Key }) => db.rows<Product>('', [after])
    const entry = ({ slug }: Product): Entry => slug
    keyset({ entry: (row) => row.slug, page, key: 'id' })
    keyset({ key: 'id', page, entry })
    keyset({ key: 'id', page: ({ after }) => db.rows<Product>('', [after]), entry })
    keyset({ key: 'id', page: ({ after }) => db.rows('', [after]), entry })
    keyset<Product>({ entry: (row) => row.slug, key: 'id', page: ({ after }) => db.rows('', [after]) })
    // biome-ignore lint/suspicious/noExplicitAny: rows of clients that are not typed
    keyset({ key: 'id', page: ({ after }) => db.rows<any>('', [after]), entry: (row) => row.slug })
    keyset({
      key: 'id',
      page: ({ after }) => db.rows<Record<string, unknown>>('', [after]),
      entry: (row) => String(row.slug),
    })
  })

  it('takes a key of any kind that is never null', () => {
    keyset({ key: 'id', page: () => db.rows<{ id: bigint }>('', []), entry: () => '/' })
    keyset({ key: 'id', page: () => db.rows<{ id: string }>('', []), entry: () => '/' })
    keyset({ key: 'id', page: () => db.rows<{ id: string | number }>('', []), entry: () => '/' })
  })

  it('refuses what cannot work', () => {
    const page = () => db.rows<Product>('', [])
    const calls = [
      // @ts-expect-error no such field
      () => keyset({ key: 'idd', page, entry: (row) => row.slug }),
      // @ts-expect-error no such field, found while the row is inferred
      () => keyset({ key: 'idd', page: ({ after }) => db.rows<Product>('', [after]), entry: () => '/' }),
      // @ts-expect-error a key is never null
      () => keyset({ key: 'parent', page, entry: (row) => row.slug }),
      // @ts-expect-error a date is no key
      () => keyset({ key: 'updated', page, entry: (row) => row.slug }),
      // @ts-expect-error no such column
      () => keyset({ key: 'id', page, entry: (row) => row.slugg }),
      // @ts-expect-error no entry
      () => keyset({ key: 'id', page, entry: (row) => row.id }),
      // @ts-expect-error another package's name
      () => keyset({ key: 'id', page, entry: (row) => ({ loc: row.slug, lastMod: row.updated }) }),
      // @ts-expect-error a promise of an entry
      () => keyset({ key: 'id', page, entry: async (row) => row.slug }),
      // @ts-expect-error no list of rows
      () => keyset({ key: 'id', page: () => ({ rows: [] }), entry: () => '/' }),
      // @ts-expect-error no page
      () => keyset({ key: 'id', entry: () => '/' }),
      // @ts-expect-error a misspelt option
      () => keyset({ key: 'id', page, entry: () => '/', pagesize: 5 }),
      // @ts-expect-error the option of another helper
      () => keyset({ key: 'id', page, entry: () => '/', entries: () => [] }),
      // @ts-expect-error dates are no keys
      () => keyset({ key: 'id', page, entry: () => '/', changedSince: () => [new Date()] }),
      // @ts-expect-error a range needs both ends
      () => keyset({ key: 'id', page, entry: () => '/', range: () => ({ max: 5 }) }),
    ]
    expectTypeOf(calls).toBeArray()
  })
})

describe('the other helpers', () => {
  it('type what they hand on, and make providers', () => {
    const providers: Providers = {
      ids: byIdRange({
        min: 1n,
        max: ({ signal }) => (signal.aborted ? null : '5'),
        size: 50_000,
        async *entries({ from, to }, { signal }) {
          expectTypeOf(from).toEqualTypeOf<Key>()
          expectTypeOf(to).toEqualTypeOf<Key>()
          if (!signal.aborted) yield '/'
        },
      }),
      months: byMonth({
        from: new Date(),
        to: async ({ site: { url } }) => url,
        entries: ({ from, to }, { site: { url } }) => {
          expectTypeOf(from).toEqualTypeOf<Date>()
          expectTypeOf(to).toEqualTypeOf<Date>()
          return [url]
        },
        changedSince: () => [new Date(), '2026-05-04', 5],
      }),
      hashes: byHash({
        count: 64,
        title: 'Pages',
        entries: ({ bucket, of }) => {
          expectTypeOf([bucket, of]).toEqualTypeOf<number[]>()
          return [`/${bucket}`]
        },
      }),
    }
    expectTypeOf(providers).toEqualTypeOf<Providers>()
  })

  it('refuse what cannot work', () => {
    const entries = () => ['/']
    const calls = [
      // @ts-expect-error no largest id
      () => byIdRange({ size: 5, entries }),
      // @ts-expect-error no size
      () => byIdRange({ max: 5, entries }),
      // @ts-expect-error a size is a number
      () => byIdRange({ max: 5, size: 5n, entries }),
      // @ts-expect-error no start
      () => byMonth({ entries }),
      // @ts-expect-error null is for what is found
      () => byMonth({ from: null, entries }),
      // @ts-expect-error no count
      () => byHash({ entries }),
      // @ts-expect-error a list says nothing of buckets
      () => byHash({ count: 5, entries: ['/'] }),
      // @ts-expect-error versions belong to partitions that are listed by hand
      () => byHash({ count: 5, entries, version: () => 5 }),
    ]
    expectTypeOf(calls).toBeArray()
  })
})

describe('partitions that are listed by hand', () => {
  it('are handed on with their own fields, and are a provider', () => {
    const products = defineProvider({
      partitions: async () => [{ id: '1', version: 5, shard: 'eu' }],
      entries: ({ partition, signal }) => {
        expectTypeOf(partition).toExtend<Partition>()
        expectTypeOf(partition.shard).toEqualTypeOf<string>()
        return [`/${partition.shard}/${signal.aborted}`]
      },
      changedSince: ({ since }) => [String(since.getTime())],
      latest: () => ['/'],
    })
    expectTypeOf({ site, providers: { products } }).toExtend<SitemapOptions>()
  })

  it('may be written in place, but for the argument of entries, which defineProvider types', () => {
    const providers: Providers = {
      plain: { partitions: ({ signal }) => (signal.aborted ? [] : [{ id: '1' }]), entries: () => ['/'] },
      typed: {
        partitions: () => [{ id: '1' }],
        entries: (ctx: { partition: Partition }) => [ctx.partition.id],
      },
    }
    const wrong: Providers = {
      // @ts-expect-error partitions are no list of entries
      list: { partitions: () => [{ id: '1' }], entries: ['/'] },
      // @ts-expect-error an id is text
      numbers: { partitions: () => [{ id: 1 }], entries: () => ['/'] },
      // @ts-expect-error only partitions change one by one
      whole: { entries: () => ['/'], changedSince: () => ['1'] },
      // @ts-expect-error a section that is read as a whole is in feeds anyway
      latest: { entries: () => ['/'], latest: () => ['/'] },
    }
    expectTypeOf([providers, wrong]).toEqualTypeOf<Providers[]>()
  })

  it('leave the providers beside them their types', () => {
    const providers: Providers = {
      object: {
        version: ({ signal }) => signal.aborted,
        entries: ({ signal, site: { url } }) => {
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
          return [url]
        },
      },
      async *generator({ signal }) {
        if (!signal.aborted) yield '/'
      },
    }
    expectTypeOf(providers).toEqualTypeOf<Providers>()
  })
})
