/** What a path of ours may hold. No escapes: frameworks decode before they match, caches and crawlers do not. */
const PATH = /^(?:\/[A-Za-z0-9._~!$&'()+,;=@-]+)+$/

/** What {@link isPath} takes, in words. */
export const PATH_WORDS =
  "a path: a slash, then letters, digits and -._~!$&'()+,;=@ between slashes, without .. and without a slash at the end"

/** Whether a route can be served at `value`. */
export function isPath(value: unknown): value is string {
  return typeof value === 'string' && PATH.test(value) && !value.includes('..') && !/\/\.(?:\/|$)/.test(value)
}
