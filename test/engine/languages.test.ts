import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Entry } from '../../src/index.ts'
import {
  closeEngines,
  codeOf,
  createTestEngine,
  locsOf,
  pathsOf,
  SITE,
  type TestOptions,
} from '../support/site.ts'
import { urlsetErrors } from '../support/xsd.ts'

afterEach(closeEngines)

const IDENTITY = { 'accept-encoding': 'identity' }

/** For each path of a urlset its alternates, `hreflang path`. */
function alternatesOf(xml: string): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const line of xml.split('\n')) {
    const [loc] = pathsOf(line)
    if (loc === undefined) continue
    found[loc] = [...line.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map(
      ([, lang, href = '']) => `${lang} ${href.replace(SITE.url, '')}`,
    )
  }
  return found
}

async function urlset(entries: readonly Entry[], options: Partial<TestOptions> = {}) {
  const site = createTestEngine({ ...options, providers: { posts: () => entries } })
  const { text } = await site.warm()
  return { text, alternates: alternatesOf(text), site }
}

describe('groups (SPEC E71)', () => {
  it("makes the entries of one group each other's alternates, themselves included, wherever they stand", async () => {
    const { alternates, text } = await urlset([
      '/plain',
      { loc: '/en/a', lang: 'en', group: 1 },
      { loc: '/en/b', lang: 'en', group: 'b' },
      '/between',
      { loc: '/fr/a', lang: 'fr', group: 1 },
      { loc: '/de/a', lang: 'de', group: '1' },
      { loc: '/fr/c', lang: 'fr', group: 'alone' },
    ])
    const ofA = ['en /en/a', 'fr /fr/a', 'de /de/a']
    expect(alternates).toEqual({
      '/plain': [],
      '/en/a': ofA,
      '/en/b': [],
      '/between': [],
      '/fr/a': ofA,
      '/de/a': ofA,
      '/fr/c': [],
    })
    expect(Object.keys(alternates)).toEqual([
      '/plain',
      '/en/a',
      '/en/b',
      '/between',
      '/fr/a',
      '/de/a',
      '/fr/c',
    ])
    expect(urlsetErrors(text)).toEqual([])
  })

  it('keeps what an entry names itself, and reports a language that stands twice or is missing', async () => {
    const { alternates, site } = await urlset([
      { loc: '/en/a', lang: 'en', group: 'a', alternates: { ja: 'https://example.jp/a', en: '/en/a' } },
      { loc: '/fr/a', lang: 'fr', group: 'a' },
      { loc: '/fr/a2', lang: 'fr', group: 'a' },
      { loc: '/nolang', group: 'a' },
    ])
    expect(alternates['/en/a']).toEqual(['ja https://example.jp/a', 'en /en/a', 'fr /fr/a'])
    expect(alternates['/fr/a']).toEqual(['en /en/a', 'fr /fr/a'])
    expect(alternates['/fr/a2']).toEqual([])
    expect(alternates['/nolang']).toEqual([])
    const { reasons } = site.handle.report().sections.posts?.skipped ?? { reasons: {} }
    expect(reasons).toMatchObject({ 'lang stands twice in its group': 1, 'group without lang': 1 })
  })

  it('works within a section, and the default of the provider is a language', async () => {
    const site = createTestEngine({
      providers: {
        en: { entries: [{ loc: '/en/a', group: 'a' }], lang: 'en' },
        both: [
          { loc: '/x/a', group: 'a', lang: 'en' },
          { loc: '/y/a', group: 'a', lang: 'fr' },
        ],
      },
    })
    expect(alternatesOf((await site.warm()).text)).toMatchObject({
      '/en/a': [],
      '/x/a': ['en /x/a', 'fr /y/a'],
      '/y/a': ['en /x/a', 'fr /y/a'],
    })
  })

  it('past maxGrouped the walk fails by name and says the ways out', async () => {
    const site = createTestEngine({
      i18n: { maxGrouped: 3 },
      providers: { posts: () => [1, 2, 3, 4].map((n) => ({ loc: `/${n}`, lang: 'en', group: n })) },
    })
    expect(await codeOf(site.handle.refresh('posts'))).toBe('LSM_ERR_GROUP_LIMIT')
    expect(site.lines.map(({ message }) => message).join()).toMatch(/adjacent.*maxGrouped/)
  })

  it("groups: 'adjacent' has no bound, and needs no second reading", async () => {
    const entries = Array.from({ length: 600 }, (_, i) => ({
      loc: `/${i % 3}/${Math.floor(i / 3)}`,
      lang: ['en', 'fr', 'de'][i % 3] ?? 'en',
      group: Math.floor(i / 3),
    }))
    const site = createTestEngine({
      i18n: { maxGrouped: 3 },
      providers: { posts: { entries: () => ['/first', ...entries, '/last'], groups: 'adjacent' } },
    })
    const { text } = await site.warm()
    expect(pathsOf(text)).toEqual(['/first', ...entries.map(({ loc }) => loc), '/last'])
    expect(alternatesOf(text)['/1/199']).toEqual(['en /0/199', 'fr /1/199', 'de /2/199'])
  })

  it('many entries, in small memory: the order stays, nothing is lost, nothing held afterwards', async () => {
    const entries = Array.from({ length: 12_000 }, (_, i) => ({
      loc: `/${i % 2 === 0 ? 'en' : 'fr'}/${'x'.repeat(60)}${i}`,
      lang: i % 2 === 0 ? 'en' : 'fr',
      group: i % 6_000,
      title: `Title ${i}`,
    }))
    const site = createTestEngine({
      cache: { memory: '2mb' },
      providers: { posts: () => entries },
    })
    const { text } = await site.warm('/sitemap-posts-1.xml')
    expect(pathsOf(text)).toEqual(entries.map(({ loc }) => loc))
    const { used, limit } = site.handle.report().memory
    expect(used).toBeLessThanOrEqual(limit)
  })

  it('property: alternates are symmetric and hold the entry itself', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ group: fc.integer({ min: 0, max: 5 }), lang: fc.constantFrom('en', 'fr', 'de', 'es') }),
          {
            maxLength: 40,
          },
        ),
        async (rows) => {
          const entries = rows.map(({ group, lang }, i) => ({ loc: `/${i}`, group, lang }))
          const { alternates } = await urlset(['/root', ...entries])
          await closeEngines()
          for (const [loc, list] of Object.entries(alternates)) {
            const paths = list.map((text) => text.split(' ')[1] ?? '')
            if (list.length > 0) expect(paths).toContain(loc)
            for (const path of paths) expect(alternates[path]).toEqual(list)
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('x-default (SPEC E74)', () => {
  it('is the version in the language of i18n.xDefault, where the entry names none itself', async () => {
    const { alternates } = await urlset(
      [
        { loc: '/en', lang: 'en', group: 1 },
        { loc: '/fr', lang: 'fr', group: 1 },
        { loc: '/own', alternates: { en: '/own', 'x-default': '/start' } },
        { loc: '/de', alternates: { de: '/de', at: '/at' } },
      ],
      { i18n: { xDefault: 'en' } },
    )
    expect(alternates['/fr']).toEqual(['en /en', 'fr /fr', 'x-default /en'])
    expect(alternates['/own']).toEqual(['en /own', 'x-default /start'])
    expect(alternates['/de']).not.toContain('x-default /en')
  })
})

describe('versions that do not name each other (SPEC E72)', () => {
  const ONE_SIDED = 'alternates name a page of the section that does not name it back (SPEC E72)'

  it.each([
    {
      name: 'both name both',
      entries: [
        { loc: '/en', alternates: { en: '/en', fr: '/fr' } },
        { loc: '/fr', alternates: { en: '/en', fr: '/fr' } },
      ],
      found: undefined,
    },
    {
      name: 'a subset that names its partner back',
      entries: [
        { loc: '/en', alternates: { en: '/en', fr: '/fr', de: '/de' } },
        { loc: '/fr', alternates: { en: '/en', fr: '/fr' } },
        { loc: '/de', alternates: { en: '/en', de: '/de' } },
      ],
      found: undefined,
    },
    {
      name: 'one of them names nobody',
      entries: [{ loc: '/en', alternates: { en: '/en', fr: '/fr' } }, '/fr'],
      found: 1,
    },
    {
      name: 'one of them names another',
      entries: [
        { loc: '/en', alternates: { en: '/en', fr: '/fr' } },
        { loc: '/fr', alternates: { fr: '/fr', de: '/de' } },
        { loc: '/de', alternates: { fr: '/fr', de: '/de' } },
      ],
      found: 1,
    },
    {
      name: 'other hosts and pages that are not in the section say nothing',
      entries: [{ loc: '/en', alternates: { en: '/en', fr: 'https://example.fr/', de: '/elsewhere' } }],
      found: undefined,
    },
  ])('$name → $found', async ({ entries, found }) => {
    const { site } = await urlset(entries as Entry[])
    expect(site.handle.report().sections.posts?.skipped.reasons[ONE_SIDED]).toBe(found)
  })

  it('is a note: it fails no walk where onInvalid is fail', async () => {
    const { site } = await urlset([{ loc: '/en', alternates: { en: '/en', fr: '/fr' } }, '/fr'], {
      onInvalid: 'fail',
    })
    expect(site.handle.report().sections.posts?.state).toBe('fresh')
  })
})

describe('i18n.locales (DESIGN 3, paths)', () => {
  const i18n = { locales: ['en', 'fr', 'pt-BR'], defaultLocale: 'fr' }
  const posts = [
    { loc: '/en/1', lang: 'en', title: 'One', lastmod: '2026-01-01' },
    { loc: '/fr/1', lang: 'fr-CA', title: 'Un' },
    { loc: '/pt/1', lang: 'pt-BR', title: 'Um' },
    { loc: '/ja/1', lang: 'ja', title: 'いち' },
    { loc: '/none' },
  ]
  const pages = [{ loc: '/en/p', lang: 'en' }]

  it('cuts by locale first: parts, one document a locale, and an index that names each URL once', async () => {
    const site = createTestEngine({ i18n, providers: { posts: () => posts, pages: () => pages } })
    await site.warm()
    const paths = async (path: string) => pathsOf((await site.ask(path, IDENTITY)).text)
    expect(await paths('/sitemap_en.xml')).toEqual(['/en/1', '/en/p'])
    // A language without a locale of its own, and none at all, go to the default; fr-CA is fr.
    expect(await paths('/sitemap_fr.xml')).toEqual(['/fr/1', '/ja/1', '/none'])
    expect(await paths('/sitemap_pt-BR.xml')).toEqual(['/pt/1'])
    expect(await paths('/sitemap_en-posts-1.xml')).toEqual(['/en/1'])
    expect(await paths('/sitemap_pt-BR-posts-1.txt')).toEqual(['/pt/1'])
    expect(await paths('/sitemap_index.xml')).toEqual([
      '/sitemap_en.xml',
      '/sitemap_fr.xml',
      '/sitemap_pt-BR.xml',
    ])
    expect((await paths('/sitemap.xml')).toSorted()).toEqual(
      ['/en/1', '/fr/1', '/pt/1', '/ja/1', '/none', '/en/p'].toSorted(),
    )
    expect((await site.ask('/sitemap-posts-1.xml')).status).toBe(404)
    expect((await site.ask('/sitemap_de.xml')).status).toBe(404)
    expect((await site.ask('/sitemap_en-posts-2.xml')).status).toBe(404)
    const index = await site.ask('/sitemap_index.xml', IDENTITY)
    expect(index.text).toContain(
      '<loc>https://www.example.com/sitemap_en.xml</loc><lastmod>2026-01-01</lastmod>',
    )
  })

  it('a locale that does not fit one part is an index of its parts, named in robots.txt and not in the index (SPEC I14)', async () => {
    const site = createTestEngine({
      i18n,
      limit: 2,
      routes: { robots: '/robots.txt' },
      providers: {
        posts: () => [...posts, { loc: '/en/2', lang: 'en' }, { loc: '/en/3', lang: 'en' }],
        pages: () => pages,
      },
    })
    await site.warm()
    const paths = async (path: string) => pathsOf((await site.ask(path, IDENTITY)).text)
    expect(await paths('/sitemap_en.xml')).toEqual([
      '/sitemap_en-posts-1.xml',
      '/sitemap_en-posts-2.xml',
      '/sitemap_en-pages-1.xml',
    ])
    const listed = await paths('/sitemap_index.xml')
    expect(listed).toEqual([
      '/sitemap_en-posts-1.xml',
      '/sitemap_en-posts-2.xml',
      '/sitemap_en-pages-1.xml',
      '/sitemap_fr-posts-1.xml',
      '/sitemap_fr-posts-2.xml',
      '/sitemap_pt-BR.xml',
    ])
    const urls = (await Promise.all(listed.map(paths))).flat()
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls).toHaveLength(8)
    const robots = (await site.ask('/robots.txt', IDENTITY)).text
    expect(robots).toContain('Sitemap: https://www.example.com/sitemap_en.xml\n')
    expect(robots).toContain('Sitemap: https://www.example.com/sitemap_fr.xml\n')
    expect(robots).not.toContain('sitemap_pt-BR.xml\n')
  })

  it('each locale has its HTML pages in its own language, with a switch between them', async () => {
    const site = createTestEngine({ i18n, html: { pageSize: 1 }, providers: { posts: () => posts } })
    await site.warm('/sitemap.html')
    const start = (await site.ask('/sitemap.html', IDENTITY)).text
    expect(start).toContain('<html lang="fr"')
    expect(start).toContain('href="/sitemap_en.html"')
    expect(start).not.toContain('/sitemap_fr.html"')
    expect((await site.ask('/sitemap_fr.html')).status).toBe(404)
    expect((await site.ask('/sitemap_pt-BR.html', IDENTITY)).text).toContain('<html lang="pt-BR"')
    const page = (await site.ask('/sitemap_fr-posts-2.html', IDENTITY)).text
    expect(page).toContain('/ja/1')
    expect(page).toContain('href="/sitemap_en-posts-1.html"')
  })

  it('a section that a locale has no page of: the switch leads to its start page, and no hreflang says it is the same', async () => {
    const site = createTestEngine({ i18n, providers: { posts: () => posts, pages: () => pages } })
    await site.warm('/sitemap.html')
    const { text } = await site.ask('/sitemap_en-pages-1.html', IDENTITY)
    expect(text).toContain('href="/sitemap_pt-BR.html"')
    expect(text).not.toMatch(/<link rel="alternate" hreflang="pt-BR"/)
    expect(text).toMatch(/<link rel="alternate" hreflang="en"/)
  })

  it('a locale without entries is empty and not named', async () => {
    const site = createTestEngine({ i18n, providers: { posts: () => [{ loc: '/en', lang: 'en' }] } })
    await site.warm()
    expect(pathsOf((await site.ask('/sitemap_index.xml', IDENTITY)).text)).toEqual(['/sitemap_en.xml'])
    expect(locsOf((await site.ask('/sitemap_fr.xml', IDENTITY)).text)).toEqual([])
    const strict = createTestEngine({
      i18n,
      onEmpty: 404,
      providers: { posts: () => [{ loc: '/en', lang: 'en' }] },
    })
    await strict.warm()
    expect((await strict.ask('/sitemap_fr.xml')).status).toBe(404)
  })
})
