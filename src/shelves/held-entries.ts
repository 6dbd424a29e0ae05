import type { CheckedEntry } from '../entry/checked.ts'
import type { Block, BlockWriter } from './blob.ts'

/** An entry that waits for the end of the walk, with its fingerprint. */
export interface HeldEntry {
  readonly entry: CheckedEntry
  readonly high: number
  readonly low: number
}

/** Entries put aside in order, compressed or spooled as blobs are, so that memory holds one block of them. */
export interface HeldEntries {
  readonly count: number
  /** True where a block was closed: time to let compression catch up. */
  add(held: HeldEntry): boolean
  /** In the order they came; each block is let go once it was read. */
  all(): AsyncGenerator<HeldEntry>
  discard(): void
}

const BYTES_PER_BLOCK = 262_144

export function createHeldEntries(writer: BlockWriter): HeldEntries {
  const blocks: Block[] = []
  let lines: string[] = []
  let bytes = 0
  let count = 0

  function close(): void {
    if (lines.length === 0) return
    blocks.push(writer.write(Buffer.from(lines.join('\n'))))
    lines = []
    bytes = 0
  }

  return {
    get count() {
      return count
    },
    add(held) {
      const line = JSON.stringify(held)
      lines.push(line)
      bytes += line.length
      count++
      if (bytes < BYTES_PER_BLOCK) return false
      close()
      return true
    },
    async *all() {
      close()
      for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) {
        try {
          for (const line of (await block.raw()).toString('utf8').split('\n'))
            yield JSON.parse(line) as HeldEntry
        } finally {
          block.release()
        }
      }
    },
    discard() {
      for (const block of blocks.splice(0)) block.release()
      lines = []
    },
  }
}
