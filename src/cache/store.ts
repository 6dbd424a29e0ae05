/**
 * What shares blobs, records and invalidations between instances and restarts (option `cache.store`). It is never asked
 * for anything that a process could not make itself: a store that is down, slow or wrong costs time, not answers. The
 * engine bounds every call by a deadline of its own, so no method needs one.
 *
 * Keys are text of ours; what stands between braces is to stay on one node of a cluster. Values are bytes: a store gives
 * back what it was given, or nothing. `get`, `set` and `delete` are enough for warm starts; each optional method adds what
 * its line says.
 */
export interface SharedStore {
  /** For the log and `report()`: "redis", "fs". */
  readonly name: string
  /** The value of a key, or of a record; null or undefined where there is none. */
  get(key: string): Promise<Uint8Array | null | undefined>
  /** Keeps a value for `ttlMs`, in ms; a store that cannot forget may keep it for ever. */
  set(key: string, value: Uint8Array, ttlMs: number): Promise<unknown>
  delete(key: string): Promise<unknown>

  /** Lets values live `ttlMs` from now, without writing them anew; resolves to the keys that are gone. */
  touch?(keys: readonly string[], ttlMs: number): Promise<readonly string[]>
  /**
   * Sets a value and its revision in one step, unless one of a greater revision stands; resolves to whether it was set.
   * Keeps a walk that began earlier from replacing what a later one found. Without it the last writer wins.
   */
  setRecord?(key: string, revision: number, value: Uint8Array, ttlMs: number): Promise<boolean>

  /** All fields of a key that was written by `setField`. */
  getFields?(key: string): Promise<ReadonlyMap<string, string>>
  /** Sets one field among others of a key, and lets the key live `ttlMs` from now. */
  setField?(key: string, field: string, value: string, ttlMs: number): Promise<unknown>

  /** Takes a lease for `ttlMs` unless another token holds it. Without it every instance reads for itself. */
  lock?(key: string, token: string, ttlMs: number): Promise<boolean>
  /** Lets a lease live `ttlMs` from now; false where the token does not hold it any more. */
  renew?(key: string, token: string, ttlMs: number): Promise<boolean>
  /** Gives a lease up, where the token still holds it. */
  unlock?(key: string, token: string): Promise<unknown>

  /** Raises the store's revision by one and notes it for each tag, in one step; resolves to the new revision. */
  invalidate?(tags: readonly string[]): Promise<number>
  /**
   * The revision, and the tags noted above `since` (default 0: all). `epoch` names the store's life: another one than
   * before means that everything in it was lost.
   */
  state?(since?: number): Promise<StoreState>
  /** Calls back soon after an invalidation anywhere; a wake-up only, it may be lost. Resolves to what ends it. */
  subscribe?(onChange: () => void): Promise<() => void>

  /** False while a call would only wait for a connection. */
  ready?(): boolean
}

/** What was invalidated. */
export interface StoreState {
  readonly epoch: string
  readonly rev: number
  readonly tags: ReadonlyMap<string, number>
  /** Tags noted at this revision or below may have been forgotten: what is older than it counts as invalidated. */
  readonly floor?: number
}
