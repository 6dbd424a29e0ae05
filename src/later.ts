/**
 * Public types of what later releases serve, so that they do not bend what is there. The options that would take them
 * are refused until then (LSM_ERR_OPTION_LATER).
 */
import type { Partition, ProviderContext } from './providers/provider.ts'

type Awaitable<T> = T | Promise<T>

/** What a provider of partitions is called with. */
export type PartitionContext<P extends Partition = Partition> = ProviderContext & { readonly partition: P }

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
