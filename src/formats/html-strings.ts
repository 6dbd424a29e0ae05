import { shownText } from './html-text.ts'

/** The words of the HTML sitemap in one language. `{n}`, `{page}`, `{pages}`, `{date}` stand for what is filled in. */
export interface HtmlStrings {
  /** Name of the document, in the title and over the site's name. */
  readonly sitemap: string
  readonly skip: string
  /** By plural category of the language; `other` is the fallback. */
  readonly entries: { readonly other: string } & { readonly [category in Intl.LDMLPluralRule]?: string }
  readonly updated: string
  /** Label of the list of sections on a page that shows several. */
  readonly sections: string
  readonly breadcrumb: string
  /** Label of the links to the same page in other languages. */
  readonly languages: string
  /** Label of the list of pages. */
  readonly pages: string
  readonly page: string
  readonly previous: string
  readonly next: string
  /** Names of the documents beside the page. */
  readonly rss: string
  readonly atom: string
  readonly json: string
  readonly xml: string
}

const EN: HtmlStrings = {
  sitemap: 'Sitemap',
  skip: 'Skip to content',
  entries: { one: '{n} entry', other: '{n} entries' },
  updated: 'Updated {date}',
  sections: 'Sections',
  breadcrumb: 'Breadcrumb',
  languages: 'Languages',
  pages: 'Pages',
  page: 'Page {page} of {pages}',
  previous: 'Previous',
  next: 'Next',
  rss: 'RSS feed',
  atom: 'Atom feed',
  json: 'JSON feed',
  xml: 'XML sitemap',
}

const STRINGS: ReadonlyMap<string, HtmlStrings> = new Map([
  ['en', EN],
  [
    'fr',
    {
      sitemap: 'Plan du site',
      skip: 'Aller au contenu',
      entries: { one: '{n} entrée', many: '{n} d’entrées', other: '{n} entrées' },
      updated: 'Mis à jour le {date}',
      sections: 'Rubriques',
      breadcrumb: 'Fil d’Ariane',
      languages: 'Langues',
      pages: 'Pages',
      page: 'Page {page} sur {pages}',
      previous: 'Précédent',
      next: 'Suivant',
      rss: 'Flux RSS',
      atom: 'Flux Atom',
      json: 'Flux JSON',
      xml: 'Plan du site XML',
    },
  ],
  [
    'de',
    {
      sitemap: 'Sitemap',
      skip: 'Zum Inhalt springen',
      entries: { one: '{n} Eintrag', other: '{n} Einträge' },
      updated: 'Aktualisiert am {date}',
      sections: 'Bereiche',
      breadcrumb: 'Navigationspfad',
      languages: 'Sprachen',
      pages: 'Seiten',
      page: 'Seite {page} von {pages}',
      previous: 'Zurück',
      next: 'Weiter',
      rss: 'RSS-Feed',
      atom: 'Atom-Feed',
      json: 'JSON-Feed',
      xml: 'XML-Sitemap',
    },
  ],
  [
    'es',
    {
      sitemap: 'Mapa del sitio',
      skip: 'Saltar al contenido',
      entries: { one: '{n} entrada', many: '{n} de entradas', other: '{n} entradas' },
      updated: 'Actualizado el {date}',
      sections: 'Secciones',
      breadcrumb: 'Ruta de navegación',
      languages: 'Idiomas',
      pages: 'Páginas',
      page: 'Página {page} de {pages}',
      previous: 'Anterior',
      next: 'Siguiente',
      rss: 'Canal RSS',
      atom: 'Canal Atom',
      json: 'Canal JSON',
      xml: 'Mapa del sitio XML',
    },
  ],
  [
    'ar',
    {
      sitemap: 'خريطة الموقع',
      skip: 'انتقل إلى المحتوى',
      entries: {
        zero: 'لا مدخلات',
        one: 'مدخل واحد',
        two: 'مدخلان',
        few: '{n} مدخلات',
        many: '{n} مدخلًا',
        other: '{n} مدخل',
      },
      updated: 'آخر تحديث: {date}',
      sections: 'الأقسام',
      breadcrumb: 'مسار التنقل',
      languages: 'اللغات',
      pages: 'الصفحات',
      page: 'الصفحة {page} من {pages}',
      previous: 'السابق',
      next: 'التالي',
      rss: 'خلاصة RSS',
      atom: 'خلاصة Atom',
      json: 'خلاصة JSON',
      xml: 'خريطة الموقع XML',
    },
  ],
  [
    'ja',
    {
      sitemap: 'サイトマップ',
      skip: '本文へスキップ',
      entries: { other: '{n} 件' },
      updated: '更新日: {date}',
      sections: 'セクション',
      breadcrumb: 'パンくずリスト',
      languages: '言語',
      pages: 'ページ',
      page: '{pages} ページ中 {page} ページ目',
      previous: '前へ',
      next: '次へ',
      rss: 'RSS フィード',
      atom: 'Atom フィード',
      json: 'JSON フィード',
      xml: 'XML サイトマップ',
    },
  ],
])

/** Words of a user's by language tag (option `html.strings`). */
export type OwnStrings = Readonly<Record<string, Partial<HtmlStrings>>>

/** Words and the language they are in. */
export interface Words {
  readonly language: string
  readonly strings: Partial<HtmlStrings>
}

/** The words for a language tag; each is the first there is in the order of {@link wordsFor}. */
export function stringsFor(language: string, own: OwnStrings = {}): HtmlStrings {
  return mergeWords(wordsFor(language, own))
}

/**
 * All words that may serve a language tag, best first: the user's for the tag, for the tag with fewer and fewer
 * subtags down to the primary one, ours for the primary subtag, the user's English, our English.
 */
export function wordsFor(language: string, own: OwnStrings = {}): readonly Words[] {
  const owned = new Map(Object.entries(own).map(([tag, strings]) => [normal(tag), strings]))
  const words: Words[] = []
  const add = (tag: string, strings: Partial<HtmlStrings> | undefined) => {
    if (strings !== undefined) words.push({ language: tag, strings: filledOf(strings) })
  }
  const subtags = normal(language).split('-', LONGEST_TAG)
  for (let length = subtags.length; length > 0; length--) {
    const tag = subtags.slice(0, length).join('-')
    add(tag, owned.get(tag))
  }
  const [primary = ''] = subtags
  add(primary, STRINGS.get(primary))
  add('en', owned.get('en'))
  words.push({ language: 'en', strings: EN })
  return words
}

/** Every word from the first that has it. */
export function mergeWords(words: readonly Words[]): HtmlStrings {
  const merged: HtmlStrings = { ...EN }
  for (const { strings } of [...words].reverse()) Object.assign(merged, strings)
  return merged
}

/** More subtags than any tag in use. */
const LONGEST_TAG = 10

function normal(tag: string): string {
  return tag.toLowerCase().replaceAll('_', '-')
}

/** The words that are not blank, as a browser shows them: a link or a landmark without a name serves nobody. */
function filledOf(strings: object): Partial<HtmlStrings> {
  const filled: [name: string, value: unknown][] = []
  for (const [name, value] of Object.entries(strings)) {
    const text = typeof value === 'string' ? shownText(value) : undefined
    const forms = typeof value === 'object' && value !== null ? filledOf(value) : {}
    if (text !== undefined) filled.push([name, text])
    else if ('other' in forms) filled.push([name, forms])
  }
  return Object.fromEntries(filled)
}
