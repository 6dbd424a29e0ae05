import autocannon from 'autocannon'
import { readFlags } from './flags.ts'
import {
  type Candidate,
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  percent,
} from './measure.ts'
import { startProcess } from './processes.ts'

/** What server.ts says when it listens. */
export interface Serving {
  readonly port: number
  readonly etag: string
  readonly bytes: number
}

export const LOAD_SECONDS = 2

/** Requests a second over runs of two seconds, on kept-alive connections as a CDN holds them. */
export function load(name: string, url: string, headers: Record<string, string>, status: number): Candidate {
  return {
    name,
    async once() {
      const result = await autocannon({ url, connections: 16, duration: LOAD_SECONDS, headers })
      const wrong = Object.keys(result.statusCodeStats ?? {}).filter((code) => Number(code) !== status)
      if (wrong.length > 0 || result.errors > 0)
        throw new Error(`${name} answered ${wrong.join()} with ${result.errors} errors`)
      return result.requests.average
    },
  }
}

/** Row 3 of the budgets. */
export async function benchServe(flags: readonly string[]): Promise<Finding> {
  const given = readFlags(flags, ['rounds'])
  const rounds = given.number('rounds', given.quick ? 2 : 7)
  const server = await startProcess<Serving>('server')
  try {
    const at = (path: string): string => `http://127.0.0.1:${server.started.port}${path}`
    const gzip = { 'accept-encoding': 'gzip' }
    const known = { ...gzip, 'if-none-match': server.started.etag }
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
        `### Row 3: a cached answer, ${server.started.bytes.toLocaleString('en')} bytes of gzip`,
        '',
        '| what | requests a second | spread | against bare |',
        '| --- | --- | --- | --- |',
        ...full.map((measured) => line(measured, full[0])),
        ...notModified.map((measured) => line(measured, notModified[0])),
        '',
        `Against bare: 200 ${(full[1].median / full[0].median).toFixed(2)}, 304 ${(notModified[1].median / notModified[0].median).toFixed(2)} (budget: 0.95). Against @fastify/static: ${(full[1].median / full[2].median).toFixed(1)} times as many (budget: 3).`,
      ],
    }
  } finally {
    await server.end()
  }
}
