import { PassThrough, Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { SitemapError } from '../../src/errors.ts'
import { type ReadOptions, readEntries, readValue, type Take } from '../../src/providers/read.ts'
import { unhandledDuring } from '../support/engine.ts'
import { createManualClock, turns } from '../support/manual-clock.ts'
import { createGate, watch } from '../support/site.ts'

interface Given {
  readonly timeoutMs?: number
  readonly wholeMs?: number
  readonly controller?: AbortController
  readonly take?: Take
}

/** Begins to read; silence of 30 s and half an hour in all unless said otherwise. */
function read(call: () => unknown, given: Given = {}) {
  const clock = createManualClock()
  const taken: unknown[] = []
  const options: ReadOptions = {
    section: 'posts',
    clock,
    timeoutMs: given.timeoutMs ?? 30_000,
    wholeMs: given.wholeMs ?? 1_800_000,
    controller: given.controller ?? new AbortController(),
    abandoned: { count: 0 },
  }
  const take: Take = (entry) => {
    taken.push(entry)
    return given.take?.(entry)
  }
  return { ...options, clock, taken, outcome: watch(readEntries(call, take, options)) }
}

/** The error a reading ends with. */
async function failure(promise: Promise<unknown>): Promise<SitemapError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof SitemapError) return error
    throw new Error('not a SitemapError', { cause: error })
  }
  throw new Error('it ended well')
}

async function* inTurn<T>(...steps: readonly (T | Promise<T>)[]): AsyncGenerator<T> {
  for (const step of steps) yield await step
}

const never = new Promise<never>(() => {})

describe('what a provider may give', () => {
  class Rows extends Array<string> {}

  it.each([
    { name: 'list', call: () => ['/a', '/b'] },
    { name: 'list of a class', call: () => Rows.from(['/a', '/b']) },
    { name: 'list of another realm', call: () => runInNewContext("['/a', '/b']") },
    { name: 'frozen list', call: () => Object.freeze(['/a', '/b']) },
    { name: 'set', call: () => new Set(['/a', '/b']) },
    {
      name: 'values of a map',
      call: () =>
        new Map([
          [1, '/a'],
          [2, '/b'],
        ]).values(),
    },
    {
      name: 'generator',
      call: function* () {
        yield '/a'
        yield '/b'
      },
    },
    {
      name: 'async generator',
      call: async function* () {
        yield '/a'
        yield '/b'
      },
    },
    { name: 'promise of a list', call: async () => ['/a', '/b'] },
    { name: 'promise of an async generator', call: async () => inTurn('/a', '/b') },
    {
      name: 'thenable',
      // biome-ignore lint/suspicious/noThenProperty: that is the case
      call: () => ({ then: (resolve: (list: string[]) => void) => resolve(['/a', '/b']) }),
    },
    { name: 'Readable', call: () => Readable.from(['/a', '/b']) },
    { name: 'web stream', call: () => ReadableStream.from(['/a', '/b']) },
    {
      name: 'async iterable whose next gives no promise',
      call: () => {
        let n = 0
        return {
          [Symbol.asyncIterator]: () => ({ next: () => ({ done: n === 2, value: ['/a', '/b'][n++] }) }),
        }
      },
    },
    {
      name: 'iterable that is async too: async wins',
      call: () => ({
        [Symbol.iterator]: () => {
          throw new Error('no')
        },
        [Symbol.asyncIterator]: () => inTurn('/a', '/b'),
      }),
    },
  ])('$name', async ({ call }) => {
    const { outcome, taken, clock, controller, abandoned } = read(call)
    await outcome.value
    expect(taken).toEqual(['/a', '/b'])
    expect(clock.waiting).toBe(0)
    expect(controller.signal.aborted).toBe(false)
    expect(abandoned.count).toBe(0)
  })

  it.each([
    { name: 'empty list', call: () => [] },
    { name: 'empty generator', call: async function* () {} },
  ])('nothing: $name', async ({ call }) => {
    const { outcome, taken } = read(call)
    await outcome.value
    expect(taken).toEqual([])
  })

  it('entries that are nothing, and holes of a list, are handed on to be counted', async () => {
    // biome-ignore lint/suspicious/noSparseArray: that is the case
    const { outcome, taken } = read(() => ['/a', , null, '/b'])
    await outcome.value
    expect(taken).toEqual(['/a', undefined, null, '/b'])
  })

  it.each([
    { name: 'undefined', value: undefined, shown: 'undefined:' },
    { name: 'null', value: null, shown: 'null:' },
    { name: 'text', value: '/a', shown: 'string:' },
    { name: 'number', value: 5, shown: 'number:' },
    { name: 'function', value: function rows() {}, shown: 'function:' },
    { name: 'answer of a CMS', value: { docs: ['/a'] }, shown: 'an object with docs:' },
    { name: 'symbol', value: Symbol('x'), shown: 'symbol:' },
    {
      name: 'object whose iterator is no function',
      value: { [Symbol.iterator]: 1 },
      shown: 'an object of the class Object:',
    },
    {
      name: 'object that cannot be shown',
      value: {
        toJSON() {
          throw new Error('no')
        },
      },
      shown: 'an object with toJSON:',
    },
  ])('refused: $name, at once or as a promise', async ({ value, shown }) => {
    for (const call of [() => value, async () => value]) {
      const { outcome, taken } = read(call)
      const error = await failure(outcome.value)
      expect(error.code).toBe('LSM_ERR_PROVIDER_INVALID')
      expect(error.message).toContain(`provider "posts" gave ${shown}`)
      expect(taken).toEqual([])
    }
  })
})

describe('a provider that fails', () => {
  const cause = new Error('connect ECONNREFUSED')

  function locked(): ReadableStream {
    const stream = ReadableStream.from(['/a'])
    stream.getReader()
    return stream
  }

  it.each([
    {
      name: 'throws',
      call: () => {
        throw cause
      },
      taken: [],
    },
    { name: 'rejects', call: () => Promise.reject(cause), taken: [] },
    {
      name: 'generator throws',
      call: function* () {
        yield '/a'
        throw cause
      },
      taken: ['/a'],
    },
    {
      name: 'async generator throws',
      call: async function* () {
        yield '/a'
        throw cause
      },
      taken: ['/a'],
    },
    {
      name: 'Readable breaks',
      call: () =>
        Readable.from(
          (function* () {
            yield '/a'
            throw cause
          })(),
        ),
      taken: ['/a'],
    },
    {
      name: 'Readable is destroyed',
      call: () => {
        const stream = new PassThrough()
        stream.destroy(cause)
        return stream
      },
      taken: [],
    },
    {
      name: 'its iterable gives no iterator',
      call: () => ({
        [Symbol.iterator]() {
          throw cause
        },
      }),
      taken: [],
    },
    {
      name: 'its async iterable gives no iterator',
      call: () => ({
        [Symbol.asyncIterator]() {
          throw cause
        },
      }),
      taken: [],
    },
    {
      name: 'looking for its iterator throws',
      call: () => ({
        get [Symbol.asyncIterator]() {
          throw cause
        },
      }),
      taken: [],
    },
    {
      name: 'member of its list throws',
      call: () =>
        Object.defineProperty(['/a', '/b'], 1, {
          get() {
            throw cause
          },
        }),
      taken: ['/a'],
    },
  ])('$name', async ({ call, taken: before }) => {
    const { outcome, taken, clock, abandoned } = read(call as () => unknown)
    const error = await failure(outcome.value)
    expect(error.code).toBe('LSM_ERR_PROVIDER_FAILED')
    expect(error.message).toBe('provider "posts" failed')
    expect(error.cause).toBe(cause)
    expect(taken).toEqual(before)
    expect([clock.waiting, abandoned.count]).toEqual([0, 0])
  })

  it.each([
    { name: 'web stream that is locked', call: locked },
    { name: 'iterator without next', call: () => ({ [Symbol.iterator]: () => ({}) }) },
    { name: 'async iterator without next', call: () => ({ [Symbol.asyncIterator]: () => ({}) }) },
    { name: 'iterator that is nothing', call: () => ({ [Symbol.asyncIterator]: () => undefined }) },
    {
      name: 'next that gives nothing',
      call: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => undefined }) }),
    },
    {
      name: 'next that gives nothing, at once',
      call: () => ({ [Symbol.iterator]: () => ({ next: () => undefined }) }),
    },
  ])('is broken: $name', async ({ call }) => {
    const { outcome, clock } = read(call)
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_PROVIDER_FAILED')
    expect(clock.waiting).toBe(0)
  })

  it.each([
    { name: 'text', thrown: 'no', message: 'provider "posts" failed' },
    { name: 'undefined', thrown: undefined, message: 'provider "posts" failed' },
    { name: 'object', thrown: { status: 503 }, message: 'provider "posts" failed' },
    {
      name: 'error whose message cannot be read',
      thrown: Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('no')
        },
      }),
      message: 'provider "posts" failed',
    },
  ])('throws what is no error: $name', async ({ thrown, message }) => {
    const { outcome } = read(() => Promise.reject(thrown))
    const error = await failure(outcome.value)
    expect([error.code, error.message]).toEqual(['LSM_ERR_PROVIDER_FAILED', message])
    expect(error.cause).toBe(thrown)
  })
})

describe('silence (option timeout)', () => {
  it.each([
    { name: 'the call gives a promise that never settles', call: () => never, taken: [] },
    { name: 'the first entry never comes', call: () => inTurn(never), taken: [] },
    { name: 'the second entry never comes', call: () => inTurn<string>('/a', never), taken: ['/a'] },
    {
      name: 'the end never comes',
      call: async function* () {
        yield '/a'
        await never
      },
      taken: ['/a'],
    },
  ])('is exactly as long as it may be: $name', async ({ call, taken: before }) => {
    const { outcome, taken, clock, controller, abandoned } = read(call)
    await clock.advance(29_999)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    const error = await failure(outcome.value)
    expect([error.code, error.message]).toEqual([
      'LSM_ERR_PROVIDER_TIMEOUT',
      'provider "posts" was silent for 30000 ms (option timeout)',
    ])
    expect(controller.signal.reason).toBe(error)
    expect(taken).toEqual(before)
    expect([clock.waiting, abandoned.count]).toEqual([0, 1])
  })

  it('is measured from the last entry on', async () => {
    const gates = [createGate<string>(), createGate<string>()]
    const { outcome, clock } = read(() => inTurn(...gates.map(({ passed }) => passed), never))
    await clock.advance(20_000)
    gates[0]?.open('/a')
    await clock.advance(29_999)
    gates[1]?.open('/b')
    await clock.advance(29_999)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_PROVIDER_TIMEOUT')
  })

  it('of the call and of the first entry are two', async () => {
    const gate = createGate<AsyncGenerator<string>>()
    const { outcome, clock } = read(() => gate.passed)
    await clock.advance(29_000)
    gate.open(inTurn(never))
    await clock.advance(29_999)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_PROVIDER_TIMEOUT')
  })

  it('a pause of ours is not the silence of the provider', async () => {
    const pause = createGate()
    const { outcome, clock, taken, abandoned } = read(() => inTurn<string>('/a', never), {
      take: () => pause.passed,
    })
    await clock.advance(600_000)
    expect([outcome.settled, taken]).toEqual([false, ['/a']])
    pause.open()
    await clock.advance(29_999)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_PROVIDER_TIMEOUT')
    expect(abandoned.count).toBe(1)
  })

  it('the call stays counted until it settles, and what it brings then is not taken', async () => {
    const gate = createGate<string[]>()
    const { outcome, clock, taken, abandoned } = read(() => gate.passed)
    await clock.advance(30_000)
    await failure(outcome.value)
    expect(abandoned.count).toBe(1)
    await clock.advance(3_600_000)
    expect(abandoned.count).toBe(1)
    gate.open(['/late'])
    await turns()
    expect([abandoned.count, taken]).toEqual([0, []])
  })

  it('a generator that ignores the signal: what it yields late is not taken, and it is told to return', async () => {
    const gate = createGate<string>()
    let ended = false
    const { outcome, clock, taken, abandoned } = read(async function* () {
      try {
        yield await gate.passed
        yield '/later'
      } finally {
        ended = true
      }
    })
    await clock.advance(30_000)
    await failure(outcome.value)
    expect([abandoned.count, ended]).toEqual([1, false])
    gate.open('/late')
    await turns()
    expect([abandoned.count, ended, taken]).toEqual([0, true, []])
  })

  it('a late failure is not unhandled', async () => {
    const unhandled = await unhandledDuring(async () => {
      for (const make of [(late: Promise<string>) => late, (late: Promise<string>) => inTurn(late)]) {
        let fail: (error: Error) => void = () => {}
        const late = new Promise<string>((_, reject) => {
          fail = reject
        })
        const { outcome, clock, abandoned } = read(() => make(late))
        await clock.advance(30_000)
        await failure(outcome.value)
        fail(new Error('late'))
        await turns()
        expect(abandoned.count).toBe(0)
      }
    })
    expect(unhandled).toEqual([])
  })
})

describe('the whole reading (option walkTimeout)', () => {
  async function* everyTenSeconds(clock: Clock) {
    for (let n = 0; ; n++) {
      await new Promise<void>((resolve) => clock.after(10_000, resolve))
      yield `/${n}`
    }
  }

  it('is bounded, however alive the provider is', async () => {
    const begun = createGate<AsyncGenerator<string>>()
    const { outcome, clock, taken, controller, abandoned } = read(() => begun.passed, { wholeMs: 65_000 })
    begun.open(everyTenSeconds(clock))
    await clock.advance(64_999)
    expect([outcome.settled, taken.length]).toEqual([false, 6])
    await clock.advance(1)
    const error = await failure(outcome.value)
    expect([error.code, error.message]).toEqual([
      'LSM_ERR_WALK_TIMEOUT',
      'reading section "posts" took longer than walkTimeout (65000 ms)',
    ])
    expect(controller.signal.reason).toBe(error)
    expect(abandoned.count).toBe(1)
    await clock.advance(10_000)
    expect([taken.length, abandoned.count]).toEqual([6, 0])
  })

  it('a pause of ours counts', async () => {
    const pause = createGate()
    const { outcome, clock, taken, abandoned } = read(() => ['/a', '/b'], {
      wholeMs: 60_000,
      take: () => pause.passed,
    })
    await clock.advance(59_999)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_WALK_TIMEOUT')
    // The provider owes nothing.
    expect(abandoned.count).toBe(0)
    pause.open()
    await turns()
    expect(taken).toEqual(['/a'])
  })

  it.each([
    { name: 'list', make: () => ['/a', '/b'] },
    { name: 'set', make: () => new Set(['/a', '/b']) },
    { name: 'generator', make: () => inTurn('/a', '/b') },
  ])('after it nothing more is taken: $name', async ({ make }) => {
    const pause = createGate()
    const { outcome, clock, taken } = read(make, { wholeMs: 60_000, take: () => pause.passed })
    await clock.advance(60_000)
    await failure(outcome.value)
    pause.open()
    await turns()
    expect(taken).toEqual(['/a'])
  })

  it('time that is up before it begins: the provider is not called', async () => {
    let calls = 0
    const { outcome } = read(() => calls++, { wholeMs: 0 })
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_WALK_TIMEOUT')
    await turns()
    expect(calls).toBe(0)
  })
})

describe('an end from outside', () => {
  it('close: rejects at once with the reason, and the provider sees it', async () => {
    const controller = new AbortController()
    const closed = new SitemapError('LSM_ERR_CLOSED', 'the sitemap is closed')
    const { outcome, clock, abandoned } = read(() => never, { controller })
    await turns()
    controller.abort(closed)
    expect(await failure(outcome.value)).toBe(closed)
    expect([clock.waiting, abandoned.count]).toEqual([0, 1])
  })

  it('any other reason is told as closed', async () => {
    const controller = new AbortController()
    const { outcome } = read(() => never, { controller })
    controller.abort()
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_CLOSED')
  })

  it('closed before: the provider is not called', async () => {
    const controller = new AbortController()
    controller.abort()
    let calls = 0
    const { outcome } = read(() => calls++, { controller })
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_CLOSED')
    expect(calls).toBe(0)
  })

  it('a provider that throws the reason of the signal changes nothing', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const { outcome, clock } = read(
      () => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      { controller },
    )
    await clock.advance(30_000)
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_PROVIDER_TIMEOUT')
  })
})

describe('return() of an iterator', () => {
  /** An iterator that counts what is asked of it. */
  function iterator(returns: () => unknown = () => ({ done: true })) {
    const asked = { next: 0, return: 0 }
    const steps = {
      next: () => ({ done: false, value: `/${asked.next++}` }),
      return: () => {
        asked.return++
        return returns()
      },
    }
    return {
      asked,
      sync: { [Symbol.iterator]: () => steps },
      async: { [Symbol.asyncIterator]: () => steps },
      hanging: {
        [Symbol.asyncIterator]: () => ({
          next: () => never,
          return: steps.return,
        }),
      },
    }
  }

  const refuse: Take = () => {
    throw new SitemapError('LSM_ERR_ENTRY_INVALID', 'no')
  }

  it.each(['sync', 'async'] as const)('called where an entry was refused: %s', async (kind) => {
    const source = iterator()
    const { outcome } = read(() => source[kind], { take: refuse })
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_ENTRY_INVALID')
    expect(source.asked).toEqual({ next: 1, return: 1 })
  })

  it.each(['sync', 'async'] as const)('called where time was up while we paused: %s', async (kind) => {
    const source = iterator()
    const pause = createGate()
    const { outcome, clock } = read(() => source[kind], { wholeMs: 60_000, take: () => pause.passed })
    await clock.advance(60_000)
    await failure(outcome.value)
    pause.open()
    await turns()
    expect(source.asked).toEqual({ next: 1, return: 1 })
  })

  it('called when the iterator is given up, although its next() never settles', async () => {
    const source = iterator()
    const { outcome, clock } = read(() => source.hanging)
    await clock.advance(30_000)
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_PROVIDER_TIMEOUT')
    expect(source.asked.return).toBe(1)
  })

  it('not awaited: one that hangs holds nothing up', async () => {
    const source = iterator(() => never)
    const { outcome } = read(() => source.async, { take: refuse })
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_ENTRY_INVALID')
  })

  it.each([
    {
      name: 'throws',
      returns: () => {
        throw new Error('no')
      },
    },
    { name: 'rejects', returns: () => Promise.reject(new Error('no')) },
  ])('one that $name changes nothing', async ({ returns }) => {
    const unhandled = await unhandledDuring(async () => {
      for (const kind of ['sync', 'async'] as const) {
        const source = iterator(returns)
        const { outcome } = read(() => source[kind], { take: refuse })
        expect((await failure(outcome.value)).code).toBe('LSM_ERR_ENTRY_INVALID')
        expect(source.asked.return).toBe(1)
      }
    })
    expect(unhandled).toEqual([])
  })

  it('not called after the end, nor after a failure of its own', async () => {
    const returned: string[] = []
    const ending = (name: string, last: () => IteratorResult<string>) => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => last(),
        return: async () => {
          returned.push(name)
          return { done: true, value: undefined } as const
        },
      }),
    })
    await read(() => ending('ended', () => ({ done: true, value: undefined }))).outcome.value
    const failing = ending('failed', () => {
      throw new Error('no')
    })
    await failure(read(() => failing).outcome.value)
    expect(returned).toEqual([])
  })

  it('an iterator without it', async () => {
    const steps = { next: () => ({ done: false, value: '/a' }) }
    const { outcome } = read(() => ({ [Symbol.iterator]: () => steps }), { take: refuse })
    expect((await failure(outcome.value)).code).toBe('LSM_ERR_ENTRY_INVALID')
  })

  it('a Readable is destroyed where the walk ends early', async () => {
    const stream = Readable.from(['/a', '/b', '/c'])
    const { outcome } = read(() => stream, { take: refuse })
    await failure(outcome.value)
    await turns()
    expect(stream.destroyed).toBe(true)
  })
})

describe('one value under the same limits', () => {
  function value(call: () => unknown) {
    const clock = createManualClock()
    const abandoned = { count: 0 }
    const controller = new AbortController()
    const outcome = watch(
      readValue(call, { section: 'posts', clock, timeoutMs: 30_000, wholeMs: 30_000, controller, abandoned }),
    )
    return { outcome, clock, abandoned }
  }

  it.each([
    { name: 'at once', call: () => 'v1' },
    { name: 'as a promise', call: async () => 'v1' },
  ])('$name', async ({ call }) => {
    const { outcome, clock } = value(call)
    expect(await outcome.value).toBe('v1')
    expect(clock.waiting).toBe(0)
  })

  it('throws', async () => {
    const error = await failure(value(() => Promise.reject(new Error('no'))).outcome.value)
    expect([error.code, error.message]).toEqual(['LSM_ERR_PROVIDER_FAILED', 'provider "posts" failed'])
  })

  it('never comes', async () => {
    const { outcome, clock, abandoned } = value(() => never)
    await clock.advance(29_999)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    await failure(outcome.value)
    expect(abandoned.count).toBe(1)
  })
})
