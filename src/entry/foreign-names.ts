/** Names that other packages use, with ours. Typed `never` in {@link Entry}; at run time a walk warns of each once. */
export const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  lastMod: 'lastmod',
  lastModified: 'lastmod',
  lastmodISO: 'lastmod',
  changeFreq: 'changefreq',
  changeFrequency: 'changefreq',
  links: 'alternates',
  alternateRefs: 'alternates',
  image: 'images',
  img: 'images',
  video: 'videos',
}

/** Names that databases use for `lastmod`; said only where the entry has none. */
const LASTMOD_NAMES: readonly string[] = [
  'updatedAt',
  'updated_at',
  'updated',
  'modifiedAt',
  'modified_at',
  'modified',
]

/** Our name for one that is not read, or undefined. */
export function ourNameOf(name: string): string | undefined {
  return (
    (Object.hasOwn(FOREIGN_NAMES, name) ? FOREIGN_NAMES[name] : undefined) ??
    (LASTMOD_NAMES.includes(name) ? 'lastmod' : undefined)
  )
}

/** The names in `entry` that will not be read, without reading a value. */
export function foreignNames(entry: object): string[] {
  const found: string[] = []
  for (const name in entry)
    if (Object.hasOwn(FOREIGN_NAMES, name) || (LASTMOD_NAMES.includes(name) && !('lastmod' in entry)))
      found.push(name)
  return found
}

/** Inside a video: the tags as the schema spells them, and names of other packages and vocabularies, with ours. */
export const FOREIGN_VIDEO_NAMES: Readonly<Record<string, string>> = {
  thumbnail_loc: 'thumbnailLoc',
  thumbnail: 'thumbnailLoc',
  thumbnailUrl: 'thumbnailLoc',
  content_loc: 'contentLoc',
  contentUrl: 'contentLoc',
  player_loc: 'playerLoc',
  playerUrl: 'playerLoc',
  embedUrl: 'playerLoc',
  expiration_date: 'expirationDate',
  content_segment_loc: 'contentSegmentLoc',
  view_count: 'viewCount',
  publication_date: 'publicationDate',
  uploadDate: 'publicationDate',
  tags: 'tag',
  family_friendly: 'familyFriendly',
  gallery_loc: 'galleryLoc',
  prices: 'price',
  requires_subscription: 'requiresSubscription',
  tvShow: 'tvshow',
}

/** Inside the `tvshow` of a video. */
export const FOREIGN_TVSHOW_NAMES: Readonly<Record<string, string>> = {
  show_title: 'showTitle',
  video_type: 'videoType',
  episode_title: 'episodeTitle',
  season_number: 'seasonNumber',
  episode_number: 'episodeNumber',
  premier_date: 'premierDate',
}

/** Inside `news`. */
export const FOREIGN_NEWS_NAMES: Readonly<Record<string, string>> = {
  publication: 'name',
  publication_date: 'publicationDate',
  stock_tickers: 'stockTickers',
}

/** Tells of the names in `part` that are not read while what they stand for is missing: a value beside ours is no loss. */
export function tellForeign(
  part: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
  tell: (name: string, ours: string) => void,
): void {
  for (const name in part) {
    const ours = Object.hasOwn(names, name) ? names[name] : undefined
    if (ours !== undefined && (part[ours] ?? undefined) === undefined) tell(name, ours)
  }
}
