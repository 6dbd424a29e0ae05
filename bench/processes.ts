import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process of a question: what is measured does not share heap, loop or garbage with what measures. */
export interface BenchProcess<Started> {
  readonly started: Started
  readonly pid: number
  /** Sends a command and waits for its answer; rejects with what it threw, and when the process ends. */
  ask<T>(command: string, given?: unknown): Promise<T>
  /** Lets it clean up and waits until it is gone. */
  end(): Promise<void>
}

/** What a command may take to end a process before it is killed. */
const END_MS = 10_000

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** Starts `bench/children/{name}.ts` with `given` and waits for what it says first. */
export async function startProcess<Started>(
  name: string,
  given: unknown = {},
): Promise<BenchProcess<Started>> {
  const file = fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url))
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', file, JSON.stringify(given)],
    // Its output goes to stderr: stdout is the report.
    { stdio: ['ignore', process.stderr, 'inherit', 'ipc'] },
  )
  const waiting = new Map<number, Waiting>()
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.on('message', (message) => {
    const { id, value, error } = message as Reply
    const one = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) one?.resolve(value as never)
    else one?.reject(new Error(error))
  })
  let ended: Error | undefined
  child.once('exit', (code, signal) => {
    ended = new Error(`${name} ended with ${code ?? signal}`)
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  })
  const answer = <T>(id: number): Promise<T> =>
    new Promise<T>((resolve, reject) => waiting.set(id, { resolve, reject }))

  let last = 0
  const started = await answer<Started>(last)
  return {
    started,
    pid: child.pid ?? 0,
    ask<T>(command: string, given?: unknown) {
      last++
      if (ended !== undefined) return Promise.reject(ended)
      const told = answer<T>(last)
      child.send({ id: last, command, given })
      return told
    },
    end: () => end(child, gone),
  }
}

/** Runs it to its end: its first word is its result. */
export async function runProcess<Result>(name: string, given?: unknown): Promise<Result> {
  const child = await startProcess<Result>(name, given)
  await child.end()
  return child.started
}

async function end(child: ChildProcess, gone: Promise<void>): Promise<void> {
  if (child.connected) child.disconnect()
  const killing = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await gone
  clearTimeout(killing)
}
