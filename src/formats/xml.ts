/**
 * Escaping for XML 1.0. One pass of a native search decides whether a text needs any work at all:
 * most never do, and then the text itself is returned.
 */

// XML 1.0 §2.2 (SPEC U20): what may not stand in a document, not even as a reference. With the u flag a lone surrogate matches too.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const HAS_FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/
const TEXT_SPECIAL = /[&<>"'\r]/
const ATTRIBUTE_SPECIAL = /[&<>"'\r\n\t]/

/** `text` with lone surrogates mended to U+FFFD and the characters XML forbids removed (SPEC U20, U21). */
export function cleanText(text: string): string {
  return HAS_FORBIDDEN.test(text) ? text.toWellFormed().replace(FORBIDDEN, '') : text
}

/** Element content of clean text; the five entities of SPEC U11, and CR, which parsers would change (U22). */
export function escapeText(text: string): string {
  return TEXT_SPECIAL.test(text) ? text.replace(/[&<>"'\r]/g, reference) : text
}

/** An attribute's value between double quotes; as {@link escapeText}, and tab and newline (SPEC U22). */
export function escapeAttribute(text: string): string {
  return ATTRIBUTE_SPECIAL.test(text) ? text.replace(/[&<>"'\r\n\t]/g, reference) : text
}

function reference(character: string): string {
  switch (character) {
    case '&':
      return '&amp;'
    case '<':
      return '&lt;'
    case '>':
      return '&gt;'
    case '"':
      return '&quot;'
    case "'":
      return '&apos;'
    case '\r':
      return '&#13;'
    case '\n':
      return '&#10;'
    default:
      return '&#9;'
  }
}
