import type Database from 'libsql'
import type { EntryObject } from '../plugins/fastify.ts'
import { alternatesOf, homePath, pagePath } from './links.ts'
import { type Locale, locales, shopName, texts } from './texts.ts'

/** A page that was added at `/admin`. */
export interface AddedPage {
  /** Its path as text, not percent-encoded. */
  readonly path: string
  readonly title: string
  /** ISO date-time in UTC. */
  readonly updated_at: string
}

/** The pages that are written by hand, in every language, and those that were added. */
export function* pageEntries(db: Database.Database): Generator<EntryObject> {
  const fixed: readonly [
    keyof (typeof texts)['en'] & ('home' | 'about' | 'articles'),
    (l: Locale) => string,
  ][] = [
    ['home', homePath],
    ['about', (locale) => pagePath(locale, 'about')],
    ['articles', (locale) => pagePath(locale, 'articles')],
  ]
  for (const [page, pathIn] of fixed) {
    const alternates = alternatesOf(pathIn)
    for (const locale of locales) {
      const { title, description } = texts[locale][page]
      yield { loc: pathIn(locale), title, description, lang: locale, alternates }
    }
  }
  yield { loc: '/products', title: texts.en.products, description: `What ${shopName} sells`, lang: 'en' }
  for (const page of addedPages(db)) {
    yield { loc: encodeURI(page.path), title: page.title, lastmod: page.updated_at, lang: 'en' }
  }
}

/** The added pages, in the order of their paths. */
export function addedPages(db: Database.Database): readonly AddedPage[] {
  return db.prepare('select * from pages order by path').all() as AddedPage[]
}

/** An added page by its path. */
export function addedPage(db: Database.Database, path: string): AddedPage | undefined {
  return db.prepare('select * from pages where path = ?').get(path) as AddedPage | undefined
}

/** Adds a page, or gives the one at this path a new title. */
export function savePage(db: Database.Database, path: string, title: string): void {
  const save = db.prepare(
    `insert into pages (path, title, updated_at) values (?, ?, ?)
     on conflict (path) do update set title = excluded.title, updated_at = excluded.updated_at`,
  )
  save.run(path, title, new Date().toISOString())
}

const ownSegments: ReadonlySet<string> = new Set([
  'about',
  'admin',
  'articles',
  'images',
  'products',
  'uploads',
  ...locales,
])

/**
 * A path that a page may be added at, in one form (NFC), or undefined. Only letters, digits, hyphens and underscores in
 * segments: no dot, so neither `..` nor the name of a file such as /sitemap.xml; nothing below a path of the site's own.
 */
export function checkPagePath(text: string): string | undefined {
  const path = text.trim().normalize('NFC')
  if (path.length > 200 || !/^(?:\/[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*)+$/u.test(path)) return undefined
  const first = path.split('/')[1] ?? ''
  return ownSegments.has(first.toLowerCase()) ? undefined : path
}
