import { afterEach, describe, expect, it } from 'vitest'
import { closeEngines, createTestEngine } from '../support/site.ts'

afterEach(closeEngines)

const PARTS = 40
const SIZE = 1_000

/** Parts of about 800 KB that compress badly: below what is streamed, and each a good part of the memory given. */
function* entries(): Generator<string> {
  let state = 1
  for (let i = 0; i < PARTS * SIZE; i++) {
    let path = ''
    for (let n = 0; n < 80; n++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      path += (state >>> 8).toString(36)
    }
    yield `/${i}-${path}`
  }
}

/** Every part, in each of these codings, asked for before any is answered. */
async function flood(codings: readonly string[]) {
  const site = createTestEngine({
    cache: { memory: '4mb' },
    limit: SIZE,
    routes: { html: false, txt: false, rss: false },
    providers: { posts: entries },
  })
  await site.warm('/sitemap_index.xml')
  let highest = 0
  const { limit } = site.handle.report().memory
  const answers = Array.from({ length: PARTS }, (_, i) =>
    codings.map((coding) =>
      site.engine.respond({
        method: 'GET',
        path: `/sitemap-posts-${i + 1}.xml`,
        header: (name) => (name === 'accept-encoding' ? coding : undefined),
      }),
    ),
  ).flat()
  return {
    ...site,
    limit,
    answers,
    look: () => {
      highest = Math.max(highest, site.handle.report().memory.used)
      return highest
    },
  }
}

describe.each([{ codings: ['identity'] }, { codings: ['gzip'] }, { codings: ['identity', 'gzip', 'br'] }])(
  'all parts at once, $codings',
  ({ codings }) => {
    it('by clients that take nothing: as many as memory has room for, 503 with Retry-After to the rest', async () => {
      const { answers, limit, look } = await flood(codings)
      const statuses: number[] = []
      const held: (() => void)[] = []
      for (const answer of answers) {
        const { status, headers, done } = await answer
        statuses.push(status)
        if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
        if (done !== undefined) held.push(done)
      }
      expect(statuses).toContain(200)
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(PARTS / 2)
      // Two are made at once, and both were let in when there was room for one.
      expect(look()).toBeLessThanOrEqual(limit + 1_000_000)
      for (const done of held) done()
      expect(look()).toBeLessThanOrEqual(limit + 1_000_000)
    })

    it('by clients that take what they get: all are served', async () => {
      const { answers, limit, look } = await flood(codings)
      const statuses = await Promise.all(
        answers.map(async (answer) => {
          const { status, done } = await answer
          look()
          done?.()
          return status
        }),
      )
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(look()).toBeLessThanOrEqual(limit + 1_000_000)
    })
  },
)
