import { afterEach, describe, expect, it } from 'vitest'
import type { Entry } from '../../src/entry/entry.ts'
import { SitemapError } from '../../src/errors.ts'
import type { Snapshot } from '../../src/shelves/snapshot.ts'
import { cleanUp, createFolder, createWorkbench, snapshotText } from '../support/engine.ts'
import { createManualClock, turns, until } from '../support/manual-clock.ts'
import { codeOf, createGate, createSource, entriesOf, hangsForEver, watch } from '../support/site.ts'

afterEach(cleanUp)

async function locsOf(snapshot: Snapshot): Promise<string[]> {
  return (await snapshotText(snapshot, 'txt')).split('\n').slice(0, -1)
}

const SITE = 'https://www.example.com'

/** What a provider that is not typed may yield. */
const untyped = (entries: readonly unknown[]) => () => entries as readonly Entry[]

describe('a walk', () => {
  it('gives the same snapshot however the entries come', async () => {
    const entries = entriesOf('post', 2_500)
    const providers = [
      entries,
      () => entries,
      async () => new Set(entries),
      function* () {
        yield* entries
      },
      async function* () {
        for (const entry of entries) yield { ...entry }
      },
    ]
    const digests = await Promise.all(
      providers.map(async (provider) => {
        const { digest, setSum, cuts, count } = await (await createWorkbench(provider)).walk()
        return { digest, setSum, pages: cuts.map(({ pages }) => pages), count }
      }),
    )
    expect(digests.map((one) => JSON.stringify(one))).toEqual(digests.map(() => JSON.stringify(digests[0])))
    expect(digests[0]?.count).toBe(2_500)
  })

  it('makes the lines of each kind', async () => {
    const { walk } = await createWorkbench([
      '/a',
      { loc: '/b?c&d', title: 'B', lastmod: '2026-05-10', images: ['/b.png'] },
    ])
    const snapshot = await walk()
    expect(await snapshotText(snapshot, 'xml')).toBe(
      `<url><loc>${SITE}/a</loc></url>\n<url><loc>${SITE}/b?c&amp;d</loc><lastmod>2026-05-10</lastmod><image:image><image:loc>${SITE}/b.png</image:loc></image:image></url>\n`,
    )
    expect(await snapshotText(snapshot, 'txt')).toBe(`${SITE}/a\n${SITE}/b?c&d\n`)
    expect(await snapshotText(snapshot, 'cards')).toBe('\nB\t\t\t2026-05-10\n')
    expect(snapshot.parts[0]).toMatchObject({ count: 2, namespaces: 1, newest: { text: '2026-05-10' } })
  })

  it.each([
    { formats: ['xml'] as const, kinds: ['xml'] },
    { formats: ['txt'] as const, kinds: ['txt'] },
    { formats: ['html'] as const, kinds: ['txt', 'cards'] },
    { formats: ['feed'] as const, kinds: [] },
    { formats: ['xml', 'txt', 'html', 'feed'] as const, kinds: ['xml', 'txt', 'cards'] },
  ])('makes only what a section of $formats needs', async ({ formats, kinds }) => {
    const { walk } = await createWorkbench({ entries: entriesOf('post', 3), formats })
    const { parts, feed, count } = await walk()
    expect((['xml', 'txt', 'cards'] as const).filter((kind) => parts[0]?.[kind] !== undefined)).toEqual(kinds)
    expect(feed.length).toBe(formats.some((format) => format === 'feed') ? 3 : 0)
    expect(count).toBe(3)
  })

  it('of a section without entries', async () => {
    const { parts, cuts, feed, count } = await (await createWorkbench([])).walk()
    expect({ parts, feed, count }).toEqual({ parts: [], feed: [], count: 0 })
    expect(cuts).toMatchObject([{ parts: [], pages: [], count: 0 }])
  })

  it('lets the app run in between, although all entries are ready', async () => {
    const { walk } = await createWorkbench(entriesOf('post', 60_000))
    let turnsOfTheApp = 0
    let walking = true
    const app = (): void => {
      turnsOfTheApp++
      if (walking) setImmediate(app)
    }
    setImmediate(app)
    await walk()
    walking = false
    expect(turnsOfTheApp).toBeGreaterThan(3)
  })

  it.each([
    { name: 'a generator', asynchronous: false },
    { name: 'an async generator', asynchronous: true },
  ])(
    'holds $name back while the disk is slow, with a quarter of the memory and a few blocks ahead',
    async ({ asynchronous }) => {
      const disk = createGate()
      let given = 0
      let highest = 0
      const count = 60_000
      const one = (): string => {
        highest = Math.max(highest, bench.memory.loose)
        return `/${given++}`
      }
      const bench = await createWorkbench(
        asynchronous
          ? async function* () {
              while (given < count) yield one()
            }
          : function* () {
              while (given < count) yield one()
            },
        { cache: { memory: '40kb', dir: await createFolder() } },
        (spool) => ({
          ...spool,
          async create() {
            const file = await spool.create()
            const append = async (bytes: Buffer): Promise<number> => {
              await disk.passed
              return file.append(bytes)
            }
            return { ...file, append }
          },
        }),
      )
      const walking = watch(bench.walk())
      // Memory is full of blobs, the rest waits for the disk: then nothing more is asked for.
      await until(() => bench.memory.loose > bench.memory.limit / 4)
      await turns(500)
      expect(walking.settled).toBe(false)
      expect(given).toBeLessThan(count / 2)
      // Lines of a thousand entries: `<url>`, loc and card.
      const ofBlock = 200_000
      expect(highest).toBeLessThanOrEqual(bench.memory.limit / 4 + ofBlock)
      disk.open()
      expect((await walking.value).count).toBe(count)
      expect(highest).toBeLessThanOrEqual(bench.memory.limit / 4 + ofBlock)
    },
  )

  it('that fails leaves nothing', async () => {
    const { walk, memory } = await createWorkbench(async function* () {
      yield* entriesOf('post', 5_000)
      throw new Error('cursor lost')
    })
    expect(await codeOf(walk())).toBe('LSM_ERR_PROVIDER_FAILED')
    await until(() => memory.loose === 0)
    expect(memory).toMatchObject({ loose: 0, blobs: 0 })
  })
})

describe('two entries with the same final loc (SPEC L9)', () => {
  it('the first stays, the others are counted', async () => {
    const { walk } = await createWorkbench([
      { loc: '/a', title: 'first' },
      '/b',
      { loc: `${SITE}:443/a#x`, title: 'second' },
      new URL(`${SITE}/b`),
      '/c/../a',
    ])
    const snapshot = await walk()
    expect(await locsOf(snapshot)).toEqual([`${SITE}/a`, `${SITE}/b`])
    expect((await snapshotText(snapshot, 'cards')).split('\n')[0]).toBe('first')
    expect(snapshot.skipped).toMatchObject({ total: 3, reasons: { 'duplicate loc': 3 } })
    // Nobody has to mend it.
    expect(snapshot.faults).toBe('')
  })

  it('the slash policy decides what is the same', async () => {
    const entries = ['/a', '/a/']
    expect((await (await createWorkbench(entries)).walk()).count).toBe(2)
    expect((await (await createWorkbench(entries, { trailingSlash: 'always' })).walk()).count).toBe(1)
  })

  it('hosts of one length are not the same (scope off)', async () => {
    const { walk } = await createWorkbench(
      ['/x', 'https://aaa.example.com/x', 'https://bbb.example.com/x', 'http://www.example.com/x'],
      { scope: 'off' },
    )
    expect((await walk()).count).toBe(4)
  })
})

describe('what is left out', () => {
  it('is counted by reason, and the rest stands', async () => {
    const { walk } = await createWorkbench(
      untyped([
        '/a',
        null,
        undefined,
        7,
        ['/list'],
        { loc: 'https://other.example/' },
        { loc: '/b', lastmod: 'x' },
        { loc: '/c', noindex: true },
        '/drafts/1',
      ]),
      { exclude: ['/drafts/*'] },
    )
    const snapshot = await walk()
    expect(await locsOf(snapshot)).toEqual([`${SITE}/a`, `${SITE}/b`])
    expect(snapshot.skipped.total).toBe(7)
    expect(snapshot.skipped.reasons).toEqual({
      'entry is null or undefined': 2,
      'entry is a number': 1,
      'entry is a list: yield its members one by one (yield* rows)': 1,
      "loc is not on the site's scheme, host and port (option scope)": 1,
      'lastmod is not a date': 1,
      noindex: 1,
      excluded: 1,
    })
    expect(snapshot.faults).not.toMatch(/noindex|excluded|null/)
  })

  it('an entry larger than maxBytes, and nothing around it', async () => {
    const images = Array.from({ length: 40 }, (_, n) => `/${n}.png`)
    const { walk } = await createWorkbench(['/a', { loc: '/large', images }, '/b'], { maxBytes: 2_000 })
    const snapshot = await walk()
    expect(await locsOf(snapshot)).toEqual([`${SITE}/a`, `${SITE}/b`])
    expect(snapshot.skipped.reasons).toEqual({ 'larger than maxBytes': 1 })
  })

  it.each([
    { name: 'a bad loc', entries: ['/a', 'mailto:a@b.c'] },
    { name: 'a bad field', entries: ['/a', { loc: '/b', lastmod: 'x' }] },
    {
      name: 'an entry larger than maxBytes',
      entries: ['/a', { loc: '/b', images: Array.from({ length: 40 }, (_, n) => `/${n}`) }],
    },
  ])('with onInvalid fail the walk fails: $name', async ({ entries }) => {
    const { walk, memory } = await createWorkbench(untyped(entries), { onInvalid: 'fail', maxBytes: 2_000 })
    expect(await codeOf(walk())).toBe('LSM_ERR_ENTRY_INVALID')
    expect(memory).toMatchObject({ loose: 0, blobs: 0 })
  })

  it.each([
    { name: 'noindex', entries: [{ loc: '/a', noindex: true }] },
    { name: 'a duplicate', entries: ['/b', '/b'] },
    { name: 'excluded', entries: ['/drafts/1'] },
    { name: 'null', entries: ['/a', null] },
  ])('with onInvalid fail what was asked for is no fault: $name', async ({ entries }) => {
    const { walk } = await createWorkbench(untyped(entries), { onInvalid: 'fail', exclude: ['/drafts/*'] })
    expect((await walk()).skipped.total).toBe(1)
  })
})

describe('hostile rows', () => {
  const lazy = (): never => {
    throw new Error('session is closed')
  }

  it.each([
    {
      name: 'a getter that throws',
      row: {
        loc: '/row',
        get title() {
          return lazy()
        },
      },
    },
    {
      name: 'a date that throws, in a frozen row',
      row: Object.freeze({ loc: '/row', lastmod: { toISOString: lazy } }),
    },
    { name: 'a Proxy row', row: new Proxy({ loc: '/row' }, {}) },
    { name: 'a Proxy row whose keys cannot be listed', row: new Proxy({ loc: '/row' }, { ownKeys: lazy }) },
    {
      name: 'a Proxy row whose prototype cannot be asked for',
      row: new Proxy({ loc: '/row' }, { getPrototypeOf: lazy }),
    },
    {
      name: 'an alternate that throws',
      row: {
        loc: '/row',
        alternates: [
          {
            hreflang: 'en',
            get href() {
              return lazy()
            },
          },
        ],
      },
    },
    {
      name: 'an enclosure that throws',
      row: {
        loc: '/row',
        title: 'T',
        enclosure: {
          get url() {
            return lazy()
          },
        },
      },
    },
    { name: 'symbols', row: { loc: '/row', title: Symbol('t'), lastmod: Symbol('d'), images: Symbol('i') } },
  ])('$name: the walk goes on, and its neighbours stand', async ({ row }) => {
    const { walk } = await createWorkbench(untyped(['/a', row, '/b']))
    expect(await locsOf(await walk())).toEqual([`${SITE}/a`, `${SITE}/row`, `${SITE}/b`])
  })

  it.each([
    {
      name: 'a loc that throws',
      row: {
        get loc() {
          return lazy()
        },
      },
    },
    {
      name: 'a loc whose href throws',
      row: {
        loc: {
          get href() {
            return lazy()
          },
        },
      },
    },
    {
      name: 'a row that can no longer be looked at',
      row: (() => {
        const { proxy, revoke } = Proxy.revocable({}, {})
        revoke()
        return proxy
      })(),
    },
  ])('$name: it is left out, and its neighbours stand', async ({ row }) => {
    const { walk } = await createWorkbench(untyped(['/a', row, '/b']))
    const snapshot = await walk()
    expect(await locsOf(snapshot)).toEqual([`${SITE}/a`, `${SITE}/b`])
    expect(snapshot.skipped.total).toBe(1)
  })

  it('the same object yielded again and again', async () => {
    const { walk } = await createWorkbench(function* () {
      const row = { loc: '', title: '', keywords: [''] }
      for (const name of ['a', 'b', 'c']) {
        row.loc = `/${name}`
        row.title = name
        row.keywords[0] = name
        yield row
      }
    })
    const snapshot = await walk()
    expect(await snapshotText(snapshot, 'cards')).toBe('a\nb\nc\n')
    expect(snapshot.feed.map(({ loc, title, keywords }) => [loc, title, keywords])).toEqual([
      [`${SITE}/a`, 'a', ['a']],
      [`${SITE}/b`, 'b', ['b']],
      [`${SITE}/c`, 'c', ['c']],
    ])
  })
})

describe('transform', () => {
  it('changes entries, leaves them out, and may fail on one', async () => {
    const seen: unknown[] = []
    const { walk } = await createWorkbench(['/a', '/b', '/c', '/d'], {
      transform: (entry, { section, site }) => {
        seen.push([section, site.url])
        if (entry === '/b') return null
        if (entry === '/c') throw new Error('no')
        return { loc: `${entry}/x`, title: 'X' }
      },
    })
    const snapshot = await walk()
    expect(await locsOf(snapshot)).toEqual([`${SITE}/a/x`, `${SITE}/d/x`])
    expect(seen[0]).toEqual(['posts', SITE])
    expect(snapshot.skipped.reasons).toEqual({ 'left out by transform': 1, 'transform threw': 1 })
    expect(snapshot.faults).toBe('transform threw (1)')
  })

  it('that throws fails the walk with onInvalid fail', async () => {
    const { walk } = await createWorkbench(['/a'], {
      onInvalid: 'fail',
      transform: () => {
        throw new Error('no')
      },
    })
    expect(await codeOf(walk())).toBe('LSM_ERR_ENTRY_INVALID')
  })

  it('is not asked about nothing', async () => {
    const seen: unknown[] = []
    const { walk } = await createWorkbench(untyped([null, undefined, '/a']), {
      transform: (entry) => {
        seen.push(entry)
        return entry
      },
    })
    expect((await walk()).count).toBe(1)
    expect(seen).toEqual(['/a'])
  })
})

describe('names of other packages', () => {
  it('are met with the right name', async () => {
    const { walk, foreign } = await createWorkbench(
      untyped([
        { loc: '/a', lastMod: '2026-05-10', img: ['/a.png'], videos: [], published: null },
        { url: '/b', links: [] },
        '/c',
      ]),
    )
    await walk()
    expect(foreign).toEqual([
      ['lastMod', 'lastmod'],
      ['img', 'images'],
      ['links', 'alternates'],
    ])
  })

  it('are looked for among the first thousand rows only', async () => {
    const rows = entriesOf('post', 1_001).map((row, n) => (n >= 999 ? { ...row, lastMod: 'x' } : row))
    const { walk, foreign } = await createWorkbench(untyped(rows))
    await walk()
    expect(foreign).toHaveLength(1)
  })

  it('are not read: a getter of such a name is not called', async () => {
    let calls = 0
    const row = {
      loc: '/a',
      get lastModified() {
        calls++
        return '2026-05-10'
      },
    }
    const { walk, foreign } = await createWorkbench(untyped([row]))
    await walk()
    expect([calls, foreign.length]).toEqual([0, 1])
  })

  it('are warned of once by the shelf, however many rows and walks have them', async () => {
    const source = createSource(
      untyped(entriesOf('post', 20).map((row) => ({ ...row, lastMod: 'x', changeFreq: 'daily' }))),
    )
    const { shelf, lines, clock } = await createWorkbench(source.entries)
    await shelf.refresh()?.done
    await clock.advance(600_000)
    await shelf.refresh()?.done
    expect(source.calls).toBe(2)
    expect(
      lines.filter(({ code }) => code === 'LSM_WARN_NAME_FOREIGN').map(({ message }) => message),
    ).toEqual([
      'entries of section "posts" have a field "lastMod": its name here is "lastmod"',
      'entries of section "posts" have a field "changeFreq": its name here is "changefreq"',
    ])
  })
})

describe('feed items', () => {
  it('are entries with a title, whole, the newest first', async () => {
    const { walk } = await createWorkbench([
      { loc: '/untitled', lastmod: '2026-05-12' },
      { loc: '/old', title: 'Old', lastmod: '2026-05-10', published: '2020-01-01' },
      {
        loc: '/new',
        title: 'New',
        lastmod: '2026-05-11',
        description: 'D',
        content: '<p>',
        author: 'A',
        keywords: 'k, l',
        lang: 'fr',
        changefreq: 'daily',
      },
    ])
    expect((await walk()).feed).toEqual([
      {
        loc: `${SITE}/new`,
        title: 'New',
        description: 'D',
        lang: 'fr',
        lastmod: '2026-05-11',
        dateMs: Date.UTC(2026, 4, 11),
        keywords: ['k', 'l'],
        author: ['A'],
        content: '<p>',
        updatePeriod: 'day',
      },
      {
        loc: `${SITE}/old`,
        title: 'Old',
        lastmod: '2026-05-10',
        published: '2020-01-01',
        dateMs: Date.UTC(2020, 0, 1),
      },
    ])
  })

  it('of many entries only the newest are read whole', async () => {
    let contents = 0
    const { walk } = await createWorkbench(
      function* () {
        for (let n = 0; n < 1_000; n++)
          yield {
            loc: `/${n}`,
            title: `${n}`,
            lastmod: 1_600_000_000 - n,
            get content() {
              contents++
              return `<p>${n}</p>`
            },
          }
      },
      { feed: { limit: 5 } },
    )
    expect((await walk()).feed.map(({ title }) => title)).toEqual(['0', '1', '2', '3', '4'])
    expect(contents).toBeLessThanOrEqual(10)
  })

  it('to come stand beside those that are due, by the clock at the beginning of the walk', async () => {
    const now = createManualClock().now()
    const day = 86_400_000
    const { walk } = await createWorkbench(
      [-2, -1, 1, 2].map((days) => ({
        loc: `/${days}`,
        title: `${days}`,
        published: new Date(now + days * day),
      })),
      { feed: { limit: 1 } },
    )
    expect((await walk()).feed.map(({ title }) => title)).toEqual(['1', '-1'])
  })

  it('a text that changes only there changes the snapshot, and no part', async () => {
    const source = createSource([{ loc: '/a', title: 'A', content: 'one' }])
    const { walk } = await createWorkbench(source.entries)
    const before = await walk()
    source.set([{ loc: '/a', title: 'A', content: 'two' }])
    const after = await walk(before)
    expect(after.digest).not.toBe(before.digest)
    expect(after.parts.map(({ xml, txt, cards }) => [xml?.digest, txt?.digest, cards?.digest])).toEqual(
      before.parts.map(({ xml, txt, cards }) => [xml?.digest, txt?.digest, cards?.digest]),
    )
  })
})

describe('retries', () => {
  const fails = (): never => {
    throw new Error('no')
  }

  it('are for a walk that failed before its first entry, after 250 ms, then 500 ms', async () => {
    const source = createSource(fails)
    const { walk, clock } = await createWorkbench(source.entries)
    const outcome = watch(walk())
    await turns()
    expect(source.calls).toBe(1)
    await clock.advance(249)
    expect(source.calls).toBe(1)
    await clock.advance(1)
    expect(source.calls).toBe(2)
    await clock.advance(499)
    expect(source.calls).toBe(2)
    await clock.advance(1)
    expect(source.calls).toBe(3)
    expect(await codeOf(outcome.value)).toBe('LSM_ERR_PROVIDER_FAILED')
    expect(clock.waiting).toBe(0)
  })

  it('one of them may succeed', async () => {
    const source = createSource((_, call) => (call < 3 ? fails() : ['/a']))
    const { walk, clock } = await createWorkbench(source.entries)
    const outcome = walk()
    await clock.advance(750)
    expect((await outcome).count).toBe(1)
  })

  it.each([
    {
      name: 'failed after an entry',
      behaviour: async function* () {
        yield '/a'
        throw new Error('no')
      },
      code: 'LSM_ERR_PROVIDER_FAILED',
    },
    {
      name: 'failed after an entry that was left out',
      behaviour: async function* () {
        yield null
        throw new Error('no')
      },
      code: 'LSM_ERR_PROVIDER_FAILED',
    },
    { name: 'gave no list', behaviour: () => ({ docs: [] }) as never, code: 'LSM_ERR_PROVIDER_INVALID' },
  ])('there are none for one that $name', async ({ behaviour, code }) => {
    const source = createSource(behaviour)
    const { walk, clock } = await createWorkbench(source.entries)
    const outcome = watch(walk())
    await clock.advance(10_000)
    expect([await codeOf(outcome.value), source.calls]).toEqual([code, 1])
  })

  it('there are none for one that was silent', async () => {
    const source = createSource(hangsForEver)
    const { walk, clock } = await createWorkbench(source.entries)
    const outcome = watch(walk())
    await clock.advance(60_000)
    expect([await codeOf(outcome.value), source.calls]).toEqual(['LSM_ERR_PROVIDER_TIMEOUT', 1])
  })

  it('there are none with retries 0', async () => {
    const source = createSource(fails)
    const { walk } = await createWorkbench({ entries: source.entries, retries: 0 })
    expect([await codeOf(walk()), source.calls]).toEqual(['LSM_ERR_PROVIDER_FAILED', 1])
  })

  it('end when the walk is aborted in the pause', async () => {
    const source = createSource(fails)
    const { walk, clock } = await createWorkbench(source.entries)
    const controller = new AbortController()
    const outcome = watch(walk(undefined, controller))
    await turns()
    controller.abort(new SitemapError('LSM_ERR_CLOSED', 'the sitemap is closed'))
    expect(await codeOf(outcome.value)).toBe('LSM_ERR_CLOSED')
    expect([source.calls, clock.waiting]).toEqual([1, 0])
  })

  it('the whole of them is bounded by walkTimeout', async () => {
    const source = createSource(async () => {
      await new Promise<void>((resolve) => bench.clock.after(700, resolve))
      throw new Error('no')
    })
    const bench = await createWorkbench(source.entries, { walkTimeout: '1s' })
    const outcome = watch(bench.walk())
    await bench.clock.advance(999)
    expect([source.calls, outcome.settled]).toEqual([2, false])
    await bench.clock.advance(1)
    expect(await codeOf(outcome.value)).toBe('LSM_ERR_WALK_TIMEOUT')
  })
})

describe('calls that were given up (DESIGN 3, limits of a walk)', () => {
  it('three that do not settle: nothing new starts until one of them does', async () => {
    const gate = createGate<Entry[]>()
    const source = createSource((ctx, call) =>
      call === 2 ? gate.passed : call > 3 ? ['/a'] : hangsForEver(ctx, call),
    )
    const { walk, clock, abandoned } = await createWorkbench(source.entries)
    for (let call = 1; call <= 3; call++) {
      const outcome = watch(walk())
      await clock.advance(30_000)
      expect(await codeOf(outcome.value)).toBe('LSM_ERR_PROVIDER_TIMEOUT')
      expect(abandoned.count).toBe(call)
    }
    const error = await walk().catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'LSM_ERR_PROVIDER_BUSY' })
    expect(String(error)).toContain('Pass ctx.signal on')
    expect(source.calls).toBe(3)
    gate.open(['/late'])
    await turns()
    expect(abandoned.count).toBe(2)
    expect((await walk()).count).toBe(1)
  })

  it('counts calls of version() too, which are bounded like those of entries()', async () => {
    let calls = 0
    const { shelf, clock } = await createWorkbench({
      entries: () => ['/a'],
      version: () => {
        calls++
        return new Promise(() => {})
      },
    })
    for (let round = 0; round < 8; round++) {
      shelf.refresh()
      await clock.advance(700_000)
    }
    expect(calls).toBeLessThanOrEqual(3)
  })
})
