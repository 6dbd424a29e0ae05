import { type OpenElement, readPage } from './elements.ts'
import { ENDS_PARAGRAPH, TABLE_PARTS, VOID } from './names.ts'
import { createPageFacts, hasWord, mentionsRobots, type ProfileOptions } from './page.ts'
import { BITS } from './speech.ts'
import type { StartTag } from './tokens.ts'

/** What a page is taken for: a search index, a cached copy, an excerpt. */
export type ProfileUse = 'index' | 'archive' | 'snippet'

/** How a page is cut. */
export interface ApplyProfileOptions extends ProfileOptions {
  readonly for: ProfileUse
}

/** The matters whose restriction takes a part out. */
const RESTRICTING: Readonly<Record<ProfileUse, number>> = {
  index: BITS.index,
  archive: BITS.archive,
  // SPEC H41: what is no content of the page is none of its excerpts.
  snippet: BITS.index | BITS.archive,
}

/** Words of meta robots that take the whole page out (SPEC H38, H51, H52). */
const PAGE_OUT: Readonly<Record<ProfileUse, readonly string[]>> = {
  index: ['noindex'],
  archive: ['noarchive', 'nocache'],
  snippet: ['noindex', 'nosnippet', 'max-snippet:0'],
}

/** SPEC H40. */
const MARKER = '[...]'
/** Characters of text from which an excerpt leaves a part out without a marker (SPEC H41). */
const LONG = 160

/** What shows nothing leaves no marker. */
const UNSEEN: ReadonlySet<string> = new Set(
  'base basefont bgsound col colgroup head link meta noembed noframes noscript param script source style template title track'.split(
    ' ',
  ),
)

// Text may not stand everywhere that these may.
const MARKED: ReadonlyMap<string, string> = new Map([
  ['body', `<body>${MARKER}</body>`],
  ['caption', `<caption>${MARKER}</caption>`],
  ['dd', `<dd>${MARKER}</dd>`],
  ['dt', `<dt>${MARKER}</dt>`],
  ['li', `<li>${MARKER}</li>`],
  ['optgroup', `<option>${MARKER}</option>`],
  ['option', `<option>${MARKER}</option>`],
  ['tbody', `<tbody><tr><td>${MARKER}</td></tr></tbody>`],
  ['td', `<td>${MARKER}</td>`],
  ['tfoot', `<tfoot><tr><td>${MARKER}</td></tr></tfoot>`],
  ['th', `<th>${MARKER}</th>`],
  ['thead', `<thead><tr><td>${MARKER}</td></tr></thead>`],
  ['tr', `<tr><td>${MARKER}</td></tr>`],
])

/** A run of the text that may have to go, or a place where something may have to come in. */
type Piece =
  | {
      readonly kind: 'start' | 'end'
      readonly start: number
      readonly end: number
      readonly element: OpenElement
      /** End tags of elements that stay, which this tag would have closed. */
      readonly closing: string
    }
  | {
      readonly kind: 'text'
      readonly start: number
      end: number
      readonly element: OpenElement
      words: string
    }
  | { readonly kind: 'other'; readonly start: number; readonly end: number; readonly element: OpenElement }
  | { readonly kind: 'rel'; readonly start: number; readonly element: OpenElement; readonly words: string }

/** Pieces that go together. */
interface Part {
  /** The element that goes; of a run of content that goes from an element which stays, that element. */
  readonly key: OpenElement
  readonly start: number
  end: number
  /** As far as pieces came, white space that stays included. */
  reach: number
  closing: string
  words: string
  /** Replaces the marker where the part begins with such an element. */
  readonly marker: string
  isSeen: boolean
  isBlock: boolean
}

/**
 * The HTML as one use may have it (SPEC 7.2). Parts that the nearest class restricts go whole; parts inside them that a
 * class allows again stay where they are, with the tags around them. What stays is the input, byte for byte; added are
 * only end tags that it had left out, the markers, `rel="nofollow"` for the index, and a space where a block stood
 * between two words or a lone `<` would now begin a tag. Never throws.
 *
 * @example applyRobotsProfile(item.content, { for: 'snippet', profile: true })
 */
export function applyRobotsProfile(html: string, options: ApplyProfileOptions): string {
  if (!mentionsRobots(html, options)) return html
  const use = options.for
  const facts = createPageFacts(options)
  const pieces: Piece[] = []
  let length = html.length
  const goes = (element: OpenElement | undefined): element is OpenElement =>
    element !== undefined && (element.no & RESTRICTING[use]) !== 0

  readPage(html, {
    placed(element) {
      if (!goes(element)) keep(element)
    },
    opened(element, tag, ended) {
      facts.see(element, tag)
      const { start, end } = tag
      if (goes(element)) pieces.push({ kind: 'start', start, end, element, closing: closingOf(ended) })
      const rel = use === 'index' ? relFor(element, tag) : undefined
      if (rel !== undefined) pieces.push({ kind: 'rel', ...rel, element })
    },
    closed(copy, start, end, ended) {
      const element = copy.original ?? copy
      if (!element.isKept) pieces.push({ kind: 'end', start, end, element, closing: closingOf(ended) })
    },
    text(element, start, end, value, isSeen) {
      if (!goes(element)) return
      const words = isSeen ? value.replace(/[\t\n\f\r ]+/g, ' ') : ''
      const last = pieces.at(-1)
      if (last?.kind === 'text' && last.element === element && last.end === start) {
        last.end = end
        last.words = addWords(last.words, words)
      } else {
        pieces.push({ kind: 'text', start, end, element, words })
      }
    },
    other(element, start, end) {
      if (goes(element)) pieces.push({ kind: 'other', start, end, element })
    },
    unfinished(start) {
      length = start
    },
  })

  const directives = facts.directives()
  if (PAGE_OUT[use].some((word) => directives.has(word))) return ''
  return facts.isProfiled() ? cut(html.slice(0, length), pieces, use, goes) : html
}

/** An element stays, and so do those around it. */
function keep(element: OpenElement): void {
  for (let one: OpenElement | undefined = element; one !== undefined && !one.isKept; one = one.parent)
    one.isKept = true
}

function closingOf(ended: readonly OpenElement[]): string {
  return ended
    .filter((element) => (element.original ?? element).isKept && !VOID.has(element.name))
    .map(({ name }) => `</${name.slice(name.indexOf('/') + 1)}>`)
    .join('')
}

/** The twin of the classes on a link that has none (SPEC 7.2): what to write and where. */
function relFor({ name, no }: OpenElement, { start, attributes }: StartTag) {
  if (!(name === 'a' || name === 'area') || !attributes.has('href')) return undefined
  if ((no & (BITS.follow | BITS.anchortext)) === 0) return undefined
  const rel = attributes.get('rel')
  if (rel === undefined) return { start: start + 1 + name.length, words: ' rel="nofollow"' }
  if (hasWord(rel.value, 'nofollow')) return undefined
  if (rel.quoting === 'absent') return { start: rel.end, words: '="nofollow"' }
  // A value without quotes holds no space as it is.
  return rel.quoting === 'quoted'
    ? { start: rel.end - 1, words: ' nofollow' }
    : { start: rel.end, words: '&#32;nofollow' }
}

function addWords(words: string, more: string): string {
  return words.length > 4 * LONG ? words : words + more
}

function cut(
  html: string,
  pieces: readonly Piece[],
  use: ProfileUse,
  goes: (element: OpenElement | undefined) => boolean,
): string {
  const output: string[] = []
  const marked = new Set<OpenElement>()
  const roots = new Map<OpenElement, OpenElement>()
  let cursor = 0
  let last = ''
  let part: Part | undefined

  function write(text: string): void {
    if (text === '') return
    // A `<` that was text must not make a tag of the words that now follow it.
    if (last === '<' && /^[a-z/!?]/i.test(text)) output.push(' ')
    output.push(text)
    last = text.charAt(text.length - 1)
  }

  function finish(): void {
    if (part === undefined) return
    write(html.slice(cursor, part.start))
    write(part.closing)
    write(replacementOf(part))
    cursor = part.end
    part = undefined
  }

  function replacementOf({ key, start, end, closing, words, marker, isSeen, isBlock }: Part): string {
    const isMarked =
      isSeen && !marked.has(key) && (use === 'archive' || (use === 'snippet' && lengthOf(words) < LONG))
    // What goes from an element that stays may be several parts.
    if (!key.isKept) marked.add(key)
    if (isMarked) return marker
    return isBlock &&
      closing === '' &&
      /[^\s>]/.test(html[start - 1] ?? ' ') &&
      /[^\s<]/.test(html[end] ?? ' ')
      ? ' '
      : ''
  }

  /** The outermost element that goes with this one. */
  function rootOf(element: OpenElement): OpenElement {
    const path: OpenElement[] = []
    let root = element
    for (;;) {
      const known = roots.get(root)
      if (known !== undefined) {
        root = known
        break
      }
      path.push(root)
      if (root.parent === undefined || root.parent.isKept) break
      root = root.parent
    }
    for (const one of path) roots.set(one, root)
    return root
  }

  for (const piece of pieces) {
    const { kind, element } = piece
    if (kind === 'rel') {
      if (!element.isKept) continue
      finish()
      write(html.slice(cursor, piece.start))
      write(piece.words)
      cursor = piece.start
      continue
    }
    if (element.isKept && (kind === 'start' || kind === 'end')) continue

    const root = element.isKept ? element : rootOf(element)
    const key = root.isKept || !goes(root.parent) ? root : (root.parent ?? root)
    const isRun = key.isKept
    const continues = part !== undefined && part.key === key && part.reach === piece.start
    if (!continues) finish()
    let { start, end } = piece
    if (kind === 'text' && root.isKept) {
      const text = html.slice(start, end)
      start += text.length - text.trimStart().length
      end -= text.length - text.trimEnd().length
      if (start >= end) {
        // White space between two runs goes with them, around them it stays.
        if (part !== undefined) part.reach = piece.end
        continue
      }
    }
    const isOuter = kind === 'start' && (element === key || (isRun && element.parent === key))
    const isSeen = isOuter && !UNSEEN.has(element.name) && element.parent?.name !== 'head'
    part ??= {
      key,
      start,
      end,
      reach: piece.end,
      closing: '',
      words: '',
      marker: (isOuter && MARKED.get(element.name)) || MARKER,
      isSeen: false,
      isBlock: false,
    }
    part.end = end
    part.reach = piece.end
    if (kind === 'text') {
      part.words = addWords(part.words, piece.words)
      if (/\S/.test(piece.words)) part.isSeen = true
    }
    if (isSeen) part.isSeen = true
    if (kind === 'start' && isBlock(element)) part.isBlock = true
    if (kind === 'start' || kind === 'end') part.closing += piece.closing
  }
  finish()
  write(html.slice(cursor))
  return output.join('')
}

/** Words do not run on over it. */
function isBlock({ name }: OpenElement): boolean {
  return ENDS_PARAGRAPH.has(name) || TABLE_PARTS.has(name) || name === 'br'
}

/** Characters as a reader counts them. */
function lengthOf(words: string): number {
  return [...words.replace(/ +/g, ' ').trim()].length
}
