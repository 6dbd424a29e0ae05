/**
 * The grammar of the names of our documents. Nothing else knows it but the table, which makes the names; a request's
 * path is only looked up. Section keys hold no hyphen, so that the first one behind them ends the section.
 */

import type { ResolvedOptions } from '../options.ts'

/** At most 64 characters: routers bound the length of a parameter (Fastify: 100), and a part has its locale and number, too. */
export const SECTION_KEY: RegExp = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/** Path of our stylesheet for the HTML sitemap. */
export const STYLESHEET_PATH = '/sitemap-html.css'

/** What parts and pages are served as. */
export type PartExtension = 'xml' | 'txt' | 'html'

/** The section, format and locale whose part a path could name; the locale is undefined where a site has none. */
export interface PartName {
  readonly section: string
  readonly format: PartExtension
  readonly locale: string | undefined
}

/** `/sitemap-{section}-{n}.{extension}`, n from 1: a part in XML and TXT, a page in HTML; `/sitemap_{locale}-{section}-…` of a locale. */
export function partPath(section: string, number: number, extension: PartExtension, locale?: string): string {
  return `/sitemap${locale === undefined ? '' : `_${locale}`}-${section}-${number}.${extension}`
}

/** What a partition may be called; with its section at most 90 characters, which is what a router's parameter has room for. */
export const PARTITION_ID: RegExp = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/** `/sitemap-{section}-{partition}-{n}.{extension}`: the first hyphen ends the section, the last number is the part. */
export function partitionPath(
  section: string,
  partition: string,
  number: number,
  extension: 'xml' | 'txt',
): string {
  return `/sitemap-${section}-${partition}-${number}.${extension}`
}

/** A part of a partition. */
export interface PartitionPartName {
  readonly section: string
  readonly partition: string
  readonly number: number
  readonly format: 'xml' | 'txt'
}

/** Undefined for what no part of a partition can be called. */
export function readPartitionPath(path: string): PartitionPartName | undefined {
  const match = PARTITION_PART.exec(path)
  if (match === null) return undefined
  const [, section = '', partition = '', number = '', format] = match
  return { section, partition, number: Number(number), format: format as 'xml' | 'txt' }
}

const PARTITION_PART =
  /^\/sitemap-([A-Za-z][A-Za-z0-9_]{0,63})-([A-Za-z0-9][A-Za-z0-9_.-]{0,63})-([1-9]\d{0,8})\.(xml|txt)$/

/** File `number` of the index at `path`: itself, then `/sitemap_index-2.xml` … (SPEC I10). */
export function indexPath(path: string, number: number): string {
  return number === 1 ? path : suffixed(path, String(number))
}

/** Whether `path` could be called one of the files of the index at `index`. */
export function isIndexPath(path: string, index: string): boolean {
  return path === index || isFurther(path, index, '-')
}

/** Undefined for what no part can be called. With `locales` (option `i18n`) every part is of one of them, written as there. */
export function readPartPath(path: string, locales: readonly string[] = []): PartName | undefined {
  const part = read(path, locales)
  return part && { section: part.section, format: part.format, locale: part.locale }
}

/** Whether `path` names the first part or page of `section`, which a section without entries may have or not (onEmpty). */
export function isFirstPart(path: string, section: string, locales: readonly string[] = []): boolean {
  const part = read(path, locales)
  return part?.section === section && part.number === '1'
}

/** `/sitemap_{locale}.{extension}`: what a locale has of its own beside its parts. */
export function localePath(locale: string, extension: 'xml' | 'html'): string {
  return `/sitemap_${locale}.${extension}`
}

/** Path of a locale's start page: the default one has the site's own. */
export function localeStartPath(
  locale: string | undefined,
  { routes, i18n }: Pick<ResolvedOptions, 'routes' | 'i18n'>,
): string | false {
  if (routes.html === false || locale === undefined || locale === i18n.defaultLocale) return routes.html
  return localePath(locale, 'html')
}

/** The feed of one section, named after the site's feed at `path`: `/feed.rss` → `/feed-posts.rss`, `/rss` → `/rss-posts`. */
export function sectionFeedPath(path: string, section: string): string {
  return suffixed(path, section)
}

/**
 * File `number` of the news at `path`: itself, then `/sitemap-news_2.xml` … (SPEC E50; E62: the first keeps its name).
 * No hyphen, so that none of them is called as a part of a section `news` is.
 */
export function newsPath(path: string, number: number): string {
  if (number === 1) return path
  const { stem, extension } = parted(path)
  return `${stem}_${number}${extension}`
}

/** Whether `path` could be called one of the files of the news at `news`. */
export function isNewsPath(path: string, news: string): boolean {
  return path === news || isFurther(path, news, '_')
}

function isFurther(path: string, first: string, mark: string): boolean {
  const { stem, extension } = parted(first)
  return (
    path.startsWith(stem + mark) &&
    path.endsWith(extension) &&
    FURTHER.test(path.slice(stem.length + 1, path.length - extension.length))
  )
}

/** A number from 2. */
const FURTHER = /^(?:[2-9]|[1-9]\d+)$/

const PART = /^\/sitemap-([A-Za-z][A-Za-z0-9_]{0,63})-([1-9]\d*)\.(xml|txt|html)$/

/** A locale has 2 to 12 characters: `en`, `zho-Hant-419`. */
const LOCALE_PART = /^\/sitemap_([A-Za-z0-9-]{2,12})-([A-Za-z][A-Za-z0-9_]{0,63})-([1-9]\d*)\.(xml|txt|html)$/

function read(
  path: string,
  locales: readonly string[],
): (PartName & { readonly number: string }) | undefined {
  const match = (locales.length === 0 ? PART : LOCALE_PART).exec(path)
  if (match === null) return undefined
  const [format, number = '', section = '', locale] = match.slice(1).reverse()
  // Known ones only: hyphens in them (pt-BR) leave nothing else to tell them by.
  if (locale !== undefined && !locales.includes(locale)) return undefined
  return { section, number, format: format as PartExtension, locale }
}

function suffixed(path: string, suffix: string): string {
  const { stem, extension } = parted(path)
  return `${stem}-${suffix}${extension}`
}

/** A path in two: the extension begins at the last dot of the last segment, unless that is the segment's first character. */
export function parted(path: string): { readonly stem: string; readonly extension: string } {
  const dot = path.lastIndexOf('.')
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length
  return { stem: path.slice(0, end), extension: path.slice(end) }
}
