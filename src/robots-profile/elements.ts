import {
  BARE,
  BLOCKS,
  BOUNDS,
  Bound,
  boundsOf,
  ENDS_FOREIGN,
  ENDS_PARAGRAPH,
  FORMATTING,
  FORMATTING_BOUNDS,
  HEAD_CONTENT,
  HEADINGS,
  HTML_INTEGRATION,
  IMPLIED_END,
  RAW_TEXT,
  SPECIAL,
  STAYS_IN_TABLE,
  TABLE_PARTS,
  TABLE_SECTIONS,
  TABLE_STRUCTURE,
  TEXT_INTEGRATION,
  UNSEEN_TEXT,
  VOID,
} from './names.ts'
import { readSpeech, restricted, SILENCE, type Speech } from './speech.ts'
import { readTokens, type StartTag } from './tokens.ts'

/** An element of the page while it is read. */
export interface OpenElement {
  /** `svg/` or `math/` stands before the name of a foreign one. */
  readonly name: string
  /** Undefined outside of all elements that have a tag of their own. */
  parent: OpenElement | undefined
  /** Formatting that a block cut off goes on behind it in a copy; this is the element that has the tag. */
  readonly original: OpenElement | undefined
  readonly speech: Speech
  /** Bits of the matters that are restricted inside. */
  no: number
  /** The nearest `a`, itself included, by its original. */
  link: OpenElement | undefined
  /** In a `template`: no part of the page until a script makes it one. */
  readonly isInert: boolean
  /** Foreign, but what stands in it is HTML. */
  readonly holdsHtml: boolean
  /** The start tag of formatting, as it stands. */
  written: string
  /** Place among the open elements, -1 where it is not open. */
  index: number
  /** In the standard's list of active formatting elements. */
  isListed: boolean
  /** For who reads the page: whether the element stays. */
  isKept: boolean
}

/** Takes a page in the order of its text. */
export interface PageReader {
  /** An element or a copy of one got its place, or another one by a misnested end tag. */
  placed(element: OpenElement): void
  /** A start tag; `ended` are the elements that it closes although nothing says so. */
  opened(element: OpenElement, tag: StartTag, ended: readonly OpenElement[]): void
  /** An end tag that closes an element, and with it those inside that are open still. */
  closed(element: OpenElement, start: number, end: number, ended: readonly OpenElement[]): void
  /** A run of text, or one character that a reference stands for. */
  text(parent: OpenElement | undefined, start: number, end: number, value: string, isSeen: boolean): void
  /** A comment, a doctype, a tag that browsers ignore. */
  other(parent: OpenElement | undefined, start: number, end: number): void
  /** The text ends inside a tag. */
  unfinished(start: number): void
}

// Bounds that no page in use comes near, for without them a hostile one costs the square of its length.
/** Open elements under which an end tag takes out its own. */
const REACH = 512
/** Formatting elements that go on behind a block; of more, those are forgotten that say nothing, the oldest first. */
const MOST_FORMATTING = 8
/** HTML standard, "push onto the list of active formatting elements": alike ones beyond that are forgotten. */
const MOST_ALIKE = 3

const BLANK = /^[\t\n\f\r ]*$/

/**
 * Reads HTML as the standard builds its tree: which element is open where, with end tags left out, misnested
 * formatting, tables and foreign content. No tree is kept, only the elements that are open.
 *
 * Where this differs from a browser: a misnested end tag moves nothing that was read before it.
 */
export function readPage(html: string, reader: PageReader): void {
  const open: OpenElement[] = []
  /** Index of the nearest open element by name, and for each of them that of the next one. */
  const nearestByName = new Map<string, number>()
  const nextByName: number[] = []
  /** For each open element, itself included, the index of the nearest one of each kind that bounds searches. */
  const nearestBounds: number[] = []
  /** Active formatting elements; undefined is where a table cell or the like began. */
  const formatting: (OpenElement | undefined)[] = []
  /** Elements that the token under way closes. */
  let ended: OpenElement[] = []
  /** Where what nobody was told of begins. */
  let cursor = 0
  let form: OpenElement | undefined
  let hasHead = false
  let hasBody = false
  let isQuirky: boolean | undefined

  readTokens(html, {
    startTag(tag) {
      begin(tag.start)
      if (isForeignTag(tag)) startForeign(tag)
      else startHtml(tag)
      cursor = tag.end
    },
    endTag(name, start, end) {
      begin(start)
      const element = isForeign(current()) ? endForeign(name) : endHtml(name)
      cursor = end
      if (element === undefined) reader.other(current(), start, end)
      else {
        const others = ended.filter((one) => one !== element)
        reader.closed(element, start, end, others)
      }
    },
    text(start, end, value) {
      begin(start)
      const parent = placeOfText(value)
      cursor = end
      const isSeen = parent === undefined || !(parent.isInert || UNSEEN_TEXT.has(parent.name))
      reader.text(parent, start, end, value, isSeen)
    },
    unfinished(start) {
      begin(start)
      cursor = html.length
      reader.unfinished(start)
    },
    isForeign: () => isForeignContent(current()),
  })
  if (cursor < html.length) reader.other(current(), cursor, html.length)

  function begin(start: number): void {
    ended = []
    if (cursor < start) reader.other(current(), cursor, start)
  }

  function current(): OpenElement | undefined {
    return open.at(-1)
  }

  function currentIs(name: string): boolean {
    return current()?.name === name
  }

  /** Index of the nearest open element of a name, -1 where there is none. */
  function nearest(name: string): number {
    return nearestByName.get(name) ?? -1
  }

  function has(name: string): boolean {
    return nearest(name) !== -1
  }

  function bound(kind: number): number {
    return open.length === 0 ? -1 : (nearestBounds[(open.length - 1) * BOUNDS + kind] ?? -1)
  }

  /** Index of the nearest open element of these names, -1 where one of the kind lies between. */
  function within(kind: number, ...names: readonly string[]): number {
    const index = Math.max(...names.map(nearest))
    return index >= bound(kind) ? index : -1
  }

  /** Where new content goes: what stands in a table but in no cell goes before the table. */
  function place(): OpenElement | undefined {
    const top = current()
    if (top === undefined || !TABLE_STRUCTURE.has(top.name)) return top
    const table = nearest('table')
    return table > nearest('template') ? open[table]?.parent : top
  }

  function placeOfText(value: string): OpenElement | undefined {
    const top = current()
    if (top !== undefined && (RAW_TEXT.has(top.name) || isForeignContent(top))) return top
    if (BLANK.test(value) && (!hasBody || (top !== undefined && TABLE_STRUCTURE.has(top.name)))) return top
    beginBody()
    resumeFormatting()
    return place()
  }

  function create(
    name: string,
    tag: StartTag | undefined,
    parent: OpenElement | undefined,
    original?: OpenElement,
  ): OpenElement {
    const speech = original?.speech ?? readSpeech(tag?.attributes.get('class')?.value)
    const element: OpenElement = {
      name,
      parent,
      original,
      speech,
      no: 0,
      link: undefined,
      isInert: parent !== undefined && (parent.isInert || parent.name === 'template'),
      holdsHtml: HTML_INTEGRATION.has(name) || (name === 'math/annotation-xml' && isHtmlEncoding(tag)),
      written: original?.written ?? '',
      index: -1,
      isListed: false,
      isKept: false,
    }
    inherit(element)
    reader.placed(element)
    return element
  }

  function inherit(element: OpenElement): void {
    const { parent } = element
    element.no = restricted(element.speech, parent?.no ?? 0)
    element.link = element.name === 'a' ? (element.original ?? element) : parent?.link
  }

  function stack(element: OpenElement): void {
    const { name } = element
    const index = open.push(element) - 1
    element.index = index
    nextByName[index] = nearest(name)
    nearestByName.set(name, index)
    const bounds = boundsOf(name)
    const from = index * BOUNDS
    for (let kind = 0; kind < BOUNDS; kind++) {
      const isBound = (bounds & (1 << kind)) !== 0
      nearestBounds[from + kind] = isBound
        ? index
        : index === 0
          ? -1
          : (nearestBounds[from + kind - BOUNDS] ?? -1)
    }
  }

  function unstack(): OpenElement | undefined {
    const element = open.pop()
    if (element !== undefined) nearestByName.set(element.name, nextByName[open.length] ?? -1)
    return element
  }

  function push(element: OpenElement): void {
    stack(element)
    if (FORMATTING_BOUNDS.has(element.name)) formatting.push(undefined)
  }

  /** Puts an element where its start tag stands. */
  function insert(tag: StartTag, parent: OpenElement | undefined = place(), name = tag.name): OpenElement {
    const element = create(name, tag, parent)
    reader.opened(element, tag, ended)
    if (!VOID.has(name)) push(element)
    return element
  }

  function ignore(tag: StartTag): undefined {
    reader.other(current(), tag.start, tag.end)
  }

  function leave(element: OpenElement): void {
    element.index = -1
    // What is listed goes on behind.
    if (!element.isListed) ended.push(element)
  }

  function popTo(index: number): OpenElement | undefined {
    let popped: OpenElement | undefined
    while (open.length > index) {
      popped = unstack()
      if (popped === undefined) break
      leave(popped)
      if (FORMATTING_BOUNDS.has(popped.name)) clearFormatting()
    }
    return popped
  }

  function pop(): void {
    popTo(open.length - 1)
  }

  function popWhile(matches: (element: OpenElement) => boolean): void {
    for (let top = current(); top !== undefined && matches(top); top = current()) pop()
  }

  function closeFound(index: number): OpenElement | undefined {
    return index === -1 ? undefined : popTo(index)
  }

  /** Takes elements out from under others. */
  function takeOut(index: number, isGone: (element: OpenElement) => boolean): readonly OpenElement[] {
    const gone: OpenElement[] = []
    const above: OpenElement[] = []
    while (open.length > index) {
      const element = unstack()
      if (element === undefined) break
      if (isGone(element)) gone.push(element)
      else above.push(element)
    }
    above.reverse().forEach(stack)
    gone.forEach(leave)
    return gone
  }

  /** What lost the element around it stands in the next one. */
  function moveUp(index: number, gone: readonly OpenElement[]): void {
    const lost = new Set<OpenElement | undefined>(gone)
    for (let i = index; i < open.length; i++) {
      const element = open[i]
      if (element === undefined) continue
      if (lost.has(element.parent)) element.parent = open[i - 1]
      const before = element.no
      inherit(element)
      if (element.no !== before) reader.placed(element)
    }
  }

  function clearFormatting(): void {
    for (let entry = formatting.pop(); entry !== undefined; entry = formatting.pop()) entry.isListed = false
  }

  function list(element: OpenElement, tag: StartTag): void {
    element.written = html.slice(tag.start, tag.end)
    const first = formatting.lastIndexOf(undefined) + 1
    const alike: number[] = []
    let silent: number | undefined
    for (let i = first; i < formatting.length; i++) {
      const entry = formatting[i]
      if (entry?.written === element.written) alike.push(i)
      if (entry?.speech === SILENCE && entry.name !== 'a') silent ??= i
    }
    const [eldest] = alike
    if (eldest !== undefined && alike.length >= MOST_ALIKE) unlist(eldest)
    else if (formatting.length - first >= MOST_FORMATTING) unlist(silent ?? first)
    formatting.push(element)
    element.isListed = true
  }

  function unlist(index: number): void {
    const [entry] = formatting.splice(index, 1)
    if (entry !== undefined) entry.isListed = false
  }

  function listed(name: string): number {
    for (let i = formatting.length - 1; i >= 0; i--) {
      const entry = formatting[i]
      if (entry === undefined) return -1
      if (entry.name === name) return i
    }
    return -1
  }

  /** "Reconstruct the active formatting elements". */
  function resumeFormatting(): void {
    let first = formatting.length
    while (first > 0 && formatting[first - 1]?.index === -1) first--
    for (let i = first; i < formatting.length; i++) {
      const entry = formatting[i]
      if (entry === undefined) continue
      const copy = create(entry.name, undefined, place(), entry.original ?? entry)
      push(copy)
      entry.isListed = false
      copy.isListed = true
      formatting[i] = copy
    }
  }

  /** What the "adoption agency" leaves open: the blocks inside the formatting element go on without it. */
  function endFormatting(name: string): OpenElement | undefined {
    const at = listed(name)
    const element = formatting[at]
    if (element === undefined) return endOrdinary(name)
    if (element.index === -1) {
      unlist(at)
      return element
    }
    const { index } = element
    if (bound(Bound.scope) > index) return undefined
    unlist(at)
    if (open.length - index > REACH) return undefined
    const block = bound(Bound.special)
    if (block < index) {
      popTo(index)
      return element
    }
    popTo(block + 1)
    const gone = takeOut(index, (one) => one === element || !(one.isListed || SPECIAL.has(one.name)))
    moveUp(index, gone)
    return element
  }

  function endOrdinary(name: string): OpenElement | undefined {
    return closeFound(within(Bound.special, name))
  }

  function closeParagraph(): void {
    closeFound(within(Bound.button, 'p'))
  }

  function beginBody(): void {
    const top = current()
    if (top?.name === 'head') pop()
    else if (top?.name === 'noscript' && top.parent?.name === 'head') popTo(open.length - 2)
    else if (top?.name === 'colgroup') pop()
    hasBody = true
  }

  /** In a table, but in no cell or caption of it. */
  function isInTable(): boolean {
    return TABLE_STRUCTURE.has(open[bound(Bound.tableContext)]?.name ?? '')
  }

  function startHtml(tag: StartTag): OpenElement | undefined {
    const { name } = tag
    if (name === 'html' || name === 'head' || name === 'body') return startDocument(tag)
    if (currentIs('colgroup') && name !== 'col' && name !== 'template') pop()
    if (STAYS_IN_TABLE.has(name)) return insert(tag, current())
    if (HEAD_CONTENT.has(name) || (name === 'noscript' && currentIs('head'))) return insert(tag)
    if (TABLE_PARTS.has(name)) return startTablePart(tag)
    beginBody()
    if (name === 'form') return startForm(tag)
    closeBefore(name)
    if (ENDS_PARAGRAPH.has(name) && !(name === 'table' && isQuirky)) closeParagraph()
    if (HEADINGS.has(name) && HEADINGS.has(current()?.name ?? '')) pop()
    if (name === 'select' && closeFound(within(Bound.scope, 'select')) !== undefined) return ignore(tag)
    if (!(ENDS_PARAGRAPH.has(name) || BARE.has(name)) || name === 'xmp') resumeFormatting()
    if (name === 'svg' || name === 'math') return startForeignElement(tag, name)
    // The standard's own word for it: don't ask.
    if (name === 'image') return insert(tag, place(), 'img')
    const element = insert(tag)
    if (FORMATTING.has(name)) list(element, tag)
    return element
  }

  /** What a start tag closes before its element begins, a paragraph apart. */
  function closeBefore(name: string): void {
    if (name === 'li') closeFound(within(Bound.item, 'li'))
    else if (name === 'dd' || name === 'dt') closeFound(within(Bound.item, 'dd', 'dt'))
    else if (name === 'button') closeFound(within(Bound.scope, 'button'))
    else if (name === 'option' || name === 'optgroup') {
      if (currentIs('option')) pop()
      if (name === 'optgroup' && currentIs('optgroup') && has('select')) pop()
    } else if (name === 'table' && isInTable()) closeFound(within(Bound.table, 'table'))
    else if (name === 'rb' || name === 'rtc') closeImplied('ruby')
    else if (name === 'rp' || name === 'rt') closeImplied('ruby', 'rtc')
    else if (name === 'a' && listed('a') !== -1) closeFormatting('a')
    else if (name === 'nobr') {
      resumeFormatting()
      if (within(Bound.scope, 'nobr') !== -1) closeFormatting('nobr')
    }
  }

  function closeImplied(around: string, except?: string): void {
    if (within(Bound.scope, around) !== -1) popWhile(({ name }) => IMPLIED_END.has(name) && name !== except)
  }

  /** Ends formatting that may not stand in its like. */
  function closeFormatting(name: string): void {
    const element = endFormatting(name)
    if (element !== undefined && !ended.includes(element)) ended.push(element)
    const left = listed(name)
    if (left !== -1) unlist(left)
  }

  function startDocument(tag: StartTag): OpenElement | undefined {
    const { name } = tag
    isQuirky ??= !/<!doctype/i.test(html.slice(0, 1_024))
    if (name === 'body' && !hasBody) beginBody()
    else if (hasBody || (name === 'head' && hasHead)) return ignore(tag)
    if (name === 'head') hasHead = true
    // Behind content they would only add attributes to what is there.
    if (open.length > (name === 'html' || !has('html') ? 0 : 1)) return ignore(tag)
    return insert(tag)
  }

  function startForm(tag: StartTag): OpenElement | undefined {
    const isAlone = form === undefined && !has('template')
    if (isInTable()) {
      if (!isAlone) return ignore(tag)
      // It begins and ends at once there, but none may begin in it.
      form = create('form', tag, current())
      reader.opened(form, tag, ended)
      return form
    }
    if (form !== undefined && !has('template')) return ignore(tag)
    closeParagraph()
    const element = insert(tag)
    if (isAlone) form = element
    return element
  }

  function startTablePart(tag: StartTag): OpenElement | undefined {
    const { name } = tag
    const around = open[bound(Bound.tableContext)]
    const isPart = around !== undefined && around.name !== 'template'
    // Without a table they count for nothing, except where the text begins with one: it is a piece of a table.
    if (!(isPart || around === current())) return ignore(tag)
    hasBody = true
    const isContext = (one: string): boolean => {
      if (one === 'table' || one === 'template') return true
      if (name === 'tr') return TABLE_SECTIONS.has(one)
      if (name === 'td' || name === 'th') return TABLE_SECTIONS.has(one) || one === 'tr'
      return name === 'col' && one === 'colgroup'
    }
    popWhile((element) => !isContext(element.name))
    return insert(tag, current())
  }

  function startForeign(tag: StartTag): OpenElement | undefined {
    if (!endsForeign(tag)) return startForeignElement(tag, namespaceOf(current()))
    popWhile(isForeignContent)
    return startHtml(tag)
  }

  function startForeignElement(tag: StartTag, namespace: string): OpenElement {
    const element = create(`${namespace}/${tag.name}`, tag, place())
    reader.opened(element, tag, ended)
    if (!tag.isSelfClosing) push(element)
    return element
  }

  function endForeign(name: string): OpenElement | undefined {
    if (name === 'p' || name === 'br') {
      popWhile(isForeignContent)
      return endHtml(name)
    }
    const index = Math.max(nearest(`svg/${name}`), nearest(`math/${name}`))
    return index > bound(Bound.html) ? popTo(index) : endHtml(name)
  }

  function endHtml(name: string): OpenElement | undefined {
    switch (name) {
      case 'html':
      case 'body':
        // What stands behind them still belongs to the body.
        beginBody()
        return open.slice(0, 2).find((element) => element.name === name)
      case 'head':
        return currentIs('head') ? popTo(open.length - 1) : undefined
      case 'br':
        beginBody()
        return undefined
      case 'p':
        return closeFound(within(Bound.button, 'p'))
      case 'li':
        return closeFound(within(Bound.list, 'li'))
      case 'form':
        return endForm()
      case 'template':
        return closeFound(nearest('template'))
      case 'colgroup':
        return currentIs('colgroup') ? popTo(open.length - 1) : undefined
    }
    if (name === 'table' || TABLE_PARTS.has(name)) return endTablePart(name)
    if (HEADINGS.has(name)) return closeFound(within(Bound.scope, ...HEADINGS))
    if (FORMATTING.has(name)) return endFormatting(name)
    if (BLOCKS.has(name) || FORMATTING_BOUNDS.has(name) || name === 'dd' || name === 'dt')
      return closeFound(within(Bound.scope, name))
    return endOrdinary(name)
  }

  function endTablePart(name: string): OpenElement | undefined {
    const index = within(Bound.table, name)
    if (index !== -1 || !(name === 'tr' || name === 'tbody')) return closeFound(index)
    // A row and a section are there without a tag as soon as a cell is.
    const untagged = name === 'tr' ? ['td', 'th'] : ['td', 'th', 'tr']
    const sections = name === 'tr' ? -1 : Math.max(...[...TABLE_SECTIONS].map(nearest))
    let part = within(Bound.table, ...untagged)
    while (part > sections) {
      popTo(part)
      part = within(Bound.table, ...untagged)
    }
    return undefined
  }

  function endForm(): OpenElement | undefined {
    const index = within(Bound.scope, 'form')
    if (has('template')) return closeFound(index)
    const element = form
    form = undefined
    if (element === undefined || open[index] !== element || open.length - index > REACH) return undefined
    popWhile((one) => IMPLIED_END.has(one.name))
    // What is open in it stays in it.
    takeOut(index, (one) => one === element)
    return element
  }

  function isForeignTag({ name }: StartTag): boolean {
    const top = current()
    if (!isForeign(top)) return false
    if (TEXT_INTEGRATION.has(top.name)) return name === 'mglyph' || name === 'malignmark'
    return !top.holdsHtml && !(top.name === 'math/annotation-xml' && name === 'svg')
  }
}

function isForeign(element: OpenElement | undefined): element is OpenElement {
  return element?.name.includes('/') ?? false
}

/** Foreign, and what stands in it is too. */
function isForeignContent(element: OpenElement | undefined): boolean {
  return isForeign(element) && !element.holdsHtml && !TEXT_INTEGRATION.has(element.name)
}

function namespaceOf(element: OpenElement | undefined): string {
  return element?.name.split('/', 1)[0] ?? ''
}

function endsForeign({ name, attributes }: StartTag): boolean {
  if (name === 'font') return attributes.has('color') || attributes.has('face') || attributes.has('size')
  return ENDS_FOREIGN.has(name)
}

function isHtmlEncoding(tag: StartTag | undefined): boolean {
  const encoding = tag?.attributes.get('encoding')?.value.toLowerCase()
  return encoding === 'text/html' || encoding === 'application/xhtml+xml'
}
