import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { type Candidate, controlHolds, type Measured, measureInTurn, percent } from './measure.ts'

interface Server {
  readonly child: ChildProcess
  readonly port: number
  readonly etag: string
  readonly bytes: number
}

async function start(): Promise<Server> {
  const file = fileURLToPath(new URL('./server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (child.stdout === null) throw new Error('no output to read')
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the server ended')))
  ended.catch(() => {})
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  return { child, ...(JSON.parse(line) as { port: number; etag: string; bytes: number }) }
}

/** Requests a second over runs of two seconds, on kept-alive connections as a CDN holds them. */
function load(name: string, url: string, headers: Record<string, string>, status: number): Candidate {
  return {
    name,
    async once() {
      const result = await autocannon({ url, connections: 16, duration: 2, headers })
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
  const server = await start()
  try {
    const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`
    const gzip = { 'accept-encoding': 'gzip' }
    const known = { ...gzip, 'if-none-match': server.etag }
    const full = (await measureInTurn(
      [
        load('bare Fastify handler', at('/bare.xml'), gzip, 200),
        load('live-sitemap', at('/sitemap.xml'), gzip, 200),
        load('@fastify/static, file compressed beforehand', at('/static/file.xml'), gzip, 200),
        load('bare again (control)', at('/again.xml'), gzip, 200),
      ],
      rounds,
      1,
    )) as [Measured, Measured, Measured, Measured]
    const notModified = (await measureInTurn(
      [
        load('bare Fastify handler, 304', at('/bare.xml'), known, 304),
        load('live-sitemap, 304', at('/sitemap.xml'), known, 304),
        load('bare again, 304 (control)', at('/again.xml'), known, 304),
      ],
      rounds,
      1,
    )) as [Measured, Measured, Measured]
    const line = (measured: Measured, base: Measured): string =>
      `| ${measured.name} | ${Math.round(measured.median).toLocaleString('en')} | ${percent(measured.spread)} | ${(measured.median / base.median).toFixed(2)} |`
    return {
      valid: controlHolds(full[3], full[0]) && controlHolds(notModified[2], notModified[0]),
      lines: [
        `### Row 3: a cached answer, ${server.bytes.toLocaleString('en')} bytes of gzip`,
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
    server.child.kill()
  }
}
