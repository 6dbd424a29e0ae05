/**
 * Every error and warning of the package, by its stable code. Callers match on `code`, never on text.
 * `docs/errors.md` has a row for each; a test keeps the two equal.
 */
export const CODES = {
  LSM_ERR_OPTION_INVALID: 500,
  LSM_ERR_OPTION_UNKNOWN: 500,
  LSM_ERR_OPTION_LATER: 500,
  LSM_ERR_ENTRY_INVALID: 500,
  LSM_ERR_PROVIDER_FAILED: 503,
  LSM_ERR_PROVIDER_TIMEOUT: 503,
  LSM_ERR_PROVIDER_INVALID: 503,
  LSM_ERR_PROVIDER_BUSY: 503,
  LSM_ERR_WALK_TIMEOUT: 503,
  LSM_ERR_WALK_HELD: 503,
  LSM_ERR_SPOOL_FAILED: 503,
  LSM_ERR_STORE_FAILED: 503,
  LSM_ERR_GROUP_LIMIT: 503,
  LSM_ERR_BUSY: 503,
  LSM_ERR_SECTION_UNKNOWN: 500,
  LSM_ERR_SITE_UNKNOWN: 500,
  LSM_ERR_SITE_LOOKUP: 503,
  LSM_ERR_CLOSED: 503,
  LSM_ERR_INTERNAL: 500,
  LSM_WARN_ENTRY_SKIPPED: 0,
  LSM_WARN_NAME_FOREIGN: 0,
  LSM_WARN_ORDER_CHANGED: 0,
  LSM_WARN_VERSION_FAILED: 0,
  LSM_WARN_CONTENT_FAILED: 0,
  LSM_WARN_TEMPLATE_FAILED: 0,
} as const

/** A code of {@link SitemapError} or of a logged warning. */
export type SitemapErrorCode = keyof typeof CODES

/** The one error class of the package: `code` is stable, `statusCode` is what HTTP would say, `cause` is the original. */
export class SitemapError extends Error {
  override readonly name: string = 'SitemapError'
  readonly code: SitemapErrorCode
  readonly statusCode: number

  constructor(code: SitemapErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    this.statusCode = CODES[code] || 500
  }
}

/** `value` as a short text for a message: its JSON-like form and its type, cut to one line; never throws. */
export function describe(value: unknown): string {
  let text: string
  try {
    if (typeof value === 'string') text = JSON.stringify(value)
    else if (typeof value === 'function') text = `function ${value.name || '(anonymous)'}`
    else if (Array.isArray(value)) text = `a list of ${value.length}`
    else if (value instanceof RegExp) text = String(value)
    else if (typeof value === 'object' && value !== null) text = objectText(value)
    else text = String(value)
  } catch {
    text = 'a value that cannot be shown'
  }
  // Names of functions and symbols may hold line breaks; JSON has them escaped already.
  text = text.replace(/\p{Cc}+/gu, ' ')
  // A cut through a surrogate pair would leave half a character.
  if (text.length > 120) text = `${text.slice(0, 117).toWellFormed()}...`
  return `${text} (${value === null ? 'null' : typeof value})`
}

/** JSON, or the class where that says nothing: a Map is `{}` in JSON. */
function objectText(value: object): string {
  const json = JSON.stringify(value) as string | undefined
  if (json !== undefined && json !== '{}') return json
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== '' && name !== 'Object' ? `a ${name}` : (json ?? 'an object')
}
