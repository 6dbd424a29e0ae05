import { createSlices } from '../slices.ts'
import type { IndexEntry } from './format.ts'
import type { Frame } from './frames.ts'
import { escapeText } from './xml.ts'

/** Lines written between two looks at the app's own work: a fraction of a millisecond. */
const AT_A_TIME = 256

/**
 * The sitemapindex that lists `entries`, one a line (SPEC 1.5), giving way to the app's own work. At most 50,000 and
 * `maxBytes` (I10): the caller cuts.
 */
export async function renderSitemapIndex(
  entries: Iterable<IndexEntry>,
  { head, tail }: Frame,
): Promise<string> {
  const slices = createSlices()
  const texts = [head]
  let lines: string[] = []
  for (const entry of entries) {
    lines.push(sitemapLine(entry))
    if (lines.length < AT_A_TIME) continue
    // Joined at once: a text that is put together line by line is copied in one long go in the end.
    texts.push(lines.join(''))
    lines = []
    await slices()
  }
  texts.push(...lines, tail)
  return texts.join('')
}

/** One line of a sitemapindex. */
export function sitemapLine({ loc, lastmod }: IndexEntry): string {
  const dated = lastmod === undefined ? '' : `<lastmod>${escapeText(lastmod)}</lastmod>`
  return `<sitemap><loc>${escapeText(loc)}</loc>${dated}</sitemap>\n`
}
