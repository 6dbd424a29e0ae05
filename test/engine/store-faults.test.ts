/** Faults that real servers and processes showed (test/instances), each on a store in memory. */
import { afterEach, expect, it } from 'vitest'
import { createInstances, settle, stored } from '../support/instances.ts'
import { until } from '../support/manual-clock.ts'
import { closeEngines, createSource, entriesOf, hangs, pathsOf, watch } from '../support/site.ts'

afterEach(closeEngines)

const path = '/sitemap.xml'

// A revision of the store's former life was taken for one of its new life, and the first invalidations of that for old.
it('a store that comes back empty: what was invalidated in it before an instance looked is heard', async () => {
  const source = createSource(entriesOf('a', 3))
  const { clock, start } = createInstances({ providers: { posts: source.entries } })
  const [a, b] = [start(), start()]
  await a.warm()
  await settle(clock, a.handle.invalidate('posts'))
  await stored(a)
  await b.warm()
  // Both know the first life up to its last revision.
  await clock.advance(11_000)
  b.store.fault('error')
  a.store.wipe()
  source.set(entriesOf('new', 3))
  await settle(clock, a.handle.invalidate('posts'))
  await stored(a)
  b.store.heal()
  for (let i = 0; i < 30 && b.handle.report().sections.posts?.state === 'fresh'; i++)
    await clock.advance(1_000)
  expect(pathsOf((await settle(clock, b.ask(path))).text)).toEqual(['/new-1', '/new-2', '/new-3'])
})

// The app ends its client when its close has ended: what was on its way then never left, and others waited 15 s for the lease.
it('an instance that closes has given its leases back', async () => {
  const source = createSource(hangs)
  const { clock, start, store } = createInstances({ providers: { posts: source.entries } })
  const a = start()
  void a.ask(path)
  await until(() => source.calls === 1)
  const leases = (): string[] => store.keys().filter((key) => key.endsWith(':l'))
  expect(leases()).toHaveLength(1)
  a.store.fault({ delayMs: 100 }, ['unlock'])
  const closed = watch(a.handle.close())
  await clock.advance(99)
  expect(closed.settled).toBe(false)
  await clock.advance(1)
  await closed.value
  expect(leases()).toEqual([])
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
