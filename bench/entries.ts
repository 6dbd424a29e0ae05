/** A plain entry as a database gives it. */
export interface Row {
  readonly loc: string
  readonly lastmod: string
}

const WORDS = [
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
] as const

/** An entry of a realistic length (about 120 bytes of XML), the same in every run; `folder` makes it another one. */
export function plainRow(i: number, folder = 'blog'): Row {
  return {
    loc: `/${folder}/${WORDS[i % 10]}-${WORDS[(i * 7 + 3) % 10]}-${WORDS[(i * 3 + 1) % 10]}-${i}`,
    lastmod: new Date(1_700_000_000_000 + (i % 30_000_000) * 61_000).toISOString(),
  }
}

export function plainRows(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => plainRow(i))
}

/** Entries as a cursor gives them: one at a time, all of them ready, which is what hogs a loop most. */
export async function* streamRows(count: number, from = 0, folder?: string): AsyncGenerator<Row> {
  for (let i = from; i < from + count; i++) yield plainRow(i, folder)
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
