import { type Hash, hash } from 'node:crypto'

/** 128 bits of SHA-256 as 22 characters: names content, so equal content has an equal name on every machine. */
export function digestOf(content: string | Uint8Array): string {
  // In one call: small texts take half the time of a hash that is fed (measured).
  return hash('sha256', content, 'base64url').slice(0, LENGTH)
}

/** As {@link digestOf}, of a hash that was fed piece by piece. */
export function shortDigest(fed: Hash): string {
  return fed.digest('base64url').slice(0, LENGTH)
}

const LENGTH = 22

/** Digest of several values in order; their borders are part of it, so that no two lists run into each other. */
export function digestOfAll(...values: readonly (string | number | boolean | undefined)[]): string {
  return digestOf(JSON.stringify(values.map((value) => value ?? null)))
}
