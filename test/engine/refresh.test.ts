import { afterEach, describe, expect, it } from 'vitest'
import type { ProviderObject, SectionReport } from '../../src/index.ts'
import { runChild } from '../support/child.ts'
import { turns, until } from '../support/manual-clock.ts'
import {
  type Behaviour,
  closeEngines,
  codeOf,
  createGate,
  createSource,
  createTestEngine,
  entriesOf,
  type Gate,
  hangs,
  hangsForEver,
  pathsOf,
  type Source,
  type TestEngine,
  type TestOptions,
  throws,
  throwsAfter,
  watch,
} from '../support/site.ts'

afterEach(closeEngines)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const GOOD = entriesOf('posts', 3)
const NEW = entriesOf('posts', 4)

type TestEntry = { loc: string; title?: string; content?: string; published?: string }

interface OneSection extends TestEngine {
  readonly source: Source
  posts(): SectionReport
}

type ProviderSettings = Omit<ProviderObject, 'entries'>

/** A site of one section, `posts`, whose provider does what the test says. */
function begin(
  first: Behaviour | readonly TestEntry[],
  settings: ProviderSettings = {},
  options: Partial<TestOptions> = {},
): OneSection {
  const source = createSource(first)
  const site = createTestEngine({
    providers: { posts: { entries: source.entries, ...settings } },
    ...options,
  })
  return { source, ...site, posts: () => site.handle.report().sections.posts as SectionReport }
}

/** From now on calls of the source wait for the gate. */
function holdBack(source: Source): Gate<readonly TestEntry[]> {
  const gate = createGate<readonly TestEntry[]>()
  source.set((() => gate.passed) as Behaviour)
  return gate
}

const countOf = (answer: { readonly text: string }): number => pathsOf(answer.text).length

describe('a section within its ttl', () => {
  it('is not read, and is read once when ttl is over and somebody asks', async () => {
    const { ask, clock, source, posts } = begin(GOOD)
    await ask('/sitemap.xml')
    await clock.advance(10 * MINUTE - 1)
    await ask('/sitemap.xml')
    expect(source.calls).toBe(1)
    expect(posts().state).toBe('fresh')
    await clock.advance(1)
    expect(posts().state).toBe('stale')
    expect(source.calls).toBe(1)
    await ask('/sitemap.xml')
    await ask('/feed.rss')
    await until(() => posts().state === 'fresh')
    expect(source.calls).toBe(2)
  })

  it.each([
    { name: 'the option cache.ttl', settings: {}, options: { cache: { ttl: '30s' as const } } },
    { name: "the provider's own ttl", settings: { ttl: 30 }, options: { cache: { ttl: '1h' as const } } },
  ])('goes by $name', async ({ settings, options }) => {
    const { ask, clock, source } = begin(GOOD, settings, options)
    await ask('/sitemap.xml')
    await clock.advance(29_999)
    await ask('/sitemap.xml')
    expect(source.calls).toBe(1)
    await clock.advance(1)
    await ask('/sitemap.xml')
    expect(source.calls).toBe(2)
  })

  it('is refreshed by a request for any of its documents, and by none of another section', async () => {
    const pages = createSource(entriesOf('pages', 2))
    const posts = createSource(GOOD)
    const { ask, clock } = createTestEngine({
      providers: { pages: pages.entries, posts: { entries: posts.entries, formats: ['xml'] } },
    })
    await ask('/sitemap.xml')
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.html')
    await ask('/sitemap-pages-1.xml')
    expect([pages.calls, posts.calls]).toEqual([2, 1])
    await ask('/sitemap-posts-1.xml')
    expect([pages.calls, posts.calls]).toEqual([2, 2])
  })
})

describe('a request that meets a stale section', () => {
  it('is answered at once from last good while it is stale for less than staleWhileRevalidate', async () => {
    const { ask, clock, source, posts } = begin(GOOD)
    const good = await ask('/sitemap.xml')
    const gate = holdBack(source)
    await clock.advance(20 * MINUTE - 1)
    const answer = watch(ask('/sitemap.xml'))
    await turns()
    expect(answer.settled).toBe(true)
    expect((await answer.value).body).toEqual(good.body)
    expect((await answer.value).headers['cache-control']).toContain('max-age=60')
    expect(source.calls).toBe(2)
    gate.open(NEW)
    await until(() => posts().state === 'fresh')
    const next = await ask('/sitemap.xml')
    expect(countOf(next)).toBe(4)
    expect(next.headers['cache-control']).toContain('max-age=300')
  })

  it.each([
    { name: 'stale for longer', advanceMs: 20 * MINUTE, invalidates: false },
    { name: 'invalidated', advanceMs: MINUTE, invalidates: true },
  ])('$name: waits until cache.wait after the refresh began, and only then gets last good', async (row) => {
    const { ask, clock, source, handle } = begin(GOOD)
    const good = await ask('/sitemap.xml')
    // Rendered now, the answers later wait for nothing but the refresh.
    await ask('/sitemap.txt')
    const gate = holdBack(source)
    await clock.advance(row.advanceMs)
    if (row.invalidates) void handle.invalidate('posts')
    const first = watch(ask('/sitemap.xml'))
    await clock.advance(400)
    // One that comes later waits for what is left of the same second.
    const second = watch(ask('/sitemap.txt'))
    await clock.advance(599)
    expect([first.settled, second.settled]).toEqual([false, false])
    await clock.advance(1)
    expect([first.settled, second.settled]).toEqual([true, true])
    expect((await first.value).body).toEqual(good.body)
    // The second has passed: nobody waits for this refresh any more.
    const third = watch(ask('/sitemap.xml'))
    await turns()
    expect(third.settled).toBe(true)
    expect((await third.value).body).toEqual(good.body)
    expect(source.calls).toBe(2)
    gate.open(NEW)
    await until(() => handle.report().sections.posts?.state === 'fresh')
    expect(countOf(await ask('/sitemap.xml'))).toBe(4)
  })

  it.each([
    { name: 'stale for longer', advanceMs: 20 * MINUTE, invalidates: false },
    { name: 'invalidated', advanceMs: MINUTE, invalidates: true },
  ])('$name: gets the new state where the refresh ends in time', async (row) => {
    const { ask, clock, source, handle } = begin(GOOD)
    await ask('/sitemap.xml')
    const gate = holdBack(source)
    await clock.advance(row.advanceMs)
    if (row.invalidates) void handle.invalidate('posts')
    const answer = watch(ask('/sitemap.xml'))
    await clock.advance(999)
    expect(answer.settled).toBe(false)
    gate.open(NEW)
    expect(countOf(await answer.value)).toBe(4)
    expect((await answer.value).headers['cache-control']).toContain('max-age=300')
  })

  it('asks with the old validators and still waits for the edit: 200, not 304', async () => {
    const { ask, source, handle } = begin(GOOD)
    const good = await ask('/sitemap.xml')
    const gate = holdBack(source)
    void handle.invalidate('posts')
    const answer = watch(ask('/sitemap.xml', { 'if-none-match': good.headers.etag ?? '' }))
    await turns()
    expect(answer.settled).toBe(false)
    gate.open(NEW)
    expect((await answer.value).status).toBe(200)
  })

  it('never waits with cache.wait 0', async () => {
    const { ask, clock, source } = begin(GOOD, {}, { cache: { wait: 0 } })
    await ask('/sitemap.xml')
    holdBack(source)
    await clock.advance(DAY)
    const answer = watch(ask('/sitemap.xml'))
    await turns()
    expect(answer.settled).toBe(true)
  })

  it('waits for a refresh as soon as it is stale with staleWhileRevalidate 0', async () => {
    const { ask, clock, source } = begin(GOOD, {}, { cache: { staleWhileRevalidate: 0 } })
    await ask('/sitemap.xml')
    const gate = holdBack(source)
    await clock.advance(10 * MINUTE)
    const answer = watch(ask('/sitemap.xml'))
    await turns()
    expect(answer.settled).toBe(false)
    gate.open(NEW)
    expect(countOf(await answer.value)).toBe(4)
  })

  it('does not wait while the section backs off, however stale it is', async () => {
    const { ask, clock, source } = begin(GOOD, { retries: 0 })
    await ask('/sitemap.xml')
    source.set(throws)
    await clock.advance(DAY)
    await ask('/sitemap.xml')
    const answer = watch(ask('/sitemap.xml'))
    await turns()
    expect(answer.settled).toBe(true)
    expect((await answer.value).status).toBe(200)
    expect(source.calls).toBe(2)
  })
})

describe('timers', () => {
  const WARM = { warmUp: true } as const

  it('read every section when the server listens', async () => {
    const { engine, source, posts } = begin(GOOD, {}, WARM)
    engine.listening()
    await until(() => posts().state === 'fresh')
    expect(source.calls).toBe(1)
  })

  it('refresh a section in use at its ttl, 10 % more or less', async () => {
    const { engine, ask, clock, source } = begin(GOOD, {}, WARM)
    const instants: number[] = []
    source.set(() => {
      instants.push(clock.now())
      return GOOD
    })
    engine.listening()
    await until(() => instants.length === 1)
    await ask('/sitemap.xml')
    for (let m = 0; m < 300; m++) await clock.advance(MINUTE)
    const gaps = instants.slice(1).map((instant, i) => instant - (instants[i] ?? 0))
    expect(gaps.length).toBeGreaterThanOrEqual(27)
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(9 * MINUTE - 1)
      expect(gap).toBeLessThanOrEqual(11 * MINUTE)
    }
    expect(new Set(gaps).size).toBeGreaterThan(5)
  })

  it('leave a section alone that nobody has asked for within a day', async () => {
    const { engine, ask, clock, source } = begin(GOOD, { ttl: '1h' }, WARM)
    engine.listening()
    await until(() => source.calls === 1)
    await clock.advance(2 * DAY)
    expect(source.calls).toBe(1)
    // One request and it is in use again, for a day.
    await ask('/sitemap.xml')
    for (let h = 0; h < 26; h++) await clock.advance(HOUR)
    const inUse = source.calls
    expect(inUse).toBeGreaterThanOrEqual(22)
    expect(inUse).toBeLessThanOrEqual(29)
    await clock.advance(2 * DAY)
    expect(source.calls).toBe(inUse)
  })

  it('rest 20 times as long as the last walk took', async () => {
    const { engine, ask, clock, source, posts } = begin(GOOD, { timeout: '5m' }, WARM)
    const gate = holdBack(source)
    engine.listening()
    await until(() => source.calls === 1)
    await clock.advance(MINUTE)
    gate.open(GOOD)
    await until(() => posts().state === 'fresh')
    expect(posts().ms).toBe(MINUTE)
    source.set(GOOD)
    await ask('/sitemap.xml')
    await clock.advance(20 * MINUTE - 1_000)
    expect(source.calls).toBe(1)
    await clock.advance(1_000)
    expect(source.calls).toBe(2)
  })

  it('do not exist with warmUp false: requests start refreshes', async () => {
    const { engine, ask, clock, source, posts } = begin(GOOD)
    engine.listening()
    await clock.advance(HOUR)
    expect(source.calls).toBe(0)
    await ask('/sitemap.xml')
    await clock.advance(DAY)
    expect(source.calls).toBe(1)
    expect(clock.waiting).toBe(0)
    await ask('/sitemap.xml')
    await until(() => posts().state === 'fresh')
    expect(source.calls).toBe(2)
  })

  it('do not start before the server listens', async () => {
    const { ask, clock, source } = begin(GOOD, {}, WARM)
    await ask('/sitemap.xml')
    await clock.advance(DAY)
    expect(source.calls).toBe(1)
  })

  it('do not run into a running walk', async () => {
    const { engine, ask, clock, source } = begin(GOOD, { timeout: '1h' }, WARM)
    engine.listening()
    await until(() => source.calls === 1)
    await ask('/sitemap.xml')
    holdBack(source)
    await clock.advance(11 * MINUTE)
    expect(source.calls).toBe(2)
    await clock.advance(15 * MINUTE)
    for (let i = 0; i < 5; i++) await ask('/sitemap.xml')
    expect(source.calls).toBe(2)
  })
})

describe('a list', () => {
  function countedList(count: number) {
    const state = { reads: 0 }
    const list = new Proxy(entriesOf('pages', count), {
      get(target, name) {
        if (name === '0') state.reads++
        return Reflect.get(target, name)
      },
    })
    return { state, list }
  }

  it('is read once, whatever time passes, timers included', async () => {
    const { state, list } = countedList(3)
    const { engine, ask, clock, handle } = createTestEngine({ warmUp: true, providers: { pages: list } })
    engine.listening()
    await until(() => handle.report().ready)
    for (let h = 0; h < 48; h++) {
      const answer = await ask('/sitemap.xml')
      expect(answer.headers['cache-control']).toContain('max-age=300')
      await clock.advance(HOUR)
    }
    expect(state.reads).toBe(1)
    expect(handle.report().sections.pages).toMatchObject({ state: 'fresh', entries: 3 })
    expect(handle.report().sections.pages?.nextAt).toBeUndefined()
  })

  it('is read again by invalidate(), and is never held', async () => {
    const { state, list } = countedList(200)
    const { ask, handle } = createTestEngine({ providers: { pages: list } })
    await ask('/sitemap.xml')
    list.length = 1
    await handle.invalidate('pages')
    expect(state.reads).toBe(2)
    expect(countOf(await ask('/sitemap.xml'))).toBe(1)
  })
})

describe('a version token', () => {
  it('equal to the last one: nothing is read, and the section is fresh for another ttl', async () => {
    let asked = 0
    const version = () => {
      asked++
      return 'v1'
    }
    const { ask, clock, source, posts } = begin(GOOD, { version })
    const good = await ask('/sitemap.xml')
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await until(() => posts().state === 'fresh')
    expect([asked, source.calls]).toEqual([2, 1])
    expect(posts().readAt).toBe(new Date(clock.now()).toISOString())
    expect(posts().nextAt).toBe(new Date(clock.now() + 10 * MINUTE).toISOString())
    await clock.advance(10 * MINUTE - 1)
    expect((await ask('/sitemap.xml')).headers).toEqual(good.headers)
    expect(asked).toBe(2)
  })

  it('that changed: everything is read', async () => {
    let token = 1
    const { ask, clock, source, posts } = begin(GOOD, { version: () => token })
    await ask('/sitemap.xml')
    token = 2
    source.set(NEW)
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await until(() => posts().entries === 4)
    expect(source.calls).toBe(2)
  })

  it.each([
    { name: 'text', token: () => 'v1', calls: 1 },
    { name: 'a number', token: () => 1_700_000_000, calls: 1 },
    { name: 'a promise of a text', token: async () => 'v1', calls: 1 },
    { name: 'a row, equal by its content', token: () => ({ count: 3, max: '2026-01-01' }), calls: 1 },
    { name: 'a Date, equal by its instant', token: () => new Date(5), calls: 1 },
    { name: 'a bigint', token: () => 12n, calls: 1 },
    { name: 'a row with a bigint, as database drivers give counts', token: () => ({ count: 12n }), calls: 1 },
    { name: 'null', token: () => null, calls: 2 },
    { name: 'undefined', token: () => undefined, calls: 2 },
  ])('of the kind: $name, given twice: $calls calls', async ({ token, calls }) => {
    const { ask, clock, source, posts } = begin(GOOD, { version: token })
    await ask('/sitemap.xml')
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await until(() => posts().state !== 'stale')
    expect(posts().state).toBe('fresh')
    expect(source.calls).toBe(calls)
  })

  it('of a kind without JSON form is told apart: a Map that changed is a change', async () => {
    let max = 1
    const { ask, clock, source } = begin(GOOD, { version: () => new Map([['max', max]]) })
    await ask('/sitemap.xml')
    max = 2
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await turns(20)
    expect(source.calls).toBe(2)
  })

  it.each([
    { name: 'invalidate()', read: ({ handle }: TestEngine) => handle.invalidate('posts') },
    { name: 'refresh()', read: ({ handle }: TestEngine) => handle.refresh('posts') },
    { name: 'force', read: ({ handle }: TestEngine) => handle.refresh('posts', { force: true }) },
  ])('is not believed by $name', async ({ read }) => {
    const site = begin(GOOD, { version: () => 'v1' })
    await site.ask('/sitemap.xml')
    site.source.set(NEW)
    await read(site)
    expect(site.source.calls).toBe(2)
    expect(countOf(await site.ask('/sitemap.xml'))).toBe(4)
  })

  it('is not believed longer than 24 hours', async () => {
    const { ask, clock, source, posts } = begin(GOOD, { version: () => 'v1', ttl: '10h' })
    await ask('/sitemap.xml')
    const calls: number[] = []
    for (let i = 0; i < 6; i++) {
      await clock.advance(10 * HOUR)
      await ask('/sitemap.xml')
      await until(() => posts().state === 'fresh')
      calls.push(source.calls)
    }
    // At 10 h and 20 h it is believed, at 30 h not; then 24 hours count anew.
    expect(calls).toEqual([1, 1, 2, 2, 2, 3])
  })

  it('whose version() throws means changed, and is warned of', async () => {
    let fails = false
    const version = () => {
      if (fails) throw new Error('no such column')
      return 'v1'
    }
    const { ask, clock, source, lines, posts } = begin(GOOD, { version })
    await ask('/sitemap.xml')
    fails = true
    source.set(NEW)
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await until(() => posts().entries === 4)
    expect(posts().state).toBe('fresh')
    expect(lines.map(({ code }) => code)).toEqual(['LSM_WARN_VERSION_FAILED'])
  })

  it('that does not come within timeout means changed', async () => {
    let hung = false
    const version = () => (hung ? new Promise(() => {}) : 'v1')
    const { ask, clock, source, posts } = begin(GOOD, { version, timeout: '5s' })
    await ask('/sitemap.xml')
    hung = true
    source.set(NEW)
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await clock.advance(5_000)
    await until(() => posts().entries === 4)
    expect(source.signals.at(-1)?.aborted).toBe(false)
  })

  it('is kept only with the snapshot it led to: after a failed walk the same token is read for', async () => {
    let token = 'v1'
    const { ask, clock, source, posts } = begin(GOOD, { version: () => token, retries: 0 })
    await ask('/sitemap.xml')
    token = 'v2'
    source.set(throws)
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await until(() => posts().state === 'failing')
    source.set(NEW)
    await clock.advance(1_000)
    await ask('/sitemap.xml')
    await until(() => posts().entries === 4)
    expect(source.calls).toBe(3)
  })

  it('is not kept by a held walk', async () => {
    let token = 'v1'
    const { ask, clock, source, posts } = begin(entriesOf('posts', 100), { version: () => token })
    await ask('/sitemap.xml')
    token = 'v2'
    source.set(GOOD)
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await until(() => posts().state === 'held')
    source.set(entriesOf('posts', 101))
    await clock.advance(1_000)
    await ask('/sitemap.xml')
    await until(() => posts().entries === 101)
    expect(source.calls).toBe(3)
  })

  it('that goes back to the published one does not end a hold without a walk', async () => {
    let token = 'v1'
    const { ask, clock, source, posts } = begin(entriesOf('posts', 100), { version: () => token })
    await ask('/sitemap.xml')
    token = 'v2'
    source.set(GOOD)
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await until(() => posts().state === 'held')
    token = 'v1'
    source.set(entriesOf('posts', 100))
    await clock.advance(1_000)
    await ask('/sitemap.xml')
    await until(() => posts().state === 'fresh')
    expect(source.calls).toBe(3)
  })

  it('is asked before the walk, so that a change during the walk is read for the next time', async () => {
    const order: string[] = []
    let token = 'v1'
    const { ask, clock, source, posts } = begin(GOOD, {
      version: () => {
        order.push(`version ${token}`)
        return token
      },
    })
    source.set(() => {
      order.push('entries')
      token = 'v2'
      return GOOD
    })
    await ask('/sitemap.xml')
    source.set(NEW)
    await clock.advance(10 * MINUTE)
    await ask('/sitemap.xml')
    await until(() => posts().entries === 4)
    expect(order).toEqual(['version v1', 'entries', 'version v2'])
  })
})

describe('a refresh', () => {
  // Of equal entries nothing is compressed or stored: the event loop sleeps only where the walk lets it.
  it('leaves the event loop to the app between its slices while nobody waits for it', async () => {
    const { handle } = begin(entriesOf('posts', 30_000))
    await handle.refresh('posts')
    const before = performance.eventLoopUtilization()
    await handle.refresh('posts', { force: true })
    expect(performance.eventLoopUtilization(before).idle).toBeGreaterThan(0)
  })

  it('does not rest while a request waits for it', async () => {
    const { handle, ask, warm } = begin(entriesOf('posts', 30_000))
    await warm()
    const invalidated = handle.invalidate('posts')
    const before = performance.eventLoopUtilization()
    const answer = await ask('/sitemap.xml')
    expect(performance.eventLoopUtilization(before).idle).toBe(0)
    expect(countOf(answer)).toBe(30_000)
    await invalidated
  })
})

describe('retries', () => {
  it('are for walks that failed before their first entry', async () => {
    const { ask, clock, source, posts } = begin((_, call) => {
      if (call < 3) throw new Error('reset by peer')
      return GOOD
    })
    const answer = watch(ask('/sitemap.xml'))
    await clock.advance(1_000)
    await until(() => answer.settled)
    expect((await answer.value).status).toBe(200)
    expect(source.calls).toBe(3)
    expect(posts().lastError).toBeUndefined()
  })

  it('begin anew: nothing of the failed attempt is left', async () => {
    const { ask, clock, source } = begin(async function* (_: unknown, call: number) {
      if (call === 1) throw new Error('reset by peer')
      yield* GOOD
    } as unknown as Behaviour)
    const answer = watch(ask('/sitemap.txt'))
    await clock.advance(1_000)
    await until(() => answer.settled)
    expect(countOf(await answer.value)).toBe(3)
    expect(source.calls).toBe(2)
  })

  it.each([
    { name: 'after the first entry', behaviour: throwsAfter([{ loc: '/x' }]), settings: {}, calls: 1 },
    { name: 'with retries 0', behaviour: throws, settings: { retries: 0 }, calls: 1 },
    { name: 'with retries 4', behaviour: throws, settings: { retries: 4 }, calls: 5 },
  ])('$name: $calls calls', async ({ behaviour, settings, calls }) => {
    const { ask, clock, source, posts } = begin(behaviour, settings)
    const answer = watch(ask('/sitemap.xml'))
    await clock.advance(9_000)
    await until(() => answer.settled)
    expect((await answer.value).status).toBe(503)
    expect(posts().lastError?.failures).toBe(1)
    expect(source.calls).toBe(calls)
  })
})

describe('concurrency', () => {
  it.each([
    { concurrency: undefined, most: 2 },
    { concurrency: 1, most: 1 },
    { concurrency: 3, most: 3 },
  ])('$concurrency: $most walks at once, the others in order', async ({ concurrency, most }) => {
    const started: string[] = []
    const gates = new Map<string, Gate<readonly TestEntry[]>>()
    const provider = (name: string) => () => {
      started.push(name)
      const gate = createGate<readonly TestEntry[]>()
      gates.set(name, gate)
      return gate.passed as Promise<never>
    }
    const names = ['a', 'b', 'c', 'd']
    const { handle } = createTestEngine({
      providers: Object.fromEntries(names.map((name) => [name, provider(name)])),
      ...(concurrency === undefined ? {} : { concurrency }),
    })
    const done = handle.refresh()
    await turns()
    expect(started).toEqual(names.slice(0, most))
    for (const [i, name] of names.entries()) {
      await until(() => gates.has(name))
      expect(started).toHaveLength(Math.min(names.length, most + i))
      gates.get(name)?.open([{ loc: `/${name}` }])
      if (i + most < names.length) await until(() => started.length === most + i + 1)
    }
    await done
    expect(started).toEqual(names)
  })

  it('a hung walk gives its place away when it is given up', async () => {
    const { handle, clock } = createTestEngine({
      concurrency: 1,
      providers: { a: createSource(hangsForEver).entries, b: createSource(GOOD).entries },
    })
    const done = codeOf(handle.refresh())
    await clock.advance(30_000)
    expect(await done).toBe('LSM_ERR_PROVIDER_TIMEOUT')
    expect(handle.report().sections.b?.state).toBe('fresh')
  })
})

describe('an optional provider', () => {
  function beginOptional(behaviour: Behaviour | readonly TestEntry[]) {
    const extra = createSource(behaviour)
    const site = createTestEngine({
      providers: { pages: GOOD, extra: { entries: extra.entries, optional: true, retries: 0 } },
    })
    return { extra, ...site }
  }

  it('that was never read does not hold the others up; the answers say max-age=60', async () => {
    const { ask, handle } = beginOptional(hangs)
    for (const path of ['/sitemap.xml', '/sitemap_index.xml', '/feed.rss', '/sitemap.html', '/sitemap.txt']) {
      const answer = watch(ask(path))
      await turns()
      await until(() => answer.settled)
      expect((await answer.value).status).toBe(200)
      expect((await answer.value).headers['cache-control']).toContain('max-age=60')
    }
    expect(handle.report().ready).toBe(true)
    expect(handle.report().sections.extra?.state).toBe('never')
    expect((await ask('/sitemap-pages-1.xml')).headers['cache-control']).toContain('max-age=300')
  })

  it('enters with its first snapshot', async () => {
    const { ask, extra, handle } = beginOptional(hangs)
    const gate = holdBack(extra)
    const without = await ask('/sitemap.xml')
    expect(countOf(without)).toBe(3)
    gate.open(entriesOf('extra', 2))
    await until(() => handle.report().sections.extra?.state === 'fresh')
    const withIt = await ask('/sitemap.xml')
    expect(countOf(withIt)).toBe(5)
    expect(withIt.headers['cache-control']).toContain('max-age=300')
    expect(withIt.headers.etag).not.toBe(without.headers.etag)
  })

  it('that fails leaves the others complete, and its own part is 503', async () => {
    const { ask, handle } = beginOptional(throws)
    expect((await ask('/sitemap.xml')).status).toBe(200)
    await until(() => handle.report().sections.extra?.state === 'failing')
    const answer = await ask('/sitemap.xml')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toContain('max-age=60')
    expect((await ask('/sitemap-extra-1.xml')).status).toBe(503)
  })

  it('is waited for by a request for its own part', async () => {
    const { ask, extra } = beginOptional(hangs)
    const gate = holdBack(extra)
    const part = watch(ask('/sitemap-extra-1.xml'))
    await turns()
    expect(part.settled).toBe(false)
    gate.open(entriesOf('extra', 2))
    expect(countOf(await part.value)).toBe(2)
  })

  it('beside a required one that is being read waits for the required one alone', async () => {
    const pages = createSource(GOOD)
    const gate = holdBack(pages)
    const { ask } = createTestEngine({
      providers: {
        extra: { entries: createSource(hangs).entries, optional: true },
        pages: pages.entries,
      },
    })
    const answer = watch(ask('/sitemap.xml'))
    await turns()
    expect(answer.settled).toBe(false)
    gate.open(GOOD)
    expect(countOf(await answer.value)).toBe(3)
  })
})

describe('a cold site', () => {
  function beginTwo(options: Partial<TestOptions> = {}) {
    const pages = createSource(entriesOf('pages', 2))
    const posts = createSource(GOOD)
    return {
      pages,
      posts,
      ...createTestEngine({ providers: { pages: pages.entries, posts: posts.entries }, ...options }),
    }
  }

  it.each([
    { deadline: undefined, ms: 10_000 },
    { deadline: '3s' as const, ms: 3_000 },
  ])(
    'deadline $deadline: a composite waits for all sections until then, and is 503 after it',
    async (row) => {
      const { ask, clock, posts } = beginTwo(row.deadline === undefined ? {} : { deadline: row.deadline })
      const gate = holdBack(posts)
      const paths = ['/sitemap.xml', '/sitemap_index.xml', '/feed.rss', '/sitemap.html', '/sitemap.txt']
      const waiting = paths.map((path) => watch(ask(path)))
      await clock.advance(row.ms - 1)
      expect(waiting.map(({ settled }) => settled)).toEqual(paths.map(() => false))
      await clock.advance(1)
      for (const { value } of waiting) {
        const answer = await value
        expect(answer.status).toBe(503)
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
        expect(answer.headers['cache-control']).toBe('no-store')
      }
      // The walks went on: no call more, and the next request has it all.
      gate.open(GOOD)
      const answer = await ask('/sitemap.xml')
      expect(countOf(answer)).toBe(5)
      expect(posts.calls).toBe(1)
    },
  )

  it('is answered as soon as the last section is there', async () => {
    const { ask, clock, posts } = beginTwo()
    const gate = holdBack(posts)
    const answer = watch(ask('/sitemap.xml'))
    await clock.advance(5_000)
    expect(answer.settled).toBe(false)
    gate.open(GOOD)
    expect(countOf(await answer.value)).toBe(5)
  })

  it('answers 503 at once when one section has failed, its retries included, whatever the other does', async () => {
    const { ask, clock, pages, posts } = beginTwo()
    holdBack(pages)
    posts.set(throws)
    const answer = watch(ask('/sitemap.xml'))
    await clock.advance(749)
    expect(answer.settled).toBe(false)
    await clock.advance(1)
    await until(() => answer.settled)
    expect((await answer.value).status).toBe(503)
    // In back-off: no wait at all.
    const next = watch(ask('/sitemap_index.xml'))
    await turns()
    expect(next.settled).toBe(true)
    expect((await next.value).status).toBe(503)
    expect((await next.value).headers['retry-after']).toBe('1')
    expect(posts.calls).toBe(3)
  })

  it('serves the parts of a ready section meanwhile', async () => {
    const { ask, pages, posts } = beginTwo()
    holdBack(posts)
    const index = watch(ask('/sitemap_index.xml'))
    await until(() => pages.calls === 1)
    for (const path of ['/sitemap-pages-1.xml', '/sitemap-pages-1.txt', '/sitemap-pages-1.html']) {
      expect((await ask(path)).status).toBe(200)
    }
    expect((await ask('/sitemap-pages-2.xml')).status).toBe(404)
    expect(index.settled).toBe(false)
  })

  it.each(['/sitemap-posts-1.xml', '/sitemap-posts-7.xml', '/sitemap-posts-1.txt', '/sitemap-posts-1.html'])(
    'a part of a section that was never read waits and is then 503, not 404: %s',
    async (path) => {
      const { ask, clock, posts } = beginTwo()
      const gate = holdBack(posts)
      const part = watch(ask(path))
      await clock.advance(9_999)
      expect(part.settled).toBe(false)
      await clock.advance(1)
      expect((await part.value).status).toBe(503)
      gate.open(GOOD)
      const next = await ask(path)
      expect(next.status).toBe(path.includes('-7') ? 404 : 200)
    },
  )

  it('reads only what the document needs', async () => {
    const { ask, pages, posts } = beginTwo()
    await ask('/sitemap-pages-1.xml')
    expect([pages.calls, posts.calls]).toEqual([1, 0])
  })

  it.each([
    { name: 'a name without a section of ours', path: '/sitemap-nope-1.xml' },
    { name: 'no part', path: '/sitemap-posts.xml' },
    { name: 'part 0', path: '/sitemap-posts-0.xml' },
    { name: 'a leading zero', path: '/sitemap-posts-01.xml' },
    { name: 'a number too many', path: '/sitemap-posts-1-1.xml' },
    { name: 'another ending', path: '/sitemap-posts-1.json' },
    { name: 'another case', path: '/sitemap-Posts-1.xml' },
    { name: 'a name of Object.prototype', path: '/sitemap-constructor-1.xml' },
    { name: 'another document', path: '/robots.txt' },
  ])('answers 404 without a call: $name', async ({ path }) => {
    const { ask, pages, posts } = beginTwo()
    const answer = await ask(path)
    expect(answer.status).toBe(404)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect([pages.calls, posts.calls]).toEqual([0, 0])
  })

  it('answers 404 without a call for a part in a format that its section does not have', async () => {
    const posts = createSource(GOOD)
    const { ask } = createTestEngine({ providers: { posts: { entries: posts.entries, formats: ['xml'] } } })
    for (const path of ['/sitemap-posts-1.txt', '/sitemap-posts-1.html']) {
      expect((await ask(path)).status).toBe(404)
    }
    expect(posts.calls).toBe(0)
  })

  it('reads each provider once for 200 requests at the same time', async () => {
    const { ask, pages, posts } = beginTwo()
    const gate = holdBack(posts)
    const paths = ['/sitemap.xml', '/sitemap_index.xml', '/feed.rss', '/sitemap.html', '/sitemap-posts-1.xml']
    const asked = Array.from({ length: 200 }, (_, i) =>
      ask(paths[i % paths.length] ?? '', { 'accept-encoding': ['br', 'gzip', 'identity'][i % 3] ?? '' }),
    )
    await until(() => posts.calls === 1)
    await turns()
    gate.open(GOOD)
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect([pages.calls, posts.calls]).toEqual([1, 1])
  })
})

describe('an invented path of a stale section', () => {
  it('costs no provider call', async () => {
    const { ask, clock, source } = begin(GOOD)
    await ask('/sitemap.xml')
    await clock.advance(HOUR)
    for (const path of ['/sitemap-posts-2.xml', '/sitemap-posts-999.txt', '/sitemap-posts-2.html']) {
      expect((await ask(path)).status).toBe(404)
    }
    await turns()
    expect(source.calls).toBe(1)
  })

  it('is another thing than a document that is 404 by onEmpty: its section still comes due', async () => {
    const { ask, clock, source, posts } = begin([], {}, { onEmpty: 404 })
    expect((await ask('/sitemap-posts-1.xml')).status).toBe(404)
    source.set(GOOD)
    await clock.advance(HOUR)
    await ask('/sitemap-posts-1.xml')
    await until(() => posts().entries === 3)
    expect((await ask('/sitemap-posts-1.xml')).status).toBe(200)
  })
})

describe('invalidate()', () => {
  it('resolves when the new state is served', async () => {
    const { ask, source, handle } = begin(GOOD)
    await ask('/sitemap.xml')
    source.set(NEW)
    await handle.invalidate('posts')
    const answer = watch(ask('/sitemap.xml'))
    await turns()
    expect(answer.settled).toBe(true)
    expect(countOf(await answer.value)).toBe(4)
    expect((await answer.value).headers['cache-control']).toContain('max-age=300')
  })

  it('reads a section that was never read', async () => {
    const { ask, source, handle } = begin(GOOD)
    await handle.invalidate('posts')
    await ask('/sitemap.xml')
    expect(source.calls).toBe(1)
  })

  it('without a section refreshes all, and rejects where one could not be', async () => {
    const pages = createSource(GOOD)
    const posts = createSource(GOOD)
    const { handle } = createTestEngine({ providers: { pages: pages.entries, posts: posts.entries } })
    await handle.invalidate()
    expect([pages.calls, posts.calls]).toEqual([1, 1])
    posts.set(throwsAfter([{ loc: '/x' }]))
    pages.set(NEW)
    expect(await codeOf(handle.invalidate())).toBe('LSM_ERR_PROVIDER_FAILED')
    expect(handle.report().sections.pages?.entries).toBe(4)
    expect(handle.report().sections.posts).toMatchObject({ state: 'failing', entries: 3 })
  })

  it('during a walk: that walk is published stale, and one more follows, however often it was called', async () => {
    const { ask, source, handle, posts } = begin(GOOD)
    await ask('/sitemap.xml')
    const first = holdBack(source)
    void handle.invalidate('posts')
    await until(() => source.calls === 2)
    const during = [1, 2, 3].map(() => watch(handle.invalidate('posts')))
    const second = createGate<readonly TestEntry[]>()
    source.set((() => second.passed) as Behaviour)
    first.open(NEW)
    await until(() => posts().entries === 4)
    expect(posts().state).toBe('stale')
    await until(() => source.calls === 3)
    expect(during.map(({ settled }) => settled)).toEqual([false, false, false])
    // Whoever waited for the running walk long enough gets what it brought.
    second.open(entriesOf('posts', 5))
    await Promise.all(during.map(({ value }) => value))
    expect(posts()).toMatchObject({ state: 'fresh', entries: 5 })
    await turns(10)
    expect(source.calls).toBe(3)
  })

  it('more often than a walk lasts does not freeze the site: every walk is published', async () => {
    const gates: Gate<readonly TestEntry[]>[] = []
    const { ask, clock, source, handle, posts } = begin(GOOD)
    await ask('/sitemap.xml')
    source.set((() => {
      const gate = createGate<readonly TestEntry[]>()
      gates.push(gate)
      return gate.passed
    }) as Behaviour)
    for (let walk = 0; walk < 6; walk++) {
      // Five invalidations, one a second, while each walk takes five seconds.
      for (let i = 0; i < 5; i++) {
        void handle.invalidate('posts')
        await clock.advance(1_000)
      }
      expect(gates).toHaveLength(walk + 1)
      gates[walk]?.open(entriesOf('posts', 10 + walk))
      await until(() => posts().entries === 10 + walk)
      const answer = watch(ask('/sitemap.xml'))
      await clock.advance(1_000)
      expect(countOf(await answer.value)).toBe(10 + walk)
    }
  })

  it('with a delay starts the refresh after it', async () => {
    const { ask, clock, source, handle } = begin(GOOD)
    await ask('/sitemap.xml')
    source.set(NEW)
    const outcome = watch(handle.invalidate('posts', { delay: '5s' }))
    await clock.advance(4_999)
    expect(source.calls).toBe(1)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    await outcome.value
    expect(source.calls).toBe(2)
    expect(countOf(await ask('/sitemap.xml'))).toBe(4)
  })

  it('with a delay is not run ahead of by a request: the replica it waits for is not read too early', async () => {
    const { ask, clock, source, handle } = begin(GOOD)
    await ask('/sitemap.xml')
    const outcome = watch(handle.invalidate('posts', { delay: '5s' }))
    await clock.advance(1_000)
    const meanwhile = watch(ask('/sitemap.xml'))
    await clock.advance(1_000)
    expect((await meanwhile.value).status).toBe(200)
    // Whatever was read until now, what is published after the delay comes from a walk that began after it.
    await clock.advance(2_999)
    source.set(NEW)
    await clock.advance(1)
    await outcome.value
    expect(countOf(await ask('/sitemap.xml'))).toBe(4)
  })

  it('each delay has a walk after its own end: two replicas may lag behind each other', async () => {
    const { ask, clock, source, handle } = begin(GOOD)
    await ask('/sitemap.xml')
    const first = watch(handle.invalidate('posts', { delay: '5s' }))
    await clock.advance(3_000)
    const second = watch(handle.invalidate('posts', { delay: '5s' }))
    await clock.advance(2_000)
    await first.value
    expect([source.calls, second.settled]).toEqual([2, false])
    source.set(NEW)
    await clock.advance(3_000)
    await second.value
    expect(countOf(await ask('/sitemap.xml'))).toBe(4)
    expect(source.calls).toBe(3)
  })

  it('with a delay that has not passed is refused when the app closes', async () => {
    const { ask, handle } = begin(GOOD)
    await ask('/sitemap.xml')
    const outcome = codeOf(handle.invalidate('posts', { delay: '5s' }))
    await handle.close()
    expect(await outcome).toBe('LSM_ERR_CLOSED')
  })

  it('without waiting, of an invalid delay, throws before anything happens', () => {
    const { source, handle } = begin(GOOD)
    expect(() => handle.invalidate('posts', { delay: 'soon' as '1s' })).toThrow(
      expect.objectContaining({ code: 'LSM_ERR_OPTION_INVALID' }),
    )
    expect(source.calls).toBe(0)
  })

  it('does not crash the process when it fails and nobody awaits it', async () => {
    const { code, out, err } = await runChild(
      new URL('./children/invalidate-not-awaited.ts', import.meta.url),
    )
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ calls: 1, state: 'failing' })
  })

  it.each(['invalidate', 'refresh'] as const)(
    '%s of an unknown section throws and names the known ones',
    (name) => {
      const { handle } = createTestEngine({ providers: { pages: ['/'], posts: ['/1'] } })
      expect(() => handle[name]('psots')).toThrow(/"psots".*pages, posts/)
      expect(() => handle[name]('constructor')).toThrow(
        expect.objectContaining({ code: 'LSM_ERR_SECTION_UNKNOWN' }),
      )
    },
  )
})

describe('a walk that is held', () => {
  it.each([
    { from: 100, to: 50, held: false },
    { from: 100, to: 49, held: true },
    { from: 99, to: 1, held: false },
    { from: 10, to: 1, held: false },
    { from: 10, to: 0, held: true },
    { from: 9, to: 0, held: false },
    { from: 200, to: 60, maxShrink: 0.7, held: false },
    { from: 200, to: 150, maxShrink: 0.2, held: true },
    { from: 200, to: 199, maxShrink: 0, held: true },
    { from: 200, to: 1, maxShrink: 1, held: false },
  ])('$from entries, then $to, maxShrink $maxShrink: held $held', async ({ from, to, maxShrink, held }) => {
    const site = begin(entriesOf('posts', from), maxShrink === undefined ? {} : { maxShrink })
    await site.handle.refresh()
    site.source.set(entriesOf('posts', to))
    expect(await codeOf(site.handle.refresh())).toBe(held ? 'LSM_ERR_WALK_HELD' : undefined)
    expect(site.posts()).toMatchObject({ state: held ? 'held' : 'fresh', entries: held ? from : to })
  })

  it('is accepted by refresh with force, at once, in back-off too', async () => {
    const { ask, source, handle, posts, lines } = begin(entriesOf('posts', 100))
    await handle.refresh()
    source.set(GOOD)
    expect(await codeOf(handle.refresh())).toBe('LSM_ERR_WALK_HELD')
    expect(lines.find(({ code }) => code === 'LSM_ERR_WALK_HELD')?.message).toMatch(
      /3 entries after 100.*force/,
    )
    await handle.refresh('posts', { force: true })
    expect(posts()).toMatchObject({ state: 'fresh', entries: 3 })
    expect(posts().lastError).toBeUndefined()
    expect(countOf(await ask('/sitemap.xml'))).toBe(3)
  })

  it('is accepted when it has come back alike for 24 hours', async () => {
    const { clock, source, handle, posts } = begin(entriesOf('posts', 1_000))
    await handle.refresh()
    for (let hour = 0; hour < 24; hour++) {
      // Within 10 % of the first: alike.
      source.set(entriesOf('posts', [100, 95, 108, 91][hour % 4] ?? 0))
      expect(await codeOf(handle.refresh())).toBe('LSM_ERR_WALK_HELD')
      await clock.advance(HOUR)
    }
    expect(posts()).toMatchObject({ state: 'held', entries: 1_000 })
    source.set(entriesOf('posts', 103))
    await handle.refresh()
    expect(posts()).toMatchObject({ state: 'fresh', entries: 103 })
  })

  it('counts its 24 hours anew where it came back otherwise, or whole', async () => {
    const { clock, source, handle, posts } = begin(entriesOf('posts', 1_000))
    await handle.refresh()
    source.set(entriesOf('posts', 100))
    expect(await codeOf(handle.refresh())).toBe('LSM_ERR_WALK_HELD')
    await clock.advance(23 * HOUR)
    source.set(entriesOf('posts', 120))
    expect(await codeOf(handle.refresh())).toBe('LSM_ERR_WALK_HELD')
    await clock.advance(2 * HOUR)
    expect(await codeOf(handle.refresh())).toBe('LSM_ERR_WALK_HELD')
    await clock.advance(HOUR)
    source.set(entriesOf('posts', 1_000))
    await handle.refresh()
    expect(posts().state).toBe('fresh')
    source.set(entriesOf('posts', 120))
    expect(await codeOf(handle.refresh())).toBe('LSM_ERR_WALK_HELD')
    await clock.advance(23 * HOUR)
    expect(await codeOf(handle.refresh())).toBe('LSM_ERR_WALK_HELD')
  })
})

describe('the same set of entries in another order', () => {
  const LIST = entriesOf('posts', 7)
  const SHUFFLED = [3, 0, 6, 1, 5, 2, 4].map((i) => LIST[i] ?? { loc: '', title: '' })

  it('keeps bytes and validators of every document, and warns once', async () => {
    const { ask, clock, source, handle, lines, posts } = begin(LIST, {}, { limit: 3 })
    const paths = [
      '/sitemap.xml',
      '/sitemap-posts-1.xml',
      '/sitemap-posts-3.xml',
      '/sitemap.html',
      '/feed.rss',
      '/sitemap.txt',
    ]
    const before = await Promise.all(paths.map((path) => ask(path)))
    for (const list of [SHUFFLED, LIST.toReversed(), SHUFFLED]) {
      await clock.advance(MINUTE)
      source.set(list)
      await handle.refresh()
      expect(posts().state).toBe('fresh')
      expect(await Promise.all(paths.map((path) => ask(path)))).toEqual(before)
    }
    const warned = lines.filter(({ code }) => code === 'LSM_WARN_ORDER_CHANGED')
    expect(warned).toHaveLength(1)
    expect(warned[0]?.message).toMatch(/posts.*sort/)
  })

  it.each([
    { name: 'one more', change: (list: TestEntry[]) => [...list, { loc: '/more', title: 'more' }] },
    { name: 'one less', change: (list: TestEntry[]) => list.slice(1) },
    {
      name: 'another title',
      change: (list: TestEntry[]) => list.map((e, i) => (i === 2 ? { ...e, title: 'new' } : e)),
    },
  ])('and $name is published', async ({ change }) => {
    const { ask, source, handle, lines } = begin(LIST)
    const before = await ask('/sitemap.html')
    source.set(change([...SHUFFLED]))
    await handle.refresh()
    expect((await ask('/sitemap.html')).headers.etag).not.toBe(before.headers.etag)
    expect(lines.filter(({ code }) => code === 'LSM_WARN_ORDER_CHANGED')).toEqual([])
  })

  it.each([
    { field: 'content', value: '<p>corrected</p>', shown: 'corrected' },
    { field: 'published', value: '2026-01-02', shown: 'Fri, 02 Jan 2026' },
  ])('and another $field, which only the feed shows, is published', async ({ field, value, shown }) => {
    const { ask, source, handle } = begin(LIST)
    await ask('/feed.rss')
    source.set(SHUFFLED.map((entry, i) => (i === 2 ? { ...entry, [field]: value } : entry)))
    await handle.refresh()
    expect((await ask('/feed.rss')).text).toContain(shown)
  })
})

describe('ready()', () => {
  it('is true when every section has been read, and reads what nobody has asked for', async () => {
    const { handle, source } = begin(GOOD)
    expect(await handle.ready()).toBe(true)
    expect(await handle.ready({ timeout: 0 })).toBe(true)
    expect(source.calls).toBe(1)
  })

  it('is false when time is up', async () => {
    const { handle, clock } = begin(hangs)
    const ready = watch(handle.ready({ timeout: '5s' }))
    await clock.advance(4_999)
    expect(ready.settled).toBe(false)
    await clock.advance(1)
    expect(await ready.value).toBe(false)
  })

  it('tries again what failed, within the rules of back-off, as long as there is time', async () => {
    const { handle, clock, source } = begin(throws, { retries: 0 })
    const ready = watch(handle.ready({ timeout: '20s' }))
    await clock.advance(3_500)
    expect(ready.settled).toBe(false)
    source.set(GOOD)
    await clock.advance(10_000)
    await until(() => ready.settled)
    expect(await ready.value).toBe(true)
  })

  it('does not wait for optional sections', async () => {
    const { handle } = begin(hangs, { optional: true })
    expect(await handle.ready()).toBe(true)
  })

  it.each([{ timeout: 'soon' as '1s' }, { timeout: -1 }])('never rejects: $timeout', async ({ timeout }) => {
    const { handle } = begin(GOOD)
    expect(await handle.ready({ timeout })).toBe(false)
  })

  it('is false after close()', async () => {
    const { handle } = begin(GOOD)
    await handle.close()
    expect(await handle.ready()).toBe(false)
  })
})

describe('links()', () => {
  it('are the elements for the head of a page', () => {
    const { handle } = createTestEngine({
      site: { url: 'https://www.example.com/shop/', title: 'Tom & "Jerry"' },
      providers: { pages: ['/'] },
    })
    expect(handle.links().split('\n')).toEqual([
      '<link rel="sitemap" type="application/xml" href="https://www.example.com/shop/sitemap.xml">',
      '<link rel="alternate" type="application/rss+xml" title="Tom &amp; &quot;Jerry&quot;" href="https://www.example.com/shop/feed.rss">',
      '<link rel="alternate" type="application/xml" title="ROR" href="https://www.example.com/shop/feed.rss">',
    ])
  })

  it('leave out what is not served', () => {
    const { handle } = createTestEngine({
      providers: { pages: ['/'] },
      routes: { sitemap: false, rss: false, index: '/index-of-sitemaps.xml' },
    })
    expect(handle.links()).toBe(
      '<link rel="sitemap" type="application/xml" href="https://www.example.com/index-of-sitemaps.xml">',
    )
  })
})

describe('close()', () => {
  it('lets waiting requests and invalidations go, and ends calls under way', async () => {
    const { ask, source, handle, clock } = begin(hangs)
    const cold = ask('/sitemap.xml')
    const waiting = codeOf(handle.invalidate('posts'))
    await until(() => source.calls === 1)
    await handle.close()
    expect((await cold).status).toBe(503)
    expect(await waiting).toBe('LSM_ERR_CLOSED')
    expect(source.signals[0]?.aborted).toBe(true)
    expect(await codeOf(handle.invalidate('posts'))).toBe('LSM_ERR_CLOSED')
    expect(await codeOf(handle.refresh('posts', { force: true }))).toBe('LSM_ERR_CLOSED')
    expect(source.calls).toBe(1)
    await turns()
    expect(clock.waiting).toBe(0)
  })

  it('does not wait for a provider that ignores its signal, nor for walks in line', async () => {
    const { handle } = createTestEngine({
      concurrency: 1,
      providers: { a: createSource(hangsForEver).entries, b: createSource(hangsForEver).entries },
    })
    const outcome = codeOf(handle.refresh())
    await turns()
    await handle.close()
    expect(await outcome).toBe('LSM_ERR_CLOSED')
  })

  it('leaves no timer behind', async () => {
    const { engine, handle, clock, ask, source } = begin(GOOD, {}, { warmUp: true })
    engine.listening()
    await until(() => source.calls === 1)
    await ask('/sitemap.xml')
    await turns()
    expect(clock.waiting).toBeGreaterThan(0)
    await handle.close()
    await handle.close()
    expect(clock.waiting).toBe(0)
    await clock.advance(DAY)
    expect(source.calls).toBe(1)
  })

  it('is not an error of ours to a request that comes after it', async () => {
    const { ask, handle, lines } = begin(GOOD)
    await ask('/sitemap.xml')
    await handle.close()
    for (const path of ['/sitemap.xml', '/sitemap.html', '/sitemap-posts-1.xml', '/feed.rss']) {
      const answer = await ask(path, { 'accept-encoding': 'br' })
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBeDefined()
    }
    expect(lines).toEqual([])
  })
})
