import type { IndexEntry } from './format.ts'
import type { Frame } from './frames.ts'
import { escapeText } from './xml.ts'

/** The sitemapindex that lists `entries`, one a line (SPEC 1.5). At most 50,000 (I10): the caller cuts. */
export function renderSitemapIndex(entries: readonly IndexEntry[], { head, tail }: Frame): string {
  let body = ''
  for (const { loc, lastmod } of entries) {
    const dated = lastmod === undefined ? '' : `<lastmod>${escapeText(lastmod)}</lastmod>`
    body += `<sitemap><loc>${escapeText(loc)}</loc>${dated}</sitemap>\n`
  }
  return head + body + tail
}
