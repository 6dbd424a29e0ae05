import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../src/options.ts'
import { least, refusal } from './resolving.ts'

const methods = { get: async () => null, set: async () => {}, delete: async () => {} }
const wayOut = "Write redisStore(client) or fsStore(dir), both from 'live-sitemap/stores', or leave it out."

describe('option cache.store', () => {
  it.each([
    { name: 'the least a store may be', store: { name: 'own', ...methods } },
    {
      name: 'methods of a class',
      store: new (class Own {
        name = 'own'
        get = methods.get
        set = methods.set
        delete = methods.delete
      })(),
    },
  ])('takes $name, as it is', ({ store }) => {
    expect(resolveOptions({ ...least, cache: { store } }).cache.store).toBe(store)
  })

  it.each<{ name: string; store: unknown; line: string }>([
    {
      name: 'a text',
      store: 'redis://hidden@host',
      line: `expected an object with the methods get, set and delete. ${wayOut}`,
    },
    { name: 'an empty object', store: {}, line: `expected a store. ${wayOut}` },
    { name: 'a nameless one', store: methods, line: 'an object without a text "name": expected a store.' },
    {
      name: 'a lock that is none',
      store: { name: 'own', ...methods, lock: true },
      line: 'an object without a function as lock: expected a store.',
    },
    {
      name: 'a client of Redis',
      store: { get() {}, set() {}, sendCommand() {}, options: { password: 'hidden' } },
      line: "Write redisStore(client), from 'live-sitemap/stores'.",
    },
    {
      name: 'another client',
      store: { get() {}, set() {}, callBuffer() {}, options: { password: 'hidden' } },
      line: "Write redisStore(client), from 'live-sitemap/stores'.",
    },
  ])('refuses $name', ({ store, line }) => {
    const { code, message } = refusal({ ...least, cache: { store } })
    expect(code).toBe('LSM_ERR_OPTION_INVALID')
    expect(message).toContain(line)
    if (typeof store === 'object') expect(message).not.toContain('hidden')
  })

  it('tells applications apart by site and prefix, unless they say how', () => {
    const namespaceOf = (more: object): string => resolveOptions({ ...least, ...more }).cache.namespace
    expect(namespaceOf({ prefix: '/shop' })).toBe('https://www.example.com/shop')
    expect(namespaceOf({ cache: { namespace: 'shop' } })).toBe('shop')
    expect(namespaceOf({ site: undefined, sites: () => null, prefix: '/shop' })).toBe('sites/shop')
  })
})
