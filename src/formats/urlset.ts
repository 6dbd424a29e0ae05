import type { CheckedEntry } from '../entry/checked.ts'
import { escapeAttribute, escapeText } from './xml.ts'

/** Namespaces that a part uses beside the protocol's own (SPEC E1, E4), as bits. */
export const IMAGE_NAMESPACE = 1
export const XHTML_NAMESPACE = 2

/** The namespaces an entry needs. */
export function namespacesOf(entry: CheckedEntry): number {
  return (entry.images.length > 0 ? IMAGE_NAMESPACE : 0) | (entry.alternates.length > 0 ? XHTML_NAMESPACE : 0)
}

/**
 * The `<url>` of an entry, one line, children in the order of the schema (SPEC D7). The one writer of URLs: it is
 * compared byte for byte with an independent serializer in the tests, and everything it gets is clean already.
 */
export function renderUrl(entry: CheckedEntry): string {
  let xml = `<url><loc>${entry.locXml}</loc>`
  if (entry.lastmod !== undefined) xml += `<lastmod>${entry.lastmod.text}</lastmod>`
  if (entry.changefreq !== undefined) xml += `<changefreq>${entry.changefreq}</changefreq>`
  if (entry.priority !== undefined) xml += `<priority>${entry.priority}</priority>`
  for (const image of entry.images) {
    xml += `<image:image><image:loc>${escapeText(image.loc)}</image:loc>`
    // SPEC E12: this order.
    if (image.caption !== undefined) xml += `<image:caption>${escapeText(image.caption)}</image:caption>`
    if (image.geoLocation !== undefined)
      xml += `<image:geo_location>${escapeText(image.geoLocation)}</image:geo_location>`
    if (image.title !== undefined) xml += `<image:title>${escapeText(image.title)}</image:title>`
    if (image.license !== undefined) xml += `<image:license>${escapeText(image.license)}</image:license>`
    xml += '</image:image>'
  }
  for (const { hreflang, href } of entry.alternates)
    xml += `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escapeAttribute(href)}"/>`
  return `${xml}</url>\n`
}

/** UTF-8 bytes of {@link renderUrl}'s text: only an image's texts can hold anything but ASCII. */
export function urlBytes(entry: CheckedEntry, xml: string): number {
  return entry.images.length === 0 ? xml.length : Buffer.byteLength(xml)
}
