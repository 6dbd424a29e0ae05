/** What may stand in a Host header and is no host: it would move parts of a URL. */
const NO_HOST = /[\s/\\?#@%]|\p{Cc}/u
const LONGEST_HOST = 255

/**
 * A host as sites are told apart by: lower case, ASCII form, without port and final dot (DESIGN 3, sites). Undefined for
 * what is no host.
 */
export function hostNameOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '' || text.length > LONGEST_HOST || NO_HOST.test(text)) return undefined
  const url = `http://${text}`
  if (!URL.canParse(url)) return undefined
  const { hostname } = new URL(url)
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return name === '' ? undefined : name
}
