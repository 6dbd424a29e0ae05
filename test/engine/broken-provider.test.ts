import { describe, expect, it } from 'vitest'
import { createEngine, type Entry, resolveOptions } from '../../src/index.ts'
import { createManualClock } from '../support/manual-clock.ts'

const quiet = { info() {}, warn() {}, error() {} }

function begin(first: readonly Entry[], later: readonly unknown[]) {
  const clock = createManualClock()
  let given: readonly unknown[] = first
  const engine = createEngine(
    resolveOptions({
      site: { url: 'https://www.example.com' },
      providers: { posts: () => given },
      warmUp: false,
    }),
    { clock, log: quiet },
  )
  const ask = (path: string) =>
    engine.respond({
      method: 'GET',
      path,
      header: (name) => (name === 'accept-encoding' ? 'identity' : undefined),
    })
  return { engine, ask, turnBad: () => (given = later) }
}

describe('a provider of which not one entry can be used is broken, and an empty sitemap would say: no pages', () => {
  const kinds: { readonly name: string; readonly entries: readonly unknown[]; readonly reason: string }[] = [
    { name: 'lists in place of entries', entries: [['/a'], ['/b']], reason: 'entry is a list' },
    { name: 'rows without loc', entries: [{ id: 1, slug: 'a' }], reason: 'no loc' },
    {
      name: 'the other scheme',
      entries: ['http://www.example.com/a', 'http://www.example.com/b'],
      reason: 'scheme',
    },
    { name: 'promises', entries: [Promise.resolve('/a')], reason: 'await it' },
  ]

  it.each(kinds)('$name, cold: 503, never an empty 200', async ({ entries }) => {
    const { engine, ask } = begin(entries as readonly Entry[], [])
    expect((await ask('/sitemap.xml')).status).toBe(503)
    expect(engine.report().sections.posts?.lastError?.code).toBe('LSM_ERR_ENTRY_INVALID')
    await engine.close()
  })

  it.each(kinds)(
    '$name, warm: the last good state stays, and the error says why',
    async ({ entries, reason }) => {
      const { engine, ask, turnBad } = begin(['/a', '/b'], entries)
      const good = await ask('/sitemap.xml')
      turnBad()
      const refused = await engine.invalidate('posts', 0).then(
        () => undefined,
        (error: Error) => error,
      )
      expect(refused?.message).toContain(reason)
      const after = await ask('/sitemap.xml')
      expect([after.status, after.body]).toEqual([200, good.body])
      await engine.close()
    },
  )

  it.each([
    { name: 'no entries at all', entries: [] },
    { name: 'only entries that ask to be left out', entries: [{ loc: '/a', noindex: true }] },
    { name: 'nothing in place of entries', entries: [null, undefined] },
  ])('$name is an empty section, not a broken one', async ({ entries }) => {
    const { engine, ask } = begin(entries as readonly Entry[], [])
    expect((await ask('/sitemap.xml')).status).toBe(200)
    await engine.close()
  })
})

it("an error of the handle holds nothing of the provider's own words: the app may answer with it", async () => {
  const engine = createEngine(
    resolveOptions({
      site: { url: 'https://www.example.com' },
      providers: {
        posts: () => {
          throw new Error('connect postgres://user:secret@db failed')
        },
        pages: () => ({ token: 'secret' }) as never,
      },
      retries: 0,
      warmUp: false,
    }),
    { log: quiet },
  )
  for (const section of ['posts', 'pages']) {
    const error = await engine.refresh(section, false).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ statusCode: 503 })
    expect((error as Error).message).not.toContain('secret')
  }
  await engine.close()
})
