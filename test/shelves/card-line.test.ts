import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEntryCheck } from '../../src/entry/check.ts'
import { createLocResolver } from '../../src/entry/loc.ts'
import { cardLine, readCard } from '../../src/shelves/card-line.ts'

const urls = {
  siteUrl: 'https://www.example.com/',
  origin: 'https://www.example.com',
  scope: 'host',
  directory: '/',
  trailingSlash: 'preserve',
} as const

const { check } = createEntryCheck(
  {
    ...urls,
    resolveLoc: createLocResolver(urls),
    defaults: {},
    lang: undefined,
    exclude: undefined,
    news: undefined,
    namespaces: [],
  },
  { skipped() {}, dropped() {}, noted() {} },
)

function checked(fields: object) {
  const entry = check({ loc: '/a', ...fields })
  if (entry === undefined) throw new Error('the entry was left out')
  return entry
}

describe('card line', () => {
  it.each([
    { name: 'only a URL', fields: {}, line: '\n' },
    { name: 'lastmod only', fields: { lastmod: '2026-05-10' }, line: '\t\t\t2026-05-10\n' },
    { name: 'title only', fields: { title: 'T' }, line: 'T\n' },
    { name: 'description only', fields: { description: 'D' }, line: '\tD\n' },
    { name: 'lang only', fields: { lang: 'fr' }, line: '\t\tfr\n' },
    { name: 'directives only', fields: { robots: 'nofollow, noanchortext' }, line: '\t\t\t\tft\n' },
    {
      name: 'all',
      fields: {
        title: 'T',
        description: 'D',
        lang: 'fr',
        lastmod: '2026-05-10',
        robots: 'nofollow, noarchive, noanchortext',
      },
      line: 'T\tD\tfr\t2026-05-10\tfat\n',
    },
  ])('$name', ({ fields, line }) => {
    expect(cardLine(checked(fields))).toBe(line)
  })

  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom('\t', '\n', '\r', ' ', '\u2028', '\u00A0', '\u0085', '\uFEFF', 'a', '0', '\uD800'),
      )
      .map((parts) => parts.join('')),
  )

  it('any entry: one line, and the card that is read from it says what the entry said', () => {
    const fields = fc.record(
      {
        title: anyText,
        description: anyText,
        lang: fc.constantFrom('fr', 'zh-Hant'),
        lastmod: fc.constantFrom('2026-05-10', '2026-05-10T10:20Z'),
        robots: fc.subarray(['nofollow', 'noarchive', 'noanchortext', 'all']),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fields, (given) => {
        const entry = checked(given)
        const line = cardLine(entry)
        expect(line.indexOf('\n')).toBe(line.length - 1)
        // Lines are parted at \n and nothing else (table/html-rows.ts).
        const card = readCard(entry.loc, line.slice(0, -1))
        const { loc, title, description, lang, lastmod, robots } = entry
        const said = { loc, title, description, lang, lastmod: lastmod?.text, robots }
        expect(card).toEqual(
          Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
        )
      }),
      { numRuns: 500 },
    )
  })
})
