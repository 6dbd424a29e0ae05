/**
 * Public types of what later releases serve, so that they do not bend what is there. The options that would take them
 * are refused until then (LSM_ERR_OPTION_LATER).
 */
import type { Partition, ProviderContext } from './providers/provider.ts'

type Awaitable<T> = T | Promise<T>

/** What a provider of partitions is called with. */
export type PartitionContext<P extends Partition = Partition> = ProviderContext & { readonly partition: P }

/** Shares blobs, records and invalidations between instances and restarts. */
export interface SharedStore {
  readonly name: string
  get(key: string): Promise<Uint8Array | null | undefined>
  set(key: string, value: Uint8Array, ttlMs: number): Promise<unknown>
  delete(key: string): Promise<unknown>
  /** Sets only where the record's revision is the expected one; a store without it has no order among instances. */
  compareAndSet?(
    key: string,
    expected: number | undefined,
    revision: number,
    value: Uint8Array,
    ttlMs: number,
  ): Promise<boolean>
  lock?(key: string, token: string, ttlMs: number): Promise<boolean>
  renew?(key: string, token: string, ttlMs: number): Promise<unknown>
  unlock?(key: string, token: string): Promise<unknown>
  invalidate?(tags: readonly string[]): Promise<number>
  state?(): Promise<{
    readonly epoch: string
    readonly rev: number
    readonly tags: ReadonlyMap<string, number>
  }>
  subscribe?(onChange: () => void): Promise<() => void>
  ready?(): boolean
}

/** A route that a CMS calls after a publish. */
export interface WebhookOptions {
  readonly path: string
  readonly preset?: string
  readonly verify?: (request: {
    readonly raw: Uint8Array
    readonly headers: Readonly<Record<string, string>>
  }) => Awaitable<boolean>
  readonly secret?: string | readonly string[]
  readonly sections?: readonly string[]
  readonly map?: (body: unknown) => readonly string[]
}
