import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './ask.ts'
import type { FloodOrder } from './children/flood-app.ts'
import type { MemoryUse } from './children/partitions-app.ts'
import { readFlags } from './flags.ts'
import { type Finding, megabytes, milliseconds, quantile, table, timed, whole } from './measure.ts'
import { startProcess } from './processes.ts'

interface Flood {
  readonly name: string
  readonly order: FloodOrder
  readonly coding: string
  readonly clients: number
  /** Bytes a second that a client takes; all it gets where there is none. */
  readonly pace?: number
}

const LARGE: FloodOrder = { entries: 50_000, limit: 50_000, longer: 672 }
const MANY: FloodOrder = { entries: 200_000, limit: 100, longer: 0 }

/** What memory comes to when everybody comes at once. */
export async function benchFloods(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['clients', 'seconds'])
  const clients = flags.number('clients', flags.quick ? 200 : 1_000)
  const seconds = flags.number('seconds', flags.quick ? 3 : 20)
  const parts = flags.quick ? 200 : 2_000
  const floods: readonly Flood[] = [
    { name: 'a part of 40 MB, plain, at 1 kB/s', order: LARGE, coding: 'identity', clients, pace: 1_000 },
    { name: 'the same, gzip', order: LARGE, coding: 'gzip', clients, pace: 1_000 },
    { name: 'all parts at once, gzip', order: MANY, coding: 'gzip', clients: parts },
    { name: 'all parts at once, plain', order: MANY, coding: 'identity', clients: parts },
  ]
  const rows: string[][] = []
  const faults: string[] = []
  for (const flood of floods) {
    const seen = await flooded(flood, seconds)
    if (seen.used > seen.limit + LET_THROUGH)
      faults.push(`${flood.name}: memory came to ${megabytes(seen.used)} of ${megabytes(seen.limit)}`)
    for (const status of Object.keys(seen.statuses))
      if (status !== '200' && status !== '503') faults.push(`${flood.name}: answered ${status}`)
    rows.push([
      flood.name,
      whole(flood.clients),
      Object.entries(seen.statuses)
        .map(([status, count]) => `${whole(count)} × ${status}`)
        .join(', '),
      `${megabytes(seen.used)} of ${megabytes(seen.limit)}`,
      megabytes(seen.growth),
      milliseconds(seen.own),
    ])
  }
  return {
    valid: true,
    faults,
    lines: [
      `### Floods: each for ${seconds} s at most, a process each, default options`,
      '',
      ...table(
        [
          'what',
          'clients',
          'answers',
          'memory by the report, highest',
          'RSS growth, peak',
          "the app's own route, p99",
        ],
        rows,
      ),
    ],
  }
}

/** A body that is larger than what is free is let through where it is the only one, and two are made at once. */
const LET_THROUGH = 2_000_000

async function flooded(flood: Flood, seconds: number) {
  const app = await startProcess<{ readonly port: number }>('flood-app', flood.order)
  const { port } = app.started
  const own = createClient(port, 1)
  try {
    const before = await app.ask<number>('settle')
    const own99: number[] = []
    let used = 0
    let over = false
    const watching = (async () => {
      while (!over) {
        own99.push(await timed(() => own.ask('/own')))
        used = Math.max(used, (await app.ask<MemoryUse>('memory')).used)
        await sleep(20)
      }
    })()
    const statuses = await asked(flood, port, seconds)
    over = true
    await watching
    const { peak, limit } = await app.ask<MemoryUse>('memory')
    return { statuses, used, limit, growth: peak - before, own: quantile(own99, 0.99) }
  } finally {
    own.close()
    await app.end()
  }
}

/** All clients at once: how each was answered. Slow ones are kept for the whole time. */
async function asked(flood: Flood, port: number, seconds: number): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  const sockets = new Set<net.Socket>()
  const ends = Array.from({ length: flood.clients }, async (_, i) => {
    const socket = net.connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    const part = (i % (flood.order.entries / flood.order.limit)) + 1
    socket.write(
      `GET /sitemap-blog-${part}.xml HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: ${flood.coding}\r\n\r\n`,
    )
    await once(socket, 'readable')
    const status = String(socket.read(12) ?? 'nothing').slice(-3)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (flood.pace === undefined) {
      socket.resume()
      if (!socket.destroyed) await once(socket, 'close')
    } else {
      const { pace } = flood
      const reading = setInterval(() => socket.read(Math.min(pace, socket.readableLength)), 1_000)
      socket.once('close', () => clearInterval(reading))
    }
  })
  if (flood.pace === undefined) await Promise.race([Promise.all(ends), sleep(seconds * 1_000)])
  else await sleep(seconds * 1_000)
  for (const socket of sockets) socket.destroy()
  return statuses
}
