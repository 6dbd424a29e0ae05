/** Rules of one or more robots (SPEC X5). */
export interface RobotsRules {
  readonly userAgent: readonly string[]
  readonly allow: readonly string[]
  readonly disallow: readonly string[]
}

/** What a robots.txt is made of. */
export interface RobotsTxt {
  readonly groups: readonly RobotsRules[]
  /** Absolute URLs, the most important first. */
  readonly sitemaps: readonly string[]
}

/** SPEC X3: all that a parser is bound to read, 500 KiB. */
const READ_AT_LEAST = 512_000

// What ends a line or starts a comment, and what a requested URL never holds as it is: few parsers encode it before
// they compare (RFC 9309 §2.2.2).
const NOT_IN_URLS = /[^!$-;=?-~]/gu
// A robot's name knows no escaping.
const NO_NAME = /[\s\p{Cc}#]+/gu

/**
 * The whole `/robots.txt` (SPEC X1, X5): groups in their order with a blank line between them, then the sitemaps.
 * Groups are never cut, for half a group forbids less than was said. Sitemap lines beyond 500 KiB (X3) are left out
 * from the end: parsers may stop reading there, and what comes first, the indexes, names the rest.
 */
export function renderRobotsTxt({ groups, sitemaps }: RobotsTxt): string {
  const blocks = groups.map(groupBlock).filter((block) => block !== '')
  let lines = ''
  let bytes = blocks.reduce((sum, block) => sum + Buffer.byteLength(block) + 1, 0)
  for (const line of linesOf(sitemaps)) {
    // All ASCII: a character is a byte.
    bytes += line.length
    if (bytes > READ_AT_LEAST) break
    lines += line
  }
  if (lines !== '') blocks.push(lines)
  return blocks.join('\n')
}

/**
 * The `Sitemap:` lines alone, one a URL, for a robots.txt of one's own. They belong to no group and may stand anywhere
 * (SPEC X1); all are there, however many.
 */
export function sitemapLines(sitemaps: readonly string[]): string {
  return [...linesOf(sitemaps)].join('')
}

/** One by one: of very many only the first are written. */
function* linesOf(sitemaps: readonly string[]): Generator<string> {
  const seen = new Set<string>()
  for (const sitemap of sitemaps) {
    // A fragment names nothing in a file, and its sign would start a comment.
    const url = plain(sitemap.split('#', 1)[0] ?? '')
    if (url === '' || seen.has(url)) continue
    seen.add(url)
    yield `Sitemap: ${url}\n`
  }
}

function groupBlock({ userAgent, allow, disallow }: RobotsRules): string {
  const names = userAgent.map(robotName).filter((name) => name !== '')
  // Rules without a robot would fall to the group before.
  if (names.length === 0) return ''
  // The longest match wins wherever it stands; parsers that take the first one find the exceptions first.
  const rules = [...ruleLines('Allow', allow), ...ruleLines('Disallow', disallow)]
  // Everything is allowed, said in the way that the oldest parser reads.
  if (rules.length === 0) rules.push('Disallow:\n')
  return names.map((name) => `User-agent: ${name}\n`).join('') + rules.join('')
}

function ruleLines(key: 'Allow' | 'Disallow', paths: readonly string[]): string[] {
  return paths
    .map(plain)
    .filter((path) => path !== '')
    .map((path) => `${key}: ${path}\n`)
}

function robotName(name: string): string {
  return name.toWellFormed().replace(NO_NAME, ' ').trim()
}

/** The value as URLs write it, in printable ASCII; `*`, `$` and what is encoded already stay. */
function plain(value: string): string {
  return value.trim().toWellFormed().replace(NOT_IN_URLS, encodeURIComponent)
}
