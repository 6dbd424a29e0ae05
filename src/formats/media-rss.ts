import type { FeedImage, FeedItem, FeedVideo } from '../entry/entry.ts'
import { filled } from './feed-text.ts'
import { emptyElement, parentElement, textElement } from './xml-elements.ts'

const DEPTH = 3

/** Videos and images of an RSS item in the words of Media RSS, as Google reads them (SPEC 4.2). */
export function mediaLines({ videos = [], images = [] }: FeedItem): string {
  const isAlone = videos.length === 1 && images.length === 0
  return [
    ...videos.map((video) => videoLine(video, !isAlone)),
    ...(isAlone ? videos.map((video) => limitLines(DEPTH, video)) : []),
    ...images.map(imageLine),
  ].join('')
}

function videoLine(video: FeedVideo, withLimits: boolean): string {
  return parentElement(
    DEPTH,
    'media:content',
    [
      video.playerLoc === undefined ? '' : emptyElement(DEPTH + 1, 'media:player', { url: video.playerLoc }),
      textElement(DEPTH + 1, 'media:title', filled(video.title)),
      textElement(DEPTH + 1, 'media:description', filled(video.description)),
      emptyElement(DEPTH + 1, 'media:thumbnail', { url: video.thumbnailLoc }),
      withLimits ? limitLines(DEPTH + 1, video) : '',
    ],
    { url: video.contentLoc, medium: 'video', duration: video.duration?.toString() },
  )
}

/**
 * Where and until when a video may be shown. Google's own sample has these beside a lone `media:content`; where an item
 * has several they have to stand inside, to say whose they are.
 */
function limitLines(depth: number, { restriction, expirationDate }: FeedVideo): string {
  const countries =
    restriction &&
    textElement(depth, 'media:restriction', filled(restriction.countries), {
      relationship: restriction.relationship,
      type: 'country',
    })
  const valid = expirationDate && textElement(depth, 'dcterms:valid', `end=${expirationDate}; scheme=W3C-DTF`)
  return `${countries ?? ''}${valid ?? ''}`
}

function imageLine({ loc, title, caption }: FeedImage): string {
  const said = [
    textElement(DEPTH + 1, 'media:title', filled(title)),
    textElement(DEPTH + 1, 'media:description', filled(caption)),
  ].filter((line) => line !== '')
  const attributes = { url: loc, medium: 'image' }
  return said.length === 0
    ? emptyElement(DEPTH, 'media:content', attributes)
    : parentElement(DEPTH, 'media:content', said, attributes)
}
