/** Tables grow one by one, so that no growth of a large set blocks the loop for long. */
const TABLES = 128
const FIRST_SLOTS = 128

/**
 * A set of fingerprints (entry/fingerprint.ts) in typed tables: 16 bytes an entry, and never more than 64, against 193 MB
 * a million in a `Set` of strings (measured).
 */
export class FingerprintSet {
  #tables: Int32Array[] = [new Int32Array(FIRST_SLOTS * 2)]
  readonly #sizes = new Int32Array(TABLES)
  /** Few lie in the one table there is: most walks and joins are small, and 128 tables take 25 µs to be made. */
  #isFew = true

  /** Adds one; false where it was there already. */
  add(high: number, low: number): boolean {
    if (this.#isFew && this.#sizes[0] === FIRST_SLOTS / 2) this.#spread()
    const index = this.#isFew ? 0 : high >>> 25
    let table = this.#tables[index] as Int32Array
    const size = this.#sizes[index] as number
    // Half full at most: two numbers a slot.
    if (size * 4 >= table.length) {
      table = grown(table)
      this.#tables[index] = table
    }
    // (0, 0) marks a free slot.
    if (!insert(table, high, low === 0 && high === 0 ? 1 : low)) return false
    this.#sizes[index] = size + 1
    return true
  }

  has(high: number, low: number): boolean {
    const table = this.#tables[this.#isFew ? 0 : high >>> 25] as Int32Array
    const wanted = low === 0 && high === 0 ? 1 : low
    const mask = table.length - 1
    for (let at = (wanted << 1) & mask; ; at = (at + 2) & mask) {
      const there = table[at + 1] as number
      if (there === wanted && table[at] === high) return true
      if (there === 0 && table[at] === 0) return false
    }
  }

  #spread(): void {
    const few = this.#tables[0] as Int32Array
    const all = new Int32Array(TABLES * FIRST_SLOTS * 2)
    this.#tables = Array.from({ length: TABLES }, (_, i) =>
      all.subarray(i * FIRST_SLOTS * 2, (i + 1) * FIRST_SLOTS * 2),
    )
    this.#sizes[0] = 0
    this.#isFew = false
    for (let at = 0; at < few.length; at += 2) {
      const high = few[at] as number
      const low = few[at + 1] as number
      if (high !== 0 || low !== 0) this.add(high, low)
    }
  }
}

function insert(table: Int32Array, high: number, low: number): boolean {
  const mask = table.length - 1
  for (let at = (low << 1) & mask; ; at = (at + 2) & mask) {
    const there = table[at + 1] as number
    if (there === low && table[at] === high) return false
    if (there === 0 && table[at] === 0) {
      table[at] = high
      table[at + 1] = low
      return true
    }
  }
}

function grown(old: Int32Array): Int32Array {
  // Small tables grow faster: moving costs more than room.
  const table = new Int32Array(old.length * (old.length < 4096 ? 4 : 2))
  for (let at = 0; at < old.length; at += 2) {
    const high = old[at] as number
    const low = old[at + 1] as number
    if (high !== 0 || low !== 0) insert(table, high, low)
  }
  return table
}
