import type { FeedItem } from '../entry/entry.ts'
import { createSlices } from '../slices.ts'
import type { FeedDocument } from './feed-document.ts'
import {
  createRoom,
  feedTitle,
  filled,
  filledList,
  itemIds,
  languageTag,
  newestMs,
  personOf,
  rfc822,
  secondsText,
  siteTitle,
} from './feed-text.ts'
import { loadBuilder } from './frames.ts'
import { stringsFor } from './html-strings.ts'
import { mediaLines } from './media-rss.ts'
import { cleanText, escapeAttribute, escapeText } from './xml.ts'
import { emptyElement, parentElement, textElement } from './xml-elements.ts'

const ATOM = 'http://www.w3.org/2005/Atom'
const ROR = 'http://rorweb.com/0.1/'

/** Namespaces that only some feeds use. */
const OPTIONAL_NAMESPACES = [
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['content', 'http://purl.org/rss/1.0/modules/content/'],
  ['media', 'http://search.yahoo.com/mrss/'],
  ['dcterms', 'http://purl.org/dc/terms/'],
] as const

/** Where RSS 2.0 is defined (SPEC F7). */
const DOCS = 'https://www.rssboard.org/rss-specification'

/** What `ror:about` calls the HTML sitemap, and `ror:resourceOf` of its pages points at (SPEC R6, R15, R16). */
const ANCHOR = 'sitemap'

// SPEC F13.
const WIDEST_IMAGE = 144
const HIGHEST_IMAGE = 400

/**
 * The feed as RSS 2.0 with ROR (SPEC 4, 5): channel head, the site as Main, the HTML sitemap as SiteMap, then the items
 * that fit into `maxBytes` (F44). Nothing in it comes from a clock.
 */
export async function renderRss(
  feed: FeedDocument,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<string> {
  const frame = await documentOf(feed, '', () => true)
  const { items, lines } = await pageItems(feed, createRoom(maxBytes, frame))
  // Texts are escaped, so that a `<` begins an element.
  return documentOf({ ...feed, items }, lines, (prefix) => lines.includes(`<${prefix}:`))
}

/** The document with the lines of its page items; `uses` tells which of the optional namespaces they need. */
async function documentOf(
  feed: FeedDocument,
  lines: string,
  uses: (prefix: string) => boolean,
): Promise<string> {
  const { sitemapUrl, site } = feed
  const head = await channelHead(feed, uses)
  const end = head.lastIndexOf('  </channel>')
  const anchor = sitemapUrl === undefined ? '' : sitemapItem(sitemapUrl, site.language)
  return `${head.slice(0, end)}${mainItem(feed)}${anchor}${lines}${head.slice(end)}\n`
}

async function channelHead(feed: FeedDocument, uses: (prefix: string) => boolean): Promise<string> {
  const { create } = await loadBuilder()
  const { site, settings } = feed
  const title = feedTitle(feed)
  const newest = newestMs(feed.items)

  const rss = create({ version: '1.0', encoding: 'UTF-8' }).ele('rss', { version: '2.0' })
  const declare = (prefix: string, namespace: string) =>
    rss.att('http://www.w3.org/2000/xmlns/', `xmlns:${prefix}`, namespace)
  declare('atom', ATOM)
  declare('ror', ROR)
  for (const [prefix, namespace] of OPTIONAL_NAMESPACES) if (uses(prefix)) declare(prefix, namespace)

  const channel = rss.ele('channel')
  const say = (name: string, text: string | number | undefined, parent = channel) => {
    // xmlbuilder2 4.0.3 lets `&word;` and `&#n;` through as they are (measured): it gets text that is escaped already.
    if (text !== undefined) parent.ele(name).txt(escapeText(cleanText(String(text))))
  }
  const atomLink = (href: string, attributes: Readonly<Record<string, string>>) =>
    channel.ele(ATOM, 'atom:link', { href: escapeAttribute(cleanText(href)), ...attributes })

  say('title', title)
  say('link', site.url)
  say('description', filled(site.description) ?? title) // SPEC D11
  say('language', languageTag(site.language))
  say('copyright', filled(settings.copyright))
  say('managingEditor', filled(settings.managingEditor))
  say('webMaster', filled(settings.webMaster))
  if (newest !== undefined) say('lastBuildDate', new Date(newest).toUTCString())
  for (const category of filledList(settings.categories)) say('category', category)
  say('generator', 'live-sitemap')
  say('docs', DOCS)
  say('ttl', settings.ttlMinutes)
  if (settings.image !== undefined) {
    const { url, width, height } = settings.image
    const image = channel.ele('image')
    say('url', url, image)
    // Readers draw the picture as a link: title and link are the channel's own.
    say('title', title, image)
    say('link', site.url, image)
    // One without the other would be drawn in its wrong shape.
    if (fits(width, WIDEST_IMAGE) && fits(height, HIGHEST_IMAGE)) {
      say('width', width, image)
      say('height', height, image)
    }
  }
  atomLink(feed.selfUrl, { rel: 'self', type: 'application/rss+xml' })
  for (const hub of settings.hubs) atomLink(hub, { rel: 'hub' })

  return rss.doc().end({ prettyPrint: true })
}

function fits(size: number | undefined, largest: number): boolean {
  return size === undefined || (Number.isInteger(size) && size >= 1 && size <= largest)
}

/** The pages that fit, and what they are written as. */
async function pageItems(
  { items: all, sitemapUrl }: FeedDocument,
  fits: (written: string) => boolean,
): Promise<{ readonly items: readonly FeedItem[]; readonly lines: string }> {
  const ids = itemIds(all, () => true)
  const items: FeedItem[] = []
  let lines = ''
  const slices = createSlices()
  for (const [i, page] of all.entries()) {
    const written = pageItem(page, ids[i] ?? page.loc, sitemapUrl !== undefined)
    if (fits(written)) {
      items.push(page)
      lines += written
    }
    // A thousand articles of 5 KB take 130 ms (measured).
    await slices()
  }
  return { items, lines }
}

/** The site itself, of which there is exactly one (SPEC R5). */
function mainItem({ site, items, seeAlso }: FeedDocument): string {
  const newest = newestMs(items)
  return item([
    line('title', siteTitle(site)),
    line('link', site.url),
    line('description', htmlOf(filled(site.description))),
    ownGuid(`${site.url}#main`),
    line('ror:type', 'Main'),
    line('ror:updated', newest === undefined ? undefined : secondsText(newest)),
    ...seeAlso.map((url) => line('ror:seeAlso', url)), // SPEC R4
  ])
}

/** The anchor that pages name as what they are a resource of (SPEC R16). */
function sitemapItem(sitemapUrl: string, language: string): string {
  return item([
    line('title', stringsFor(language).sitemap),
    line('link', sitemapUrl),
    ownGuid(`${sitemapUrl}#sitemap`),
    line('ror:about', ANCHOR),
    line('ror:type', 'SiteMap'),
  ])
}

/** With a fragment, which no loc has: readers would take our item and the page's own for one. */
function ownGuid(guid: string): string {
  return line('guid', guid, { isPermaLink: 'false' })
}

function pageItem(page: FeedItem, guid: string, anchored: boolean): string {
  const { loc, enclosure } = page
  return item([
    line('title', filled(page.title) ?? loc),
    line('link', loc),
    line('description', htmlOf(filled(page.description))),
    // SPEC F22: a permalink is a URL that leads to the item, and only loc is known to be one.
    line('guid', guid, { isPermaLink: String(guid === loc) }),
    line('pubDate', rfc822(page.published)),
    authorLines(filledList(page.author)),
    ...filledList(page.categories).map((name) => line('category', name)),
    enclosure
      ? emptyElement(3, 'enclosure', {
          url: enclosure.url,
          length: String(enclosure.length),
          type: enclosure.type,
        })
      : '',
    line('content:encoded', filled(page.content)),
    mediaLines(page),
    line('ror:type', filled(page.type)),
    line('ror:keywords', filled(filledList(page.keywords).join(', '))),
    line('ror:image', page.images?.[0]?.loc),
    // SPEC R12: the forms W3 and W5, without fractions of a second.
    line('ror:updated', page.lastmod?.replace(/\.\d+/, '')),
    line('ror:updatePeriod', page.updatePeriod),
    line('ror:sortOrder', page.sortOrder?.toString()),
    line('ror:resourceOf', filled(page.resourceOf) ?? (anchored ? ANCHOR : undefined)),
  ])
}

/** SPEC F24: `author` is one e-mail; names, and more than one, go to `dc:creator`. Both at once would say it twice. */
function authorLines(authors: readonly string[]): string {
  const [only = ''] = authors
  const { name, email } = personOf(only)
  if (authors.length !== 1 || email === undefined)
    return authors.map((author) => line('dc:creator', author)).join('')
  return line('author', name === email ? email : `${email} (${name})`)
}

/**
 * Text for an item's `description`, the one element that readers take for HTML (SPEC F31; RSS profile, character data):
 * what would begin a tag or a reference there is escaped, the rest stays as it is for those who take it for text.
 */
function htmlOf(text: string | undefined): string | undefined {
  return text?.replace(/<|&(?=[#A-Za-z0-9])/g, (character) => (character === '<' ? '&lt;' : '&amp;'))
}

function item(lines: readonly string[]): string {
  return parentElement(2, 'item', lines)
}

function line(name: string, text: string | undefined, attributes?: Readonly<Record<string, string>>): string {
  return textElement(3, name, text, attributes)
}
