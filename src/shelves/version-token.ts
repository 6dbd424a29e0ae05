import { inspect } from 'node:util'
import type { Clock } from '../clock.ts'
import type { ResolvedProvider } from '../options.ts'
import type { ProviderContext } from '../providers/provider.ts'
import { type Abandoned, readValue } from '../providers/read.ts'
import type { ShelfLog } from './shelf-log.ts'

/** The provider's version token as text; undefined where it has none, or could not say: then everything is read. */
export async function readVersionToken(
  { section, version, timeoutMs }: ResolvedProvider,
  context: ProviderContext,
  controller: AbortController,
  { clock, abandoned, log }: { readonly clock: Clock; readonly abandoned: Abandoned; readonly log: ShelfLog },
): Promise<string | undefined> {
  if (version === undefined) return undefined
  try {
    const token = await readValue(() => version(context as never), {
      section,
      clock,
      timeoutMs,
      wholeMs: timeoutMs,
      // Its own: a token that came too late must not end the walk.
      controller: linked(controller),
      abandoned,
    })
    return tokenText(token)
  } catch (error) {
    if (controller.signal.aborted) throw error
    log.versionFailed(error)
    return undefined
  }
}

function linked(parent: AbortController): AbortController {
  const child = new AbortController()
  parent.signal.addEventListener('abort', () => child.abort(parent.signal.reason), { once: true })
  return child
}

/** A token as text, so that one object changed in place is told from itself, and any kind can be compared. */
function tokenText(token: unknown): string | undefined {
  if (token === undefined || token === null) return undefined
  // Bytes are shown only in part by inspect.
  if (ArrayBuffer.isView(token))
    return Buffer.from(token.buffer, token.byteOffset, token.byteLength).toString('base64')
  return inspect(token, { depth: 20, maxArrayLength: null, maxStringLength: null, sorted: true })
}
