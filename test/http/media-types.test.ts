import { describe, expect, it } from 'vitest'
import { MEDIA_TYPES } from '../../src/http/media-types.ts'

describe('MEDIA_TYPES (SPEC 9.5)', () => {
  it.each([
    { row: 'N50', name: 'xml', type: 'application/xml; charset=utf-8' },
    { row: 'N51', name: 'rss', type: 'application/rss+xml; charset=utf-8' },
    { row: 'N52', name: 'atom', type: 'application/atom+xml; charset=utf-8' },
    { row: 'N52', name: 'jsonFeed', type: 'application/feed+json; charset=utf-8' },
    { row: 'N53', name: 'html', type: 'text/html; charset=utf-8' },
    { row: 'N54', name: 'txt', type: 'text/plain; charset=utf-8' },
    { row: 'N55', name: 'llms', type: 'text/markdown; charset=utf-8' },
    { row: 'N56', name: 'css', type: 'text/css; charset=utf-8' },
    { row: 'N56', name: 'json', type: 'application/json; charset=utf-8' },
  ] as const)('$row: $name is $type', ({ name, type }) => {
    expect(MEDIA_TYPES[name]).toBe(type)
  })

  it('N56: all name the charset, which is that of the XML declaration', () => {
    for (const type of Object.values(MEDIA_TYPES)) expect(type).toMatch(/^[a-z]+\/[a-z+]+; charset=utf-8$/)
  })

  it('cannot be changed by whoever imports it', () => {
    expect(Object.isFrozen(MEDIA_TYPES)).toBe(true)
  })
})
