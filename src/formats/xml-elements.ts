import { cleanText, escapeAttribute, escapeText } from './xml.ts'

/** Attributes in the order they are written; those without a value are left out. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** An element with text on a line of its own, `depth` steps in; nothing where there is no text. */
export function textElement(
  depth: number,
  name: string,
  text: string | undefined,
  attributes: Attributes = NONE,
): string {
  if (text === undefined) return ''
  return `${indent(depth)}<${name}${written(attributes)}>${escapeText(cleanText(text))}</${name}>\n`
}

/** An element that says all in its attributes. */
export function emptyElement(depth: number, name: string, attributes: Attributes): string {
  return `${indent(depth)}<${name}${written(attributes)}/>\n`
}

/** An element around lines that are written already. */
export function parentElement(
  depth: number,
  name: string,
  lines: readonly string[],
  attributes: Attributes = NONE,
): string {
  return `${indent(depth)}<${name}${written(attributes)}>\n${lines.join('')}${indent(depth)}</${name}>\n`
}

const NONE: Attributes = Object.freeze({})
const INDENTS = ['', '  ', '    ', '      ', '        ']

function indent(depth: number): string {
  return INDENTS[depth] ?? '  '.repeat(depth)
}

function written(attributes: Attributes): string {
  let text = ''
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined) text += ` ${name}="${escapeAttribute(cleanText(value))}"`
  }
  return text
}
