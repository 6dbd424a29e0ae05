/**
 * Public types of what later releases serve, so that they do not bend what is there. The option that would take them
 * is refused until then (LSM_ERR_OPTION_LATER).
 */
type Awaitable<T> = T | Promise<T>

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
