import type { EntryDefaults } from '../entry/entry.ts'
import type {
  CacheOptions,
  FeedImageOptions,
  FeedOptions,
  HtmlOptions,
  I18nOptions,
  LlmsOptions,
  NewsOptions,
  RobotsGroup,
  RobotsOptions,
  RouteOptions,
  SitemapOptions,
} from '../options.ts'
import type { PartitionedProvider, ProviderObject, Site } from '../providers/provider.ts'

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
  news: true,
  i18n: true,
  robots: true,
  llms: true,
  namespaces: true,
  log: true,
  name: true,
  prefix: true,
  publicPath: true,
  sites: true,
  hostHeader: true,
  webhooks: 'Add a route of your own that checks the secret and calls invalidate(section) on the handle.',
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
  atom: true,
  json: true,
  news: true,
  robots: true,
  llms: true,
  css: true,
  profile: true,
}

/** Of `cache`. */
export const CACHE: Known<CacheOptions> = {
  ttl: true,
  staleWhileRevalidate: true,
  wait: true,
  memory: true,
  dir: true,
  store: true,
  namespace: true,
  version: true,
}

/** Of `feed`. */
export const FEED: Known<FeedOptions> = {
  limit: true,
  sections: true,
  mediaType: true,
  content: true,
  image: true,
  ttl: true,
  hubs: true,
  copyright: true,
  author: true,
  managingEditor: true,
  webMaster: true,
  categories: true,
}

/** Of `feed.image`. */
export const FEED_IMAGE: Known<FeedImageOptions> = {
  url: true,
  width: true,
  height: true,
}

/** Of `html`. */
export const HTML: Known<HtmlOptions> = {
  pageSize: true,
  stylesheet: true,
  head: true,
  template: true,
  strings: true,
  profileUri: true,
}

/** Of `news`. */
export const NEWS: Known<NewsOptions> = {
  name: true,
  language: true,
}

/** Of `i18n`. */
export const I18N: Known<I18nOptions> = {
  locales: true,
  defaultLocale: true,
  xDefault: true,
  maxGrouped: true,
}

/** Of `robots`. */
export const ROBOTS: Known<RobotsOptions> = {
  groups: true,
  sitemaps: true,
}

/** Of a group in `robots.groups`. */
export const ROBOTS_GROUP: Known<RobotsGroup> = {
  userAgent: true,
  allow: true,
  disallow: true,
}

/** Of `llms`. */
export const LLMS: Known<LlmsOptions> = {
  details: true,
  sections: true,
  optional: true,
  limit: true,
}

/** Of a provider object. */
export const PROVIDER: Known<ProviderObject> = {
  entries: true,
  version: true,
  ttl: true,
  title: true,
  defaults: true,
  formats: true,
  lang: true,
  groups: true,
  optional: true,
  maxShrink: true,
  timeout: true,
  retries: true,
}

/** Of a provider object that is read slice by slice. */
export const PARTITIONED: Known<PartitionedProvider> = {
  partitions: true,
  entries: true,
  changedSince: true,
  fullEvery: true,
  latest: true,
  ttl: true,
  title: true,
  defaults: true,
  formats: true,
  lang: true,
  optional: true,
  maxShrink: true,
  timeout: true,
  retries: true,
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
