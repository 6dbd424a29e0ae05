import type { Card } from '../entry/entry.ts'
import type { SiteFacts } from './format.ts'
import { nameOf } from './html-name.ts'
import { address, shownText } from './html-text.ts'
import { wordingFor } from './html-wording.ts'
import { cleanText } from './xml.ts'

/** A section of llms.txt: its first entries. */
export interface LlmsSection {
  readonly title: string
  /** True where a reader short of space may skip it (SPEC X15). */
  readonly optional: boolean
  readonly cards: readonly Card[]
  /** Entries of the whole section. */
  readonly total: number
  /** Where all of them are: public URL or path, for instance of the section's page in HTML. */
  readonly href?: string | undefined
}

/** All that llms.txt is made of. */
export interface LlmsDocument {
  readonly site: SiteFacts
  /** Markdown of the site's owner, without headings. */
  readonly details: string | undefined
  readonly sections: readonly LlmsSection[]
}

/** SPEC X15: the name that lets a reader skip. */
const OPTIONAL = 'Optional'
const PIECE = 100

/**
 * The site as Markdown (SPEC X10 to X17), for CommonMark and for readers that go line by line with a pattern: every
 * line of a section is one link, no name holds a closing bracket as it is, no URL a parenthesis.
 *
 * Sections of one title share a heading. All optional ones, and any that is called so, stand in one list under
 * `## Optional` at the end, for the proposal knows no headings below: what tells them apart are names and URLs.
 */
export function renderLlms(document: LlmsDocument): string {
  return [...llmsPieces(document)].join('')
}

/** {@link renderLlms}'s text in pieces of at most 100 entries, for callers that give way between them (1,000 take 4 ms). */
export function* llmsPieces({ site, details, sections }: LlmsDocument): Generator<string, void, undefined> {
  const name = oneLine(site.title) ?? site.url
  const description = oneLine(site.description)
  const free = details === undefined ? '' : withoutHeadings(details)
  yield `# ${escapeMarkdown(name)}\n`
  if (description !== undefined) yield `\n> ${escapeStart(escapeMarkdown(description))}\n`
  if (free !== '') yield `\n${free}\n`

  const { entries } = wordingFor(site.language)
  for (const [title, members] of byHeading(sections, name)) {
    yield `\n## ${escapeMarkdown(title)}\n\n`
    for (const { cards, total, href, title: own } of members) {
      for (let start = 0; start < cards.length; start += PIECE)
        yield cards
          .slice(start, start + PIECE)
          .map((card) => entryLine(card, { url: site.url, title: name }))
          .join('')
      const more = total - cards.length
      // SPEC X14: a line without a link breaks readers. Where nothing nearer is known, the others are on the site.
      if (more > 0) yield linkLine(oneLine(own) ?? name, address(href) ?? site.url, `+${entries(more)}`)
    }
  }
}

/** Sections that have something to show, by the heading they stand under, in the order of the document. */
function byHeading(
  sections: readonly LlmsSection[],
  fallback: string,
): ReadonlyMap<string, readonly LlmsSection[]> {
  const headings = new Map<string, LlmsSection[]>()
  const optional: LlmsSection[] = []
  for (const section of sections) {
    if (section.cards.length === 0 && section.total <= 0) continue
    const title = oneLine(section.title) ?? fallback
    const isOptional = section.optional || title.toLowerCase() === OPTIONAL.toLowerCase()
    const members = isOptional ? optional : (headings.get(title) ?? [])
    members.push(section)
    if (!isOptional) headings.set(title, members)
  }
  if (optional.length > 0) headings.set(OPTIONAL, optional)
  return headings
}

/** Nothing for a loc that is no address (SPEC H8); no entry's is. */
function entryLine(
  { loc, title, description }: Card,
  site: { readonly url: string; readonly title: string },
): string {
  const url = address(loc)
  if (url === undefined) return ''
  return linkLine(oneLine(title) ?? nameOf(loc, site), url, oneLine(description))
}

/** SPEC X14. */
function linkLine(name: string, url: string, notes: string | undefined): string {
  // The one bracket at which readers that know no backslashes would end the link.
  const text = escapeMarkdown(name).replaceAll('\\]', '&#93;')
  const link = `- [${text}](${url.replace(NO_DESTINATION, encodeInUrl)})`
  return notes === undefined ? `${link}\n` : `${link}: ${escapeMarkdown(notes)}\n`
}

// A parenthesis ends the URL, an ampersand may begin a character reference; what no URL holds is encoded already.
const NO_DESTINATION = /[()]|&(?=#?[A-Za-z0-9]+;)|[^ -~]/gu

function encodeInUrl(character: string): string {
  switch (character) {
    case '(':
      return '%28'
    case ')':
      return '%29'
    case '&':
      return '&amp;'
    default:
      return encodeURIComponent(character)
  }
}

// What CommonMark, or GFM with its strikethrough, reads as markup wherever it stands. Before a letter or digit an
// underscore ends no emphasis, so names like snake_case stay; an ampersand counts where it begins a character
// reference, a `#` at the ends of a heading.
const MARKUP = /[\\`*<[\]~]|_(?![A-Za-z0-9])|&(?=#?[A-Za-z0-9]+;)|(?<![^ ])#/g

/** Text of one line so that Markdown shows it as it is (SPEC X17); parentheses are harmless where no bracket is. */
function escapeMarkdown(text: string): string {
  return text.replace(MARKUP, '\\$&')
}

/** Escaped text at the start of a block, where dashes and numbers make lists and angles quotes. */
function escapeStart(text: string): string {
  return text.replace(/^[-+>]/, '\\$&').replace(/^(\d{1,9})([.)])/, '$1\\$2')
}

/** The text as one line; undefined where nothing is to be seen. */
function oneLine(text: string | undefined): string | undefined {
  return shownText(text?.replace(/[\u2028\u2029]/g, ' '))
}

/** A block that runs on over blank lines until a line ends it. */
interface OpenBlock {
  readonly end: RegExp
  /** A line that ends it. */
  readonly close: string
}

/**
 * The Markdown as it is, but for its headings: those that begin with `#` become text, those made by a line below get
 * a blank line before it (SPEC X13). One inside a list or a quote parts nothing and stays. Code and HTML are left
 * alone; what of them is never closed is closed at the end, for it would swallow the sections.
 */
function withoutHeadings(markdown: string): string {
  const lines: string[] = []
  let open: OpenBlock | undefined
  for (const line of cleanText(markdown).split(/\r\n?|\n/)) {
    if (open !== undefined) {
      lines.push(line)
      if (open.end.test(line)) open = undefined
      continue
    }
    if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(line) && lines.at(-1)?.trim()) lines.push('')
    lines.push(line.replace(/^( {0,3})(?=#)/, '$1\\'))
    open = openedBy(line)
  }
  if (open !== undefined) lines.push(open.close)
  const first = lines.findIndex((line) => line.trim() !== '')
  return first === -1 ? '' : lines.slice(first).join('\n').trimEnd()
}

const HTML_BLOCKS: readonly (OpenBlock & { readonly start: RegExp })[] = [
  { start: /^ {0,3}<!--/, end: /-->/, close: '-->' },
  { start: /^ {0,3}<\?/, end: /\?>/, close: '?>' },
  { start: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/, close: ']]>' },
  { start: /^ {0,3}<![A-Za-z]/, end: />/, close: '>' },
  ...['pre', 'script', 'style', 'textarea'].map((name) => ({
    start: new RegExp(`^ {0,3}<${name}(?:[\\s>]|$)`, 'i'),
    end: /<\/(?:pre|script|style|textarea)>/i,
    close: `</${name}>`,
  })),
]

function openedBy(line: string): OpenBlock | undefined {
  const [, indent = '', fence = '', info = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  const [mark] = fence
  // A backtick in the rest of the line makes it code inside a paragraph.
  if (mark !== undefined && !(mark === '`' && info.includes(mark)))
    return { end: new RegExp(`^ {0,3}${mark}{${fence.length},}[ \\t]*$`), close: indent + fence }
  return HTML_BLOCKS.find(({ start, end }) => start.test(line) && !end.test(line))
}
