/** What the child process of the tenants test and the test itself have in common. */
export const TENANTS = 5_000

/** Part of hosts that only requests name. */
export const ATTACKER = 'attacker-was-here'

/** What the child saw on one host. */
export interface Tenancy {
  /** The host. */
  readonly name: string
  /** What was not as it should be, the first few. */
  readonly faults: readonly string[]
  readonly sites: { readonly awake: number; readonly asked: number }
  readonly memory: { readonly used: number; readonly limit: number }
  /** Bytes of heap and of what it holds outside, from a few hundred tenants to all of them. */
  readonly growth: number
  readonly deadCalls: number
  /** Lines in the log. */
  readonly lines: number
  /** Files in the spool folder. */
  readonly files: number
}
