/** What every plugin hands on to its users: helpers that weigh nothing, and types. The engine is loaded when it is used. */
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
export type {
  HashOptions,
  IdRangeOptions,
  Key,
  KeysetOptions,
  MonthOptions,
  PartitionContext,
  SharedStore,
  WebhookOptions,
} from './later.ts'
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
  ServedProvider,
  ServedProviderObject,
  SitemapOptions,
  Sites,
  Size,
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
export type { SectionReport, ShelfState, SitemapReport, SkipReport } from './report.ts'
