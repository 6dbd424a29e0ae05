import type { FeedItem } from '../entry/entry.ts'
import type { FeedDocument } from './feed-document.ts'
import {
  createRoom,
  feedTitle,
  filled,
  filledList,
  itemIds,
  languageTag,
  newestMs,
  ownLanguage,
  personOf,
  rfc3339,
  secondsText,
  siteTitle,
} from './feed-text.ts'
import { emptyElement, parentElement, textElement } from './xml-elements.ts'

const EPOCH = '1970-01-01T00:00:00Z'

/** The feed as Atom 1.0 (RFC 4287; SPEC A1 to A6): the entries that fit into `maxBytes` (F44). Nothing in it comes from a clock. */
export function renderAtom(feed: FeedDocument, maxBytes: number = Number.POSITIVE_INFINITY): string {
  // Without entries it has an author in any case: the largest it can be.
  const fits = createRoom(maxBytes, documentOf({ ...feed, items: [] }, ''))
  const ids = itemIds(feed.items, isAbsoluteIri)
  const items: FeedItem[] = []
  let lines = ''
  for (const [i, item] of feed.items.entries()) {
    const written = entryLines(feed, item, ids[i] ?? item.loc)
    if (!fits(written)) continue
    items.push(item)
    lines += written
  }
  return documentOf({ ...feed, items }, lines)
}

/** The document with the lines of its entries. */
function documentOf(feed: FeedDocument, entries: string): string {
  const { site, settings, items } = feed
  const { image } = settings
  const newest = newestMs(items)
  const isSquare = image?.width !== undefined && image.width === image.height
  const root = parentElement(
    0,
    'feed',
    [
      textElement(1, 'id', feed.selfUrl),
      textElement(1, 'title', feedTitle(feed)),
      textElement(1, 'subtitle', filled(site.description)),
      // DESIGN 3.11: must be there, and no clock may say it.
      textElement(1, 'updated', newest === undefined ? EPOCH : secondsText(newest)),
      emptyElement(1, 'link', { rel: 'self', type: 'application/atom+xml', href: feed.selfUrl }),
      emptyElement(1, 'link', { rel: 'alternate', type: 'text/html', href: site.url }),
      ...settings.hubs.map((href) => emptyElement(1, 'link', { rel: 'hub', href })),
      feedAuthor(feed),
      ...categoryLines(1, settings.categories),
      // RFC 4287 §4.2.5, §4.2.8: an icon is square; what is not known to be is a logo.
      textElement(1, isSquare ? 'icon' : 'logo', image?.url),
      textElement(1, 'rights', filled(settings.copyright)),
      textElement(1, 'generator', 'live-sitemap'),
      entries,
    ],
    { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': languageTag(site.language) },
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`
}

/** SPEC A1: needed unless every entry has an author of its own. */
function feedAuthor({ site, settings, items }: FeedDocument): string {
  const author = filled(settings.author)
  if (author !== undefined) return personLines(1, author)
  const everyEntryHasOne = items.length > 0 && items.every((item) => filledList(item.author).length > 0)
  return everyEntryHasOne ? '' : parentElement(1, 'author', [textElement(2, 'name', siteTitle(site))])
}

function entryLines(feed: FeedDocument, item: FeedItem, id: string): string {
  const { loc, enclosure } = item
  return parentElement(
    1,
    'entry',
    [
      textElement(2, 'id', id),
      textElement(2, 'title', filled(item.title) ?? loc),
      textElement(2, 'updated', rfc3339(item.lastmod) ?? rfc3339(item.published) ?? EPOCH),
      textElement(2, 'published', rfc3339(item.published)),
      ...alternateLines(item),
      enclosure
        ? emptyElement(2, 'link', {
            rel: 'enclosure',
            type: enclosure.type,
            // 0 stands for not known (SPEC F26), and here the attribute may be left out.
            length: enclosure.length > 0 ? String(enclosure.length) : undefined,
            href: enclosure.url,
          })
        : '',
      ...filledList(item.author).map((author) => personLines(2, author)),
      ...categoryLines(2, item.categories),
      textElement(2, 'summary', filled(item.description)),
      // The HTML is that of the page: what is relative in it is relative to the page.
      textElement(2, 'content', filled(item.content), { type: 'html', 'xml:base': loc }),
    ],
    { 'xml:lang': ownLanguage(item, feed) },
  )
}

/** The page itself first, which readers take for the entry's link; then one for each other language (SPEC A4). */
function alternateLines({ loc, lang, alternates = [] }: FeedItem): string[] {
  const own = languageTag(alternates.find(({ href }) => href === loc)?.hreflang ?? lang)
  const links = [emptyElement(2, 'link', { rel: 'alternate', hreflang: own, href: loc })]
  const taken = new Set([own?.toLowerCase()])
  for (const { hreflang, href } of alternates) {
    const language = languageTag(hreflang)
    if (language === undefined || taken.has(language.toLowerCase())) continue
    taken.add(language.toLowerCase())
    links.push(emptyElement(2, 'link', { rel: 'alternate', hreflang: language, href }))
  }
  return links
}

function categoryLines(depth: number, categories: readonly string[] | undefined): string[] {
  return filledList(categories).map((term) => emptyElement(depth, 'category', { term }))
}

function personLines(depth: number, text: string): string {
  const { name, email } = personOf(text)
  return parentElement(depth, 'author', [
    textElement(depth + 1, 'name', name),
    textElement(depth + 1, 'email', email),
  ])
}

// RFC 3987: what never stands in an IRI.
const IRI = /^([A-Za-z][A-Za-z0-9+.-]*):[^\s\p{C}<>"{}|\\^`]+$/u
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/

/** Schemes with a form of their own: RFC 9110 §4.2.1, RFC 8141 §2, RFC 9562 §4, RFC 4151 §2.1. */
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ['http', /^http:\/\/[^/?#]/i],
  ['https', /^https:\/\/[^/?#]/i],
  [
    'urn',
    /^urn:(uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|(?!uuid:)[a-z0-9][a-z0-9-]{0,30}[a-z0-9]:[^/?#])/i,
  ],
  ['tag', /^tag:[^,:/?#]+,\d{4}(-\d\d(-\d\d)?)?:/i],
])

/** Whether a guid may be an `id`, which has to be an absolute IRI (RFC 4287 §4.2.6). */
function isAbsoluteIri(guid: string): boolean {
  const scheme = IRI.exec(guid)?.[1]?.toLowerCase()
  if (scheme === undefined || BROKEN_ESCAPE.test(guid)) return false
  return FORMS.get(scheme)?.test(guid) ?? true
}
