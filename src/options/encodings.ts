import zlib from 'node:zlib'
import { describe } from '../errors.ts'
import type { Check } from './check.ts'
import type { ResolvedOptions } from './resolved.ts'
import { alternatives } from './words.ts'

/** Codings offered, best first; none with false. */
export function resolveEncodings(check: Check, value: unknown): ResolvedOptions['encodings'] {
  // Read at each call: Node has it from 22.15 on, and its types do not say so.
  const hasZstd = typeof (zlib as { createZstdCompress?: unknown }).createZstdCompress === 'function'
  const offered = hasZstd ? (['br', 'gzip', 'zstd'] as const) : (['br', 'gzip'] as const)
  if (value === undefined) return Object.freeze([...offered])
  if (value === false) return Object.freeze([])
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  const isCoding = (coding: unknown): coding is (typeof offered)[number] =>
    offered.some((one) => one === coding)
  const wrong = list.findIndex((coding, i) => !isCoding(coding) || list.indexOf(coding) !== i)
  if (list.length === 0 || wrong !== -1) {
    const zstd = hasZstd ? '' : '; this Node has no zstd'
    check.invalid(
      'encodings',
      value,
      `a list of ${alternatives(offered)}, each once (or false for identity and weak ETags)${zstd}`,
      "Write ['br', 'gzip'], or leave it out.",
      wrong === -1
        ? undefined
        : `a list with ${describe(list[wrong])}${isCoding(list[wrong]) ? ' twice' : ''}`,
    )
  }
  return Object.freeze(list.filter(isCoding))
}
