import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Collects what can be collected (`--expose-gc`) and gives the resident bytes that are left. */
export async function settledRss(): Promise<number> {
  // Once for the objects, once for what their finalizers let go.
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.()
    await turn()
  }
  return process.memoryUsage.rss()
}

/** Forgets the peak so far: the loader and the parent's copy at the fork are in it. */
export function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Not Linux, or not allowed: the peak is that of the whole process, an upper bound.
  }
}

/** Highest resident bytes since {@link resetPeak}, as the kernel counts them: no sampling misses a peak. */
export function peakRss(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1_024
}

/** What the loader of the bench's own files takes of a process: the published package runs without one. */
export async function loaderRss(): Promise<number> {
  const told = async (...loader: readonly string[]): Promise<number> => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      ...loader,
      '--input-type=module',
      '--eval',
      "await import('fastify'); gc(); console.log(process.memoryUsage.rss())",
    ])
    return Number(stdout)
  }
  return Math.max(0, (await told('--import', 'tsx')) - (await told()))
}

/** Ticks of /proc in a second; 100 on every Linux that Node runs on. */
const TICKS = 100

/** CPU time that a process has used, in milliseconds; undefined where the system does not tell. */
export function cpuMsOf(pid: number): number | undefined {
  try {
    // The name of the program, in brackets, may hold spaces: fields are counted behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS
  } catch {
    return undefined
  }
}
