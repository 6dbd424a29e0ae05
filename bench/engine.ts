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
  const chunks: Buffer[] = []
  await drain(from, path, coding, (chunk) => chunks.push(chunk))
  return Buffer.concat(chunks)
}

/** Takes a document as a socket would: chunk by chunk, to its last byte. */
export async function drain(
  from: Engine,
  path: string,
  coding: string,
  to: (chunk: Buffer) => unknown = () => {},
): Promise<void> {
  const answer = await from.respond({
    method: 'GET',
    path,
    header: (name) => (name === 'accept-encoding' ? coding : undefined),
  })
  const { body } = answer
  if (answer.status !== 200 || body === undefined) throw new Error(`${path} answered ${answer.status}`)
  if (Buffer.isBuffer(body)) to(body)
  else for await (const chunk of body) to(chunk)
  answer.done?.()
}
