import type { FeedItem } from '../entry/entry.ts'
import type { FeedDocument } from './feed-document.ts'
import {
  createRoom,
  feedTitle,
  filled,
  filledList,
  itemIds,
  languageTag,
  ownLanguage,
  personOf,
  rfc3339,
} from './feed-text.ts'

/** The feed as JSON Feed 1.1 (SPEC A10 to A13): the items that fit into `maxBytes` (F44). Nothing in it comes from a clock. */
export function renderJsonFeed(feed: FeedDocument, maxBytes: number = Number.POSITIVE_INFINITY): string {
  const fits = createRoom(maxBytes, documentOf(feed, []))
  const ids = itemIds(feed.items, () => true)
  const items = feed.items
    .map((item, i) => itemOf(feed, item, ids[i] ?? item.loc))
    // Weighed as deep as it will stand; the braces around are more than the comma behind it.
    .filter((item) => fits(jsonText({ items: [item] })))
  return documentOf(feed, items)
}

function documentOf(feed: FeedDocument, items: readonly object[]): string {
  const { site, settings } = feed
  const author = filled(settings.author)
  return `${jsonText({
    version: 'https://jsonfeed.org/version/1.1',
    title: feedTitle(feed),
    home_page_url: site.url,
    feed_url: feed.selfUrl,
    description: filled(site.description),
    icon: settings.image?.url,
    authors: author === undefined ? undefined : authorsOf([author]),
    language: languageTag(site.language),
    hubs: listOf(settings.hubs.map((url) => ({ type: 'WebSub', url }))),
    items,
  })}\n`
}

/** What is undefined is not written. JSON allows two characters raw that JavaScript before ES2019 did not: the text may be pasted into a script. */
function jsonText(value: object): string {
  return JSON.stringify(value, null, 2).replace(/[\u2028\u2029]/g, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  )
}

function itemOf(feed: FeedDocument, item: FeedItem, id: string): object {
  const { loc } = item
  const title = filled(item.title) ?? loc
  const summary = filled(item.description)
  const html = filled(item.content)
  return {
    id,
    url: loc,
    title,
    // SPEC A11: one of the two is needed.
    content_html: html,
    content_text: html === undefined ? (summary ?? title) : undefined,
    summary,
    image: item.images?.[0]?.loc,
    date_published: rfc3339(item.published),
    date_modified: rfc3339(item.lastmod),
    authors: authorsOf(filledList(item.author)),
    tags: listOf(filledList(item.categories)),
    language: ownLanguage(item, feed),
    attachments: attachmentsOf(item),
  }
}

function attachmentsOf({ enclosure }: FeedItem): readonly object[] | undefined {
  if (enclosure === undefined) return undefined
  const { url, type, length } = enclosure
  return [
    // 0 stands for not known (SPEC F26).
    { url, mime_type: type, size_in_bytes: length > 0 ? length : undefined },
  ]
}

function authorsOf(authors: readonly string[]): readonly object[] | undefined {
  return listOf(
    authors.map((text) => {
      const { name, email } = personOf(text)
      return { name, url: email === undefined ? undefined : `mailto:${email}` }
    }),
  )
}

/** A list, or undefined where it is empty. */
function listOf<T>(members: readonly T[]): readonly T[] | undefined {
  return members.length === 0 ? undefined : members
}
