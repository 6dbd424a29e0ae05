import { digestOf, digestOfAll } from '../digest.ts'
import type { FeedItem } from '../entry/entry.ts'
import { renderAtom } from '../formats/atom.ts'
import type { FeedDocument } from '../formats/feed-document.ts'
import { renderJsonFeed } from '../formats/json-feed.ts'
import { renderRss } from '../formats/rss.ts'
import { MEDIA_TYPES } from '../http/media-types.ts'
import { VERSION } from '../version.ts'
import type { Ingredients, TableContext } from './context.ts'
import { sectionFeedPath } from './paths.ts'
import { earlier } from './pieces.ts'
import { PLAIN_ROW, type RowDraft } from './rows.ts'

export type FeedKind = 'rss' | 'atom' | 'json'

const RENDERERS: Readonly<
  Record<FeedKind, (feed: FeedDocument, maxBytes: number) => string | Promise<string>>
> = {
  rss: renderRss,
  atom: renderAtom,
  json: renderJsonFeed,
}

/**
 * A feed: of all sections, or of the one that `section` names. Time decides what is in it: an entry dated in the future
 * enters at its instant, without a walk (DESIGN 3, point 11). No clock is printed.
 */
export function feedRow(
  kind: FeedKind,
  path: string,
  section: string | undefined,
  ingredients: Ingredients,
  context: TableContext,
  nowMs: number,
): RowDraft {
  const { feed, routes, maxBytes } = context.options
  const { items, nextMs } = itemsOf(ingredients, feed.limit, nowMs)
  const selfUrl = context.publicUrl(path)
  const document: FeedDocument = {
    site: context.site,
    settings: feed.settings,
    section: ingredients.shelves.find((shelf) => shelf.section === section)?.provider.title,
    selfUrl,
    sitemapUrl: routes.html === false ? undefined : context.publicUrl(routes.html),
    seeAlso: section === undefined ? sectionFeeds(path, ingredients, context) : [],
    items,
  }
  const { items: _, ...frame } = document
  const mediaType = {
    rss: `${feed.mediaType}; charset=utf-8`,
    atom: MEDIA_TYPES.atom,
    json: MEDIA_TYPES.jsonFeed,
  }[kind]
  return {
    ...PLAIN_ROW,
    path,
    kind,
    mediaType,
    digest: digestOfAll(VERSION, kind, mediaType, maxBytes, JSON.stringify(frame), ...items.map(itemDigest)),
    expiresAtMs: nextMs,
    shelves: ingredients.shelves,
    incomplete: ingredients.incomplete,
    // SPEC P10, P12: a hub is told of the URL that `self` names.
    link: [...feed.settings.hubs.map((hub) => `<${hub}>; rel="hub"`), `<${selfUrl}>; rel="self"`].join(', '),
    source: { type: 'text', blobs: () => [], render: () => RENDERERS[kind](document, maxBytes) },
  }
}

/** One section alone needs no feed of its own beside the main one, but has it: its path may be known. */
function sectionFeeds(
  path: string,
  { shelves }: Ingredients,
  { publicUrl }: TableContext,
): readonly string[] {
  return shelves.length < 2 ? [] : shelves.map(({ section }) => publicUrl(sectionFeedPath(path, section)))
}

function itemsOf(
  { read }: Ingredients,
  limit: number,
  nowMs: number,
): { readonly items: readonly FeedItem[]; readonly nextMs: number | undefined } {
  const seen = new Set<string>()
  const items: FeedItem[] = []
  let nextMs: number | undefined
  for (const { snapshot } of read) {
    for (const item of snapshot.feed) {
      if (seen.has(item.loc)) continue
      seen.add(item.loc)
      if (item.dateMs !== undefined && item.dateMs > nowMs) nextMs = earlier(nextMs, item.dateMs)
      else items.push(item)
    }
  }
  // Stable: equal dates stay in the order of providers, and of entries within them.
  items.sort((a, b) => (b.dateMs ?? Number.NEGATIVE_INFINITY) - (a.dateMs ?? Number.NEGATIVE_INFINITY) || 0)
  return { items: items.slice(0, limit), nextMs }
}

/** Items live as long as their snapshot and stand in several feeds: each is hashed once. */
const digests = new WeakMap<FeedItem, string>()

function itemDigest(item: FeedItem): string {
  let digest = digests.get(item)
  if (digest === undefined) {
    digest = digestOf(JSON.stringify(item))
    digests.set(item, digest)
  }
  return digest
}
