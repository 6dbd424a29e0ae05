/** What every plugin hands on to its users: helpers that weigh nothing, and types. The engine is loaded when it is used. */
export type { SharedStore, StoreState } from './cache/store.ts'
export { defineSitemap } from './define.ts'
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
export type { HtmlStrings } from './formats/html-strings.ts'
export type {
  HtmlTemplatePage,
  TemplateEntry,
  TemplateLink,
  TemplateSection,
} from './formats/html-template.ts'
export type { SitemapHandle } from './handle.ts'
export type { WebhookOptions } from './later.ts'
export type {
  CacheOptions,
  CommonOptions,
  FeedImageOptions,
  FeedOptions,
  HtmlOptions,
  HtmlWords,
  I18nOptions,
  LlmsOptions,
  NewsOptions,
  RobotsGroup,
  RobotsOptions,
  RouteOptions,
  SitemapOptions,
  Sites,
  Size,
} from './options.ts'
export { byHash, type HashBucket, type HashOptions } from './providers/by-hash.ts'
export { byIdRange, type IdRange, type IdRangeOptions } from './providers/by-id-range.ts'
export { byMonth, type Month, type MonthOptions } from './providers/by-month.ts'
export type { Key } from './providers/keys.ts'
export { type KeyField, type KeysetOptions, keyset, type PageRange } from './providers/keyset.ts'
export type { PartitionSettings } from './providers/partition-settings.ts'
export {
  type DefinedPartitions,
  type Duration,
  defineProvider,
  type Entries,
  type EntriesFunction,
  type FormatName,
  type Logger,
  type Partition,
  type PartitionContext,
  type PartitionedProvider,
  type Provider,
  type ProviderContext,
  type ProviderObject,
  type Site,
  type WholeProvider,
} from './providers/provider.ts'
export type { SectionReport, ShelfState, SitemapReport, SkipReport } from './report.ts'
