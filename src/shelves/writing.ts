import type { Clock } from '../clock.ts'
import { digestOf } from '../digest.ts'
import { createEntryCheck, type EntryCheck, type EntryListener, type EntryRules } from '../entry/check.ts'
import type { CheckedEntry } from '../entry/checked.ts'
import type { Entry } from '../entry/entry.ts'
import { foreignNames, ourNameOf } from '../entry/foreign-names.ts'
import { createLocResolver } from '../entry/loc.ts'
import { SitemapError } from '../errors.ts'
import { textLine } from '../formats/text.ts'
import { namespacesOf, renderNewsUrl, renderUrl, urlBytes } from '../formats/urlset.ts'
import type { Memory } from '../memory.ts'
import type { ResolvedOptions, ResolvedProvider } from '../options.ts'
import type { Abandoned } from '../providers/read.ts'
import { remembered } from '../remembered.ts'
import { giveWay, rest, SLICE_MS } from '../slices.ts'
import { type TakesPart, takesPart } from '../table/takes-part.ts'
import { type Block, type BlockWriter, createBlockWriter, FEW_LOOSE } from './blob.ts'
import { cardLine } from './card-line.ts'
import { type CutRules, type Cutter, createCutter } from './cut.ts'
import { createFeedCandidates, type FeedCandidates } from './feed-candidates.ts'
import { withContent } from './feed-content.ts'
import { feedItem } from './feed-item.ts'
import { FingerprintSet } from './fingerprint-set.ts'
import { createGrouping, type Grouping, withDefault } from './groups.ts'
import { createLocaleLookup } from './locales.ts'
import { createNewsCandidates, type NewsCandidates } from './news.ts'
import { GrowingPairs } from './pairs.ts'
import { createReciprocity } from './reciprocity.ts'
import { createSkipCounter } from './skips.ts'
import { blocksOf, type LocaleCut, type Snapshot } from './snapshot.ts'
import type { Spool } from './spool.ts'

/** What an attempt writes with, and into. */
export interface WritingContext {
  readonly options: ResolvedOptions
  readonly provider: ResolvedProvider
  readonly clock: Clock
  readonly memory: Memory
  readonly spool: Spool
  /** Bytes of a urlset's head and tail. */
  readonly frameBytes: (namespaces: number) => number
  /** No urlset joins it with other sections: its entries need not be told from theirs. */
  readonly standsAlone?: boolean
  readonly controller: AbortController
  readonly startRevision: number
  /** The published snapshot: its equal blocks are taken over. */
  readonly earlier: Snapshot | undefined
  /** Where nobody waits for the walk, it leaves the loop to the app between its slices. */
  readonly isWaitedFor: () => boolean
  /** Warns of names of other packages, once each. */
  readonly foreignName: (name: string, ours: string) => void
  /** Calls of `feed.content` that were given up. */
  readonly abandonedContent: Abandoned
  readonly contentFailed: (error: unknown) => void
}

/** Entries looked at for names of other packages; rows of one provider are alike. */
const LOOKED_AT = 1_000
const LOOK_EVERY = 64
/** In place of an entry that `transform` left out. */
const LEFT_OUT: unique symbol = Symbol('left out')

/** One attempt of a walk: each entry is checked, turned at once into its final bytes, and forgotten. */
export interface Writing {
  /** Entries taken so far. */
  readonly taken: number
  /** Takes one entry; a promise when it is time to give way, or to let compression catch up. */
  take(input: unknown): Promise<void> | undefined
  /** The snapshot; its blocks may still be on their way through compression where all of them surely find room. */
  finish(): Promise<Snapshot>
  /** Lets go of all that was written. */
  discard(): void
}

/** A cutter and the fingerprints of what went into it: one a locale. */
interface OpenCut {
  readonly locale: string | undefined
  readonly cutter: Cutter
  /** Undefined where its URLs are joined with nothing. */
  readonly prints: GrowingPairs | undefined
}

export function createWriting(context: WritingContext): Writing {
  const { options, provider, clock, memory, spool } = context
  const { section } = provider
  const { transform } = options
  const takes = takesPart(options, provider)
  const fails = options.onInvalid === 'fail'
  const skips = createSkipCounter()
  const listener = createListener()
  const check: EntryCheck = createEntryCheck(entryRules(options, provider, takes), listener)
  const written: Block[] = []
  const writer = createBlockWriter(
    memory,
    spool,
    blocksByDigest(context.earlier),
    // A crawler reads one partition after the other: what their blocks leave behind adds up.
    context.earlier === undefined && context.standsAlone !== true ? undefined : FEW_LOOSE,
  )
  const seen = new FingerprintSet()
  const cuts = openCuts()
  const [firstCut] = cuts
  const cutOfLocale = new Map(cuts.map((cut) => [cut.locale, cut]))
  const localeOf = createLocaleLookup(options.i18n.locales, options.i18n.defaultLocale)
  const feed: FeedCandidates = createFeedCandidates(options.feed.limit, clock.now())
  const news: NewsCandidates = createNewsCandidates(clock.now())
  const reciprocity = createReciprocity(options.site.origin)
  const grouping: Grouping = createGrouping(section, provider.adjacentGroups, options.i18n.maxGrouped, writer)
  /** Entries that were put aside and then found too large: they are in no document. */
  const refused = new Set<string>()
  let taken = 0
  let profiled = false
  let sumHigh = 0
  let sumLow = 0
  let sliceEndMs = 0
  let sinceLook = 0

  function createListener(): EntryListener {
    return {
      skipped(reason, loc, quiet) {
        if (fails && quiet !== true) throw invalid(section, reason, loc)
        skips.skip(reason, loc, quiet === true)
      },
      dropped(_field, reason, loc) {
        if (fails) throw invalid(section, reason, loc)
        skips.drop(reason, loc)
      },
      noted: (reason, loc) => skips.drop(reason, loc),
    }
  }

  function openCuts(): readonly OpenCut[] {
    const rules: CutRules = {
      limit: options.limit,
      maxBytes: options.maxBytes,
      // Asked for every entry; there are a handful of answers.
      frameBytes: remembered(context.frameBytes),
      pageSize: takes.html ? options.html.pageSize : 0,
    }
    const keeping: BlockWriter = {
      ...writer,
      write(raw) {
        const block = writer.write(raw)
        written.push(block)
        return block
      },
    }
    const { locales } = options.i18n
    // One section alone is joined with nothing.
    const isJoined = context.standsAlone !== true && options.providers.length > 1
    return (locales.length > 0 ? locales : [undefined]).map((locale) => ({
      locale,
      cutter: createCutter(rules, keeping),
      prints: isJoined ? new GrowingPairs(options.limit) : undefined,
    }))
  }

  function take(input: unknown): Promise<void> | undefined {
    taken++
    if (taken <= LOOKED_AT) lookAtNames(input)
    const given = transform === undefined ? input : transformed(input)
    const entry = given === LEFT_OUT ? undefined : check.check(given)
    if (entry !== undefined && write(entry, given)) return breathe()
    // Looking at the clock costs as much as a small entry: every 64th will do, and each that may take long.
    sinceLook += entry !== undefined && weighsMore(entry) ? LOOK_EVERY : 1
    if (sinceLook >= LOOK_EVERY) {
      sinceLook = 0
      if (performance.now() > sliceEndMs) return breathe()
    }
    return undefined
  }

  function weighsMore({ images, videos, alternates, extensions }: CheckedEntry): boolean {
    if (transform !== undefined) return true
    return images.length + videos.length + alternates.length + extensions.length > 0
  }

  async function breathe(): Promise<void> {
    await writer.room()
    if (performance.now() > sliceEndMs) {
      await (context.isWaitedFor() ? giveWay() : rest())
      sliceEndMs = performance.now() + SLICE_MS
    }
  }

  function lookAtNames(given: unknown): void {
    if (typeof given !== 'object' || given === null) return
    try {
      for (const name of foreignNames(given)) context.foreignName(name, ourNameOf(name) ?? '')
    } catch {
      // A row whose names cannot be listed: what can be read of it is checked below.
    }
  }

  /** What `transform` makes of an entry; {@link LEFT_OUT} where it left it out, or threw. */
  function transformed(given: unknown): unknown {
    if (transform === undefined || given === null || given === undefined) return given
    let input: unknown
    try {
      input = transform(given as Entry, { section, site: options.site.given })
    } catch (error) {
      if (fails)
        throw new SitemapError(
          'LSM_ERR_ENTRY_INVALID',
          `option "transform" threw on an entry of section "${section}"`,
          { cause: error },
        )
      skips.skip('transform threw', undefined, false)
      return LEFT_OUT
    }
    if (input !== null && input !== undefined) return input
    skips.skip('left out by transform', undefined, true)
    return LEFT_OUT
  }

  /** True where a block was closed. */
  function write(entry: CheckedEntry, input: unknown): boolean {
    const { high, low } = check.print
    if (!seen.add(high, low)) {
      skips.skip('duplicate loc', entry.loc, true)
      return false
    }
    if (entry.alternates.length > 0) reciprocity.add(entry.loc, entry.alternates)
    let closed = false
    const kept =
      entry.group !== undefined || grouping.isHolding
        ? grouping.hold({ entry, high, low }, listener)
        : undefined
    if (kept === undefined) {
      if (!cut(entry, high, low)) return true
    } else {
      for (const done of kept.ready) if (!cut(done.entry, done.high, done.low)) refused.add(done.entry.loc)
      closed = kept.blockClosed
    }
    sumHigh = (sumHigh + high) | 0
    sumLow = (sumLow + low) | 0
    profiled ||= entry.robots !== undefined
    if (takes.feed && entry.title !== undefined) offerToFeed(entry, input)
    if (takes.newsFile && entry.news !== undefined) offerToNews(entry)
    return takeBlockClosed() || closed
  }

  function takeBlockClosed(): boolean {
    // Nearly always there is one.
    let closed = firstCut?.cutter.takeBlockClosed() === true
    for (let i = 1; i < cuts.length; i++) closed = cuts[i]?.cutter.takeBlockClosed() === true || closed
    return closed
  }

  /** Writes an entry; false where it alone is larger than a part may be. */
  function cut(given: CheckedEntry, high: number, low: number): boolean {
    const entry = asWritten(given)
    const xml = takes.xml ? renderUrl(entry) : ''
    const namespaces = takes.xml ? namespacesOf(entry) : 0
    const txt = takes.txt || takes.cards ? textLine(entry.loc) : ''
    const target = cuts.length === 1 ? firstCut : cutOfLocale.get(localeOf(entry.lang))
    const fits = target?.cutter.add({
      xml,
      bytes: takes.xml ? urlBytes(namespaces, xml) : txt.length,
      txt,
      card: takes.cards ? cardLine(entry) : '',
      namespaces,
      lastmod: entry.lastmod,
      newsAtMs: newsAtMs(entry),
    })
    if (fits !== true) {
      listener.skipped('larger than maxBytes', entry.loc)
      return false
    }
    target?.prints?.push(high, low)
    return true
  }

  /** The entry with the `x-default` of the option, and without a news article where these stand in a file of their own. */
  function asWritten(entry: CheckedEntry): CheckedEntry {
    const { xDefault } = options.i18n
    const alternates =
      entry.alternates.length > 0 && xDefault !== undefined
        ? withDefault(entry.alternates, xDefault)
        : entry.alternates
    const withoutNews = entry.news !== undefined && !takes.newsInXml
    if (!withoutNews && alternates === entry.alternates) return entry
    return { ...entry, alternates, news: withoutNews ? undefined : entry.news }
  }

  function newsAtMs({ news: article }: CheckedEntry): number | undefined {
    if (takes.newsInXml && article !== undefined) return article.publicationDate.ms
    return takes.newsOnly ? Number.NEGATIVE_INFINITY : undefined
  }

  function offerToFeed(entry: CheckedEntry, input: unknown): void {
    const published = check.published(input, entry)
    const dateMs = (published ?? entry.lastmod)?.ms
    if (feed.wants(dateMs))
      feed.add(feedItem(entry, published, dateMs, check.feedFields(input, entry)), input)
  }

  function offerToNews(entry: CheckedEntry): void {
    const atMs = entry.news?.publicationDate.ms ?? 0
    if (news.wants(atMs)) news.add({ loc: entry.loc, line: renderNewsUrl(entry), atMs })
  }

  /** Writes what waited for the end of the walk, its language versions in place. */
  async function writeHeld(): Promise<void> {
    for await (const { entry, high, low } of grouping.finish(listener)) {
      if (!cut(entry, high, low)) refused.add(entry.loc)
      if (takeBlockClosed() || performance.now() > sliceEndMs) await breathe()
    }
  }

  async function finish(): Promise<Snapshot> {
    await writeHeld()
    for (const loc of reciprocity.findOneSided(seen)) skips.drop(ONE_SIDED, loc)
    const made: readonly LocaleCut[] = cuts.map(({ locale, cutter, prints }) => ({
      locale,
      ...cutter.finish(),
      fingerprints: prints?.finish(),
    }))
    const parts = made.flatMap((one) => one.parts)
    const count = made.reduce((sum, one) => sum + one.count, 0)
    refuseIfNothingIsLeft(count)
    if (memory.blobs + memory.records + memory.loose > memory.limit / 2) await writer.settled()
    else setImmediate(() => writer.begin())
    const items = await feedItems()
    const articles = news.finish().filter(({ loc }) => !refused.has(loc))
    const records = items.length + articles.length === 0 ? '' : JSON.stringify([items, articles])
    const weight = made.reduce((sum, one) => sum + (one.fingerprints?.byteLength ?? 0), records.length)
    memory.records += weight
    return {
      section,
      cuts: made,
      parts,
      count,
      feed: items,
      news: articles,
      profiled,
      digest: digestOf(
        parts.map(({ xml, txt, cards }) => `${xml?.digest} ${txt?.digest} ${cards?.digest}`).join() + records,
      ),
      skipped: skips.report(),
      faults: skips.faults(),
      setSum: `${count}:${sumHigh}:${sumLow}`,
      weight,
      startRevision: context.startRevision,
    }
  }

  async function feedItems(): Promise<Snapshot['feed']> {
    const candidates = feed.finish().filter(({ item }) => !refused.has(item.loc))
    return withContent(candidates, {
      content: options.feed.content,
      limit: options.feed.limit,
      section,
      site: options.site.given,
      clock,
      timeoutMs: provider.timeoutMs,
      controller: context.controller,
      abandoned: context.abandonedContent,
      earlier: new Map(
        context.earlier?.feed.flatMap(({ loc, content }) => (content ? [[loc, content]] : [])),
      ),
      failed: context.contentFailed,
    })
  }

  /**
   * Entries came and not one could be used: the provider is broken (the wrong scheme, lists in place of entries), and an
   * empty sitemap would say that the site has no pages.
   */
  function refuseIfNothingIsLeft(count: number): void {
    if (count > 0 || skips.faulty === 0) return
    throw new SitemapError(
      'LSM_ERR_ENTRY_INVALID',
      `section "${section}": of ${taken} entries none can be used: ${skips.faults()}`,
    )
  }

  return {
    get taken() {
      return taken
    },
    take,
    finish,
    discard() {
      for (const block of written) block.release()
      grouping.discard()
    },
  }
}

const ONE_SIDED = 'alternates name a page of the section that does not name it back (SPEC E72)'

function blocksByDigest(earlier: Snapshot | undefined): ReadonlyMap<string, Block> {
  const blocks = new Map<string, Block>()
  if (earlier !== undefined) for (const block of blocksOf(earlier)) blocks.set(block.digest, block)
  return blocks
}

function entryRules(options: ResolvedOptions, provider: ResolvedProvider, takes: TakesPart): EntryRules {
  const { site, scope, trailingSlash } = options
  const directory = `${new URL(site.base).pathname.replace(/\/$/, '')}/`
  const urls = { siteUrl: site.url, origin: site.origin, scope, directory, trailingSlash }
  return {
    ...urls,
    resolveLoc: createLocResolver(urls),
    defaults: provider.defaults,
    lang: provider.lang,
    exclude: options.exclude,
    news: takes.newsFile || takes.newsInXml ? options.news : undefined,
    namespaces: options.namespaces,
  }
}

function invalid(section: string, reason: string, loc: string | undefined): SitemapError {
  return new SitemapError(
    'LSM_ERR_ENTRY_INVALID',
    `section "${section}": ${reason}${loc === undefined ? '' : ` (${loc})`}; onInvalid is "fail"`,
  )
}
