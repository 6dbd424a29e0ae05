import { describe, expect, it } from 'vitest'
import { createManualClock, turns } from '../support/manual-clock.ts'
import { memoryStore, type StoreFault } from '../support/memory-store.ts'

const VALUE = Buffer.from('value')

describe('the faults of the store in memory', () => {
  it('come and go by method', async () => {
    const store = memoryStore()
    await store.set('key', VALUE, 1_000)
    store.fault('error', ['get'])
    await expect(store.get('key')).rejects.toThrow('get')
    expect(await store.touch(['key'], 1_000)).toEqual([])
    store.heal()
    expect(await store.get('key')).toEqual(new Uint8Array(VALUE))
    expect(store.calls.get('get')).toBe(2)
  })

  it('meet one client alone', async () => {
    const store = memoryStore()
    const other = store.another()
    store.fault('error')
    await other.set('key', VALUE, 1_000)
    await expect(store.get('key')).rejects.toThrow()
    expect(await other.get('key')).toBeDefined()
  })

  it.each<{ fault: StoreFault; thenMs: number }>([
    { fault: { delayMs: 400 }, thenMs: 400 },
    { fault: 'hang', thenMs: 0 },
  ])('$fault keeps a call waiting', async ({ fault, thenMs }) => {
    const clock = createManualClock()
    const store = memoryStore({ clock })
    let isSettled = false
    store.fault(fault)
    const call = store.get('key').then(() => {
      isSettled = true
    })
    await clock.advance(399)
    expect(isSettled).toBe(false)
    if (thenMs === 0) store.heal()
    else await clock.advance(1)
    await call
    await turns()
    expect(isSettled).toBe(true)
  })

  it('loses writes and says nothing', async () => {
    const store = memoryStore()
    store.fault('lost writes')
    await store.set('key', VALUE, 1_000)
    expect(await store.setRecord('record', 1, VALUE, 1_000)).toBe(true)
    expect(await store.invalidate(['posts'])).toBe(1)
    expect(store.keys()).toEqual([])
    expect((await store.state()).rev).toBe(0)
  })

  it('lies', async () => {
    const store = memoryStore()
    const other = store.another()
    await store.set('key', VALUE, 1_000)
    await store.lock('lease', 'mine', 1_000)
    other.fault('lies')
    expect(await other.get('key')).not.toEqual(new Uint8Array(VALUE))
    expect(await other.lock('lease', 'theirs', 1_000)).toBe(true)
    expect(await other.touch(['nothing'], 1_000)).toEqual([])
    expect((await other.state()).epoch).not.toBe((await store.state()).epoch)
    expect(await store.renew('lease', 'mine', 1_000)).toBe(true)
  })
})
