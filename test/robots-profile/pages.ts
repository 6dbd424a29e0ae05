/** Pages made at random, and how a browser's parser reads them. */
import fc from 'fast-check'
import { type DefaultTreeAdapterMap, defaultTreeAdapter as dom, parse } from 'parse5'
import type { Matter } from '../../src/robots-profile/classes.ts'

type Node = DefaultTreeAdapterMap['node']

const MATTERS: readonly Matter[] = ['follow', 'index', 'archive', 'anchortext']

/** A word of a page, as the tree has it. */
export interface Word {
  /** Matters that are restricted for it. */
  readonly no: readonly Matter[]
  /** Names and ids of the elements around it. */
  readonly around: string
}

/** What parse5 makes of a page. */
export interface ParsedPage {
  /** Words `w1`, `w2`, … in the order of the tree. */
  readonly words: ReadonlyMap<string, Word>
  /** Elements that have an id. */
  readonly elements: ReadonlySet<string>
  /** Codes of parse errors. */
  readonly errors: readonly string[]
}

/** Reads a page as the HTML standard has it for a robot that runs no script. */
export function parsePage(html: string): ParsedPage {
  const errors: string[] = []
  const words = new Map<string, Word>()
  const elements = new Set<string>()
  const document = parse(html, { scriptingEnabled: false, onParseError: ({ code }) => errors.push(code) })
  const open: { readonly node: Node; readonly word: Word }[] = [
    { node: document, word: { no: [], around: '' } },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next
    let { word } = next
    if (dom.isElementNode(node)) {
      const value = (name: string) => node.attrs.find((one) => one.name === name)?.value
      word = { no: restrictedBy(value('class'), word.no), around: word.around }
      const id = value('id')
      if (id !== undefined) {
        const name = `${node.tagName}#${id}`
        elements.add(name)
        word = { no: word.no, around: `${word.around} ${name}` }
      }
    } else if (dom.isTextNode(node)) {
      for (const found of node.value.match(/w\d+/g) ?? []) words.set(found, word)
    }
    const content = 'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : []
    for (const child of [...content].reverse()) open.push({ node: child, word })
  }
  return { words, elements, errors }
}

/** SPEC H35, H36, H37, said once more. */
function restrictedBy(classes: string | undefined, around: readonly Matter[]): readonly Matter[] {
  const names = classes?.split(/\s+/) ?? []
  return MATTERS.filter(
    (matter) =>
      names.includes(`robots-no${matter}`) ||
      (around.includes(matter) && !names.includes(`robots-${matter}`)),
  )
}

export const BLOCKS: readonly string[] =
  'div p section ul li dl dd dt h1 h2 blockquote pre address article center'.split(' ')
export const ORDINARY: readonly string[] = 'span label x-y ruby rt rp rb rtc button dialog'.split(' ')
export const FORMATTING: readonly string[] = 'a b em font i nobr'.split(' ')
export const TABLE: readonly string[] = 'table tr td th tbody caption colgroup col'.split(' ')
export const FORM: readonly string[] = 'form option optgroup'.split(' ')
export const FOREIGN: readonly string[] = 'svg math g foreignObject mi title desc annotation-xml'.split(' ')
export const RAW_TEXT: readonly string[] = 'script style textarea iframe title xmp'.split(' ')
export const SCOPES: readonly string[] = 'object applet marquee'.split(' ')
export const TEMPLATE: readonly string[] = ['template']
export const VOID: readonly string[] = 'img br hr input meta image'.split(' ')
export const DOCUMENT: readonly string[] = 'html head body noscript'.split(' ')

const CLASSES: readonly string[] = [
  'robots-noindex',
  'robots-index',
  'robots-noindex robots-index',
  'x robots-nofollow',
  'robots-follow robots-noarchive',
  'robots-archive robots-anchortext',
  'robots-noanchortext',
]

type Token = (index: number) => string

/** Bits that are put together; each gets its place in the text, for names of its own. */
function joined(token: fc.Arbitrary<Token>, maxLength: number, start: string): fc.Arbitrary<string> {
  return fc
    .array(token, { maxLength })
    .map((tokens) => start + tokens.map((token, index) => token(index)).join(''))
}

/** Pages of these elements, opened and closed in any order. `speaking` are those that may carry classes. */
export function pagesOf(
  names: readonly string[],
  speaking: readonly string[] = names,
  maxLength = 14,
  start = '<!doctype html><body>',
): fc.Arbitrary<string> {
  const startTag = fc
    .tuple(fc.constantFrom(...names), fc.option(fc.constantFrom(...CLASSES), { freq: 2 }))
    .map(([name, classes]): Token => {
      const attribute = classes !== null && speaking.includes(name) ? ` class="${classes}"` : ''
      return (index) => `<${name} id=i${index}${attribute}>`
    })
  const endTag = fc.constantFrom(...names).map(
    (name): Token =>
      () =>
        `</${name}>`,
  )
  const word: Token = (index) => `w${index} `
  const filler = fc.constantFrom(' ', '\n', '<!-- c -->', '&amp;', '<').map(
    (text): Token =>
      () =>
        text,
  )
  return joined(
    fc.oneof(
      { weight: 5, arbitrary: startTag },
      { weight: 4, arbitrary: endTag },
      { weight: 5, arbitrary: fc.constant(word) },
      { weight: 1, arbitrary: filler },
    ),
    maxLength,
    start,
  )
}

const SHREDS: readonly string[] =
  `</p a="|">|"|'|<!--|-->|--!>|<script>|</script>|</script |<title>|</title>|<textarea>|</textarea>|<svg>|</svg>|<![CDATA[|]]>|<style>|</style>|</p>|</div>|<|<|img src=x>|>|/|=|&amp|&#60;|<?|<!|</| |x|<p |<div a='|<noscript>|</noscript>|<plaintext>|<xmp>|</xmp>|<b>|</b>|<table>|<td>|</table>|<template>|</template>|<math>|<mi>|\0|<iframe>|</iframe>|<a/|<desc>|<br/>|</br>`.split(
    '|',
  )

/** Whole tags among pieces of markup that open and close quotes, comments and scripts anywhere. */
export const SHREDDED: fc.Arbitrary<string> = joined(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('img', 'p', 'div', 'b', 'a', 'span').map(
        (name): Token =>
          (index) =>
            `<${name} id=i${index}>`,
      ),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom('p', 'div', 'b', 'span', 'title', 'svg', 'table', 'script'),
          fc.constantFrom(...CLASSES),
        )
        .map(
          ([name, classes]): Token =>
            (index) =>
              `<${name} id=i${index} class="${classes}">`,
        ),
    },
    {
      weight: 9,
      arbitrary: fc.constantFrom(...SHREDS).map(
        (text): Token =>
          () =>
            text,
      ),
    },
  ),
  20,
  '',
)
