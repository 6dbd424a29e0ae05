import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { type Candidate, controlHolds, type Measured, measureInTurn, percent } from './measure.ts'

interface Server {
  readonly child: ChildProcess
  readonly url: string
  readonly etag: string
  readonly bytes: number
}

async function start(kind: string): Promise<Server> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('./server.ts', import.meta.url)), kind],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  if (child.stdout === null) throw new Error('no output to read')
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the ${kind} server ended`)))
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  ended.catch(() => {})
  const { port, path, etag, bytes } = JSON.parse(line) as {
    port: number
    path: string
    etag: string
    bytes: number
  }
  return { child, url: `http://127.0.0.1:${port}${path}`, etag, bytes }
}

/** Requests a second of one server over one-second runs; one kept-alive connection a slot, as a CDN holds them. */
function load(name: string, server: Server, headers: Record<string, string>, status: number): Candidate {
  return {
    name,
    async once() {
      const result = await autocannon({ url: server.url, connections: 16, duration: 2, headers })
      const wrong = Object.keys(result.statusCodeStats ?? {}).filter((code) => Number(code) !== status)
      if (wrong.length > 0 || result.errors > 0)
        throw new Error(`${name} answered ${wrong.join()} with ${result.errors} errors`)
      return result.requests.average
    },
  }
}

/** Row 3 of the budgets. */
export async function benchServe(
  rounds: number,
): Promise<{ readonly lines: string[]; readonly valid: boolean }> {
  const [ours, bare, again, files] = (await Promise.all(
    ['ours', 'bare', 'control', 'static'].map(start),
  )) as [Server, Server, Server, Server]
  try {
    const gzip = { 'accept-encoding': 'gzip' }
    const known = { ...gzip, 'if-none-match': ours.etag }
    const full = (await measureInTurn(
      [
        load('bare Fastify handler', bare, gzip, 200),
        load('live-sitemap', ours, gzip, 200),
        load('@fastify/static, file compressed beforehand', files, gzip, 200),
        load('bare again (control)', again, gzip, 200),
      ],
      rounds,
      1,
    )) as [Measured, Measured, Measured, Measured]
    const notModified = (await measureInTurn(
      [
        load('bare Fastify handler, 304', bare, known, 304),
        load('live-sitemap, 304', ours, known, 304),
        load('bare again, 304 (control)', again, known, 304),
      ],
      rounds,
      1,
    )) as [Measured, Measured, Measured]
    const line = (measured: Measured, base: Measured): string =>
      `| ${measured.name} | ${Math.round(measured.median).toLocaleString('en')} | ${percent(measured.spread)} | ${(measured.median / base.median).toFixed(2)} |`
    return {
      valid: controlHolds(full[3], full[0]) && controlHolds(notModified[2], notModified[0]),
      lines: [
        `### Row 3: a cached answer, ${ours.bytes.toLocaleString('en')} bytes of gzip`,
        '',
        '| what | requests a second | spread | against bare |',
        '| --- | --- | --- | --- |',
        ...full.map((measured) => line(measured, full[0])),
        ...notModified.map((measured) => line(measured, notModified[0])),
        '',
        `Against @fastify/static: ${(full[1].median / full[2].median).toFixed(1)} times as many.`,
      ],
    }
  } finally {
    for (const { child } of [ours, bare, again, files]) child.kill()
  }
}
