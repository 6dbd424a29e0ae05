import { SitemapError } from '../errors.ts'

/**
 * A key of a table, a whole number: a number from −(2^53 − 1) to 2^53 − 1, a bigint, or decimal text as drivers give 64-bit
 * columns (`'9007199254740993'`, without leading zeros). At most 60 digits.
 */
export type Key = number | bigint | string

/** How a table gives its keys; it is asked in the same kind. */
export type KeyKind = 'number' | 'bigint' | 'text'

/** The largest key that a column of each kind is asked for where nobody said which is the largest. */
export const LARGEST: Readonly<Record<KeyKind, bigint>> = {
  number: BigInt(Number.MAX_SAFE_INTEGER),
  bigint: 2n ** 63n - 1n,
  text: 2n ** 63n - 1n,
}

/** 128 bits have 39 digits; ids of partitions have 64 characters. */
const TOO_LARGE = 10n ** 60n
const DECIMAL = /^(?:0|-?[1-9][0-9]{0,59})$/

/** What {@link readKey} takes, in words. */
export const KEY_WORDS = 'a whole number: a number within 2^53, a bigint, or decimal text'

/** The exact value of a key, or undefined for what is none. Text must be as the database compares it: `'007'` is no number. */
export function readKey(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value === 'bigint') return value > -TOO_LARGE && value < TOO_LARGE ? value : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? BigInt(value) : undefined
}

/** The kind of a value that {@link readKey} takes. */
export function kindOf(key: unknown): KeyKind {
  if (typeof key === 'bigint') return 'bigint'
  return typeof key === 'string' ? 'text' : 'number'
}

/** One kind for two keys: some drivers give text for large values only. */
export function commonKind(a: unknown, b: unknown): KeyKind {
  const kind = kindOf(a)
  return kind === 'number' ? kindOf(b) : kind
}

/** `value` as the table gives its keys. */
export function writeKey(value: bigint, kind: KeyKind): Key {
  if (kind === 'bigint') return value
  return kind === 'text' ? String(value) : Number(value)
}

/** The exact value of a key that a provider gave; throws where it is none. `what` is who gave it, and where it stood. */
export function exactKey(value: unknown, what: string): bigint {
  const key = readKey(value)
  if (key !== undefined) return key
  const { came, wayOut } = keyFault(value)
  throw new SitemapError('LSM_ERR_PROVIDER_INVALID', `${what} is ${came}: expected ${KEY_WORDS}. ${wayOut}`)
}

/** What came instead of a key. Only numbers are shown as they are: a message may end in an HTTP body of the app's. */
function keyFault(value: unknown): { readonly came: string; readonly wayOut: string } {
  if (value === undefined) return { came: 'missing', wayOut: 'Select the column, under that name' }
  if (value === null) return { came: 'null', wayOut: 'Use a column that is never null' }
  if (typeof value === 'bigint')
    return { came: 'a bigint of more than 60 digits', wayOut: 'Use another column' }
  if (typeof value === 'number') {
    // Digits are lost already, and two keys may have become one.
    const rounded = Number.isInteger(value)
    return {
      came: `${value} (number)`,
      wayOut: rounded
        ? 'Numbers are exact up to 2^53 only: have the driver give bigints or text'
        : 'Use a column of whole numbers',
    }
  }
  return {
    came: typeof value === 'string' ? 'other text' : `a value of the type ${typeof value}`,
    wayOut: 'Use a column of whole numbers, or cut the table with byMonth or byHash',
  }
}
