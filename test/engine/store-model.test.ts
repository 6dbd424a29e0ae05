import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { CommonOptions, Entries, ProviderContext } from '../../src/index.ts'
import { createInstances, type Instance, type Instances } from '../support/instances.ts'
import { turns, until } from '../support/manual-clock.ts'
import type { StoreFault } from '../support/memory-store.ts'
import { type Answer, closeEngines, pathsOf, type TestOptions, watch } from '../support/site.ts'

/**
 * Instances on one store under any sequence of changes and faults: whatever happens, an answer is a state of the source
 * that once was complete; and once all is well again, all of them serve the latest, with the same validators, and read
 * no more often than they must.
 */

afterEach(closeEngines)

const TTL_MS = 60_000
const DEADLINE_MS = 2_000
const IDENTITY = { 'accept-encoding': 'identity' }
const SECTIONS = ['plain', 'token', 'goods'] as const
const IDS = ['a', 'b'] as const
/** What has a state of its own in the source. */
const SUBJECTS = ['plain', 'token', 'goods-a', 'goods-b'] as const
const PATHS = SUBJECTS.map((subject) => `/sitemap-${subject}-1.xml`)
/** Asking for it is what keeps the list of partitions up to date. */
const INDEX = '/sitemap_index.xml'
const MODES = ['well', 'fails', 'breaks', 'hangs', 'slow'] as const
const RELEASES: readonly Partial<TestOptions>[] = [{}, { limit: 3 }, { cache: { version: '2' } }]
const FAULTS: readonly StoreFault[] = ['error', 'hang', 'lost writes', { delayMs: 100 }, { delayMs: 400 }]

type Subject = (typeof SUBJECTS)[number]
type Section = (typeof SECTIONS)[number]

type Step =
  | { readonly type: 'ask'; readonly at: number; readonly path: number; readonly isAwaited: boolean }
  | { readonly type: 'change'; readonly subject: number }
  | {
      readonly type: 'invalidate'
      readonly at: number
      readonly section: number
      readonly isPartition: boolean
      readonly delay: number
    }
  | { readonly type: 'provider'; readonly section: number; readonly mode: number }
  | { readonly type: 'fault'; readonly at: number; readonly kind: number }
  | { readonly type: 'heal'; readonly at: number }
  | { readonly type: 'wipe' }
  | { readonly type: 'close'; readonly at: number }
  | { readonly type: 'start'; readonly release: number }
  | { readonly type: 'pass'; readonly ms: number }

const any = fc.nat({ max: 11 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant('ask' as const),
        at: any,
        path: any,
        isAwaited: fc.boolean(),
      }),
    },
    { weight: 4, arbitrary: fc.record({ type: fc.constant('change' as const), subject: any }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('invalidate' as const),
        at: any,
        section: any,
        isPartition: fc.boolean(),
        delay: fc.constantFrom(0, 0, 0, 3),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('provider' as const), section: any, mode: any }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('fault' as const), at: any, kind: any }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('heal' as const), at: any }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('wipe' as const) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('close' as const), at: any }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('start' as const), release: any }) },
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('pass' as const),
        ms: fc.constantFrom(10, 100, 400, 1_500, 11_000, 20_000, 70_000),
      }),
    },
  ),
  { minLength: 5, maxLength: 30 },
)

function pick<T>(list: readonly T[], at: number): T {
  return list[at % list.length] as T
}

/** The data behind the site: each subject is in one state after the other, and tells which by its entries. */
function createData(instances: () => Instances) {
  const state = new Map<Subject, number>(SUBJECTS.map((subject) => [subject, 0]))
  const modes = new Map<Section, (typeof MODES)[number]>()
  const calls: string[] = []
  const of = (subject: Subject): number => state.get(subject) ?? 0
  const entriesOf = (subject: Subject, at = of(subject)): string[] =>
    Array.from({ length: 1 + ((at * 7) % 5) }, (_, i) => `/${subject}/${at}/${i}`)

  async function behave(section: Section, { signal }: ProviderContext): Promise<void> {
    const mode = modes.get(section) ?? 'well'
    if (mode === 'fails') throw new Error('the source is away')
    if (mode === 'hangs')
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    if (mode === 'slow') await new Promise<void>((resolve) => instances().clock.after(700, resolve))
  }

  async function* read(section: Section, subject: Subject, context: ProviderContext): AsyncGenerator<string> {
    calls.push(subject)
    const entries = entriesOf(subject)
    await behave(section, context)
    for (const entry of entries) {
      yield entry
      if (modes.get(section) === 'breaks') throw new Error('the cursor is lost')
    }
  }

  const providers = {
    plain: (context: ProviderContext) => read('plain', 'plain', context) as unknown as Entries,
    token: {
      entries: (context: ProviderContext) => read('token', 'token', context) as unknown as Entries,
      version: async (context: ProviderContext) => {
        const now = of('token')
        await behave('token', context)
        return now
      },
    },
    goods: {
      partitions: async (context: ProviderContext) => {
        calls.push('goods')
        const list = IDS.map((id) => ({ id, version: String(of(`goods-${id}`)) }))
        await behave('goods', context)
        return list
      },
      entries: (context: ProviderContext & { readonly partition: { readonly id: string } }) =>
        read('goods', `goods-${context.partition.id}` as Subject, context) as unknown as Entries,
    },
  } as unknown as CommonOptions['providers']
  return {
    providers,
    calls,
    entriesOf,
    of,
    change: (subject: Subject) => state.set(subject, of(subject) + 1),
    mode: (section: Section, mode: (typeof MODES)[number]) => modes.set(section, mode),
    recover: () => modes.clear(),
  }
}

/** An instance, and what it has said. */
interface Running extends Instance {
  readonly release: number
  readonly said: Map<string, Answer>
}

/** `hasTimers`: the server listens, and what is in use is kept fresh. */
async function play(sequence: readonly Step[], hasTimers: boolean): Promise<void> {
  const data = createData(() => instances)
  const options: TestOptions = {
    providers: data.providers,
    retries: 0,
    timeout: '3s',
    deadline: DEADLINE_MS / 1_000,
    cache: { ttl: TTL_MS / 1_000 },
    warmUp: hasTimers,
  }
  const instances: Instances = createInstances(options)
  const { clock, store } = instances
  const bodies = new Map<string, string>()
  const tags = new Map<string, string>()
  const under = new Set<Promise<unknown>>()
  const alive: Running[] = []

  function start(release: number): void {
    const more = RELEASES[release] ?? {}
    const cache = { ...options.cache, ...more.cache }
    const one = instances.start({ ...more, cache })
    if (hasTimers) one.engine.listening()
    alive.push({ ...one, release, said: new Map() })
  }

  /** What must hold of any answer. */
  function check(one: Running, path: string, answer: Answer): void {
    const { status, headers, text } = answer
    if (status === 503) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(headers['cache-control']).toBe('no-store')
      return
    }
    expect([path, status]).toEqual([path, 200])
    if (path === INDEX) {
      expect(pathsOf(text)).toEqual(expect.arrayContaining(PATHS))
      return
    }
    const subject = SUBJECTS[PATHS.indexOf(path)] as Subject
    // What another release cut serves as last good.
    const states = Array.from({ length: data.of(subject) + 1 }, (_, at) =>
      RELEASES.map(({ limit }) => data.entriesOf(subject, at).slice(0, limit).join()),
    )
    expect(states.flat()).toContain(pathsOf(text).join())
    const etag = String(headers.etag)
    expect(bodies.get(etag) ?? text, 'one ETag, one content').toBe(text)
    expect(tags.get(path + text) ?? etag, 'one content, one ETag').toBe(etag)
    bodies.set(etag, text)
    tags.set(path + text, etag)
    const before = one.said.get(path)
    if (before !== undefined) {
      const [was, is] = [before, answer].map(({ headers }) => Date.parse(String(headers['last-modified'])))
      expect(is, 'Last-Modified goes back').toBeGreaterThanOrEqual(was ?? 0)
    }
    one.said.set(path, answer)
  }

  async function ask(one: Running, path: string): Promise<void> {
    const askedMs = clock.now()
    const answer = await one.ask(path, IDENTITY)
    // A clock that moves in steps: one of them past the deadline.
    expect(clock.now() - askedMs, 'an answer came late').toBeLessThanOrEqual(DEADLINE_MS + 1_500)
    check(one, path, answer)
  }

  function track(promise: Promise<unknown>): void {
    under.add(promise)
    promise.then(
      () => under.delete(promise),
      () => {},
    )
  }

  /** Lets time pass until a promise settles; zlib has its own. */
  async function settled<T>(promise: Promise<T>): Promise<T> {
    const watched = watch(promise)
    for (let i = 0; !watched.settled; i++) {
      if (i > 200) throw new Error('a request is never answered')
      const endMs = performance.now() + 3
      while (!watched.settled && performance.now() < endMs) await turns(2)
      if (!watched.settled) await clock.advance(100)
    }
    return watched.value
  }

  async function take(step: Step): Promise<void> {
    const one = 'at' in step ? pick(alive, step.at) : undefined
    switch (step.type) {
      case 'ask': {
        if (one === undefined) return
        const asked = ask(one, pick([INDEX, ...PATHS], step.path))
        if (step.isAwaited) await settled(asked)
        else track(asked)
        return
      }
      case 'change':
        data.change(pick(SUBJECTS, step.subject))
        return
      case 'invalidate': {
        const section = pick([undefined, ...SECTIONS], step.section)
        const partition = section === 'goods' && step.isPartition ? pick(IDS, step.at) : undefined
        one?.handle
          .invalidate(section, {
            delay: step.delay,
            ...(partition === undefined ? {} : { partition }),
          })
          .catch(() => {})
        return
      }
      case 'provider':
        data.mode(pick(SECTIONS, step.section), pick(MODES, step.mode))
        return
      case 'fault':
        one?.store.fault(pick(FAULTS, step.kind))
        return
      case 'heal':
        one?.store.heal()
        return
      case 'wipe':
        store.wipe()
        return
      case 'close':
        if (alive.length < 2 || one === undefined) return
        alive.splice(alive.indexOf(one), 1)
        await closed(one)
        return
      case 'start':
        if (alive.length < 4) start(step.release % RELEASES.length)
        return
      case 'pass':
        await clock.advance(step.ms)
    }
  }

  async function closed(one: Running): Promise<void> {
    await one.handle.close()
    // What was under way lets go of what it held.
    await until(() => one.handle.report().memory.used === 0, 'memory to be let go')
  }

  async function askAll(): Promise<void> {
    for (const path of [INDEX, ...PATHS]) for (const one of alive) await settled(ask(one, path))
  }

  const isLatest = (): boolean =>
    alive.every(({ said, release }) =>
      SUBJECTS.every((subject, i) => {
        const limit = RELEASES[release]?.limit ?? Number.POSITIVE_INFINITY
        const latest = data.entriesOf(subject).slice(0, limit).join()
        return pathsOf(said.get(PATHS[i] ?? '')?.text ?? '').join() === latest
      }),
    )

  /** Validators of each document, by release: one where the instances agree. */
  const validators = (): string[][] =>
    [...new Set(alive.map(({ release }) => release))].flatMap((release) =>
      PATHS.map((path) => [
        ...new Set(
          alive
            .filter((one) => one.release === release)
            .map(({ said }) => {
              const headers = said.get(path)?.headers
              return `${path} ${headers?.etag} ${headers?.['last-modified']}`
            }),
        ),
      ]),
    )

  start(0)
  start(0)
  for (const step of sequence) {
    await take(step)
    for (const { handle } of alive) expect(handle.report().memory.used).toBeGreaterThanOrEqual(0)
  }

  // All is well again.
  data.recover()
  for (const one of alive) one.store.heal()
  await settled(Promise.all(under))
  let rounds = 0
  do {
    if (rounds++ > 4) throw new Error('the instances do not come to the latest state')
    await clock.advance(TTL_MS + 20_000)
    await askAll()
    await clock.advance(1_000)
    await askAll()
  } while (!isLatest())

  // What changes now is read once, by one instance of each release; all say the same of it.
  const releases = new Set(alive.map(({ release }) => release)).size
  for (const subject of SUBJECTS) data.change(subject)
  data.calls.length = 0
  await settled(Promise.allSettled([pick(alive, sequence.length).handle.invalidate()]))
  await clock.advance(2_000)
  await askAll()
  // A request waits a second of the manual clock for a refresh; on a busy machine that may be too short for zlib.
  for (let round = 0; round < 10 && !isLatest(); round++) {
    await clock.advance(1_000)
    await askAll()
  }
  expect(isLatest(), 'the latest after an invalidation').toBe(true)
  for (const found of validators()) expect(found).toHaveLength(1)
  // A partition that is read while its list is may be read once more, for what the list says then.
  for (const subject of [...SUBJECTS, 'goods'])
    expect(data.calls.filter((call) => call === subject).length, `reads of ${subject}`).toBeLessThanOrEqual(
      subject.includes('-') ? 2 * releases : releases,
    )

  // Nobody asks: nothing is read, or once a ttl (a tenth sooner) by timers. Somebody does: once, and only what has no version.
  data.calls.length = 0
  for (let i = 0; i < 60; i++) {
    await clock.advance(3_000)
    await turns(20)
  }
  for (const subject of ['plain', 'goods'])
    expect(data.calls.filter((call) => call === subject).length, `reads of ${subject}`).toBeLessThanOrEqual(
      hasTimers ? 4 * releases : 0,
    )
  expect(data.calls.filter((call) => call !== 'plain' && call !== 'goods')).toEqual([])
  data.calls.length = 0
  await askAll()
  await clock.advance(1_000)
  await askAll()
  for (const subject of ['plain', 'goods'])
    expect(data.calls.filter((call) => call === subject).length, `reads of ${subject}`).toBeLessThanOrEqual(
      releases,
    )
  expect(data.calls.filter((call) => call !== 'plain' && call !== 'goods')).toEqual([])

  await until(() => store.keys().every((key) => !key.endsWith(':l')), 'leases to be given back')
  for (const one of alive) await closed(one)
  expect(clock.waiting, 'timers after close').toBe(0)
}

describe('instances on one store', () => {
  it('serve what once was complete, and agree once all is well', async () => {
    const given = process.env.SEED
    const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (sequence, hasTimers) => {
        try {
          await play(sequence, hasTimers)
        } finally {
          await closeEngines()
        }
      }),
      { seed, numRuns: Number(process.env.RUNS ?? 40), endOnFailure: true },
    )
  }, 120_000)
})
