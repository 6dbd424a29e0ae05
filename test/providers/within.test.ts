import { describe, expect, it } from 'vitest'
import { sleep, within } from '../../src/within.ts'
import { unhandledDuring } from '../support/engine.ts'
import { createManualClock, turns } from '../support/manual-clock.ts'
import { createGate, watch } from '../support/site.ts'

describe('within', () => {
  it('true where the promise resolves in time, and no timer is left', async () => {
    const clock = createManualClock()
    const gate = createGate()
    const outcome = watch(within(clock, 1_000, gate.passed))
    await clock.advance(999)
    expect(outcome.settled).toBe(false)
    gate.open()
    expect(await outcome.value).toBe(true)
    expect(clock.waiting).toBe(0)
  })

  it('false when time is up', async () => {
    const clock = createManualClock()
    const outcome = watch(within(clock, 1_000, createGate().passed))
    await clock.advance(999)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    expect(await outcome.value).toBe(false)
  })

  it('rejects as the promise does, and no timer is left', async () => {
    const clock = createManualClock()
    const error = new Error('no')
    await expect(within(clock, 1_000, Promise.reject(error))).rejects.toBe(error)
    expect(clock.waiting).toBe(0)
  })

  it('false when the signal fires, and no timer is left', async () => {
    const clock = createManualClock()
    const controller = new AbortController()
    const outcome = watch(within(clock, 1_000, createGate().passed, controller.signal))
    controller.abort()
    expect(await outcome.value).toBe(false)
    expect(clock.waiting).toBe(0)
  })

  it('false at once where the signal has fired already', async () => {
    const clock = createManualClock()
    expect(await within(clock, 1_000, createGate().passed, AbortSignal.abort())).toBe(false)
    expect(clock.waiting).toBe(0)
  })

  it.each([
    { name: 'time was up', advanceMs: 1_000, signal: undefined },
    { name: 'the signal had fired already', advanceMs: 0, signal: AbortSignal.abort() },
  ])('a rejection that comes after $name is not unhandled', async ({ advanceMs, signal }) => {
    const clock = createManualClock()
    const unhandled = await unhandledDuring(async () => {
      let fail: (error: Error) => void = () => {}
      const promise = new Promise<void>((_, reject) => {
        fail = reject
      })
      const outcome = within(clock, 1_000, promise, signal)
      await clock.advance(advanceMs)
      expect(await outcome).toBe(false)
      fail(new Error('late'))
    })
    expect(unhandled).toEqual([])
  })

  it('one signal for many: no listener is left behind', async () => {
    const clock = createManualClock()
    const { signal } = new AbortController()
    const added: string[] = []
    const removed: string[] = []
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      added.push(given[0])
      add(...given)
    }
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      removed.push(given[0])
      remove(...given)
    }
    await within(clock, 1_000, Promise.resolve(), signal)
    const late = within(clock, 1_000, createGate().passed, signal)
    await clock.advance(1_000)
    await late
    expect(removed).toEqual(added)
    expect(added).toHaveLength(2)
  })
})

describe('sleep', () => {
  it('ends at its time, or when the signal fires', async () => {
    const clock = createManualClock()
    const controller = new AbortController()
    const timed = watch(sleep(clock, 1_000, new AbortController().signal))
    const ended = watch(sleep(clock, 1_000_000, controller.signal))
    await clock.advance(999)
    expect(timed.settled).toBe(false)
    await clock.advance(1)
    expect(timed.settled).toBe(true)
    expect(ended.settled).toBe(false)
    controller.abort()
    await turns()
    expect(ended.settled).toBe(true)
    expect(clock.waiting).toBe(0)
  })

  it('does not begin where the signal has fired already', async () => {
    const clock = createManualClock()
    await sleep(clock, 1_000, AbortSignal.abort())
    expect(clock.waiting).toBe(0)
  })
})
