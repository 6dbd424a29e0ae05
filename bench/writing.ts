/**
 * Designs of the entry writer, against byte joining: from entries with final values to the buffers of blocks. What the
 * walk does beside it (checks, fingerprints, digests, compression) is not in here; `render` has it all.
 */
import { joinStrings, ORIGIN, plainRows } from './entries.ts'
import { readFlags } from './flags.ts'
import {
  type Candidate,
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  milliseconds,
  percent,
  ratio,
  table,
  timed,
  whole,
} from './measure.ts'

/** What a plain entry is when it was checked: its other fields are empty, which every design asks in the same way. */
interface Checked {
  readonly locXml: string
  readonly lastmod: string | undefined
}

const COUNT = 50_000
const ENTRIES_PER_BLOCK = 1_000
const rows = plainRows(COUNT)

/** The loc is joined anew for every entry, as in the walk: it is never flat. */
function* entries(): Generator<Checked> {
  for (const { loc, lastmod } of rows) yield { locXml: ORIGIN + loc, lastmod }
}

function lineOf({ locXml, lastmod }: Checked): string {
  let xml = `<url><loc>${locXml}</loc>`
  if (lastmod !== undefined) xml += `<lastmod>${lastmod}</lastmod>`
  return `${xml}</url>\n`
}

/** Each gives the blocks of all entries. */
type Design = () => Buffer[]

/** A block's lines in one growing text, of which V8 makes a tree; made flat and encoded when the block is closed. */
function rope(encoding: 'utf8' | 'latin1'): Design {
  return () => {
    const blocks: Buffer[] = []
    let text = ''
    let count = 0
    for (const entry of entries()) {
      text += lineOf(entry)
      if (++count % ENTRIES_PER_BLOCK === 0) {
        blocks.push(Buffer.from(text, encoding))
        text = ''
      }
    }
    return blocks
  }
}

function list(encoding: 'utf8' | 'latin1'): Design {
  return () => {
    const blocks: Buffer[] = []
    let lines: string[] = []
    for (const entry of entries()) {
      if (lines.push(lineOf(entry)) === ENTRIES_PER_BLOCK) {
        blocks.push(Buffer.from(lines.join(''), encoding))
        lines = []
      }
    }
    return blocks
  }
}

/** The fragments of all lines in one list, joined without a line ever being made. */
const fragments: Design = () => {
  const blocks: Buffer[] = []
  let parts: string[] = []
  let count = 0
  for (const { locXml, lastmod } of entries()) {
    parts.push('<url><loc>', locXml, '</loc>')
    if (lastmod !== undefined) parts.push('<lastmod>', lastmod, '</lastmod>')
    parts.push('</url>\n')
    if (++count % ENTRIES_PER_BLOCK === 0) {
      blocks.push(Buffer.from(parts.join(''), 'latin1'))
      parts = []
    }
  }
  return blocks
}

const ROOM = 1_048_576

/** One buffer for all blocks, each line written into it by a call into the runtime; a block is copied out of it. */
function writtenBy(write: (line: string, into: Buffer, at: number) => number): Design {
  const into = Buffer.allocUnsafeSlow(ROOM)
  return () => {
    const blocks: Buffer[] = []
    let at = 0
    let count = 0
    for (const entry of entries()) {
      at += write(lineOf(entry), into, at)
      if (++count % ENTRIES_PER_BLOCK === 0) {
        blocks.push(Buffer.from(into.subarray(0, at)))
        at = 0
      }
    }
    return blocks
  }
}

const encoder = new TextEncoder()

/** Prepared fragments as bytes, texts copied character by character; no line is made. */
const byteByByte: Design = () => {
  const blocks: Buffer[] = []
  let at = 0
  let count = 0
  for (const { locXml, lastmod } of entries()) {
    at = copyBytes(OPEN_LOC, at)
    at = copyText(locXml, at)
    at = copyBytes(CLOSE_LOC, at)
    if (lastmod !== undefined) {
      at = copyBytes(OPEN_LASTMOD, at)
      at = copyText(lastmod, at)
      at = copyBytes(CLOSE_LASTMOD, at)
    }
    at = copyBytes(CLOSE_URL, at)
    if (++count % ENTRIES_PER_BLOCK === 0) {
      blocks.push(Buffer.from(bytes.subarray(0, at)))
      at = 0
    }
  }
  return blocks
}

const bytes: Buffer = Buffer.allocUnsafeSlow(ROOM)
const OPEN_LOC: Uint8Array = encoder.encode('<url><loc>')
const CLOSE_LOC: Uint8Array = encoder.encode('</loc>')
const OPEN_LASTMOD: Uint8Array = encoder.encode('<lastmod>')
const CLOSE_LASTMOD: Uint8Array = encoder.encode('</lastmod>')
const CLOSE_URL: Uint8Array = encoder.encode('</url>\n')

function copyBytes(fragment: Uint8Array, from: number): number {
  for (let i = 0; i < fragment.length; i++) bytes[from + i] = fragment[i] as number
  return from + fragment.length
}

function copyText(text: string, from: number): number {
  for (let i = 0; i < text.length; i++) bytes[from + i] = text.charCodeAt(i)
  return from + text.length
}

const DESIGNS: Readonly<Record<string, Design>> = {
  'a text that grows, encoded as UTF-8': rope('utf8'),
  'a text that grows, encoded as Latin-1': rope('latin1'),
  'lines in a list, joined, UTF-8': list('utf8'),
  'lines in a list, joined, Latin-1': list('latin1'),
  'fragments in a list, joined, Latin-1': fragments,
  'each line by `buffer.write`, Latin-1': writtenBy((line, into, at) => into.write(line, at, 'latin1')),
  'each line by `TextEncoder.encodeInto`': writtenBy(
    (line, into, at) => encoder.encodeInto(line, into.subarray(at)).written,
  ),
  'byte by byte, fragments prepared': byteByByte,
}

/** The table of what was tried. */
export async function benchWriting(flags: readonly string[]): Promise<Finding> {
  const given = readFlags(flags, ['rounds'])
  const rounds = given.number('rounds', given.quick ? 7 : 41)
  const limit = joinStrings(rows)
  for (const [name, make] of Object.entries(DESIGNS)) {
    const made = Buffer.concat(make())
    if (!limit.includes(made) || made.length < limit.length - 200)
      throw new Error(`${name} writes other bytes: nothing to compare`)
  }
  const join = (): unknown => joinStrings(rows)
  const candidates: Candidate[] = [
    { name: 'byte joining', once: () => timed(join) },
    ...Object.entries(DESIGNS).map(([name, make]) => ({ name, once: () => timed(make) })),
    { name: 'byte joining again (control)', once: () => timed(join) },
  ]
  const all = await measureInTurn(candidates, rounds, 5)
  const base = all[0] as Measured
  return {
    valid: controlHolds(all.at(-1) as Measured, base),
    lines: [
      `### The entry writer: ${whole(COUNT)} plain entries in blocks of ${whole(ENTRIES_PER_BLOCK)}, ${rounds} rounds`,
      '',
      ...table(
        ['design', 'median', 'spread', 'against joining'],
        all.map((measured) => [
          measured.name,
          milliseconds(measured.median),
          percent(measured.spread),
          ratio(measured, base),
        ]),
      ),
    ],
  }
}
