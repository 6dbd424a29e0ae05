import { readFileSync } from 'node:fs'
import { expect, it, describe as suite } from 'vitest'
import { CODES, describe, SitemapError } from '../src/errors.ts'

const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => /^\|\s*`LSM_/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

suite('docs/errors.md', () => {
  it('has one row for each code, and no other', () => {
    const documented = rows.map(([code]) => code?.replaceAll('`', ''))
    expect(documented.toSorted()).toEqual(Object.keys(CODES).toSorted())
  })

  it.each(rows.map((row) => ({ code: row[0], row })))('$code has meaning, cause and fix', ({ row }) => {
    expect(row).toHaveLength(4)
    for (const cell of row.slice(1)) expect(cell).toMatch(/^\S.*\.$/)
  })

  it('names no code in its text that does not exist', () => {
    for (const [code] of page.matchAll(/LSM_[A-Z_]+/g)) expect(Object.keys(CODES)).toContain(code)
  })
})

suite('codes', () => {
  it.each(Object.entries(CODES))('%s says its kind, and its status fits', (code, status) => {
    expect(code).toMatch(/^LSM_(ERR|WARN)(_[A-Z]+)+$/)
    expect(code.startsWith('LSM_WARN_') ? [0] : [500, 503]).toContain(status)
  })
})

suite('SitemapError', () => {
  it('carries code, status and the original', () => {
    const cause = new Error('connection refused')
    const error = new SitemapError('LSM_ERR_PROVIDER_FAILED', 'provider "posts" failed', { cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'SitemapError',
      code: 'LSM_ERR_PROVIDER_FAILED',
      statusCode: 503,
      cause,
    })
    expect(error.message).toBe('provider "posts" failed')
  })

  it('is a 500 where HTTP has no better word', () => {
    expect(new SitemapError('LSM_WARN_ORDER_CHANGED', 'x').statusCode).toBe(500)
    expect(new SitemapError('LSM_ERR_OPTION_INVALID', 'x').statusCode).toBe(500)
  })
})

suite('describe', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  class Shop {}

  it.each([
    { name: 'text', value: 'a\nb', text: '"a\\nb" (string)' },
    { name: 'a number', value: 30_000, text: '30000 (number)' },
    { name: 'NaN', value: Number.NaN, text: 'NaN (number)' },
    { name: 'a bigint', value: 3n, text: '3 (bigint)' },
    { name: 'null', value: null, text: 'null (null)' },
    { name: 'undefined', value: undefined, text: 'undefined (undefined)' },
    { name: 'a list', value: [1, 2], text: 'a list of 2 (object)' },
    { name: 'an object', value: { a: 1 }, text: '{"a":1} (object)' },
    { name: 'an empty object', value: {}, text: '{} (object)' },
    { name: 'an object without prototype', value: Object.create(null), text: '{} (object)' },
    { name: 'a Map, which JSON does not show', value: new Map([[1, 2]]), text: 'a Map (object)' },
    { name: 'an instance without fields', value: new Shop(), text: 'a Shop (object)' },
    { name: 'a RegExp', value: /a/g, text: '/a/g (object)' },
    { name: 'a named function', value: function posts() {}, text: 'function posts (function)' },
    { name: 'a function without a name', value: (() => () => {})(), text: 'function (anonymous) (function)' },
    { name: 'a symbol over two lines', value: Symbol('a\nb'), text: 'Symbol(a b) (symbol)' },
    { name: 'a circle', value: circular, text: 'a value that cannot be shown (object)' },
    {
      name: 'an object whose JSON is nothing',
      value: { toJSON: () => undefined },
      text: 'an object (object)',
    },
  ])('$name', ({ value, text }) => {
    expect(describe(value)).toBe(text)
  })

  it('does not throw with an object that throws', () => {
    const hostile = {
      get a() {
        throw new Error('no')
      },
    }
    expect(describe(hostile)).toBe('a value that cannot be shown (object)')
  })

  it('is cut to a line, and never through a character', () => {
    const long = describe('x'.repeat(200))
    expect(long).toBe(`"${'x'.repeat(116)}... (string)`)
    expect(describe(`${'x'.repeat(115)}😀${'x'.repeat(20)}`).isWellFormed()).toBe(true)
  })
})
