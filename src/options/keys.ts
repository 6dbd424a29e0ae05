import type { EntryDefaults } from '../entry/entry.ts'
import type {
  CacheOptions,
  FeedOptions,
  HtmlOptions,
  RouteOptions,
  ServedProviderObject,
  SitemapOptions,
} from '../options.ts'
import type { Site } from '../providers/provider.ts'

/** The names of one place. True: an option of this release. Text: its work comes later, and this is what to do today. */
export type Names = Readonly<Record<string, true | string>>

/** Every name of `T`, so that a new option cannot be forgotten here. */
export type Known<T> = Readonly<Record<keyof T, true | string>>

/** All options. */
export const TOP: Known<SitemapOptions> = {
  site: true,
  providers: true,
  routes: true,
  limit: true,
  maxBytes: true,
  trailingSlash: true,
  scope: true,
  onInvalid: true,
  onEmpty: true,
  exclude: true,
  transform: true,
  maxShrink: true,
  cache: true,
  cacheControl: true,
  xRobotsTag: true,
  encodings: true,
  deadline: true,
  timeout: true,
  walkTimeout: true,
  retries: true,
  concurrency: true,
  warmUp: true,
  feed: true,
  html: true,
  log: true,
  name: true,
  prefix: true,
  publicPath: true,
  sites: 'Give one site as "site"; register the plugin again, with a "prefix" and a "name", for another.',
  hostHeader: 'Leave it out: with one site no header selects anything.',
  webhooks: 'Add a route of your own that checks the secret and calls invalidate(section) on the handle.',
  news: 'Leave it out, and keep a news sitemap of your own until then.',
  i18n: 'Give each entry its "alternates".',
}

/** Of `site`. */
export const SITE: Known<Site> = {
  url: true,
  id: true,
  title: true,
  description: true,
  language: true,
  hosts: true,
  data: true,
}

/** Of `routes`. */
export const ROUTES: Known<RouteOptions> = {
  sitemap: true,
  index: true,
  rss: true,
  html: true,
  txt: true,
  report: true,
  atom: 'Leave it out: "routes.rss" serves the feed.',
  json: 'Leave it out: "routes.rss" serves the feed.',
  news: 'Leave it out, and keep a news sitemap of your own until then.',
  robots: 'Leave it out, and name the sitemap in a robots.txt of your own.',
  llms: 'Leave it out, and serve a file of your own until then.',
  css: 'Leave it out: the XML goes out without a stylesheet.',
  profile: 'Leave it out: the classes on links are written without a profile page.',
}

/** Of `cache`. */
export const CACHE: Known<CacheOptions> = {
  ttl: true,
  staleWhileRevalidate: true,
  wait: true,
  memory: true,
  dir: true,
  store: 'Leave it out: each process keeps its own last good in memory and in "cache.dir".',
  namespace: 'Leave it out: only a store reads it.',
  version: 'Leave it out: only a store reads it.',
}

/** Of `feed`. */
export const FEED: Known<FeedOptions> = {
  limit: true,
  sections: true,
  mediaType: true,
  content: 'Give the newest entries their "content" in the provider.',
}

/** Of `html`. */
export const HTML: Known<HtmlOptions> = {
  pageSize: true,
  stylesheet: true,
  head: 'Leave it out: "html.stylesheet" gives the page your looks.',
  template: 'Leave it out: "html.stylesheet" gives the page your looks.',
  strings: 'Leave it out, and give sections a "title" of yours.',
  profileUri: 'Leave it out: the page names no profile.',
}

/** Of a provider object. */
export const PROVIDER: Known<ServedProviderObject> = {
  entries: true,
  version: true,
  ttl: true,
  title: true,
  defaults: true,
  formats: true,
  lang: true,
  optional: true,
  maxShrink: true,
  timeout: true,
  retries: true,
  partitions: 'Give "entries" as an async generator that reads the table page by page.',
}

/** Of the `defaults` of a provider. */
export const DEFAULTS: Known<EntryDefaults> = {
  changefreq: true,
  priority: true,
  lang: true,
  robots: true,
  type: true,
  sortOrder: true,
  resourceOf: true,
  updatePeriod: true,
  author: true,
  categories: true,
  keywords: true,
}

/** What Fastify reads from a plugin's options itself. */
export const PASSED_BY_FASTIFY: readonly string[] = ['logLevel', 'logSerializers']
