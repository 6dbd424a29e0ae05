import { afterEach, describe, expect, it } from 'vitest'
import type { EntryObject } from '../../src/entry/entry.ts'
import { isReordered } from '../../src/shelves/reorder.ts'
import { cleanUp, createFolder, createWorkbench, snapshotText } from '../support/engine.ts'
import { until } from '../support/manual-clock.ts'
import { createSource } from '../support/site.ts'

afterEach(cleanUp)

type Row = EntryObject & { loc: string }

function rows(count: number): Row[] {
  return Array.from({ length: count }, (_, n) => ({
    loc: `/${n}`,
    title: `Title ${n % 7}`,
    description: `Text ${n}`,
    lastmod: `2026-05-${10 + (n % 20)}`,
    images: n % 5 === 0 ? [`/${n}.png`] : [],
  }))
}

/** In another order, always the same. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((member, n) => ({ member, key: Math.imul(n + 1, 0x9e3779b1) >>> 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ member }) => member)
}

/** Whether a walk of `later` after one of `earlier` shows the same set in another order. */
async function reordered(
  earlier: readonly Row[],
  later: readonly Row[],
  formats?: readonly ('xml' | 'txt' | 'html' | 'feed')[],
) {
  const source = createSource(earlier)
  const provider = { entries: source.entries, ...(formats === undefined ? {} : { formats }) }
  const { walk } = await createWorkbench(provider, { limit: 1_500 })
  const before = await walk()
  source.set(later)
  return isReordered(before, await walk(before))
}

describe('the same set in another order (DESIGN 3)', () => {
  const list = rows(2_600)

  it.each([
    { name: 'backwards', later: list.toReversed(), result: true },
    { name: 'shuffled over blocks and parts', later: shuffled(list), result: true },
    {
      name: 'two neighbours changed places',
      later: [...list.slice(1, 2), ...list.slice(0, 1), ...list.slice(2)],
      result: true,
    },
    { name: 'the same order', later: list, result: false },
    { name: 'one less', later: shuffled(list).slice(1), result: false },
    { name: 'one more', later: shuffled([...list, { loc: '/new' }]), result: false },
    { name: 'one replaced', later: shuffled([...list.slice(1), { loc: '/new' }]), result: false },
    { name: 'none', later: [], result: false },
  ])('$name: $result', async ({ later, result }) => {
    expect(await reordered(list, later)).toBe(result)
  })

  it.each([
    { name: 'lastmod', change: { lastmod: '2026-05-31' } },
    { name: 'priority', change: { priority: 0.5 } },
    { name: 'image', change: { images: ['/x.png'] } },
    { name: 'title', change: { title: 'Title 7' } },
    { name: 'one letter of the description', change: { description: 'text 1' } },
    { name: 'directive', change: { robots: 'nofollow' } },
    { name: 'language', change: { lang: 'fr' } },
  ])('shuffled, and of one entry the $name changed: false', async ({ change }) => {
    const small = rows(40)
    const later = shuffled(small.map((row, n) => (n === 1 ? { ...row, ...change } : row)))
    expect(await reordered(small, shuffled(small))).toBe(true)
    expect(await reordered(small, later)).toBe(false)
  })

  it('two entries that swapped their titles are not the same set', async () => {
    const [a, b] = [
      { loc: '/a', title: 'A' },
      { loc: '/b', title: 'B' },
    ]
    expect(
      await reordered(
        [a, b],
        [
          { loc: '/b', title: 'A' },
          { loc: '/a', title: 'B' },
        ],
      ),
    ).toBe(false)
  })

  it.each([
    { formats: ['xml'] as const, result: true },
    { formats: ['txt'] as const, result: true },
    { formats: ['html'] as const, result: true },
    { formats: ['xml', 'feed'] as const, result: true },
  ])('a section of $formats', async ({ formats, result }) => {
    expect(await reordered(rows(30), rows(30).toReversed(), formats)).toBe(result)
  })

  it('entries that lie in files', async () => {
    const source = createSource(rows(3_000))
    const { walk } = await createWorkbench(source.entries, {
      cache: { memory: 1, dir: await createFolder() },
    })
    const before = await walk()
    source.set(rows(3_000).toReversed())
    expect(await isReordered(before, await walk(before))).toBe(true)
  })
})

describe('a shelf whose provider gives another order', () => {
  async function shelfOf(first: readonly Row[]) {
    const source = createSource(first)
    const bench = await createWorkbench(source.entries)
    const { shelf, clock } = bench
    const next = async (later: readonly Row[]) => {
      source.set(later)
      await clock.advance(600_000)
      await shelf.refresh()?.done
    }
    await shelf.refresh()?.done
    return { ...bench, next }
  }

  it('keeps the former order, and warns once', async () => {
    const { shelf, next, lines, memory, clock } = await shelfOf(rows(30))
    const before = shelf.snapshot
    const changedAtMs = shelf.changedAtMs
    await next(rows(30).toReversed())
    await next(shuffled(rows(30)))
    expect(shelf.snapshot?.parts).toBe(before?.parts)
    expect(shelf.snapshot?.digest).toBe(before?.digest)
    expect(shelf.changedAtMs).toBe(changedAtMs)
    expect(shelf.state(clock.now())).toBe('fresh')
    expect((await snapshotText(shelf.snapshot as never, 'txt')).split('\n')[0]).toBe(
      'https://www.example.com/0',
    )
    expect(lines.map(({ code }) => code)).toEqual(['LSM_WARN_ORDER_CHANGED'])
    // Nothing of the walks that were let go weighs anything.
    await next(rows(1))
    await next([])
    await until(() => memory.loose === 0)
    expect(memory.blobs).toBe(0)
  })

  it('a change among them is published', async () => {
    const { shelf, next } = await shelfOf(rows(30))
    await next(
      rows(30)
        .map((row, n) => (n === 3 ? { ...row, lastmod: '2026-06-01' } : row))
        .toReversed(),
    )
    expect((await snapshotText(shelf.snapshot as never, 'txt')).split('\n')[0]).toBe(
      'https://www.example.com/29',
    )
    expect(await snapshotText(shelf.snapshot as never, 'xml')).toContain('2026-06-01')
  })

  it.each([
    { name: 'content', change: { content: '<p>corrected</p>' } },
    { name: 'author', change: { author: 'Ada' } },
    { name: 'published', change: { published: '2026-05-30' } },
    { name: 'enclosure', change: { enclosure: { url: '/a.mp3', length: 1, type: 'audio/mpeg' } } },
  ])('a change that only the feed shows is published: $name', async ({ change }) => {
    const { shelf, next } = await shelfOf(rows(30))
    const before = JSON.stringify(shelf.snapshot?.feed)
    await next(
      rows(30)
        .map((row) => (row.loc === '/19' ? { ...row, ...change } : row))
        .toReversed(),
    )
    const item = shelf.snapshot?.feed.find(({ loc }) => loc.endsWith('/19'))
    expect(JSON.stringify(shelf.snapshot?.feed)).not.toBe(before)
    expect(JSON.stringify(item)).toContain(JSON.stringify(Object.values(change)[0]).slice(1, 5))
  })

  it('what was left out is reported as it is now', async () => {
    const { shelf, next } = await shelfOf(rows(30))
    await next([...rows(30).toReversed(), { loc: '/hidden', noindex: true }])
    expect(shelf.snapshot?.skipped.reasons).toEqual({ noindex: 1 })
  })
})
