import type { SitemapResponse } from '../src/http/message.ts'

/** Gives back what an answer holds whose body nobody will read. */
export function giveBack({ body, done }: SitemapResponse): void {
  done?.()
  if (body !== undefined && !Buffer.isBuffer(body)) body.return?.().catch(ignore)
}

function ignore(): void {}
