/** Pairs of 32-bit numbers, given up once there are more than `most`. */
export class GrowingPairs {
  #pairs: Int32Array | undefined = new Int32Array(256)
  #length = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  push(high: number, low: number): void {
    let pairs = this.#pairs
    if (pairs === undefined) return
    if (this.#length === this.#most * 2) {
      this.#pairs = undefined
      return
    }
    if (this.#length === pairs.length) {
      const larger = new Int32Array(pairs.length * 2)
      larger.set(pairs)
      this.#pairs = pairs = larger
    }
    pairs[this.#length++] = high
    pairs[this.#length++] = low
  }

  finish(): Int32Array | undefined {
    return this.#pairs?.slice(0, this.#length)
  }
}
