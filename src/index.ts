/** The door of the engine: what plugins are built on, and the helpers and types they hand on to users. */
export type { Clock } from './clock.ts'
export { createEngine, type Engine } from './engine.ts'
export type {
  Alternate,
  ChangeFreq,
  DateInput,
  Enclosure,
  Entry,
  EntryDefaults,
  EntryObject,
  ExtensionElement,
  ImageEntry,
  NewsEntry,
  UpdatePeriod,
  VideoEntry,
  YesNo,
} from './entry/entry.ts'
export { path } from './entry/loc.ts'
export { SitemapError, type SitemapErrorCode } from './errors.ts'
export type { SitemapHandle } from './handle.ts'
export {
  type CacheOptions,
  defineSitemap,
  type FeedOptions,
  type HtmlOptions,
  type ResolvedOptions,
  type RouteOptions,
  resolveOptions,
  type SitemapOptions,
  type Size,
} from './options.ts'
export {
  type Duration,
  defineProvider,
  type Entries,
  type EntriesFunction,
  type FormatName,
  type Logger,
  type Partition,
  type PartitionedProvider,
  type Provider,
  type ProviderContext,
  type ProviderObject,
  type Site,
} from './providers/provider.ts'
export type { SectionReport, SitemapReport } from './report.ts'
export type { SkipReport } from './shelves/snapshot.ts'
export { STYLESHEET_PATH } from './table/paths.ts'
