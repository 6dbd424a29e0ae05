/** A request to a proxy names the whole URL, and a server must take that too (RFC 9112 §3.2.2). */
const WHOLE_URL = /^https?:\/\/([^/?#]*)/i

/** The path of a request's target, with its query. */
export function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(WHOLE_URL, '')
}

/**
 * The host that a request names: that of a whole URL, before :authority, before Host (RFC 9112 §3.2.2, RFC 9113 §8.3.1).
 * It only selects among known sites.
 */
export function requestedHost(
  target: string,
  header: (name: string) => string | undefined,
): string | undefined {
  const named = target.startsWith('/') ? undefined : WHOLE_URL.exec(target)?.[1]
  return named ?? header(':authority') ?? header('host')
}
