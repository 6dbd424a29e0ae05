import type { LinkDirectives } from './entry.ts'

/** What an entry's `robots` says. */
export interface Robots {
  /** `noindex` or `none`: the entry stands in no document. */
  readonly noindex: boolean
  /** Undefined where the link in HTML carries nothing. */
  readonly link: LinkDirectives | undefined
}

/** Reads page directives in the words of meta robots: a text or a list, any case, commas or spaces between (SPEC H50, H51). */
export function readRobots(input: unknown): Robots | undefined {
  if (input === undefined || input === null || input === '') return undefined
  const words = new Set((Array.isArray(input) ? input : [input]).flatMap(wordsOf))
  if (words.size === 0) return undefined
  const nofollow = words.has('nofollow')
  const noarchive = words.has('noarchive')
  const noanchortext = words.has('noanchortext')
  return {
    noindex: words.has('noindex') || words.has('none'),
    link: nofollow || noarchive || noanchortext ? { nofollow, noarchive, noanchortext } : undefined,
  }
}

function wordsOf(value: unknown): string[] {
  return typeof value === 'string' ? value.toLowerCase().split(/[\s,;]+/) : []
}
