/**
 * A client that asks at a fixed pace whatever becomes of its requests: one that waits for an answer before it asks again
 * asks least when the server is slowest, and finds it fast.
 */
import { createClient } from '../ask.ts'
import { quantile } from '../measure.ts'
import { answerCommands } from './process.ts'

export interface Pace {
  readonly port: number
  readonly path: string
  /** Requests a second. */
  readonly rate: number
}

export interface Latency {
  readonly sent: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Requests without a 200. */
  readonly failed: number
}

/** Requests that may be on their way at once: a loop blocked for 25 ms takes a dozen. */
const CONNECTIONS = 64
const TICK_MS = 2

let forget = (): void => {}
let finish = async (): Promise<Latency> => ({ sent: 0, p50: 0, p99: 0, max: 0, failed: 0 })

function begin({ port, path, rate }: Pace): void {
  const client = createClient(port, CONNECTIONS)
  const latencies: number[] = []
  const open = new Set<Promise<void>>()
  let sent = 0
  let failed = 0

  async function ask(): Promise<void> {
    const at = performance.now()
    try {
      if ((await client.ask(path)).status !== 200) failed++
    } catch {
      failed++
    }
    latencies.push(performance.now() - at)
  }

  let started = performance.now()
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - started) * rate) / 1_000)
    for (; sent < due; sent++) {
      const one: Promise<void> = ask().finally(() => open.delete(one))
      open.add(one)
    }
  }, TICK_MS)

  forget = () => {
    latencies.length = 0
    sent = failed = 0
    started = performance.now()
  }
  finish = async () => {
    clearInterval(timer)
    await Promise.all(open)
    client.close()
    return {
      sent,
      failed,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      max: quantile(latencies, 1),
    }
  }
}

answerCommands(undefined, {
  begin,
  /** What came before does not count: connections were opened, code was compiled. */
  count: () => forget(),
  end: () => finish(),
})
