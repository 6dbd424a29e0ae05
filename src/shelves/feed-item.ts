import type { CheckedEntry, CheckedFeedFields, CheckedImage, CheckedVideo } from '../entry/checked.ts'
import type { FeedImage, FeedItem, FeedVideo } from '../entry/entry.ts'
import type { W3cDate } from '../entry/lastmod.ts'

/** Images, and videos, that an item tells of. */
const MOST_MEDIA = 10

/** What a feed keeps of an entry. Two items of equal values have one JSON, over which the feed's digest is taken. */
export function feedItem(
  entry: CheckedEntry,
  published: W3cDate | undefined,
  dateMs: number | undefined,
  fields: CheckedFeedFields,
): FeedItem {
  return present<FeedItem>({
    loc: entry.loc,
    title: entry.title ?? '',
    description: entry.description,
    lang: entry.lang,
    lastmod: entry.lastmod?.text,
    published: published?.text,
    dateMs,
    keywords: filled(fields.keywords),
    author: filled(fields.author),
    categories: filled(fields.categories),
    content: fields.content,
    guid: fields.guid,
    enclosure: fields.enclosure,
    type: fields.type,
    sortOrder: fields.sortOrder,
    resourceOf: fields.resourceOf,
    updatePeriod: fields.updatePeriod,
    images: filled(entry.images.slice(0, MOST_MEDIA).map(feedImage)),
    videos: filled(entry.videos.slice(0, MOST_MEDIA).map(feedVideo)),
    alternates: filled(entry.alternates.map(({ hreflang, href }) => ({ hreflang, href }))),
  })
}

function feedImage({ loc, title, caption }: CheckedImage): FeedImage {
  return present<FeedImage>({ loc, title, caption })
}

function feedVideo(video: CheckedVideo): FeedVideo {
  const { restriction } = video
  return present<FeedVideo>({
    thumbnailLoc: video.thumbnailLoc,
    title: video.title,
    description: video.description,
    contentLoc: video.contentLoc,
    playerLoc: video.playerLoc?.loc,
    duration: video.duration,
    expirationDate: video.expirationDate?.text,
    restriction: restriction && { relationship: restriction.relationship, countries: restriction.list },
  })
}

/** Every field of `T`; those that may be absent may be undefined. */
type Fields<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K]
}

/** `fields` without the undefined ones. */
function present<T>(fields: Fields<T>): T {
  const there: Record<string, unknown> = {}
  for (const name in fields) if (fields[name] !== undefined) there[name] = fields[name]
  return there as T
}

/** A list that holds something. */
function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}
