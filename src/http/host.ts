import type { Engine } from '../engine.ts'
import { methodNotAllowed } from './answers.ts'
import { MEDIA_TYPES } from './media-types.ts'
import type { Background, SitemapResponse } from './message.ts'
import { documentPaths } from './routes.ts'

/** A request as a host without a router of its own hands it over. */
export interface HostRequest {
  readonly method: string
  /** Path, with a query or without; below the host's own mount point. */
  readonly url: string
  /** The host that the request names. */
  readonly host: string | undefined
  readonly header: (name: string) => string | undefined
  /** The host's own request object, for look-ups of the user's. */
  readonly original: unknown
  readonly background?: Background
}

/** Answers what is ours; undefined for what is the app's. */
export type AnswerRequest = (request: HostRequest) => SitemapResponse | Promise<SitemapResponse> | undefined

/**
 * Methods that get 405 on our paths. Every other one but GET and HEAD is the app's: OPTIONS for CORS, and what a host may
 * know or not, such as PROPFIND.
 */
export const REFUSED_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Which requests are ours and what they get, for hosts that have no router: Express, node:http, fetch. */
export function createAnswerer(engine: Engine): AnswerRequest {
  const { prefix, routes } = engine.options
  const isDocument = createPathMatcher(engine)
  return ({ method, url, host, header, original, background }) => {
    const path = pathOf(url, prefix)
    if (path === undefined) return undefined
    const isReport = path === routes.report
    if (!(isReport || isDocument(path))) return undefined
    if (method !== 'GET' && method !== 'HEAD')
      return REFUSED_METHODS.includes(method) ? methodNotAllowed() : undefined
    return isReport
      ? reportAnswer(engine, method)
      : engine.respond({ method, path, host, header, original, background })
  }
}

function createPathMatcher(engine: Engine): (path: string) => boolean {
  const { fixed, patterns } = documentPaths(engine.options)
  const known = new Set(fixed)
  const shapes = patterns.map(({ before, after, name }) => ({ before, after, name: new RegExp(`^${name}$`) }))
  return (path) =>
    known.has(path) ||
    shapes.some(
      ({ before, after, name }) =>
        path.startsWith(before) &&
        path.endsWith(after) &&
        name.test(path.slice(before.length, path.length - after.length)),
    )
}

/** The path below `prefix`, decoded as routers do; undefined for what is none of ours for certain. */
function pathOf(url: string, prefix: string): string | undefined {
  const end = url.search(/[?#]/)
  let path = end === -1 ? url : url.slice(0, end)
  if (path.includes('%')) {
    try {
      path = decodeURI(path)
    } catch {
      return undefined
    }
  }
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

/** Whatever is said of the state now must not be kept, nor found. */
export const REPORT_HEADERS: SitemapResponse['headers'] = Object.freeze({
  'content-type': MEDIA_TYPES.json,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
})

/** The state of the sections as JSON, made per request. */
export function reportAnswer(engine: Pick<Engine, 'report'>, method: string): SitemapResponse {
  const body = Buffer.from(JSON.stringify(engine.report(), null, 2))
  return {
    status: 200,
    headers: REPORT_HEADERS,
    body: method === 'HEAD' ? undefined : body,
    bytes: body.length,
    done: undefined,
  }
}
