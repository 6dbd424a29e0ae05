import { describe, expect, it } from 'vitest'
import { completeRow, type RowDraft } from '../../src/table/rows.ts'

const AT = Date.UTC(2026, 10, 30, 12, 0, 0, 200)

function draft(digest: string): RowDraft {
  return {
    path: '/sitemap.xml',
    kind: 'urlset',
    mediaType: 'application/xml',
    digest,
    expiresAtMs: undefined,
    shelves: [],
    incomplete: false,
    link: undefined,
    unsettled: false,
    source: { type: 'text', blobs: () => [], render: () => '' },
  }
}

describe('when the bytes at a path last changed (DESIGN 3.6, SPEC N9, N15)', () => {
  const first = completeRow(draft('a'), undefined, AT)

  it('a new path: now', () => {
    expect(first).toMatchObject({ digest: 'a', changedAtMs: AT, secondShared: false })
  })

  it.each([
    { name: 'the same bytes later', digest: 'a', nowMs: AT + 60_000, changedAtMs: AT, secondShared: false },
    {
      name: 'other bytes a minute later',
      digest: 'b',
      nowMs: AT + 60_000,
      changedAtMs: AT + 60_000,
      secondShared: false,
    },
    {
      name: 'other bytes in the same second',
      digest: 'b',
      nowMs: AT + 700,
      changedAtMs: AT + 700,
      secondShared: true,
    },
    {
      name: 'other bytes in the next second',
      digest: 'b',
      nowMs: AT + 800,
      changedAtMs: AT + 800,
      secondShared: false,
    },
    {
      name: 'other bytes, the clock set back: it never goes back',
      digest: 'b',
      nowMs: AT - 3_600_000,
      changedAtMs: AT,
      secondShared: true,
    },
    {
      name: 'the same bytes, the clock set back',
      digest: 'a',
      nowMs: AT - 3_600_000,
      changedAtMs: AT,
      secondShared: false,
    },
  ])('$name', ({ digest, nowMs, changedAtMs, secondShared }) => {
    expect(completeRow(draft(digest), first, nowMs)).toMatchObject({ digest, changedAtMs, secondShared })
  })

  it.each([
    {
      name: 'other bytes in the same second',
      digest: 'b',
      nowMs: AT + 700,
      changedAtMs: AT + 700,
      secondShared: true,
    },
    {
      name: 'the same bytes in the same second',
      digest: 'a',
      nowMs: AT + 700,
      changedAtMs: AT + 700,
      secondShared: true,
    },
    {
      name: 'a minute later',
      digest: 'a',
      nowMs: AT + 60_000,
      changedAtMs: AT + 60_000,
      secondShared: false,
    },
    { name: 'the clock set back', digest: 'b', nowMs: AT - 60_000, changedAtMs: AT, secondShared: true },
  ])(
    'a path that went and came back was changed by that: $name',
    ({ digest, nowMs, changedAtMs, secondShared }) => {
      expect(completeRow(draft(digest), undefined, nowMs, first.changedAtMs)).toMatchObject({
        digest,
        changedAtMs,
        secondShared,
      })
    },
  )

  it('a second that was shared stays shared while the bytes stay', () => {
    const second = completeRow(draft('b'), first, AT + 100)
    const third = completeRow(draft('b'), second, AT + 60_000)
    expect(third).toMatchObject({ changedAtMs: AT + 100, secondShared: true })
    expect(completeRow(draft('c'), third, AT + 90_000).secondShared).toBe(false)
  })

  it('a row that was not changed takes over the new draft', () => {
    const next = completeRow({ ...draft('a'), expiresAtMs: 5, incomplete: true }, first, AT + 1)
    expect(next).toMatchObject({ expiresAtMs: 5, incomplete: true })
  })
})
