import { randomBytes } from 'node:crypto'
import Keyv from 'keyv'
import { describe, expect, it } from 'vitest'
import { fsStore, keyvStore, unstorageStore } from '../../../plugins/stores/index.ts'

const redis = { callBuffer() {}, pipeline() {}, duplicate() {}, connect() {}, status: 'ready' }
const nodeRedis = { sendCommand() {}, withTypeMapping() {}, duplicate() {}, isReady: true }
const storage = { getItemRaw() {}, setItemRaw() {}, removeItem() {} }

describe('what is given to the wrong store', () => {
  it.each([
    {
      make: keyvStore,
      of: 'ioredis',
      given: redis,
      message: 'keyvStore() got a client of Redis: write redisStore(client)',
    },
    {
      make: keyvStore,
      of: 'unstorage',
      given: storage,
      message: 'keyvStore() got a storage of unstorage: write unstorageStore(storage)',
    },
    {
      make: keyvStore,
      of: 'a Map',
      given: new Map(),
      message: 'keyvStore() got a Map: expected a Keyv. Write keyvStore(new Keyv())',
    },
    {
      make: unstorageStore,
      of: 'node-redis',
      given: nodeRedis,
      message: 'unstorageStore() got a client of Redis: write redisStore(client)',
    },
    {
      make: unstorageStore,
      of: 'Keyv',
      given: new Keyv(),
      message: 'unstorageStore() got a Keyv: write keyvStore(keyv)',
    },
    {
      make: unstorageStore,
      of: 'nothing',
      given: null,
      message:
        'unstorageStore() got null (null): expected a storage of unstorage. Write unstorageStore(createStorage())',
    },
    {
      make: fsStore,
      of: 'no name',
      given: ' ',
      message: 'fsStore() got " " (string): expected a folder. Write fsStore(\'/var/cache/my-app/sitemap\')',
    },
  ])('is named: $make.name of $of', ({ make, given, message }) => {
    expect(() => make(given as never)).toThrow(
      expect.objectContaining({ code: 'LSM_ERR_OPTION_INVALID', message }),
    )
  })
})

describe('keyvStore', () => {
  it('takes what is no bytes for nothing', async () => {
    const keyv = new Keyv()
    await keyv.set('text', 'of somebody else')
    expect(await keyvStore(keyv).get('text')).toBeNull()
  })

  it('shortens keys that a database could not take', async () => {
    const memory = new Map<string, unknown>()
    const store = keyvStore(new Keyv({ store: memory }))
    await store.set('x'.repeat(500), Buffer.from('long'), 1_000)
    await store.set('ls1:{example|posts}:r', Buffer.from('short'), 1_000)
    const [long = '', short] = memory.keys()
    expect(long.length).toBeLessThan(100)
    expect(short).toBe('keyv:ls1:{example|posts}:r')
  })
})

describe('unstorageStore', () => {
  /** A driver that answers with what the test puts there. */
  function held(change: (sealed: Buffer) => unknown) {
    let kept: unknown = null
    return unstorageStore({
      getItemRaw: async () => kept,
      setItemRaw: async (_key, value) => {
        kept = change(value)
      },
      removeItem: async () => {
        kept = null
      },
    })
  }

  it.each([
    { what: 'an ArrayBuffer', change: (sealed: Buffer) => new Uint8Array(sealed).buffer, same: true },
    { what: 'a Uint8Array', change: (sealed: Buffer) => new Uint8Array(sealed), same: true },
    { what: 'half of it', change: (sealed: Buffer) => sealed.subarray(0, 500), same: false },
    { what: 'less than a digest', change: (sealed: Buffer) => sealed.subarray(0, 5), same: false },
    { what: 'no byte', change: () => Buffer.alloc(0), same: false },
    { what: 'text', change: (sealed: Buffer) => sealed.toString(), same: false },
    { what: 'nothing', change: () => undefined, same: false },
  ])('given back as $what, a value is itself or nothing', async ({ change, same }) => {
    const store = held(change)
    const value = randomBytes(1_000)
    await store.set('key', value, 1_000)
    const seen = await store.get('key')
    expect(seen === null ? false : Buffer.from(seen ?? []).equals(value)).toBe(same)
    if (!same) expect(seen).toBeNull()
  })
})
