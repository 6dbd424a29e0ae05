import { parseDuration } from './durations.ts'
import { describe, SitemapError } from './errors.ts'
import { renderRobotsTxt, sitemapLines } from './formats/robots-txt.ts'
import { escapeAttribute } from './formats/xml.ts'
import { MEDIA_TYPES } from './http/media-types.ts'
import type { ResolvedOptions } from './options.ts'
import type { Duration } from './providers/provider.ts'
import type { SitemapReport } from './report.ts'

/**
 * What an app does with its sitemap beside serving it. `Section` names its sections where the host knows them: an unknown
 * one does not compile then. Of several sites `site` names one by its id; without it a call means all that are in use.
 */
export interface SitemapHandle<Section extends string = string> {
  /**
   * Marks a section (all without a name) stale and refreshes it, after `delay` if given; call it after a publish.
   * Resolves when the new state is served; rejects with the code when it could not be made, and the last good one stays.
   * It need not be awaited. Throws LSM_ERR_SECTION_UNKNOWN for a section that is not there.
   */
  invalidate(
    section?: Section,
    options?: { readonly delay?: Duration; readonly site?: string; readonly partition?: string },
  ): Promise<void>
  /** Reads a section (all without a name) again whatever its version token says; `force` accepts a walk that would be held. */
  refresh(section?: Section, options?: { readonly force?: boolean; readonly site?: string }): Promise<void>
  /** What is served, how old it is, what was left out and why. */
  report(options?: { readonly site?: string }): SitemapReport
  /** Whether every section that is not optional could be read within `timeout` (default 30 s). Never rejects. */
  ready(options?: { readonly timeout?: Duration }): Promise<boolean>
  /** The `<link>` elements that tell of sitemap and feeds in a page's head. */
  links(options?: { readonly site?: string }): string
  /**
   * Text of a robots.txt: `own`, or what the option `robots` says, and a Sitemap line for every sitemap. For a route of
   * yours, where `routes.robots` is not used. Never rejects for want of a provider.
   */
  robotsTxt(own?: string, options?: { readonly site?: string }): Promise<string>
  /** Forgets all about one of several sites, named by its id: it is looked up and read anew when it is asked for. */
  forget(site: string): void
  /** Ends all work; the host's own close does it too. */
  close(): Promise<void>
}

const READY_TIMEOUT_MS = 30_000

/**
 * What the handle asks of an engine. Spelled out: a type of engine.ts would lead a user's compiler through the engine to
 * the types of packages that it is made of.
 */
export interface HandledEngine {
  readonly options: ResolvedOptions
  invalidate(section: string | undefined, delayMs: number, site?: string, partition?: string): Promise<void>
  refresh(section: string | undefined, force: boolean, site?: string): Promise<void>
  report(site?: string): SitemapReport
  ready(timeoutMs: number): Promise<boolean>
  optionsOf(site?: string): ResolvedOptions
  sitemaps(site?: string): Promise<readonly string[]>
  forget(site: string): void
  close(): Promise<void>
}

export function createHandle(engine: HandledEngine): SitemapHandle {
  return {
    invalidate: (section, options) =>
      engine.invalidate(
        section,
        options?.delay === undefined ? 0 : durationOf('delay', options.delay),
        options?.site,
        options?.partition,
      ),
    refresh: (section, options) => engine.refresh(section, options?.force === true, options?.site),
    report: (options) => engine.report(options?.site),
    async ready(options) {
      try {
        return await engine.ready(
          options?.timeout === undefined ? READY_TIMEOUT_MS : durationOf('timeout', options.timeout),
        )
      } catch {
        return false
      }
    },
    links: (options) => linksOf(engine.optionsOf(options?.site)),
    async robotsTxt(own, options) {
      const sitemaps = await engine.sitemaps(options?.site)
      if (own === undefined) return renderRobotsTxt({ groups: engine.options.robots.groups, sitemaps })
      // A blank line parts them: a Sitemap line belongs to no group (SPEC X1).
      return `${own.trimEnd()}\n\n${sitemapLines(sitemaps)}`
    },
    forget: (site) => engine.forget(site),
    close: () => engine.close(),
  }
}

/** As the options: a number above 3,600 is milliseconds by mistake. */
function durationOf(name: string, value: Duration): number {
  const ms = parseDuration(value)
  if (ms !== undefined && !(typeof value === 'number' && value > LONGEST_SECONDS)) return ms
  throw new SitemapError(
    'LSM_ERR_OPTION_INVALID',
    `option "${name}" is ${describe(value)}: expected a duration such as '30s', or at most ${LONGEST_SECONDS} seconds`,
  )
}

const LONGEST_SECONDS = 3_600

function linksOf({ site, routes }: ResolvedOptions): string {
  const links: string[] = []
  const add = (rel: string, type: string, title: string | undefined, path: string | false): void => {
    if (path === false) return
    const titled = title === undefined ? '' : ` title="${escapeAttribute(title)}"`
    links.push(`<link rel="${rel}" type="${type}"${titled} href="${escapeAttribute(site.base + path)}">`)
  }
  add('sitemap', bare(MEDIA_TYPES.xml), undefined, routes.sitemap || routes.index)
  add('alternate', bare(MEDIA_TYPES.rss), site.title, routes.rss)
  add('alternate', bare(MEDIA_TYPES.atom), site.title, routes.atom)
  add('alternate', bare(MEDIA_TYPES.jsonFeed), site.title, routes.json)
  // SPEC R3: how ROR is found. As XML, so that feed readers do not offer the feed twice.
  add('alternate', bare(MEDIA_TYPES.xml), 'ROR', routes.rss)
  return links.join('\n')
}

function bare(mediaType: string): string {
  return mediaType.split(';')[0] ?? mediaType
}
