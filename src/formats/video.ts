import type { CheckedVideo } from '../entry/checked.ts'
import { escapeAttribute, escapeText } from './xml.ts'

/** The `<video:video>` elements of an entry, children in the order of the schema (SPEC E21 to E43, D8). */
export function renderVideos(videos: readonly CheckedVideo[]): string {
  let xml = ''
  for (const video of videos) xml += renderVideo(video)
  return xml
}

function renderVideo(video: CheckedVideo): string {
  const { contentLoc, playerLoc, galleryLoc, uploader, tvshow } = video
  let xml =
    '<video:video>' +
    `<video:thumbnail_loc>${escapeText(video.thumbnailLoc)}</video:thumbnail_loc>` +
    `<video:title>${escapeText(video.title)}</video:title>` +
    `<video:description>${escapeText(video.description)}</video:description>`
  if (contentLoc !== undefined) xml += `<video:content_loc>${escapeText(contentLoc)}</video:content_loc>`
  if (playerLoc !== undefined) {
    const embed = attribute('allow_embed', playerLoc.allowEmbed) + attribute('autoplay', playerLoc.autoplay)
    xml += `<video:player_loc${embed}>${escapeText(playerLoc.loc)}</video:player_loc>`
  }
  if (video.duration !== undefined) xml += `<video:duration>${video.duration}</video:duration>`
  if (video.expirationDate !== undefined)
    xml += `<video:expiration_date>${video.expirationDate.text}</video:expiration_date>`
  if (video.rating !== undefined) xml += `<video:rating>${video.rating}</video:rating>`
  for (const { loc, duration } of video.contentSegmentLoc)
    xml += `<video:content_segment_loc${attribute('duration', duration?.toString())}>${escapeText(loc)}</video:content_segment_loc>`
  if (video.viewCount !== undefined) xml += `<video:view_count>${video.viewCount}</video:view_count>`
  if (video.publicationDate !== undefined)
    xml += `<video:publication_date>${video.publicationDate.text}</video:publication_date>`
  for (const tag of video.tags) xml += `<video:tag>${escapeText(tag)}</video:tag>`
  if (video.category !== undefined) xml += `<video:category>${escapeText(video.category)}</video:category>`
  if (video.familyFriendly !== undefined)
    xml += `<video:family_friendly>${video.familyFriendly}</video:family_friendly>`
  if (video.restriction !== undefined)
    xml += `<video:restriction relationship="${video.restriction.relationship}">${video.restriction.list}</video:restriction>`
  if (galleryLoc !== undefined)
    xml += `<video:gallery_loc${attribute('title', galleryLoc.title)}>${escapeText(galleryLoc.loc)}</video:gallery_loc>`
  for (const price of video.prices) xml += renderPrice(price)
  if (video.requiresSubscription !== undefined)
    xml += `<video:requires_subscription>${video.requiresSubscription}</video:requires_subscription>`
  if (uploader !== undefined)
    xml += `<video:uploader${attribute('info', uploader.info)}>${escapeText(uploader.name)}</video:uploader>`
  if (tvshow !== undefined) xml += renderTvshow(tvshow)
  if (video.platform !== undefined)
    xml += `<video:platform relationship="${video.platform.relationship}">${video.platform.list}</video:platform>`
  if (video.live !== undefined) xml += `<video:live>${video.live}</video:live>`
  for (const { type, value } of video.ids) xml += `<video:id type="${type}">${escapeText(value)}</video:id>`
  return `${xml}</video:video>`
}

function renderPrice({ value, currency, type, resolution }: CheckedVideo['prices'][number]): string {
  const attributes =
    attribute('currency', currency) + attribute('type', type) + attribute('resolution', resolution)
  return value === undefined
    ? `<video:price${attributes}/>`
    : `<video:price${attributes}>${value}</video:price>`
}

function renderTvshow(tvshow: NonNullable<CheckedVideo['tvshow']>): string {
  const { episodeTitle, seasonNumber, episodeNumber, premierDate } = tvshow
  let xml =
    `<video:tvshow><video:show_title>${escapeText(tvshow.showTitle)}</video:show_title>` +
    `<video:video_type>${tvshow.videoType}</video:video_type>`
  if (episodeTitle !== undefined)
    xml += `<video:episode_title>${escapeText(episodeTitle)}</video:episode_title>`
  if (seasonNumber !== undefined) xml += `<video:season_number>${seasonNumber}</video:season_number>`
  if (episodeNumber !== undefined) xml += `<video:episode_number>${episodeNumber}</video:episode_number>`
  if (premierDate !== undefined) xml += `<video:premier_date>${premierDate.text}</video:premier_date>`
  return `${xml}</video:tvshow>`
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`
}
