/**
 * Directives in the words of meta robots, in lower case: a text or a list of texts, with commas, semicolons or spaces
 * between (SPEC H50). `none` also stands for noindex and nofollow (H51). A value stays with its word: `max-snippet:0`.
 */
export function directiveWords(input: unknown): ReadonlySet<string> {
  const texts = Array.isArray(input) ? input : [input]
  const words = new Set(texts.flatMap(wordsOf))
  if (words.has('none')) words.add('noindex').add('nofollow')
  return words
}

function wordsOf(text: unknown): string[] {
  if (typeof text !== 'string') return []
  const words: string[] = []
  let joins = 0
  for (const word of text.toLowerCase().split(/[\s,;]+/)) {
    const last = words.at(-1)
    // Spaces may stand on both sides of the colon.
    if (last !== undefined && joins < 2 && (word.startsWith(':') || last.endsWith(':'))) {
      words[words.length - 1] = last + word
      joins++
    } else if (word !== '') {
      words.push(word)
      joins = 0
    }
  }
  return words
}
