import zlib from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { faultOf, refuseAll, resolve } from './resolving.ts'

describe('encodings', () => {
  const own = Object.getOwnPropertyDescriptor(zlib, 'createZstdCompress')
  const set = (value: unknown) =>
    Object.defineProperty(zlib, 'createZstdCompress', {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  afterEach(() => {
    if (own === undefined) Reflect.deleteProperty(zlib, 'createZstdCompress')
    else Object.defineProperty(zlib, 'createZstdCompress', own)
  })

  it('have zstd last where Node has it', () => {
    set(() => {})
    expect(resolve().encodings).toEqual(['br', 'gzip', 'zstd'])
    expect(resolve({ encodings: ['zstd', 'br'] }).encodings).toEqual(['zstd', 'br'])
  })

  it('have no zstd where Node has none, and say so', () => {
    set(undefined)
    expect(resolve().encodings).toEqual(['br', 'gzip'])
    expect(faultOf({ encodings: ['zstd', 'br'] })).toBe(
      `option "encodings" is a list with "zstd" (string): expected a list of 'br' or 'gzip', each once (or false for identity and weak ETags); this Node has no zstd. Write ['br', 'gzip'], or leave it out.`,
    )
  })

  it('false leaves identity and weak ETags', () => {
    expect(resolve({ encodings: false })).toMatchObject({ encodings: [], weakEtags: true })
  })
})

describe('faults', () => {
  refuseAll([
    {
      name: 'encodings empty',
      more: { encodings: [] },
      line: `option "encodings" is a list of 0 (object): expected a list of`,
    },
    {
      name: 'encodings true',
      more: { encodings: true },
      line: `option "encodings" is true (boolean): expected a list of`,
    },
    {
      name: 'an unknown encoding',
      more: { encodings: ['gzip', 'deflate'] },
      line: `option "encodings" is a list with "deflate" (string): expected a list of`,
    },
    {
      name: 'an encoding twice',
      more: { encodings: ['gzip', 'br', 'gzip'] },
      line: `option "encodings" is a list with "gzip" (string) twice: expected a list of`,
    },
  ])
})
