import { afterEach, describe, expect, it } from 'vitest'
import { createInstances, type Instance, settle, stored } from '../support/instances.ts'
import { turns, until } from '../support/manual-clock.ts'
import {
  closeEngines,
  createGate,
  createSource,
  entriesOf,
  gated,
  hangs,
  pathsOf,
  type TestOptions,
  throws,
  watch,
} from '../support/site.ts'

afterEach(closeEngines)

const path = '/sitemap.xml'

/** A site with one section whose source counts its calls. */
function site(count = 3, more: Partial<TestOptions> = {}) {
  const source = createSource(entriesOf('a', count))
  const instances = createInstances({ providers: { posts: source.entries }, ...more })
  return { source, ...instances }
}

/** What an instance says of a section. */
function stateOf({ handle }: Instance, section = 'posts'): string | undefined {
  return handle.report().sections[section]?.state
}

describe('a new instance', () => {
  it('answers its first request from the store, without a provider call, with the same validators', async () => {
    const { source, clock, start } = site()
    const a = start()
    const first = await a.ask(path)
    await stored(a)
    await clock.advance(5_000)
    const b = start()
    const second = await b.ask(path)
    expect(source.calls).toBe(1)
    expect(second.text).toBe(first.text)
    for (const name of ['etag', 'last-modified']) expect(second.headers[name]).toBe(first.headers[name])
    const c = start()
    const third = await c.ask(path, { 'if-none-match': String(first.headers.etag) })
    expect([third.status, third.body.length, source.calls]).toEqual([304, 0, 1])
  })

  it('answers from the store while the provider is down, and says that it is stale', async () => {
    const { source, clock, start } = site()
    const a = start()
    await a.warm()
    await stored(a)
    await a.handle.close()
    await clock.advance(3 * 86_400_000)
    source.set(hangs)
    const b = start()
    const asked = watch(b.ask(path))
    await until(() => source.calls === 2)
    await clock.advance(1_000)
    const answer = await asked.value
    expect(answer.status).toBe(200)
    expect(pathsOf(answer.text)).toEqual(['/a-1', '/a-2', '/a-3'])
    expect(answer.headers['cache-control']).toContain('max-age=60')
  })

  it('goes on with the version token that the snapshot was read for', async () => {
    const { clock, start } = site()
    const source = createSource(entriesOf('a', 3))
    const providers = { posts: { entries: source.entries, version: () => 'v1' } }
    const a = start({ providers })
    await a.warm()
    await stored(a)
    await clock.advance(3_600_000)
    const b = start({ providers })
    expect((await b.ask(path)).status).toBe(200)
    await until(() => stateOf(b) === 'fresh')
    expect(source.calls).toBe(1)
  })

  it('walks where the record is of another site, another URL or another namespace', async () => {
    const { source, start } = site()
    const a = start()
    await a.warm()
    await stored(a)
    for (const [i, more] of [
      { site: { url: 'https://www.example.org' } },
      { site: { url: 'https://www.example.com', id: 'other' } },
      { cache: { namespace: 'staging' } },
    ].entries()) {
      await start(more).warm()
      expect(source.calls).toBe(2 + i)
    }
  })
})

describe('several cold instances', () => {
  it('walk once: one holds the lease, the others take over what it publishes', async () => {
    const gate = createGate<ReturnType<typeof entriesOf>>()
    const { source, clock, start } = site()
    source.set(gated(gate))
    const instances = [start(), start(), start(), start()]
    const asked = instances.flatMap((one) => Array.from({ length: 50 }, () => one.ask(path)))
    await until(() => source.calls === 1)
    await clock.advance(3_000)
    expect(source.calls).toBe(1)
    gate.open(entriesOf('a', 2))
    const answers = await settle(clock, Promise.all(asked))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ headers }) => `${headers.etag} ${headers['last-modified']}`)).size).toBe(1)
    expect(source.calls).toBe(1)
  })

  it('never walk under a lease that is renewed; requests get 503 after the deadline, and the instance goes on watching', async () => {
    const { source, clock, start, store } = site(3, { deadline: '10s' })
    const a = start()
    const b = start()
    source.set(hangs)
    void a.ask(path)
    await until(() => source.calls === 1)
    const asked = watch(b.ask(path))
    await clock.advance(10_000)
    const answer = await asked.value
    expect([answer.status, answer.headers['cache-control'], source.calls]).toEqual([503, 'no-store', 1])
    // The holder dies: its lease ends, and B reads.
    for (const key of store.keys()) if (key.endsWith(':l')) await store.delete(key)
    a.store.fault('error')
    source.set(entriesOf('b', 1))
    await clock.advance(500)
    await until(() => source.calls === 2)
    await until(() => stateOf(b) === 'fresh')
    expect(pathsOf((await b.ask(path)).text)).toEqual(['/b-1'])
  })

  it('a lease whose holder died runs out', async () => {
    const { source, clock, start, store } = site()
    const b = start()
    const a = start()
    source.set(hangs)
    void a.ask(path)
    await until(() => source.calls === 1)
    // No renewal arrives any more, and no unlock.
    a.store.fault('error')
    const lease = store.keys().find((key) => key.endsWith(':l'))
    expect(lease).toBeDefined()
    source.set(entriesOf('b', 1))
    const asked = watch(b.ask(path))
    await clock.advance(9_000)
    expect(source.calls).toBe(1)
    await clock.advance(7_000)
    await until(() => source.calls === 2)
    expect((await asked.value).status).toBe(503)
    await until(() => stateOf(b) === 'fresh')
  })
})

describe('an invalidation', () => {
  it('reaches the others, and one of them walks', async () => {
    const { source, clock, start } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    source.set(entriesOf('new', 1))
    await a.handle.invalidate('posts')
    await stored(a)
    await until(() => stateOf(b) === 'stale')
    expect(pathsOf((await settle(clock, b.ask(path))).text)).toEqual(['/new-1'])
    expect(source.calls).toBe(2)
  })

  it('is found by one that was cut off meanwhile', async () => {
    const { source, clock, start } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    b.store.fault('error')
    source.set(entriesOf('new', 1))
    await a.handle.invalidate('posts')
    await stored(a)
    expect(pathsOf((await b.ask(path)).text)).toEqual(['/a-1', '/a-2', '/a-3'])
    b.store.heal()
    for (let i = 0; i < 40 && stateOf(b) === 'fresh'; i++) await clock.advance(1_000)
    expect(stateOf(b)).toBe('stale')
    expect(pathsOf((await settle(clock, b.ask(path))).text)).toEqual(['/new-1'])
    expect(source.calls).toBe(2)
  })

  it('made during an outage waits in the outbox', async () => {
    const { source, clock, start } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    a.store.fault('error')
    source.set(entriesOf('new', 1))
    await a.handle.invalidate('posts')
    expect(stateOf(b)).toBe('fresh')
    a.store.heal()
    for (let i = 0; i < 40 && stateOf(b) === 'fresh'; i++) await clock.advance(1_000)
    expect(pathsOf((await settle(clock, b.ask(path))).text)).toEqual(['/new-1'])
  })

  it('during a walk elsewhere: the walk is published stale, and one more follows', async () => {
    const { source, clock, start } = site()
    const gate = createGate<ReturnType<typeof entriesOf>>()
    const [a, b] = [start(), start()]
    await b.warm()
    await stored(b)
    await clock.advance(11 * 60_000)
    source.set(gated(gate))
    void a.ask(path)
    await until(() => source.calls === 2)
    source.set(entriesOf('newer', 1))
    const told = b.handle.invalidate('posts')
    await until(() => (b.store.calls.get('invalidate') ?? 0) >= 2)
    gate.open(entriesOf('between', 1))
    await settle(clock, told)
    expect(pathsOf((await b.ask(path)).text)).toEqual(['/newer-1'])
    expect(source.calls).toBe(3)
  })

  it('with a delay is told when it counts', async () => {
    const { clock, start } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    void a.handle.invalidate('posts', { delay: '5s' })
    await clock.advance(4_000)
    expect(stateOf(b)).toBe('fresh')
    await clock.advance(1_500)
    await until(() => stateOf(b) === 'stale')
  })

  it('of everything reaches every section', async () => {
    const { clock, start } = site(3, { providers: { one: ['/1'], two: ['/2'] } })
    const [a, b] = [start(), start()]
    for (const instance of [a, b]) {
      await settle(clock, instance.ask(path))
      await stored(instance)
    }
    await settle(clock, a.handle.invalidate())
    await until(() => stateOf(b, 'one') === 'stale' && stateOf(b, 'two') === 'stale')
  })
})

describe('a store that is away', () => {
  it.each(['error', 'hang'] as const)('%s: requests go on, and the log says it once', async (fault) => {
    const { source, clock, start } = site()
    const a = start()
    a.store.fault(fault)
    expect((await settle(clock, a.ask(path))).status).toBe(200)
    expect(source.calls).toBe(1)
    for (let i = 0; i < 50; i++) {
      await clock.advance(1_000)
      expect((await a.ask(path)).status).toBe(200)
    }
    expect(a.lines.filter(({ code }) => code === 'LSM_ERR_STORE_FAILED')).toHaveLength(1)
    expect(a.handle.report().store).toEqual({ name: 'memory', state: 'down' })
  })

  it('is asked ever more seldom while it hangs', async () => {
    const { clock, start } = site()
    const a = start()
    a.store.fault('hang')
    await settle(clock, a.ask(path))
    const before = [...a.store.calls.values()].reduce((sum, calls) => sum + calls, 0)
    for (let i = 0; i < 600; i++) await clock.advance(1_000)
    const calls = [...a.store.calls.values()].reduce((sum, calls) => sum + calls, 0) - before
    expect(calls).toBeGreaterThan(10)
    expect(calls).toBeLessThan(80)
  })

  it('is joined again by itself, with what was published meanwhile', async () => {
    const { source, clock, start } = site()
    const a = start()
    a.store.fault('error')
    await a.warm()
    a.store.heal()
    for (let i = 0; i < 40 && a.handle.report().store.state !== 'up'; i++) await clock.advance(1_000)
    await until(() => a.store.keys().some((key) => key.includes(':r:')))
    expect(a.lines.filter(({ level }) => level === 'info')).toHaveLength(1)
    await start().warm()
    expect(source.calls).toBe(1)
  })

  it('that comes back empty is filled from what is published, without a walk', async () => {
    const { source, clock, start } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    a.store.wipe()
    await clock.advance(10_000)
    await until(() => a.store.keys().some((key) => key.includes(':r:')))
    await turns(20)
    expect(stateOf(a)).toBe('fresh')
    await start().warm()
    expect(source.calls).toBe(1)
  })

  it('that is full is read, and the report says so', async () => {
    const { source, clock, start } = site()
    const a = start()
    const full = (): Promise<never> =>
      Promise.reject(
        Object.assign(new Error("OOM command not allowed when used memory > 'maxmemory'"), {
          name: 'ReplyError',
        }),
      )
    Object.assign(a.given, { set: full, setRecord: full })
    await a.warm()
    await until(() => a.handle.report().store.state === 'refusing')
    expect(source.calls).toBe(1)
    const b = start()
    await b.warm()
    await stored(b)
    expect(a.lines.filter(({ code }) => code === 'LSM_ERR_STORE_FAILED')).toHaveLength(1)
    await clock.advance(11 * 60_000)
    await a.warm()
    await until(() => stateOf(a) === 'fresh')
    // A and B at first, as A could store nothing; then one of them.
    expect(source.calls).toBe(3)
    await until(() => a.handle.report().store.state === 'refusing')
  })

  it.each(['lost writes', 'lies'] as const)('%s: every answer is right', async (fault) => {
    const { source, clock, start } = site()
    const a = start()
    await a.warm()
    await stored(a)
    const b = start()
    b.store.fault(fault)
    expect(pathsOf((await settle(clock, b.ask(path))).text)).toEqual(['/a-1', '/a-2', '/a-3'])
    source.set(entriesOf('new', 1))
    await settle(clock, b.handle.invalidate('posts'))
    expect(pathsOf((await b.ask(path)).text)).toEqual(['/new-1'])
  })
})

describe('what a store holds', () => {
  it.each([
    { name: 'a record that is none', spoil: (key: string) => key.includes(':r:') },
    { name: 'a blob of other bytes', spoil: (key: string) => key.includes(':b:') },
  ])('$name is a miss', async ({ spoil }) => {
    const { source, start, store } = site()
    const a = start()
    await a.warm()
    await stored(a)
    for (const key of store.keys()) {
      if (!spoil(key)) continue
      const value = await store.get(key)
      await store.set(key, Buffer.from([...(value ?? [])].reverse()), 60_000)
    }
    const b = start()
    expect(pathsOf((await b.warm()).text)).toEqual(['/a-1', '/a-2', '/a-3'])
    expect(source.calls).toBe(2)
    expect(b.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it.each([
    { name: 'a blob that is gone', gone: ':b:' },
    { name: 'a record that is gone', gone: ':r:' },
  ])('$name is a miss, and is written again', async ({ gone }) => {
    const { source, start, store } = site()
    const a = start()
    await a.warm()
    await stored(a)
    for (const key of store.keys()) if (key.includes(gone)) await store.delete(key)
    const b = start()
    await b.warm()
    await stored(b)
    expect(source.calls).toBe(2)
    await start().warm()
    expect(source.calls).toBe(2)
  })

  it('is renewed by every refresh, an unchanged one too; what nobody names goes', async () => {
    const { source, clock, start, store } = site(3, { cache: { ttl: '1h' } })
    const a = start()
    await a.warm()
    await stored(a)
    const before = store.keys().filter((key) => key.includes(':b:'))
    expect(before.length).toBeGreaterThan(0)
    const renewed = a.store.calls.get('touch') ?? 0
    await clock.advance(3_700_000)
    await a.ask(path)
    await until(() => (a.store.calls.get('touch') ?? 0) > renewed)
    await stored(a)
    source.set(entriesOf('new', 1))
    await a.handle.invalidate('posts')
    await stored(a)
    await clock.advance(61_000)
    const after = store.keys().filter((key) => key.includes(':b:'))
    expect(after.filter((key) => before.includes(key))).toEqual([])
    expect(after.length).toBe(before.length)
  })

  it('takes no larger a share when the same bytes are published by all', async () => {
    const { clock, start, store } = site(200)
    const a = start()
    await a.warm()
    await stored(a)
    const sets = a.store.calls.get('set')
    await clock.advance(11 * 60_000)
    const b = start()
    await b.warm()
    await turns(50)
    expect(sets).toBeGreaterThan(0)
    // Only the note of whose record is newest.
    expect(b.store.calls.get('set') ?? 0).toBeLessThanOrEqual(1)
    expect(store.keys().filter((key) => key.includes(':r:'))).toHaveLength(1)
  })
})

describe('another release', () => {
  it('serves what the one before it stored, while the provider is down, and writes under its own name', async () => {
    const { source, clock, start, store } = site(5)
    const old = start()
    await old.warm()
    await stored(old)
    source.set(throws)
    const next = start({ limit: 2, cache: { version: '2' } })
    const answer = await settle(clock, next.ask(path))
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toContain('max-age=60')
    expect(store.keys().filter((key) => key.includes(':r:'))).toHaveLength(1)
    source.set(entriesOf('b', 3))
    await settle(clock, next.handle.invalidate('posts'))
    await until(() => store.keys().filter((key) => key.includes(':r:')).length === 2)
    // The old release goes on from its own record.
    await stored(next)
    source.set(throws)
    const again = await settle(clock, start().ask(path))
    expect(pathsOf(again.text)).toEqual(entriesOf('a', 5).map(({ loc }) => loc))
  })

  it('reads its own list again, for its functions may be others', async () => {
    const { start } = site()
    const old = start({ providers: { posts: ['/a', '/b'] } })
    const first = await old.warm()
    await stored(old)
    const same = start({ providers: { posts: ['/a', '/b'] } })
    const { headers } = await same.warm()
    expect(headers.etag).toBe(first.headers.etag)
    expect(headers['last-modified']).toBe(first.headers['last-modified'])
    await stored(same)
    const next = start({
      providers: { posts: ['/a', '/b'] },
      transform: (entry) => (JSON.stringify(entry).includes('/b') ? null : entry),
    })
    await next.warm()
    await until(() => next.handle.report().sections.posts?.entries === 1)
  })

  it('with another list serves its own list', async () => {
    const { start } = site()
    const old = start({ providers: { posts: ['/old'] } })
    await old.warm()
    await stored(old)
    const next = start({ providers: { posts: ['/new'] } })
    expect(pathsOf((await next.warm()).text)).toEqual(['/new'])
  })
})

describe('validators', () => {
  it('agree on all instances, whoever walked, of parts and of what joins them', async () => {
    const one = createSource(entriesOf('one', 2))
    const two = createSource(entriesOf('two', 2))
    const { clock, start } = createInstances({ providers: { one: one.entries, two: two.entries }, limit: 3 })
    const [a, b] = [start(), start()]
    const paths = [
      path,
      '/sitemap_index.xml',
      '/sitemap-one-1.xml',
      '/sitemap-two-1.xml',
      '/sitemap.txt',
      '/feed.rss',
      '/sitemap.html',
    ]
    const validators = async (of: Instance): Promise<string[]> =>
      Promise.all(
        paths.map(async (one) => {
          const { status, headers } = await of.ask(one)
          return `${one} ${status} ${headers.etag} ${headers['last-modified']}`
        }),
      )
    await a.warm()
    await stored(a)
    await clock.advance(3_000)
    expect(await validators(b)).toEqual(await validators(a))
    one.set(entriesOf('one', 3))
    await b.handle.invalidate('one')
    await stored(b)
    await settle(clock, a.ask(path))
    await until(() => stateOf(a, 'one') === 'fresh')
    await clock.advance(7_000)
    two.set(entriesOf('two', 1))
    await a.handle.invalidate('two')
    await stored(a)
    await settle(clock, b.ask(path))
    await until(() => stateOf(b, 'two') === 'fresh')
    expect(await validators(b)).toEqual(await validators(a))
    expect([one.calls, two.calls]).toEqual([2, 2])
    expect(await validators(start())).toEqual(await validators(a))
  })
})

describe('a held walk', () => {
  it('is accepted by whichever instance finds it alike for a day', async () => {
    const { source, clock, start } = site(200, { cache: { ttl: '1h' } })
    const a = start()
    await a.warm()
    await stored(a)
    source.set(entriesOf('a', 20))
    await clock.advance(3_700_000)
    await a.ask(path)
    await until(() => stateOf(a) === 'held')
    await turns(20)
    await a.handle.close()
    await clock.advance(24 * 3_600_000)
    const b = start()
    await settle(clock, b.ask(path))
    await until(() => b.handle.report().sections.posts?.entries === 20)
    expect(stateOf(b)).toBe('fresh')
  })
})

describe('a store without leases and state', () => {
  it('serves warm starts; every instance reads for itself', async () => {
    const source = createSource(entriesOf('a', 3))
    const { start } = createInstances({ providers: { posts: source.entries } }, [
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
    ])
    const a = start()
    await a.warm()
    await until(() => a.store.keys().some((key) => key.includes(':r:')))
    const b = start()
    expect(pathsOf((await b.warm()).text)).toEqual(['/a-1', '/a-2', '/a-3'])
    expect(source.calls).toBe(1)
    source.set(entriesOf('new', 1))
    await b.handle.invalidate('posts')
    expect(pathsOf((await b.ask(path)).text)).toEqual(['/new-1'])
    expect(source.calls).toBe(2)
  })
})
