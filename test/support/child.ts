import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ChildResult {
  /** Null where it had to be killed. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a TypeScript file in a process of its own, from the package's root; killed after `timeoutMs`. */
export async function runChild(
  file: URL,
  {
    env = {},
    args = [],
    timeoutMs = 15_000,
  }: { env?: object; args?: readonly string[]; timeoutMs?: number } = {},
): Promise<ChildResult> {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(file), ...args], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    err += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}
