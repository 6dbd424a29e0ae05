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
  /** Label of the list of pages. */
  readonly pages: string
  readonly page: string
  readonly previous: string
  readonly next: string
  readonly rss: string
  readonly xml: string
}

const EN: HtmlStrings = {
  sitemap: 'Sitemap',
  skip: 'Skip to content',
  entries: { one: '{n} entry', other: '{n} entries' },
  updated: 'Updated {date}',
  sections: 'Sections',
  breadcrumb: 'Breadcrumb',
  pages: 'Pages',
  page: 'Page {page} of {pages}',
  previous: 'Previous',
  next: 'Next',
  rss: 'RSS feed',
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
      pages: 'Pages',
      page: 'Page {page} sur {pages}',
      previous: 'Précédent',
      next: 'Suivant',
      rss: 'Flux RSS',
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
      pages: 'Seiten',
      page: 'Seite {page} von {pages}',
      previous: 'Zurück',
      next: 'Weiter',
      rss: 'RSS-Feed',
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
      pages: 'Páginas',
      page: 'Página {page} de {pages}',
      previous: 'Anterior',
      next: 'Siguiente',
      rss: 'Canal RSS',
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
      pages: 'الصفحات',
      page: 'الصفحة {page} من {pages}',
      previous: 'السابق',
      next: 'التالي',
      rss: 'خلاصة RSS',
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
      pages: 'ページ',
      page: '{pages} ページ中 {page} ページ目',
      previous: '前へ',
      next: '次へ',
      rss: 'RSS フィード',
      xml: 'XML サイトマップ',
    },
  ],
])

// Written from right to left, where the tag names no script.
const RTL_LANGUAGES: ReadonlySet<string> = new Set(
  'ar arc azb bal bqi ckb dv fa glk he iw ji ks lrc mzn nqo pnb ps rhg sd sdh skr syr ug ur yi'.split(' '),
)
const RTL_SCRIPTS: ReadonlySet<string> = new Set(
  'adlm arab aran hebr mand nkoo rohg samr syrc thaa yezi'.split(' '),
)

/** The words for a language tag, chosen by its primary subtag; English where there are none. */
export function stringsFor(language: string): HtmlStrings {
  return STRINGS.get(primarySubtag(language)) ?? EN
}

/** Writing direction of a language tag: its script subtag decides, else its primary subtag. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const subtags = language.toLowerCase().split(/[-_]/)
  const script = subtags.slice(1).find((subtag) => /^[a-z]{4}$/.test(subtag))
  return (script === undefined ? RTL_LANGUAGES.has(subtags[0] ?? '') : RTL_SCRIPTS.has(script))
    ? 'rtl'
    : 'ltr'
}

/** Numbers, dates and counts as a language writes them. */
export interface Wording {
  readonly strings: HtmlStrings
  readonly number: (value: number) => string
  /** `12 entries`. */
  readonly entries: (count: number) => string
  /** Day of a W3C date as that date itself names it, whatever its zone; undefined where it is none. */
  readonly day: (date: string) => string | undefined
}

/** The words and forms of a language tag. A tag that Intl does not take counts as English. */
export function wordingFor(language: string): Wording {
  const strings = stringsFor(language)
  const tag = isTag(language) ? language : 'en'
  const numbers = new Intl.NumberFormat(tag)
  // The rules belong to the words, which may be the English ones of a page in another language.
  const plurals = new Intl.PluralRules(strings === EN ? 'en' : tag)
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const number = (value: number): string => numbers.format(value)
  return {
    strings,
    number,
    entries: (count) =>
      fill(strings.entries[plurals.select(count)] ?? strings.entries.other, { n: number(count) }),
    day: (date) => {
      const midnight = new Date(date.slice(0, 10))
      return Number.isNaN(midnight.getTime()) ? undefined : days.format(midnight)
    },
  }
}

/** `template` with `{name}` replaced by the value of that name. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

function primarySubtag(language: string): string {
  return language.toLowerCase().split(/[-_]/, 1)[0] ?? ''
}

function isTag(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}
