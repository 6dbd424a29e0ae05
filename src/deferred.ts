/** A promise that is settled from outside. Never unhandled: not awaiting it is no reason to crash. */
export interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export function deferred(): Deferred {
  let resolve: () => void = ignore
  let reject: (error: unknown) => void = ignore
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  promise.catch(ignore)
  return { promise, resolve, reject }
}

function ignore(): void {}
