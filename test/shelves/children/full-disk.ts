/** A site whose blobs go to a folder that has room for its first state and not for its second; prints what was seen. */
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { createHandle } from '../../../src/handle.ts'
import { createEngine, type Logger, resolveOptions } from '../../../src/index.ts'

export interface Seen {
  readonly first: Asked
  /** Of the walk that found no room. */
  readonly code: string | undefined
  readonly cause: string | undefined
  /** While the disk is full. */
  readonly full: Asked
  readonly state: string | undefined
  readonly lines: readonly (readonly [level: string, code: string | undefined])[]
  /** Files of the folder, when the failed walk was cleaned up. */
  readonly files: number
  /** After a walk that fits again. */
  readonly after: Asked
}

/** Part 1 of the section: its status, its validator and how many entries it has. */
export interface Asked {
  readonly status: number
  readonly etag: string | undefined
  readonly entries: number
}

const [dir = '', kind = ''] = process.argv.slice(2)
const ROOM = 200_000
if (kind === 'mount') execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM}`, 'none', dir])

let count = 3_000
const lines: [string, string | undefined][] = []
const keep =
  (level: string): Logger['info'] =>
  (details: object) =>
    lines.push([level, (details as { code?: string }).code])
const engine = createEngine(
  resolveOptions({
    site: { url: 'https://www.example.com' },
    providers: {
      posts: async function* () {
        // Nothing that compresses well.
        for (let i = 0; i < count; i++) yield `/${count}/${i}-${Math.imul(i + count, 0x9e3779b1) >>> 0}`
      },
    },
    cache: { memory: '64kb', dir },
    retries: 0,
    warmUp: false,
  }),
  { log: { info: keep('info'), warn: keep('warn'), error: keep('error') } },
)
const handle = createHandle(engine)

async function ask(): Promise<Asked> {
  const { status, headers, body, done } = await engine.respond({
    method: 'GET',
    path: '/sitemap-posts-1.xml',
    header: () => undefined,
  })
  const chunks: Buffer[] = []
  if (Buffer.isBuffer(body)) chunks.push(body)
  else if (body !== undefined) for await (const chunk of body) chunks.push(chunk)
  done?.()
  const { length } = Buffer.concat(chunks).toString().split('<loc>')
  return { status, etag: headers.etag, entries: length - 1 }
}

const first = await ask()
if (kind === 'limit') execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${ROOM}`])
count = 60_000
const failure = (await handle.refresh('posts', { force: true }).catch((error: unknown) => error)) as
  | { readonly code?: string; readonly cause?: { readonly code?: string } }
  | undefined
const full = await ask()
const state = handle.report().sections.posts?.state
const spooled = async (): Promise<number> =>
  (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.spool')).length
for (let look = 0; look < 500 && (await spooled()) > 1; look++)
  await new Promise((resolve) => setTimeout(resolve, 10))
const files = await spooled()
const seenLines = [...lines]
count = 2_900
await handle.refresh('posts', { force: true })
const after = await ask()
const seen: Seen = {
  first,
  code: failure?.code,
  cause: failure?.cause?.code,
  full,
  state,
  lines: seenLines,
  files,
  after,
}
console.log(JSON.stringify(seen))
await handle.close()
