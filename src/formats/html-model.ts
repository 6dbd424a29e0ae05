import type { Card } from '../entry/entry.ts'
import { autonymOf, directionOf, languageTag } from './html-language.ts'
import { nameOf } from './html-name.ts'
import type { BesideDocument, HtmlPage, HtmlSection } from './html-page.ts'
import { pageStops } from './html-stops.ts'
import type { HtmlTemplatePage, TemplateEntry, TemplateLink, TemplateSection } from './html-template.ts'
import { address, bounded, fileAddress, shownText } from './html-text.ts'
import { parentsByPath, treePath } from './html-tree.ts'
import { type Wording, wordingFor } from './html-wording.ts'

type Paging = NonNullable<HtmlPage['paging']>
type TemplatePaging = NonNullable<HtmlTemplatePage['paging']>
type Addressed = { readonly card: Card; readonly href: string }
type MutableEntry = TemplateEntry & { readonly children: TemplateEntry[] }

/** Media types of what a page links to beside itself. */
export const DOCUMENT_TYPES: Readonly<Record<BesideDocument['kind'], string>> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
  xml: 'application/xml',
}

/** Characters of a title that are shown: of the site, a section or an entry. */
const LONGEST_TITLE = 200
/** The same of a description. */
const LONGEST_DESCRIPTION = 500

/**
 * A page as clean data: what our own page is written from, and what a template of the user's is given.
 * Every address in it is one that may be linked (SPEC H8), every text is as a browser shows it, and not escaped. Long
 * texts are cut: titles at 200 characters, descriptions at 500.
 */
export function toTemplatePage(
  page: HtmlPage,
  wording: Wording = wordingFor(page.language, page.strings),
): HtmlTemplatePage {
  const { strings } = wording
  const language = languageTag(page.language) ?? 'en'
  const url = address(page.site.url) ?? '/'
  const title = titleOf(page.site.title) ?? bounded(url, LONGEST_TITLE)
  const site = { url, title, description: descriptionOf(page.site.description) ?? '' }
  const { paging } = page
  const toEntries = entriesOf(site, language)
  const sections = page.sections
    .filter(({ total, cards }) => paging !== undefined || total > 0 || cards.length > 0)
    .map(
      (section): TemplateSection => ({
        key: section.key,
        title: titleOf(section.title) ?? section.key,
        total: section.total,
        // On a page of its own the section would link to where the visitor is.
        href: paging === undefined ? address(section.href) : undefined,
        entries: toEntries(section.cards),
      }),
    )
  return {
    language,
    dir: directionOf(language),
    title: documentTitle(title, sections, paging, wording),
    site,
    sections,
    paging: paging && pagingOf(paging, wording),
    languages: languagesOf(page, language),
    documents: page.documents.flatMap(({ kind, url }) =>
      linksTo(url, strings[kind]).map((link) => ({ ...link, type: DOCUMENT_TYPES[kind] })),
    ),
    stylesheet: fileAddress(page.stylesheet),
    profileUri: address(page.profileUri),
    head: page.head,
  }
}

function titleOf(text: string | undefined): string | undefined {
  const shown = shownText(text)
  return shown && bounded(shown, LONGEST_TITLE)
}

function descriptionOf(text: string | undefined): string | undefined {
  const shown = shownText(text)
  return shown && bounded(shown, LONGEST_DESCRIPTION)
}

/** Tells the pages of a site apart (WCAG 2.4.2). */
function documentTitle(
  siteTitle: string,
  sections: readonly TemplateSection[],
  paging: Paging | undefined,
  { strings, pageOf }: Wording,
): string {
  const place = paging ? sections.map(({ title }) => title) : []
  if (paging && paging.pages > 1) place.push(pageOf(paging.page, paging.pages))
  return [...place, strings.sitemap, siteTitle].join(' – ')
}

/** Makes the tree of entries of one list after the other; what has no address is left out. */
function entriesOf(
  site: HtmlTemplatePage['site'],
  pageLanguage: string,
): (cards: HtmlSection['cards']) => readonly TemplateEntry[] {
  const roots = rootsOf(site.url, pageLanguage)
  const languages = new Map<string, { readonly lang: string; readonly dir: 'ltr' | 'rtl' } | undefined>()
  const otherLanguage = (text: string) => {
    if (languages.has(text)) return languages.get(text)
    const lang = languageTag(text)
    const other = lang === undefined || lang === pageLanguage ? undefined : { lang, dir: directionOf(lang) }
    languages.set(text, other)
    return other
  }
  const toEntry = ({ card, href }: Addressed, above: Addressed | undefined): MutableEntry => {
    const other = card.lang === undefined ? undefined : otherLanguage(card.lang)
    return {
      href,
      text: titleOf(card.title) ?? bounded(nameOf(href, site, above?.href), LONGEST_TITLE),
      description: descriptionOf(card.description),
      lang: other?.lang,
      dir: other?.dir,
      lastmod: shownText(card.lastmod),
      // SPEC 7.2: the classes are S4's words, rel is the twin that engines read; noarchive has none on a link.
      rel: card.robots?.nofollow || card.robots?.noanchortext ? 'nofollow' : undefined,
      class: card.robots && profileClasses(card.robots),
      children: [],
    }
  }
  return (cards) => {
    const listed: Addressed[] = []
    for (const card of cards) {
      const href = address(card.loc)
      if (href !== undefined) listed.push({ card, href })
    }
    const parents = parentsByPath(
      listed.map(({ href }) => href),
      roots,
    )
    const entries = listed.map((item, index) => toEntry(item, listed[parents?.[index] ?? -1]))
    if (parents === undefined) return entries
    return entries.filter((entry, index) => {
      const parent = entries[parents[index] ?? -1]
      parent?.children.push(entry)
      return parent === undefined
    })
  }
}

/** Paths that everything lies under: the site's root, and the root of the page's language (`/fr`) where it has one. */
function rootsOf(siteUrl: string, language: string): ReadonlySet<string> {
  const root = treePath(siteUrl) ?? ''
  const tags = [language, language.split('-', 1)[0] ?? language].flatMap((tag) => [
    tag,
    tag.replaceAll('-', '_'),
  ])
  return new Set([root, ...tags.flatMap((tag) => [tag, tag.toLowerCase()]).map((tag) => `${root}/${tag}`)])
}

function profileClasses({
  nofollow,
  noarchive,
  noanchortext,
}: NonNullable<Card['robots']>): string | undefined {
  const classes: string[] = []
  if (nofollow) classes.push('robots-nofollow')
  if (noarchive) classes.push('robots-noarchive')
  if (noanchortext) classes.push('robots-noanchortext')
  return classes.length > 0 ? classes.join(' ') : undefined
}

function pagingOf({ page, pages, href, startHref }: Paging, { strings, number }: Wording): TemplatePaging {
  const linkTo = (to: number, text: string): TemplateLink | undefined =>
    to >= 1 && to <= pages ? linksTo(href(to), text)[0] : undefined
  return {
    page,
    pages,
    start: linksTo(startHref, strings.sitemap)[0],
    previous: linkTo(page - 1, strings.previous),
    next: linkTo(page + 1, strings.next),
    stops: pageStops(page, pages).flatMap((stop) =>
      linksTo(href(stop), number(stop)).map((link) => ({ ...link, page: stop })),
    ),
  }
}

/** The page in each language by its own name; none where there is no choice. */
function languagesOf(page: HtmlPage, pageLanguage: string): HtmlTemplatePage['languages'] {
  const languages = page.languages.flatMap(({ language, href, isCounterpart }) => {
    const tag = languageTag(language)
    if (tag === undefined) return []
    return linksTo(href, autonymOf(tag)).map((link) => ({
      ...link,
      language: tag,
      current: tag === pageLanguage,
      counterpart: isCounterpart,
    }))
  })
  return languages.length > 1 ? languages : []
}

/** One link, or none where the address is none that may be linked (SPEC H8). */
function linksTo(href: string | undefined, text: string): TemplateLink[] {
  const safe = address(href)
  return safe === undefined ? [] : [{ href: safe, text }]
}
