import { describe } from '../errors.ts'
import type { Check } from './check.ts'

/** What the members of a list are made into. */
export interface MemberRule {
  /** The final text, or undefined for what does not fit. */
  readonly take: (member: unknown) => string | undefined
  readonly expected: string
  readonly wayOut: string | ((member: unknown) => string)
  /** What a message shows of a member; for what may hold a password. */
  readonly shown?: (member: unknown) => string
}

/** A text as a list of one, or a list: its members as final texts, each once; none where it is absent. */
export function resolveTexts(
  check: Check,
  path: string,
  value: unknown,
  { take, expected, wayOut, shown = describe }: MemberRule,
): readonly string[] {
  if (value === undefined) return Object.freeze([])
  const texts = new Set<string>()
  const members: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const [i, member] of members.entries()) {
    const text = take(member)
    if (text !== undefined) texts.add(text)
    else {
      const way = typeof wayOut === 'string' ? wayOut : wayOut(member)
      // An undefined member is a value that came, not an option left out.
      check.invalid(Array.isArray(value) ? `${path}[${i}]` : path, member, expected, way, shown(member))
    }
  }
  return Object.freeze([...texts])
}
