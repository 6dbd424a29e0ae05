import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLimiter } from '../../src/limiter.ts'
import { turns } from '../support/manual-clock.ts'
import { createGate } from '../support/site.ts'

describe('limiter', () => {
  it('runs at most so many at once, the rest in order', async () => {
    const limiter = createLimiter(2)
    const gates = Array.from({ length: 5 }, () => createGate())
    const begun: number[] = []
    const all = gates.map((gate, n) =>
      limiter.run(async () => {
        begun.push(n)
        await gate.passed
        return n
      }),
    )
    await turns()
    expect(begun).toEqual([0, 1])
    gates[1]?.open()
    await turns()
    expect(begun).toEqual([0, 1, 2])
    gates[2]?.open()
    gates[0]?.open()
    await turns()
    expect(begun).toEqual([0, 1, 2, 3, 4])
    gates[3]?.open()
    gates[4]?.open()
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4])
  })

  it('a task begins at once where there is room', () => {
    let begun = false
    void createLimiter(1).run(async () => {
      begun = true
    })
    expect(begun).toBe(true)
  })

  it('who comes while a slot is handed over, at whatever step of it, waits behind those who waited', async () => {
    for (let steps = 0; steps < 8; steps++) {
      const limiter = createLimiter(1)
      const order: string[] = []
      let running = 0
      const note = (name: string) => async () => {
        order.push(`${name}${running++ > 0 ? ' beside another' : ''}`)
        await turns(1)
        running--
      }
      const gate = createGate()
      let late: Promise<void> | undefined
      const comeLater = (left: number): void => {
        if (left > 0) queueMicrotask(() => comeLater(left - 1))
        else late = limiter.run(note('came later'))
      }
      const first = limiter.run(async () => {
        await gate.passed
        comeLater(steps)
      })
      const second = limiter.run(note('waited'))
      gate.open()
      await Promise.all([first, second])
      await late
      expect(order).toEqual(['waited', 'came later'])
    }
  })

  it.each([
    { name: 'rejects', task: () => Promise.reject(new Error('no')) },
    {
      name: 'throws',
      task: () => {
        throw new Error('no')
      },
    },
  ])('a task that $name gives its slot back', async ({ task }) => {
    const limiter = createLimiter(1)
    const failed = limiter.run(task)
    const next = limiter.run(async () => 'ran')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('ran')
    expect(await limiter.run(async () => 'ran')).toBe('ran')
  })

  it('any tasks: never more than so many, each once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 3 }), fc.boolean()), { maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (tasks, most) => {
          const limiter = createLimiter(most)
          const begun: number[] = []
          let running = 0
          let peak = 0
          await Promise.allSettled(
            tasks.map(([ticks, fails], n) =>
              limiter.run(async () => {
                begun.push(n)
                peak = Math.max(peak, ++running)
                for (let tick = 0; tick < ticks; tick++) await undefined
                running--
                if (fails) throw new Error('no')
              }),
            ),
          )
          expect(begun).toEqual(tasks.map((_, n) => n))
          expect(peak).toBeLessThanOrEqual(most)
        },
      ),
    )
  })
})
