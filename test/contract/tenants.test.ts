/** Five thousand tenants on each host, each asked over real sockets, in little memory, beside a provider that is dead. */
import { beforeAll, describe, expect, it } from 'vitest'
import { runChild } from '../support/child.ts'
import { TENANTS, type Tenancy } from './tenancy.ts'

/** Two processes, for two cores; in each one host after the other. */
const LANES = [
  ['Fastify', 'Express 4', 'node:http'],
  ['Express 5', "fetch, Node's Request and Response"],
] as const

/** Generous: measured are 25 MB, of which 4 MB are documents; a leak of 20 KB a tenant alone would be 90 MB. */
const MOST_GROWTH = 60_000_000

const seen = new Map<string, Tenancy>()

beforeAll(async () => {
  const file = new URL('./children/tenants.ts', import.meta.url)
  const children = await Promise.all(LANES.map((args) => runChild(file, { args, timeoutMs: 200_000 })))
  for (const { code, out, err } of children) {
    if (code !== 0) throw new Error(`the process of the tenants ended with ${code}: ${err}`)
    for (const line of out.trim().split('\n')) {
      const tenancy = JSON.parse(line) as Tenancy
      seen.set(tenancy.name, tenancy)
    }
  }
}, 220_000)

describe.each(LANES.flat())('%s', (name) => {
  it(`serves ${TENANTS} tenants in bounded memory, with one breaker, and no host in any key or document`, () => {
    const { faults, sites, memory, growth, deadCalls, lines, files } = seen.get(name) as Tenancy
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
  })
})
