import type { SharedStore } from '../cache/store.ts'
import type { Check } from './check.ts'

const REQUIRED = ['get', 'set', 'delete'] as const
const OPTIONAL = [
  'touch',
  'setRecord',
  'getFields',
  'setField',
  'lock',
  'renew',
  'unlock',
  'invalidate',
  'state',
  'subscribe',
  'ready',
] as const

/** `cache.store`: an object with a store's methods. Never a client of Redis itself: its `get` gives text. */
export function resolveStore(check: Check, value: unknown): SharedStore | undefined {
  if (value === undefined) return undefined
  const wayOut = "Write redisStore(client) or fsStore(dir), both from 'live-sitemap/stores', or leave it out."
  if (typeof value !== 'object' || value === null) {
    check.invalid('cache.store', value, 'an object with the methods get, set and delete', wayOut)
    return undefined
  }
  const given = value as Record<string, unknown>
  const missing = REQUIRED.filter((name) => typeof given[name] !== 'function')
  const wrong = OPTIONAL.filter((name) => given[name] !== undefined && typeof given[name] !== 'function')
  if (missing.length === 0 && wrong.length === 0 && typeof given.name === 'string')
    return value as SharedStore
  const lacks = [
    ...(typeof given.name === 'string' ? [] : ['a text "name"']),
    ...missing.map((name) => `the method ${name}`),
    ...wrong.map((name) => `a function as ${name}`),
  ]
  // What it holds is not shown: a client may hold a password.
  check.invalid(
    'cache.store',
    value,
    'a store',
    isClient(given) ? "Write redisStore(client), from 'live-sitemap/stores'." : wayOut,
    `an object without ${lacks.join(', ')}`,
  )
  return undefined
}

function isClient(given: Record<string, unknown>): boolean {
  return typeof given.sendCommand === 'function' || typeof given.callBuffer === 'function'
}
