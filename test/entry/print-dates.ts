/** Prints what becomes of dates in a process of its own, whose zone lastmod.test.ts chooses. */
import { parseDate } from '../../src/entry/lastmod.ts'

const inputs = [
  '2026-05-10',
  '2026-05-10 10:20:30',
  '2026-05-10T10:20',
  '2026-05-10T23:59:59-11:00',
  '2026-03-29T02:30:00',
  '2026-02-30',
  '1970-01-01',
  '2099-12-31 23:59:59',
  1_778_408_430,
  1_778_408_430_123,
  new Date(Date.UTC(2026, 4, 10, 23, 59, 59)),
  new Date(Date.UTC(2026, 9, 25, 0, 30)),
  { toISOString: () => '2026-05-10T10:20:30.000Z' },
]

process.stdout.write(JSON.stringify(inputs.map((input) => parseDate(input))))
process.stderr.write(String(new Date(Date.UTC(2026, 4, 10)).getTimezoneOffset()))
