import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostNameOf } from '../../src/sites/host-name.ts'

describe('the host that selects a site (DESIGN 3, sites)', () => {
  it.each([
    { host: 'www.example.com', name: 'www.example.com' },
    { host: 'WWW.Example.COM', name: 'www.example.com' },
    { host: 'www.example.com:8080', name: 'www.example.com' },
    { host: 'www.example.com.', name: 'www.example.com' },
    { host: 'www.example.com.:443', name: 'www.example.com' },
    { host: 'bücher.example', name: 'xn--bcher-kva.example' },
    { host: '127.0.0.1:3000', name: '127.0.0.1' },
    { host: '[::1]:3000', name: '[::1]' },
    { host: 'localhost', name: 'localhost' },
  ])('$host → $name', ({ host, name }) => {
    expect(hostNameOf(host)).toBe(name)
  })

  it.each([
    undefined,
    '',
    '.',
    'a b',
    'a/b',
    'user@example.com',
    'example.com?x',
    'example.com#x',
    'example.com\\x',
    'exa%6dple.com',
    'example.com:port',
    `${'a'.repeat(300)}.com`,
    'a\r\nb',
  ])('%j is no host', (host) => {
    expect(hostNameOf(host)).toBeUndefined()
  })

  it('any text: never throws, and what comes out is the same again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const name = hostNameOf(text)
        if (name !== undefined) expect(hostNameOf(name)).toBe(name)
      }),
    )
  })
})
