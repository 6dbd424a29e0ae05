import { readFile, writeFile } from 'node:fs/promises'

const README: URL = new URL('./README.md', import.meta.url)

/** Puts what a question found in its place, between `<!-- name -->` and `<!-- /name -->`. */
export async function writeFinding(name: string, lines: readonly string[]): Promise<void> {
  const text = await readFile(README, 'utf8')
  const open = `<!-- ${name} -->`
  const close = `<!-- /${name} -->`
  const from = text.indexOf(open)
  const to = text.indexOf(close)
  if (from === -1 || to < from) throw new Error(`bench/README.md has no place for ${name}`)
  const before = text.slice(0, from + open.length)
  await writeFile(README, `${before}\n\n${lines.join('\n').trim()}\n\n${text.slice(to)}`)
}
