/** A plain entry as a database gives it. */
export interface Row {
  readonly loc: string
  readonly lastmod: string
}

/** Entries of a realistic length (about 120 bytes of XML each), the same in every run. */
export function plainRows(count: number): Row[] {
  const words = [
    'garden',
    'kitchen',
    'summer',
    'recipe',
    'tomato',
    'basil',
    'oven',
    'bread',
    'winter',
    'knife',
  ]
  return Array.from({ length: count }, (_, i) => ({
    loc: `/blog/${words[i % 10]}-${words[(i * 7 + 3) % 10]}-${words[(i * 3 + 1) % 10]}-${i}`,
    lastmod: new Date(1_700_000_000_000 + i * 61_000).toISOString(),
  }))
}

export const ORIGIN = 'https://www.example.com'

/** The physical limit of the language: the same bytes by joining strings, nothing checked, nothing escaped. */
export function joinStrings(rows: readonly Row[]): Buffer {
  const lines: string[] = []
  for (const row of rows)
    lines.push(`<url><loc>${ORIGIN}${row.loc}</loc><lastmod>${row.lastmod}</lastmod></url>\n`)
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</urlset>\n`,
  )
}
