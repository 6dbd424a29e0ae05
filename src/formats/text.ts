/**
 * One line of a text sitemap: the final loc as it stands, not entity-escaped (SPEC T1, T2), LF at the end (T3).
 * The whole document is these lines and nothing else; a final loc holds no newline (T6).
 */
export function textLine(loc: string): string {
  return `${loc}\n`
}
