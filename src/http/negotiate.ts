/** A content-coding of ours (RFC 9110 §8.4.1; zstd: RFC 8878; SPEC N25). */
export type Coding = 'identity' | 'gzip' | 'br' | 'zstd'

/**
 * Selects the content-coding of an answer; undefined is 406 (RFC 9110 §12.5.3, SPEC N20–N23).
 *
 * `offered` is best first, without `identity`. The highest weight wins, and the order of `offered` among
 * equal weights. `identity` is taken where no offered coding is acceptable, or where the client gave it a
 * strictly higher weight by name; without a header, too. Never throws.
 *
 * @example selectCoding('gzip, br;q=0.9', ['br', 'gzip']) // 'gzip'
 */
export function selectCoding(
  acceptEncoding: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  // SPEC N20: without the field any coding would do, but old and simple clients are the ones that leave it out.
  if (acceptEncoding === undefined) return 'identity'

  const weights = readWeights(acceptEncoding)
  const others = weights.get('*')
  let best: Coding | undefined
  let bestWeight = 0
  for (const coding of offered) {
    const weight = weights.get(coding) ?? others ?? 0
    if (weight > bestWeight && coding !== 'identity') {
      best = coding
      bestWeight = weight
    }
  }

  // SPEC N22: unless refused by name or by "*;q=0", identity is acceptable; "*" gives it no weight of its own.
  const identityWeight = weights.get('identity')
  if (identityWeight !== undefined) return identityWeight > bestWeight ? 'identity' : best
  return best === undefined && others !== 0 ? 'identity' : best
}

/** The coding for an Accept-Encoding; undefined where none is acceptable. */
export type Negotiate = (acceptEncoding: string | undefined) => Coding | undefined

/**
 * {@link selectCoding} for a fixed offer, with the answers to the last distinct headers kept: crawlers and
 * browsers send a handful of them (SPEC 9.2). At most 100 headers of at most 200 characters are kept; the
 * memo is emptied when full, so that made-up headers cost time and never memory.
 */
export function createNegotiator(offered: readonly Coding[]): Negotiate {
  const codings = [...offered]
  const memo = new Map<string, Coding | undefined>()
  return (acceptEncoding) => {
    if (acceptEncoding === undefined || acceptEncoding.length > LONGEST_KEPT) {
      return selectCoding(acceptEncoding, codings)
    }
    const known = memo.get(acceptEncoding)
    if (known !== undefined || memo.has(acceptEncoding)) return known
    const coding = selectCoding(acceptEncoding, codings)
    if (memo.size >= MOST_KEPT) memo.clear()
    memo.set(acceptEncoding, coding)
    return coding
  }
}

const MOST_KEPT = 100
const LONGEST_KEPT = 200

// RFC 9110 §12.5.3 and §12.4.2: a token, then at most one weight of at most three decimals; nothing else.
const MEMBER =
  /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[ \t]*;[ \t]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/

function readWeights(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>()
  // No member may hold a quoted string, so a comma always parts two of them.
  for (const member of acceptEncoding.split(',')) {
    const match = MEMBER.exec(member)
    if (match === null) continue
    const [, token = '', weight = '1'] = match
    const name = token.toLowerCase()
    // RFC 9110 §8.4.1.3: a recipient takes x-gzip for gzip.
    const coding = name === 'x-gzip' ? 'gzip' : name
    // The RFC does not say what a repeated coding means: it is acceptable if any of its members says so.
    weights.set(coding, Math.max(weights.get(coding) ?? 0, Number(weight)))
  }
  return weights
}
