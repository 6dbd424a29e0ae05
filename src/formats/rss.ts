import type { FeedItem } from '../entry/entry.ts'
import type { FeedDocument } from './format.ts'
import { loadBuilder } from './frames.ts'
import { stringsFor } from './html-strings.ts'
import { instantOf } from './w3c-date.ts'
import { cleanText, escapeAttribute, escapeText } from './xml.ts'

const ATOM = 'http://www.w3.org/2005/Atom'
const ROR = 'http://rorweb.com/0.1/'
const DC = 'http://purl.org/dc/elements/1.1/'
const CONTENT = 'http://purl.org/rss/1.0/modules/content/'

type Attributes = Readonly<Record<string, string>>

/** What `ror:about` calls the HTML sitemap, and `ror:resourceOf` of its pages points at (SPEC R6, R15, R16). */
const ANCHOR = 'sitemap'

// What `language` may hold (SPEC F6): a text that is no tag would make the whole feed invalid.
const LANGUAGE_TAG = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/

/**
 * The feed as RSS 2.0 with ROR (SPEC 4, 5): channel head, the site as Main, the HTML sitemap as SiteMap, then the items.
 * Nothing in it comes from a clock.
 */
export async function renderRss(feed: FeedDocument): Promise<string> {
  const { create } = await loadBuilder()
  const newest = newestDate(feed.items)
  const { url, title, description, language } = feed.site
  const siteTitle = filled(title) ?? url

  const rss = create({ version: '1.0', encoding: 'UTF-8' }).ele('rss', { version: '2.0' })
  const declare = (prefix: string, namespace: string) =>
    rss.att('http://www.w3.org/2000/xmlns/', `xmlns:${prefix}`, namespace)
  declare('atom', ATOM)
  declare('ror', ROR)
  if (feed.items.some(({ author }) => author?.some(filled))) declare('dc', DC)
  if (feed.items.some(({ content }) => filled(content))) declare('content', CONTENT)

  const channel = rss.ele('channel')
  // xmlbuilder2 4.0.3 lets `&word;` and `&#n;` through as they are (measured): it gets text that is escaped already.
  const say = (name: string, text: string) => channel.ele(name).txt(escapeText(cleanText(text)))
  say('title', siteTitle)
  say('link', url)
  say('description', filled(description) ?? siteTitle) // SPEC D11
  if (LANGUAGE_TAG.test(language)) say('language', language)
  if (newest) say('lastBuildDate', newest.toUTCString())
  say('generator', 'live-sitemap')
  channel.ele(ATOM, 'atom:link', {
    href: escapeAttribute(cleanText(feed.selfUrl)),
    rel: 'self',
    type: 'application/rss+xml',
  })

  const built = rss.doc().end({ prettyPrint: true })
  const end = built.lastIndexOf('  </channel>')
  const items = [mainItem(feed, siteTitle, newest)]
  if (feed.sitemapUrl !== undefined) items.push(sitemapItem(feed.sitemapUrl, language))
  for (const page of feed.items) items.push(pageItem(page, feed.sitemapUrl !== undefined))
  return `${built.slice(0, end)}${items.join('')}${built.slice(end)}\n`
}

/** The site itself, of which there is exactly one (SPEC R5). No guid: it would be that of the start page's own item. */
function mainItem({ site }: FeedDocument, title: string, newest: Date | undefined): string {
  return item([
    line('title', title),
    line('link', site.url),
    line('description', filled(site.description)),
    line('ror:type', 'Main'),
    line('ror:updated', newest && `${newest.toISOString().slice(0, 19)}Z`),
  ])
}

/** The anchor that pages name as what they are a resource of (SPEC R16). */
function sitemapItem(sitemapUrl: string, language: string): string {
  return item([
    line('title', stringsFor(language).sitemap),
    line('link', sitemapUrl),
    line('ror:about', ANCHOR),
    line('ror:type', 'SiteMap'),
  ])
}

function pageItem(page: FeedItem, anchored: boolean): string {
  const { loc, enclosure } = page
  // SPEC F22: a permalink is a URL that leads to the item, and only loc is known to be one.
  const guid = filled(page.guid) ?? loc
  const keywords = page.keywords?.filter(filled).join(', ')
  return item([
    line('title', filled(page.title) ?? loc),
    line('link', loc),
    line('description', filled(page.description)),
    line('guid', guid, { isPermaLink: String(guid === loc) }),
    line('pubDate', rfc822(page.published)),
    ...(page.author ?? []).map((name) => line('dc:creator', filled(name))),
    ...(page.categories ?? []).map((name) => line('category', filled(name))),
    enclosure
      ? empty('enclosure', { url: enclosure.url, length: String(enclosure.length), type: enclosure.type })
      : '',
    line('content:encoded', filled(page.content)),
    line('ror:type', filled(page.type)),
    line('ror:keywords', filled(keywords)),
    line('ror:updated', page.lastmod),
    line('ror:updatePeriod', page.updatePeriod),
    line('ror:sortOrder', page.sortOrder?.toString()),
    line('ror:resourceOf', filled(page.resourceOf) ?? (anchored ? ANCHOR : undefined)),
  ])
}

/** The newest `dateMs` of the items; a clock here would make every body new (SPEC F9). */
function newestDate(items: readonly FeedItem[]): Date | undefined {
  let newest: number | undefined
  for (const { dateMs } of items) {
    if (dateMs !== undefined && (newest === undefined || dateMs > newest)) newest = dateMs
  }
  return newest === undefined ? undefined : new Date(newest)
}

/** RFC 822 form of a W3C date, in UTC (SPEC F30). */
function rfc822(date: string | undefined): string | undefined {
  const instant = date === undefined ? undefined : instantOf(date)
  return instant === undefined ? undefined : new Date(instant).toUTCString()
}

function item(lines: readonly string[]): string {
  return `    <item>\n${lines.join('')}    </item>\n`
}

/** An element on a line of its own, or nothing where there is nothing to say. */
function line(name: string, text: string | undefined, attributes: Attributes = {}): string {
  if (text === undefined) return ''
  return `      <${name}${written(attributes)}>${escapeText(cleanText(text))}</${name}>\n`
}

function empty(name: string, attributes: Attributes): string {
  return `      <${name}${written(attributes)}/>\n`
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(cleanText(value))}"`)
    .join('')
}

/** Clean text that shows something, else undefined: feeds and the ROR vocabulary know no empty names. */
function filled(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const clean = cleanText(text)
  return clean.trim() === '' ? undefined : clean
}
