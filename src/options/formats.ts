import { describe } from '../errors.ts'
import type { FormatName } from '../providers/provider.ts'
import type { Check } from './check.ts'
import { frozenSet } from './values.ts'
import { alternatives } from './words.ts'

const FORMATS = ['xml', 'txt', 'html', 'feed', 'news'] as const

/** Documents a section takes part in; the default is all. */
export function resolveFormats(
  check: Check,
  path: string,
  value: unknown,
  fallback: readonly FormatName[] = FORMATS,
): ReadonlySet<FormatName> {
  if (value === undefined) return frozenSet<FormatName>(fallback)
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  const isFormat = (format: unknown): format is FormatName => FORMATS.some((one) => one === format)
  const wrong = list.findIndex((format) => !isFormat(format))
  if (list.length === 0 || wrong !== -1) {
    check.invalid(
      path,
      value,
      `a list of ${alternatives(FORMATS)} that is not empty`,
      "Write ['xml', 'html'], or leave it out for all.",
      wrong === -1 ? undefined : `a list with ${describe(list[wrong])}`,
    )
  }
  return frozenSet(list.filter(isFormat))
}
