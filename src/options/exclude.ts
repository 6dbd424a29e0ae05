import { types } from 'node:util'
import { describe } from '../errors.ts'
import type { Check } from './check.ts'
import type { ResolvedOptions } from './resolved.ts'
import { isFilled } from './values.ts'

/** One test for all patterns. */
export function resolveExclude(check: Check, value: unknown): ResolvedOptions['exclude'] {
  if (value === undefined) return undefined
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const tests: ((pathAndQuery: string) => boolean)[] = []
  for (const [i, pattern] of list.entries()) {
    const path = Array.isArray(value) ? `exclude[${i}]` : 'exclude'
    if (types.isRegExp(pattern)) tests.push(regExpTest(pattern))
    else if (typeof pattern === 'string' && /^[/*]/.test(pattern)) tests.push(patternTest(pattern))
    else {
      const slash = isFilled(pattern) && !pattern.includes('://') ? `/${pattern}` : '/drafts/*'
      check.invalid(
        path,
        pattern,
        'a path that starts with / or *, or a RegExp',
        `Write '${slash}'.`,
        // An undefined among the patterns is a value that came, not an option left out.
        describe(pattern),
      )
    }
  }
  if (tests.length === 0) return undefined
  return (pathAndQuery) => tests.some((test) => test(pathAndQuery))
}

/** A copy is tested, from its start: the flags g and y keep a position between calls, in the user's own object too. */
function regExpTest(pattern: RegExp): (text: string) => boolean {
  const copy = new RegExp(pattern.source, pattern.flags)
  return (text) => {
    copy.lastIndex = 0
    return copy.test(text)
  }
}

/** `*` as any run of characters, over the whole path, with the query only where the pattern has one. */
function patternTest(pattern: string): (pathAndQuery: string) => boolean {
  // Final URLs are ASCII: a pattern is written as the address bar shows it.
  const matches = wildcard(pattern.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent))
  if (pattern.includes('?')) return matches
  return (pathAndQuery) => {
    const query = pathAndQuery.indexOf('?')
    return matches(query === -1 ? pathAndQuery : pathAndQuery.slice(0, query))
  }
}

/**
 * The earliest place of each piece between stars is always a right one, so nothing is tried twice: no text, however
 * hostile, takes the exponential time that the same pattern takes as a regular expression.
 */
function wildcard(pattern: string): (text: string) => boolean {
  const [head = '', ...pieces] = pattern.split('*')
  const tail = pieces.pop()
  if (tail === undefined) return (text) => text === head
  return (text) => {
    if (!text.startsWith(head)) return false
    let at = head.length
    for (const piece of pieces) {
      const found = text.indexOf(piece, at)
      if (found === -1) return false
      at = found + piece.length
    }
    return at + tail.length <= text.length && text.endsWith(tail)
  }
}

/** The patterns as text: what shapes entries is part of what a store's records are told apart by. */
export function excludedText(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return Object.freeze(list.filter((one) => typeof one === 'string' || types.isRegExp(one)).map(String))
}
