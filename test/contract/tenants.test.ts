/** Five thousand tenants on each host, each asked over real sockets, in little memory, beside a provider that is dead. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createLimiter } from '../../src/limiter.ts'
import { type ChildResult, runChild } from '../support/child.ts'
import { TENANTS, type Tenancy } from './tenancy.ts'

const HOSTS = ['Fastify', 'Express 4', 'Express 5', 'node:http', "fetch, Node's Request and Response"]

/** Generous: measured are 25 MB, of which 4 MB are documents; a leak of 20 KB a tenant alone would be 90 MB. */
const MOST_GROWTH = 60_000_000

const file = new URL('./children/tenants.ts', import.meta.url)
const lanes = createLimiter(2)
let children: ReadonlyMap<string, Promise<ChildResult>>

beforeAll(() => {
  // All at once, two at a time: a process each, so that each heap is measured alone.
  children = new Map(
    HOSTS.map((name) => [name, lanes.run(() => runChild(file, { args: [name], timeoutMs: 120_000 }))]),
  )
})

describe.each(HOSTS)('%s', (name) => {
  it(`serves ${TENANTS} tenants in bounded memory, with one breaker, and no host in any key or document`, async () => {
    const { code, out, err } = (await children.get(name)) as ChildResult
    expect(code, err).toBe(0)
    const { faults, sites, memory, growth, deadCalls, lines, files } = JSON.parse(out) as Tenancy
    expect(faults).toEqual([])
    expect(sites.asked).toBe(TENANTS)
    expect(memory.used).toBeLessThanOrEqual(memory.limit)
    // 16 MiB: what a site weighs goes a hundred times into half of it.
    expect(sites.awake).toBeGreaterThan(0)
    expect(sites.awake).toBeLessThan(200)
    expect(growth).toBeLessThan(MOST_GROWTH)
    // One breaker over all tenants, whose clock stands still; two walks run at once.
    expect(deadCalls).toBeGreaterThanOrEqual(5)
    expect(deadCalls).toBeLessThanOrEqual(6)
    expect(lines).toBeLessThanOrEqual(3)
    // Those that sleep lie in a file each.
    expect(files).toBeGreaterThan(TENANTS - 200)
    expect(files).toBeLessThan(TENANTS + 50)
  }, 240_000)
})
