/** Instances in processes of their own, and the data source that all of them read. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Duration } from '../../src/index.ts'
import type { SitemapReport } from '../../src/report.ts'
import { eventually } from '../support/eventually.ts'

export type ClientName = 'ioredis' | 'ioredis6' | 'iovalkey' | 'node-redis'

/** All clients, one for each instance, so that what one writes another reads. */
export const CLIENTS: readonly ClientName[] = ['ioredis', 'node-redis', 'ioredis6', 'iovalkey']

export type StoreOrder =
  | { readonly client: ClientName; readonly url: string }
  | { readonly client: ClientName; readonly ports: readonly number[] }
  | { readonly dir: string }

export interface InstanceOrder {
  /** Origin of the source. */
  readonly source: string
  readonly store?: StoreOrder
  readonly cache?: { readonly ttl?: Duration; readonly version?: string; readonly wait?: Duration }
  /** The site is the section `goods`, in partitions; else the section `posts`. */
  readonly partitioned?: boolean
  readonly more?: { readonly warmUp?: boolean; readonly deadline?: Duration; readonly timeout?: Duration }
}

export type Command = 'report' | 'ready' | 'invalidate' | 'invalidateOften' | 'waiting' | 'late'

export interface Line {
  readonly level: 'info' | 'warn' | 'error'
  readonly code: string | undefined
  readonly message: string
  readonly atMs: number
}

/** What a process says: its port once, lines of its log, answers to commands. */
export type Said =
  | { readonly port: number }
  | { readonly line: Line }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }

export interface Instance {
  readonly port: number
  readonly lines: readonly Line[]
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  report(): Promise<SitemapReport>
  tell<T>(command: Command, given?: string): Promise<T>
  /** Ends as a deploy ends it. */
  stop(): Promise<void>
  /** Ends as a crash ends it. */
  kill(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  readonly cacheControl: string | undefined
  readonly text: string
}

const running = new Set<Instance>()

/** For afterEach: no process outlives its test. */
export async function killInstances(): Promise<void> {
  await Promise.all([...running].map((one) => one.kill()))
}

export async function startInstance(order: InstanceOrder): Promise<Instance> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('./children/app.ts', import.meta.url)), JSON.stringify(order)],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  )
  const lines: Line[] = []
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  let stderr = ''
  child.stderr?.on('data', (text) => {
    stderr = `${stderr}${String(text)}`.slice(-4_000)
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      const error = new Error(`an instance ended with ${code ?? signal}: ${stderr}`)
      reject(error)
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
    })
    child.on('message', (message) => {
      const said = message as Said
      if ('port' in said) return resolve(said.port)
      if ('line' in said) return void lines.push(said.line)
      const one = waiting.get(said.id)
      waiting.delete(said.id)
      if ('error' in said) one?.reject(new Error(said.error))
      else one?.resolve(said.value as never)
    })
  })
  let last = 0
  const instance: Instance = {
    port,
    lines,
    ask: (path, headers) => ask(port, path, headers),
    report: () => instance.tell('report'),
    tell<T>(command: Command, given = ''): Promise<T> {
      const id = ++last
      const told = new Promise<T>((resolve, reject) => waiting.set(id, { resolve, reject }))
      // Who is told of it awaits it later, perhaps.
      told.catch(() => {})
      child.send({ id, command, given })
      return told
    },
    stop: () => end(instance, child, 'SIGTERM'),
    kill: () => end(instance, child, 'SIGKILL'),
  }
  running.add(instance)
  return instance
}

async function end(instance: Instance, child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  running.delete(instance)
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** On a connection of its own; rejects where there is none. */
export function ask(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, agent: false, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { etag, 'last-modified': lastModified, 'cache-control': cacheControl } = response.headers
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, etag, lastModified, cacheControl, text })
      })
    })
    request.on('error', reject)
  })
}

/** A data source that counts what it is asked for. */
export interface Source {
  readonly origin: string
  /** Reads of `/posts`. */
  readonly walks: number
  /** Reads of each partition of `/goods`. */
  readonly reads: ReadonlyMap<string, number>
  /** What it answers with: entries `/{name}-1` …; nothing while it is held; 503 while it is down. */
  set(state: { readonly name: string; readonly count: number } | 'held' | 'down'): void
  /** As many entries as before with other paths: the first is `/{name}-1`. */
  edit(name: string): void
  close(): Promise<void>
}

export async function startSource({
  partitions = 0,
}: {
  readonly partitions?: number
} = {}): Promise<Source> {
  let name = 'a'
  let count = 100
  let isDown = false
  let walks = 0
  let held: (() => void)[] | undefined
  const reads = new Map<string, number>()
  const bodyOf = (path: string): unknown => {
    if (path === '/posts')
      return Array.from({ length: count }, (_, i) => ({
        loc: `/${name}-${i + 1}`,
        title: `${name} ${i + 1}`,
      }))
    if (path === '/goods')
      return Array.from({ length: partitions }, (_, i) => ({ id: String(i + 1), version: 1, count: 3 }))
    const id = path.slice('/goods/'.length)
    return [1, 2, 3].map((n) => ({ loc: `/goods/${id}/${n}` }))
  }
  const server = http.createServer((request, response) => {
    const { url = '' } = request
    if (url === '/posts') walks++
    else if (url !== '/goods')
      reads.set(url.slice('/goods/'.length), (reads.get(url.slice('/goods/'.length)) ?? 0) + 1)
    const answer = (): void => {
      response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' })
      response.end(isDown ? '' : JSON.stringify(bodyOf(url)))
    }
    if (held === undefined) answer()
    else held.push(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get walks() {
      return walks
    },
    reads,
    set(state) {
      isDown = state === 'down'
      if (typeof state === 'object') ({ name, count } = state)
      const waiting = held ?? []
      held = state === 'held' ? waiting : undefined
      if (state !== 'held') for (const answer of waiting) answer()
    },
    edit(next) {
      name = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Requests without end to whatever stands behind a balancer. */
export interface Load {
  /** Requests so far. */
  readonly count: number
  /** What was no 200 with a whole document. */
  readonly failures: readonly string[]
  /** How long each took, in ms. */
  readonly durations: readonly number[]
  /** Waits until so many more have been answered. */
  more(count: number): Promise<void>
  stop(): Promise<void>
}

const CLIENTS_AT_ONCE = 4
const PAUSE_MS = 20

/** `targets` are asked in turn; one that is taken out of the list is asked no more. */
export function startLoad(targets: readonly Instance[], path = '/sitemap.xml'): Load {
  const failures: string[] = []
  const durations: number[] = []
  let isStopped = false
  let next = 0
  async function client(): Promise<void> {
    while (!isStopped) {
      const target = targets[next++ % targets.length]
      const startedMs = performance.now()
      try {
        const { status, text } = (await target?.ask(path)) ?? {}
        if (status !== 200 || text?.endsWith('>\n') !== true) failures.push(`${status}: ${text?.slice(-80)}`)
      } catch (error) {
        failures.push(String(error))
      }
      durations.push(performance.now() - startedMs)
      await sleep(PAUSE_MS)
    }
  }
  const clients = Array.from({ length: CLIENTS_AT_ONCE }, client)
  return {
    get count() {
      return durations.length
    },
    failures,
    durations,
    async more(count) {
      const wanted = durations.length + count
      await eventually(() => durations.length >= wanted, `${count} more requests`, 30_000)
    },
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}

/** What lies below 99 of 100. */
export function p99(durations: readonly number[]): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.99)] ?? 0
}

/** The paths that a urlset names. */
export function pathsOf(text: string): string[] {
  return [...text.matchAll(/<loc>https:\/\/www\.example\.com([^<]*)<\/loc>/g)].map(([, path = '']) => path)
}

/** Lines that came sooner than a minute after one of their kind; what a line is about ends at its first colon. */
export function tooOften(lines: readonly Line[]): string[] {
  const lastMs = new Map<string, number>()
  return lines
    .filter(({ level }) => level !== 'info')
    .filter(({ code, message, atMs }) => {
      const kind = `${code} ${kindOf(message)}`
      const last = lastMs.get(kind)
      lastMs.set(kind, atMs)
      return last !== undefined && atMs - last < 60_000
    })
    .map(({ message }) => message)
}

/** Of lines on the store: that it is away, whatever the sign, or that it refuses. */
function kindOf(message: string): string {
  return /this instance works alone/.test(message) ? 'down' : (message.split(':')[0] ?? '')
}
