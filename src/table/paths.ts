/**
 * The grammar of the names of our documents. Nothing else knows it but the table, which makes the names; a request's
 * path is only looked up. Section keys hold no hyphen, so that the first one ends the section.
 */

export const SECTION_KEY: RegExp = /^[A-Za-z][A-Za-z0-9_]*$/

/** Path of our stylesheet for the HTML sitemap. */
export const STYLESHEET_PATH = '/sitemap-html.css'

/** `/sitemap-{section}-{n}.{extension}`, n from 1: a part in XML and TXT, a page in HTML. */
export function partPath(section: string, number: number, extension: 'xml' | 'txt' | 'html'): string {
  return `/sitemap-${section}-${number}.${extension}`
}

const PART = /^\/sitemap-([A-Za-z][A-Za-z0-9_]*)-[1-9]\d*\.(xml|txt|html)$/

/** The section and format whose part a path could name; undefined for any other path. */
export function readPartPath(
  path: string,
): { readonly section: string; readonly format: 'xml' | 'txt' | 'html' } | undefined {
  const match = PART.exec(path)
  if (match === null) return undefined
  const [, section = '', format] = match
  return { section, format: format as 'xml' | 'txt' | 'html' }
}
