import { createHash, type Hash } from 'node:crypto'

/** 128 bits of SHA-256 as 22 characters: names content, so equal content has an equal name on every machine. */
export function digestOf(content: string | Uint8Array): string {
  return shortDigest(createHash('sha256').update(content))
}

/** As {@link digestOf}, of a hash that was fed piece by piece. */
export function shortDigest(hash: Hash): string {
  return hash.digest('base64url').slice(0, 22)
}

/** Digest of several values in order; their borders are part of it, so that no two lists run into each other. */
export function digestOfAll(...values: readonly (string | number | boolean | undefined)[]): string {
  return digestOf(JSON.stringify(values.map((value) => value ?? null)))
}
