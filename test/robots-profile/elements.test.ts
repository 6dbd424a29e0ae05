import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Matter } from '../../src/robots-profile/classes.ts'
import { readPage } from '../../src/robots-profile/elements.ts'
import { BITS } from '../../src/robots-profile/speech.ts'
import {
  BLOCKS,
  DOCUMENT,
  FOREIGN,
  FORM,
  FORMATTING,
  ORDINARY,
  pagesOf,
  parsePage,
  RAW_TEXT,
  SCOPES,
  TABLE,
  TEMPLATE,
  VOID,
} from './pages.ts'

/** For each word of a page the matters that are restricted. */
function restrictions(html: string): Record<string, readonly string[]> {
  const words: Record<string, readonly string[]> = {}
  readPage(html, {
    text(parent, _start, _end, value) {
      for (const word of value.match(/w\d+/g) ?? [])
        words[word] = Object.keys(BITS).filter((matter) => ((parent?.no ?? 0) & BITS[matter as Matter]) !== 0)
    },
    placed() {},
    opened() {},
    closed() {},
    other() {},
    unfinished() {},
  })
  return words
}

function expectAsParsed(html: string): void {
  const parsed = [...parsePage(html).words].map(([word, { no }]) => [word, no])
  expect(restrictions(html)).toEqual(Object.fromEntries(parsed))
}

describe('which element a word stands in, as a browser reads it (SPEC H36)', () => {
  const no = 'class=robots-noindex'

  it.each([
    { name: 'end of p left out', html: `<p ${no}>w1<p>w2` },
    { name: 'p ended by a block', html: `<p ${no}>w1<div>w2</div>w3` },
    { name: 'p in a button', html: `<p ${no}>w1<button><div>w2</div></button>w3` },
    { name: 'p ended by a table', html: `<p ${no}>w1<table><td>w2</table>w3` },
    {
      name: 'p around a table, in quirks mode',
      html: `<body><p ${no}>w1<table><td>w2</table>w3`,
      quirks: true,
    },
    { name: 'end of li left out', html: `<ul><li ${no}>w1<ul><li>w2</ul>w3<li>w4</ul>w5` },
    { name: 'dt and dd', html: `<dl><dt ${no}>w1<dd>w2<dt>w3</dl>` },
    {
      name: 'option and optgroup',
      html: `<select><optgroup ${no}><option>w1<optgroup><option>w2<option ${no}>w3</select>w4`,
    },
    { name: 'rows and cells', html: `<table><tr ${no}><td>w1<td>w2<tr><td>w3<th ${no}>w4</table>w5` },
    {
      name: 'sections of a table',
      html: `<table><thead ${no}><tr><td>w1<tbody><tr><td>w2<tfoot><td>w3</table>`,
    },
    { name: 'rows without a tag', html: `<table><td ${no}>w1</tr><td>w2</tbody>w3</table>` },
    { name: 'text in a table goes before it', html: `<table ${no}>w1<tr>w2<td>w3</table>w4` },
    { name: 'a caption', html: `<table><caption ${no}>w1<tr><td>w2</table>` },
    { name: 'a form in a table holds nothing', html: `<table><form ${no}><tr><td>w1</form></table>` },
    {
      name: 'a form goes on behind its end tag in what is open',
      html: `<form ${no}><div>w1</form>w2</div>w3`,
    },
    { name: 'ruby', html: `<ruby>w1<rt ${no}>w2<rp>w3<rt>w4</ruby>w5` },
    { name: 'headings end each other', html: `<h1 ${no}>w1<h2>w2</h1>w3` },
    { name: 'formatting goes on in the next block', html: `<p><b ${no}>w1</p><p>w2</b>w3</p>w4` },
    { name: 'misnested formatting', html: `<b ${no}>w1<i>w2</b>w3</i>w4` },
    { name: 'formatting around a block that outlives it', html: `<b ${no}>w1<p>w2</b>w3</p>w4` },
    { name: 'a link ends a link', html: `<a ${no}>w1<a>w2</a>w3` },
    { name: 'formatting stays in its cell', html: `<table><td><b ${no}>w1<td>w2</table>w3` },
    { name: 'an end tag without a start', html: `<div ${no}>w1</span></p></section>w2</div>w3` },
    { name: 'a span ended by the block around it', html: `<div><span ${no}>w1</div>w2` },
    { name: 'void elements hold nothing', html: `<img ${no}>w1<br ${no}>w2<input ${no}>w3<image ${no}>w4` },
    { name: 'a slash ends no HTML', html: `<div ${no}/>w1</div>w2` },
    { name: 'a slash ends SVG', html: `<svg><g ${no}/>w1<g ${no}>w2</g>w3</svg>w4` },
    { name: 'HTML ends SVG', html: `<svg ${no}><g>w1<p>w2` },
    { name: 'HTML in SVG', html: `<svg><foreignObject ${no}><p>w1</svg>w2` },
    {
      name: 'HTML in MathML',
      html: `<math><annotation-xml encoding=text/html ${no}><p>w1</annotation-xml>w2</math>w3`,
    },
    { name: 'a title in SVG holds elements', html: `<svg><title><b ${no}>w1</b>w2</title></svg>` },
    { name: 'CDATA in SVG is text', html: `<svg ${no}><![CDATA[w1 <p> w2]]></svg>w3` },
    { name: 'CDATA in HTML is a comment up to the next >', html: `<![CDATA[<p ${no}>w1]]></p>w2` },
    { name: 'tags in a textarea are text', html: `<textarea ${no}>w1<p></textarea>w2` },
    { name: 'tags in a comment are none', html: `<!--<p ${no}>-->w1` },
    {
      name: 'a script inside a comment inside a script',
      html: `<script ${no}><!--<script>w1</script>w2--></script>w3`,
    },
    { name: 'a comment in a script that ends first', html: `<script ${no}><!-->w1</script>w2` },
    { name: 'a quoted > in an end tag', html: `<p ${no}>w1</p a=">w2">w3` },
    { name: 'a quoted > in a start tag', html: `<p a='>' ${no}>w1` },
    { name: 'the first of two classes', html: `<p ${no} class=robots-index>w1` },
    { name: 'a class with a character reference', html: '<p class="robots&#45;noindex">w1' },
    { name: 'a class in upper case is another one', html: '<p class=ROBOTS-NOINDEX>w1' },
    {
      name: 'the head ends where content begins',
      html: `<head ${no}><title>w1</title><p>w2`,
      start: '<!doctype html>',
    },
    {
      name: 'noscript in the head',
      html: `<head ${no}><noscript><img></noscript>w1`,
      start: '<!doctype html>',
    },
    {
      name: 'html and body',
      html: `<html class=robots-noarchive><body ${no}>w1</body>w2</html>w3`,
      start: '<!doctype html>',
    },
    { name: 'plaintext', html: `<plaintext ${no}>w1</plaintext>w2` },
  ])('$name', ({ html, start = '<!doctype html><body>', quirks = false }) => {
    expectAsParsed(quirks ? html : start + html)
  })

  const all = [...BLOCKS, ...ORDINARY, ...TABLE, ...FORM, ...FOREIGN, ...RAW_TEXT, ...SCOPES, ...VOID]

  it.each([
    { name: 'blocks', pages: pagesOf([...BLOCKS, ...ORDINARY, ...VOID]) },
    { name: 'tables', pages: pagesOf([...TABLE, ...BLOCKS, ...FORM]) },
    {
      name: 'formatting that speaks',
      pages: pagesOf([...FORMATTING, ...BLOCKS, ...VOID], FORMATTING.slice(0, 1)),
    },
    {
      name: 'blocks that speak in formatting',
      pages: pagesOf([...FORMATTING, ...BLOCKS, ...TABLE, ...SCOPES], BLOCKS),
    },
    { name: 'foreign content', pages: pagesOf([...FOREIGN, ...BLOCKS, ...TABLE]) },
    { name: 'raw text', pages: pagesOf([...RAW_TEXT, ...BLOCKS, ...DOCUMENT], [...RAW_TEXT, ...BLOCKS]) },
    { name: 'templates', pages: pagesOf([...TEMPLATE, ...BLOCKS, ...ORDINARY, ...SCOPES]) },
    { name: 'everything', pages: pagesOf(all, all, 50) },
    {
      name: 'pages without a body tag',
      pages: pagesOf([...BLOCKS, ...RAW_TEXT, ...VOID], BLOCKS, 14, '<!doctype html>'),
    },
    { name: 'pages in quirks mode', pages: pagesOf([...BLOCKS, ...TABLE], BLOCKS, 14, '<html>') },
  ])('any page: $name', ({ pages }) => {
    fc.assert(fc.property(pages, expectAsParsed), { numRuns: 1_500 })
  })
})

describe('pieces of a table', () => {
  it.each([
    { name: 'cells', html: '<td class=robots-noindex>w1<td>w2', words: { w1: ['index'], w2: [] } },
    { name: 'rows', html: '<tr class=robots-noindex><td>w1<tr><td>w2', words: { w1: ['index'], w2: [] } },
    { name: 'not behind other content', html: '<div><td class=robots-noindex>w1</div>', words: { w1: [] } },
  ])('$name', ({ html, words }) => {
    expect(restrictions(html)).toEqual(words)
  })
})
