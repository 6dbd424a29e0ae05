/** Milliseconds of each unit that a duration may be written in. */
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The units of a message, largest first. */
const WORDS = [
  [UNIT_MS.d, 'd'],
  [UNIT_MS.h, 'h'],
  [UNIT_MS.m, 'min'],
  [UNIT_MS.s, 's'],
  [UNIT_MS.ms, 'ms'],
] as const

/** Bytes of each unit that a size may be written in. */
const UNIT_BYTES = { b: 1, kb: 1_024, mb: 1_048_576, gb: 1_073_741_824 } as const

/**
 * Milliseconds, whole, of a duration: text (`'250ms'`, `'1.5h'`; units `ms s m h d`) or a number of seconds,
 * fractions allowed. Undefined for what is neither, is negative, or is too long to count in whole milliseconds.
 *
 * @example parseDuration('10m') // 600_000
 * @example parseDuration(0.05) // 50
 */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return wholeFrom0(value * UNIT_MS.s)
  // Text without a unit is refused: "30000" out of an environment variable may mean seconds or milliseconds.
  const match = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?) ?(ms|s|m|h|d)\s*$/.exec(value) : null
  if (match === null) return undefined
  return wholeFrom0(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS])
}

/**
 * Bytes, whole, of a size: text (`'64mb'`; units `b kb mb gb` in any case, powers of 1,024) or a whole number of bytes.
 * Undefined for what is neither.
 *
 * @example parseSize('64mb') // 67_108_864
 */
export function parseSize(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined
  const match = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?) ?(b|kb|mb|gb)\s*$/i.exec(value) : null
  if (match === null) return undefined
  return wholeFrom0(Number(match[1]) * UNIT_BYTES[match[2]?.toLowerCase() as keyof typeof UNIT_BYTES])
}

/**
 * `ms` in the words of a message: its two largest units that are not 0, the rest cut off.
 *
 * @example formatDuration(30_000_000) // '8 h 20 min'
 */
export function formatDuration(ms: number): string {
  const words: string[] = []
  let rest = ms
  for (const [size, name] of WORDS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) words.push(`${count} ${name}`)
  }
  return words.length === 0 ? '0 s' : words.slice(0, 2).join(' ')
}

/**
 * `ms` as {@link parseDuration} reads it, in the largest unit that loses nothing.
 *
 * @example durationText(90_000) // '90s'
 */
export function durationText(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms > 0 && ms % UNIT_MS[unit] === 0) return `${ms / UNIT_MS[unit]}${unit}`
  }
  return `${ms}ms`
}

function wholeFrom0(value: number): number | undefined {
  const whole = Math.round(value)
  return Number.isSafeInteger(whole) && value >= 0 ? whole : undefined
}
