import type { ChangeFreq, Entry } from '../src/entry/entry.ts'
import { describe, SitemapError } from '../src/errors.ts'
import type { CommonOptions, SitemapOptions } from '../src/options.ts'
import type { Logger, Site } from '../src/providers/provider.ts'

/** A URL as `express-sitemap-xml` takes it. */
export interface ExpressSitemapXmlUrl {
  /** What begins with a slash lies below the path of `base`. */
  readonly url: string
  /** `true`, which meant the day of the request there, is left out: it is not when the page changed. */
  readonly lastMod?: string | Date | boolean | null | undefined
  readonly changeFreq?: ChangeFreq | null | undefined
  readonly priority?: number | null | undefined
  readonly image?: string | readonly string[] | null | undefined
}

/** The options of `express-sitemap-xml`, and ours beside them. */
export interface ExpressSitemapXmlOptions extends Omit<CommonOptions, 'providers'> {
  /** URLs of one file; more than 50,000 are cut there. Ours: `limit`. @defaultValue 50000 */
  readonly size?: number
  /** Milliseconds that a list counts as fresh. Ours: `cache.ttl`. @defaultValue 86400000 */
  readonly maxAge?: number
  /** Title, description and language; its URL is `base`. */
  readonly site?: Omit<Site, 'url'>
}

/** What `getUrls` may be. */
export type GetUrls = () =>
  | readonly (string | ExpressSitemapXmlUrl)[]
  | Promise<readonly (string | ExpressSitemapXmlUrl)[]>

/** The protocol's limit, which that package did not hold anybody to. */
const MOST_URLS = 50_000
const A_DAY_MS = 86_400_000
/** A maxAge of Infinity; no process lives longer. */
const FOR_EVER = '36500d'

/** Options of ours for what the call of `express-sitemap-xml` said. Throws one SitemapError for its own arguments. */
export function optionsFromExpressSitemapXml(
  getUrls: GetUrls,
  base: string,
  { size = MOST_URLS, maxAge = A_DAY_MS, site, routes, cache, ...ours }: ExpressSitemapXmlOptions,
): SitemapOptions {
  refuseFaults(getUrls, base, size, maxAge)
  const url = base.endsWith('/') ? base : `${base}/`
  const path = URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, '') : ''
  let saidToday = false

  async function entries({ log }: { readonly log: Logger }): Promise<Iterable<Entry>> {
    const urls: unknown = await getUrls()
    if (!Array.isArray(urls)) throw new TypeError(`getUrls() gave ${describe(urls)}: expected a list`)
    if (!saidToday && urls.some((one) => one?.lastMod === true)) {
      saidToday = true
      log.warn(
        { code: 'LSM_WARN_ENTRY_SKIPPED', section: SECTION },
        'lastMod: true is left out: the day of a request is not the day a page changed. Give that day, or nothing',
      )
    }
    return mapped(urls, path)
  }

  return {
    limit: Math.min(size, MOST_URLS),
    ...ours,
    site: { ...site, url },
    providers: { [SECTION]: entries },
    // That package answered at /sitemap.xml and its parts: what else there is, is the app's.
    routes: { index: false, rss: false, html: false, txt: false, ...routes },
    cache: { ttl: maxAge === Number.POSITIVE_INFINITY ? FOR_EVER : `${Math.round(maxAge)}ms`, ...cache },
  }
}

const SECTION = 'urls'

function refuseFaults(getUrls: unknown, base: unknown, size: unknown, maxAge: unknown): void {
  const faults: string[] = []
  const refuse = (name: string, value: unknown, expected: string): void => {
    faults.push(`"${name}" of fromExpressSitemapXml is ${describe(value)}: expected ${expected}`)
  }
  if (typeof getUrls !== 'function') refuse('getUrls', getUrls, 'a function that gives a list of URLs')
  if (typeof base !== 'string') refuse('base', base, "the site's URL, such as 'https://www.example.com'")
  const isSize = typeof size === 'number' && size >= 1 && (size > MOST_URLS || Number.isInteger(size))
  if (!isSize) refuse('size', size, 'a whole number from 1 on')
  if (!(typeof maxAge === 'number' && maxAge >= 0)) refuse('maxAge', maxAge, 'milliseconds from 0 on')
  if (faults.length > 0) throw new SitemapError('LSM_ERR_OPTION_INVALID', faults.join('\n'))
}

function* mapped(urls: readonly unknown[], path: string): Generator<Entry> {
  // That package put what begins with a slash below the path of `base`; a URL would leave that path.
  const below = (url: unknown): unknown => (typeof url === 'string' && url.startsWith('/') ? path + url : url)
  for (const one of urls) yield toEntry(one, below) as Entry
}

/** What is no entry at all is handed on: the walk leaves it out and reports it. */
function toEntry(given: unknown, below: (url: unknown) => unknown): unknown {
  if (typeof given !== 'object' || given === null) return below(given)
  const { url, lastMod, changeFreq, priority, image } = given as Readonly<Record<string, unknown>>
  const images = Array.isArray(image) ? image : [image]
  return {
    loc: below(url),
    lastmod: typeof lastMod === 'boolean' ? undefined : lastMod,
    changefreq: changeFreq,
    priority,
    images: image === undefined || image === null ? undefined : images.map(below),
  }
}
