import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { SitemapError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Site } from '../providers/provider.ts'
import { messageOf } from '../providers/read.ts'
import { within } from '../within.ts'
import { hostNameOf } from './host-name.ts'

/** What a host leads to: a site, none, or a look-up that failed. */
export type Found = Site | null | typeof LOOKUP_FAILED

/** Nobody can say now whether there is such a site: 503, never 404. */
export const LOOKUP_FAILED: unique symbol = Symbol('look-up failed')

/** Finds the site of a host. */
export interface SiteFinder {
  /** At once where it is known; `original` is the host framework's request. */
  find(host: string | undefined, original: unknown): Found | Promise<Found>
  /** Forgets what was found out about a site, so that it is asked for anew. */
  forget(id: string): void
}

/** The user's own look-up: null for a host that is none of the sites'. */
export type LookUp = (
  host: string,
  about: { readonly signal: AbortSignal; readonly request: unknown },
) => Promise<Site | null> | Site | null | undefined

export interface FinderContext {
  readonly clock: Clock
  readonly log: Log
  /** How long a request waits, and how long a look-up may take. */
  readonly deadlineMs: number
  readonly timeoutMs: number
  /** Id of a site as keys hold it. */
  readonly idOf: (site: Site) => string
  /** Throws for a site that cannot be used. */
  readonly check: (site: Site) => unknown
}

const KNOWN_MS = 5 * 60_000
const UNKNOWN_MS = 60_000
/** Hosts remembered, found or not. */
const MOST_HOSTS = 10_000
/** Look-ups under way: invented hosts must not crowd the database. */
const MOST_UNDER_WAY = 100

/** The list form: every host of every site, known from the start. */
export function createListFinder(byHost: ReadonlyMap<string, Site>): SiteFinder {
  // Most requests spell one of a few hosts; the rest is not remembered.
  const spelled = new LRUCache<string, { readonly site: Site | null }>({ max: 1_000 })
  return {
    find(host = '') {
      const known = spelled.get(host)
      if (known !== undefined) return known.site
      const site = byHost.get(hostNameOf(host) ?? '') ?? null
      if (site !== null) spelled.set(host, { site })
      return site
    },
    forget() {},
  }
}

interface Remembered {
  readonly site: Site | null
  readonly untilMs: number
}

/** The function form: what it found is kept 5 minutes, what it did not a minute, one look-up a host at a time. */
export function createLookUpFinder(lookUp: LookUp, context: FinderContext): SiteFinder {
  const { clock, log, deadlineMs, timeoutMs, idOf, check } = context
  const hosts = new LRUCache<string, Remembered>({ max: MOST_HOSTS })
  const underWay = new Map<string, Promise<Found>>()

  async function ask(name: string, original: unknown): Promise<Found> {
    const controller = new AbortController()
    let answer: { readonly site: Site | null } | undefined
    try {
      // The call itself may throw at once.
      const call = (async () => lookUp(name, { signal: controller.signal, request: original }))()
      const inTime = await within(
        clock,
        timeoutMs,
        call.then((site) => {
          answer = { site: site ?? null }
        }),
      )
      if (!inTime || answer === undefined) throw new SitemapError('LSM_ERR_SITE_LOOKUP', 'it took too long')
      if (answer.site !== null) check(answer.site)
      hosts.set(name, {
        site: answer.site,
        untilMs: clock.now() + (answer.site === null ? UNKNOWN_MS : KNOWN_MS),
      })
      return answer.site
    } catch (error) {
      controller.abort(error)
      log.error(
        'LSM_ERR_SITE_LOOKUP',
        'sites',
        { err: error },
        `the look-up of a site failed: ${messageOf(error)}`,
      )
      // Last good: a site that was there is there until the look-up says otherwise.
      const before = hosts.peek(name)
      if (before === undefined || before.site === null) return LOOKUP_FAILED
      hosts.set(name, { ...before, untilMs: clock.now() + UNKNOWN_MS })
      return before.site
    } finally {
      underWay.delete(name)
    }
  }

  return {
    find(host, original) {
      const name = hostNameOf(host)
      if (name === undefined) return null
      const known = hosts.get(name)
      if (known !== undefined && clock.now() < known.untilMs) return known.site
      let asking = underWay.get(name)
      if (asking === undefined) {
        if (underWay.size >= MOST_UNDER_WAY) return known?.site ?? LOOKUP_FAILED
        asking = ask(name, original)
        underWay.set(name, asking)
      }
      // A site that is known is served meanwhile.
      if (known !== undefined && known.site !== null) return known.site
      return inTime(asking)
    },
    forget(id) {
      for (const [name, { site }] of hosts.entries())
        if (site !== null && idOf(site) === id) hosts.delete(name)
    },
  }

  async function inTime(asking: Promise<Found>): Promise<Found> {
    let found: Found = LOOKUP_FAILED
    await within(
      clock,
      deadlineMs,
      asking.then((answer) => {
        found = answer
      }),
    )
    return found
  }
}
