/** Candidates measured in turn, so that whatever else the machine does hits all of them alike. */
export interface Candidate {
  readonly name: string
  /** One measurement; milliseconds, or any figure whose ratio is wanted. */
  readonly once: () => Promise<number>
}

export interface Measured {
  readonly name: string
  readonly median: number
  /** Half the distance between the quartiles, as a share of the median. */
  readonly spread: number
}

/** What a question found. */
export interface Finding {
  /** Markdown for bench/README.md. */
  readonly lines: readonly string[]
  /** The control came out equal, so that the times mean something. */
  readonly valid: boolean
  /** What may not be on any machine, however busy: a call too many, a wrong answer. */
  readonly faults?: readonly string[]
}

/** Warm-up rounds, then `rounds` rounds of all candidates in turn. */
export async function measureInTurn(
  candidates: readonly Candidate[],
  rounds: number,
  warmUp: number,
): Promise<Measured[]> {
  const samples = candidates.map((): number[] => [])
  for (let round = 0; round < warmUp + rounds; round++) {
    // In another order each round: who comes after whom, and so after whose garbage, evens out.
    for (const i of shuffled(candidates.length, round)) {
      const value = await candidates[i]?.once()
      if (round >= warmUp && value !== undefined) samples[i]?.push(value)
    }
  }
  return candidates.map(({ name }, i) => summarise(name, samples[i] ?? []))
}

/** The numbers below `count` in an order that `seed` decides. */
function shuffled(count: number, seed: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  let state = (seed + 1) * 2_654_435_761
  for (let i = count - 1; i > 0; i--) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    const j = state % (i + 1)
    ;[order[i], order[j]] = [order[j] as number, order[i] as number]
  }
  return order
}

export function summarise(name: string, values: readonly number[]): Measured {
  const median = quantile(values, 0.5)
  // One alone has none.
  const spread =
    values.length === 1 ? Number.NaN : (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median
  return { name, median, spread }
}

/** The value that `share` of all lie below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** A row of a result table: `value` against `base`. */
export function ratio(value: Measured, base: Measured): string {
  return (value.median / base.median).toFixed(2)
}

export function percent(share: number): string {
  return Number.isNaN(share) ? '' : `±${(share * 100).toFixed(0)} %`
}

/** The control is the baseline again: further apart than this, the machine was too busy and the run says nothing. */
export const CONTROL_BOUND = 0.15

export function controlHolds(control: Measured, base: Measured): boolean {
  return Math.abs(control.median / base.median - 1) <= CONTROL_BOUND
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}

/** 1234567 → 1,234,567 */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
}

export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : whole(ms)} ms`
}

export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
