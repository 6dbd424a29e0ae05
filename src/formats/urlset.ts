import type { CheckedElement, CheckedEntry, CheckedImage } from '../entry/checked.ts'
import { renderNews } from './news.ts'
import { renderVideos } from './video.ts'
import { escapeAttribute, escapeText } from './xml.ts'

export { withoutNews } from './news.ts'

/** Namespaces that a part uses beside the protocol's own (SPEC E1 to E4), as bits. */
export const IMAGE_NAMESPACE = 1
export const XHTML_NAMESPACE = 2
export const VIDEO_NAMESPACE = 4
export const NEWS_NAMESPACE = 8
/** Of the first namespace the site declares; the i-th is `FIRST_OWN_NAMESPACE << i`. */
export const FIRST_OWN_NAMESPACE = 16
/** Namespaces a site may declare: bits of one number, and more than any document needs. */
export const MOST_OWN_NAMESPACES = 16

/** The namespaces an entry needs. */
export function namespacesOf(entry: CheckedEntry): number {
  return (
    (entry.images.length > 0 ? IMAGE_NAMESPACE : 0) |
    (entry.alternates.length > 0 ? XHTML_NAMESPACE : 0) |
    (entry.videos.length > 0 ? VIDEO_NAMESPACE : 0) |
    (entry.news !== undefined ? NEWS_NAMESPACE : 0) |
    entry.extensionNamespaces
  )
}

/**
 * The `<url>` of an entry, one line. Children stand in the order of the schema (SPEC D7), those of other namespaces,
 * which it takes in any order, always as image, video, news, xhtml:link, elements of the site's own. The one writer of
 * URLs: it is compared byte for byte with an independent serializer in the tests, and everything it gets is clean already.
 */
export function renderUrl(entry: CheckedEntry): string {
  // In few pieces: each is an object until the block is made flat.
  let xml =
    entry.lastmod === undefined
      ? `<url><loc>${entry.locXml}</loc>`
      : `<url><loc>${entry.locXml}</loc><lastmod>${entry.lastmod.text}</lastmod>`
  if (entry.changefreq !== undefined) xml += `<changefreq>${entry.changefreq}</changefreq>`
  if (entry.priority !== undefined) xml += `<priority>${entry.priority}</priority>`
  if (entry.images.length > 0) xml += renderImages(entry.images)
  if (entry.videos.length > 0) xml += renderVideos(entry.videos)
  if (entry.news !== undefined) xml += renderNews(entry.news)
  for (const { hreflang, href } of entry.alternates)
    xml += `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escapeAttribute(href)}"/>`
  if (entry.extensions.length > 0) xml += renderElements(entry.extensions)
  return `${xml}</url>\n`
}

/** The `<url>` of an entry in a news file, one line: where it is, and its news (SPEC 2.3). */
export function renderNewsUrl(entry: CheckedEntry): string {
  const news = entry.news === undefined ? '' : renderNews(entry.news)
  return `<url><loc>${entry.locXml}</loc>${news}</url>\n`
}

/**
 * UTF-8 bytes of {@link renderUrl}'s text of an entry that needs these namespaces. URLs, dates and language tags are
 * ASCII: without texts nothing is counted.
 */
export function urlBytes(namespaces: number, xml: string): number {
  return (namespaces & ~XHTML_NAMESPACE) === 0 ? xml.length : Buffer.byteLength(xml)
}

function renderImages(images: readonly CheckedImage[]): string {
  let xml = ''
  for (const image of images) {
    xml += `<image:image><image:loc>${escapeText(image.loc)}</image:loc>`
    // SPEC E12: this order.
    if (image.caption !== undefined) xml += `<image:caption>${escapeText(image.caption)}</image:caption>`
    if (image.geoLocation !== undefined)
      xml += `<image:geo_location>${escapeText(image.geoLocation)}</image:geo_location>`
    if (image.title !== undefined) xml += `<image:title>${escapeText(image.title)}</image:title>`
    if (image.license !== undefined) xml += `<image:license>${escapeText(image.license)}</image:license>`
    xml += '</image:image>'
  }
  return xml
}

/** Elements of the site's own namespaces: text first, then children; an empty one is written short. */
function renderElements(elements: readonly CheckedElement[]): string {
  let xml = ''
  for (const { name, attributes, text, children } of elements) {
    xml += `<${name}`
    for (const [attribute, value] of attributes) xml += ` ${attribute}="${escapeAttribute(value)}"`
    xml +=
      text === undefined && children.length === 0
        ? '/>'
        : `>${text === undefined ? '' : escapeText(text)}${renderElements(children)}</${name}>`
  }
  return xml
}
