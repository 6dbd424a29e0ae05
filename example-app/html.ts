/** HTML that is safe to send as it stands; only `html` makes it. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What may stand in an `html` template: text is escaped, HTML is not, nothing is written for null and undefined. */
export type HtmlValue = Html | string | number | null | undefined | readonly HtmlValue[]

/** Template tag: escapes every value for text and for quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? ''
  for (const [i, value] of values.entries()) text += write(value) + (strings[i + 1] ?? '')
  return new Html(text)
}

function write(value: HtmlValue): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return value.map(write).join('')
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
