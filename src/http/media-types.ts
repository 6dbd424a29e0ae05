/** The kinds of document that have a media type of their own. */
export type MediaTypeName = 'xml' | 'rss' | 'atom' | 'jsonFeed' | 'html' | 'txt' | 'llms' | 'css' | 'json'

/**
 * Content-Type by kind of document (RFC 9110 §8.3, SPEC N50 to N55). All of them name the charset, in agreement with
 * the XML declaration (SPEC N56), so that nothing is left to guess. `txt` is robots.txt too, `json` is for the report.
 */
export const MEDIA_TYPES: Readonly<Record<MediaTypeName, string>> = Object.freeze({
  // RFC 7303: means the same as text/xml and is the preferred one.
  xml: 'application/xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  jsonFeed: 'application/feed+json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  // RFC 7763, which asks for the charset.
  llms: 'text/markdown; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
})
