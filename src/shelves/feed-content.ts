import type { Clock } from '../clock.ts'
import type { Entry, FeedItem } from '../entry/entry.ts'
import { LONGEST_CONTENT } from '../entry/feed-fields.ts'
import { SitemapError } from '../errors.ts'
import { cleanText } from '../formats/xml.ts'
import { createLimiter } from '../limiter.ts'
import type { FeedOptions } from '../options.ts'
import type { Site } from '../providers/provider.ts'
import { type Abandoned, readValue, refuseIfBusy } from '../providers/read.ts'
import { giveWay } from '../slices.ts'
import type { FeedCandidate } from './feed-candidates.ts'

/** What the content of feed items is made with. */
export interface ContentMaker {
  /** The option `feed.content`; without it an entry's own content counts. */
  readonly content: FeedOptions['content']
  /** Items of a feed. */
  readonly limit: number
  readonly section: string
  readonly site: Site
  readonly clock: Clock
  readonly timeoutMs: number
  readonly controller: AbortController
  /** Calls of `feed.content` that were given up; not counted with the provider's, which must not stand still for them. */
  readonly abandoned: Abandoned
  /** Content known before, by loc: what could not be asked for stays. */
  readonly earlier: ReadonlyMap<string, string>
  readonly failed: (error: unknown) => void
}

/** Calls of the user's function at once. */
const AT_ONCE = 4

/** The items with their content: asked for where there is a function for it, and without its parts marked robots-noindex. */
export async function withContent(
  candidates: readonly FeedCandidate[],
  maker: ContentMaker,
): Promise<readonly FeedItem[]> {
  const calls = createLimiter(AT_ONCE)
  const nowMs = maker.clock.now()
  let due = 0
  return Promise.all(
    candidates.map(async ({ item, input }) => {
      // Undated ones wait behind the dated: only those that there is room for are asked for.
      const isShown = (item.dateMs ?? 0) > nowMs || due++ < maker.limit
      const asks = maker.content !== undefined && isShown
      const html = asks ? await calls.run(() => askedFor(item, input, maker)) : item.content
      const { content: _, ...bare } = item
      if (html === undefined) return bare
      return { ...bare, content: await withoutNoindex(html) }
    }),
  )
}

async function askedFor(item: FeedItem, input: unknown, maker: ContentMaker): Promise<string | undefined> {
  const { content, section, site, clock, timeoutMs, controller, abandoned, earlier } = maker
  if (content === undefined) return undefined
  const own = new AbortController()
  const abort = (): void => own.abort(controller.signal.reason)
  controller.signal.addEventListener('abort', abort, { once: true })
  try {
    refuseIfBusy(section, abandoned)
    const html = await readValue(() => content(input as Entry, { section, site, signal: own.signal }), {
      section,
      clock,
      timeoutMs,
      wholeMs: Number.POSITIVE_INFINITY,
      controller: own,
      abandoned,
    })
    if (html === undefined || html === null || html === '') return undefined
    if (typeof html !== 'string' || html.length > LONGEST_CONTENT)
      throw new SitemapError(
        'LSM_ERR_ENTRY_INVALID',
        `feed.content gave ${typeof html === 'string' ? `${html.length} characters` : typeof html}: expected HTML of at most ${LONGEST_CONTENT} characters`,
      )
    return cleanText(html)
  } catch (error) {
    if (controller.signal.aborted) throw error
    maker.failed(error)
    return earlier.get(item.loc)
  } finally {
    controller.signal.removeEventListener('abort', abort)
  }
}

/** SPEC H41: what an author keeps out of indexes stays out of what we derive. The parser is loaded by the first who needs it. */
async function withoutNoindex(html: string): Promise<string> {
  if (!html.includes('robots-noindex')) return html
  const { applyRobotsProfile } = await import('../robots-profile/index.ts')
  await giveWay()
  return applyRobotsProfile(html, { for: 'index', profile: true })
}
