/** A suite on a real Redis that each test finds empty, with a source and instances of the test's own. */
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'
import {
  type ClientName,
  type Instance,
  type InstanceOrder,
  killInstances,
  type Source,
  startInstance,
  startSource,
} from './instance.ts'

export interface OnRedis {
  readonly server: RedisServer
  readonly source: Source
  /** One for each client; `url` is where they look for Redis. */
  start(
    clients: readonly ClientName[],
    more?: Partial<InstanceOrder> & { readonly url?: string },
  ): Promise<Instance[]>
}

/** `on()` is asked within the tests: it holds what the hooks have made. */
export function describeOnRedis(name: string, define: (on: () => OnRedis) => void): void {
  describe.runIf(hasRedis())(name, { timeout: 90_000 }, () => {
    let server: RedisServer
    let source: Source
    beforeAll(async () => {
      server = await startRedis()
    })
    afterAll(() => server?.stop())
    beforeEach(async () => {
      await server.restart()
      source = await startSource()
    })
    afterEach(async () => {
      await killInstances()
      await source.close()
    })
    define(() => ({
      server,
      source,
      start: (clients, { url = server.url, ...more } = {}) =>
        Promise.all(
          clients.map((client) => startInstance({ source: source.origin, store: { client, url }, ...more })),
        ),
    }))
  })
}
