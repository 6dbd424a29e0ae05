import { afterEach, describe, expect, it } from 'vitest'
import type { Entry, SectionReport } from '../../src/index.ts'
import { turns, until } from '../support/manual-clock.ts'
import {
  type Behaviour,
  closeEngines,
  codeOf,
  createSource,
  createTestEngine,
  entriesOf,
  hangs,
  hangsForEver,
  pathsOf,
  SECRET,
  type Source,
  type TestEngine,
  type TestOptions,
  throws,
  throwsAfter,
  watch,
} from '../support/site.ts'

afterEach(closeEngines)

const TTL_MS = 600_000
const GOOD = entriesOf('posts', 120)

interface Fault {
  readonly fault: string
  readonly behaviour: Behaviour | readonly Entry[]
  readonly code: string
  /** Provider calls that one failing walk makes. */
  readonly calls: number
  /** How long a failing walk takes on the clock. */
  readonly lastsMs: number
  readonly state?: string
}

const RETRIED = { calls: 3, lastsMs: 750 }
const ONCE = { calls: 1, lastsMs: 0 }
const SILENT = { code: 'LSM_ERR_PROVIDER_TIMEOUT', calls: 1, lastsMs: 30_000 }
const GARBAGE = { code: 'LSM_ERR_PROVIDER_INVALID', ...ONCE }

const FAULTS: readonly Fault[] = [
  { fault: 'throws', behaviour: throws, code: 'LSM_ERR_PROVIDER_FAILED', ...RETRIED },
  {
    fault: 'throws after 60 of 120 entries',
    behaviour: (ctx, call) => throwsAfter(GOOD.slice(0, 60))(ctx, call),
    code: 'LSM_ERR_PROVIDER_FAILED',
    ...ONCE,
  },
  { fault: 'hangs', behaviour: hangs, ...SILENT },
  { fault: 'hangs and ignores the signal', behaviour: hangsForEver, ...SILENT },
  {
    fault: 'hangs after 60 of 120 entries',
    behaviour: async function* () {
      yield* GOOD.slice(0, 60)
      await new Promise(() => {})
    } as unknown as Behaviour,
    ...SILENT,
  },
  { fault: 'gives nothing', behaviour: (() => undefined) as unknown as Behaviour, ...GARBAGE },
  { fault: 'gives null', behaviour: (() => null) as unknown as Behaviour, ...GARBAGE },
  { fault: 'gives a number', behaviour: (() => 42) as unknown as Behaviour, ...GARBAGE },
  { fault: 'gives text', behaviour: (() => `<html>${SECRET}`) as unknown as Behaviour, ...GARBAGE },
  {
    fault: 'gives the response in place of its list',
    behaviour: (() => ({ docs: GOOD, token: SECRET })) as unknown as Behaviour,
    ...GARBAGE,
  },
  {
    fault: 'throws what is no error',
    behaviour: () => {
      throw { password: SECRET }
    },
    code: 'LSM_ERR_PROVIDER_FAILED',
    ...RETRIED,
  },
]

/** Faults that need something published to be told as such. */
const LOSSES: readonly Fault[] = [
  { fault: 'shrinks to 59 of 120', behaviour: GOOD.slice(0, 59), code: 'LSM_ERR_WALK_HELD', ...ONCE },
  { fault: 'loses all', behaviour: [], code: 'LSM_ERR_WALK_HELD', ...ONCE },
].map((loss) => ({ ...loss, state: 'held' }))

function begin(first: Behaviour | readonly Entry[], options?: Partial<TestOptions>) {
  const source = createSource(first)
  const site = createTestEngine({ providers: { posts: source.entries }, ...options })
  return { source, ...site, posts: () => site.handle.report().sections.posts as SectionReport }
}

/** Lets a failing walk come to its end. */
async function endWalk({ clock }: TestEngine, { lastsMs }: Fault, posts: () => SectionReport): Promise<void> {
  await clock.advance(lastsMs)
  await until(() => posts().lastError !== undefined, 'the walk to fail')
}

/** What DESIGN 5 asks of an answer that is no document. */
function expectErrorAnswer(answer: Awaited<ReturnType<TestEngine['ask']>>): void {
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers.etag).toBeUndefined()
  expect(answer.headers['last-modified']).toBeUndefined()
  expect(answer.text + JSON.stringify(answer.headers)).not.toContain(SECRET)
  expect(answer.text).not.toMatch(/ECONNREFUSED|\bat \w+ \(|Error/)
}

const PATHS = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/feed.rss',
  '/sitemap.html',
  '/sitemap.txt',
  '/sitemap-posts-1.xml',
]

describe.each(FAULTS)('a provider that $fault', (row) => {
  it('cold: 503 with Retry-After, no-store and nothing of the fault, and 200 once it is mended', async () => {
    const site = begin(row.behaviour)
    const { ask, clock, source, posts, lines } = site
    const first = watch(ask('/sitemap.xml'))
    if (row.lastsMs > 10_000) {
      // The request does not wait longer than the deadline, while the walk goes on.
      await clock.advance(9_999)
      expect(first.settled).toBe(false)
      await clock.advance(1)
      expect((await first.value).headers['retry-after']).toBe('10')
      await clock.advance(row.lastsMs - 10_000)
    } else {
      await clock.advance(row.lastsMs)
    }
    expect((await first.value).status).toBe(503)
    expectErrorAnswer(await first.value)
    await until(() => posts().lastError !== undefined)
    expect(source.calls).toBe(row.calls)
    expect(posts()).toMatchObject({
      state: 'failing',
      entries: 0,
      parts: 0,
      lastError: { code: row.code, failures: 1 },
    })
    expect(site.handle.report().ready).toBe(false)

    // In back-off: at once, and without a call.
    for (const path of PATHS) {
      const answer = await ask(path)
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('1')
      expectErrorAnswer(answer)
    }
    expect(source.calls).toBe(row.calls)
    expect(lines.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual([row.code])

    source.set(GOOD)
    await clock.advance(999)
    expect((await ask('/sitemap.xml')).status).toBe(503)
    expect(source.calls).toBe(row.calls)
    await clock.advance(1)
    const mended = await ask('/sitemap.xml')
    expect(mended.status).toBe(200)
    expect(pathsOf(mended.text)).toHaveLength(120)
    expect(source.calls).toBe(row.calls + 1)
    expect(posts()).toMatchObject({ state: 'fresh', entries: 120 })
    expect(posts().lastError).toBeUndefined()
  })
})

describe.each([...FAULTS, ...LOSSES])('a provider that $fault, after a good walk,', (row) => {
  it('fresh: is not even called', async () => {
    const { ask, clock, source, warm, posts } = begin(GOOD)
    const good = await warm()
    source.set(row.behaviour)
    await clock.advance(TTL_MS - 1)
    const answer = await ask('/sitemap.xml')
    expect(answer).toEqual(good)
    expect(source.calls).toBe(1)
    expect(posts().state).toBe('fresh')
  })

  it('stale: the last good bytes under the same validators, at once; and new ones once it is mended', async () => {
    const site = begin(GOOD)
    const { ask, clock, source, posts, lines } = site
    const good = new Map<string, Awaited<ReturnType<typeof ask>>>()
    for (const path of PATHS) good.set(path, await site.warm(path))
    source.set(row.behaviour)
    await clock.advance(TTL_MS)

    const expectLastGood = async (): Promise<void> => {
      for (const path of PATHS) {
        const answer = await ask(path)
        expect(answer.status).toBe(200)
        expect(answer.body).toEqual(good.get(path)?.body)
        expect(answer.headers.etag).toBe(good.get(path)?.headers.etag)
        expect(answer.headers['last-modified']).toBe(good.get(path)?.headers['last-modified'])
        expect(answer.headers['cache-control']).toBe(
          'public, max-age=60, stale-while-revalidate=60, stale-if-error=604800',
        )
      }
      const revalidated = await ask('/sitemap.xml', {
        'if-none-match': good.get('/sitemap.xml')?.headers.etag ?? '',
      })
      expect(revalidated.status).toBe(304)
    }

    await expectLastGood()
    await endWalk(site, row, posts)
    expect(source.calls).toBe(1 + row.calls)
    await expectLastGood()
    expect(source.calls).toBe(1 + row.calls)
    expect(posts()).toMatchObject({
      state: row.state ?? 'failing',
      entries: 120,
      lastError: { code: row.code, failures: 1 },
    })
    expect(lines.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual([row.code])

    source.set(entriesOf('posts', 121))
    await clock.advance(1_000)
    await ask('/sitemap.xml')
    await until(() => posts().state === 'fresh', 'the recovery')
    expect(source.calls).toBe(2 + row.calls)
    expect(pathsOf((await ask('/sitemap.xml')).text)).toHaveLength(121)
  })

  it('invalidated: invalidate() rejects with the code, requests get last good, at once when it backs off', async () => {
    const site = begin(GOOD)
    const { ask, clock, source, handle, posts } = site
    const good = await site.warm()
    source.set(row.behaviour)
    const outcome = watch(codeOf(handle.invalidate('posts')))
    const during = watch(ask('/sitemap.xml'))
    await clock.advance(Math.min(row.lastsMs, 1_000))
    await until(() => during.settled, 'the answer')
    const answer = await during.value
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(good.body)
    expect(answer.headers.etag).toBe(good.headers.etag)
    expect(answer.headers['cache-control']).toContain('max-age=60')

    await clock.advance(Math.max(0, row.lastsMs - 1_000))
    expect(await outcome.value).toBe(row.code)
    expect(source.calls).toBe(1 + row.calls)
    expect(posts()).toMatchObject({
      state: row.state ?? 'failing',
      entries: 120,
      lastError: { code: row.code },
    })
    const after = watch(ask('/sitemap.xml'))
    await turns()
    expect(after.settled).toBe(true)
    expect((await after.value).body).toEqual(good.body)
    expect(source.calls).toBe(1 + row.calls)

    source.set(entriesOf('posts', 121))
    await clock.advance(1_000)
    const mended = await ask('/sitemap.xml')
    expect(pathsOf(mended.text)).toHaveLength(121)
    expect(mended.headers.etag).not.toBe(good.headers.etag)
    expect(posts().state).toBe('fresh')
  })
})

describe('a provider that flips between calls', () => {
  it('is served whole each time it answered, and never in between', async () => {
    const { ask, clock, source, handle, posts } = begin(entriesOf('posts', 1))
    for (let n = 1; n <= 6; n++) {
      source.set(entriesOf('posts', n))
      await handle.refresh('posts')
      expect(pathsOf((await ask('/sitemap.txt')).text)).toHaveLength(n)
      const good = await ask('/sitemap.xml')
      source.set((ctx, call) => throwsAfter(entriesOf('posts', n + 5))(ctx, call))
      expect(await codeOf(handle.refresh('posts'))).toBe('LSM_ERR_PROVIDER_FAILED')
      expect((await ask('/sitemap.xml')).body).toEqual(good.body)
      expect(posts()).toMatchObject({ state: 'failing', entries: n, lastError: { failures: 1 } })
      await clock.advance(1_000)
    }
  })

  it('says so at most once a minute of each kind, recoveries included', async () => {
    const { clock, source, handle, lines } = begin(GOOD)
    await handle.refresh('posts')
    for (let second = 0; second < 50; second += 2) {
      source.set((ctx, call) => throwsAfter(GOOD)(ctx, call))
      await codeOf(handle.refresh('posts'))
      source.set(GOOD)
      await clock.advance(1_000)
      await handle.refresh('posts')
      await clock.advance(1_000)
    }
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(lines.filter(({ message }) => message.includes('read again')).length).toBeLessThanOrEqual(1)
  })

  it('comes back empty from time to time: it is held, and the full list is published at once again', async () => {
    const { ask, clock, source, handle, posts } = begin(entriesOf('posts', 10))
    await handle.refresh('posts')
    const good = await ask('/sitemap.xml')
    source.set([])
    expect(await codeOf(handle.refresh('posts'))).toBe('LSM_ERR_WALK_HELD')
    expect(posts()).toMatchObject({ state: 'held', entries: 10 })
    await clock.advance(1_000)
    source.set(entriesOf('posts', 10))
    await handle.refresh('posts')
    expect(posts()).toMatchObject({ state: 'fresh', entries: 10 })
    expect((await ask('/sitemap.xml')).headers.etag).toBe(good.headers.etag)
  })
})

describe('the log of an outage', () => {
  it('has one line a minute, however many requests come, and says what is served and when the next try is', async () => {
    const { ask, clock, source, warm, lines, posts } = begin(GOOD)
    await warm()
    source.set(throws)
    await clock.advance(TTL_MS)
    const startMs = clock.now()
    while (clock.now() - startMs < 59_000) {
      for (let i = 0; i < 10; i++) await ask('/sitemap.xml')
      await clock.advance(1_000)
    }
    expect(posts().lastError?.failures).toBeGreaterThan(3)
    const errors = lines.filter(({ level }) => level !== 'info')
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toContain('posts')
    expect(errors[0]?.message).toContain('120 entries')
    expect(errors[0]?.message).toMatch(/next try in 1 s/)
    // The operator's own words are in the log, where they belong.
    expect(errors[0]?.message).toContain('ECONNREFUSED')

    while (clock.now() - startMs < 200_000) {
      await ask('/sitemap.xml')
      await clock.advance(1_000)
    }
    const later = lines.filter(({ level }) => level === 'error').length
    expect(later).toBeGreaterThan(1)
    expect(later).toBeLessThanOrEqual(4)
  })

  it('ends with one line when the section is read again', async () => {
    const { clock, source, handle, lines } = begin(GOOD)
    await handle.refresh()
    source.set(throws)
    const failed = codeOf(handle.refresh())
    await clock.advance(750)
    await failed
    source.set(GOOD)
    await clock.advance(1_000)
    await handle.refresh()
    expect(lines.filter(({ level }) => level === 'info').map(({ message }) => message)).toEqual([
      'section "posts" is read again',
    ])
  })
})

describe('back-off', () => {
  /** Fails at once and without retries, so that the clock shows the back-off alone. */
  const failing: Behaviour = (ctx, call) => throwsAfter([{ loc: '/x' }])(ctx, call)

  it('is 1 s exactly, then doubles within 20 %, up to 60 s', async () => {
    const { ask, clock, source, posts } = begin(failing)
    await ask('/sitemap.xml')
    const windows = [1, 2, 4, 8, 16, 32, 60, 60, 60]
    for (const [i, seconds] of windows.entries()) {
      const waitMs = Date.parse(posts().nextAt ?? '') - clock.now()
      if (i === 0) expect(waitMs).toBe(1_000)
      expect(waitMs).toBeGreaterThanOrEqual(seconds * 800 - 1)
      expect(waitMs).toBeLessThanOrEqual(seconds * 1_200)
      // nextAt is whole milliseconds: one before it is too early, one after it is not.
      await clock.advance(waitMs - 1)
      expect((await ask('/sitemap.xml')).status).toBe(503)
      expect(source.calls).toBe(i + 1)
      await clock.advance(2)
      await ask('/sitemap.xml')
      expect(source.calls).toBe(i + 2)
      expect(posts().lastError?.failures).toBe(i + 2)
    }
  })

  it('has jitter from the second failure on, so that processes do not beat in time', async () => {
    const waits = new Set<number>()
    for (let i = 0; i < 12; i++) {
      const { ask, clock, posts } = begin(failing)
      await ask('/sitemap.xml')
      await clock.advance(1_000)
      await ask('/sitemap.xml')
      waits.add(Date.parse(posts().nextAt ?? '') - clock.now())
    }
    expect(waits.size).toBeGreaterThan(3)
  })

  it('begins anew after a success', async () => {
    const { ask, clock, source, posts, handle } = begin(failing)
    await ask('/sitemap.xml')
    await clock.advance(1_000)
    await ask('/sitemap.xml')
    expect(posts().lastError?.failures).toBe(2)
    source.set(GOOD)
    await clock.advance(2_500)
    await ask('/sitemap.xml')
    source.set(failing)
    await codeOf(handle.refresh())
    expect(posts().lastError?.failures).toBe(1)
    expect(Date.parse(posts().nextAt ?? '') - clock.now()).toBe(1_000)
  })

  it('is tried again by its own timer while the server listens, also where its instant is no whole millisecond', async () => {
    const { engine, clock, source } = begin(failing, { warmUp: true })
    engine.listening()
    await until(() => source.calls === 1)
    await clock.advance(1_000)
    expect(source.calls).toBe(2)
    for (let failures = 2; failures < 12; failures++) {
      await clock.advance(72_001)
      // Nobody asks: only the timer can have called.
      expect(source.calls).toBeGreaterThan(failures)
    }
  })

  it('is ended once by invalidate(), never below a second between attempts', async () => {
    const { ask, clock, source, handle } = begin(failing)
    await ask('/sitemap.xml')
    for (let i = 0; i < 5; i++) {
      await clock.advance(100_000)
      await ask('/sitemap.xml')
    }
    expect(source.calls).toBe(6)
    // The sixth failure backs off for 32 s and more or less; its last attempt was just now.
    const outcome = watch(codeOf(handle.invalidate('posts')))
    await clock.advance(999)
    expect(source.calls).toBe(6)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    expect(source.calls).toBe(7)
    expect(await outcome.value).toBe('LSM_ERR_PROVIDER_FAILED')
    // Once: the next wait is a long one again.
    await clock.advance(20_000)
    await ask('/sitemap.xml')
    expect(source.calls).toBe(7)
  })

  it('lets an invalidation start at once where the last attempt is more than a second ago', async () => {
    const { ask, clock, source, handle } = begin(failing)
    await ask('/sitemap.xml')
    for (let i = 0; i < 5; i++) {
      await clock.advance(100_000)
      await ask('/sitemap.xml')
    }
    await clock.advance(1_500)
    source.set(GOOD)
    await handle.invalidate('posts')
    expect(source.calls).toBe(7)
    expect((await ask('/sitemap.xml')).status).toBe(200)
  })

  it('keeps a second between attempts under a storm of invalidations', async () => {
    const { ask, clock, source, handle } = begin(failing)
    await ask('/sitemap.xml')
    for (let ms = 0; ms < 10_000; ms += 100) {
      void handle.invalidate('posts')
      await clock.advance(100)
    }
    expect(source.calls).toBeLessThanOrEqual(11)
    expect(source.calls).toBeGreaterThanOrEqual(10)
  })

  it('of one section does not hold up another', async () => {
    const good = createSource(entriesOf('pages', 2))
    const { ask, handle } = createTestEngine({
      providers: { pages: good.entries, posts: createSource(failing).entries },
    })
    expect((await ask('/sitemap.xml')).status).toBe(503)
    await until(() => handle.report().sections.pages?.state === 'fresh')
    expect((await ask('/sitemap-pages-1.xml')).status).toBe(200)
    expect((await ask('/sitemap-posts-1.xml')).status).toBe(503)
  })
})

describe('calls that were given up', () => {
  const options = { timeout: '1s' } as const

  it('are three at most; until one ends nothing new starts', async () => {
    const ends: (() => void)[] = []
    const { ask, clock, source, posts, warm } = begin(GOOD, options)
    const good = await warm()
    source.set(() => new Promise((resolve) => ends.push(() => resolve([]))))
    await clock.advance(TTL_MS)
    for (let i = 0; i < 10; i++) {
      await ask('/sitemap.xml')
      await clock.advance(80_000)
    }
    expect(ends).toHaveLength(3)
    expect(source.calls).toBe(4)
    expect(posts().lastError?.code).toBe('LSM_ERR_PROVIDER_BUSY')
    expect((await ask('/sitemap.xml')).body).toEqual(good.body)

    ends[1]?.()
    source.set(entriesOf('posts', 130))
    await clock.advance(80_000)
    await ask('/sitemap.xml')
    await until(() => posts().state === 'fresh')
    expect(source.calls).toBe(5)
  })

  it('what they give in the end is not published', async () => {
    const ends: ((entries: Entry[]) => void)[] = []
    const { ask, clock, source, handle, posts } = begin(GOOD, options)
    await handle.refresh()
    source.set(() => new Promise((resolve) => ends.push(resolve)))
    const outcome = codeOf(handle.refresh())
    await clock.advance(1_000)
    expect(await outcome).toBe('LSM_ERR_PROVIDER_TIMEOUT')
    ends[0]?.(entriesOf('late', 500))
    await turns(20)
    expect(posts().entries).toBe(120)
    expect((await ask('/sitemap.txt')).text).not.toContain('late')
  })

  it('count version() calls too', async () => {
    let versions = 0
    const source = createSource(GOOD)
    const { clock, handle } = createTestEngine({
      providers: {
        posts: {
          entries: source.entries,
          version: () => {
            versions++
            return new Promise(() => {})
          },
          timeout: '1s',
        },
      },
    })
    for (let i = 0; i < 10; i++) {
      const outcome = codeOf(handle.refresh())
      await clock.advance(80_000)
      await outcome
    }
    expect(versions).toBe(3)
  })
})

describe('the signal of a call', () => {
  it('is aborted when the provider was silent too long, and not when it ended well', async () => {
    const { clock, source, handle } = begin(GOOD)
    await handle.refresh()
    source.set(hangs)
    const outcome = codeOf(handle.refresh())
    await clock.advance(30_000)
    await outcome
    expect(source.signals.map(({ aborted }) => aborted)).toEqual([false, true])
    expect(source.open).toBe(0)
  })

  it('is aborted when walkTimeout is over, however busy the provider is', async () => {
    let returned = false
    const drips: Behaviour = async function* () {
      try {
        for (let i = 0; ; i++) {
          await new Promise<void>((resolve) => pulses.push(resolve))
          yield { loc: `/${i}` }
        }
      } finally {
        returned = true
      }
    } as unknown as Behaviour
    const pulses: (() => void)[] = []
    const { clock, source, handle, posts } = begin(GOOD, { walkTimeout: '2m' })
    await handle.refresh()
    source.set(drips)
    const outcome = watch(codeOf(handle.refresh()))
    for (let s = 0; s < 115; s += 5) {
      await clock.advance(5_000)
      pulses.pop()?.()
    }
    expect(outcome.settled).toBe(false)
    await clock.advance(5_000)
    expect(await outcome.value).toBe('LSM_ERR_WALK_TIMEOUT')
    expect(posts().entries).toBe(120)
    expect(source.signals[1]?.aborted).toBe(true)
    // return() is called, not awaited.
    pulses.pop()?.()
    await until(() => returned, 'the generator to be told to return')
  })

  it('of a generator that hangs in its finally block does not hold the walk', async () => {
    const { clock, source, handle } = begin(GOOD)
    await handle.refresh()
    source.set(async function* () {
      try {
        yield { loc: '/1' }
        await new Promise(() => {})
      } finally {
        await new Promise(() => {})
      }
    } as unknown as Behaviour)
    const outcome = codeOf(handle.refresh())
    await clock.advance(30_000)
    expect(await outcome).toBe('LSM_ERR_PROVIDER_TIMEOUT')
    source.set(entriesOf('posts', 121))
    await clock.advance(1_000)
    await handle.refresh()
  })
})

describe('a request that met two cold sections, one backing off, one still being read', () => {
  it('leaves no rejection behind when the second fails as well', async () => {
    const slow: Source = createSource(hangs)
    const unhandled: unknown[] = []
    const keep = (reason: unknown): void => {
      unhandled.push(reason)
    }
    process.on('unhandledRejection', keep)
    try {
      const bad = createSource((ctx, call) => throwsAfter([{ loc: '/x' }])(ctx, call))
      const { ask, clock } = createTestEngine({ providers: { slow: slow.entries, bad: bad.entries } })
      expect((await ask('/sitemap-bad-1.xml')).status).toBe(503)
      expect((await ask('/sitemap.xml')).status).toBe(503)
      expect(slow.calls).toBe(1)
      await clock.advance(30_000)
      await turns(10)
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', keep)
    }
  })
})
