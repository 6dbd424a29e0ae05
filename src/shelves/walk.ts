import type { Clock } from '../clock.ts'
import { digestOf } from '../digest.ts'
import { createEntryCheck, type EntryCheck, type EntryListener, type EntryRules } from '../entry/check.ts'
import type { CheckedEntry } from '../entry/checked.ts'
import type { Entry, FeedItem } from '../entry/entry.ts'
import { foreignNames, ourNameOf } from '../entry/foreign-names.ts'
import type { W3cDate } from '../entry/lastmod.ts'
import { createLocResolver } from '../entry/loc.ts'
import { SitemapError } from '../errors.ts'
import { textLine } from '../formats/text.ts'
import { namespacesOf, renderUrl, urlBytes } from '../formats/urlset.ts'
import type { Memory } from '../memory.ts'
import type { ResolvedOptions, ResolvedProvider } from '../options.ts'
import type { ProviderContext } from '../providers/provider.ts'
import { type Abandoned, readEntries, refuseIfBusy } from '../providers/read.ts'
import { giveWay, SLICE_MS } from '../slices.ts'
import { sleep, within } from '../within.ts'
import { type Block, createBlockWriter } from './blob.ts'
import { cardLine } from './card-line.ts'
import { createCutter } from './cut.ts'
import { createFeedCandidates } from './feed-candidates.ts'
import { FingerprintSet } from './fingerprint-set.ts'
import { createSkipCounter } from './skips.ts'
import { blocksOf, type Snapshot } from './snapshot.ts'
import type { Spool } from './spool.ts'

/** What a walk needs beside the provider. */
export interface WalkEnvironment {
  readonly options: ResolvedOptions
  readonly clock: Clock
  readonly memory: Memory
  readonly spool: Spool
  /** Bytes of a urlset's head and tail. */
  readonly frameBytes: (namespaces: number) => number
}

export interface WalkOrder {
  readonly provider: ResolvedProvider
  readonly context: ProviderContext
  readonly controller: AbortController
  readonly abandoned: Abandoned
  readonly startRevision: number
  /** The published snapshot: its equal blocks are taken over. */
  readonly earlier: Snapshot | undefined
  /** Warns of names of other packages, once each. */
  readonly foreignName: (name: string, ours: string) => void
}

/** Entries looked at for names of other packages; rows of one provider are alike. */
const LOOKED_AT = 1_000
const MOST_PARTS = 50_000
const LOOK_EVERY = 64
/** Pause before a further attempt, doubling. */
const RETRY_MS = 250

/**
 * Reads a provider once and makes a snapshot of it. Each entry is checked and turned at once into its final bytes, then
 * forgotten. Rejects with the provider's failure; then nothing of the walk is left.
 */
export async function walk(environment: WalkEnvironment, order: WalkOrder): Promise<Snapshot> {
  const { provider, controller, abandoned } = order
  const { clock } = environment
  const endMs = clock.now() + environment.options.walkTimeoutMs
  for (let attempt = 0; ; attempt++) {
    refuseIfBusy(provider.section, abandoned)
    const writing = new Writing(environment, order)
    try {
      await readEntries(
        () => provider.list ?? provider.entries?.(order.context),
        (entry) => writing.take(entry),
        {
          section: provider.section,
          clock,
          timeoutMs: provider.timeoutMs,
          wholeMs: endMs - clock.now(),
          controller,
          abandoned,
        },
      )
      return await inTime(writing.finish(), endMs, environment, provider.section)
    } catch (error) {
      writing.discard()
      // Only a failure before the first entry is tried again, and only one that ended by itself.
      const again =
        error instanceof SitemapError && error.code === 'LSM_ERR_PROVIDER_FAILED' && writing.taken === 0
      if (!again || attempt >= provider.retries || controller.signal.aborted) throw error
      await sleep(clock, RETRY_MS * 2 ** attempt, controller.signal)
    }
  }
}

/** Storing has a deadline too: a disk that does not answer must not hold the slot of a walk. */
async function inTime<T>(
  work: Promise<T>,
  endMs: number,
  { clock, options }: WalkEnvironment,
  section: string,
): Promise<T> {
  let value: { readonly result: T } | undefined
  const ended = work.then((result) => {
    value = { result }
  })
  await within(clock, endMs - clock.now(), ended)
  if (value !== undefined) return value.result
  throw new SitemapError(
    'LSM_ERR_WALK_TIMEOUT',
    `storing section "${section}" took longer than walkTimeout (${options.walkTimeoutMs} ms)`,
  )
}

/** One attempt's output. */
class Writing {
  taken = 0
  readonly #environment: WalkEnvironment
  readonly #order: WalkOrder
  readonly #skips = createSkipCounter()
  readonly #listener: EntryListener
  readonly #check: EntryCheck
  readonly #written: Block[] = []
  readonly #writer
  readonly #cutter
  readonly #feed
  readonly #seen = new FingerprintSet()
  readonly #prints: GrowingPairs
  readonly #has: {
    readonly xml: boolean
    readonly txt: boolean
    readonly html: boolean
    readonly feed: boolean
  }
  readonly #fails: boolean
  readonly #transforms: boolean
  #sumHigh = 0
  #sumLow = 0
  #sliceEndMs = 0
  #sinceLook = 0

  constructor(environment: WalkEnvironment, order: WalkOrder) {
    this.#environment = environment
    this.#order = order
    const { options, memory, spool, clock } = environment
    const { provider } = order
    const { formats } = provider
    const rules: EntryRules = entryRules(options, provider)
    // Only what some route serves is made.
    const { routes } = options
    const hasHtml = formats.has('html') && routes.html !== false
    this.#has = {
      xml: formats.has('xml') && (routes.sitemap !== false || routes.index !== false),
      txt: hasHtml || (formats.has('txt') && routes.txt !== false),
      html: hasHtml,
      feed:
        formats.has('feed') && routes.rss !== false && (options.feed.sections?.has(provider.section) ?? true),
    }
    this.#fails = options.onInvalid === 'fail'
    this.#transforms = options.transform !== undefined
    this.#listener = this.#makeListener()
    this.#check = createEntryCheck(rules, this.#listener)
    const earlier = new Map<string, Block>()
    if (order.earlier !== undefined)
      for (const block of blocksOf(order.earlier)) earlier.set(block.digest, block)
    this.#writer = createBlockWriter(memory, spool, earlier)
    this.#cutter = createCutter(
      {
        limit: options.limit,
        maxBytes: options.maxBytes,
        frameBytes: remembered(environment.frameBytes),
        pageSize: this.#has.html ? options.html.pageSize : 0,
      },
      { ...this.#writer, write: (raw) => this.#keep(this.#writer.write(raw)) },
    )
    this.#feed = createFeedCandidates(options.feed.limit, clock.now())
    this.#prints = new GrowingPairs(options.limit)
  }

  #keep(block: Block): Block {
    this.#written.push(block)
    return block
  }

  #makeListener(): EntryListener {
    return {
      skipped: (reason, loc, quiet) => {
        if (this.#fails && quiet !== true) throw invalid(this.#order.provider.section, reason, loc)
        this.#skips.skip(reason, loc, quiet === true)
      },
      dropped: (_field, reason, loc) => {
        if (this.#fails) throw invalid(this.#order.provider.section, reason, loc)
        this.#skips.drop(reason, loc)
      },
    }
  }

  /** Takes one entry; a promise when it is time to give way, or to let compression catch up. */
  take(input: unknown): Promise<void> | undefined {
    this.taken++
    const entry = this.#checked(input)
    if (entry !== undefined) this.#write(entry.checked, entry.input)
    if (this.#cutter.takeBlockClosed()) return this.#breathe()
    // Looking at the clock costs as much as a small entry: every 64th will do, and each that may take long.
    this.#sinceLook += this.#weighsMore(entry?.checked) ? LOOK_EVERY : 1
    if (this.#sinceLook >= LOOK_EVERY) {
      this.#sinceLook = 0
      if (performance.now() > this.#sliceEndMs) return this.#breathe()
    }
    return undefined
  }

  #weighsMore(entry: CheckedEntry | undefined): boolean {
    if (this.#transforms) return true
    return entry !== undefined && (entry.images.length > 0 || entry.alternates.length > 0)
  }

  async #breathe(): Promise<void> {
    await this.#writer.room()
    if (performance.now() > this.#sliceEndMs) {
      await giveWay()
      this.#sliceEndMs = performance.now() + SLICE_MS
    }
  }

  #lookAtNames(given: unknown): void {
    if (typeof given !== 'object' || given === null) return
    try {
      for (const name of foreignNames(given)) this.#order.foreignName(name, ourNameOf(name) ?? '')
    } catch {
      // A row whose names cannot be listed: what can be read of it is checked below.
    }
  }

  #checked(given: unknown): { readonly checked: CheckedEntry; readonly input: unknown } | undefined {
    const { transform, site } = this.#environment.options
    const { section } = this.#order.provider
    let input = given
    if (this.taken <= LOOKED_AT) this.#lookAtNames(given)
    if (transform !== undefined && given !== null && given !== undefined) {
      try {
        input = transform(given as Entry, { section, site: site.given })
      } catch (error) {
        if (this.#fails)
          throw new SitemapError(
            'LSM_ERR_ENTRY_INVALID',
            `option "transform" threw on an entry of section "${section}"`,
            { cause: error },
          )
        this.#skips.skip('transform threw', undefined, false)
        return undefined
      }
      if (input === null || input === undefined) {
        this.#skips.skip('left out by transform', undefined, true)
        return undefined
      }
    }
    const checked = this.#check.check(input)
    return checked === undefined ? undefined : { checked, input }
  }

  #write(entry: CheckedEntry, input: unknown): void {
    const { print } = this.#check
    if (!this.#seen.add(print.high, print.low)) {
      this.#skips.skip('duplicate loc', entry.loc, true)
      return
    }
    const has = this.#has
    const xml = has.xml ? renderUrl(entry) : ''
    const txt = has.txt ? textLine(entry.loc) : ''
    const taken = this.#cutter.add({
      xml,
      bytes: has.xml ? urlBytes(entry, xml) : txt.length,
      txt,
      card: has.html ? cardLine(entry) : '',
      namespaces: has.xml ? namespacesOf(entry) : 0,
      lastmod: entry.lastmod,
    })
    if (!taken) {
      this.#listener.skipped('larger than maxBytes', entry.loc)
      return
    }
    this.#sumHigh = (this.#sumHigh + print.high) | 0
    this.#sumLow = (this.#sumLow + print.low) | 0
    this.#prints.push(print.high, print.low)
    if (has.feed && entry.title !== undefined) this.#offerToFeed(entry, input)
  }

  #offerToFeed(entry: CheckedEntry, input: unknown): void {
    const published = this.#check.published(input, entry)
    const dateMs = (published ?? entry.lastmod)?.ms
    if (this.#feed.wants(dateMs))
      this.#feed.add(feedItem(entry, published, dateMs, this.#check.feedFields(input, entry)))
  }

  /** The snapshot; its blocks may still be on their way through compression where all of them surely find room. */
  async finish(): Promise<Snapshot> {
    const cut = this.#cutter.finish()
    this.#refuseIfNothingIsLeft(cut.count)
    this.#refuseIfTooManyParts(cut.parts.length)
    const { memory } = this.#environment
    if (memory.blobs + memory.loose > memory.limit / 2) await this.#writer.settled()
    else setImmediate(() => this.#writer.begin())
    const feed = this.#feed.finish()
    return {
      section: this.#order.provider.section,
      ...cut,
      feed,
      digest: digestOf(
        cut.parts.map(({ xml, txt, cards }) => `${xml?.digest} ${txt?.digest} ${cards?.digest}`).join() +
          JSON.stringify(feed),
      ),
      skipped: this.#skips.report(),
      faults: this.#skips.faults(),
      setSum: `${cut.count}:${this.#sumHigh}:${this.#sumLow}`,
      fingerprints: this.#keptPrints(),
      startRevision: this.#order.startRevision,
    }
  }

  /**
   * Entries came and not one could be used: the provider is broken (the wrong scheme, lists in place of entries), and an
   * empty sitemap would say that the site has no pages.
   */
  #refuseIfNothingIsLeft(count: number): void {
    const faults = this.#skips.faults()
    if (count > 0 || this.#skips.faulty === 0) return
    const { section } = this.#order.provider
    throw new SitemapError(
      'LSM_ERR_ENTRY_INVALID',
      `section "${section}": of ${this.taken} entries none can be used: ${faults}`,
    )
  }

  /** SPEC I10: an index names 50,000 parts at most; more indexes come with partitions. */
  #refuseIfTooManyParts(parts: number): void {
    if (parts <= MOST_PARTS) return
    const { section } = this.#order.provider
    throw new SitemapError(
      'LSM_ERR_OPTION_INVALID',
      `section "${section}" has ${parts} parts, and an index names ${MOST_PARTS} at most: raise limit or maxBytes`,
    )
  }

  /** One section alone is joined with nothing. */
  #keptPrints(): Int32Array | undefined {
    const { memory, options } = this.#environment
    const prints = options.providers.length > 1 ? this.#prints.finish() : undefined
    memory.blobs += prints?.byteLength ?? 0
    return prints
  }

  discard(): void {
    for (const block of this.#written) block.release()
  }
}

/** Asked for every entry; there are a handful of answers. */
function remembered(frameBytes: (namespaces: number) => number): (namespaces: number) => number {
  const known: number[] = []
  return (namespaces) => {
    const bytes = known[namespaces] ?? frameBytes(namespaces)
    known[namespaces] = bytes
    return bytes
  }
}

function entryRules(options: ResolvedOptions, provider: ResolvedProvider): EntryRules {
  const { site, scope, trailingSlash } = options
  const directory = `${new URL(site.base).pathname.replace(/\/$/, '')}/`
  const urls = { siteUrl: site.url, origin: site.origin, scope, directory, trailingSlash }
  return {
    ...urls,
    resolveLoc: createLocResolver(urls),
    defaults: provider.defaults,
    lang: provider.lang,
    exclude: options.exclude,
  }
}

function feedItem(
  entry: CheckedEntry,
  published: W3cDate | undefined,
  dateMs: number | undefined,
  fields: ReturnType<EntryCheck['feedFields']>,
): FeedItem {
  const { keywords, author, categories, ...single } = fields
  const all = {
    loc: entry.loc,
    title: entry.title ?? '',
    description: entry.description,
    lang: entry.lang,
    lastmod: entry.lastmod?.text,
    published: published?.text,
    dateMs,
    keywords: keywords.length > 0 ? keywords : undefined,
    author: author.length > 0 ? author : undefined,
    categories: categories.length > 0 ? categories : undefined,
    ...single,
  }
  // Without the absent ones, so that its JSON, which the feed's digest is taken over, has one form.
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as FeedItem
}

function invalid(section: string, reason: string, loc: string | undefined): SitemapError {
  return new SitemapError(
    'LSM_ERR_ENTRY_INVALID',
    `section "${section}": ${reason}${loc === undefined ? '' : ` (${loc})`}; onInvalid is "fail"`,
  )
}

/** Pairs of 32-bit numbers, given up once there are more than `most`. */
class GrowingPairs {
  #pairs: Int32Array | undefined = new Int32Array(256)
  #length = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  push(high: number, low: number): void {
    let pairs = this.#pairs
    if (pairs === undefined) return
    if (this.#length === this.#most * 2) {
      this.#pairs = undefined
      return
    }
    if (this.#length === pairs.length) {
      const larger = new Int32Array(pairs.length * 2)
      larger.set(pairs)
      this.#pairs = pairs = larger
    }
    pairs[this.#length++] = high
    pairs[this.#length++] = low
  }

  finish(): Int32Array | undefined {
    return this.#pairs?.slice(0, this.#length)
  }
}
