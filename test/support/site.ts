import http from 'node:http'
import zlib from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { loadBuilder } from '../../src/formats/frames.ts'
import { createHandle, type SitemapHandle } from '../../src/handle.ts'
import {
  type CommonOptions,
  createEngine,
  type Engine,
  type Entries,
  type Entry,
  type Logger,
  type ProviderContext,
  resolveOptions,
  type Site,
} from '../../src/index.ts'
import { createManualClock, type ManualClock, until } from './manual-clock.ts'

// The first walk of a process waits for this; loaded beforehand, no test on a manual clock depends on the disk.
await loadBuilder()

export const SITE = {
  url: 'https://www.example.com',
  title: 'Example',
  description: 'News and goods',
} as const

/** A promise that the test settles. */
export interface Gate<T = void> {
  readonly passed: Promise<T>
  open(value: T): void
  fail(error: unknown): void
}

export function createGate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const passed = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  passed.catch(() => {})
  return { passed, open, fail }
}

/** What one call of a provider does. */
export type Behaviour = (ctx: ProviderContext, call: number) => Entries | Promise<Entries>

/** A small data source: counts its calls, and does what the test says. */
export interface Source {
  /** Calls so far. */
  readonly calls: number
  /** Calls that have neither ended nor failed. */
  readonly open: number
  /** Signals the calls were given. */
  readonly signals: readonly AbortSignal[]
  /** What calls do from now on: a list is given, a function is called. */
  set(behaviour: Behaviour | readonly Entry[]): void
  /** The provider. */
  readonly entries: (ctx: ProviderContext) => Promise<Entries>
}

export function createSource(first: Behaviour | readonly Entry[]): Source {
  let behaviour = first
  let calls = 0
  let open = 0
  const signals: AbortSignal[] = []
  return {
    get calls() {
      return calls
    },
    get open() {
      return open
    },
    signals,
    set(next) {
      behaviour = next
    },
    async entries(ctx) {
      calls++
      open++
      signals.push(ctx.signal)
      try {
        return typeof behaviour === 'function' ? await behaviour(ctx, calls) : [...behaviour]
      } finally {
        open--
      }
    },
  }
}

/** Waits for the gate, then gives the entries. */
export function gated(gate: Gate<readonly Entry[]>): Behaviour {
  return () => gate.passed as Promise<Entries>
}

/** Never ends by itself; ends when it is told to. */
export const hangs: Behaviour = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** Never ends, whatever it is told. */
export const hangsForEver: Behaviour = () => new Promise(() => {})

/** Words of the user's own that must never reach a client. */
export const SECRET = 'postgres://admin:hunter2@db.internal'

export const throws: Behaviour = () => {
  throw new Error(`connect ECONNREFUSED ${SECRET}`)
}

export function throwsAfter(entries: readonly Entry[]): Behaviour {
  return async function* () {
    yield* entries
    throw new Error(`cursor lost ${SECRET}`)
  } as unknown as Behaviour
}

/** `count` entries: /a-1, /a-2, … */
export function entriesOf(name: string, count: number): { loc: string; title: string }[] {
  return Array.from({ length: count }, (_, i) => ({ loc: `/${name}-${i + 1}`, title: `${name} ${i + 1}` }))
}

export interface Line {
  readonly level: 'info' | 'warn' | 'error'
  readonly code: string | undefined
  readonly message: string
}

/** A logger that keeps its lines. */
export function createLines(): { readonly lines: Line[]; readonly logger: Logger } {
  const lines: Line[] = []
  const keep =
    (level: Line['level']) =>
    (details: object, message: string): void => {
      lines.push({ level, code: (details as { code?: string }).code, message })
    }
  return { lines, logger: { info: keep('info'), warn: keep('warn'), error: keep('error') } }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** As it came over the wire, coded. */
  readonly body: Buffer
  /** Decoded by its Content-Encoding. */
  readonly text: string
}

/** An engine without a framework, on a clock of its own. */
export interface TestEngine {
  readonly engine: Engine
  readonly handle: SitemapHandle
  readonly clock: ManualClock
  readonly lines: Line[]
  ask(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Answer>
  /** Asks until the site has answered 200 once. */
  warm(path?: string): Promise<Answer>
}

export type TestOptions = CommonOptions & { readonly site?: Site }

const engines = new Set<Engine>()

export function createTestEngine(options: TestOptions, clock: ManualClock = createManualClock()): TestEngine {
  const { lines, logger } = createLines()
  const engine = createEngine(
    resolveOptions({ ...('sites' in options ? {} : { site: SITE }), warmUp: false, ...options }),
    {
      clock,
      log: logger,
    },
  )
  engines.add(engine)
  const ask: TestEngine['ask'] = (path, headers = {}, method = 'GET') =>
    askEngine(engine, path, headers, method)
  return {
    engine,
    handle: createHandle(engine),
    clock,
    lines,
    ask,
    async warm(path = '/sitemap.xml') {
      const answer = await ask(path)
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      return answer
    },
  }
}

/** For afterEach: ends every engine a test made. */
export async function closeEngines(): Promise<void> {
  const made = [...engines]
  engines.clear()
  await Promise.all(made.map((engine) => engine.close()))
}

async function askEngine(
  engine: Engine,
  path: string,
  headers: Readonly<Record<string, string>>,
  method: string,
): Promise<Answer> {
  const response = await engine.respond({ method, path, header: (name) => headers[name] })
  const chunks: Buffer[] = []
  if (Buffer.isBuffer(response.body)) chunks.push(response.body)
  else if (response.body !== undefined) for await (const chunk of response.body) chunks.push(chunk)
  response.done?.()
  const body = Buffer.concat(chunks)
  return {
    status: response.status,
    headers: response.headers,
    body,
    text: decoded(body, response.headers['content-encoding']),
  }
}

export function decoded(body: Buffer, coding: string | undefined): string {
  if (body.length === 0) return ''
  if (coding === 'gzip') return zlib.gunzipSync(body).toString('utf8')
  if (coding === 'br') return zlib.brotliDecompressSync(body).toString('utf8')
  return body.toString('utf8')
}

/** What becomes of a promise, seen from outside. */
export interface Watched<T> {
  readonly settled: boolean
  readonly value: Promise<T>
}

export function watch<T>(value: Promise<T>): Watched<T> {
  const watched = { settled: false, value }
  const end = (): void => {
    watched.settled = true
  }
  value.then(end, end)
  return watched
}

/** The code an operation rejects with, or undefined where it resolved. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise
    return undefined
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

/** The locs of an XML document, or the lines of a text. */
export function locsOf(text: string): string[] {
  const found = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc)
  return found.length > 0 || text.startsWith('<') ? found : text.split('\n').filter((line) => line !== '')
}

/** The paths of those locs below the site of the tests. */
export function pathsOf(text: string): string[] {
  return locsOf(text).map((loc) => loc.replace(SITE.url, ''))
}

const apps = new Set<FastifyInstance>()

/** Listens on a free port of 127.0.0.1; ended by {@link closeApps}. */
export async function listen(app: FastifyInstance): Promise<string> {
  apps.add(app)
  return app.listen({ port: 0, host: '127.0.0.1' })
}

export async function closeApps(): Promise<void> {
  const made = [...apps]
  apps.clear()
  await Promise.all(made.map((app) => app.close()))
}

export interface RawRequest {
  readonly method?: string
  /** `accept-encoding` is `identity` unless given; undefined leaves it out. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** One request on a connection of its own, the body as it came over the wire. */
export function fetchRaw(
  url: string,
  { method = 'GET', headers = {}, body, signal }: RawRequest = {},
): Promise<Answer> {
  const answer = createGate<Answer>()
  // Without a length DELETE would send its body as if it were the next request.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const given = { 'accept-encoding': 'identity', ...length, ...headers }
  const request = http.request(url, {
    method,
    agent: false,
    headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(signal === undefined ? {} : { signal }),
  })
  request.on('error', answer.fail)
  request.on('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', answer.fail)
    response.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const plain = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') : value,
        ]),
      )
      answer.open({
        status: response.statusCode ?? 0,
        headers: plain,
        body: bytes,
        text: decoded(bytes, plain['content-encoding']),
      })
    })
  })
  request.end(body)
  return answer.passed
}

/** Waits until every section has been read, for tests that look at what warm-up did. */
export async function untilReady(handle: Pick<SitemapHandle, 'report'>): Promise<void> {
  await until(() => handle.report().ready, 'every section to be read')
}
