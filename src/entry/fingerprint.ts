/**
 * 64-bit fingerprints of URLs, which tell the entries of a walk apart. Two different URLs of a walk of 10 million meet
 * with a chance of about 3 in a million.
 */

/** The two halves, as signed 32-bit numbers, of the fingerprint computed last. Fields, so that the hot path allocates nothing. */
export interface Fingerprint {
  high: number
  low: number
}

/** Fingerprint of `text`, a URL or a part of one (so ASCII), into `out`. */
export function fingerprint(text: string, out: Fingerprint): void {
  let a = SEED_A
  let b = SEED_B
  // Four characters a step: the chain of the two lanes takes its time.
  for (let i = 0; i < text.length; i += 4) {
    const code = codeAt(text, i)
    a = laneA(a, b, code)
    b = laneB(b, a, code)
  }
  finish(a, b, text.length, out)
}

/** Up to four characters from `from` on, a byte each. */
function codeAt(text: string, from: number): number {
  let code = 0
  const end = Math.min(from + 4, text.length)
  for (let i = from; i < end; i++) code |= text.charCodeAt(i) << ((i - from) * 8)
  return code
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
/** May begin a dot segment. */
const DOT = 8

/**
 * For each ASCII code: {@link PLAIN} where `URL` leaves the character alone in path and query alike and RFC 3986 allows
 * it there. Not `%`, which needs a look, nor quotes, nor `#`.
 */
const KINDS = new Uint8Array(128).fill(REFUSED)
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~.-/?=+,:;@!$*()')
  KINDS[c.charCodeAt(0)] = PLAIN
KINDS['&'.charCodeAt(0)] = PLAIN_WITH_AMPERSAND
KINDS['.'.charCodeAt(0)] = PLAIN | DOT

/**
 * Whether `text` is a path from the root that is final as it stands (one slash: two begin another host; no dot segment;
 * nothing to encode), and its fingerprint into `out`: one pass over the characters of nearly every entry.
 */
export function scanPath(text: string, out: Fingerprint): number {
  if (text.charCodeAt(0) !== SLASH || text.charCodeAt(1) === SLASH) return NOT_PLAIN
  const { length } = text
  let a = SEED_A
  let b = SEED_B
  let kinds = 0
  let i = 0
  for (const last = length - 3; i < last; i += 4) {
    const one = text.charCodeAt(i)
    const two = text.charCodeAt(i + 1)
    const three = text.charCodeAt(i + 2)
    const four = text.charCodeAt(i + 3)
    if ((one | two | three | four) > 127) return NOT_PLAIN
    kinds |= kindOf(one) | kindOf(two) | kindOf(three) | kindOf(four)
    const code = one | (two << 8) | (three << 16) | (four << 24)
    a = laneA(a, b, code)
    b = laneB(b, a, code)
  }
  if (i < length) {
    const code = codeAt(text, i)
    for (; i < length; i++) {
      const character = text.charCodeAt(i)
      if (character > 127) return NOT_PLAIN
      kinds |= kindOf(character)
    }
    a = laneA(a, b, code)
    b = laneB(b, a, code)
  }
  // A question mark with nothing behind it goes.
  if ((kinds & REFUSED) !== 0 || text.charCodeAt(length - 1) === QUESTION_MARK) return NOT_PLAIN
  if ((kinds & DOT) !== 0 && text.includes('/.')) return NOT_PLAIN
  finish(a, b, length, out)
  return (kinds & PLAIN_WITH_AMPERSAND) !== 0 ? PLAIN_WITH_AMPERSAND : PLAIN
}

const SLASH = 47
const QUESTION_MARK = 63

function kindOf(code: number): number {
  return KINDS[code] as number
}
