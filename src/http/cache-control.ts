/**
 * Cache-Control of every document unless the option `cacheControl` says otherwise (RFC 9111 §5.2.2, RFC 5861,
 * SPEC N30–N32). No `s-maxage` and no `must-revalidate`: in shared caches they would cancel the two stale directives.
 */
export const DEFAULT_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800'

/**
 * A Cache-Control value with `max-age`, and `s-maxage` where present, lowered to at most `maxAgeSeconds`
 * (RFC 9111 §5.2.2.1, §5.2.2.10; SPEC N30); neither is ever raised.
 *
 * A missing `max-age` is added, unless `no-store` or an unqualified `no-cache` stands there: a cache would
 * else guess a lifetime of its own (RFC 9111 §4.2.2). Everything else stays as it is written. Fractions are
 * cut, below 0 counts as 0, and `Infinity` changes nothing.
 *
 * @example withMaxAge('public, max-age=300', 60) // 'public, max-age=60'
 */
export function withMaxAge(cacheControl: string, maxAgeSeconds: number): string {
  if (maxAgeSeconds === Number.POSITIVE_INFINITY) return cacheControl
  const limit = Math.min(Math.max(Math.floor(maxAgeSeconds) || 0, 0), MOST_SECONDS)

  let isBounded = false
  const directives = splitDirectives(cacheControl).map((directive) => {
    const equals = directive.indexOf('=')
    const written = equals === -1 ? directive : directive.slice(0, equals)
    const name = written.trim().toLowerCase()
    // `no-cache="set-cookie"` speaks of that field only; the answer as a whole still needs a lifetime (RFC 9111 §5.2.2.4).
    if (name === 'max-age' || (equals === -1 && (name === 'no-store' || name === 'no-cache')))
      isBounded = true
    if (name !== 'max-age' && name !== 's-maxage') return directive

    const seconds = readSeconds(equals === -1 ? '' : directive.slice(equals + 1).trim())
    if (seconds !== undefined && seconds <= limit) return directive
    // RFC 9111 §4.2.1: caches take an unreadable lifetime for none at all, but some read "300s" as 300.
    return `${written.trimEnd()}=${seconds === undefined ? 0 : limit}`
  })
  if (isBounded) return directives.join(',')

  if (directives.at(-1)?.trim() === '') directives.pop()
  directives.push(directives.length === 0 ? `max-age=${limit}` : ` max-age=${limit}`)
  return directives.join(',')
}

// RFC 9111 §1.2.2: a cache may take anything greater for this.
const MOST_SECONDS = 2_147_483_648

// RFC 9110 §5.6.4: a comma inside a quoted string parts nothing, nor does an escaped quote end one.
function splitDirectives(cacheControl: string): string[] {
  const directives: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < cacheControl.length; at++) {
    const character = cacheControl[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === ',' && !isQuoted) {
      directives.push(cacheControl.slice(start, at))
      start = at + 1
    }
  }
  directives.push(cacheControl.slice(start))
  return directives
}

// RFC 9111 §5.2: recipients take the token and the quoted form of an argument.
function readSeconds(argument: string): number | undefined {
  const match = /^(?:(\d+)|"(\d+)")$/.exec(argument)
  return match === null ? undefined : Number(match[1] ?? match[2])
}
