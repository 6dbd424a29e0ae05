import { afterEach, describe, expect, it } from 'vitest'
import type { StoreState } from '../../src/cache/store.ts'
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

/** What a store, or its end, did to an instance once. */

afterEach(closeEngines)

const path = '/sitemap.xml'

function site(count = 3, more: Partial<TestOptions> = {}) {
  const source = createSource(entriesOf('a', count))
  return { source, ...createInstances({ providers: { posts: source.entries }, ...more }) }
}

function stateOf({ handle }: Instance, section = 'posts'): string | undefined {
  return handle.report().sections[section]?.state
}

/** Whether the store holds a lease. */
function isLeased(store: { keys(): readonly string[] }): boolean {
  return store.keys().some((key) => key.endsWith(':l'))
}

async function pathsNow(of: Instance, document = path): Promise<string[]> {
  return pathsOf((await of.ask(document)).text)
}

describe('a new life of the store', () => {
  it('counts anew: what it noted below the revision known before is heard', async () => {
    const { source, clock, start, store } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    for (let i = 0; i < 10; i++) await store.invalidate(['elsewhere'])
    await clock.advance(10_500)
    store.wipe()
    source.set(entriesOf('new', 1))
    await settle(clock, a.handle.invalidate('posts'))
    await stored(a)
    await clock.advance(10_500)
    await until(() => stateOf(b) === 'stale')
    expect(pathsOf((await settle(clock, b.ask(path))).text)).toEqual(['/new-1'])
  })

  it('is not kept out by a record of the life before, written when that had ended', async () => {
    const { source, clock, start, store } = site()
    for (let i = 0; i < 10; i++) await store.invalidate(['elsewhere'])
    const gate = createGate<ReturnType<typeof entriesOf>>()
    source.set(gated(gate))
    const a = start()
    const asked = a.ask(path)
    await until(() => source.calls === 1)
    store.wipe()
    gate.open(entriesOf('before', 1))
    await asked
    await until(() => store.keys().some((key) => key.includes(':r:')))
    source.set(entriesOf('new', 1))
    const b = start()
    await settle(clock, b.handle.refresh('posts'))
    await stored(b)
    await turns(20)
    source.set(throws)
    expect(await pathsNow(start())).toEqual(['/new-1'])
    expect(await pathsNow(b)).toEqual(['/new-1'])
  })

  it('is filled with the newest of what the instances have', async () => {
    const { source, clock, start, store } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    a.store.fault('error')
    source.set(entriesOf('new', 1))
    await clock.advance(1_000)
    await settle(clock, b.handle.invalidate('posts'))
    await stored(b)
    store.wipe()
    await clock.advance(10_500)
    await until(() => store.keys().some((key) => key.includes(':r:')))
    a.store.heal()
    for (let i = 0; i < 40 && a.handle.report().store.state !== 'up'; i++) await clock.advance(1_000)
    await turns(50)
    source.set(throws)
    expect(await pathsNow(start())).toEqual(['/new-1'])
  })
})

describe('an invalidation', () => {
  it('made again while the first is being told is told again', async () => {
    const { start, store } = site()
    const a = start()
    await a.warm()
    await stored(a)
    const told = createGate<number>()
    let calls = 0
    Object.assign(a.given, {
      invalidate: async (tags: readonly string[]) => {
        if (tags.length === 0) return store.invalidate(tags)
        calls++
        const at = await store.invalidate(tags)
        if (calls === 1) await told.passed
        return at
      },
    })
    a.handle.invalidate('posts').catch(() => {})
    await until(() => calls === 1)
    a.handle.invalidate('posts').catch(() => {})
    told.open(0)
    await until(() => calls === 2)
  })
})

describe('a store that tells nonsense', () => {
  const told: { name: string; state: unknown }[] = [
    { name: 'nothing', state: undefined },
    { name: 'a revision that is no number', state: { epoch: '1', rev: Number.NaN, tags: new Map() } },
    { name: 'a revision past all', state: { epoch: '1', rev: Number.POSITIVE_INFINITY, tags: new Map() } },
    { name: 'tags of no revision', state: { epoch: '1', rev: 1, tags: new Map([['*', 'x']]) } },
    {
      name: 'tags past all',
      state: { epoch: '1', rev: 1, tags: new Map([['*', Number.POSITIVE_INFINITY]]) },
    },
    {
      name: 'a floor past all',
      state: { epoch: '1', rev: 1, floor: Number.POSITIVE_INFINITY, tags: new Map() },
    },
  ]

  it.each(told)('for a state, $name: it is heard again once it is well', async ({ state }) => {
    const { source, clock, start } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    const { state: honest } = b.given
    Object.assign(b.given, { state: async () => state as StoreState })
    await b.warm()
    await clock.advance(10_500)
    expect(source.calls).toBeLessThanOrEqual(2)
    Object.assign(b.given, { state: honest })
    await clock.advance(10_500)
    const calls = source.calls
    expect((await settle(clock, b.ask(path))).status).toBe(200)
    await turns(20)
    expect(source.calls - calls).toBeLessThanOrEqual(1)
    source.set(entriesOf('new', 1))
    await settle(clock, a.handle.invalidate('posts'))
    await stored(a)
    await clock.advance(10_500)
    await settle(clock, b.ask(path))
    expect(await pathsNow(b)).toEqual(['/new-1'])
  })

  it.each([
    { name: 'an OK in place of true', lock: async () => 'OK' },
    { name: 'nothing', lock: async () => undefined },
    { name: 'no promise', lock: () => true },
    {
      name: 'an exception',
      lock: () => {
        throw new Error('no lock')
      },
    },
  ])('for a lease, $name: the instance reads for itself', async ({ lock }) => {
    const { source, clock, start } = site()
    const a = start()
    Object.assign(a.given, { lock })
    expect((await settle(clock, a.ask(path))).status).toBe(200)
    expect(source.calls).toBe(1)
  })

  it('says for ever that another holds the lease: an instance reads in the end', async () => {
    const { source, clock, start } = site(3, { walkTimeout: '1m' })
    const a = start()
    Object.assign(a.given, { lock: async () => false })
    expect((await settle(clock, a.ask(path))).status).toBe(503)
    for (let i = 0; i < 40 && source.calls === 0; i++) await clock.advance(5_000)
    expect((await settle(clock, a.ask(path))).status).toBe(200)
  })

  it('keeps values without a promise, as a Map does', async () => {
    const { source, clock, start } = site()
    const values = new Map<string, Uint8Array>()
    const given = {
      name: 'map',
      get: (key: string) => values.get(key),
      set: (key: string, value: Uint8Array) => void values.set(key, value),
      delete: (key: string) => void values.delete(key),
    }
    const a = start()
    for (const name of Object.keys(a.given)) if (name !== 'name') Reflect.deleteProperty(a.given, name)
    Object.assign(a.given, given)
    await a.warm()
    await until(() => [...values.keys()].some((key) => key.includes(':r:')))
    const b = start()
    for (const name of Object.keys(b.given)) if (name !== 'name') Reflect.deleteProperty(b.given, name)
    Object.assign(b.given, given)
    expect((await settle(clock, b.ask(path))).status).toBe(200)
    expect(source.calls).toBe(1)
  })
})

describe('a subscription', () => {
  it('that takes longer than a call is made once, and ended once', async () => {
    const { clock, start } = site()
    const a = start()
    let made = 0
    let ended = 0
    Object.assign(a.given, {
      subscribe: () => {
        made++
        return new Promise((resolve) => clock.after(5_000, () => resolve(() => ended++)))
      },
    })
    await a.warm()
    for (let i = 0; i < 10; i++) await clock.advance(10_000)
    expect(made).toBe(1)
    await a.handle.close()
    await turns()
    expect(ended).toBe(1)
  })

  it.each([
    {
      name: 'throws',
      end: () => {
        throw new Error('no end')
      },
    },
    { name: 'rejects', end: () => Promise.reject(new Error('no end')) },
  ])('whose end $name harms nothing', async ({ end }) => {
    const { start } = site()
    const a = start()
    Object.assign(a.given, { subscribe: async () => end })
    await a.warm()
    await stored(a)
    await turns(20)
    await a.handle.close()
    await turns()
  })
})

describe('a lease', () => {
  it('is given back by one that closes while it stores', async () => {
    const { start, store } = site()
    const a = start()
    a.store.fault('hang', ['touch'])
    await a.warm()
    await until(() => isLeased(store))
    await a.handle.close()
    await until(() => !isLeased(store), 'the lease to be given back')
  })

  it('is given back by one that closes while it asks for it', async () => {
    const { start, store } = site()
    const a = start()
    const { lock } = a.store
    const late = createGate()
    Object.assign(a.given, {
      lock: async (...given: Parameters<typeof lock>) => {
        await late.passed
        return lock(...given)
      },
    })
    void a.ask(path)
    await turns(20)
    await a.handle.close()
    late.open()
    await until(() => (a.store.calls.get('lock') ?? 0) > 0)
    await until(() => !isLeased(store), 'the lease to be given back')
  })

  it('that was answered too late is given back', async () => {
    const { clock, start, store } = site()
    const a = start()
    a.store.fault({ delayMs: 400 }, ['lock'])
    expect((await settle(clock, a.ask(path))).status).toBe(200)
    await clock.advance(1_000)
    await until(() => !isLeased(store), 'the lease to be given back')
  })
})

describe('another release', () => {
  it('cuts the same entries its own way', async () => {
    const { source, clock, start } = site(5)
    const old = start()
    await old.warm()
    await stored(old)
    const next = start({ limit: 2 })
    await settle(clock, next.ask(path))
    await until(() => next.handle.report().sections.posts?.parts === 3)
    expect(source.calls).toBe(2)
    expect(next.lines.filter(({ code }) => code === 'LSM_WARN_ORDER_CHANGED')).toEqual([])
    expect(await pathsNow(next, '/sitemap-posts-3.xml')).toEqual(['/a-5'])
  })

  it('reads for itself, whatever the version token says', async () => {
    const source = createSource(entriesOf('a', 5))
    const { clock, start } = createInstances({
      providers: { posts: { entries: source.entries, version: () => 'v1' } },
    })
    const old = start()
    await old.warm()
    await stored(old)
    const next = start({ limit: 2 })
    await settle(clock, next.ask(path))
    await until(() => next.handle.report().sections.posts?.parts === 3)
    expect(source.calls).toBe(2)
  })

  it('does not pass what it took over off as its own', async () => {
    const { source, clock, start, store } = site(5)
    const old = start()
    await old.warm()
    await stored(old)
    source.set(throws)
    const next = start({ limit: 2 })
    await settle(clock, next.ask(path))
    store.wipe()
    await old.handle.close()
    await clock.advance(11_000)
    await turns(50)
    expect(store.keys().filter((key) => key.includes(':r:'))).toEqual([])
  })

  it('that went on storing for a while leaves no record for months', async () => {
    const { source, clock, start, store } = site(5)
    const old = start()
    await old.warm()
    await stored(old)
    const next = start({ limit: 2 })
    await settle(clock, next.ask(path))
    await until(() => next.handle.report().sections.posts?.parts === 3)
    await stored(next)
    source.set(entriesOf('a', 6))
    await settle(clock, old.handle.invalidate('posts'))
    await stored(old)
    await old.handle.close()
    await settle(clock, next.ask(path))
    await until(() => next.handle.report().sections.posts?.entries === 6)
    await stored(next)
    await turns(20)
    await clock.advance(2 * 86_400_000)
    expect(store.keys().filter((key) => key.includes(':r:'))).toHaveLength(1)
  })
})

describe('what is taken over', () => {
  it('is never older than what was read here while the store was away', async () => {
    const { source, clock, start } = site()
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    b.store.fault('error')
    source.set(entriesOf('new', 1))
    await settle(clock, a.handle.invalidate('posts'))
    await stored(a)
    await clock.advance(5_000)
    source.set(entriesOf('newer', 1))
    await settle(clock, b.handle.refresh('posts'))
    expect(await pathsNow(b)).toEqual(['/newer-1'])
    b.store.heal()
    source.set(hangs)
    for (let i = 0; i < 40 && stateOf(b) === 'fresh'; i++) await clock.advance(1_000)
    expect(pathsOf((await settle(clock, b.ask(path))).text)).toEqual(['/newer-1'])
  })

  it('ends a walk of ours that was held', async () => {
    const { source, clock, start } = site(200)
    const [a, b] = [start(), start()]
    await a.warm()
    await stored(a)
    await b.warm()
    source.set(entriesOf('a', 20))
    await settle(
      clock,
      a.handle.invalidate('posts').catch(() => {}),
    )
    expect(stateOf(a)).toBe('held')
    await settle(clock, b.handle.refresh('posts', { force: true }))
    await stored(b)
    await clock.advance(3_000)
    await settle(clock, a.ask(path))
    await until(() => a.handle.report().sections.posts?.entries === 20)
    expect([stateOf(a), source.calls]).toEqual(['fresh', 3])
  })

  it('says since when of every part, however many there are', async () => {
    const { clock, start } = site(1_100, { limit: 1, routes: { html: false } })
    const a = start()
    const document = '/sitemap-posts-1.xml'
    const first = await a.ask(document)
    await stored(a)
    await clock.advance(11 * 60_000)
    await a.ask(document)
    await until(() => stateOf(a) === 'fresh')
    await stored(a)
    const second = await settle(clock, start().ask(document))
    expect(second.headers['last-modified']).toBe(first.headers['last-modified'])
  })

  it('is no longer believed for the clock of the other being ahead', async () => {
    const { clock, source, start } = site()
    const a = start()
    await a.warm()
    await stored(a)
    // As if it had been stored tomorrow.
    await clock.advance(-86_400_000)
    const b = start()
    await b.warm()
    await clock.advance(12 * 60_000)
    await settle(clock, b.ask(path))
    await until(() => source.calls === 2)
  })
})

describe('a breaker', () => {
  it('opens for half a second, however many calls fail together', async () => {
    const providers = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}`, () => [`/s${i}`]]))
    const { clock, start } = createInstances({ providers })
    const a = start()
    await a.warm()
    await stored(a)
    a.store.fault('hang')
    for (const name of Object.keys(providers)) a.handle.invalidate(name).catch(() => {})
    await clock.advance(600)
    expect(a.handle.report().store.state).toBe('down')
    a.store.heal()
    await clock.advance(600)
    const calls = a.store.calls.get('get') ?? 0
    await settle(clock, a.handle.invalidate('s1'))
    expect(a.store.calls.get('get') ?? 0).toBeGreaterThan(calls)
  })
})

describe('closing', () => {
  it.each(['get', 'lock', 'setRecord', 'touch', 'state', 'subscribe'] as const)(
    'while %s hangs takes no time, and keeps nothing',
    async (method) => {
      const { clock, start, source } = site()
      const a = start()
      a.store.fault('hang', [method])
      const asked = watch(a.ask(path))
      await turns(20)
      if (method === 'get') source.set(hangs)
      await a.handle.close()
      await settle(clock, asked.value)
      await until(() => a.handle.report().memory.used === 0, 'memory to be let go')
      a.store.heal()
      await turns(20)
      expect(a.handle.report().memory.used).toBe(0)
      await until(() => clock.waiting === 0, 'timers to end')
    },
  )

  it('while a walk is under way gives its lease back', async () => {
    const { start, source, store } = site()
    const gate = createGate<ReturnType<typeof entriesOf>>()
    source.set(gated(gate))
    const a = start()
    void a.ask(path)
    await until(() => source.calls === 1)
    await a.handle.close()
    await until(() => !isLeased(store))
    gate.open(entriesOf('a', 2))
    await turns(20)
    expect(a.handle.report().memory.used).toBe(0)
  })
})

// On a busy machine an answer is late now and then: taken for a store that gives no leases, it made two instances walk.
it('one answer that comes too late costs no walk', async () => {
  const source = createSource(hangs)
  const { clock, start } = createInstances({ providers: { posts: source.entries } })
  const [a, b] = [start(), start()]
  void a.ask(path)
  await until(() => source.calls === 1)
  const { lock } = b.store
  let asked = 0
  Object.assign(b.given, {
    lock: (...args: Parameters<typeof lock>) => (asked++ === 0 ? new Promise(() => {}) : lock(...args)),
  })
  const answer = watch(b.ask(path))
  for (let i = 0; i < 40; i++) await clock.advance(100)
  expect(source.calls).toBe(1)
  expect(asked).toBeGreaterThan(1)
  for (let i = 0; i < 70 && !answer.settled; i++) await clock.advance(100)
  expect((await answer.value).status).toBe(503)
})
