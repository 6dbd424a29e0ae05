import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createLog } from '../../src/log.ts'
import { createStoreLink } from '../../src/store/link.ts'
import { createLines } from '../support/site.ts'

/** Longer than a small call may take. */
const HELD_UP_MS = 400

it('an answer that came while the process was held up counts, though its time is over when it is read', async () => {
  const { logger } = createLines()
  const store = {
    name: 'elsewhere',
    // Answered outside of the event loop, as a server does.
    get: (_key: string) => promisify(randomBytes)(8),
    set: async () => {},
    delete: async () => {},
  }
  const link = createStoreLink(store, systemClock, createLog(logger, systemClock))
  await link.call((on) => on.get('first'))
  // What runs next are timers, and only then what came.
  await setImmediate()
  const called = link.call((on) => on.get('second'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS)
  expect((await called)?.value).toBeInstanceOf(Buffer)
  await link.close()
})
