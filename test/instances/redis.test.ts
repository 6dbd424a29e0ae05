/** What instances on one Redis promise each other, shown on a real server and real processes (ENGINE section 5). */
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { PATH as path } from './expectations.ts'
import { CLIENTS, pathsOf, startLoad } from './instance.ts'
import { describeOnRedis } from './on-redis.ts'

describeOnRedis('instances on one Redis', (on) => {
  it('4 instances × 250 parallel cold requests → 1 walk, and the same answer everywhere', async () => {
    const { source, start } = on()
    source.set('held')
    const instances = await start(CLIENTS, { more: { warmUp: false } })
    const asked = instances.flatMap((one) => Array.from({ length: 250 }, () => one.ask(path)))
    await eventually(() => source.walks > 0)
    source.set({ name: 'a', count: 100 })
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(
      new Set(answers.map(({ etag, lastModified, text }) => `${etag} ${lastModified} ${text}`)).size,
    ).toBe(1)
    expect(source.walks).toBe(1)
  })

  it('a rolling restart under constant load fails no request, and walks no more', async () => {
    const { source, start } = on()
    const instances = await start(CLIENTS.slice(0, 3))
    await Promise.all(instances.map((one) => one.ask('/ready')))
    expect(source.walks).toBe(1)
    const first = await instances[0]?.ask(path)
    const balanced = [...instances]
    const load = startLoad(balanced)
    await load.more(20)
    for (const old of instances) {
      // As a rollout does: out of the balancer, then ended, and the next one when the new one is ready.
      balanced.splice(balanced.indexOf(old), 1)
      await load.more(10)
      await old.stop()
      const [next] = await start(CLIENTS.slice(0, 1))
      if (next === undefined) throw new Error('there is no instance')
      expect((await next.ask('/ready')).status).toBe(200)
      balanced.push(next)
      await load.more(20)
    }
    await load.stop()
    expect(load.failures).toEqual([])
    expect(source.walks).toBe(1)
    for (const one of balanced) expect(await one.ask(path)).toEqual(first)
  })

  it('an invalidation is seen by all within a second', async () => {
    const { source, start } = on()
    const instances = await start(CLIENTS)
    await Promise.all(instances.map((one) => one.ask('/ready')))
    for (const [i, by] of instances.entries()) {
      const walks = source.walks
      source.edit(`edit${i}`)
      const told = by.tell('invalidate', 'posts')
      await eventually(
        async () => {
          const seen = await Promise.all(instances.map((one) => one.ask(path)))
          return seen.every(({ text }) => pathsOf(text)[0] === `/edit${i}-1`)
        },
        'the edit everywhere',
        // The second of the promise, and what asking takes on a busy machine.
        3_000,
      )
      await told
      expect(source.walks - walks).toBe(1)
    }
  })

  it('a lease whose holder died runs out: the other gets 503 until then, and reads', async () => {
    const { source, start } = on()
    source.set('held')
    const [a, b] = await start(CLIENTS.slice(0, 2), {
      more: { warmUp: false, deadline: '2s' },
    })
    void a?.ask(path).catch(() => {})
    await eventually(() => source.walks === 1)
    const waiting = b?.ask(path)
    await a?.kill()
    source.set({ name: 'b', count: 100 })
    expect((await waiting)?.status).toBe(503)
    await eventually(async () => (await b?.ask(path))?.status === 200, 'the lease to run out', 30_000)
    expect(source.walks).toBe(2)
  })
})
