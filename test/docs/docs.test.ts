import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Cms, startCms } from '../../example-app/cms.ts'
import { openDatabase } from '../../example-app/database.ts'
import { systemClock } from '../../src/clock.ts'
import { CODES } from '../../src/errors.ts'
import { type ResolvedOptions, resolveOptions } from '../../src/index.ts'
import { type Example, openWorkshop, ROOT, run, type Workshop } from './examples.ts'
import { linksOf, namesIn, type Page, readPage, tableBehind } from './markdown.ts'

const NAMES = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const pages: readonly Page[] = NAMES.map((name) => readPage(name, readFileSync(join(ROOT, name), 'utf8')))

function pageOf(name: string): Page {
  const page = pages.find((one) => one.name === name)
  if (page === undefined) throw new Error(`there is no page ${name}`)
  return page
}

const FIVE = ['/sitemap.xml', '/sitemap_index.xml', '/feed.rss', '/sitemap.html', '/sitemap.txt']

/** The instant of the outputs: articles in them are news, and nothing in them is still to come. */
const WRITTEN_MS = Date.UTC(2026, 4, 5, 12)

/** Examples by host serve this one; for all others Host means nothing. */
const HEADERS = { host: 'www.example.com' }

/** Made at once, so that each example is a test of its own. */
const workshop: Workshop = await openWorkshop(pages, { 'entry-fields.ts': entryFieldsSource() })
let cms: Cms
const apps = new Set<FastifyInstance>()

beforeAll(async () => {
  cms = await startCms()
  const shop = join(workshop.dir, 'shop')
  mkdirSync(shop)
  openDatabase(shop).close()
  vi.stubEnv('CMS_URL', cms.url)
  vi.stubEnv('SHOP_DB', join(shop, 'shop.db'))
  // Examples print what a reader would like to see.
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const sinceMs = WRITTEN_MS - Date.now()
  vi.spyOn(systemClock, 'now').mockImplementation(() => Date.now() + sinceMs)
})

afterEach(async () => {
  await Promise.all([...apps].map((app) => app.close()))
  apps.clear()
})

afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await cms.close()
  await workshop.close()
})

describe('the code of the pages', () => {
  it('compiles, fragments too', async () => {
    expect(await workshop.compile()).toEqual([])
  })

  it.each(workshop.examples.map((example) => [example.fence.at, example] as const))(
    '%s runs and serves the five documents',
    async (_at, example) => {
      const app = await run(example)
      apps.add(app)
      await app.ready()
      for (const path of FIVE) {
        const { statusCode, body } = await app.inject({ url: path, headers: HEADERS })
        expect({ path, statusCode }).toEqual({ path, statusCode: 200 })
        expect(body).toContain('https://www.example.com')
      }
      await expectOutputs(app, example)
    },
  )

  it('is there to be run on each page that shows how', () => {
    const complete = new Set(workshop.examples.map(({ fence }) => fence.at.split(':')[0]))
    expect([...complete].sort()).toEqual([
      'README.md',
      'docs/fastify.md',
      'docs/feeds.md',
      'docs/formats.md',
      'docs/html.md',
      'docs/languages.md',
      'docs/large-tables.md',
      'docs/news-and-video.md',
      'docs/providers.md',
      'docs/robots-and-llms.md',
      'docs/several-instances.md',
      'docs/sites.md',
    ])
  })
})

/** What the page says an example answers is what it answers. */
async function expectOutputs(app: FastifyInstance, { outputs }: Example): Promise<void> {
  for (const { at, meta, text } of outputs) {
    const [kind, what = ''] = meta.split(' ')
    if (kind === 'GET') {
      const { body } = await app.inject({ url: what, headers: HEADERS })
      expect(body, at).toContain(text)
    } else if (kind === 'HEAD') {
      const { headers } = await app.inject({ method: 'HEAD', url: what, headers: HEADERS })
      expect(
        Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
        at,
      ).toEqual(expect.arrayContaining(text.split('\n')))
    } else if (kind === 'LINKS') {
      expect(app.sitemap.links(), at).toContain(text)
    } else if (kind === 'REPORT') {
      let reported: unknown = app.sitemap.report().sections
      for (const name of what.split('.')) reported = (reported as Record<string, unknown>)[name]
      expect(reported, at).toEqual(JSON.parse(text))
    } else {
      throw new Error(`${at}: "${meta}" is no output that this test knows`)
    }
  }
}

describe('links', () => {
  it.each(pages.map((page) => [page.name, page] as const))('of %s lead somewhere', (name, page) => {
    const broken = linksOf(page).filter((target) => {
      if (/^[a-z]+:/i.test(target)) return false
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? name : relative(ROOT, resolve(ROOT, dirname(name), file))
      if (!existsSync(join(ROOT, path))) return true
      return anchor !== undefined && !pages.some((one) => one.name === path && one.anchors.has(anchor))
    })
    expect(broken).toEqual([])
  })

  it('reach every page from the README', () => {
    const linked = linksOf(pageOf('README.md')).map((target) => target.split('#')[0])
    expect(NAMES.filter((name) => name !== 'README.md' && !linked.includes(name))).toEqual([])
  })
})

const MINIMAL = { site: { url: 'https://www.example.com' }, providers: { pages: ['/'] } }

/** Options that are objects of options. */
const OBJECTS = ['site', 'routes', 'cache', 'feed', 'html', 'news', 'i18n', 'robots', 'llms'] as const

describe('the options of the README', () => {
  const rows = () => tableBehind(pageOf('README.md'), '## Options')

  it('are all there are, and no others', () => {
    const accepted = keysOf(MINIMAL, []).flatMap((key) =>
      OBJECTS.some((name) => name === key) ? keysOf(MINIMAL, [key]).map((inner) => `${key}.${inner}`) : [key],
    )
    expect(namesOf(rows())).toEqual(accepted.sort())
  })

  it('have the defaults that the table says', () => {
    const plain = comparable(resolveOptions(MINIMAL))
    let compared = 0
    for (const [name = '', , cell = ''] of rows()) {
      const literal = /^`([^`]+)`$/.exec(cell)?.[1]
      // The other defaults are said in words.
      if (literal === undefined) continue
      compared++
      for (const option of namesIn(name)) {
        const value: unknown = JSON.parse(literal.replaceAll("'", '"'))
        const resolved = comparable(resolveOptions(withOption(MINIMAL, option.split('.'), value)))
        expect(resolved, option).toEqual(plain)
      }
    }
    expect(compared).toBeGreaterThan(25)
  })
})

/** The keys that an object of options may have, as the message about an unknown one lists them. */
function keysOf(options: object, path: readonly string[]): string[] {
  let message = ''
  try {
    resolveOptions(withOption(options, [...path, 'zzzzzzzzzzzz'], 1))
  } catch (error) {
    message = error instanceof Error ? error.message : ''
  }
  const list = /Known here are ([^.]+)\./.exec(message)?.[1]
  if (list === undefined) throw new Error(`no list of keys in: ${message}`)
  return list.split(', ')
}

/** A copy with one option set, however deep. */
function withOption(options: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const fields = options as Readonly<Record<string, unknown>>
  const inner = fields[key]
  return {
    ...fields,
    [key]:
      rest.length === 0 ? value : withOption(typeof inner === 'object' && inner ? inner : {}, rest, value),
  }
}

/** Without the copy of what the user wrote. */
function comparable(resolved: ResolvedOptions): object {
  return { ...resolved, site: { ...resolved.site, given: undefined } }
}

describe('the tables of the pages', () => {
  it('name the settings of a provider', () => {
    const rows = tableBehind(pageOf('docs/providers.md'), '## Settings of a provider')
    const accepted = keysOf({ ...MINIMAL, providers: { pages: { entries: ['/'] } } }, ['providers', 'pages'])
    expect(namesOf(rows)).toEqual(accepted.sort())
  })

  it('name what report() holds', async () => {
    const example = workshop.examples.find(({ fence }) => fence.at.startsWith('docs/providers.md'))
    if (example === undefined) throw new Error('docs/providers.md has no complete example')
    const app = await run(example)
    apps.add(app)
    await app.sitemap.ready()
    const [fields, perSection] = ['### Of the whole', '### Of a section'].map((heading) =>
      namesOf(tableBehind(pageOf('docs/caching.md'), heading)),
    )
    const report = app.sitemap.report()
    const [section] = Object.values(report.sections)
    expect(fields).toEqual(leavesOf({ ...report, sections: {} }))
    // A section that is well has no error, and one that is read whole no partitions.
    const sometimes = ['lastError', 'partitions']
    expect(perSection).toEqual([...leavesOf({ ...section, skipped: {} }), ...sometimes].sort())
  })

  it('name the methods of the handle, and the paths, as the README example has them', async () => {
    const example = workshop.examples.find(({ fence }) => fence.at.startsWith('README.md'))
    if (example === undefined) throw new Error('the README has no complete example')
    const app = await run(example)
    apps.add(app)
    const methods = namesOf(tableBehind(pageOf('README.md'), '## The handle'))
    expect(methods.map((name) => name.split('(')[0])).toEqual(Object.keys(app.sitemap).sort())

    const paths = tableBehind(pageOf('README.md'), '## What it serves').flatMap(([name = '']) =>
      namesIn(name),
    )
    expect(paths).toEqual(expect.arrayContaining(FIVE))
  })

  it('name codes that exist', () => {
    const named = pages.flatMap(({ prose }) => prose.match(/LSM_[A-Z]+_[A-Z_]+/g) ?? [])
    expect([...new Set(named)].filter((code) => !Object.hasOwn(CODES, code))).toEqual([])
  })
})

/** Names of the fields of an object, those of the objects in it with a dot: `memory.used`. Sorted. */
function leavesOf(value: object): string[] {
  const names = Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const own = typeof inner === 'object' && inner !== null ? leavesOf(inner) : []
    return own.length === 0 ? [name] : own.map((leaf) => `${name}.${leaf}`)
  })
  return names.sort()
}

/** The names in the first column, sorted. */
function namesOf(rows: readonly (readonly string[])[]): string[] {
  return rows.flatMap(([name = '']) => namesIn(name)).sort()
}

/** Code that compiles where the table of entry fields has all fields of the type, and no others. */
function entryFieldsSource(): string {
  const rows = tableBehind(pageOf('docs/providers.md'), '## Entry fields')
  const documented = [...namesOf(rows), 'url']
  return `import type { EntryObject } from 'live-sitemap'
type Own = { [K in keyof EntryObject]-?: [NonNullable<EntryObject[K]>] extends [never] ? never : K }[keyof EntryObject]
type Documented = ${documented.map((name) => `'${name}'`).join(' | ')}
type None<T> = [T] extends [never] ? true : T
export const missing: None<Exclude<Own, Documented>> = true
export const unknown: None<Exclude<Documented, Own>> = true
`
}
