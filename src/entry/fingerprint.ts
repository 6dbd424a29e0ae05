/**
 * 64-bit fingerprints of URLs, which tell the entries of a walk apart. Two different URLs of a walk of 10 million meet
 * with a chance of about 3 in a million.
 */

/** The two halves, as signed 32-bit numbers, of the fingerprint computed last. Fields, so that the hot path allocates nothing. */
export interface Fingerprint {
  high: number
  low: number
}

/** Fingerprint of `text` into `out`. */
export function fingerprint(text: string, out: Fingerprint): void {
  let a = SEED_A
  let b = SEED_B
  let i = 0
  // Two characters a step: the chain of the two lanes is what takes the time.
  for (const last = text.length - 1; i < last; i += 2) {
    const code = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)
    a = laneA(a, b, code)
    b = laneB(b, a, code)
  }
  if (i < text.length) {
    const code = text.charCodeAt(i)
    a = laneA(a, b, code)
    b = laneB(b, a, code)
  }
  finish(a, b, text.length, out)
}

const SEED_A = 0x9e3779b9 | 0
const SEED_B = 0x85ebca6b | 0

// Two lanes of the kind of MurmurHash3 (its 128-bit form for 32-bit machines, halved): each step's code is spread over
// all bits before it meets the state, so that texts that differ in a regular way do not meet.
function laneA(a: number, b: number, code: number): number {
  const spread = Math.imul(code, 0x239b961b)
  const mixed = a ^ Math.imul((spread << 15) | (spread >>> 17), 0xab0e9789)
  return (Math.imul(((mixed << 19) | (mixed >>> 13)) + b, 5) + 0x561ccd1b) | 0
}

function laneB(b: number, a: number, code: number): number {
  const spread = Math.imul(code, 0x38b34ae5)
  const mixed = b ^ Math.imul((spread << 16) | (spread >>> 16), 0xa1e38b93)
  return (Math.imul(((mixed << 17) | (mixed >>> 15)) + a, 5) + 0x0bcaa747) | 0
}

function finish(a0: number, b0: number, length: number, out: Fingerprint): void {
  const a = spreadAll((a0 ^ length) + b0)
  const b = spreadAll((b0 ^ length) + a)
  out.high = (a + b) | 0
  out.low = b
}

function spreadAll(value: number): number {
  let all = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  all = Math.imul(all ^ (all >>> 13), 0xc2b2ae35)
  return all ^ (all >>> 16)
}

/** What {@link scanPath} found. */
export const NOT_PLAIN = 0
export const PLAIN = 1
/** Plain, and XML escapes something in it. */
export const PLAIN_WITH_AMPERSAND = 2

const REFUSED = 4

/**
 * For each ASCII code: {@link PLAIN} where `URL` leaves the character alone in path and query alike and RFC 3986 allows
 * it there. Not `%`, which needs a look, nor quotes, nor `#`.
 */
const KINDS = new Uint8Array(128).fill(REFUSED)
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~.-/?=+,:;@!$*()')
  KINDS[c.charCodeAt(0)] = PLAIN
KINDS['&'.charCodeAt(0)] = PLAIN_WITH_AMPERSAND

/**
 * Whether `text` is a path from the root that is final as it stands (one slash: two begin another host; no dot segment;
 * nothing to encode), and its fingerprint into `out`: one pass over the characters of nearly every entry.
 */
export function scanPath(text: string, out: Fingerprint): number {
  if (text.charCodeAt(0) !== 47 || text.charCodeAt(1) === 47) return NOT_PLAIN
  let a = SEED_A
  let b = SEED_B
  let kinds = 0
  let before = 0
  let i = 0
  for (const last = text.length - 1; i < last; i += 2) {
    const one = text.charCodeAt(i)
    const two = text.charCodeAt(i + 1)
    if ((one | two) > 127) return NOT_PLAIN
    kinds |= (KINDS[one] ?? REFUSED) | (KINDS[two] ?? REFUSED)
    if ((two === 46 && one === 47) || (one === 46 && before === 47)) return NOT_PLAIN
    before = two
    const code = one | (two << 16)
    a = laneA(a, b, code)
    b = laneB(b, a, code)
  }
  if (i < text.length) {
    const code = text.charCodeAt(i)
    if (code > 127 || (code === 46 && before === 47)) return NOT_PLAIN
    kinds |= KINDS[code] ?? REFUSED
    a = laneA(a, b, code)
    b = laneB(b, a, code)
  }
  // A question mark with nothing behind it goes.
  if (kinds >= REFUSED || text.charCodeAt(text.length - 1) === 63) return NOT_PLAIN
  finish(a, b, text.length, out)
  return kinds >= PLAIN_WITH_AMPERSAND ? PLAIN_WITH_AMPERSAND : PLAIN
}
