import type { SkipReport } from '../report.ts'

/** Samples kept of each reason, and reasons told apart at most. */
const SAMPLES = 5
const REASONS = 50

export interface SkipCounter {
  /** An entry left out; `asked` where the entry or an option wanted it so. */
  skip(reason: string, loc: string | undefined, asked: boolean): void
  /** A field left out; its entry stays. */
  drop(reason: string, loc: string): void
  /** Entries left out that nobody asked to leave out. */
  readonly faulty: number
  report(): SkipReport
  /** The reasons nobody asked for, as text; equal while a provider's faults are the same. Empty where there are none. */
  faults(): string
}

/** Counts what a walk left out; bounded whatever the entries hold. */
export function createSkipCounter(): SkipCounter {
  const reasons = new Map<string, number>()
  const samples: { reason: string; loc?: string }[] = []
  const unasked = new Map<string, number>()
  let total = 0
  let faulty = 0

  function count(given: string, loc: string | undefined, asked: boolean): void {
    const reason = reasons.has(given) || reasons.size < REASONS ? given : 'other reasons'
    const before = reasons.get(reason) ?? 0
    reasons.set(reason, before + 1)
    if (!asked) unasked.set(reason, (unasked.get(reason) ?? 0) + 1)
    if (before < SAMPLES) samples.push(loc === undefined ? { reason } : { reason, loc })
  }

  return {
    skip(reason, loc, asked) {
      total++
      if (!asked) faulty++
      count(reason, loc, asked)
    },
    drop: (reason, loc) => count(reason, loc, false),
    get faulty() {
      return faulty
    },
    faults: () => [...unasked].map(([reason, times]) => `${reason} (${times})`).join('; '),
    report: () => ({ total, reasons: Object.fromEntries(reasons), samples }),
  }
}
