import type { Engine, Logger } from '../src/index.ts'
import { ORIGIN, type Row } from './entries.ts'
import { createEngine, resolveOptions } from './library.ts'

export const SILENT: Logger = { info() {}, warn() {}, error() {} }

/** An engine of one section of plain entries that serves XML alone. */
export function createPlainEngine(rows: readonly Row[], memory: `${number}${'mb' | 'kb'}`): Engine {
  const options = resolveOptions({
    site: { url: ORIGIN },
    providers: { blog: () => rows },
    routes: { html: false, txt: false, rss: false },
    cache: { memory },
    warmUp: false,
  })
  return createEngine(options, { log: SILENT })
}

/** The whole body of a document. */
export async function take(from: Engine, path: string, coding: string): Promise<Buffer> {
  const answer = await from.respond({
    method: 'GET',
    path,
    header: (name) => (name === 'accept-encoding' ? coding : undefined),
  })
  const { body } = answer
  if (answer.status !== 200 || body === undefined) throw new Error(`${path} answered ${answer.status}`)
  answer.done?.()
  if (Buffer.isBuffer(body)) return body
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
