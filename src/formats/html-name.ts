import { shownText } from './html-text.ts'
import { treePath } from './html-tree.ts'

// Decoded, these would hide in a path, break its line or turn its direction round.
const UNREADABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

/**
 * Name of an entry without title (SPEC H5): the site's for its root, else the path as people read it, on another host
 * with that host. Below the entry `above`, whose path it goes on with, the rest of that path.
 */
export function nameOf(
  loc: string,
  site: { readonly url: string; readonly title: string },
  above?: string,
): string {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]*)([^#]*)/i.exec(loc) ?? []
  const isOurs = origin.toLowerCase() === /^https?:\/\/[^/?#]*/i.exec(site.url)?.[0].toLowerCase()
  if (isOurs && (path === '' || path === '/' || withoutSlash(loc) === withoutSlash(site.url)))
    return site.title
  if (above !== undefined) return nameBelow(loc, above)
  const host = origin.replace(/^https?:\/\//i, '')
  return shownText(readable(isOurs ? path : host + (path === '/' ? '' : path))) ?? loc
}

function nameBelow(loc: string, above: string): string {
  // Of a path in a tree the slash at the end does not count, and all below it goes on with one: some of it is left.
  const rest = loc.slice((treePath(above)?.length ?? 0) + 1).replace(/#.*/s, '')
  return shownText(readable(rest)) ?? rest
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

/** Percent-encoding decoded where it holds text; what is no UTF-8 or means something in a URL stays as it is. */
function readable(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/(?:%[0-9A-F]{2})+/gi, (encoded) => {
    try {
      return decodeURI(encoded).replace(UNREADABLE, encodeURIComponent)
    } catch {
      return encoded
    }
  })
}
