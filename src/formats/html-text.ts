import { cleanText } from './xml.ts'

const ANY_BASE = 'https://example.com/'
const HTTP = /^https?:\/\/[^/\s]/i
const PATH = /^\/(?![/\\])/
// All tests are searches for what needs work: they take linear time and no stack, however long the text.
const NO_PLAIN_ADDRESS = /[^!#-;=?-Z[\]_a-z~]|%(?![\dA-Fa-f]{2})/
// What no address may hold (SPEC L4, L5); what lies past ASCII is left to the browser.
const NO_ADDRESS =
  /[^!#-;=?-Z[\]_a-z~\u00A0-\uFFFC\u{10000}-\u{10FFFF}]|\p{Noncharacter_Code_Point}|%(?![\dA-Fa-f]{2})/gu
// What HTML calls errors although XML takes it: DEL, the C1 controls, noncharacters.
const HTML_FORBIDDEN = /[\u007F-\u009F]|\p{Noncharacter_Code_Point}/gu
// White space of HTML, which browsers show as one space; a no-break space is a character like others.
const WHITE_SPACE = /[\t\n\f\r ]+/g
const UNTIDY = /[^ -~]|^ | $| {2}/
// Something to see: neither space, nor control or format character, nor one of the blank letters.
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/u
const SPECIAL = /[&<>"']/
const SIGN_IN_WORD = /[./]\S/
/** A word that may be wider than its column, when that is a narrow one. */
const LONG_WORD = /\S{16,}/g
/** Its part before the path, where dots keep the labels of a host name apart. */
const HOST = /^(?:https?:\/\/)?[^/]+/i
const DOT_IN_HOST = /(?<=[\p{L}\p{N}])\.(?=\p{L})/gu
const SLASH_IN_PATH = /(?<=[^/])\/(?=[\p{L}\p{N}_~%-])/gu

/**
 * An http(s) URL or a path on this host, with what no address may hold percent-encoded; undefined for anything
 * else, `javascript:` first of all (SPEC H8).
 */
export function address(href: string | undefined): string | undefined {
  return href !== undefined && (HTTP.test(href) || PATH.test(href)) ? encoded(href) : undefined
}

/** As {@link address}, for a file that the user names himself: its path may be relative, its host unsaid. */
export function fileAddress(href: string | undefined): string | undefined {
  if (href === undefined || !URL.canParse(href, ANY_BASE)) return undefined
  return new URL(href, ANY_BASE).protocol.startsWith('http') ? encoded(href) : undefined
}

function encoded(href: string): string {
  return NO_PLAIN_ADDRESS.test(href) ? href.toWellFormed().replace(NO_ADDRESS, encodeURIComponent) : href
}

/** The text as a browser shows it, without what may not stand in an HTML document; undefined where that is nothing. */
export function shownText(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  // Most texts are tidy (measured: a fifth off a page of 1,000 entries).
  if (!UNTIDY.test(text)) return text
  const clean = cleanText(text).replace(HTML_FORBIDDEN, '').replace(WHITE_SPACE, ' ').replace(/^ | $/g, '')
  return VISIBLE.test(clean) ? clean : undefined
}

/**
 * The text where it has no more than `length` characters (UTF-16 code units), else its beginning with … at the end, cut
 * between two words, or between two characters as people see them where the last word is long. Never longer than `length`.
 */
export function bounded(text: string, length: number): string {
  if (text.length <= length) return text
  const space = text.lastIndexOf(' ', length - 1)
  const end = space > length / 2 ? space : startOfCharacter(text, length - 1)
  return `${text.slice(0, end).trimEnd()}…`
}

function startOfCharacter(text: string, index: number): number {
  characters ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const start = characters.segment(text.slice(0, index + LONGEST_CHARACTER)).containing(index)?.index
  if (start) return start
  // All of it is one letter with marks upon marks.
  return /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index - 1 : index
}

let characters: Intl.Segmenter | undefined
/** Longer than characters in use: a family of four with the tones of their skins has 19 code units. */
const LONGEST_CHARACTER = 64

/** Clean text as content of an element or value of an attribute (SPEC H8). */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"']/g, reference) : text
}

/** Escaped text with places to break a line in its addresses: behind a slash, in a host name behind a dot. It says the same. */
export function breakable(html: string): string {
  // Most texts hold no address (measured: a third off a page of 1,000 entries).
  if (!SIGN_IN_WORD.test(html)) return html
  return html.replace(LONG_WORD, (word) =>
    word.replace(HOST, (host) => host.replace(DOT_IN_HOST, '.<wbr>')).replace(SLASH_IN_PATH, '/<wbr>'),
  )
}

/** An attribute with a space before it; nothing where there is no value. */
export function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`
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
    default:
      return '&#39;'
  }
}
