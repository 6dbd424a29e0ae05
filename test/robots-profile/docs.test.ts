import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fence, readPage } from '../docs/markdown.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = 'docs/robots-profile.md'
const page = readPage(PAGE, await readFile(join(ROOT, PAGE), 'utf8'))

/** Each example with what the page shows of its constants. */
const examples = page.fences.flatMap((code, index) => {
  if (code.language !== 'ts') return []
  const behind = page.fences.slice(index + 1)
  const next = behind.findIndex(({ language }) => language === 'ts')
  const shown = (next === -1 ? behind : behind.slice(0, next)).filter(({ meta }) => meta !== '')
  return [{ code, shown }]
})

let dir = ''

beforeAll(async () => {
  await mkdir(join(ROOT, 'coverage'), { recursive: true })
  dir = await mkdtemp(join(ROOT, 'coverage/profile-'))
})

afterAll(() => rm(dir, { recursive: true, force: true }))

describe('the examples of docs/robots-profile.md', () => {
  it('are there', () => {
    expect(examples.map(({ shown }) => shown.length)).toEqual([2, 3, 1])
  })

  it.each(examples.map((example) => [example.code.at, example] as const))(
    '%s gives what the page shows',
    async (_, { code, shown }) => {
      const constants = await run(code, shown)
      for (const { at, language, meta, text } of shown) {
        expect(constants[meta], at).toEqual(language === 'json' ? JSON.parse(text) : text)
      }
    },
  )
})

async function run(code: Fence, shown: readonly Fence[]): Promise<Readonly<Record<string, unknown>>> {
  const file = join(dir, `${code.line}.ts`)
  const source = code.text.replaceAll("'live-sitemap/robots-profile'", "'../../plugins/robots-profile.ts'")
  await writeFile(file, `${source}\nexport { ${shown.map(({ meta }) => meta).join(', ')} }\n`)
  return import(/* @vite-ignore */ file)
}
