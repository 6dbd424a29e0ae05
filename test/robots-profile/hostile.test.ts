import { describe, expect, it } from 'vitest'
import { applyRobotsProfile } from '../../src/robots-profile/apply.ts'
import { readPage } from '../../src/robots-profile/elements.ts'

const SIZE = 2_000_000
const OUT = 'class=robots-noindex'
const IN = 'class=robots-index'

/** `make(0)`, `make(1)`, … up to a size. */
function many(size: number, make: (index: number) => string): string {
  const parts: string[] = []
  for (let length = 0, index = 0; length < size; index++) {
    const part = make(index)
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

const repeated = (text: string) => (size: number) => many(size, () => text)

// What would cost the square of its length if something were looked up in, or done again for, all that is open.
const HOSTILE: readonly { readonly name: string; readonly make: (size: number) => string }[] = [
  { name: 'elements in each other', make: repeated('<div>') },
  { name: 'parts and carve-outs in each other', make: repeated(`<div ${OUT}>a<div ${IN}>b`) },
  {
    name: 'elements that end where none began',
    make: (size) => many(size / 2, () => '<a>') + many(size / 2, () => '</b>'),
  },
  {
    name: 'formatting ended from outside',
    make: (size) => many(size / 2, (i) => `<b a${i}><span><div>`) + many(size / 2, () => '</b>'),
  },
  { name: 'formatting that goes on in every paragraph', make: (size) => many(size, (i) => `<p><b a${i}>`) },
  {
    name: 'parts that go on in every paragraph',
    make: (size) => many(size / 4, (i) => `<b ${OUT} a${i}>`) + many(size, () => `<p ${IN}>x`),
  },
  { name: 'paragraphs that cannot end', make: (size) => `<p><button>${many(size, () => '<div>')}` },
  { name: 'tables in each other', make: repeated('<table><tr><td>') },
  { name: 'text moved before tables', make: repeated('<table>x<b>') },
  {
    name: 'SVG without an end',
    make: (size) => `<svg>${many(size / 2, () => '<g>')}${many(size / 2, () => '</b>')}`,
  },
  { name: 'names that are all different', make: (size) => many(size, (i) => `<x${i}>`) },
  { name: 'attributes without an end', make: repeated('<p a="') },
  { name: 'end tags with attributes', make: repeated('</p a=">">') },
  { name: 'end tags without an end', make: repeated('</p a="') },
  { name: 'scripts with comments', make: repeated('<script><!--<script>') },
  { name: 'many short scripts with comments', make: repeated('<script><!----></script>') },
  { name: 'CDATA without an end', make: repeated('<![CDATA[') },
  { name: 'a megabyte of <', make: repeated('<') },
  { name: 'half references', make: repeated('&am') },
  { name: 'runs between carve-outs', make: (size) => `<div ${OUT}>${many(size, () => `a<i ${IN}>b</i> `)}` },
  { name: 'directives', make: (size) => `<meta name=robots content="${many(size, () => 'a: ')}">` },
  { name: 'links in links', make: repeated(`<a ${OUT} href=x><p>y`) },
]

describe('hostile input', () => {
  it.each(HOSTILE)('2 MB are worked off: $name', ({ make }) => {
    const html = `${make(SIZE)}<!--robots-->`
    expect(applyRobotsProfile(html, { for: 'snippet', profile: true })).toBeTypeOf('string')
  })

  it.each(HOSTILE)('four times as long takes four times the steps: $name', ({ make }) => {
    const short = stepsOf(make(20_000))
    expect(stepsOf(make(80_000))).toBeLessThan(4.5 * short + 100)
  })
})

/** Everything that is told of a page, the copies of formatting included. */
function stepsOf(html: string): number {
  let steps = 0
  const step = () => {
    steps++
  }
  readPage(html, {
    placed: step,
    opened: (_element, _tag, ended) => {
      steps += 1 + ended.length
    },
    closed: (_element, _start, _end, ended) => {
      steps += 1 + ended.length
    },
    text: step,
    other: step,
    unfinished: step,
  })
  return steps
}
