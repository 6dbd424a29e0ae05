import type { Card } from '../entry/entry.ts'
import type { HtmlPage, HtmlSection, SiteFacts } from './format.ts'
import { directionOf, fill, type HtmlStrings, type Wording, wordingFor } from './html-strings.ts'
import { instantOf } from './w3c-date.ts'
import { cleanText } from './xml.ts'

type Attributes = Readonly<Record<string, string | undefined>>
type Paging = NonNullable<HtmlPage['paging']>

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A list of this many entries or more runs in columns. */
const COLUMNS_FROM = 9
/** A page with this many lists of entries or more begins with links to them. */
const JUMP_FROM = 3

const HTTP = /^https?:\/\/[^/\s]/i
const PATH = /^\/(?![/\\])/
// What HTML calls errors although XML takes it: DEL, the C1 controls, noncharacters.
const HTML_FORBIDDEN = /[\u007F-\u009F]|\p{Noncharacter_Code_Point}/gu
// Most texts need no work: one native search tells (measured: a fifth off a page of 1,000 entries, 4 ms).
const PRINTABLE_ASCII = /^[ -~]*$/
const PLAIN = /^[ !#-%(-;=?-~]*$/
// White space of HTML, which browsers show as one space; a no-break space is a character like others.
const WHITE_SPACE = /[\t\n\f\r ]+/g
// Something to see: neither space, nor control or format character, nor one of the blank letters.
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/u
// Decoded, these would hide in a path, break its line or turn its direction round.
const UNREADABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

/**
 * One page of the HTML sitemap (SPEC 7.1): plain lists of links, no script, no inline style.
 * The same page gives the same bytes whenever and wherever it is rendered.
 */
export function renderHtmlPage(page: HtmlPage): string {
  const language = cleanText(page.site.language)
  const wording = wordingFor(language)
  const sections = page.sections.filter(({ total, cards }) => total > 0 || cards.length > 0)
  const document = lines([
    '<!doctype html>',
    `<html${attributes({ lang: language, dir: directionOf(language) })}>`,
    head(page, wording),
    '<body>',
    `<a class="skip" href="#content">${escapeHtml(wording.strings.skip)}</a>`,
    masthead(page, wording),
    '<main id="content">',
    jumpList(page, sections, wording),
    contents(page, sections, wording),
    pagination(page.paging, wording),
    '</main>',
    footer(page, wording.strings),
    '</body>',
    '</html>',
  ])
  return `${document}\n`
}

/**
 * Which pages a compact list of pages names: the ends, the neighbours, and stops 10, 100, 1,000 … away,
 * so that every page of a long list is a few steps off (SPEC H7). Ascending.
 */
export function pageStops(page: number, pages: number): readonly number[] {
  const stops = new Set([1, page, pages])
  for (const step of [1, 2]) stops.add(page - step).add(page + step)
  for (let step = 10; step < pages; step *= 10) stops.add(page - step).add(page + step)
  // A gap of one page takes the room of its number.
  for (const stop of [...stops]) if (stops.has(stop + 2)) stops.add(stop + 1)
  return [...stops].filter((stop) => stop >= 1 && stop <= pages).sort((a, b) => a - b)
}

function head(page: HtmlPage, wording: Wording): string {
  const { strings } = wording
  const { site, paging } = page
  const place = paging ? page.sections.map(sectionTitle) : []
  if (paging && paging.pages > 1) place.push(pageOf(paging.page, paging.pages, wording))
  // SPEC H32: HTML calls the attribute obsolete, S4 asks for it; the link is its modern form.
  const profile = address(page.profileUri)
  return lines([
    `<head${attributes({ profile })}>`,
    '<meta charset="utf-8">',
    `<title>${escapeHtml([...place, strings.sitemap, siteTitle(site)].join(' – '))}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    headLink('profile', profile),
    headLink('stylesheet', address(page.stylesheet)),
    headLink('alternate', address(page.rssUrl), { type: 'application/rss+xml', title: strings.rss }),
    headLink('alternate', address(page.xmlUrl), { type: 'application/xml', title: strings.xml }),
    '</head>',
  ])
}

function headLink(rel: string, href: string | undefined, more: Attributes = {}): string | undefined {
  return href && `<link${attributes({ rel, ...more, href })}>`
}

function masthead(page: HtmlPage, wording: Wording): string {
  const { site, paging } = page
  // What the site is about is said once, on the start page.
  const description = paging ? undefined : shown(site.description)
  return lines([
    '<header class="masthead">',
    paging
      ? breadcrumb(page.sections, paging, wording)
      : `<p class="document" id="document">${escapeHtml(wording.strings.sitemap)}</p>`,
    `<h1 id="site">${link(site.url, isolate(siteTitle(site)))}</h1>`,
    description && `<p class="description">${isolate(description)}</p>`,
    '</header>',
  ])
}

function breadcrumb(sections: readonly HtmlSection[], paging: Paging, wording: Wording): string {
  const { strings } = wording
  const { page, pages } = paging
  const steps = [link(paging.startHref, escapeHtml(strings.sitemap))]
  for (const section of sections) {
    steps.push(link(page > 1 ? paging.href(1) : undefined, isolate(sectionTitle(section))))
  }
  if (page > 1) steps.push(escapeHtml(pageOf(page, pages, wording)))
  return lines([
    `<nav class="breadcrumb"${attributes({ 'aria-label': strings.breadcrumb })}>`,
    '<ol>',
    ...steps.map(
      (step, index) => `<li${index === steps.length - 1 ? ' aria-current="page"' : ''}>${step}</li>`,
    ),
    '</ol>',
    '</nav>',
  ])
}

function jumpList(
  page: HtmlPage,
  sections: readonly HtmlSection[],
  { strings }: Wording,
): string | undefined {
  const listed = sections.filter(({ cards }) => cards.length > 0)
  if (page.paging || listed.length < JUMP_FROM) return undefined
  return lines([
    `<nav class="jump"${attributes({ 'aria-label': strings.sections })}>`,
    '<ul>',
    ...listed.map(
      (section) =>
        `<li><a${attributes({ href: `#${sectionId(section)}` })}>${isolate(sectionTitle(section))}</a></li>`,
    ),
    '</ul>',
    '</nav>',
  ])
}

/** The map itself: a list of sections, each with its list of entries or a link to the pages that hold them (SPEC H3). */
function contents(page: HtmlPage, sections: readonly HtmlSection[], wording: Wording): string {
  if (sections.length === 0) return `<p class="facts"><bdi>${escapeHtml(wording.entries(0))}</bdi></p>`
  const labels = page.paging ? sections.map(sectionId) : ['document', 'site']
  return lines([
    `<nav${attributes({ class: 'contents', 'aria-labelledby': labels.join(' ') })}>`,
    '<ul class="sections">',
    ...sections.map((section) => sectionItem(section, page, wording)),
    '</ul>',
    '</nav>',
  ])
}

function sectionItem(section: HtmlSection, page: HtmlPage, wording: Wording): string {
  const { cards } = section
  const title = isolate(sectionTitle(section))
  // On a page of its own the section would link to where the visitor is.
  const heading = page.paging ? title : link(section.href, title)
  const columns = cards.length >= COLUMNS_FROM ? ' columns' : ''
  return lines([
    `<li class="${cards.length > 0 ? 'section' : 'card'}">`,
    '<div class="heading">',
    `<h2${attributes({ id: sectionId(section) })}>${heading}</h2>`,
    `<p class="facts">${sectionFacts(section, page.paging, wording)}</p>`,
    '</div>',
    ...(cards.length > 0
      ? [`<ul class="entries${columns}">`, ...cards.map((card) => entryItem(card, page.site)), '</ul>']
      : []),
    '</li>',
  ])
}

function sectionFacts(section: HtmlSection, paging: Paging | undefined, wording: Wording): string {
  const facts = [`<bdi>${escapeHtml(wording.entries(section.total))}</bdi>`]
  if (paging && paging.pages > 1)
    facts.push(`<bdi>${escapeHtml(pageOf(paging.page, paging.pages, wording))}</bdi>`)
  // Of a section that is only partly here the newest date is not known.
  const newest = section.cards.length === section.total ? newestLastmod(section.cards) : undefined
  const day = newest && wording.day(newest)
  if (newest && day) {
    const time = `<time${attributes({ datetime: newest })}>${escapeHtml(day)}</time>`
    facts.push(`<bdi>${fill(escapeHtml(wording.strings.updated), { date: time })}</bdi>`)
  }
  return facts.join(' ')
}

function newestLastmod(cards: readonly Card[]): string | undefined {
  let newest: string | undefined
  let newestMs = Number.NEGATIVE_INFINITY
  for (const { lastmod } of cards) {
    const instant = lastmod === undefined ? undefined : instantOf(lastmod)
    if (instant === undefined || instant <= newestMs) continue
    newest = lastmod
    newestMs = instant
  }
  return newest
}

function entryItem(card: Card, site: SiteFacts): string | undefined {
  const href = address(card.loc)
  if (href === undefined) return undefined
  const lang = card.lang !== undefined && isOtherLanguage(card.lang, site.language) ? card.lang : undefined
  const description = shown(card.description)
  const anchor = `<a${attributes({
    href,
    hreflang: lang,
    // SPEC 7.2: the classes are S4's words, rel is the twin that engines read.
    rel: card.robots?.nofollow || card.robots?.noanchortext ? 'nofollow' : undefined,
    class: profileClasses(card),
  })}>${isolate(shown(card.title) ?? nameOf(card.loc, site))}</a>`
  return `<li${attributes({ lang, dir: lang && directionOf(lang) })}>${anchor}${
    description ? `\n<p>${isolate(description)}</p>` : ''
  }</li>`
}

function profileClasses({ robots }: Card): string | undefined {
  const classes: string[] = []
  if (robots?.nofollow) classes.push('robots-nofollow')
  if (robots?.noarchive) classes.push('robots-noarchive')
  if (robots?.noanchortext) classes.push('robots-noanchortext')
  return classes.length > 0 ? classes.join(' ') : undefined
}

function isOtherLanguage(lang: string, pageLanguage: string): boolean {
  return shown(lang) !== undefined && lang.toLowerCase() !== pageLanguage.toLowerCase()
}

/** Name of an entry without title (SPEC H5): the site's for its root, else the path as people read it, on another host with that host. */
function nameOf(loc: string, site: SiteFacts): string {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]*)([^#]*)/i.exec(loc) ?? []
  const isOurs = origin.toLowerCase() === /^https?:\/\/[^/?#]*/i.exec(site.url)?.[0].toLowerCase()
  if (isOurs && (path === '' || path === '/' || withoutSlash(loc) === withoutSlash(site.url)))
    return siteTitle(site)
  const host = origin.replace(/^https?:\/\//i, '')
  return shown(readable(isOurs ? path : host + (path === '/' ? '' : path))) ?? loc
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

/** Percent-encoding decoded where it holds text; what is no UTF-8 or means something in a URL stays as it is. */
function readable(path: string): string {
  return path.replace(/(?:%[0-9A-F]{2})+/gi, (encoded) => {
    try {
      return decodeURI(encoded).replace(UNREADABLE, encodeURIComponent)
    } catch {
      return encoded
    }
  })
}

function pagination(paging: Paging | undefined, wording: Wording): string | undefined {
  if (!paging || paging.pages < 2) return undefined
  const { page, pages, href } = paging
  const { strings, number } = wording
  const numbers: string[] = []
  let last = 0
  for (const stop of pageStops(page, pages)) {
    if (stop > last + 1) numbers.push('<li class="gap" aria-hidden="true">…</li>')
    last = stop
    numbers.push(
      `<li><a${attributes({
        href: address(href(stop)),
        'aria-label': pageOf(stop, pages, wording),
        'aria-current': stop === page ? 'page' : undefined,
      })}>${escapeHtml(number(stop))}</a></li>`,
    )
  }
  const beside = (rel: 'prev' | 'next', to: number, text: string): string | undefined =>
    to >= 1 && to <= pages
      ? `<a${attributes({ class: rel, rel, href: address(href(to)) })}>${escapeHtml(text)}</a>`
      : undefined
  return lines([
    `<nav class="pagination"${attributes({ 'aria-label': strings.pages })}>`,
    beside('prev', page - 1, strings.previous),
    '<ul>',
    ...numbers,
    '</ul>',
    beside('next', page + 1, strings.next),
    '</nav>',
  ])
}

function footer({ rssUrl, xmlUrl }: HtmlPage, strings: HtmlStrings): string | undefined {
  const links = [
    { href: address(rssUrl), type: 'application/rss+xml', text: strings.rss },
    { href: address(xmlUrl), type: 'application/xml', text: strings.xml },
  ].filter(({ href }) => href !== undefined)
  if (links.length === 0) return undefined
  return lines([
    '<footer>',
    '<ul>',
    ...links.map(({ text, ...rest }) => `<li><a${attributes(rest)}>${escapeHtml(text)}</a></li>`),
    '</ul>',
    '</footer>',
  ])
}

function pageOf(page: number, pages: number, { strings, number }: Wording): string {
  return fill(strings.page, { page: number(page), pages: number(pages) })
}

function siteTitle({ title, url }: SiteFacts): string {
  return shown(title) ?? url
}

function sectionTitle({ title, key }: HtmlSection): string {
  return shown(title) ?? key
}

function sectionId({ key }: HtmlSection): string {
  return `section-${key}`
}

/** `html` as a link, or as it is where the address is none that may be linked (SPEC H8). */
function link(href: string | undefined, html: string): string {
  const safe = address(href)
  return safe === undefined ? html : `<a${attributes({ href: safe })}>${html}</a>`
}

/** An http(s) URL or a path on this host; anything else, `javascript:` first of all, is no address (SPEC H8). */
function address(href: string | undefined): string | undefined {
  return href !== undefined && (HTTP.test(href) || PATH.test(href)) ? href : undefined
}

/** The text as a browser shows it, undefined where that is nothing. */
function shown(text: string | undefined): string | undefined {
  const clean = text === undefined ? '' : htmlText(text)
  return VISIBLE.test(clean) ? clean.replace(WHITE_SPACE, ' ').trim() : undefined
}

/** Text whose direction is its own affair (SPEC H6). */
function isolate(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`
}

/** Attributes that have a value, with a space before each. */
function attributes(values: Attributes): string {
  let written = ''
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) written += ` ${name}="${escapeHtml(value)}"`
  }
  return written
}

/** For text and attribute values alike (SPEC H8). */
function escapeHtml(text: string): string {
  if (PLAIN.test(text)) return text
  return htmlText(text).replace(/[&<>"']/g, (character) => REFERENCES[character] ?? character)
}

/** The text without what may not stand in an HTML document. */
function htmlText(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : cleanText(text).replace(HTML_FORBIDDEN, '')
}

function lines(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n')
}
