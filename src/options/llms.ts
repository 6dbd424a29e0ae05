import { describe } from '../errors.ts'
import type { Check } from './check.ts'
import { LLMS } from './keys.ts'
import type { ResolvedOptions, ResolvedProvider } from './resolved.ts'
import { checkSection, resolveSections } from './sections.ts'
import { frozenSet, isFilled, isListOf, isText } from './values.ts'

/** What `/llms.txt` says. */
export function resolveLlms(
  check: Check,
  value: unknown,
  providers: readonly ResolvedProvider[],
): ResolvedOptions['llms'] {
  const llms = check.record('llms', value, LLMS)
  const sections = resolveSections(check, 'llms.sections', llms.sections, providers, {
    format: 'html',
    off: 'the document off write routes: { llms: false }',
  })
  return Object.freeze({
    details: resolveDetails(check, llms.details),
    sections,
    optional: resolveOptional(check, llms.optional, sections, providers),
    limit: check.whole('llms.limit', llms.limit, 1_000, 1, 10_000),
  })
}

/** SPEC X13: a heading would begin a section. */
function resolveDetails(check: Check, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const wayOut = "Write 'Prices are **in euro**.', or leave it out."
  if (!isText(value)) check.invalid('llms.details', value, 'Markdown', wayOut)
  else if (HEADING.test(value)) {
    const expected =
      'Markdown without headings: no line that begins with #, or that is underlined with = or -'
    check.invalid('llms.details', value, expected, 'Write **bold** for it.')
  } else return value.trim() === '' ? undefined : value
  return undefined
}

/** A line that begins with #, or one of = or - alone below a line of text. */
const HEADING = /^[ \t]*#|\S[^\S\r\n]*(?:\r\n?|\n) {0,3}(?:=+|-+)[ \t]*$/m

function resolveOptional(
  check: Check,
  value: unknown,
  sections: readonly string[] | undefined,
  providers: readonly ResolvedProvider[],
): ReadonlySet<string> {
  const path = 'llms.optional'
  if (value === undefined) return frozenSet<string>([])
  if (!isListOf(value, isFilled)) {
    check.invalid(path, value, 'a list of sections', "Write ['archive'], or leave it out.")
    return frozenSet<string>([])
  }
  for (const section of value) {
    if (sections === undefined || sections.includes(section)) {
      checkSection(check, path, value, section, providers, 'html')
    } else {
      const came = `a list with ${describe(section)}`
      check.invalid(path, value, 'sections of llms.sections', 'Add it there, or take it out here.', came)
    }
  }
  return frozenSet(value)
}
