import { QuoteType, Tokenizer } from 'htmlparser2'

/** An attribute of a start tag. */
export interface Attribute {
  /** Character references decoded. */
  readonly value: string
  /** Position behind the value, a closing quote included; behind the name where there is no value. */
  readonly end: number
  readonly quoting: 'quoted' | 'unquoted' | 'absent'
}

/** A start tag and where it stands in the text. */
export interface StartTag {
  /** In lower case. */
  readonly name: string
  readonly start: number
  readonly end: number
  /** Those that somebody asks for; of two with one name the first. */
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly isSelfClosing: boolean
}

/** Takes the tokens in the order of the text; what lies between them are comments and the like. */
export interface TokenHandler {
  startTag(tag: StartTag): void
  endTag(name: string, start: number, end: number): void
  /** A run of text, or one character that a reference stands for. */
  text(start: number, end: number, value: string): void
  /** The text ends inside a tag, which counts for nothing. */
  unfinished(start: number): void
  /** True where a `title` or `script` is not HTML's own: in SVG and MathML. */
  isForeign(): boolean
}

const KNOWN_ATTRIBUTES: ReadonlySet<string> = new Set([
  'alt',
  'class',
  'color',
  'content',
  'encoding',
  'face',
  'href',
  'name',
  'profile',
  'rel',
  'size',
  'type',
])
const LONGEST_NAME = 8
const CDATA = '<![CDATA['
const NO_CDATA = '<!NODATA['

/** Reads HTML as a sequence of tokens, once through: time and memory grow with its length alone. */
export function readTokens(html: string, handler: TokenHandler): void {
  // Looked for once, wherever reading begins again.
  let cdata = html.indexOf(CDATA)
  const nextCdata = (index: number): number => {
    if (cdata !== -1 && cdata < index) cdata = html.indexOf(CDATA, index)
    return cdata
  }
  let from: number | undefined = 0
  while (from !== undefined) from = readUntilStop(html, from, handler, nextCdata)
}

/**
 * Where htmlparser2 would take a token for shorter than the HTML standard does (an end tag with attributes, a script
 * inside a comment inside a script), we stop it and go on behind the token: else a part of what a browser takes for one
 * token could be cut off and leave the rest as markup of its own. Returns where to go on.
 */
function readUntilStop(
  html: string,
  base: number,
  handler: TokenHandler,
  nextCdata: (index: number) => number,
): number | undefined {
  let next: number | undefined
  /** End of the last token, from where an undecoded reference begins. */
  let position = base
  let tagName = ''
  let tagStart = 0
  let attributes = new Map<string, Attribute>()
  let attributeName = ''
  let value = ''

  const goOnAt = (index: number): void => {
    next = index
    tokenizer.pause()
  }
  const openTag = (endIndex: number, isSelfClosing: boolean): void => {
    const end = base + endIndex + 1
    position = end
    handler.startTag({ name: tagName, start: tagStart, end, attributes, isSelfClosing })
    if (tagName !== 'script' || handler.isForeign()) return
    const scriptEnd = endOfScript(html, end)
    if (scriptEnd === undefined) return
    if (scriptEnd > end) handler.text(end, scriptEnd, html.slice(end, scriptEnd))
    goOnAt(scriptEnd)
  }
  const skipTo = (endIndex: number): void => {
    position = base + endIndex + 1
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      isInForeignContext: () => handler.isForeign(),
      onopentagname(start, end) {
        tagStart = base + start - 1
        tagName = html.slice(base + start, base + end).toLowerCase()
        attributes = new Map()
      },
      onattribname(start, end) {
        attributeName = end - start > LONGEST_NAME ? '' : html.slice(base + start, base + end).toLowerCase()
        value = ''
      },
      onattribdata(start, end) {
        if (KNOWN_ATTRIBUTES.has(attributeName)) value += html.slice(base + start, base + end)
      },
      onattribentity(codePoint) {
        if (KNOWN_ATTRIBUTES.has(attributeName)) value += String.fromCodePoint(codePoint)
      },
      onattribend(quote, endIndex) {
        if (!KNOWN_ATTRIBUTES.has(attributeName) || attributes.has(attributeName)) return
        const quoting =
          quote === QuoteType.NoValue ? 'absent' : quote === QuoteType.Unquoted ? 'unquoted' : 'quoted'
        attributes.set(attributeName, { value, end: base + endIndex, quoting })
      },
      onopentagend: (endIndex) => openTag(endIndex, false),
      onselfclosingtag: (endIndex) => openTag(endIndex, true),
      onclosetag(start, endIndex) {
        const end = endOfEndTag(html, base + endIndex)
        if (end === undefined) {
          handler.unfinished(base + start - 2)
          return goOnAt(html.length)
        }
        position = end
        handler.endTag(html.slice(base + start, base + endIndex).toLowerCase(), base + start - 2, end)
        if (end > html.indexOf('>', base + endIndex) + 1) goOnAt(end)
      },
      ontext(start, end) {
        position = base + end
        handler.text(base + start, base + end, html.slice(base + start, base + end))
      },
      ontextentity(codePoint, endIndex) {
        const start = position
        position = base + endIndex
        handler.text(start, position, String.fromCodePoint(codePoint))
      },
      oncdata(start, endIndex) {
        const end = base + endIndex - 2
        handler.text(base + start, end, html.slice(base + start, end))
        skipTo(endIndex)
      },
      oncomment: (_, endIndex) => skipTo(endIndex),
      ondeclaration: (_, endIndex) => skipTo(endIndex),
      onprocessinginstruction: (_, endIndex) => skipTo(endIndex),
      onend() {},
    },
  )
  for (let written = base; written < html.length; ) {
    const cdata = nextCdata(written)
    const end = cdata === -1 ? html.length : cdata
    tokenizer.write(html.slice(written, end))
    if (next !== undefined) return next
    // In HTML this begins a comment up to the next `>`, which htmlparser2 does with any other word of the same length.
    if (cdata !== -1) tokenizer.write(handler.isForeign() ? CDATA : NO_CDATA)
    written = end + CDATA.length
  }
  tokenizer.end()
  const unfinished = html.slice(position).search(/<\/?[a-z]/i)
  if (unfinished !== -1) handler.unfinished(position + unfinished)
  return undefined
}

// An attribute as in a start tag, with what may stand before it. Each alternative takes what it finds, so that none is tried twice.
const ATTRIBUTE =
  /[\t\n\f\r /]*(?:[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r >]*))?)?/y

/** Position behind the `>` of an end tag whose name ends at `index`. */
function endOfEndTag(html: string, index: number): number | undefined {
  let position = index
  while (position < html.length) {
    if (html[position] === '>') return position + 1
    ATTRIBUTE.lastIndex = position
    ATTRIBUTE.test(html)
    position = ATTRIBUTE.lastIndex
  }
  return undefined
}

/**
 * Where a script's text ends that holds a comment; undefined where no comment stands before its end tag. Inside the
 * comment a `<script>` takes the next end tag for itself.
 */
function endOfScript(html: string, start: number): number | undefined {
  const inScript = /<!--|<\/script[\t\n\f\r />]/gi
  const inComment = /-->|<\/?script[\t\n\f\r />]/gi
  let isNested = false
  inScript.lastIndex = start
  if (inScript.exec(html)?.[0] !== '<!--') return undefined
  for (;;) {
    // The dashes of `<!-->` both open and close.
    inComment.lastIndex = inScript.lastIndex - 2
    let found = inComment.exec(html)
    while (found !== null && found[0] !== '-->') {
      const isEnd = found[0][1] === '/'
      if (isEnd && !isNested) return found.index
      isNested = !isEnd
      found = inComment.exec(html)
    }
    isNested = false
    if (found === null) return html.length
    inScript.lastIndex = inComment.lastIndex
    const next = inScript.exec(html)
    if (next === null) return html.length
    if (next[0] !== '<!--') return next.index
  }
}
