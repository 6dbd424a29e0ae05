import type { FeedItem } from '../entry/entry.ts'
import type { SiteFacts } from './format.ts'

/** What the option `feed` says of every feed, checked and final. */
export interface FeedSettings {
  /** Picture of the channel (SPEC F13): URL final; sizes in pixels where they are known. */
  readonly image: { readonly url: string; readonly width?: number; readonly height?: number } | undefined
  /** How long readers may keep the feed (SPEC F12), whole minutes from 1. */
  readonly ttlMinutes: number | undefined
  /** WebSub hubs (SPEC F16, P10): absolute URLs. */
  readonly hubs: readonly string[]
  readonly copyright: string | undefined
  /** Who writes the feed (SPEC A1): a name. */
  readonly author: string | undefined
  /** E-mail of who answers for the content and for the technology (SPEC F8). */
  readonly managingEditor: string | undefined
  readonly webMaster: string | undefined
  /** Subjects of the whole channel (SPEC F10). */
  readonly categories: readonly string[]
}

/** All that a feed is made of; the same for every feed format. */
export interface FeedDocument {
  readonly site: SiteFacts
  readonly settings: FeedSettings
  /** Title of the section, on a feed of one section. */
  readonly section: string | undefined
  /** The feed's own public URL. */
  readonly selfUrl: string
  /** Public URL of the HTML sitemap, for the ROR SiteMap item; undefined where that route is off. */
  readonly sitemapUrl: string | undefined
  /** Public URLs of the other feeds of the site, which the main one joins (SPEC R4). */
  readonly seeAlso: readonly string[]
  /** Newest first, already chosen and cut. */
  readonly items: readonly FeedItem[]
}
