import { beforeAll, describe, expect, it } from 'vitest'
import { fetchRaw } from '../support/site.ts'
import { checkFiles } from './support/nu-checker.ts'
import { findJava, isWithout, NO_JAVA } from './support/programs.ts'
import { closeAll, serveAll } from './support/server.ts'
import { hostileSite, PAGES, SITES } from './support/sites.ts'

const java = findJava()

/** What it says of the one attribute that SPEC H31 asks for and HTML calls obsolete (H32). */
const PROFILE = /^warning: The “profile” attribute on the “head” element is obsolete\./
/** Texts of the user's stand as he wrote them: normalizing would change how names in Japanese look. */
const NOT_NORMALIZED = /^warning: Text run is not in Unicode Normalization Form C\. Should instead be “Café/

const STYLESHEETS = ['/sitemap-html.css', '/sitemap.css']

describe.skipIf(isWithout(java, `Nu HTML checker: ${NO_JAVA}`))('Nu HTML checker', () => {
  let messages: ReadonlyMap<string, readonly string[]>
  const texts = new Map<string, string>()

  beforeAll(async () => {
    const servers = await serveAll(SITES)
    const baseOf = (site: (typeof SITES)[number]) => servers.get(site)?.base ?? ''
    const read = async (name: string, url: string): Promise<void> => {
      const { status, text } = await fetchRaw(url)
      if (status !== 200) throw new Error(`${name}: ${url} answered ${status}`)
      texts.set(name, text)
    }
    try {
      for (const { name, site, path } of PAGES) await read(name, baseOf(site) + path)
      for (const path of STYLESHEETS) await read(path, baseOf(hostileSite) + path)
    } finally {
      await closeAll(servers)
    }
    const files = Array.from(texts, ([name, text]) => ({ name, text }))
    messages = await checkFiles(java ?? '', [
      ...files,
      { name: 'faulty.html', text: '<!doctype html><title>x</title><p><li>' },
      { name: 'faulty.css', text: 'a { color: ; colr: red }' },
    ])
  }, 120_000)

  it.each(PAGES)('$name: no error, no warning, no advice', ({ name, site }) => {
    const isProfiled = texts.get(name)?.includes('<head profile=')
    const said = messages.get(name) ?? ['not checked']
    const rest = said.filter((line) => !(site === hostileSite && NOT_NORMALIZED.test(line)))
    expect(rest).toEqual(isProfiled ? [expect.stringMatching(PROFILE)] : [])
  })

  it.each(STYLESHEETS)('%s: no error, no warning', (path) => {
    expect(messages.get(path)).toEqual([])
  })

  it.each(['faulty.html', 'faulty.css'])('finds faults where there are some: %s', (name) => {
    expect(messages.get(name)?.filter((line) => line.startsWith('error'))).not.toEqual([])
  })

  it('classes stand on pages that name their profile, and on no others (SPEC H31)', () => {
    const isProfiled = (text: string) =>
      text.includes('<head profile="https://www.example.com/robots-profile#">')
    const carrying = [...texts].filter(([, text]) => text.includes('class="robots-'))
    expect(carrying.length).toBeGreaterThan(5)
    expect(carrying.filter(([, text]) => !isProfiled(text)).map(([name]) => name)).toEqual([])
    expect(isProfiled(texts.get('small site: start') ?? '')).toBe(false)
  })
})
