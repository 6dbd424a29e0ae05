import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { byMonth, type DateInput, type Month } from '../../src/index.ts'
import { changedOf, createContext, entriesOf, idsOf, listOf, readAll } from '../support/partitions.ts'

afterEach(() => {
  vi.useRealTimers()
})

const none = () => []

describe('byMonth', () => {
  it('asks for each instant in one month', async () => {
    const instants = fc.array(
      fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    await fc.assert(
      fc.asyncProperty(instants, async (dates) => {
        const sorted = dates.toSorted((a, b) => a.getTime() - b.getTime())
        const entries = ({ from, to }: Month) =>
          sorted.filter((date) => date >= from && date < to).map((date) => `/${date.toISOString()}`)
        const all = await readAll(
          byMonth({ from: () => sorted[0] ?? null, to: sorted.at(-1) ?? '', entries }),
        )
        expect([...all.values()].flat()).toEqual(sorted.map((date) => `/${date.toISOString()}`))
        for (const [id, found] of all) for (const one of found) expect(String(one).slice(1, 8)).toBe(id)
      }),
    )
  })

  it.each<{ name: string; from: DateInput; to: DateInput; ids: string[] }>([
    { name: 'one month', from: '2026-05-04', to: '2026-05-31T23:59:59Z', ids: ['2026-05'] },
    {
      name: 'the first instant of the next',
      from: '2026-05-04',
      to: '2026-06-01',
      ids: ['2026-05', '2026-06'],
    },
    { name: 'a turn of the year', from: '2025-12-31', to: '2026-01-01', ids: ['2025-12', '2026-01'] },
    { name: 'a zone west of UTC', from: '2026-04-30T23:00:00-02:00', to: '2026-05-02', ids: ['2026-05'] },
    { name: 'epochs', from: 1_000_000_000, to: 1_000_000_000_000, ids: ['2001-09'] },
    { name: 'SQL text', from: '2026-05-04 08:00:00', to: '2026-05-04 08:00:01', ids: ['2026-05'] },
  ])('$name: $ids', async ({ from, to, ids }) => {
    expect(await idsOf(byMonth({ from, to, entries: none }))).toEqual(ids)
    expect(await idsOf(byMonth({ from: () => from, to: async () => to, entries: none }))).toEqual(ids)
  })

  it('gives months in UTC, the second end not included', async () => {
    const months: Month[] = []
    const entries = (month: Month) => {
      months.push(month)
      return []
    }
    await readAll(byMonth({ from: '2024-02-10', to: '2024-02-10', entries }))
    expect(months).toEqual([{ from: new Date('2024-02-01T00:00:00Z'), to: new Date('2024-03-01T00:00:00Z') }])
  })

  it('lists up to the month that it is, each time it is asked', async () => {
    const provider = byMonth({ from: '2026-04-15', entries: none })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 31, 23, 59, 59) })
    expect(await idsOf(provider)).toEqual(['2026-04', '2026-05'])
    vi.setSystemTime(Date.UTC(2026, 5, 1))
    expect(await idsOf(provider)).toEqual(['2026-04', '2026-05', '2026-06'])
  })

  it.each<{ name: string; from: () => DateInput | null; to: () => DateInput | null }>([
    { name: 'an empty table', from: () => null, to: () => '2026-01-01' },
    { name: 'no newest date', from: () => '2026-01-01', to: () => null },
    { name: 'nothing that is due yet', from: () => '2026-06-01', to: () => '2026-05-31' },
  ])('lists nothing for $name', async ({ from, to }) => {
    expect(await idsOf(byMonth({ from, to, entries: none }))).toEqual([])
  })

  it.each([
    { name: 'nothing', given: undefined, says: '"from" is missing' },
    { name: 'empty text', given: '', says: '"from" is none' },
    { name: 'a year before 1970', given: '1890-05-04', says: 'a date from 1970 to 2099' },
    { name: 'a row', given: { min: '2026-01-01' }, says: '"from" is none' },
    { name: 'a broken Date', given: new Date(Number.NaN), says: '"from" is none' },
  ])('refuses a from() that gives $name', async ({ given, says }) => {
    const { partitions } = byMonth({ from: () => given as string, entries: none })
    await expect(partitions(createContext())).rejects.toThrow(
      expect.objectContaining({ code: 'LSM_ERR_PROVIDER_INVALID', message: expect.stringContaining(says) }),
    )
  })

  it('hands the context on, and names the months of what changed', async () => {
    const provider = byMonth({
      from: ({ site }) => (site.url === '' ? null : '2026-05-04'),
      to: ({ site }) => (site.url === '' ? null : '2026-05-04'),
      entries: (_, { site }) => [site.url],
      changedSince: ({ since }, { site }) =>
        site.url === '' ? [] : [since, '2026-05-04', new Date('2019-12-31T23:59:59Z'), '2026-05-05'],
    })
    const [partition] = await listOf(provider)
    expect(partition && (await entriesOf(provider, partition))).toEqual(['https://www.example.com'])
    expect(await changedOf(provider, new Date('2026-01-01'))).toEqual(['2026-01', '2026-05', '2019-12'])
  })

  it('refuses what changed without a date', async () => {
    const changedSince = () => [null as unknown as string]
    const provider = byMonth({ from: '2026-01-01', entries: none, changedSince })
    await expect(changedOf(provider, new Date())).rejects.toThrow('a date of changedSince() is null')
  })
})
