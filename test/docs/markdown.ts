/** A fenced block of a page. */
export interface Fence {
  /** Page and line, for messages: `README.md:31`. */
  readonly at: string
  /** Line of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  /** What stands behind the language: `complete`, `GET /sitemap.xml`, or nothing. */
  readonly meta: string
  readonly text: string
}

/** A page of the documentation, taken apart. */
export interface Page {
  readonly name: string
  readonly fences: readonly Fence[]
  /** The page without its fenced blocks. */
  readonly prose: string
  /** Anchors of its headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>
}

export function readPage(name: string, markdown: string): Page {
  const fences: Fence[] = []
  const prose: string[] = []
  let open: { line: number; info: string; text: string[] } | undefined
  for (const [index, text] of markdown.split('\n').entries()) {
    if (open === undefined) {
      if (text.startsWith('```')) open = { line: index + 1, info: text.slice(3).trim(), text: [] }
      else prose.push(text)
    } else if (text === '```') {
      const [language = '', ...meta] = open.info.split(' ')
      const { line } = open
      fences.push({ at: `${name}:${line}`, line, language, meta: meta.join(' '), text: open.text.join('\n') })
      open = undefined
    } else {
      open.text.push(text)
    }
  }
  if (open !== undefined) throw new Error(`${name}:${open.line}: the fence is never closed`)
  return { name, fences, prose: prose.join('\n'), anchors: anchorsOf(prose) }
}

function anchorsOf(lines: readonly string[]): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const line of lines) {
    const heading = /^#{1,6} (.+)$/.exec(line)?.[1]
    if (heading === undefined) continue
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

/** Targets of the links in the prose. */
export function linksOf({ prose }: Page): string[] {
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** Rows of the first table behind a heading, cell by cell, without its head. */
export function tableBehind({ name, prose }: Page, heading: string): string[][] {
  const lines = prose.split('\n')
  const start = lines.indexOf(heading)
  if (start === -1) throw new Error(`${name} has no heading "${heading}"`)
  const first = lines.findIndex((line, i) => i > start && line.startsWith('|'))
  const rows: string[][] = []
  for (const line of lines.slice(first)) {
    if (!line.startsWith('|')) break
    rows.push(
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
  }
  return rows.slice(2)
}

/** The names in backticks of a cell. */
export function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}
