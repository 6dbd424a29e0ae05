import { describe } from '../errors.ts'
import type { FormatName } from '../providers/provider.ts'
import type { Check } from './check.ts'
import { nearest } from './nearest.ts'
import type { ResolvedProvider } from './resolved.ts'
import { isFilled, isListOf } from './values.ts'
import { quote } from './words.ts'

/** Sections that a document is made of, all with its format; undefined where none are named. */
export function resolveSections(
  check: Check,
  path: string,
  value: unknown,
  providers: readonly ResolvedProvider[],
  { format, off }: { readonly format: FormatName; readonly off: string },
): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (!isListOf(value, isFilled) || value.length === 0) {
    const wayOut = `Leave it out for all; to switch ${off}.`
    check.invalid(path, value, 'a list of sections that is not empty', wayOut)
    return undefined
  }
  for (const section of value) checkSection(check, path, value, section, providers, format)
  return Object.freeze([...new Set(value)])
}

/** Refuses a section of no provider, or of one without the format. */
export function checkSection(
  check: Check,
  path: string,
  value: unknown,
  section: string,
  providers: readonly ResolvedProvider[],
  format: FormatName,
): void {
  const known = providers.map((provider) => provider.section)
  const formats = providers.find((provider) => provider.section === section)?.formats
  const came = `a list with ${describe(section)}`
  if (formats === undefined) {
    // Without any provider that is the fault, and it is named already.
    if (known.length === 0) return
    const near = nearest(section, known)
    const wayOut = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${quote(near)}?`
    check.invalid(path, value, 'sections of providers', wayOut, came)
  } else if (formats.size > 0 && !formats.has(format)) {
    const wayOut = `Add '${format}' to providers.${section}.formats, or take the section out of the list.`
    check.invalid(path, value, `sections with the format ${format}`, wayOut, came)
  }
}
