/**
 * The grammar of the names of our documents. Nothing else knows it but the table, which makes the names; a request's
 * path is only looked up. Section keys hold no hyphen, so that the first one ends the section.
 */

/** At most 64 characters: routers bound the length of a parameter (Fastify: 100), and a part has its number, too. */
export const SECTION_KEY: RegExp = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/** Path of our stylesheet for the HTML sitemap. */
export const STYLESHEET_PATH = '/sitemap-html.css'

/** `/sitemap-{section}-{n}.{extension}`, n from 1: a part in XML and TXT, a page in HTML. */
export function partPath(section: string, number: number, extension: 'xml' | 'txt' | 'html'): string {
  return `/sitemap-${section}-${number}.${extension}`
}

const PART = /^\/sitemap-([A-Za-z][A-Za-z0-9_]{0,63})-[1-9]\d*\.(xml|txt|html)$/

/** The section and format whose part a path could name; undefined for any other path. */
export function readPartPath(
  path: string,
): { readonly section: string; readonly format: 'xml' | 'txt' | 'html' } | undefined {
  const match = PART.exec(path)
  if (match === null) return undefined
  const [, section = '', format] = match
  return { section, format: format as 'xml' | 'txt' | 'html' }
}

/** Whether `path` names the first part or page of `section`, which a section without entries may have or not (onEmpty). */
export function isFirstPart(path: string, section: string): boolean {
  return (['xml', 'txt', 'html'] as const).some((extension) => path === partPath(section, 1, extension))
}
