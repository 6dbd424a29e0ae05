/**
 * The one account of what a process keeps in memory (option `cache.memory`). Blobs, the compressed last good, may take
 * half of it; what is beyond lies in the spool folder.
 */
export interface Memory {
  readonly limit: number
  /** Bytes of blobs held. */
  blobs: number
  /** Bytes that snapshots hold beside their blobs: fingerprints, feed items, news articles. */
  records: number
  /** Uncompressed bytes of blocks that wait for their compression. */
  loose: number
  /** Bytes being sent that the representation cache no longer holds. */
  underWay: number
  /** Lets rendered documents go, which can be made again, as far as all together is above the limit. */
  relieve: () => void
}

export function createMemory(limit: number): Memory {
  return { limit, blobs: 0, records: 0, loose: 0, underWay: 0, relieve() {} }
}

/** Share of the limit that blobs may take. */
export function blobRoom(memory: Memory): number {
  return Math.floor(memory.limit / 2) - memory.blobs - memory.records
}
