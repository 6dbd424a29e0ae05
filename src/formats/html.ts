import { toTemplatePage } from './html-model.ts'
import type { HtmlPage } from './html-page.ts'
import type { HtmlTemplatePage, TemplateEntry, TemplateLink, TemplateSection } from './html-template.ts'
import { attribute, breakable, escapeHtml } from './html-text.ts'
import { fill, type Wording, wordingFor } from './html-wording.ts'
import { instantOf } from './w3c-date.ts'

export { toTemplatePage } from './html-model.ts'

type Paging = NonNullable<HtmlTemplatePage['paging']>

/** A list of this many entries or more runs in columns. */
const COLUMNS_FROM = 9
/** A branch with this many entries below it or more takes the whole width, so that its own list runs in columns. */
const WIDE_FROM = 13
/** Entries that stand in one run of columns: longer ones would have to be scrolled down and up again for each column. */
const LONGEST_RUN = 60
/** A page with this many lists of entries or more begins with links to them. */
const JUMP_FROM = 3

/**
 * One page of the HTML sitemap (SPEC 7.1): plain lists of links, no script, no inline style.
 * The same page gives the same bytes whenever and wherever it is rendered by the same ICU.
 */
export function renderHtmlPage(page: HtmlPage): string {
  const wording = wordingFor(page.language, page.strings)
  return renderTemplatePage(toTemplatePage(page, wording), wording)
}

/** Our own page from the data that a template of the user's is given. */
export function renderTemplatePage(data: HtmlTemplatePage, wording: Wording): string {
  const { paging } = data
  const [section, ...others] = data.sections
  const own = paging && others.length === 0 ? section : undefined
  const document = lines([
    '<!doctype html>',
    `<html${attribute('lang', data.language)}${attribute('dir', data.dir)}>`,
    head(data),
    '<body>',
    `<a class="skip" href="#content">${escapeHtml(wording.strings.skip)}</a>`,
    '<header>',
    paging && own ? breadcrumb(data, own, paging, wording) : documentName(wording),
    languageLinks(data, wording),
    '</header>',
    '<main id="content">',
    ...(paging && own ? sectionPage(own, paging, wording) : startPage(data, wording)),
    paging && pagination(paging, own?.title ?? data.site.title, wording),
    '</main>',
    footer(data),
    '</body>',
    '</html>',
  ])
  return `${document}\n`
}

function head(data: HtmlTemplatePage): string {
  const { title, site, paging, languages, documents, stylesheet, profileUri } = data
  return lines([
    // SPEC H32: HTML calls the attribute obsolete, S4 asks for it; the link is its modern form.
    `<head${attribute('profile', profileUri)}>`,
    '<meta charset="utf-8">',
    `<title>${escapeHtml(title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    profileUri && `<link rel="profile"${attribute('href', profileUri)}>`,
    stylesheet && `<link rel="stylesheet"${attribute('href', stylesheet)}>`,
    // Later pages of a section have no counterpart: each language is cut into pages of its own.
    ...(paging && paging.page > 1 ? [] : languages.filter(({ counterpart }) => counterpart)).map(
      ({ language, href }) =>
        `<link rel="alternate"${attribute('hreflang', language)}${attribute('href', absolute(href, site.url))}>`,
    ),
    ...documents.map(
      ({ type, text, href }) =>
        `<link rel="alternate"${attribute('type', type)}${attribute('title', text)}${attribute('href', href)}>`,
    ),
    data.head,
    '</head>',
  ])
}

/** Search engines take language versions by whole URLs only (SPEC E70, E76). */
function absolute(href: string, base: string): string {
  return URL.canParse(href, base) ? new URL(href, base).href : href
}

function documentName({ strings }: Wording): string {
  return `<p class="document" id="document">${escapeHtml(strings.sitemap)}</p>`
}

function breadcrumb(
  { site }: HtmlTemplatePage,
  section: TemplateSection,
  { page, pages, start, stops }: Paging,
  { strings, pageOf }: Wording,
): string {
  const steps = [
    linked(site.url, site.title),
    linked(start?.href, strings.sitemap),
    linked(page > 1 ? stops[0]?.href : undefined, section.title),
  ]
  if (page > 1) steps.push(escapeHtml(pageOf(page, pages)))
  return lines([
    `<nav class="breadcrumb"${attribute('aria-label', strings.breadcrumb)}>`,
    '<ol>',
    ...steps.map(
      (step, index) => `<li${index === steps.length - 1 ? ' aria-current="page"' : ''}>${step}</li>`,
    ),
    '</ol>',
    '</nav>',
  ])
}

/** The switch between languages: each by its own name, in its own direction. */
function languageLinks({ languages }: HtmlTemplatePage, { strings }: Wording): string | undefined {
  if (languages.length === 0) return undefined
  return lines([
    `<nav class="languages"${attribute('aria-label', strings.languages)}>`,
    '<ul>',
    ...languages.map(
      ({ href, language, text, current }) =>
        `<li><a${attribute('href', href)}${attribute('hreflang', language)}${attribute('lang', language)}` +
        `${current ? ' aria-current="page"' : ''}>${isolate(text)}</a></li>`,
    ),
    '</ul>',
    '</nav>',
  ])
}

/** Several sections, each with its entries or a link to the pages that hold them (SPEC H3). */
function startPage({ site, sections }: HtmlTemplatePage, wording: Wording): (string | undefined)[] {
  return [
    '<div class="title">',
    `<h1 id="title">${linked(site.url, site.title)}</h1>`,
    site.description === '' ? undefined : `<p class="description">${isolate(site.description)}</p>`,
    '</div>',
    jumpList(sections, wording),
    ...(sections.length === 0
      ? [factLine([escapeHtml(wording.entries(0))])]
      : [
          '<nav class="contents" aria-labelledby="document title">',
          '<ul class="sections">',
          ...sections.map((section) => sectionItem(section, wording)),
          '</ul>',
          '</nav>',
        ]),
  ]
}

/** One page of one section, which is what the visitor came for: its title is the heading. */
function sectionPage(section: TemplateSection, paging: Paging, wording: Wording): (string | undefined)[] {
  return [
    '<div class="title">',
    `<h1 id="title">${isolate(section.title)}</h1>`,
    factLine(sectionFacts(section, paging, wording)),
    pager(paging, wording),
    '</div>',
    ...(section.entries.length === 0
      ? []
      : [
          '<nav class="contents" aria-labelledby="title">',
          entryLists(section.entries, countEntries(section.entries), 'entries'),
          '</nav>',
        ]),
  ]
}

function jumpList(sections: readonly TemplateSection[], { strings }: Wording): string | undefined {
  const listed = sections.filter(({ entries }) => entries.length > 0)
  if (listed.length < JUMP_FROM) return undefined
  return lines([
    `<nav class="jump"${attribute('aria-label', strings.sections)}>`,
    '<ul>',
    ...listed.map(
      (section) => `<li><a${attribute('href', `#${sectionId(section)}`)}>${isolate(section.title)}</a></li>`,
    ),
    '</ul>',
    '</nav>',
  ])
}

function sectionItem(section: TemplateSection, wording: Wording): string {
  const { title, href, entries } = section
  const isListed = entries.length > 0
  return lines([
    `<li class="${isListed ? 'section' : 'card'}">`,
    '<div class="heading">',
    `<h2${attribute('id', sectionId(section))}>${linked(href, title)}</h2>`,
    factLine(sectionFacts(section, undefined, wording)),
    '</div>',
    isListed ? entryLists(entries, countEntries(entries), 'entries') : undefined,
    '</li>',
  ])
}

/** Facts beside each other, as HTML. The stylesheet sets marks between them by the direction of the page. */
function factLine(facts: readonly string[]): string {
  return `<p class="facts">${facts.map((fact) => `<span><bdi>${fact}</bdi></span>`).join(' ')}</p>`
}

function sectionFacts(
  section: TemplateSection,
  paging: Paging | undefined,
  wording: Wording,
): readonly string[] {
  const facts = [escapeHtml(wording.entries(section.total))]
  if (paging && paging.pages > 1) facts.push(escapeHtml(wording.pageOf(paging.page, paging.pages)))
  const newest = newestLastmod(section)
  const day = newest && wording.day(newest)
  if (newest && day) {
    // The day alone, which is what the text says: fractions of W3C dates may be longer than HTML takes.
    const time = `<time${attribute('datetime', newest.slice(0, 10))}>${escapeHtml(day)}</time>`
    facts.push(fill(escapeHtml(wording.strings.updated), { date: time }))
  }
  return facts
}

/** The latest of all lastmod; of a section that is only partly here it is not known. */
function newestLastmod({ entries, total }: TemplateSection): string | undefined {
  let newest: string | undefined
  let newestMs = Number.NEGATIVE_INFINITY
  let count = 0
  const look = (list: readonly TemplateEntry[]) => {
    for (const { lastmod, children } of list) {
      count++
      const instant = lastmod === undefined ? undefined : instantOf(lastmod)
      if (instant !== undefined && instant > newestMs) {
        newest = lastmod
        newestMs = instant
      }
      look(children)
    }
  }
  look(entries)
  return count === total ? newest : undefined
}

function countEntries(entries: readonly TemplateEntry[]): number {
  let count = entries.length
  for (const { children } of entries) if (children.length > 0) count += countEntries(children)
  return count
}

/** Entries in one list or, where they are many, in several that the eye takes in; `count` tells of those below them too. */
function entryLists(entries: readonly TemplateEntry[], count: number, name: string): string {
  const run = count / Math.ceil(count / LONGEST_RUN)
  const opening = `<ul class="${count >= COLUMNS_FROM ? `${name} columns` : name}">`
  const written = [opening]
  let size = 0
  for (const entry of entries) {
    if (size >= run) {
      written.push('</ul>', opening)
      size = 0
    }
    const below = countEntries(entry.children)
    written.push(entryItem(entry, below))
    size += 1 + below
  }
  written.push('</ul>')
  return lines(written)
}

function entryItem(entry: TemplateEntry, below: number): string {
  if (below === 0) return `<li${languageOf(entry)}>${entryText(entry)}</li>`
  return lines([
    `<li class="${below >= WIDE_FROM ? 'branch wide' : 'branch'}">`,
    // What lies below is in a language of its own.
    `<div${languageOf(entry)}>${entryText(entry)}</div>`,
    entryLists(entry.children, below, 'below'),
    '</li>',
  ])
}

/** SPEC H6. */
function languageOf({ lang, dir }: TemplateEntry): string {
  return lang === undefined ? '' : attribute('lang', lang) + attribute('dir', dir)
}

function entryText({ href, text, description, lang, rel, class: classes }: TemplateEntry): string {
  const link =
    `<a${attribute('href', href)}${attribute('hreflang', lang)}${attribute('rel', rel)}${attribute('class', classes)}>` +
    // The stylesheet sets the language behind the space.
    `${isolate(text)}${lang === undefined ? '' : ' '}</a>`
  return description === undefined ? link : `${link}\n<p>${isolate(description)}</p>`
}

/** The neighbours alone, beside the heading: a long list is left without going to its end. */
function pager(paging: Paging, { pageOf }: Wording): string | undefined {
  if (paging.pages < 2) return undefined
  return lines([
    // Its name differs from that of the list of pages below.
    `<nav class="pager"${attribute('aria-label', pageOf(paging.page, paging.pages))}>`,
    beside('prev', paging.previous),
    beside('next', paging.next),
    '</nav>',
  ])
}

/** The whole list of pages (SPEC H7). */
function pagination(paging: Paging, section: string, { strings, pageOf }: Wording): string | undefined {
  const { page, pages, previous, next, stops } = paging
  if (pages < 2) return undefined
  const numbers: string[] = []
  let last = 0
  for (const stop of stops) {
    if (stop.page > last + 1) numbers.push('<li class="gap" aria-hidden="true">…</li>')
    last = stop.page
    numbers.push(
      `<li><a${attribute('href', stop.href)}${attribute('aria-label', pageOf(stop.page, pages))}` +
        `${stop.page === page ? ' aria-current="page"' : ''}>${escapeHtml(stop.text)}</a></li>`,
    )
  }
  return lines([
    // With the section's title: landmarks must not sound alike, and a section may itself be called "Pages".
    `<nav class="pagination"${attribute('aria-label', `${strings.pages} – ${section}`)}>`,
    beside('prev', previous),
    '<ul>',
    ...numbers,
    '</ul>',
    beside('next', next),
    '</nav>',
  ])
}

function beside(rel: 'prev' | 'next', link: TemplateLink | undefined): string | undefined {
  return link && `<a class="${rel}" rel="${rel}"${attribute('href', link.href)}>${escapeHtml(link.text)}</a>`
}

function footer({ documents }: HtmlTemplatePage): string | undefined {
  if (documents.length === 0) return undefined
  return lines([
    '<footer>',
    '<ul>',
    ...documents.map(
      ({ href, type, text }) =>
        `<li><a${attribute('href', href)}${attribute('type', type)}>${escapeHtml(text)}</a></li>`,
    ),
    '</ul>',
    '</footer>',
  ])
}

function sectionId({ key }: TemplateSection): string {
  return `section-${key}`
}

/** A text that is a link where it leads somewhere. */
function linked(href: string | undefined, text: string): string {
  return href === undefined ? isolate(text) : `<a${attribute('href', href)}>${isolate(text)}</a>`
}

/** Text whose direction is its own affair (SPEC H6). */
function isolate(text: string): string {
  return `<bdi>${breakable(escapeHtml(text))}</bdi>`
}

function lines(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n')
}
