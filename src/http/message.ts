/** What the engine needs of a request. The query is never looked at, forwarded headers are never trusted. */
export interface SitemapRequest {
  readonly method: string
  /** Path below the prefix, as the table names it. */
  readonly path: string
  /** A header by its lower-case name; several lines joined by a comma. */
  readonly header: (name: string) => string | undefined
  /** Host or :authority, as it came: it only selects among known sites. */
  readonly host?: string | undefined
  /** The host's own request object, for look-ups of the user's. */
  readonly original?: unknown
  readonly background?: Background
}

/**
 * Where a refresh runs that no answer waits for. Absent: on its own, in a process that lives on. A function is told of
 * each refresh that the request starts or meets, and keeps the process running for it. False: nowhere, for the process
 * may be frozen after the answer; then what is stale, however little, waits for its refresh, `cache.wait` at most.
 */
export type Background = false | ((refresh: Promise<void>) => void) | undefined

/** What a host writes out. */
export interface SitemapResponse {
  readonly status: number
  /** Names in lower case. Shared between answers: hosts must not change it. */
  readonly headers: Readonly<Record<string, string>>
  /** Absent for HEAD, 304 and empty answers. */
  readonly body: Buffer | AsyncIterableIterator<Buffer> | undefined
  /** Length of the body that GET has, where it is known: Content-Length of HEAD and of streams. */
  readonly bytes: number | undefined
  /** Must be called when the body was sent or given up, where it is there. */
  readonly done: (() => void) | undefined
}
