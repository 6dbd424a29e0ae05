/** Numbers from 0 to 1 that `seed` decides. */
export interface Random {
  next(): number
  /** A whole number below `end`. */
  below(end: number): number
  oneOf<T>(list: readonly T[]): T
  /** True in a share of all cases. */
  chance(share: number): boolean
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    // A counter that is stirred: short, and good enough for a load.
    state = (state + 0x9e_37_79_b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    next,
    below,
    oneOf: (list) => list[below(list.length)] as (typeof list)[number],
    chance: (share) => next() < share,
  }
}
