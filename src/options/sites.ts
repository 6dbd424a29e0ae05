import type { Site } from '../providers/provider.ts'
import { hostNameOf } from '../sites/host-name.ts'
import type { Check } from './check.ts'
import type { ResolvedOptions, ResolvedSites } from './resolved.ts'
import { resolveSite } from './site.ts'
import { type Fields, isText } from './values.ts'
import { quote } from './words.ts'

const EXPECTED = 'a list of sites, or a function that finds the site of a host'
const WAY_OUT =
  "Write sites: [{ url: 'https://www.example.com' }, …], or sites: async (host) => site or null."

/** Several sites, or undefined where there is one. */
export function resolveSites(
  check: Check,
  top: Fields,
  publicPath: string | undefined,
  optionsOf: (site: Site) => ResolvedOptions,
): ResolvedSites | undefined {
  const { site, sites } = top
  const hostHeader = resolveHostHeader(check, top)
  if (sites === undefined) return undefined
  if (site !== undefined)
    check.invalid('sites', sites, 'either site or sites', 'Leave one of them out.', 'there beside site')
  const byHost = new Map<string, Site>()
  const byId = new Map<string, Site>()
  if (Array.isArray(sites)) listSites(check, sites, publicPath, byHost, byId)
  else if (typeof sites !== 'function') check.invalid('sites', sites, EXPECTED, WAY_OUT)
  return Object.freeze({
    byHost,
    byId,
    lookUp: typeof sites === 'function' ? (sites as NonNullable<ResolvedSites['lookUp']>) : undefined,
    hostHeader,
    idOf,
    optionsOf,
  })
}

/** The id that {@link resolveSite} gives. */
function idOf(site: Site): string {
  return site.id ?? (URL.canParse(site.url) ? new URL(site.url).host : '')
}

function listSites(
  check: Check,
  sites: readonly unknown[],
  publicPath: string | undefined,
  byHost: Map<string, Site>,
  byId: Map<string, Site>,
): void {
  if (sites.length === 0) check.invalid('sites', sites, 'one site at least', WAY_OUT)
  for (const [i, one] of sites.entries()) {
    const at = `sites[${i}]`
    const { given, id, url } = resolveSite(check, at, one, publicPath)
    // Its fault is named.
    if (url === '') continue
    if (byId.has(id))
      check.invalid(`${at}.id`, id, 'an id of its own', 'Give each site another id.', `${quote(id)} again`)
    byId.set(id, given)
    addHost(check, `${at}.url`, new URL(url).host, given, byHost)
    for (const host of given.hosts ?? []) addHost(check, `${at}.hosts`, host, given, byHost)
  }
}

/** A host selects one site; named twice by one site it is no fault. */
function addHost(check: Check, at: string, host: string, site: Site, byHost: Map<string, Site>): void {
  const name = hostNameOf(host)
  if (name === undefined) {
    check.invalid(at, host, 'a host name, without scheme and path', "Write 'www.example.com'.")
    return
  }
  const owner = byHost.get(name)
  if (owner !== undefined && owner !== site)
    check.invalid(
      at,
      host,
      'a host of one site',
      'Give each host to one site.',
      `${quote(name)}, another site's`,
    )
  byHost.set(name, site)
}

function resolveHostHeader(check: Check, { hostHeader, sites }: Fields): string | undefined {
  if (hostHeader === undefined) return undefined
  const wayOut = "Write 'x-forwarded-host', or leave it out for Host."
  if (!isText(hostHeader) || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(hostHeader)) {
    check.invalid('hostHeader', hostHeader, 'the name of a header', wayOut)
    return undefined
  }
  if (sites === undefined)
    check.invalid(
      'hostHeader',
      hostHeader,
      'sites beside it: with one site no header selects anything',
      'Leave it out.',
      'there without sites',
    )
  return hostHeader.toLowerCase()
}
