import type { CheckedEntry } from '../entry/checked.ts'
import type { Card, LinkDirectives } from '../entry/entry.ts'

/**
 * A card as one line of text beside its loc line: title, description, lang, lastmod and link directives, tabs between,
 * the empty ones at the end left out. All values are one line of clean text already, without tabs.
 */
export function cardLine(entry: CheckedEntry): string {
  const { title, description, lang, lastmod, robots } = entry
  if (title === undefined && description === undefined && lang === undefined && robots === undefined) {
    return lastmod === undefined ? '\n' : `\t\t\t${lastmod.text}\n`
  }
  const line = `${title ?? ''}\t${description ?? ''}\t${lang ?? ''}\t${lastmod?.text ?? ''}\t${robots === undefined ? '' : letters(robots)}`
  return `${line.trimEnd()}\n`
}

/** The card of a loc line and its card line, both without the newline. */
export function readCard(loc: string, line: string): Card {
  if (line === '') return { loc }
  const [title, description, lang, lastmod, robots] = line.split('\t')
  return {
    loc,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(lang ? { lang } : {}),
    ...(lastmod ? { lastmod } : {}),
    ...(robots ? { robots: directives(robots) } : {}),
  }
}

function letters({ nofollow, noarchive, noanchortext }: LinkDirectives): string {
  return (nofollow ? 'f' : '') + (noarchive ? 'a' : '') + (noanchortext ? 't' : '')
}

function directives(text: string): LinkDirectives {
  return { nofollow: text.includes('f'), noarchive: text.includes('a'), noanchortext: text.includes('t') }
}
