import { afterEach, describe, expect, it } from 'vitest'
import type { Partition, PartitionedProvider } from '../../src/index.ts'
import { createInstances, type Instance, settle, stored } from '../support/instances.ts'
import { turns, until } from '../support/manual-clock.ts'
import { createTable, type Table } from '../support/partitioned.ts'
import { closeEngines, pathsOf, type TestOptions } from '../support/site.ts'

afterEach(closeEngines)

const index = '/sitemap_index.xml'
const part = (id: string, n = 1): string => `/sitemap-goods-${id}-${n}.xml`

function site(
  list: readonly Partition[],
  more: Partial<PartitionedProvider> = {},
  options: Partial<TestOptions> = {},
) {
  const table = createTable(list)
  const instances = createInstances({
    retries: 0,
    ...options,
    providers: { goods: { ...table.provider, ...more } },
  })
  return { table, ...instances }
}

const versions = (table: Table, of: Readonly<Record<string, string>>): void => {
  table.list = Object.entries(of).map(([id, version]) => ({ id, version }))
}

async function paths(of: Instance, path: string): Promise<string[]> {
  return pathsOf((await of.ask(path)).text)
}

describe('partitions on a shared store', () => {
  it('are listed once and each is read once, whichever instances are asked', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `p${i}`)
    const { table, clock, start } = site(ids.map((id) => ({ id, version: '1' })))
    const instances = [start(), start(), start()]
    await settle(
      clock,
      Promise.all(instances.flatMap((one) => [one.ask(index), ...ids.map((id) => one.ask(part(id)))])),
    )
    expect(table.lists).toBe(1)
    expect(table.reads.toSorted()).toEqual(ids.toSorted())
    for (const one of instances) expect(await paths(one, part('p7'))).toEqual(['/p7/a', '/p7/b'])
    const tags = await Promise.all(instances.map(async (one) => (await one.ask(part('p3'))).headers.etag))
    expect(new Set(tags).size).toBe(1)
  })

  it('serve a new instance while the database is away', async () => {
    const { table, clock, start } = site([
      { id: 'a', version: '1' },
      { id: 'b', version: '1' },
    ])
    const first = start()
    await first.ask(part('a'))
    await stored(first)
    await first.handle.close()
    await clock.advance(86_400_000)
    table.entriesOf = () => new Promise(() => {})
    const provider = { ...table.provider, partitions: () => new Promise<never>(() => {}) }
    const next = start({ providers: { goods: provider } })
    expect(pathsOf((await settle(clock, next.ask(index))).text)).toEqual([part('a'), part('b')])
    expect(pathsOf((await settle(clock, next.ask(part('a')))).text)).toEqual(['/a/a', '/a/b'])
    expect((await settle(clock, next.ask(part('b')))).status).toBe(503)
  })

  it('a version that changed is read once more, by one of them; the others are taken from the store', async () => {
    const { table, clock, start } = site([])
    versions(table, { a: '1', b: '1', c: '1' })
    const [one, two] = [start(), start()]
    for (const instance of [one, two])
      for (const id of ['a', 'b', 'c']) await settle(clock, instance.ask(part(id)))
    expect(table.reads).toEqual(['a', 'b', 'c'])
    versions(table, { a: '1', b: '2', c: '1' })
    table.entriesOf = (id) => [`/${id}/new`]
    await settle(clock, one.handle.invalidate('goods'))
    for (const instance of [one, two]) {
      await settle(clock, instance.ask(index))
      expect(pathsOf((await settle(clock, instance.ask(part('b')))).text)).toEqual(['/b/new'])
      expect(pathsOf((await settle(clock, instance.ask(part('a')))).text)).toEqual(['/a/a', '/a/b'])
    }
    expect(table.reads).toEqual(['a', 'b', 'c', 'b'])
    expect(table.lists).toBe(2)
  })

  it('what changedSince names is stale on all, those that never listed it too', async () => {
    const { table, clock, start } = site([{ id: 'a' }, { id: 'b' }], {
      changedSince: () => ['b'],
      ttl: '10m',
    })
    const [one, two] = [start(), start()]
    for (const instance of [one, two])
      for (const id of ['a', 'b']) await settle(clock, instance.ask(part(id)))
    table.reads.length = 0
    table.entriesOf = (id) => [`/${id}/new`]
    await clock.advance(11 * 60_000)
    await settle(clock, one.ask(index))
    await until(() => table.lists === 2)
    await stored(one)
    await clock.advance(10_000)
    for (const instance of [two, one]) {
      expect(pathsOf((await settle(clock, instance.ask(part('b')))).text)).toEqual(['/b/new'])
      expect(pathsOf((await settle(clock, instance.ask(part('a')))).text)).toEqual(['/a/a', '/a/b'])
    }
    expect(table.reads).toEqual(['b'])
    const late = start()
    expect(pathsOf((await settle(clock, late.ask(part('b')))).text)).toEqual(['/b/new'])
    expect(table.reads).toEqual(['b'])
  })

  it('invalidate with a partition reaches the others', async () => {
    const { table, clock, start } = site([
      { id: 'a', version: '1' },
      { id: 'b', version: '1' },
    ])
    const [one, two] = [start(), start()]
    for (const instance of [one, two])
      for (const id of ['a', 'b']) await settle(clock, instance.ask(part(id)))
    table.entriesOf = (id) => [`/${id}/new`]
    await settle(clock, one.handle.invalidate('goods', { partition: 'a' }))
    await stored(one)
    await turns()
    expect(pathsOf((await settle(clock, two.ask(part('a')))).text)).toEqual(['/a/new'])
    expect(pathsOf((await settle(clock, two.ask(part('b')))).text)).toEqual(['/b/a', '/b/b'])
    expect(table.reads).toEqual(['a', 'b', 'a'])
  })

  it('what only reading teaches is known to the next instance: split and empty ones', async () => {
    const { table, clock, start } = site(
      [
        { id: 'a', version: '1' },
        { id: 'b', version: '1' },
      ],
      {},
      { limit: 3 },
    )
    table.entriesOf = (id) => (id === 'a' ? ['/1', '/2', '/3', '/4'] : [])
    const one = start()
    for (const id of ['a', 'b']) await settle(clock, one.ask(part(id)))
    await stored(one)
    const expected = [part('a', 1), part('a', 2)]
    expect(await paths(one, index)).toEqual(expected)
    const next = start()
    expect(await paths(next, index)).toEqual(expected)
    expect((await next.ask(part('a', 2))).status).toBe(200)
    expect(table.reads).toEqual(['a', 'b'])
  })

  it('a list that was held is not taken over, and its partitions go on', async () => {
    const many = Array.from({ length: 12 }, (_, i) => ({ id: `p${i}`, version: '1' }))
    const { table, clock, start } = site(many)
    const [one, two] = [start(), start()]
    await settle(clock, one.ask(index))
    await stored(one)
    await settle(clock, two.ask(index))
    table.list = []
    await settle(
      clock,
      one.handle.invalidate('goods').catch(() => {}),
    )
    expect(await paths(two, index)).toHaveLength(12)
    expect(pathsOf((await settle(clock, two.ask(part('p3')))).text)).toEqual(['/p3/a', '/p3/b'])
  })

  it('that leave memory while they are stored are stored to the end', async () => {
    const { table, clock, start } = site(
      Array.from({ length: 30 }, (_, i) => ({ id: `p${i}`, version: '1' })),
      {},
      { cache: { memory: 60_000 } },
    )
    table.entriesOf = (id) => Array.from({ length: 200 }, (_, i) => `/${id}/${i}-${(i * 2654435761) % 1e9}`)
    const one = start()
    for (const { id } of table.list) await settle(clock, one.ask(part(id)))
    await stored(one)
    table.entriesOf = () => new Promise(() => {})
    const next = start()
    for (const { id } of table.list) expect((await settle(clock, next.ask(part(id)))).status).toBe(200)
    expect(table.reads).toHaveLength(30)
  })
})

describe('many sites on a shared store', () => {
  const sites = ['a', 'b', 'c'].map((id) => ({ id, url: `https://${id}.example` }))

  function tenants() {
    const reads: string[] = []
    let word = 'old'
    const instances = createInstances({
      sites,
      providers: {
        posts: ({ site }) => {
          reads.push(String(site.id))
          return [`/${site.id}/${word}`]
        },
      },
    })
    return {
      ...instances,
      reads,
      say: (next: string) => {
        word = next
      },
    }
  }

  const ask = (of: Instance, id: string) =>
    of.engine.respond({ method: 'GET', path: '/sitemap.txt', host: `${id}.example`, header: () => undefined })

  async function text(clock: Parameters<typeof settle>[0], of: Instance, id: string): Promise<string> {
    const answer = await settle(clock, Promise.resolve(ask(of, id)))
    return String(answer.body)
  }

  it('each site is read once, and found by the next instance', async () => {
    const { clock, start, reads } = tenants()
    const [one, two] = [start(), start()]
    for (const id of ['a', 'b']) await text(clock, one, id)
    await stored(one)
    expect(await text(clock, two, 'a')).toBe('https://a.example/a/old\n')
    expect(reads).toEqual(['a', 'b'])
  })

  it('invalidate reaches one site, or all of them', async () => {
    const { clock, start, reads, say } = tenants()
    const [one, two] = [start(), start()]
    for (const id of ['a', 'b', 'c']) await text(clock, one, id)
    await stored(one)
    for (const id of ['a', 'b', 'c']) await text(clock, two, id)
    say('new')
    await settle(clock, one.handle.invalidate('posts', { site: 'b' }))
    await stored(one)
    expect([await text(clock, two, 'a'), await text(clock, two, 'b')]).toEqual([
      'https://a.example/a/old\n',
      'https://b.example/b/new\n',
    ])
    say('newer')
    await settle(clock, one.handle.invalidate('posts'))
    await stored(one)
    for (const id of ['a', 'b', 'c'])
      expect(await text(clock, two, id)).toBe(`https://${id}.example/${id}/newer\n`)
    expect(reads.slice(3).toSorted()).toEqual(['a', 'b', 'b', 'c'])
  })

  it('forget reads a site anew on all', async () => {
    const { clock, start, say } = tenants()
    const [one, two] = [start(), start()]
    for (const of of [one, two]) await text(clock, of, 'a')
    await stored(one)
    say('new')
    one.handle.forget('a')
    await turns(20)
    expect(await text(clock, two, 'a')).toBe('https://a.example/a/new\n')
    expect(await text(clock, one, 'a')).toBe('https://a.example/a/new\n')
  })
})
