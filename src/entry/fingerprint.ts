/**
 * 64-bit fingerprints of URLs, which tell the entries of a walk apart. Two different URLs of a walk of 10 million meet
 * with a chance of about 3 in a million.
 */

/** The two halves, as signed 32-bit numbers, of the fingerprint computed last. Fields, so that the hot path allocates nothing. */
export interface Fingerprint {
  high: number
  low: number
}

const SEED_A = 0x9e3779b9 | 0
const SEED_B = 0x85ebca6b | 0
const FACTOR_A = 0x9e3779b1
const FACTOR_B = 0x5f356495

/** Fingerprint of `text` into `out`. */
export function fingerprint(text: string, out: Fingerprint): void {
  let a = SEED_A
  let b = SEED_B
  let i = 0
  // Two characters a step: the chain of multiplications is what takes the time.
  for (const last = text.length - 1; i < last; i += 2) {
    const code = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)
    a = Math.imul(a ^ code, FACTOR_A)
    b = Math.imul(b ^ code ^ (a >>> 15), FACTOR_B)
  }
  if (i < text.length) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, FACTOR_A)
    b = Math.imul(b ^ code ^ (a >>> 15), FACTOR_B)
  }
  finish(a, b, text.length, out)
}

function finish(a0: number, b0: number, length: number, out: Fingerprint): void {
  let a = a0 ^ length
  let b = b0
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b)
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  a = Math.imul(a ^ (b >>> 16), 0xc2b2ae35)
  b = Math.imul(b ^ (a >>> 13), 0x85ebca6b)
  out.high = a ^ (a >>> 16)
  out.low = b ^ (b >>> 16)
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
    a = Math.imul(a ^ code, FACTOR_A)
    b = Math.imul(b ^ code ^ (a >>> 15), FACTOR_B)
  }
  if (i < text.length) {
    const code = text.charCodeAt(i)
    if (code > 127 || (code === 46 && before === 47)) return NOT_PLAIN
    kinds |= KINDS[code] ?? REFUSED
    a = Math.imul(a ^ code, FACTOR_A)
    b = Math.imul(b ^ code ^ (a >>> 15), FACTOR_B)
  }
  if (kinds >= REFUSED) return NOT_PLAIN
  finish(a, b, text.length, out)
  return kinds >= PLAIN_WITH_AMPERSAND ? PLAIN_WITH_AMPERSAND : PLAIN
}
