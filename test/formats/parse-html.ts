/** HTML as a browser reads it. */
import { createRequire } from 'node:module'

/** An element of a parsed page. */
export interface HtmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly HtmlElement[]
  /** All text inside, as it stands. */
  readonly text: string
}

/** A parsed page. */
export interface ParsedPage {
  /** Codes of the HTML standard's parse errors; empty for a faultless page. */
  readonly errors: readonly string[]
  readonly root: HtmlElement
}

interface Parse5Node {
  readonly nodeName: string
  readonly tagName?: string
  readonly value?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly Parse5Node[]
}

// parse5 5 has no types of its own.
const parse5 = createRequire(import.meta.url)('parse5') as {
  parse(html: string, options: { onParseError(error: { readonly code: string }): void }): Parse5Node
}

/** The page as the HTML standard's algorithm reads it. */
export function parseHtml(html: string): ParsedPage {
  const errors: string[] = []
  const document = parse5.parse(html, { onParseError: ({ code }) => errors.push(code) })
  return { errors, root: element(document) }
}

/** Elements for which `matches` holds, in document order. */
export function all(root: HtmlElement, matches: string | ((element: HtmlElement) => boolean)): HtmlElement[] {
  const holds = typeof matches === 'string' ? ({ name }: HtmlElement) => name === matches : matches
  return root.children.flatMap((child) => [...(holds(child) ? [child] : []), ...all(child, matches)])
}

/** The one element for which `matches` holds. */
export function only(root: HtmlElement, matches: string | ((element: HtmlElement) => boolean)): HtmlElement {
  const [found, ...more] = all(root, matches)
  if (!found || more.length > 0)
    throw new Error(`expected one ${matches}, found ${found ? more.length + 1 : 0}`)
  return found
}

/** Test for {@link all}: the element has this class. */
export function hasClass(name: string): (element: HtmlElement) => boolean {
  return ({ attributes }) => (attributes.class ?? '').split(' ').includes(name)
}

function element(node: Parse5Node): HtmlElement {
  const children = (node.childNodes ?? []).map((child) =>
    child.tagName === undefined ? (child.value ?? '') : element(child),
  )
  return {
    name: node.tagName ?? node.nodeName,
    attributes: Object.fromEntries((node.attrs ?? []).map(({ name, value }) => [name, value])),
    children: children.filter((child) => typeof child !== 'string'),
    text: children.map((child) => (typeof child === 'string' ? child : child.text)).join(''),
  }
}
