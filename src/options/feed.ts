import { parseDuration } from '../durations.ts'
import type { FeedSettings } from '../formats/feed-document.ts'
import type { FeedOptions } from '../options.ts'
import type { Check } from './check.ts'
import { FEED, FEED_IMAGE } from './keys.ts'
import { type MemberRule, resolveTexts } from './lists.ts'
import type { ResolvedOptions, ResolvedProvider } from './resolved.ts'
import { resolveSections } from './sections.ts'
import { finalUrl, shownUrl, urlRule } from './urls.ts'
import { type Fields, frozenSet, isLine, isRecord, isText } from './values.ts'

/** All feeds; `siteUrl` is empty where that is a fault of its own. */
export function resolveFeed(
  check: Check,
  value: unknown,
  providers: readonly ResolvedProvider[],
  siteUrl: string,
): ResolvedOptions['feed'] {
  const feed = check.record('feed', value, FEED)
  const sections = resolveSections(check, 'feed.sections', feed.sections, providers, {
    format: 'feed',
    off: 'the feed off write routes: { rss: false }',
  })
  return Object.freeze({
    limit: check.whole('feed.limit', feed.limit, 50, 1, 1_000),
    sections: sections && frozenSet(sections),
    mediaType: resolveMediaType(check, feed.mediaType),
    content: check.fn<NonNullable<FeedOptions['content']>>(
      'feed.content',
      feed.content,
      'Write content: async (entry) => html, or leave it out.',
    ),
    settings: resolveSettings(check, feed, siteUrl),
  })
}

function resolveMediaType(check: Check, value: unknown): string {
  if (value === undefined) return 'application/rss+xml'
  if (typeof value === 'string' && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(value)) return value
  check.invalid(
    'feed.mediaType',
    value,
    'a media type without parameters (charset=utf-8 is added)',
    "Write 'application/xml', or leave it out.",
  )
  return ''
}

function resolveSettings(check: Check, feed: Fields, siteUrl: string): FeedSettings {
  return Object.freeze({
    image: resolveImage(check, feed.image, siteUrl),
    ttlMinutes: resolveTtl(check, feed.ttl),
    hubs: resolveTexts(check, 'feed.hubs', feed.hubs, urlRule('https://pubsubhubbub.appspot.com/')),
    copyright: check.text('feed.copyright', feed.copyright, undefined, "Write '© Example', or leave it out."),
    author: check.text('feed.author', feed.author, undefined, "Write 'Ada Lovelace', or leave it out."),
    managingEditor: resolveMailbox(check, 'feed.managingEditor', feed.managingEditor),
    webMaster: resolveMailbox(check, 'feed.webMaster', feed.webMaster),
    categories: resolveTexts(check, 'feed.categories', feed.categories, CATEGORY),
  })
}

const CATEGORY: MemberRule = {
  take: (member) => (isLine(member) ? member : undefined),
  expected: 'text of one line that is not empty, or a list of such texts',
  wayOut: "Write ['News', 'Goods'], or leave it out.",
}

function resolveImage(check: Check, value: unknown, siteUrl: string): FeedSettings['image'] {
  if (value === undefined) return undefined
  // A URL is an object, too.
  const bare = !isRecord(value) || isText(value.href)
  const { url, width, height } = bare ? { url: value } : check.record('feed.image', value, FEED_IMAGE)
  const final = finalUrl(url, siteUrl === '' ? undefined : siteUrl)
  if (final === undefined) {
    check.invalid(
      bare ? 'feed.image' : 'feed.image.url',
      url,
      bare ? 'the URL or path of a picture, or an object with url' : 'the URL or path of a picture',
      "Write '/logo.png', or leave the image out.",
      url === undefined ? undefined : shownUrl(url),
    )
  }
  return Object.freeze({
    url: final ?? '',
    ...resolveSize(check, 'width', width, 88, 144),
    ...resolveSize(check, 'height', height, 31, 400),
  })
}

/** SPEC F13: the bounds of RSS, and what readers take where nothing is said. */
function resolveSize<K extends 'width' | 'height'>(
  check: Check,
  key: K,
  value: unknown,
  usual: number,
  most: number,
): { readonly [key in K]?: number } {
  if (value === undefined) return {}
  return { [key]: check.whole(`feed.image.${key}`, value, usual, 1, most) } as { readonly [key in K]: number }
}

/** SPEC F12: RSS counts in whole minutes; what is over is cut off, for a feed must not be kept longer than was said. */
function resolveTtl(check: Check, value: unknown): number | undefined {
  if (value === undefined) return undefined
  const ms = parseDuration(value)
  if (ms !== undefined && ms < MINUTE_MS) {
    check.invalid('feed.ttl', value, 'a duration of 1m or more', "Write '1h', or leave it out.")
    return undefined
  }
  return Math.floor(check.duration('feed.ttl', value, '1h') / MINUTE_MS)
}

const MINUTE_MS = 60_000

/** SPEC F8: an e-mail address, a name in parentheses behind it. */
function resolveMailbox(check: Check, path: string, value: unknown): string | undefined {
  if (value === undefined || (isLine(value) && MAILBOX.test(value))) return value
  const mail = isLine(value) && value.length < 80 ? /^"?([^"<>()]*?)"? *<([^<>]*)>$/.exec(value) : null
  const mended = mail === null ? '' : `${mail[2]} (${mail[1]})`
  const example = MAILBOX.test(mended) ? mended : 'a@example.com (Ada)'
  check.invalid(path, value, "an e-mail address, as in 'a@e.com' or 'a@e.com (Name)'", `Write '${example}'.`)
  return undefined
}

const MAILBOX = /^[^\s@()<>,;:"]+@[^\s@()<>,;:"]+(?: \([^()]+\))?$/
