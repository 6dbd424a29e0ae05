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

/** Clean text as content of an element or value of an attribute (SPEC H8). */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"']/g, reference) : text
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
